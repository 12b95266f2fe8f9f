//! `cargo xtask bench symbolic`: how fast the built-in solver answers queries of the list specification.
//!
//! Each program of `examples/tvp/sll` is analysed; then every structure of up to six individuals that was found at any
//! of its locations is refined to the canonical abstractions of its stores. The queries of these refinements are
//! measured.

use std::process::ExitCode;
use std::time::Instant;
use trifold_examples::{Example, programs};
use trifold_logic::Formula;
use trifold_structure::Structure;
use trifold_symbolic::{BuiltIn, Session, Symbolic};

/// Queries per second that the solver should reach.
const GOAL: f64 = 2000.0;
const MAX_SIZE: usize = 6;

/// Measures all list programs and prints a table.
pub fn run() -> ExitCode {
    println!(
        "{:16} {:>10} {:>9} {:>8} {:>10} {:>10} {:>11}",
        "program", "structures", "refined", "queries", "undecided", "time", "queries/s"
    );
    let (mut queries, mut seconds) = (0, 0.0);
    for path in programs("sll") {
        let example = Example::load(&path, &[]);
        let measured = Measured::new(&example);
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        println!(
            "{name:16} {:>10} {:>9} {:>8} {:>10} {:>7.1} ms {:>11.0}",
            measured.structures,
            measured.refined,
            measured.queries,
            measured.undecided,
            measured.seconds * 1e3,
            measured.queries as f64 / measured.seconds
        );
        queries += measured.queries;
        seconds += measured.seconds;
    }
    let rate = queries as f64 / seconds;
    println!("{queries} queries, {rate:.0} per second (goal {GOAL:.0})");
    if rate >= GOAL { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Measured {
    structures: usize,
    refined: usize,
    queries: usize,
    undecided: usize,
    seconds: f64,
}

impl Measured {
    fn new(example: &Example) -> Measured {
        let engine = example.engine(example.options);
        let analysis = example.analyze(&engine);
        let found = analysis.solution.stores.iter().flat_map(|location| location.iter());
        let mut structures: Vec<Structure> = found.filter(|s| s.size() <= MAX_SIZE).cloned().collect();
        structures.sort_by(|a, b| (a.size(), a.words()).cmp(&(b.size(), b.words())));
        structures.dedup();
        let symbolic = Symbolic::new(&example.loaded.specification);
        let mut measured =
            Measured { structures: structures.len(), refined: 0, queries: 0, undecided: 0, seconds: 0.0 };
        for structure in structures {
            let (mut solver, mut stop) = (BuiltIn::default(), || false);
            let mut session = Session::new(&mut solver, &mut stop);
            let started = Instant::now();
            measured.refined += symbolic.assume(&Formula::TRUE, &[structure], &mut session).len();
            measured.seconds += started.elapsed().as_secs_f64();
            measured.queries += session.report.queries;
            measured.undecided += usize::from(!session.report.is_most_precise());
        }
        measured
    }
}
