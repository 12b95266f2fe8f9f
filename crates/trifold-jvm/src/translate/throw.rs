//! Exceptions: thrown, caught, told to callers, or found because nobody catches them.
//!
//! A method that an exception leaves sets the global variable `$exception` and returns; its callers ask for it after
//! the call. That is done only for exceptions that a handler around a call may catch.

use super::Translator;
use super::value::Sym;
use crate::classes::{MethodId, THROWABLE};
use crate::throws::may_catch;
use std::collections::BTreeSet;
use trifold_ir::{Builder, Condition, Expr, FindingKind, Operand, Statement, Type, VarId};

const NULL: &str = "java/lang/NullPointerException";

impl<'t> Translator<'t> {
    /// May an exception of a class that is thrown here be caught?
    pub(super) fn is_caught(&self, class: &str) -> bool {
        let Some(body) = self.body.filter(|_| self.reach.made.contains(class)) else { return false };
        let mut handlers = self.code().handlers_at(self.instruction);
        handlers.any(|handler| may_catch(self.reach, handler.catches.as_deref(), class))
            || self.throws.is_caught_above(self.reach, &body.id(), class)
    }

    /// What is found where an exception of a class ends the program. Other exceptions end it as `System.exit` does.
    fn finding(&self, class: &str) -> Option<FindingKind> {
        let is = |other: &str| self.reach.classes.is_subclass(class, other);
        if is(NULL) {
            return Some(FindingKind::NullDereference);
        }
        if is("java/lang/AssertionError") {
            return Some(FindingKind::Assertion);
        }
        let uncaught = crate::reach::IMPLICIT.iter().any(|implicit| is(implicit));
        uncaught.then_some(FindingKind::UncaughtException)
    }

    /// What is found where an exception is thrown on purpose. For clients that is a part of the interface.
    fn thrown_finding(&self, class: &str) -> Option<FindingKind> {
        let is_failure = |kind: &FindingKind| !self.reach.has_client || *kind == FindingKind::Assertion;
        self.finding(class).filter(is_failure)
    }

    /// It is an exception if a condition does not hold.
    pub(super) fn require(&mut self, condition: Expr, class: &str, text: &str) {
        let span = self.span();
        let (holds, fails) = (self.node(), self.node());
        self.fork(Condition::Scalar(condition), holds, fails, span);
        self.at = fails;
        self.throw_new(class, text);
        self.at = holds;
    }

    /// The machine throws an exception.
    pub(super) fn throw_new(&mut self, class: &str, text: &str) {
        if self.is_caught(class) {
            let ty = Type::Pointer(Some(self.structure(class)));
            let to = self.temporary(ty);
            self.allocate(to, class);
            return self.throw_value(to, vec![class.to_string()]);
        }
        self.uncaught(class, text);
    }

    /// An exception that nobody catches.
    fn uncaught(&mut self, class: &str, text: &str) {
        self.fail(self.finding(class), text);
    }

    fn fail(&mut self, kind: Option<FindingKind>, text: &str) {
        let span = self.span();
        match kind {
            Some(kind) => self.end(Statement::Error { kind, text: text.to_string() }, span),
            None => self.end(Statement::Stop, span),
        }
    }

    /// A reference that is used must not be null.
    pub(super) fn check_object(&mut self, sym: &Sym) {
        let variable = match sym {
            Sym::Pointer { is_object: true, .. } | Sym::Opaque(_) | Sym::Text(_) => return,
            Sym::Pointer { variable, .. } => *variable,
            _ => return self.throw_new(NULL, "the object is null"),
        };
        let (null, span) = (self.node(), self.span());
        self.if_null(variable, null, span);
        let object = self.at;
        self.at = null;
        let name = &self.ir[variable].name;
        let text =
            if name.starts_with('$') { "the object may be null".to_string() } else { format!("`{name}` may be null") };
        self.throw_new(NULL, &text);
        self.at = object;
    }

    /// `throw x`
    pub(super) fn throw(&mut self) {
        let class = self.static_class(0).unwrap_or(THROWABLE);
        let sym = self.pop();
        self.check_object(&sym);
        let classes: Vec<String> = self.reach.below(class).into_iter().map(str::to_string).collect();
        match self.pointer(&sym) {
            Some(variable) if !classes.is_empty() => self.throw_value(variable, classes),
            _ => self.unsupported("an exception of an unknown class"),
        }
    }

    /// An exception of one of these classes is thrown.
    pub(super) fn throw_value(&mut self, variable: VarId, classes: Vec<String>) {
        let code = self.code();
        let mut classes = classes;
        for handler in code.handlers_at(self.instruction) {
            let caught = |class: &String| may_catch(self.reach, handler.catches.as_deref(), class);
            let (yes, no): (Vec<String>, Vec<String>) = classes.into_iter().partition(caught);
            classes = no;
            if yes.is_empty() {
                continue;
            }
            if classes.is_empty() {
                return self.go_to_handler(variable, handler.handler);
            }
            let (here, on) = (self.node(), self.node());
            self.if_class(variable, THROWABLE, &yes, here, on);
            self.at = here;
            self.go_to_handler(variable, handler.handler);
            self.at = on;
        }
        let id = self.body.map(|body| body.id());
        let told = |class: &String| id.as_ref().is_some_and(|id| self.throws.is_caught_above(self.reach, id, class));
        let (told, uncaught): (Vec<String>, Vec<String>) = classes.into_iter().partition(told);
        if !told.is_empty() && !uncaught.is_empty() {
            let (here, on) = (self.node(), self.node());
            self.if_class(variable, THROWABLE, &told, here, on);
            self.at = here;
            self.tell_caller(variable);
            self.at = on;
        } else if !told.is_empty() {
            return self.tell_caller(variable);
        }
        self.uncaught_value(variable, uncaught);
    }

    /// Exceptions that nobody catches, by what is found of them.
    fn uncaught_value(&mut self, variable: VarId, classes: Vec<String>) {
        let mut rest = classes;
        while let Some(first) = rest.first().cloned() {
            let kind = self.thrown_finding(&first);
            let (same, others): (Vec<String>, Vec<String>) =
                rest.into_iter().partition(|class| self.thrown_finding(class) == kind);
            let text = match kind {
                Some(FindingKind::Assertion) if first == "java/lang/AssertionError" => {
                    "the assertion fails".to_string()
                }
                _ => format!("nobody catches `{}`", first.replace('/', ".")),
            };
            let on = self.node();
            if !others.is_empty() {
                let here = self.node();
                self.if_class(variable, THROWABLE, &same, here, on);
                self.at = here;
            }
            self.fail(kind, &text);
            self.at = on;
            rest = others;
        }
    }

    fn go_to_handler(&mut self, variable: VarId, handler: usize) {
        let (stack, span) = (std::mem::take(&mut self.stack), self.span());
        let target = self.met(handler);
        if let Some(Sym::Pointer { variable: to, .. }) = target.first() {
            let value = self.operand(Sym::pointer(variable), self.ir[*to].ty);
            self.set(*to, value, span);
        }
        let node = self.way(handler);
        self.jump(node, span);
        self.stack = stack;
    }

    /// The variable of the exception that is under way.
    pub(super) fn exception(&mut self) -> VarId {
        if let Some(known) = self.globals.get("$exception") {
            return *known;
        }
        let ty = Type::Pointer(Some(self.structure(THROWABLE)));
        let variable = self.global("$exception", ty);
        self.globals.insert("$exception".to_string(), variable);
        variable
    }

    fn tell_caller(&mut self, variable: VarId) {
        let (exception, span) = (self.exception(), self.span());
        let value = self.operand(Sym::pointer(variable), self.ir[exception].ty);
        self.set(exception, value, span);
        if let Some(result) = self.ir[self.procedure].result {
            let nothing = match self.ir[result].ty {
                Type::Pointer(_) => Operand::Null,
                Type::Scalar(scalar) => Operand::Scalar(Expr::Constant(0, scalar)),
            };
            self.set(result, nothing, span);
        }
        self.leave_method(span);
    }

    /// After a call: has one of these methods been left by an exception?
    pub(super) fn check_exception(&mut self, targets: &[MethodId]) {
        let classes: BTreeSet<String> = targets.iter().flat_map(|target| self.throws.leaving(target)).collect();
        if classes.is_empty() {
            return;
        }
        let (exception, span) = (self.exception(), self.span());
        let (thrown, none) = (self.node(), self.node());
        let condition = Condition::Pointers { left: Operand::Pointer(exception), right: Operand::Null, equal: false };
        self.fork(condition, thrown, none, span);
        self.at = thrown;
        let variable = self.temporary(self.ir[exception].ty);
        self.set(variable, Operand::Pointer(exception), span);
        self.set(exception, Operand::Null, span);
        self.throw_value(variable, classes.into_iter().collect());
        self.at = none;
    }
}
