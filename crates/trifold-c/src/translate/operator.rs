//! Operators on numbers, comparisons of pointers, and assignments with operators. For example, `n += p->d` becomes
//! `t = p->d; n = n + t`.

use super::Translator;
use super::float::float_bits;
use super::layout::{Kind, U64};
use super::member::first_member;
use super::value::Value;
use crate::typed::{BinaryOperator, Expr, UnaryOperator};
use crate::types::{Type, TypeId};
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Cause, Condition, FloatOp, Operand, Scalar, UnaryOp};
use trifold_source::Span;

/// The operator of heap programs that computes the same.
pub(super) fn operator(operator: BinaryOperator) -> BinaryOp {
    match operator {
        BinaryOperator::Mul => BinaryOp::Multiply,
        BinaryOperator::Div => BinaryOp::Divide,
        BinaryOperator::Rem => BinaryOp::Remainder,
        BinaryOperator::Add => BinaryOp::Add,
        BinaryOperator::Sub => BinaryOp::Subtract,
        BinaryOperator::ShiftLeft => BinaryOp::ShiftLeft,
        BinaryOperator::ShiftRight => BinaryOp::ShiftRight,
        BinaryOperator::Less => BinaryOp::Less,
        BinaryOperator::Greater => BinaryOp::Greater,
        BinaryOperator::LessEqual => BinaryOp::LessEqual,
        BinaryOperator::GreaterEqual => BinaryOp::GreaterEqual,
        BinaryOperator::Equal => BinaryOp::Equal,
        BinaryOperator::NotEqual => BinaryOp::NotEqual,
        BinaryOperator::BitAnd => BinaryOp::And,
        BinaryOperator::BitXor => BinaryOp::Xor,
        BinaryOperator::BitOr => BinaryOp::Or,
    }
}

impl<'p> Translator<'p> {
    /// A scalar in another type; constants are converted at once.
    pub(super) fn converted(&self, value: ir::Expr, to: Scalar) -> ir::Expr {
        match (self.ir.scalar_of(&value), &value) {
            (Some(from), _) if from == to => value,
            (_, ir::Expr::Constant(constant, _)) => ir::Expr::Constant(to.convert(*constant), to),
            _ => ir::Expr::Convert(to, Box::new(value)),
        }
    }

    pub(super) fn unary(&mut self, operator: UnaryOperator, operand: &'p Expr, expr: &'p Expr) -> Value {
        let op = match operator {
            UnaryOperator::Not => return self.negation(operand, expr),
            UnaryOperator::Minus => UnaryOp::Negate,
            UnaryOperator::BitNot => UnaryOp::Complement,
            UnaryOperator::Real | UnaryOperator::Imag => return self.unsupported("a complex number", expr.span),
        };
        let span = expr.span;
        match self.value(operand, None) {
            Value::Scalar(value) => match (&value, self.ir.scalar_of(&value)) {
                (ir::Expr::Constant(constant, scalar), _) => {
                    Value::Scalar(ir::Expr::Constant(op.apply(*scalar, *constant), *scalar))
                }
                (_, Some(Scalar::Bool)) => self.unsupported("arithmetic on a truth value", expr.span),
                _ => Value::Scalar(ir::Expr::unary(op, value)),
            },
            Value::Float(bits, format) => self.float_result(FloatOp::Negate, format, vec![bits], span),
            Value::Nothing => Value::Nothing,
            _ => self.unsupported("arithmetic on something that is no number", expr.span),
        }
    }

    /// `!operand`
    fn negation(&mut self, operand: &'p Expr, expr: &'p Expr) -> Value {
        if !self.c.types.is_integer(operand.ty) {
            return self.truth_value(expr, None);
        }
        match self.value(operand, None) {
            Value::Scalar(value) => match Condition::Scalar(self.truth(value)).negated() {
                Condition::Scalar(truth) => Value::Scalar(self.converted(truth, Scalar::I32)),
                Condition::Pointers { .. } => Value::Nothing,
            },
            other => other,
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &'p Expr,
        right: &'p Expr,
        expr: &'p Expr,
    ) -> Value {
        if self.is_object_pointer(left.ty) {
            return self.truth_value(expr, None);
        }
        let left = self.value(left, None);
        let right = self.value(right, None);
        self.arithmetic(operator, left, right, expr.ty, expr.span)
    }

    pub(super) fn is_object_pointer(&self, ty: TypeId) -> bool {
        let to = self.c.types.pointee(ty);
        to.is_some_and(|to| !matches!(self.c.types.get(to), Type::Function(_)))
    }

    fn arithmetic(&mut self, op: BinaryOperator, left: Value, right: Value, ty: TypeId, span: Span) -> Value {
        match (left, right) {
            (Value::Nothing, _) | (_, Value::Nothing) => Value::Nothing,
            (Value::Float(left, format), Value::Float(right, _)) => {
                self.float_arithmetic(op, format, [left, right], ty, span)
            }
            (Value::Float(..), _) | (_, Value::Float(..)) => self.unknown(ty, Cause::Float, span),
            (Value::Scalar(left), Value::Scalar(right)) => {
                let scalar = self.ir.scalar_of(&left).unwrap_or(Scalar::I32);
                let right = self.converted(right, scalar);
                let op = operator(op);
                if scalar == Scalar::Bool && !op.is_logical() {
                    return self.unsupported("arithmetic on a truth value", span);
                }
                if let (ir::Expr::Constant(a, _), ir::Expr::Constant(b, _)) = (&left, &right)
                    && let Ok(constant) = op.apply(scalar, *a, *b)
                {
                    let constant = ir::Expr::Constant(constant, op.result(scalar));
                    return self.as_type(constant, ty);
                }
                self.as_type(ir::Expr::binary(op, left, right), ty)
            }
            _ => self.unsupported("arithmetic on something that is no number", span),
        }
    }

    /// The result of an operator in its C type: a comparison is an `int` there.
    fn as_type(&mut self, value: ir::Expr, ty: TypeId) -> Value {
        match self.kind(ty) {
            Some(Kind::Scalar(scalar)) => Value::Scalar(self.converted(value, scalar)),
            _ => Value::Scalar(value),
        }
    }

    /// Are two pointers the same?
    pub(super) fn compare_pointers(
        &mut self,
        equal: bool,
        left: &'p Expr,
        right: &'p Expr,
        span: Span,
    ) -> Option<Condition> {
        let (left, right) = (self.uncast(left), self.uncast(right));
        if self.may_be_first_part(left, right) {
            self.unsupported("a comparison of a struct's address with that of its first member", span);
            return None;
        }
        let is_null = |expr: &Expr| self.constants().pointer(expr).is_some();
        let is_string = |expr: &Expr| self.c.types.pointee(expr.ty).is_some_and(|ty| self.may_be_string(ty));
        if !is_null(left) && !is_null(right) && is_string(left) && is_string(right) {
            self.unsupported("a comparison of pointers to strings, of which equal ones may be one", span);
            return None;
        }
        let left = self.pointer_operand(left)?;
        let right = self.pointer_operand(right)?;
        Some(Condition::Pointers { left, right, equal })
    }

    fn pointer_operand(&mut self, expr: &'p Expr) -> Option<Operand> {
        match self.value(expr, None) {
            Value::Null => Some(Operand::Null),
            Value::Pointer(pointer) => Some(Operand::Pointer(pointer)),
            Value::Nothing => None,
            _ => {
                self.unsupported("a comparison of a pointer with a number", expr.span);
                None
            }
        }
    }

    /// Could the pointers lead to a struct and its first member? Those have the same address, but are different objects
    /// here.
    fn may_be_first_part(&mut self, left: &Expr, right: &Expr) -> bool {
        if self.constants().pointer(left).is_some() || self.constants().pointer(right).is_some() {
            return false;
        }
        let types = &self.c.types;
        let (Some(left), Some(right)) = (types.pointee(left.ty), types.pointee(right.ty)) else { return false };
        let is_void = |ty| *types.get(ty) == Type::Void;
        match (is_void(left), is_void(right)) {
            (true, _) | (_, true) => self.void_may_be_first_part(),
            _ if types.compatible(left, right, false) => false,
            _ => first_member(types, left, right).is_some(),
        }
    }

    /// Can a `void *` point to a first member?
    pub(super) fn void_may_be_first_part(&self) -> bool {
        let types = &self.c.types;
        let mut first_parts = self.survey.first_parts(self.c);
        first_parts.any(|part| self.survey.made_void.iter().any(|made| types.compatible(*made, part, false)))
    }

    pub(super) fn compound_assign(
        &mut self,
        operator: BinaryOperator,
        place: &'p Expr,
        value: &'p Expr,
        computed: TypeId,
        expr: &'p Expr,
    ) -> Value {
        let span = expr.span;
        if self.is_walker(place.ty) {
            return self.walk(place, Some(value), operator == BinaryOperator::Sub, false, span);
        }
        if self.is_object_pointer(place.ty) {
            return self.unsupported("pointer arithmetic", span);
        }
        let ty = place.ty;
        self.check_written(place);
        let place = self.place(place);
        let right = self.value(value, None);
        let old = self.load(place.clone(), None, span);
        let old = self.converted_value(old, ty, computed, span);
        let result = self.arithmetic(operator, old, right, computed, span);
        let result = self.converted_value(result, computed, ty, span);
        self.stored(&place, result, ty, span)
    }

    pub(super) fn increment(&mut self, place: &'p Expr, decrement: bool, postfix: bool, expr: &'p Expr) -> Value {
        let span = expr.span;
        if self.is_walker(place.ty) {
            return self.walk(place, None, decrement, postfix, span);
        }
        if self.is_object_pointer(place.ty) {
            return self.unsupported("pointer arithmetic", span);
        }
        let ty = place.ty;
        self.check_written(place);
        let place = self.place(place);
        let old = self.load(place.clone(), None, span);
        let old = if postfix { self.kept(old, ty, span) } else { old };
        let (value, scalar) = match (&old, self.kind(ty)) {
            (Value::Scalar(value), Some(Kind::Scalar(scalar))) => (self.converted(value.clone(), scalar), scalar),
            (Value::Float(bits, format), _) => {
                let op = if decrement { FloatOp::Subtract } else { FloatOp::Add };
                let one = ir::Expr::Constant(float_bits(1.0, *format), U64);
                let new = self.float_result(op, *format, vec![bits.clone(), one], span);
                let new = self.stored(&place, new, ty, span);
                return if postfix { old } else { new };
            }
            (Value::Nothing, _) => return Value::Nothing,
            _ => return self.unsupported("an increment of something that is no number", span),
        };
        let result = match scalar {
            // Adding to a truth value makes it true, subtracting turns it around.
            Scalar::Bool if decrement => ir::Expr::unary(UnaryOp::Complement, value),
            Scalar::Bool => ir::Expr::Constant(1, scalar),
            Scalar::Int { .. } => {
                let op = if decrement { BinaryOp::Subtract } else { BinaryOp::Add };
                let one = ir::Expr::Constant(1, if scalar.contains(1) { scalar } else { Scalar::I32 });
                let value = self.converted(value, if scalar.contains(1) { scalar } else { Scalar::I32 });
                self.converted(ir::Expr::binary(op, value, one), scalar)
            }
        };
        let new = self.stored(&place, Value::Scalar(result), ty, span);
        if postfix { old } else { new }
    }
}
