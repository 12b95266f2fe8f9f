//! Resolved types: typedefs are expanded, structs, unions and enumerations have identities, equal types have equal ids.
//!
//! Qualifiers, and an alignment that a typedef gives, belong to a [`TypeId`] but not to the [`Type`] that
//! [`Types::get`] gives, because the kind of a type does not depend on them. For example, `const int` and `int` have
//! different ids and the same [`Type`].

mod basic;
mod display;
mod layout;
mod merge;
mod relations;

pub(crate) use basic::Basic;
pub use basic::{FloatKind, IntKind, Qualifiers};
pub(crate) use layout::{Alignment, NewMember};

use crate::limits::MAX_TYPE_DEPTH;
use crate::names::Symbol;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use trifold_source::Span;

/// Identifies a type, with its qualifiers. Equal types have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(u32);

impl TypeId {
    /// Counts from zero in the order in which types were first met.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Identifies a struct or union.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub(crate) u32);

/// Identifies an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnumId(pub(crate) u32);

/// A type without its qualifiers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// The type of an expression that could not be typed; an error was reported. It goes with every type, so that one
    /// mistake is one message.
    Error,
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer.
    Integer(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// A complex type.
    Complex(FloatKind),
    /// An enumeration.
    Enum(EnumId),
    /// A pointer.
    Pointer(TypeId),
    /// An array.
    Array(TypeId, ArrayLength),
    /// A function.
    Function(Arc<FunctionType>),
    /// A struct or union.
    Record(RecordId),
    /// A vector of GNU C: the type of its elements and their number.
    Vector(TypeId, u64),
}

/// How many elements an array has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLength {
    /// So many.
    Known(u64),
    /// Nothing is said, or it is a flexible member.
    Unknown,
    /// As many as an expression said when the declaration was reached; an index into
    /// [`Program::lengths`](crate::Program::lengths).
    Variable(u32),
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// The type that it returns.
    pub result: TypeId,
    /// The types of its parameters, after arrays and functions have become pointers.
    pub parameters: Vec<TypeId>,
    /// May more arguments follow?
    pub variadic: bool,
    /// Are the parameters known? Not so for `f()`.
    pub prototype: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// A union?
    pub is_union: bool,
    /// Where it was first named.
    pub span: Span,
    /// Its members, once it is complete.
    pub members: Option<Vec<Member>>,
    /// Size in bytes, once it is complete.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// May an argument have the type of any member?
    pub transparent: bool,
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name; an anonymous struct or union has none.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: TypeId,
    /// First byte; of a bit-field, the first byte of the unit that it lies in.
    pub offset: u64,
    /// For bit-fields.
    pub bits: Option<BitField>,
    /// Where it is declared.
    pub span: Span,
}

/// The place of a bit-field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// First bit, counted from that of the member's byte offset.
    pub offset: u32,
    /// Bits.
    pub width: u32,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Where it was first named.
    pub span: Span,
    /// The integer type that it is.
    pub underlying: IntKind,
    /// Are its constants known?
    pub complete: bool,
}

/// The properties that distinguish ids of the same type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Variant {
    qualifiers: Qualifiers,
    /// Alignment in bytes, where it is not that of the type.
    align: Option<u64>,
}

impl Variant {
    const PLAIN: Variant = Variant { qualifiers: Qualifiers::NONE, align: None };
}

#[derive(Debug)]
struct Entry {
    ty: Type,
    variant: Variant,
    depth: u16,
}

/// How many bits `long` and pointers have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Target {
    /// 64, as on x86-64.
    #[default]
    Lp64,
    /// 32, as on x86.
    Ilp32,
}

/// All types of a program.
#[derive(Debug)]
pub struct Types {
    /// What the program is for.
    pub target: Target,
    entries: Vec<Entry>,
    ids: FxHashMap<(Type, Variant), TypeId>,
    records: Vec<Record>,
    enums: Vec<Enumeration>,
}

impl Default for Types {
    fn default() -> Self {
        Types::new(Target::Lp64)
    }
}

impl Types {
    /// The types of programs for a target.
    pub fn new(target: Target) -> Types {
        let (entries, ids) = (Vec::new(), FxHashMap::default());
        let mut types = Types { target, entries, ids, records: Vec::new(), enums: Vec::new() };
        let size = match target {
            Target::Lp64 => IntKind::ULong,
            Target::Ilp32 => IntKind::UInt,
        };
        for ty in [Type::Error, Type::Void, Type::Bool, Type::Integer(IntKind::Int), Type::Integer(size)] {
            types.intern(ty);
        }
        types
    }

    /// [`Type::Error`].
    pub const ERROR: TypeId = TypeId(0);
    /// `void`.
    pub const VOID: TypeId = TypeId(1);
    /// `_Bool`.
    pub const BOOL: TypeId = TypeId(2);
    /// `int`.
    pub const INT: TypeId = TypeId(3);
    /// The type of sizes: `unsigned long`, or `unsigned int` of a target with 32 bits.
    pub const SIZE: TypeId = TypeId(4);

    /// The id of a type without qualifiers.
    pub(crate) fn intern(&mut self, ty: Type) -> TypeId {
        self.intern_variant(ty, Variant::PLAIN)
    }

    fn intern_variant(&mut self, ty: Type, variant: Variant) -> TypeId {
        let key = (ty, variant);
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let depth = 1 + match &key.0 {
            Type::Pointer(to) | Type::Array(to, _) | Type::Vector(to, _) => self.depth(*to),
            Type::Function(function) => {
                let parts = function.parameters.iter().copied().chain([function.result]);
                parts.map(|part| self.depth(part)).max().unwrap_or(0)
            }
            _ => 0,
        };
        let id = TypeId(self.entries.len() as u32);
        self.entries.push(Entry { ty: key.0.clone(), variant, depth });
        self.ids.insert(key, id);
        id
    }

    fn depth(&self, id: TypeId) -> u16 {
        self.entries[id.0 as usize].depth
    }

    /// Is the type so deep that recursion over it is not safe?
    pub(crate) fn is_too_deep(&self, id: TypeId) -> bool {
        self.depth(id) > MAX_TYPE_DEPTH
    }

    /// The type without its qualifiers.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.entries[id.0 as usize].ty
    }

    /// The qualifiers of a type.
    pub fn qualifiers(&self, id: TypeId) -> Qualifiers {
        self.variant(id).qualifiers
    }

    fn variant(&self, id: TypeId) -> Variant {
        self.entries[id.0 as usize].variant
    }

    /// The type with more qualifiers. Those of an array are those of its elements.
    pub(crate) fn qualified(&mut self, id: TypeId, more: Qualifiers) -> TypeId {
        if self.qualifiers(id).contains(more) {
            return id;
        }
        match *self.get(id) {
            Type::Array(element, length) => {
                let element = self.qualified(element, more);
                self.intern(Type::Array(element, length))
            }
            _ => {
                let variant = Variant { qualifiers: self.qualifiers(id) | more, ..self.variant(id) };
                self.intern_variant(self.get(id).clone(), variant)
            }
        }
    }

    /// The type with another alignment.
    pub(crate) fn aligned(&mut self, id: TypeId, align: u64) -> TypeId {
        let variant = Variant { align: Some(align), ..self.variant(id) };
        self.intern_variant(self.get(id).clone(), variant)
    }

    /// The type without qualifiers and alignment of its own: that of a value.
    pub(crate) fn unqualified(&mut self, id: TypeId) -> TypeId {
        if self.variant(id) == Variant::PLAIN { id } else { self.intern(self.get(id).clone()) }
    }

    /// A pointer to a type.
    pub(crate) fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    /// An integer type, as it is written.
    pub(crate) fn integer(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Integer(self.written(kind)))
    }

    /// The kind of integers that is written like this.
    pub(crate) fn written(&self, kind: IntKind) -> IntKind {
        match (self.target, kind) {
            (Target::Ilp32, IntKind::Long) => IntKind::Long32,
            (Target::Ilp32, IntKind::ULong) => IntKind::ULong32,
            _ => kind,
        }
    }

    /// The kind of a constant of a kind of 64 bits: `long` if it has enough of them.
    pub(crate) fn of_constant(&self, kind: IntKind, value: i128) -> IntKind {
        let written = self.written(kind);
        match (kind, (written.minimum()..=written.maximum()).contains(&value)) {
            (IntKind::Long, false) => IntKind::LongLong,
            (IntKind::ULong, false) => IntKind::ULongLong,
            _ => kind,
        }
    }

    /// The struct or union of an id.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub(crate) fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    /// All structs and unions, in the order in which they were first named.
    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.records.iter().enumerate().map(|(index, record)| (RecordId(index as u32), record))
    }

    /// A new struct or union without members.
    pub(crate) fn new_record(&mut self, tag: Option<Symbol>, is_union: bool, span: Span) -> RecordId {
        let record = Record { tag, is_union, span, members: None, size: 0, align: 1, transparent: false };
        self.records.push(record);
        RecordId(self.records.len() as u32 - 1)
    }

    /// The enumeration of an id.
    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id.0 as usize]
    }

    pub(crate) fn enumeration_mut(&mut self, id: EnumId) -> &mut Enumeration {
        &mut self.enums[id.0 as usize]
    }

    pub(crate) fn new_enumeration(&mut self, tag: Option<Symbol>, span: Span) -> EnumId {
        self.enums.push(Enumeration { tag, span, underlying: IntKind::UInt, complete: false });
        EnumId(self.enums.len() as u32 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_types_have_equal_ids() {
        let mut types = Types::default();
        let a = types.pointer(Types::INT);
        assert_eq!(types.pointer(Types::INT), a);
        let constant = types.qualified(a, Qualifiers::CONST);
        assert_ne!(constant, a);
        assert_eq!(types.get(constant), types.get(a));
        assert_eq!(types.unqualified(constant), a);
    }

    #[test]
    fn qualifiers_of_an_array_are_those_of_its_elements() {
        let mut types = Types::default();
        let array = types.intern(Type::Array(Types::INT, ArrayLength::Known(3)));
        let constant = types.qualified(array, Qualifiers::CONST);
        let Type::Array(element, _) = *types.get(constant) else { panic!() };
        assert!(types.qualifiers(element).contains(Qualifiers::CONST));
    }
}
