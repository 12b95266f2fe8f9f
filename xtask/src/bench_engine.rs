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

/// One program in several sizes, from two levels on: a single one is not nested. The time per structure must not grow
/// with the number of structures.
const FAMILY: (&str, [&str; 4]) = ("nested/build", ["DEPTH=2", "DEPTH=3", "DEPTH=4", "DEPTH=5"]);

/// By how much the time per structure may differ between the sizes of the family.
const EVEN: f64 = 2.0;

/// A program is run again until this time is used up, but at least three times.
const BUDGET: Duration = Duration::from_millis(600);

/// Measures all programs and prints a table.
pub fn engine() -> ExitCode {
    println!("{:22} {:>10} {:>12} {:>14} {:>10} {:>9}", "program", "created", "time", "structures/s", "goal", "memory");
    let mut missed = 0;
    for (program, goal) in PROGRAMS {
        let Some(measured) = in_own_process(program, &[]) else {
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
    match family() {
        Some(true) if missed == 0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Measures a program in several sizes; tells whether the time per structure is about the same.
fn family() -> Option<bool> {
    let (program, sizes) = FAMILY;
    println!("\n{:22} {:>10} {:>12} {:>14} {:>10} {:>9}", "size", "created", "time", "per structure", "", "memory");
    let mut costs = Vec::new();
    for size in sizes {
        let (created, seconds, memory) = in_own_process(program, &[size])?;
        costs.push(seconds / created as f64);
        let cost = seconds * 1e6 / created as f64;
        println!(
            "{:22} {created:>10} {:>9.3} ms {cost:>11.2} µs {:>10} {memory:>6} MB",
            format!("{program} {size}"),
            seconds * 1e3,
            ""
        );
    }
    let (least, most) = costs.iter().fold((f64::MAX, 0.0f64), |(a, b), cost| (a.min(*cost), b.max(*cost)));
    println!("{:22} the time per structure differs by a factor of {:.2} (goal {EVEN})", "", most / least);
    Some(most / least <= EVEN)
}

/// Structures created, seconds and peak megabytes of a program.
fn in_own_process(program: &str, macros: &[&str]) -> Option<(usize, f64, usize)> {
    let this = std::env::current_exe().ok()?;
    let output = Command::new(this).args(["bench", "measure", program]).args(macros).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut words = text.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// Measures one program in this process.
pub fn measure(program: &str, macros: &[&str]) -> ExitCode {
    let example = Example::named(program, macros);
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
