//! Confirmation of findings: runs of the concrete interpreter in which they happen.
//!
//! A program leaves its input open: random numbers, results of functions that are not defined, arguments of a function
//! without callers. Few short combinations are tried in turn, then others at random, until all findings have happened
//! or it has become too much. A failure in a run is a bug, and the choices of the run show it. That includes failures
//! that the analysis did not find: where not everything was analysed, many runs look for them; and a few runs check
//! even programs that were proved.
//!
//! A function that describes its arguments with checkers is called with heaps that satisfy them, the smallest first.
//!
//! For example, if `p` may be null at `*p = 0`, because of `if (rand()) p = 0;` before, a run that takes the branch
//! confirms it: the finding is a bug.

use crate::budget::Budget;
use crate::domain::Outcome;
use crate::plan::{Entry, Globals};
use crate::shape::Shape;
use crate::source::Translated;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trifold_heap_sl::{Inputs, add_passer};
use trifold_heap_tvl::{Calls, Encoding, Lowered, NamedRoles, Precision, Unread};
use trifold_ir::{
    Choices, Exhaustive, Finding, FindingKind, Incident, Options, Point, ProcId, Program, Recorded, Replay, Run,
    RunStart, Seeded, State, VarId, interpret_from,
};
use trifold_passes::CallGraph;
use trifold_source::Span;
use trifold_work::limited;

/// A run in which something goes wrong.
#[derive(Clone)]
pub struct Witness {
    /// The failure.
    pub incident: Incident,
    /// The choices in the run for everything that the program leaves open, up to its end.
    pub choices: Vec<i128>,
    /// The heap before the statement at which it happens, where it can be shown.
    pub heap: Option<Shape>,
    /// The heap with which the function is called, if the program does not call it.
    pub input: Option<Shape>,
    /// Was that heap made apart from the choices?
    pub given: bool,
}

/// The confirmed findings, by kind and line.
pub type Witnesses = BTreeMap<Key, Witness>;

/// The kind of a finding, its file and its line.
pub type Key = (FindingKind, String, usize);

/// The key of something that is found.
pub fn key(kind: FindingKind, span: Span, translated: &Translated) -> Key {
    let (path, at) = translated.sources.locate(span);
    (kind, path.to_string(), at.line)
}

/// The keys of the findings of an analysis that runs can confirm.
pub fn keys(outcome: &Outcome, translated: &Translated) -> BTreeSet<Key> {
    let real = outcome.findings.iter().filter(|finding| !FindingKind::UNSEEN.contains(&finding.kind));
    real.map(|finding| key(finding.kind, finding.place.span, translated)).collect()
}

/// Did the analysis see everything, and do runs confirm all that it found? Then there is nothing left to be found out.
pub fn is_certain(outcome: &Outcome, witnesses: &Witnesses, translated: &Translated) -> bool {
    let is_confirmed =
        |finding: &Finding<Shape>| witnesses.contains_key(&key(finding.kind, finding.place.span, translated));
    outcome.is_complete() && outcome.findings.iter().all(is_confirmed)
}

/// The first combinations are tried in turn, with so few values for each choice, and so few choices in a run.
const IN_TURN: usize = 300;
const VALUES: u32 = 3;
const DEPTH: usize = 12;
/// Then so many runs follow at random. All runs together have at most so many steps.
const AT_RANDOM: u64 = 4_000;
const STEPS: usize = 200_000;
/// So many do if everything that was found is confirmed, but not everything was analysed; and so many if it was.
const WITH_GAPS: usize = 1_000;
const WITHOUT_GAPS: usize = 20;
/// Small heaps show most failures, so the first runs are short.
const SHORT_RUNS: usize = 1_000;
const SHORT: Options = Options { max_steps: 1_000, max_objects: 40, leaks_at_end: false };

/// Where arguments are enumerated, they have at most so many blocks, of each number of blocks so many are tried, and
/// with each of them so many runs are made in turn and at random.
const BLOCKS: usize = 5;
const INPUTS: usize = 60;
const IN_TURN_EACH: usize = 40;
const AT_RANDOM_EACH: u64 = 10;

/// A search for runs from one entry of a program.
pub struct Confirmation<'a> {
    /// The program.
    pub translated: &'a Translated,
    /// The entry that is analysed.
    pub entry: &'a Entry,
    /// Its procedure.
    pub procedure: ProcId,
    /// The values of global variables, if checkers describe the arguments of the entry.
    pub globals: Globals,
    /// The [assertions](trifold_heap_sl::assertions) about shapes.
    pub assertions: &'a BTreeMap<(ProcId, usize), usize>,
    /// The kinds that count.
    pub counts: &'a dyn Fn(FindingKind) -> bool,
}

impl Confirmation<'_> {
    /// Looks for runs that confirm the findings of an analysis, and for failures that it did not find.
    pub fn confirm(&self, outcome: &Outcome, budget: &Budget) -> Witnesses {
        let Confirmation { translated, entry, procedure, .. } = *self;
        let specified = entry.specified.then_some(self.globals);
        let first = match specified {
            Some(Globals::Initialised(first)) => first,
            Some(Globals::Unknown) if uses_globals(&translated.program, procedure) => return Witnesses::new(),
            _ => None,
        };
        let mut program = Cow::Borrowed(&*translated.program);
        let passer = specified.map(|_| add_passer(program.to_mut(), procedure, first));
        let mut search = Search {
            confirmation: self,
            program: &program,
            entry: passer.unwrap_or(procedure),
            given: passer.is_some(),
            start: RunStart { assertions: self.assertions.clone(), ..RunStart::default() },
            wanted: keys(outcome, translated),
            gaps: !outcome.is_complete(),
            found: Witnesses::new(),
            runs: 0,
            steps: 0,
            lowered: OnceCell::new(),
        };
        // What was found before the time was up stays.
        let _ = budget.run_here(|| match passer {
            None => search.look(IN_TURN, AT_RANDOM),
            Some(_) => search.look_with_inputs(&Inputs::of(&translated.program, procedure)),
        });
        search.found
    }
}

/// Does a procedure, or one that it calls, use global variables?
fn uses_globals(program: &Program, procedure: ProcId) -> bool {
    let globals: BTreeSet<VarId> = program.globals().collect();
    let mut used = false;
    for edge in CallGraph::of(program).reached(procedure).iter().flat_map(|procedure| &program[*procedure].edges) {
        edge.statement.for_each_read(&mut |variable| used |= globals.contains(&variable));
        used |= edge.statement.assigned().is_some_and(|variable| globals.contains(&variable));
    }
    used
}

struct Search<'a> {
    confirmation: &'a Confirmation<'a>,
    program: &'a Program,
    entry: ProcId,
    given: bool,
    start: RunStart,
    wanted: BTreeSet<Key>,
    /// Is there something that was not analysed?
    gaps: bool,
    found: Witnesses,
    runs: usize,
    steps: usize,
    /// How heaps are drawn, if one has been.
    lowered: OnceCell<Lowered>,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        let all = self.wanted.iter().all(|key| self.found.contains_key(key));
        self.steps >= STEPS || all && self.runs >= if self.gaps { WITH_GAPS } else { WITHOUT_GAPS }
    }

    /// Looks at small heaps, the smallest first.
    fn look_with_inputs(&mut self, inputs: &Inputs<'_>) {
        for blocks in 0..=BLOCKS {
            for input in inputs.with_blocks(blocks, INPUTS) {
                if self.is_over() {
                    return;
                }
                // A mistake in how inputs are made must not look like one in the program.
                if input.is_valid(self.program) {
                    let assertions = std::mem::take(&mut self.start.assertions);
                    self.start = RunStart { assertions, ..input.start };
                    self.look(IN_TURN_EACH, AT_RANDOM_EACH);
                }
            }
        }
    }

    /// Looks at runs: so many in turn, then so many at random.
    fn look(&mut self, in_turn: usize, at_random: u64) {
        let mut choices = Exhaustive::new(VALUES, DEPTH);
        for _ in 0..in_turn {
            if self.is_over() {
                return;
            }
            let run = self.run(&mut choices);
            self.note(&run, &choices.made());
            if !choices.advance() {
                break;
            }
        }
        for seed in 0..at_random {
            if self.is_over() {
                return;
            }
            let mut choices = Recorded::new(Seeded::new(seed));
            let run = self.run(&mut choices);
            self.note(&run, &choices.made);
        }
    }

    fn run(&mut self, choices: &mut dyn Choices) -> Run {
        let options = if self.runs < SHORT_RUNS { SHORT } else { Options::default() };
        let run = interpret_from(self.program, self.entry, &self.start, &options, choices, &mut |_, _| {});
        self.runs += 1;
        self.steps += run.steps;
        run
    }

    /// Notes the failures of a run.
    fn note(&mut self, run: &Run, choices: &[i128]) {
        let Confirmation { translated, counts, .. } = self.confirmation;
        for incident in &run.findings {
            let key = key(incident.kind, incident.span, translated);
            // A failure in a made-up caller is no bug of the program.
            let is_own = incident.point.procedure.index() < translated.program.procedures.len();
            let is_bug = is_own && incident.kind != FindingKind::NotAnalysed && counts(incident.kind);
            if is_bug && !self.found.contains_key(&key) {
                let (heaps, _) = limited(u64::MAX, || self.heaps(incident.visit, choices));
                let [input, heap] = heaps.unwrap_or_default();
                let (incident, choices, given) = (incident.clone(), choices.to_vec(), self.given);
                self.found.insert(key, Witness { incident, choices, heap, input, given });
            }
        }
    }

    /// The heap with which the function is called, and the one at a visit, in a run with these choices.
    fn heaps(&self, number: usize, choices: &[i128]) -> [Option<Shape>; 2] {
        let function = self.confirmation.entry.function;
        let called = function.map(|procedure| Point { procedure, node: self.program[procedure].entry });
        let (mut input, mut before): (Option<State>, Option<State>) = (None, None);
        let mut visits = 0;
        let mut visit = |at: Point, state: &State| {
            if Some(at) == called && input.is_none() {
                input = Some(state.clone());
            }
            if visits == number {
                before = Some(state.clone());
            }
            visits += 1;
        };
        let (options, mut choices) = (Options::default(), Replay::new(choices.to_vec()));
        interpret_from(self.program, self.entry, &self.start, &options, &mut choices, &mut visit);
        let all = Precision { unread: Unread::Tracked, calls: Calls::InPlace, ..Precision::default() };
        let lower = || trifold_heap_tvl::lower(self.program, self.entry, all, &NamedRoles::new());
        let lowered = self.lowered.get_or_init(lower);
        let encoding = Encoding::new(lowered, self.program);
        [input, before].map(|state| {
            let structure = encoding.encode(&state?, &BTreeSet::new())?;
            Some(Shape::Structure(Arc::new(structure), lowered.specification.clone()))
        })
    }
}
