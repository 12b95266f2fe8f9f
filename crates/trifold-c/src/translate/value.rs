//! Values: the results of expressions, and how they are used. For example, the value of `p->next == q` is a number, and
//! that of `*p` is the content of a place.

use super::place::Place;
use crate::types::TypeId;
use trifold_ir as ir;
use trifold_ir::{Format, VarId};
use trifold_source::Span;

/// The result of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Nothing: it is `void`, or it is not reached.
    Nothing,
    Null,
    Pointer(VarId),
    Scalar(ir::Expr),
    /// The bits of a floating number, of a format that runs compute or of another one.
    Float(ir::Expr, Option<Format>),
    /// The content of this place.
    Record(Place),
}

/// How a call is used.
#[derive(Clone, Copy)]
pub(super) struct Use {
    /// The pointer type that the result becomes.
    pub expected: Option<TypeId>,
    pub hint: Option<VarId>,
    /// Is the result used at all?
    pub used: bool,
    pub ty: TypeId,
    pub span: Span,
}
