//! Calls of functions that are defined elsewhere. [The table](crate::library) says what the known ones do; treatments
//! that it calls special are in modules of their own, as is that of all other functions.

mod arguments;
mod memory;
mod print;
mod scan;
mod unknown;
mod verify;

use super::Translator;
use super::layout::Kind;
use super::value::{Use, Value};
use crate::library::{Row, Special, Treatment};
use crate::typed::{DeclarationId, Expr};
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, Format, Meaning, Statement};
use trifold_source::Span;

impl<'p> Translator<'p> {
    pub(super) fn call_library(&mut self, id: DeclarationId, arguments: &'p [Expr], used: Use) -> Value {
        let name = self.name(id);
        let span = used.span;
        if let Some(why) = &self.c.declaration(id).unclear {
            return self.unsupported(format!("`{name}`, {why}"), span);
        }
        if self.is_missing(id) {
            return self.unsupported(format!("`{name}`, which may not be there"), span);
        }
        if self.c.declaration(id).twice {
            return self.unsupported(format!("`{name}`, which may return twice"), span);
        }
        if let Some(other) = self.known.other_name(id) {
            return self.unsupported(format!("`{name}`, which is another name of `{other}`"), span);
        }
        let Some(row) = self.known.row(id) else { return self.call_unknown(id, arguments, used) };
        if let Some(why) = self.misprinted(row, arguments) {
            return self.unsupported(why, span);
        }
        match row.treatment() {
            Treatment::Special(special) => self.call_special(special, row, name, arguments, used),
            Treatment::Stop => {
                arguments.iter().for_each(|argument| self.effect(argument));
                self.end(Statement::Stop, span);
                Value::Nothing
            }
            Treatment::Allocate(allocation) => self.allocate(row, arguments, allocation, used),
            Treatment::Free(freed) => self.free(arguments.get(freed), span),
            Treatment::Choose(_) if self.is_object_pointer(used.ty) => {
                self.unsupported(format!("the pointer that `{name}` returns"), span)
            }
            Treatment::Choose(range) => {
                arguments.iter().for_each(|argument| self.effect(argument));
                self.choose(range, used)
            }
            Treatment::WriteText(target, size) => self.write_text(row, (target, size), arguments, used),
            Treatment::Same(result) => self.same(name, result, arguments, used),
            Treatment::ReadText => self.text_result(row, arguments, used),
        }
    }

    fn call_special(&mut self, special: Special, row: &Row, name: &str, arguments: &'p [Expr], used: Use) -> Value {
        match special {
            Special::Assume => self.assume(arguments, used.span),
            Special::Assert => self.assert(arguments, used.span),
            Special::Fail => self.fail(name, arguments, used.span),
            Special::Expect => self.expect(name, arguments, used),
            Special::Scan => self.scan(arguments, used),
            Special::Fill => self.fill(row, arguments, used),
            Special::Copy => self.copy_memory(arguments, used),
            Special::ValuesOnly => {
                arguments.iter().for_each(|argument| self.effect(self.uncast(argument)));
                self.any_result(used)
            }
            Special::Unsupported(what) => self.unsupported(format!("{what} (`{name}`)"), used.span),
        }
    }

    /// The first argument. Compilers need not evaluate the others.
    fn expect(&mut self, name: &str, arguments: &'p [Expr], used: Use) -> Value {
        if self.is_expectation_with_effects(arguments) {
            return self.unsupported(format!("an effect in an argument of `{name}`, which may not happen"), used.span);
        }
        self.same(name, 0, arguments, used)
    }

    pub(super) fn is_expectation_with_effects(&self, arguments: &[Expr]) -> bool {
        arguments.iter().skip(1).any(|other| self.effects.changes(self.c, other))
    }

    /// One of the arguments.
    fn same(&mut self, name: &str, result: usize, arguments: &'p [Expr], used: Use) -> Value {
        let mut value = None;
        for (index, argument) in arguments.iter().enumerate() {
            match index == result {
                true => value = Some(self.value(argument, used.hint)),
                false => self.effect(argument),
            }
        }
        value.unwrap_or_else(|| self.unsupported(format!("`{name}` without arguments"), used.span))
    }

    /// Some number, if it is used.
    pub(super) fn any_result(&mut self, used: Use) -> Value {
        if used.used { self.unknown(used.ty, Cause::Library, used.span) } else { Value::Nothing }
    }

    /// Some value of the type of the call. It is asked for even if nobody uses it, because that input is gone then.
    pub(super) fn choose(&mut self, range: Option<(i128, i128)>, used: Use) -> Value {
        let value = match self.kind(used.ty) {
            Some(Kind::Scalar(scalar)) => {
                let to = self.target(used.hint, ir::Type::Scalar(scalar), used.span);
                let range = range.filter(|(low, high)| scalar.contains(*low) && scalar.contains(*high));
                self.emit(Statement::Nondet { to, range, meaning: Meaning::Open }, used.span);
                Value::Scalar(ir::Expr::Variable(to))
            }
            Some(Kind::Float(format)) => {
                let to = self.hidden(used.span);
                let range = (format == Some(Format::Single)).then_some((0, u32::MAX.into()));
                self.emit(Statement::Nondet { to, range, meaning: Meaning::Open }, used.span);
                Value::Float(ir::Expr::Variable(to), format)
            }
            Some(Kind::Pointer(_) | Kind::Function) if used.used => self.unsupported("an unknown pointer", used.span),
            Some(Kind::Pointer(_) | Kind::Function) | None => Value::Nothing,
        };
        if used.used { value } else { Value::Nothing }
    }

    fn free(&mut self, argument: Option<&'p Expr>, span: Span) -> Value {
        let Some(argument) = argument else { return self.unsupported("`free` of nothing", span) };
        let pointer = self.uncast(argument);
        match self.value(pointer, None) {
            Value::Null | Value::Nothing => Value::Nothing,
            value @ Value::Record(_) if self.is_walker(pointer.ty) => {
                self.free_walker(value, span);
                Value::Nothing
            }
            Value::Pointer(freed) => {
                let element = self.c.types.pointee(pointer.ty);
                if !element.is_some_and(|element| self.free_array(freed, element, span)) {
                    self.end_freed_elements(freed, span);
                    self.emit(Statement::Free { pointer: freed }, span);
                }
                Value::Nothing
            }
            _ => self.unsupported("`free` of a number", span),
        }
    }

    /// A string is an object that begins with its first character.
    pub(super) fn string(&mut self, text: &crate::StringLiteral, expr: &'p Expr) -> Value {
        let Some(element) = self.c.types.pointee(expr.ty) else { return Value::Nothing };
        Value::Pointer(self.string_object(element, &text.units, expr.span))
    }
}
