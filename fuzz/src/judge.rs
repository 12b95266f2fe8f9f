//! Judges heap programs: runs of the concrete interpreter must agree with the verdicts of the domains.
//!
//! Both domains check a program within small limits, so that every accepted program also goes through all passes after
//! the front ends. Where a domain has come to its end, every state of a few runs must be represented and every error in
//! them must be among its findings; and a kind of finding that it excludes must not happen in runs of the program as it
//! was translated, also if it was excluded for the program without unread links. For example, if a domain proves that
//! no memory is leaked, no run may leak.

#[path = "../../crates/trifold-heap-sl/tests/common/mod.rs"]
mod checkers;
#[path = "../../crates/trifold-heap-tvl/tests/common/mod.rs"]
mod structures;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trifold_fixpoint::{Solution, SolverOptions, Statistics, StopReason};
use trifold_heap_tvl::{Precision, check_with};
use trifold_ir::{FindingKind, ProcId, Program, Seeded, Start, interpret_from};
use trifold_tvl::{Engine, Limits, Watcher};

/// Entries of a program that are judged.
const ENTRIES: usize = 3;
/// Runs whose states are compared, and runs that only must not go wrong.
const COMPARED: u64 = 3;
const RUNS: u64 = 20;
/// How far a run goes, and how far a domain.
const RUN: trifold_ir::Options = trifold_ir::Options { max_steps: 400, max_objects: 30, leaks_at_end: false };
const STRUCTURES: usize = 300;
const WORK: u64 = 60_000;
const TIME: Duration = Duration::from_millis(300);

/// Judges a program from its entry, or, if it is a library, each of these procedures with a caller of its own.
pub fn program(mut program: Program, targets: Option<Vec<ProcId>>, leaks: bool) {
    let entries: Vec<ProcId> = match targets {
        None => program.entry.into_iter().collect(),
        Some(targets) => {
            let first = program.entry;
            let callers = targets.into_iter().filter_map(|p| trifold_passes::add_caller(&mut program, p, first).ok());
            callers.take(ENTRIES).collect()
        }
    };
    if let Err(errors) = trifold_ir::validate(&program) {
        panic!("the heap program is not well formed: {errors:?}");
    }
    for entry in entries {
        program.entry = Some(entry);
        by_structures(&program, entry, leaks);
        by_checkers(&program, entry, &program);
        if let Some(lean) = trifold_passes::without_unread(&program, entry) {
            by_checkers(&lean, entry, &program);
        }
    }
}

fn by_structures(program: &Program, entry: ProcId, leaks: bool) {
    let limits = Limits { structures: Some(STRUCTURES), messages: None };
    let solver = SolverOptions { threads: 1, ..SolverOptions::default() };
    let options = trifold_heap_tvl::Options { limits, solver, leaks, ..Default::default() };
    // What a first analysis says is not all that is reported: others may follow.
    let first = Precision { collected: !leaks, ..Precision::default() };
    by_report(program, entry, leaks, &check_with(program, entry, first, &options, &mut Clock(Instant::now())));
    by_report(program, entry, leaks, &trifold_heap_tvl::check(program, entry, &options, &mut Clock(Instant::now())));
}

fn by_report(program: &Program, entry: ProcId, leaks: bool, report: &trifold_heap_tvl::Report) {
    if report.stop != trifold_tvl::StopReason::Fixpoint {
        return;
    }
    assert!(report.analysis.contradictions.is_empty(), "updates contradict rules:\n{}", trifold_ir::print(program));
    let mut oracle = structures::Oracle::new(report);
    oracle.limits = trifold_ir::Options { max_objects: 8, max_steps: 100, ..RUN };
    agree(program, "the three-valued domain", oracle.run_all(COMPARED, 0));
    let proves = |kind| report.verdict(kind) == trifold_ir::Verdict::Proved && (leaks || kind != FindingKind::Leak);
    agree(program, "the three-valued domain", runs(program, entry, &Start::default(), &proves));
}

/// `program` is checked; its proofs must hold of `whole`, too, but for leaks of the parts that are left out.
fn by_checkers(program: &Program, entry: ProcId, whole: &Program) {
    let started = Instant::now();
    let options = trifold_heap_sl::Options { max_work: WORK, max_graphs: 40, ..Default::default() };
    let report = trifold_heap_sl::check(program, entry, &options, &mut || started.elapsed() < TIME);
    if report.stop != StopReason::Fixpoint {
        return;
    }
    agree(program, "the domain of checkers", checkers::Oracle::new(program, &report).run_all(entry, COMPARED, 0));
    let proves = |kind| report.verdict(kind) == trifold_ir::Verdict::Proved;
    let start = Start { assertions: trifold_heap_sl::assertions(whole), ..Start::default() };
    agree(program, "the domain of checkers", runs(whole, entry, &start, &proves));
}

/// Runs in which nothing may happen that is proved not to.
fn runs(program: &Program, entry: ProcId, start: &Start, proves: &dyn Fn(FindingKind) -> bool) -> Result<(), String> {
    for seed in 0..RUNS {
        let run = interpret_from(program, entry, start, &RUN, &mut Seeded::new(seed), &mut |_, _| {});
        if let Some(finding) = run.findings.iter().find(|finding| proves(finding.kind)) {
            return Err(format!("{} is proved not to happen, but does: {}", finding.kind, finding.text));
        }
    }
    Ok(())
}

#[track_caller]
fn agree(program: &Program, domain: &str, judged: Result<(), String>) {
    if let Err(problem) = judged {
        panic!("{domain} is wrong: {problem}\n{}", trifold_ir::print(program));
    }
}

/// Ends an analysis that takes long.
struct Clock(Instant);

impl Watcher for Clock {
    fn progress(&mut self, _: &Statistics, _: &Solution<Engine>) -> ControlFlow<StopReason> {
        if self.0.elapsed() > TIME { ControlFlow::Break(StopReason::Timeout) } else { ControlFlow::Continue(()) }
    }
}
