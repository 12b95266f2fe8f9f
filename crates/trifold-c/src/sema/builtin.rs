//! Functions of GNU C that take operands of any type. The others are declared in `prelude.h`. For example,
//! `__sync_fetch_and_add(&n, 1)` returns a value of the type of `n`.

use super::Sema;
use crate::ast;
use crate::names::Symbol;
use crate::typed::{Expr, ExprKind};
use crate::types::{TypeId, Types};
use trifold_source::Span;

impl Sema<'_> {
    /// The call of a name that is not declared, if it is one of these.
    pub(super) fn builtin(&mut self, symbol: Symbol, arguments: &[ast::Expr], span: Span) -> Option<Expr> {
        let text = self.names.text(symbol);
        match (text, arguments) {
            ("__builtin_choose_expr", [test, yes, no]) => {
                let test = self.deciding(test);
                match self.integer_constant(&test) {
                    Some(0) => Some(self.expression(no)),
                    Some(_) => Some(self.expression(yes)),
                    None => {
                        self.error("not-constant", test.span, "the choice must be constant");
                        Some(self.broken(span))
                    }
                }
            }
            ("__builtin_constant_p", [operand]) => {
                let operand = self.value(operand);
                let known = self.integer_constant(&operand).is_some() || is_literal(&operand);
                match known || self.decides {
                    true => Some(self.int(known.into(), span)),
                    false => Some(Expr { kind: ExprKind::ConstantKnown, ty: Types::INT, span }),
                }
            }
            ("__builtin_assoc_barrier" | "__builtin_speculation_safe_value", [operand]) => Some(self.value(operand)),
            _ => {
                let result = result_of(text)?;
                let arguments: Vec<Expr> = arguments.iter().map(|argument| self.value(argument)).collect();
                let ty = self.builtin_type(result, &arguments, span)?;
                Some(Expr { kind: ExprKind::Builtin(symbol, arguments), ty, span })
            }
        }
    }

    fn builtin_type(&mut self, result: BuiltinResult, arguments: &[Expr], span: Span) -> Option<TypeId> {
        Some(match result {
            BuiltinResult::Void => Types::VOID,
            BuiltinResult::Bool => Types::BOOL,
            BuiltinResult::Int => Types::INT,
            BuiltinResult::Pointee => {
                let first = arguments.first()?.ty;
                match self.types.pointee(first) {
                    Some(to) => self.types.unqualified(to),
                    None if self.types.is_error(first) => Types::ERROR,
                    None => {
                        let message = format!("the first argument must be a pointer, not `{}`", self.show(first));
                        self.error("type", span, message);
                        Types::ERROR
                    }
                }
            }
        })
    }
}

/// The result of such a function.
#[derive(Clone, Copy)]
enum BuiltinResult {
    Void,
    Bool,
    Int,
    /// The type that its first argument points to.
    Pointee,
}

fn result_of(text: &str) -> Option<BuiltinResult> {
    use BuiltinResult::*;
    if let Some(operation) = text.strip_prefix("__sync_") {
        return match operation.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_') {
            "bool_compare_and_swap" => Some(Bool),
            "lock_release" => Some(Void),
            "val_compare_and_swap" | "lock_test_and_set" => Some(Pointee),
            other if other.starts_with("fetch_and_") || other.ends_with("_and_fetch") => Some(Pointee),
            _ => None,
        };
    }
    if let Some(operation) = text.strip_prefix("__atomic_") {
        return match operation {
            "load_n" | "exchange_n" => Some(Pointee),
            "load" | "store" | "store_n" | "exchange" => Some(Void),
            "compare_exchange" | "compare_exchange_n" => Some(Bool),
            other if other.starts_with("fetch_") || other.ends_with("_fetch") => Some(Pointee),
            _ => None,
        };
    }
    let operation = text.strip_prefix("__builtin_")?;
    match operation {
        "add_overflow" | "sub_overflow" | "mul_overflow" => Some(Bool),
        "add_overflow_p" | "sub_overflow_p" | "mul_overflow_p" => Some(Bool),
        "isnan" | "isinf" | "isinf_sign" | "isfinite" | "isnormal" | "signbit" | "fpclassify" | "isgreater"
        | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered" | "classify_type" => Some(Int),
        "clear_padding" => Some(Void),
        _ => None,
    }
}

fn is_literal(operand: &Expr) -> bool {
    match &operand.kind {
        ExprKind::Float(_) => true,
        ExprKind::Decay(inner) => matches!(inner.kind, ExprKind::String(_)),
        _ => false,
    }
}
