//! The built-in decision procedure: is there a store that a structure represents and that satisfies a theory?
//!
//! Queries are grounded over finitely many individuals, the slots of a [`frame`], and given to a SAT solver. For
//! formulas of the form `E(v…) A(w…) φ` the individuals that witness the `E` are enough, so that both answers are
//! final: this is the small-model property of the class of Bernays and Schönfinkel. For other formulas both answers are
//! still proofs: a model is a store, and a contradiction was found among consequences of the query. But it may happen
//! that neither comes within the limits; then the answer is [`Answer::Undecided`], with the formula at fault. For
//! example, `E(v) x(v) & A(w) !n(v,w)` needs a single slot for `v`, and the SAT solver decides it.

mod decide;
mod frame;
mod grounder;
mod outside;
mod reach;

pub(crate) use decide::decide;
pub use decide::{BuiltIn, Limits};

use crate::sat::Lit;
use frame::Slot;
use trifold_structure::Individual;

/// A literal for "there are witnesses outside of the slots".
#[derive(Clone, Debug)]
struct Deferral {
    lit: Lit,
    key: Key,
    /// The images that they may have: for each witness, none when it is in a slot in any case.
    outside: Vec<Vec<Individual>>,
}

/// The existential block of a deferral. It is settled once there are slots for its witnesses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    /// An existential block, with the slots of the variables around it.
    Block(usize, Vec<Slot>),
    /// A requirement of the query.
    Requirement(usize),
    /// The only step of a relation out of a slot, or into it.
    Neighbour { relation: usize, parameters: Vec<Slot>, slot: Slot, forward: bool },
    /// The last step of a path between two slots.
    LastStep { relation: usize, parameters: Vec<Slot>, start: Slot, end: Slot },
    /// A path of any length, for which no number of slots is enough.
    Cut,
}
