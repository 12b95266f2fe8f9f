//! Calls: procedures on the part of memory that they can come to, with the rest as their frame; calls of checkers;
//! calls of procedures with contracts.

pub(crate) mod checker_calls;
pub(crate) mod contracts;
pub(crate) mod procedures;
