//! Places: variables, fields and elements, and how they are read and written. For example, `a.b = c` first evaluates
//! `a`, then `c`, and then writes the field.

use super::value::Value;
use super::{FieldHome, FieldInfo, Translator};
use crate::ast::{Expr, ExprKind, Name};
use crate::types::{ClassId, Type};
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, FieldId, Operand, Statement, VarId};
use trifold_source::Span;

#[derive(Clone, Copy)]
pub(super) enum PlaceKind {
    Variable(VarId),
    Field(VarId, FieldId),
    /// The element of an array at an index.
    Element(VarId, VarId),
    /// Written values are not kept; read values are not known.
    Nowhere,
}

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub kind: PlaceKind,
    pub ty: Type,
}

impl Place {
    /// A variable, if its value is kept.
    pub fn variable(variable: Option<VarId>, ty: Type) -> Place {
        Place { kind: variable.map_or(PlaceKind::Nowhere, PlaceKind::Variable), ty }
    }
}

impl<'a> Translator<'a, '_> {
    /// Where an expression can be assigned to.
    pub(super) fn place(&mut self, expr: &'a Expr) -> Option<Place> {
        let place = self.unchecked_place(expr)?;
        self.check_element(&place, expr.span);
        Some(place)
    }

    /// The same, but it is not asked yet whether an array has such an element.
    pub(super) fn unchecked_place(&mut self, expr: &'a Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::Name(name) => self.named_place(name),
            ExprKind::Field(object, name) => self.selected_place(object, name, expr.span),
            ExprKind::Index(array, index) => self.element_place(array, index, expr.span),
            _ => {
                self.error("assignment", expr.span, "this cannot be assigned to");
                None
            }
        }
    }

    fn named_place(&mut self, name: &Name) -> Option<Place> {
        if let Some(local) = self.body.locals.iter().rev().find(|local| local.name == name.text) {
            return Some(Place::variable(local.variable, local.ty));
        }
        let around: Vec<ClassId> = self.classes.around(self.body.class).collect();
        for (level, class) in around.into_iter().enumerate() {
            let Some(info) = self.field(class, &name.text) else { continue };
            if !info.is_static && (level > 0 || self.body.this.is_none()) {
                let text = match level {
                    0 => "a field of an object in a static method",
                    _ => "a field of the object around another",
                };
                self.unsupported(text, name.span);
                return Some(Place { kind: PlaceKind::Nowhere, ty: info.ty });
            }
            return Some(self.field_place(self.body.this, info));
        }
        // By convention, and by all that is known, that is a class of the library.
        if name.text.starts_with(char::is_uppercase) {
            self.unsupported(format!("`{}`, about which nothing is known", name.text), name.span);
            return Some(Place { kind: PlaceKind::Nowhere, ty: Type::Void });
        }
        self.error("name", name.span, format!("there is no variable or field `{}`", name.text));
        None
    }

    /// A field that a class has or inherits.
    pub(super) fn field(&self, class: ClassId, name: &str) -> Option<FieldInfo> {
        let lineage = self.classes.lineage(class);
        lineage.into_iter().find_map(|class| self.fields.get(&(class, name.to_string())).copied())
    }

    pub(super) fn field_place(&mut self, object: Option<VarId>, info: FieldInfo) -> Place {
        let kind = match (info.home, object) {
            (FieldHome::Static(variable), _) => PlaceKind::Variable(variable),
            (FieldHome::Instance(field), Some(object)) => PlaceKind::Field(object, field),
            _ => PlaceKind::Nowhere,
        };
        Place { kind, ty: info.ty }
    }

    /// The class that an expression names, if it is not a variable.
    pub(super) fn class_named(&self, expr: &Expr) -> Option<ClassId> {
        let mut names = Vec::new();
        let mut at = expr;
        while let ExprKind::Field(before, name) = &at.kind {
            names.push(&*name.text);
            at = before;
        }
        let ExprKind::Name(first) = &at.kind else { return None };
        let is_variable = self.body.locals.iter().any(|local| local.name == first.text)
            || self.classes.around(self.body.class).any(|class| self.field(class, &first.text).is_some());
        if is_variable {
            return None;
        }
        names.push(&*first.text);
        names.reverse();
        self.classes.class_named(&names, Some(self.body.class))
    }

    fn selected_place(&mut self, object: &'a Expr, name: &Name, span: Span) -> Option<Place> {
        if let Some(class) = self.class_named(object) {
            return match self.field(class, &name.text).filter(|info| info.is_static) {
                Some(info) => Some(self.field_place(None, info)),
                None => {
                    self.unsupported(format!("`{}.{}`", self.classes[class].name, name.text), span);
                    Some(Place { kind: PlaceKind::Nowhere, ty: Type::Object })
                }
            };
        }
        if let Some(place) = self.library_constant(object, name, span) {
            return Some(place);
        }
        let object_value = self.value(object);
        match object_value.ty() {
            Type::Class(class) => {
                let Some(info) = self.field(class, &name.text) else {
                    let class = &self.classes[class].name;
                    let message = format!("`{class}` has no field `{}`", name.text);
                    self.error("field", name.span, message);
                    return None;
                };
                let variable = self.pointer_variable(&object_value, object.span)?;
                if let FieldHome::Nowhere = info.home
                    && !info.is_static
                {
                    self.check_not_null(variable, object.span);
                }
                Some(self.field_place(Some(variable), info))
            }
            Type::Library(id) if self.classes.library[id.0].element.is_some() && &*name.text == "length" => {
                let variable = self.pointer_variable(&object_value, object.span)?;
                self.check_not_null(variable, object.span);
                let length = self.length(variable, span);
                let Value::Scalar(ir::Expr::Variable(length), _) = length else { return None };
                Some(Place::variable(Some(length), Type::Int))
            }
            _ => {
                self.unsupported(format!("the field `{}` of something that is not known", name.text), span);
                Some(Place { kind: PlaceKind::Nowhere, ty: Type::Object })
            }
        }
    }

    /// The elements of arrays of numbers are known to runs; of arrays that hold objects they would matter to all.
    fn element_place(&mut self, array: &'a Expr, index: &'a Expr, span: Span) -> Option<Place> {
        let value = self.value(array);
        let value = self.stable(value, index, array.span);
        let at = self.value(index);
        let at = self.unboxed(at, span);
        let at = self.convert(at, Type::Int, span);
        let Type::Library(id) = value.ty() else {
            self.unsupported("an element of something that is not known", span);
            return Some(Place { kind: PlaceKind::Nowhere, ty: Type::Object });
        };
        let variable = self.pointer_variable(&value, array.span)?;
        let ty = self.classes.library[id.0].element.unwrap_or(Type::Object);
        let is_plain =
            !ty.is_reference() || matches!(ty, Type::Library(id) if self.classes.library[id.0].element.is_none());
        if !is_plain {
            self.unsupported("an array of objects", span);
        }
        let Value::Scalar(at, _) = at else { return Some(Place { kind: PlaceKind::Nowhere, ty }) };
        let index = self.temporary(ir::Type::Scalar(ir::Scalar::I32), span);
        self.set(index, Operand::Scalar(at), span);
        Some(Place { kind: PlaceKind::Element(variable, index), ty })
    }

    /// If it is an element: is there an array, and is it long enough?
    pub(super) fn check_element(&mut self, place: &Place, span: Span) {
        if let PlaceKind::Element(array, index) = place.kind {
            self.check_not_null(array, span);
            self.check_index(array, index, span);
        }
    }

    pub(super) fn load(&mut self, place: &Place, span: Span, into: Option<VarId>) -> Value {
        match place.kind {
            PlaceKind::Nowhere if place.ty == Type::Void => Value::Nothing,
            PlaceKind::Nowhere => self.unknown(place.ty, Cause::Element, span),
            PlaceKind::Element(array, index) => self.load_element(array, index, place.ty, span),
            PlaceKind::Variable(variable) => Value::of_variable(variable, place.ty),
            PlaceKind::Field(object, field) => {
                let ty = self.ir[field].ty;
                let to = into.filter(|into| self.ir[*into].ty == ty).unwrap_or_else(|| self.temporary(ty, span));
                self.emit(Statement::Load { to, object, field }, span);
                Value::of_variable(to, place.ty)
            }
        }
    }

    /// Assigns a value, converted as far as Java does that without being asked.
    pub(super) fn store(&mut self, place: &Place, value: Value, span: Span) {
        let value = self.convert(value, place.ty, span);
        if let PlaceKind::Element(array, index) = place.kind {
            return self.store_element(array, index, value, span);
        }
        let Some(operand) = value.operand() else { return };
        match place.kind {
            PlaceKind::Nowhere | PlaceKind::Element(..) => {}
            PlaceKind::Variable(to) if operand == Operand::Pointer(to) => {}
            PlaceKind::Variable(to) => self.set(to, operand, span),
            PlaceKind::Field(object, field) => self.emit(Statement::Store { object, field, value: operand }, span),
        }
    }
}
