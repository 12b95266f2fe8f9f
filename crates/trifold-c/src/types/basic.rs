//! Basic types and qualifiers, with the sizes of LP64: `int` has 32 bits, `long` and pointers have 64.

use std::ops::{BitOr, BitOrAssign};

/// The integer types but `_Bool` and enumerations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names of C")]
pub enum IntKind {
    /// Plain `char`, which is signed.
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    /// `long` where it has 32 bits.
    Long32,
    /// `unsigned long` where it has 32 bits.
    ULong32,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// Size in bytes.
    pub fn size(self) -> u64 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt | Long32 | ULong32 => 4,
            Long | ULong | LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }

    /// Does it have negative values?
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | Long32 | LongLong | Int128)
    }

    /// The type of the same size without a sign.
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar | UChar => UChar,
            Short | UShort => UShort,
            Int | UInt => UInt,
            Long | ULong => ULong,
            Long32 | ULong32 => ULong32,
            LongLong | ULongLong => ULongLong,
            Int128 | UInt128 => UInt128,
        }
    }

    /// The conversion rank [C11 6.3.1.1].
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong | Long32 | ULong32 => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }

    /// The largest value; of `unsigned __int128` the largest that is computed with.
    pub fn maximum(self) -> i128 {
        match (self.size() * 8, self.is_signed()) {
            (128, _) => i128::MAX,
            (bits, true) => (1 << (bits - 1)) - 1,
            (bits, false) => (1 << bits) - 1,
        }
    }

    /// The smallest value.
    pub fn minimum(self) -> i128 {
        match (self.size() * 8, self.is_signed()) {
            (_, false) => 0,
            (128, true) => i128::MIN,
            (bits, true) => -(1 << (bits - 1)),
        }
    }

    /// The value modulo the size of the type.
    pub fn wrap(self, value: i128) -> i128 {
        let bits = self.size() * 8;
        if bits == 128 {
            return value;
        }
        let value = value & ((1 << bits) - 1);
        if self.is_signed() && value > self.maximum() { value - (1 << bits) } else { value }
    }

    /// All bits set, for types of up to 64 bits.
    pub(crate) fn bits_mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.size().min(8))
    }

    /// How it is written.
    pub fn text(self) -> &'static str {
        use IntKind::*;
        match self {
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long | Long32 => "long",
            ULong | ULong32 => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        }
    }
}

/// The floating types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names of C")]
pub enum FloatKind {
    Float16,
    Float,
    Float32,
    Double,
    Float64,
    Float32x,
    LongDouble,
    Float64x,
    Float128,
    Decimal32,
    Decimal64,
    Decimal128,
}

impl FloatKind {
    /// Size in bytes.
    pub fn size(self) -> u64 {
        use FloatKind::*;
        match self {
            Float16 => 2,
            Float | Float32 | Decimal32 => 4,
            Double | Float64 | Float32x | Decimal64 => 8,
            LongDouble | Float64x | Float128 | Decimal128 => 16,
        }
    }

    /// How it is written.
    pub fn text(self) -> &'static str {
        use FloatKind::*;
        match self {
            Float16 => "_Float16",
            Float => "float",
            Float32 => "_Float32",
            Double => "double",
            Float64 => "_Float64",
            Float32x => "_Float32x",
            LongDouble => "long double",
            Float64x => "_Float64x",
            Float128 => "_Float128",
            Decimal32 => "_Decimal32",
            Decimal64 => "_Decimal64",
            Decimal128 => "_Decimal128",
        }
    }
}

/// A type that is made of keywords only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Basic {
    Void,
    Bool,
    Integer(IntKind),
    Float(FloatKind),
    Complex(FloatKind),
}

/// A set of type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Qualifiers(u8);

impl Qualifiers {
    /// None.
    pub const NONE: Qualifiers = Qualifiers(0);
    /// `const`.
    pub const CONST: Qualifiers = Qualifiers(1);
    /// `volatile`.
    pub const VOLATILE: Qualifiers = Qualifiers(2);
    /// `restrict`.
    pub const RESTRICT: Qualifiers = Qualifiers(4);
    /// `_Atomic`.
    pub const ATOMIC: Qualifiers = Qualifiers(8);

    /// Is it the empty set?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Are all of `others` in it?
    pub fn contains(self, others: Qualifiers) -> bool {
        self.0 & others.0 == others.0
    }

    /// How they are written, each followed by a blank.
    pub(crate) fn text(self) -> String {
        let all = [(Self::CONST, "const "), (Self::VOLATILE, "volatile "), (Self::RESTRICT, "restrict ")];
        let all = all.into_iter().chain([(Self::ATOMIC, "_Atomic ")]);
        all.filter(|(qualifier, _)| self.contains(*qualifier)).map(|(_, text)| text).collect()
    }
}

impl BitOr for Qualifiers {
    type Output = Qualifiers;

    fn bitor(self, other: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 | other.0)
    }
}

impl BitOrAssign for Qualifiers {
    fn bitor_assign(&mut self, other: Qualifiers) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_wrap_at_the_ends_of_their_type() {
        assert_eq!(IntKind::Char.wrap(200), -56);
        assert_eq!(IntKind::UChar.wrap(-1), 255);
        assert_eq!(IntKind::Int.wrap(1 << 31), i128::from(i32::MIN));
        assert_eq!(IntKind::ULong.wrap(-1), i128::from(u64::MAX));
        assert_eq!((IntKind::Long.minimum(), IntKind::Long.maximum()), (i64::MIN.into(), i64::MAX.into()));
        assert_eq!((IntKind::Char.bits_mask(), IntKind::ULong.bits_mask()), (0xff, u64::MAX));
    }
}
