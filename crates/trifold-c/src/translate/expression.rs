//! Expressions: the statements that compute their values.
//!
//! A value may name a variable that is read later. That is right because C leaves the order open unless there is a
//! sequence point in between, and where there is one the value has been used or kept. For example, `p->next->d + 1`
//! becomes `t = p->next; u = t->d`, and the value is `u + 1`.

use super::Translator;
use super::instance::Binding;
use super::layout::{Kind, U64};
use super::place::Place;
use super::value::Value;
use crate::typed::{Block, DeclarationId, DeclarationKind, Expr, ExprKind, StmtKind};
use crate::types::{Type, TypeId};
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, Condition, Operand, Operation, VarId};
use trifold_source::Span;

impl<'p> Translator<'p> {
    /// An expression whose result depends on an order that C leaves open has no meaning of its own.
    pub(super) fn check_order(&mut self, expr: &'p Expr) -> bool {
        let matters = self.effects.order_matters(self.c, expr);
        if matters {
            self.unsupported("a result that depends on the order of evaluation", expr.span);
        }
        matters
    }

    /// Carries an expression out for its effects.
    pub(super) fn effect(&mut self, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::Convert { operand, .. } => self.effect(operand),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Increment { place, decrement, .. } => drop(self.increment(place, *decrement, false, expr)),
            ExprKind::Call(callee, arguments) => drop(self.call(callee, arguments, expr, None, false)),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => {
                let end = self.node();
                self.condition(expr, end, end);
                self.body.at = end;
            }
            ExprKind::Conditional(test, middle, otherwise) => {
                let (yes, no, end) = (self.node(), self.node(), self.node());
                self.condition(test, yes, no);
                self.body.at = yes;
                middle.iter().for_each(|middle| self.effect(middle));
                self.jump(end, expr.span);
                self.body.at = no;
                self.effect(otherwise);
                self.join(end, expr.span);
            }
            ExprKind::Statements(block) => self.block(block),
            ExprKind::Deref(pointer) => self.effect(pointer),
            // Nothing is read, so that an uninitialised variable can be named.
            ExprKind::Load(place) if matches!(place.kind, ExprKind::Name(_)) => {}
            _ => match self.value(expr, None) {
                // Nobody needs the value, but a division by zero ends the program.
                Value::Scalar(value) if may_divide_by_zero(&value) => {
                    let end = self.node();
                    self.branch_on(Value::Scalar(value), end, end, expr.span);
                    self.body.at = end;
                }
                _ => {}
            },
        }
    }

    /// The value of an expression. If it needs a variable, that is `hint`, provided that it has the right type.
    pub(super) fn value(&mut self, expr: &'p Expr, hint: Option<VarId>) -> Value {
        let span = expr.span;
        if !matches!(expr.kind, ExprKind::Call(..)) {
            self.check_order(expr);
        }
        match &expr.kind {
            ExprKind::Error => self.unsupported("an expression that could not be typed", span),
            ExprKind::Integer(value) => self.number(*value, expr.ty, span),
            ExprKind::Sizeof(_) => match self.integer(expr) {
                Some(size) => self.number(size, expr.ty, span),
                None => self.unsupported("the size of an array of variable length", span),
            },
            ExprKind::Float(value) => self.float(*value, expr.ty, span),
            ExprKind::Name(id) => match self.c.declaration(*id).kind {
                DeclarationKind::Constant(value) => self.number(value, expr.ty, span),
                DeclarationKind::Function { .. } => self.function(*id, span),
                _ => {
                    let place = self.place(expr);
                    self.load(place, hint, span)
                }
            },
            ExprKind::Load(place) => self.loaded(place, hint, expr),
            ExprKind::Decay(operand) | ExprKind::AddressOf(operand) => self.address_of(operand, hint, expr),
            ExprKind::Convert { operand, .. } => self.convert(expr, operand, hint),
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, expr),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, expr),
            ExprKind::PointerOffset { pointer, index, backwards } if self.is_walker(expr.ty) => {
                self.offset(pointer, index, *backwards, expr)
            }
            ExprKind::PointerOffset { pointer, index, .. } => match self.integer(index) {
                Some(0) => self.value(pointer, hint),
                _ => self.unsupported("pointer arithmetic", span),
            },
            ExprKind::PointerDifference(left, right) if self.is_walker(left.ty) => self.between(left, right, expr),
            ExprKind::PointerDifference(..) => self.unsupported("the distance of two pointers", span),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => self.truth_value(expr, hint),
            ExprKind::Conditional(test, middle, otherwise) => {
                self.conditional(test, middle.as_deref(), otherwise, expr, hint)
            }
            ExprKind::Assign(place, value) => self.assign(place, value, span),
            ExprKind::CompoundAssign { operator, place, value, computed } => {
                self.compound_assign(*operator, place, value, *computed, expr)
            }
            ExprKind::Increment { place, decrement, postfix } => self.increment(place, *decrement, *postfix, expr),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.value(second, hint)
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, expr, hint, true),
            ExprKind::Statements(block) => self.statement_value(block, expr, hint),
            ExprKind::Deref(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::CompoundLiteral(..) => {
                let place = self.place(expr);
                self.load(place, hint, span)
            }
            ExprKind::String(_) => self.unsupported("the characters of a string", span),
            ExprKind::LabelAddress(_) => self.unsupported("the address of a label", span),
            ExprKind::VaArg(_) => self.unsupported("variable arguments", span),
            ExprKind::ConstantKnown => {
                let known = self.unknown_scalar(ir::Scalar::Bool, Cause::Library, span);
                Value::Scalar(self.converted(known, ir::Scalar::I32))
            }
            ExprKind::Unclear(what) => self.unsupported(*what, span),
            ExprKind::Builtin(name, _) => {
                let text = format!("`{}`", self.c.text(*name));
                self.unsupported(text, span)
            }
        }
    }

    /// A constant, as a value of a type.
    pub(super) fn number(&mut self, value: i128, ty: TypeId, span: Span) -> Value {
        match self.kind(ty) {
            Some(Kind::Pointer(_)) if value == 0 => Value::Null,
            Some(Kind::Pointer(_)) => self.unsupported(format!("the address {value:#x}"), span),
            Some(Kind::Scalar(scalar)) => Value::Scalar(ir::Expr::Constant(scalar.convert(value), scalar)),
            Some(Kind::Function) if value == 0 => Value::Scalar(ir::Expr::Constant(0, U64)),
            Some(Kind::Float(_)) => self.float(value as f64, ty, span),
            None if self.is_walker(ty) && value == 0 => Value::Null,
            _ => self.unsupported(format!("a value of type `{}`", self.c.show(ty)), span),
        }
    }

    pub(super) fn zero(&self, kind: Kind) -> Value {
        match kind {
            Kind::Pointer(_) => Value::Null,
            Kind::Scalar(scalar) => Value::Scalar(ir::Expr::Constant(0, scalar)),
            Kind::Function => Value::Scalar(ir::Expr::Constant(0, U64)),
            Kind::Float(format) => Value::Float(ir::Expr::Constant(0, U64), format),
        }
    }

    /// The address of a function is its number among those whose address is taken.
    pub(super) fn function(&mut self, id: DeclarationId, span: Span) -> Value {
        if self.is_missing(id) {
            return self.unsupported(format!("`{}`, which may not be there", self.name(id)), span);
        }
        match self.survey.functions.iter().position(|function| *function == id) {
            Some(position) => Value::Scalar(ir::Expr::Constant(position as i128 + 1, U64)),
            None => self.unsupported(format!("the address of `{}`", self.name(id)), span),
        }
    }

    fn loaded(&mut self, place: &'p Expr, hint: Option<VarId>, expr: &'p Expr) -> Value {
        if let ExprKind::Name(id) = place.kind
            && let Some(binding) = self.body.bindings.get(&id).copied()
        {
            return match binding {
                Binding::Size(bytes, _) => self.number(bytes, expr.ty, expr.span),
                Binding::Function(function) => self.function(function, expr.span),
            };
        }
        let place = self.place(place);
        let value = self.load(place, hint, expr.span);
        self.widened(value, expr.ty)
    }

    /// A bit-field may have fewer bits than its type.
    fn widened(&mut self, value: Value, ty: TypeId) -> Value {
        match (value, self.kind(ty)) {
            (Value::Scalar(value), Some(Kind::Scalar(scalar))) => Value::Scalar(self.converted(value, scalar)),
            (value, _) => value,
        }
    }

    fn address_of(&mut self, operand: &'p Expr, hint: Option<VarId>, expr: &'p Expr) -> Value {
        let is_array = matches!(self.c.types.get(operand.ty), Type::Array(..));
        match &operand.kind {
            ExprKind::Name(id) if matches!(self.c.declaration(*id).kind, DeclarationKind::Function { .. }) => {
                self.function(*id, expr.span)
            }
            ExprKind::String(text) => {
                let string = self.string(text, expr);
                self.at_beginning(string, expr.ty, expr.span)
            }
            ExprKind::Index(pointer, index) if self.is_walker(expr.ty) && !is_array => {
                self.offset(pointer, index, false, expr)
            }
            // The function that a pointer points to, as a pointer again.
            ExprKind::Deref(pointer) => self.value(pointer, hint),
            _ if matches!(expr.kind, ExprKind::Decay(_)) && is_array => {
                let place = self.place(operand);
                if self.is_walker(expr.ty) {
                    return self.first_address(place, expr.ty, expr.span);
                }
                let element = self.c.types.pointee(expr.ty).unwrap_or(expr.ty);
                let first = self.part(place, 0, element, expr.span);
                self.address(first, hint, expr.span)
            }
            _ => {
                let place = self.place(operand);
                let address = self.address(place, hint, expr.span);
                self.at_beginning(address, expr.ty, expr.span)
            }
        }
    }

    fn conditional(
        &mut self,
        test: &'p Expr,
        middle: Option<&'p Expr>,
        otherwise: &'p Expr,
        expr: &'p Expr,
        hint: Option<VarId>,
    ) -> Value {
        let span = expr.span;
        if *self.c.types.get(expr.ty) == Type::Void {
            self.effect(expr);
            return Value::Nothing;
        }
        let (yes, no, end) = (self.node(), self.node(), self.node());
        let result = self.fresh(expr.ty, hint, span);
        match middle {
            Some(middle) => {
                self.condition(test, yes, no);
                self.body.at = yes;
                let value = self.value(middle, result.variable());
                self.store(&result, value, span);
            }
            None => {
                let value = self.value(test, None);
                let value = self.kept(value, test.ty, span);
                self.branch_on(value.clone(), yes, no, span);
                self.body.at = yes;
                let value = self.converted_value(value, test.ty, expr.ty, span);
                self.store(&result, value, span);
            }
        }
        self.jump(end, span);
        self.body.at = no;
        let value = self.value(otherwise, result.variable());
        self.store(&result, value, span);
        self.join(end, span);
        self.load(result, None, span)
    }

    /// A temporary place for a value of a type.
    pub(super) fn fresh(&mut self, ty: TypeId, hint: Option<VarId>, span: Span) -> Place {
        match self.kind(ty) {
            Some(kind) => {
                let variable = match kind {
                    Kind::Float(_) => self.hidden(span),
                    kind => self.target(hint, kind.ty(), span),
                };
                Place::of_variable(variable, kind, ty)
            }
            None => self.temporary_record(ty, span),
        }
    }

    /// The value in a variable that nothing else changes.
    pub(super) fn kept(&mut self, value: Value, ty: TypeId, span: Span) -> Value {
        if self.is_walker(ty) {
            return self.kept_walker(value, ty, span);
        }
        let constant = matches!(value, Value::Nothing | Value::Null | Value::Scalar(ir::Expr::Constant(..)));
        if constant || self.kind(ty).is_none() {
            return value;
        }
        let place = self.fresh(ty, None, span);
        self.store(&place, value, span);
        self.load(place, None, span)
    }

    /// A condition as a value: 1 or 0.
    pub(super) fn truth_value(&mut self, expr: &'p Expr, hint: Option<VarId>) -> Value {
        let span = expr.span;
        let (yes, no, end) = (self.node(), self.node(), self.node());
        let result = self.fresh(expr.ty, hint, span);
        self.condition(expr, yes, no);
        for (node, value) in [(yes, 1), (no, 0)] {
            self.body.at = node;
            let value = self.number(value, expr.ty, span);
            self.store(&result, value, span);
            self.jump(end, span);
        }
        self.body.at = end;
        self.load(result, None, span)
    }

    fn assign(&mut self, place: &'p Expr, value: &'p Expr, span: Span) -> Value {
        let ty = place.ty;
        self.check_written(place);
        let place = self.place(place);
        let value = self.value(value, place.variable());
        self.stored(&place, value, ty, span)
    }

    /// Stores a value, and yields the content of the place then.
    pub(super) fn stored(&mut self, place: &Place, value: Value, ty: TypeId, span: Span) -> Value {
        self.store(place, value.clone(), span);
        if place.variable().is_some() {
            let value = self.load(place.clone(), None, span);
            return self.widened(value, ty);
        }
        match (value, place.kind(), self.kind(ty)) {
            (Value::Scalar(value), Some(Kind::Scalar(narrow)), Some(Kind::Scalar(scalar))) => {
                let value = self.converted(value, narrow);
                Value::Scalar(self.converted(value, scalar))
            }
            (Value::Record(_), ..) => Value::Record(place.clone()),
            (value, ..) => value,
        }
    }

    fn statement_value(&mut self, block: &'p Block, expr: &'p Expr, hint: Option<VarId>) -> Value {
        let span = expr.span;
        let Some((last, others)) = block.statements.split_last() else { return Value::Nothing };
        let StmtKind::Expr(last) = &last.kind else {
            self.block(block);
            return Value::Nothing;
        };
        if *self.c.types.get(expr.ty) == Type::Void {
            self.block(block);
            return Value::Nothing;
        }
        self.open_block();
        self.statements(others);
        // The value outlives the variables of the block, and its temporary variables must not be forgotten with theirs.
        let result = self.fresh(expr.ty, hint, span);
        let value = self.value(last, None);
        self.store(&result, value, span);
        self.close_block(span);
        self.load(result, None, span)
    }

    /// The operand that is assigned when the value goes to a leaf.
    pub(super) fn operand(&mut self, value: Value, kind: Kind, span: Span) -> Operand {
        match (value, kind) {
            (Value::Null, Kind::Pointer(_)) => Operand::Null,
            (Value::Pointer(pointer), Kind::Pointer(_)) if kind.ty().accepts(self.ir[pointer].ty) => {
                Operand::Pointer(pointer)
            }
            (Value::Scalar(value), Kind::Scalar(scalar)) => Operand::Scalar(self.converted(value, scalar)),
            (Value::Scalar(value), Kind::Function) => Operand::Scalar(self.converted(value, U64)),
            (Value::Nothing, _) => Operand::Uninitialised,
            (Value::Float(bits, _), Kind::Float(_)) => Operand::Scalar(bits),
            (_, Kind::Float(_)) => Operand::Scalar(self.bits(Operation::Unknown(Cause::Float), Vec::new(), span)),
            (Value::Null, Kind::Function) => Operand::Scalar(ir::Expr::Constant(0, U64)),
            _ => {
                self.unsupported("a value that is used as one of another type", span);
                Operand::Uninitialised
            }
        }
    }

    /// `value == constant`.
    pub(super) fn equals(&self, value: &ir::Expr, constant: i128) -> Condition {
        let scalar = self.ir.scalar_of(value).unwrap_or(ir::Scalar::I32);
        if !scalar.contains(constant) {
            return Condition::Scalar(ir::Expr::Constant(0, ir::Scalar::Bool));
        }
        let constant = ir::Expr::Constant(constant, scalar);
        Condition::Scalar(ir::Expr::binary(ir::BinaryOp::Equal, value.clone(), constant))
    }
}

/// Does it contain a division by something that may be zero?
fn may_divide_by_zero(expr: &ir::Expr) -> bool {
    match expr {
        ir::Expr::Constant(..) | ir::Expr::Variable(_) => false,
        ir::Expr::Unary(_, operand) | ir::Expr::Convert(_, operand) => may_divide_by_zero(operand),
        ir::Expr::Binary(operator, left, right) => {
            let divides = matches!(operator, ir::BinaryOp::Divide | ir::BinaryOp::Remainder);
            let by_zero = divides && !matches!(**right, ir::Expr::Constant(by, _) if by != 0);
            by_zero || may_divide_by_zero(left) || may_divide_by_zero(right)
        }
    }
}
