//! Numbers that analyses do not tell apart: elements of long arrays, members of unions.
//!
//! All of them are one scalar, a block of bytes that only runs know. For example, `a[i] = 5` becomes
//! `a = nondet as write_4(a, 4 * i, 5)`, and `a[i]` is `nondet as read_4(a, 4 * i)`.

use super::Translator;
use super::layout::{Kind, Slot, Tree, U64};
use super::place::{Bytes, Place};
use super::value::Value;
use crate::typed::Expr;
use crate::types::{Type, TypeId};
use std::rc::Rc;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Cause, Condition, Operand, Operation, Scalar, Statement, VarId};
use trifold_source::Span;

/// A constant number of bytes.
pub(super) fn bytes(count: u64) -> ir::Expr {
    ir::Expr::Constant(count.into(), U64)
}

/// `a + b`, at once if both are constants.
fn sum(a: ir::Expr, b: ir::Expr) -> ir::Expr {
    match (&a, &b) {
        (ir::Expr::Constant(x, _), ir::Expr::Constant(y, _)) => ir::Expr::Constant(U64.convert(x + y), U64),
        (ir::Expr::Constant(0, _), _) => b,
        (_, ir::Expr::Constant(0, _)) => a,
        _ => ir::Expr::binary(BinaryOp::Add, a, b),
    }
}

impl<'p> Translator<'p> {
    /// The number of bytes of a type of numbers that can be read and written.
    fn number_size(&self, ty: TypeId, kind: Kind) -> Option<u8> {
        let size = self.c.types.size(ty).and_then(|size| u8::try_from(size).ok());
        let is_computed = !matches!(kind, Kind::Float(None) | Kind::Pointer(_) | Kind::Function);
        size.filter(|size| is_computed && [1, 2, 4, 8].contains(size))
    }

    /// A member or element of numbers that are not told apart.
    pub(super) fn part_of_data(&mut self, place: Place, index: usize, ty: TypeId, span: Span) -> Place {
        let Some(Bytes { slot, object, offset }) = place.bytes() else { return self.nowhere(ty, span) };
        let (within, is_bits) = self.part_offset(place.ty, index);
        let offset = sum(offset, bytes(within));
        let tree = match self.kind(ty) {
            Some(kind) => Tree::Number(slot, kind, (!is_bits).then_some(offset)),
            None => Tree::Data(slot, offset),
        };
        Place::of_part(object, Rc::new(tree), ty)
    }

    /// Where a member or element begins, and whether it is a bit-field.
    pub(super) fn part_offset(&self, ty: TypeId, index: usize) -> (u64, bool) {
        match self.c.types.get(ty) {
            Type::Array(element, _) => (index as u64 * self.c.types.size(*element).unwrap_or(0), false),
            Type::Record(id) => {
                let members = self.c.types.record(*id).members.as_ref();
                let member = members.and_then(|members| members.get(index));
                member.map_or((0, false), |member| (member.offset, member.bits.is_some()))
            }
            _ => (0, false),
        }
    }

    /// The element that an index selects.
    pub(super) fn element_of_data(&mut self, array: &Place, index: &'p Expr, expr: &'p Expr) -> Place {
        let Some(count) = self.array_length(array.ty) else { return self.no_place("an index", expr) };
        let Value::Scalar(index) = self.value(index, None) else { return self.no_place("an index", expr) };
        let scalar = self.ir.scalar_of(&index).unwrap_or(Scalar::I32);
        let bound = |op, bound: i128| ir::Expr::binary(op, index.clone(), ir::Expr::Constant(bound, scalar));
        let mut within = Vec::new();
        let (low, high) = self.index_range(&index);
        if low < 0 {
            within.push(bound(BinaryOp::GreaterEqual, 0));
        }
        if high >= count.into() {
            within.push(bound(BinaryOp::Less, count.into()));
        }
        for condition in within {
            let outside = self.unless(Condition::Scalar(condition), expr.span);
            let inside = std::mem::replace(&mut self.body.at, outside);
            self.out_of_bounds(expr.ty, expr.span);
            self.body.at = inside;
        }
        let first = self.part(array.clone(), 0, expr.ty, expr.span);
        let size = bytes(self.c.types.size(expr.ty).unwrap_or(0));
        let distance = ir::Expr::binary(BinaryOp::Multiply, self.converted(index, U64), size);
        first.moved(|offset| sum(offset, distance.clone()))
    }

    /// The block that a leaf holds. The object that it lies in must be there.
    fn held(&mut self, slot: Slot, object: Option<VarId>, span: Span) -> ir::Expr {
        match (slot, object) {
            (Slot::Variable(variable), _) => ir::Expr::Variable(variable),
            (Slot::Field(field), Some(object)) => {
                self.check_extent(object, field, span);
                let to = self.hidden(span);
                self.emit(Statement::Load { to, object, field }, span);
                ir::Expr::Variable(to)
            }
            (Slot::Field(_), None) => bytes(0),
        }
    }

    /// A leaf gets another block.
    pub(super) fn set_block(&mut self, to: &Bytes, operation: Operation, of: Vec<Operand>, span: Span) {
        match (to.slot, to.object) {
            (Slot::Variable(to), _) => {
                let meaning = ir::Meaning::Computed(operation, of);
                self.emit(Statement::Nondet { to, range: None, meaning }, span);
            }
            (Slot::Field(field), Some(object)) => {
                self.check_extent(object, field, span);
                let value = Operand::Scalar(self.bits(operation, of, span));
                self.emit(Statement::Store { object, field, value }, span);
            }
            (Slot::Field(_), None) => {}
        }
    }

    /// Changes a block: the operation has it and the offset for its first arguments.
    pub(super) fn change_block(&mut self, to: &Bytes, operation: Operation, more: Vec<ir::Expr>, span: Span) {
        let block = self.held(to.slot, to.object, span);
        let character = if operation == Operation::Write(1) { more.first().cloned() } else { None };
        let of = [block, to.offset.clone()].into_iter().chain(more).map(Operand::Scalar).collect();
        self.set_block(to, operation, of, span);
        self.wrote_character(to, character, span);
    }

    /// Nothing is known of a block any more, not even by runs.
    pub(super) fn lose_block(&mut self, to: &Bytes, cause: Cause, span: Span) {
        self.set_block(to, Operation::Unknown(cause), Vec::new(), span);
        self.wrote_character(to, None, span);
    }

    /// Reads a number of a block.
    pub(super) fn load_number(&mut self, place: &Place, span: Span) -> Value {
        let (Tree::Number(slot, kind, offset), object) = (&*place.tree, place.object) else { return Value::Nothing };
        let block = self.held(*slot, object, span);
        let size = self.number_size(place.ty, *kind);
        let (Some(offset), Some(size)) = (offset, size) else {
            return self.unknown(place.ty, Cause::Memory, span);
        };
        let of = vec![Operand::Scalar(block), Operand::Scalar(offset.clone())];
        match kind {
            Kind::Scalar(scalar) => {
                let character = self.read_character((*slot, object), offset, *scalar, &of, span);
                Value::Scalar(character.unwrap_or_else(|| self.computed(*scalar, Operation::Read(size), of, span)))
            }
            Kind::Float(format) => Value::Float(self.bits(Operation::Read(size), of, span), *format),
            Kind::Pointer(_) | Kind::Function => self.unsupported("a pointer among numbers", span),
        }
    }

    /// Writes a number to a block.
    pub(super) fn store_number(&mut self, place: &Place, value: Value, span: Span) {
        let (Tree::Number(slot, kind, offset), object) = (&*place.tree, place.object) else { return };
        let to = Bytes { slot: *slot, object, offset: offset.clone().unwrap_or(bytes(0)) };
        let size = self.number_size(place.ty, *kind).filter(|_| offset.is_some());
        match (self.operand(value, *kind, span), size) {
            (Operand::Scalar(value), Some(size)) => self.change_block(&to, Operation::Write(size), vec![value], span),
            _ => self.lose_block(&to, Cause::Memory, span),
        }
    }

    /// Copies numbers that are not told apart.
    pub(super) fn copy_data(&mut self, to: &Place, from: &Place, span: Span) {
        let (Some(to_bytes), Some(from_bytes)) = (to.bytes(), from.bytes()) else { return };
        let source = self.held(from_bytes.slot, from_bytes.object, span);
        let size = bytes(self.c.types.size(to.ty).unwrap_or(0));
        self.change_block(&to_bytes, Operation::Move, vec![source, from_bytes.offset, size], span);
    }

    /// Sets numbers that are not told apart to zero.
    pub(super) fn clear_data(&mut self, place: &Place, span: Span) {
        let Some(to) = place.bytes() else { return };
        let size = bytes(self.c.types.size(place.ty).unwrap_or(0));
        self.change_block(&to, Operation::Fill, vec![bytes(0), size], span);
    }

    /// A block for the bytes of a place, and how many it has.
    pub(super) fn block_of(&mut self, place: &Place, span: Span) -> Option<[Operand; 2]> {
        let size = bytes(self.c.types.size(place.ty)?);
        let block = match place.bytes() {
            Some(from) => {
                let block = self.held(from.slot, from.object, span);
                match from.offset {
                    ir::Expr::Constant(0, _) => block,
                    offset => {
                        let of = [bytes(0), bytes(0), block, offset, size.clone()].map(Operand::Scalar).to_vec();
                        self.bits(Operation::Move, of, span)
                    }
                }
            }
            None => {
                let element = self.part_type(place.ty, 0);
                let (count, width) = (self.array_length(place.ty)? as usize, self.c.types.size(element)?);
                let mut of = Vec::new();
                for index in 0..count {
                    let part = self.part(place.clone(), index, element, span);
                    let Value::Scalar(value) = self.load(part, None, span) else { return None };
                    of.push(Operand::Scalar(value));
                }
                self.bits(Operation::Pack(u8::try_from(width).ok()?), of, span)
            }
        };
        Some([Operand::Scalar(block), Operand::Scalar(size)])
    }

    /// Puts the bytes of a block into an array.
    pub(super) fn unpack(&mut self, place: &Place, block: ir::Expr, span: Span) {
        let Some(size) = self.c.types.size(place.ty) else { return };
        if let Some(to) = place.bytes() {
            return self.change_block(&to, Operation::Move, vec![block, bytes(0), bytes(size)], span);
        }
        let element = self.part_type(place.ty, 0);
        let width = self.c.types.size(element).unwrap_or(1);
        for index in 0..self.array_length(place.ty).unwrap_or(0) {
            let part = self.part(place.clone(), index as usize, element, span);
            let Some(Kind::Scalar(scalar)) = self.kind(element) else { return };
            let of = [block.clone(), bytes(index * width)].map(Operand::Scalar).to_vec();
            let value = self.computed(scalar, Operation::Read(width as u8), of, span);
            self.store(&part, Value::Scalar(value), span);
        }
    }
}
