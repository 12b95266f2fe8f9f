//! Instances of functions: a function with the known values of its parameters. For example, `xmalloc(size)` with
//! `size` = `sizeof(struct node)` is one, and becomes a procedure of its own.

use crate::typed::DeclarationId;
use crate::types::TypeId;

/// The value of a parameter, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Binding {
    /// A number of bytes, and the type that has this size if the program says it.
    Size(i128, Option<TypeId>),
    /// The address of a function.
    Function(DeclarationId),
}

/// A function, with the known values of its parameters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Instance {
    pub function: DeclarationId,
    /// By the position of the parameter.
    pub bindings: Vec<Option<Binding>>,
}
