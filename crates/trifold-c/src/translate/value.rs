//! Values of expressions, as far as they are known, and how the value of a call is used. For example, the value of `p`
//! in `p->next` is a pointer, and that of a struct is the content of a place.

use super::place::Place;
use crate::types::TypeId;
use trifold_ir as ir;
use trifold_ir::VarId;
use trifold_source::Span;

/// The result of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Nothing: it is `void`, or it is not reached.
    Nothing,
    Null,
    Pointer(VarId),
    Scalar(ir::Expr),
    /// Some floating number.
    Float,
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
