//! Structs, unions and enumerations: identities, members, constants. For example, `enum { A, B = 5, C }` has the
//! constants 0, 5 and 6.

use super::{Sema, Tag};
use crate::ast::{self, AttributeKind, MemberDeclaration};
use crate::names::Symbol;
use crate::typed::DeclarationKind;
use crate::types::{ArrayLength, IntKind, Member, NewMember, RecordId, Type, TypeId, Types};
use rustc_hash::FxHashMap;
use trifold_source::{Diagnostic, Span};

impl Sema<'_> {
    /// The struct or union of a specifier. Standing alone, as in `struct s;`, it declares a new one in this scope.
    pub(super) fn record(&mut self, specifier: &ast::RecordSpecifier, declares_alone: bool) -> TypeId {
        let innermost = specifier.members.is_some() || declares_alone;
        let id = match specifier.tag {
            Some(tag) => match self.tagged(tag, innermost) {
                Some(Tag::Record(id)) if self.types.record(id).is_union == specifier.is_union => id,
                Some(other) => return self.other_tag(tag, other),
                None => {
                    let id = self.types.new_record(Some(tag.symbol), specifier.is_union, tag.span);
                    self.tags.insert(tag.symbol, Tag::Record(id));
                    id
                }
            },
            None => self.types.new_record(None, specifier.is_union, specifier.span),
        };
        if let Some(members) = &specifier.members {
            if self.types.record(id).members.is_some() {
                let first = self.types.record(id).span;
                let message =
                    format!("`{}` is defined twice", specifier.tag.map_or("", |tag| self.names.text(tag.symbol)));
                let error = Diagnostic::error("redefinition", specifier.span, message);
                self.sink.push(error.secondary(first, "first here"));
            } else {
                self.members(id, members, &specifier.attributes, specifier.span);
            }
        }
        self.types.intern(Type::Record(id))
    }

    fn tagged(&self, tag: ast::Name, innermost: bool) -> Option<Tag> {
        if innermost { self.tags.get_innermost(tag.symbol) } else { self.tags.get(tag.symbol) }
    }

    fn other_tag(&mut self, tag: ast::Name, other: Tag) -> TypeId {
        let span = match other {
            Tag::Record(id) => self.types.record(id).span,
            Tag::Enum(id) => self.types.enumeration(id).span,
        };
        let message = format!("the tag `{}` is of another kind", self.text(tag.symbol));
        self.sink.push(Diagnostic::error("tag", tag.span, message).secondary(span, "first used here"));
        Types::ERROR
    }

    fn members(&mut self, id: RecordId, declarations: &[MemberDeclaration], attributes: &[ast::Attribute], span: Span) {
        let mut members = Vec::new();
        for declaration in declarations {
            match declaration {
                MemberDeclaration::StaticAssert(assertion) => self.static_assert(assertion),
                MemberDeclaration::Members { specifiers, declarators, span } => {
                    let alone = false;
                    let base = self.specified(specifiers, alone);
                    if declarators.is_empty() {
                        self.anonymous_member(base, specifiers, *span, &mut members);
                    }
                    for declarator in declarators {
                        self.member(base, specifiers, declarator, &mut members);
                    }
                }
            }
        }
        self.check_members(id, &mut members);
        let alignment = self.alignment(attributes);
        let transparent = attributes.iter().any(|attribute| matches!(attribute.kind, AttributeKind::TransparentUnion));
        if self.types.lay_out(id, members, alignment).is_err() {
            self.error("record", span, "this struct is too large");
        }
        self.types.record_mut(id).transparent = transparent;
    }

    /// A struct or union without a name, whose members are members here; anything else declares nothing.
    fn anonymous_member(&mut self, ty: TypeId, specifiers: &ast::Specifiers, span: Span, members: &mut Vec<NewMember>) {
        let is_anonymous = match self.types.get(ty) {
            Type::Record(id) => self.types.record(*id).tag.is_none(),
            _ => false,
        };
        if is_anonymous {
            let alignment = self.alignment(&specifiers.attributes);
            let member = Member { name: None, ty, offset: 0, bits: None, span };
            members.push(NewMember { member, width: None, alignment });
        }
    }

    fn member(
        &mut self,
        base: TypeId,
        specifiers: &ast::Specifiers,
        declarator: &ast::MemberDeclarator,
        members: &mut Vec<NewMember>,
    ) {
        let ast::MemberDeclarator { declarator, width } = declarator;
        let span = declarator.name.map_or(declarator.span, |name| name.span);
        let mut ty = self.declared(base, declarator);
        let width = width.as_ref().and_then(|width| self.bit_field_width(width, ty));
        let wrong = match self.types.get(ty) {
            Type::Function(_) => Some("a member cannot be a function".to_string()),
            Type::Array(element, ArrayLength::Unknown) if !self.types.is_incomplete(*element) => None,
            _ if self.types.is_incomplete(ty) => {
                Some(format!("a member cannot have the incomplete type `{}`", self.show(ty)))
            }
            _ => None,
        };
        if let Some(message) = wrong {
            self.error("incomplete-type", span, message);
            ty = Types::ERROR;
        }
        let alignment = self.alignment(specifiers.attributes.iter().chain(&declarator.attributes));
        let member = Member { name: declarator.name.map(|name| name.symbol), ty, offset: 0, bits: None, span };
        members.push(NewMember { member, width, alignment });
    }

    fn bit_field_width(&mut self, width: &ast::Expr, ty: TypeId) -> Option<u64> {
        let width = self.value(width);
        if self.types.is_error(width.ty) || self.types.is_error(ty) {
            return None;
        }
        let Some(kind) = self.types.integer_kind(ty) else {
            let message = format!("a bit-field must be an integer, not `{}`", self.show(ty));
            self.error("bit-field", width.span, message);
            return None;
        };
        let most = if *self.types.get(ty) == Type::Bool { 1 } else { kind.size() * 8 };
        match self.integer_constant(&width) {
            Some(value) if (0..=i128::from(most)).contains(&value) => Some(value as u64),
            _ => {
                let message = format!("the width of this bit-field must be a constant from 0 to {most}");
                self.error("bit-field", width.span, message);
                None
            }
        }
    }

    /// Names must differ, and an array without a length comes last.
    fn check_members(&mut self, id: RecordId, members: &mut [NewMember]) {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for member in members.iter() {
            for (name, span) in self.names_in(&member.member) {
                if let Some(first) = seen.insert(name, span) {
                    let message = format!("the member `{}` is declared twice", self.text(name));
                    let error = Diagnostic::error("redefinition", span, message);
                    self.sink.push(error.secondary(first, "first here"));
                }
            }
        }
        let is_union = self.types.record(id).is_union;
        let last = members.len().saturating_sub(1);
        for (index, member) in members.iter_mut().enumerate() {
            let flexible = matches!(self.types.get(member.member.ty), Type::Array(_, ArrayLength::Unknown));
            if flexible && index != last && !is_union {
                self.error(
                    "incomplete-type",
                    member.member.span,
                    "only the last member can be an array without a length",
                );
                member.member.ty = Types::ERROR;
            }
        }
    }

    /// The name of a member; of an anonymous one, the names in it.
    fn names_in(&self, member: &Member) -> Vec<(Symbol, Span)> {
        match (member.name, self.types.get(member.ty)) {
            (Some(name), _) => vec![(name, member.span)],
            (None, Type::Record(id)) if member.bits.is_none() => {
                let members = self.types.record(*id).members.as_deref().unwrap_or_default();
                members.iter().flat_map(|inner| self.names_in(inner)).map(|(name, _)| (name, member.span)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The enumeration of a specifier, whose constants are declared.
    pub(super) fn enumeration(&mut self, specifier: &ast::EnumSpecifier) -> TypeId {
        let id = match specifier.tag {
            Some(tag) => match self.tagged(tag, specifier.constants.is_some()) {
                Some(Tag::Enum(id)) => id,
                Some(other) => return self.other_tag(tag, other),
                None => {
                    let id = self.types.new_enumeration(Some(tag.symbol), tag.span);
                    self.tags.insert(tag.symbol, Tag::Enum(id));
                    id
                }
            },
            None => self.types.new_enumeration(None, specifier.span),
        };
        if let Some(constants) = &specifier.constants {
            if self.types.enumeration(id).complete {
                let first = self.types.enumeration(id).span;
                let error = Diagnostic::error("redefinition", specifier.span, "this enumeration is defined twice");
                self.sink.push(error.secondary(first, "first here"));
            }
            let packed = specifier.attributes.iter().any(|attribute| matches!(attribute.kind, AttributeKind::Packed));
            self.constants(id, constants, packed);
        }
        self.types.intern(Type::Enum(id))
    }

    fn constants(&mut self, id: crate::types::EnumId, constants: &[(ast::Name, Option<ast::Expr>)], packed: bool) {
        let (mut next, mut least, mut most) = (0i128, 0i128, 0i128);
        for (name, value) in constants {
            if let Some(value) = value {
                let value = self.value(value);
                match self.integer_constant(&value) {
                    Some(value) => next = value,
                    None if self.types.is_error(value.ty) => {}
                    None => {
                        self.error("not-constant", value.span, "the value of an enumeration constant must be constant")
                    }
                }
            }
            let kind = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong];
            let kind = kind.into_iter().find(|kind| (kind.minimum()..=kind.maximum()).contains(&next));
            let Some(kind) = kind else {
                self.error("enumeration", name.span, "the value of this constant does not fit into 64 bits");
                return;
            };
            let ty = self.types.integer(self.types.of_constant(kind, next));
            self.declare_plain(*name, ty, DeclarationKind::Constant(next));
            (least, most) = (least.min(next), most.max(next));
            next += 1;
        }
        let enumeration = self.types.enumeration_mut(id);
        enumeration.complete = true;
        enumeration.underlying = underlying(least, most, packed);
    }
}

/// The type that GCC gives an enumeration with these values.
fn underlying(least: i128, most: i128, packed: bool) -> IntKind {
    use IntKind::*;
    let small: &[IntKind] = if packed { &[UChar, SChar, UShort, Short] } else { &[] };
    let kinds = small.iter().chain(&[UInt, Int, ULong, Long]);
    kinds.copied().find(|kind| kind.minimum() <= least && most <= kind.maximum()).unwrap_or(Long)
}
