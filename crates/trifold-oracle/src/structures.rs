//! The three-valued domain before the oracle: a state, encoded as a two-valued structure, must be embedded in a
//! structure of its location.

use crate::oracle::{Abstraction, AsWritten, At, Effort, Ending, Judgement, Silence, Tally, Visit, has_calls, judge};
use crate::{kinds, parse};
use std::collections::{BTreeMap, BTreeSet};
use trifold_heap_tvl::{Calls, Encoding, Options, Precision, StructureReport, Unread, check, check_with};
use trifold_ir::{FindingKind, Incident, ProcId, Program, VarId, print, show_statement};
use trifold_structure::{Structure, embedding};
use trifold_tvl::{Limits, StopReason};

/// The result of a check.
pub struct Structures<'a> {
    report: &'a StructureReport,
    encoding: Encoding<'a>,
}

/// A structure for each way of forgetting dead variables.
type Encodings = BTreeMap<BTreeSet<VarId>, Structure>;

impl<'a> Structures<'a> {
    /// For a report about a program with an entry.
    pub fn new(report: &'a StructureReport) -> Structures<'a> {
        Structures { report, encoding: Encoding::new(&report.lowered, &report.lowered.program) }
    }

    fn show_all(&self, structures: &[&Structure]) -> String {
        structures.iter().map(|structure| show(self.report, structure)).collect::<Vec<_>>().join("\n")
    }
}

impl Abstraction for Structures<'_> {
    fn program(&self) -> &Program {
        &self.report.lowered.program
    }

    fn entry(&self) -> ProcId {
        self.program().entry.expect("an entry")
    }

    fn ending(&self) -> Ending {
        match self.report.stop {
            // Where the analysis contradicts itself it reports a statement as not analysed, but that is no excuse.
            _ if !self.report.analysis.contradictions.is_empty() => Ending::Contradiction(contradiction(self.report)),
            StopReason::Fixpoint => Ending::Fixpoint,
            stopped => Ending::Stopped(stopped),
        }
    }

    fn findings(&self) -> Vec<(FindingKind, At)> {
        self.report.findings.iter().map(|finding| (finding.kind, finding.place.at())).collect()
    }

    fn ends(&self) -> BTreeSet<At> {
        let ends = self.findings().into_iter().filter(|(kind, _)| FindingKind::UNSEEN.contains(kind));
        ends.map(|(_, at)| at).collect()
    }

    fn loses_early(&self) -> bool {
        let lowered = &self.report.lowered;
        // An object that only a link holds which is left out is reported as soon as no variable holds it.
        let leaves_out = lowered.precision.unread == Unread::LeftOut;
        leaves_out || !lowered.precision.dead || has_calls(&lowered.program, &lowered.procedures)
    }

    fn represents(&self, visit: &Visit<'_>) -> Judgement {
        let (lowered, solution) = (&self.report.lowered, &self.report.analysis.solution);
        let Some(location) = lowered.points.get(&visit.point) else {
            return Judgement::Missed("the point has no location".to_string());
        };
        let structures: Vec<&Structure> = solution.stores_of(*location).flat_map(|store| store.iter()).collect();
        let forgettable = self.encoding.forgettable(visit.state);
        let mut encodings = Encodings::new();
        for structure in &structures {
            let is_forgotten = |x: &VarId| self.encoding.has_forgotten(structure, *x);
            let forgotten: BTreeSet<VarId> = forgettable.iter().copied().filter(is_forgotten).collect();
            if !encodings.contains_key(&forgotten) {
                let Some(encoded) = self.encoding.encode(visit.state, &forgotten) else { break };
                encodings.insert(forgotten.clone(), encoded);
            }
            if embedding(&encodings[&forgotten], structure).is_some() {
                return Judgement::Represented;
            }
        }
        let encoded = self.encoding.encode(visit.state, &forgettable);
        let state = encoded.map_or("a procedure has several calls under way".to_string(), |s| show(self.report, &s));
        Judgement::Missed(format!("{state}\nfound:\n{}", self.show_all(&structures)))
    }

    fn excuse(&self, incident: &Incident) -> Option<Silence> {
        let is_collected = incident.kind == FindingKind::Leak && self.report.lowered.precision.collected;
        is_collected.then_some(Silence::Collected)
    }
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

/// Limits that no sensible program comes to.
pub fn options() -> Options {
    Options { limits: Limits { structures: Some(20_000), messages: None }, ..Options::default() }
}

/// Checks a program with each precision, and judges the results.
pub fn judge_text(text: &str, effort: &Effort) -> Result<Tally, String> {
    let program = parse(text);
    let entry = program.entry.expect("an entry");
    let mut tally = Tally::default();
    for precision in PRECISIONS {
        let report = check_with(&program, entry, precision, &options(), &mut ());
        let structures = Structures::new(&report);
        let judged = judge(&structures, effort).and_then(|judged| {
            tally += judged;
            // No word about the program as it was written is in such a result: `check` looks for another one.
            if report.has_used_dead_fields() {
                *tally.silent.entry(Silence::Discarded).or_default() += 1;
                return Ok(Tally::default());
            }
            judge(&AsWritten { abstraction: &structures, program: &program }, effort)
        });
        judged.map_err(|wrong| format!("{text}\n{precision:?}: {wrong}\n{}", print(&report.lowered.program)))?;
    }
    Ok(tally)
}

/// Checks a program, which must come to an end, and judges the result.
#[track_caller]
pub fn judged(text: &str, effort: &Effort) -> StructureReport {
    let program = parse(text);
    let report = check(&program, program.entry.expect("an entry"), &options(), &mut ());
    assert_judged(&report, effort);
    report
}

/// Judges a report about a program whose analysis must have come to an end.
#[track_caller]
pub fn assert_judged(report: &StructureReport, effort: &Effort) {
    judge(&Structures::new(report), effort)
        .unwrap_or_else(|wrong| panic!("{wrong}\n{}", print(&report.lowered.program)))
        .expect(100, 1);
}

/// Checks a program, whose kinds of findings must be exactly these, and judges it.
#[track_caller]
pub fn expect(text: &str, expected: &[FindingKind]) -> StructureReport {
    let start = std::time::Instant::now();
    let report = judged(text, &Effort::small(40, 300));
    let statistics = report.analysis.solution.statistics;
    println!("{} structures, {} steps, {:?}", statistics.created, statistics.steps, start.elapsed());
    let found = kinds(report.findings.iter().map(|finding| finding.kind));
    assert_eq!(found, kinds(expected.iter().copied()), "{}", show_findings(&report));
    report
}

/// The findings, with the structures on which they were seen.
pub fn show_findings(report: &StructureReport) -> String {
    let program = &report.lowered.program;
    let shown = report.findings.iter().map(|finding| {
        let (procedure, edge) = finding.place.at();
        let statement = show_statement(program, &program[procedure].edges[edge].statement);
        format!("{} at {statement}: {}\n   {}", finding.kind, finding.text, show(report, &finding.state))
    });
    shown.collect::<Vec<_>>().join("\n")
}

fn contradiction(report: &StructureReport) -> String {
    let Some(found) = report.analysis.contradictions.first() else { return String::new() };
    let specification = report.engine.specification();
    let title = specification.title(found.edge);
    let rule = report.engine.laws().rules()[found.infeasible.rule].show(&specification.vocabulary);
    format!("{title}: {rule}\nbefore {}\nafter {}", show(report, &found.before), show(report, &found.after))
}

/// The true and unknown values of a structure.
fn show(report: &StructureReport, structure: &Structure) -> String {
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
