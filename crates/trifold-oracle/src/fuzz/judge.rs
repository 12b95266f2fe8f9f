//! Judges heap programs: runs of the concrete interpreter must agree with the verdicts of the domains.
//!
//! Both domains check a program within small limits, so that every accepted program also goes through all passes after
//! the front ends. Where a domain has come to its end, every state of a few runs must be represented and every error in
//! them must be among its findings; and a kind of finding that it excludes must not happen in runs of the program as it
//! was translated, also if it was excluded for the program without unread links. For example, if a domain proves that
//! no memory is leaked, no run may leak.

use crate::graphs::Graphs;
use crate::oracle::{self, Effort, Tally};
use crate::structures::Structures;
use std::fmt::Display;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trifold_fixpoint::{Solution, SolverOptions, Statistics, StopReason};
use trifold_heap_tvl::{Precision, check_with};
use trifold_ir::{FindingKind, ProcId, Program, RunStart, Seeded, interpret_from};
use trifold_passes::{Callers, Demands};
use trifold_tvl::{Engine, Limits, Watcher};

/// Entries of a program that are judged.
const ENTRIES: usize = 3;
/// Runs whose states are compared, and runs that only must not go wrong.
const COMPARED: Effort = Effort::small(3, 0);
const RUNS: u64 = 20;
/// How far a run goes, and how far a domain.
const RUN: trifold_ir::Options = trifold_ir::Options { max_steps: 400, max_objects: 30, leaks_at_end: false };
const STRUCTURES: usize = 300;
const WORK: u64 = 18_000_000;
const TIME: Duration = Duration::from_millis(300);

/// Judges a program from its entry, or, if it is a library, each of these procedures with a caller of its own.
pub(super) fn program(mut program: Program, targets: Option<Vec<ProcId>>, leaks: bool) -> Tally {
    let entries: Vec<ProcId> = match targets {
        None => program.entry.into_iter().collect(),
        Some(targets) => {
            let first = program.entry;
            let callers = Callers::of(&program);
            let callers =
                targets.into_iter().filter_map(|p| callers.add(&mut program, p, first, &Demands::default()).ok());
            callers.take(ENTRIES).collect()
        }
    };
    if let Err(errors) = trifold_ir::validate(&program) {
        panic!("the heap program is not well formed: {errors:?}");
    }
    let mut tally = Tally::default();
    for entry in entries {
        program.entry = Some(entry);
        tally += by_structures(&program, entry, leaks);
        tally += by_graphs(&program, entry, &program);
        let without_idle = trifold_passes::without_idle(&program, entry);
        let lean = trifold_passes::without_unread(without_idle.as_ref().unwrap_or(&program), entry);
        if let Some(lean) = lean.or(without_idle) {
            tally += by_graphs(&lean, entry, &program);
        }
    }
    tally
}

fn by_structures(program: &Program, entry: ProcId, leaks: bool) -> Tally {
    let limits = Limits { structures: Some(STRUCTURES), messages: None };
    let solver = SolverOptions { threads: 1, ..SolverOptions::default() };
    let options = trifold_heap_tvl::Options { limits, solver, leaks, ..Default::default() };
    // The findings of a first analysis are not all that is reported, because finer ones may follow.
    let first = Precision { collected: !leaks, ..Precision::default() };
    let first = check_with(program, entry, first, &options, &mut Clock(Instant::now()));
    let mut tally = by_report(program, entry, leaks, &first);
    let last = trifold_heap_tvl::check(program, entry, &options, &mut Clock(Instant::now()));
    tally += by_report(program, entry, leaks, &last);
    tally
}

fn by_report(program: &Program, entry: ProcId, leaks: bool, report: &trifold_heap_tvl::StructureReport) -> Tally {
    let effort = Effort { limits: trifold_ir::Options { max_steps: 100, ..COMPARED.limits }, ..COMPARED };
    let tally = agree(program, "the three-valued domain", oracle::judge(&Structures::new(report), &effort));
    if tally.judged == 0 {
        return tally;
    }
    let proves = |kind| report.verdict(kind) == trifold_ir::Verdict::Proved && (leaks || kind != FindingKind::Leak);
    agree(program, "the three-valued domain", runs(program, entry, &RunStart::default(), &proves));
    tally
}

/// `program` is checked; its proofs must hold of `whole`, too, but for leaks of the parts that are left out.
fn by_graphs(program: &Program, entry: ProcId, whole: &Program) -> Tally {
    let started = Instant::now();
    let options = trifold_heap_sl::Options { max_work: WORK, max_graphs: 40, ..Default::default() };
    let report = trifold_heap_sl::check(program, entry, &options, &mut || started.elapsed() < TIME);
    let judged = oracle::judge(&Graphs::new(program, entry, &report), &COMPARED);
    let tally = agree(program, "the domain of checkers", judged);
    if tally.judged == 0 {
        return tally;
    }
    let proves = |kind| report.verdict(kind) == trifold_ir::Verdict::Proved;
    let start = RunStart { assertions: trifold_heap_sl::assertions(whole), ..RunStart::default() };
    agree(program, "the domain of checkers", runs(whole, entry, &start, &proves));
    tally
}

/// Runs in which nothing may happen that is proved not to.
fn runs(
    program: &Program,
    entry: ProcId,
    start: &RunStart,
    proves: &dyn Fn(FindingKind) -> bool,
) -> Result<(), String> {
    for seed in 0..RUNS {
        let run = interpret_from(program, entry, start, &RUN, &mut Seeded::new(seed), &mut |_, _| {});
        if let Some(finding) = run.findings.iter().find(|finding| proves(finding.kind)) {
            return Err(format!("{} is proved not to happen, but does: {}", finding.kind, finding.text));
        }
    }
    Ok(())
}

#[track_caller]
fn agree<T>(program: &Program, domain: &str, judged: Result<T, impl Display>) -> T {
    judged.unwrap_or_else(|wrong| panic!("{domain} is wrong: {wrong}\n{}", trifold_ir::print(program)))
}

/// Ends an analysis that takes long.
struct Clock(Instant);

impl Watcher for Clock {
    fn progress(&mut self, _: &Statistics, _: &Solution<Engine>) -> ControlFlow<StopReason> {
        if self.0.elapsed() > TIME { ControlFlow::Break(StopReason::Timeout) } else { ControlFlow::Continue(()) }
    }
}
