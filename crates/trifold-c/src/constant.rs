//! Constant expressions: the values of typed expressions that are known before the program runs.
//!
//! For example, `sizeof(int) * 2 + 'a'` is 105.

use crate::typed::{BinaryOperator, Declaration, DeclarationKind, Expr, ExprKind, UnaryOperator};
use crate::types::{IntKind, Type, TypeId, Types};

/// A known value. Pointers are integers.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Constant {
    Integer(i128),
    Float(f64),
}

use Constant::{Float, Integer};

impl Constant {
    fn is_zero(self) -> bool {
        match self {
            Integer(value) => value == 0,
            Float(value) => value == 0.0,
        }
    }

    fn as_float(self) -> f64 {
        match self {
            Integer(value) => value as f64,
            Float(value) => value,
        }
    }
}

/// Evaluates constant expressions of a program.
#[derive(Clone, Copy)]
pub(crate) struct Constants<'a> {
    pub types: &'a Types,
    pub declarations: &'a [Declaration],
}

impl Constants<'_> {
    /// The value of an expression, if it is a known integer.
    pub fn integer(self, expr: &Expr) -> Option<i128> {
        match self.constant(expr)? {
            Integer(value) if self.types.is_integer(expr.ty) => Some(value),
            _ => None,
        }
    }

    /// The value of an expression, if it is a known address, such as that of a null pointer.
    pub fn pointer(self, expr: &Expr) -> Option<i128> {
        match self.constant(expr)? {
            Integer(value) if self.types.pointee(expr.ty).is_some() => Some(value),
            _ => None,
        }
    }

    fn constant(self, expr: &Expr) -> Option<Constant> {
        match &expr.kind {
            ExprKind::Integer(value) => Some(Integer(*value)),
            ExprKind::Sizeof(ty) => self.types.size(*ty).map(|size| Integer(size.into())),
            ExprKind::Float(value) if matches!(self.types.get(expr.ty), Type::Float(_)) => Some(Float(*value)),
            ExprKind::Name(id) => match self.declarations[id.index()].kind {
                DeclarationKind::Constant(value) => Some(Integer(value)),
                _ => None,
            },
            ExprKind::Convert { operand, .. } => self.converted(self.constant(operand)?, expr.ty),
            ExprKind::Unary(operator, operand) => {
                let operand = self.constant(operand)?;
                self.wrapped(unary(*operator, operand)?, expr.ty)
            }
            ExprKind::Binary(operator, left, right) => {
                let kind = self.types.integer_kind(left.ty);
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                self.wrapped(binary(*operator, left, right, kind)?, expr.ty)
            }
            ExprKind::LogicalAnd(left, right) => {
                let both = !self.constant(left)?.is_zero() && !self.constant(right)?.is_zero();
                Some(Integer(both.into()))
            }
            ExprKind::LogicalOr(left, right) => {
                let either = !self.constant(left)?.is_zero() || !self.constant(right)?.is_zero();
                Some(Integer(either.into()))
            }
            ExprKind::Conditional(test, middle, otherwise) => {
                let test = self.constant(test)?;
                match (test.is_zero(), middle) {
                    (true, _) => self.constant(otherwise),
                    (false, Some(middle)) => self.constant(middle),
                    (false, None) => self.converted(test, expr.ty),
                }
            }
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.address(place).map(Integer),
            ExprKind::PointerOffset { pointer, index, backwards } => {
                let Integer(pointer_value) = self.constant(pointer)? else { return None };
                let index = self.integer(index)?;
                let index = if *backwards { index.checked_neg()? } else { index };
                self.offset(pointer_value, index, self.types.pointee(pointer.ty)?).map(Integer)
            }
            ExprKind::PointerDifference(left, right) => {
                let size = self.types.size(self.types.pointee(left.ty)?)?;
                let (Integer(left), Integer(right)) = (self.constant(left)?, self.constant(right)?) else {
                    return None;
                };
                left.checked_sub(right)?.checked_div(size.into()).map(Integer)
            }
            _ => None,
        }
    }

    /// The address of a place that is reached from a known one, as in `&((struct s *)0)->member`.
    fn address(self, place: &Expr) -> Option<i128> {
        match &place.kind {
            ExprKind::Deref(pointer) => match self.constant(pointer)? {
                Integer(address) => Some(address),
                Float(_) => None,
            },
            ExprKind::Index(pointer, index) => {
                let Integer(address) = self.constant(pointer)? else { return None };
                self.offset(address, self.integer(index)?, self.types.pointee(pointer.ty)?)
            }
            ExprKind::Member(base, index) => {
                let Type::Record(id) = self.types.get(base.ty) else { return None };
                let member = self.types.record(*id).members.as_deref()?.get(*index)?;
                self.address(base)?.checked_add(member.offset.into())
            }
            _ => None,
        }
    }

    fn offset(self, address: i128, index: i128, element: TypeId) -> Option<i128> {
        address.checked_add(index.checked_mul(self.types.size(element)?.into())?)
    }

    fn converted(self, value: Constant, to: TypeId) -> Option<Constant> {
        match (self.types.get(to), value) {
            (Type::Bool, value) => Some(Integer((!value.is_zero()).into())),
            (Type::Float(_), value) => Some(Float(value.as_float())),
            (Type::Pointer(_), Integer(value)) => Some(Integer(value)),
            (_, Integer(_)) => self.wrapped(value, to),
            (_, Float(value)) => {
                let truncated = value.trunc();
                if truncated.abs() < 1e37 { self.wrapped(Integer(truncated as i128), to) } else { None }
            }
        }
    }

    /// The value modulo the size of its type.
    fn wrapped(self, value: Constant, ty: TypeId) -> Option<Constant> {
        match (value, self.types.integer_kind(ty)) {
            // The upper half of this type is beyond the integers that are computed with.
            (Integer(value), Some(IntKind::UInt128)) if value < 0 => None,
            (Integer(value), Some(kind)) => Some(Integer(kind.wrap(value))),
            (Integer(_), None) => None,
            (Float(value), _) => Some(Float(value)),
        }
    }
}

fn unary(operator: UnaryOperator, operand: Constant) -> Option<Constant> {
    match (operator, operand) {
        (UnaryOperator::Not, value) => Some(Integer(value.is_zero().into())),
        (UnaryOperator::Minus, Integer(value)) => value.checked_neg().map(Integer),
        (UnaryOperator::Minus, Float(value)) => Some(Float(-value)),
        (UnaryOperator::BitNot, Integer(value)) => Some(Integer(!value)),
        (UnaryOperator::Real, value) => Some(value),
        _ => None,
    }
}

fn binary(operator: BinaryOperator, left: Constant, right: Constant, kind: Option<IntKind>) -> Option<Constant> {
    use BinaryOperator::*;
    let (Integer(a), Integer(b)) = (left, right) else { return float(operator, left.as_float(), right.as_float()) };
    let truth = |truth: bool| Some(Integer(truth.into()));
    let bits = kind.map_or(64, |kind| kind.size() * 8);
    let amount = u32::try_from(b).ok().filter(|amount| u64::from(*amount) < bits);
    let value = match operator {
        // Of a product that is too large, the low bits are right.
        Mul if bits <= 64 => a.wrapping_mul(b),
        Mul => a.checked_mul(b)?,
        Div => a.checked_div(b)?,
        Rem => a.checked_rem(b)?,
        Add => a.checked_add(b)?,
        Sub => a.checked_sub(b)?,
        ShiftLeft => a.wrapping_shl(amount?),
        ShiftRight => a >> amount?,
        BitAnd => a & b,
        BitXor => a ^ b,
        BitOr => a | b,
        Less => return truth(a < b),
        Greater => return truth(a > b),
        LessEqual => return truth(a <= b),
        GreaterEqual => return truth(a >= b),
        Equal => return truth(a == b),
        NotEqual => return truth(a != b),
    };
    Some(Integer(value))
}

fn float(operator: BinaryOperator, a: f64, b: f64) -> Option<Constant> {
    use BinaryOperator::*;
    let truth = |truth: bool| Some(Integer(truth.into()));
    match operator {
        Mul => Some(Float(a * b)),
        Div => Some(Float(a / b)),
        Add => Some(Float(a + b)),
        Sub => Some(Float(a - b)),
        Less => truth(a < b),
        Greater => truth(a > b),
        LessEqual => truth(a <= b),
        GreaterEqual => truth(a >= b),
        Equal => truth(a == b),
        NotEqual => truth(a != b),
        _ => None,
    }
}
