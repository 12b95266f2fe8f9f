//! How many elements are allocated: from sizes in bytes, which are mostly products with the size of an element.
//!
//! For example, `malloc(n * sizeof(int))` has `n` elements, if so many can be addressed.

use super::Translator;
use super::buffer::{I64, Walker, index};
use super::layout::Kind;
use super::place::Place;
use super::value::Value;
use crate::library::Allocation;
use crate::typed::{BinaryOperator, DeclarationId, Expr, ExprKind};
use crate::types::{ArrayLength, Type, TypeId, Types};
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, Region, Scope, Statement};
use trifold_source::Span;

impl<'p> Translator<'p> {
    /// `malloc(size)`, or `calloc(count, size)`, of numbers that pointers walk over.
    pub(super) fn allocate_buffer(
        &mut self,
        sizes: &[&'p Expr],
        (element, ty): (TypeId, TypeId),
        allocation: Allocation,
        span: Span,
    ) -> Value {
        let (Some(structure), Some(width)) = (self.buffer_of(element), self.element_size(element)) else {
            return Value::Nothing;
        };
        let Some(count) = self.counted(sizes, width, span) else {
            return self.unsupported("an allocation whose size is not known", span);
        };
        let buffer = self.temporary(ir::Type::Pointer(Some(structure)), span);
        let Allocation { region, zeroed, may_fail, .. } = allocation;
        self.emit(Statement::Allocate { to: buffer, structure, region, zeroed, may_fail }, span);
        self.if_allocated(buffer, allocation, span, |this| {
            this.set_count(buffer, element, count, zeroed, span);
        });
        self.walker_value(Walker { buffer, at: index(0) }, ty, span)
    }

    /// A number without conversions to types that have as many bits and the same sign, or more bits.
    pub(super) fn unwidened(&self, expr: &'p Expr) -> &'p Expr {
        let ExprKind::Convert { operand, .. } = &expr.kind else { return expr };
        let kinds = (self.c.types.integer_kind(operand.ty), self.c.types.integer_kind(expr.ty));
        match kinds {
            (Some(from), Some(to)) if !from.is_signed() && from.size() <= to.size() => self.unwidened(operand),
            _ => expr,
        }
    }

    /// How many elements of a width so many bytes are. A product with the width is the other factor, if it fits.
    pub(super) fn counted(&mut self, sizes: &[&'p Expr], width: u64, span: Span) -> Option<ir::Expr> {
        let most = self.c.types.integer_kind(Types::SIZE)?.maximum();
        let is_width = |expr: &Expr| self.object_size(expr).is_some_and(|(size, _)| size == i128::from(width));
        let sizes: Vec<&'p Expr> = sizes.iter().map(|size| self.unwidened(size)).collect();
        let factor = match sizes[..] {
            [count, size] | [size, count] if is_width(size) => count,
            [size] => match &size.kind {
                ExprKind::Binary(BinaryOperator::Mul, left, right) if is_width(right) => &**left,
                ExprKind::Binary(BinaryOperator::Mul, left, right) if is_width(left) => &**right,
                _ => {
                    let Value::Scalar(all) = self.value(size, None) else { return None };
                    let all = self.converted(all, I64);
                    self.assume_fits(&all, most / 2, span);
                    return Some(match width {
                        1 => all,
                        width => ir::Expr::binary(BinaryOp::Divide, all, index(width.into())),
                    });
                }
            },
            _ => return None,
        };
        let Value::Scalar(factor) = self.value(factor, None) else { return None };
        // As a size, which is never negative.
        let size = self.kind(Types::SIZE)?;
        let Kind::Scalar(size) = size else { return None };
        let factor = self.converted(self.converted(factor, size), I64);
        let limit = most / 2 / i128::from(width);
        self.assume_fits(&factor, limit, span);
        Some(factor)
    }

    /// Allocation succeeds, so nobody asks for more memory than can be addressed.
    fn assume_fits(&mut self, size: &ir::Expr, most: i128, span: Span) {
        let above = ir::Expr::binary(BinaryOp::GreaterEqual, size.clone(), index(0));
        let below = ir::Expr::binary(BinaryOp::LessEqual, size.clone(), index(most));
        let condition = ir::Expr::binary(BinaryOp::And, above, below);
        let otherwise = self.unless(Condition::Scalar(condition), span);
        let here = std::mem::replace(&mut self.body.at, otherwise);
        match self.options.malloc_may_fail {
            true => drop(self.unsupported("an allocation of more memory than can be addressed", span)),
            false => self.end(Statement::Stop, span),
        }
        self.body.at = here;
    }

    /// An array of variable length comes to life.
    pub(super) fn declare_variable_array(&mut self, id: DeclarationId, span: Span) -> bool {
        let ty = self.c.declaration(id).ty;
        let Type::Array(element, ArrayLength::Variable(length)) = *self.c.types.get(ty) else { return false };
        let array = self.pointer_array_of(ty);
        let Some(structure) = array.map(|known| known.array).or_else(|| self.buffer_of(ty)) else { return false };
        let Some(length) = self.c.lengths.get(length as usize) else { return false };
        let Value::Scalar(count) = self.value(length, None) else { return false };
        let count = self.converted(count, I64);
        self.assume_fits(&count, I64.range().1, span);
        let known = self.body.variables.get(&id).and_then(Place::pointer);
        let object = known.unwrap_or_else(|| self.object_variable(id, Scope::Local(self.body.procedure)));
        let (region, zeroed, may_fail) = (Region::Stack, false, false);
        self.emit(Statement::Allocate { to: object, structure, region, zeroed, may_fail }, span);
        match array {
            Some(known) => self.make_elements(object, known, count, false, span),
            None => self.set_count(object, element, count, false, span),
        }
        let place = self.object(object, ty);
        self.body.variables.insert(id, place);
        if let Some(block) = self.body.blocks.last_mut() {
            block.objects.push(object);
        }
        true
    }
}
