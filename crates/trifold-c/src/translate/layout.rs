//! How objects of C are laid out over the structs, fields and variables of heap programs.
//!
//! | of C | becomes |
//! | --- | --- |
//! | a number, an enumeration, a bit-field | a scalar of as many bits |
//! | a pointer to a function | a number: which of the functions whose address is taken, or 0 |
//! | a floating number | a scalar: its bits, which only runs know |
//! | an array of many numbers, a union of numbers | one scalar: a block of bytes, which only runs know |
//! | a pointer to a struct | a pointer to a struct |
//! | a pointer to anything else | a pointer to a *cell*, a struct with the one field `value` |
//! | a struct, or a small array, whose address is not taken | its leaves, one by one |
//! | a part whose address is taken | an embedded object |
//!
//! A part that cannot be laid out is opaque: it may lie somewhere in an object, but to use it is unsupported.

use super::Translator;
use super::forms::is_character;
use super::member::record_of;
use super::names::Taken;
use crate::types::{ArrayLength, FloatKind, RecordId, Type, TypeId, Types};
use std::rc::Rc;
use trifold_ir as ir;
use trifold_ir::{FieldId, Format, Scalar, Scope, StructId, VarId};
use trifold_source::Span;

/// Arrays of more elements are not taken apart.
const MAX_ELEMENTS: u64 = 16;
/// Objects with more leaves are not laid out.
const MAX_LEAVES: usize = 200;
/// Structs nested deeper than this are not laid out.
pub(super) const MAX_NESTING: u32 = 50;

/// The kind of value that is stored in a leaf.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Pointer(Option<StructId>),
    Scalar(Scalar),
    /// Of this format; others are not computed.
    Float(Option<Format>),
    Function,
}

/// The field of a character that has the block with the characters after it, where it may begin a string.
pub(super) const REST: &str = "rest";

pub(super) const U64: Scalar = Scalar::Int { signed: false, bits: 64 };

impl Kind {
    pub fn ty(self) -> ir::Type {
        match self {
            Kind::Pointer(target) => ir::Type::Pointer(target),
            Kind::Scalar(scalar) => ir::Type::Scalar(scalar),
            Kind::Float(_) | Kind::Function => ir::Type::Scalar(U64),
        }
    }
}

/// The format of floats that runs compute.
fn format_of(kind: FloatKind) -> Option<Format> {
    match kind {
        FloatKind::Float | FloatKind::Float32 => Some(Format::Single),
        FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => Some(Format::Double),
        _ => None,
    }
}

/// Where a leaf is stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Slot {
    Variable(VarId),
    Field(FieldId),
}

/// An object and its parts.
#[derive(Debug)]
pub(super) enum Tree {
    Leaf(Slot, Kind),
    /// Members or elements.
    Parts(Vec<Rc<Tree>>),
    /// Members that lie on top of each other, and all of their slots.
    Union(Vec<Rc<Tree>>, Vec<(Slot, Kind)>),
    /// A leaf of a union.
    Shared(Slot, Kind),
    /// An embedded object.
    Embedded(FieldId, StructId),
    /// Numbers that analyses do not tell apart: the block in one leaf, from this byte on.
    Data(Slot, ir::Expr),
    /// One of them, if it has bytes of its own from here on.
    Number(Slot, Kind, Option<ir::Expr>),
    /// An [array of pointers](super::pointer_array).
    Pointers,
    /// Not laid out, for this reason.
    Opaque(String),
}

/// The parts of a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    Struct(StructId),
    Variables(Scope),
}

impl Translator<'_> {
    /// The kind of values of a type, if it is a leaf.
    pub(super) fn kind(&mut self, ty: TypeId) -> Option<Kind> {
        let types = &self.c.types;
        match types.get(ty) {
            Type::Bool => Some(Kind::Scalar(Scalar::Bool)),
            Type::Float(kind) => Some(Kind::Float(format_of(*kind))),
            Type::Pointer(to) if self.is_walked(*to) => None,
            Type::Pointer(to) => Some(match types.get(*to) {
                Type::Function(_) => Kind::Function,
                Type::Void => Kind::Pointer(None),
                _ => Kind::Pointer(Some(self.struct_of(*to))),
            }),
            _ => {
                let kind = types.integer_kind(ty)?;
                let bits = u8::try_from(kind.size() * 8).ok().filter(|bits| *bits <= Scalar::MAX_BITS)?;
                Some(Kind::Scalar(Scalar::Int { signed: kind.is_signed(), bits }))
            }
        }
    }

    /// The struct of objects of a type: of a struct, or a cell.
    pub(super) fn struct_of(&mut self, ty: TypeId) -> StructId {
        if let Some(buffer) = self.buffer_of(ty) {
            return buffer;
        }
        if let Some(array) = self.pointer_array_of(ty) {
            return array.array;
        }
        let types = &self.c.types;
        if let Some(record) = record_of(types, ty) {
            if let Some(id) = self.layouts.records.get(&record) {
                return *id;
            }
            let (name, span) = (self.record_name(record), self.c.types.record(record).span);
            let id = self.new_struct(&name, ty, span);
            self.layouts.records.insert(record, id);
            return id;
        }
        // The target of a pointer to a pointer may be a cell that is on the way, so cells are told apart by type first.
        if let Some((_, id)) = self.layouts.cells.iter().find(|(cell, _)| self.same_cell(*cell, ty)) {
            return *id;
        }
        let name = match types.get(ty) {
            Type::Void => "memory".to_string(),
            Type::Pointer(_) if self.survey.mixed_pointers => "pointer".to_string(),
            _ => self.c.show(ty),
        };
        let id = self.new_struct(&name, ty, self.start_span());
        self.layouts.cells.push((ty, id));
        id
    }

    fn same_cell(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.c.types;
        let is_data_pointer = |ty| types.pointee(ty).is_some_and(|to| !matches!(types.get(to), Type::Function(_)));
        match (types.integer_kind(a), types.integer_kind(b)) {
            (Some(x), Some(y)) => {
                let is_bool = |ty| *types.get(ty) == Type::Bool;
                x.size() == y.size() && x.is_signed() == y.is_signed() && is_bool(a) == is_bool(b)
            }
            _ => {
                types.compatible(a, b, false) || self.survey.mixed_pointers && is_data_pointer(a) && is_data_pointer(b)
            }
        }
    }

    pub(super) fn new_struct(&mut self, name: &str, ty: TypeId, span: Span) -> StructId {
        self.layouts.types.push(ty);
        let name = self.names.structs.take(name, |_| false);
        self.ir.add_struct(&name, span)
    }

    /// The tag, or the name of a typedef.
    fn record_name(&self, record: RecordId) -> String {
        let tag = self.c.types.record(record).tag.map(|tag| self.c.text(tag).to_string());
        tag.or_else(|| self.typedef_name(record)).unwrap_or("anonymous".into())
    }

    /// How C names the type of a record, if it has a name.
    pub(super) fn record_type(&self, record: RecordId) -> Option<String> {
        let keyword = if self.c.types.record(record).is_union { "union" } else { "struct" };
        let tag = self.c.types.record(record).tag.map(|tag| format!("{keyword} {}", self.c.text(tag)));
        tag.or_else(|| self.typedef_name(record))
    }

    fn typedef_name(&self, record: RecordId) -> Option<String> {
        let named = self.c.declarations.iter().find(|declaration| {
            declaration.kind == crate::typed::DeclarationKind::Typedef
                && record_of(&self.c.types, declaration.ty) == Some(record)
        });
        named.and_then(|declaration| declaration.name).map(|name| self.c.text(name).to_string())
    }

    /// The C type of the objects of a struct.
    pub(super) fn type_of_struct(&self, id: StructId) -> TypeId {
        self.layouts.types[id.index()]
    }

    /// The parts of an object of a struct.
    pub(super) fn root(&mut self, id: StructId) -> Rc<Tree> {
        if let Some(tree) = self.layouts.roots.get(&id) {
            return tree.clone();
        }
        let ty = self.type_of_struct(id);
        let span = self.ir[id].span;
        let name = if record_of(&self.c.types, ty).is_some() { "" } else { "value" };
        let any = self.survey.mixed_pointers && self.c.types.pointee(ty).is_some();
        let tree = match self.kind(ty) {
            Some(Kind::Pointer(_)) if any => {
                let end = self.c.types.size(ty).unwrap_or(0);
                self.leaf(Home::Struct(id), name, Kind::Pointer(None), (0, end), span)
            }
            _ => self.lay_out(Home::Struct(id), ty, name, span),
        };
        self.add_extent(id, ty, span);
        if is_character(&self.c.types, ty) && (self.survey.copies_text || self.may_be_string(ty)) {
            self.ir.add_field(id, REST, ir::Type::Scalar(U64), false, span);
        }
        self.layouts.roots.insert(id, tree.clone());
        tree
    }

    /// Every struct gets its fields, also those that are only pointed to.
    pub(super) fn lay_out_all(&mut self) {
        let mut done = 0;
        while done < self.ir.structs.len() {
            self.root(StructId::from_index(done));
            done += 1;
        }
    }

    /// An object as a whole, in fields or variables of which the names begin with `name`.
    pub(super) fn lay_out(&mut self, home: Home, ty: TypeId, name: &str, span: Span) -> Rc<Tree> {
        if self.leaves(ty, MAX_NESTING).is_none_or(|leaves| leaves > MAX_LEAVES) {
            if is_pointer_free(&self.c.types, ty, MAX_NESTING) {
                return self.data(home, name, self.c.types.size(ty).unwrap_or(0), span);
            }
            return Rc::new(Tree::Opaque(format!("an object of type `{}`", self.c.show(ty))));
        }
        self.tree(home, ty, name, 0, span)
    }

    /// How many leaves an object has, if it is not nested too deep.
    fn leaves(&self, ty: TypeId, depth: u32) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        match self.c.types.get(ty) {
            _ if is_data(&self.c.types, ty) => Some(1),
            Type::Record(id) => {
                let mut sum = 1;
                for member in self.c.types.record(*id).members.iter().flatten() {
                    sum = self.leaves(member.ty, depth)?.saturating_add(sum);
                    if sum > MAX_LEAVES {
                        break;
                    }
                }
                Some(sum)
            }
            Type::Array(element, ArrayLength::Known(length @ ..=MAX_ELEMENTS)) => {
                Some(self.leaves(*element, depth)?.saturating_mul(*length as usize).saturating_add(1))
            }
            _ => Some(1),
        }
    }

    /// The parts of an object that begins somewhere in another one.
    fn tree(&mut self, home: Home, ty: TypeId, name: &str, start: u64, span: Span) -> Rc<Tree> {
        let end = start + self.c.types.size(ty).unwrap_or(0);
        if is_data(&self.c.types, ty) {
            return self.data(home, name, end, span);
        }
        match self.c.types.get(ty).clone() {
            Type::Record(id) if self.c.types.record(id).is_union => self.union_tree(home, id, ty, name, start),
            Type::Record(id) => Rc::new(Tree::Parts(self.record_parts(home, id, name, start))),
            Type::Array(element, ArrayLength::Known(length @ ..=MAX_ELEMENTS)) => {
                let outlined = self.survey.arrays.contains(&ty);
                let size = self.c.types.size(element).unwrap_or(0);
                let part = |index| {
                    let start = start + index * size;
                    self.lay_out_part(home, element, &format!("{name}.{index}"), outlined, start, span)
                };
                Rc::new(Tree::Parts((0..length).map(part).collect()))
            }
            Type::Pointer(_) if self.is_walker(ty) => self.walker_tree(home, ty, name, (start, end), span),
            _ => match self.kind(ty) {
                Some(kind) => self.leaf(home, name, kind, (start, end), span),
                None => Rc::new(Tree::Opaque(format!("an object of type `{}`", self.c.show(ty)))),
            },
        }
    }

    /// The members of a struct or union.
    pub(super) fn record_parts(&mut self, home: Home, id: RecordId, name: &str, start: u64) -> Vec<Rc<Tree>> {
        let members = self.c.types.record(id).members.clone().unwrap_or_default();
        let parts = members.iter().enumerate().map(|(index, member)| {
            let name = match member.name {
                Some(symbol) if name.is_empty() => self.c.text(symbol).to_string(),
                Some(symbol) => format!("{name}.{}", self.c.text(symbol)),
                None => name.to_string(),
            };
            if let Some(bits) = member.bits {
                let bits_end = bits.offset + bits.width;
                let signed = self.c.types.integer_kind(member.ty).is_some_and(|kind| kind.is_signed());
                let is_bool = *self.c.types.get(member.ty) == Type::Bool;
                let bits = u8::try_from(bits.width).unwrap_or(Scalar::MAX_BITS).clamp(1, Scalar::MAX_BITS);
                let scalar = if is_bool { Scalar::Bool } else { Scalar::Int { signed, bits } };
                let first = start + member.offset;
                let end = first + u64::from(bits_end.div_ceil(8));
                let (kind, range) = (Kind::Scalar(scalar), (first, end));
                let slot = self.slot(home, &name, kind, range, member.span);
                self.overlay.iter_mut().for_each(|overlay| overlay.add(slot, kind, range, true));
                return Rc::new(Tree::Leaf(slot, kind));
            }
            let outlined = self.survey.members.contains(&(id, index));
            self.lay_out_part(home, member.ty, &name, outlined, start + member.offset, member.span)
        });
        parts.collect()
    }

    fn data(&mut self, home: Home, name: &str, end: u64, span: Span) -> Rc<Tree> {
        if self.overlay.is_some() {
            return Rc::new(Tree::Opaque("numbers that lie in a union with pointers".to_string()));
        }
        let slot = self.slot(home, name, Kind::Scalar(U64), (0, end), span);
        Rc::new(Tree::Data(slot, ir::Expr::Constant(0, U64)))
    }

    pub(super) fn lay_out_part(
        &mut self,
        home: Home,
        ty: TypeId,
        name: &str,
        outlined: bool,
        start: u64,
        span: Span,
    ) -> Rc<Tree> {
        // An array over which pointers walk is one object.
        let is_walked =
            self.survey.arrays.contains(&ty) && (self.buffer_of(ty).is_some() || self.pointer_array_of(ty).is_some());
        match home {
            Home::Struct(structure) if outlined || is_walked => {
                let part = self.struct_of(ty);
                let name = self.field_name(structure, name);
                let field = self.ir.add_field(structure, &name, ir::Type::Pointer(Some(part)), true, span);
                self.layouts.ends.insert(field, start + self.c.types.size(ty).unwrap_or(0));
                self.layouts.embedded.insert(field, ty);
                Rc::new(Tree::Embedded(field, part))
            }
            _ => self.tree(home, ty, name, start, span),
        }
    }

    fn leaf(&mut self, home: Home, name: &str, kind: Kind, (start, end): (u64, u64), span: Span) -> Rc<Tree> {
        if let Some(slot) = self.overlay.as_ref().and_then(|overlay| overlay.known(kind, start, end)) {
            return Rc::new(Tree::Leaf(slot, kind));
        }
        let slot = self.slot(home, name, kind, (start, end), span);
        self.overlay.iter_mut().for_each(|overlay| overlay.add(slot, kind, (start, end), false));
        Rc::new(Tree::Leaf(slot, kind))
    }

    /// A field or variable for some bytes of an object.
    pub(super) fn slot(&mut self, home: Home, name: &str, kind: Kind, (_, end): (u64, u64), span: Span) -> Slot {
        match home {
            Home::Struct(structure) => {
                let name = self.field_name(structure, name);
                let field = self.ir.add_field(structure, &name, kind.ty(), false, span);
                self.layouts.ends.insert(field, end);
                Slot::Field(field)
            }
            Home::Variables(scope) => Slot::Variable(self.new_variable(name, kind.ty(), scope, span)),
        }
    }

    fn field_name(&self, structure: StructId, name: &str) -> String {
        let fields = self.ir[structure].fields.iter().map(|field| self.ir[*field].name.clone());
        Taken::of(fields).take(name, |_| false)
    }

    /// A variable whose name is, if possible, the one that is wanted.
    pub(super) fn new_variable(&mut self, name: &str, ty: ir::Type, scope: Scope, span: Span) -> VarId {
        let names = &mut self.names;
        let unique = match scope {
            // Procedures that have been translated may use the name.
            Scope::Global => names.globals.take(name, |name| names.variables.contains(name)),
            Scope::Parameter(procedure) | Scope::Local(procedure) if procedure == self.body.procedure => {
                self.body.names.take(name, |name| names.globals.contains(name))
            }
            Scope::Parameter(procedure) | Scope::Local(procedure) => {
                let variables = self.ir[procedure].variables().map(|variable| self.ir[variable].name.clone());
                Taken::of(variables).take(name, |name| names.globals.contains(name))
            }
        };
        self.names.variables.insert(&unique);
        self.ir.add_variable(&unique, ty, scope, span)
    }
}

/// Is it an array of many numbers, or a union of numbers? Those are not told apart.
pub(super) fn is_data(types: &Types, ty: TypeId) -> bool {
    let many = match types.get(ty) {
        Type::Array(_, ArrayLength::Known(length)) => *length > MAX_ELEMENTS,
        Type::Record(id) => types.record(*id).is_union,
        _ => false,
    };
    many && is_pointer_free(types, ty, MAX_NESTING)
}

/// Is there no pointer in it, and is it a number that is told or several?
pub(super) fn is_pointer_free(types: &Types, ty: TypeId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match types.get(ty) {
        Type::Float(_) => true,
        Type::Array(element, ArrayLength::Known(_)) => is_pointer_free(types, *element, depth),
        Type::Record(id) => match &types.record(*id).members {
            Some(members) => members.iter().all(|member| is_pointer_free(types, member.ty, depth)),
            None => false,
        },
        _ => types.is_integer(ty) && types.size(ty).is_some_and(|size| size <= 8),
    }
}
