//! Conversions between numbers, and between numbers and pointers. For example, `(char)i` keeps the last eight bits of
//! `i`, and `(struct node *)0` is NULL.

use super::Translator;
use super::layout::Kind;
use super::member::container_of;
use super::text::CONSTANT;
use super::value::Value;
use crate::typed::{Expr, ExprKind};
use crate::types::{Type, TypeId};
use trifold_ir as ir;
use trifold_ir::{Builder, FloatOp, Scalar, VarId};
use trifold_source::Span;

impl<'p> Translator<'p> {
    /// The value of `operand` in the type of `expr`.
    pub(super) fn convert(&mut self, expr: &'p Expr, operand: &'p Expr, hint: Option<VarId>) -> Value {
        let span = expr.span;
        if *self.c.types.get(expr.ty) == Type::Void {
            self.effect(operand);
            return Value::Nothing;
        }
        if self.exposes_constant(operand.ty, expr.ty) {
            return self.unsupported(CONSTANT, span);
        }
        // A number that becomes an address in the end.
        if let Some(address) = self.constants().pointer(expr) {
            return self.number(address, expr.ty, span);
        }
        if let Some(container) = container_of(self.constants(), expr) {
            let value = self.value(container.pointer, None);
            return self.owner(value, container.record, &container.path, hint, span);
        }
        // What is allocated depends on the type of the pointer that gets it.
        let value = match &operand.kind {
            ExprKind::Call(callee, arguments) if self.c.types.pointee(expr.ty).is_some() => {
                self.call_for(callee, arguments, operand, Some(expr.ty), hint, true)
            }
            _ => {
                let is_pointer = self.is_object_pointer(expr.ty) && self.is_object_pointer(operand.ty);
                self.value(operand, hint.filter(|_| is_pointer))
            }
        };
        match (self.is_object_pointer(operand.ty), self.is_object_pointer(expr.ty)) {
            (true, true) => self.convert_pointer(value, operand.ty, expr.ty, hint, span),
            _ => self.converted_value(value, operand.ty, expr.ty, span),
        }
    }

    /// A value that is no pointer to an object, or becomes none.
    pub(super) fn converted_value(&mut self, value: Value, from: TypeId, to: TypeId, span: Span) -> Value {
        if self.is_object_pointer(from) && self.is_object_pointer(to) && (self.is_walker(from) || self.is_walker(to)) {
            return self.convert_pointer(value, from, to, None, span);
        }
        if let Value::Record(place) = &value
            && self.is_walker(place.ty)
            && let Some(walker) = self.walker(value.clone(), span)
            && *self.c.types.get(to) == Type::Bool
        {
            return self.converted_value(Value::Pointer(walker.buffer), from, to, span);
        }
        let (from_kind, to_kind) = (self.kind(from), self.kind(to));
        match (value, to_kind) {
            (Value::Nothing, _) => Value::Nothing,
            (value, Some(Kind::Float(format))) => self.made_float(value, format, span),
            (Value::Float(bits, format), Some(Kind::Scalar(scalar))) => {
                Value::Scalar(self.compute_float(FloatOp::ToInteger, format, vec![bits], scalar, span))
            }
            (Value::Scalar(value), Some(Kind::Scalar(Scalar::Bool))) => {
                let truth = self.truth(value);
                Value::Scalar(truth)
            }
            (Value::Scalar(value), Some(Kind::Scalar(scalar))) if from_kind != Some(Kind::Function) => {
                Value::Scalar(self.converted(value, scalar))
            }
            (Value::Scalar(value), Some(Kind::Function)) if from_kind == Some(Kind::Function) => Value::Scalar(value),
            (Value::Null, Some(Kind::Scalar(scalar))) => Value::Scalar(ir::Expr::Constant(0, scalar)),
            (Value::Null, Some(kind)) => self.zero(kind),
            (value @ Value::Pointer(_), Some(Kind::Scalar(Scalar::Bool))) => {
                let place = self.fresh(to, None, span);
                let (yes, no, end) = (self.node(), self.node(), self.node());
                self.branch_on(value, yes, no, span);
                for (node, truth) in [(yes, 1), (no, 0)] {
                    self.body.at = node;
                    self.store(&place, Value::Scalar(ir::Expr::Constant(truth, Scalar::Bool)), span);
                    self.jump(end, span);
                }
                self.body.at = end;
                self.load(place, None, span)
            }
            (value @ Value::Record(_), None) => value,
            (Value::Pointer(pointer), Some(Kind::Pointer(_))) if from == to => Value::Pointer(pointer),
            (value @ Value::Pointer(_), Some(Kind::Pointer(_))) => self.convert_pointer(value, from, to, None, span),
            _ => {
                let text = format!("a conversion from `{}` to `{}`", self.c.show(from), self.c.show(to));
                self.unsupported(text, span)
            }
        }
    }
}
