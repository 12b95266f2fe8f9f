//! Memory that is filled and copied: objects of a known type. For example, `memset(&s, 0, sizeof s)` sets all members
//! of `s` to zero, and with a smaller size the first ones.

use crate::library::Row;
use crate::translate::Translator;
use crate::translate::data::bytes as counted;
use crate::translate::forms::text_array;
use crate::translate::layout::{Kind, MAX_NESTING, Tree, U64, is_pointer_free};
use crate::translate::place::Place;
use crate::translate::text::CONSTANT;
use crate::translate::value::{Use, Value};
use crate::typed::{Expr, ExprKind};
use crate::types::{Type, TypeId};
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, FindingKind, Operation, Scalar, Statement};
use trifold_source::Span;

impl<'p> Translator<'p> {
    /// `memset(pointer, byte, size)`: of an object whose type is known, or of its first members.
    pub(super) fn fill(&mut self, row: &Row, arguments: &'p [Expr], used: Use) -> Value {
        let [pointer, byte, size] = arguments else { return self.unsupported("memory that is filled", used.span) };
        if let Some(written) = row.written().filter(|_| text_array(&self.c.types, pointer).is_some()) {
            return self.write_text(row, written, arguments, used);
        }
        let pointer = self.uncast(pointer);
        let filled = self.object_size(size).map(|(bytes, _)| bytes);
        if let Some(array) = self.filled_pointers(pointer, filled).filter(|_| self.integer(byte) == Some(0)) {
            let place = self.place(array);
            self.clear(&place, used.span);
            return if used.used { self.value(pointer, None) } else { Value::Nothing };
        }
        if let Some(element) = self.c.types.pointee(pointer.ty).filter(|ty| self.walked.is_pointer(&self.c.types, *ty))
        {
            if self.integer(byte) != Some(0) {
                return self.unsupported("memory that is filled with bytes", used.span);
            }
            let value = self.value(pointer, None);
            self.clear_walked(value.clone(), size, element, used.span);
            return value;
        }
        if self.is_walker(pointer.ty) {
            let value = self.value(pointer, None);
            self.fill_walker(value.clone(), byte, size, pointer.ty, used.span);
            return value;
        }
        let size = self.object_size(size);
        let target = self.filled_type(pointer, size.and_then(|(_, named)| named));
        let bytes = size.and_then(|(bytes, _)| u64::try_from(bytes).ok());
        let (Some(target), Some(byte), Some(bytes)) = (target, self.integer(byte), bytes) else {
            return self.unsupported("memory that is filled with bytes", used.span);
        };
        let room = self.c.types.size(target).unwrap_or(0);
        if bytes > room && is_variable(pointer) {
            let text = format!("{bytes} bytes are written to an object of {room}");
            self.end(Statement::Error { kind: FindingKind::InvalidDereference, text }, used.span);
            return Value::Nothing;
        }
        if bytes > room || byte as u8 != 0 && !is_pointer_free(&self.c.types, target, MAX_NESTING) {
            return self.unsupported("memory that is filled with bytes", used.span);
        }
        self.check_overwritten(target, used.span);
        let value = self.value(pointer, None);
        let place = self.dereference(value.clone(), target, used.span);
        self.fill_part(&place, bytes, byte as u8, used.span);
        value
    }

    /// The type of the object that is filled. What a `void *` points to is told by the size, if it names a type.
    fn filled_type(&self, pointer: &Expr, named: Option<TypeId>) -> Option<TypeId> {
        let target = self.c.types.pointee(pointer.ty)?;
        match self.c.types.get(target) {
            Type::Void => named,
            _ => Some(target),
        }
    }

    /// The first bytes of a place become this byte.
    fn fill_part(&mut self, place: &Place, bytes: u64, byte: u8, span: Span) {
        let size = self.c.types.size(place.ty).unwrap_or(0);
        if bytes >= size && byte == 0 {
            return self.clear(place, span);
        }
        let place = self.resolved(place.clone(), span);
        match &*place.tree {
            Tree::Parts(parts) => {
                for index in 0..parts.len() {
                    let (start, is_bits) = self.part_offset(place.ty, index);
                    let Some(left) = bytes.checked_sub(start).filter(|left| *left > 0) else { continue };
                    let ty = self.part_type(place.ty, index);
                    let part = self.part(place.clone(), index, ty, span);
                    match is_bits {
                        true => self.fill_bits(&part, span),
                        false => self.fill_part(&part, left, byte, span),
                    }
                }
            }
            Tree::Leaf(_, kind) if bytes >= size => {
                let pattern = i128::from_le_bytes([byte; 16]);
                let value = match kind {
                    Kind::Scalar(Scalar::Bool) => self.unknown(place.ty, Cause::Memory, span),
                    Kind::Scalar(scalar) => Value::Scalar(ir::Expr::Constant(scalar.convert(pattern), *scalar)),
                    Kind::Float(Some(format)) => {
                        let bits = Scalar::Int { signed: false, bits: format.bits() }.convert(pattern);
                        Value::Float(ir::Expr::Constant(bits, U64), Some(*format))
                    }
                    _ => self.unknown(place.ty, Cause::Memory, span),
                };
                self.store(&place, value, span);
            }
            Tree::Data(..) => {
                let Some(to) = place.bytes() else { return };
                self.change_block(&to, Operation::Fill, vec![counted(byte.into()), counted(bytes.min(size))], span);
            }
            _ => drop(self.unsupported("a part of a number that is filled with bytes", span)),
        }
    }

    /// Bits of a byte that is filled: which they are is not computed.
    fn fill_bits(&mut self, place: &Place, span: Span) {
        let value = self.unknown(place.ty, Cause::Memory, span);
        self.store(place, value, span);
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

/// Is it the address of a variable as a whole?
fn is_variable(pointer: &Expr) -> bool {
    matches!(&pointer.kind, ExprKind::AddressOf(place) if matches!(place.kind, ExprKind::Name(_)))
}
