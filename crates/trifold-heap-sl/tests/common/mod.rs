//! The soundness oracle: every state that the concrete interpreter sees must be represented by a graph of the analysis.
#![allow(dead_code, reason = "each test file uses its part")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use trifold_heap_sl::{
    Definitions, Grain, Judge, Layouts, Membership, Options, Report, StopReason, Top, check, show_graph,
};
use trifold_ir::{
    Exhaustive, FindingKind, Options as RunOptions, Outcome, Point, ProcId, Program, Seeded, State, interpret,
};

pub fn parse(text: &str) -> Program {
    match trifold_ir::parse("test", text) {
        Ok((program, _)) => program,
        Err(failure) => panic!("{text}\n{:?}", failure.diagnostics),
    }
}

/// Watches runs of a program that has been analysed.
pub struct Oracle<'a> {
    pub program: &'a Program,
    pub report: &'a Report,
    seen: RefCell<BTreeSet<(Point, String)>>,
    /// How many procedures were analysed: nothing is known about others.
    pub procedures: usize,
    /// States that were compared.
    pub states: usize,
    /// Findings of the interpreter that were compared.
    pub findings: usize,
    /// States of which it was not found out whether they are represented.
    pub given_up: Cell<usize>,
    layouts: Layouts,
    definitions: Definitions,
}

impl<'a> Oracle<'a> {
    pub fn new(program: &'a Program, report: &'a Report) -> Oracle<'a> {
        let (seen, given_up) = (RefCell::default(), Cell::default());
        let layouts = Layouts::new(program);
        let definitions = Definitions::of(program, &layouts);
        let procedures = program.procedures.len();
        Oracle { program, report, seen, procedures, states: 0, findings: 0, given_up, layouts, definitions }
    }

    /// Runs with this many seeds, and exhaustively as far as that leads.
    pub fn run_all(&mut self, entry: ProcId, seeds: u64, exhaustive: usize) -> Result<(), String> {
        for seed in 0..seeds {
            self.run(entry, &mut Seeded::new(seed))?;
        }
        let mut choices = Exhaustive::new(3, 12);
        for _ in 0..exhaustive {
            self.run(entry, &mut choices)?;
            if !choices.advance() {
                break;
            }
        }
        Ok(())
    }

    fn run(&mut self, entry: ProcId, choices: &mut dyn trifold_ir::Choices) -> Result<(), String> {
        let options = RunOptions { max_steps: 200, max_objects: 8, leaks_at_end: false };
        let mut problem = None;
        let mut taken: BTreeSet<(ProcId, usize)> = BTreeSet::new();
        // After a statement that is reported as not analysed the analysis promises nothing.
        let mut given_up = false;
        let unknown: BTreeSet<(ProcId, usize)> = self.reported(FindingKind::NotAnalysed);
        // But where it goes on, states are represented still; only faults in ⊤ are not reported.
        let goes_on: BTreeSet<(ProcId, usize)> =
            self.report.findings.iter().filter(|finding| finding.goes_on).map(|finding| finding.place.at()).collect();
        let ends: BTreeSet<(ProcId, usize)> = &unknown - &goes_on;
        let leaks = self.reported(FindingKind::Leak);
        let mut states = 0;
        // How many objects there were when each of the calls under way began.
        let mut objects: Vec<usize> = Vec::new();
        let run = interpret(self.program, entry, &options, choices, &mut |point, state| {
            objects.truncate(state.frames.len());
            if objects.len() < state.frames.len() {
                objects.push(state.objects.len());
            }
            for frame in &state.frames {
                taken.extend(frame.edge.map(|edge| (frame.procedure, edge)));
            }
            given_up |= taken.iter().any(|edge| ends.contains(edge));
            // At the exit of a procedure its variables are about to go, for the analysis they have gone.
            let at_exit = self.program[point.procedure].exit == point.node;
            // Checkers are not followed where their result is known.
            let in_checker = state.frames.iter().any(|frame| self.definitions.known.contains_key(&frame.procedure));
            let in_unknown = state.frames.iter().any(|frame| frame.procedure.index() >= self.procedures);
            if given_up
                || at_exit
                || in_unknown
                || in_checker
                || problem.is_some()
                || !self.seen.borrow_mut().insert((point, format!("{state:?}")))
            {
                return;
            }
            states += 1;
            // Objects that are taken for lost are no longer in the graphs.
            let all = taken.is_disjoint(&leaks);
            problem = self.missed(point, state, all, objects.last().copied().unwrap_or(0));
        });
        self.states += states;
        if let Some(problem) = problem {
            return Err(problem);
        }
        if matches!(run.outcome, Outcome::OutOfChoices) && run.findings.is_empty() {
            return Ok(());
        }
        for finding in &run.findings {
            let at = (finding.point.procedure, finding.edge);
            let earlier = finding.kind == FindingKind::Leak && taken.iter().any(|edge| leaks.contains(edge));
            // A part of which one run knows nothing may have been joined with one that another knows.
            let mut graphs = self.report.graphs.get(&finding.point).into_iter().flatten();
            let joined = graphs.any(|graph| graph.top != Top::Nothing);
            let stuck = joined || unknown.contains(&at) || taken.iter().any(|edge| unknown.contains(edge));
            if !given_up && !stuck && !self.reported(finding.kind).contains(&at) && !earlier {
                return Err(format!("{} at edge {at:?} is not reported: {}", finding.kind, finding.text));
            }
            self.findings += 1;
        }
        Ok(())
    }

    fn reported(&self, kind: FindingKind) -> BTreeSet<(ProcId, usize)> {
        self.report.findings.iter().filter(|finding| finding.kind == kind).map(|finding| finding.place.at()).collect()
    }

    /// Says why no graph represents the state, if none does.
    fn missed(&self, point: Point, state: &State, all: bool, before_call: usize) -> Option<String> {
        let graphs = self.report.graphs.get(&point).map_or(&[][..], Vec::as_slice);
        let judge = Judge::new(self.program, &self.layouts, state, all, before_call);
        let mut found = Membership::No;
        for graph in graphs {
            found = found.max(judge.represents(graph));
            if found == Membership::Yes {
                return None;
            }
        }
        if found == Membership::GivenUp {
            self.given_up.set(self.given_up.get() + 1);
            return None;
        }
        let shown: Vec<String> = graphs.iter().map(|graph| show_graph(graph, self.program)).collect();
        Some(format!("at {point:?} no graph represents {state:#?}\nfound:\n{}", shown.join("\n")))
    }
}

/// Checks a program in all ways and judges the results.
pub fn judge(text: &str, seeds: u64, exhaustive: usize) {
    let program = parse(text);
    let entry = program.entry.expect("an entry");
    for grain in [Grain::Coarse, Grain::Fine, Grain::Lossy] {
        // Random programs have more shapes than sensible ones. Some keep dead values.
        let keep_dead = text.len().is_multiple_of(3);
        let options = Options { max_work: 4_000_000, max_graphs: 60, grain: Some(grain), keep_dead };
        let report = check(&program, entry, &options, &mut || true);
        if report.stop != StopReason::Fixpoint {
            continue;
        }
        let mut oracle = Oracle::new(&program, &report);
        if let Err(problem) = oracle.run_all(entry, seeds, exhaustive) {
            panic!("{text}\n{}\n{grain:?}: {problem}", trifold_ir::print(&program));
        }
    }
}

/// Checks a program, whose kinds of findings must be exactly these, and judges it by the runs of the interpreter.
#[track_caller]
pub fn expect(text: &str, kinds: &[FindingKind]) -> Report {
    let program = parse(text);
    let entry = program.entry.expect("an entry");
    let report = check(&program, entry, &Options::default(), &mut || true);
    let mut found: Vec<FindingKind> = report.findings.iter().map(|finding| finding.kind).collect();
    found.sort();
    found.dedup();
    let mut kinds = kinds.to_vec();
    kinds.sort();
    println!("{} steps", report.steps);
    assert_eq!(report.stop, StopReason::Fixpoint);
    let mut oracle = Oracle::new(&program, &report);
    if let Err(problem) = oracle.run_all(entry, 40, 300) {
        panic!("{}\n{problem}", trifold_ir::print(&program));
    }
    let shown = report.findings.iter().map(|finding| {
        let edge = &program[finding.place.at().0].edges[finding.place.at().1];
        let statement = trifold_ir::show_statement(&program, &edge.statement);
        format!("{} at {statement}: {}\n{}", finding.kind, finding.text, show_graph(&finding.state, &program))
    });
    assert_eq!(found, kinds, "{}", shown.collect::<Vec<_>>().join("\n"));
    assert!(oracle.states > 0);
    report
}
