//! `cargo xtask bench engine`: how fast the engine is on the examples, and how much memory it takes.
//!
//! Each program is measured in a process of its own, so that the peak of its memory is its own. Times are the best of
//! several runs on one thread; they include everything from the input structures to the fixpoint, but not loading.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use trifold_examples::Example;

/// What is measured, and the goal for the analysis time, in milliseconds.
const PROGRAMS: &[(&str, f64)] = &[
    ("sll/search", 10.0),
    ("sll/null_deref", 10.0),
    ("sll/delete", 10.0),
    ("sll/del_all", 10.0),
    ("sll/insert", 10.0),
    ("sll/create", 10.0),
    ("sll/merge", 10.0),
    ("sll/reverse", 10.0),
    ("sll/fumble", 10.0),
    ("sll/rotate", 10.0),
    ("sll/swap", 10.0),
    ("sll/getlast", 10.0),
    ("dll/splice", 10.0),
    ("sorting/insert_sort", 1000.0),
    ("sorting/bubble_sort", 1000.0),
    ("sorting/merge", 1000.0),
    ("sorting/reverse", 1000.0),
    ("ambient/router", 2000.0),
];

/// A program is run again until this time is used up, but at least three times.
const BUDGET: Duration = Duration::from_millis(600);

/// Measures all programs and prints a table.
pub fn engine() -> ExitCode {
    println!("{:22} {:>10} {:>12} {:>14} {:>10} {:>9}", "program", "created", "time", "structures/s", "goal", "memory");
    let mut missed = 0;
    for (program, goal) in PROGRAMS {
        let Some(measured) = in_own_process(program) else {
            eprintln!("{program} could not be measured");
            return ExitCode::FAILURE;
        };
        let (created, seconds, memory) = measured;
        let late = seconds * 1e3 > *goal;
        missed += late as usize;
        println!(
            "{program:22} {created:>10} {:>9.3} ms {:>14.0} {:>7} ms {memory:>6} MB{}",
            seconds * 1e3,
            created as f64 / seconds,
            goal,
            if late { "  missed" } else { "" }
        );
    }
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Structures created, seconds and peak megabytes of a program.
fn in_own_process(program: &str) -> Option<(usize, f64, usize)> {
    let output = Command::new(std::env::current_exe().ok()?).args(["bench", "measure", program]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut words = text.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// Measures one program in this process.
pub fn measure(program: &str) -> ExitCode {
    let example = Example::named(program, &[]);
    let engine = example.engine(example.options);
    let started = Instant::now();
    let mut best = Duration::MAX;
    let mut created = 0;
    for run in 0.. {
        let one = Instant::now();
        let analysis = example.analyze(&engine);
        best = best.min(one.elapsed());
        created = analysis.solution.statistics.created;
        if run >= 2 && started.elapsed() > BUDGET {
            break;
        }
    }
    println!("{created} {} {}", best.as_secs_f64(), peak_memory());
    ExitCode::SUCCESS
}

/// The most memory this process has had, in megabytes; 0 where the system does not say.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.unwrap_or(0).div_ceil(1024)
}
