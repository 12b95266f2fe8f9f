//! TVS, the text format of structures [LevAmi00 §C.6]: reading and writing.
//!
//! ```text
//! %n = {u0, u}
//! %p = {
//!   sm = {u:1/2}
//!   x = {u0}
//!   n = {u0->u:1/2, u->u:1/2}
//! }
//! ```
//!
//! A tuple without a value is 1, a tuple that is not listed is 0; but `ac` is 1 unless listed (`inac`, a name that
//! other tools use for it, means the same). The output of an analysis groups structures as `%location name = { … }` and
//! puts `%message "…"` before those that a message is about; both can be read back.

mod definitions;
mod infer;
mod parse;
mod read;
mod write;

#[cfg(test)]
mod tests;

pub use infer::{infer_vocabulary, read_structures_alone};
pub use read::{NamedStructure, StructureFile, read_structures};
pub use write::{LocationStructures, write_locations, write_structure};

use crate::ast::{Ident, Name};
use std::sync::Arc;
use trifold_logic::Kleene;
use trifold_source::Span;

/// A structure as it is written.
#[derive(Debug)]
struct StructureText {
    location: Option<Arc<str>>,
    messages: Vec<Arc<str>>,
    individuals: Vec<Ident>,
    entries: Vec<Entry>,
    span: Span,
}

/// The values of one predicate.
#[derive(Debug)]
struct Entry {
    predicate: Name,
    values: Values,
    span: Span,
}

#[derive(Debug)]
enum Values {
    /// `p = 1/2`.
    Nullary(Kleene),
    /// `p = {…}`.
    Listed(Vec<Tuple>),
}

/// `u:1/2` or `u->w`.
#[derive(Debug)]
struct Tuple {
    individuals: Vec<Ident>,
    value: Kleene,
    span: Span,
}
