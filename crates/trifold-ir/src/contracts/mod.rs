//! Contracts of procedures: the preconditions that a call must establish, and the postconditions that it can rely on.
//!
//! They are [written](read) in comments, with names of the source language:
//!
//! ```text
//! /*@ requires list(x); ensures list(\result); */
//! ```
//!
//! [`specify`] gives every procedure with a contract another one that stands for it: it checks the precondition, calls
//! the procedure, checks the postcondition, and is called wherever the procedure was. So the interpreter evaluates
//! contracts as everything else, and a domain that does not know about contracts follows them. One that does need not
//! enter the procedure at a call: it [takes](Promise::Holds) the memory of the precondition out and puts that of the
//! postcondition there, and starts an analysis of its own at each procedure that stands for another one.

mod read;
mod resolve;
mod shapes;
mod wrap;

use crate::ids::ProcId;
use crate::statement::{Condition, Operand};
use trifold_source::Span;

pub use read::{Written, read};
pub use shapes::leads_back;
pub use wrap::{Specified, specify};

/// The preconditions and postconditions of a procedure. Its variables are those of the procedure that stands for it;
/// parameters have the values that they are called with.
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
