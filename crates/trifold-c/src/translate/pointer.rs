//! Pointers that change their type: `void *`, first members, containers. For example, `(struct link *)item`, where
//! `link` is the first member of `*item`, becomes a pointer to that part.

use super::Translator;
use super::layout::Kind;
use super::member::{FirstMember, container_of, first_member};
use super::value::Value;
use crate::typed::{Expr, ExprKind};
use crate::types::TypeId;
use trifold_ir as ir;
use trifold_ir::{Builder, Condition, FieldId, Operand, Statement, VarId};
use trifold_source::Span;

impl Translator<'_> {
    /// The pointer without the conversions that leave its value alone: all but those between a struct and its members.
    pub(super) fn uncast<'e>(&self, expr: &'e Expr) -> &'e Expr {
        let types = &self.c.types;
        let ExprKind::Convert { operand, .. } = &expr.kind else { return expr };
        match (types.pointee(operand.ty), types.pointee(expr.ty)) {
            (Some(from), Some(to)) => {
                let same = types.compatible(from, to, false);
                let moves =
                    container_of(self.constants(), expr).is_some() || !same && first_member(types, from, to).is_some();
                if moves { expr } else { self.uncast(operand) }
            }
            _ => expr,
        }
    }

    /// A pointer to an object as a pointer of another type.
    pub(super) fn convert_pointer(
        &mut self,
        value: Value,
        from: TypeId,
        to: TypeId,
        hint: Option<VarId>,
        span: Span,
    ) -> Value {
        if self.is_walker(from) || self.is_walker(to) {
            return self.convert_walker(value.clone(), from, to, span).unwrap_or(value);
        }
        let Value::Pointer(pointer) = value else { return value };
        let (Some(from_target), Some(to_target)) = (self.c.types.pointee(from), self.c.types.pointee(to)) else {
            return Value::Nothing;
        };
        let (Some(Kind::Pointer(a)), Some(Kind::Pointer(b))) = (self.kind(from), self.kind(to)) else {
            return self.unsupported("a pointer to a function", span);
        };
        if a == b || a.is_none() || b.is_none() {
            return value;
        }
        match first_member(&self.c.types, from_target, to_target) {
            Some(FirstMember::Down(_, path)) => self.first_of(pointer, from_target, to_target, &path, hint, span),
            Some(FirstMember::Up(record, path)) => {
                let container = self.kind(to);
                let result = self.target(hint, container.map_or(ir::Type::Pointer(None), Kind::ty), span);
                self.unless_null(pointer, result, span, |this| {
                    let value = this.owner(Value::Pointer(pointer), record, &path, Some(result), span);
                    this.keep_pointer(result, value, span);
                })
            }
            None => {
                let text = format!("a cast from `{}` to `{}`", self.c.show(from), self.c.show(to));
                self.unsupported(text, span)
            }
        }
    }

    /// The address of the first member that a path leads to.
    fn first_of(
        &mut self,
        pointer: VarId,
        from: TypeId,
        to: TypeId,
        path: &[usize],
        hint: Option<VarId>,
        span: Span,
    ) -> Value {
        let structure = self.struct_of(to);
        let result = self.target(hint, ir::Type::Pointer(Some(structure)), span);
        self.unless_null(pointer, result, span, |this| {
            let mut place = this.dereference(Value::Pointer(pointer), from, span);
            for index in path {
                let ty = this.part_type(place.ty, *index);
                place = this.part(place, *index, ty, span);
            }
            let value = this.address(place, Some(result), span);
            this.keep_pointer(result, value, span);
        })
    }

    fn keep_pointer(&mut self, to: VarId, value: Value, span: Span) {
        match value {
            Value::Pointer(pointer) if pointer != to => self.set(to, Operand::Pointer(pointer), span),
            _ => {}
        }
    }

    /// A NULL pointer stays NULL with every type.
    pub(super) fn unless_null(
        &mut self,
        pointer: VarId,
        result: VarId,
        span: Span,
        run: impl FnOnce(&mut Self),
    ) -> Value {
        let null = Condition::Pointers { left: Operand::Pointer(pointer), right: Operand::Null, equal: true };
        let otherwise = self.unless(null, span);
        let end = self.node();
        self.set(result, Operand::Null, span);
        self.jump(end, span);
        self.body.at = otherwise;
        run(self);
        self.join(end, span);
        Value::Pointer(result)
    }

    /// From a part back to the struct that it is a part of.
    pub(super) fn owner(
        &mut self,
        value: Value,
        record: TypeId,
        path: &[usize],
        hint: Option<VarId>,
        span: Span,
    ) -> Value {
        let pointer = match value {
            Value::Pointer(pointer) => pointer,
            Value::Null => return self.unsupported("an address that is computed from a NULL pointer", span),
            other => return other,
        };
        let fields = self.embedded_fields(record, path);
        if fields.is_empty() {
            return self.unsupported("the struct around a member", span);
        }
        let mut part = pointer;
        for (position, field) in fields.iter().enumerate().rev() {
            let ty = ir::Type::Pointer(Some(self.ir[*field].structure));
            let structure = self.ir[*field].ty.target();
            part = structure.map_or(part, |structure| self.typed_pointer(part, structure, span));
            let to = if position == 0 { self.target(hint, ty, span) } else { self.temporary(ty, span) };
            self.emit(Statement::Owner { to, part, field: *field }, span);
            part = to;
        }
        Value::Pointer(part)
    }

    /// The embedded fields on the way from a struct to a member.
    fn embedded_fields(&mut self, record: TypeId, path: &[usize]) -> Vec<FieldId> {
        let structure = self.struct_of(record);
        let mut tree = self.root(structure);
        let mut fields = Vec::new();
        for index in path {
            let super::layout::Tree::Parts(parts) = &*tree else { return Vec::new() };
            let Some(part) = parts.get(*index).cloned() else { return Vec::new() };
            tree = part;
            if let super::layout::Tree::Embedded(field, structure) = *tree {
                fields.push(field);
                tree = self.root(structure);
            }
        }
        fields
    }
}
