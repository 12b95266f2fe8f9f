//! What a translation is asked for, and what it returns.

use trifold_ir::ProcId;
use trifold_source::Span;

/// Where execution starts: at a static method `C.m`, or just `m`, that has an array of strings or nothing as its
/// parameters.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'a> {
    /// At the method of this name; without one the program has no entry.
    Method(&'a str),
    /// Nowhere. The entry of a library initialises the static fields and ends.
    Library,
    /// At the method of this name if there is one, or else nowhere.
    MethodOrLibrary(&'a str),
}

impl<'a> Entry<'a> {
    pub(crate) fn method(self) -> Option<&'a str> {
        match self {
            Entry::Method(name) | Entry::MethodOrLibrary(name) => Some(name),
            Entry::Library => None,
        }
    }
}

/// A method, and what became of it.
#[derive(Clone, Debug)]
pub struct TranslatedMethod {
    /// Its name, with that of its class.
    pub name: String,
    /// All of it.
    pub span: Span,
    /// Its procedure.
    pub procedure: ProcId,
    /// Is it a constructor?
    pub is_constructor: bool,
}
