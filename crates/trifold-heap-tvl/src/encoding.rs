//! States of the concrete interpreter as two-valued structures: the meaning of the predicates, said a second time. For
//! example, a state where `x` points to one node whose `n` is null has one individual, of which `x` holds, and `n`
//! holds of no pair.
//!
//! The analysis keeps the values of variables that are not live only as long as they keep an object from being lost.
//! The caller says which of these are forgotten; objects that nothing else leads to are then not there.

use crate::lower::Lowered;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trifold_ir::{FieldId, Object, ObjectId, Program, Region, State, Statement, Status, StructId, Value, VarId};
use trifold_logic::{Definition, Kleene, PredicateId};
use trifold_passes::links::LinkId;
use trifold_passes::targets::{Path, Slot};
use trifold_structure::{Layout, Plan, Plane, Structure, Table, Workspace};

/// Encodes states of a program.
#[derive(Debug)]
pub struct Encoding<'a> {
    lowered: &'a Lowered,
    program: &'a Program,
    /// The definitions, each after those that it mentions.
    plan: Plan,
    definitions: Vec<(PredicateId, [(Plane, Table); 2])>,
}

impl<'a> Encoding<'a> {
    /// For a program and its lowered form.
    pub fn new(lowered: &'a Lowered, program: &'a Program) -> Encoding<'a> {
        let vocabulary = &lowered.predicates.vocabulary;
        let mut plan = Plan::new(vocabulary.iter().map(|(_, predicate)| predicate.arity).collect(), Vec::new());
        // A definition mentions only predicates that are declared before it.
        let defined = vocabulary.iter().filter_map(|(id, predicate)| Some((id, predicate.definition.as_ref()?)));
        let compile = |(id, definition): (_, &Definition)| {
            let mut plane = |plane| (plane, plan.compile(&definition.formula, plane, &definition.parameters));
            (id, [plane(Plane::Must), plane(Plane::May)])
        };
        let definitions = defined.map(compile).collect();
        Encoding { lowered, program, plan, definitions }
    }

    /// The pointer variables whose values the analysis may have forgotten: those of calls under way that are not live.
    pub fn forgettable(&self, state: &State) -> BTreeSet<VarId> {
        let (program, state) = (self.program, &self.local(state));
        let mut dead = BTreeSet::new();
        for (depth, frame) in state.frames.iter().enumerate() {
            let live = self.lowered.liveness[frame.procedure.index()].at(frame.node);
            let pending = self.pending(state, depth);
            let own = program[frame.procedure].variables();
            dead.extend(own.filter(|x| program[*x].ty.is_pointer() && (!live.contains(x) || pending == Some(*x))));
            let formals = self.lowered.formals.get(&frame.procedure).into_iter().flatten();
            dead.extend(formals.filter(|formal| formal.is_copy).map(|formal| formal.kept));
        }
        dead
    }

    /// The part of a state that a procedure sees: if calls are made on local heaps, nothing of the calls under way
    /// around its own.
    fn local(&self, state: &State) -> State {
        let mut state = state.clone();
        if self.lowered.predicates.sides.is_some() {
            state.frames.drain(..state.frames.len().saturating_sub(1));
        }
        state
    }

    /// The predicates that say of objects of the stack whose they are.
    fn frames(&self, state: &State) -> BTreeMap<ObjectId, PredicateId> {
        let predicates = &self.lowered.predicates;
        let mut of = BTreeMap::new();
        for (depth, frame) in state.frames.iter().enumerate() {
            let is_last = state.frames[depth + 1..].iter().all(|above| above.procedure != frame.procedure);
            let known = if is_last { &predicates.stack } else { &predicates.outer };
            let known = known.get(&frame.procedure);
            of.extend(known.into_iter().flat_map(|predicate| frame.owned.iter().map(|id| (*id, *predicate))));
        }
        of
    }

    /// The values of scalar variables that the analysis may know.
    fn live_scalars(&self, state: &State) -> BTreeMap<VarId, Value> {
        let mut values: BTreeMap<VarId, Value> = state.globals.iter().map(|(x, value)| (*x, *value)).collect();
        for (depth, frame) in state.frames.iter().enumerate() {
            let live = self.lowered.liveness[frame.procedure.index()].at(frame.node);
            let pending = self.pending(state, depth);
            let known = frame.values.iter().filter(|(x, _)| live.contains(x) && pending != Some(**x));
            values.extend(known.map(|(x, value)| (*x, *value)));
        }
        // The result of the entry is of no use.
        if let [frame] = &state.frames[..]
            && frame.node == self.program[frame.procedure].exit
        {
            self.program[frame.procedure].result.map(|result| values.remove(&result));
        }
        values
    }

    /// The variable that gets the result of the call that is under way above a frame.
    fn pending(&self, state: &State, depth: usize) -> Option<VarId> {
        let frame = &state.frames[depth];
        match frame.edge.map(|edge| &self.program[frame.procedure].edges[edge].statement) {
            Some(Statement::Call { to, .. }) if depth + 1 < state.frames.len() => *to,
            _ => None,
        }
    }

    /// Is a variable without value in the structure?
    pub fn has_forgotten(&self, structure: &Structure, variable: VarId) -> bool {
        let pointer = self.lowered.predicates.pointer(variable);
        let nowhere = |p: PredicateId| structure.universe().all(|u| structure.unary(p, u) == Kleene::False);
        // The object that a formal was given may be gone, or the formal had no value.
        let mut flags = [pointer.freed, pointer.dead, pointer.uninit].into_iter().flatten();
        let is_flagged = flags.any(|flag| structure.nullary(flag).may());
        nowhere(pointer.points) && !(self.is_copied_formal(variable) && is_flagged)
    }

    fn is_copied_formal(&self, variable: VarId) -> bool {
        self.lowered.formals.values().flatten().any(|formal| formal.is_copy && formal.kept == variable)
    }

    /// The structure of a state at its point. `None` if a procedure has several calls under way, which the vocabulary
    /// cannot express.
    pub fn encode(&self, state: &State, forgotten: &BTreeSet<VarId>) -> Option<Structure> {
        let is_entry = state.frames.len() == 1;
        let frames = self.frames(state);
        let state = &self.local(state);
        let procedures: BTreeSet<_> = state.frames.iter().map(|frame| frame.procedure).collect();
        if procedures.len() < state.frames.len() {
            return None;
        }
        let predicates = &self.lowered.predicates;
        let mut dead = self.forgettable(state);
        // Of a formal it is known whether its object is gone.
        dead.retain(|x| forgotten.contains(x) || !self.is_copied_formal(*x));
        let scalars = self.live_scalars(state);
        let mut state = state.clone();
        self.finish_return(&mut state, is_entry);
        self.leave_out_unread(&mut state);
        state.frames.iter_mut().for_each(|frame| frame.values.retain(|x, _| !forgotten.contains(x)));
        let rooted = |region| region == Region::Static || region == Region::Stack && predicates.sides.is_none();
        let reached = state.reached_from(rooted);
        let lives =
            |(object, reached): (&Object, bool)| reached && object.status == Status::Alive && object.part_of.is_none();
        let alive: Vec<ObjectId> = (0..)
            .map(ObjectId)
            .zip(state.objects.iter().zip(reached))
            .filter(|(_, object)| lives(*object))
            .map(|(id, _)| id)
            .collect();
        let individuals: BTreeMap<ObjectId, usize> = alive.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let layout = Arc::new(Layout::new(&self.lowered.predicates.vocabulary));
        let structure = Structure::new(&layout, alive.len());
        let (lowered, program) = (self.lowered, self.program);
        let numbers = BTreeMap::new();
        let mut encoder = Encoder { lowered, program, state: &state, frames, individuals, numbers, structure };
        encoder.variables(&dead);
        encoder.objects(&alive);
        encoder.calls();
        encoder.scalars(&scalars);
        encoder.orders(&scalars);
        let mut structure = encoder.structure;
        self.define(&mut structure);
        Some(structure)
    }

    /// At the exit the interpreter still has the objects of the frame; to the analysis they are gone with the return.
    fn finish_return(&self, state: &mut State, is_entry: bool) {
        let program = self.program;
        let Some(frame) = state.frames.last_mut() else { return };
        let procedure = &program[frame.procedure];
        if frame.node != procedure.exit {
            return;
        }
        let formals = self.lowered.formals.get(&frame.procedure).into_iter().flatten();
        let kept: Vec<VarId> = formals.map(|formal| formal.kept).chain(procedure.result).collect();
        frame.values.retain(|x, _| !is_entry && kept.contains(x));
        let mut open = std::mem::take(&mut frame.owned);
        while let Some(id) = open.pop() {
            let object = &mut state.objects[id.index()];
            let fields = program[object.structure].fields.iter().zip(&object.fields);
            open.extend(
                fields.filter(|(field, _)| program[**field].embedded).filter_map(|(_, value)| value.referent()),
            );
            object.status = Status::Dead;
            object.fields.fill(Value::Uninitialised);
        }
    }

    /// Fields that are not read are null to the analysis.
    fn leave_out_unread(&self, state: &mut State) {
        for number in 0..state.objects.len() {
            let (whole, path) = whole(state, ObjectId(number as u32));
            let whole = state.object(whole).structure;
            let fields = &self.program[state.objects[number].structure].fields;
            for (position, field) in fields.iter().enumerate() {
                let slot = Slot { whole, path: path.clone(), field: *field };
                if self.lowered.unread.contains(&slot) {
                    state.objects[number].fields[position] = Value::Null;
                }
            }
        }
    }

    /// The values of defined predicates, by their definitions.
    fn define(&self, structure: &mut Structure) {
        let mut workspace = Workspace::default();
        for (id, tables) in &self.definitions {
            for (plane, table) in tables {
                workspace.begin(&self.plan, structure);
                let value = workspace.evaluate(&self.plan, *table).to_vec();
                structure.plane_mut(*id, *plane).copy_from_slice(&value);
            }
        }
    }
}

/// The whole object that an object is a part of, or is, and the way from there.
fn whole(state: &State, mut id: ObjectId) -> (ObjectId, Vec<FieldId>) {
    let mut path = Vec::new();
    while let Some((container, field)) = state.object(id).part_of {
        path.insert(0, field);
        id = container;
    }
    (id, path)
}

struct Encoder<'a> {
    lowered: &'a Lowered,
    program: &'a Program,
    state: &'a State,
    /// The predicates that say of objects of the stack whose they are.
    frames: BTreeMap<ObjectId, PredicateId>,
    individuals: BTreeMap<ObjectId, usize>,
    /// The numbers in these links of individuals.
    numbers: BTreeMap<(LinkId, usize), i128>,
    structure: Structure,
}

impl Encoder<'_> {
    fn flag(&mut self, predicate: Option<PredicateId>, tuple: &[usize]) {
        // Without a predicate the analysis claims that this never happens where it could be noticed.
        if let Some(predicate) = predicate {
            self.structure.set(predicate, tuple, Kleene::True);
        }
    }

    /// The individual that a value leads to, and the way in it; `None` if it leads to nothing that lives.
    fn target(&self, value: Value) -> Option<(usize, Path)> {
        let (id, before) = match value {
            Value::Object(id) => (id, None),
            Value::Outside { part, field } => (part, Some(field)),
            _ => return None,
        };
        let (whole, fields) = whole(self.state, id);
        Some((*self.individuals.get(&whole)?, Path { fields, before }))
    }

    /// The values of predicates of a pointer, which belongs to the individuals in `of`.
    fn pointer(
        &mut self,
        value: Value,
        of: &[usize],
        leads: PredicateId,
        at: &BTreeMap<Path, PredicateId>,
        [uninit, freed, dead]: [Option<PredicateId>; 3],
    ) {
        if let Some((individual, path)) = self.target(value) {
            self.structure.set(leads, &[of, &[individual]].concat(), Kleene::True);
            return self.flag(at.get(&path).copied(), of);
        }
        match value.referent().map(|id| self.state.object(id).status) {
            Some(Status::Freed) => self.flag(freed, of),
            Some(_) => self.flag(dead, of),
            None if value == Value::Uninitialised => self.flag(uninit, of),
            None => {}
        }
    }

    fn variables(&mut self, dead: &BTreeSet<VarId>) {
        let state = self.state;
        let values = state.globals.iter().chain(state.frames.iter().flat_map(|frame| &frame.values));
        for (variable, value) in values {
            let Some(pointer) = self.lowered.predicates.pointers.get(variable) else { continue };
            // Of a variable that is not live only matters which object it keeps from being lost.
            if dead.contains(variable) && self.target(*value).is_none() {
                continue;
            }
            let flags = [pointer.uninit, pointer.freed, pointer.dead];
            self.pointer(*value, &[], pointer.points, &pointer.at, flags);
        }
    }

    fn objects(&mut self, alive: &[ObjectId]) {
        let (predicates, state) = (&self.lowered.predicates, self.state);
        for (individual, id) in alive.iter().enumerate() {
            let object = state.object(*id);
            self.flag(predicates.types.get(&object.structure).copied(), &[individual]);
            match object.region {
                Region::Heap => {}
                Region::Static => self.flag(predicates.fixed, &[individual]),
                Region::Stack => self.flag(self.frames.get(id).copied(), &[individual]),
            }
            self.fields(individual, *id, object.structure, &mut Vec::new());
        }
    }

    /// The fields of an object and of its parts.
    fn fields(&mut self, individual: usize, id: ObjectId, whole: StructId, path: &mut Vec<FieldId>) {
        let (predicates, program, object) = (&self.lowered.predicates, self.program, self.state.object(id));
        for (field, value) in program[object.structure].fields.iter().zip(&object.fields) {
            if let Some(part) = value.referent().filter(|_| program[*field].embedded) {
                path.push(*field);
                self.fields(individual, part, whole, path);
                path.pop();
                continue;
            }
            let slot = Slot { whole, path: path.clone(), field: *field };
            let Some(link) = predicates.links.of_slot(&slot) else { continue };
            for ((low, high), predicate) in predicates.contents.get(&link).into_iter().flatten() {
                let within = |number: i128| Kleene::from((*low..=*high).contains(&number));
                let value = value.number().map_or(Kleene::Unknown, within);
                self.structure.set_unary(*predicate, individual, value);
            }
            if let Some(number) = value.number() {
                self.numbers.insert((link, individual), number);
            }
            if let Some(edge) = predicates.edges.get(&link) {
                let flags = [edge.uninit, edge.freed, edge.dead];
                self.pointer(*value, &[individual], edge.leads, &edge.at, flags);
            }
        }
    }

    /// The cells of variables; they are 1/2 if the value is not known, or not live.
    fn scalars(&mut self, live: &BTreeMap<VarId, Value>) {
        for (variable, cells) in &self.lowered.predicates.cells {
            for ((low, high), predicate) in cells {
                let within = |number: i128| Kleene::from((*low..=*high).contains(&number));
                let value = live.get(variable).and_then(|value| value.number()).map_or(Kleene::Unknown, within);
                self.structure.set_nullary(*predicate, value);
            }
        }
    }

    /// How objects and variables compare; those without a value, or not live, may compare in any way.
    fn orders(&mut self, live: &BTreeMap<VarId, Value>) {
        let variable = |x: &VarId| live.get(x).and_then(|value| value.number());
        for order in &self.lowered.predicates.orders {
            let not_greater = |a: Option<i128>, b: Option<i128>| match (a, b) {
                (Some(a), Some(b)) => Kleene::from(a == b || a < b && !order.only_equal),
                _ => Kleene::Unknown,
            };
            let data = |of: usize| order.data.iter().find_map(|link| self.numbers.get(&(*link, of)).copied());
            for a in 0..self.individuals.len() {
                for b in 0..self.individuals.len() {
                    let value = if a == b { Kleene::True } else { not_greater(data(a), data(b)) };
                    self.structure.set(order.dle, &[a, b], value);
                }
                for (x, [le, ge]) in &order.variables {
                    self.structure.set_unary(*le, a, not_greater(variable(x), data(a)));
                    self.structure.set_unary(*ge, a, not_greater(data(a), variable(x)));
                }
            }
            for ((x, y), pair) in &order.pairs {
                self.structure.set_nullary(*pair, not_greater(variable(x), variable(y)));
            }
        }
    }

    /// Where each call under way goes back to. Sites are numbered as the lowering does: in the order of edges and
    /// targets.
    fn calls(&mut self) {
        for pair in self.state.frames.windows(2) {
            let (caller, callee) = (&pair[0], &pair[1]);
            let mut number = 0;
            for procedure in &self.lowered.procedures {
                for (index, edge) in self.program[*procedure].edges.iter().enumerate() {
                    let Statement::Call { targets, .. } = &edge.statement else { continue };
                    for target in targets.iter().filter(|target| **target == callee.procedure) {
                        if (*procedure, Some(index)) == (caller.procedure, caller.edge) {
                            let site = self.lowered.predicates.sites.get(&(*target, number)).copied();
                            self.flag(site, &[]);
                        }
                        number += 1;
                    }
                }
            }
        }
    }
}
