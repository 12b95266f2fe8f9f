//! Initializers: which part of an object each value is for [C11 6.7.9].
//!
//! Values without braces fill the parts of an object one after the other, from the first scalar to the last; a
//! designator says where to go on. The result lists parts and values, with all braces and designators resolved. For
//! example, `struct { int a, b[2]; } s = {1, 2, 3}` gives `a = 1`, `b[0] = 2` and `b[1] = 3`.

use super::Sema;
use crate::ast::{self, Designator};
use crate::limits::MAX_TYPE_DEPTH;
use crate::path::{overlap, precedes};
use crate::typed::{Expr, ExprKind, Initializer, InitializerEntry, PathStep};
use crate::types::{ArrayLength, Type, TypeId, Types};
use trifold_source::{Diagnostic, Span};

type Item = (Vec<Designator>, ast::Initializer);

/// The parts and values found so far.
struct Filling {
    entries: Vec<InitializerEntry>,
    /// Are they in the order of the parts, so that no two of them overlap?
    is_ordered: bool,
    /// From the object to the part that is being filled.
    path: Vec<PathStep>,
    /// How much of the path leads to the list in braces that is being read.
    list: usize,
    /// The value of the next item, if it had to be typed to see which part it is for.
    typed: Option<Expr>,
}

/// The items of a list in braces, and how many of them have been used.
struct Items<'a> {
    items: &'a [Item],
    next: usize,
}

impl Default for Filling {
    fn default() -> Filling {
        Filling { entries: Vec::new(), is_ordered: true, path: Vec::new(), list: 0, typed: None }
    }
}

impl Filling {
    fn push(&mut self, value: Option<Expr>) {
        self.is_ordered &= self.comes_last();
        self.entries.push(InitializerEntry { path: self.path.clone(), value });
    }

    /// Does the part come after the one that was filled last?
    fn comes_last(&self) -> bool {
        self.entries.last().is_none_or(|last| precedes(&last.path, &self.path))
    }

    /// The next item of a list is for the last element of a range only.
    fn leave_ranges(&mut self) {
        for step in &mut self.path[self.list..] {
            if let PathStep::Elements(_, last) = *step {
                *step = PathStep::Element(last);
            }
        }
    }

    /// A list in braces begins, which makes zero what it does not mention.
    fn begin_list(&mut self) {
        let is_new = self.is_ordered && self.comes_last();
        if !is_new && self.entries.iter().any(|entry| overlap(&entry.path, &self.path)) {
            self.push(None);
        }
    }
}

impl<'a> Items<'a> {
    fn peek(&self) -> Option<&'a Item> {
        self.items.get(self.next)
    }
}

impl Sema<'_> {
    /// The initializer of an object, and its type: an array may get its length from it.
    pub(super) fn initializer(&mut self, ty: TypeId, initializer: &ast::Initializer) -> (Initializer, TypeId) {
        match initializer {
            ast::Initializer::List(list) => self.initializer_of_list(ty, list),
            ast::Initializer::Expr(value) => {
                let span = value.span;
                let value = self.expression(value);
                let mut filling = Filling::default();
                let length = self.fill_with(ty, value, &mut filling);
                (Initializer { entries: filling.entries, span }, self.with_length(ty, length))
            }
        }
    }

    pub(super) fn initializer_of_list(&mut self, ty: TypeId, list: &ast::InitializerList) -> (Initializer, TypeId) {
        let mut filling = Filling::default();
        let length = self.fill_from_list(ty, list, &mut filling);
        (Initializer { entries: filling.entries, span: list.span }, self.with_length(ty, length))
    }

    /// The initializer that is one value.
    pub(super) fn whole(&self, value: Expr) -> Initializer {
        let span = value.span;
        Initializer { entries: vec![InitializerEntry { path: Vec::new(), value: Some(value) }], span }
    }

    fn with_length(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.types.get(ty) {
            Type::Array(element, ArrayLength::Unknown) => {
                self.types.intern(Type::Array(element, ArrayLength::Known(length)))
            }
            _ => ty,
        }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Array(..) | Type::Record(_) | Type::Vector(..))
    }

    /// One expression for a whole object; the length of the array that it fills.
    fn fill_with(&mut self, ty: TypeId, value: Expr, filling: &mut Filling) -> u64 {
        if self.is_string_for(ty, &value) {
            return self.fill_with_string(ty, value, filling);
        }
        if let Type::Array(..) = self.types.get(ty) {
            // A compound literal initializes an array of its type in GNU C.
            let is_literal = matches!(value.kind, ExprKind::CompoundLiteral(..));
            if is_literal && self.types.compatible(ty, value.ty, false) {
                let length = self.known_length(value.ty);
                self.push(filling, value);
                return length;
            }
            if !self.types.is_error(value.ty) {
                self.error("initializer", value.span, "an array needs an initializer in braces");
            }
            return 0;
        }
        let value = self.valued(value);
        let value = self.assigned(value, ty);
        self.push(filling, value);
        0
    }

    fn push(&mut self, filling: &mut Filling, value: Expr) {
        filling.push(Some(value));
    }

    fn known_length(&self, ty: TypeId) -> u64 {
        match self.types.get(ty) {
            Type::Array(_, ArrayLength::Known(length)) => *length,
            _ => 0,
        }
    }

    /// Is it a string for an array of characters?
    fn is_string_for(&self, ty: TypeId, value: &Expr) -> bool {
        let (Type::Array(element, _), ExprKind::String(literal)) = (self.types.get(ty), &value.kind) else {
            return false;
        };
        let size = literal.encoding.element().size();
        matches!(self.types.get(*element), Type::Integer(kind) if kind.size() == size)
    }

    fn fill_with_string(&mut self, ty: TypeId, value: Expr, filling: &mut Filling) -> u64 {
        let length = self.known_length(value.ty);
        // The terminating zero may be left out.
        if let Type::Array(_, ArrayLength::Known(room)) = *self.types.get(ty)
            && length > room.saturating_add(1)
        {
            let warning = format!("a string of {} characters is too long for an array of {room}", length - 1);
            self.sink.push(Diagnostic::warning("initializer", value.span, warning));
        }
        self.push(filling, value);
        length
    }

    /// A list in braces for an object; the length of the array that it fills.
    fn fill_from_list(&mut self, ty: TypeId, list: &ast::InitializerList, filling: &mut Filling) -> u64 {
        if self.types.is_error(ty) {
            list.items.iter().for_each(|(_, item)| self.type_only(item));
            return 0;
        }
        if !self.is_aggregate(ty) {
            return self.fill_scalar_from_list(ty, list, filling);
        }
        // `char s[] = { "text" }`.
        if let [(designators, ast::Initializer::Expr(value))] = list.items.as_slice()
            && designators.is_empty()
            && matches!(value.kind, ast::ExprKind::String(_))
            && matches!(self.types.get(ty), Type::Array(..))
        {
            let value = self.expression(value);
            if self.is_string_for(ty, &value) {
                return self.fill_with_string(ty, value, filling);
            }
        }
        let mut items = Items { items: &list.items, next: 0 };
        let outer = std::mem::replace(&mut filling.list, filling.path.len());
        let length = self.fill(ty, &mut items, &[], true, filling);
        filling.list = outer;
        length
    }

    fn fill_scalar_from_list(&mut self, ty: TypeId, list: &ast::InitializerList, filling: &mut Filling) -> u64 {
        match list.items.as_slice() {
            // `{}` is zero.
            [] => {}
            [(designators, first), rest @ ..] => {
                if !designators.is_empty() || !rest.is_empty() {
                    let message = format!("an object of type `{}` has one value", self.show(ty));
                    self.sink.push(Diagnostic::warning("initializer", list.span, message));
                }
                match first {
                    ast::Initializer::List(inner) => {
                        self.fill_from_list(ty, inner, filling);
                    }
                    ast::Initializer::Expr(value) => {
                        let value = self.expression(value);
                        self.fill_with(ty, value, filling);
                    }
                }
            }
        }
        0
    }

    /// Reports the errors in an initializer that belongs to no part.
    fn type_only(&mut self, initializer: &ast::Initializer) {
        match initializer {
            ast::Initializer::Expr(value) => drop(self.expression(value)),
            ast::Initializer::List(list) => list.items.iter().for_each(|(_, item)| self.type_only(item)),
        }
    }

    /// Fills the parts of an aggregate; how many elements that makes.
    ///
    /// `designators` say where the first item goes. Without braces around the items they end with the parts, and at the
    /// next item with a designator: that is for the list in braces.
    fn fill(
        &mut self,
        ty: TypeId,
        items: &mut Items,
        designators: &[Designator],
        braced: bool,
        filling: &mut Filling,
    ) -> u64 {
        let (mut position, mut length, mut first) = (0u64, 0u64, true);
        while let Some((own, initializer)) = items.peek() {
            if !first && !braced && !own.is_empty() {
                break;
            }
            let start: &[Designator] = if first && !designators.is_empty() {
                designators
            } else if braced {
                own
            } else {
                &[]
            };
            first = false;
            let before = items.next;
            let (low, high, rest) = match self.select(ty, start, position) {
                Selected::Part(low, high, rest) => (low, high, rest),
                Selected::Nothing => {
                    self.skip(items, initializer, filling);
                    continue;
                }
                Selected::End if braced => {
                    let message = format!("too many initializers for `{}`", self.show(ty));
                    self.sink.push(Diagnostic::warning("initializer", span_of(initializer), message));
                    self.skip(items, initializer, filling);
                    continue;
                }
                Selected::End => break,
            };
            let Some((step, part)) = self.part_of(ty, low, high) else { break };
            filling.path.push(step);
            self.fill_part(part, items, rest, filling);
            filling.path.pop();
            if !braced {
                filling.leave_ranges();
            }
            position = high.saturating_add(1);
            length = length.max(position);
            // Parts of no size take no item; there may be very many of them.
            if items.next == before && matches!(self.types.get(ty), Type::Array(..)) {
                self.error("initializer", span_of(initializer), "this value is for elements without members");
                self.skip(items, initializer, filling);
            }
            if matches!(self.types.get(ty), Type::Record(id) if self.types.record(*id).is_union) {
                // Only one member of a union is initialized.
                position = u64::MAX;
                if !braced {
                    break;
                }
            }
        }
        length
    }

    fn skip(&mut self, items: &mut Items, initializer: &ast::Initializer, filling: &mut Filling) {
        if filling.typed.take().is_none() {
            self.type_only(initializer);
        }
        items.next += 1;
    }

    /// The part that designators name, or the one at the position.
    fn select<'d>(&mut self, ty: TypeId, designators: &'d [Designator], position: u64) -> Selected<'d> {
        let count = match *self.types.get(ty) {
            Type::Array(_, ArrayLength::Known(length)) | Type::Vector(_, length) => length,
            Type::Array(..) => u64::MAX,
            Type::Record(id) => self.types.record(id).members.as_ref().map_or(0, |members| members.len() as u64),
            _ => 0,
        };
        let is_record = matches!(self.types.get(ty), Type::Record(_));
        match designators.split_first() {
            None if position < count => Selected::Part(position, position, &[]),
            None => Selected::End,
            Some((Designator::Member(name), rest)) => {
                let Some(path) = self.member_path(ty, *name, false) else { return Selected::Nothing };
                // The name of a member of an anonymous member is looked up again in that.
                let rest = if path.len() > 1 { designators } else { rest };
                Selected::Part(path[0] as u64, path[0] as u64, rest)
            }
            Some((Designator::Index(index) | Designator::Range(index, _), _)) if is_record => {
                let message = format!("`{}` is not an array", self.show(ty));
                self.error("initializer", index.span, message);
                Selected::Nothing
            }
            Some((Designator::Index(index), rest)) => match self.element_index(index, count) {
                Some(index) => Selected::Part(index, index, rest),
                None => Selected::Nothing,
            },
            Some((Designator::Range(low, high), rest)) => {
                match (self.element_index(low, count), self.element_index(high, count)) {
                    (Some(low_index), Some(high_index)) if low_index <= high_index => {
                        Selected::Part(low_index, high_index, rest)
                    }
                    (Some(_), Some(_)) => {
                        self.error("initializer", low.span.to(high.span), "this range is empty");
                        Selected::Nothing
                    }
                    _ => Selected::Nothing,
                }
            }
        }
    }

    fn element_index(&mut self, index: &ast::Expr, count: u64) -> Option<u64> {
        let index = self.value(index);
        if self.types.is_error(index.ty) {
            return None;
        }
        let Some(value) = self.integer_constant(&index) else {
            self.error("not-constant", index.span, "the index of an initializer must be constant");
            return None;
        };
        match u64::try_from(value) {
            Ok(value) if value < count && value < i64::MAX as u64 => Some(value),
            _ => {
                self.error("initializer", index.span, format!("the array has no element {value}"));
                None
            }
        }
    }

    /// The step to a part, and its type.
    fn part_of(&mut self, ty: TypeId, low: u64, high: u64) -> Option<(PathStep, TypeId)> {
        match *self.types.get(ty) {
            Type::Array(element, _) | Type::Vector(element, _) => {
                let step = if low == high { PathStep::Element(low) } else { PathStep::Elements(low, high) };
                Some((step, element))
            }
            _ => {
                let index = low as usize;
                Some((PathStep::Member(index), self.member_type(ty, index)?))
            }
        }
    }

    /// Fills one part with the next item, or with as many items as it has parts.
    fn fill_part(&mut self, ty: TypeId, items: &mut Items, designators: &[Designator], filling: &mut Filling) {
        let Some((_, initializer)) = items.peek() else { return };
        if filling.path.len() > MAX_TYPE_DEPTH as usize {
            self.error("nesting", span_of(initializer), format!("a part more than {MAX_TYPE_DEPTH} levels deep"));
            return self.skip(items, initializer, filling);
        }
        if !designators.is_empty() {
            if !self.is_aggregate(ty) {
                if !self.types.is_error(ty) {
                    let message = format!("`{}` has no parts", self.show(ty));
                    self.error("initializer", span_of(initializer), message);
                }
                return self.skip(items, initializer, filling);
            }
            self.fill(ty, items, designators, false, filling);
            return;
        }
        let value = match initializer {
            ast::Initializer::List(list) => {
                items.next += 1;
                filling.begin_list();
                self.fill_from_list(ty, list, filling);
                return;
            }
            ast::Initializer::Expr(value) => filling.typed.take().unwrap_or_else(|| self.expression(value)),
        };
        if !self.is_aggregate(ty) || self.is_string_for(ty, &value) || self.is_whole(ty, &value) {
            items.next += 1;
            self.fill_with(ty, value, filling);
            return;
        }
        filling.typed = Some(value);
        self.fill(ty, items, &[], false, filling);
    }

    /// Is it a value for the whole aggregate, not for its first part?
    fn is_whole(&self, ty: TypeId, value: &Expr) -> bool {
        let is_array = matches!(self.types.get(ty), Type::Array(..));
        let literal = matches!(value.kind, ExprKind::CompoundLiteral(..));
        let fits = self.types.is_error(value.ty) || self.types.compatible(ty, value.ty, false);
        fits && (!is_array || literal && value.ty != Types::ERROR)
    }
}

/// Where an item goes.
enum Selected<'d> {
    /// To these parts, the first and the last, and on with these designators.
    Part(u64, u64, &'d [Designator]),
    /// Nowhere; that was reported.
    Nothing,
    /// All parts have been filled.
    End,
}

fn span_of(initializer: &ast::Initializer) -> Span {
    match initializer {
        ast::Initializer::Expr(value) => value.span,
        ast::Initializer::List(list) => list.span,
    }
}
