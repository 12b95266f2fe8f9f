//! Tokens to syntax trees. Errors are reported and parsing goes on at the next member or statement.
//!
//! A parsing function that fails has reported why; its `Err(Reported)` only says so.

mod class;
mod expression;
mod literal;
mod statement;
mod types;

use crate::ast::{Class, Expr, ExprKind, Name};
use crate::lex::{Token, TokenKind};
use crate::limits::{MAX_DEPTH, MAX_HEIGHT};
use trifold_source::{Diagnostic, Sink, Span};

/// Parses a whole file. After errors the result lacks the parts that could not be read.
pub(crate) fn parse(text: &str, tokens: &[Token], sink: &mut Sink) -> Vec<Class> {
    Parser { text, tokens, position: 0, sink, nesting: 0 }.file()
}

/// An error was reported.
#[derive(Debug)]
pub(crate) struct Reported;

/// A result whose error has been reported.
pub(crate) type Parsed<T> = Result<T, Reported>;

/// A cursor over tokens.
struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    position: usize,
    sink: &'t mut Sink,
    nesting: u32,
}

const KEYWORDS: [&str; 53] = [
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "try",
    "void",
    "volatile",
    "while",
    "true",
    "false",
    "null",
];

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t Token {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> &'t Token {
        &self.tokens[(self.position + count).min(self.tokens.len() - 1)]
    }

    fn spelling(&self, token: &Token) -> &'t str {
        &self.text[token.span.start as usize..token.span.end as usize]
    }

    /// Is this punctuator or keyword that many tokens ahead?
    fn at_ahead(&self, count: usize, text: &str) -> bool {
        let token = self.ahead(count);
        match token.kind {
            TokenKind::Punct(punct) => punct == text,
            TokenKind::Word => self.spelling(token) == text,
            _ => false,
        }
    }

    fn at(&self, text: &str) -> bool {
        self.at_ahead(0, text)
    }

    fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    fn is_name_ahead(&self, count: usize) -> bool {
        let token = self.ahead(count);
        token.kind == TokenKind::Word && !KEYWORDS.contains(&self.spelling(token))
    }

    fn advance(&mut self) -> &'t Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    fn skip(&mut self, tokens: usize) {
        for _ in 0..tokens {
            self.advance();
        }
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.at(text) { Ok(self.advance().span) } else { self.unexpected(&format!("`{text}`")) }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if !self.is_name_ahead(0) {
            return self.unexpected(what);
        }
        let token = self.advance();
        Ok(Name { text: self.spelling(token).into(), span: token.span })
    }

    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let found = self.peek();
        let what = match found.kind {
            TokenKind::End => "the end of the file".to_string(),
            _ => format!("`{}`", self.spelling(found).chars().take(30).collect::<String>()),
        };
        self.fail(Diagnostic::error("syntax", found.span, format!("expected {expected}, found {what}")))
    }

    /// Reports an error, unless it is only the consequence of one that the lexer has reported.
    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        if self.peek().kind != TokenKind::Broken {
            self.sink.push(diagnostic);
        }
        Err(Reported)
    }

    /// Runs a parser one level deeper, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return self.fail(Diagnostic::error("nesting", self.peek().span, message));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// An expression from a start to the last token taken, unless it is too tall.
    fn expr(&mut self, kind: ExprKind, start: Span) -> Parsed<Expr> {
        let mut height = 0;
        kind.for_each_operand(&mut |operand| height = height.max(operand.height + 1));
        let span = self.since(start);
        if height > MAX_HEIGHT {
            let message = format!("an expression of more than {MAX_HEIGHT} levels");
            return self.fail(Diagnostic::error("nesting", span, message));
        }
        Ok(Expr { kind, span, height })
    }

    /// The span from a start to the last token taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.position.saturating_sub(1)].span)
    }

    /// Skips an opening bracket and all up to the closing one that belongs to it.
    fn skip_balanced(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek().kind {
                TokenKind::Punct("(" | "{" | "[") => depth += 1,
                TokenKind::Punct(")" | "}" | "]") => depth = depth.saturating_sub(1),
                TokenKind::End => return,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// After an error: skips the rest of the statement or member, but not the brace that closes the block around it.
    fn recover(&mut self) {
        loop {
            match self.peek().kind {
                TokenKind::Punct(";") => {
                    self.advance();
                    return;
                }
                TokenKind::Punct("{") => {
                    self.skip_balanced();
                    return;
                }
                TokenKind::Punct("}") | TokenKind::End => return,
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// Skips annotations, `@Override` or `@SuppressWarnings("unchecked")`.
    fn skip_annotations(&mut self) {
        while self.at("@") && !self.at_ahead(1, "interface") {
            self.advance();
            self.advance();
            while self.accept(".") {
                self.advance();
            }
            if self.at("(") {
                self.skip_balanced();
            }
        }
    }
}
