//! Operators: which operands they take, and the type of the result. For example, `p - q` of two pointers is a `long`.

use super::Sema;
use crate::ast::{self, UnaryOperator as Syntax};
use crate::typed::{AssignOperator, BinaryOperator, Expr, ExprKind, UnaryOperator};
use crate::types::{Qualifiers, Type, TypeId, Types};
use trifold_source::Span;

/// What cannot be computed as every compiler does it.
pub(super) const WIDE: &str = "arithmetic on a bit-field of more than 32 bits";

/// Said of expressions that ask for the type of a bit-field's value, which is no type of the program in GNU C.
pub(super) const BIT_FIELD_TYPE: &str = "the type of the value of a bit-field";

impl Sema<'_> {
    pub(super) fn unary(&mut self, operator: Syntax, operand: &ast::Expr, span: Span) -> Expr {
        match operator {
            Syntax::Extension => self.expression(operand),
            Syntax::AddressOf => self.address_of(operand, span),
            Syntax::Deref => {
                let pointer = self.value(operand);
                self.deref(pointer, span)
            }
            Syntax::Not => {
                let operand = self.condition(operand);
                self.unary_value(UnaryOperator::Not, operand, Types::INT, span)
            }
            Syntax::Plus | Syntax::Minus | Syntax::BitNot => self.sign(operator, operand, span),
            Syntax::Real => self.part(UnaryOperator::Real, operand, span),
            Syntax::Imag => self.part(UnaryOperator::Imag, operand, span),
            Syntax::PreIncrement => self.increment(operand, false, false, span),
            Syntax::PreDecrement => self.increment(operand, true, false, span),
            Syntax::PostIncrement => self.increment(operand, false, true, span),
            Syntax::PostDecrement => self.increment(operand, true, true, span),
        }
    }

    /// The place that a pointer points to.
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Expr {
        if self.types.is_error(pointer.ty) {
            return self.broken(span);
        }
        match self.types.pointee(pointer.ty) {
            Some(ty) => Expr { kind: ExprKind::Deref(Box::new(pointer)), ty, span },
            None => {
                let message = format!("`{}` is not a pointer", self.show(pointer.ty));
                self.error("type", pointer.span, message);
                self.broken(span)
            }
        }
    }

    fn address_of(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let operand = self.expression(operand);
        if self.types.is_error(operand.ty) {
            return self.broken(span);
        }
        let is_function = matches!(self.types.get(operand.ty), Type::Function(_));
        // `&f().a` of an array is accepted by GCC.
        let is_array = matches!(self.types.get(operand.ty), Type::Array(..));
        if !is_function && !is_array && !self.is_place(&operand) {
            self.error("not-a-place", operand.span, "this value has no address");
            return self.broken(span);
        }
        if self.bit_width(&operand).is_some() {
            self.error("bit-field", operand.span, "a bit-field has no address");
            return self.broken(span);
        }
        let ty = self.types.pointer(operand.ty);
        Expr { kind: ExprKind::AddressOf(Box::new(operand)), ty, span }
    }

    fn sign(&mut self, operator: Syntax, operand: &ast::Expr, span: Span) -> Expr {
        let operand = self.value(operand);
        if self.types.is_error(operand.ty) {
            return self.broken(span);
        }
        let is_vector = matches!(self.types.get(operand.ty), Type::Vector(..));
        let possible = match operator {
            Syntax::BitNot => {
                self.types.is_integer(operand.ty) || matches!(self.types.get(operand.ty), Type::Complex(_))
            }
            _ => self.types.is_arithmetic(operand.ty),
        };
        if !possible && !is_vector {
            let symbol = if operator == Syntax::BitNot {
                "~"
            } else if operator == Syntax::Plus {
                "+"
            } else {
                "-"
            };
            let message = format!("`{symbol}` cannot be applied to `{}`", self.show(operand.ty));
            self.error("type", span, message);
            return self.broken(span);
        }
        if operator != Syntax::Plus && self.depends_on_width(None, &operand, &operand) {
            return Expr { kind: ExprKind::Unclear(WIDE), ty: operand.ty, span };
        }
        let operand = self.promote(operand);
        let ty = operand.ty;
        match operator {
            Syntax::Minus => self.unary_value(UnaryOperator::Minus, operand, ty, span),
            Syntax::BitNot => self.unary_value(UnaryOperator::BitNot, operand, ty, span),
            _ => Expr { span, ..operand },
        }
    }

    /// `__real__` and `__imag__`, which keep a place a place.
    fn part(&mut self, operator: UnaryOperator, operand: &ast::Expr, span: Span) -> Expr {
        let operand = self.expression(operand);
        if self.types.is_error(operand.ty) {
            return self.broken(span);
        }
        match *self.types.get(operand.ty) {
            Type::Complex(kind) => {
                let ty = self.types.intern(Type::Float(kind));
                self.unary_value(operator, operand, ty, span)
            }
            _ if self.types.is_arithmetic(operand.ty) => {
                let operand = self.valued(operand);
                let ty = operand.ty;
                self.unary_value(operator, operand, ty, span)
            }
            _ => {
                let message = format!("`{}` has no real and imaginary part", self.show(operand.ty));
                self.error("type", span, message);
                self.broken(span)
            }
        }
    }

    pub(super) fn promote(&mut self, value: Expr) -> Expr {
        let ty = self.types.promoted(value.ty, self.value_width(&value));
        self.convert(value, ty)
    }

    /// An expression that can be assigned to.
    fn place(&mut self, place: &ast::Expr) -> Option<Expr> {
        let place = self.expression(place);
        if self.types.is_error(place.ty) {
            return None;
        }
        let assignable = !matches!(self.types.get(place.ty), Type::Array(..) | Type::Function(_) | Type::Void);
        if !self.is_place(&place) || !assignable {
            self.error("not-a-place", place.span, "this cannot be assigned to");
            return None;
        }
        if self.types.qualifiers(place.ty).contains(Qualifiers::CONST) {
            self.error("not-a-place", place.span, "this is `const` and cannot be assigned to");
            return None;
        }
        Some(place)
    }

    fn increment(&mut self, operand: &ast::Expr, decrement: bool, postfix: bool, span: Span) -> Expr {
        let Some(place) = self.place(operand) else { return self.broken(span) };
        let ty = self.types.unqualified(place.ty);
        let possible = match self.types.pointee(ty) {
            Some(element) => self.check_pointer_arithmetic(element, span),
            None => self.types.is_arithmetic(ty) || matches!(self.types.get(ty), Type::Vector(..)),
        };
        if !possible {
            let symbol = if decrement { "--" } else { "++" };
            let message = format!("`{symbol}` cannot be applied to `{}`", self.show(ty));
            self.error("type", span, message);
            return self.broken(span);
        }
        Expr { kind: ExprKind::Increment { place: Box::new(place), decrement, postfix }, ty, span }
    }

    pub(super) fn assign(
        &mut self,
        operator: AssignOperator,
        place: &ast::Expr,
        value: &ast::Expr,
        span: Span,
    ) -> Expr {
        let place = self.place(place);
        let value = self.value(value);
        let Some(place) = place else { return self.broken(span) };
        let ty = self.types.unqualified(place.ty);
        let operator = match operator {
            AssignOperator::Plain => {
                let value = self.assigned(value, ty);
                return Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span };
            }
            AssignOperator::Compound(operator) => operator,
        };
        if self.types.is_error(value.ty) {
            return self.broken(span);
        }
        // Typed like the operator on values, with a stand-in for the value in the place.
        let promoted = match self.bit_width(&place) {
            Some(width) => self.types.promoted(ty, Some(width)),
            None => ty,
        };
        let loaded = Expr { kind: ExprKind::Error, ty: promoted, span: place.span };
        let computed = self.binary(operator, loaded, value, span);
        let (computed, value) = match computed.kind {
            ExprKind::Binary(_, left, right) => (left.ty, right),
            ExprKind::PointerOffset { pointer, index, .. } => (pointer.ty, index),
            ExprKind::Unclear(_) => return Expr { kind: computed.kind, ty, span },
            _ => return self.broken(span),
        };
        let place = Box::new(place);
        Expr { kind: ExprKind::CompoundAssign { operator, place, value, computed }, ty, span }
    }

    /// An operator between two values.
    pub(super) fn binary(&mut self, operator: BinaryOperator, left: Expr, right: Expr, span: Span) -> Expr {
        use BinaryOperator::*;
        if self.types.is_error(left.ty) || self.types.is_error(right.ty) {
            return self.broken(span);
        }
        let is_vector = |ty: TypeId| matches!(self.types.get(ty), Type::Vector(..));
        if is_vector(left.ty) || is_vector(right.ty) {
            return self.vector_operation(operator, left, right, span);
        }
        let pointers = (self.types.pointee(left.ty), self.types.pointee(right.ty));
        let integers = (self.types.is_integer(left.ty), self.types.is_integer(right.ty));
        match (operator, pointers) {
            (Add | Sub, (Some(element), None)) if integers.1 => {
                self.pointer_offset(left, right, element, operator == Sub, span)
            }
            (Add, (None, Some(element))) if integers.0 => self.pointer_offset(right, left, element, false, span),
            (Sub, (Some(element), Some(_))) => {
                if !self.check_pointer_arithmetic(element, span) {
                    return self.broken(span);
                }
                let ty = self.difference_type();
                Expr { kind: ExprKind::PointerDifference(Box::new(left), Box::new(right)), ty, span }
            }
            (_, (Some(_), _) | (_, Some(_))) if operator.is_comparison() => {
                self.pointer_comparison(operator, left, right, span)
            }
            (_, (None, None)) => self.arithmetic(operator, left, right, span),
            _ => self.no_operator(operator, &left, &right, span),
        }
    }

    fn no_operator(&mut self, operator: BinaryOperator, left: &Expr, right: &Expr, span: Span) -> Expr {
        let (left, right) = (self.show(left.ty), self.show(right.ty));
        self.error("type", span, format!("`{}` cannot be applied to `{left}` and `{right}`", operator.text()));
        self.broken(span)
    }

    /// Can pointers to this type be moved? Those to `void` and functions can in GNU C.
    pub(super) fn check_pointer_arithmetic(&mut self, element: TypeId, span: Span) -> bool {
        let complete = !self.types.is_incomplete(element) || *self.types.get(element) == Type::Void;
        if !complete {
            let message = format!("a pointer to the incomplete type `{}` cannot be moved", self.show(element));
            self.error("incomplete-type", span, message);
        }
        complete
    }

    fn pointer_offset(&mut self, pointer: Expr, index: Expr, element: TypeId, backwards: bool, span: Span) -> Expr {
        if !self.check_pointer_arithmetic(element, span) {
            return self.broken(span);
        }
        let ty = pointer.ty;
        let (pointer, index) = (Box::new(pointer), Box::new(index));
        Expr { kind: ExprKind::PointerOffset { pointer, index, backwards }, ty, span }
    }

    /// Pointers are compared as pointers of one type; an integer becomes one.
    fn pointer_comparison(&mut self, operator: BinaryOperator, left: Expr, right: Expr, span: Span) -> Expr {
        let scalar = |sema: &Self, ty| sema.types.pointee(ty).is_some() || sema.types.is_integer(ty);
        if !scalar(self, left.ty) || !scalar(self, right.ty) {
            return self.no_operator(operator, &left, &right, span);
        }
        let is_void_pointer = self.types.pointee(left.ty).is_some_and(|to| *self.types.get(to) == Type::Void);
        let use_left = self.types.pointee(right.ty).is_none()
            || self.types.pointee(left.ty).is_some() && !is_void_pointer && !self.is_null_constant(&left);
        let ty = if use_left { left.ty } else { right.ty };
        let (left, right) = (self.convert(left, ty), self.convert(right, ty));
        Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty: Types::INT, span }
    }

    fn arithmetic(&mut self, operator: BinaryOperator, left: Expr, right: Expr, span: Span) -> Expr {
        use BinaryOperator::*;
        let whole = matches!(operator, Rem | ShiftLeft | ShiftRight | BitAnd | BitXor | BitOr);
        let fits = |sema: &Self, ty| if whole { sema.types.is_integer(ty) } else { sema.types.is_arithmetic(ty) };
        if !fits(self, left.ty) || !fits(self, right.ty) {
            return self.no_operator(operator, &left, &right, span);
        }
        let is_unclear = self.depends_on_width(Some(operator), &left, &right);
        let (mut left, mut right) = (self.promote(left), self.promote(right));
        let mut ty = left.ty;
        if !matches!(operator, ShiftLeft | ShiftRight) {
            ty = self.types.common(left.ty, right.ty);
            (left, right) = (self.convert(left, ty), self.convert(right, ty));
        }
        let ty = if operator.is_comparison() { Types::INT } else { ty };
        if is_unclear {
            return Expr { kind: ExprKind::Unclear(WIDE), ty, span };
        }
        Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty, span }
    }

    /// Vectors are computed element by element; a scalar goes with each.
    fn vector_operation(&mut self, operator: BinaryOperator, left: Expr, right: Expr, span: Span) -> Expr {
        let is_vector = |sema: &Self, ty: TypeId| matches!(sema.types.get(ty), Type::Vector(..));
        let ty = if is_vector(self, left.ty) { left.ty } else { right.ty };
        let fits = |sema: &Self, other: TypeId| {
            sema.types.is_arithmetic(other) || is_vector(sema, other) && sema.types.size(other) == sema.types.size(ty)
        };
        if !fits(self, left.ty) || !fits(self, right.ty) {
            return self.no_operator(operator, &left, &right, span);
        }
        let (left, right) = (self.convert(left, ty), self.convert(right, ty));
        Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty, span }
    }
}
