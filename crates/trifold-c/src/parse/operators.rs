//! Operators and how strongly they bind. For example, `*` binds more strongly than `+`, and `=` binds to the right.

use crate::token::Punct;
use crate::typed::{AssignOperator, BinaryOperator};

/// An operator between two operands, other than assignment, `?:` and the comma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Infix {
    Binary(BinaryOperator),
    LogicalAnd,
    LogicalOr,
}

/// The operator and its strength; stronger ones bind first.
pub(super) fn infix(punct: Punct) -> Option<(Infix, u8)> {
    use BinaryOperator::*;
    let binary = |operator, strength| Some((Infix::Binary(operator), strength));
    match punct {
        Punct::Star => binary(Mul, 10),
        Punct::Slash => binary(Div, 10),
        Punct::Percent => binary(Rem, 10),
        Punct::Plus => binary(Add, 9),
        Punct::Minus => binary(Sub, 9),
        Punct::ShiftLeft => binary(ShiftLeft, 8),
        Punct::ShiftRight => binary(ShiftRight, 8),
        Punct::Less => binary(Less, 7),
        Punct::Greater => binary(Greater, 7),
        Punct::LessEqual => binary(LessEqual, 7),
        Punct::GreaterEqual => binary(GreaterEqual, 7),
        Punct::EqualEqual => binary(Equal, 6),
        Punct::NotEqual => binary(NotEqual, 6),
        Punct::And => binary(BitAnd, 5),
        Punct::Caret => binary(BitXor, 4),
        Punct::Or => binary(BitOr, 3),
        Punct::AndAnd => Some((Infix::LogicalAnd, 2)),
        Punct::OrOr => Some((Infix::LogicalOr, 1)),
        _ => None,
    }
}

/// The assignment that a punctuator is.
pub(super) fn assignment(punct: Punct) -> Option<AssignOperator> {
    use BinaryOperator::*;
    let operator = match punct {
        Punct::Assign => return Some(AssignOperator::Plain),
        Punct::MulAssign => Mul,
        Punct::DivAssign => Div,
        Punct::RemAssign => Rem,
        Punct::AddAssign => Add,
        Punct::SubAssign => Sub,
        Punct::ShiftLeftAssign => ShiftLeft,
        Punct::ShiftRightAssign => ShiftRight,
        Punct::AndAssign => BitAnd,
        Punct::XorAssign => BitXor,
        Punct::OrAssign => BitOr,
        _ => return None,
    };
    Some(AssignOperator::Compound(operator))
}
