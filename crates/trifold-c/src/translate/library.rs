//! Functions that are defined elsewhere: those of the C library that matter for the heap, those by which verification
//! tasks say what may happen and what must not, and all others.

use super::Translator;
use super::allocate::Allocator;
use super::call::Use;
use super::format::scanned;
use super::layout::Kind;
use super::text::{CONSTANT, Written, is_character, text_array};
use super::value::Value;
use crate::typed::{DeclarationId, Expr, ExprKind};
use crate::types::{Type, TypeId};
use trifold_ir as ir;
use trifold_ir::{Builder, FindingKind, Operand, Region, Statement};
use trifold_source::Span;

/// Does a function that is defined elsewhere get text by pointers, which it does not keep?
pub(super) fn takes_text(name: &str) -> bool {
    matches!(known(name), Some(Known::Read | Known::Write(_) | Known::Fill))
}

/// What a function of a known name does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Allocate(Allocator),
    Free,
    Stop,
    Fail,
    Assume,
    Assert,
    /// Any value of the result type, or one of these.
    Choose(Option<(i128, i128)>),
    /// Prints, compares text, or does something else with text that changes nothing here.
    Read,
    /// Changes nothing here, whatever it gets.
    Ignore,
    /// Writes text to an array.
    Write(Written),
    /// Writes numbers where its arguments point to.
    Scan,
    Fill,
    Copy,
    /// The first argument.
    Same,
    Unsupported(&'static str),
}

fn known(name: &str) -> Option<Known> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let heap = |zeroed| Known::Allocate(Allocator { region: Region::Heap, zeroed });
    Some(match name {
        "malloc" | "kmalloc" => heap(false),
        "calloc" | "kzalloc" => heap(true),
        "alloca" => Known::Allocate(Allocator { region: Region::Stack, zeroed: false }),
        "free" | "kfree" | "cfree" => Known::Free,
        "abort" | "exit" | "_exit" | "_Exit" | "quick_exit" | "trap" | "unreachable" => Known::Stop,
        "__assert_fail" | "__assert" | "__assert_perror_fail" | "__VERIFIER_error" | "reach_error" | "___sl_error" => {
            Known::Fail
        }
        "__VERIFIER_assume" => Known::Assume,
        "__VERIFIER_assert" | "assert" => Known::Assert,
        "rand" | "random" => Known::Choose(Some((0, i32::MAX.into()))),
        "getchar" => Known::Choose(Some((-1, 255))),
        "printf" | "puts" | "putchar" | "putc" | "fputc" | "fputs" | "fprintf" | "vprintf" | "vfprintf" | "printk"
        | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "strlen" | "strnlen" | "atoi" | "atol" | "atoll"
        | "atof" => Known::Read,
        "perror"
        | "fflush"
        | "fclose"
        | "srand"
        | "srandom"
        | "prefetch"
        | "__VERIFIER_plot"
        | "__VERIFIER_atomic_begin"
        | "__VERIFIER_atomic_end"
        | "___sl_break"
        | "___sl_plot_trace_now"
        | "___sl_plot_trace_once" => Known::Ignore,
        "strcpy" => Known::Write(Written::Text(1)),
        "strncpy" => Known::Write(Written::AtMost(2)),
        "snprintf" => Known::Write(Written::AtMost(1)),
        "scanf" => Known::Scan,
        "memset" => Known::Fill,
        "memcpy" | "memmove" => Known::Copy,
        "expect" | "assume_aligned" | "expect_with_probability" => Known::Same,
        "realloc" | "reallocarray" => Known::Unsupported("an object that changes its size"),
        "setjmp" | "_setjmp" | "longjmp" => Known::Unsupported("a jump out of a function"),
        "va_start" | "va_end" | "va_copy" | "c23_va_start" => Known::Unsupported("variable arguments"),
        _ if name.starts_with("pthread_") => Known::Unsupported("threads"),
        _ if name.starts_with("__VERIFIER_nondet_") => Known::Choose(None),
        _ => return None,
    })
}

/// Does the name of a function say what it does, whatever its body is? Programs that are written to be verified define
/// these functions only so that they can be compiled.
pub(super) fn has_fixed_meaning(name: &str) -> bool {
    let errors = ["reach_error", "___sl_error"];
    errors.contains(&name) || name.starts_with("__VERIFIER_") && known(name).is_some()
}

impl<'p> Translator<'p> {
    pub(super) fn call_library(&mut self, id: DeclarationId, arguments: &'p [Expr], used: Use) -> Value {
        let name = self.name(id);
        let span = used.span;
        let other = self.c.declaration(id).assembler_name.as_deref();
        if let Some(other) = other.filter(|other| self.definitions.keys().any(|id| self.name(*id) == *other)) {
            return self.unsupported(format!("`{name}`, which is another name of `{other}`"), span);
        }
        if let Some(why) = self.misprinted(name, arguments) {
            return self.unsupported(why, span);
        }
        match known(name) {
            Some(Known::Allocate(allocator)) => {
                let count = if allocator.zeroed && name.ends_with("calloc") { 2 } else { 1 };
                match arguments.get(..count) {
                    Some(sizes) => self.allocate(sizes, allocator, used),
                    None => self.unsupported("an allocation without a size", span),
                }
            }
            Some(Known::Free) => self.free(arguments, span),
            Some(Known::Stop) => {
                arguments.iter().for_each(|argument| self.effect(argument));
                self.end(Statement::Stop, span);
                Value::Nothing
            }
            Some(Known::Fail) => self.fail(name, arguments, span),
            Some(Known::Assume) => {
                let stop = self.node();
                self.require(arguments, stop, span);
                let end = self.body.at;
                self.body.at = stop;
                // A run that does not satisfy an assumption is none of the program's.
                self.end(Statement::Stop, span);
                self.body.at = end;
                Value::Nothing
            }
            Some(Known::Assert) => {
                let failed = self.node();
                self.require(arguments, failed, span);
                let end = self.body.at;
                self.body.at = failed;
                self.end(assertion("the assertion does not hold".to_string()), span);
                self.body.at = end;
                Value::Nothing
            }
            Some(Known::Choose(range)) if !self.is_object_pointer(used.ty) => {
                arguments.iter().for_each(|argument| self.effect(argument));
                self.choose(range, used)
            }
            Some(Known::Choose(_)) => self.unsupported(format!("the pointer that `{name}` returns"), span),
            Some(what @ (Known::Read | Known::Ignore)) => {
                for argument in arguments {
                    match what {
                        Known::Read => self.read_text(argument),
                        _ => self.effect(self.uncast(argument)),
                    }
                }
                if used.used { self.unknown(used.ty, span) } else { Value::Nothing }
            }
            Some(Known::Write(written)) => self.write_text(name, written, arguments, used),
            Some(Known::Scan) => self.scan(arguments, used),
            Some(Known::Fill) => self.fill(arguments, used),
            Some(Known::Copy) => self.copy_memory(arguments, used),
            Some(Known::Same) => match arguments.split_first() {
                Some((first, others)) => {
                    let value = self.value(first, used.hint);
                    others.iter().for_each(|other| self.effect(other));
                    value
                }
                None => self.unsupported(format!("`{name}` without arguments"), span),
            },
            Some(Known::Unsupported(what)) => self.unsupported(format!("{what} (`{name}`)"), span),
            None => self.call_unknown(name, arguments, used),
        }
    }

    /// Goes on if the argument is not zero, else to a node.
    fn require(&mut self, arguments: &'p [Expr], otherwise: ir::NodeId, span: Span) {
        let holds = self.node();
        match arguments.first() {
            Some(argument) => self.condition(argument, holds, otherwise),
            None => drop(self.unsupported("a condition is missing", span)),
        }
        self.body.at = holds;
    }

    fn fail(&mut self, name: &str, arguments: &'p [Expr], span: Span) -> Value {
        let text = match arguments.first().map(string_in) {
            Some(Some(text)) => format!("`{text}` does not hold"),
            _ => format!("`{name}` is called"),
        };
        self.end(assertion(text), span);
        Value::Nothing
    }

    /// Some value of the type of the call.
    pub(super) fn choose(&mut self, range: Option<(i128, i128)>, used: Use) -> Value {
        match self.kind(used.ty) {
            _ if !used.used => Value::Nothing,
            Some(Kind::Scalar(scalar)) => {
                let to = self.target(used.hint, ir::Type::Scalar(scalar), used.span);
                let range = range.filter(|(low, high)| scalar.contains(*low) && scalar.contains(*high));
                self.emit(Statement::Nondet { to, range }, used.span);
                Value::Scalar(ir::Expr::Variable(to))
            }
            Some(Kind::Float) => Value::Float,
            Some(Kind::Pointer(_) | Kind::Function) => self.unsupported("an unknown pointer", used.span),
            None => Value::Nothing,
        }
    }

    fn free(&mut self, arguments: &'p [Expr], span: Span) -> Value {
        let Some(argument) = arguments.first() else { return self.unsupported("`free` of nothing", span) };
        let pointer = self.uncast(argument);
        match self.value(pointer, None) {
            Value::Null | Value::Nothing => Value::Nothing,
            Value::Pointer(freed) => {
                let element = self.c.types.pointee(pointer.ty);
                if !element.is_some_and(|element| self.free_array(freed, element, span)) {
                    self.emit(Statement::Free { pointer: freed }, span);
                }
                Value::Nothing
            }
            _ => self.unsupported("`free` of a number", span),
        }
    }

    /// `scanf` of numbers.
    fn scan(&mut self, arguments: &'p [Expr], used: Use) -> Value {
        let Some(format) = arguments.first().and_then(string_in) else {
            return self.unsupported("a format that is not known", used.span);
        };
        let others = &arguments[1..];
        let Some(conversions) = scanned(&format).filter(|conversions| conversions.len() == others.len()) else {
            return self.unsupported("a format that does not fit its arguments", used.span);
        };
        for (argument, conversion) in others.iter().zip(conversions) {
            // A pointer to a character may be one to the beginning of text.
            let is_number = |ty: &TypeId| self.c.types.is_integer(*ty) && !is_character(&self.c.types, *ty);
            let target = self.c.types.pointee(argument.ty).filter(is_number);
            let (Some(target), Some(size)) = (target, conversion.integer_size()) else {
                return self.unsupported("reading something that is no number", used.span);
            };
            if self.c.types.size(target) != Some(size) {
                return self.unsupported("a format that does not fit its arguments", used.span);
            }
            let pointer = self.value(argument, None);
            let place = self.dereference(pointer, target, used.span);
            // It need not be written.
            let (read, end) = (self.node(), self.node());
            self.edge_to(end, Statement::Skip, used.span);
            self.join(read, used.span);
            let value = self.choose(None, Use { ty: target, hint: None, used: true, expected: None, span: used.span });
            self.store(&place, value, used.span);
            self.join(end, used.span);
        }
        self.choose(Some((-1, arguments.len() as i128 - 1)), used)
    }

    /// `memset(pointer, 0, sizeof(*pointer))`
    fn fill(&mut self, arguments: &'p [Expr], used: Use) -> Value {
        let [pointer, byte, size] = arguments else { return self.unsupported("memory that is filled", used.span) };
        if text_array(&self.c.types, pointer).is_some() {
            return self.write_text("memset", Written::AtMost(2), arguments, used);
        }
        let pointer = self.uncast(pointer);
        let target = self.c.types.pointee(pointer.ty);
        let whole = target.and_then(|ty| self.c.types.size(ty)).map(i128::from);
        let bytes = self.object_size(size).map(|(bytes, _)| bytes);
        let (Some(target), Some(0), true) = (target, self.integer(byte), whole.is_some() && whole == bytes) else {
            return self.unsupported("memory that is filled with bytes", used.span);
        };
        self.check_overwritten(target, used.span);
        let value = self.value(pointer, None);
        let place = self.dereference(value.clone(), target, used.span);
        self.clear(&place, used.span);
        value
    }

    /// `memcpy(to, from, sizeof(*to))`
    fn copy_memory(&mut self, arguments: &'p [Expr], used: Use) -> Value {
        let [to, from, size] = arguments else { return self.unsupported("memory that is copied", used.span) };
        let (to, from) = (self.uncast(to), self.uncast(from));
        let types = &self.c.types;
        let bytes = self.object_size(size).map(|(bytes, _)| bytes);
        let target = match (types.pointee(to.ty), types.pointee(from.ty)) {
            (Some(to), Some(from)) if types.compatible(to, from, false) => Some(to),
            _ => None,
        };
        let target = target.filter(|ty| types.size(*ty).map(i128::from) == bytes && bytes.is_some());
        let Some(target) = target else { return self.unsupported("memory that is copied as bytes", used.span) };
        self.check_overwritten(target, used.span);
        if self.c.types.pointee(from.ty).is_some_and(|from| self.exposes_constant(from, target)) {
            return self.unsupported(CONSTANT, used.span);
        }
        let value = self.value(to, None);
        let source = self.value(from, None);
        let to = self.dereference(value.clone(), target, used.span);
        let from = self.dereference(source, target, used.span);
        self.copy(&to, &from, used.span);
        value
    }

    /// Nothing is known about it but its type.
    fn call_unknown(&mut self, name: &str, arguments: &'p [Expr], used: Use) -> Value {
        let mut operands = Vec::new();
        let mut reaches_heap = self.is_object_pointer(used.ty) || self.kind(used.ty).is_none() && !self.is_void(used);
        for argument in arguments {
            let stripped = self.uncast(argument);
            if string_in(stripped).is_some() {
                continue;
            }
            // Who gets a function may call it.
            reaches_heap |= self.kind(stripped.ty) == Some(Kind::Function);
            match self.value(stripped, None) {
                Value::Scalar(value) => operands.push(Operand::Scalar(value)),
                Value::Null => operands.push(Operand::Null),
                Value::Pointer(pointer) => {
                    reaches_heap = true;
                    operands.push(Operand::Pointer(pointer));
                }
                Value::Record(_) => reaches_heap = true,
                Value::Float | Value::Nothing => {}
            }
        }
        if !reaches_heap {
            return self.choose(None, used);
        }
        let to = match self.kind(used.ty) {
            Some(kind) if used.used => Some(self.call_target(kind.ty(), used)),
            _ => None,
        };
        self.emit(Statement::UnknownCall { to, name: name.to_string(), arguments: operands }, used.span);
        to.map_or(Value::Nothing, |to| self.result_value(to, used.ty))
    }

    fn is_void(&self, used: Use) -> bool {
        *self.c.types.get(used.ty) == Type::Void
    }

    /// A string is an object that begins with its first character.
    pub(super) fn string(&mut self, text: &crate::StringLiteral, expr: &'p Expr) -> Value {
        let Some(element) = self.c.types.pointee(expr.ty) else { return Value::Nothing };
        let first = text.units.first().copied().unwrap_or(0);
        let pointer = self.string_object(element, first.into(), expr.span);
        Value::Pointer(pointer)
    }
}

fn assertion(text: String) -> Statement {
    Statement::Error { kind: FindingKind::Assertion, text }
}

/// The text of an argument that is a string.
pub(super) fn string_in(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Convert { operand, .. } => string_in(operand),
        ExprKind::Decay(inner) | ExprKind::AddressOf(inner) => match &inner.kind {
            ExprKind::String(text) => Some(text.to_text()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtins_are_known_by_both_names() {
        assert!(known("__builtin_malloc") == known("malloc"));
        assert!(known("__builtin_unreachable") == Some(Known::Stop));
        assert!(known("frobnicate").is_none());
    }
}
