//! Conversions: values of places, pointers for arrays, changes of type. For example, in `long l = i` the value of `i`
//! is loaded and converted to `long`.

use super::Sema;
use crate::typed::{BinaryOperator, DeclarationKind, Expr, ExprKind, StmtKind};
use crate::types::{Type, TypeId, Types};
use trifold_source::Span;

impl Sema<'_> {
    /// Does the expression stand for an object?
    pub(super) fn is_place(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(id) => {
                matches!(self.declarations[id.index()].kind, DeclarationKind::Variable(_) | DeclarationKind::Parameter)
            }
            ExprKind::Deref(_) | ExprKind::CompoundLiteral(..) | ExprKind::String(_) => true,
            // An element of a vector that is a value is no place, but its vector has been loaded.
            ExprKind::Index(pointer, _) => self.types.pointee(pointer.ty).is_some() || is_loaded(pointer),
            ExprKind::Member(base, _) => self.is_place(base),
            ExprKind::Unary(crate::typed::UnaryOperator::Real | crate::typed::UnaryOperator::Imag, operand) => {
                self.is_place(operand)
            }
            _ => false,
        }
    }

    /// The value of an expression [C11 6.3.2.1].
    pub(super) fn valued(&mut self, expr: Expr) -> Expr {
        let span = expr.span;
        match *self.types.get(expr.ty) {
            Type::Array(element, _) => {
                let ty = self.types.pointer(element);
                Expr { kind: ExprKind::Decay(Box::new(expr)), ty, span }
            }
            Type::Function(_) => {
                let ty = self.types.pointer(expr.ty);
                Expr { kind: ExprKind::Decay(Box::new(expr)), ty, span }
            }
            // Of `*p` with a `void *p` only the address could be used.
            Type::Void => expr,
            _ if self.types.is_incomplete(expr.ty) => {
                let message = format!("the members of `{}` are not known", self.show(expr.ty));
                self.error("incomplete-type", span, message);
                self.broken(span)
            }
            _ if self.is_place(&expr) => {
                let ty = self.types.unqualified(expr.ty);
                Expr { kind: ExprKind::Load(Box::new(expr)), ty, span }
            }
            _ => Expr { ty: self.types.unqualified(expr.ty), ..expr },
        }
    }

    /// The width of the bit-field that an expression is or was loaded from.
    pub(super) fn bit_width(&self, expr: &Expr) -> Option<u32> {
        match &expr.kind {
            ExprKind::Load(place) => self.bit_width(place),
            ExprKind::Member(base, index) => match self.types.get(base.ty) {
                Type::Record(id) => {
                    let members = self.types.record(*id).members.as_deref()?;
                    members.get(*index)?.bits.map(|bits| bits.width)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The width of the bit-field that a value is of, in expressions that keep the type of a bit-field in GNU C.
    pub(super) fn value_width(&self, expr: &Expr) -> Option<u32> {
        match &expr.kind {
            ExprKind::Assign(place, _) | ExprKind::CompoundAssign { place, .. } | ExprKind::Increment { place, .. } => {
                self.bit_width(place)
            }
            ExprKind::Comma(_, last) => self.value_width(last),
            ExprKind::Statements(block) => match &block.statements.last()?.kind {
                StmtKind::Expr(last) => self.value_width(last),
                _ => None,
            },
            _ => self.bit_width(expr),
        }
    }

    /// Is it a value of a bit-field, of which compilers disagree whether it has the type of the member?
    pub(super) fn has_bit_field_type(&self, expr: &Expr) -> bool {
        let bits = self.types.size(expr.ty).map(|size| size * 8);
        self.value_width(expr).is_some_and(|width| Some(u64::from(width)) != bits)
    }

    /// Is it a value of a bit-field that is wider than an `int`? Such a value has the width of its bit-field in GNU C,
    /// and that of its type elsewhere.
    fn is_wide(&self, expr: &Expr) -> bool {
        let bits = self.types.size(expr.ty).map(|size| size * 8);
        self.value_width(expr).is_some_and(|width| width > 32 && Some(u64::from(width)) != bits)
    }

    /// Does the result of an operator depend on the width that a compiler gives a wide bit-field?
    pub(super) fn depends_on_width(&self, operator: Option<BinaryOperator>, left: &Expr, right: &Expr) -> bool {
        use BinaryOperator::*;
        let is_large = |other: &Expr| !self.is_wide(other) && self.types.size(other.ty) >= Some(8);
        let fits = |other: &Expr| matches!(self.integer_constant(other), Some(0..=0xffff_ffff));
        let may_overflow = matches!(operator, Some(Add | Sub | Mul));
        let is_open =
            |wide: &Expr, other: &Expr| self.is_wide(wide) && !is_large(other) && (may_overflow || !fits(other));
        match operator {
            None | Some(ShiftLeft) => self.is_wide(left),
            Some(ShiftRight) => false,
            Some(_) => is_open(left, right) || is_open(right, left),
        }
    }

    /// The value in another type; nothing is checked.
    pub(super) fn convert(&mut self, value: Expr, to: TypeId) -> Expr {
        let to = self.types.unqualified(to);
        if value.ty == to || self.types.is_error(value.ty) {
            return value;
        }
        let span = value.span;
        Expr { kind: ExprKind::Convert { operand: Box::new(value), explicit: false }, ty: to, span }
    }

    /// The value as it is assigned to an object of a type, which must be possible [C11 6.5.16.1].
    pub(super) fn assigned(&mut self, value: Expr, to: TypeId) -> Expr {
        if !self.is_assignable(&value, to) {
            let (from, to) = (self.show(value.ty), self.show(to));
            let message = if from == "void" {
                format!("this has no value, but one of type `{to}` is needed")
            } else {
                format!("a value of type `{from}` cannot be used as `{to}`")
            };
            self.error("type", value.span, message);
            return self.broken(value.span);
        }
        self.convert(value, to)
    }

    /// Can the value be assigned? Like GCC this lets pointers and integers be mixed.
    pub(super) fn is_assignable(&self, value: &Expr, to: TypeId) -> bool {
        let from = value.ty;
        if self.types.is_error(from) || self.types.is_error(to) {
            return true;
        }
        match self.types.get(to) {
            Type::Bool => self.types.is_scalar(from),
            Type::Pointer(_) => self.types.pointee(from).is_some() || self.types.is_integer(from),
            Type::Record(id) if self.types.record(*id).transparent => {
                let members = self.types.record(*id).members.as_deref().unwrap_or_default();
                self.types.compatible(from, to, false)
                    || members.iter().any(|member| self.is_assignable(value, member.ty))
            }
            Type::Vector(..) => {
                matches!(self.types.get(from), Type::Vector(..)) && self.types.size(from) == self.types.size(to)
            }
            _ if self.types.is_arithmetic(to) => {
                self.types.is_arithmetic(from) || self.types.is_integer(to) && self.types.pointee(from).is_some()
            }
            _ => self.types.compatible(from, to, false),
        }
    }

    /// `(type) operand`.
    pub(super) fn cast(&mut self, operand: Expr, to: TypeId, span: Span) -> Expr {
        let to = self.types.unqualified(to);
        let value = self.valued(operand);
        if self.types.is_error(to) || self.types.is_error(value.ty) {
            return self.broken(span);
        }
        let is_vector = |ty: TypeId| matches!(self.types.get(ty), Type::Vector(..));
        let vectors = is_vector(to) || is_vector(value.ty);
        let possible = match self.types.get(to) {
            Type::Void => true,
            _ if vectors => self.types.size(to) == self.types.size(value.ty),
            Type::Record(id) => {
                let record = self.types.record(*id);
                let members = record.members.as_deref().unwrap_or_default();
                // GNU C casts to a union from the type of a member, and a struct to its own type.
                self.types.compatible(to, value.ty, false)
                    || record.is_union && members.iter().any(|m| self.types.compatible(m.ty, value.ty, false))
            }
            _ => {
                let floating = |ty: TypeId| matches!(self.types.get(ty), Type::Float(_) | Type::Complex(_));
                let pointer = |ty: TypeId| self.types.pointee(ty).is_some();
                let mixed = floating(to) && pointer(value.ty) || pointer(to) && floating(value.ty);
                self.types.is_scalar(to) && self.types.is_scalar(value.ty) && !mixed
            }
        };
        if !possible {
            let message = format!("a value of type `{}` cannot be cast to `{}`", self.show(value.ty), self.show(to));
            self.error("type", span, message);
            return self.broken(span);
        }
        Expr { kind: ExprKind::Convert { operand: Box::new(value), explicit: true }, ty: to, span }
    }

    /// The value, which must be a number or a pointer.
    pub(super) fn scalar(&mut self, value: Expr) -> Expr {
        if self.types.is_scalar(value.ty) || self.types.is_error(value.ty) {
            return value;
        }
        let message = format!("a number or a pointer is needed here, not `{}`", self.show(value.ty));
        self.error("type", value.span, message);
        self.broken(value.span)
    }

    /// Is it a null pointer constant [C11 6.3.2.3]?
    pub(super) fn is_null_constant(&self, value: &Expr) -> bool {
        if self.types.is_integer(value.ty) {
            return self.integer_constant(value) == Some(0);
        }
        let is_void_pointer = self.types.pointee(value.ty) == Some(Types::VOID);
        match &value.kind {
            ExprKind::Integer(0) => is_void_pointer,
            ExprKind::Convert { operand, .. } if is_void_pointer => {
                self.types.is_integer(operand.ty) && self.integer_constant(operand) == Some(0)
            }
            _ => false,
        }
    }
}

fn is_loaded(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Load(_))
}
