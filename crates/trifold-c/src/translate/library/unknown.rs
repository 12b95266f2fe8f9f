//! Functions of which nothing is known but their type: what is assumed of them.
//!
//! Such a function returns any value of its type. It may change the numbers in variables whose addresses it gets, and
//! in variables that other files know; only functions of the program can know the latter, not those that a header of
//! the system declares. It frees nothing, keeps no pointer, calls no function of the program, and changes nothing
//! through a pointer to something constant. What is assumed is told with the result.
//!
//! Where memory could change in a way that heap programs do not express, nothing is assumed, and the call is not
//! analysed: it gets a pointer to anything else, or a function; it returns a pointer that is used; or a variable that
//! other files know is a pointer.
//!
//! For example, after `extern int next(int *state);` and `static int state;`, the call `next(&state)` is any number,
//! and so is `state` after it.

use crate::translate::Translator;
use crate::translate::forms::string_in;
use crate::translate::layout::{Kind, MAX_NESTING, Tree, is_pointer_free};
use crate::translate::place::Place;
use crate::translate::translation::Assumed;
use crate::translate::value::{Use, Value};
use crate::typed::{DeclarationId, Expr, ExprKind};
use crate::types::{Qualifiers, Type, TypeId};
use trifold_ir::{Builder, Cause, Operand, Statement};
use trifold_source::Span;

/// What an unknown function gets.
#[derive(Default)]
struct Given {
    operands: Vec<Operand>,
    floats: Vec<Value>,
    /// Numbers that it may change.
    numbers: Vec<Place>,
    /// May it change memory in other ways?
    reaches_heap: bool,
}

impl<'p> Translator<'p> {
    pub(super) fn call_unknown(&mut self, id: DeclarationId, arguments: &'p [Expr], used: Use) -> Value {
        let name = self.name(id);
        let mut given = Given::default();
        arguments.iter().for_each(|argument| self.give(argument, &mut given));
        if !given.reaches_heap
            && given.operands.is_empty()
            && given.numbers.is_empty()
            && let Some(exact) = self.float_function(name, &given.floats, used.span)
        {
            return exact;
        }
        if !self.c.declaration(id).system {
            self.give_variables(&mut given, used.span);
        }
        given.reaches_heap |= used.used && !self.is_expressible(used.ty);
        if given.reaches_heap {
            return self.lose(name, given, used);
        }
        self.assumed.push(Assumed { procedure: self.body.procedure, name: name.to_string(), span: used.span });
        given.numbers.iter().for_each(|place| self.spoil(place, used.span));
        match self.kind(used.ty) {
            None if used.used && !self.is_void(used) => {
                let result = self.temporary_record(used.ty, used.span);
                self.spoil(&result, used.span);
                Value::Record(result)
            }
            // What it returns without having got anything is input; what it makes of arguments is not known even to
            // runs.
            Some(kind) if !arguments.is_empty() && kind != Kind::Function => self.any_result(used),
            _ => self.choose(None, used),
        }
    }

    /// An argument.
    fn give(&mut self, argument: &'p Expr, given: &mut Given) {
        let stripped = self.uncast(argument);
        if string_in(stripped).is_some() {
            return;
        }
        if let Some(place) = self.number_at(stripped) {
            let place = self.place(place);
            return given.numbers.extend((!self.is_read_only(argument.ty)).then_some(place));
        }
        // Who gets a function may call it.
        given.reaches_heap |= self.kind(stripped.ty) == Some(Kind::Function);
        match self.value(stripped, None) {
            Value::Scalar(value) => given.operands.push(Operand::Scalar(value)),
            Value::Null => given.operands.push(Operand::Null),
            Value::Pointer(pointer) => {
                let target = self.c.types.pointee(stripped.ty);
                let is_harmless = self.is_read_only(argument.ty) && target.is_some_and(|ty| self.is_numbers(ty));
                given.reaches_heap |= !is_harmless;
                given.operands.push(Operand::Pointer(pointer));
            }
            Value::Record(place) => given.reaches_heap |= !self.is_numbers(place.ty),
            value @ Value::Float(..) => given.floats.push(value),
            Value::Nothing => {}
        }
    }

    /// The variables that other files know.
    fn give_variables(&mut self, given: &mut Given, span: Span) {
        for id in self.survey.shared.clone() {
            let Some(place) = self.globals.get(&id).cloned() else { continue };
            if self.is_numbers(place.ty) {
                given.numbers.push(place);
                continue;
            }
            given.reaches_heap = true;
            match place.pointer() {
                Some(object) => given.operands.push(Operand::Pointer(object)),
                None => {
                    let pointers = self.leaves_of(&place, span).into_iter();
                    let pointers = pointers.filter(|leaf| matches!(leaf.kind(), Some(Kind::Pointer(_))));
                    given.operands.extend(pointers.filter_map(|leaf| leaf.variable()).map(Operand::Pointer));
                }
            }
        }
    }

    /// The call is not analysed.
    fn lose(&mut self, name: &str, given: Given, used: Use) -> Value {
        let to = match self.kind(used.ty) {
            Some(kind) if used.used => Some(self.call_target(kind.ty(), used)),
            _ => None,
        };
        let call = Statement::UnknownCall { to, name: name.to_string(), arguments: given.operands };
        self.emit(call, used.span);
        given.numbers.iter().for_each(|place| self.spoil(place, used.span));
        to.map_or(Value::Nothing, |to| self.result_value(to, used.ty))
    }

    /// Any numbers may be in a place from now on.
    fn spoil(&mut self, place: &Place, span: Span) {
        let place = self.resolved(place.clone(), span);
        if let Some(bytes) = place.bytes() {
            return self.lose_block(&bytes, Cause::Library, span);
        }
        match &*place.tree {
            Tree::Parts(parts) => {
                for index in 0..parts.len() {
                    let part = self.part(place.clone(), index, self.part_type(place.ty, index), span);
                    self.spoil(&part, span);
                }
            }
            Tree::Leaf(..) | Tree::Number(..) | Tree::Shared(..) => {
                let value = self.unknown(place.ty, Cause::Library, span);
                self.store(&place, value, span);
            }
            Tree::Pointers => drop(self.unsupported("an array of pointers that is not known", span)),
            // Nothing is known of what is not laid out.
            Tree::Embedded(..) | Tree::Data(..) | Tree::Opaque(_) | Tree::Union(..) => {}
        }
    }

    /// The variable of numbers whose address an argument is.
    fn number_at(&self, argument: &'p Expr) -> Option<&'p Expr> {
        match &argument.kind {
            ExprKind::AddressOf(place) if matches!(place.kind, ExprKind::Name(_)) => {
                Some(&**place).filter(|place| self.is_numbers(place.ty))
            }
            _ => None,
        }
    }

    /// Can any value of a type be expressed?
    fn is_expressible(&mut self, ty: TypeId) -> bool {
        match self.kind(ty) {
            Some(kind) => !matches!(kind, Kind::Pointer(_)),
            None => *self.c.types.get(ty) == Type::Void || self.is_numbers(ty),
        }
    }

    fn is_numbers(&self, ty: TypeId) -> bool {
        is_pointer_free(&self.c.types, ty, MAX_NESTING)
    }

    /// Is it a pointer to something constant?
    fn is_read_only(&self, ty: TypeId) -> bool {
        self.c.types.pointee(ty).is_some_and(|to| self.c.types.qualifiers(to).contains(Qualifiers::CONST))
    }

    fn is_void(&self, used: Use) -> bool {
        *self.c.types.get(used.ty) == Type::Void
    }
}
