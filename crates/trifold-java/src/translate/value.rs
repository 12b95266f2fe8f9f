//! Values of expressions, as far as they are known. For example, the value of `a.n` is a reference, and that of `1 + 2`
//! a number.

use crate::types::Type;
use trifold_ir as ir;
use trifold_ir::{Operand, Scalar, VarId};

/// The value of an expression, as far as it is known.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// There is none: a method without result, or a place that is not reached.
    Nothing,
    Scalar(ir::Expr, Type),
    Reference(Operand, Type),
    /// A floating number.
    Floating(Type),
}

impl Value {
    /// The value of a variable.
    pub fn of_variable(variable: VarId, ty: Type) -> Value {
        match ty.is_reference() {
            true => Value::Reference(Operand::Pointer(variable), ty),
            false => Value::Scalar(ir::Expr::Variable(variable), ty),
        }
    }

    pub fn ty(&self) -> Type {
        match self {
            Value::Nothing => Type::Void,
            Value::Scalar(_, ty) | Value::Reference(_, ty) | Value::Floating(ty) => *ty,
        }
    }

    pub fn operand(&self) -> Option<Operand> {
        match self {
            Value::Scalar(expr, _) => Some(Operand::Scalar(expr.clone())),
            Value::Reference(operand, _) => Some(operand.clone()),
            Value::Floating(_) | Value::Nothing => None,
        }
    }
}

pub(super) fn constant(value: i128, scalar: Scalar) -> ir::Expr {
    ir::Expr::Constant(value, scalar)
}
