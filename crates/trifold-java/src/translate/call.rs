//! Calls of methods: which one is meant, and which ones may be called.
//!
//! A method is chosen by the types of the arguments. If classes override it, the class of the object decides, and each
//! method that some class would use is called for the objects of these classes. For example, `s.area()` with the
//! classes `Circle` and `Square` becomes a choice by the class of `s`, with a call in each branch.

use super::convert::is_one_of;
use super::value::Value;
use super::{MethodInfo, ParameterInfo, Translator};
use crate::ast::{Expr, ExprKind, Name};
use crate::types::{ClassId, Type};
use std::collections::BTreeMap;
use trifold_ir as ir;
use trifold_ir::{Builder, Condition, Operand, Scalar, Statement, VarId};
use trifold_source::Span;

impl<'a> Translator<'a, '_> {
    /// The values of arguments, from left to right.
    pub(super) fn arguments(&mut self, arguments: &'a [Expr]) -> Vec<Value> {
        let mut values = Vec::new();
        for (number, argument) in arguments.iter().enumerate() {
            let mut value = self.value(argument);
            for later in &arguments[number + 1..] {
                value = self.stable(value, later, argument.span);
            }
            values.push(value);
        }
        values
    }

    pub(super) fn call(&mut self, expr: &'a Expr, into: Option<VarId>) -> Value {
        let span = expr.span;
        let (receiver, name, arguments) = match &expr.kind {
            ExprKind::Call { receiver, name, arguments } => (receiver.as_deref(), name, &arguments[..]),
            _ => return self.unsupported("a call of a constructor that is not the first statement", span),
        };
        let Some(receiver) = receiver else { return self.call_unqualified(name, arguments, span, into) };
        if let ExprKind::Super = receiver.kind {
            return self.call_super(name, arguments, span, into);
        }
        if let Some(class) = self.class_named(receiver) {
            let candidates = self.candidates(class, &name.text);
            let values = self.arguments(arguments);
            let Some(chosen) = self.choose(&candidates, &values, &name.text, name.span) else { return Value::Nothing };
            if !self.methods[chosen].ast.is_static {
                return self.unsupported(format!("the method `{}` without an object", name.text), span);
            }
            return self.call_method(chosen, None, values, span, into);
        }
        if let Some(value) = self.library_call(receiver, name, arguments, span) {
            return value;
        }
        let object = self.value(receiver);
        let object = arguments.iter().fold(object, |object, argument| self.stable(object, argument, receiver.span));
        match object.ty() {
            Type::Void => Value::Nothing,
            Type::Class(class) => self.call_on(class, object, name, arguments, span, into),
            Type::Library(_) => self.library_method(object, name, arguments, span),
            Type::Null => self.unsupported("a call on `null`", span),
            _ => self.unsupported(format!("a call of `{}` on something that is not known", name.text), span),
        }
    }

    fn call_unqualified(&mut self, name: &'a Name, arguments: &'a [Expr], span: Span, into: Option<VarId>) -> Value {
        let around: Vec<ClassId> = self.classes.around(self.body.class).collect();
        for (level, class) in around.into_iter().enumerate() {
            let candidates = self.candidates(class, &name.text);
            if candidates.is_empty() {
                continue;
            }
            let values = self.arguments(arguments);
            let Some(chosen) = self.choose(&candidates, &values, &name.text, name.span) else { return Value::Nothing };
            if self.methods[chosen].ast.is_static {
                return self.call_method(chosen, None, values, span, into);
            }
            return match self.body.this {
                Some(this) if level == 0 => self.dispatch(chosen, class, this, values, span, into),
                Some(_) => self.unsupported("a method of the object around another", span),
                None => self.unsupported(format!("the method `{}` without an object", name.text), span),
            };
        }
        if self.classes[self.body.class].strange_superclass.is_some() {
            return self.unsupported(format!("a call of `{}`, about which nothing is known", name.text), span);
        }
        self.error("method", name.span, format!("there is no method `{}`", name.text));
        Value::Nothing
    }

    fn call_super(&mut self, name: &'a Name, arguments: &'a [Expr], span: Span, into: Option<VarId>) -> Value {
        let parent = self.classes[self.body.class].superclass;
        let candidates = parent.map_or(Vec::new(), |parent| self.candidates(parent, &name.text));
        if candidates.is_empty() {
            return self.unsupported(format!("a call of `super.{}`", name.text), span);
        }
        let values = self.arguments(arguments);
        let Some(chosen) = self.choose(&candidates, &values, &name.text, name.span) else { return Value::Nothing };
        let is_static = self.methods[chosen].ast.is_static;
        if !is_static && self.body.this.is_none() {
            self.error("super", span, "there is no `super` in a static method");
            return Value::Nothing;
        }
        let this = self.body.this.filter(|_| !is_static);
        self.call_method(chosen, this, values, span, into)
    }

    fn call_on(
        &mut self,
        class: ClassId,
        object: Value,
        name: &'a Name,
        arguments: &'a [Expr],
        span: Span,
        into: Option<VarId>,
    ) -> Value {
        let candidates = self.candidates(class, &name.text);
        let values = self.arguments(arguments);
        let Some(variable) = self.pointer_variable(&object, span) else { return Value::Nothing };
        if candidates.is_empty() {
            return self.inherited_from_object(class, variable, name, values, span);
        }
        let Some(chosen) = self.choose(&candidates, &values, &name.text, name.span) else { return Value::Nothing };
        if self.methods[chosen].ast.is_static {
            return self.call_method(chosen, None, values, span, into);
        }
        self.dispatch(chosen, class, variable, values, span, into)
    }

    /// The methods with a name that a class has or inherits; those that override come first.
    fn candidates(&self, class: ClassId, name: &str) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for class in self.classes.lineage(class) {
            for (number, method) in self.methods.iter().enumerate() {
                let suits = method.class == class && method.ast.result.is_some() && &*method.ast.name.text == name;
                if suits && !found.iter().any(|known| self.overrides(*known, number)) {
                    found.push(number);
                }
            }
        }
        found
    }

    /// Does a method of a class override one of a class above it?
    fn overrides(&self, method: usize, inherited: usize) -> bool {
        let (method, inherited) = (&self.methods[method], &self.methods[inherited]);
        let same = |(own, other): (&ParameterInfo, &ParameterInfo)| {
            own.ty == other.ty || other.is_variable && own.ty.is_reference()
        };
        method.ast.name.text == inherited.ast.name.text
            && method.parameters.len() == inherited.parameters.len()
            && method.parameters.iter().zip(&inherited.parameters).all(same)
    }

    /// The method that suits the arguments best.
    pub(super) fn choose(&mut self, candidates: &[usize], values: &[Value], name: &str, span: Span) -> Option<usize> {
        if values.iter().any(|value| value.ty() == Type::Void) {
            // An argument that is not reached; its error has been reported.
            return None;
        }
        let types: Vec<Type> = values.iter().map(|value| value.ty()).collect();
        let boxed: Vec<Type> = types.iter().map(|ty| self.box_of(*ty).unwrap_or(self.inside(*ty))).collect();
        let is_variadic = |number: &usize| self.methods[*number].ast.parameters.iter().any(|p| p.variadic);
        let with_count = |number: &usize| self.methods[*number].parameters.len() == types.len();
        let suits = |number: &usize, boxing: bool| {
            let parameters = &self.methods[*number].parameters;
            let fits = |((from, boxed), to): ((&Type, &Type), &ParameterInfo)| {
                let same_sort = from.is_reference() == to.ty.is_reference();
                let from = if same_sort { from } else { boxed };
                self.classes.assignable(*from, to.ty) && (same_sort || boxing)
            };
            with_count(number) && types.iter().zip(&boxed).zip(parameters).all(fits)
        };
        let mut suitable: Vec<usize> = candidates.iter().copied().filter(|number| suits(number, false)).collect();
        if suitable.is_empty() {
            suitable = candidates.iter().copied().filter(|number| suits(number, true)).collect();
        }
        let is_best = |number: &&usize| {
            suitable.iter().all(|other| {
                let pairs = self.methods[**number].parameters.iter().zip(&self.methods[*other].parameters);
                let mut pairs = pairs.map(|(own, other)| (own.ty, other.ty));
                pairs.all(|(own, other)| own == other || own != Type::Object && self.classes.assignable(own, other))
            })
        };
        let best = suitable.iter().find(is_best).copied();
        if best.is_none() {
            if candidates.iter().any(is_variadic) {
                self.unsupported(format!("`{name}` with any number of arguments"), span);
            } else if suitable.is_empty() {
                self.error("arguments", span, format!("`{name}` does not take these arguments"));
            } else {
                self.unsupported(format!("`{name}`, of which several suit"), span);
            }
        } else if best.as_ref().is_some_and(is_variadic) {
            self.unsupported(format!("`{name}` with any number of arguments"), span);
            return None;
        }
        best
    }

    pub(super) fn converted_arguments(
        &mut self,
        parameters: &[ParameterInfo],
        values: Vec<Value>,
        span: Span,
    ) -> Vec<Operand> {
        let mut operands = Vec::new();
        for (parameter, value) in parameters.iter().zip(values) {
            let value = self.convert(value, parameter.ty, span);
            if self.ir_type(parameter.ty).is_some() {
                operands.push(value.operand().unwrap_or(Operand::Uninitialised));
            }
        }
        operands
    }

    /// Calls a method by the class of the object.
    fn dispatch(
        &mut self,
        chosen: usize,
        class: ClassId,
        object: VarId,
        values: Vec<Value>,
        span: Span,
        into: Option<VarId>,
    ) -> Value {
        let mut targets: BTreeMap<usize, Vec<ClassId>> = BTreeMap::new();
        for id in self.classes.ids() {
            if self.classes.is_subclass(id, class) && self.classes[id].is_instantiable() {
                let found = self.implementation(id, chosen).filter(|_| !self.methods[chosen].ast.is_private);
                targets.entry(found.unwrap_or(chosen)).or_default().push(id);
            }
        }
        let component = self.classes[class].component;
        let tag = self.tags.get(&component).copied();
        if targets.len() <= 1 || tag.is_none() {
            self.check_not_null(object, span);
            let target = targets.keys().next().copied().unwrap_or(chosen);
            return self.call_method(target, Some(object), values, span, into);
        }
        let number = self.temporary(ir::Type::Scalar(Scalar::I32), span);
        if let Some(field) = tag {
            self.emit(Statement::Load { to: number, object, field }, span);
        }
        let result = self.methods[chosen].result;
        let place = self.result_variable(result, span, into);
        let (start, end) = (self.body.at, self.node());
        for (target, classes) in targets {
            let here = self.node();
            self.edge(start, here, Statement::Assume(Condition::Scalar(is_one_of(number, &classes))), span);
            self.body.at = here;
            let value = self.call_method(target, Some(object), values.clone(), span, place);
            self.store(&super::place::Place::variable(place, result), value, span);
            self.jump(end, span);
        }
        self.body.at = end;
        self.result_of(place, result)
    }

    /// The method that objects of a class use for one that is called.
    fn implementation(&self, class: ClassId, called: usize) -> Option<usize> {
        let lineage = self.classes.lineage(class);
        let suits = |number: &usize, class: ClassId| {
            let method = &self.methods[*number];
            let is_own = method.class == class && method.procedure.is_some() && !method.ast.is_static;
            is_own && method.ast.result.is_some() && (*number == called || self.overrides(*number, called))
        };
        lineage.into_iter().find_map(|class| (0..self.methods.len()).find(|number| suits(number, class)))
    }

    fn result_variable(&mut self, result: Type, span: Span, into: Option<VarId>) -> Option<VarId> {
        let ty = self.ir_type(result)?;
        Some(into.filter(|into| self.ir[*into].ty == ty).unwrap_or_else(|| self.temporary(ty, span)))
    }

    fn result_of(&self, place: Option<VarId>, result: Type) -> Value {
        match place {
            Some(place) => Value::of_variable(place, result),
            None if result.is_floating() => Value::Floating(result),
            None => Value::Nothing,
        }
    }

    fn call_method(
        &mut self,
        method: usize,
        object: Option<VarId>,
        values: Vec<Value>,
        span: Span,
        into: Option<VarId>,
    ) -> Value {
        let MethodInfo { parameters, result, procedure, ast, .. } = &self.methods[method];
        let (parameters, result, procedure, name) =
            (parameters.clone(), *result, *procedure, ast.name.text.to_string());
        let Some(target) = procedure else {
            return self.unsupported(format!("the method `{name}`, which no class has"), span);
        };
        let mut arguments: Vec<Operand> = object.map(Operand::Pointer).into_iter().collect();
        arguments.extend(self.converted_arguments(&parameters, values, span));
        let to = self.result_variable(result, span, into);
        self.emit(Statement::Call { to, targets: vec![target], arguments }, span);
        self.result_of(to, result)
    }
}
