//! Functions of the C library that read or write text: what they need is that the memory is there.
//!
//! Text lies in arrays of characters, whose contents are not known afterwards, or is reached by pointers to
//! characters. That text ends within its array is taken for granted where it is read. Where it is written, it must be
//! known that it fits.

use super::Translator;
use super::call::Use;
use super::layout::is_data;
use super::library::string_in;
use super::place::Place;
use super::value::Value;
use crate::library::{Row, Size};
use crate::typed::{DeclarationId, Expr, ExprKind};
use crate::types::{Qualifiers, Type, TypeId, Types};
use trifold_source::Span;

/// The array of characters that an expression points to the beginning of.
pub(super) fn text_array<'a>(types: &Types, expr: &'a Expr) -> Option<&'a Expr> {
    match &expr.kind {
        ExprKind::Convert { operand, .. } if types.pointee(expr.ty).is_some() => text_array(types, operand),
        ExprKind::Decay(array) if !matches!(array.kind, ExprKind::String(_)) => match types.get(array.ty) {
            Type::Array(element, _) => is_character(types, *element).then_some(array),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn is_character(types: &Types, ty: TypeId) -> bool {
    types.is_integer(ty) && types.size(ty) == Some(1)
}

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
        takes_away && self.may_be_constant(from) || self.exposes_constant(from, to)
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
        self.use_arguments(row, arguments, &[target]);
        let place = self.place(array);
        self.forget_text(&place, span);
        match self.is_object_pointer(used.ty) {
            true if used.used => self.unsupported(format!("the result of `{name}`"), span),
            false if used.used => self.unknown(used.ty, span),
            _ => Value::Nothing,
        }
    }

    /// The characters of an array may be any now.
    fn forget_text(&mut self, array: &Place, span: Span) {
        let length = self.array_length(array.ty).unwrap_or(0) as usize;
        let element = self.part_type(array.ty, 0);
        let elements = if is_data(&self.c.types, array.ty) { length.min(1) } else { length };
        for index in 0..elements {
            let part = self.part(array.clone(), index, element, span);
            let value = self.unknown(element, span);
            self.store(&part, value, span);
        }
    }
}
