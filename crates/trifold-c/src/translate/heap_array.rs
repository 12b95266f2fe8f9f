//! Small arrays on the heap, such as `malloc(2 * sizeof(struct node *))`.
//!
//! A pointer to the elements of an array is one to its first element, a part of the array. From there the way to
//! another element leads through the whole. How long the array is must be known from the type of its elements: all
//! arrays of a type that are allocated have the same length, and nothing else of that type is allocated alone.

use super::Translator;
use super::forms::called;
use super::layout::{Home, Tree};
use super::place::Place;
use super::value::Value;
use crate::constant::Constants;
use crate::library::{Allocation, Known, Row, Size};
use crate::typed::{BinaryOperator, Expr, ExprKind, Program};
use crate::types::{TypeId, Types};
use std::rc::Rc;
use trifold_ir as ir;
use trifold_ir::{Builder, Condition, FieldId, Operand, Region, Statement, StructId, VarId};
use trifold_source::Span;

/// Longer arrays are not taken apart.
const MAX_LENGTH: i128 = 16;

/// Which objects are allocated, and which are chosen by an index.
#[derive(Default)]
pub(super) struct HeapArrays {
    /// How many objects of a type are allocated at once.
    allocated: Vec<(TypeId, i128)>,
    /// The types that indexed pointers point to.
    indexed: Vec<TypeId>,
}

impl HeapArrays {
    /// Notes the allocation or the index of an expression.
    pub fn note(&mut self, expr: &Expr, program: &Program, known: &Known, constants: Constants) {
        match &expr.kind {
            ExprKind::Call(callee, arguments) => {
                let row = called(callee).and_then(|id| known.row(id));
                let allocation = row.and_then(|row| counted_allocation(row, arguments));
                let bytes = match allocation.map(|allocation| allocation.size) {
                    Some(Size::Argument(size)) => bytes(&arguments[size], constants),
                    Some(Size::Product(count, size)) => {
                        product(bytes(&arguments[count], constants), bytes(&arguments[size], constants))
                    }
                    // Text has a length of its own: then characters are not told apart by their index.
                    Some(Size::OfText(_) | Size::OfTextAtMost(..)) => Some((1, program.types.pointee(expr.ty))),
                    Some(Size::Object) | None => None,
                };
                if let Some((bytes, Some(ty))) = bytes {
                    let size = i128::from(program.types.size(ty).unwrap_or(0).max(1));
                    // Half an object is no array.
                    self.allocated.push((ty, if bytes % size == 0 { bytes / size } else { 0 }));
                }
            }
            ExprKind::Index(pointer, _) if !matches!(pointer.kind, ExprKind::Decay(_)) => self.indexed.push(expr.ty),
            _ => {}
        }
    }

    /// Are there arrays of these elements?
    pub fn is_array(&self, types: &Types, element: TypeId) -> bool {
        self.length(types, element).is_some()
    }

    /// The length of the arrays of these elements.
    fn length(&self, types: &Types, element: TypeId) -> Option<i128> {
        let same = |ty: TypeId| types.compatible(ty, element, false);
        let mut lengths = self.allocated.iter().filter(|(ty, _)| same(*ty)).map(|(_, count)| *count);
        let length = lengths.next().filter(|length| (2..=MAX_LENGTH).contains(length))?;
        (lengths.all(|other| other == length) && self.indexed.iter().any(|ty| same(*ty))).then_some(length)
    }
}

/// What a call allocates on the heap.
fn counted_allocation(row: &Row, arguments: &[Expr]) -> Option<Allocation> {
    let allocation = row.allocation().filter(|allocation| allocation.region == Region::Heap)?;
    let is_counted = arguments.len() == row.parameters.len();
    (is_counted || allocation.size.arguments().is_none()).then_some(allocation)
}

/// A number of bytes, computed as C does, and the type whose size it is a multiple of, if it says so.
fn bytes(expr: &Expr, constants: Constants) -> Option<(i128, Option<TypeId>)> {
    Some((constants.integer(expr)?, measured(expr)))
}

/// The type whose size is a factor of a number.
fn measured(expr: &Expr) -> Option<TypeId> {
    match &expr.kind {
        ExprKind::Convert { operand, .. } => measured(operand),
        ExprKind::Sizeof(ty) => Some(*ty),
        ExprKind::Binary(BinaryOperator::Mul, left, right) => match (measured(left), measured(right)) {
            (Some(_), Some(_)) => None,
            (left, right) => left.or(right),
        },
        _ => None,
    }
}

fn product(a: Option<(i128, Option<TypeId>)>, b: Option<(i128, Option<TypeId>)>) -> Option<(i128, Option<TypeId>)> {
    let ((a, of_a), (b, of_b)) = (a?, b?);
    if of_a.is_some() && of_b.is_some() {
        return None;
    }
    Some((a.checked_mul(b)?, of_a.or(of_b)))
}

impl<'p> Translator<'p> {
    /// The struct of the arrays of these elements, with the field of the first one.
    fn heap_array(&mut self, element: TypeId) -> Option<(StructId, FieldId)> {
        let length = self.survey.heap_arrays.length(&self.c.types, element)?;
        if self.is_walked(element) {
            return None;
        }
        let cell = self.struct_of(element);
        if self.holds_pointer_array(cell) {
            return None;
        }
        let known = self.layouts.arrays.iter().find(|(of, _)| *of == cell).map(|(_, id)| *id);
        let id = known.unwrap_or_else(|| {
            let span = self.start_span();
            let id = self.new_struct(&format!("{}[{length}]", self.c.show(element)), element, span);
            let part = |i| self.lay_out_part(Home::Struct(id), element, &format!("element.{i}"), true, 0, span);
            let tree = Rc::new(Tree::Parts((0..length).map(part).collect()));
            self.layouts.roots.insert(id, tree);
            self.layouts.arrays.push((cell, id));
            id
        });
        Some((id, *self.ir[id].fields.first()?))
    }

    /// An array of these elements, if it has this many bytes: a pointer to the first of them.
    pub(super) fn allocate_array(
        &mut self,
        element: TypeId,
        bytes: i128,
        (to, allocate): (Option<VarId>, impl FnOnce(VarId, StructId) -> Statement),
        span: Span,
    ) -> Option<Value> {
        let length = self.survey.heap_arrays.length(&self.c.types, element)?;
        if self.c.types.size(element).map(|size| i128::from(size) * length) != Some(bytes) {
            return None;
        }
        let (array, first) = self.heap_array(element)?;
        let whole = self.temporary(ir::Type::Pointer(Some(array)), span);
        self.emit(allocate(whole, array), span);
        let cell = self.struct_of(element);
        let to = self.target(to, ir::Type::Pointer(Some(cell)), span);
        Some(self.unless_null(whole, to, span, |this| {
            this.emit(Statement::Load { to, object: whole, field: first }, span);
        }))
    }

    /// The array whose first element a pointer points to.
    pub(super) fn array_at(&mut self, pointer: VarId, element: TypeId, span: Span) -> Option<Place> {
        let (array, first) = self.heap_array(element)?;
        let whole = self.whole_array(pointer, (array, first), element, span);
        Some(Place::of_object(whole, self.root(array), element))
    }

    fn whole_array(
        &mut self,
        pointer: VarId,
        (array, field): (StructId, FieldId),
        element: TypeId,
        span: Span,
    ) -> VarId {
        let cell = self.struct_of(element);
        let part = self.typed_pointer(pointer, cell, span);
        let to = self.temporary(ir::Type::Pointer(Some(array)), span);
        self.emit(Statement::Owner { to, part, field }, span);
        to
    }

    /// `free(pointer)`, if the pointer is to the elements of an array.
    pub(super) fn free_array(&mut self, pointer: VarId, element: TypeId, span: Span) -> bool {
        let Some(array) = self.heap_array(element) else { return false };
        let null = Condition::Pointers { left: Operand::Pointer(pointer), right: Operand::Null, equal: true };
        let otherwise = self.unless(null, span);
        let end = self.node();
        self.jump(end, span);
        self.body.at = otherwise;
        let whole = self.whole_array(pointer, array, element, span);
        self.emit(Statement::Free { pointer: whole }, span);
        self.join(end, span);
        true
    }
}
