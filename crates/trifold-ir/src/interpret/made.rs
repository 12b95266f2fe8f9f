//! The choices of a run, each with what it decided. For example, the 3 of `i = nondet()` is input, and the 0 of
//! `if (x->data)`, where `data` has never been set, is the value of a field.

use super::state::ObjectId;
use crate::ids::{FieldId, ProcId, VarId};

/// A choice that was made in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MadeChoice {
    /// The choice.
    pub value: i128,
    /// What it decided.
    pub asked: Asked,
    /// The procedure that was running.
    pub procedure: ProcId,
    /// The edge whose statement asked; where a condition asks before an edge is taken, the edge before that.
    pub edge: Option<usize>,
    /// How many states were visited before the one in which it was made.
    pub visit: usize,
}

/// What a choice decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// The value of an open `nondet`: input of the program.
    Input,
    /// Does an allocation fail? 1 means that it does.
    Allocation,
    /// A number that stands for one that is not computed. An exact run goes the same way with any other.
    NotComputed,
    /// The value of a scalar variable that is read before it was set.
    Variable(VarId),
    /// The value of a scalar field that is read before it was set.
    Field(ObjectId, FieldId),
    /// Which edge is taken, of those whose conditions do not exclude each other.
    Way(usize),
    /// Which procedure is called.
    Callee(ProcId),
    /// Does an asserted comparison hold that comes out by chance?
    Outcome(bool),
}
