//! Sizes, alignments and offsets, as the System V ABI for x86-64 lays them out, or that for x86. For example,
//! `struct { char a; int b; }` has 8 bytes, with `b` at offset 4.

use super::{ArrayLength, BitField, FloatKind, Member, RecordId, Target, Type, TypeId, Types};
use crate::limits::MAX_OBJECT_SIZE;

/// The declaration of a member.
pub(crate) struct NewMember {
    pub member: Member,
    /// Width of a bit-field; its place is computed.
    pub width: Option<u64>,
    pub alignment: Alignment,
}

/// The alignment that attributes ask for, of a member or record.
#[derive(Clone, Copy, Default)]
pub(crate) struct Alignment {
    pub packed: bool,
    /// The strictest of the `aligned` attributes.
    pub at_least: Option<u64>,
}

impl Types {
    /// The size in bytes, if it is known: not that of incomplete types and of arrays of variable length. As in GNU C
    /// the size of `void` and of functions is 1.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Error => None,
            Type::Void | Type::Bool | Type::Function(_) => Some(1),
            Type::Integer(kind) => Some(kind.size()),
            Type::Enum(id) => Some(self.enumeration(*id).underlying.size()),
            Type::Float(kind) => Some(self.float_size(*kind)),
            Type::Complex(kind) => Some(2 * self.float_size(*kind)),
            Type::Pointer(_) => Some(if self.target == Target::Ilp32 { 4 } else { 8 }),
            Type::Array(element, ArrayLength::Known(length)) => self.size(*element)?.checked_mul(*length),
            Type::Array(..) => None,
            Type::Vector(element, length) => self.size(*element)?.checked_mul(*length),
            Type::Record(id) => {
                let record = self.record(*id);
                record.members.is_some().then_some(record.size)
            }
        }
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match (self.target, kind) {
            (Target::Ilp32, FloatKind::LongDouble | FloatKind::Float64x) => 12,
            _ => kind.size(),
        }
    }

    /// The largest alignment of numbers and pointers.
    fn widest(&self) -> u64 {
        match self.target {
            Target::Lp64 => u64::MAX,
            Target::Ilp32 => 4,
        }
    }

    /// The alignment in bytes.
    pub fn align(&self, id: TypeId) -> u64 {
        if let Some(align) = self.variant(id).align {
            return align;
        }
        match self.get(id) {
            Type::Array(element, _) => self.align(*element),
            Type::Record(id) => self.record(*id).align,
            Type::Complex(kind) => kind.size().min(self.widest()),
            Type::Vector(..) => self.size(id).unwrap_or(1).max(1),
            _ => self.size(id).unwrap_or(1).max(1).min(self.widest()),
        }
    }

    /// Is anything missing that would be needed to make an object of this type?
    pub fn is_incomplete(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Void => true,
            Type::Array(_, ArrayLength::Unknown) => true,
            Type::Array(element, _) => self.is_incomplete(*element),
            Type::Record(id) => self.record(*id).members.is_none(),
            _ => false,
        }
    }

    /// Completes a struct or union: gives its members their places. `Err` says that it is too large.
    pub(crate) fn lay_out(&mut self, id: RecordId, members: Vec<NewMember>, alignment: Alignment) -> Result<(), ()> {
        let is_union = self.record(id).is_union;
        // In bits, and wide enough that no sum of sizes overflows.
        let (mut next, mut end, mut align) = (0u128, 0u128, 1u64);
        let mut placed = Vec::with_capacity(members.len());
        for NewMember { mut member, width, alignment: own } in members {
            let packed = alignment.packed || own.packed;
            let size = u128::from(self.size(member.ty).unwrap_or(0)) * 8;
            let natural = if packed { 1 } else { self.align(member.ty) };
            let mut member_align = natural.max(own.at_least.unwrap_or(1));
            let start = if is_union { 0 } else { next };
            let offset = match width {
                // The next member starts a new unit, and without one the struct ends there. No packing changes that.
                Some(0) => {
                    let unit = self.align(member.ty).max(own.at_least.unwrap_or(1));
                    next = start.next_multiple_of(u128::from(unit) * 8);
                    end = end.max(next);
                    continue;
                }
                Some(width) => {
                    let unit = self.align(member.ty);
                    let start = own.at_least.map_or(start, |align| start.next_multiple_of(u128::from(align) * 8));
                    let first = bit_field_start(start, width.into(), size, unit, packed);
                    let base = if packed { first / 8 } else { first / (u128::from(unit) * 8) * u128::from(unit) };
                    member.bits = Some(BitField { offset: (first - base * 8) as u32, width: width as u32 });
                    next = first + u128::from(width);
                    // An unnamed bit-field does not align its struct.
                    member_align = if member.name.is_none() { 1 } else { member_align };
                    base
                }
                None => {
                    let first = start.next_multiple_of(u128::from(member_align) * 8);
                    next = first + size;
                    first / 8
                }
            };
            align = align.max(member_align);
            end = end.max(next);
            if offset > u128::from(MAX_OBJECT_SIZE) || end / 8 > u128::from(MAX_OBJECT_SIZE) {
                return Err(());
            }
            member.offset = offset as u64;
            if member.name.is_some() || member.bits.is_none() {
                placed.push(member);
            }
        }
        let align = align.max(alignment.at_least.unwrap_or(1));
        let record = self.record_mut(id);
        record.size = (end.div_ceil(8).next_multiple_of(u128::from(align))) as u64;
        record.align = align;
        record.members = Some(placed);
        Ok(())
    }
}

/// The first bit of a bit-field, which does not cross the boundary of a unit of its type.
fn bit_field_start(start: u128, width: u128, size: u128, align: u64, packed: bool) -> u128 {
    let unit = u128::from(align) * 8;
    let crosses = size > 0 && start / unit * unit + size < start + width;
    if packed || !crosses { start } else { start.next_multiple_of(unit) }
}
