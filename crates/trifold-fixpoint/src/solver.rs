//! The worklist solver [LevAmi00 §3.3, §3.4] and tabulation [RinetzkySY05 §C.2].
//!
//! A point holds a store of abstract states. Points are taken up one after the other, in an order that can be chosen
//! ([`Traversal`]); all states that are new there go through all outgoing edges, and the results are delivered to the
//! edges' targets. A step is a pure function, so the steps of one point can run on several [threads](crate::pool);
//! their results are delivered in a fixed order, and the solution does not depend on the number of threads.
//!
//! # Calls
//!
//! A procedure is analysed once per context, that is, per abstract input that differs from the others; see
//! [`Procedural::key`]. The states at a point of a context are the path edges from the context's input. An edge that
//! calls *extracts* the callee's input from a state, and the state is noted as a caller of the callee's context. The
//! states at the exit of a context are *combined* with all of its callers, those that are there and those that are
//! still to come. So recursion needs no special treatment: the contexts of a recursive procedure call each other. For
//! example, a procedure that calls itself on the rest of a list has a context for a list, which calls itself, and one
//! for NULL.
//!
//! Without calls there is one context, and all this is the plain worklist algorithm.
//!
//! Each state that enters a store gets a [`Record`] of the edge it came over and of the state it came from, so that a
//! trace leads from any state back to the entry.

use crate::domain::{ByDomain, Calls, Domain, Insertion, NoCalls, Procedural, Statistics, StepOf};
use crate::id_vec::IdVec;
use crate::ids::{ContextId, EdgeId, LocationId, PointId, ProcedureId, RecordId};
use crate::observer::Observer;
use crate::options::SolverOptions;
use crate::pool::{Job, JobKind, Pool, States, Steps, Taken};
use crate::program::{FlowGraph, FlowKind, Part, ProgramGraph};
use crate::schedule::Schedule;
use crate::solution::{Context, FlowPoint, Record, Solution};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;
use trifold_work::{StopReason, limited, stop_listening};

/// The bytes that the solver needs for a state in a store, besides the state.
const RECORD: usize = 100;

/// The observer is asked after at most this many steps.
const BATCH: usize = 16;

/// Computes the least solution above the inputs, which are states with their locations, of a graph without procedures.
/// Its edges are steps.
pub fn solve<D: Domain>(
    domain: &D,
    graph: &FlowGraph,
    inputs: impl IntoIterator<Item = (LocationId, D::State)>,
    options: &SolverOptions,
    observer: &mut impl Observer<D>,
) -> Solution<D> {
    let mut parts = IdVec::new();
    let whole = parts.push(Part::whole(graph, options));
    let mut solver = Solver::new(domain, &NoCalls, graph, parts, options);
    let context = solver.context(whole, ());
    let entry = solver.solution.contexts[context].entry;
    for (location, state) in inputs {
        solver.input(solver.point(entry, location), state);
    }
    Pool::run((domain, &NoCalls), options.threads, |pool| solver.run(pool, observer));
    solver.solution
}

/// Computes the least solution above the inputs, which are states at the entries of procedures.
pub fn tabulate<D: Procedural>(
    domain: &D,
    program: &ProgramGraph,
    inputs: impl IntoIterator<Item = (ProcedureId, D::State)>,
    options: &SolverOptions,
    observer: &mut impl Observer<D>,
) -> Solution<D> {
    let parts = Part::procedures(program, options);
    let mut solver = Solver::new(domain, &ByDomain, &program.flow, parts, options);
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
    point: PointId,
    edge: EdgeId,
    state: S,
    record: RecordId,
    /// The number of the state in the store of its point, where states are kept.
    kept: Option<u32>,
}

/// The progress of the solver in a context.
struct Progress<S> {
    schedule: Schedule,
    callers: Vec<Caller<S>>,
    /// The callers that have not been combined with the states at the exit.
    fresh_callers: BTreeSet<usize>,
}

struct Solver<'a, D: Domain, C: Calls<D>> {
    domain: &'a D,
    calling: &'a C,
    graph: &'a FlowGraph,
    parts: IdVec<ProcedureId, Part>,
    /// The context of each input of a procedure.
    contexts: HashMap<(ProcedureId, C::Key), ContextId>,
    progress: IdVec<ContextId, Progress<D::State>>,
    /// Contexts with points that wait.
    waiting: BTreeSet<ContextId>,
    /// For each point the numbers of states that have not been taken further.
    fresh: IdVec<PointId, BTreeSet<usize>>,
    /// For each point that keeps nothing, the states that pass through.
    passing: IdVec<PointId, States<D>>,
    /// The most work, and the most bytes of states.
    most: (u64, u64),
    solution: Solution<D>,
}

impl<'a, D: Domain, C: Calls<D>> Solver<'a, D, C> {
    fn new(
        domain: &'a D,
        calling: &'a C,
        graph: &'a FlowGraph,
        parts: IdVec<ProcedureId, Part>,
        options: &SolverOptions,
    ) -> Self {
        Solver {
            domain,
            calling,
            graph,
            parts,
            contexts: HashMap::new(),
            progress: IdVec::new(),
            waiting: BTreeSet::new(),
            fresh: IdVec::new(),
            passing: IdVec::new(),
            most: (options.work, options.bytes),
            solution: Solution {
                stores: IdVec::new(),
                records_of: IdVec::new(),
                records: IdVec::new(),
                saved: IdVec::new(),
                visits: IdVec::new(),
                points: IdVec::new(),
                contexts: IdVec::new(),
                stop: StopReason::Fixpoint,
                statistics: Statistics { created: 0, steps: 0, work: 0, bytes: 0, waiting: 0, at: PointId(0) },
            },
        }
    }

    /// The context of a procedure for inputs with a key.
    fn context(&mut self, procedure: ProcedureId, key: C::Key) -> ContextId {
        let next = self.solution.contexts.next_id();
        let context = *self.contexts.entry((procedure, key)).or_insert(next);
        if context < next {
            return context;
        }
        let (part, solution) = (&self.parts[procedure], &mut self.solution);
        let first = solution.points.next_id();
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
    fn point(&self, beside: PointId, location: LocationId) -> PointId {
        let context = &self.solution.contexts[self.solution.points[beside].context];
        context.first + self.parts[context.procedure].local[&location]
    }

    fn input(&mut self, point: PointId, state: D::State) {
        self.solution.statistics.created += 1;
        let record = Record { parent: None, edge: None, call: None, enters: false, point, state: None };
        self.deliver(state, record);
    }

    fn run(&mut self, pool: &Pool<D>, observer: &mut impl Observer<D>) {
        let mut scratch = D::Scratch::default();
        let (domain, calling) = (self.domain, self.calling);
        while let Some(point) = self.next() {
            let steps = Arc::new(self.steps(point));
            let end = pool.steps((domain, calling), &steps, &mut scratch, |number, taken| {
                self.take_over(point, &steps, number, taken, observer)?;
                if (number + 1) % BATCH != 0 && number + 1 < steps.jobs.len() {
                    return ControlFlow::Continue(());
                }
                let waiting = self.waiting.iter().map(|context| self.progress[*context].schedule.len());
                self.solution.statistics.waiting = waiting.sum();
                self.solution.statistics.at = point;
                observer.progress(&self.solution.statistics, &self.solution)
            });
            if let ControlFlow::Break(reason) = end {
                self.solution.stop = reason;
                // What is known so far is still to be told.
                stop_listening();
                return;
            }
        }
    }

    /// Takes over the outcome of a step, unless it is too much work, with what was done before.
    fn take_over(
        &mut self,
        point: PointId,
        steps: &Steps<D>,
        number: usize,
        (outcome, work): Taken<D>,
        observer: &mut impl Observer<D>,
    ) -> ControlFlow<StopReason> {
        self.solution.statistics.work += work;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(reason) => return ControlFlow::Break(reason),
        };
        let (received, work) = limited(self.most.0, || self.receive(point, steps, number, outcome, observer));
        self.solution.statistics.work += work;
        match received {
            Err(reason) => ControlFlow::Break(reason),
            Ok(()) if self.solution.statistics.work >= self.most.0 => ControlFlow::Break(StopReason::WorkLimit),
            Ok(()) if self.solution.statistics.bytes >= self.most.1 => ControlFlow::Break(StopReason::SpaceLimit),
            Ok(()) => ControlFlow::Continue(()),
        }
    }

    /// The point to be taken up next. The newest context comes first, because others wait for its results.
    fn next(&mut self) -> Option<PointId> {
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

    fn wake(&mut self, point: PointId) {
        let context = self.solution.points[point].context;
        self.progress[context].schedule.add(point - self.solution.contexts[context].first);
        self.waiting.insert(context);
    }

    /// The steps to be taken at a point: its edges on the states that are new, and, at an exit, returns to callers.
    fn steps(&mut self, point: PointId) -> Steps<D> {
        let context = self.solution.points[point].context;
        let part = &self.parts[self.solution.contexts[context].procedure];
        let edges = part.outgoing[point - self.solution.contexts[context].first].clone();
        let fresh = std::mem::take(&mut self.fresh[point]);
        let mut states: States<D> = fresh.iter().map(|id| self.kept(point, *id)).collect();
        states.append(&mut self.passing[point]);
        let mut jobs = Vec::new();
        for edge in edges {
            let kind = match self.graph.edges[edge].kind {
                FlowKind::Step => JobKind::Step,
                FlowKind::Call(callee) => JobKind::Extract(callee),
            };
            jobs.extend((0..states.len()).map(|state| Job { kind, edge, state }));
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
                let (kind, edge) = (JobKind::Combine(number), caller.edge);
                jobs.extend((0..count).map(|state| Job { kind, edge, state }));
                callers.push(caller.state.clone());
            }
        }
        Steps { states, callers, jobs, work: self.most.0 }
    }

    /// A state of a store, with its record.
    fn kept(&self, point: PointId, id: usize) -> (D::State, RecordId) {
        let state = self.domain.state(&self.solution.stores[point], id);
        (state.clone(), self.solution.records_of[point][id])
    }

    fn receive(
        &mut self,
        point: PointId,
        steps: &Steps<D>,
        number: usize,
        outcome: StepOf<D>,
        observer: &mut impl Observer<D>,
    ) {
        let Job { kind, edge, state } = steps.jobs[number];
        let (ref state, parent) = steps.states[state];
        self.solution.statistics.steps += 1;
        self.solution.statistics.created += outcome.states.len();
        let context = self.solution.points[point].context;
        let returns_to = match kind {
            JobKind::Combine(caller) => Some(&self.progress[context].callers[caller]),
            _ => None,
        };
        let (beside, call) = returns_to.map_or((point, None), |caller| (caller.point, Some(caller.record)));
        for event in outcome.events {
            observer.event(edge, call.unwrap_or(parent), event);
        }
        let (from, over) = (Some(parent), Some(edge));
        let record = |point, enters| Record { parent: from, edge: over, call, enters, point, state: None };
        if let JobKind::Extract(callee) = kind {
            for entry in outcome.states {
                let context = self.context(callee, self.calling.key(self.domain, callee, &entry));
                self.deliver(entry, record(self.solution.contexts[context].entry, true));
                self.note_caller(context, point, edge, state, parent);
            }
            return;
        }
        let to = self.point(beside, self.graph.edges[edge].target);
        for state in outcome.states {
            self.deliver(state, record(to, false));
        }
    }

    /// A state calls a context. If it has grown out of one that called before, it calls in its stead.
    fn note_caller(&mut self, context: ContextId, point: PointId, edge: EdgeId, state: &D::State, record: RecordId) {
        let kept = self.solution.records[record].state;
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
        let (solution, point) = (&mut self.solution, record.point);
        let number = solution.records.next_id();
        if !solution.saved[point] {
            solution.records.push(record);
            self.passing[point].push((state, number));
        } else {
            let (records, size) = (&mut solution.records_of[point], self.domain.size(&state));
            let id = match self.domain.insert(solution.points[point].location, &mut solution.stores[point], state) {
                Insertion::Known => return,
                Insertion::Added(id) => {
                    records.push(number);
                    solution.statistics.bytes += (size + RECORD) as u64;
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
    use crate::options::{Save, Traversal};
    use crate::program::{FlowEdge, FlowKind};
    use trifold_work::{Bell, hearing, spend};

    /// Counts modulo 50: states are numbers, edges add something, sets of numbers are joined by union.
    struct Counting {
        /// The number that each edge of [`loop_graph`] adds.
        adds: IdVec<EdgeId, u32>,
        /// The number that no step may reach.
        forbidden: Option<u32>,
        /// The work of a step.
        cost: u64,
    }

    impl Default for Counting {
        fn default() -> Counting {
            Counting { adds: IdVec::from(vec![0, 3, 2, 1]), forbidden: None, cost: 10 }
        }
    }

    impl Domain for Counting {
        type State = u32;
        type Store = Vec<u32>;
        type Event = u32;
        type Scratch = ();

        fn step(&self, edge: EdgeId, state: &u32, _: &mut ()) -> Step<u32, u32> {
            let next = (state + self.adds[edge]) % 50;
            spend(self.cost);
            assert_ne!(Some(next), self.forbidden, "forbidden");
            Step { states: vec![next], events: (next == 7).then_some(*state).into_iter().collect() }
        }

        fn insert(&self, _: LocationId, store: &mut Vec<u32>, state: u32) -> Insertion {
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
        /// After so many steps a bell rings.
        rings: Option<(usize, Arc<Bell>)>,
    }

    impl Observer<Counting> for Watch {
        fn event(&mut self, _: EdgeId, _: RecordId, event: u32) {
            self.events.push(event);
        }

        fn progress(&mut self, statistics: &Statistics, _: &Solution<Counting>) -> ControlFlow<StopReason> {
            if let Some((_, bell)) = self.rings.as_ref().filter(|(steps, _)| statistics.steps >= *steps) {
                bell.ring(StopReason::Timeout);
            }
            match self.stop_after {
                Some(limit) if statistics.created >= limit => ControlFlow::Break(StopReason::Interrupted),
                _ => ControlFlow::Continue(()),
            }
        }
    }

    const EXIT: LocationId = LocationId(3);

    fn loop_graph() -> FlowGraph {
        let edge = |(source, target)| FlowEdge {
            source: LocationId(source),
            kind: FlowKind::Step,
            target: LocationId(target),
        };
        FlowGraph { locations: 4, edges: [(0, 1), (1, 2), (2, 1), (1, 3)].map(edge).into_iter().collect() }
    }

    #[test]
    fn a_loop_is_solved_alike_whatever_is_saved_and_however_many_threads() {
        let mut expected: Option<Vec<u32>> = None;
        for save in [Save::All, Save::MergePoints, Save::BackEdges] {
            for traversal in [Traversal::WeakTopological, Traversal::ReversePostOrder, Traversal::PostOrder] {
                for threads in [1, 3] {
                    let options = SolverOptions { save, traversal, threads, ..SolverOptions::default() };
                    let solution = solve(
                        &Counting::default(),
                        &loop_graph(),
                        (0..20).map(|state| (LocationId::ENTRY, state)),
                        &options,
                        &mut Watch::default(),
                    );
                    assert!(solution.stop.is_fixpoint());
                    let mut exit = solution.stores_of(EXIT).next().unwrap().clone();
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
            let inputs = (0..50).map(|state| (LocationId::ENTRY, state));
            let domain = Counting { forbidden: Some(33), ..Counting::default() };
            let solving = || solve(&domain, &loop_graph(), inputs, &options, &mut Watch::default());
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(solving)).is_err());
        }
    }

    #[test]
    fn work_is_limited_at_the_same_step_on_any_number_of_threads() {
        let solved = |work: u64, threads: usize| {
            let options = SolverOptions { work, threads, ..SolverOptions::default() };
            let inputs = (0..40).map(|state| (LocationId::ENTRY, state));
            solve(&Counting::default(), &loop_graph(), inputs, &options, &mut Watch::default())
        };
        let whole = solved(u64::MAX, 1);
        assert_eq!(whole.statistics.work, 10 * whole.statistics.steps as u64);
        for work in [1, 95, 500] {
            let [one, three] = [1, 3].map(|threads| solved(work, threads));
            assert_eq!((one.stop, three.stop), (StopReason::WorkLimit, StopReason::WorkLimit));
            assert_eq!(one.statistics, three.statistics);
            assert_eq!(one.statistics.work, work.next_multiple_of(10));
        }
        // A step that is too much by itself is not taken.
        assert_eq!([10, 11].map(|work| solved(work, 3).statistics.steps), [0, 2]);
    }

    /// The bell is heard inside of a step. What is known is kept, and can be told.
    #[test]
    fn a_bell_stops_the_solver_inside_of_a_step() {
        for threads in [1, 3] {
            let options = SolverOptions { threads, ..SolverOptions::default() };
            let bell = Arc::new(Bell::default());
            let mut watch = Watch { rings: Some((7, bell.clone())), ..Watch::default() };
            let long = Counting { cost: 1 << 20, ..Counting::default() };
            let solution = hearing(Some(bell), || {
                let inputs = (0..40).map(|state| (LocationId::ENTRY, state));
                let solution = solve(&long, &loop_graph(), inputs, &options, &mut watch);
                spend(1 << 30);
                solution
            });
            assert_eq!(solution.stop, StopReason::Timeout);
            assert_eq!(solution.stores[PointId(0)].len(), 40);
            assert!(solution.statistics.steps >= 7);
        }
    }

    #[test]
    fn traces_lead_back_to_an_input() {
        let solution = solve(
            &Counting::default(),
            &loop_graph(),
            [(LocationId::ENTRY, 0)],
            &SolverOptions::default(),
            &mut Watch::default(),
        );
        let exit = solution.points_of(EXIT).next().unwrap();
        let six = solution.stores[exit].iter().position(|state| *state == 6).unwrap();
        let trace = solution.trace(solution.records_of[exit][six]);
        assert_eq!(trace.iter().map(|step| step.edge).collect::<Vec<_>>(), [0, 1, 2, 3].map(EdgeId));
        let targets = trace.iter().map(|step| loop_graph().edges[step.edge].target);
        assert!(targets.eq(trace.iter().map(|step| solution.points[step.point].location)));
        let states = trace.iter().map(|step| solution.stores[step.point][step.state.unwrap()]);
        assert_eq!(states.collect::<Vec<_>>(), [0, 3, 5, 6]);
    }

    #[test]
    fn events_reach_the_observer_and_breaking_off_is_marked() {
        let mut watch = Watch::default();
        solve(&Counting::default(), &loop_graph(), [(LocationId::ENTRY, 4)], &SolverOptions::default(), &mut watch);
        assert!(watch.events.contains(&4));
        let mut watch = Watch { stop_after: Some(5), ..Watch::default() };
        assert!(
            !solve(
                &Counting::default(),
                &loop_graph(),
                [(LocationId::ENTRY, 4)],
                &SolverOptions::default(),
                &mut watch
            )
            .stop
            .is_fixpoint()
        );
    }
}
