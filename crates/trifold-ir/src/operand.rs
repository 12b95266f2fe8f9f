//! Operands: the values that statements assign, pass and compare. For example, `x + 1` is an expression over a scalar
//! variable, and an operand.

use crate::ids::VarId;
use crate::scalar::{BinaryOp, Scalar, UnaryOp};

/// An expression over scalars. It has no effects, and reads nothing but variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant; the value is one of the type's.
    Constant(i128, Scalar),
    /// A scalar variable.
    Variable(VarId),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands of the same type.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A conversion to another type.
    Convert(Scalar, Box<Expr>),
}

impl Expr {
    /// An `int` constant.
    pub fn int(value: i32) -> Expr {
        Expr::Constant(value.into(), Scalar::I32)
    }

    /// `left op right`.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    /// `op operand`.
    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        Expr::Unary(op, Box::new(operand))
    }

    /// Calls `visit` with every variable that is read.
    pub fn for_each_variable(&self, visit: &mut dyn FnMut(VarId)) {
        match self {
            Expr::Constant(..) => {}
            Expr::Variable(variable) => visit(*variable),
            Expr::Unary(_, operand) | Expr::Convert(_, operand) => operand.for_each_variable(visit),
            Expr::Binary(_, left, right) => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
        }
    }
}

/// A value that is assigned, passed or compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// The null pointer.
    Null,
    /// The value of a pointer variable.
    Pointer(VarId),
    /// The value of an expression.
    Scalar(Expr),
    /// Nothing: the variable or field is no longer initialised, as a variable that goes out of scope.
    ///
    /// An uninitialised pointer may be copied, but not dereferenced, compared or freed. An uninitialised scalar has
    /// some value, that is settled when it is first read.
    Uninitialised,
}

impl Operand {
    /// Calls `visit` with every variable that is read.
    pub fn for_each_variable(&self, visit: &mut dyn FnMut(VarId)) {
        match self {
            Operand::Null | Operand::Uninitialised => {}
            Operand::Pointer(variable) => visit(*variable),
            Operand::Scalar(expr) => expr.for_each_variable(visit),
        }
    }
}
