//! Where text ends: buffers of characters know the index of one that is zero, if any is known.
//!
//! A zero that is written is the one that is known from then on; where something else is written over it, none is. A
//! character that is read there is zero. For example, `while (*p) p++` ends at the known zero, because where `p` is
//! before it, and `*p` is not zero, `p + 1` is not behind it.

use super::Translator;
use super::buffer::{I64, index};
use super::layout::Slot;
use super::place::Bytes;
use super::value::Value;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, Operand, Operation, Scalar, Statement, VarId};
use trifold_source::Span;

impl Translator<'_> {
    /// A character of a buffer is zero, at this index; at none that is known if it is negative.
    pub(super) fn set_zero(&mut self, slot: Slot, object: VarId, at: ir::Expr, span: Span) {
        let Slot::Field(data) = slot else { return };
        if let Some(field) = self.layouts.zeros.get(&data).copied() {
            self.emit(Statement::Store { object, field, value: Operand::Scalar(at) }, span);
        }
    }

    /// The index of a character of a buffer that is zero.
    fn zero_of(&mut self, slot: Slot, object: Option<VarId>, span: Span) -> Option<ir::Expr> {
        let (Slot::Field(data), Some(object)) = (slot, object) else { return None };
        let field = self.layouts.zeros.get(&data).copied()?;
        let to = self.temporary(ir::Type::Scalar(I64), span);
        self.emit(Statement::Load { to, object, field }, span);
        Some(ir::Expr::Variable(to))
    }

    /// A character is read: zero where one is known to be, and otherwise what runs compute.
    pub(super) fn read_character(
        &mut self,
        (slot, object): (Slot, Option<VarId>),
        offset: &ir::Expr,
        scalar: Scalar,
        of: &[Operand],
        span: Span,
    ) -> Option<ir::Expr> {
        let zero = self.zero_of(slot, object, span)?;
        let at = self.converted(offset.clone(), I64);
        let to = self.temporary(ir::Type::Scalar(scalar), span);
        let (ends, goes_on, end) = (self.node(), self.node(), self.node());
        self.fork(Condition::Scalar(ir::Expr::binary(BinaryOp::Equal, at, zero)), ends, goes_on, span);
        self.body.at = ends;
        self.set(to, Operand::Scalar(ir::Expr::Constant(0, scalar)), span);
        self.jump(end, span);
        self.body.at = goes_on;
        let meaning = ir::Meaning::Computed(Operation::Read(1), of.to_vec());
        self.emit(Statement::Nondet { to, range: None, meaning }, span);
        self.join(end, span);
        Some(ir::Expr::Variable(to))
    }

    /// A character was written: where it is zero is known, if it is, and otherwise it may not be there any more.
    pub(super) fn wrote_character(&mut self, to: &Bytes, value: Option<ir::Expr>, span: Span) {
        let (Some(object), Slot::Field(data)) = (to.object, to.slot) else { return };
        if !self.layouts.zeros.contains_key(&data) {
            return;
        }
        let Some(value) = value else { return self.set_zero(to.slot, object, index(-1), span) };
        let at = self.converted(to.offset.clone(), I64);
        let (is_zero, is_other, end) = (self.node(), self.node(), self.node());
        self.branch_on(Value::Scalar(value), is_other, is_zero, span);
        self.body.at = is_zero;
        self.set_zero(to.slot, object, at.clone(), span);
        self.jump(end, span);
        self.body.at = is_other;
        if let Some(zero) = self.zero_of(to.slot, to.object, span) {
            let gone = self.node();
            self.fork(Condition::Scalar(ir::Expr::binary(BinaryOp::Equal, at, zero)), gone, end, span);
            self.body.at = gone;
            self.set_zero(to.slot, object, index(-1), span);
        }
        self.join(end, span);
    }
}
