//! A survey of a whole program before it is translated: of which variables and members the address is taken, and where
//! pointers change their type.
//!
//! Only a variable or member whose address is taken becomes an object of its own, because variables and plain fields
//! are easier to analyse. For example, `f(&x)` makes `x` an object, but `f(x)` does not.

use super::extent::short_allocation;
use super::forms::{called, loaded, root, string_in, text_array};
use super::heap_array::HeapArrays;
use super::layout::is_data;
use super::member::{FirstMember, container_of, first_member, record_of};
use crate::constant::Constants;
use crate::library::{Known, Role, Row};
use crate::typed::{DeclarationId, DeclarationKind, Expr, ExprKind, Program, Storage};
use crate::types::{Qualifiers, RecordId, Type, TypeId};
use std::collections::BTreeSet;

/// The result of the survey.
#[derive(Default)]
pub(super) struct Survey {
    /// Variables of which the address is taken, or that of a part.
    pub objects: BTreeSet<DeclarationId>,
    /// Members whose address is taken, by their struct and number.
    pub members: BTreeSet<(RecordId, usize)>,
    /// Arrays whose elements are pointed to, or chosen by an index that is not constant.
    pub arrays: BTreeSet<TypeId>,
    /// The element types of strings that pointers lead to.
    pub strings: BTreeSet<TypeId>,
    /// Is text copied to new memory?
    pub copies_text: bool,
    /// Functions whose address is taken, in the order of their declarations.
    pub functions: BTreeSet<DeclarationId>,
    /// Variables that change after their initialization.
    pub changed: BTreeSet<DeclarationId>,
    /// Is a pointer to a pointer ever used as a pointer to a pointer of another type?
    pub mixed_pointers: bool,
    /// The types that pointers point to which are converted to `void *`.
    pub made_void: BTreeSet<TypeId>,
    /// The types of objects that are written through pointers, in this program or elsewhere.
    pub written: BTreeSet<TypeId>,
    /// Arrays on the heap.
    pub heap_arrays: HeapArrays,
    /// Variables whose streams are closed.
    pub closed: BTreeSet<DeclarationId>,
    /// Types of objects that are allocated with less memory than they have.
    pub short: BTreeSet<TypeId>,
    /// Variables that functions of other files may change.
    pub shared: BTreeSet<DeclarationId>,
}

impl Survey {
    pub fn of(program: &Program, known: &Known) -> Survey {
        let constants = Constants { types: &program.types, declarations: &program.declarations };
        let mut surveyor = Surveyor { program, known, constants, found: Survey::default() };
        for global in &program.globals {
            global.initializer.iter().for_each(|init| init.for_each_value(&mut |value| surveyor.expr(value)));
        }
        for function in &program.functions {
            function.body.for_each_expr(&mut |expr| surveyor.expr(expr));
        }
        let globals = program.globals.iter().map(|global| global.declaration);
        surveyor.found.shared = globals.filter(|id| is_shared(program, *id)).collect();
        surveyor.found
    }

    /// The types of parts that have the address of the object around them.
    pub fn first_parts<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = TypeId> + 'a {
        let members = self.members.iter().filter_map(|(record, index)| {
            let member = program.types.record(*record).members.as_ref()?.get(*index)?;
            (member.offset == 0).then_some(member.ty)
        });
        let elements = self.arrays.iter().filter_map(|array| match program.types.get(*array) {
            Type::Array(element, _) => Some(*element),
            _ => None,
        });
        members.chain(elements)
    }
}

struct Surveyor<'p> {
    program: &'p Program,
    known: &'p Known,
    constants: Constants<'p>,
    found: Survey,
}

impl Surveyor<'_> {
    fn expr(&mut self, expr: &Expr) {
        self.found.heap_arrays.note(expr, self.program, self.known, self.constants);
        self.found.short.extend(short_allocation(expr, self.program, self.known, self.constants));
        match &expr.kind {
            // As in `offsetof`.
            ExprKind::AddressOf(_) if self.constants.pointer(expr).is_some() => {}
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Decay(operand) => match operand.kind {
                ExprKind::Name(id) if self.is_function(id) => drop(self.found.functions.insert(id)),
                ExprKind::String(_) => {
                    self.found.strings.extend(self.pointee(expr.ty));
                    self.elements(operand);
                }
                _ => self.elements(operand),
            },
            ExprKind::Call(callee, arguments) => {
                if called(callee).is_none_or(|id| !self.is_function(id)) {
                    self.expr(callee);
                }
                let prototype = self.program.types.callee(callee.ty).is_some_and(|function| function.prototype);
                let elsewhere = called(callee).filter(|id| self.is_function(*id) && !self.is_defined(*id));
                let row = elsewhere.and_then(|id| self.known.row(id));
                let takes_text = row.is_some_and(Row::takes_text);
                row.into_iter().for_each(|row| self.closed(row, arguments));
                let allocation = row.and_then(Row::allocation);
                self.found.copies_text |= allocation.is_some_and(|allocation| allocation.size.arguments().is_none());
                for argument in arguments {
                    // A function that is defined elsewhere does not write to a string.
                    if elsewhere.is_some() && string_in(argument).is_some() {
                        continue;
                    }
                    if let Some(array) = text_array(&self.program.types, argument).filter(|_| takes_text) {
                        self.expr(array);
                        continue;
                    }
                    let points_to_pointer = self.pointee(argument.ty).is_some_and(|to| self.pointee(to).is_some());
                    self.found.mixed_pointers |= !prototype && points_to_pointer;
                    if elsewhere.is_some() || called(callee).is_none() {
                        self.found
                            .written
                            .extend(self.pointee(argument.ty).filter(|ty| *self.program.types.get(*ty) != Type::Void));
                    }
                    self.expr(argument);
                }
            }
            ExprKind::Convert { operand, .. } => match container_of(self.constants, expr) {
                Some(container) => {
                    self.outline(container.record, &container.path);
                    self.expr(container.pointer);
                }
                None => {
                    self.conversion(operand, expr.ty);
                    self.expr(operand);
                }
            },
            ExprKind::Assign(place, _) | ExprKind::CompoundAssign { place, .. } | ExprKind::Increment { place, .. } => {
                self.found.changed.extend(root(place));
                self.found.written.extend(pointed_to(place));
                expr.for_each_operand(&mut |operand| self.expr(operand));
            }
            ExprKind::Deref(pointer) => match &pointer.kind {
                ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.expr(place),
                _ => self.expr(pointer),
            },
            ExprKind::Index(pointer, index) => {
                match &pointer.kind {
                    ExprKind::Decay(array) if self.constants.integer(index).is_some() => self.expr(array),
                    ExprKind::Decay(array) if is_data(&self.program.types, array.ty) => self.expr(array),
                    _ => self.expr(pointer),
                }
                self.expr(index);
            }
            _ => expr.for_each_operand(&mut |operand| self.expr(operand)),
        }
    }

    /// The address of a place is used.
    fn address(&mut self, place: &Expr) {
        self.found.objects.extend(root(place));
        self.found.changed.extend(root(place));
        match &place.kind {
            ExprKind::Name(id) if self.is_function(*id) => drop(self.found.functions.insert(*id)),
            ExprKind::Member(base, index) => {
                if let Some(record) = record_of(&self.program.types, base.ty) {
                    self.found.members.insert((record, *index));
                }
                self.expr(base);
            }
            ExprKind::Index(pointer, index) => {
                self.expr(pointer);
                self.expr(index);
            }
            _ => self.expr(place),
        }
    }

    /// The address of an element of an array is used.
    fn elements(&mut self, array: &Expr) {
        self.found.objects.extend(root(array));
        self.found.changed.extend(root(array));
        self.found.arrays.insert(array.ty);
        self.expr(array);
    }

    fn conversion(&mut self, operand: &Expr, to: TypeId) {
        let (Some(from), Some(to)) = (self.pointee(operand.ty), self.pointee(to)) else { return };
        let types = &self.program.types;
        if *types.get(to) == Type::Void {
            self.found.made_void.insert(from);
        }
        let (from_pointer, to_pointer) = (self.pointee(from), self.pointee(to));
        if from_pointer.is_some() && to_pointer.is_some() && !types.compatible(from, to, false) {
            self.found.mixed_pointers = true;
        }
        if !types.compatible(from, to, false)
            && let Some(FirstMember::Down(record, path) | FirstMember::Up(record, path)) = first_member(types, from, to)
        {
            self.outline(record, &path);
        }
    }

    /// Pointers lead to the last member of a path.
    fn outline(&mut self, structure: TypeId, path: &[usize]) {
        let types = &self.program.types;
        let Some((last, way)) = path.split_last() else { return };
        let mut record = record_of(types, structure);
        for index in way {
            let members = record.and_then(|record| types.record(record).members.as_ref());
            record = members.and_then(|members| record_of(types, members.get(*index)?.ty));
        }
        self.found.members.extend(record.map(|record| (record, *last)));
    }

    /// The streams that a function of the C library closes.
    fn closed(&mut self, row: &Row, arguments: &[Expr]) {
        let given = row.parameters.iter().zip(arguments).filter(|(parameter, _)| parameter.role == Role::Closed);
        self.found.closed.extend(given.filter_map(|(_, stream)| loaded(stream)));
    }

    fn is_defined(&self, id: DeclarationId) -> bool {
        self.program.functions.iter().any(|function| function.declaration == id)
    }

    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        self.program.types.pointee(ty)
    }

    fn is_function(&self, id: DeclarationId) -> bool {
        matches!(self.program.declaration(id).kind, DeclarationKind::Function { .. })
    }
}

/// The type of the object that is changed through a pointer where a place is written.
fn pointed_to(place: &Expr) -> Option<TypeId> {
    match &place.kind {
        ExprKind::Member(base, _) => pointed_to(base),
        ExprKind::Index(pointer, _) | ExprKind::Deref(pointer) => match &pointer.kind {
            ExprKind::Decay(array) | ExprKind::AddressOf(array) => pointed_to(array),
            _ => Some(place.ty),
        },
        _ => None,
    }
}

/// Is it a variable that other files know, and that is not constant?
fn is_shared(program: &Program, id: DeclarationId) -> bool {
    let declaration = program.declaration(id);
    let mut ty = declaration.ty;
    while let Type::Array(element, _) = program.types.get(ty) {
        ty = *element;
    }
    let is_constant = program.types.qualifiers(ty).contains(Qualifiers::CONST);
    declaration.kind == DeclarationKind::Variable(Storage::External) && !is_constant
}
