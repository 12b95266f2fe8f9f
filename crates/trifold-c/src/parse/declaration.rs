//! Declarations and function definitions. For example, `int x = 1, *p;` and `int f(void) { return x; }`.

use super::declarator::Naming;
use super::{NameKind, Parsed, Parser, Reported};
use crate::ast::{
    Block, Declaration, Declarator, Derivation, FunctionDefinition, InitDeclarator, Item, Name, Parameters, Specifiers,
    StaticAssert, Stmt, StmtKind, StorageClass, TranslationUnit, TypeSpecifier,
};
use crate::keyword::Keyword;
use crate::token::{Punct, TokenKind};
use trifold_source::{Diagnostic, Span};

impl Parser<'_> {
    /// A whole file.
    pub(super) fn translation_unit(mut self) -> TranslationUnit {
        let mut items = Vec::new();
        while !self.at_end() {
            let before = self.position;
            match self.item() {
                Ok(item) => items.extend(item),
                Err(Reported) => {
                    self.recover();
                    // A brace that closes nothing: the text after it is outside of functions all the same.
                    if self.at(Punct::RightBrace) || self.position == before {
                        self.advance();
                    }
                }
            }
        }
        TranslationUnit { items, strange: self.strange, in_bodies: self.in_bodies }
    }

    fn item(&mut self) -> Parsed<Option<Item>> {
        if self.accept(Punct::Semicolon) {
            return Ok(None);
        }
        while self.at_keyword(Keyword::Extension) {
            self.advance();
        }
        let start = self.peek().span;
        if self.at_keyword(Keyword::StaticAssert) {
            return self.static_assert().map(Item::StaticAssert).map(Some);
        }
        if self.at_keyword(Keyword::Asm) {
            self.asm_declaration()?;
            return Ok(Some(Item::Asm(self.since(start))));
        }
        let specifiers = self.specifiers()?;
        self.check_type_is_known(&specifiers)?;
        if self.accept(Punct::Semicolon) {
            return Ok(Some(Item::Declaration(Declaration {
                specifiers,
                declarators: Vec::new(),
                span: self.since(start),
            })));
        }
        let declarator = self.declarator(Naming::Required)?;
        if self.starts_body(&declarator) {
            return self.function(specifiers, declarator, start).map(Item::Function).map(Some);
        }
        self.declaration_rest(specifiers, declarator, start).map(Item::Declaration).map(Some)
    }

    /// `foo x;` where `foo` is no type is an error here; `foo(x)` may be a function without a type.
    fn check_type_is_known(&mut self, specifiers: &Specifiers) -> Parsed<()> {
        if !matches!(specifiers.ty, TypeSpecifier::Missing) {
            return Ok(());
        }
        match (self.peek().kind, self.peek_at(1).kind) {
            (TokenKind::Name(_), TokenKind::Name(_) | TokenKind::Keyword(_)) => self.unknown_type(),
            (TokenKind::Name(_), TokenKind::Punct(Punct::Star)) => self.unknown_type(),
            (TokenKind::Name(_), TokenKind::Punct(Punct::LeftParen)) => Ok(()),
            (TokenKind::Name(_) | TokenKind::Punct(Punct::Star), _) if specifiers.storage.is_some() => Ok(()),
            (TokenKind::Name(_), TokenKind::Punct(Punct::Semicolon | Punct::Assign | Punct::LeftBracket)) => Ok(()),
            (TokenKind::Name(_), _) if !specifiers.qualifiers.is_empty() => Ok(()),
            _ => self.unexpected("a declaration"),
        }
    }

    /// Does the body of a function follow, possibly after declarations of its parameters?
    fn starts_body(&self, declarator: &Declarator) -> bool {
        match declarator.derivations.first() {
            Some(Derivation::Function(Parameters::Names(names), _)) if !names.is_empty() => {
                self.at(Punct::LeftBrace) || self.starts_declaration(0)
            }
            Some(Derivation::Function(..)) => self.at(Punct::LeftBrace),
            _ => false,
        }
    }

    fn function(&mut self, specifiers: Specifiers, declarator: Declarator, start: Span) -> Parsed<FunctionDefinition> {
        if let Some(name) = declarator.name {
            self.declare(name, NameKind::Other);
        }
        let span = self.since(start);
        self.scoped(|p| {
            let mut old_style = Vec::new();
            while !p.at(Punct::LeftBrace) {
                old_style.push(p.declaration()?);
            }
            for name in parameter_names(&declarator) {
                p.declare(name, NameKind::Other);
            }
            let body = p.body()?;
            Ok(FunctionDefinition { specifiers, declarator, old_style, body, span })
        })
    }

    /// The body of a function. An error in it costs this function only, if it is clear where the function ends.
    fn body(&mut self) -> Parsed<Block> {
        let (start, opened, recovered) = (self.position, self.peek().span, self.recovered);
        let outer = std::mem::take(self.sink);
        let body = self.block_in_scope();
        let inner = std::mem::replace(self.sink, outer);
        if body.is_ok() && !inner.failed() && self.recovered == recovered {
            self.sink.absorb(inner);
            return body;
        }
        let end = std::mem::replace(&mut self.position, start);
        self.skip_balanced();
        if self.tokens[self.position - 1].kind != TokenKind::Punct(Punct::RightBrace) {
            self.position = end;
            self.sink.absorb(inner);
            return body;
        }
        let whole = self.since(opened);
        let first = inner.first_error().map(|error| (error.message.clone(), error.primary.span));
        self.in_bodies.absorb(inner);
        let (message, span) = first.unwrap_or(("it is no C".to_string(), opened));
        let statement = Stmt { kind: StmtKind::NotUnderstood(message), span };
        Ok(Block { statements: vec![statement], span: whole })
    }

    /// A declaration in a block, or of a parameter in the old style.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.peek().span;
        let specifiers = self.specifiers()?;
        if self.accept(Punct::Semicolon) {
            return Ok(Declaration { specifiers, declarators: Vec::new(), span: self.since(start) });
        }
        let declarator = self.declarator(Naming::Required)?;
        if self.at(Punct::LeftBrace) && matches!(declarator.derivations.first(), Some(Derivation::Function(..))) {
            let span = declarator.name.map_or(declarator.span, |name| name.span);
            let error = Diagnostic::error("nested-function", span, "a function within a function is not supported");
            self.sink.push(error.help("move it out of the function, and pass what it uses as parameters"));
            return Err(Reported);
        }
        self.declaration_rest(specifiers, declarator, start)
    }

    /// The rest of a declaration after the first declarator.
    fn declaration_rest(&mut self, specifiers: Specifiers, first: Declarator, start: Span) -> Parsed<Declaration> {
        let kind = if specifiers.storage == Some(StorageClass::Typedef) { NameKind::Type } else { NameKind::Other };
        let mut declarators = vec![self.init_declarator(first, kind)?];
        while self.accept(Punct::Comma) {
            let mut attributes = Vec::new();
            self.attributes(&mut attributes)?;
            let mut declarator = self.declarator(Naming::Required)?;
            declarator.attributes.append(&mut attributes);
            declarators.push(self.init_declarator(declarator, kind)?);
        }
        if !self.at(Punct::Semicolon) {
            let old_style = matches!(
                declarators.last().and_then(|last| last.declarator.derivations.first()),
                Some(Derivation::Function(..))
            );
            return self.unexpected(if old_style { "`;` or the body of the function" } else { "`;`" });
        }
        self.advance();
        Ok(Declaration { specifiers, declarators, span: self.since(start) })
    }

    /// A declarator with its asm label, attributes and initializer. The name is declared before its initializer, which
    /// may use it.
    fn init_declarator(&mut self, mut declarator: Declarator, kind: NameKind) -> Parsed<InitDeclarator> {
        if let Some(name) = declarator.name {
            self.declare(name, kind);
        }
        let mut assembler_name = None;
        if self.accept_keyword(Keyword::Asm) {
            let opened = self.expect(Punct::LeftParen)?;
            assembler_name = Some(self.string()?);
            self.close(Punct::RightParen, opened)?;
        }
        self.attributes(&mut declarator.attributes)?;
        let initializer = if self.accept(Punct::Assign) { Some(self.initializer()?) } else { None };
        Ok(InitDeclarator { declarator, assembler_name, initializer })
    }

    /// `_Static_assert(condition, "message");`, at the keyword.
    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let start = self.advance().span;
        let opened = self.expect(Punct::LeftParen)?;
        let condition = self.conditional()?;
        let message = if self.accept(Punct::Comma) { Some(self.string()?) } else { None };
        self.close(Punct::RightParen, opened)?;
        let span = self.since(start);
        self.expect(Punct::Semicolon)?;
        Ok(StaticAssert { condition, message, span })
    }
}

/// The names of the parameters that a function declarator declares.
fn parameter_names(declarator: &Declarator) -> Vec<Name> {
    match declarator.derivations.first() {
        Some(Derivation::Function(Parameters::Prototype { parameters, .. }, _)) => {
            parameters.iter().filter_map(|parameter| parameter.declarator.name).collect()
        }
        Some(Derivation::Function(Parameters::Names(names), _)) => names.clone(),
        _ => Vec::new(),
    }
}
