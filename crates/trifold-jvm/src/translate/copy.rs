//! Copies of arrays: `System.arraycopy` and `Arrays.copyOf`. Elements that are references are copied one by one; the
//! numbers of an array are one value, which is copied as a whole where that is the same.
//!
//! For example, `Arrays.copyOf(a, n)` has a cell for each cell of `a` whose index is less than `n`.

use super::Translator;
use super::array::place;
use super::value::{Sym, U64};
use crate::class::Element;
use crate::descriptor::{element_of, element_type};
use crate::dispatch::store_checks;
use trifold_ir::{BinaryOp, Builder, Condition, Expr, Operand, Operation, Scalar, Statement, Type, VarId};

const INDEX: &str = "java/lang/ArrayIndexOutOfBoundsException";

impl<'t> Translator<'t> {
    /// `Arrays.copyOf(array, length)`
    pub(super) fn copy_of(&mut self, array: &Sym, class: Option<&str>, length: Sym) -> Option<Sym> {
        let Some(class) = class.filter(|class| class.starts_with('[')) else {
            // Null, for sure.
            self.check_object(array);
            return None;
        };
        let length = self.number(length);
        let (object, span) = (self.dereferenced(array, class)?, self.span());
        self.check_length(&length);
        let to = self.make_array(class, &length);
        self.copy_tag(class, object, to);
        if element_of(class) != Some(Element::Ref) {
            let field = self.content_field(class);
            let content = self.temporary(Type::Scalar(U64));
            self.emit(Statement::Load { to: content, object, field }, span);
            let value = Operand::Scalar(Expr::Variable(content));
            self.emit(Statement::Store { object: to, field, value }, span);
        } else {
            self.copy_cells(object, to, Some(&length));
        }
        Some(Sym::object(to))
    }

    /// `System.arraycopy(from, first, to, at, count)`
    pub(super) fn array_copy(&mut self, arguments: Vec<Sym>, classes: &[Option<&str>]) -> Option<()> {
        let [from, first, to, at, count] = <[Sym; 5]>::try_from(arguments).ok()?;
        let (source, target) = (classes.first().copied().flatten(), classes.get(2).copied().flatten());
        let (Some(source), Some(target)) = (source, target) else {
            self.check_object(&from);
            self.check_object(&to);
            self.unsupported("a copy of an array of which nothing is known");
            return None;
        };
        let element = element_of(source).filter(|_| element_of(source) == element_of(target));
        let is_reference = element == Some(Element::Ref);
        let values = element_type(source).and_then(|element| element.class().map(str::to_string));
        let is_checked = values.is_some_and(|values| !store_checks(self.reach, target, &values).is_empty());
        if element.is_none() || is_checked || !is_reference && source != target {
            self.unsupported("a copy between arrays of different classes");
            return None;
        }
        let [first, at, count] = [first, at, count].map(|number| self.number(number));
        let (from, to) = (self.dereferenced(&from, source)?, self.dereferenced(&to, target)?);
        self.check_part(from, source, &first, &count);
        self.check_part(to, target, &at, &count);
        // Where the parts overlap, what is read must not have been written.
        let (up, down, end, span) = (self.node(), self.node(), self.node(), self.span());
        let is_behind = Expr::binary(BinaryOp::Less, first.clone(), at.clone());
        self.fork(Condition::Scalar(is_behind), down, up, span);
        let index = self.temporary(Type::Scalar(Scalar::I32));
        let part = Part { from, first, to, at, index, element: element?, class: source };
        self.at = up;
        self.set(index, Operand::Scalar(Expr::int(0)), span);
        let goes_on = Expr::binary(BinaryOp::Less, Expr::Variable(index), count.clone());
        self.copy_elements(&part, goes_on, 1, end);
        self.at = down;
        let last = Expr::binary(BinaryOp::Subtract, count, Expr::int(1));
        self.set(index, Operand::Scalar(last), span);
        let goes_on = Expr::binary(BinaryOp::GreaterEqual, Expr::Variable(index), Expr::int(0));
        self.copy_elements(&part, goes_on, -1, end);
        self.at = end;
        Some(())
    }

    /// A part of an array must be inside of it.
    fn check_part(&mut self, array: VarId, class: &str, first: &Expr, count: &Expr) {
        let (field, span) = (self.length_field(class), self.span());
        let length = self.temporary(Type::Scalar(Scalar::I32));
        self.emit(Statement::Load { to: length, object: array, field }, span);
        let not_negative = |number: &Expr| Expr::binary(BinaryOp::GreaterEqual, number.clone(), Expr::int(0));
        let rest = Expr::binary(BinaryOp::Subtract, Expr::Variable(length), count.clone());
        let fits = Expr::binary(BinaryOp::LessEqual, first.clone(), rest);
        for condition in [not_negative(first), not_negative(count), fits] {
            self.require(condition, INDEX, "the part may be outside of the array");
        }
    }

    fn copy_elements(&mut self, part: &Part<'_>, goes_on: Expr, step: i32, end: trifold_ir::NodeId) {
        let (head, body, span) = (self.node(), self.node(), self.span());
        self.join(head, span);
        self.mark_loop_head(head);
        self.fork(Condition::Scalar(goes_on), body, end, span);
        self.at = body;
        let at = |start: &Expr| Expr::binary(BinaryOp::Add, start.clone(), Expr::Variable(part.index));
        let (read, written) = (at(&part.first), at(&part.at));
        if part.element == Element::Ref {
            let value = self.load_element(part.from, &read);
            self.store_element(part.to, &written, Operand::Pointer(value));
        } else {
            let (field, size) = (self.content_field(part.class), part.element.size());
            let content = self.temporary(Type::Scalar(U64));
            self.emit(Statement::Load { to: content, object: part.from, field }, span);
            let of = vec![Operand::Scalar(Expr::Variable(content)), Operand::Scalar(place(read, size))];
            let scalar = Self::element_scalar(part.element, part.class);
            let value = self.computed(scalar, Operation::Read(size), of);
            self.emit(Statement::Load { to: content, object: part.to, field }, span);
            let of = [Expr::Variable(content), place(written, size), value].map(Operand::Scalar);
            let value = self.computed(U64, Operation::Write(size), of.to_vec());
            self.emit(Statement::Store { object: part.to, field, value: Operand::Scalar(value) }, span);
        }
        let next = Expr::binary(BinaryOp::Add, Expr::Variable(part.index), Expr::int(step));
        self.set(part.index, Operand::Scalar(next), span);
        self.jump(head, span);
    }
}

/// A part of an array that is copied to another one.
struct Part<'c> {
    from: VarId,
    first: Expr,
    to: VarId,
    at: Expr,
    index: VarId,
    element: Element,
    class: &'c str,
}
