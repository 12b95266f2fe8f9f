//! Tabulation against its definition, and against runs with a stack of calls, on random programs over three small
//! numbers.
//!
//! A state is a set of stores. A store has a global variable and two local ones, of which the first is the parameter
//! and the result. In exact mode all sets have one element, and the solution must be exactly that of Figure 13 of
//! \[RinetzkySY05\]; in joined mode a point has one set, which grows, and the solution must represent it.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use trifold_fixpoint::*;

const VALUES: u8 = 3;

/// The global, the parameter and the other local variable.
type Store = [u8; 3];

#[derive(Clone, Copy, Debug)]
enum Action {
    Set(usize, u8),
    Copy(usize, usize),
    Increment(usize),
    Assume(usize, u8),
    /// Passes a variable, and gets the result back into another.
    Call(usize, usize),
}

/// The effect of an action that is not a call.
fn apply(action: Action, mut store: Store) -> Option<Store> {
    match action {
        Action::Set(to, value) => store[to] = value,
        Action::Copy(to, from) => store[to] = store[from],
        Action::Increment(to) => store[to] = (store[to] + 1) % VALUES,
        Action::Assume(variable, value) => return (store[variable] == value).then_some(store),
        Action::Call(..) => unreachable!("calls are made by the solver"),
    }
    Some(store)
}

fn enter(action: Action, caller: Store) -> Store {
    let Action::Call(passed, _) = action else { unreachable!("a call") };
    [caller[0], caller[passed], 0]
}

fn come_back(action: Action, mut caller: Store, exit: Store) -> Store {
    let Action::Call(_, to) = action else { unreachable!("a call") };
    caller[0] = exit[0];
    caller[to] = exit[1];
    caller
}

type Set = BTreeSet<Store>;

struct Sets {
    actions: IdVec<EdgeId, Action>,
    joined: bool,
}

impl Sets {
    fn outcome(&self, set: Set) -> Step<Set, (EdgeId, Set)> {
        let states = match self.joined {
            true => Some(set).filter(|set| !set.is_empty()).into_iter().collect(),
            false => set.into_iter().map(|store| Set::from([store])).collect(),
        };
        Step { states, events: Vec::new() }
    }
}

impl Domain for Sets {
    type State = Set;
    type Store = Vec<Set>;
    type Event = (EdgeId, Set);
    type Scratch = ();

    fn step(&self, edge: EdgeId, state: &Set, _: &mut ()) -> StepOf<Sets> {
        let step = self.outcome(state.iter().filter_map(|store| apply(self.actions[edge], *store)).collect());
        Step { events: vec![(edge, state.clone())], ..step }
    }

    fn insert(&self, _: LocationId, store: &mut Vec<Set>, state: Set) -> Insertion {
        if self.joined && !store.is_empty() {
            let before = store[0].len();
            store[0].extend(state);
            return if store[0].len() > before { Insertion::Changed(0) } else { Insertion::Known };
        }
        if store.contains(&state) {
            return Insertion::Known;
        }
        store.push(state);
        Insertion::Added(store.len() - 1)
    }

    fn state<'s>(&self, store: &'s Vec<Set>, id: usize) -> &'s Set {
        &store[id]
    }

    fn count(&self, store: &Vec<Set>) -> usize {
        store.len()
    }
}

impl Procedural for Sets {
    /// In joined mode the parameter alone tells inputs apart, or nothing if there are several.
    type Key = Set;

    fn key(&self, _: ProcedureId, entry: &Set) -> Set {
        if !self.joined {
            return entry.clone();
        }
        let parameters: Set = entry.iter().map(|store| [0, store[1], 0]).collect();
        if parameters.len() > 1 { Set::new() } else { parameters }
    }

    fn extract(&self, edge: EdgeId, caller: &Set, _: &mut ()) -> StepOf<Sets> {
        self.outcome(caller.iter().map(|store| enter(self.actions[edge], *store)).collect())
    }

    fn combine(&self, edge: EdgeId, caller: &Set, exit: &Set, _: &mut ()) -> StepOf<Sets> {
        let pairs = caller.iter().flat_map(|caller| exit.iter().map(move |exit| (*caller, *exit)));
        self.outcome(pairs.map(|(caller, exit)| come_back(self.actions[edge], caller, exit)).collect())
    }
}

#[derive(Default)]
struct Watch {
    events: Vec<(EdgeId, RecordId, (EdgeId, Set))>,
    stop_after: Option<usize>,
}

impl Observer<Sets> for Watch {
    fn event(&mut self, edge: EdgeId, parent: RecordId, event: (EdgeId, Set)) {
        self.events.push((edge, parent, event));
    }

    fn progress(&mut self, statistics: &Statistics, _: &Solution<Sets>) -> ControlFlow<StopReason> {
        match self.stop_after {
            Some(limit) if statistics.steps >= limit => ControlFlow::Break(StopReason::Interrupted),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A program: its graph, and the action of each edge.
#[derive(Clone, Debug)]
struct Program {
    graph: ProgramGraph,
    actions: IdVec<EdgeId, Action>,
    inputs: Vec<(ProcedureId, Store)>,
}

impl Program {
    fn tabulate(&self, joined: bool, options: &SolverOptions, watch: &mut Watch) -> Solution<Sets> {
        let domain = Sets { actions: self.actions.clone(), joined };
        let inputs = self.inputs.iter().map(|(procedure, store)| (*procedure, Set::from([*store])));
        tabulate(&domain, &self.graph, inputs, options, watch)
    }
}

/// For procedures with inputs, the stores of each location.
type PathEdges = BTreeMap<(ProcedureId, Store, LocationId), Set>;

/// For procedures with inputs, their callers: procedure, edge, its input, its state.
type Callers = BTreeMap<(ProcedureId, Store), BTreeSet<(ProcedureId, EdgeId, Store, Store)>>;

/// Figure 13, word for word, with sets for everything.
fn figure_13(program: &Program) -> PathEdges {
    let ProgramGraph { flow, procedures } = &program.graph;
    let mut path_edges = PathEdges::new();
    let mut contexts = Callers::new();
    let mut worklist = Vec::new();
    fn propagate(
        path_edges: &mut PathEdges,
        worklist: &mut Vec<(ProcedureId, LocationId, Store, Store)>,
        event: (ProcedureId, LocationId, Store, Store),
    ) {
        let (procedure, node, entry, store) = event;
        if path_edges.entry((procedure, entry, node)).or_default().insert(store) {
            worklist.push(event);
        }
    }
    for (procedure, store) in &program.inputs {
        propagate(&mut path_edges, &mut worklist, (*procedure, procedures[*procedure].entry, *store, *store));
    }
    while let Some((procedure, node, entry, store)) = worklist.pop() {
        for (id, edge) in flow.edges.enumerate().filter(|(_, edge)| edge.source == node) {
            let action = program.actions[id];
            let FlowKind::Call(callee) = edge.kind else {
                if let Some(after) = apply(action, store) {
                    propagate(&mut path_edges, &mut worklist, (procedure, edge.target, entry, after));
                }
                continue;
            };
            let passed = enter(action, store);
            contexts.entry((callee, passed)).or_default().insert((procedure, id, entry, store));
            propagate(&mut path_edges, &mut worklist, (callee, procedures[callee].entry, passed, passed));
            for exit in path_edges.get(&(callee, passed, procedures[callee].exit)).cloned().unwrap_or_default() {
                let after = come_back(action, store, exit);
                propagate(&mut path_edges, &mut worklist, (procedure, edge.target, entry, after));
            }
        }
        if node == procedures[procedure].exit {
            for (caller, edge, caller_entry, call) in contexts.get(&(procedure, entry)).cloned().unwrap_or_default() {
                let after = come_back(program.actions[edge], call, store);
                propagate(&mut path_edges, &mut worklist, (caller, flow.edges[edge].target, caller_entry, after));
            }
        }
    }
    path_edges
}

/// A call that has not returned: the procedure, its input, where it is, its variables, and the edge over which it
/// calls.
type Frame = (ProcedureId, Store, LocationId, Store, Option<EdgeId>);

/// All states that runs visit, with at most `depth` calls on the stack.
fn runs(program: &Program, depth: usize) -> PathEdges {
    let ProgramGraph { flow, procedures } = &program.graph;
    let first = |procedure: ProcedureId, store| (procedure, store, procedures[procedure].entry, store, None);
    let mut open: Vec<Vec<Frame>> =
        program.inputs.iter().map(|(procedure, store)| vec![first(*procedure, *store)]).collect();
    let (mut seen, mut visited) = (BTreeSet::new(), PathEdges::new());
    while let Some(stack) = open.pop() {
        if stack.len() > depth || !seen.insert(stack.clone()) {
            continue;
        }
        let (last, below) = stack.split_last().expect("somebody is running");
        let (procedure, entry, node, store, _) = *last;
        visited.entry((procedure, entry, node)).or_default().insert(store);
        for (id, edge) in flow.edges.enumerate().filter(|(_, edge)| edge.source == node) {
            let action = program.actions[id];
            let mut next = below.to_vec();
            if let FlowKind::Call(callee) = edge.kind {
                next.push((procedure, entry, node, store, Some(id)));
                next.push(first(callee, enter(action, store)));
            } else if let Some(after) = apply(action, store) {
                next.push((procedure, entry, edge.target, after, None));
            } else {
                continue;
            }
            open.push(next);
        }
        if let (true, Some((caller, below))) = (node == procedures[procedure].exit, below.split_last()) {
            let (procedure, entry, _, call, edge) = *caller;
            let edge = edge.expect("it calls");
            let after = come_back(program.actions[edge], call, store);
            let mut next = below.to_vec();
            next.push((procedure, entry, flow.edges[edge].target, after, None));
            open.push(next);
        }
    }
    visited
}

/// The path edges of a solution in exact mode.
fn path_edges(solution: &Solution<Sets>) -> PathEdges {
    let mut found = PathEdges::new();
    for (point, stores) in solution.points.iter().zip(&solution.stores) {
        let context = &solution.contexts[point.context];
        let [input] = &solution.stores[context.entry].first().expect("an input").iter().collect::<Vec<_>>()[..] else {
            panic!("inputs are single stores")
        };
        let stores: Set = stores.iter().flatten().copied().collect();
        if !stores.is_empty() {
            found.insert((context.procedure, **input, point.location), stores);
        }
    }
    found
}

/// Actions that are no calls.
fn simple() -> impl Strategy<Value = Action> {
    let variable = 0..3usize;
    prop_oneof![
        (variable.clone(), 0..VALUES).prop_map(|(to, value)| Action::Set(to, value)),
        (variable.clone(), variable.clone()).prop_map(|(to, from)| Action::Copy(to, from)),
        variable.clone().prop_map(Action::Increment),
        (variable, 0..VALUES).prop_map(|(variable, value)| Action::Assume(variable, value)),
    ]
}

/// Programs of up to three procedures; without recursion they call only procedures after themselves.
fn program(recursive: bool) -> impl Strategy<Value = Program> {
    let edge = (0..5usize, 0..5usize, simple(), prop::option::weighted(0.4, (0..3usize, 0..3usize, 0..3usize)));
    let procedure = (2..=5usize, prop::collection::vec(edge, 1..9));
    let store = prop::array::uniform3(0..VALUES);
    (prop::collection::vec(procedure, 1..=3), prop::collection::vec((0..3usize, store), 1..=3)).prop_map(
        move |(procedures, inputs)| {
            let (mut graph, mut actions) = (ProgramGraph::default(), IdVec::new());
            let count = procedures.len();
            for (caller, (size, edges)) in procedures.into_iter().enumerate() {
                let base = graph.flow.locations;
                graph.flow.locations += size;
                let at = |local: usize| LocationId::from_index(base + local % size);
                graph.procedures.push(FlowProcedure { entry: at(0), exit: at(size - 1) });
                for (from, to, simple, call) in edges {
                    let (source, target) = (at(from), at(to));
                    let call = call.map(|(callee, passed, to)| (callee % count, passed, to));
                    let (kind, action) = match call.filter(|(callee, ..)| recursive || *callee > caller) {
                        Some((callee, passed, to)) => {
                            (FlowKind::Call(ProcedureId::from_index(callee)), Action::Call(passed, to))
                        }
                        None => (FlowKind::Step, simple),
                    };
                    graph.flow.edges.push(FlowEdge { source, kind, target });
                    actions.push(action);
                }
            }
            let started = |(procedure, store)| (ProcedureId::from_index(procedure % count), store);
            let inputs = inputs.into_iter().map(started).collect();
            Program { graph, actions, inputs }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn it_is_what_figure_13_computes(program in program(true)) {
        let expected = figure_13(&program);
        for traversal in [Traversal::WeakTopological, Traversal::ReversePostOrder, Traversal::PostOrder] {
            let options = SolverOptions { traversal, ..SolverOptions::default() };
            let solution = program.tabulate(false, &options, &mut Watch::default());
            prop_assert!(solution.stop.is_fixpoint());
            prop_assert_eq!(&path_edges(&solution), &expected);
        }
    }

    #[test]
    fn without_recursion_it_is_what_runs_visit(program in program(false)) {
        let solution = program.tabulate(false, &SolverOptions::default(), &mut Watch::default());
        prop_assert_eq!(path_edges(&solution), runs(&program, 3));
    }

    #[test]
    fn it_represents_that_when_states_are_joined(program in program(true), save_all in any::<bool>()) {
        let save = if save_all { Save::All } else { Save::BackEdges };
        let options = SolverOptions { save, ..SolverOptions::default() };
        let solution = program.tabulate(true, &options, &mut Watch::default());
        let mut found: BTreeMap<(ProcedureId, LocationId), Set> = BTreeMap::new();
        for (point, stores) in solution.points.iter().zip(&solution.stores) {
            let key = (solution.contexts[point.context].procedure, point.location);
            found.entry(key).or_default().extend(stores.iter().flatten());
        }
        let mut exact: BTreeMap<(ProcedureId, LocationId), Set> = BTreeMap::new();
        for ((procedure, _, location), stores) in figure_13(&program) {
            exact.entry((procedure, location)).or_default().extend(stores);
        }
        for ((procedure, location), stores) in exact {
            let is_saved = |point: PointId| solution.points[point].location != location || solution.saved[point];
            if solution.points.ids().all(is_saved) {
                prop_assert!(found[&(procedure, location)].is_superset(&stores), "{:?} in {:?}", location, procedure);
            }
        }
    }

    #[test]
    fn threads_and_savings_change_nothing(program in program(true)) {
        let reference = program.tabulate(false, &SolverOptions::default(), &mut Watch::default());
        let threads = SolverOptions { threads: 3, ..SolverOptions::default() };
        let parallel = program.tabulate(false, &threads, &mut Watch::default());
        prop_assert_eq!(&reference.stores, &parallel.stores);
        prop_assert_eq!(&reference.records, &parallel.records);
        prop_assert_eq!(&reference.contexts, &parallel.contexts);
        let exits = |solution: &Solution<Sets>| -> BTreeSet<(ProcedureId, Set, Set)> {
            let summary = |context: &Context| {
                let at = |point: PointId| solution.stores[point].iter().flatten().copied().collect();
                (context.procedure, at(context.entry), at(context.exit.expect("procedures end")))
            };
            solution.contexts.iter().map(summary).collect()
        };
        let sparing = SolverOptions { save: Save::BackEdges, ..SolverOptions::default() };
        prop_assert_eq!(exits(&program.tabulate(false, &sparing, &mut Watch::default())), exits(&reference));
    }

    #[test]
    fn traces_are_runs(program in program(true)) {
        let solution = program.tabulate(false, &SolverOptions::default(), &mut Watch::default());
        for point in solution.points.ids() {
            for record in &solution.records_of[point] {
                check_trace(&program, &solution, &solution.trace(*record))?;
            }
        }
    }
}

/// Replays a trace with a stack of calls.
fn check_trace(program: &Program, solution: &Solution<Sets>, steps: &[FlowStep]) -> Result<(), TestCaseError> {
    let state = |step: &FlowStep| *solution.stores[step.point][step.state.unwrap()].first().unwrap();
    // Of calls that began before the first step, the caller is not known.
    let mut stack: Vec<(EdgeId, Option<Store>)> = Vec::new();
    let mut here: Option<(LocationId, Store)> = None;
    for step in steps {
        let edge = program.graph.flow.edges[step.edge];
        let action = program.actions[step.edge];
        let procedure = match edge.kind {
            FlowKind::Step => None,
            FlowKind::Call(callee) => Some(program.graph.procedures[callee]),
        };
        let (location, after) = (solution.points[step.point].location, state(step));
        let before = here.map(|(_, store)| store);
        let from = match step.kind {
            TraceKind::Over => {
                prop_assert_eq!(location, edge.target);
                prop_assert!(before.is_none_or(|before| apply(action, before) == Some(after)));
                edge.source
            }
            TraceKind::Into => {
                prop_assert_eq!(location, procedure.unwrap().entry);
                prop_assert!(before.is_none_or(|before| enter(action, before) == after));
                stack.push((step.edge, before));
                edge.source
            }
            TraceKind::Back => {
                prop_assert_eq!(location, edge.target);
                let (call, caller) = stack.pop().unwrap();
                prop_assert_eq!(call, step.edge);
                prop_assert!(caller.is_none_or(|caller| come_back(action, caller, before.unwrap()) == after));
                procedure.unwrap().exit
            }
        };
        prop_assert!(here.is_none_or(|(at, _)| at == from));
        here = Some((location, after));
    }
    Ok(())
}

/// `f(n)` returns 0 after as many calls of itself, over `g`, as it takes to count up; `h` is never called.
fn mutual() -> Program {
    let (f, g, step) = (FlowKind::Call(ProcedureId(0)), FlowKind::Call(ProcedureId(1)), FlowKind::Step);
    let edge = |(source, kind, target)| FlowEdge { source: LocationId(source), kind, target: LocationId(target) };
    let edges = [(0, step, 4), (0, step, 2), (2, g, 4), (5, f, 6), (7, step, 8)].map(edge);
    let procedure = |(entry, exit)| FlowProcedure { entry: LocationId(entry), exit: LocationId(exit) };
    let graph = ProgramGraph {
        flow: FlowGraph { locations: 9, edges: IdVec::from(edges.to_vec()) },
        procedures: [(0, 4), (5, 6), (7, 8)].map(procedure).into_iter().collect(),
    };
    let actions =
        vec![Action::Assume(1, 0), Action::Increment(1), Action::Call(1, 1), Action::Call(1, 1), Action::Set(0, 1)];
    Program { graph, actions: IdVec::from(actions), inputs: vec![(ProcedureId(0), [0, 1, 0])] }
}

#[test]
fn each_input_is_analysed_once_and_what_is_not_called_is_not_analysed() {
    let mut watch = Watch::default();
    let solution = mutual().tabulate(false, &SolverOptions::default(), &mut watch);
    // f(1) increments to 2 and calls g(2), that calls f(2), which increments to 0 and calls g(0), f(0); f(0) also goes
    // on to 1.
    let mut inputs: Vec<(u32, u8)> = solution
        .contexts
        .iter()
        .map(|context| (context.procedure.0, solution.stores[context.entry][0].first().unwrap()[1]))
        .collect();
    inputs.sort();
    assert_eq!(inputs, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
    assert!(solution.contexts.iter().all(|context| context.callers.len() == 1));
    assert_eq!(solution.stores_of(LocationId(7)).count(), 0, "nobody calls the third procedure");
    // Every edge is followed once for each state at its source, for any number of calls.
    assert_eq!(watch.events.len(), 6);
}

#[test]
fn an_end_that_comes_early_is_marked() {
    let mut watch = Watch { stop_after: Some(2), ..Watch::default() };
    assert!(!mutual().tabulate(false, &SolverOptions::default(), &mut watch).stop.is_fixpoint());
}
