//! The worklist solver [LevAmi00 §3.3, §3.4] and tabulation [RinetzkySY05 §C.2].
//!
//! A point holds a store of abstract states. Points are taken up one after the other, in an order that can be chosen
//! ([`Traversal`](crate::Traversal)); all states that are new there go through all outgoing edges, and what comes out is delivered to
//! the edges' targets. A step is a pure
//! function, so the steps of one point can run on several [threads](crate::pool); their results are delivered in a fixed order, and the
//! solution does not depend on the number of threads.
//!
//! # Calls
//!
//! A procedure is analysed once per context, that is, per abstract input that differs from the others; see [`Procedural::key`]. What is at a point of a
//! context are the path edges from the context's input. An edge that calls *extracts* the callee's input from a state, and the
//! state is noted as a caller of the callee's context. The states at the exit of a context are *combined* with all
//! of its callers, those that are there and those that are still to come. So recursion needs no special treatment: the contexts of a recursive procedure call each other.
//!
//! Without calls there is one context, and all this is the plain worklist algorithm.
//!
//! Each state that enters a store gets a [`Record`] of the edge it came over and of the state it came from, so that a
//! trace leads from any state back to the entry.

use crate::domain::{ByDomain, Calls, Domain, Insertion, NoCalls, Outcome, Procedural, Statistics};
use crate::observer::Observer;
use crate::options::SolverOptions;
use crate::pool::{Job, JobKind, Pool, States, Steps};
use crate::program::{FlowGraph, Part, ProgramGraph};
use crate::schedule::Schedule;
use crate::solution::{Context, FlowPoint, Record, Solution};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The observer is asked after at most this many steps.
const BATCH: usize = 16;

/// Computes the least solution above the inputs, which are states with their locations, of a graph without procedures.
pub fn solve<D: Domain>(
    domain: &D,
    graph: &FlowGraph,
    inputs: impl IntoIterator<Item = (usize, D::State)>,
    options: &SolverOptions,
    observer: &mut impl Observer<D>,
) -> Solution<D> {
    let mut solver = Solver::new(domain, &NoCalls, graph, BTreeMap::new(), vec![Part::whole(graph, options)]);
    solver.context(0, ());
    for (location, state) in inputs {
        solver.input(location, state);
    }
    Pool::run((domain, &NoCalls), options.threads, |pool| solver.run(pool, observer));
    solver.solution
}

/// Computes the least solution above the inputs, which are states at the entries of procedures.
pub fn tabulate<D: Procedural>(
    domain: &D,
    program: &ProgramGraph,
    inputs: impl IntoIterator<Item = (usize, D::State)>,
    options: &SolverOptions,
    observer: &mut impl Observer<D>,
) -> Solution<D> {
    let parts = program.procedures.iter().map(|procedure| Part::procedure(&program.flow, *procedure, options));
    let mut solver = Solver::new(domain, &ByDomain, &program.flow, program.calls.clone(), parts.collect());
    for (procedure, state) in inputs {
        let context = solver.context(procedure, domain.key(procedure, &state));
        let entry = solver.solution.contexts[context].entry;
        solver.input(entry, state);
    }
    Pool::run((domain, &ByDomain), options.threads, |pool| solver.run(pool, observer));
    solver.solution
}

/// A state from which a context was called.
struct Caller<S> {
    point: usize,
    edge: usize,
    state: S,
    record: u32,
    /// The number of the state in the store of its point, where states are kept.
    kept: Option<u32>,
}

/// What the solver remembers of a context.
struct Progress<S> {
    schedule: Schedule,
    callers: Vec<Caller<S>>,
    /// The callers that have not been combined with what is at the exit.
    fresh_callers: BTreeSet<usize>,
}

struct Solver<'a, D: Domain, C: Calls<D>> {
    domain: &'a D,
    calling: &'a C,
    graph: &'a FlowGraph,
    /// The procedures that edges call.
    calls: BTreeMap<usize, usize>,
    /// By procedure.
    parts: Vec<Part>,
    /// The context of each input of a procedure.
    contexts: HashMap<(usize, C::Key), usize>,
    /// By context.
    progress: Vec<Progress<D::State>>,
    /// Contexts with points that wait.
    waiting: BTreeSet<usize>,
    /// For each point the numbers of states that have not been taken further.
    fresh: Vec<BTreeSet<usize>>,
    /// For each point that keeps nothing, the states that pass through.
    passing: Vec<States<D>>,
    solution: Solution<D>,
}

impl<'a, D: Domain, C: Calls<D>> Solver<'a, D, C> {
    fn new(
        domain: &'a D,
        calling: &'a C,
        graph: &'a FlowGraph,
        calls: BTreeMap<usize, usize>,
        parts: Vec<Part>,
    ) -> Self {
        Solver {
            domain,
            calling,
            graph,
            calls,
            parts,
            contexts: HashMap::new(),
            progress: Vec::new(),
            waiting: BTreeSet::new(),
            fresh: Vec::new(),
            passing: Vec::new(),
            solution: Solution {
                stores: Vec::new(),
                records_of: Vec::new(),
                records: Vec::new(),
                saved: Vec::new(),
                visits: Vec::new(),
                points: Vec::new(),
                contexts: Vec::new(),
                complete: false,
                statistics: Statistics::default(),
            },
        }
    }

    /// The context of a procedure for inputs with a key.
    fn context(&mut self, procedure: usize, key: C::Key) -> usize {
        let number = self.solution.contexts.len();
        let context = *self.contexts.entry((procedure, key)).or_insert(number);
        if context < number {
            return context;
        }
        let (part, solution) = (&self.parts[procedure], &mut self.solution);
        let first = solution.points.len();
        let (entry, exit) = (first + part.entry, part.exit.map(|exit| first + exit));
        solution.contexts.push(Context { procedure, first, entry, exit, callers: Vec::new() });
        for (location, saved) in part.locations.iter().zip(&part.saved) {
            solution.points.push(FlowPoint { context, location: *location });
            solution.saved.push(*saved);
            solution.visits.push(0);
            solution.stores.push(D::Store::default());
            solution.records_of.push(Vec::new());
            self.fresh.push(BTreeSet::new());
            self.passing.push(Vec::new());
        }
        let schedule = Schedule::new(part.order.clone());
        self.progress.push(Progress { schedule, callers: Vec::new(), fresh_callers: BTreeSet::new() });
        context
    }

    /// The point of a location in the context of another point.
    fn point(&self, beside: usize, location: usize) -> usize {
        let context = &self.solution.contexts[self.solution.points[beside].context];
        context.first + self.parts[context.procedure].local[&location]
    }

    fn input(&mut self, point: usize, state: D::State) {
        self.solution.statistics.created += 1;
        let record = Record { parent: None, edge: None, call: None, enters: false, point: point as u32, state: None };
        self.deliver(state, record);
    }

    fn run(&mut self, pool: &Pool<D>, observer: &mut impl Observer<D>) {
        let mut scratch = D::Scratch::default();
        let (domain, calling) = (self.domain, self.calling);
        while let Some(point) = self.next() {
            let steps = Arc::new(self.steps(point));
            let end = pool.steps((domain, calling), &steps, &mut scratch, |number, outcome| {
                self.receive(point, &steps, number, outcome, observer);
                if (number + 1) % BATCH != 0 && number + 1 < steps.jobs.len() {
                    return ControlFlow::Continue(());
                }
                let waiting = self.waiting.iter().map(|context| self.progress[*context].schedule.len());
                self.solution.statistics.waiting = waiting.sum();
                self.solution.statistics.at = point;
                observer.progress(&self.solution.statistics, &self.solution)
            });
            if end.is_break() {
                return;
            }
        }
        self.solution.complete = true;
    }

    /// The point to be taken up next. The newest context comes first: others wait for what it returns.
    fn next(&mut self) -> Option<usize> {
        let context = *self.waiting.last()?;
        let schedule = &mut self.progress[context].schedule;
        let local = schedule.next();
        if schedule.len() == 0 {
            self.waiting.remove(&context);
        }
        let point = self.solution.contexts[context].first + local?;
        self.solution.visits[point] += 1;
        Some(point)
    }

    fn wake(&mut self, point: usize) {
        let context = self.solution.points[point].context;
        self.progress[context].schedule.add(point - self.solution.contexts[context].first);
        self.waiting.insert(context);
    }

    /// What is to be done at a point: its edges on the states that are new, and, at an exit, returns to callers.
    fn steps(&mut self, point: usize) -> Steps<D> {
        let context = self.solution.points[point].context;
        let part = &self.parts[self.solution.contexts[context].procedure];
        let edges = part.outgoing[point - self.solution.contexts[context].first].clone();
        let fresh = std::mem::take(&mut self.fresh[point]);
        let mut states: States<D> = fresh.iter().map(|id| self.kept(point, *id)).collect();
        states.append(&mut self.passing[point]);
        let mut jobs = Vec::new();
        for edge in edges {
            let kind = if self.calls.contains_key(&edge) { JobKind::Extract } else { JobKind::Step };
            let action = self.graph.edges[edge].action;
            jobs.extend((0..states.len()).map(|state| Job { kind, edge, action, state }));
        }
        let mut callers = Vec::new();
        if self.solution.contexts[context].exit == Some(point) {
            let fresh_callers = std::mem::take(&mut self.progress[context].fresh_callers);
            let new = states.len();
            if !fresh_callers.is_empty() {
                let count = self.domain.count(&self.solution.stores[point]);
                let old = (0..count).filter(|id| !fresh.contains(id));
                states.extend(old.map(|id| self.kept(point, id)).collect::<Vec<_>>());
            }
            for (number, caller) in self.progress[context].callers.iter().enumerate() {
                let count = if fresh_callers.contains(&number) { states.len() } else { new };
                let (edge, action) = (caller.edge, self.graph.edges[caller.edge].action);
                jobs.extend((0..count).map(|state| Job { kind: JobKind::Combine(number), edge, action, state }));
                callers.push(caller.state.clone());
            }
        }
        Steps { states, callers, jobs }
    }

    /// A state of a store, with its record.
    fn kept(&self, point: usize, id: usize) -> (D::State, u32) {
        let state = self.domain.state(&self.solution.stores[point], id);
        (state.clone(), self.solution.records_of[point][id])
    }

    fn receive(
        &mut self,
        point: usize,
        steps: &Steps<D>,
        number: usize,
        outcome: Outcome<D>,
        observer: &mut impl Observer<D>,
    ) {
        let Job { kind, edge, state, .. } = steps.jobs[number];
        let (state, parent) = &steps.states[state];
        self.solution.statistics.steps += 1;
        self.solution.statistics.created += outcome.states.len();
        let context = self.solution.points[point].context;
        let returns_to = match kind {
            JobKind::Combine(caller) => Some(&self.progress[context].callers[caller]),
            _ => None,
        };
        let (beside, call) = returns_to.map_or((point, None), |caller| (caller.point, Some(caller.record)));
        for event in outcome.events {
            observer.event(edge, call.unwrap_or(*parent), event);
        }
        let (parent, edge_number) = (Some(*parent), Some(edge as u32));
        let record =
            |point: usize, enters| Record { parent, edge: edge_number, call, enters, point: point as u32, state: None };
        if let JobKind::Extract = kind {
            let callee = self.calls[&edge];
            for entry in outcome.states {
                let context = self.context(callee, self.calling.key(self.domain, callee, &entry));
                self.deliver(entry, record(self.solution.contexts[context].entry, true));
                self.note_caller(context, point, edge, state, parent.unwrap_or_default());
            }
            return;
        }
        let to = self.point(beside, self.graph.edges[edge].target);
        for state in outcome.states {
            self.deliver(state, record(to, false));
        }
    }

    /// A state calls a context. If it has grown out of one that called before, it calls in its stead.
    fn note_caller(&mut self, context: usize, point: usize, edge: usize, state: &D::State, record: u32) {
        let kept = self.solution.records[record as usize].state;
        let caller = Caller { point, edge, state: state.clone(), record, kept };
        let Progress { callers, fresh_callers, .. } = &mut self.progress[context];
        let same = |known: &Caller<D::State>| {
            (known.point, known.edge) == (point, edge)
                && (known.record == record || known.kept.is_some() && known.kept == kept)
        };
        match callers.iter().position(same) {
            Some(position) if callers[position].record == record => return,
            Some(position) => {
                callers[position] = caller;
                fresh_callers.insert(position);
            }
            None => {
                callers.push(caller);
                fresh_callers.insert(callers.len() - 1);
            }
        }
        let known = &mut self.solution.contexts[context];
        if !known.callers.contains(&(point, edge)) {
            known.callers.push((point, edge));
        }
        if let Some(exit) = known.exit
            && self.domain.count(&self.solution.stores[exit]) > 0
        {
            self.wake(exit);
        }
    }

    fn deliver(&mut self, state: D::State, record: Record) {
        let (solution, point) = (&mut self.solution, record.point as usize);
        let number = solution.records.len() as u32;
        if !solution.saved[point] {
            solution.records.push(record);
            self.passing[point].push((state, number));
        } else {
            let records = &mut solution.records_of[point];
            let id = match self.domain.insert(solution.points[point].location, &mut solution.stores[point], state) {
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
            self.fresh[point].insert(id);
        }
        self.wake(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Step;
    use crate::program::FlowEdge;

    /// Counts modulo 50: states are numbers, action `a` adds `a`, sets of numbers are joined by union.
    #[derive(Default)]
    struct Counting {
        /// The number that no step may reach.
        forbidden: Option<u32>,
    }

    impl Domain for Counting {
        type State = u32;
        type Store = Vec<u32>;
        type Event = u32;
        type Scratch = ();

        fn step(&self, action: usize, state: &u32, _: &mut ()) -> Step<u32, u32> {
            let next = (state + action as u32) % 50;
            assert_ne!(Some(next), self.forbidden, "forbidden");
            Step { states: vec![next], events: (next == 7).then_some(*state).into_iter().collect() }
        }

        fn insert(&self, _: usize, store: &mut Vec<u32>, state: u32) -> Insertion {
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
                        &Counting::default(),
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
    fn a_step_that_panics_ends_all_threads() {
        for threads in [1, 2, 4] {
            let options = SolverOptions { threads, ..SolverOptions::default() };
            let inputs = (0..50).map(|state| (0, state));
            let domain = Counting { forbidden: Some(33) };
            let solving = || solve(&domain, &loop_graph(), inputs, &options, &mut Watch::default());
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(solving)).is_err());
        }
    }

    #[test]
    fn traces_lead_back_to_an_input() {
        let solution =
            solve(&Counting::default(), &loop_graph(), [(0, 0)], &SolverOptions::default(), &mut Watch::default());
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
        solve(&Counting::default(), &loop_graph(), [(0, 4)], &SolverOptions::default(), &mut watch);
        assert!(watch.events.contains(&4));
        let mut watch = Watch { stop_after: Some(5), ..Watch::default() };
        assert!(!solve(&Counting::default(), &loop_graph(), [(0, 4)], &SolverOptions::default(), &mut watch).complete);
    }
}
