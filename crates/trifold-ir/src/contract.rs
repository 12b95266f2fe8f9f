//! Contracts of procedures: the conditions that a call must meet, and those that it can rely on afterwards.
//!
//! A program has them as data. How they are written in comments, and how procedures come to check them, is a pass of
//! `trifold-passes`.

use crate::ids::ProcId;
use crate::operand::Operand;
use crate::statement::Condition;
use trifold_source::Span;

/// What a procedure requires and ensures. Its variables are those of the procedure that stands for it; parameters have
/// the values that they are called with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The procedure that is meant.
    pub of: ProcId,
    /// Is there more of it than the contract? Otherwise it is defined elsewhere.
    pub is_defined: bool,
    /// The preconditions: they must hold when it is called.
    pub requires: Vec<Clause>,
    /// The postconditions: they hold when it returns.
    pub ensures: Vec<Clause>,
    /// The edge that calls it.
    pub call: usize,
}

/// A part of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The promise.
    pub promise: Promise,
    /// As it is written.
    pub text: String,
    /// Where.
    pub span: Span,
    /// The edge that is reached where it does not hold.
    pub error: usize,
}

/// A promise of a contract about memory. All parts of a contract together speak of disjoint parts of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Promise {
    /// A function returns true for memory that the procedure may do anything to, and that nothing else in the contract
    /// speaks of.
    Holds {
        /// The function.
        checker: ProcId,
        /// Its arguments.
        arguments: Vec<Operand>,
    },
    /// A condition on values.
    Condition(Condition),
}
