//! Structs, unions and enumerations. For example, `struct node { struct node *next; unsigned flag : 1; }`.

use super::declarator::Naming;
use super::{NameKind, Parsed, Parser, Reported};
use crate::ast::{Declarator, EnumSpecifier, Expr, MemberDeclaration, MemberDeclarator, Name, RecordSpecifier};
use crate::keyword::Keyword;
use crate::token::{Punct, TokenKind};

impl Parser<'_> {
    /// `struct tag { … }`, at the keyword.
    pub(super) fn record(&mut self) -> Parsed<RecordSpecifier> {
        let is_union = self.at_keyword(Keyword::Union);
        let start = self.advance().span;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag()?;
        if !self.at(Punct::LeftBrace) {
            if tag.is_none() {
                return self.unexpected("a tag or `{`");
            }
            return Ok(RecordSpecifier { is_union, tag, members: None, attributes, span: self.since(start) });
        }
        let span = self.since(start);
        let members = self.members()?;
        self.attributes(&mut attributes)?;
        Ok(RecordSpecifier { is_union, tag, members: Some(members), attributes, span })
    }

    fn tag(&mut self) -> Parsed<Option<Name>> {
        match self.peek().kind {
            TokenKind::Name(_) => self.name("a tag").map(Some),
            _ => Ok(None),
        }
    }

    fn members(&mut self) -> Parsed<Vec<MemberDeclaration>> {
        let opened = self.expect(Punct::LeftBrace)?;
        let mut members = Vec::new();
        while !self.at(Punct::RightBrace) {
            if self.at_end() {
                self.close(Punct::RightBrace, opened)?;
            }
            if self.accept(Punct::Semicolon) {
                continue;
            }
            let before = self.position;
            match self.member_declaration() {
                Ok(member) => members.push(member),
                Err(Reported) => {
                    self.recover();
                    // A statement here means that the closing brace is missing.
                    if self.position == before {
                        self.close(Punct::RightBrace, opened)?;
                    }
                }
            }
        }
        self.expect(Punct::RightBrace)?;
        Ok(members)
    }

    fn member_declaration(&mut self) -> Parsed<MemberDeclaration> {
        while self.accept_keyword(Keyword::Extension) {}
        if self.at_keyword(Keyword::StaticAssert) {
            let assertion = self.static_assert()?;
            return Ok(MemberDeclaration::StaticAssert(assertion));
        }
        let start = self.peek().span;
        let specifiers = self.specifiers_with_type("the declaration of a member")?;
        let mut declarators = Vec::new();
        if !self.at(Punct::Semicolon) {
            loop {
                declarators.push(self.member_declarator()?);
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
        }
        // The last semicolon may be missing, says GCC.
        if !self.at(Punct::RightBrace) {
            self.expect(Punct::Semicolon)?;
        }
        Ok(MemberDeclaration::Members { specifiers, declarators, span: self.since(start) })
    }

    fn member_declarator(&mut self) -> Parsed<MemberDeclarator> {
        let mut declarator = if self.at(Punct::Colon) {
            let span = self.peek().span;
            Declarator { name: None, derivations: Vec::new(), attributes: Vec::new(), span }
        } else {
            self.declarator(Naming::Required)?
        };
        let width = if self.accept(Punct::Colon) { Some(self.conditional()?) } else { None };
        self.attributes(&mut declarator.attributes)?;
        Ok(MemberDeclarator { declarator, width })
    }

    /// `enum tag { A, B = 2 }`, at the keyword.
    pub(super) fn enumeration(&mut self) -> Parsed<EnumSpecifier> {
        let start = self.advance().span;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag()?;
        if !self.at(Punct::LeftBrace) {
            if tag.is_none() {
                return self.unexpected("a tag or `{`");
            }
            return Ok(EnumSpecifier { tag, constants: None, attributes, span: self.since(start) });
        }
        let span = self.since(start);
        let constants = self.enumeration_constants()?;
        self.attributes(&mut attributes)?;
        Ok(EnumSpecifier { tag, constants: Some(constants), attributes, span })
    }

    fn enumeration_constants(&mut self) -> Parsed<Vec<(Name, Option<Expr>)>> {
        let opened = self.expect(Punct::LeftBrace)?;
        let mut constants = Vec::new();
        while !self.at(Punct::RightBrace) {
            let name = self.name("the name of a constant")?;
            self.skip_attributes()?;
            let value = if self.accept(Punct::Assign) { Some(self.conditional()?) } else { None };
            self.declare(name, NameKind::Other);
            constants.push((name, value));
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.close(Punct::RightBrace, opened)?;
        Ok(constants)
    }
}
