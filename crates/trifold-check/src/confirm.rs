//! Confirmation of findings: runs of the concrete interpreter in which they happen.
//!
//! A program leaves its input open: random numbers, results of functions that are not defined, arguments of a function
//! without callers. Few short combinations are tried in turn, then others at random, until all findings have happened
//! or it has become too much. A failure in a run is a bug, and the choices of the run show it. That includes failures
//! that the analysis did not find: where not everything was analysed, many runs look for them; and a few runs check
//! even programs that were proved.
//!
//! Only an *exact* run confirms: one whose way depends on nothing but what is open and what is computed as the program
//! computes it. The choices of a run that confirms are shrunk, and its statements are the way that is shown.
//!
//! A function that describes its arguments with checkers is called with heaps that satisfy them, the smallest first.
//!
//! For example, if `p` may be null at `*p = 0`, because of `if (rand()) p = 0;` before, a run that takes the branch
//! confirms it: the finding is a bug.

mod shrink;
mod steps;
mod witness;

use crate::budget::Budget;
use crate::domain::Outcome;
use crate::plan::{Entry, Globals};
use crate::shape::Shape;
use crate::source::Translated;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use steps::Steps;
use trifold_heap_sl::{Inputs, add_passer};
use trifold_heap_tvl::{Calls, Encoding, Lowered, NamedRoles, Precision, Unread};
use trifold_ir::{
    Choices, Exhaustive, Finding, FindingKind, Incident, Options, Place, Point, ProcId, Program, Recorded, Replay, Run,
    RunEnd, RunStart, Seeded, State, Statement, TraceStep, VarId, interpret_from,
};
use trifold_passes::CallGraph;
use trifold_source::Span;
use trifold_work::limited;

pub use witness::{Account, Call, Key, Witness, Witnesses};

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
        |finding: &Finding<Shape>| witnesses.confirms(&key(finding.kind, finding.place.span, translated));
    outcome.is_complete() && outcome.findings.iter().all(is_confirmed)
}

/// The first combinations are tried in turn, with so few values for each choice, and so few choices in a run.
const IN_TURN: usize = 300;
const VALUES: u32 = 3;
const DEPTH: usize = 12;
/// Then so many runs follow at random. All runs together have at most so many steps.
const AT_RANDOM: u64 = 6_000;
const STEPS: usize = 200_000;
/// So many do if everything that was found is confirmed, but not everything was analysed; and so many if it was.
const WITH_GAPS: usize = 1_000;
const WITHOUT_GAPS: usize = 20;
/// If so many short runs do not end, all others are long.
const TOO_SHORT: usize = 10;
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
            Some(Globals::Unknown) if uses_globals(&translated.program, procedure) => return Witnesses::default(),
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
            found: Witnesses::default(),
            runs: 0,
            steps: 0,
            is_long: false,
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
        edge.statement.for_each_read_in_runs(&mut |variable| used |= globals.contains(&variable));
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
    /// Do short runs not come to their end?
    is_long: bool,
    /// How heaps are drawn, if one has been.
    lowered: OnceCell<Lowered>,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        let all = self.wanted.iter().all(|key| self.found.confirms(key));
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
        let (mut choices, mut ended) = (Exhaustive::new(VALUES, DEPTH), false);
        for _ in 0..in_turn {
            if self.is_over() {
                return;
            }
            let run = self.run(&mut choices);
            self.note(&run, &choices.made());
            let is_cut = matches!(run.outcome, RunEnd::StepLimit | RunEnd::ObjectLimit);
            ended |= !is_cut;
            if choices.made().is_empty() && !is_cut {
                // Nothing is open: there is no other run.
                return;
            }
            if !choices.advance() || !ended && !self.given && self.runs >= TOO_SHORT {
                break;
            }
        }
        self.is_long |= !ended && !self.given;
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
        let is_short = self.runs < SHORT_RUNS && !self.is_long;
        let options = if is_short { SHORT } else { Options::default() };
        let run = interpret_from(self.program, self.entry, &self.start, &options, choices, &mut |_, _| {});
        self.runs += 1;
        self.steps += run.steps;
        run
    }

    /// Notes the failures of a run.
    fn note(&mut self, run: &Run, choices: &[i128]) {
        for incident in &run.findings {
            let Some(key) = self.failure(incident).filter(|key| !self.found.confirms(key)) else { continue };
            match incident.inexact {
                Some(cause) => self.found.doubt(key, cause),
                None => {
                    if let Some(witness) = self.told(&key, incident, choices) {
                        self.found.confirm(key, witness);
                    }
                }
            }
        }
    }

    /// A failure in a run with these choices, told as shortly as there is time for: it happened in any case.
    fn told(&self, key: &Key, incident: &Incident, choices: &[i128]) -> Option<Witness> {
        let (told, _) = limited(u64::MAX, || self.witness(key, self.shrunk(key, choices)));
        let (choices, given) = (choices.to_vec(), self.given);
        let untold = |_| {
            let (incident, steps) = (incident.clone(), Vec::new());
            Some(Witness { incident, choices, steps, heap: None, input: None, given, account: None })
        };
        told.unwrap_or_else(untold)
    }

    /// The key of an incident that is a failure of the program.
    fn failure(&self, incident: &Incident) -> Option<Key> {
        let Confirmation { translated, counts, .. } = self.confirmation;
        // A failure in a made-up caller is no bug of the program.
        let is_own = incident.point.procedure.index() < translated.program.procedures.len();
        let is_bug = is_own && incident.kind != FindingKind::NotAnalysed && counts(incident.kind);
        is_bug.then(|| key(incident.kind, incident.span, translated))
    }

    /// The first exact failure with a key in a run.
    fn first<'r>(&self, key: &Key, run: &'r Run) -> Option<&'r Incident> {
        run.findings.iter().find(|incident| incident.inexact.is_none() && self.failure(incident).as_ref() == Some(key))
    }

    /// The smallest choices found with which a run fails in the same way.
    fn shrunk(&self, key: &Key, choices: &[i128]) -> Vec<i128> {
        let options = Options::default();
        shrink::shrink(choices.to_vec(), &mut |candidate| {
            let mut choices = Recorded::new(Replay::new(candidate.to_vec()));
            let run = interpret_from(self.program, self.entry, &self.start, &options, &mut choices, &mut |_, _| {});
            self.first(key, &run).map(|_| choices.made)
        })
    }

    /// The run with these choices, told from the beginning to the failure.
    fn witness(&self, key: &Key, choices: Vec<i128>) -> Option<Witness> {
        let replay = |visit: &mut dyn FnMut(Point, &State)| {
            let (options, mut choices) = (Options::default(), Replay::new(choices.clone()));
            interpret_from(self.program, self.entry, &self.start, &options, &mut choices, visit)
        };
        let run = replay(&mut |_, _| {});
        let incident = self.first(key, &run)?.clone();
        let function = self.confirmation.entry.function;
        let called = function.map(|procedure| Point { procedure, node: self.program[procedure].entry });
        let (mut call, mut before): (Option<Call>, Option<State>) = (None, None);
        let mut visits = 0;
        let sources = &self.confirmation.translated.sources;
        let line = |place: Place| sources.locate(place.span).1.line;
        let mut steps = Steps::new(self.program, self.confirmation.translated.program.procedures.len(), &line);
        replay(&mut |at: Point, state: &State| {
            if Some(at) == called && call.is_none() {
                call = Some(Call { procedure: at.procedure, visit: visits, state: state.clone() });
            }
            if visits <= incident.visit {
                steps.visit(state);
            }
            if visits == incident.visit {
                before = Some(state.clone());
            }
            visits += 1;
        });
        let shape = |state: &State| self.shape(state);
        let step = |step: &steps::Step| TraceStep { place: step.place, state: step.after.as_ref().and_then(shape) };
        Some(Witness {
            heap: before.as_ref().and_then(shape),
            input: call.as_ref().and_then(|call| shape(&call.state)),
            given: self.given,
            steps: steps.all().iter().map(step).collect(),
            account: Some(Account { made: run.made, call, start: self.start_of() }),
            incident,
            choices,
        })
    }

    /// The procedure that the entry calls at last.
    fn start_of(&self) -> Option<ProcId> {
        let edges = self.program[self.entry].edges.iter().rev();
        edges
            .filter_map(|edge| match &edge.statement {
                Statement::Call { targets, .. } => targets.first().copied(),
                _ => None,
            })
            .next()
    }

    /// A concrete heap, where it can be shown.
    fn shape(&self, state: &State) -> Option<Shape> {
        let all = Precision { unread: Unread::Tracked, calls: Calls::InPlace, ..Precision::default() };
        let lower = || trifold_heap_tvl::lower(self.program, self.entry, all, &NamedRoles::new());
        let lowered = self.lowered.get_or_init(lower);
        let structure = Encoding::new(lowered, self.program).encode(state, &BTreeSet::new())?;
        Some(Shape::Structure(Arc::new(structure), lowered.specification.clone()))
    }
}
