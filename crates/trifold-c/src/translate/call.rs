//! Calls: of functions with a body, through pointers, and of functions that are defined elsewhere.
//!
//! For example, `f(p->next)` becomes `t = p->next; f(t)`, and `(*g)(x)` becomes a choice between the functions whose
//! address is taken.

use super::Translator;
use super::forms::{called, loaded};
use super::instance::Binding;
use super::layout::Kind;
use super::place::Place;
use super::text::CONSTANT;
use super::value::{Use, Value};
use crate::typed::{DeclarationId, DeclarationKind, Expr, ExprKind};
use crate::types::TypeId;
use trifold_ir as ir;
use trifold_ir::{Builder, Condition, FindingKind, Operand, Statement, VarId};
use trifold_source::Span;

/// More functions than this are not told apart at a call.
const MAX_TARGETS: usize = 64;

/// A function is translated for so many sizes. One that calls itself may compute others for ever.
const MAX_INSTANCES: usize = 32;

/// An argument: its value, its type, and the part of it that is known before the program runs.
struct Argument {
    value: Value,
    ty: TypeId,
    binding: Option<Binding>,
}

impl<'p> Translator<'p> {
    pub(super) fn call(
        &mut self,
        callee: &'p Expr,
        arguments: &'p [Expr],
        expr: &'p Expr,
        hint: Option<VarId>,
        used: bool,
    ) -> Value {
        self.call_for(callee, arguments, expr, None, hint, used)
    }

    /// A call whose result becomes a pointer of a type.
    pub(super) fn call_for(
        &mut self,
        callee: &'p Expr,
        arguments: &'p [Expr],
        expr: &'p Expr,
        expected: Option<TypeId>,
        hint: Option<VarId>,
        used: bool,
    ) -> Value {
        self.check_order(expr);
        let used = Use { expected, hint, used, ty: expr.ty, span: expr.span };
        match self.known_function(callee) {
            Some(id) if self.definition(id).is_some() => {
                let arguments = self.arguments(Some(id), arguments, expected);
                self.call_defined(id, arguments, used)
            }
            Some(id) => self.call_library(id, arguments, used),
            None => self.call_indirect(callee, arguments, used),
        }
    }

    /// May nothing define a function, so that its address is null?
    pub(super) fn is_missing(&self, id: DeclarationId) -> bool {
        self.c.declaration(id).weak && self.definition(id).is_none()
    }

    /// The function that is called, if that is known here.
    pub(super) fn known_function(&self, callee: &Expr) -> Option<DeclarationId> {
        let bound = loaded(callee).and_then(|id| self.body.bindings.get(&id));
        match bound {
            Some(Binding::Function(id)) => Some(*id),
            _ => called(callee).filter(|id| matches!(self.c.declaration(*id).kind, DeclarationKind::Function { .. })),
        }
    }

    fn arguments(
        &mut self,
        function: Option<DeclarationId>,
        arguments: &'p [Expr],
        expected: Option<TypeId>,
    ) -> Vec<Argument> {
        let parameters = function.and_then(|id| self.definition(id)).map(|function| &function.parameters[..]);
        let mut found = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let parameter = parameters.and_then(|parameters| parameters.get(index));
            let binding = match (parameter, function) {
                (Some(parameter), Some(function)) if self.is_bindable(*parameter) => {
                    self.binding(function, argument, self.c.declaration(*parameter).ty, expected)
                }
                _ => None,
            };
            let value = if binding.is_some() { Value::Nothing } else { self.value(argument, None) };
            found.push(Argument { value, ty: argument.ty, binding });
        }
        found
    }

    /// The size or the function that an argument is known to be, as a parameter of a type.
    fn binding(
        &mut self,
        function: DeclarationId,
        argument: &'p Expr,
        parameter: TypeId,
        expected: Option<TypeId>,
    ) -> Option<Binding> {
        if let Some(id) = self.known_function(argument) {
            return Some(Binding::Function(id));
        }
        if self.instances.keys().filter(|instance| instance.function == function).count() >= MAX_INSTANCES {
            return None;
        }
        let (bytes, ty) = self.size_in(self.object_size(argument)?, parameter)?;
        let expected = expected.and_then(|ty| self.c.types.pointee(ty));
        let fits = |ty: &TypeId| self.c.types.size(*ty).is_some_and(|size| i128::from(size) <= bytes);
        Some(Binding::Size(bytes, ty.or(expected.filter(fits))))
    }

    fn call_defined(&mut self, id: DeclarationId, arguments: Vec<Argument>, used: Use) -> Value {
        let span = used.span;
        let Some(function) = self.definition(id) else { return Value::Nothing };
        let count = function.parameters.len();
        let ty = self.c.types.callee(self.c.declaration(id).ty);
        let variadic = ty.as_ref().is_some_and(|function| function.variadic);
        if ty.is_some_and(|function| self.exposes_constant(function.result, used.ty)) {
            self.unsupported(CONSTANT, span);
        }
        if arguments.len() < count || arguments.len() > count && !variadic {
            let text = format!("a call of `{}` with another number of arguments", self.name(id));
            return self.unsupported(text, span);
        }
        let mut bindings = Vec::new();
        let mut operands = Vec::new();
        for (number, (parameter, argument)) in function.parameters.iter().zip(arguments).enumerate() {
            bindings.push(argument.binding);
            if argument.binding.is_none() {
                let ty = self.c.declaration(*parameter).ty;
                // Without a prototype, and by a pointer that was cast, arguments are not converted.
                if self.exposes_constant(argument.ty, ty) {
                    self.unsupported(CONSTANT, span);
                }
                if self.c.declaration(id).not_null.checked.contains(&number) {
                    self.check_not_null(&argument, *parameter, id, span);
                }
                self.pass(argument, ty, &mut operands, span);
            }
        }
        let procedure = self.instance(id, bindings);
        if operands.len() != self.ir[procedure].parameters.len() {
            let text = format!("an argument of `{}` of a type that is not supported", self.name(id));
            return self.unsupported(text, span);
        }
        if let Some(place) = self.record_result(id) {
            self.emit(Statement::Call { to: None, targets: vec![procedure], arguments: operands }, span);
            return self.take_record(&place, used);
        }
        let is_float = matches!(self.kind(used.ty), Some(Kind::Float(_)));
        let to = match self.ir[procedure].result {
            Some(_) if used.used && is_float => Some(self.hidden(used.span)),
            Some(result) if used.used => Some(self.call_target(self.ir[result].ty, used)),
            _ => None,
        };
        self.emit(Statement::Call { to, targets: vec![procedure], arguments: operands }, span);
        to.map_or(Value::Nothing, |to| self.result_value(to, used.ty))
    }

    /// The variable for the result of a call, which may convert a pointer.
    pub(super) fn call_target(&mut self, ty: ir::Type, used: Use) -> VarId {
        let fits = |hint: &VarId| {
            let (hint, generic) = (self.ir[*hint].ty, ir::Type::Pointer(None));
            hint == ty || ty == generic && hint.accepts(ty)
        };
        match used.hint.filter(fits) {
            Some(hint) => hint,
            None => self.temporary(ty, used.span),
        }
    }

    pub(super) fn result_value(&mut self, to: VarId, ty: TypeId) -> Value {
        match self.kind(ty) {
            Some(Kind::Pointer(_)) => Value::Pointer(to),
            Some(Kind::Float(format)) => Value::Float(ir::Expr::Variable(to), format),
            Some(_) => Value::Scalar(ir::Expr::Variable(to)),
            None => Value::Nothing,
        }
    }

    /// Takes a struct from where the callee has left it.
    fn take_record(&mut self, place: &Place, used: Use) -> Value {
        if !used.used {
            self.forget_place(place, used.span);
            return Value::Nothing;
        }
        let taken = self.temporary_record(used.ty, used.span);
        self.copy(&taken, place, used.span);
        self.forget_place(place, used.span);
        Value::Record(taken)
    }

    /// An argument for a parameter that is declared not to be NULL.
    fn check_not_null(&mut self, argument: &Argument, parameter: DeclarationId, function: DeclarationId, span: Span) {
        let pointer = match argument.value.clone() {
            Value::Null => Operand::Null,
            Value::Pointer(pointer) => Operand::Pointer(pointer),
            value @ Value::Record(_) if self.is_walker(argument.ty) => match self.walker(value, span) {
                Some(walker) => Operand::Pointer(walker.buffer),
                None => return,
            },
            _ => return,
        };
        let is_there = Condition::Pointers { left: pointer, right: Operand::Null, equal: false };
        let otherwise = self.unless(is_there, span);
        let here = std::mem::replace(&mut self.body.at, otherwise);
        let (parameter, function) = (self.name(parameter), self.name(function));
        let text = format!("`{parameter}` of `{function}` is NULL, and its declaration says that it is not");
        self.end(Statement::Error { kind: FindingKind::NullDereference, text }, span);
        self.body.at = here;
    }

    /// The operands for a parameter of a type.
    fn pass(&mut self, argument: Argument, to: TypeId, operands: &mut Vec<Operand>, span: Span) {
        let value = match self.c.types.compatible(argument.ty, to, false) {
            true => argument.value,
            false => self.passed_value(argument, to, span),
        };
        match (value, self.kind(to)) {
            (value, Some(kind)) => {
                let operand = self.operand(value, kind, span);
                operands.push(operand);
            }
            (Value::Record(place), None) => self.pass_leaves(&place, operands, span),
            (value @ (Value::Null | Value::Nothing), None) if self.is_walker(to) => {
                operands.extend(self.walker_operands(&value));
            }
            _ => {}
        }
    }

    fn passed_value(&mut self, argument: Argument, to: TypeId, span: Span) -> Value {
        if self.is_object_pointer(argument.ty) && self.is_object_pointer(to) {
            self.convert_pointer(argument.value, argument.ty, to, None, span)
        } else {
            self.converted_value(argument.value, argument.ty, to, span)
        }
    }

    fn pass_leaves(&mut self, place: &Place, operands: &mut Vec<Operand>, span: Span) {
        for leaf in self.leaves_of(place, span) {
            let Some(kind) = leaf.kind() else { continue };
            let value = self.load(leaf, None, span);
            let operand = self.operand(value, kind, span);
            operands.push(operand);
        }
    }

    /// A call through a pointer: one case for each function whose address is taken.
    fn call_indirect(&mut self, callee: &'p Expr, arguments: &'p [Expr], used: Use) -> Value {
        let span = used.span;
        let callee_type = self.c.types.pointee(callee.ty).unwrap_or(callee.ty);
        let callee = self.value(callee, None);
        let Value::Scalar(callee) = callee else {
            return match callee {
                Value::Null => self.null_call(span),
                Value::Nothing => Value::Nothing,
                _ => self.unsupported("a call of something that is no function", span),
            };
        };
        let written = arguments;
        let arguments = self.arguments(None, arguments, None);
        let has_result = used.used && self.c.types.get(used.ty) != &crate::types::Type::Void;
        let result = has_result.then(|| self.fresh(used.ty, used.hint, span));
        let end = self.node();
        let mut functions: Vec<(usize, DeclarationId)> = self.survey.functions.iter().copied().enumerate().collect();
        let all = functions.len();
        if all > MAX_TARGETS {
            functions.retain(|(_, id)| self.c.types.compatible(self.c.declaration(*id).ty, callee_type, false));
            functions.truncate(MAX_TARGETS);
        }
        let rest = all > functions.len();
        for (position, id) in functions {
            let otherwise = self.unless(self.equals(&callee, position as i128 + 1), span);
            let arguments = arguments.iter();
            let arguments = arguments.map(|argument| Argument { value: argument.value.clone(), ..*argument }).collect();
            let ty = self.result_type(id);
            let is_library = self.can_be_called_by(id, callee_type, written);
            if self.definition(id).is_some() || is_library {
                let inner = Use { ty: ty.unwrap_or(used.ty), hint: None, ..used };
                let value = match is_library {
                    true => self.call_library(id, written, inner),
                    false => self.call_defined(id, arguments, inner),
                };
                match (&result, ty) {
                    (Some(result), Some(ty)) => {
                        let value = self.converted_value(value, ty, used.ty, span);
                        self.store(result, value, span);
                    }
                    (Some(_), None) => drop(self.unsupported("the result of a function that has none", span)),
                    (None, _) => {}
                }
            } else {
                self.unsupported(format!("a call of `{}` through a pointer", self.name(id)), span);
            }
            self.jump(end, span);
            self.body.at = otherwise;
        }
        let otherwise = self.unless(self.equals(&callee, 0), span);
        self.null_call(span);
        self.body.at = otherwise;
        if rest {
            self.unsupported(format!("a call of one of {all} functions"), span);
        } else {
            // No other value comes from the address of a function in this program, but callers may have others.
            self.unsupported("a call of a function that is not known", span);
        }
        self.body.at = end;
        result.map_or(Value::Nothing, |result| self.load(result, None, span))
    }

    /// Can a function of the library be called through a pointer of a type, with arguments that are evaluated once more
    /// for it? For example, `pool->release(node)` where `release` may be `free`.
    fn can_be_called_by(&self, id: DeclarationId, pointer: TypeId, arguments: &[Expr]) -> bool {
        let fits = self.c.types.compatible(self.c.declaration(id).ty, pointer, false);
        let is_repeatable = |argument: &Expr| !calls(argument) && !self.effects.changes(self.c, argument);
        self.definition(id).is_none() && fits && arguments.iter().all(is_repeatable)
    }

    fn null_call(&mut self, span: Span) -> Value {
        let text = "a NULL pointer is called".to_string();
        self.end(Statement::Error { kind: FindingKind::NullDereference, text }, span);
        Value::Nothing
    }
}

/// Does an expression call a function?
fn calls(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Call(..));
    expr.for_each_operand(&mut |operand| found |= calls(operand));
    found
}
