//! Floating numbers: scalars that are the bits of `float` and `double`, which only runs know, and other formats, which
//! nobody computes.
//!
//! For example, `x > 1` becomes `t = nondet as float_greater_64(x, 4607182418800017408)`: an analysis goes both ways,
//! and a run just one.

use super::Translator;
use super::layout::{Kind, U64};
use super::value::Value;
use crate::typed::BinaryOperator;
use crate::types::TypeId;
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, FloatOp, Format, Meaning, Operand, Operation, Scalar, Statement};
use trifold_source::Span;

/// The bits of a number in a format.
pub(super) fn float_bits(value: f64, format: Option<Format>) -> i128 {
    match format {
        Some(Format::Single) => (value as f32).to_bits().into(),
        Some(Format::Double) => value.to_bits().into(),
        None => 0,
    }
}

fn operator(operator: BinaryOperator) -> Option<FloatOp> {
    Some(match operator {
        BinaryOperator::Add => FloatOp::Add,
        BinaryOperator::Sub => FloatOp::Subtract,
        BinaryOperator::Mul => FloatOp::Multiply,
        BinaryOperator::Div => FloatOp::Divide,
        BinaryOperator::Less => FloatOp::Less,
        BinaryOperator::Greater => FloatOp::Greater,
        BinaryOperator::LessEqual => FloatOp::LessEqual,
        BinaryOperator::GreaterEqual => FloatOp::GreaterEqual,
        BinaryOperator::Equal => FloatOp::Equal,
        BinaryOperator::NotEqual => FloatOp::NotEqual,
        _ => return None,
    })
}

/// What a function of the C library computes exactly.
fn function(name: &str) -> Option<(FloatOp, Format)> {
    let (name, format) = match name.strip_suffix('f').filter(|short| !short.is_empty()) {
        Some(short) if name != "f" => (short, Format::Single),
        _ => (name, Format::Double),
    };
    let op = match name {
        "sqrt" => FloatOp::SquareRoot,
        "fabs" => FloatOp::Absolute,
        "floor" => FloatOp::Floor,
        "ceil" => FloatOp::Ceiling,
        _ => return None,
    };
    Some((op, format))
}

/// An operation on floats, if the format is one that runs compute.
fn computation(op: FloatOp, format: Option<Format>, operands: Vec<ir::Expr>) -> (Operation, Vec<Operand>) {
    match format {
        Some(format) => (Operation::Float(op, format), operands.into_iter().map(Operand::Scalar).collect()),
        None => (Operation::Unknown(Cause::Float), Vec::new()),
    }
}

impl Translator<'_> {
    /// A value that is computed, in a variable of its own.
    pub(super) fn computed(&mut self, to: Scalar, operation: Operation, of: Vec<Operand>, span: Span) -> ir::Expr {
        let to = self.temporary(ir::Type::Scalar(to), span);
        self.emit(Statement::Nondet { to, range: None, meaning: Meaning::Computed(operation, of) }, span);
        ir::Expr::Variable(to)
    }

    /// Bits or a block that runs compute.
    pub(super) fn bits(&mut self, operation: Operation, of: Vec<Operand>, span: Span) -> ir::Expr {
        let to = self.hidden(span);
        self.emit(Statement::Nondet { to, range: None, meaning: Meaning::Computed(operation, of) }, span);
        ir::Expr::Variable(to)
    }

    /// Some value of a scalar type, which nobody computes.
    pub(super) fn unknown_scalar(&mut self, scalar: Scalar, cause: Cause, span: Span) -> ir::Expr {
        self.computed(scalar, Operation::Unknown(cause), Vec::new(), span)
    }

    /// Some value of a type, which nobody computes.
    pub(super) fn unknown(&mut self, ty: TypeId, cause: Cause, span: Span) -> Value {
        match self.kind(ty) {
            Some(Kind::Scalar(scalar)) => Value::Scalar(self.unknown_scalar(scalar, cause, span)),
            Some(Kind::Float(format)) => Value::Float(self.bits(Operation::Unknown(cause), Vec::new(), span), format),
            _ => self.unsupported(format!("an unknown value of type `{}`", self.c.show(ty)), span),
        }
    }

    /// A constant of a floating type.
    pub(super) fn float(&mut self, value: f64, ty: TypeId, span: Span) -> Value {
        match self.kind(ty) {
            Some(Kind::Float(Some(format))) => {
                Value::Float(ir::Expr::Constant(float_bits(value, Some(format)), U64), Some(format))
            }
            Some(Kind::Float(None)) => self.unknown(ty, Cause::Float, span),
            _ => self.unsupported(format!("a value of type `{}`", self.c.show(ty)), span),
        }
    }

    /// The number that an operation on floats of a format yields.
    pub(super) fn compute_float(
        &mut self,
        op: FloatOp,
        format: Option<Format>,
        operands: Vec<ir::Expr>,
        to: Scalar,
        span: Span,
    ) -> ir::Expr {
        let (operation, operands) = computation(op, format, operands);
        self.computed(to, operation, operands, span)
    }

    /// The float of the format that an operation yields.
    pub(super) fn float_result(
        &mut self,
        op: FloatOp,
        format: Option<Format>,
        operands: Vec<ir::Expr>,
        span: Span,
    ) -> Value {
        let (operation, operands) = computation(op, format, operands);
        Value::Float(self.bits(operation, operands, span), format)
    }

    pub(super) fn float_arithmetic(
        &mut self,
        op: BinaryOperator,
        format: Option<Format>,
        operands: [ir::Expr; 2],
        ty: TypeId,
        span: Span,
    ) -> Value {
        match (operator(op), self.kind(ty)) {
            (Some(op), Some(Kind::Scalar(scalar))) => {
                Value::Scalar(self.compute_float(op, format, operands.into(), scalar, span))
            }
            (Some(op), _) => self.float_result(op, format, operands.into(), span),
            (None, _) => self.unsupported("arithmetic on something that is no number", span),
        }
    }

    /// A number in a format.
    pub(super) fn made_float(&mut self, value: Value, to: Option<Format>, span: Span) -> Value {
        let bits = match value {
            Value::Float(bits, from) if from == to && from.is_some() => bits,
            Value::Float(bits, from) => {
                let (operation, of) = computation(FloatOp::Resize, from.filter(|_| to.is_some()), vec![bits]);
                self.bits(operation, of, span)
            }
            Value::Scalar(number) => {
                let (operation, of) = computation(FloatOp::FromInteger, to, vec![number]);
                self.bits(operation, of, span)
            }
            _ => self.bits(Operation::Unknown(Cause::Float), Vec::new(), span),
        };
        Value::Float(bits, to)
    }

    /// A call of a function of the C library that is computed exactly.
    pub(super) fn float_function(&mut self, name: &str, arguments: &[Value], span: Span) -> Option<Value> {
        let (op, format) = function(name)?;
        match arguments {
            [Value::Float(bits, given)] if *given == Some(format) => {
                Some(self.float_result(op, Some(format), vec![bits.clone()], span))
            }
            _ => None,
        }
    }
}
