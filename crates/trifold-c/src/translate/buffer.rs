//! Buffers: objects of any number of numbers, and pointers that [walk](super::walked) over them.
//!
//! A buffer has a field for the number of its elements and a block of bytes, which only runs know. A pointer to its
//! elements is a pair, the buffer and the index of an element; in the translation it is a struct with these two
//! members. That an index is in bounds is a question on the way to each element. For example, `p[i] = 5` becomes
//! `n = p->count; assume(p.at + i < n); … p->data = nondet as write_4(p->data, 4 * (p.at + i), 5)`, and an error
//! otherwise.
//!
//! # Soundness
//! Elements are any numbers for analyses. A pointer that becomes one to something else must be at the beginning;
//! otherwise it is not analysed any further.

use super::Translator;
use super::data::bytes;
use super::element::Cursor;
use super::layout::{Home, Kind, Slot, Tree};
use super::place::{Bytes, Place};
use super::value::Value;
use crate::typed::{BinaryOperator, Expr};
use crate::types::{ArrayLength, Type, TypeId, Types};
use std::rc::Rc;
use trifold_ir as ir;
use trifold_ir::{
    BinaryOp, Builder, Condition, FieldId, FindingKind, NodeId, Operand, Operation, Scalar, Statement, StructId, VarId,
};
use trifold_source::Span;

pub(super) const I64: Scalar = Scalar::Int { signed: true, bits: 64 };

pub(super) fn index(value: i128) -> ir::Expr {
    ir::Expr::Constant(value, I64)
}

/// `a + b`, or `a - b`, at once if both are constants.
fn moved(a: ir::Expr, b: ir::Expr, backwards: bool) -> ir::Expr {
    let op = if backwards { BinaryOp::Subtract } else { BinaryOp::Add };
    match (&a, &b) {
        (ir::Expr::Constant(x, _), ir::Expr::Constant(y, _)) => {
            index(I64.convert(if backwards { x - y } else { x + y }))
        }
        (_, ir::Expr::Constant(0, _)) => a,
        (ir::Expr::Constant(0, _), _) if !backwards => b,
        _ => ir::Expr::binary(op, a, b),
    }
}

/// A pointer as a pair.
pub(super) struct Walker {
    pub buffer: VarId,
    pub at: ir::Expr,
}

impl<'p> Translator<'p> {
    /// The size of a number that pointers walk over.
    pub(super) fn element_size(&self, ty: TypeId) -> Option<u64> {
        self.walked.size(&self.c.types, ty)
    }

    /// Do pointers walk over objects of this type?
    pub(super) fn is_walked(&self, ty: TypeId) -> bool {
        self.element_size(ty).is_some() || self.walked.is_pointer(&self.c.types, ty)
    }

    /// Is a pointer of this type a pair?
    pub(super) fn is_walker(&self, pointer: TypeId) -> bool {
        self.c.types.pointee(pointer).is_some_and(|to| self.is_walked(to))
    }

    /// The struct of the objects that elements are in.
    fn buffer_with(&mut self, element: TypeId) -> Option<StructId> {
        match self.element_size(element) {
            Some(_) => self.buffer_of(element),
            None => self.pointer_array(element).map(|known| known.array),
        }
    }

    /// The elements of an object that is a buffer: a number, or an array of numbers.
    fn elements_of(&self, ty: TypeId) -> Option<(TypeId, Option<u64>)> {
        if self.element_size(ty).is_some() {
            return Some((ty, Some(1)));
        }
        match self.c.types.get(ty) {
            Type::Array(element, length) => {
                self.element_size(*element)?;
                let length = if let ArrayLength::Known(length) = length { Some(*length) } else { None };
                Some((*element, length))
            }
            _ => None,
        }
    }

    /// The struct of buffers, for objects that are some.
    pub(super) fn buffer_of(&mut self, ty: TypeId) -> Option<StructId> {
        let (element, _) = self.elements_of(ty)?;
        let size = self.element_size(element)?;
        if let Some(known) = self.layouts.buffers.get(&size) {
            return Some(*known);
        }
        let span = self.start_span();
        let id = self.new_struct(&format!("{}[]", self.c.show(element)), element, span);
        self.ir.add_field(id, "count", ir::Type::Scalar(I64), false, span);
        let data = self.ir.add_field(id, "data", ir::Type::Scalar(super::layout::U64), false, span);
        if size == 1 {
            let zero = self.ir.add_field(id, "zero", ir::Type::Scalar(I64), false, span);
            self.layouts.zeros.insert(data, zero);
        }
        self.layouts.roots.insert(id, Rc::new(Tree::Opaque("a buffer".to_string())));
        self.layouts.buffers.insert(size, id);
        Some(id)
    }

    fn buffer_fields(&self, buffer: StructId) -> [FieldId; 2] {
        [self.ir[buffer].fields[0], self.ir[buffer].fields[1]]
    }

    /// The tree of an object that is a buffer.
    pub(super) fn buffer_tree(&mut self, ty: TypeId) -> Option<Rc<Tree>> {
        if self.pointer_array_of(ty).is_some() {
            return Some(Rc::new(Tree::Pointers));
        }
        let buffer = self.buffer_of(ty)?;
        let [_, data] = self.buffer_fields(buffer);
        Some(Rc::new(match self.kind(ty) {
            Some(kind) => Tree::Number(Slot::Field(data), kind, Some(bytes(0))),
            None => Tree::Data(Slot::Field(data), bytes(0)),
        }))
    }

    /// The two members of a pointer.
    pub(super) fn walker_tree(
        &mut self,
        home: Home,
        ty: TypeId,
        name: &str,
        range: (u64, u64),
        span: Span,
    ) -> Rc<Tree> {
        let buffer = self.c.types.pointee(ty).and_then(|to| self.buffer_with(to));
        if self.overlay.is_some() {
            return Rc::new(Tree::Opaque("a pointer that walks, in a union".to_string()));
        }
        let (pointer, at) = (Kind::Pointer(buffer), Kind::Scalar(I64));
        let leaves = [(name.to_string(), pointer), (format!("{name}.at"), at)];
        let leaf = |(name, kind): (String, Kind)| Rc::new(Tree::Leaf(self.slot(home, &name, kind, range, span), kind));
        Rc::new(Tree::Parts(leaves.map(leaf).to_vec()))
    }

    /// The pair of a value.
    pub(super) fn walker(&mut self, value: Value, span: Span) -> Option<Walker> {
        let Value::Record(place) = value else { return None };
        let Tree::Parts(parts) = &*place.tree else { return None };
        let [buffer, at] = &parts[..] else { return None };
        let leaf = |tree: &Rc<Tree>| Place::of_part(place.object, tree.clone(), place.ty);
        let (buffer, at) = (leaf(buffer), leaf(at));
        match (self.load(buffer, None, span), self.load(at, None, span)) {
            (Value::Pointer(buffer), Value::Scalar(at)) => Some(Walker { buffer, at }),
            _ => None,
        }
    }

    /// A pair as a value of a pointer type.
    pub(super) fn walker_value(&mut self, walker: Walker, ty: TypeId, span: Span) -> Value {
        let place = self.temporary_record(ty, span);
        if let [buffer, at] = place.variables()[..] {
            self.set(buffer, Operand::Pointer(walker.buffer), span);
            self.set(at, Operand::Scalar(walker.at), span);
        }
        Value::Record(place)
    }

    /// The operands of a pointer that is passed, if it is NULL or nothing.
    pub(super) fn walker_operands(&self, value: &Value) -> [Operand; 2] {
        let pointer = if matches!(value, Value::Null) { Operand::Null } else { Operand::Uninitialised };
        [pointer, Operand::Scalar(index(0))]
    }

    /// A copy of a pointer, which does not change when the variable does.
    pub(super) fn kept_walker(&mut self, value: Value, ty: TypeId, span: Span) -> Value {
        match self.walker(value.clone(), span) {
            Some(walker) => self.walker_value(walker, ty, span),
            None => value,
        }
    }

    /// The value of an index.
    fn distance(&mut self, expr: &'p Expr) -> Option<ir::Expr> {
        match self.value(expr, None) {
            Value::Scalar(value) => Some(self.converted(value, I64)),
            _ => None,
        }
    }

    /// `pointer + distance`, or `-`.
    pub(super) fn offset(&mut self, pointer: &'p Expr, by: &'p Expr, backwards: bool, expr: &'p Expr) -> Value {
        let value = self.value(pointer, None);
        let (walker, by) = (self.walker(value, expr.span), self.distance(by));
        let (Some(walker), Some(by)) = (walker, by) else { return self.unsupported("pointer arithmetic", expr.span) };
        let at = moved(walker.at, by, backwards);
        self.walker_value(Walker { at, ..walker }, expr.ty, expr.span)
    }

    /// `pointer++`, `pointer -= distance` and their like. The value is the old one if that is asked for.
    pub(super) fn walk(
        &mut self,
        place: &'p Expr,
        by: Option<&'p Expr>,
        backwards: bool,
        postfix: bool,
        span: Span,
    ) -> Value {
        let ty = place.ty;
        self.check_written(place);
        let place = self.place(place);
        let place = self.resolved(place, span);
        let old = self.load(place.clone(), None, span);
        let old = if postfix { self.kept_walker(old, ty, span) } else { old };
        let by = by.map_or(Some(index(1)), |by| self.distance(by));
        let (Some(walker), Some(by)) = (self.walker(old.clone(), span), by) else {
            return self.unsupported("pointer arithmetic", span);
        };
        let at = moved(walker.at, by, backwards);
        if let Tree::Parts(parts) = &*place.tree
            && let [_, own] = &parts[..]
        {
            self.store(&Place::of_part(place.object, own.clone(), ty), Value::Scalar(at), span);
        }
        if postfix { old } else { Value::Record(place) }
    }

    /// The distance of two pointers into the same buffer.
    pub(super) fn between(&mut self, left: &'p Expr, right: &'p Expr, expr: &'p Expr) -> Value {
        let Some((left, right)) = self.in_one_buffer(left, right, expr.span) else { return Value::Nothing };
        let distance = moved(left.at, right.at, true);
        self.converted_value(Value::Scalar(distance), Types::INT, expr.ty, expr.span)
    }

    fn in_one_buffer(&mut self, left: &'p Expr, right: &'p Expr, span: Span) -> Option<(Walker, Walker)> {
        let (left, right) = (self.value(left, None), self.value(right, None));
        let (left, right) = (self.walker(left, span), self.walker(right, span));
        let (Some(left), Some(right)) = (left, right) else {
            self.unsupported("an order of addresses", span);
            return None;
        };
        let same = Condition::Pointers {
            left: Operand::Pointer(left.buffer),
            right: Operand::Pointer(right.buffer),
            equal: true,
        };
        let otherwise = self.unless(same, span);
        let here = std::mem::replace(&mut self.body.at, otherwise);
        self.unsupported("an order of addresses of different objects", span);
        self.body.at = here;
        Some((left, right))
    }

    /// A comparison of pointers of which one walks decides where execution goes on.
    pub(super) fn branch_on_walkers(
        &mut self,
        (operator, left, right): (BinaryOperator, &'p Expr, &'p Expr),
        yes: NodeId,
        no: NodeId,
        span: Span,
    ) {
        let (same, different) = match operator {
            BinaryOperator::Equal => (yes, no),
            BinaryOperator::NotEqual => (no, yes),
            _ => {
                let Some((left, right)) = self.in_one_buffer(left, right, span) else { return };
                let condition = ir::Expr::binary(super::operator::operator(operator), left.at, right.at);
                return self.fork(Condition::Scalar(condition), yes, no, span);
            }
        };
        match (self.value(left, None), self.value(right, None)) {
            (Value::Null, value) | (value, Value::Null) => self.branch_on(value, different, same, span),
            (left, right) => {
                let (Some(left), Some(right)) = (self.walker(left, span), self.walker(right, span)) else {
                    return drop(self.unsupported("a comparison of pointers of different types", span));
                };
                // Both members decide: the buffer first.
                let [one, other] = [left.buffer, right.buffer].map(Operand::Pointer);
                let there = self.node();
                self.fork(Condition::Pointers { left: one, right: other, equal: true }, there, different, span);
                self.body.at = there;
                let condition = ir::Expr::binary(BinaryOp::Equal, left.at, right.at);
                self.fork(Condition::Scalar(condition), same, different, span);
            }
        }
    }

    /// A pointer that changes its type, if it or its new form is a pair.
    pub(super) fn convert_walker(&mut self, value: Value, from: TypeId, to: TypeId, span: Span) -> Option<Value> {
        let walked = |ty: TypeId| {
            let to = self.c.types.pointee(ty)?;
            self.is_walked(to).then(|| (self.element_size(to), self.c.types.pointee(to).is_some()))
        };
        let (before, after) = (walked(from), walked(to));
        let is_void = |ty: TypeId| self.c.types.pointee(ty).is_some_and(|to| *self.c.types.get(to) == Type::Void);
        match (value, before, after) {
            (_, None, None) => None,
            (Value::Record(place), _, Some(size)) if self.is_walker(place.ty) => match walked(place.ty) == Some(size) {
                true => Some(Value::Record(Place { ty: to, ..place })),
                false => Some(self.unsupported("elements of one size that are used as those of another", span)),
            },
            (value @ Value::Record(_), Some(_), None) if is_void(to) => {
                let walker = self.walker(value, span)?;
                let begins = ir::Expr::binary(BinaryOp::Equal, walker.at, index(0));
                let otherwise = self.unless(Condition::Scalar(begins), span);
                let here = std::mem::replace(&mut self.body.at, otherwise);
                self.unsupported("a pointer into an array as one to anything", span);
                self.body.at = here;
                Some(Value::Pointer(walker.buffer))
            }
            (Value::Pointer(pointer), None, Some(_)) if is_void(from) => {
                let element = self.c.types.pointee(to)?;
                let structure = self.buffer_with(element)?;
                let buffer = self.typed_pointer(pointer, structure, span);
                Some(self.walker_value(Walker { buffer, at: index(0) }, to, span))
            }
            (value @ (Value::Null | Value::Nothing), ..) => Some(value),
            _ => {
                let text = format!("a cast from `{}` to `{}`", self.c.show(from), self.c.show(to));
                Some(self.unsupported(text, span))
            }
        }
    }

    /// A pointer to an object that is a buffer.
    pub(super) fn at_beginning(&mut self, value: Value, ty: TypeId, span: Span) -> Value {
        match value {
            Value::Pointer(buffer) if self.is_walker(ty) => {
                let whole = self.c.types.pointee(ty).and_then(|to| self.buffer_with(to));
                if self.ir[buffer].ty.target() != whole {
                    return self.unsupported("the address of a pointer that is in no array", span);
                }
                self.walker_value(Walker { buffer, at: index(0) }, ty, span)
            }
            value => value,
        }
    }

    /// The address of the first element of an array.
    pub(super) fn first_address(&mut self, array: Place, ty: TypeId, span: Span) -> Value {
        let array = self.resolved(array, span);
        match (&*array.tree, array.object) {
            (Tree::Data(..) | Tree::Pointers, Some(object)) if array.whole => {
                self.at_beginning(Value::Pointer(object), ty, span)
            }
            _ => self.unsupported("the address of numbers that are not told apart", span),
        }
    }

    /// The element that a pointer leads to, some elements further on.
    pub(super) fn walked_element(
        &mut self,
        value: Value,
        (further, cursor): (Option<&'p Expr>, Option<Cursor>),
        ty: TypeId,
        span: Span,
    ) -> Place {
        let walker = match value {
            Value::Null => return self.dereference_null(ty, span),
            Value::Pointer(buffer) => Some(Walker { buffer, at: index(0) }),
            value => self.walker(value, span),
        };
        let further = further.map_or(Some(index(0)), |further| self.distance(further));
        let (Some(walker), Some(further)) = (walker, further) else { return Place::nowhere(ty) };
        if self.element_size(ty).is_none() {
            let at = moved(walker.at, further, false);
            return self.walked_pointer(Walker { at, ..walker }, cursor, ty, span);
        }
        let (Some(structure), Some(kind)) = (self.buffer_of(ty), self.kind(ty)) else { return Place::nowhere(ty) };
        let [count, data] = self.buffer_fields(structure);
        let object = self.typed_pointer(walker.buffer, structure, span);
        let at = self.settled(moved(walker.at, further, false), span);
        let length = self.temporary(ir::Type::Scalar(I64), span);
        self.emit(Statement::Load { to: length, object, field: count }, span);
        self.check_bounds(at.clone(), at.clone(), ir::Expr::Variable(length), BinaryOp::Less, span);
        let offset = self.byte_offset(at, ty);
        Place::of_part(Some(object), Rc::new(Tree::Number(Slot::Field(data), kind, Some(offset))), ty)
    }

    /// An index in a variable of its own, so that what the bounds tell is known of it.
    pub(super) fn settled(&mut self, at: ir::Expr, span: Span) -> ir::Expr {
        if matches!(at, ir::Expr::Constant(..)) {
            return at;
        }
        let variable = self.temporary(ir::Type::Scalar(I64), span);
        self.set(variable, Operand::Scalar(at), span);
        ir::Expr::Variable(variable)
    }

    fn byte_offset(&self, at: ir::Expr, element: TypeId) -> ir::Expr {
        let size = self.element_size(element).unwrap_or(1);
        match at {
            ir::Expr::Constant(at, _) => bytes(u64::try_from(at).unwrap_or(0) * size),
            at if size == 1 => self.converted(at, super::layout::U64),
            at => ir::Expr::binary(BinaryOp::Multiply, self.converted(at, super::layout::U64), bytes(size)),
        }
    }

    /// It is an error if the first number is negative, or the last is not within a length.
    pub(super) fn check_bounds(
        &mut self,
        first: ir::Expr,
        last: ir::Expr,
        length: ir::Expr,
        within: BinaryOp,
        span: Span,
    ) {
        let mut conditions = vec![ir::Expr::binary(within, last, length)];
        if !matches!(first, ir::Expr::Constant(0.., _)) {
            conditions.insert(0, ir::Expr::binary(BinaryOp::GreaterEqual, first, index(0)));
        }
        for condition in conditions {
            let outside = self.unless(Condition::Scalar(condition), span);
            let inside = std::mem::replace(&mut self.body.at, outside);
            let text = "the pointer is out of bounds".to_string();
            self.end(Statement::Error { kind: FindingKind::InvalidDereference, text }, span);
            self.body.at = inside;
        }
    }

    fn dereference_null(&mut self, ty: TypeId, span: Span) -> Place {
        let text = "a NULL pointer is dereferenced".to_string();
        self.end(Statement::Error { kind: FindingKind::NullDereference, text }, span);
        Place::nowhere(ty)
    }

    /// `free(pointer)`, which must be at the beginning of its buffer.
    pub(super) fn free_walker(&mut self, value: Value, span: Span) {
        let Some(Walker { buffer, at }) = self.walker(value, span) else { return };
        let begins = ir::Expr::binary(BinaryOp::Equal, at, index(0));
        let otherwise = self.unless(Condition::Scalar(begins), span);
        let here = std::mem::replace(&mut self.body.at, otherwise);
        let text = "the pointer is not to the beginning of what was allocated".to_string();
        self.end(Statement::Error { kind: FindingKind::InvalidFree, text }, span);
        self.body.at = here;
        self.end_freed_elements(buffer, span);
        self.emit(Statement::Free { pointer: buffer }, span);
    }

    /// `memset` on a buffer: from the pointer on, so many bytes.
    pub(super) fn fill_walker(&mut self, value: Value, byte: &'p Expr, size: &'p Expr, ty: TypeId, span: Span) {
        let element = self.c.types.pointee(ty).unwrap_or(ty);
        let (Some(structure), Some(walker)) = (self.buffer_of(element), self.walker(value, span)) else { return };
        let (byte, size) = (self.value(byte, None), self.value(size, None));
        let (Value::Scalar(byte), Value::Scalar(size)) = (byte, size) else { return };
        let [count, data] = self.buffer_fields(structure);
        let object = self.typed_pointer(walker.buffer, structure, span);
        let length = self.temporary(ir::Type::Scalar(I64), span);
        self.emit(Statement::Load { to: length, object, field: count }, span);
        let width = index(self.element_size(element).unwrap_or(1).into());
        let scaled = |number: ir::Expr| match &width {
            ir::Expr::Constant(1, _) => number,
            width => ir::Expr::binary(BinaryOp::Multiply, number, width.clone()),
        };
        let end = moved(scaled(walker.at.clone()), self.converted(size.clone(), I64), false);
        let room = scaled(ir::Expr::Variable(length));
        self.check_bounds(walker.at.clone(), end, room, BinaryOp::LessEqual, span);
        let to = Bytes { slot: Slot::Field(data), object: Some(object), offset: self.byte_offset(walker.at, element) };
        let more = [byte, size].map(|number| self.converted(number, super::layout::U64)).to_vec();
        self.change_block(&to, Operation::Fill, more, span);
    }

    /// The numbers of elements of the buffers that a new object consists of.
    pub(super) fn set_counts(&mut self, object: VarId, ty: TypeId, zeroed: bool, span: Span) {
        if let Some((_, length)) = self.elements_of(ty) {
            if let Some(length) = length {
                self.set_count(object, ty, index(length.into()), zeroed, span);
            }
            return;
        }
        if let Some(known) = self.pointer_array_of(ty) {
            if let Some(length) = self.array_length(ty) {
                self.make_elements(object, known, index(length.into()), zeroed, span);
            }
            return;
        }
        if !self.holds_buffers(ty) {
            return;
        }
        let structure = self.struct_of(ty);
        self.root(structure);
        let object = self.typed_pointer(object, structure, span);
        for field in self.ir[structure].fields.clone() {
            let Some(part) = self.layouts.embedded.get(&field).copied() else { continue };
            if self.ir[field].embedded && (self.is_buffer(part) || self.holds_buffers(part)) {
                let inner = self.struct_of(part);
                let to = self.temporary(ir::Type::Pointer(Some(inner)), span);
                self.emit(Statement::Load { to, object, field }, span);
                self.set_counts(to, part, zeroed, span);
            }
        }
    }

    /// Is it an object that pointers walk over?
    fn is_buffer(&self, ty: TypeId) -> bool {
        self.elements_of(ty).is_some() || self.walked.element_of_array(&self.c.types, ty).is_some()
    }

    /// Are there objects in it that pointers walk over?
    fn holds_buffers(&self, ty: TypeId) -> bool {
        match self.c.types.get(ty) {
            Type::Record(id) => {
                let members = self.c.types.record(*id).members.iter().flatten();
                let mut members = members.map(|member| member.ty);
                members.any(|member| self.is_buffer(member) || self.holds_buffers(member))
            }
            Type::Array(element, _) => self.is_buffer(*element) || self.holds_buffers(*element),
            _ => false,
        }
    }

    pub(super) fn set_count(&mut self, object: VarId, ty: TypeId, value: ir::Expr, zeroed: bool, span: Span) {
        let Some(structure) = self.buffer_of(ty) else { return };
        let [field, data] = self.buffer_fields(structure);
        let object = self.typed_pointer(object, structure, span);
        self.emit(Statement::Store { object, field, value: Operand::Scalar(value.clone()) }, span);
        let zero = if zeroed { moved(value, index(1), true) } else { index(-1) };
        self.set_zero(Slot::Field(data), object, zero, span);
    }

    /// The characters of a string that is a buffer.
    pub(super) fn keep_characters(&mut self, place: &Place, units: &[u32], span: Span) -> bool {
        let (Some(object), Some(structure)) = (place.pointer(), self.buffer_of(place.ty)) else { return false };
        let [_, field] = self.buffer_fields(structure);
        let width = self.element_size(place.ty).unwrap_or(1) as u8;
        self.set_count(object, place.ty, index(units.len() as i128 + 1), true, span);
        let of = units.iter().map(|unit| Operand::Scalar(ir::Expr::Constant((*unit).into(), super::layout::U64)));
        let value = Operand::Scalar(self.bits(Operation::Pack(width), of.collect(), span));
        self.emit(Statement::Store { object, field, value }, span);
        true
    }
}
