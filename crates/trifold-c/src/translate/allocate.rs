//! Allocation: what is allocated follows from the size that is asked for, and from the pointer that gets it.

use super::Translator;
use super::call::Use;
use super::procedure::Binding;
use super::text::is_character;
use super::value::Value;
use crate::library::{Allocation, Row};
use crate::typed::{BinaryOperator, Expr, ExprKind};
use crate::types::{IntKind, Type, TypeId, Types};
use trifold_ir as ir;
use trifold_ir::{Builder, FindingKind, Region, Statement, StructId, VarId};

impl Allocation {
    fn statement(self, to: VarId, structure: StructId) -> Statement {
        let Allocation { region, zeroed, may_fail, .. } = self;
        Statement::Allocate { to, structure, region, zeroed, may_fail }
    }
}

impl<'p> Translator<'p> {
    /// How many bytes an expression is, and of which type if it says `sizeof`. It is computed as C does, in the types
    /// of the program: `(unsigned char)264` is 8, and `65536u * 65536u` is 0.
    pub(super) fn object_size(&self, expr: &Expr) -> Option<(i128, Option<TypeId>)> {
        if !self.c.types.is_integer(expr.ty) {
            return None;
        }
        match &expr.kind {
            ExprKind::Load(place) => match place.kind {
                ExprKind::Name(id) => match self.body.bindings.get(&id)? {
                    Binding::Size(bytes, ty) => Some((*bytes, *ty)),
                    Binding::Function(_) => None,
                },
                _ => None,
            },
            ExprKind::Convert { operand, .. } if self.c.types.is_integer(operand.ty) => {
                self.size_in(self.object_size(operand)?, expr.ty)
            }
            ExprKind::Sizeof(ty) => self.integer(expr).map(|bytes| (bytes, Some(*ty))),
            ExprKind::Binary(BinaryOperator::Mul, left, right) => {
                self.size_in(self.product(self.object_size(left)?, self.object_size(right)?)?, expr.ty)
            }
            _ => self.integer(expr).map(|bytes| (bytes, None)),
        }
    }

    /// A size as a value of a type. Cut off, it is no longer that of an object.
    pub(super) fn size_in(&self, (bytes, named): (i128, Option<TypeId>), ty: TypeId) -> Option<(i128, Option<TypeId>)> {
        let cut = match self.c.types.get(ty) {
            Type::Bool => i128::from(bytes != 0),
            _ => self.c.types.integer_kind(ty)?.wrap(bytes),
        };
        Some((cut, named.filter(|_| cut == bytes)))
    }

    fn product(&self, left: (i128, Option<TypeId>), right: (i128, Option<TypeId>)) -> Option<(i128, Option<TypeId>)> {
        let ty = match (left, right) {
            ((1, None), (_, ty)) | ((_, ty), (1, None)) => ty,
            _ => None,
        };
        Some((left.0.checked_mul(right.0)?, ty))
    }

    /// An object of the size that arguments say.
    pub(super) fn allocate(&mut self, row: &Row, arguments: &'p [Expr], allocation: Allocation, used: Use) -> Value {
        let span = used.span;
        let allocation = Allocation { may_fail: self.options.malloc_may_fail && allocation.may_fail, ..allocation };
        let Some(sizes) = allocation.size.arguments() else {
            return self.allocate_text(row, arguments, allocation, used);
        };
        self.use_arguments(row, arguments, &sizes);
        let Some(sizes) = sizes.into_iter().map(|size| arguments.get(size)).collect::<Option<Vec<&Expr>>>() else {
            return self.unsupported("an allocation without a size", span);
        };
        let as_size = |(bytes, named)| (IntKind::ULong.wrap(bytes), named);
        let sizes = sizes.into_iter().map(|size| self.object_size(size).map(as_size));
        let size = sizes.reduce(|a, b| self.product(a?, b?)).flatten();
        // More than can be addressed is not allocated.
        let Some((bytes, named)) = size.filter(|(bytes, _)| *bytes <= i64::MAX.into()) else {
            return self.unsupported("an allocation whose size is not known", span);
        };
        let expected = used.expected.and_then(|ty| self.c.types.pointee(ty));
        let expected = expected.filter(|ty| !self.c.types.is_incomplete(*ty));
        let expected = expected.filter(|ty| *self.c.types.get(*ty) != Type::Void);
        let allocate = |to, structure| allocation.statement(to, structure);
        if let Some(element) = expected.filter(|_| allocation.region == Region::Heap)
            && let Some(array) = self.allocate_array(element, bytes, (used.hint, allocate), span)
        {
            return array;
        }
        let ty = self.allocated_type(bytes, named, expected);
        let structure = match (ty, expected) {
            (Some(ty), _) => self.struct_of(ty),
            (None, None) => self.block_of_memory(),
            (None, Some(expected)) => return self.too_small(bytes, expected, used),
        };
        let to = self.allocated_pointer(structure, used);
        self.emit(allocate(to, structure), span);
        match (ty, expected) {
            // The pointer is to a part of what was asked for, or to something else.
            (Some(ty), Some(expected)) if self.struct_of(expected) != structure => {
                let text = format!("an object of `{}` as `{}`", self.c.show(ty), self.c.show(expected));
                self.unsupported(text, span)
            }
            _ => Value::Pointer(to),
        }
    }

    /// A copy of text. It has a first character, which may be any, and that is all that is known of text.
    fn allocate_text(&mut self, row: &Row, arguments: &'p [Expr], allocation: Allocation, used: Use) -> Value {
        self.use_arguments(row, arguments, &[]);
        let element = self.c.types.pointee(used.ty).filter(|ty| is_character(&self.c.types, *ty));
        let Some(element) = element else {
            return self.unsupported("text that is used as something else", used.span);
        };
        let structure = self.struct_of(element);
        let to = self.allocated_pointer(structure, used);
        self.emit(allocation.statement(to, structure), used.span);
        Value::Pointer(to)
    }

    /// The variable that gets a pointer to a new object.
    fn allocated_pointer(&mut self, structure: StructId, used: Use) -> VarId {
        let pointer = ir::Type::Pointer(Some(structure));
        let hint = used.hint.filter(|hint| self.ir[*hint].ty.accepts(pointer));
        hint.unwrap_or_else(|| self.temporary(pointer, used.span))
    }

    /// Too little memory is an error as soon as all of the object is used. That is not waited for.
    fn too_small(&mut self, bytes: i128, expected: TypeId, used: Use) -> Value {
        let name = self.c.show(expected);
        match self.c.types.size(expected) {
            Some(size) if bytes > 0 => {
                let text = format!("{bytes} bytes are allocated for an object of `{name}`, which has {size}");
                self.end(Statement::Error { kind: FindingKind::InvalidDereference, text }, used.span);
                Value::Nothing
            }
            _ => self.unsupported(format!("an allocation of {bytes} bytes for `{name}`"), used.span),
        }
    }

    /// A struct without fields, for memory of which only the size is known.
    fn block_of_memory(&mut self) -> ir::StructId {
        self.struct_of(Types::VOID)
    }

    fn allocated_type(&self, bytes: i128, named: Option<TypeId>, expected: Option<TypeId>) -> Option<TypeId> {
        let types = &self.c.types;
        let size = |ty: TypeId| types.size(ty).map(i128::from);
        match (expected, named) {
            (Some(expected), _) if size(expected) == Some(bytes) => Some(expected),
            // More room than needed does no harm.
            (Some(expected), None) => (size(expected)? <= bytes).then_some(expected),
            (Some(expected), Some(named)) if size(named)? < size(expected)? => None,
            (_, Some(named)) => Some(named),
            (None, None) => None,
        }
    }
}

/// The arguments of a function that say how much it allocates.
pub(super) fn sizes(row: &Row) -> Vec<usize> {
    row.allocation().and_then(|allocation| allocation.size.arguments()).unwrap_or_default()
}
