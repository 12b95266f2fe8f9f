//! Confirmation of findings: runs of the concrete interpreter in which they happen.
//!
//! What a program leaves open is its input: random numbers, results of functions that are not defined, arguments of a
//! function that nobody calls. Few short combinations are tried in turn, then others at random, until all findings have
//! happened or it has become too much. What happens in a run is a bug, and the choices of the run show it. That includes what the
//! analysis did not find: where not everything was analysed, many runs look for it; and a few check even what was proved.

use super::analysed::{Analysed, Found};
use crate::pictures::{heap, picture};
use crate::source::Translated;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use trifold_ir::{
    Choices, Exhaustive, Finding, FindingKind, Options, Outcome, Point, ProcId, Recorded, Replay, Seeded, State,
    interpret,
};
use trifold_lower::{Calls, Encoding, Precision, Roles, Unread};
use trifold_report::Picture;
use trifold_source::Span;
use trifold_tvp::write_structure;

/// A run in which something goes wrong.
pub struct Witness {
    /// What goes wrong.
    pub finding: Finding,
    /// What the program leaves open, as it is chosen in the run, up to its end.
    pub choices: Vec<i128>,
    /// The heap before the statement at which the run fails, where it can be shown.
    pub heap: Option<Heap>,
}

/// A heap.
pub struct Heap {
    /// For people.
    pub outline: String,
    /// For programs.
    pub tvs: String,
    /// For pages.
    pub picture: Picture,
}

/// What runs confirm, by kind and line.
pub type Witnesses = BTreeMap<Key, Witness>;
pub type Key = (FindingKind, String, usize);

/// The key of something that is found.
pub fn key(kind: FindingKind, span: Span, translated: &Translated) -> Key {
    let (path, at) = translated.sources.locate(span);
    (kind, path.to_string(), at.line)
}

/// The first combinations are tried in turn, with so few values for each choice, and so few choices in a run.
const IN_TURN: usize = 300;
const VALUES: u32 = 3;
const DEPTH: usize = 12;
/// Then so many runs follow at random. All runs together have at most so many steps.
const AT_RANDOM: u64 = 4_000;
/// So many do if everything that was found is confirmed, but not everything was analysed; and so many if it was.
const WITH_GAPS: usize = 1_000;
const WITHOUT_GAPS: usize = 20;
const STEPS: usize = 200_000;
/// Small heaps show most of what goes wrong: the first runs are short.
const SHORT_RUNS: usize = 1_000;
const SHORT: Options = Options { max_steps: 1_000, max_objects: 40, leaks_at_end: false };

/// These are limits of the analysis, and do not happen in runs.
const LIMITS: [FindingKind; 2] = [FindingKind::NotAnalysed, FindingKind::Cutpoint];

/// Did the analysis see everything, and do runs confirm all that it found? Then there is nothing left to be found out.
pub fn is_certain(report: &Analysed, witnesses: &Witnesses, translated: &Translated) -> bool {
    let confirmed = |finding: &Found| witnesses.contains_key(&key(finding.kind, finding.span, translated));
    report.is_complete() && report.findings.iter().all(confirmed)
}

/// Looks for runs that confirm what an analysis found, and for what it did not find, of the kinds that count.
///
/// The search ends, at the latest, when there is no time left.
pub fn confirm(
    report: &Analysed,
    entry: ProcId,
    translated: &Translated,
    counts: &dyn Fn(FindingKind) -> bool,
    end: Option<Instant>,
) -> Witnesses {
    let gaps = !report.is_complete();
    let real = report.findings.iter().filter(|finding| !LIMITS.contains(&finding.kind));
    let wanted = real.map(|finding| key(finding.kind, finding.span, translated)).collect();
    let found = Witnesses::new();
    let mut search = Search { translated, entry, wanted, gaps, counts, end, found, runs: 0, steps: 0 };
    let mut in_turn = Exhaustive::new(VALUES, DEPTH);
    for _ in 0..IN_TURN {
        if search.is_over() {
            break;
        }
        let run = search.run(&mut in_turn);
        search.note(&run, &in_turn.made());
        if !in_turn.advance() {
            break;
        }
    }
    for seed in 0..AT_RANDOM {
        if search.is_over() {
            break;
        }
        let mut choices = Recorded::new(Seeded::new(seed));
        let run = search.run(&mut choices);
        search.note(&run, &choices.made);
    }
    search.found
}

struct Search<'a> {
    translated: &'a Translated,
    entry: ProcId,
    wanted: BTreeSet<Key>,
    /// Is there something that was not analysed?
    gaps: bool,
    counts: &'a dyn Fn(FindingKind) -> bool,
    end: Option<Instant>,
    found: Witnesses,
    runs: usize,
    steps: usize,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        let all = self.wanted.iter().all(|key| self.found.contains_key(key));
        let late = self.end.is_some_and(|end| Instant::now() >= end);
        late || self.steps >= STEPS || all && self.runs >= if self.gaps { WITH_GAPS } else { WITHOUT_GAPS }
    }

    fn run(&mut self, choices: &mut dyn Choices) -> trifold_ir::Run {
        let program = &self.translated.program;
        let options = if self.runs < SHORT_RUNS { SHORT } else { Options::default() };
        let run = interpret(program, self.entry, &options, choices, &mut |_, _| {});
        self.runs += 1;
        self.steps += run.steps;
        run
    }

    /// Notes what a run confirms.
    fn note(&mut self, run: &trifold_ir::Run, choices: &[i128]) {
        for (number, finding) in run.findings.iter().enumerate() {
            let key = key(finding.kind, finding.span, self.translated);
            let is_bug = finding.kind != FindingKind::NotAnalysed && (self.counts)(finding.kind);
            if is_bug && !self.found.contains_key(&key) {
                // Only the last thing that goes wrong ends a run, and only then its last state is the one before.
                let ends_it = run.outcome == Outcome::Failed && number + 1 == run.findings.len();
                let heap = ends_it.then(|| self.heap(finding.point, choices)).flatten();
                self.found.insert(key, Witness { finding: finding.clone(), choices: choices.to_vec(), heap });
            }
        }
    }

    /// The heap at the last visit of a point, in a run with these choices.
    fn heap(&self, point: Point, choices: &[i128]) -> Option<Heap> {
        let program = &self.translated.program;
        let mut last: Option<State> = None;
        let mut visit = |at: Point, state: &State| {
            if at == point {
                last = Some(state.clone());
            }
        };
        interpret(program, self.entry, &Options::default(), &mut Replay::new(choices.to_vec()), &mut visit);
        let all = Precision { unread: Unread::Tracked, calls: Calls::InPlace, ..Precision::default() };
        let lowered = trifold_lower::lower(program, self.entry, all, &Roles::new());
        let vocabulary = &lowered.specification.vocabulary;
        let structure = Encoding::new(&lowered, program).encode(&last?, &BTreeSet::new())?;
        let outline = heap(&structure, vocabulary).outline().trim_end().to_string();
        let picture = picture(&structure, vocabulary, "", false);
        Some(Heap { outline, tvs: write_structure(&structure, vocabulary), picture })
    }
}
