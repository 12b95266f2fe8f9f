//! Arrays. Numbers are in a block of bytes that runs know; references are in a list of cells, one for each index that
//! has been stored to, because heap programs have no arrays of pointers.
//!
//! For example, `a[i] = x` looks for the cell of `i` in the list, and sets its value, or adds a cell. An index without
//! a cell has null.

use super::Translator;
use super::declare::CONTENT;
use super::value::{Sym, U64, constant};
use crate::class::Element;
use crate::descriptor::element_of;
use crate::dispatch::{split, store_checks};
use crate::groups::ARRAYS;
use trifold_ir::{
    BinaryOp, Builder, Condition, Expr, FieldId, Operand, Operation, Scalar, Statement, StructId, Type, VarId,
};

/// The fields of the cells of arrays of references.
pub(super) struct Cells {
    structure: StructId,
    index: FieldId,
    value: FieldId,
    next: FieldId,
    first: FieldId,
}

pub(super) fn place(index: Expr, size: u8) -> Expr {
    let index = Expr::Convert(U64, Box::new(index));
    Expr::binary(BinaryOp::Multiply, index, constant(size.into(), U64))
}

impl<'t> Translator<'t> {
    fn key(class: &str) -> &str {
        if crate::reach::is_reference_array(class) { ARRAYS } else { class }
    }

    pub(super) fn length_field(&mut self, class: &str) -> FieldId {
        self.own_field(Self::key(class), "length", "", Type::Scalar(Scalar::I32))
    }

    pub(super) fn content_field(&mut self, class: &str) -> FieldId {
        self.own_field(class, CONTENT, "", Type::Scalar(U64))
    }

    pub(super) fn cells(&mut self) -> Cells {
        let value_type = self.element_pointer();
        let span = self.places.nowhere();
        let structure = self.ir.struct_named("$cell").unwrap_or_else(|| {
            let structure = self.ir.add_struct("$cell", span);
            self.ir.add_field(structure, "index", Type::Scalar(Scalar::I32), false, span);
            self.ir.add_field(structure, "value", value_type, false, span);
            self.ir.add_field(structure, "next", Type::Pointer(Some(structure)), false, span);
            structure
        });
        let fields = self.ir[structure].fields.clone();
        let first = self.own_field(ARRAYS, "cells", "", Type::Pointer(Some(structure)));
        Cells { structure, index: fields[0], value: fields[1], next: fields[2], first }
    }

    pub(super) fn array_length(&mut self) {
        let class = self.static_class(0).unwrap_or(ARRAYS).to_string();
        let (array, span) = (self.pop(), self.span());
        let field = self.length_field(&class);
        let Some(object) = self.dereferenced(&array, &class) else { return self.push(Sym::int(0)) };
        let to = self.temporary(Type::Scalar(Scalar::I32));
        self.emit(Statement::Load { to, object, field }, span);
        self.push(Sym::Number(Expr::Variable(to)));
    }

    /// The array at which an index is looked for; the index is inside of it.
    fn checked(&mut self, array: &Sym, index: &Expr, class: &str) -> Option<VarId> {
        let (field, span) = (self.length_field(class), self.span());
        let object = self.dereferenced(array, class)?;
        let length = self.temporary(Type::Scalar(Scalar::I32));
        self.emit(Statement::Load { to: length, object, field }, span);
        let low = Expr::binary(BinaryOp::GreaterEqual, index.clone(), Expr::int(0));
        let high = Expr::binary(BinaryOp::Less, index.clone(), Expr::Variable(length));
        let within = Expr::binary(BinaryOp::And, low, high);
        self.require(within, "java/lang/ArrayIndexOutOfBoundsException", "the index may be outside of the array");
        Some(object)
    }

    pub(super) fn element_scalar(element: Element, class: &str) -> Scalar {
        let int = |signed, bits| Scalar::Int { signed, bits };
        match element {
            Element::Byte if class == "[Z" => Scalar::Bool,
            Element::Byte => int(true, 8),
            Element::Char => int(false, 16),
            Element::Short => int(true, 16),
            _ => super::value::scalar_of(element.kind()),
        }
    }

    pub(super) fn array_load(&mut self, element: Element) {
        let class = self.static_class(1).map(str::to_string);
        let (index, array, span) = (self.pop_number(), self.pop(), self.span());
        let anything = match element {
            Element::Ref => Sym::Null,
            element => Sym::Number(Expr::Constant(0, super::value::scalar_of(element.kind()))),
        };
        let class = class.unwrap_or(ARRAYS.to_string());
        if array == Sym::Null {
            self.check_object(&array);
            return self.push(anything);
        }
        let Some(object) = self.checked(&array, &index, &class) else { return self.push(anything) };
        if element == Element::Ref {
            let to = self.load_element(object, &index);
            let ty = crate::descriptor::element_type(&class).and_then(|element| element.class().map(str::to_string));
            let ty = self.pointer_type(&ty.unwrap_or(crate::classes::OBJECT.to_string()));
            let to = if ty == Type::Pointer(None) { to } else { self.exactly(to, ty) };
            return self.push(Sym::pointer(to));
        }
        let content = self.temporary(Type::Scalar(U64));
        let field = self.content_field(&class);
        self.emit(Statement::Load { to: content, object, field }, span);
        let of = vec![Operand::Scalar(Expr::Variable(content)), Operand::Scalar(place(index, element.size()))];
        let scalar = Self::element_scalar(element, &class);
        let value = self.computed(scalar, Operation::Read(element.size()), of);
        self.push(Sym::Number(value));
    }

    /// The reference at an index, in a variable.
    pub(super) fn load_element(&mut self, array: VarId, index: &Expr) -> VarId {
        let (cells, span) = (self.cells(), self.span());
        let to = self.temporary(self.ir[cells.value].ty);
        let (cell, found, missing, end) = (self.cell(array, index, &cells), self.node(), self.node(), self.node());
        self.if_null(cell, missing, span);
        self.join(found, span);
        self.emit(Statement::Load { to, object: cell, field: cells.value }, span);
        self.jump(end, span);
        self.at = missing;
        self.set(to, Operand::Null, span);
        self.jump(end, span);
        self.at = end;
        to
    }

    /// The cell of an index, or null.
    fn cell(&mut self, array: VarId, index: &Expr, cells: &Cells) -> VarId {
        let span = self.span();
        let cell = self.temporary(Type::Pointer(Some(cells.structure)));
        self.emit(Statement::Load { to: cell, object: array, field: cells.first }, span);
        let (head, end, other) = (self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        self.if_null(cell, end, span);
        let number = self.temporary(Type::Scalar(Scalar::I32));
        self.emit(Statement::Load { to: number, object: cell, field: cells.index }, span);
        let equal = Expr::binary(BinaryOp::Equal, Expr::Variable(number), index.clone());
        self.fork(Condition::Scalar(equal), end, other, span);
        self.at = other;
        self.emit(Statement::Load { to: cell, object: cell, field: cells.next }, span);
        self.jump(head, span);
        self.at = end;
        cell
    }

    pub(super) fn array_store(&mut self, element: Element) {
        let (class, value_class) = (self.static_class(2).map(str::to_string), self.static_class(0).map(str::to_string));
        let (value, index, array, span) = (self.pop(), self.pop_number(), self.pop(), self.span());
        let class = class.unwrap_or(ARRAYS.to_string());
        if array == Sym::Null {
            return self.check_object(&array);
        }
        let Some(object) = self.checked(&array, &index, &class) else { return };
        if element == Element::Ref {
            self.check_store(object, &class, &value, value_class.as_deref());
            let ty = self.element_pointer();
            let value = self.operand(value, ty);
            return self.store_element(object, &index, value);
        }
        let scalar = Self::element_scalar(element, &class);
        let Operand::Scalar(value) = self.operand(value, Type::Scalar(scalar)) else { return };
        let content = self.temporary(Type::Scalar(U64));
        let field = self.content_field(&class);
        self.emit(Statement::Load { to: content, object, field }, span);
        let of = [Expr::Variable(content), place(index, element.size()), value].map(Operand::Scalar);
        let value = self.computed(U64, Operation::Write(element.size()), of.to_vec());
        self.emit(Statement::Store { object, field, value: Operand::Scalar(value) }, span);
    }

    pub(super) fn store_element(&mut self, array: VarId, index: &Expr, value: Operand) {
        let (cells, span) = (self.cells(), self.span());
        let cell = self.cell(array, index, &cells);
        let (missing, end) = (self.node(), self.node());
        self.if_null(cell, missing, span);
        self.emit(Statement::Store { object: cell, field: cells.value, value: value.clone() }, span);
        self.jump(end, span);
        self.at = missing;
        self.add_cell(array, index, value, cell, &cells);
        self.jump(end, span);
        self.at = end;
    }

    /// A new cell for an index that has none.
    pub(super) fn add_cell(&mut self, array: VarId, index: &Expr, value: Operand, cell: VarId, cells: &Cells) {
        let span = self.span();
        let rest = self.temporary(Type::Pointer(Some(cells.structure)));
        let (region, zeroed, may_fail) = (trifold_ir::Region::Heap, true, false);
        self.emit(Statement::Allocate { to: cell, structure: cells.structure, region, zeroed, may_fail }, span);
        self.emit(Statement::Store { object: cell, field: cells.index, value: Operand::Scalar(index.clone()) }, span);
        self.emit(Statement::Store { object: cell, field: cells.value, value }, span);
        self.emit(Statement::Load { to: rest, object: array, field: cells.first }, span);
        self.emit(Statement::Store { object: cell, field: cells.next, value: Operand::Pointer(rest) }, span);
        self.emit(Statement::Store { object: array, field: cells.first, value: Operand::Pointer(cell) }, span);
    }

    /// The structure of cells, for variables that walk over them.
    pub(super) fn cell_type(&mut self) -> Type {
        Type::Pointer(Some(self.cells().structure))
    }

    /// What is stored must be of the class of the elements, which may be a special one.
    fn check_store(&mut self, array: VarId, class: &str, value: &Sym, value_class: Option<&str>) {
        let Some(value_class) = value_class.filter(|_| *value != Sym::Null) else { return };
        let checks = store_checks(self.reach, class, value_class);
        if checks.is_empty() {
            return;
        }
        let Some(variable) = self.pointer(value) else { return };
        let (fits, wrong, span) = (self.node(), self.node(), self.span());
        self.if_null(variable, fits, span);
        for element in &checks {
            let arrays = vec![crate::descriptor::array_of(element)];
            let (this, other) = (self.node(), self.node());
            self.if_class(array, class, &arrays, this, other);
            self.at = this;
            let (yes, _) = split(self.reach, value_class, element);
            let yes: Vec<String> = yes.into_iter().map(str::to_string).collect();
            self.if_class(variable, value_class, &yes, fits, wrong);
            self.at = other;
        }
        self.jump(fits, span);
        self.at = wrong;
        self.throw_new("java/lang/ArrayStoreException", "the object may be of another class than the elements");
        self.at = fits;
    }

    pub(super) fn new_array(&mut self, class: &str) {
        let length = self.pop_number();
        if !self.reach.classes.is_complete(class) {
            self.unsupported("an array of something of which not everything is known");
            return self.push(Sym::Null);
        }
        self.check_length(&length);
        let to = self.make_array(class, &length);
        self.push(Sym::object(to));
    }

    pub(super) fn check_length(&mut self, length: &Expr) {
        if !matches!(length, Expr::Constant(value, _) if *value >= 0) {
            let fits = Expr::binary(BinaryOp::GreaterEqual, length.clone(), Expr::int(0));
            self.require(fits, "java/lang/NegativeArraySizeException", "the length may be negative");
        }
    }

    pub(super) fn make_array(&mut self, class: &str, length: &Expr) -> VarId {
        let (field, span) = (self.length_field(class), self.span());
        let ty = Type::Pointer(Some(self.structure(class)));
        let to = self.temporary(ty);
        self.allocate(to, class);
        self.emit(Statement::Store { object: to, field, value: Operand::Scalar(length.clone()) }, span);
        to
    }

    pub(super) fn new_arrays(&mut self, class: &str, dimensions: u8) {
        let mut lengths: Vec<Expr> = (0..dimensions).map(|_| self.pop_number()).collect();
        lengths.reverse();
        if !self.reach.classes.is_complete(class) {
            self.unsupported("an array of something of which not everything is known");
            return self.push(Sym::Null);
        }
        lengths.iter().for_each(|length| self.check_length(length));
        let to = self.nested(class, &lengths);
        self.push(Sym::object(to));
    }

    /// An array of arrays, whose elements are made in a loop.
    fn nested(&mut self, class: &str, lengths: &[Expr]) -> VarId {
        let span = self.span();
        let [length, inner @ ..] = lengths else { return self.make_array(class, &Expr::int(0)) };
        let to = self.make_array(class, length);
        if inner.is_empty() {
            return to;
        }
        let index = self.temporary(Type::Scalar(Scalar::I32));
        self.set(index, Operand::Scalar(Expr::int(0)), span);
        let (head, body, end) = (self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        let less = Expr::binary(BinaryOp::Less, Expr::Variable(index), length.clone());
        self.fork(Condition::Scalar(less), body, end, span);
        self.at = body;
        let element = self.nested(&class[1..], inner);
        let ty = self.element_pointer();
        let value = self.operand(Sym::object(element), ty);
        let (cells, cell_type) = (self.cells(), self.cell_type());
        let cell = self.temporary(cell_type);
        self.add_cell(to, &Expr::Variable(index), value, cell, &cells);
        let next = Expr::binary(BinaryOp::Add, Expr::Variable(index), Expr::int(1));
        self.set(index, Operand::Scalar(next), span);
        self.jump(head, span);
        self.at = end;
        to
    }

    /// `a.clone()`
    pub(super) fn clone_array(&mut self, class: &str, array: Sym) -> Option<Sym> {
        let span = self.span();
        let object = self.dereferenced(&array, class)?;
        let field = self.length_field(class);
        let length = self.temporary(Type::Scalar(Scalar::I32));
        self.emit(Statement::Load { to: length, object, field }, span);
        let to = self.make_array(class, &Expr::Variable(length));
        self.copy_tag(class, object, to);
        if element_of(class) != Some(Element::Ref) {
            let field = self.content_field(class);
            let content = self.temporary(Type::Scalar(U64));
            self.emit(Statement::Load { to: content, object, field }, span);
            let value = Operand::Scalar(Expr::Variable(content));
            self.emit(Statement::Store { object: to, field, value }, span);
            return Some(Sym::object(to));
        }
        self.copy_cells(object, to, None);
        Some(Sym::object(to))
    }

    /// An array is of the same class as another one.
    pub(super) fn copy_tag(&mut self, class: &str, from: VarId, to: VarId) {
        let Some(tag) = self.tag(class) else { return };
        let (number, span) = (self.temporary(Type::Scalar(Scalar::I32)), self.span());
        self.emit(Statement::Load { to: number, object: from, field: tag }, span);
        let value = Operand::Scalar(Expr::Variable(number));
        self.emit(Statement::Store { object: to, field: tag, value }, span);
    }

    /// Copies the cells of an array, or those before an index.
    pub(super) fn copy_cells(&mut self, from: VarId, to: VarId, before: Option<&Expr>) {
        let (cells, cell_type, span) = (self.cells(), self.cell_type(), self.span());
        let (cell, copy) = (self.temporary(cell_type), self.temporary(cell_type));
        let index = self.temporary(Type::Scalar(Scalar::I32));
        let value = self.temporary(self.ir[cells.value].ty);
        self.emit(Statement::Load { to: cell, object: from, field: cells.first }, span);
        let (head, end) = (self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        self.if_null(cell, end, span);
        self.emit(Statement::Load { to: index, object: cell, field: cells.index }, span);
        self.emit(Statement::Load { to: value, object: cell, field: cells.value }, span);
        let (inside, next) = (self.node(), self.node());
        match before {
            Some(before) => {
                let less = Expr::binary(BinaryOp::Less, Expr::Variable(index), before.clone());
                self.fork(Condition::Scalar(less), inside, next, span);
            }
            None => self.jump(inside, span),
        }
        self.at = inside;
        self.add_cell(to, &Expr::Variable(index), Operand::Pointer(value), copy, &cells);
        self.jump(next, span);
        self.at = next;
        self.emit(Statement::Load { to: cell, object: cell, field: cells.next }, span);
        self.jump(head, span);
        self.at = end;
    }
}
