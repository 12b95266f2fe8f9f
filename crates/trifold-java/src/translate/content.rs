//! The contents of objects of the library, which only runs know: elements of arrays, characters of strings, numbers in
//! boxes.
//!
//! Such an object has one field, a block of bytes: first how many elements there are, and from the eighth byte on the
//! elements. For example, `a[i]` becomes `c = a->content; t = nondet as read_4(c, 8 + 4 * i)`, after a check of the
//! index: an index outside of the array ends the program, like any exception.

use super::Translator;
use super::value::{Value, constant};
use crate::types::{LibraryId, Type};
use trifold_ir as ir;
use trifold_ir::{
    BinaryOp, Builder, Cause, Condition, Expr, FieldId, Meaning, Operand, Operation, Scalar, Statement, TextOp, VarId,
};
use trifold_source::Span;

const U64: Scalar = Scalar::Int { signed: false, bits: 64 };
/// The name of the field.
const CONTENT: &str = "content";
/// Where elements begin.
const FIRST: i128 = 8;
/// Longer contents are not compared.
const LONGEST: i128 = 1 << 16;

/// What is in a new object of the library.
pub(super) enum Content {
    /// So many zeros.
    Zeros(Expr),
    /// The characters of a string.
    Text(Vec<u16>),
    /// The number in a box.
    Number(Expr),
    /// Nobody knows.
    Unknown(Cause),
}

fn offset(number: i128) -> Operand {
    Operand::Scalar(constant(number, U64))
}

fn scaled(index: Expr, size: i128) -> Expr {
    let index = Expr::Convert(U64, Box::new(index));
    let bytes = Expr::binary(BinaryOp::Multiply, index, constant(size, U64));
    Expr::binary(BinaryOp::Add, bytes, constant(FIRST, U64))
}

/// How many bytes an element has, if its value is kept.
fn size(ty: Type) -> Option<u8> {
    match ty.scalar()? {
        Scalar::Bool => Some(1),
        Scalar::Int { bits, .. } => Some(bits / 8),
    }
}

impl Translator<'_, '_> {
    /// Gives the struct of a class of the library a field for what is in its objects, if runs know that.
    pub(super) fn add_content(&mut self, library: LibraryId, structure: ir::StructId) {
        let class = &self.classes.library[library.0];
        let is_box = self.boxed(Type::Library(library)).is_some_and(|inside| inside.scalar().is_some());
        if class.element.is_some() || class.name == "String" || is_box {
            self.ir.add_field(structure, CONTENT, ir::Type::Scalar(U64), false, self.start);
        }
    }

    fn content_field(&self, object: VarId) -> Option<FieldId> {
        self.ir.field_named(self.ir[object].ty.target()?, CONTENT)
    }

    /// The block in an object.
    fn content(&mut self, object: VarId, span: Span) -> Option<Operand> {
        let field = self.content_field(object)?;
        let to = self.temporary(ir::Type::Scalar(U64), span);
        self.emit(Statement::Load { to, object, field }, span);
        Some(Operand::Scalar(Expr::Variable(to)))
    }

    /// A number that runs compute.
    fn number(&mut self, scalar: Scalar, operation: Operation, of: Vec<Operand>, span: Span) -> Expr {
        let to = self.temporary(ir::Type::Scalar(scalar), span);
        let meaning = Meaning::Computed(operation, of);
        self.emit(Statement::Nondet { to, range: None, meaning }, span);
        Expr::Variable(to)
    }

    /// Puts something into a new object.
    pub(super) fn fill(&mut self, object: VarId, content: Content, span: Span) {
        let Some(field) = self.content_field(object) else { return };
        let write =
            |size, at: i128, value: Expr| (Operation::Write(size), vec![offset(0), offset(at), Operand::Scalar(value)]);
        let (operation, of) = match content {
            Content::Zeros(length) => write(4, 0, length),
            Content::Number(number) => write(8, FIRST, number),
            Content::Unknown(cause) => (Operation::Unknown(cause), Vec::new()),
            Content::Text(units) => {
                let length = units.len() as i128;
                let header = (0..4).map(|part| (length >> (16 * part)) & 0xffff);
                let units = header.chain(units.into_iter().map(i128::from));
                (Operation::Pack(2), units.map(offset).collect())
            }
        };
        let value = Operand::Scalar(self.number(U64, operation, of, span));
        self.emit(Statement::Store { object, field, value }, span);
    }

    /// The arguments of the program are open: how many there are, that is; what they are nobody knows.
    pub(super) fn fill_with_any(&mut self, array: VarId, span: Span) {
        let range = Some((0, i32::MAX.into()));
        if let Value::Scalar(length, _) = self.open(Type::Int, range, span) {
            self.fill(array, Content::Zeros(length), span);
        }
    }

    /// How many elements an object has.
    pub(super) fn length(&mut self, object: VarId, span: Span) -> Value {
        let meaning = match self.content(object, span) {
            Some(content) => Meaning::Computed(Operation::Read(4), vec![content, offset(0)]),
            None => Meaning::unknown(Cause::Library),
        };
        let to = self.temporary(ir::Type::Scalar(Scalar::I32), span);
        self.emit(Statement::Nondet { to, range: Some((0, i32::MAX.into())), meaning }, span);
        Value::of_variable(to, Type::Int)
    }

    /// An index that is not inside of an array ends the program.
    pub(super) fn check_index(&mut self, object: VarId, index: VarId, span: Span) {
        let Value::Scalar(length, _) = self.length(object, span) else { return };
        let index = Expr::Variable(index);
        let within = [
            Expr::binary(BinaryOp::GreaterEqual, index.clone(), Expr::int(0)),
            Expr::binary(BinaryOp::Less, index, length),
        ];
        for condition in within {
            self.or_stop(condition, span);
        }
    }

    /// Goes on only if a condition holds; otherwise there is an exception.
    pub(super) fn or_stop(&mut self, condition: Expr, span: Span) {
        let (holds, fails) = (self.node(), self.node());
        self.fork(Condition::Scalar(condition), holds, fails, span);
        self.body.at = fails;
        self.end(Statement::Stop, span);
        self.body.at = holds;
    }

    /// The element at an index.
    pub(super) fn load_element(&mut self, array: VarId, index: VarId, ty: Type, span: Span) -> Value {
        let (Some(size), Some(scalar)) = (size(ty), ty.scalar()) else {
            return self.unknown(ty, Cause::Element, span);
        };
        let Some(content) = self.content(array, span) else { return Value::Nothing };
        let at = scaled(Expr::Variable(index), size.into());
        let of = vec![content, Operand::Scalar(at)];
        Value::Scalar(self.number(scalar, Operation::Read(size), of, span), ty)
    }

    /// Sets the element at an index.
    pub(super) fn store_element(&mut self, array: VarId, index: VarId, value: Value, span: Span) {
        let (Value::Scalar(value, ty), Some(field)) = (value, self.content_field(array)) else { return };
        let (Some(size), Some(content)) = (size(ty), self.content(array, span)) else { return };
        let at = scaled(Expr::Variable(index), size.into());
        let of = vec![content, Operand::Scalar(at), Operand::Scalar(value)];
        let value = Operand::Scalar(self.number(U64, Operation::Write(size), of, span));
        self.emit(Statement::Store { object: array, field, value }, span);
    }

    /// The number in a box.
    pub(super) fn number_in_box(&mut self, object: VarId, ty: Type, span: Span) -> Value {
        match (self.content(object, span), ty.scalar()) {
            (Some(content), Some(scalar)) => {
                Value::Scalar(self.number(scalar, Operation::Read(8), vec![content, offset(FIRST)], span), ty)
            }
            _ => self.unknown(ty, Cause::Memory, span),
        }
    }

    /// Are the contents of two objects of one class the same? Nothing is the same as null.
    pub(super) fn same_content(&mut self, object: VarId, other: VarId, span: Span) -> Value {
        let result = self.temporary(ir::Type::Scalar(Scalar::Bool), span);
        let (null, there, end) = (self.node(), self.node(), self.node());
        let is_null = Condition::Pointers { left: Operand::Pointer(other), right: Operand::Null, equal: true };
        self.fork(is_null, null, there, span);
        self.body.at = null;
        self.set(result, Operand::Scalar(constant(0, Scalar::Bool)), span);
        self.jump(end, span);
        self.body.at = there;
        let Value::Scalar(length, _) = self.length(object, span) else { return Value::Nothing };
        let (Some(own), Some(others)) = (self.content(object, span), self.content(other, span)) else {
            return self.unknown(Type::Boolean, Cause::Library, span);
        };
        // A box has eight bytes, and no length; the characters of strings have two each.
        let bytes = Operand::Scalar(Expr::binary(BinaryOp::Add, scaled(length, 2), constant(8, U64)));
        let of = vec![own, offset(LONGEST), others, offset(LONGEST), bytes];
        let order = self.number(Scalar::I32, Operation::Text(TextOp::CompareBytes), of, span);
        let equal = Expr::binary(BinaryOp::Equal, order, Expr::int(0));
        self.set(result, Operand::Scalar(equal), span);
        self.join(end, span);
        Value::of_variable(result, Type::Boolean)
    }
}
