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
//! enter the procedure at a call: it [takes](trifold_ir::Promise::Holds) the memory of the precondition out and puts
//! that of the postcondition there, and starts an analysis of its own at each procedure that stands for another one.

mod read;
mod resolve;
mod shapes;
mod wrap;

pub use read::{Written, read};
pub use shapes::leads_back;
pub use wrap::{Specified, specify};
