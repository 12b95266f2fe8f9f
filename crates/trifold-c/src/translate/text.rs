//! Functions of the C library that read or write text: what they need is that the memory is there.
//!
//! Text lies in arrays of characters, whose contents only runs know afterwards, or is reached by pointers to
//! characters. That text ends within its array is taken for granted where it is read. Where it is written, it must be
//! known that it fits.

use super::Translator;
use super::data::bytes;
use super::forms::{string_in, text_array};
use super::layout::{Kind, U64};
use super::place::Place;
use super::value::{Use, Value};
use crate::library::{Row, Size};
use crate::typed::{DeclarationId, Expr, ExprKind};
use crate::types::{Qualifiers, Type, TypeId, Types};
use trifold_ir::{Builder, Cause, Operand, Operation, Statement, TextOp, VarId};
use trifold_source::Span;

/// Copies of longer text are not computed by runs.
const LONGEST: u64 = 1 << 16;

/// What is said where a constant may change.
pub(super) const CONSTANT: &str =
    "a pointer, perhaps to a constant, that is used as if it were to something that can change";

/// Can a pointer to the one lead to the other, or to a part of it?
fn has_part(types: &Types, whole: TypeId, part: TypeId) -> bool {
    let inside = |inner: TypeId| has_part(types, inner, part);
    *types.get(part) == Type::Void
        || types.compatible(whole, part, false)
        || match types.get(whole) {
            Type::Array(element, _) => inside(*element),
            Type::Record(id) => types.record(*id).members.iter().flatten().any(|member| inside(member.ty)),
            _ => false,
        }
}

impl<'p> Translator<'p> {
    /// An argument for runs: what it is, and for text how many bytes there are.
    fn text_operands(&mut self, argument: Argument, span: Span) -> Option<Vec<Operand>> {
        match argument {
            Argument::Number(Value::Scalar(number)) => Some(vec![Operand::Scalar(number)]),
            Argument::Literal(units) => {
                let size = bytes(units.len() as u64 + 1);
                let of = units.into_iter().chain([0]).map(|unit| Operand::Scalar(bytes(unit.into()))).collect();
                let block = self.bits(Operation::Pack(1), of, span);
                Some(vec![Operand::Scalar(block), Operand::Scalar(size)])
            }
            Argument::Array(place) => self.block_of(&place, span).map(Vec::from),
            Argument::Pointer(pointer) => Some(vec![Operand::Pointer(pointer), Operand::Scalar(bytes(0))]),
            Argument::Number(_) | Argument::Outside => None,
        }
    }

    /// What runs compute of arguments.
    fn text_computation(
        &mut self,
        op: Option<TextOp>,
        arguments: Vec<Argument>,
        span: Span,
    ) -> (Operation, Vec<Operand>) {
        let unknown = (Operation::Unknown(Cause::Library), Vec::new());
        let Some(op) = op else { return unknown };
        let mut operands = Vec::new();
        for argument in arguments {
            let Some(more) = self.text_operands(argument, span) else { return unknown };
            operands.extend(more);
        }
        let operation = Operation::Text(op);
        if operation.arity() == Some(operands.len()) { (operation, operands) } else { unknown }
    }

    /// A call of a function that reads text.
    pub(super) fn text_result(&mut self, row: &Row, arguments: &'p [Expr], used: Use) -> Value {
        let arguments = self.use_arguments(row, arguments, &[]);
        match self.kind(used.ty) {
            _ if !used.used => Value::Nothing,
            Some(Kind::Scalar(scalar)) => {
                let (operation, of) = self.text_computation(reader(row.name), arguments, used.span);
                Value::Scalar(self.computed(scalar, operation, of, used.span))
            }
            _ => self.any_result(used),
        }
    }

    /// A place is about to be written: the characters of strings must not be.
    pub(super) fn check_written(&mut self, place: &Expr) {
        let through_pointer = match &place.kind {
            ExprKind::Deref(pointer) | ExprKind::Index(pointer, _) => !matches!(pointer.kind, ExprKind::Decay(_)),
            _ => false,
        };
        if through_pointer {
            self.check_no_string(place.ty, place.span);
        }
    }

    /// Something of this type is written through a pointer.
    pub(super) fn check_no_string(&mut self, ty: TypeId, span: Span) {
        if self.may_be_string(ty) {
            self.unsupported("a character that is written through a pointer, perhaps to a string", span);
        }
    }

    /// Something of this type is written as a whole, whatever a pointer to it was cast from.
    pub(super) fn check_overwritten(&mut self, ty: TypeId, span: Span) {
        self.check_no_string(ty, span);
        if self.is_constant(ty) && self.may_be_constant(ty) {
            self.unsupported(CONSTANT, span);
        }
    }

    /// Does a conversion of pointers take `const` away from what may be a constant?
    pub(super) fn exposes_constant(&self, from: TypeId, to: TypeId) -> bool {
        let types = &self.c.types;
        let (Some(from), Some(to)) = (types.pointee(from), types.pointee(to)) else { return false };
        let takes_away = self.is_constant(from) && !self.is_constant(to);
        let is_exposed = takes_away && self.may_be_constant(from) && self.may_be_written(from);
        is_exposed || self.exposes_constant(from, to)
    }

    /// Could something be written through a pointer that was made from one to this type?
    fn may_be_written(&self, ty: TypeId) -> bool {
        let types = &self.c.types;
        let mut written = self.survey.written.iter().chain(&self.survey.made_void);
        written.any(|written| has_part(types, ty, *written) || has_part(types, *written, ty))
    }

    fn is_constant(&self, ty: TypeId) -> bool {
        match self.c.types.get(ty) {
            Type::Array(element, _) => self.is_constant(*element),
            _ => self.c.types.qualifiers(ty).contains(Qualifiers::CONST),
        }
    }

    /// Could a pointer to this type point to a constant, or to a part of one?
    fn may_be_constant(&self, ty: TypeId) -> bool {
        let is_constant = |id: &&DeclarationId| self.is_constant(self.c.declaration(**id).ty);
        let constants = self.survey.objects.iter().filter(is_constant);
        constants.into_iter().any(|id| has_part(&self.c.types, self.c.declaration(*id).ty, ty))
    }

    /// Could a pointer to this type point to a string?
    pub(super) fn may_be_string(&self, ty: TypeId) -> bool {
        self.survey.strings.iter().any(|element| self.c.types.compatible(*element, ty, false))
    }

    /// Writes text of a size to the array that an argument is.
    pub(super) fn write_text(
        &mut self,
        row: &Row,
        (target, size): (usize, Size),
        arguments: &'p [Expr],
        used: Use,
    ) -> Value {
        let (name, span) = (row.name, used.span);
        let Some(written) = arguments.get(target) else {
            return self.unsupported(format!("`{name}` without arguments"), span);
        };
        let Some(array) = text_array(&self.c.types, written) else {
            return self.unsupported(format!("text that is written through a pointer (`{name}`)"), span);
        };
        if self.is_constant(array.ty) {
            return self.unsupported(CONSTANT, span);
        }
        let room = self.c.types.size(array.ty).map(i128::from);
        let length = match size {
            Size::Argument(index) => arguments.get(index).and_then(|size| self.object_size(size)).map(|(size, _)| size),
            Size::OfText(index) => arguments.get(index).and_then(string_in).map(|text| text.len() as i128 + 1),
            Size::Product(..) | Size::OfTextAtMost(..) | Size::Object => None,
        };
        if length.zip(room).is_none_or(|(length, room)| length > room) {
            return self.unsupported(format!("text that may not fit (`{name}`)"), span);
        }
        let others = self.use_arguments(row, arguments, &[target]);
        let place = self.place(array);
        self.overwrite_text(name, &place, others, span);
        match self.is_object_pointer(used.ty) {
            true if used.used => self.unsupported(format!("the result of `{name}`"), span),
            false if used.used => self.unknown(used.ty, Cause::Library, span),
            _ => Value::Nothing,
        }
    }

    /// Keeps a copy of text, for runs: its first character, and the rest where there is room for it.
    pub(super) fn keep_text(&mut self, first: &Place, text: Vec<Argument>, span: Span) {
        let op = if text.len() > 1 { TextOp::CopyAtMost } else { TextOp::Copy };
        let arguments = [Argument::Literal(Vec::new())].into_iter().chain(text).collect();
        let (operation, of) = self.text_computation(Some(op), arguments, span);
        let copy = self.bits(operation, of, span);
        if let Some(Kind::Scalar(scalar)) = self.kind(first.ty) {
            let of = [copy.clone(), bytes(0)].map(Operand::Scalar).to_vec();
            let character = self.computed(scalar, Operation::Read(1), of, span);
            self.store(first, Value::Scalar(character), span);
        }
        if let Some((object, field)) = self.rest_field(first) {
            let of = [copy, bytes(LONGEST)].map(Operand::Scalar).to_vec();
            let value = Operand::Scalar(self.bits(Operation::Text(TextOp::Rest), of, span));
            self.emit(Statement::Store { object, field, value }, span);
        }
    }

    /// The characters of an array after a function has written some.
    fn overwrite_text(&mut self, name: &str, array: &Place, others: Vec<Argument>, span: Span) {
        let (operation, of) = match (writer(name), &others[..]) {
            (Writer::Copy(op), _) => {
                let arguments = [Argument::Array(array.clone())].into_iter().chain(others).collect();
                self.text_computation(Some(op), arguments, span)
            }
            (Writer::Fill, [Argument::Number(Value::Scalar(byte)), Argument::Number(Value::Scalar(count))]) => {
                match self.block_of(array, span) {
                    Some([block, _]) => {
                        let [byte, count] = [byte, count].map(|number| self.converted(number.clone(), U64));
                        let numbers = [bytes(0), byte, count].map(Operand::Scalar);
                        (Operation::Fill, [block].into_iter().chain(numbers).collect())
                    }
                    None => (Operation::Unknown(Cause::Text), Vec::new()),
                }
            }
            _ => (Operation::Unknown(Cause::Text), Vec::new()),
        };
        let block = self.bits(operation, of, span);
        self.unpack(array, block, span);
    }
}

/// An argument of a function on text.
pub(super) enum Argument {
    Literal(Vec<u8>),
    Array(Place),
    /// To the first character.
    Pointer(VarId),
    Number(Value),
    /// Text that is not kept, or nothing of the kind.
    Outside,
}

/// How a function writes to its first argument.
enum Writer {
    Copy(TextOp),
    Fill,
    Unknown,
}

fn writer(name: &str) -> Writer {
    match plain(name) {
        "strcpy" => Writer::Copy(TextOp::Copy),
        "strncpy" => Writer::Copy(TextOp::CopyAtMost),
        "memset" => Writer::Fill,
        _ => Writer::Unknown,
    }
}

/// What the result of a function that reads text is.
fn reader(name: &str) -> Option<TextOp> {
    Some(match plain(name) {
        "strlen" => TextOp::Length,
        "strnlen" => TextOp::LengthAtMost,
        "strcmp" => TextOp::Compare,
        "strncmp" => TextOp::CompareAtMost,
        "strcasecmp" => TextOp::CompareLetters,
        "strncasecmp" => TextOp::CompareLettersAtMost,
        "strspn" => TextOp::Span,
        "strcspn" => TextOp::SpanWithout,
        "atoi" | "atol" | "atoll" => TextOp::Number,
        _ => return None,
    })
}

/// The name of a function that GNU C has built in, too.
fn plain(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}
