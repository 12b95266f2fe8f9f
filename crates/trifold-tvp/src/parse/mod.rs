//! Tokens to syntax trees, for TVP. Errors are reported and parsing goes on at the next declaration, action or edge.
//!
//! A parsing function that fails has reported why; its `Err(Reported)` only says so.

mod abstraction;
mod action;
mod declaration;
mod decomposition;
mod formula;
mod program;
mod set;

use crate::ast::{Formula, Ident, Name, Program};
use crate::limits::MAX_DEPTH;
use crate::token::{Token, TokenKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use trifold_source::{Diagnostic, FileId, Sink, Span};

/// Parses a whole program. After errors the result lacks the parts that could not be read.
pub(crate) fn parse(tokens: &[Token], sink: &mut Sink) -> Program {
    Parser::new(tokens, sink).program()
}

/// Parses a formula that stands alone.
pub(crate) fn parse_formula(tokens: &[Token], sink: &mut Sink) -> Option<Formula> {
    let mut parser = Parser::new(tokens, sink);
    let formula = parser.formula().ok()?;
    parser.expect(TokenKind::End, "the end of the formula").ok()?;
    Some(formula)
}

/// An error was reported.
pub(crate) struct Reported;

/// A result whose error has been reported.
pub(crate) type Parsed<T> = Result<T, Reported>;

/// Words that cannot name anything.
pub(crate) const RESERVED: [&str; 5] = ["A", "E", "TC", "foreach", "auto"];

/// A cursor over tokens.
pub(crate) struct Parser<'t> {
    tokens: &'t [Token],
    position: usize,
    sink: &'t mut Sink,
    nesting: u32,
    /// Is a message's condition being read, which `->` ends?
    in_message: bool,
    /// Names whose declarations could not be read.
    broken: FxHashSet<Arc<str>>,
    /// Files in which something was left out, and that was said.
    ignored: FxHashSet<FileId>,
}

impl<'t> Parser<'t> {
    /// The tokens end with [`TokenKind::End`].
    pub fn new(tokens: &'t [Token], sink: &'t mut Sink) -> Parser<'t> {
        Parser {
            tokens,
            position: 0,
            sink,
            nesting: 0,
            in_message: false,
            broken: FxHashSet::default(),
            ignored: FxHashSet::default(),
        }
    }

    /// The token at the cursor.
    pub fn peek(&self) -> &'t Token {
        self.peek_at(0)
    }

    /// The token that many places after the cursor.
    pub fn peek_at(&self, ahead: usize) -> &'t Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.position + ahead).min(last)]
    }

    pub fn at(&self, kind: TokenKind) -> bool {
        self.peek().kind == kind
    }

    pub fn at_end(&self) -> bool {
        self.at(TokenKind::End)
    }

    /// Takes the token at the cursor.
    pub fn advance(&mut self) -> &'t Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// Takes the token if it is of this kind.
    pub fn accept(&mut self, kind: TokenKind) -> Option<&'t Token> {
        self.at(kind).then(|| self.advance())
    }

    /// Takes the token, which must be of this kind.
    pub fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<&'t Token> {
        match self.accept(kind) {
            Some(token) => Ok(token),
            None => self.unexpected(what),
        }
    }

    /// Reports that something else was expected here.
    pub fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        self.fail(self.expectation(expected))
    }

    /// The error that something else was expected here.
    pub fn expectation(&self, expected: &str) -> Diagnostic {
        let found = self.peek();
        let message = format!("expected {expected}, found {}", found.describe());
        let mut error = Diagnostic::error("syntax", found.span, message);
        if let Some(missing) = self.end_of_last_line() {
            error.primary.span = missing;
            error = error.label("expected here");
            if found.kind != TokenKind::End {
                error = error.secondary(found.span, "found this");
            }
        }
        if found.kind == TokenKind::Question {
            error = error.help("a conditional needs parentheses: `(c ? a : b)`");
        }
        error
    }

    /// Where something is missing: after the last token, when the one at the cursor starts a new line.
    fn end_of_last_line(&self) -> Option<Span> {
        let found = self.peek();
        let last = self.tokens[self.position.checked_sub(1)?].span;
        let adjacent = found.starts_line && last.file == found.span.file && last.trail == found.span.trail;
        adjacent.then_some(Span { start: last.end, ..last })
    }

    /// Reports an error, unless it is only the consequence of one already reported.
    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        if !self.at(TokenKind::Broken) {
            self.report(diagnostic);
        }
        Err(Reported)
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.sink.push(diagnostic);
    }

    /// Runs a parser one level deeper, unless that is too deep.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_DEPTH {
            return self.too_deep(self.peek().span);
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    pub fn too_deep<T>(&mut self, span: Span) -> Parsed<T> {
        self.fail(Diagnostic::error("nesting", span, format!("nested more than {MAX_DEPTH} levels deep")))
    }

    /// Skips to a token at which parsing can go on.
    pub fn skip_until(&mut self, resume: impl Fn(&Token) -> bool) {
        while !self.at_end() && !resume(self.peek()) {
            self.advance();
        }
    }

    /// The span from a start to the last token taken.
    pub fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.position.saturating_sub(1)].span)
    }

    /// A word that may name something.
    pub fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return self.unexpected(what);
        }
        if RESERVED.contains(&token.text.as_ref()) {
            let message = format!("expected {what}, but `{}` is a reserved word", token.text);
            return self.fail(Diagnostic::error("reserved-word", token.span, message));
        }
        self.advance();
        Ok(Ident { text: token.text.clone(), span: token.span })
    }

    /// A word, or a word with names in brackets.
    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        let mut head = self.ident(what)?;
        let mut parameters = Vec::new();
        if self.accept(TokenKind::LeftBracket).is_some() {
            parameters = self.nested(|p| p.separated(TokenKind::RightBracket, |p| p.name("a predicate name")))?;
            self.expect(TokenKind::RightBracket, "`,` or `]`")?;
            if parameters.is_empty() {
                // As in `String[]`: the brackets are just part of the name.
                head.text = format!("{}[]", head.text).into();
            }
        }
        Ok(Name { head: head.text, parameters, span: self.since(head.span) })
    }

    /// Items separated by commas, possibly none, up to the token `end`, which is not taken.
    pub fn separated<T>(&mut self, end: TokenKind, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.at(end) {
            return Ok(items);
        }
        items.push(item(self)?);
        while self.accept(TokenKind::Comma).is_some() {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `(v1, …, vk)`.
    pub fn variables(&mut self) -> Parsed<Vec<Ident>> {
        self.expect(TokenKind::LeftParen, "`(`")?;
        let variables = self.separated(TokenKind::RightParen, |p| p.ident("a variable"))?;
        self.expect(TokenKind::RightParen, "`,` or `)`")?;
        Ok(variables)
    }
}

#[cfg(test)]
mod tests;
