//! Scalars: Booleans and integers of a fixed width, and the results of operators.
//!
//! Every operation is total but division by zero: results wrap around like two's complement, shift amounts are taken
//! modulo the width. For example, `255u8 + 1u8` is 0.

/// The type of a scalar. An enumeration is an integer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// 0 or 1.
    Bool,
    /// An integer.
    Int {
        /// Is there a sign bit?
        signed: bool,
        /// The width, from 1 to 64.
        bits: u8,
    },
}

impl Scalar {
    /// The `int` of C and Java.
    pub const I32: Scalar = Scalar::Int { signed: true, bits: 32 };
    /// Integers are at most this wide.
    pub const MAX_BITS: u8 = 64;

    /// The least and the greatest value.
    pub fn range(self) -> (i128, i128) {
        match self {
            Scalar::Bool => (0, 1),
            Scalar::Int { signed: true, bits } => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            Scalar::Int { signed: false, bits } => (0, (1 << bits) - 1),
        }
    }

    /// Is this one of the values of the type?
    pub fn contains(self, value: i128) -> bool {
        let (least, greatest) = self.range();
        (least..=greatest).contains(&value)
    }

    /// The value after conversion to this type: integers keep their low bits, a Boolean is "not zero".
    pub fn convert(self, value: i128) -> i128 {
        match self {
            Scalar::Bool => i128::from(value != 0),
            Scalar::Int { bits, .. } => {
                let low = value & ((1 << bits) - 1);
                if self.contains(low) { low } else { low - (1 << bits) }
            }
        }
    }
}

/// An operator with one operand. The result has the operand's type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// `-i`
    Negate,
    /// `~i`; on a Boolean it is negation, `!b`.
    Complement,
}

impl UnaryOp {
    /// The result for an operand of this type.
    pub fn apply(self, scalar: Scalar, operand: i128) -> i128 {
        match (self, scalar) {
            (UnaryOp::Complement, Scalar::Bool) => 1 - operand,
            (UnaryOp::Complement, _) => scalar.convert(!operand),
            (UnaryOp::Negate, _) => scalar.convert(-operand),
        }
    }
}

/// An operator with two operands of the same type. The result of a comparison is a Boolean, that of any other operator
/// has the operands' type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero
    Divide,
    /// `%`, with the sign of the left operand
    Remainder,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    ShiftLeft,
    /// `>>`, which keeps the sign of signed integers
    ShiftRight,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// There is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DivisionByZero;

impl BinaryOp {
    /// All operators with their symbols.
    pub const ALL: [(BinaryOp, &str); 16] = [
        (BinaryOp::Add, "+"),
        (BinaryOp::Subtract, "-"),
        (BinaryOp::Multiply, "*"),
        (BinaryOp::Divide, "/"),
        (BinaryOp::Remainder, "%"),
        (BinaryOp::And, "&"),
        (BinaryOp::Or, "|"),
        (BinaryOp::Xor, "^"),
        (BinaryOp::ShiftLeft, "<<"),
        (BinaryOp::ShiftRight, ">>"),
        (BinaryOp::Equal, "=="),
        (BinaryOp::NotEqual, "!="),
        (BinaryOp::Less, "<"),
        (BinaryOp::LessEqual, "<="),
        (BinaryOp::Greater, ">"),
        (BinaryOp::GreaterEqual, ">="),
    ];

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        BinaryOp::ALL.iter().find(|(op, _)| *op == self).map_or("?", |(_, symbol)| symbol)
    }

    /// Is the result a Boolean for all operands?
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }

    /// May it be applied to Booleans?
    pub fn is_logical(self) -> bool {
        use BinaryOp::*;
        matches!(self, And | Or | Xor | Equal | NotEqual)
    }

    /// The type of the result for operands of this type.
    pub fn result(self, operands: Scalar) -> Scalar {
        if self.is_comparison() { Scalar::Bool } else { operands }
    }

    /// The result for operands of this type.
    pub fn apply(self, scalar: Scalar, left: i128, right: i128) -> Result<i128, DivisionByZero> {
        let bits = match scalar {
            Scalar::Bool => 1,
            Scalar::Int { bits, .. } => i128::from(bits),
        };
        // Operands have at most 64 bits, and products are needed modulo 2^64 only, so wrapping at 128 is harmless.
        let exact = match self {
            BinaryOp::Add => left + right,
            BinaryOp::Subtract => left - right,
            BinaryOp::Multiply => left.wrapping_mul(right),
            BinaryOp::Divide => left.checked_div(right).ok_or(DivisionByZero)?,
            BinaryOp::Remainder => left.checked_rem(right).ok_or(DivisionByZero)?,
            BinaryOp::And => left & right,
            BinaryOp::Or => left | right,
            BinaryOp::Xor => left ^ right,
            BinaryOp::ShiftLeft => left << right.rem_euclid(bits),
            BinaryOp::ShiftRight => left >> right.rem_euclid(bits),
            BinaryOp::Equal => i128::from(left == right),
            BinaryOp::NotEqual => i128::from(left != right),
            BinaryOp::Less => i128::from(left < right),
            BinaryOp::LessEqual => i128::from(left <= right),
            BinaryOp::Greater => i128::from(left > right),
            BinaryOp::GreaterEqual => i128::from(left >= right),
        };
        Ok(self.result(scalar).convert(exact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: Scalar = Scalar::Int { signed: true, bits: 8 };
    const U8: Scalar = Scalar::Int { signed: false, bits: 8 };
    const I64: Scalar = Scalar::Int { signed: true, bits: 64 };
    const U64: Scalar = Scalar::Int { signed: false, bits: 64 };

    /// The operators on eight bits agree with those of Rust on `i8` and `u8`.
    #[test]
    fn eight_bits_exhaustively() {
        for (left, right) in (0..=u16::MAX).map(|pair| pair.to_be_bytes()).map(|[left, right]| (left, right)) {
            let unsigned = |op: BinaryOp| op.apply(U8, i128::from(left), i128::from(right));
            assert_eq!(unsigned(BinaryOp::Add), Ok(i128::from(left.wrapping_add(right))));
            assert_eq!(unsigned(BinaryOp::Multiply), Ok(i128::from(left.wrapping_mul(right))));
            assert_eq!(unsigned(BinaryOp::ShiftRight), Ok(i128::from(left.wrapping_shr(u32::from(right)))));
            assert_eq!(unsigned(BinaryOp::Divide).ok(), left.checked_div(right).map(i128::from));
            let (left, right) = (left as i8, right as i8);
            let signed = |op: BinaryOp| op.apply(I8, i128::from(left), i128::from(right));
            assert_eq!(signed(BinaryOp::Subtract), Ok(i128::from(left.wrapping_sub(right))));
            assert_eq!(signed(BinaryOp::Multiply), Ok(i128::from(left.wrapping_mul(right))));
            assert_eq!(signed(BinaryOp::ShiftLeft), Ok(i128::from(left.wrapping_shl(right as u32))));
            assert_eq!(signed(BinaryOp::ShiftRight), Ok(i128::from(left.wrapping_shr(right as u32))));
            assert_eq!(signed(BinaryOp::Less), Ok(i128::from(left < right)));
            if right != 0 {
                assert_eq!(signed(BinaryOp::Divide), Ok(i128::from(left.wrapping_div(right))));
                assert_eq!(signed(BinaryOp::Remainder), Ok(i128::from(left.wrapping_rem(right))));
            }
        }
    }

    #[test]
    fn sixty_four_bits_wrap() {
        let (least, greatest) = I64.range();
        assert_eq!((least, greatest), (i128::from(i64::MIN), i128::from(i64::MAX)));
        assert_eq!(BinaryOp::Add.apply(I64, greatest, 1), Ok(least));
        assert_eq!(BinaryOp::Divide.apply(I64, least, -1), Ok(least));
        let max = i128::from(u64::MAX);
        assert_eq!(BinaryOp::Multiply.apply(U64, max, max), Ok(1));
        assert_eq!(BinaryOp::ShiftLeft.apply(U64, max, 63), Ok(1 << 63));
        assert_eq!(UnaryOp::Negate.apply(U64, 1), max);
        assert_eq!(UnaryOp::Complement.apply(I64, 0), -1);
    }

    #[test]
    fn conversions_keep_the_low_bits() {
        assert_eq!(U8.convert(-1), 255);
        assert_eq!(I8.convert(255), -1);
        assert_eq!(I8.convert(128), -128);
        assert_eq!(Scalar::Bool.convert(256), 1);
        assert_eq!(UnaryOp::Complement.apply(Scalar::Bool, 0), 1);
    }
}
