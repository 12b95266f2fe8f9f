//! Memory that is filled and copied: whole objects of a known type.

use crate::library::Row;
use crate::translate::Translator;
use crate::translate::forms::text_array;
use crate::translate::text::CONSTANT;
use crate::translate::value::{Use, Value};
use crate::typed::Expr;

impl<'p> Translator<'p> {
    /// `memset(pointer, 0, sizeof(*pointer))`
    pub(super) fn fill(&mut self, row: &Row, arguments: &'p [Expr], used: Use) -> Value {
        let [pointer, byte, size] = arguments else { return self.unsupported("memory that is filled", used.span) };
        if let Some(written) = row.written().filter(|_| text_array(&self.c.types, pointer).is_some()) {
            return self.write_text(row, written, arguments, used);
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
    pub(super) fn copy_memory(&mut self, arguments: &'p [Expr], used: Use) -> Value {
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
}
