//! Conditions of jumps. For example, `lcmp; ifle` is the one comparison of two long numbers.

use super::Translator;
use super::block::Known;
use super::number::comparison;
use super::value::Sym;
use crate::class::Comparison;
use trifold_ir::{BinaryOp, Builder, Condition, Expr, Operand, Scalar, Statement, Type, VarId};

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

    /// The number of the class of an object.
    fn class_of(&mut self, object: VarId) -> Option<Expr> {
        let structure = self.ir[object].ty.target()?;
        let group = self.structs.iter().find(|(_, known)| **known == structure).map(|(group, _)| group.clone())?;
        let Some(field) = self.tags.get(&group).copied() else {
            // Without a field for it, objects are of one class.
            let in_group = |class: &&String| self.groups.group(self.reach, class) == group;
            let mut classes = self.reach.made.iter().filter(in_group);
            let (only, others) = (classes.next()?, classes.next());
            return others.is_none().then(|| Expr::int(self.class_number(only) as i32));
        };
        let (number, span) = (self.temporary(Type::Scalar(Scalar::I32)), self.span());
        self.emit(Statement::Load { to: number, object, field }, span);
        Some(Expr::Variable(number))
    }

    /// Are two references the same, or not?
    pub(super) fn same(&mut self, left: Sym, right: Sym, equal: bool) -> Known {
        let known = |holds: bool| if holds == equal { Known::Always } else { Known::Never };
        if let (Sym::ClassOf(left), Sym::ClassOf(right)) = (&left, &right) {
            let (left, right) = (self.class_of(*left), self.class_of(*right));
            let by = if equal { BinaryOp::Equal } else { BinaryOp::NotEqual };
            return match (left, right) {
                (Some(left), Some(right)) => Known::If(Condition::Scalar(Expr::binary(by, left, right))),
                _ => {
                    self.unsupported("a comparison of classes");
                    Known::Never
                }
            };
        }
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
