//! `scanf` of numbers.

use crate::translate::Translator;
use crate::translate::format::scanned;
use crate::translate::forms::{is_character, string_in};
use crate::translate::value::{Use, Value};
use crate::typed::Expr;
use crate::types::TypeId;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, Meaning, Scalar, Statement};

impl<'p> Translator<'p> {
    /// What is read is written where arguments point to, one after the other; the result is how much was read.
    pub(super) fn scan(&mut self, arguments: &'p [Expr], used: Use) -> Value {
        let Some(format) = arguments.first().and_then(string_in) else {
            return self.unsupported("a format that is not known", used.span);
        };
        let others = &arguments[1..];
        let Some(conversions) = scanned(&format).filter(|conversions| conversions.len() == others.len()) else {
            return self.unsupported("a format that does not fit its arguments", used.span);
        };
        let count = self.temporary(ir::Type::Scalar(Scalar::I32), used.span);
        let range = Some((-1, others.len() as i128));
        self.emit(Statement::Nondet { to: count, range, meaning: Meaning::Open }, used.span);
        for (index, (argument, conversion)) in others.iter().zip(conversions).enumerate() {
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
            let is_read = ir::Expr::binary(BinaryOp::Greater, ir::Expr::Variable(count), ir::Expr::int(index as i32));
            let (read, end) = (self.node(), self.node());
            self.fork(Condition::Scalar(is_read), read, end, used.span);
            self.body.at = read;
            let value = self.choose(None, Use { ty: target, hint: None, used: true, expected: None, span: used.span });
            self.store(&place, value, used.span);
            self.join(end, used.span);
        }
        let result = self.converted_value(Value::Scalar(ir::Expr::Variable(count)), used.ty, used.ty, used.span);
        if used.used { result } else { Value::Nothing }
    }
}
