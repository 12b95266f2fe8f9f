//! Conversions: between numbers, into boxes and out of them, between references. For example, `(byte) i` keeps the last
//! eight bits of `i`.

use super::Translator;
use super::content::Content;
use super::value::{Value, constant};
use crate::types::{ClassId, Type};
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, Condition, FindingKind, NodeId, Operand, Scalar, Statement, VarId};
use trifold_source::Span;

/// The primitive types of boxes.
const BOXES: [(&str, Type); 8] = [
    ("Integer", Type::Int),
    ("Long", Type::Long),
    ("Short", Type::Short),
    ("Byte", Type::Byte),
    ("Character", Type::Char),
    ("Boolean", Type::Boolean),
    ("Float", Type::Float),
    ("Double", Type::Double),
];

impl Translator<'_, '_> {
    /// The type inside of a box.
    pub(super) fn boxed(&self, ty: Type) -> Option<Type> {
        let Type::Library(id) = ty else { return None };
        let name = &self.classes.library[id.0].name;
        BOXES.iter().find(|(known, _)| known == name).map(|(_, ty)| *ty)
    }

    /// The type inside of a box; of others, the type itself.
    pub(super) fn inside(&self, ty: Type) -> Type {
        self.boxed(ty).unwrap_or(ty)
    }

    /// The class of the boxes for a type.
    pub(super) fn box_of(&mut self, ty: Type) -> Option<Type> {
        let (name, _) = BOXES.iter().find(|(_, inside)| *inside == ty)?;
        Some(self.classes.library(name, None))
    }

    /// The value inside of a box.
    pub(super) fn unboxed(&mut self, value: Value, span: Span) -> Value {
        let Some(inside) = self.boxed(value.ty()) else { return value };
        let Some(variable) = self.pointer_variable(&value, span) else { return value };
        self.check_not_null(variable, span);
        self.number_in_box(variable, inside, span)
    }

    /// A conversion that Java makes without being asked.
    pub(super) fn convert(&mut self, value: Value, to: Type, span: Span) -> Value {
        let from = value.ty();
        if from == to || from == Type::Void {
            return value;
        }
        if to == Type::Void {
            return self.mismatch(&value, "nothing", span);
        }
        if from.is_reference() && to.is_reference() {
            return self.convert_reference(value, from, to, span);
        }
        if from.is_reference() {
            let inside = match from {
                Type::Object => return self.unsupported("a number of a type that is not known", span),
                _ => self.unboxed(value.clone(), span),
            };
            let ty = inside.ty();
            let fits = ty != from && (ty == to || ty.is_numeric() && to.is_numeric());
            return if fits { self.cast(inside, to, span) } else { self.mismatch(&value, &self.shown(to), span) };
        }
        if to.is_reference() {
            let name = BOXES.iter().find(|(_, inside)| *inside == from).map_or("Integer", |(name, _)| name);
            let content = || match &value {
                Value::Scalar(number, _) => Content::Number(number.clone()),
                _ => Content::Unknown(Cause::Float),
            };
            let boxed = self.library_object(name, content(), span);
            let ty = boxed.ty();
            let inside = self.boxed(to);
            return match to {
                _ if ty == to => boxed,
                Type::Object => self.convert_reference(boxed, ty, to, span),
                // A constant fits into a smaller box.
                _ if inside.is_some_and(|inside| inside.is_numeric() == from.is_numeric()) => {
                    let name = self.classes.show(to);
                    self.library_object(&name, content(), span)
                }
                _ => self.mismatch(&value, &self.shown(to), span),
            };
        }
        if from.is_numeric() && to.is_numeric() {
            return self.cast(value, to, span);
        }
        self.mismatch(&value, &self.shown(to), span)
    }

    fn shown(&self, ty: Type) -> String {
        format!("`{}`", self.classes.show(ty))
    }

    fn convert_reference(&mut self, value: Value, from: Type, to: Type, span: Span) -> Value {
        let Value::Reference(operand, _) = &value else { return value };
        self.texts_are_objects |= to == Type::Object && (self.is_text(from) || self.boxed(from).is_some());
        match (from, to) {
            (Type::Null, _) | (_, Type::Object) => Value::Reference(operand.clone(), to),
            (Type::Class(a), Type::Class(b)) if self.classes.is_subclass(a, b) => Value::Reference(operand.clone(), to),
            // Generics are erased: whether it fits is checked where Java checks it, when the object is used.
            (Type::Object, _) => self.retyped(operand.clone(), to, span),
            (Type::Library(_), Type::Library(_)) if self.boxed(from).is_none() && self.boxed(to).is_none() => {
                self.retyped_library(to, span)
            }
            _ => self.mismatch(&value, &self.shown(to), span),
        }
    }

    /// The same reference in a variable of another type.
    fn retyped(&mut self, operand: Operand, to: Type, span: Span) -> Value {
        let Some(ty) = self.ir_type(to) else { return Value::Nothing };
        let variable = self.temporary(ty, span);
        self.set(variable, operand, span);
        Value::of_variable(variable, to)
    }

    /// A text as a sequence of characters, and the like.
    fn retyped_library(&mut self, to: Type, span: Span) -> Value {
        self.unknown(to, Cause::Text, span)
    }

    /// A conversion that the program asks for.
    pub(super) fn cast(&mut self, value: Value, to: Type, span: Span) -> Value {
        match (&value, value.ty()) {
            (Value::Floating(_), _) if to.is_numeric() => self.unknown(to, Cause::Float, span),
            (Value::Scalar(_, from), _) if from.is_numeric() && to.is_floating() => Value::Floating(to),
            (Value::Scalar(expr, from), _) if from.is_numeric() && to.is_numeric() => match to.scalar() {
                Some(scalar) if *from != to => Value::Scalar(folded(scalar, expr.clone()), to),
                _ => value,
            },
            (_, Type::Class(from)) => match to {
                Type::Class(class) if !self.classes.is_subclass(from, class) => self.downcast(value, class, span),
                _ => self.convert(value, to, span),
            },
            _ => self.convert(value, to, span),
        }
    }

    /// It is an error if the object is not of the class.
    fn downcast(&mut self, value: Value, class: ClassId, span: Span) -> Value {
        let from = match value.ty() {
            Type::Class(from) => self.classes[from].component,
            _ => return value,
        };
        let Some(variable) = self.pointer_variable(&value, span) else { return value };
        if from != self.classes[class].component {
            return self.unsupported("a cast between classes that have nothing to do with each other", span);
        }
        let (fits, fails) = (self.node(), self.node());
        let null = self.node();
        self.test_class(variable, class, Some(null), fits, fails, span);
        self.body.at = fails;
        let text = format!("the object may be no `{}`", self.classes[class].name);
        self.end(Statement::Error { kind: FindingKind::Assertion, text }, span);
        self.body.at = null;
        self.jump(fits, span);
        self.body.at = fits;
        Value::of_variable(variable, Type::Class(class))
    }

    /// Is the object of a class? Goes to one node or the other; a third is for null.
    pub(super) fn test_class(
        &mut self,
        object: VarId,
        class: ClassId,
        null: Option<NodeId>,
        yes: NodeId,
        no: NodeId,
        span: Span,
    ) {
        let component = self.classes[class].component;
        let there = self.node();
        let is_null = Condition::Pointers { left: Operand::Pointer(object), right: Operand::Null, equal: true };
        self.fork(is_null, null.unwrap_or(no), there, span);
        self.body.at = there;
        let classes: Vec<ClassId> = self.classes.ids().filter(|id| self.classes.is_subclass(*id, class)).collect();
        let Some(field) = self.tags.get(&component).copied() else {
            // There is only one class whose objects can be here.
            let fits = classes.iter().any(|id| self.classes[*id].is_instantiable());
            return self.jump(if fits { yes } else { no }, span);
        };
        let tag = self.temporary(ir::Type::Scalar(Scalar::I32), span);
        self.emit(Statement::Load { to: tag, object, field }, span);
        self.fork(Condition::Scalar(is_one_of(tag, &classes)), yes, no, span);
    }
}

/// Is the number of a class one of these?
pub(super) fn is_one_of(tag: VarId, classes: &[ClassId]) -> ir::Expr {
    let equals = |class: &ClassId| {
        let number = constant(class.0 as i128, Scalar::I32);
        ir::Expr::binary(ir::BinaryOp::Equal, ir::Expr::Variable(tag), number)
    };
    let tests = classes.iter().map(equals);
    tests.reduce(|all, test| ir::Expr::binary(ir::BinaryOp::Or, all, test)).unwrap_or(constant(0, Scalar::Bool))
}

/// A conversion, made at once if the number is known.
fn folded(scalar: Scalar, expr: ir::Expr) -> ir::Expr {
    match expr {
        ir::Expr::Constant(value, _) => constant(scalar.convert(value), scalar),
        expr => ir::Expr::Convert(scalar, Box::new(expr)),
    }
}
