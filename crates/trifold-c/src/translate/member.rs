//! Members by their place in memory: the first member that has the address of its struct, and `container_of`.
//!
//! For example, `(struct item *)((char *)p - offsetof(struct item, link))` is the item around the link that `p` points
//! to.

use crate::constant::Constants;
use crate::typed::{BinaryOperator, Expr, ExprKind};
use crate::types::{RecordId, Type, TypeId, Types};

/// A cast from the address of a member back to its struct.
pub(super) struct Container<'a> {
    /// The address of the member.
    pub pointer: &'a Expr,
    /// The struct.
    pub record: TypeId,
    /// From the struct to the member.
    pub path: Vec<usize>,
}

/// The struct or union that a type is.
pub(super) fn record_of(types: &Types, ty: TypeId) -> Option<RecordId> {
    match types.get(ty) {
        Type::Record(id) => Some(*id),
        _ => None,
    }
}

/// The members that lead from a struct to the part of type `target` that lies at an offset.
pub(super) fn member_at(types: &Types, record: RecordId, offset: u64, target: TypeId) -> Option<Vec<usize>> {
    let structure = types.record(record);
    if structure.is_union {
        return None;
    }
    structure.members.iter().flatten().enumerate().find_map(|(index, member)| {
        let within = offset.checked_sub(member.offset)?;
        if member.bits.is_some() || within >= types.size(member.ty)? {
            return None;
        }
        if within == 0 && types.compatible(member.ty, target, false) {
            return Some(vec![index]);
        }
        let mut path = member_at(types, record_of(types, member.ty)?, within, target)?;
        path.insert(0, index);
        Some(path)
    })
}

/// How one pointer type becomes another when both may point to the same address.
pub(super) enum FirstMember {
    /// From a struct to its first member, or a first member of that.
    Down(TypeId, Vec<usize>),
    /// From a first member to its struct.
    Up(TypeId, Vec<usize>),
}

/// Is one of the types the first part of the other?
pub(super) fn first_member(types: &Types, from: TypeId, to: TypeId) -> Option<FirstMember> {
    let part = |record: TypeId, part| Some((record, member_at(types, record_of(types, record)?, 0, part)?));
    match part(from, to) {
        Some((record, path)) => Some(FirstMember::Down(record, path)),
        None => part(to, from).map(|(record, path)| FirstMember::Up(record, path)),
    }
}

/// The operand without conversions from pointer to pointer.
fn without_pointer_casts<'a>(types: &Types, expr: &'a Expr) -> &'a Expr {
    match &expr.kind {
        ExprKind::Convert { operand, .. }
            if types.pointee(expr.ty).is_some() && types.pointee(operand.ty).is_some() =>
        {
            without_pointer_casts(types, operand)
        }
        _ => expr,
    }
}

/// Recognises `(struct s *)((char *)p - offset)`, where a part of the type that `p` points to lies at that offset; also
/// with addresses as integers.
pub(super) fn container_of<'a>(constants: Constants<'_>, expr: &'a Expr) -> Option<Container<'a>> {
    let types = constants.types;
    let ExprKind::Convert { operand, .. } = &expr.kind else { return None };
    let record = types.pointee(expr.ty)?;
    let operand = without_pointer_casts(types, operand);
    let (pointer, offset) = match &operand.kind {
        ExprKind::PointerOffset { pointer, index, backwards } if types.size(types.pointee(operand.ty)?) == Some(1) => {
            let index = constants.integer(index)?;
            (&**pointer, if *backwards { index } else { index.checked_neg()? })
        }
        ExprKind::Binary(BinaryOperator::Sub, left, right) => match &left.kind {
            ExprKind::Convert { operand: pointer, .. } if types.size(left.ty) == Some(8) => {
                (&**pointer, constants.integer(right)?)
            }
            _ => return None,
        },
        _ => return None,
    };
    let pointer = without_pointer_casts(types, pointer);
    let path = member_at(types, record_of(types, record)?, u64::try_from(offset).ok()?, types.pointee(pointer.ty)?)?;
    Some(Container { pointer, record, path })
}
