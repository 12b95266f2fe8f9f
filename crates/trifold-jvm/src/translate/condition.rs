//! Conditions of jumps. For example, `lcmp; ifle` is the one comparison of two long numbers.

use super::Translator;
use super::block::Known;
use super::number::comparison;
use super::value::Sym;
use crate::class::Comparison;
use trifold_ir::{Condition, Expr, Operand, Scalar, Type};

impl Translator<'_> {
    pub(super) fn compared_with_zero(&mut self, by: Comparison, value: Sym) -> Known {
        let expr = match value {
            Sym::Number(expr) => expr,
            order => {
                let expr = self.ordered(by, order);
                return Known::If(Condition::Scalar(expr));
            }
        };
        if let Expr::Constant(value, _) = expr {
            let holds = comparison(by).apply(Scalar::I32, value, 0) == Ok(1);
            return if holds { Known::Always } else { Known::Never };
        }
        let is_truth = self.ir.scalar_of(&expr) == Some(Scalar::Bool);
        Known::If(Condition::Scalar(match (is_truth, by) {
            (true, Comparison::NotEqual) => expr,
            (true, Comparison::Equal) => Self::not(expr),
            _ => {
                let number = self.number(Sym::Number(expr));
                Expr::binary(comparison(by), number, Expr::int(0))
            }
        }))
    }

    pub(super) fn compared(&mut self, by: Comparison, left: Sym, right: Sym) -> Known {
        let is_truth = |this: &Self, sym: &Sym| match sym {
            Sym::Number(expr) => this.ir.scalar_of(expr) == Some(Scalar::Bool),
            _ => false,
        };
        let is_equality = matches!(by, Comparison::Equal | Comparison::NotEqual);
        let (left, right) = match is_equality && is_truth(self, &left) && is_truth(self, &right) {
            true => (self.truth(left), self.truth(right)),
            false => (self.number(left), self.number(right)),
        };
        Known::If(Condition::Scalar(Expr::binary(comparison(by), left, right)))
    }

    /// Are two references the same, or not?
    pub(super) fn same(&mut self, left: Sym, right: Sym, equal: bool) -> Known {
        let known = |holds: bool| if holds == equal { Known::Always } else { Known::Never };
        match (&left, &right) {
            (Sym::Null, Sym::Null) => return known(true),
            (Sym::Pointer { is_object: true, .. } | Sym::Opaque(_) | Sym::Text(_), Sym::Null)
            | (Sym::Null, Sym::Pointer { is_object: true, .. } | Sym::Opaque(_) | Sym::Text(_)) => return known(false),
            _ => {}
        }
        let (left, right) = (self.operand(left, Type::Pointer(None)), self.operand(right, Type::Pointer(None)));
        let (Operand::Pointer(_) | Operand::Null, Operand::Pointer(_) | Operand::Null) = (&left, &right) else {
            return known(false);
        };
        Known::If(Condition::Pointers { left, right, equal })
    }
}
