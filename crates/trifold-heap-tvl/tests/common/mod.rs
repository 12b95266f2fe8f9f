//! The soundness oracle: every state that the concrete interpreter sees must be represented by a structure of the
//! analysis.
#![allow(dead_code, reason = "each test file uses its part")]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use trifold_heap_tvl::{Calls, Encoding, Options, Precision, Report, Unread, check, check_with};
use trifold_ir::{
    Exhaustive, FindingKind, Options as RunOptions, Outcome, Point, ProcId, Program, Seeded, State, VarId, interpret,
};
use trifold_structure::{Structure, embedding};
use trifold_tvl::{Limits, StopReason};

pub fn parse(text: &str) -> Program {
    match trifold_ir::parse("test", text) {
        Ok((program, _)) => program,
        Err(failure) => panic!("{text}\n{:?}", failure.diagnostics),
    }
}

pub fn options() -> Options {
    Options { limits: Limits { structures: Some(20_000), messages: None }, ..Options::default() }
}

/// The least that is tracked, and the most, and something in between.
pub const PRECISIONS: [Precision; 3] = [
    LEAST,
    Precision { ordered: true, collected: true, dead_fields: true, ..LEAST },
    Precision { unread: Unread::Tracked, apart: true, ordered: true, calls: Calls::InPlace, dead: true, ..LEAST },
];

const LEAST: Precision = Precision {
    unread: Unread::LeftOut,
    apart: false,
    ordered: false,
    calls: Calls::OnLocalHeaps,
    dead_fields: false,
    collected: false,
    dead: false,
};

pub fn check_text(text: &str) -> (Program, Report) {
    let program = parse(text);
    let report = check(&program, program.entry.expect("an entry"), &options(), &mut ());
    (program, without_contradictions(report))
}

fn without_contradictions(report: Report) -> Report {
    assert!(report.analysis.contradictions.is_empty(), "updates contradict rules: {}", contradiction(&report));
    report
}

fn contradiction(report: &Report) -> String {
    let Some(found) = report.analysis.contradictions.first() else { return String::new() };
    let specification = report.engine.specification();
    let rule = report.engine.laws().rules()[found.infeasible.rule].show(&specification.vocabulary);
    let title = specification.title(found.edge);
    format!("{title}: {rule}\nbefore {}\nafter {}", show(report, &found.before), show(report, &found.after))
}

/// The true and unknown values of a structure.
pub fn show(report: &Report, structure: &Structure) -> String {
    let vocabulary = &report.engine.specification().vocabulary;
    let mut text = format!("{} individuals:", structure.size());
    for (id, predicate) in vocabulary.iter().skip(4) {
        let mut note = |tuple: &[usize]| {
            let value = structure.get(id, tuple);
            if value.may() {
                text += &format!(" {}{tuple:?}{}", predicate.name, if value.must() { "" } else { "=1/2" });
            }
        };
        match predicate.arity {
            0 => note(&[]),
            1 => structure.universe().for_each(|u| note(&[u])),
            _ => structure.universe().for_each(|u| structure.universe().for_each(|v| note(&[u, v]))),
        }
    }
    let summaries: Vec<usize> = structure.universe().filter(|u| structure.is_summary(*u)).collect();
    format!("{text} sm{summaries:?}")
}

/// A structure for each way of forgetting dead variables.
type Encodings = BTreeMap<BTreeSet<VarId>, Structure>;

/// Watches runs of a program that has been analysed.
pub struct Oracle<'a> {
    pub program: &'a Program,
    pub report: &'a Report,
    encoding: Encoding<'a>,
    seen: RefCell<BTreeSet<(Point, String)>>,
    /// How far a run goes.
    pub limits: RunOptions,
    /// States that were compared.
    pub states: usize,
    /// Findings of the interpreter that were compared.
    pub findings: usize,
}

impl<'a> Oracle<'a> {
    pub fn new(report: &'a Report) -> Oracle<'a> {
        let program = &report.lowered.program;
        let encoding = Encoding::new(&report.lowered, program);
        let limits = RunOptions { max_steps: 150, max_objects: 8, leaks_at_end: false };
        Oracle { program, report, encoding, seen: RefCell::default(), limits, states: 0, findings: 0 }
    }

    /// Runs with this many seeds, and exhaustively as far as that leads.
    pub fn run_all(&mut self, seeds: u64, exhaustive: usize) -> Result<(), String> {
        for seed in 0..seeds {
            self.run(&mut Seeded::new(seed))?;
        }
        let mut choices = Exhaustive::new(3, 12);
        for _ in 0..exhaustive {
            self.run(&mut choices)?;
            if !choices.advance() {
                break;
            }
        }
        Ok(())
    }

    fn run(&mut self, choices: &mut dyn trifold_ir::Choices) -> Result<(), String> {
        let entry = self.program.entry.expect("an entry");
        let mut problem = None;
        let mut taken: BTreeSet<(ProcId, usize)> = BTreeSet::new();
        // After a statement that is reported as not analysed the analysis promises nothing.
        let mut given_up = false;
        let ends = [FindingKind::NotAnalysed, FindingKind::Cutpoint];
        let unknown: BTreeSet<(ProcId, usize)> = ends.into_iter().flat_map(|kind| self.reported(kind)).collect();
        let mut states = 0;
        let run = interpret(self.program, entry, &self.limits, choices, &mut |point, state| {
            for frame in &state.frames {
                taken.extend(frame.edge.map(|edge| (frame.procedure, edge)));
            }
            given_up |= taken.iter().any(|edge| unknown.contains(edge));
            if given_up || problem.is_some() || !self.seen.borrow_mut().insert((point, format!("{state:?}"))) {
                return;
            }
            states += 1;
            problem = self.missed(point, state);
        });
        self.states += states;
        if let Some(problem) = problem {
            return Err(problem);
        }
        if matches!(run.outcome, Outcome::OutOfChoices) && run.findings.is_empty() {
            return Ok(());
        }
        let leaks = self.reported(FindingKind::Leak);
        for finding in &run.findings {
            let at = (finding.point.procedure, finding.edge);
            // Where memory is collected it does not matter when an object is lost.
            if finding.kind == FindingKind::Leak && self.report.lowered.precision.collected {
                continue;
            }
            let earlier = finding.kind == FindingKind::Leak && taken.iter().any(|edge| leaks.contains(edge));
            if !given_up && !self.reported(finding.kind).contains(&at) && !earlier {
                return Err(format!("{} at edge {at:?} is not reported: {}", finding.kind, finding.text));
            }
            self.findings += 1;
        }
        Ok(())
    }

    fn reported(&self, kind: FindingKind) -> BTreeSet<(ProcId, usize)> {
        self.report.findings.iter().filter(|finding| finding.kind == kind).map(|finding| finding.place.at()).collect()
    }

    /// Says why no structure represents the state, if none does.
    fn missed(&self, point: Point, state: &State) -> Option<String> {
        let (lowered, analysis) = (&self.report.lowered, &self.report.analysis);
        let forgettable = self.encoding.forgettable(state);
        let mut encodings = Encodings::new();
        let location = lowered.points.get(&point)?;
        let structures: Vec<&Structure> =
            analysis.solution.stores_of(*location).flat_map(|store| store.iter()).collect();
        for structure in &structures {
            let forgotten: BTreeSet<VarId> =
                forgettable.iter().copied().filter(|x| self.encoding.has_forgotten(structure, *x)).collect();
            if !encodings.contains_key(&forgotten) {
                let Some(encoded) = self.encoding.encode(state, &forgotten) else {
                    return Some(format!("a state with several calls of a procedure at {point:?}"));
                };
                encodings.insert(forgotten.clone(), encoded);
            }
            if embedding(&encodings[&forgotten], structure).is_some() {
                return None;
            }
        }
        let encoded = self.encoding.encode(state, &forgettable)?;
        let found: Vec<String> = structures.iter().map(|structure| show(self.report, structure)).collect();
        Some(format!(
            "at {point:?} no structure represents {}\nfound:\n{}",
            show(self.report, &encoded),
            found.join("\n")
        ))
    }
}

/// Checks a program and judges the results.
pub fn judge(text: &str, seeds: u64, exhaustive: usize) -> (usize, usize) {
    let program = parse(text);
    let (mut states, mut findings) = (0, 0);
    for precision in PRECISIONS {
        let entry = program.entry.expect("an entry");
        let report = without_contradictions(check_with(&program, entry, precision, &options(), &mut ()));
        if report.stop != StopReason::Fixpoint {
            continue;
        }
        let mut oracle = Oracle::new(&report);
        if let Err(problem) = oracle.run_all(seeds, exhaustive) {
            panic!("{text}\n{}\n{precision:?}: {problem}", trifold_ir::print(&program));
        }
        states += oracle.states;
        findings += oracle.findings;
    }
    (states, findings)
}
