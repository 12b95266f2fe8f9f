//! Attributes that change types: alignment, packing, machine modes, vectors. For example, `__attribute__((mode(DI)))`
//! makes an `int` have 64 bits.

use super::Sema;
use crate::ast::{Attribute, AttributeKind};
use crate::types::{Alignment, FloatKind, IntKind, Target, Type, TypeId, Types};

/// The meaning of `aligned` without an argument on x86-64.
const LARGEST_ALIGNMENT: u64 = 16;

impl Sema<'_> {
    /// The alignment that the attributes ask for.
    pub(super) fn alignment<'a>(&mut self, attributes: impl IntoIterator<Item = &'a Attribute>) -> Alignment {
        let mut alignment = Alignment::default();
        for attribute in attributes {
            let at_least = match &attribute.kind {
                AttributeKind::Packed => {
                    alignment.packed = true;
                    continue;
                }
                AttributeKind::Aligned(None) => LARGEST_ALIGNMENT,
                AttributeKind::Aligned(Some(value)) => {
                    let value = self.value(value);
                    match self.integer_constant(&value) {
                        Some(0) => continue,
                        Some(value @ 1..=0x1000_0000) if value & (value - 1) == 0 => value as u64,
                        _ if self.types.is_error(value.ty) => continue,
                        _ => {
                            self.error("alignment", value.span, "an alignment must be a constant power of two");
                            continue;
                        }
                    }
                }
                AttributeKind::AlignedAs(ty) => {
                    let ty = self.type_name(ty);
                    self.types.align(ty)
                }
                _ => continue,
            };
            alignment.at_least = alignment.at_least.max(Some(at_least));
        }
        alignment
    }

    /// The type after `mode` and `vector_size`.
    pub(super) fn with_mode(&mut self, ty: TypeId, attributes: &[Attribute]) -> TypeId {
        let mut ty = ty;
        for attribute in attributes {
            let changed = match &attribute.kind {
                AttributeKind::Mode(mode) => {
                    let mode = self.text(*mode).trim_matches('_').to_string();
                    match of_mode(&mode, self.types.integer_kind(ty).is_none_or(IntKind::is_signed), self.types.target)
                    {
                        Some(changed) => changed,
                        None => {
                            self.error("mode", attribute.span, format!("the machine mode `{mode}` is not supported"));
                            return Types::ERROR;
                        }
                    }
                }
                AttributeKind::VectorSize(size) => {
                    let size = self.value(size);
                    let bytes = self.integer_constant(&size).and_then(|size| u64::try_from(size).ok());
                    match (bytes, self.types.size(ty)) {
                        (Some(bytes), Some(element))
                            if self.types.is_arithmetic(ty) && bytes >= element && bytes % element == 0 =>
                        {
                            Type::Vector(ty, bytes / element)
                        }
                        _ if self.types.is_error(ty) || self.types.is_error(size.ty) => return Types::ERROR,
                        _ => {
                            self.error(
                                "vector",
                                attribute.span,
                                "the size of a vector must be a multiple of its element's",
                            );
                            return Types::ERROR;
                        }
                    }
                }
                _ => continue,
            };
            let qualifiers = self.types.qualifiers(ty);
            let changed = self.types.intern(changed);
            ty = self.types.qualified(changed, qualifiers);
        }
        ty
    }
}

fn of_mode(mode: &str, signed: bool, target: Target) -> Option<Type> {
    let integer = |kind: IntKind| Some(Type::Integer(if signed { kind } else { kind.to_unsigned() }));
    match mode {
        "QI" | "byte" => integer(IntKind::SChar),
        "HI" => integer(IntKind::Short),
        "SI" => integer(IntKind::Int),
        "DI" if target == Target::Ilp32 => integer(IntKind::LongLong),
        "word" | "pointer" | "unwind_word" if target == Target::Ilp32 => integer(IntKind::Int),
        "DI" | "word" | "pointer" | "unwind_word" => integer(IntKind::Long),
        "TI" => integer(IntKind::Int128),
        "SF" => Some(Type::Float(FloatKind::Float)),
        "DF" => Some(Type::Float(FloatKind::Double)),
        "XF" => Some(Type::Float(FloatKind::LongDouble)),
        "TF" => Some(Type::Float(FloatKind::Float128)),
        "SC" => Some(Type::Complex(FloatKind::Float)),
        "DC" => Some(Type::Complex(FloatKind::Double)),
        "XC" => Some(Type::Complex(FloatKind::LongDouble)),
        "TC" => Some(Type::Complex(FloatKind::Float128)),
        _ => None,
    }
}
