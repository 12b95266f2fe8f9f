//! Numbers whose values are not kept: floating numbers, elements of large arrays, members of unions.
//!
//! Each time that one is read it is any number. For that it is an uninitialised scalar, which has some value. For
//! example, `x = 0.5; if (x > 1)` goes both ways.

use super::Translator;
use super::layout::{Kind, Slot};
use super::place::Place;
use super::value::Value;
use crate::typed::Expr;
use crate::types::TypeId;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, Operand, Scalar, Statement, VarId};
use trifold_source::Span;

impl<'p> Translator<'p> {
    /// Some value of a scalar type.
    pub(super) fn unknown_scalar(&mut self, scalar: Scalar, span: Span) -> ir::Expr {
        let to = self.temporary(ir::Type::Scalar(scalar), span);
        self.set(to, Operand::Uninitialised, span);
        ir::Expr::Variable(to)
    }

    /// Some value of a type.
    pub(super) fn unknown(&mut self, ty: TypeId, span: Span) -> Value {
        match self.kind(ty) {
            Some(Kind::Scalar(scalar)) => Value::Scalar(self.unknown_scalar(scalar, span)),
            Some(Kind::Float) => Value::Float,
            _ => self.unsupported(format!("an unknown value of type `{}`", self.c.show(ty)), span),
        }
    }

    /// Reads a number that is not kept. The object that it lies in must be there all the same.
    pub(super) fn load_unknown(&mut self, slot: Slot, kind: Kind, object: Option<VarId>, span: Span) -> Value {
        if let (Slot::Field(field), Some(object)) = (slot, object) {
            let to = self.temporary(self.ir[field].ty, span);
            self.emit(Statement::Load { to, object, field }, span);
        }
        match kind {
            Kind::Scalar(scalar) => Value::Scalar(self.unknown_scalar(scalar, span)),
            _ => Value::Float,
        }
    }

    /// Writes a number that is not kept.
    pub(super) fn lose(&mut self, slot: Slot, object: Option<VarId>, span: Span) {
        if let (Slot::Field(field), Some(object)) = (slot, object) {
            self.emit(Statement::Store { object, field, value: Operand::Uninitialised }, span);
        }
    }

    /// The element that an index selects.
    pub(super) fn any_number(&mut self, array: &Place, index: &'p Expr, expr: &'p Expr) -> Place {
        let Some(count) = self.array_length(array.ty) else { return self.no_place("an index", expr) };
        let Value::Scalar(index) = self.value(index, None) else { return self.no_place("an index", expr) };
        let scalar = self.ir.scalar_of(&index).unwrap_or(Scalar::I32);
        let bound = |op, bound: i128| ir::Expr::binary(op, index.clone(), ir::Expr::Constant(bound, scalar));
        let mut within = Vec::new();
        let (low, high) = self.index_range(&index);
        if low < 0 {
            within.push(bound(BinaryOp::GreaterEqual, 0));
        }
        if high >= count.into() {
            within.push(bound(BinaryOp::Less, count.into()));
        }
        for condition in within {
            let outside = self.unless(Condition::Scalar(condition), expr.span);
            let inside = std::mem::replace(&mut self.body.at, outside);
            self.out_of_bounds(expr.ty, expr.span);
            self.body.at = inside;
        }
        self.part(array.clone(), 0, expr.ty, expr.span)
    }
}
