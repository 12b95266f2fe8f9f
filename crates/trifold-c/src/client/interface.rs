//! The interface of a module: which types of objects it offers, how they begin, what can be done with them, how they
//! end.
//!
//! For example, a module with `queue_new`, `queue_push(queue, value)` and `queue_free(queue)` offers queues: they begin
//! with a call of `queue_new`, take pushes, and end with `queue_free`. A list of nodes may begin as a NULL pointer
//! (`list_prepend(&list, value)`), and an iterator begins with a call that gets the list (`list_iterate(&list,
//! &iter)`).

use super::classes::Fate;
use super::facts::{AllFacts, Facts};
use crate::typed::{Declaration, DeclarationId, DeclarationKind, Program, Storage};
use crate::types::{Qualifiers, RecordId, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// A function that other files may call.
pub(super) struct Operation<'p> {
    pub name: &'p str,
    pub result: TypeId,
    pub parameters: Vec<Parameter>,
    pub facts: &'p Facts,
}

/// A parameter of an operation.
pub(super) struct Parameter {
    pub name: String,
    pub ty: TypeId,
    pub fate: Fate,
    /// The struct that it points to (depth 1), or to a pointer to which it points (depth 2).
    pub object: Option<Object>,
}

/// A pointer to an object, or one to a pointer to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Object {
    pub record: RecordId,
    pub depth: usize,
}

/// How an object begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Begin {
    /// As a NULL pointer.
    Null,
    /// With all members zero.
    Zero,
    /// An operation returns it.
    Returned(usize),
    /// An operation gives it by a parameter, which points to a pointer.
    Given(usize, usize),
    /// An operation initialises it, by a parameter.
    Initialised(usize, usize),
}

/// A type of objects that the module offers.
pub(super) struct Handle {
    pub record: RecordId,
    /// Is it a variable of the client, to which operations get a pointer? Else the client has a pointer.
    pub by_value: bool,
    pub starts: Vec<Begin>,
    /// The operations that end an object.
    pub ends: Vec<usize>,
    /// All others, except those that begin one.
    pub operations: Vec<usize>,
    /// The type of objects into which these lead: an iterator is good until its list is changed.
    pub container: Option<RecordId>,
}

/// The interface.
pub(super) struct Interface<'p> {
    pub program: &'p Program,
    pub facts: &'p AllFacts,
    pub operations: Vec<Operation<'p>>,
    pub handles: Vec<Handle>,
    /// Operations that free an object which others may lead to, and do not end what it belongs to.
    pub takers: Vec<usize>,
    /// Are there variables that live as long as the program, in which an object may leave something to the next?
    pub has_state: bool,
}

/// Parts of names by which programmers call the end of objects that are no allocations of their own.
const ENDS: [&str; 11] =
    ["free", "destroy", "delete", "release", "dispose", "fini", "deinit", "clear", "cleanup", "purge", "term"];

/// Parts of names of operations after which the caller owns what is returned.
const DETACHES: [&str; 8] = ["detach", "remove", "unlink", "take", "extract", "pop", "steal", "dequeue"];

pub(super) fn has_word(name: &str, words: &[&str]) -> bool {
    let name = name.to_lowercase();
    words.iter().any(|word| name.contains(word))
}

fn has_state(program: &Program) -> bool {
    let is_global: BTreeSet<DeclarationId> = program.globals.iter().map(|global| global.declaration).collect();
    let ids = (0..program.declarations.len()).map(|index| DeclarationId(index as u32));
    let lives_on = |id: &DeclarationId| {
        is_global.contains(id)
            || program.declaration(*id).kind == DeclarationKind::Variable(Storage::Static)
            || program.declaration(*id).kind == DeclarationKind::Variable(Storage::Thread)
    };
    let changes = |id: DeclarationId| {
        let Declaration { name, ty, .. } = program.declaration(id);
        let element = if let Type::Array(element, _) = program.types.get(*ty) { *element } else { *ty };
        name.is_some() && ![*ty, element].iter().any(|ty| program.types.qualifiers(*ty).contains(Qualifiers::CONST))
    };
    ids.filter(lives_on).any(changes)
}

impl<'p> Interface<'p> {
    pub fn of(program: &'p Program, facts: &'p AllFacts) -> Interface<'p> {
        let operations = operations(program, facts);
        let (handles, takers, has_state) = (Vec::new(), Vec::new(), has_state(program));
        let mut interface = Interface { program, facts, operations, handles, takers, has_state };
        interface.handles = interface.handles();
        interface.assign();
        interface
    }

    /// The handle of a struct.
    pub fn handle(&self, record: RecordId) -> Option<&Handle> {
        self.handles.iter().find(|handle| handle.record == record)
    }

    /// Do objects of a struct lead to others of the same one?
    pub fn is_recursive(&self, record: RecordId) -> bool {
        let members = self.program.types.record(record).members.iter().flatten();
        members.filter_map(|member| object(self.program, member.ty)).any(|object| object.record == record)
    }

    /// Is the object of a parameter given away?
    pub fn is_consumed(&self, fate: &Fate) -> bool {
        fate.freed || fate.kept_in.iter().any(|field| self.facts.owning.contains(field))
    }

    /// Does an operation take an object and return it changed, or another in its place?
    pub fn is_update(&self, operation: &Operation<'_>, position: usize) -> bool {
        let parameter = &operation.parameters[position];
        let same = object(self.program, operation.result) == parameter.object;
        let depth = parameter.object.map(|object| object.depth);
        same && depth == Some(1) && operation.facts.changes && operation.facts.result.parameters.contains(&position)
    }

    /// Does the caller own what an operation returns, though it was in memory before?
    pub fn detaches(&self, operation: &Operation<'_>) -> bool {
        let facts = operation.facts;
        facts.changes && !facts.allocates && facts.result.loaded && has_word(operation.name, &DETACHES)
    }

    /// Does an operation only look for objects?
    pub fn is_source(&self, operation: &Operation<'_>) -> bool {
        let Facts { changes, allocates, frees, .. } = *operation.facts;
        !changes && !allocates && !frees && object(self.program, operation.result).is_some_and(|o| o.depth == 1)
    }

    fn starts(&self) -> BTreeMap<RecordId, Vec<Begin>> {
        let mut starts: BTreeMap<RecordId, Vec<Begin>> = BTreeMap::new();
        for (index, operation) in self.operations.iter().enumerate() {
            if let Some(Object { record, depth: 1 }) = object(self.program, operation.result)
                && operation.facts.result.fresh
                && operation.facts.result.parameters.is_empty()
            {
                starts.entry(record).or_default().push(Begin::Returned(index));
            }
            for (position, parameter) in operation.parameters.iter().enumerate() {
                match parameter.object {
                    Some(Object { record, depth: 2 }) if parameter.fate.gives_fresh => {
                        starts.entry(record).or_default().push(Begin::Given(index, position));
                    }
                    Some(Object { record, depth: 1 }) if self.initialises(record, &parameter.fate) => {
                        starts.entry(record).or_default().push(Begin::Initialised(index, position));
                    }
                    _ => {}
                }
            }
        }
        starts
    }

    /// Does an operation write all pointers of an object, and read none?
    fn initialises(&self, record: RecordId, fate: &Fate) -> bool {
        let members = self.program.types.record(record).members.iter().flatten().enumerate();
        let is_pointer = |ty: TypeId| matches!(self.program.types.get(ty), Type::Pointer(_));
        let mut pointers = members.filter(|(_, member)| is_pointer(member.ty)).map(|(index, _)| (record, index));
        let is_complete = self.program.types.record(record).members.is_some();
        let all = fate.overwritten || pointers.all(|field| fate.written_in.contains(&field));
        is_complete && fate.written && !fate.read && !fate.freed && !fate.kept && all
    }

    /// Can an empty object be a NULL pointer?
    fn begins_as_null(&self, record: RecordId) -> bool {
        self.operations.iter().any(|operation| {
            let mut parameters = operation.parameters.iter().enumerate();
            parameters.any(|(position, parameter)| match parameter.object {
                Some(Object { record: of, depth: 2 }) if of == record => {
                    parameter.fate.read && parameter.fate.written && operation.facts.allocates
                }
                Some(Object { record: of, depth: 1 }) if of == record => {
                    parameter.fate.tested && operation.facts.allocates && self.is_update(operation, position)
                }
                _ => false,
            })
        })
    }

    fn handles(&self) -> Vec<Handle> {
        let mut starts = self.starts();
        let objects = self.operations.iter().flat_map(|operation| &operation.parameters);
        let records: BTreeSet<RecordId> = objects.filter_map(|p| p.object).map(|object| object.record).collect();
        let mut handles = Vec::new();
        for record in records {
            let mut starts = starts.remove(&record).unwrap_or_default();
            let is_initialised = |start: &Begin| matches!(start, Begin::Initialised(..));
            let by_pointer = starts.iter().any(|start| !is_initialised(start)) || self.begins_as_null(record);
            if by_pointer {
                starts.retain(|start| !is_initialised(start));
                if self.begins_as_null(record) {
                    starts.insert(0, Begin::Null);
                }
            } else if starts.is_empty() && self.begins_as_zero(record) {
                starts.push(Begin::Zero);
            }
            // A copy of an object is no way to begin if there is another: it is made by an operation, and ended.
            let (copies, others): (Vec<Begin>, Vec<Begin>) =
                starts.into_iter().partition(|start| self.needs_another(record, *start));
            let starts = if others.is_empty() { copies } else { others };
            if !starts.is_empty() {
                let container = self.container(record, &starts);
                let (ends, operations) = (Vec::new(), Vec::new());
                handles.push(Handle { record, by_value: !by_pointer, starts, ends, operations, container });
            }
        }
        handles
    }

    /// Does an object begin with an operation that gets another one of its type?
    fn needs_another(&self, record: RecordId, start: Begin) -> bool {
        let (Begin::Returned(index) | Begin::Given(index, _) | Begin::Initialised(index, _)) = start else {
            return false;
        };
        let given = match start {
            Begin::Given(_, position) | Begin::Initialised(_, position) => Some(position),
            _ => None,
        };
        let parameters = self.operations[index].parameters.iter().enumerate();
        let others = parameters.filter(|(position, _)| Some(*position) != given);
        others.into_iter().any(|(_, parameter)| parameter.object.is_some_and(|object| object.record == record))
    }

    /// Nothing makes or initialises such objects, but operations fill them: then they are empty if they are zero.
    fn begins_as_zero(&self, record: RecordId) -> bool {
        let members = self.program.types.record(record).members.as_ref();
        let is_pointer = |ty: TypeId| matches!(self.program.types.get(ty), Type::Pointer(_));
        let has_pointers = members.is_some_and(|members| members.iter().any(|member| is_pointer(member.ty)));
        let returns =
            self.operations.iter().any(|o| object(self.program, o.result).is_some_and(|o| o.record == record));
        let fills = self.operations.iter().any(|operation| {
            let of = |p: &&Parameter| p.object == Some(Object { record, depth: 1 }) && p.fate.written && p.fate.read;
            operation.facts.allocates && operation.parameters.iter().any(|parameter| of(&parameter))
        });
        has_pointers && !returns && fills && !self.is_recursive(record)
    }

    /// The struct of other objects that all starts of a type get, and that stay what they are.
    fn container(&self, record: RecordId, starts: &[Begin]) -> Option<RecordId> {
        let mut containers = starts.iter().map(|start| {
            let (Begin::Returned(index) | Begin::Given(index, _) | Begin::Initialised(index, _)) = *start else {
                return None;
            };
            let parameters = self.operations[index].parameters.iter();
            let others = parameters.filter(|p| p.object.is_some_and(|object| object.record != record));
            let lent = others.filter(|parameter| !self.is_consumed(&parameter.fate) && parameter.fate.kept);
            lent.filter_map(|parameter| parameter.object).map(|object| object.record).next()
        });
        let first = containers.next()??;
        containers.all(|container| container == Some(first)).then_some(first)
    }

    /// Gives each operation to the type of objects that it is about.
    fn assign(&mut self) {
        for index in 0..self.operations.len() {
            let Some((record, position)) = self.home(index) else { continue };
            let ends = self.is_end(index, position, record);
            let takes_apart = self.takes_apart(index, position);
            let handle = self.handles.iter_mut().find(|handle| handle.record == record).expect("a home is a handle");
            let begins = handle.starts.iter().any(|start| match *start {
                Begin::Returned(start) | Begin::Given(start, _) | Begin::Initialised(start, _) => start == index,
                Begin::Null | Begin::Zero => false,
            });
            match (begins, ends) {
                (true, _) => {}
                (false, true) => handle.ends.push(index),
                (false, false) if takes_apart => self.takers.push(index),
                (false, false) => handle.operations.push(index),
            }
        }
    }

    /// The type that an operation is about, with the parameter.
    pub fn home(&self, index: usize) -> Option<(RecordId, usize)> {
        let operation = &self.operations[index];
        let parameters = operation.parameters.iter().enumerate();
        let objects = parameters.filter_map(|(position, parameter)| Some((parameter.object?.record, position)));
        let mut objects: Vec<(RecordId, usize)> = objects.collect();
        objects.retain(|(record, _)| self.handle(*record).is_some());
        let is_view = |(record, _): &&(RecordId, usize)| self.handle(*record).is_some_and(|h| h.container.is_some());
        let given = |(_, position): &&(RecordId, usize)| operation.parameters[*position].fate.gives_fresh;
        let first = objects.iter().find(is_view).or(objects.iter().find(|object| !given(object)));
        first.or(objects.first()).copied()
    }

    /// Does an operation free the object that it gets, and return no other in its place?
    fn takes_apart(&self, index: usize, position: usize) -> bool {
        let operation = &self.operations[index];
        let Parameter { fate, object, .. } = &operation.parameters[position];
        fate.freed && object.is_some_and(|object| object.depth == 1) && !self.is_update(operation, position)
    }

    fn is_end(&self, index: usize, position: usize, record: RecordId) -> bool {
        let operation = &self.operations[index];
        let Parameter { fate, object: of, .. } = &operation.parameters[position];
        let alone = operation.parameters.iter().filter(|parameter| parameter.object.is_some()).count() == 1;
        let returns = object(self.program, operation.result).is_some();
        if !alone || returns {
            return false;
        }
        let by_value = self.handle(record).is_some_and(|handle| handle.by_value);
        match of.map(|object| object.depth) {
            Some(2) => fate.target_freed && has_word(operation.name, &ENDS),
            _ if by_value => operation.facts.frees && !fate.freed && has_word(operation.name, &ENDS),
            // Those that hang below it are freed as well, if there can be any.
            _ => {
                let frees_others = operation.facts.freed_members.iter().any(|(of, _)| *of == record);
                fate.freed && (fate.deep || frees_others || !self.is_recursive(record))
            }
        }
    }
}

/// The struct that a pointer leads to.
pub(super) fn object(program: &Program, ty: TypeId) -> Option<Object> {
    let types = &program.types;
    let Type::Pointer(to) = types.get(ty) else { return None };
    let (record, depth) = match types.get(*to) {
        Type::Record(record) => (*record, 1),
        Type::Pointer(to) => match types.get(*to) {
            Type::Record(record) => (*record, 2),
            _ => return None,
        },
        _ => return None,
    };
    (!types.record(record).is_union).then_some(Object { record, depth })
}

fn operations<'p>(program: &'p Program, facts: &'p AllFacts) -> Vec<Operation<'p>> {
    let operation = |function: &'p crate::typed::Function| {
        let declaration = program.declaration(function.declaration);
        let is_external = matches!(declaration.kind, DeclarationKind::Function { external: true, .. });
        let Type::Function(ty) = program.types.get(declaration.ty) else { return None };
        let name = program.text(declaration.name?);
        if !is_external || ty.variadic || name == "main" || program.declared.contains(&function.declaration) {
            return None;
        }
        let facts = facts.get(function.declaration)?;
        let parameter = |(id, fate): (&DeclarationId, &Fate)| {
            let declaration = program.declaration(*id);
            let name = declaration.name.map_or(String::new(), |name| program.text(name).to_string());
            let (ty, fate) = (declaration.ty, fate.clone());
            Parameter { name, ty, fate, object: object(program, ty) }
        };
        let parameters = function.parameters.iter().zip(&facts.parameters).map(parameter).collect();
        Some(Operation { name, result: ty.result, parameters, facts })
    };
    program.functions.iter().filter_map(operation).collect()
}
