//! Allocation, access and death of objects. For example, after `x = new node; free(x);` the object of `x` is dead, and
//! `x->next` is a use after free.

use super::RunEnd;
use super::state::{Object, ObjectId, Status, Value};
use super::step::{End, Machine, Step, fail};
use crate::ids::{FieldId, StructId, VarId};
use crate::kind::FindingKind;
use crate::statement::Region;

impl Machine<'_> {
    /// A new object with its parts.
    pub(super) fn allocate(&mut self, structure: StructId, region: Region, zeroed: bool) -> Step<ObjectId> {
        if self.state.objects.len() >= self.options.max_objects {
            return Err(End::With(RunEnd::ObjectLimit));
        }
        let id = ObjectId(self.state.objects.len() as u32);
        let program = self.program;
        let fields = program[structure].fields.iter();
        let first = |field: &FieldId| if zeroed { Value::zero(program[*field].ty) } else { Value::Uninitialised };
        self.state.objects.push(Object {
            structure,
            region,
            status: Status::Alive,
            died_at: None,
            fields: fields.clone().map(first).collect(),
            part_of: None,
            leaked: false,
        });
        for field in fields {
            let Some(part) = program[*field].ty.target().filter(|_| program[*field].embedded) else { continue };
            let part = self.allocate(part, region, zeroed)?;
            self.state.object_mut(part).part_of = Some((id, *field));
            self.state.object_mut(id).fields[program[*field].position] = Value::Object(part);
        }
        Ok(id)
    }

    /// The living object that a variable points to.
    pub(super) fn dereference(&self, variable: VarId) -> Step<ObjectId> {
        let name = &self.program[variable].name;
        match self.state.value(variable) {
            Value::Object(object) => match self.state.object(object).status {
                Status::Alive => Ok(object),
                Status::Freed => {
                    fail(FindingKind::UseAfterFree, format!("`{name}` points to an object that was freed"))
                }
                Status::Dead => {
                    fail(FindingKind::DanglingStackPointer, format!("`{name}` points to a variable that is no more"))
                }
            },
            Value::Null => fail(FindingKind::NullDereference, format!("`{name}` is null")),
            Value::Outside { .. } => fail(FindingKind::InvalidDereference, format!("`{name}` points to no object")),
            Value::Uninitialised | Value::Scalar(_) | Value::Inexact(..) => {
                fail(FindingKind::UninitialisedPointer, format!("`{name}` has no value"))
            }
        }
    }

    /// The object whose field can be read or written through a variable.
    pub(super) fn object_with(&self, variable: VarId, field: FieldId) -> Step<ObjectId> {
        let object = self.dereference(variable)?;
        let (found, expected) = (self.state.object(object).structure, self.program[field].structure);
        if found != expected {
            let (found, expected) = (&self.program[found].name, &self.program[expected].name);
            return fail(FindingKind::NotAnalysed, format!("an object of `{found}` is used as one of `{expected}`"));
        }
        Ok(object)
    }

    pub(super) fn free(&mut self, variable: VarId) -> Step<()> {
        let name = &self.program[variable].name;
        let invalid = |what: &str| fail(FindingKind::InvalidFree, format!("`{name}` points to {what}"));
        let id = match self.state.value(variable) {
            Value::Null => return Ok(()),
            Value::Object(id) => id,
            Value::Outside { .. } => return invalid("no object"),
            Value::Uninitialised | Value::Scalar(_) | Value::Inexact(..) => {
                return fail(FindingKind::UninitialisedPointer, format!("`{name}` has no value"));
            }
        };
        let object = self.state.object(id);
        let is_first = object.part_of.is_some_and(|(_, field)| self.program[field].position == 0);
        match (object.region, object.status) {
            (Region::Heap, Status::Alive) if is_first => {
                fail(FindingKind::NotAnalysed, format!("`{name}` points to the first part of an object"))
            }
            _ if object.part_of.is_some() => invalid("a part of an object"),
            (Region::Stack, _) => invalid("a local variable"),
            (Region::Static, _) => invalid("a global variable"),
            (Region::Heap, Status::Alive) => {
                self.state.kill(self.program, id, Status::Freed);
                Ok(())
            }
            (Region::Heap, _) => fail(FindingKind::DoubleFree, format!("`{name}` points to an object that was freed")),
        }
    }

    /// The end of a block: its variable dies. It need not have been reached.
    pub(super) fn end_life(&mut self, variable: VarId) -> Step<()> {
        let Value::Object(id) = self.state.value(variable) else { return Ok(()) };
        if self.state.frame().owned.contains(&id) {
            self.state.kill(self.program, id, Status::Dead);
            return Ok(());
        }
        let name = &self.program[variable].name;
        fail(FindingKind::NotAnalysed, format!("`{name}` does not point to a variable of this procedure"))
    }

    /// Marks objects of the heap that nothing leads to any more, and describes them.
    pub(super) fn newly_leaked(&mut self, more: &[Value]) -> Option<String> {
        let reached = self.state.reachable(more);
        let mut leaked = Vec::new();
        for (object, reached) in self.state.objects.iter_mut().zip(reached) {
            let lives = object.region == Region::Heap && object.status == Status::Alive && object.part_of.is_none();
            if lives && !reached && !object.leaked {
                object.leaked = true;
                leaked.push(object.structure);
            }
        }
        let structure = &self.program[*leaked.first()?].name;
        Some(match leaked.len() {
            1 => format!("the last reference to an object of `{structure}` is lost"),
            count => format!("the last references to {count} objects are lost, the first is of `{structure}`"),
        })
    }
}
