//! Tokens to syntax trees. Errors are reported and parsing goes on at the next declaration or statement.
//!
//! A parsing function that fails has reported why; its `Err(Reported)` only says so. The grammar of C depends on which
//! names are types: `(a)(b)` is a cast or a call. So the parser tracks scopes, but only to tell types from other names.

mod asm;
mod attribute;
mod declaration;
mod declarator;
mod expression;
mod initializer;
mod operators;
mod primary;
mod record;
mod specifiers;
mod statement;

use crate::ast::{Expr, ExprKind, Name, TranslationUnit};
use crate::keyword::Keyword;
use crate::limits::{MAX_DEPTH, MAX_HEIGHT};
use crate::literal::{self, StringLiteral};
use crate::names::{Names, Symbol};
use crate::scope::Scoped;
use crate::token::{Punct, Token, TokenKind};
use trifold_source::{Diagnostic, Sink, Span};

/// The kind of a name, as far as the grammar is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NameKind {
    Type,
    Other,
}

/// Parses a whole file. After errors the result lacks the parts that could not be read. The names in `scope` stay
/// declared.
pub(crate) fn parse(text: &str, tokens: &[Token], scope: &mut Scoped<NameKind>, sink: &mut Sink) -> TranslationUnit {
    let parser = Parser {
        text,
        tokens,
        position: 0,
        scope,
        sink,
        nesting: 0,
        tallest: 0,
        strange: Vec::new(),
        recovered: 0,
        in_bodies: Sink::default(),
    };
    parser.translation_unit()
}

/// An error was reported.
#[derive(Debug)]
pub(crate) struct Reported;

/// A result whose error has been reported.
pub(crate) type Parsed<T> = Result<T, Reported>;

/// A cursor over tokens.
pub(crate) struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    position: usize,
    scope: &'t mut Scoped<NameKind>,
    sink: &'t mut Sink,
    nesting: u32,
    /// The height of the tallest expression built since [`Parser::measured`] began.
    tallest: u16,
    /// Attributes that are not analysed.
    strange: Vec<(Span, &'static str)>,
    /// How often statements were skipped after errors.
    recovered: usize,
    /// Errors that cost one function each.
    in_bodies: Sink,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t Token {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &'t Token {
        &self.tokens[(self.position + ahead).min(self.tokens.len() - 1)]
    }

    fn at(&self, punct: Punct) -> bool {
        self.peek().kind == TokenKind::Punct(punct)
    }

    fn at_ahead(&self, ahead: usize, punct: Punct) -> bool {
        self.peek_at(ahead).kind == TokenKind::Punct(punct)
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.keyword() == Some(keyword)
    }

    fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    /// The keyword at the cursor.
    fn keyword(&self) -> Option<Keyword> {
        self.keyword_ahead(0)
    }

    /// The keyword that many tokens ahead. Words that C23 reserved count unless they are declared.
    fn keyword_ahead(&self, ahead: usize) -> Option<Keyword> {
        match self.peek_at(ahead).kind {
            TokenKind::Keyword(keyword) => Some(keyword),
            TokenKind::Name(symbol) => Names::contextual(symbol).filter(|_| self.scope.get(symbol).is_none()),
            _ => None,
        }
    }

    fn is_type_name(&self, symbol: Symbol) -> bool {
        self.scope.get(symbol) == Some(NameKind::Type)
    }

    /// Takes the token at the cursor.
    fn advance(&mut self) -> &'t Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    fn accept(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.advance();
        }
        found
    }

    fn accept_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, punct: Punct) -> Parsed<Span> {
        if self.at(punct) { Ok(self.advance().span) } else { self.unexpected(&format!("`{}`", punct.text())) }
    }

    /// A closing bracket. An error points at the opening one, too.
    fn close(&mut self, punct: Punct, opened: Span) -> Parsed<Span> {
        if self.at(punct) {
            return Ok(self.advance().span);
        }
        let error = self.expectation(&format!("`{}`", punct.text())).secondary(opened, "opened here");
        self.fail(error)
    }

    /// The identifier at the cursor.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek().kind {
            TokenKind::Name(symbol) => Ok(Name { symbol, span: self.advance().span }),
            _ => self.unexpected(what),
        }
    }

    /// Reports that something else was expected here.
    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        self.fail(self.expectation(expected))
    }

    /// The error that something else was expected here.
    fn expectation(&self, expected: &str) -> Diagnostic {
        let found = self.peek();
        let message = format!("expected {expected}, found {}", self.describe(found));
        let error = Diagnostic::error("syntax", found.span, message);
        match self.end_of_last_line() {
            Some(missing) => {
                let error = Diagnostic {
                    primary: trifold_source::Label { span: missing, text: "expected here".into() },
                    ..error
                };
                if self.at_end() { error } else { error.secondary(found.span, "found this") }
            }
            None => error,
        }
    }

    /// Where something is missing: after the last token, when the one at the cursor starts a new line.
    fn end_of_last_line(&self) -> Option<Span> {
        let found = self.peek();
        let last = self.tokens[self.position.checked_sub(1)?].span;
        (found.starts_line || self.at_end()).then_some(Span { start: last.end, ..last })
    }

    fn describe(&self, token: &Token) -> String {
        match token.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::Keyword(_) => format!("the keyword `{}`", self.spelling(token)),
            _ => {
                let text = self.spelling(token);
                let short: String = text.chars().take(30).collect();
                if short.len() < text.len() { format!("`{short}…`") } else { format!("`{text}`") }
            }
        }
    }

    fn spelling(&self, token: &Token) -> &'t str {
        &self.text[token.span.start as usize..token.span.end as usize]
    }

    /// Reports an error, unless it is only the consequence of one that the lexer has reported.
    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        if self.peek().kind != TokenKind::Broken {
            self.sink.push(diagnostic);
        }
        Err(Reported)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.sink.push(Diagnostic::error(code, span, message));
    }

    /// Runs a parser one level deeper, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_DEPTH {
            return self.too_deep(self.peek().span, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    fn too_deep<T>(&mut self, span: Span, message: String) -> Parsed<T> {
        self.fail(Diagnostic::error("nesting", span, message))
    }

    /// An expression of the given height, unless that is too much.
    fn expr(&mut self, kind: ExprKind, span: Span, height: u16) -> Parsed<Expr> {
        if height > MAX_HEIGHT {
            return self.too_deep(span, format!("an expression of more than {MAX_HEIGHT} levels"));
        }
        self.tallest = self.tallest.max(height);
        Ok(Expr { kind, span, height })
    }

    /// Runs a parser, and tells how tall the expressions are that it built.
    fn measured<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<(T, u16)> {
        let outer = std::mem::take(&mut self.tallest);
        let result = parse(self);
        let inner = self.tallest;
        self.tallest = outer.max(inner);
        result.map(|result| (result, inner))
    }

    /// Runs a parser in a scope of its own.
    fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scope.open();
        let result = parse(self);
        self.scope.close();
        result
    }

    fn declare(&mut self, name: Name, kind: NameKind) {
        self.scope.insert(name.symbol, kind);
    }

    /// The span from a start to the last token taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.position.saturating_sub(1)].span)
    }

    /// Adjacent string literals.
    fn string(&mut self) -> Parsed<StringLiteral> {
        let start = self.position;
        while self.peek().kind == TokenKind::Text {
            self.advance();
        }
        if self.position == start {
            return self.unexpected("a string literal");
        }
        let tokens = &self.tokens[start..self.position];
        let span = tokens[0].span.to(tokens[tokens.len() - 1].span);
        match literal::string(tokens.iter().map(|token| self.spelling(token))) {
            Ok(string) => Ok(string),
            Err(message) => {
                self.error("literal", span, message);
                Err(Reported)
            }
        }
    }

    /// Skips an opening bracket and all up to the closing one that belongs to it.
    fn skip_balanced(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek().kind {
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBrace | Punct::LeftBracket) => depth += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBrace | Punct::RightBracket) => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::End => return,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// After an error: skips the rest of the statement or declaration, but not the brace that closes the block.
    fn recover(&mut self) {
        loop {
            match self.peek().kind {
                TokenKind::Punct(Punct::Semicolon) => {
                    self.advance();
                    return;
                }
                TokenKind::Punct(Punct::LeftBrace) => {
                    self.skip_balanced();
                    // After a body there is a new declaration or statement, unless the braces were an initializer.
                    if !matches!(self.peek().kind, TokenKind::Punct(_)) {
                        return;
                    }
                }
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket) => self.skip_to_close(),
                TokenKind::Punct(Punct::RightBrace) | TokenKind::End => return,
                TokenKind::Keyword(keyword) if self.peek().starts_line && starts_anew(keyword) => return,
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// Skips a bracketed part, but no further than the semicolon or brace that shows that its end is missing.
    fn skip_to_close(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek().kind {
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket) => depth += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket) => depth = depth.saturating_sub(1),
                TokenKind::Punct(Punct::Semicolon | Punct::LeftBrace | Punct::RightBrace) | TokenKind::End => return,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }
}

/// Does this keyword at the start of a line begin a new statement or declaration?
fn starts_anew(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(
        keyword,
        Typedef | Static | Extern | If | While | For | Do | Switch | Return | Goto | Break | Continue | Case | Default
    )
}
