//! Conditions: expressions that decide where execution goes on. For example, `p && p->d > 0` reads `p->d` only on the
//! edge for `p != 0`.

use super::Translator;
use super::layout::U64;
use super::value::Value;
use crate::library::Special;
use crate::typed::{BinaryOperator, Expr, ExprKind, UnaryOperator};
use crate::types::Type;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, FloatOp, NodeId, Operand, Scalar};
use trifold_source::Span;

impl<'p> Translator<'p> {
    /// A condition that is a full expression.
    pub(super) fn full_condition(&mut self, expr: &'p Expr, yes: NodeId, no: NodeId) {
        let mark = self.mark();
        let ends = [self.node(), self.node()];
        self.condition(expr, ends[0], ends[1]);
        for (end, target) in ends.into_iter().zip([yes, no]) {
            self.body.at = end;
            self.forget_temporaries(mark, expr.span);
            self.jump(target, expr.span);
        }
        self.release(mark, expr.span);
    }

    /// Goes to `yes` if the value is not zero, else to `no`.
    pub(super) fn condition(&mut self, expr: &'p Expr, yes: NodeId, no: NodeId) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::LogicalAnd(left, right) => {
                let both = self.node();
                self.condition(left, both, no);
                self.body.at = both;
                self.condition(right, yes, no);
            }
            ExprKind::LogicalOr(left, right) => {
                let neither = self.node();
                self.condition(left, yes, neither);
                self.body.at = neither;
                self.condition(right, yes, no);
            }
            ExprKind::Unary(UnaryOperator::Not, operand) => self.condition(operand, no, yes),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.condition(second, yes, no);
            }
            ExprKind::Binary(..) if self.check_order(expr) => {}
            ExprKind::Binary(operator, left, right) if self.is_walker(left.ty) || self.is_walker(right.ty) => {
                self.branch_on_walkers((*operator, left, right), yes, no, span);
            }
            ExprKind::Binary(operator, left, right) if self.is_object_pointer(left.ty) => match operator {
                BinaryOperator::Equal | BinaryOperator::NotEqual => {
                    let equal = *operator == BinaryOperator::Equal;
                    if let Some(condition) = self.compare_pointers(equal, left, right, span) {
                        self.fork(condition, yes, no, span);
                    }
                }
                _ => drop(self.unsupported("an order of addresses", span)),
            },
            ExprKind::Convert { operand, .. } if self.keeps_truth(operand, expr) => self.condition(operand, yes, no),
            ExprKind::Call(callee, arguments)
                if self.is_expectation(callee) && !self.is_expectation_with_effects(arguments) =>
            {
                match arguments.first() {
                    Some(first) => self.condition(first, yes, no),
                    None => drop(self.unsupported("a call without arguments", span)),
                }
            }
            ExprKind::Conditional(test, Some(middle), otherwise) => {
                let (first, second) = (self.node(), self.node());
                self.condition(test, first, second);
                self.body.at = first;
                self.condition(middle, yes, no);
                self.body.at = second;
                self.condition(otherwise, yes, no);
            }
            _ => {
                let value = self.value(expr, None);
                self.branch_on(value, yes, no, span);
            }
        }
    }

    fn is_expectation(&self, callee: &Expr) -> bool {
        let row = self.known_function(callee).and_then(|id| self.known.row(id));
        row.is_some_and(|row| row.special == Some(Special::Expect))
    }

    /// Is the converted value zero exactly if the operand is?
    fn keeps_truth(&self, operand: &Expr, expr: &Expr) -> bool {
        let types = &self.c.types;
        let (from, to) = (operand.ty, expr.ty);
        let pointers = types.pointee(from).is_some() && types.pointee(to).is_some();
        let wider = types.is_integer(from) && types.is_integer(to) && types.size(from) <= types.size(to);
        let is_bool = *types.get(to) == Type::Bool && types.is_scalar(from);
        pointers && self.is_object_pointer(from) && self.is_object_pointer(to) || wider || is_bool
    }

    pub(super) fn branch_on(&mut self, value: Value, yes: NodeId, no: NodeId, span: Span) {
        match value {
            Value::Null => self.jump(no, span),
            Value::Pointer(pointer) => {
                let condition =
                    Condition::Pointers { left: Operand::Pointer(pointer), right: Operand::Null, equal: false };
                self.fork(condition, yes, no, span);
            }
            Value::Scalar(value) => match self.truth(value) {
                ir::Expr::Constant(truth, _) => self.jump(if truth != 0 { yes } else { no }, span),
                truth => self.fork(Condition::Scalar(truth), yes, no, span),
            },
            Value::Float(bits, format) => {
                let zero = ir::Expr::Constant(0, U64);
                let truth = self.compute_float(FloatOp::NotEqual, format, vec![bits, zero], Scalar::Bool, span);
                self.fork(Condition::Scalar(truth), yes, no, span);
            }
            Value::Record(place) if self.is_walker(place.ty) => match self.walker(Value::Record(place), span) {
                Some(walker) => self.branch_on(Value::Pointer(walker.buffer), yes, no, span),
                None => drop(self.unsupported("a condition on a pointer", span)),
            },
            Value::Record(_) => drop(self.unsupported("a condition on a struct", span)),
            Value::Nothing => {}
        }
    }

    /// Is a scalar not zero? Comparisons that were made a number become comparisons again.
    pub(super) fn truth(&self, value: ir::Expr) -> ir::Expr {
        match (self.ir.scalar_of(&value), value) {
            (Some(Scalar::Bool), value) => value,
            (_, ir::Expr::Constant(constant, _)) => ir::Expr::Constant((constant != 0).into(), Scalar::Bool),
            (Some(_), ir::Expr::Convert(_, inner)) if self.ir.scalar_of(&inner) == Some(Scalar::Bool) => *inner,
            (scalar, value) => {
                let zero = ir::Expr::Constant(0, scalar.unwrap_or(Scalar::I32));
                ir::Expr::binary(BinaryOp::NotEqual, value, zero)
            }
        }
    }
}
