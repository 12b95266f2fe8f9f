//! When an analysis may be silent: the oracle before an abstraction that has exactly the states of the runs, and from
//! which a test takes some away. For example, a leak may be reported too early, but never too late.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use trifold_ir::{Exhaustive, FindingKind, Incident, Point, ProcId, Program, Seeded, State, interpret};
use trifold_oracle::oracle::{Abstraction, At, Effort, Ending, Judgement, Silence, Tally, Visit, Wrong, judge};
use trifold_oracle::parse;

const EFFORT: Effort = Effort::small(10, 20);

/// The states of all runs, and the places of all incidents.
struct Exact {
    program: Program,
    states: BTreeMap<Point, HashSet<State>>,
    findings: BTreeSet<(FindingKind, At)>,
    ends: BTreeSet<At>,
    blind: BTreeSet<At>,
    loses_early: bool,
}

impl Exact {
    fn new(text: &str) -> Exact {
        let (states, findings, ends, blind) = Default::default();
        let mut exact = Exact { program: parse(text), states, findings, ends, blind, loses_early: false };
        let mut choices = Exhaustive::new(3, 12);
        for seed in 0..EFFORT.seeds {
            exact.run(&mut Seeded::new(seed));
        }
        for _ in 0..EFFORT.exhaustive {
            exact.run(&mut choices);
            if !choices.advance() {
                break;
            }
        }
        exact
    }

    fn run(&mut self, choices: &mut dyn trifold_ir::Choices) {
        let (program, states) = (&self.program, &mut self.states);
        let mut visit = |point, state: &State| {
            states.entry(point).or_default().insert(state.clone());
        };
        let run = interpret(program, program.entry.expect("an entry"), &EFFORT.limits, choices, &mut visit);
        self.findings.extend(run.findings.iter().map(|incident| (incident.kind, at(incident))));
    }

    /// The edge with this statement, of all procedures.
    fn edge(&self, statement: &str) -> At {
        let procedures = self.program.procedure_ids();
        let mut edges = procedures.flat_map(|id| (0..self.program[id].edges.len()).map(move |edge| (id, edge)));
        let show = |at: &At| trifold_ir::show_statement(&self.program, &self.program[at.0].edges[at.1].statement);
        edges.find(|at| show(at) == statement).unwrap_or_else(|| panic!("no `{statement}`"))
    }

    fn judged(&self) -> Result<Tally, Wrong> {
        judge(self, &EFFORT)
    }
}

fn at(incident: &Incident) -> At {
    (incident.point.procedure, incident.edge)
}

impl Abstraction for Exact {
    fn program(&self) -> &Program {
        &self.program
    }

    fn entry(&self) -> ProcId {
        self.program.entry.expect("an entry")
    }

    fn ending(&self) -> Ending {
        Ending::Fixpoint
    }

    fn findings(&self) -> Vec<(FindingKind, At)> {
        self.findings.iter().copied().collect()
    }

    fn ends(&self) -> BTreeSet<At> {
        self.ends.clone()
    }

    fn blind(&self) -> BTreeSet<At> {
        self.blind.clone()
    }

    fn loses_early(&self) -> bool {
        self.loses_early
    }

    fn represents(&self, visit: &Visit<'_>) -> Judgement {
        match self.states.get(&visit.point).is_some_and(|states| states.contains(visit.state)) {
            true => Judgement::Represented,
            false => Judgement::Missed(String::new()),
        }
    }

    fn excuse(&self, _: &Incident) -> Option<Silence> {
        None
    }
}

const LEAKING: &str = "struct node { node *next; }
    proc make() -> node *r { r = new node; }
    entry proc main() { node *x; node *y; x = new node; skip; make(); y = null; x = null; y = y->next; }";

#[test]
fn what_is_known_exactly_is_not_missed() {
    let exact = Exact::new(LEAKING);
    let tally = exact.judged().expect("nothing is wrong");
    assert!(tally.silent.is_empty());
    assert_eq!(exact.findings.len(), 3, "two leaks and a null dereference: {:?}", exact.findings);
    assert_eq!(tally.states, exact.states.values().map(HashSet::len).sum::<usize>());
}

#[test]
fn each_state_and_each_finding_is_needed() {
    let exact = Exact::new(LEAKING);
    for point in exact.states.keys() {
        let mut less = Exact::new(LEAKING);
        less.states.remove(point);
        assert!(less.judged().is_err(), "{point:?}");
    }
    for finding in &exact.findings {
        let mut less = Exact::new(LEAKING);
        less.findings.remove(finding);
        assert!(less.judged().is_err(), "{finding:?}");
    }
}

/// From an end on nothing is promised, and before it everything.
#[test]
fn after_an_end_nothing_is_judged() {
    let mut exact = Exact::new(LEAKING);
    let (before, end) = (exact.edge("x = new node"), exact.edge("y = null"));
    exact.ends.insert(end);
    exact.findings.retain(|(_, at)| *at < end);
    // Nodes of a procedure without branches are numbered in the order in which they are visited.
    let first = Point { procedure: end.0, node: exact.program[end.0].edges[end.1].to };
    exact.states.retain(|point, _| point.procedure != end.0 || point.node < first.node);
    let tally = exact.judged().expect("it has said so");
    assert!(tally.silent[&Silence::NotAnalysed] > 0);
    // A leak before the end has to be reported.
    exact.findings.clear();
    assert!(exact.judged().is_err());
    exact.ends.insert(before);
    assert!(exact.judged().is_ok());
}

#[test]
fn where_an_analysis_is_blind_states_are_needed_still() {
    let mut exact = Exact::new(LEAKING);
    let first = exact.edge("x = new node");
    exact.blind.insert(first);
    exact.findings.clear();
    let tally = exact.judged().expect("what goes wrong is not said");
    assert!(tally.silent[&Silence::Unknown] > 0);
    let last = exact.states.keys().next_back().copied().expect("a point");
    exact.states.remove(&last);
    assert!(exact.judged().is_err());
}

/// A leak may be reported earlier, if variables are forgotten, but never later.
#[test]
fn leaks_are_reported_in_time() {
    let moved = |statement: &str, loses_early: bool| {
        let mut exact = Exact::new(LEAKING);
        let (there, lost) = (exact.edge(statement), exact.edge("x = null"));
        assert!(exact.findings.remove(&(FindingKind::Leak, lost)));
        exact.findings.insert((FindingKind::Leak, there));
        Exact { loses_early, ..exact }.judged()
    };
    let tally = moved("skip", true).expect("early enough");
    assert!(tally.silent[&Silence::LostEarlier] > 0);
    assert!(moved("skip", false).is_err());
    // The leak of the call is reported before, and the object that it is about cannot be told from others.
    assert!(moved("y = y->next", true).is_ok());
    assert!(moved("y = y->next", false).is_err());
}

/// A call loses its result when it returns, so a report inside of the call is early enough.
#[test]
fn a_call_loses_its_result_when_it_returns() {
    let mut exact = Exact::new(LEAKING);
    let (inside, call, after) = (exact.edge("r = new node"), exact.edge("make()"), exact.edge("y = null"));
    let lost = exact.edge("x = null");
    assert!(exact.findings.remove(&(FindingKind::Leak, call)));
    exact.loses_early = true;
    exact.findings.remove(&(FindingKind::Leak, lost));
    exact.findings.insert((FindingKind::Leak, after));
    assert!(exact.judged().is_err(), "after the call it is too late");
    exact.findings.insert((FindingKind::Leak, inside));
    assert!(exact.judged().is_ok());
}
