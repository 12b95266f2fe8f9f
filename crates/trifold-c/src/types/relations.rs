//! Which types go together: compatibility, composite types, promotions and the usual arithmetic conversions. For
//! example, `char + long` is computed as `long`.

use super::{ArrayLength, FloatKind, FunctionType, IntKind, Type, TypeId, Types};
use std::sync::Arc;

impl Types {
    /// Is it the type of something that has been reported?
    pub fn is_error(&self, id: TypeId) -> bool {
        *self.get(id) == Type::Error
    }

    /// An integer, `_Bool` or an enumeration?
    pub fn is_integer(&self, id: TypeId) -> bool {
        self.integer_kind(id).is_some()
    }

    /// The integer type that it is in computations; `_Bool` is an unsigned one of one byte.
    pub fn integer_kind(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Bool => Some(IntKind::UChar),
            Type::Integer(kind) => Some(*kind),
            Type::Enum(id) => Some(self.enumeration(*id).underlying),
            _ => None,
        }
    }

    /// A number?
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || matches!(self.get(id), Type::Float(_) | Type::Complex(_))
    }

    /// A number or a pointer?
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.pointee(id).is_some()
    }

    /// The type that a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The function that this is, or that it points to.
    pub fn callee(&self, id: TypeId) -> Option<Arc<FunctionType>> {
        let id = self.pointee(id).unwrap_or(id);
        match self.get(id) {
            Type::Function(function) => Some(function.clone()),
            _ => None,
        }
    }

    /// Does it depend on a variable length?
    pub fn is_variable(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Array(_, ArrayLength::Variable(_)) => true,
            Type::Array(element, _) => self.is_variable(*element),
            _ => false,
        }
    }

    /// Are the types compatible [C11 6.2.7]? Qualifiers count only if `strict`, and those of the types themselves never
    /// do.
    pub fn compatible(&self, a: TypeId, b: TypeId, strict: bool) -> bool {
        if a == b {
            return true;
        }
        let parts = |a: TypeId, b: TypeId| {
            (!strict || self.qualifiers(a) == self.qualifiers(b)) && self.compatible(a, b, strict)
        };
        match (self.get(a), self.get(b)) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Pointer(a), Type::Pointer(b)) => parts(*a, *b),
            (Type::Array(a, m), Type::Array(b, n)) => {
                let lengths = match (m, n) {
                    (ArrayLength::Known(m), ArrayLength::Known(n)) => m == n,
                    _ => true,
                };
                lengths && parts(*a, *b)
            }
            (Type::Function(a), Type::Function(b)) => self.compatible_functions(a, b, strict),
            (Type::Enum(id), Type::Integer(kind)) | (Type::Integer(kind), Type::Enum(id)) => {
                self.enumeration(*id).underlying == *kind
            }
            (a, b) => a == b,
        }
    }

    fn compatible_functions(&self, a: &FunctionType, b: &FunctionType, strict: bool) -> bool {
        let parameters = match (a.prototype, b.prototype) {
            (true, true) => {
                a.variadic == b.variadic
                    && a.parameters.len() == b.parameters.len()
                    && a.parameters.iter().zip(&b.parameters).all(|(a, b)| self.compatible(*a, *b, strict))
            }
            _ => true,
        };
        parameters && self.compatible(a.result, b.result, strict)
    }

    /// The type with the properties of both [C11 6.2.7]. They are compatible.
    pub(crate) fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        match (self.get(a).clone(), self.get(b).clone()) {
            (Type::Error, _) => b,
            (Type::Pointer(x), Type::Pointer(y)) => {
                let to = self.composite(x, y);
                let pointer = self.pointer(to);
                self.qualified(pointer, self.qualifiers(a))
            }
            (Type::Array(x, m), Type::Array(y, n)) => {
                let element = self.composite(x, y);
                let length = if matches!(m, ArrayLength::Known(_)) { m } else { n };
                let length = if length == ArrayLength::Unknown { m } else { length };
                self.intern(Type::Array(element, length))
            }
            (Type::Function(x), Type::Function(y)) if x.prototype && y.prototype => {
                let pairs = x.parameters.iter().zip(&y.parameters);
                let parameters = pairs.map(|(a, b)| self.composite(*a, *b)).collect();
                let result = self.composite(x.result, y.result);
                self.intern(Type::Function(Arc::new(FunctionType { result, parameters, ..(*x).clone() })))
            }
            (Type::Function(x), Type::Function(_)) => {
                if x.prototype {
                    a
                } else {
                    b
                }
            }
            _ => a,
        }
    }

    /// The type of an integer operand in computations [C11 6.3.1.1]. A bit-field that fits into `int` becomes `int`.
    pub(crate) fn promoted(&mut self, id: TypeId, width: Option<u32>) -> TypeId {
        let Some(kind) = self.integer_kind(id) else { return self.unqualified(id) };
        match width {
            Some(width) if width < 32 || width == 32 && kind.is_signed() => Types::INT,
            // Also if the type of the bit-field is wider.
            Some(32) => self.integer(IntKind::UInt),
            _ if kind.rank() < IntKind::Int.rank() => Types::INT,
            _ => self.integer(kind),
        }
    }

    /// The usual arithmetic conversions [C11 6.3.1.8], of promoted operands.
    pub(crate) fn common(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let float = |id: TypeId| match self.get(id) {
            Type::Float(kind) => Some((*kind, false)),
            Type::Complex(kind) => Some((*kind, true)),
            _ => None,
        };
        match (float(a), float(b)) {
            (Some((x, x_complex)), Some((y, y_complex))) => self.float(x.max(y), x_complex || y_complex),
            (Some((kind, complex)), None) | (None, Some((kind, complex))) => self.float(kind, complex),
            (None, None) => match (self.integer_kind(a), self.integer_kind(b)) {
                (Some(x), Some(y)) => self.integer(common_integer(x, y)),
                _ => a,
            },
        }
    }

    fn float(&mut self, kind: FloatKind, complex: bool) -> TypeId {
        self.intern(if complex { Type::Complex(kind) } else { Type::Float(kind) })
    }
}

fn common_integer(a: IntKind, b: IntKind) -> IntKind {
    let (low, high) = if a.rank() <= b.rank() { (a, b) } else { (b, a) };
    if low.is_signed() == high.is_signed() {
        high
    } else if low.rank() == high.rank() {
        high.to_unsigned()
    } else if !high.is_signed() || high.size() > low.size() {
        high
    } else {
        high.to_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_types_follow_the_standard() {
        use IntKind::*;
        for (a, b, common) in [
            (Int, Int, Int),
            (Int, UInt, UInt),
            (UInt, Int, UInt),
            (Long, UInt, Long),
            (LongLong, ULong, ULongLong),
            (Long, LongLong, LongLong),
            (Int128, ULong, Int128),
        ] {
            assert_eq!(common_integer(a, b), common, "{a:?} and {b:?}");
        }
    }
}
