//! New objects and constructors. For example, `new Node(d)` becomes `t = new zeroed Node; Node(t, d)`.

use super::content::Content;
use super::library::is_outside;
use super::value::{Value, constant};
use super::{MethodInfo, Translator};
use crate::ast::{ClassKind, Expr, ExprKind, Stmt, StmtKind, TypeRef, TypeRefKind};
use crate::types::{ClassId, Type};
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, Operand, Scalar, Statement, VarId};
use trifold_source::Span;

impl<'a> Translator<'a, '_> {
    /// `new C(…)`
    pub(super) fn create(&mut self, ty: &'a TypeRef, arguments: &'a [Expr], span: Span, into: Option<VarId>) -> Value {
        let class = match self.classes.resolve(ty, self.body.class, &[]) {
            Type::Class(class) => class,
            Type::Library(_) => {
                self.arguments(arguments);
                let TypeRefKind::Named(names) = &ty.kind else { return Value::Nothing };
                let name = names.last().map_or("", |name| &name.text).to_string();
                self.has_seeds |= ["Random", "Scanner"].contains(&&*name) && !arguments.iter().all(is_outside);
                return self.library_object(&name, Content::Unknown(Cause::Library), span);
            }
            _ => return self.create_unknown(ty, arguments, span),
        };
        let info = &self.classes[class];
        if info.ast.kind != ClassKind::Class || info.ast.is_abstract {
            let message = format!("there are no objects of `{}`, only of classes that extend it", info.name);
            self.error("abstract", ty.span, message);
            return Value::Nothing;
        }
        if let Some(parent) = self.lineage_oddity(class) {
            return self.unsupported(format!("an object of a class that extends `{parent}`"), span);
        }
        let component = info.component;
        let structure = self.structs[&component];
        // The variable that gets the object may be used for it at once, unless an argument reads it, or it is not
        // local.
        let mentions = |variable: VarId| {
            let local = self.body.locals.iter().find(|local| local.variable == Some(variable));
            local.is_none_or(|local| {
                let is_it = |part: &Expr| matches!(&part.kind, ExprKind::Name(name) if name.text == local.name);
                arguments.iter().any(|argument| argument.any(&is_it))
            })
        };
        let ir_type = ir::Type::Pointer(Some(structure));
        let to = into.filter(|into| self.ir[*into].ty == ir_type && !mentions(*into));
        let to = to.unwrap_or_else(|| self.temporary(ir_type, span));
        let values = self.arguments(arguments);
        self.allocate(to, structure, span);
        if let Some(field) = self.tags.get(&component).copied() {
            let number = Operand::Scalar(constant(class.0 as i128, Scalar::I32));
            self.emit(Statement::Store { object: to, field, value: number }, span);
        }
        self.construct(class, to, values, span);
        Value::of_variable(to, Type::Class(class))
    }

    /// A class of the library that the class extends, and that may do anything.
    fn lineage_oddity(&self, class: ClassId) -> Option<String> {
        self.classes.lineage(class).into_iter().find_map(|class| self.classes[class].strange_superclass.clone())
    }

    /// Exceptions are made to be thrown; of other classes nothing is known.
    fn create_unknown(&mut self, ty: &'a TypeRef, arguments: &'a [Expr], span: Span) -> Value {
        let TypeRefKind::Named(names) = &ty.kind else { return Value::Nothing };
        let name = names.last().map_or("", |name| &name.text).to_string();
        if name.ends_with("Exception") || name.ends_with("Error") || name == "Object" {
            let values = self.arguments(arguments);
            self.become_text(&values, span);
            let Value::Reference(operand, _) = self.library_object(&name, Content::Unknown(Cause::Library), span)
            else {
                return Value::Nothing;
            };
            return Value::Reference(operand, Type::Object);
        }
        self.unsupported(format!("an object of `{name}`, of which nothing is known"), span)
    }

    /// Calls the constructor that suits the arguments.
    fn construct(&mut self, class: ClassId, object: VarId, values: Vec<Value>, span: Span) {
        if !self.has_constructors(class) {
            if !values.is_empty() {
                let message = format!("`{}` has no constructor with arguments", self.classes[class].name);
                return self.error("constructor", span, message);
            }
            if let Some(procedure) = self.constructors.get(&class).copied() {
                let arguments = vec![Operand::Pointer(object)];
                self.emit(Statement::Call { to: None, targets: vec![procedure], arguments }, span);
            }
            return;
        }
        let candidates: Vec<usize> = self.constructors_of(class);
        let Some(chosen) = self.choose(&candidates, &values, &self.classes[class].name.clone(), span) else { return };
        let parameters = self.methods[chosen].parameters.clone();
        let Some(target) = self.methods[chosen].procedure else { return };
        let mut arguments = vec![Operand::Pointer(object)];
        arguments.extend(self.converted_arguments(&parameters, values, span));
        self.emit(Statement::Call { to: None, targets: vec![target], arguments }, span);
    }

    fn constructors_of(&self, class: ClassId) -> Vec<usize> {
        let is_constructor = |method: &MethodInfo| method.class == class && method.ast.result.is_none();
        (0..self.methods.len()).filter(|number| is_constructor(&self.methods[*number])).collect()
    }

    /// The work of a constructor before its own statements, which are returned.
    pub(super) fn begin_constructor(&mut self, class: ClassId, body: &'a [Stmt], span: Span) -> &'a [Stmt] {
        if let [Stmt { kind: StmtKind::Expr(first), .. }, rest @ ..] = body
            && let ExprKind::ConstructorCall { is_super, arguments } = &first.kind
        {
            if *is_super {
                self.initialise_constants(class);
                self.super_constructor(class, arguments, first.span);
                self.initialise_fields(class);
            } else if let Some(this) = self.body.this {
                let values = self.arguments(arguments);
                self.construct(class, this, values, first.span);
            }
            self.release();
            return rest;
        }
        self.initialise_constants(class);
        self.super_constructor(class, &[], span);
        self.initialise_fields(class);
        body
    }

    pub(super) fn super_constructor(&mut self, class: ClassId, arguments: &'a [Expr], span: Span) {
        let values = self.arguments(arguments);
        if let (Some(parent), Some(this)) = (self.classes[class].superclass, self.body.this) {
            self.construct(parent, this, values, span);
        }
    }

    pub(super) fn create_array(&mut self, ty: &'a TypeRef, lengths: &'a [Expr], span: Span) -> Value {
        let lengths = self.arguments(lengths);
        let parameters = self.body.type_parameters.clone();
        let ty = self.classes.resolve(ty, self.body.class, &parameters);
        let Type::Library(library) = ty else { return Value::Nothing };
        let structure = self.library_struct(library);
        let to = self.temporary(ir::Type::Pointer(Some(structure)), span);
        let length = lengths.into_iter().next().map(|length| self.unboxed(length, span));
        let content = match length.map(|length| self.convert(length, Type::Int, span)) {
            Some(Value::Scalar(length, _)) => {
                let is_length = ir::Expr::binary(ir::BinaryOp::GreaterEqual, length.clone(), ir::Expr::int(0));
                self.or_stop(is_length, span);
                Content::Zeros(length)
            }
            _ => Content::Unknown(Cause::Element),
        };
        self.allocate(to, structure, span);
        self.fill(to, content, span);
        Value::of_variable(to, ty)
    }
}
