//! The first section: sets, predicates, consistency rules. For example, `%p n(v, w) function` and
//! `%r x(v) & y(v) ==> 0`.

use super::{Parsed, Parser};
use crate::ast::{Declaration, Foreach, PredicateDeclaration, Property};
use crate::token::{Token, TokenKind};
use trifold_source::Diagnostic;
use trifold_source::suggest;

/// The percent words that start declarations.
const DECLARATIONS: [&str; 7] = ["%s", "%p", "%i", "%r", "%pset", "%live", "%abstraction"];

impl Parser<'_> {
    /// Declarations up to `%%`, the end, or the brace that ends a `foreach`.
    pub(super) fn declarations(&mut self) -> Vec<Declaration> {
        let mut declarations = Vec::new();
        while !self.at_end() && !self.at(TokenKind::Section) && !self.at_closing_brace() {
            let start = self.position();
            match self.decomposition_declaration() {
                Ok(true) => continue,
                Ok(false) => {}
                Err(_) => {
                    self.resume_at_declaration(start);
                    continue;
                }
            }
            match self.declaration() {
                Ok(declaration) => declarations.push(declaration),
                Err(_) => {
                    self.remember_broken(start);
                    self.resume_at_declaration(start);
                }
            }
        }
        declarations
    }

    /// Notes the name that a broken declaration was for, so that its uses are not reported.
    pub(super) fn remember_broken(&mut self, start: usize) {
        if let [keyword, name, ..] = &self.tokens[start..]
            && keyword.kind == TokenKind::Percent
        {
            self.broken.insert(name.text.clone());
        }
    }

    fn at_closing_brace(&self) -> bool {
        self.at(TokenKind::RightBrace) && self.nesting > 0
    }

    /// Skips to the next declaration, and at least one token.
    fn resume_at_declaration(&mut self, start: usize) {
        if self.position() == start {
            self.advance();
        }
        let inside = self.nesting > 0;
        let mut depth = 0u32;
        while !self.at_end() && !self.at(TokenKind::Section) {
            match self.peek().kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace if depth == 0 && inside => return,
                TokenKind::RightBrace => depth = depth.saturating_sub(1),
                _ if depth == 0 && starts_declaration(self.peek()) => return,
                _ => {}
            }
            self.advance();
        }
    }

    fn declaration(&mut self) -> Parsed<Declaration> {
        let token = self.peek();
        match token.text.as_ref() {
            "%s" | "%pset" => self.set_declaration(),
            "%p" => self.predicate(false),
            "%i" => self.predicate(true),
            "%r" => self.rule(),
            "%live" => {
                self.advance();
                Ok(Declaration::Live { variables: self.set()?, span: token.span })
            }
            "%abstraction" => self.abstraction(),
            "%f" => {
                self.advance();
                Ok(Declaration::Focus(self.focus_list()?))
            }
            "%message" => Ok(Declaration::Message(self.message_clause()?)),
            "foreach" => Ok(Declaration::Foreach(self.foreach(|p| Ok(p.declarations()))?)),
            _ => self.no_declaration(token),
        }
    }

    fn no_declaration<T>(&mut self, token: &Token) -> Parsed<T> {
        if *token.text == *"%action" {
            let message = "an action in the section of declarations";
            let error = Diagnostic::error("syntax", token.span, message);
            return self.fail(error.help("end the declarations with `%%` before the first action"));
        }
        if token.kind == TokenKind::Percent {
            return self.unknown_percent(token, "declaration", &DECLARATIONS);
        }
        self.unexpected("a declaration such as `%p`, `%i`, `%s`, `%r` or `foreach`, or `%%`")
    }

    pub(super) fn unknown_percent<T>(&mut self, token: &Token, what: &str, known: &[&'static str]) -> Parsed<T> {
        let message = format!("`{}` starts no {what}", token.text);
        let bare = |word: &'static str| word.trim_start_matches('%');
        let near = suggest::nearest(token.text.trim_start_matches('%'), known.iter().copied().map(bare));
        let help = near.map(|near| format!("did you mean `%{near}`?"));
        let expected = format!("expected one of {}", known.join(", "));
        self.fail(Diagnostic::error("unknown-keyword", token.span, message).note(expected).maybe_help(help))
    }

    fn set_declaration(&mut self) -> Parsed<Declaration> {
        self.advance();
        let name = self.ident("the name of a set")?;
        Ok(Declaration::Set { name, members: self.set()? })
    }

    fn predicate(&mut self, instrumentation: bool) -> Parsed<Declaration> {
        self.advance();
        let name = self.name("the name of a predicate")?;
        let parameters = self.variables()?;
        let mut definition = None;
        if instrumentation {
            self.expect(TokenKind::Becomes, "`=` and the definition of the instrumentation predicate")?;
            definition = Some(self.formula()?);
        }
        let properties = self.properties()?;
        let display = self.display()?;
        Ok(Declaration::Predicate(PredicateDeclaration { name, parameters, definition, properties, display }))
    }

    fn properties(&mut self) -> Parsed<Vec<Property>> {
        let mut properties = Vec::new();
        while self.at(TokenKind::Word) && *self.peek().text != *"foreach" {
            if self.peek().is_word("uniquePerCC") {
                properties.push(self.unique_per_component()?);
                continue;
            }
            if self.peek_at(1).kind == TokenKind::LeftParen {
                return self.unexpected("an operator, a property or the next declaration");
            }
            properties.push(Property { word: self.ident("a property")?, of: None });
        }
        self.dependency()?;
        Ok(properties)
    }

    /// `uniquePerCC(p)`.
    fn unique_per_component(&mut self) -> Parsed<Property> {
        let word = self.ident("a property")?;
        self.expect(TokenKind::LeftParen, "`(` and a binary predicate")?;
        let of = self.name("the name of a binary predicate")?;
        self.expect(TokenKind::RightParen, "`)`")?;
        Ok(Property { word, of: Some(of) })
    }

    fn display(&mut self) -> Parsed<Option<Vec<trifold_logic::Kleene>>> {
        if self.accept(TokenKind::LeftBrace).is_none() {
            return Ok(None);
        }
        let values = self.separated(TokenKind::RightBrace, |p| p.value())?;
        self.expect(TokenKind::RightBrace, "`,` or `}`")?;
        Ok(Some(values))
    }

    fn rule(&mut self) -> Parsed<Declaration> {
        let start = self.advance().span;
        let body = self.formula()?;
        self.expect(TokenKind::Entails, "an operator, or `==>` and the head of the rule")?;
        let head = self.formula()?;
        Ok(Declaration::Rule { body, head, span: self.since(start) })
    }

    /// `foreach (variable in set) { body }`.
    pub(super) fn foreach<T>(&mut self, body: impl FnOnce(&mut Self) -> Parsed<Vec<T>>) -> Parsed<Foreach<T>> {
        self.advance();
        self.expect(TokenKind::LeftParen, "`(`")?;
        let (variable, set) = self.membership()?;
        self.expect(TokenKind::RightParen, "`)`")?;
        let open = self.expect(TokenKind::LeftBrace, "`{`")?;
        let body = self.nested(body)?;
        if self.accept(TokenKind::RightBrace).is_none() {
            let error = self.expectation("`}`");
            return self.fail(error.secondary(open.span, "to close this brace"));
        }
        Ok(Foreach { variable, set, body })
    }
}

fn starts_declaration(token: &Token) -> bool {
    token.kind == TokenKind::Percent || token.is_word("foreach")
}
