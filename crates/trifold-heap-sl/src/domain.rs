//! The analysis as a domain of the solver: steps along the edges of procedures. Which graphs a point keeps is in
//! [`store`](crate::disjuncts), calls are in [`procedures`](crate::calls::procedures). For example, the edge `y = x->n`
//! makes of the graph `x.node_list()` the one with a block at `x` whose cell is `y`, and reports that `x` may be null.

use crate::checker::define::Definitions;
use crate::checker::usage::is_specified;
use crate::fold::fold;
use crate::frame::Sight;
use crate::grain::Grain;
use crate::graph::scalars::anything;
use crate::graph::shape_graph::{Frame, Kind, NULL, ShapeGraph, Symbol};
use crate::layout::Layouts;
use crate::link_roles::{FieldRoles, LinkedShape};
use crate::transfer::{Effects, Fault, Transfer, uninitialised};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};
use trifold_fixpoint::{
    Domain, EdgeId, FlowEdge, FlowKind, FlowProcedure, IdVec, Insertion, LocationId, ProcedureId, ProgramGraph, Step,
    depth_first,
};
use trifold_ir::Contract;
use trifold_ir::{
    Condition, Edge, FieldId, FindingKind, NodeId, Point, ProcId, Procedure, Program, Region, Statement, Type, VarId,
};
use trifold_passes::number_roles::NumberRoles;
use trifold_passes::{CallGraph, Liveness, Overwritten};

/// The effect of an edge of the flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// The statement of an edge of a procedure.
    Statement(ProcId, usize),
    /// The call on an edge of a procedure.
    Call(ProcId, usize, ProcId),
    /// The call of a checker, or of a procedure with a contract, if it need not be followed.
    Check(ProcId, usize, ProcId),
    /// The preconditions of a contract hold.
    Require(ProcId, usize),
    /// The postconditions of a contract are checked, as far as they are the concern of this edge.
    Ensure(ProcId, usize),
}

impl Action {
    /// The edge that it belongs to.
    pub fn place(self) -> (ProcId, usize) {
        match self {
            Action::Statement(procedure, edge)
            | Action::Require(procedure, edge)
            | Action::Ensure(procedure, edge)
            | Action::Call(procedure, edge, _)
            | Action::Check(procedure, edge, _) => (procedure, edge),
        }
    }
}

/// How a point treats graphs that come to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Policy {
    /// All are kept but those that another one represents.
    Keep,
    /// They are joined: here a loop begins, or a procedure that calls itself.
    Join,
    /// They are joined, but for a few: here a procedure ends that calls itself.
    Return,
    /// They are joined, however few: here everything ends.
    End,
}

/// A graph on its way to a point.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub graph: ShapeGraph,
    pub policy: Policy,
    /// Does another one of its store represent it by now?
    pub absorbed: bool,
    /// Was something given up when it was joined with another one?
    pub given_up: bool,
    /// The graph when it is folded, if that is another one: found when it is first needed.
    folded: OnceLock<Option<Arc<ShapeGraph>>>,
}

impl State {
    pub fn new(graph: ShapeGraph, policy: Policy) -> State {
        State { graph, policy, absorbed: false, given_up: false, folded: OnceLock::new() }
    }

    /// Another graph takes the place of this one.
    pub fn replace(&mut self, graph: ShapeGraph) {
        (self.graph, self.folded) = (graph, OnceLock::new());
    }

    /// The graph when it is folded, if that is another one.
    pub fn folded(&self, layouts: &Layouts, roles: &FieldRoles) -> Option<&ShapeGraph> {
        let folded = self.folded.get_or_init(|| {
            let mut folded = fold(self.graph.clone(), layouts, roles);
            folded.canonical();
            (folded != self.graph).then(|| Arc::new(folded))
        });
        folded.as_deref()
    }
}

/// An event that a step reports.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub fault: Fault,
    /// Does it happen in every state that the graph represents?
    pub definite: bool,
    /// The graph before.
    pub before: ShapeGraph,
}

pub(crate) struct Checking<'p> {
    pub program: &'p Program,
    pub layouts: Layouts,
    pub roles: FieldRoles,
    pub definitions: Definitions,
    pub grain: Grain,
    /// Does the entry describe its arguments with checkers?
    pub specified: bool,
    /// Is it no finding if the last reference to an object is lost?
    pub collects: bool,
    liveness: Vec<Liveness>,
    overwritten: BTreeMap<ProcId, Overwritten>,
    actions: IdVec<EdgeId, Action>,
    pub points: IdVec<LocationId, Point>,
    pub locations: BTreeMap<Point, LocationId>,
    policies: IdVec<LocationId, Policy>,
    pub flow: ProgramGraph,
    pub procedures: Vec<ProcId>,
    pub calls: CallGraph,
    /// The procedures that compare numbers which they count, and what those call.
    pub counting: BTreeSet<ProcId>,
    /// The data that each procedure can look at.
    pub sights: Vec<Sight>,
    /// The most graphs that a point has had so far.
    pub most: AtomicUsize,
}

impl<'p> Checking<'p> {
    pub fn new(
        program: &'p Program,
        entry: ProcId,
        shapes: LinkedShape,
        grain: Grain,
        keeps_dead: bool,
    ) -> Checking<'p> {
        let calls = CallGraph::of(program);
        let procedures = calls.reached(entry);
        let layouts = Layouts::new(program);
        let definitions = Definitions::of(program, &layouts);
        let mut roles = FieldRoles::of(program, &layouts, &procedures, shapes).with_given(&definitions);
        roles.data = grain.numbers();
        let live = |procedure: &Procedure| match keeps_dead {
            true => Liveness::everywhere(procedure, procedure.result.into_iter().collect()),
            false => Liveness::of(&roles.without_unread(procedure)),
        };
        let mut checking = Checking {
            program,
            liveness: program.procedures.iter().map(live).collect(),
            overwritten: procedures
                .iter()
                .map(|procedure| (*procedure, Overwritten::of(program, *procedure)))
                .collect(),
            layouts,
            grain,
            specified: program.contracts.contains_key(&entry) || is_specified(program, entry),
            collects: false,
            actions: IdVec::new(),
            points: IdVec::new(),
            locations: BTreeMap::new(),
            policies: IdVec::new(),
            flow: ProgramGraph::default(),
            counting: counting(program, &procedures, &roles.numbers, &calls),
            procedures,
            sights: Sight::of(program, &calls, &definitions),
            roles,
            definitions,
            calls,
            most: AtomicUsize::new(0),
        };
        for procedure in checking.procedures.clone() {
            let entry = checking.location(procedure, program[procedure].entry);
            let exit = checking.location(procedure, program[procedure].exit);
            checking.flow.procedures.push(FlowProcedure { entry, exit });
        }
        for procedure in checking.procedures.clone() {
            checking.procedure(procedure);
        }
        checking.flow.flow.locations = checking.points.len();
        checking.policies();
        checking
    }

    fn location(&mut self, procedure: ProcId, node: NodeId) -> LocationId {
        let point = Point { procedure, node };
        *self.locations.entry(point).or_insert_with(|| self.points.push(point))
    }

    fn edge(&mut self, procedure: ProcId, edge: &Edge, action: Action) {
        self.between(procedure, (edge.from, edge.to), action);
    }

    fn between(&mut self, procedure: ProcId, (from, to): (NodeId, NodeId), action: Action) {
        let (source, target) = (self.location(procedure, from), self.location(procedure, to));
        let kind = match action {
            Action::Call(_, _, callee) => {
                let callee = self.procedures.iter().position(|known| *known == callee).expect("callees are known");
                FlowKind::Call(ProcedureId::from_index(callee))
            }
            _ => FlowKind::Step,
        };
        self.flow.flow.edges.push(FlowEdge { source, kind, target });
        self.actions.push(action);
    }

    fn procedure(&mut self, procedure: ProcId) {
        if let Some(contract) = self.program.contracts.get(&procedure) {
            return self.contract(procedure, contract);
        }
        for (number, edge) in self.program[procedure].edges.iter().enumerate() {
            match &edge.statement {
                Statement::Call { targets, .. } => {
                    for target in targets {
                        let contract = self.program.contracts.get(target);
                        if contract.is_some() || self.definitions.known.contains_key(target) {
                            self.edge(procedure, edge, Action::Check(procedure, number, *target));
                        }
                        // A call whose contract may be broken is followed into the procedure of the contract.
                        let target = contract.map_or(target, |contract| &contract.of);
                        self.edge(procedure, edge, Action::Call(procedure, number, *target));
                    }
                }
                _ => self.edge(procedure, edge, Action::Statement(procedure, number)),
            }
        }
    }

    /// A procedure that stands for another one: its preconditions hold, and its postconditions are checked.
    fn contract(&mut self, procedure: ProcId, contract: &Contract) {
        if self.procedures[0] != procedure {
            return;
        }
        let (entry, exit) = (self.program[procedure].entry, self.program[procedure].exit);
        let call = &self.program[procedure].edges[contract.call];
        self.between(procedure, (entry, call.from), Action::Require(procedure, contract.call));
        self.edge(procedure, call, Action::Call(procedure, contract.call, contract.of));
        let last = self.program[procedure].edges.len() - 1;
        for error in contract.ensures.iter().map(|clause| clause.error).chain([last]) {
            self.between(procedure, (call.to, exit), Action::Ensure(procedure, error));
        }
    }

    fn policies(&mut self) {
        self.policies = IdVec::filled(Policy::Keep, self.points.len());
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
            let exit = self.locations[&Point { procedure: *procedure, node: self.program[*procedure].exit }];
            if self.calls.is_recursive(*procedure) {
                self.policies[exit] = Policy::Return;
            } else if *procedure == self.procedures[0] {
                self.policies[exit] = Policy::End;
            }
        }
    }

    pub fn action(&self, edge: EdgeId) -> Action {
        self.actions[edge]
    }

    /// How the point after an edge treats graphs.
    pub fn policy(&self, edge: EdgeId) -> Policy {
        self.policies[self.flow.flow.edges[edge].target]
    }

    /// The call that an edge makes.
    pub fn called(&self, edge: EdgeId) -> Option<(ProcId, usize, ProcId)> {
        match self.actions[edge] {
            Action::Call(procedure, edge, target) => Some((procedure, edge, target)),
            _ => None,
        }
    }

    pub fn transfer(&self) -> Transfer<'_> {
        Transfer { program: self.program, layouts: &self.layouts, roles: &self.roles }
    }

    /// The state in which the entry is called: globals are null and zero, everything else is without value. An entry
    /// that describes its arguments can be called whenever the description holds, so of the rest nothing is known.
    pub fn initial(&self, entry: ProcId) -> State {
        let mut graph = ShapeGraph::new();
        graph.relations.is_kept = matches!(self.grain, Grain::Related | Grain::Counted);
        graph.relations.has_lengths = self.grain == Grain::Counted;
        if self.counts_within(entry) {
            graph.count();
        }
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
            // The caller: only its arguments are known, and that it gets the result.
            let parameters = &self.program[entry].parameters;
            arguments = parameters.iter().map(|p| graph.fresh(anything(self.program[*p].ty))).collect();
            let values = parameters.iter().copied().zip(arguments.iter().copied());
            let values = values.filter(|(parameter, _)| self.program[*parameter].ty.is_pointer()).collect();
            graph.frames.push(Frame { procedure: entry, called: false, values });
        }
        self.push_frame(&mut graph, entry, false, arguments);
        let depth = graph.frames.len();
        self.forget_dead(&mut graph, depth - 1, self.program[entry].entry, None);
        graph.canonical();
        State::new(graph, self.policies[LocationId::ENTRY])
    }

    /// How finely a graph is told apart from others.
    pub fn grain_of(&self, graph: &ShapeGraph) -> Grain {
        match self.grain {
            Grain::CountedWithin if graph.relations.has_lengths => Grain::Counted,
            Grain::CountedWithin => Grain::Returned,
            grain => grain,
        }
    }

    /// Does a procedure count, where not all of them do?
    pub fn counts_within(&self, procedure: ProcId) -> bool {
        self.grain == Grain::CountedWithin && self.counting.contains(&procedure)
    }

    pub fn push_frame(&self, graph: &mut ShapeGraph, procedure: ProcId, called: bool, arguments: Vec<Symbol>) {
        let mut values = BTreeMap::new();
        let mut arguments = arguments.into_iter();
        for variable in self.program[procedure].variables() {
            let value = arguments.next().unwrap_or_else(|| graph.fresh(uninitialised(self.program[variable].ty)));
            values.insert(variable, value);
        }
        graph.frames.push(Frame { procedure, called, values });
    }

    /// Forgets the variables of a call that are not live at a node. One that alone leads to something keeps it from
    /// being lost, unless nobody asks for that.
    pub fn forget_dead(&self, graph: &mut ShapeGraph, frame: usize, node: NodeId, also: Option<VarId>) {
        let live: &BTreeSet<VarId> = self.liveness[graph.frames[frame].procedure.index()].at(node);
        let is_dead = |variable: &VarId| !live.contains(variable) || also == Some(*variable);
        let dead: Vec<VarId> = graph.frames[frame].values.keys().copied().filter(is_dead).collect();
        // Temporaries come last, and are the first to get another value.
        for variable in dead.into_iter().rev() {
            let Some(symbol) = graph.frames[frame].values.remove(&variable) else { continue };
            let holds = matches!(graph.kind(symbol), Kind::Pointer | Kind::Outside(..));
            let reached = graph.reached(&[]);
            if holds && !reached.is_all() {
                match self.collects {
                    true => _ = graph.take_lost(&reached),
                    false => _ = graph.frames[frame].values.insert(variable, symbol),
                }
            }
        }
    }

    /// Where a loop begins: forgets the links that are set anew before they are followed, if they lead into the middle
    /// of a list. Those would keep its parts apart.
    fn forget_stale(&self, graph: &mut ShapeGraph, node: NodeId) {
        // A ring is walked through by others before it is opened: so another way keeps such links.
        if matches!(self.grain, Grain::Fine | Grain::Exact) {
            return;
        }
        let procedure = graph.frame().procedure;
        let location = self.locations.get(&Point { procedure, node });
        if location.is_none_or(|location| self.policies[*location] != Policy::Join) {
            return;
        }
        for (variable, path) in self.overwritten[&procedure].at(node) {
            let Some(symbol) = graph.frame().values.get(&variable) else { continue };
            let Some((number, part)) = graph.block(*symbol) else { continue };
            let layout = &self.layouts[graph.blocks[number].structure];
            let Some((field, parts)) = path.split_last() else { continue };
            let part = parts.iter().try_fold(part, |part, field| layout.part(part, *field));
            let Some(cell) = part.and_then(|part| layout.cell(part, *field)) else { continue };
            let (field, target) = (*field, graph.blocks[number].cells[cell]);
            // Where elements have several links, there are other ways to the middle.
            let is_alike = |other: FieldId| self.program[other].ty == self.program[field].ty;
            let links = layout.cells.iter().filter(|cell| is_alike(cell.field) && !self.roles.leads_back(cell.field));
            if links.count() == 1 && graph.links_to(target, field, &self.layouts) > 1 {
                graph.blocks[number].cells[cell] = graph.fresh(anything(self.program[field].ty));
                if !graph.reached(&[]).is_all() {
                    graph.blocks[number].cells[cell] = target;
                }
            }
        }
    }

    /// The variables of each procedure that are forgotten somewhere.
    pub fn forgotten(&self) -> BTreeMap<ProcId, BTreeSet<VarId>> {
        let of = |id: &ProcId| (*id, self.liveness[id.index()].mortal(&self.program[*id]));
        self.procedures.iter().map(of).collect()
    }

    /// Reports and takes away the lost blocks.
    pub fn lose(&self, graph: &mut ShapeGraph, faults: &mut Vec<Fault>) {
        let reached = graph.reached(&[]);
        if graph.take_lost(&reached).is_some() {
            let text = "the last reference to an object is lost".to_string();
            faults.push(Fault { kind: FindingKind::Leak, text, goes_on: true });
        }
    }

    pub fn statement(&self, graph: ShapeGraph, edge: &Edge) -> Effects {
        let mut effects = match edge.statement {
            Statement::Return => Effects { graphs: vec![self.end_of_call(graph)], faults: Vec::new() },
            _ => self.transfer().statement(graph, &edge.statement),
        };
        for graph in &mut effects.graphs {
            if self.program.may_lose_reference(&edge.statement) {
                self.lose(graph, &mut effects.faults);
            }
            if edge.statement != Statement::Return {
                let depth = graph.frames.len();
                self.forget_dead(graph, depth - 1, edge.to, None);
                self.forget_stale(graph, edge.to);
            }
        }
        effects
    }

    /// The frame with nothing but the result, and without the objects that die with it.
    fn end_of_call(&self, mut graph: ShapeGraph) -> ShapeGraph {
        let depth = graph.frames.len();
        let is_returned = graph.frame().called || depth > 1;
        let result = self.program[graph.frame().procedure].result.filter(|_| is_returned);
        graph.frame_mut().values.retain(|variable, _| Some(*variable) == result);
        while let Some(dying) = graph.blocks.iter().position(|b| b.region == Region::Stack && b.depth == depth) {
            graph.kill(dying);
        }
        graph
    }
}

/// The procedures that compare two numbers, each of which they compute, and what those call: a list that has been
/// counted is walked through by number.
fn counting(program: &Program, procedures: &[ProcId], numbers: &NumberRoles, calls: &CallGraph) -> BTreeSet<ProcId> {
    let compares = |edge: &Edge| match &edge.statement {
        Statement::Assume(Condition::Scalar(expr)) => {
            let mut compared = BTreeSet::new();
            expr.for_each_variable(&mut |variable| _ = compared.insert(variable));
            compared.len() > 1 && compared.iter().all(|variable| !numbers.is_flag(*variable))
        }
        _ => false,
    };
    let counting = procedures.iter().filter(|procedure| program[**procedure].edges.iter().any(compares));
    counting.flat_map(|procedure| calls.reached(*procedure)).collect()
}

impl Checking<'_> {
    /// The outcome of a step on a state.
    pub fn outcome(&self, before: &State, mut effects: Effects, policy: Policy) -> Step<State, Event> {
        if before.given_up {
            effects.faults.push(Fault::given_up("what memory looks like here cannot be described".to_string()));
        }
        let definite = effects.graphs.is_empty() && effects.faults.len() == 1;
        let event = |fault| Event { fault, definite, before: before.graph.clone() };
        let mut states: Vec<State> = Vec::new();
        for mut graph in effects.graphs {
            graph.canonical();
            if !states.iter().any(|known| known.graph == graph) {
                states.push(State::new(graph, policy));
            }
        }
        Step { states, events: effects.faults.into_iter().map(event).collect() }
    }
}

impl Domain for Checking<'_> {
    type State = State;
    type Store = Vec<State>;
    type Event = Event;
    type Scratch = ();

    fn step(&self, edge: EdgeId, state: &State, (): &mut ()) -> Step<State, Event> {
        let graph = state.graph.clone();
        let effects = match self.actions[edge] {
            Action::Statement(procedure, edge) => self.statement(graph, &self.program[procedure].edges[edge]),
            Action::Call(..) => unreachable!("calls are made by the solver"),
            Action::Require(procedure, edge) => self.required(graph, procedure, edge),
            Action::Ensure(procedure, edge) => self.ensured(&graph, procedure, edge),
            Action::Check(procedure, edge, target) if self.program.contracts.contains_key(&target) => {
                self.by_contract(&graph, procedure, edge, target).unwrap_or_else(Effects::from)
            }
            Action::Check(procedure, edge, target) => {
                let graphs = self.checked(&graph, procedure, edge, target).unwrap_or_default();
                Effects { graphs, faults: Vec::new() }
            }
        };
        self.outcome(state, effects, self.policy(edge))
    }

    fn insert(&self, _: LocationId, store: &mut Vec<State>, state: State) -> Insertion {
        self.keep(store, state)
    }

    fn state<'s>(&self, store: &'s Vec<State>, id: usize) -> &'s State {
        &store[id]
    }

    fn count(&self, store: &Vec<State>) -> usize {
        store.len()
    }

    /// With the graph when it is folded.
    fn size(&self, state: &State) -> usize {
        size_of::<State>() + 2 * state.graph.bytes()
    }
}
