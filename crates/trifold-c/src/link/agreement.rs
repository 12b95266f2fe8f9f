//! Which structs, unions and enumerations of several files are the same [C11 6.2.7].
//!
//! Two structs of different files are compatible if they have the same tag and, where both are complete, the same
//! members in the same order: names, types that are compatible, bit-fields of the same width. Members may lead back to
//! the struct, so that two structs are taken to be the same while their members are compared, and what was taken to be
//! so is taken back if a difference is found. For example, `struct node { struct node *next; };` of two files is one
//! struct, and two files that each have a private `struct state` of their own have two.

use crate::names::Symbol;
use crate::types::{ArrayLength, EnumId, FloatKind, FunctionType, IntKind, Record, RecordId, Type, TypeId, Types};
use std::collections::BTreeMap;

/// Structs, unions and enumerations that are known to be the same.
pub(super) struct Agreement<'t> {
    types: &'t Types,
    /// For each struct or union, another one that is the same, or itself.
    records: Vec<u32>,
    enums: Vec<u32>,
    /// The entries of `records` and `enums` that were changed by the comparison at hand.
    changed: Vec<(bool, u32)>,
    /// The structs of the last comparison that are not the same, if it failed because of such.
    pub difference: Option<(RecordId, RecordId)>,
}

/// Types to be compared, and the structs that they are members of.
type Open = Vec<(TypeId, TypeId, Option<(RecordId, RecordId)>)>;

impl<'t> Agreement<'t> {
    /// No two are the same.
    pub fn new(types: &'t Types) -> Agreement<'t> {
        let (records, enums) = types.counts();
        Agreement {
            types,
            records: (0..records as u32).collect(),
            enums: (0..enums as u32).collect(),
            changed: Vec::new(),
            difference: None,
        }
    }

    /// The one that stands for a struct or union and all that are the same.
    pub fn record(&self, id: RecordId) -> RecordId {
        RecordId(root(&self.records, id.0))
    }

    /// The one that stands for an enumeration and all that are the same.
    pub fn enumeration(&self, id: EnumId) -> EnumId {
        EnumId(root(&self.enums, id.0))
    }

    /// Are two types compatible? Then the structs in them are the same from now on.
    pub fn agree(&mut self, a: TypeId, b: TypeId) -> bool {
        self.difference = None;
        let agrees = self.compare(a, b);
        let changed = std::mem::take(&mut self.changed);
        if !agrees {
            for (is_record, id) in changed {
                if is_record {
                    self.records[id as usize] = id;
                } else {
                    self.enums[id as usize] = id;
                }
            }
        }
        agrees
    }

    /// Makes the structs and unions the same that are compatible, although no name that files share says so: their
    /// values may go from file to file through memory.
    pub fn unite_all(&mut self) {
        let type_of = |id| self.types.of_record(id);
        let mut known: BTreeMap<Key, Vec<RecordId>> = BTreeMap::new();
        for (id, record) in self.types.records() {
            let (true, Some(ty)) = (record.members.is_some(), type_of(id)) else { continue };
            let same = known.entry(Key::of(record)).or_default();
            if same.iter().any(|other| self.record(*other) == self.record(id)) {
                continue;
            }
            if !same.iter().any(|other| type_of(*other).is_some_and(|other| self.agree(other, ty))) {
                same.push(id);
            }
        }
        // A struct that only its tag is known of is the one of this tag, if there is just one.
        for (id, record) in self.types.records() {
            let root = self.record(id);
            if record.members.is_some() || self.types.record(root).members.is_some() || record.tag.is_none() {
                continue;
            }
            let complete = known.iter().filter(|(key, _)| key.tag == record.tag && key.is_union == record.is_union);
            let mut complete: Vec<RecordId> = complete.flat_map(|(_, ids)| ids).map(|id| self.record(*id)).collect();
            complete.dedup();
            if let [only] = complete[..] {
                self.records[root.0 as usize] = only.0;
            }
        }
    }

    fn compare(&mut self, a: TypeId, b: TypeId) -> bool {
        let mut open: Open = vec![(a, b, None)];
        while let Some((a, b, within)) = open.pop() {
            if a == b {
                continue;
            }
            let agrees = match (self.types.get(a), self.types.get(b)) {
                (Type::Error, _) | (_, Type::Error) => true,
                (Type::Pointer(a), Type::Pointer(b)) => self.parts((*a, *b), within, &mut open),
                (Type::Array(a, m), Type::Array(b, n)) => {
                    let lengths = match (m, n) {
                        (ArrayLength::Known(m), ArrayLength::Known(n)) => m == n,
                        _ => true,
                    };
                    lengths && self.parts((*a, *b), within, &mut open)
                }
                (Type::Vector(a, m), Type::Vector(b, n)) => m == n && self.parts((*a, *b), within, &mut open),
                (Type::Function(a), Type::Function(b)) => self.functions(a, b, within, &mut open),
                (Type::Enum(id), Type::Integer(kind)) | (Type::Integer(kind), Type::Enum(id)) => {
                    self.types.enumeration(*id).underlying == *kind
                }
                (Type::Enum(a), Type::Enum(b)) => self.same_enumeration(*a, *b),
                (Type::Record(a), Type::Record(b)) => self.same_record(*a, *b, &mut open),
                (a, b) => a == b,
            };
            if !agrees {
                let records = match (self.types.get(a), self.types.get(b)) {
                    (Type::Record(a), Type::Record(b)) => Some((*a, *b)),
                    _ => None,
                };
                self.difference = records.or(within);
                return false;
            }
        }
        true
    }

    /// Parts of types must have the same qualifiers.
    fn parts(&self, (a, b): (TypeId, TypeId), within: Option<(RecordId, RecordId)>, open: &mut Open) -> bool {
        open.push((a, b, within));
        self.types.qualifiers(a) == self.types.qualifiers(b)
    }

    /// The types of functions agree if those of their results and parameters do. Without a prototype arguments are
    /// promoted, and parameters must have types of promoted values [C11 6.7.6.3].
    fn functions(
        &self,
        a: &FunctionType,
        b: &FunctionType,
        within: Option<(RecordId, RecordId)>,
        open: &mut Open,
    ) -> bool {
        open.push((a.result, b.result, within));
        let is_promoted = |ty: &TypeId| match self.types.get(*ty) {
            Type::Float(kind) => *kind != FloatKind::Float,
            _ => self.types.integer_kind(*ty).is_none_or(|kind| kind.rank() >= IntKind::Int.rank()),
        };
        match (a.prototype, b.prototype) {
            (true, true) => {
                open.extend(a.parameters.iter().zip(&b.parameters).map(|(a, b)| (*a, *b, within)));
                a.variadic == b.variadic && a.parameters.len() == b.parameters.len()
            }
            (false, false) => true,
            (true, false) => !a.variadic && a.parameters.iter().all(is_promoted),
            (false, true) => !b.variadic && b.parameters.iter().all(is_promoted),
        }
    }

    fn same_enumeration(&mut self, a: EnumId, b: EnumId) -> bool {
        let (a, b) = (self.enumeration(a), self.enumeration(b));
        if a == b {
            return true;
        }
        let (first, second) = (self.types.enumeration(a), self.types.enumeration(b));
        let same_kind = first.underlying == second.underlying || !first.complete || !second.complete;
        let same = first.tag == second.tag && same_kind;
        if same {
            let (from, to) = if first.complete { (b, a) } else { (a, b) };
            self.enums[from.0 as usize] = to.0;
            self.changed.push((false, from.0));
        }
        same
    }

    fn same_record(&mut self, a: RecordId, b: RecordId, open: &mut Open) -> bool {
        let within = Some((a, b));
        let (a, b) = (self.record(a), self.record(b));
        if a == b {
            return true;
        }
        let (first, second) = (self.types.record(a), self.types.record(b));
        if first.tag != second.tag || first.is_union != second.is_union {
            return false;
        }
        let (from, to) = if first.members.is_some() { (b, a) } else { (a, b) };
        self.records[from.0 as usize] = to.0;
        self.changed.push((true, from.0));
        let (Some(members), Some(others)) = (&first.members, &second.members) else { return true };
        let alike = members.len() == others.len()
            && (first.size, first.align, first.transparent) == (second.size, second.align, second.transparent)
            && members.iter().zip(others).all(|(a, b)| (a.name, a.offset, a.bits) == (b.name, b.offset, b.bits));
        alike && members.iter().zip(others).all(|(a, b)| self.parts((a.ty, b.ty), within, open))
    }
}

/// Structs that are the same agree in this.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    tag: Option<Symbol>,
    is_union: bool,
    size: u64,
    first: Option<Symbol>,
}

impl Key {
    fn of(record: &Record) -> Key {
        let first = record.members.as_ref().and_then(|members| members.first()).and_then(|member| member.name);
        Key { tag: record.tag, is_union: record.is_union, size: record.size, first }
    }
}

fn root(parents: &[u32], mut id: u32) -> u32 {
    while parents[id as usize] != id {
        id = parents[id as usize];
    }
    id
}
