//! Expressions, and the statements that compute their values. For example, `a.n.d + 1` becomes
//! `t = a->n; u = t->d`, and the value is `u + 1`.

use super::Translator;
use super::content::Content;
use super::place::{Place, PlaceKind};
use super::value::{Value, constant};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::types::Type;
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, FindingKind, Meaning, Operand, Scalar, Statement, VarId};
use trifold_source::Span;

impl<'a> Translator<'a, '_> {
    /// Some value of a type that is open, as input is.
    pub(super) fn open(&mut self, ty: Type, range: Option<(i128, i128)>, span: Span) -> Value {
        match ty.scalar() {
            Some(scalar) => {
                let to = self.temporary(ir::Type::Scalar(scalar), span);
                self.emit(Statement::Nondet { to, range, meaning: Meaning::Open }, span);
                Value::of_variable(to, ty)
            }
            None => self.unknown(ty, Cause::Library, span),
        }
    }

    /// A value that runs compute.
    pub(super) fn computed(&mut self, ty: Type, meaning: Meaning, span: Span) -> Value {
        let to = self.temporary(ir::Type::Scalar(ty.scalar().unwrap_or(Scalar::I32)), span);
        self.emit(Statement::Nondet { to, range: None, meaning }, span);
        Value::of_variable(to, ty)
    }

    /// Any value of a type, which nobody computes. A reference is to an object of the library, or null.
    pub(super) fn unknown(&mut self, ty: Type, cause: Cause, span: Span) -> Value {
        if ty.is_floating() {
            return Value::Floating(ty);
        }
        if ty.scalar().is_some() {
            return self.computed(ty, Meaning::unknown(cause), span);
        }
        let Type::Library(library) = ty else {
            return self.unsupported("a reference about which nothing is known", span);
        };
        let structure = self.library_struct(library);
        let to = self.temporary(ir::Type::Pointer(Some(structure)), span);
        let (null, object, end) = (self.node(), self.node(), self.node());
        self.branch_freely(null, object, cause, span);
        self.body.at = null;
        self.set(to, Operand::Null, span);
        self.jump(end, span);
        self.body.at = object;
        self.allocate(to, structure, span);
        self.fill(to, Content::Unknown(cause), span);
        self.join(end, span);
        Value::of_variable(to, ty)
    }

    /// A new object of the library, with its content as far as runs know that.
    pub(super) fn library_object(&mut self, name: &str, content: Content, span: Span) -> Value {
        let ty = self.classes.library(name, None);
        let Type::Library(library) = ty else { return Value::Nothing };
        let structure = self.library_struct(library);
        let to = self.temporary(ir::Type::Pointer(Some(structure)), span);
        self.allocate(to, structure, span);
        self.fill(to, content, span);
        Value::of_variable(to, ty)
    }

    pub(super) fn is_text(&self, ty: Type) -> bool {
        matches!(ty, Type::Library(id) if self.classes.library[id.0].name == "String")
    }

    pub(super) fn value(&mut self, expr: &'a Expr) -> Value {
        self.value_with(expr, None)
    }

    /// The value that a place is about to get. If the place is a variable, objects and results may be put there at
    /// once.
    pub(super) fn value_into(&mut self, expr: &'a Expr, place: &Place) -> Value {
        let into = match place.kind {
            PlaceKind::Variable(variable) => Some(variable),
            _ => None,
        };
        self.value_with(expr, into)
    }

    fn value_with(&mut self, expr: &'a Expr, into: Option<VarId>) -> Value {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Null => Value::Reference(Operand::Null, Type::Null),
            ExprKind::Bool(value) => Value::Scalar(constant((*value).into(), Scalar::Bool), Type::Boolean),
            ExprKind::Integer { value, long } => {
                let ty = if *long { Type::Long } else { Type::Int };
                // The literal that only a minus sign makes fit wraps around, and back again.
                let scalar = ty.scalar().unwrap_or(Scalar::I32);
                Value::Scalar(constant(scalar.convert(*value), scalar), ty)
            }
            ExprKind::Floating { single } => Value::Floating(if *single { Type::Float } else { Type::Double }),
            ExprKind::Character(code) => {
                Value::Scalar(constant((*code).into(), Scalar::Int { signed: false, bits: 16 }), Type::Char)
            }
            ExprKind::Text(units) => {
                let content = units.clone().map_or(Content::Unknown(Cause::Text), Content::Text);
                self.library_object("String", content, span)
            }
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => match self.place(expr) {
                Some(place) => self.load(&place, span, into),
                None => Value::Nothing,
            },
            ExprKind::This => match self.body.this {
                Some(this) => Value::of_variable(this, Type::Class(self.body.class)),
                None => {
                    self.error("this", span, "there is no `this` in a static method");
                    Value::Nothing
                }
            },
            ExprKind::Super => self.unsupported("`super` as a value", span),
            ExprKind::Call { .. } | ExprKind::ConstructorCall { .. } => self.call(expr, into),
            ExprKind::New { ty, arguments } => self.create(ty, arguments, span, into),
            ExprKind::NewArray { ty, lengths } => self.create_array(ty, lengths, span),
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::InstanceOf(..) => self.truth(expr),
            ExprKind::Binary(BinaryOp::AndThen | BinaryOp::OrElse, ..) => self.truth(expr),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr),
            ExprKind::Assign { op, target, value } => self.assign(*op, target, value, span),
            ExprKind::Step { up, prefix, target } => self.step(*up, *prefix, target, span),
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes, no, span),
            ExprKind::Cast(ty, operand) => {
                let parameters = self.body.type_parameters.clone();
                let ty = self.classes.resolve(ty, self.body.class, &parameters);
                let value = self.value(operand);
                self.cast(value, ty, span)
            }
            ExprKind::Unsupported(what) => self.unsupported(*what, span),
        }
    }

    /// A truth value that is found out by going one way or another.
    pub(super) fn truth(&mut self, expr: &'a Expr) -> Value {
        let to = self.temporary(ir::Type::Scalar(Scalar::Bool), expr.span);
        let (yes, no, end) = (self.node(), self.node(), self.node());
        self.condition(expr, yes, no);
        for (node, value) in [(yes, 1), (no, 0)] {
            self.body.at = node;
            self.set(to, Operand::Scalar(constant(value, Scalar::Bool)), expr.span);
            self.jump(end, expr.span);
        }
        self.body.at = end;
        Value::of_variable(to, Type::Boolean)
    }

    fn unary(&mut self, op: UnaryOp, operand: &'a Expr, span: Span) -> Value {
        let value = self.value(operand);
        let value = self.unboxed(value, span);
        let ty = value.ty();
        if !ty.is_numeric() {
            return self.mismatch(&value, "a number", span);
        }
        let ty = ty.promoted(Type::Int);
        match (self.convert(value, ty, span), op) {
            (Value::Scalar(expr, ty), UnaryOp::Minus) => Value::Scalar(ir::Expr::unary(ir::UnaryOp::Negate, expr), ty),
            (Value::Scalar(expr, ty), UnaryOp::Complement) => {
                Value::Scalar(ir::Expr::unary(ir::UnaryOp::Complement, expr), ty)
            }
            (value, _) => value,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr, whole: &'a Expr) -> Value {
        let span = whole.span;
        let first = self.value(left);
        let first = self.stable(first, right, left.span);
        let second = self.value(right);
        let types = [first.ty(), second.ty()];
        if op == BinaryOp::Plain(ir::BinaryOp::Add) && types.into_iter().any(|ty| self.is_text(ty)) {
            self.become_text(&[first, second], span);
            return self.library_object("String", Content::Unknown(Cause::Text), span);
        }
        let is_equality = matches!(op, BinaryOp::Plain(ir::BinaryOp::Equal | ir::BinaryOp::NotEqual));
        if is_equality && types.into_iter().all(Type::is_reference) {
            let to = self.temporary(ir::Type::Scalar(Scalar::Bool), span);
            let (yes, no, end) = (self.node(), self.node(), self.node());
            self.compare_references(op, &first, &second, yes, no, span);
            for (node, value) in [(yes, 1), (no, 0)] {
                self.body.at = node;
                self.set(to, Operand::Scalar(constant(value, Scalar::Bool)), span);
                self.jump(end, span);
            }
            self.body.at = end;
            return Value::of_variable(to, Type::Boolean);
        }
        self.arithmetic(op, first, second, span)
    }

    /// An operator on numbers or truth values.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        use ir::BinaryOp::*;
        let (left, right) = (self.unboxed(left, span), self.unboxed(right, span));
        let (left_type, right_type) = (left.ty(), right.ty());
        let is_shift = matches!(op, BinaryOp::UnsignedShift | BinaryOp::Plain(ShiftLeft | ShiftRight));
        let ty = match (left_type, right_type) {
            (Type::Void, _) | (_, Type::Void) => return Value::Nothing,
            (Type::Boolean, Type::Boolean) => Type::Boolean,
            (l, r) if !l.is_numeric() || !r.is_numeric() => {
                let wrong = if l.is_numeric() { right } else { left };
                return self.mismatch(&wrong, "a number", span);
            }
            (l, _) if is_shift => l.promoted(Type::Int),
            (l, r) => l.promoted(r),
        };
        let is_comparison = matches!(op, BinaryOp::Plain(op) if op.is_comparison());
        let result = if is_comparison { Type::Boolean } else { ty };
        if ty.is_floating() {
            return self.unknown(result, Cause::Float, span);
        }
        let (left, right) =
            (self.convert(left, ty, span), self.convert(right, if is_shift { right_type } else { ty }, span));
        let (Value::Scalar(left, _), Value::Scalar(right, _), Some(scalar)) = (left, right, ty.scalar()) else {
            return self.unknown(result, Cause::Float, span);
        };
        let right = if is_shift { ir::Expr::Convert(scalar, Box::new(right)) } else { right };
        let may_fail =
            matches!(op, BinaryOp::Plain(Divide | Remainder)) && self.folded(&right).is_none_or(|by| by == 0);
        let expr = match (op, scalar) {
            (BinaryOp::Plain(op), _) if ty != Type::Boolean || op.is_logical() => ir::Expr::binary(op, left, right),
            (BinaryOp::UnsignedShift, Scalar::Int { bits, .. }) => {
                let unsigned = Scalar::Int { signed: false, bits };
                let convert = |expr| ir::Expr::Convert(unsigned, Box::new(expr));
                ir::Expr::Convert(scalar, Box::new(ir::Expr::binary(ShiftRight, convert(left), convert(right))))
            }
            _ => return self.mismatch(&Value::Scalar(left, ty), "a number", span),
        };
        let value = Value::Scalar(expr, result);
        // A division by zero ends the program before what is evaluated later.
        if may_fail { self.saved(value, span) } else { value }
    }

    pub(super) fn mismatch(&mut self, value: &Value, expected: &str, span: Span) -> Value {
        match value.ty() {
            Type::Void => {}
            // The class of a type variable is not known.
            Type::Object => drop(self.unsupported("a number of a type that is not known", span)),
            ty => {
                let message = format!("expected {expected}, found `{}`", self.classes.show(ty));
                self.error("type", span, message);
            }
        }
        Value::Nothing
    }

    fn assign(&mut self, op: Option<BinaryOp>, target: &'a Expr, value: &'a Expr, span: Span) -> Value {
        let Some(op) = op else {
            // Whether there is such an element is asked after the value has been computed.
            let Some(place) = self.unchecked_place(target) else { return Value::Nothing };
            let place = self.stable_place(place, value, span);
            let result = self.value_into(value, &place);
            self.check_element(&place, span);
            return self.assigned(&place, result, span);
        };
        let Some(place) = self.place(target) else { return Value::Nothing };
        let place = self.stable_place(place, value, span);
        let old = self.load(&place, span, None);
        let old = self.stable(old, value, span);
        let operand = self.value(value);
        if self.is_text(place.ty) {
            self.become_text(&[operand], span);
            let text = self.library_object("String", Content::Unknown(Cause::Text), span);
            return self.assigned(&place, text, span);
        }
        let result = self.arithmetic(op, old, operand, span);
        let result = self.cast(result, self.inside(place.ty), span);
        self.assigned(&place, result, span)
    }

    /// Assigns a value; the value of the assignment. It must not be computed again, from variables that have changed.
    fn assigned(&mut self, place: &Place, value: Value, span: Span) -> Value {
        let value = self.convert(value, place.ty, span);
        self.store(place, value.clone(), span);
        match place.kind {
            PlaceKind::Variable(variable) => Value::of_variable(variable, place.ty),
            _ => value,
        }
    }

    pub(super) fn step(&mut self, up: bool, prefix: bool, target: &'a Expr, span: Span) -> Value {
        let Some(place) = self.place(target) else { return Value::Nothing };
        let mut old = self.load(&place, span, None);
        if !prefix {
            old = self.saved(old, span);
        }
        let op = if up { ir::BinaryOp::Add } else { ir::BinaryOp::Subtract };
        let one = Value::Scalar(ir::Expr::int(1), Type::Int);
        let new = self.arithmetic(BinaryOp::Plain(op), old.clone(), one, span);
        let new = self.cast(new, self.inside(place.ty), span);
        let new = self.assigned(&place, new, span);
        if prefix { new } else { old }
    }

    /// A variable that holds a reference.
    pub(super) fn pointer_variable(&mut self, value: &Value, span: Span) -> Option<VarId> {
        match value {
            Value::Reference(Operand::Pointer(variable), _) => Some(*variable),
            Value::Reference(operand, ty) => {
                let ir_type = self.ir_type(*ty)?;
                let variable = self.temporary(ir_type, span);
                self.set(variable, operand.clone(), span);
                Some(variable)
            }
            _ => None,
        }
    }

    /// It is an error if the variable is null.
    pub(super) fn check_not_null(&mut self, variable: VarId, span: Span) {
        if Some(variable) == self.body.this {
            return;
        }
        let (null, object) = (self.node(), self.node());
        let condition = ir::Condition::Pointers { left: Operand::Pointer(variable), right: Operand::Null, equal: true };
        self.fork(condition, null, object, span);
        self.body.at = null;
        let name = &self.ir[variable].name;
        let text =
            if name.starts_with('$') { "the object may be null".to_string() } else { format!("`{name}` may be null") };
        self.end(Statement::Error { kind: FindingKind::NullDereference, text }, span);
        self.body.at = object;
    }

    /// The value, safe from the effects of another expression that is evaluated after it. Calls do not change local
    /// variables.
    pub(super) fn stable(&mut self, value: Value, later: &Expr, span: Span) -> Value {
        let mut changes = false;
        if let Some(operand) = value.operand() {
            operand.for_each_variable(&mut |variable| changes |= self.may_change(variable, later));
        }
        if changes { self.saved(value, span) } else { value }
    }

    /// The value as it is now, whatever becomes of the variables that it is computed from.
    fn saved(&mut self, value: Value, span: Span) -> Value {
        let ty = value.ty();
        let (Some(operand), Some(ir_type)) = (value.operand(), self.ir_type(ty)) else { return value };
        let saved = self.temporary(ir_type, span);
        self.set(saved, operand, span);
        Value::of_variable(saved, ty)
    }

    fn stable_place(&mut self, place: Place, later: &Expr, span: Span) -> Place {
        match place.kind {
            PlaceKind::Field(object, field) if self.may_change(object, later) => {
                let saved = self.temporary(self.ir[object].ty, span);
                self.set(saved, Operand::Pointer(object), span);
                Place { kind: PlaceKind::Field(saved, field), ..place }
            }
            PlaceKind::Element(array, index) if self.may_change(array, later) => {
                let saved = self.temporary(self.ir[array].ty, span);
                self.set(saved, Operand::Pointer(array), span);
                Place { kind: PlaceKind::Element(saved, index), ..place }
            }
            _ => place,
        }
    }

    /// Can the evaluation of an expression change a variable?
    pub(super) fn may_change(&self, variable: VarId, expr: &Expr) -> bool {
        let is_global = self.ir[variable].scope == ir::Scope::Global;
        let local = self.body.locals.iter().find(|local| local.variable == Some(variable));
        expr.any(&|part| match &part.kind {
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => match (&target.kind, local) {
                (ExprKind::Name(name), Some(local)) => name.text == local.name,
                _ => is_global,
            },
            ExprKind::Call { .. } | ExprKind::New { .. } | ExprKind::ConstructorCall { .. } => is_global,
            _ => false,
        })
    }

    pub(super) fn allocate(&mut self, to: VarId, structure: ir::StructId, span: Span) {
        let region = ir::Region::Heap;
        self.emit(Statement::Allocate { to, structure, region, zeroed: true, may_fail: false }, span);
    }
}
