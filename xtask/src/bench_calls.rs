//! `cargo xtask bench calls`: Table 4.e of [RinetzkySY05 §4]. A program makes Y lists of three elements, by calls of
//! one procedure or with its body in their place, and has them all until its end, where it reads them.
//!
//! The time with calls should grow no faster than Y, and calls should beat copies of the body from Y = 2 on. Times are
//! the best of several runs, on one thread.

use std::process::ExitCode;
use std::time::{Duration, Instant};
use trifold_heap_tvl::{Options, Verdict, check};
use trifold_ir::Program;

const SIZES: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// A program is run again until this time is used up, but at least three times.
const BUDGET: Duration = Duration::from_millis(500);

/// Measures all sizes and prints a table.
pub fn run() -> ExitCode {
    println!("{:8} {:>12} {:>12} {:>14} {:>22}", "program", "in place", "calls", "in place/calls", "calls, per list");
    let mut behind = Vec::new();
    for size in SIZES {
        let (Some(copies), Some(calls)) = (measure(&program(size, false)), measure(&program(size, true))) else {
            eprintln!("crt{size}x3 is not proved");
            return ExitCode::FAILURE;
        };
        if size > 1 && calls > copies {
            behind.push(size);
        }
        let milliseconds = |time: f64| format!("{:.3} ms", time * 1e3);
        println!(
            "{:8} {:>12} {:>12} {:>14.2} {:>22}",
            format!("crt{size}x3"),
            milliseconds(copies),
            milliseconds(calls),
            copies / calls,
            milliseconds(calls / size as f64)
        );
    }
    if behind.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The program that makes this many lists.
fn program(lists: usize, by_calls: bool) -> Program {
    let body = |list: &str| {
        format!(
            "{list} = new zeroed node; t = new zeroed node; u = new zeroed node; {list}->n = t; t->n = u; t = null; u = null;"
        )
    };
    let names: Vec<String> = (1..=lists).map(|number| format!("x{number}")).collect();
    let declared: String = names.iter().map(|name| format!("node *{name}; ")).collect();
    let made = |name: &String| if by_calls { format!("{name} = create3(); ") } else { body(name) };
    let main: String = names.iter().map(made).collect();
    let reads: String = names.iter().map(|name| format!("t = {name}; t = t->n; ")).collect();
    let procedure = format!("proc create3() -> node *x {{ node *t; node *u; {} }}", body("x"));
    let procedure = if by_calls { procedure.as_str() } else { "" };
    let text = format!(
        "struct node {{ node *n; i32 d; }} {procedure} entry proc main() {{ node *t; node *u; {declared} {main} {reads} }}"
    );
    match trifold_ir::parse("lists", &text) {
        Ok((program, _)) => program,
        Err(failure) => panic!("{:?}", failure.diagnostics),
    }
}

/// The time of the analysis, if it proves the program.
fn measure(program: &Program) -> Option<f64> {
    let mut best = f64::INFINITY;
    let begin = Instant::now();
    let mut runs = 0;
    while runs < 3 || begin.elapsed() < BUDGET {
        let start = Instant::now();
        let options = Options { leaks: false, ..Options::default() };
        let report = check(program, program.entry?, &options, &mut ());
        best = best.min(start.elapsed().as_secs_f64());
        runs += 1;
        if report.overall() != Verdict::Proved {
            return None;
        }
    }
    Some(best)
}
