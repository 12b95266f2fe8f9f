//! Objects with less memory than their type has: `malloc(offsetof(struct s, extra))`, or `malloc(3)`.
//!
//! That is fine as long as only the first bytes are used. So the objects of a type that is allocated like this anywhere
//! have a further field, the number of bytes that are missing at their end, and before a part is used that may be
//! missing it is asked whether it is there. For example, with a part that ends 4 bytes before the end of its struct,
//! `p->n` becomes `m = p->missing; assume(m <= 4); … p->n`, and an error otherwise.

use super::Translator;
use super::forms::called;
use super::layout::U64;
use crate::constant::Constants;
use crate::library::Known;
use crate::typed::{Expr, ExprKind, Program};
use crate::types::{Type, TypeId};
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, FieldId, FindingKind, Operand, Statement, StructId, VarId};
use trifold_source::Span;

/// The field with the number of bytes that are missing.
const MISSING: &str = "missing";

/// The type of objects that an expression allocates with less memory than they have.
pub(super) fn short_allocation(expr: &Expr, program: &Program, known: &Known, constants: Constants) -> Option<TypeId> {
    let ExprKind::Convert { operand, .. } = &expr.kind else { return None };
    let ExprKind::Call(callee, arguments) = &operand.kind else { return None };
    let row = called(callee).and_then(|id| known.row(id))?;
    let sizes = row.allocation()?.size.arguments()?;
    let expected = program.types.pointee(expr.ty)?;
    let bytes = sizes.into_iter().map(|size| constants.integer(arguments.get(size)?));
    let bytes = bytes.reduce(|a, b| a?.checked_mul(b?)).flatten()?;
    let size = program.types.size(expected).map(i128::from)?;
    (1..size).contains(&bytes).then_some(expected)
}

impl Translator<'_> {
    /// May objects of a type have less memory than the type?
    pub(super) fn may_be_short(&self, ty: TypeId) -> bool {
        let is_short = self.survey.short.iter().any(|short| self.c.types.compatible(*short, ty, false));
        is_short && self.element_size(ty).is_none()
    }

    /// Adds the field for the missing bytes, if objects of the type may miss some.
    pub(super) fn add_extent(&mut self, structure: StructId, ty: TypeId, span: Span) {
        if self.may_be_short(ty) {
            self.ir.add_field(structure, MISSING, ir::Type::Scalar(U64), false, span);
        }
    }

    /// Have the objects of a struct the field?
    pub(super) fn has_extent(&mut self, structure: StructId) -> bool {
        if !self.may_be_short(self.type_of_struct(structure)) {
            return false;
        }
        self.root(structure);
        self.missing(structure).is_some()
    }

    fn missing(&self, structure: StructId) -> Option<FieldId> {
        self.ir.field_named(structure, MISSING)
    }

    /// Can an object of the type have just these bytes? A part that is an object of its own does not know of it, nor
    /// does an object that is a part.
    pub(super) fn can_be_short(&mut self, ty: TypeId, bytes: u64) -> bool {
        let structure = self.struct_of(ty);
        self.root(structure);
        let types = &self.c.types;
        let members = self
            .survey
            .members
            .iter()
            .filter_map(|(record, index)| Some(types.record(*record).members.as_ref()?.get(*index)?.ty));
        let elements = self.survey.arrays.iter().filter_map(|array| match types.get(*array) {
            Type::Array(element, _) => Some(*element),
            _ => None,
        });
        let is_part = members.chain(elements).any(|part| types.compatible(part, ty, false));
        let embedded = self.ir[structure].fields.iter().filter(|field| self.ir[**field].embedded);
        let has_parts = embedded.clone().any(|field| self.layouts.ends.get(field).is_none_or(|end| *end > bytes));
        !is_part && !has_parts && self.missing(structure).is_some()
    }

    /// A new object misses so many bytes at its end.
    pub(super) fn set_extent(&mut self, object: VarId, structure: StructId, missing: u64, span: Span) {
        if !self.has_extent(structure) {
            return;
        }
        let Some(field) = self.missing(structure) else { return };
        let object = self.typed_pointer(object, structure, span);
        let value = Operand::Scalar(ir::Expr::Constant(missing.into(), U64));
        self.emit(Statement::Store { object, field, value }, span);
    }

    /// A field is about to be used: it must be there.
    pub(super) fn check_extent(&mut self, object: VarId, field: FieldId, span: Span) {
        let structure = self.ir[field].structure;
        let Some(missing) = self.missing(structure) else { return };
        let size = self.c.types.size(self.type_of_struct(structure)).unwrap_or(0);
        let Some(after) = self.layouts.ends.get(&field).and_then(|end| size.checked_sub(*end)) else { return };
        let to = self.temporary(ir::Type::Scalar(U64), span);
        self.emit(Statement::Load { to, object, field: missing }, span);
        let is_there =
            ir::Expr::binary(BinaryOp::LessEqual, ir::Expr::Variable(to), ir::Expr::Constant(after.into(), U64));
        let beyond = self.unless(Condition::Scalar(is_there), span);
        let here = std::mem::replace(&mut self.body.at, beyond);
        let text = format!("`{}` lies beyond the memory that was allocated", self.ir[field].name);
        self.end(Statement::Error { kind: FindingKind::InvalidDereference, text }, span);
        self.body.at = here;
    }
}
