//! Forms of expressions: questions that a typed tree answers by itself. For example, `f(x)` calls `f` by its name, and
//! `(char *)"text"` is a string.

use crate::literal::{Encoding, StringLiteral};
use crate::typed::{DeclarationId, Expr, ExprKind};
use crate::types::{Type, TypeId, Types};

/// The function that is called by its name.
pub(super) fn called(callee: &Expr) -> Option<DeclarationId> {
    match &callee.kind {
        ExprKind::Name(id) => Some(*id),
        ExprKind::Decay(inner) | ExprKind::AddressOf(inner) | ExprKind::Deref(inner) => called(inner),
        ExprKind::Convert { operand, .. } => called(operand),
        _ => None,
    }
}

/// The variable that a place is a part of.
pub(super) fn root(place: &Expr) -> Option<DeclarationId> {
    match &place.kind {
        ExprKind::Name(id) | ExprKind::CompoundLiteral(id, _) => Some(*id),
        ExprKind::Member(base, _) => root(base),
        ExprKind::Index(pointer, _) | ExprKind::Deref(pointer) => match &pointer.kind {
            ExprKind::Decay(array) | ExprKind::AddressOf(array) => root(array),
            _ => None,
        },
        _ => None,
    }
}

/// The text of an argument that is a string.
pub(super) fn string_in(expr: &Expr) -> Option<String> {
    string_literal(expr).map(StringLiteral::to_text)
}

/// The bytes of an argument that is a string of bytes.
pub(super) fn literal_in(expr: &Expr) -> Option<Vec<u8>> {
    let literal = string_literal(expr).filter(|literal| literal.encoding == Encoding::Narrow)?;
    Some(literal.units.iter().map(|unit| *unit as u8).collect())
}

fn string_literal(expr: &Expr) -> Option<&StringLiteral> {
    match &expr.kind {
        ExprKind::Convert { operand, .. } => string_literal(operand),
        ExprKind::Decay(inner) | ExprKind::AddressOf(inner) => match &inner.kind {
            ExprKind::String(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// The variable whose value an expression is, up to conversions.
pub(super) fn loaded(expr: &Expr) -> Option<DeclarationId> {
    match &expr.kind {
        ExprKind::Load(place) => match place.kind {
            ExprKind::Name(id) => Some(id),
            _ => None,
        },
        ExprKind::Convert { operand, .. } => loaded(operand),
        ExprKind::Decay(operand) | ExprKind::Deref(operand) => loaded(operand),
        _ => None,
    }
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
