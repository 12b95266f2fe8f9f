//! Access: how places are found, read, written and pointed to.
//!
//! For example, `p->link.next = q` is an assignment to the part `link.next` of the object that `p` points to.

use super::Translator;
use super::layout::{Home, Kind, Slot, Tree};
use super::place::Place;
use super::value::Value;
use crate::typed::{DeclarationId, Expr, ExprKind};
use crate::types::{ArrayLength, Type, TypeId};
use trifold_ir as ir;
use trifold_ir::{Builder, FindingKind, Operand, Scope, Statement, StructId, VarId};
use trifold_passes::intervals::evaluate;
use trifold_source::Span;

impl<'p> Translator<'p> {
    /// The object that a pointer points to.
    pub(super) fn object(&mut self, pointer: VarId, ty: TypeId) -> Place {
        if let Some(tree) = self.buffer_tree(ty) {
            return Place::of_object(pointer, tree, ty);
        }
        let structure = self.struct_of(ty);
        Place { object: Some(pointer), tree: self.root(structure), whole: true, ty }
    }

    /// The place that an expression stands for.
    pub(super) fn place(&mut self, expr: &'p Expr) -> Place {
        match &expr.kind {
            ExprKind::Name(id) if self.environment.contains(id) => self.no_place("the environment's arguments", expr),
            ExprKind::Name(id) => self.variable(*id, expr),
            ExprKind::CompoundLiteral(id, initializer) => {
                self.literal(*id, initializer, expr.span);
                self.variable(*id, expr)
            }
            ExprKind::Member(base, index) => {
                let base = self.place(base);
                self.part(base, *index, expr.ty, expr.span)
            }
            ExprKind::Deref(pointer) => match &pointer.kind {
                ExprKind::AddressOf(place) => self.place(place),
                ExprKind::Decay(array) if !matches!(array.kind, ExprKind::String(_)) && self.is_array(array) => {
                    let array = self.place(array);
                    self.part(array, 0, expr.ty, expr.span)
                }
                _ => {
                    let value = self.value(pointer, None);
                    self.dereference(value, expr.ty, expr.span)
                }
            },
            ExprKind::Index(pointer, index) => {
                self.check_order(expr);
                self.element(pointer, index, expr)
            }
            ExprKind::String(_) => self.no_place("the characters of a string", expr),
            _ => match self.value(expr, None) {
                Value::Record(place) => place,
                Value::Nothing => Place::nowhere(expr.ty),
                _ => self.no_place("a part of a value", expr),
            },
        }
    }

    pub(super) fn nowhere(&mut self, ty: TypeId, span: Span) -> Place {
        self.unsupported("a value without a place", span);
        Place::nowhere(ty)
    }

    pub(super) fn no_place(&mut self, what: &str, expr: &Expr) -> Place {
        self.unsupported(what, expr.span);
        Place::nowhere(expr.ty)
    }

    fn is_array(&self, expr: &Expr) -> bool {
        matches!(self.c.types.get(expr.ty), Type::Array(..))
    }

    fn variable(&mut self, id: DeclarationId, expr: &Expr) -> Place {
        if let Some(place) = self.body.variables.get(&id).or_else(|| self.globals.get(&id)) {
            return place.clone();
        }
        let why = self.c.declaration(id).unclear.as_deref().unwrap_or("which is defined elsewhere");
        let text = match self.body.bindings.contains_key(&id) {
            true => format!("the parameter `{}` is used as a variable", self.name(id)),
            false => format!("the variable `{}`, {why}", self.name(id)),
        };
        self.no_place(&text, expr)
    }

    /// The object that a pointer points to.
    pub(super) fn dereference(&mut self, value: Value, ty: TypeId, span: Span) -> Place {
        if self.is_walked(ty) && matches!(value, Value::Record(_) | Value::Pointer(_)) {
            return self.walked_element(value, (None, None), ty, span);
        }
        match value {
            Value::Pointer(_) if *self.c.types.get(ty) == Type::Void => {
                self.unsupported("something of type `void`", span);
                Place::nowhere(ty)
            }
            Value::Pointer(pointer) => {
                let structure = self.struct_of(ty);
                let pointer = self.typed_pointer(pointer, structure, span);
                self.object(pointer, ty)
            }
            Value::Null => {
                let text = "a NULL pointer is dereferenced".to_string();
                self.end(Statement::Error { kind: FindingKind::NullDereference, text }, span);
                Place::nowhere(ty)
            }
            Value::Nothing => Place::nowhere(ty),
            _ => {
                self.unsupported("an address that is a number", span);
                Place::nowhere(ty)
            }
        }
    }

    /// The same pointer in a variable that points to a struct.
    pub(super) fn typed_pointer(&mut self, pointer: VarId, structure: StructId, span: Span) -> VarId {
        let ty = ir::Type::Pointer(Some(structure));
        if self.ir[pointer].ty == ty {
            return pointer;
        }
        if !ty.accepts(self.ir[pointer].ty) {
            self.unsupported("a pointer to something else", span);
        }
        let typed = self.temporary(ty, span);
        let value = if ty.accepts(self.ir[pointer].ty) { Operand::Pointer(pointer) } else { Operand::Null };
        self.set(typed, value, span);
        typed
    }

    /// `array[index]`, or `pointer[0]`.
    fn element(&mut self, pointer: &'p Expr, index: &'p Expr, expr: &'p Expr) -> Place {
        let constant = self.integer(index);
        if let ExprKind::Decay(array) = &pointer.kind
            && self.array_length(array.ty).is_some()
            && !matches!(array.kind, ExprKind::String(_))
        {
            let place = self.place(array);
            return self.element_of(place, constant, (pointer, index), expr);
        }
        if self.is_walker(pointer.ty) {
            let cursor = self.cursor(pointer, index);
            let value = self.value(pointer, None);
            return self.walked_element(value, (Some(index), cursor), expr.ty, expr.span);
        }
        let value = match (constant, self.survey.heap_arrays.is_array(&self.c.types, expr.ty)) {
            (Some(0), _) | (_, true) => self.value(pointer, None),
            _ => return self.no_place("pointer arithmetic", expr),
        };
        match value {
            Value::Pointer(first) if constant != Some(0) => match self.array_at(first, expr.ty, expr.span) {
                Some(array) => self.element_of(array, constant, (pointer, index), expr),
                None => self.no_place("pointer arithmetic", expr),
            },
            value => self.dereference(value, expr.ty, expr.span),
        }
    }

    fn element_of(
        &mut self,
        array: Place,
        constant: Option<i128>,
        (pointer, index): (&'p Expr, &'p Expr),
        expr: &'p Expr,
    ) -> Place {
        match constant.map(usize::try_from) {
            Some(Ok(index)) => self.part(array, index, expr.ty, expr.span),
            Some(Err(_)) => self.out_of_bounds(expr.ty, expr.span),
            None => self.any_element(array, (pointer, index), expr),
        }
    }

    pub(super) fn out_of_bounds(&mut self, ty: TypeId, span: Span) -> Place {
        let text = "the index is out of bounds".to_string();
        self.end(Statement::Error { kind: FindingKind::InvalidDereference, text }, span);
        Place::nowhere(ty)
    }

    pub(super) fn array_length(&self, ty: TypeId) -> Option<u64> {
        match self.c.types.get(ty) {
            Type::Array(_, ArrayLength::Known(length)) => Some(*length),
            _ => None,
        }
    }

    /// The element of a small array that an index selects: a case for each.
    fn any_element(&mut self, array: Place, (pointer, index): (&'p Expr, &'p Expr), expr: &'p Expr) -> Place {
        let array = self.resolved(array, expr.span);
        let count = match &*array.tree {
            Tree::Parts(parts) => parts.len(),
            Tree::Data(..) => return self.element_of_data(&array, index, expr),
            Tree::Pointers => {
                let cursor = self.cursor(pointer, index);
                let Value::Scalar(index) = self.value(index, None) else { return self.no_place("an index", expr) };
                let at = self.converted(index, super::buffer::I64);
                return self.pointer_at(&array, (at, cursor), expr.ty, expr.span);
            }
            Tree::Opaque(what) => return self.no_place(&format!("{what} with an index that is not constant"), expr),
            _ => return self.no_place("an index", expr),
        };
        let structure = self.struct_of(expr.ty);
        let to = self.temporary(ir::Type::Pointer(Some(structure)), expr.span);
        let Value::Scalar(index) = self.value(index, None) else { return self.no_place("an index", expr) };
        let end = self.node();
        let (low, high) = self.index_range(&index);
        for position in (0..count).filter(|position| (low..=high).contains(&(*position as i128))) {
            // Nothing is left to compare with if no index is larger.
            let otherwise = match position as i128 == high && low >= 0 {
                true => None,
                false => Some(self.unless(self.equals(&index, position as i128), expr.span)),
            };
            let element = self.part(array.clone(), position, expr.ty, expr.span);
            if let Value::Pointer(address) = self.address(element, Some(to), expr.span)
                && address != to
            {
                self.set(to, Operand::Pointer(address), expr.span);
            }
            self.jump(end, expr.span);
            self.body.at = otherwise.unwrap_or(end);
        }
        if low < 0 || high >= count as i128 {
            self.out_of_bounds(expr.ty, expr.span);
        }
        self.body.at = end;
        self.object(to, expr.ty)
    }

    /// The values that an index can have because of how it is computed: those of `x & 1` are 0 and 1.
    pub(super) fn index_range(&self, index: &ir::Expr) -> (i128, i128) {
        let any = |variable: VarId| {
            self.ir.scalar_of(&ir::Expr::Variable(variable)).map_or((i128::MIN, i128::MAX), |scalar| scalar.range())
        };
        evaluate(&self.ir, index, &any)
    }

    /// Goes from a part that is an object to that object.
    pub(super) fn resolved(&mut self, place: Place, span: Span) -> Place {
        match (&*place.tree, place.object) {
            (Tree::Embedded(field, structure), Some(object)) => {
                let to = self.temporary(ir::Type::Pointer(Some(*structure)), span);
                self.emit(Statement::Load { to, object, field: *field }, span);
                self.object(to, place.ty)
            }
            _ => place,
        }
    }

    /// A member or element.
    pub(super) fn part(&mut self, place: Place, index: usize, ty: TypeId, span: Span) -> Place {
        let place = self.resolved(place, span);
        match &*place.tree {
            Tree::Parts(parts) | Tree::Union(parts, _) => match parts.get(index) {
                Some(part) => Place { object: place.object, tree: part.clone(), whole: false, ty },
                None => self.out_of_bounds(ty, span),
            },
            Tree::Data(..) | Tree::Pointers
                if self.array_length(place.ty).is_some_and(|length| length <= index as u64) =>
            {
                self.out_of_bounds(ty, span)
            }
            Tree::Data(..) => self.part_of_data(place, index, ty, span),
            Tree::Pointers => {
                let at = super::buffer::index(index as i128);
                self.pointer_at(&place, (at, None), ty, span)
            }
            Tree::Opaque(what) => {
                self.unsupported(format!("a part of {what}"), span);
                Place::nowhere(ty)
            }
            _ => {
                self.unsupported("a part of something that has none", span);
                Place::nowhere(ty)
            }
        }
    }

    /// A pointer to a place.
    pub(super) fn address(&mut self, place: Place, hint: Option<VarId>, span: Span) -> Value {
        match (&*place.tree, place.object) {
            (Tree::Embedded(field, structure), Some(object)) => {
                let to = self.target(hint, ir::Type::Pointer(Some(*structure)), span);
                self.emit(Statement::Load { to, object, field: *field }, span);
                Value::Pointer(to)
            }
            (_, Some(object)) if place.whole => Value::Pointer(object),
            (Tree::Opaque(what), _) => self.unsupported(format!("the address of {what}"), span),
            (Tree::Data(..) | Tree::Number(..), _) => {
                self.unsupported("the address of numbers that are not told apart", span)
            }
            _ => self.unsupported("the address of a part", span),
        }
    }

    /// The value in a place.
    pub(super) fn load(&mut self, place: Place, hint: Option<VarId>, span: Span) -> Value {
        let place = self.resolved(place, span);
        match (&*place.tree, place.object) {
            (Tree::Leaf(Slot::Variable(variable), kind), _) => match kind {
                Kind::Pointer(_) => Value::Pointer(*variable),
                Kind::Float(format) => Value::Float(ir::Expr::Variable(*variable), *format),
                Kind::Scalar(_) | Kind::Function => Value::Scalar(ir::Expr::Variable(*variable)),
            },
            (Tree::Leaf(Slot::Field(field), kind), Some(object)) => {
                // The field of a cell may be a pointer to anything, where the program knows better.
                let known =
                    self.kind(place.ty).filter(|known| matches!((known, kind), (Kind::Pointer(_), Kind::Pointer(_))));
                let to = match kind {
                    Kind::Float(_) => self.hidden(span),
                    kind => self.target(hint, known.unwrap_or(*kind).ty(), span),
                };
                self.check_extent(object, *field, span);
                self.emit(Statement::Load { to, object, field: *field }, span);
                match kind {
                    Kind::Pointer(_) => Value::Pointer(to),
                    Kind::Float(format) => Value::Float(ir::Expr::Variable(to), *format),
                    Kind::Scalar(_) | Kind::Function => Value::Scalar(ir::Expr::Variable(to)),
                }
            }
            (Tree::Shared(slot, kind), _) => self.load_shared(&place, *slot, *kind, span),
            (Tree::Number(..), _) => self.load_number(&place, span),
            (Tree::Parts(_) | Tree::Union(..) | Tree::Data(..), _) => Value::Record(place),
            (Tree::Pointers, _) => self.unsupported("a copy of an array of pointers", span),
            (Tree::Opaque(what), _) => self.unsupported(what.clone(), span),
            _ => self.unsupported("a value without a place", span),
        }
    }

    /// Puts a value into a place.
    pub(super) fn store(&mut self, place: &Place, value: Value, span: Span) {
        let place = self.resolved(place.clone(), span);
        match (&*place.tree, place.object) {
            (Tree::Leaf(slot, kind), object) => {
                let value = self.operand(value, *kind, span);
                match (slot, object) {
                    (Slot::Variable(to), _) if is_itself(&value, *to) => {}
                    (Slot::Variable(to), _) => self.set(*to, value, span),
                    (Slot::Field(field), Some(object)) => {
                        self.check_extent(object, *field, span);
                        self.emit(Statement::Store { object, field: *field, value }, span);
                    }
                    (Slot::Field(_), None) => drop(self.unsupported("a value without a place", span)),
                }
            }
            (Tree::Shared(slot, kind), _) => self.store_shared(&place, *slot, *kind, value, span),
            (Tree::Number(..), _) => self.store_number(&place, value, span),
            (Tree::Parts(_) | Tree::Union(..) | Tree::Data(..), _) => match value {
                Value::Record(from) => self.copy(&place, &from, span),
                Value::Null => self.clear(&place, span),
                Value::Nothing => {}
                _ => drop(self.unsupported("a struct that is made of something else", span)),
            },
            (Tree::Pointers, _) if matches!(value, Value::Null) => self.clear_pointers(&place, span),
            (Tree::Pointers, _) => drop(self.unsupported("a copy of an array of pointers", span)),
            (Tree::Opaque(what), _) => drop(self.unsupported(what.clone(), span)),
            (Tree::Embedded(..), _) => drop(self.unsupported("a part without a whole", span)),
        }
    }

    /// Copies all leaves.
    pub(super) fn copy(&mut self, to: &Place, from: &Place, span: Span) {
        let (to, from) = (self.resolved(to.clone(), span), self.resolved(from.clone(), span));
        match (&*to.tree, &*from.tree) {
            // A struct of numbers has parts, unless it lies in a union.
            (Tree::Parts(parts), Tree::Parts(_) | Tree::Data(..)) | (Tree::Data(..), Tree::Parts(parts)) => {
                for index in 0..parts.len() {
                    let ty = self.part_type(to.ty, index);
                    let to = self.part(to.clone(), index, ty, span);
                    let from = self.part(from.clone(), index, ty, span);
                    self.copy(&to, &from, span);
                }
            }
            (Tree::Union(..), Tree::Union(..)) => self.copy_union(&to, &from, span),
            (Tree::Data(..), Tree::Data(..)) => {
                let mark = self.mark();
                self.copy_data(&to, &from, span);
                self.release(mark, span);
            }
            _ => {
                let mark = self.mark();
                let value = self.load(from, to.variable(), span);
                self.store(&to, value, span);
                self.release(mark, span);
            }
        }
    }

    /// Temporary variables for a struct.
    pub(super) fn temporary_record(&mut self, ty: TypeId, span: Span) -> Place {
        let tree = self.lay_out(Home::Variables(Scope::Local(self.body.procedure)), ty, "$1", span);
        let place = Place::of_variables(tree, ty);
        self.adopt(place.variables());
        place
    }

    pub(super) fn part_type(&self, ty: TypeId, index: usize) -> TypeId {
        match self.c.types.get(ty) {
            Type::Array(element, _) => *element,
            Type::Record(id) => {
                let members = self.c.types.record(*id).members.as_ref();
                members.and_then(|members| members.get(index)).map_or(ty, |member| member.ty)
            }
            _ => ty,
        }
    }

    /// All leaves, in order. An opaque part has none.
    pub(super) fn leaves_of(&mut self, place: &Place, span: Span) -> Vec<Place> {
        let place = self.resolved(place.clone(), span);
        match &*place.tree {
            Tree::Leaf(..) => vec![place],
            Tree::Parts(parts) => {
                let mut leaves = Vec::new();
                for index in 0..parts.len() {
                    let part = self.part(place.clone(), index, self.part_type(place.ty, index), span);
                    leaves.extend(self.leaves_of(&part, span));
                }
                leaves
            }
            Tree::Union(..) => self.raw_leaves(&place),
            Tree::Pointers => {
                self.unsupported("a copy of an array of pointers", span);
                Vec::new()
            }
            Tree::Embedded(..) | Tree::Opaque(_) | Tree::Data(..) | Tree::Number(..) | Tree::Shared(..) => Vec::new(),
        }
    }

    /// Sets all leaves to zero; opaque parts stay so.
    pub(super) fn clear(&mut self, place: &Place, span: Span) {
        let place = self.resolved(place.clone(), span);
        match &*place.tree {
            Tree::Parts(parts) => {
                for index in 0..parts.len() {
                    let ty = self.part_type(place.ty, index);
                    let part = self.part(place.clone(), index, ty, span);
                    self.clear(&part, span);
                }
            }
            Tree::Leaf(_, kind) | Tree::Shared(_, kind) => {
                let zero = self.zero(*kind);
                self.store(&place, zero, span);
            }
            Tree::Union(..) => self.clear_union(&place, span),
            Tree::Data(..) => self.clear_data(&place, span),
            Tree::Pointers => self.clear_pointers(&place, span),
            Tree::Number(_, kind, _) => {
                let zero = self.zero(*kind);
                self.store_number(&place, zero, span);
            }
            Tree::Embedded(..) | Tree::Opaque(_) => {}
        }
    }

    /// The variables of a place lose their values.
    pub(super) fn forget_place(&mut self, place: &Place, span: Span) {
        self.forget(&place.variables(), span);
    }
}

fn is_itself(value: &Operand, variable: VarId) -> bool {
    match value {
        Operand::Pointer(pointer) => *pointer == variable,
        Operand::Scalar(ir::Expr::Variable(scalar)) => *scalar == variable,
        _ => false,
    }
}
