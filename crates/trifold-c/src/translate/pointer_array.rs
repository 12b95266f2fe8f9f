//! Arrays of pointers, of any length: hash tables, stacks, queues and heaps of objects.
//!
//! Such an array is an object with the number of its elements, and with an element that comes before the first
//! one; each element is an object that holds a pointer and leads to the next one. To come to the element at an
//! index, a loop goes so many elements on. So whatever the analyses know of lists whose elements own lists they
//! know of a table of chains. The array has a *finger*, which points to the element that was used last: so the
//! element is the same one if the index is. For example, with `struct node *table[64]`, the assignment
//! `table[i] = p` becomes
//!
//! ```text
//! assume(0 <= i && i < 64);
//! if (table->at == i) e = table->finger;
//! else { e = &table->before; for (k = i + 1; k > 0; k--) e = e->next; }
//! table->finger = e; table->at = i; c = e->value; c->value = p
//! ```
//!
//! and an error otherwise. Loops that count the index have a [cursor](super::counted_loop) instead. The part
//! `value` is the cell that other pointers to pointers of this type lead to as well. A small array is taken
//! apart, as long as no pointer walks over it.
//!
//! # Soundness
//! An array has as many elements as its number says from when it comes to life until it dies, and the finger is
//! at the element whose index is beside it; that of the one before the first is -1. So an index within the
//! bounds leads to an element, and nothing is assumed away.

use super::Translator;
use super::buffer::{I64, Walker, index};
use super::element::{Cursor, PointerArray, is_element};
use super::layout::Tree;
use super::place::Place;
use super::value::Value;
use crate::library::Allocation;
use crate::typed::{BinaryOperator, Expr, ExprKind};
use crate::types::TypeId;
use std::rc::Rc;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, NodeId, Operand, Region, Statement, StructId, VarId};
use trifold_passes::ELEMENT_OF;
use trifold_source::Span;

/// So many elements further on are come to without a loop.
const FEW_STEPS: i128 = 3;

/// An index, and the cursor of the loop that counts it.
type Element = (ir::Expr, Option<Cursor>);

impl<'p> Translator<'p> {
    /// The structs of arrays with such elements, if there are any.
    pub(super) fn pointer_array(&mut self, element: TypeId) -> Option<PointerArray> {
        if !self.walked.is_in_arrays(&self.c.types, element) {
            return None;
        }
        let types = &self.c.types;
        let known = self.layouts.pointer_arrays.iter().find(|(known, _)| types.compatible(*known, element, false));
        if let Some((_, known)) = known {
            return Some(*known);
        }
        let span = self.start_span();
        let name = format!("{}[]", self.c.show(element));
        let (array, cell) = (self.new_struct(&name, element, span), self.struct_of(element));
        let link = self.new_struct(&format!("{ELEMENT_OF}{name}"), element, span);
        let to = |structure: StructId| ir::Type::Pointer(Some(structure));
        let value = self.ir.add_field(link, "value", to(cell), true, span);
        let next = self.ir.add_field(link, "next", to(link), false, span);
        let known = PointerArray {
            array,
            before: self.ir.add_field(array, "before", to(link), true, span),
            count: self.ir.add_field(array, "count", ir::Type::Scalar(I64), false, span),
            finger: self.ir.add_field(array, "finger", to(link), false, span),
            at: self.ir.add_field(array, "at", ir::Type::Scalar(I64), false, span),
            element: link,
            value,
            next,
        };
        self.layouts.roots.insert(array, Rc::new(Tree::Pointers));
        self.layouts.roots.insert(link, Rc::new(Tree::Opaque("an element of an array".to_string())));
        self.layouts.pointer_arrays.push((element, known));
        Some(known)
    }

    /// The structs of an object that is such an array.
    pub(super) fn pointer_array_of(&mut self, ty: TypeId) -> Option<PointerArray> {
        let element = self.walked.element_of_array(&self.c.types, ty)?;
        self.pointer_array(element)
    }

    fn pointer_array_in(&self, structure: StructId) -> Option<PointerArray> {
        let known = self.layouts.pointer_arrays.iter().find(|(_, known)| known.array == structure);
        known.map(|(_, known)| *known)
    }

    /// Is a struct such an array, or is one a part of it?
    pub(super) fn holds_pointer_array(&mut self, structure: StructId) -> bool {
        if self.pointer_array_in(structure).is_some() {
            return true;
        }
        self.root(structure);
        let parts = self.ir.parts(&self.ir[structure]);
        parts.into_iter().any(|part| self.holds_pointer_array(part))
    }

    /// The element of an array at an index, as a place.
    pub(super) fn pointer_at(&mut self, array: &Place, (at, cursor): Element, ty: TypeId, span: Span) -> Place {
        let (Some(object), Some(known)) = (array.object, self.pointer_array_of(array.ty)) else {
            return self.nowhere(ty, span);
        };
        let length = self.array_length(array.ty).map(|length| index(length.into()));
        let cell = self.pointer_cell(object, known, length, (at, cursor), span);
        self.object(cell, ty)
    }

    /// The element that a pointer leads to, as a place.
    pub(super) fn walked_pointer(&mut self, walker: Walker, cursor: Option<Cursor>, ty: TypeId, span: Span) -> Place {
        let Some(known) = self.pointer_array(ty) else { return self.nowhere(ty, span) };
        let object = self.typed_pointer(walker.buffer, known.array, span);
        let cell = self.pointer_cell(object, known, None, (walker.at, cursor), span);
        self.object(cell, ty)
    }

    /// The cell of the element at an index, which must be within the bounds.
    fn pointer_cell(
        &mut self,
        object: VarId,
        known: PointerArray,
        length: Option<ir::Expr>,
        (at, cursor): Element,
        span: Span,
    ) -> VarId {
        let at = self.settled(at, span);
        let length = length.unwrap_or_else(|| self.pointer_count(object, known, span));
        self.check_bounds(at.clone(), at.clone(), length.clone(), BinaryOp::Less, span);
        let element = match cursor {
            Some(cursor) => self.cursor_element(&cursor, (object, at, length), span),
            None => self.element_at(object, known, at, span),
        };
        let cell = self.ir[known.value].ty;
        let to = self.temporary(cell, span);
        self.emit(Statement::Load { to, object: element, field: known.value }, span);
        to
    }

    fn pointer_count(&mut self, object: VarId, known: PointerArray, span: Span) -> ir::Expr {
        let length = self.temporary(ir::Type::Scalar(I64), span);
        self.emit(Statement::Load { to: length, object, field: known.count }, span);
        ir::Expr::Variable(length)
    }

    /// The element at an index, which is where the finger is afterwards.
    fn element_at(&mut self, object: VarId, known: PointerArray, at: ir::Expr, span: Span) -> VarId {
        let end = self.node();
        let (element, place) = self.finger(object, known, span);
        let is = |place: ir::Expr| Condition::Scalar(ir::Expr::binary(BinaryOp::Equal, place, at.clone()));
        let otherwise = self.unless(is(place.clone()), span);
        self.jump(end, span);
        self.body.at = otherwise;
        self.go_to(element, object, known, at.clone(), span);
        self.join(end, span);
        self.assume_element(element, span);
        self.emit(Statement::Store { object, field: known.finger, value: Operand::Pointer(element) }, span);
        self.emit(Statement::Store { object, field: known.at, value: Operand::Scalar(at) }, span);
        element
    }

    /// Goes to the element at an index, from before the first one.
    pub(super) fn go_to(&mut self, element: VarId, object: VarId, known: PointerArray, at: ir::Expr, span: Span) {
        self.emit(Statement::Load { to: element, object, field: known.before }, span);
        match at {
            ir::Expr::Constant(at @ ..=FEW_STEPS, _) => (0..=at).for_each(|_| self.step_on(element, known, span)),
            at => {
                let steps = ir::Expr::binary(BinaryOp::Add, at, index(1));
                self.repeat(steps, span, |this| this.step_on(element, known, span));
            }
        }
        self.assume_element(element, span);
    }

    /// The element that was used last, and its index.
    fn finger(&mut self, object: VarId, known: PointerArray, span: Span) -> (VarId, ir::Expr) {
        let element = self.temporary(ir::Type::Pointer(Some(known.element)), span);
        let place = self.temporary(ir::Type::Scalar(I64), span);
        self.emit(Statement::Load { to: element, object, field: known.finger }, span);
        self.emit(Statement::Load { to: place, object, field: known.at }, span);
        (element, ir::Expr::Variable(place))
    }

    /// To the next element, from one that is there.
    fn step_on(&mut self, element: VarId, known: PointerArray, span: Span) {
        self.assume_element(element, span);
        self.emit(Statement::Load { to: element, object: element, field: known.next }, span);
    }

    /// The bounds say that there is an element.
    fn assume_element(&mut self, element: VarId, span: Span) {
        self.assume_that(is_element(element), span);
    }

    pub(super) fn assume_that(&mut self, condition: Condition, span: Span) {
        let otherwise = self.unless(condition, span);
        let here = std::mem::replace(&mut self.body.at, otherwise);
        self.end(Statement::Stop, span);
        self.body.at = here;
    }

    /// The element before the first one.
    fn before(&mut self, object: VarId, known: PointerArray, span: Span) -> VarId {
        let before = self.temporary(ir::Type::Pointer(Some(known.element)), span);
        self.emit(Statement::Load { to: before, object, field: known.before }, span);
        before
    }

    fn load_first(&mut self, element: VarId, object: VarId, known: PointerArray, span: Span) {
        let before = self.before(object, known, span);
        self.emit(Statement::Load { to: element, object: before, field: known.next }, span);
        self.forget(&[before], span);
    }

    /// Does something so many times.
    fn repeat(&mut self, times: ir::Expr, span: Span, run: impl FnOnce(&mut Self)) {
        let left = self.temporary(ir::Type::Scalar(I64), span);
        self.set(left, Operand::Scalar(times), span);
        let more = ir::Expr::binary(BinaryOp::Greater, ir::Expr::Variable(left), index(0));
        self.looping(Condition::Scalar(more), span, |this| {
            run(this);
            let less = ir::Expr::binary(BinaryOp::Subtract, ir::Expr::Variable(left), index(1));
            this.set(left, Operand::Scalar(less), span);
        });
    }

    fn looping(&mut self, condition: Condition, span: Span, run: impl FnOnce(&mut Self)) {
        let (head, inside, end): (NodeId, NodeId, NodeId) = (self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        self.fork(condition, inside, end, span);
        self.body.at = inside;
        run(self);
        self.jump(head, span);
        self.body.at = end;
    }

    /// An array comes to life, with so many elements.
    pub(super) fn make_elements(
        &mut self,
        object: VarId,
        known: PointerArray,
        count: ir::Expr,
        zeroed: bool,
        span: Span,
    ) {
        let object = self.typed_pointer(object, known.array, span);
        let ty = ir::Type::Pointer(Some(known.element));
        let (first, element) = (self.temporary(ty, span), self.temporary(ty, span));
        self.set(first, Operand::Null, span);
        self.repeat(count.clone(), span, |this| {
            let (region, may_fail) = (Region::Heap, false);
            let allocate = Statement::Allocate { to: element, structure: known.element, region, zeroed, may_fail };
            this.emit(allocate, span);
            let value = Operand::Pointer(first);
            this.emit(Statement::Store { object: element, field: known.next, value }, span);
            this.set(first, Operand::Pointer(element), span);
        });
        let before = self.before(object, known, span);
        self.emit(Statement::Store { object: before, field: known.next, value: Operand::Pointer(first) }, span);
        for (field, value) in [
            (known.finger, Operand::Pointer(before)),
            (known.at, Operand::Scalar(index(-1))),
            (known.count, Operand::Scalar(count)),
        ] {
            self.emit(Statement::Store { object, field, value }, span);
        }
        self.forget(&[first, element, before], span);
    }

    /// An object is about to die: so are the elements of the arrays that are parts of it.
    pub(super) fn end_elements(&mut self, object: VarId, span: Span) {
        let Some(structure) = self.ir[object].ty.target() else { return };
        if let Some(known) = self.pointer_array_in(structure) {
            let ty = ir::Type::Pointer(Some(known.element));
            let (element, next) = (self.temporary(ty, span), self.temporary(ty, span));
            self.load_first(element, object, known, span);
            self.looping(is_element(element), span, |this| {
                this.emit(Statement::Load { to: next, object: element, field: known.next }, span);
                this.emit(Statement::Free { pointer: element }, span);
                this.set(element, Operand::Pointer(next), span);
            });
            return self.forget(&[element, next], span);
        }
        if !self.holds_pointer_array(structure) {
            return;
        }
        for field in self.ir[structure].fields.clone() {
            let part = self.ir[field].ty.target().filter(|_| self.ir[field].embedded);
            if let Some(part) = part.filter(|part| self.holds_pointer_array(*part)) {
                let to = self.temporary(ir::Type::Pointer(Some(part)), span);
                self.emit(Statement::Load { to, object, field }, span);
                self.end_elements(to, span);
                self.forget(&[to], span);
            }
        }
    }

    /// As above, where the object is freed by a pointer that may be null.
    pub(super) fn end_freed_elements(&mut self, object: VarId, span: Span) {
        let Some(structure) = self.ir[object].ty.target() else {
            if !self.walked.has_pointer_arrays() {
                return;
            }
            return drop(self.unsupported("`free` of memory that may be an array of pointers", span));
        };
        if !self.holds_pointer_array(structure) {
            return;
        }
        let null = Condition::Pointers { left: Operand::Pointer(object), right: Operand::Null, equal: true };
        let (end, there) = (self.node(), self.node());
        self.fork(null, end, there, span);
        self.body.at = there;
        self.end_elements(object, span);
        self.join(end, span);
    }

    /// The objects that die with the blocks that are open: their elements die before them.
    pub(super) fn end_all_elements(&mut self, span: Span) {
        let objects: Vec<VarId> = self.body.blocks.iter().flat_map(|block| block.objects.clone()).collect();
        objects.into_iter().rev().for_each(|object| self.end_elements(object, span));
    }

    /// All elements become null.
    pub(super) fn clear_pointers(&mut self, array: &Place, span: Span) {
        let (Some(object), Some(known)) = (array.object, self.pointer_array_of(array.ty)) else { return };
        let element = self.temporary(ir::Type::Pointer(Some(known.element)), span);
        self.load_first(element, object, known, span);
        self.looping(is_element(element), span, |this| {
            this.clear_element(element, known, span);
            this.emit(Statement::Load { to: element, object: element, field: known.next }, span);
        });
    }

    fn clear_element(&mut self, element: VarId, known: PointerArray, span: Span) {
        let cell = self.temporary(self.ir[known.value].ty, span);
        self.emit(Statement::Load { to: cell, object: element, field: known.value }, span);
        let ty = self.type_of_struct(known.element);
        let place = self.object(cell, ty);
        self.clear(&place, span);
        self.forget(&[cell], span);
    }

    /// `memset(pointer, 0, size)` on elements of an array, from the pointer on.
    pub(super) fn clear_walked(&mut self, value: Value, size: &'p Expr, element: TypeId, span: Span) {
        let (Some(known), Some(walker)) = (self.pointer_array(element), self.walker(value, span)) else { return };
        let Some(count) = self.pointers_in(&[size], element, span) else {
            return drop(self.unsupported("memory that is filled with bytes", span));
        };
        let object = self.typed_pointer(walker.buffer, known.array, span);
        let at = self.settled(walker.at, span);
        let end = ir::Expr::binary(BinaryOp::Add, at.clone(), count.clone());
        let end = self.settled(end, span);
        let length = self.pointer_count(object, known, span);
        self.check_bounds(at.clone(), end, length, BinaryOp::LessEqual, span);
        // There is no element after the last one to go to.
        let rest = self.temporary(ir::Type::Scalar(I64), span);
        self.set(rest, Operand::Scalar(count), span);
        let element = self.temporary(ir::Type::Pointer(Some(known.element)), span);
        self.load_first(element, object, known, span);
        self.repeat(at, span, |this| this.step_on(element, known, span));
        self.repeat(ir::Expr::Variable(rest), span, |this| {
            this.assume_element(element, span);
            this.clear_element(element, known, span);
            this.emit(Statement::Load { to: element, object: element, field: known.next }, span);
        });
    }

    /// How many elements so many bytes are, if they are whole elements.
    fn pointers_in(&mut self, sizes: &[&'p Expr], element: TypeId, span: Span) -> Option<ir::Expr> {
        let width = self.c.types.size(element)?;
        if let [size] = sizes
            && let Some((bytes, _)) = self.object_size(size)
        {
            let whole = bytes % i128::from(width) == 0;
            return whole.then(|| index(bytes / i128::from(width)));
        }
        let is_width = |expr: &Expr| self.object_size(expr).is_some_and(|(size, _)| size == i128::from(width));
        let is_product = match sizes {
            [size] => match &self.unwidened(size).kind {
                ExprKind::Binary(BinaryOperator::Mul, left, right) => is_width(left) || is_width(right),
                _ => false,
            },
            sizes => sizes.iter().any(|size| is_width(size)),
        };
        if is_product { self.counted(sizes, width, span) } else { None }
    }

    /// `malloc(size)`, or `calloc(count, size)`, of pointers that are walked over.
    pub(super) fn allocate_pointers(
        &mut self,
        sizes: &[&'p Expr],
        (element, ty): (TypeId, TypeId),
        allocation: Allocation,
        span: Span,
    ) -> Value {
        let Some(known) = self.pointer_array(element) else { return Value::Nothing };
        if allocation.region != Region::Heap {
            return self.unsupported("an array of pointers on the stack whose size is computed", span);
        }
        let Some(count) = self.pointers_in(sizes, element, span) else {
            return self.unsupported("an allocation whose size is not known", span);
        };
        let count = self.settled(count, span);
        let array = self.temporary(ir::Type::Pointer(Some(known.array)), span);
        let Allocation { region, zeroed, may_fail, .. } = allocation;
        self.emit(Statement::Allocate { to: array, structure: known.array, region, zeroed, may_fail }, span);
        self.if_allocated(array, allocation, span, |this| {
            this.make_elements(array, known, count, zeroed, span);
        });
        self.walker_value(Walker { buffer: array, at: index(0) }, ty, span)
    }

    /// The array that is filled as a whole, `memset(array, 0, sizeof array)`.
    pub(super) fn filled_pointers(&mut self, pointer: &'p Expr, bytes: Option<i128>) -> Option<&'p Expr> {
        let ExprKind::Decay(array) = &pointer.kind else { return None };
        let size = self.c.types.size(array.ty).map(i128::from);
        (size.is_some() && size == bytes && self.pointer_array_of(array.ty).is_some()).then_some(array)
    }
}
