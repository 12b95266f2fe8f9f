//! Calls: arguments are converted to the types of the parameters. For example, `f('a')` with `void f(long)` passes a
//! `long`.

use super::Sema;
use crate::ast;
use crate::names::Symbol;
use crate::typed::{DeclarationKind, Expr, ExprKind};
use crate::types::{FloatKind, FunctionType, Type, Types};
use std::sync::Arc;
use trifold_source::{Diagnostic, Span};

impl Sema<'_> {
    pub(super) fn call(&mut self, callee: &ast::Expr, arguments: &[ast::Expr], span: Span) -> Expr {
        if let ast::ExprKind::Name(symbol) = callee.kind
            && self.scope.get(symbol).is_none()
        {
            if let Some(result) = self.builtin(symbol, arguments, span) {
                return result;
            }
            self.declare_implicitly(symbol, callee.span);
        }
        let callee = self.value(callee);
        let arguments: Vec<Expr> = arguments.iter().map(|argument| self.value(argument)).collect();
        if self.types.is_error(callee.ty) {
            return self.broken(span);
        }
        let Some(function) = self.types.callee(callee.ty) else {
            let message = format!("`{}` is not a function", self.show(callee.ty));
            self.error("type", callee.span, message);
            return self.broken(span);
        };
        self.check_count(&callee, &function, &arguments, span);
        let convert = |(index, argument): (usize, Expr)| match function.parameters.get(index) {
            Some(parameter) => self.assigned(argument, *parameter),
            None => self.promote_argument(argument),
        };
        let arguments = arguments.into_iter().enumerate().map(convert).collect();
        let ty = function.result;
        if self.types.is_incomplete(ty) && *self.types.get(ty) != Type::Void {
            let message = format!("this call returns the incomplete type `{}`", self.show(ty));
            self.error("incomplete-type", span, message);
            return self.broken(span);
        }
        Expr { kind: ExprKind::Call(Box::new(callee), arguments), ty, span }
    }

    fn check_count(&mut self, callee: &Expr, function: &FunctionType, arguments: &[Expr], span: Span) {
        let (needed, given) = (function.parameters.len(), arguments.len());
        let fits = if function.variadic { given >= needed } else { given == needed };
        if !function.prototype || fits {
            return;
        }
        let least = if function.variadic { "at least " } else { "" };
        let plural = if needed == 1 { "" } else { "s" };
        let are = if given == 1 { "is" } else { "are" };
        let message = format!("this function takes {least}{needed} argument{plural}, but {given} {are} given");
        let mut error = Diagnostic::error("arguments", span, message);
        if let ExprKind::Decay(inner) = &callee.kind
            && let ExprKind::Name(id) = inner.kind
        {
            error = error.secondary(self.declarations[id.index()].span, "declared here");
        }
        self.sink.push(error);
    }

    /// The default argument promotions [C11 6.5.2.2].
    pub(super) fn promote_argument(&mut self, argument: Expr) -> Expr {
        match self.types.get(argument.ty) {
            Type::Float(FloatKind::Float) => {
                let double = self.types.intern(Type::Float(FloatKind::Double));
                self.convert(argument, double)
            }
            Type::Void => {
                self.error("type", argument.span, "this argument has no value");
                self.broken(argument.span)
            }
            _ => self.promote(argument),
        }
    }

    /// A function that is called without a declaration. If it is one of those that GCC knows it has its type, else
    /// `int f()`.
    fn declare_implicitly(&mut self, symbol: Symbol, span: Span) {
        let text = self.text(symbol).to_string();
        if text.starts_with("__builtin_") {
            return;
        }
        let builtin = self.names.find(&format!("__builtin_{text}")).and_then(|name| self.scope.get(name));
        let ty = match builtin {
            Some(id) => self.declarations[id.index()].ty,
            None => {
                let (result, parameters) = (Types::INT, Vec::new());
                let function = FunctionType { result, parameters, variadic: false, prototype: false };
                self.types.intern(Type::Function(Arc::new(function)))
            }
        };
        let warning =
            Diagnostic::warning("implicit-function", span, format!("`{text}` is called without a declaration"));
        self.sink.push(warning);
        // It is the same function in the whole file, also where it is called again without a declaration.
        let kind = DeclarationKind::Function { external: true, builtin: false };
        self.declare_linked(ast::Name { symbol, span }, ty, kind);
    }
}
