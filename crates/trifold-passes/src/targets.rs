//! Targets of pointers: objects and their parts.
//!
//! To the interpreter, a part of an object is an object of its own. To the analysis it is a place in the whole:
//! individuals are whole objects, and a pointer is to an individual, at a [`Path`] of embedded fields. Mostly the
//! struct of the object decides the path. For example, a pointer to a list's element points to the whole of it, and a
//! pointer to a pointer points to its `next`. Where there are several possibilities, predicates tell them apart.
//!
//! That makes structures small: a list whose elements are linked by embedded parts has as many individuals as one whose
//! elements are not.

use trifold_ir::{FieldId, Program, StructId};

/// The way from the beginning of an object to one of its parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Path {
    /// The embedded fields, from the outside to the inside.
    pub fields: Vec<FieldId>,
    /// Then back to the beginning of the container whose field the reached part would be, although there is none: see
    /// `owner` statements.
    pub before: Option<FieldId>,
}

/// The objects of a struct, or a place in them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    /// The struct of the whole object.
    pub whole: StructId,
    /// The way to the place.
    pub path: Path,
}

/// A field of the objects of a struct, or of their parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Slot {
    /// The struct of the whole object.
    pub whole: StructId,
    /// The embedded fields that lead to the part.
    pub path: Vec<FieldId>,
    /// The field, which is not embedded.
    pub field: FieldId,
}

impl Target {
    /// The beginning of an object.
    pub fn whole(whole: StructId) -> Target {
        Target { whole, path: Path::default() }
    }

    /// The struct of the part that is there; `None` if no object is there.
    pub fn structure(&self, program: &Program) -> Option<StructId> {
        match (self.path.before, self.path.fields.last()) {
            (Some(_), _) => None,
            (None, Some(last)) => program[*last].ty.target(),
            (None, None) => Some(self.whole),
        }
    }

    /// The part that an embedded field leads to. From a target before a part, its field leads to the part.
    pub fn part(&self, program: &Program, field: FieldId) -> Option<Target> {
        let mut target = self.clone();
        if target.path.before == Some(field) {
            target.path.before = None;
            return Some(target);
        }
        target.path.fields.push(field);
        (self.structure(program) == Some(program[field].structure)).then_some(target)
    }

    /// The container of which the target is the part `field`, or where it would be.
    pub fn owner(&self, field: FieldId) -> Option<Target> {
        let mut target = self.clone();
        if target.path.before.is_some() {
            return None;
        }
        match target.path.fields.last() {
            Some(last) if *last == field => drop(target.path.fields.pop()),
            _ => target.path.before = Some(field),
        }
        Some(target)
    }

    /// A field of the part that is there.
    pub fn slot(&self, program: &Program, field: FieldId) -> Option<Slot> {
        let slot = || Slot { whole: self.whole, path: self.path.fields.clone(), field };
        (self.structure(program) == Some(program[field].structure)).then(slot)
    }

    /// Is it the beginning of an object?
    pub fn is_whole(&self) -> bool {
        self.path == Path::default()
    }

    /// Is it the first part of its container, with the same address?
    pub fn is_first_part(&self, program: &Program) -> bool {
        self.path.before.is_none() && self.path.fields.last().is_some_and(|field| program[*field].position == 0)
    }
}

/// All slots of a struct and of its parts.
pub fn slots(program: &Program, whole: StructId) -> Vec<Slot> {
    let mut found = Vec::new();
    let mut open = vec![(whole, Vec::new())];
    while let Some((structure, path)) = open.pop() {
        for field in &program[structure].fields {
            match program[*field].ty.target().filter(|_| program[*field].embedded) {
                Some(part) => open.push((part, [path.clone(), vec![*field]].concat())),
                None => found.push(Slot { whole, path: path.clone(), field: *field }),
            }
        }
    }
    found.sort();
    found
}
