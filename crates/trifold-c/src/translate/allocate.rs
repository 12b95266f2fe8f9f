//! Allocation: what is allocated follows from the size that is asked for, and from the pointer that gets it.

use super::Translator;
use super::forms::is_character;
use super::instance::Binding;
use super::value::{Use, Value};
use crate::library::{Allocation, Row};
use crate::typed::{BinaryOperator, Expr, ExprKind};
use crate::types::{Type, TypeId, Types};
use trifold_ir as ir;
use trifold_ir::{Builder, Condition, Operand, Region, Statement, StructId, VarId};
use trifold_source::Span;

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
                ExprKind::Name(id) => match self.body.bindings.get(&id) {
                    Some(Binding::Size(bytes, ty)) => Some((*bytes, *ty)),
                    Some(Binding::Function(_)) => None,
                    None => self.fixed.get(&id).map(|number| (*number, None)),
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
            ExprKind::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Sub), left, right) => {
                let ((left, _), (right, _)) = (self.object_size(left)?, self.object_size(right)?);
                let sum = match operator {
                    BinaryOperator::Add => left.checked_add(right),
                    _ => left.checked_sub(right),
                };
                self.size_in((sum?, None), expr.ty)
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
        let Some(sizes) = sizes.into_iter().map(|size| arguments.get(size)).collect::<Option<Vec<&'p Expr>>>() else {
            return self.unsupported("an allocation without a size", span);
        };
        let element = used.expected.and_then(|ty| self.c.types.pointee(ty)).zip(used.expected);
        if let Some(walked) = element.filter(|(element, _)| self.walked.is_pointer(&self.c.types, *element)) {
            return self.allocate_pointers(&sizes, walked, allocation, span);
        }
        if let Some((element, ty)) = element.filter(|(element, _)| self.element_size(*element).is_some()) {
            return self.allocate_buffer(&sizes, (element, ty), allocation, span);
        }
        let sizes = sizes.into_iter().map(|size| self.size_in(self.object_size(size)?, Types::SIZE));
        let size = sizes.reduce(|a, b| self.product(a?, b?)).flatten();
        // More than can be addressed is not allocated.
        let most = self.c.types.integer_kind(Types::SIZE).map_or(0, |kind| kind.maximum() / 2);
        let Some((bytes, named)) = size.filter(|(bytes, _)| *bytes <= most) else {
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
            (None, Some(expected)) => return self.allocate_short(bytes, expected, allocation, used),
        };
        let to = self.allocated_pointer(structure, used);
        self.emit(allocate(to, structure), span);
        if !allocation.zeroed && self.has_extent(structure) {
            self.if_allocated(to, allocation, span, |this| this.set_extent(to, structure, 0, span));
        }
        if let Some(ty) = ty {
            self.if_allocated(to, allocation, span, |this| {
                this.set_counts(to, ty, allocation.zeroed, span);
            });
        }
        match (ty, expected) {
            // The pointer is to a part of what was asked for, or to something else.
            (Some(ty), Some(expected)) if self.struct_of(expected) != structure => {
                let text = format!("an object of `{}` as `{}`", self.c.show(ty), self.c.show(expected));
                self.unsupported(text, span)
            }
            _ => Value::Pointer(to),
        }
    }

    /// A copy of text. That it has a first character, which may be any, is all that analyses know of text.
    fn allocate_text(&mut self, row: &Row, arguments: &'p [Expr], allocation: Allocation, used: Use) -> Value {
        let text = self.use_arguments(row, arguments, &[]);
        let element = self.c.types.pointee(used.ty).filter(|ty| is_character(&self.c.types, *ty));
        let Some(element) = element else {
            return self.unsupported("text that is used as something else", used.span);
        };
        let structure = self.struct_of(element);
        let to = self.allocated_pointer(structure, used);
        self.emit(allocation.statement(to, structure), used.span);
        self.if_allocated(to, allocation, used.span, |this| {
            let copy = this.typed_pointer(to, structure, used.span);
            let copy = this.object(copy, element);
            this.keep_text(&copy, text, used.span);
            this.set_extent(to, structure, 0, used.span);
        });
        Value::Pointer(to)
    }

    /// The variable that gets a pointer to a new object.
    fn allocated_pointer(&mut self, structure: StructId, used: Use) -> VarId {
        let pointer = ir::Type::Pointer(Some(structure));
        let hint = used.hint.filter(|hint| self.ir[*hint].ty.accepts(pointer));
        hint.unwrap_or_else(|| self.temporary(pointer, used.span))
    }

    /// An object with less memory than its type has.
    fn allocate_short(&mut self, bytes: i128, expected: TypeId, allocation: Allocation, used: Use) -> Value {
        let size = self.c.types.size(expected).unwrap_or(0);
        let missing = u64::try_from(bytes).ok().filter(|bytes| *bytes > 0).and_then(|bytes| size.checked_sub(bytes));
        let Some(missing) = missing.filter(|missing| self.can_be_short(expected, size - missing)) else {
            let name = self.c.show(expected);
            return self.unsupported(format!("an allocation of {bytes} bytes for `{name}`"), used.span);
        };
        let structure = self.struct_of(expected);
        let to = self.allocated_pointer(structure, used);
        self.emit(allocation.statement(to, structure), used.span);
        self.if_allocated(to, allocation, used.span, |this| this.set_extent(to, structure, missing, used.span));
        Value::Pointer(to)
    }

    /// Does something with a new object, unless there is none.
    pub(super) fn if_allocated(
        &mut self,
        object: VarId,
        allocation: Allocation,
        span: Span,
        then: impl FnOnce(&mut Self),
    ) {
        if !allocation.may_fail {
            return then(self);
        }
        let (there, end) = (self.node(), self.node());
        let null = Condition::Pointers { left: Operand::Pointer(object), right: Operand::Null, equal: true };
        self.fork(null, end, there, span);
        self.body.at = there;
        then(self);
        self.join(end, span);
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
