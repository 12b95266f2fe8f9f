//! Functions of the C library that read or write text: what they need is that the memory is there.
//!
//! Text lies in arrays of characters, whose contents are not known afterwards, or is reached by pointers to characters. That text
//! ends within its array is taken for granted where it is read. Where it is written, it must be known that it fits.

use super::Translator;
use super::call::Use;
use super::layout::is_data;
use super::library::string_in;
use super::place::Place;
use super::survey::root;
use super::value::Value;
use crate::typed::{Expr, ExprKind};
use crate::types::{Type, TypeId, Types};
use trifold_source::Span;

/// What is written to the first argument: at most as many characters as another argument says, or the text of another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    AtMost(usize),
    Text(usize),
}

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

impl<'p> Translator<'p> {
    /// An argument of which only the value is used, and the text that it points to.
    pub(super) fn read_text(&mut self, cast: &'p Expr) {
        let argument = self.uncast(cast);
        if string_in(argument).is_some() || self.is_outside(argument) {
            return;
        }
        if let Some(array) = text_array(&self.c.types, argument) {
            let place = self.place(array);
            let element = self.part_type(array.ty, 0);
            let first = self.part(place, 0, element, argument.span);
            return drop(self.load(first, None, argument.span));
        }
        // A `void *` is one to text if it is used as such.
        let text = [argument, cast].into_iter().find_map(|expr| {
            let character = self.c.types.pointee(expr.ty).filter(|ty| is_character(&self.c.types, *ty))?;
            Some((expr, character))
        });
        match text {
            Some((text, character)) => {
                let pointer = self.value(text, None);
                let place = self.dereference(pointer, character, argument.span);
                self.load(place, None, argument.span);
            }
            None => self.effect(argument),
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

    /// Could a pointer to this type point to a string?
    pub(super) fn may_be_string(&self, ty: TypeId) -> bool {
        self.survey.strings.iter().any(|element| self.c.types.compatible(*element, ty, false))
    }

    /// Is it a stream of the C library, or an argument of the program?
    fn is_outside(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Load(place) | ExprKind::Deref(place) | ExprKind::Decay(place) => self.is_outside(place),
            ExprKind::Index(pointer, index) => self.is_outside(pointer) && self.integer(index).is_some(),
            ExprKind::Name(_) => root(expr).is_some_and(|id| {
                let is_known = self.body.variables.contains_key(&id) || self.globals.contains_key(&id);
                self.environment.contains(&id) || !is_known && !self.body.bindings.contains_key(&id)
            }),
            _ => false,
        }
    }

    /// Writes text to the array that the first argument is.
    pub(super) fn write_text(&mut self, name: &str, written: Written, arguments: &'p [Expr], used: Use) -> Value {
        let span = used.span;
        let Some((first, others)) = arguments.split_first() else {
            return self.unsupported(format!("`{name}` without arguments"), span);
        };
        let Some(array) = text_array(&self.c.types, first) else {
            return self.unsupported(format!("text that is written through a pointer (`{name}`)"), span);
        };
        let room = self.c.types.size(array.ty).map(i128::from);
        let length = match written {
            Written::AtMost(index) => {
                arguments.get(index).and_then(|size| self.object_size(size)).map(|(size, _)| size)
            }
            Written::Text(index) => arguments.get(index).and_then(string_in).map(|text| text.len() as i128 + 1),
        };
        if length.zip(room).is_none_or(|(length, room)| length > room) {
            return self.unsupported(format!("text that may not fit (`{name}`)"), span);
        }
        others.iter().for_each(|other| self.read_text(other));
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
