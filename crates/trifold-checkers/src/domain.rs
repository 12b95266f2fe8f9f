//! The analysis as a domain of the solver: steps along the edges of procedures and calls, and which graphs a point keeps.
//!
//! Nothing recurses, so calls are followed into their callees with the whole state; a graph knows the calls that are under way.

use crate::calls::is_specified;
use crate::define::Definitions;
use crate::fold::fold;
use crate::graph::{Frame, Graph, Kind, NULL, Symbol};
use crate::infer::{Roles, Shapes};
use crate::join::{Loss, join};
use crate::layout::Layouts;
use crate::scalars::anything;
use crate::transfer::{Effects, Fault, Transfer, uninitialised};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use trifold_fixpoint::{Domain, FlowEdge, FlowGraph, Insertion, Step, depth_first};
use trifold_ir::{
    CallGraph, Edge, FindingKind, Liveness, NodeId, Operand, Point, ProcId, Program, Region, Statement, Type, VarId,
};

/// What an edge of the flow graph does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// The statement of an edge of a procedure.
    Statement(ProcId, usize),
    /// The call on an edge of a procedure begins.
    Enter(ProcId, usize, ProcId),
    /// It ends.
    Leave(ProcId, usize, ProcId),
    /// The call of a checker, if it need not be followed.
    Check(ProcId, usize, ProcId),
}

impl Action {
    /// The edge that it belongs to.
    pub fn place(self) -> (ProcId, usize) {
        match self {
            Action::Statement(procedure, edge)
            | Action::Enter(procedure, edge, _)
            | Action::Leave(procedure, edge, _)
            | Action::Check(procedure, edge, _) => (procedure, edge),
        }
    }
}

/// How a point treats graphs that come to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Policy {
    /// All are kept but those that another one represents.
    Keep,
    /// They are joined: here a loop begins.
    Join,
}

/// A graph on its way to a point.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub graph: Graph,
    policy: Policy,
}

/// What a step reports.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub fault: Fault,
    /// Does it happen in every state that the graph represents?
    pub definite: bool,
    /// The graph before.
    pub before: Graph,
}

/// So many graphs are kept as they are before folding begins: what does not grow need not be folded.
const UNFOLDED: usize = 3;

/// With so many graphs at a point, what is decided by variables is given up.
const MANY: usize = 400;

/// Which losses are accepted at a point with this many graphs, of which so many have the same values of variables that decide what
/// happens.
fn accepted(count: usize, peers: usize) -> Loss {
    match (count, peers) {
        (MANY.., _) => Loss::Value,
        (_, 6..) => Loss::Emptiness,
        _ => Loss::Length,
    }
}

pub(crate) struct Checking<'p> {
    pub program: &'p Program,
    pub layouts: Layouts,
    pub roles: Roles,
    pub definitions: Definitions,
    /// Does the entry say with checkers what its arguments are?
    pub specified: bool,
    liveness: Vec<Liveness>,
    actions: Vec<Action>,
    /// By number of the flow graph's locations.
    pub points: Vec<Point>,
    pub locations: BTreeMap<Point, usize>,
    policies: Vec<Policy>,
    targets: Vec<usize>,
    pub flow: FlowGraph,
    pub procedures: Vec<ProcId>,
    /// What has been looked at so far: it grows with the square of a graph, as the time does that it takes.
    pub work: AtomicU64,
}

impl<'p> Checking<'p> {
    pub fn new(program: &'p Program, entry: ProcId, shapes: Shapes) -> Checking<'p> {
        let calls = CallGraph::of(program);
        let mut procedures = vec![entry];
        let mut next = 0;
        while let Some(procedure) = procedures.get(next).copied() {
            let new: Vec<ProcId> =
                calls.callees(procedure).iter().copied().filter(|p| !procedures.contains(p)).collect();
            procedures.extend(new);
            next += 1;
        }
        let layouts = Layouts::new(program);
        let definitions = Definitions::of(program, &layouts);
        let roles = Roles::of(program, &layouts, &procedures, shapes).with_given(&definitions);
        let mut checking = Checking {
            program,
            liveness: program
                .procedures
                .iter()
                .map(|procedure| Liveness::of(&roles.without_unread(procedure)))
                .collect(),
            roles,
            definitions,
            layouts,
            specified: is_specified(program, entry),
            actions: Vec::new(),
            points: Vec::new(),
            locations: BTreeMap::new(),
            policies: Vec::new(),
            targets: Vec::new(),
            flow: FlowGraph::default(),
            procedures,
            work: AtomicU64::new(0),
        };
        checking.location(entry, program[entry].entry);
        for procedure in checking.procedures.clone() {
            checking.procedure(procedure);
        }
        checking.flow.locations = checking.points.len();
        checking.policies();
        checking
    }

    fn location(&mut self, procedure: ProcId, node: NodeId) -> usize {
        let point = Point { procedure, node };
        *self.locations.entry(point).or_insert_with(|| {
            self.points.push(point);
            self.points.len() - 1
        })
    }

    fn edge(&mut self, from: (ProcId, NodeId), action: Action, to: (ProcId, NodeId)) {
        let (source, target) = (self.location(from.0, from.1), self.location(to.0, to.1));
        self.flow.edges.push(FlowEdge { source, action: self.actions.len(), target });
        self.actions.push(action);
        self.targets.push(target);
    }

    fn procedure(&mut self, procedure: ProcId) {
        for (number, edge) in self.program[procedure].edges.iter().enumerate() {
            let (from, to) = ((procedure, edge.from), (procedure, edge.to));
            match &edge.statement {
                Statement::Call { targets, .. } => {
                    for target in targets {
                        if self.definitions.known.contains_key(target) {
                            self.edge(from, Action::Check(procedure, number, *target), to);
                        }
                        let callee = &self.program[*target];
                        self.edge(from, Action::Enter(procedure, number, *target), (*target, callee.entry));
                        self.edge((*target, callee.exit), Action::Leave(procedure, number, *target), to);
                    }
                }
                _ => self.edge(from, Action::Statement(procedure, number), to),
            }
        }
    }

    fn policies(&mut self) {
        self.policies = vec![Policy::Keep; self.points.len()];
        for procedure in &self.procedures {
            let procedure_edges = &self.program[*procedure].edges;
            let mut successors = vec![Vec::new(); self.program[*procedure].nodes.len()];
            procedure_edges.iter().for_each(|edge| successors[edge.from.index()].push(edge.to.index()));
            let search = depth_first(&successors, self.program[*procedure].entry.index());
            for (node, _) in search.back_edge_targets.iter().enumerate().filter(|(_, back)| **back) {
                let point = Point { procedure: *procedure, node: NodeId::from_index(node) };
                if let Some(location) = self.locations.get(&point) {
                    self.policies[*location] = Policy::Join;
                }
            }
        }
    }

    pub fn action(&self, edge: usize) -> Action {
        self.actions[self.flow.edges[edge].action]
    }

    pub fn transfer(&self) -> Transfer<'_> {
        Transfer { program: self.program, layouts: &self.layouts, roles: &self.roles }
    }

    /// The state in which the entry is called: globals are null and zero, everything else is without value. An entry that says what its
    /// arguments are can be called whenever that is the case, so of the rest nothing is known.
    pub fn initial(&self, entry: ProcId) -> State {
        let mut graph = Graph::new();
        for global in self.program.globals() {
            let value = match self.program[global].ty {
                ty if self.specified => graph.fresh(anything(ty)),
                Type::Pointer(_) => NULL,
                Type::Scalar(_) => graph.fresh(Kind::Scalar((0, 0))),
            };
            graph.globals.insert(global, value);
        }
        let mut arguments = Vec::new();
        if self.specified {
            // The caller, of whom nothing is known but that it has the arguments and gets the result.
            let parameters = &self.program[entry].parameters;
            arguments = parameters.iter().map(|p| graph.fresh(anything(self.program[*p].ty))).collect();
            let values = parameters.iter().copied().zip(arguments.iter().copied());
            let values = values.filter(|(parameter, _)| self.program[*parameter].ty.is_pointer()).collect();
            graph.frames.push(Frame { procedure: entry, call: None, values });
        }
        self.push_frame(&mut graph, entry, None, arguments);
        let depth = graph.frames.len();
        self.forget_dead(&mut graph, depth - 1, self.program[entry].entry, None);
        graph.canonical();
        State { graph, policy: self.policies[0] }
    }

    fn push_frame(&self, graph: &mut Graph, procedure: ProcId, call: Option<usize>, arguments: Vec<Symbol>) {
        let mut values = BTreeMap::new();
        let mut arguments = arguments.into_iter();
        for variable in self.program[procedure].variables() {
            let value = arguments.next().unwrap_or_else(|| graph.fresh(uninitialised(self.program[variable].ty)));
            values.insert(variable, value);
        }
        graph.frames.push(Frame { procedure, call, values });
    }

    /// Forgets the variables of a call that are not live at a node. One that alone leads to something keeps it from being
    /// lost.
    pub fn forget_dead(&self, graph: &mut Graph, frame: usize, node: NodeId, also: Option<VarId>) {
        let live: &BTreeSet<VarId> = self.liveness[graph.frames[frame].procedure.index()].at(node);
        let is_dead = |variable: &VarId| !live.contains(variable) || also == Some(*variable);
        let dead: Vec<VarId> = graph.frames[frame].values.keys().copied().filter(is_dead).collect();
        // Temporaries come last, and are the first to get another value.
        for variable in dead.into_iter().rev() {
            let Some(symbol) = graph.frames[frame].values.remove(&variable) else { continue };
            let holds = matches!(graph.kind(symbol), Kind::Pointer | Kind::Outside(..));
            if holds && !graph.reached(&[]).is_all() {
                graph.frames[frame].values.insert(variable, symbol);
            }
        }
    }

    /// Do variables that decide what happens have the same values?
    fn same_flags(&self, a: &Graph, b: &Graph) -> bool {
        let same = |a: &BTreeMap<VarId, Symbol>, b: &BTreeMap<VarId, Symbol>, of: (&Graph, &Graph)| {
            let scalars = a.iter().filter(|(v, _)| !self.program[**v].ty.is_pointer() && self.roles.is_flag(**v));
            scalars.map(|(v, s)| (s, b.get(v))).all(|(x, y)| y.is_none_or(|y| of.0.kind(*x) == of.1.kind(*y)))
        };
        let frames = a.frames.iter().zip(&b.frames);
        a.frames.len() == b.frames.len()
            && same(&a.globals, &b.globals, (a, b))
            && frames.into_iter().all(|(x, y)| x.procedure == y.procedure && same(&x.values, &y.values, (a, b)))
    }

    /// Reports and takes away what is lost.
    fn lose(&self, graph: &mut Graph, faults: &mut Vec<Fault>) {
        let reached = graph.reached(&[]);
        if graph.take_lost(&reached).is_some() {
            let text = "the last reference to an object is lost".to_string();
            faults.push(Fault { kind: FindingKind::Leak, text });
        }
    }

    /// Can a reference be lost? A call loses none before it returns.
    fn may_lose(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Free { .. } | Statement::EndLife { .. } | Statement::Return => true,
            Statement::Store { field, .. } => self.program[*field].ty.is_pointer(),
            Statement::Call { .. } => false,
            _ => statement.assigned().is_some_and(|to| self.program[to].ty.is_pointer()),
        }
    }

    fn statement(&self, graph: Graph, edge: &Edge) -> Effects {
        let mut effects = match edge.statement {
            Statement::Return => Effects { graphs: vec![self.end_of_call(graph)], faults: Vec::new() },
            _ => self.transfer().statement(graph, &edge.statement),
        };
        for graph in &mut effects.graphs {
            if self.may_lose(&edge.statement) {
                self.lose(graph, &mut effects.faults);
            }
            if edge.statement != Statement::Return {
                let depth = graph.frames.len();
                self.forget_dead(graph, depth - 1, edge.to, None);
            }
        }
        effects
    }

    /// The frame with nothing but the result, and without the objects that die with it.
    fn end_of_call(&self, mut graph: Graph) -> Graph {
        let depth = graph.frames.len();
        let result = self.program[graph.frame().procedure].result.filter(|_| depth > 1);
        graph.frame_mut().values.retain(|variable, _| Some(*variable) == result);
        while let Some(dying) = graph.blocks.iter().position(|b| b.region == Region::Stack && b.depth == depth) {
            graph.kill(dying);
        }
        graph
    }

    fn enter(&self, mut graph: Graph, procedure: ProcId, number: usize, target: ProcId) -> Effects {
        let edge = &self.program[procedure].edges[number];
        let Statement::Call { to, arguments, .. } = &edge.statement else { return Effects::default() };
        if self.checked(&graph, procedure, number, target).is_some() {
            return Effects::default();
        }
        if graph.frames.iter().any(|frame| frame.procedure == target) {
            let text = format!("`{}` is called recursively", self.program[target].name);
            return Effects { graphs: Vec::new(), faults: vec![Fault { kind: FindingKind::NotAnalysed, text }] };
        }
        let value = |(argument, parameter): (&Operand, &VarId)| {
            self.transfer().operand(&mut graph, argument, self.program[*parameter].ty)
        };
        let values: Vec<Symbol> = arguments.iter().zip(&self.program[target].parameters).map(value).collect();
        // What the caller still reads is not forgotten; what it does not, the callee may keep from being lost.
        self.push_frame(&mut graph, target, Some(number), values);
        let depth = graph.frames.len();
        self.forget_dead(&mut graph, depth - 2, edge.to, *to);
        self.forget_dead(&mut graph, depth - 1, self.program[target].entry, None);
        Effects { graphs: vec![graph], faults: Vec::new() }
    }

    fn leave(&self, mut graph: Graph, procedure: ProcId, number: usize, target: ProcId) -> Effects {
        let mut effects = Effects::default();
        let [.., caller, callee] = &graph.frames[..] else { return effects };
        if (caller.procedure, callee.procedure, callee.call) != (procedure, target, Some(number)) {
            return effects;
        }
        let edge = &self.program[procedure].edges[number];
        let Statement::Call { to, .. } = &edge.statement else { return effects };
        let callee = graph.frames.pop().expect("there are two");
        if let Some(to) = to {
            let result = self.program[target].result.and_then(|result| callee.values.get(&result).copied());
            let result = result.unwrap_or_else(|| graph.fresh(uninitialised(self.program[*to].ty)));
            graph.write(self.program, *to, result);
        }
        self.lose(&mut graph, &mut effects.faults);
        let depth = graph.frames.len();
        self.forget_dead(&mut graph, depth - 1, edge.to, None);
        effects.graphs.push(graph);
        effects
    }
}

impl Domain for Checking<'_> {
    type State = State;
    type Store = Vec<State>;
    type Event = Event;
    type Scratch = ();

    fn step(&self, action: usize, state: &State, (): &mut ()) -> Step<State, Event> {
        let graph = state.graph.clone();
        let effects = match self.actions[action] {
            Action::Statement(procedure, edge) => self.statement(graph, &self.program[procedure].edges[edge]),
            Action::Enter(procedure, edge, target) => self.enter(graph, procedure, edge, target),
            Action::Leave(procedure, edge, target) => self.leave(graph, procedure, edge, target),
            Action::Check(procedure, edge, target) => {
                let graphs = self.checked(&graph, procedure, edge, target).unwrap_or_default();
                Effects { graphs, faults: Vec::new() }
            }
        };
        let policy = self.policies[self.targets[action]];
        let definite = effects.graphs.is_empty() && effects.faults.len() == 1;
        let event = |fault| Event { fault, definite, before: state.graph.clone() };
        let finish = |mut graph: Graph| {
            graph.canonical();
            State { graph, policy }
        };
        let mut states: Vec<State> = Vec::new();
        for state in effects.graphs.into_iter().map(finish) {
            if !states.iter().any(|known| known.graph == state.graph) {
                states.push(state);
            }
        }
        Step { states, events: effects.faults.into_iter().map(event).collect() }
    }

    fn insert(&self, _: usize, store: &mut Vec<State>, mut state: State) -> Insertion {
        let size = state.graph.kinds.len() as u64;
        if state.policy == Policy::Join && store.len() >= UNFOLDED {
            let regions = (state.graph.blocks.len() + state.graph.edges.len()) as u64;
            self.work.fetch_add(size * size * regions, Ordering::Relaxed);
            state.graph = fold(state.graph, &self.layouts, &self.roles);
            state.graph.canonical();
        }
        if store.iter().any(|known| known.graph == state.graph) {
            return Insertion::Known;
        }
        self.work.fetch_add(size * size * (1 + store.len() as u64), Ordering::Relaxed);
        let mut best: Option<(Loss, usize, Graph)> = None;
        let peers = store.iter().filter(|known| self.same_flags(&known.graph, &state.graph)).count();
        for (number, known) in store.iter().enumerate() {
            if store.len() < MANY && !self.same_flags(&known.graph, &state.graph) {
                continue;
            }
            let Some((joined, loss)) = join(self.program, &known.graph, &state.graph, &self.layouts, &self.roles)
            else {
                continue;
            };
            if joined == known.graph {
                return Insertion::Known;
            }
            // What is represented by the new one is not needed any more.
            let loss = if joined == state.graph { Loss::None } else { loss.max(Loss::Numbers) };
            if best.as_ref().is_none_or(|(least, ..)| loss < *least) {
                best = Some((loss, number, joined));
            }
        }
        let limit = if state.policy == Policy::Join { accepted(store.len(), peers) } else { Loss::None };
        match best {
            Some((loss, number, joined)) if loss <= limit => {
                store[number].graph = joined;
                Insertion::Changed(number)
            }
            _ => {
                store.push(state);
                Insertion::Added(store.len() - 1)
            }
        }
    }

    fn state<'s>(&self, store: &'s Vec<State>, id: usize) -> &'s State {
        &store[id]
    }

    fn count(&self, store: &Vec<State>) -> usize {
        store.len()
    }
}
