//! The worklist solver [LevAmi00 §3.3, §3.4].
//!
//! A location holds a store of abstract states. Locations are taken up one after the other, in an order that can be chosen
//! ([`Traversal`]); all states that are new there go through all outgoing edges, and what comes out is delivered to
//! the edges' targets. A step is a pure
//! function, so the steps of one location can run on several [threads](crate::pool); their results are delivered in a fixed order, and the
//! solution does not depend on the number of threads.
//!
//! Each state that enters a store gets a [`Record`] of the edge it came over and of the state it came from, so that a
//! trace leads from any state back to the entry.

use crate::graph::depth_first;
use crate::pool::{Pool, States, Steps};
use crate::schedule::Schedule;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What the solver needs to know about an abstract domain.
pub trait Domain: Sync {
    /// An abstract state.
    type State: Clone + Send + Sync;
    /// The states of one location.
    type Store: Default;
    /// Something a step reports besides states: a message, say.
    type Event: Send;
    /// Memory that steps reuse; one per thread.
    type Scratch: Default + Send;

    /// The effect of an action on a state.
    fn step(&self, action: usize, state: &Self::State, scratch: &mut Self::Scratch) -> Step<Self::State, Self::Event>;

    /// Adds a state to a store.
    fn insert(&self, store: &mut Self::Store, state: Self::State) -> Insertion;

    /// A state of a store.
    fn state<'s>(&self, store: &'s Self::Store, id: usize) -> &'s Self::State;

    /// The number of states in a store.
    fn count(&self, store: &Self::Store) -> usize;
}

/// The outcome of an action on one state.
#[derive(Clone, Debug)]
pub struct Step<S, E> {
    /// The states after the action.
    pub states: Vec<S>,
    /// What else there is to say.
    pub events: Vec<E>,
}

/// What became of a state that was added to a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// The store represented it already.
    Known,
    /// It is in the store under this number.
    Added(usize),
    /// It was joined into the state of this number, which is different now.
    Changed(usize),
}

/// An edge of the control-flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowEdge {
    /// Where it starts.
    pub source: usize,
    /// What it does, in the domain's numbering.
    pub action: usize,
    /// Where it ends.
    pub target: usize,
}

/// A control-flow graph; location 0 is the entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FlowGraph {
    /// The number of locations.
    pub locations: usize,
    /// The edges, in the order in which they are followed.
    pub edges: Vec<FlowEdge>,
}

/// Which locations keep their states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Save {
    /// All: fastest.
    #[default]
    All,
    /// Those with several incoming edges.
    MergePoints,
    /// Targets of back edges: one per loop, least memory.
    BackEdges,
}

/// In which order locations are taken up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Traversal {
    /// After their predecessors, and inner loops to their end before outer ones go on.
    #[default]
    WeakTopological,
    /// After their predecessors, as far as possible.
    ReversePostOrder,
    /// After their successors: something reaches the exit soon.
    PostOrder,
}

/// How to solve.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Which locations keep their states.
    pub save: Save,
    /// Locations that keep their states in any case, such as those to be printed.
    pub always_saved: Vec<usize>,
    /// The order of locations.
    pub traversal: Traversal,
    /// The number of threads, at least 1.
    pub threads: usize,
}

impl Default for SolverOptions {
    fn default() -> SolverOptions {
        SolverOptions { save: Save::All, always_saved: Vec::new(), traversal: Traversal::default(), threads: 1 }
    }
}

/// Where a state came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The record of the state before; none for an input.
    pub parent: Option<u32>,
    /// The edge it came over; none for an input.
    pub edge: Option<u32>,
    /// Its number in the store of its location, where states are kept. What is there now represents it.
    pub state: Option<u32>,
}

/// A step of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// The edge that was followed.
    pub edge: usize,
    /// The number of the state behind it, in the store of the edge's target, where states are kept.
    pub state: Option<usize>,
}

/// How far the solver has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// States that inputs and steps have produced.
    pub created: usize,
    /// Steps taken.
    pub steps: usize,
    /// Locations that have something left to do.
    pub waiting: usize,
}

/// Looks on, and may stop the solver. It never changes what is computed.
pub trait Observer<D: Domain> {
    /// A step over `edge` from the state of record `parent` reported something.
    fn event(&mut self, edge: usize, parent: u32, event: D::Event);

    /// Called every few steps. `Break` ends the solving with a partial result.
    fn progress(&mut self, statistics: &Statistics, solution: &Solution<D>) -> ControlFlow<()>;
}

/// The states of all locations.
pub struct Solution<D: Domain> {
    /// A store per location; empty where states are not kept.
    pub stores: Vec<D::Store>,
    /// For each location, the record of each state of its store.
    pub records_of: Vec<Vec<u32>>,
    /// All records.
    pub records: Vec<Record>,
    /// Which locations keep their states.
    pub saved: Vec<bool>,
    /// Is this a fixpoint? If not, the observer broke off.
    pub complete: bool,
    /// What it took.
    pub statistics: Statistics,
}

impl<D: Domain> Solution<D> {
    /// The steps from an input to a record, first to last.
    pub fn trace(&self, record: u32) -> Vec<TraceStep> {
        let mut steps = Vec::new();
        let mut current = Some(record);
        while let Some(number) = current {
            let Record { parent, edge, state } = self.records[number as usize];
            let state = state.map(|state| state as usize);
            steps.extend(edge.map(|edge| TraceStep { edge: edge as usize, state }));
            current = parent;
        }
        steps.reverse();
        steps
    }
}

/// The observer is asked after at most this many steps.
const BATCH: usize = 256;

/// Computes the least solution above the inputs, which are states with their locations.
pub fn solve<D: Domain>(
    domain: &D,
    graph: &FlowGraph,
    inputs: impl IntoIterator<Item = (usize, D::State)>,
    options: &SolverOptions,
    observer: &mut impl Observer<D>,
) -> Solution<D> {
    let mut solver = Solver::new(domain, graph, options);
    for (location, state) in inputs {
        solver.solution.statistics.created += 1;
        solver.deliver(location, state, Record { parent: None, edge: None, state: None });
    }
    Pool::run(domain, options.threads, |pool| solver.run(pool, observer));
    solver.solution
}

struct Solver<'a, D: Domain> {
    domain: &'a D,
    graph: &'a FlowGraph,
    outgoing: Vec<Vec<usize>>,
    schedule: Schedule,
    /// For each location the numbers of states that have not been taken further.
    fresh: Vec<BTreeSet<usize>>,
    /// For each location that keeps nothing, the states that pass through.
    passing: Vec<States<D>>,
    solution: Solution<D>,
}

impl<'a, D: Domain> Solver<'a, D> {
    fn new(domain: &'a D, graph: &'a FlowGraph, options: &SolverOptions) -> Solver<'a, D> {
        let locations = graph.locations;
        let mut outgoing = vec![Vec::new(); locations];
        for (number, edge) in graph.edges.iter().enumerate() {
            outgoing[edge.source].push(number);
        }
        Solver {
            domain,
            graph,
            schedule: schedule(graph, &outgoing, options.traversal),
            outgoing,
            fresh: vec![BTreeSet::new(); locations],
            passing: (0..locations).map(|_| Vec::new()).collect(),
            solution: Solution {
                stores: (0..locations).map(|_| D::Store::default()).collect(),
                records_of: vec![Vec::new(); locations],
                records: Vec::new(),
                saved: saved_locations(graph, options),
                complete: false,
                statistics: Statistics::default(),
            },
        }
    }

    fn run(&mut self, pool: &Pool<D>, observer: &mut impl Observer<D>) {
        let mut scratch = D::Scratch::default();
        while let Some(location) = self.schedule.next() {
            let states = self.take_fresh(location);
            let edges = self.outgoing[location].clone();
            let actions = edges.iter().map(|edge| self.graph.edges[*edge].action).collect();
            let steps = Arc::new(Steps { actions, states });
            let end = pool.steps(self.domain, &steps, &mut scratch, |number, outcome| {
                let (_, parent) = steps.states[number % steps.states.len()];
                self.receive(edges[number / steps.states.len()], parent, outcome, observer);
                if (number + 1) % BATCH != 0 && number + 1 < steps.len() {
                    return ControlFlow::Continue(());
                }
                self.solution.statistics.waiting = self.schedule.len();
                observer.progress(&self.solution.statistics, &self.solution)
            });
            if end.is_break() {
                return;
            }
        }
        self.solution.complete = true;
    }

    fn receive(&mut self, edge: usize, parent: u32, step: Step<D::State, D::Event>, observer: &mut impl Observer<D>) {
        self.solution.statistics.steps += 1;
        self.solution.statistics.created += step.states.len();
        for event in step.events {
            observer.event(edge, parent, event);
        }
        for state in step.states {
            let record = Record { parent: Some(parent), edge: Some(edge as u32), state: None };
            self.deliver(self.graph.edges[edge].target, state, record);
        }
    }

    /// The states of a location that have not been taken further, with their records.
    fn take_fresh(&mut self, location: usize) -> States<D> {
        let store = &self.solution.stores[location];
        let records = &self.solution.records_of[location];
        let mut states: States<D> = std::mem::take(&mut self.fresh[location])
            .into_iter()
            .map(|id| (self.domain.state(store, id).clone(), records[id]))
            .collect();
        states.append(&mut self.passing[location]);
        states
    }

    fn deliver(&mut self, location: usize, state: D::State, record: Record) {
        let solution = &mut self.solution;
        let number = solution.records.len() as u32;
        if !solution.saved[location] {
            solution.records.push(record);
            self.passing[location].push((state, number));
        } else {
            let records = &mut solution.records_of[location];
            let id = match self.domain.insert(&mut solution.stores[location], state) {
                Insertion::Known => return,
                Insertion::Added(id) => {
                    records.push(number);
                    id
                }
                Insertion::Changed(id) => {
                    records[id] = number;
                    id
                }
            };
            solution.records.push(Record { state: Some(id as u32), ..record });
            self.fresh[location].insert(id);
        }
        self.schedule.add(location);
    }
}

fn schedule(graph: &FlowGraph, outgoing: &[Vec<usize>], traversal: Traversal) -> Schedule {
    let targets = |edges: &Vec<usize>| edges.iter().map(|edge| graph.edges[*edge].target).collect();
    Schedule::new(&outgoing.iter().map(targets).collect::<Vec<_>>(), traversal)
}

/// The entry, ends and printed locations always keep their states; so does a location of every cycle.
fn saved_locations(graph: &FlowGraph, options: &SolverOptions) -> Vec<bool> {
    let mut successors = vec![Vec::new(); graph.locations];
    let mut incoming = vec![0; graph.locations];
    for edge in &graph.edges {
        successors[edge.source].push(edge.target);
        incoming[edge.target] += 1;
    }
    let back = depth_first(&successors, 0).back_edge_targets;
    let saved = |location: usize| {
        let by_policy = match options.save {
            Save::All => true,
            Save::MergePoints => incoming[location] > 1 || back[location],
            Save::BackEdges => back[location],
        };
        by_policy || location == 0 || successors[location].is_empty() || options.always_saved.contains(&location)
    };
    (0..graph.locations).map(saved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts modulo 50: states are numbers, action `a` adds `a`, sets of numbers are joined by union.
    struct Counting;

    impl Domain for Counting {
        type State = u32;
        type Store = Vec<u32>;
        type Event = u32;
        type Scratch = ();

        fn step(&self, action: usize, state: &u32, _: &mut ()) -> Step<u32, u32> {
            let next = (state + action as u32) % 50;
            Step { states: vec![next], events: (next == 7).then_some(*state).into_iter().collect() }
        }

        fn insert(&self, store: &mut Vec<u32>, state: u32) -> Insertion {
            if store.contains(&state) {
                return Insertion::Known;
            }
            store.push(state);
            Insertion::Added(store.len() - 1)
        }

        fn state<'s>(&self, store: &'s Vec<u32>, id: usize) -> &'s u32 {
            &store[id]
        }

        fn count(&self, store: &Vec<u32>) -> usize {
            store.len()
        }
    }

    #[derive(Default)]
    struct Watch {
        events: Vec<u32>,
        stop_after: Option<usize>,
    }

    impl Observer<Counting> for Watch {
        fn event(&mut self, _: usize, _: u32, event: u32) {
            self.events.push(event);
        }

        fn progress(&mut self, statistics: &Statistics, _: &Solution<Counting>) -> ControlFlow<()> {
            match self.stop_after {
                Some(limit) if statistics.created >= limit => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }

    fn loop_graph() -> FlowGraph {
        let edge = |source, action, target| FlowEdge { source, action, target };
        FlowGraph { locations: 4, edges: vec![edge(0, 0, 1), edge(1, 3, 2), edge(2, 2, 1), edge(1, 1, 3)] }
    }

    #[test]
    fn a_loop_is_solved_alike_whatever_is_saved_and_however_many_threads() {
        let mut expected: Option<Vec<u32>> = None;
        for save in [Save::All, Save::MergePoints, Save::BackEdges] {
            for traversal in [Traversal::WeakTopological, Traversal::ReversePostOrder, Traversal::PostOrder] {
                for threads in [1, 3] {
                    let options = SolverOptions { save, traversal, threads, always_saved: vec![] };
                    let solution = solve(
                        &Counting,
                        &loop_graph(),
                        (0..20).map(|state| (0, state)),
                        &options,
                        &mut Watch::default(),
                    );
                    assert!(solution.complete);
                    let mut exit = solution.stores[3].clone();
                    exit.sort();
                    assert_eq!(*expected.get_or_insert(exit.clone()), exit);
                }
            }
        }
        assert_eq!(expected.map(|exit| exit.len()), Some(50));
    }

    #[test]
    fn traces_lead_back_to_an_input() {
        let solution = solve(&Counting, &loop_graph(), [(0, 0)], &SolverOptions::default(), &mut Watch::default());
        let six = solution.stores[3].iter().position(|state| *state == 6).unwrap();
        let trace = solution.trace(solution.records_of[3][six]);
        assert_eq!(trace.iter().map(|step| step.edge).collect::<Vec<_>>(), [0, 1, 2, 3]);
        let states =
            trace.iter().map(|step| solution.stores[loop_graph().edges[step.edge].target][step.state.unwrap()]);
        assert_eq!(states.collect::<Vec<_>>(), [0, 3, 5, 6]);
    }

    #[test]
    fn events_reach_the_observer_and_breaking_off_is_marked() {
        let mut watch = Watch::default();
        solve(&Counting, &loop_graph(), [(0, 4)], &SolverOptions::default(), &mut watch);
        assert!(watch.events.contains(&4));
        let mut watch = Watch { stop_after: Some(5), ..Watch::default() };
        assert!(!solve(&Counting, &loop_graph(), [(0, 4)], &SolverOptions::default(), &mut watch).complete);
    }
}
