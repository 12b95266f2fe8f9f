//! Members of structs and unions, also of anonymous ones within them; `offsetof`. For example,
//! `offsetof(struct { int a; char b; }, b)` is 4.

use super::Sema;
use crate::ast::{self, Designator};
use crate::names::Symbol;
use crate::typed::{Expr, ExprKind};
use crate::types::{RecordId, Type, TypeId, Types};
use trifold_source::{Diagnostic, Span, suggest};

impl Sema<'_> {
    pub(super) fn member_access(&mut self, base: &ast::Expr, member: ast::Name, arrow: bool, span: Span) -> Expr {
        let mut base = if arrow {
            let pointer = self.value(base);
            if self.types.is_error(pointer.ty) {
                return self.broken(span);
            }
            let Some(to) = self.types.pointee(pointer.ty) else {
                let error =
                    Diagnostic::error("type", pointer.span, format!("`{}` is not a pointer", self.show(pointer.ty)));
                let is_record = matches!(self.types.get(pointer.ty), Type::Record(_));
                self.sink.push(error.maybe_help(is_record.then(|| "use `.` instead of `->`".into())));
                return self.broken(span);
            };
            let at = pointer.span;
            Expr { kind: ExprKind::Deref(Box::new(pointer)), ty: to, span: at }
        } else {
            self.expression(base)
        };
        let Some(path) = self.member_path(base.ty, member, !arrow) else { return self.broken(span) };
        for index in path {
            let Some(ty) = self.member_type(base.ty, index) else { return self.broken(span) };
            base = Expr { kind: ExprKind::Member(Box::new(base), index), ty, span };
        }
        base
    }

    /// The type of a member, with the qualifiers of its struct.
    pub(super) fn member_type(&mut self, record: TypeId, index: usize) -> Option<TypeId> {
        let Type::Record(id) = *self.types.get(record) else { return None };
        let member = self.types.record(id).members.as_deref()?.get(index)?.ty;
        Some(self.types.qualified(member, self.types.qualifiers(record)))
    }

    /// The numbers of the members that lead to a name, through anonymous ones. Errors are reported.
    pub(super) fn member_path(&mut self, ty: TypeId, member: ast::Name, by_value: bool) -> Option<Vec<usize>> {
        let error = match self.types.get(ty) {
            Type::Error => return None,
            Type::Record(id) if self.types.record(*id).members.is_some() => {
                if let Some(path) = self.find_member(*id, member.symbol) {
                    return Some(path);
                }
                let message = format!("`{}` has no member `{}`", self.show(ty), self.text(member.symbol));
                let mut names = Vec::new();
                self.member_names(*id, &mut names);
                let help = suggest::help(self.text(member.symbol), names.iter().map(|name| self.names.text(*name)));
                Diagnostic::error("unknown-member", member.span, message).maybe_help(help)
            }
            Type::Record(id) => {
                let message = format!("the members of `{}` are not known", self.show(ty));
                let first = self.types.record(*id).span;
                Diagnostic::error("incomplete-type", member.span, message).secondary(first, "only declared here")
            }
            _ => {
                let is_pointer = self.types.pointee(ty).is_some_and(|to| matches!(self.types.get(to), Type::Record(_)));
                let error = Diagnostic::error("type", member.span, format!("`{}` has no members", self.show(ty)));
                error.maybe_help((by_value && is_pointer).then(|| "use `->` instead of `.`".into()))
            }
        };
        self.sink.push(error);
        None
    }

    /// The numbers of the members that lead to a name.
    pub(super) fn find_member(&self, id: RecordId, name: Symbol) -> Option<Vec<usize>> {
        let members = self.types.record(id).members.as_deref()?;
        if let Some(index) = members.iter().position(|member| member.name == Some(name)) {
            return Some(vec![index]);
        }
        members.iter().enumerate().find_map(|(index, member)| match (member.name, self.types.get(member.ty)) {
            (None, Type::Record(inner)) => {
                let mut path = self.find_member(*inner, name)?;
                path.insert(0, index);
                Some(path)
            }
            _ => None,
        })
    }

    fn member_names(&self, id: RecordId, names: &mut Vec<Symbol>) {
        for member in self.types.record(id).members.iter().flatten() {
            match (member.name, self.types.get(member.ty)) {
                (Some(name), _) => names.push(name),
                (None, Type::Record(inner)) => self.member_names(*inner, names),
                _ => {}
            }
        }
    }

    /// `offsetof(type, a.b[3])`. An index need not be constant.
    pub(super) fn offsetof(&mut self, ty: TypeId, path: &[Designator], span: Span) -> Expr {
        // The address of the member of an object at address zero.
        let pointer = self.types.pointer(ty);
        let null = Expr { kind: ExprKind::Integer(0), ty: pointer, span };
        let mut place = Expr { kind: ExprKind::Deref(Box::new(null)), ty, span };
        for designator in path {
            match designator {
                Designator::Member(member) => {
                    let Some(path) = self.member_path(place.ty, *member, true) else { return self.broken(span) };
                    for index in path {
                        let Some(ty) = self.member_type(place.ty, index) else { return self.broken(span) };
                        place = Expr { kind: ExprKind::Member(Box::new(place), index), ty, span };
                    }
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let index = self.value(index);
                    let Type::Array(element, _) = *self.types.get(place.ty) else {
                        if !self.types.is_error(place.ty) {
                            let message = format!("`{}` is not an array", self.show(place.ty));
                            self.error("type", index.span, message);
                        }
                        return self.broken(span);
                    };
                    let pointer = self.valued(place);
                    place = Expr { kind: ExprKind::Index(Box::new(pointer), Box::new(index)), ty: element, span };
                }
            }
        }
        if self.bit_width(&place).is_some() {
            self.error("bit-field", span, "a bit-field has no offset");
            return self.broken(span);
        }
        let address_type = self.types.pointer(place.ty);
        let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: address_type, span };
        let offset = self.convert(address, Types::SIZE);
        match self.integer_constant(&offset) {
            Some(value) => Expr { kind: ExprKind::Integer(value), ty: Types::SIZE, span },
            None => offset,
        }
    }
}
