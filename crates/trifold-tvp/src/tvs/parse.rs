//! Tokens to the syntax of structures. After an error parsing goes on at the next `%n` or `%location`.

use super::{Entry, StructureText, Tuple, Values};
use crate::ast::Ident;
use crate::lexer::Lexer;
use crate::parse::{Parsed, Parser};
use crate::token::{Names, Token, TokenKind};
use std::sync::Arc;
use trifold_logic::Kleene;
use trifold_source::{Diagnostic, FileId, Sink, Trail};

impl Parser<'_> {
    /// All structures of a file.
    pub(super) fn structure_file(&mut self) -> Vec<StructureText> {
        let mut structures = Vec::new();
        while !self.at_end() {
            let start = self.position();
            if self.structure_item(&mut structures).is_err() {
                if self.position() == start {
                    self.advance();
                }
                self.skip_until(starts_item);
            }
        }
        structures
    }

    fn structure_item(&mut self, structures: &mut Vec<StructureText>) -> Parsed<()> {
        if self.accept(TokenKind::Comma).is_some() {
            return Ok(());
        }
        if *self.peek().text == *"%location" {
            return self.location_block(structures);
        }
        structures.push(self.structure(None)?);
        Ok(())
    }

    /// `%location name = { structures }`.
    fn location_block(&mut self, structures: &mut Vec<StructureText>) -> Parsed<()> {
        self.advance();
        let name = self.individual("the name of a location")?;
        self.expect(TokenKind::Becomes, "`=`")?;
        let open = self.expect(TokenKind::LeftBrace, "`{` and the structures of the location")?;
        while self.accept(TokenKind::RightBrace).is_none() {
            if self.at_end() {
                let error = Diagnostic::error("syntax", self.peek().span, "the file ends in a `%location` block");
                return self.fail(error.secondary(open.span, "to close this brace"));
            }
            if self.accept(TokenKind::Comma).is_none() {
                structures.push(self.structure(Some(&name.text))?);
            }
        }
        Ok(())
    }

    fn structure(&mut self, location: Option<&Arc<str>>) -> Parsed<StructureText> {
        let start = self.peek().span;
        let mut messages = Vec::new();
        while *self.peek().text == *"%message" {
            self.advance();
            messages.push(self.expect(TokenKind::Quoted, "the message in quotes")?.text.clone());
        }
        self.skip_threads_and_components();
        self.header("%n", "`%n = {…}`, the individuals of a structure")?;
        let individuals = self.separated(TokenKind::RightBrace, |p| p.individual("the name of an individual"))?;
        self.expect(TokenKind::RightBrace, "`,` or `}`")?;
        self.header("%p", "`%p = {…}`, the values of the predicates")?;
        let entries = self.entries()?;
        let span = self.since(start);
        Ok(StructureText { location: location.cloned(), messages, individuals, entries, span })
    }

    /// `%t …`, which threads a structure has, and `%d = {…}`, which component of a heap it is, mean nothing here.
    fn skip_threads_and_components(&mut self) {
        while matches!(self.peek().text.as_ref(), "%t" | "%d") {
            let token = self.advance();
            self.note_ignored(&format!("`{}` in a structure", token.text), token.span);
            self.skip_until(|token| token.kind == TokenKind::Percent);
        }
    }

    /// `%word = {`.
    fn header(&mut self, word: &str, what: &str) -> Parsed<()> {
        if *self.peek().text != *word {
            return self.unexpected(what);
        }
        self.advance();
        self.expect(TokenKind::Becomes, "`=`")?;
        self.expect(TokenKind::LeftBrace, "`{`")?;
        Ok(())
    }

    fn entries(&mut self) -> Parsed<Vec<Entry>> {
        let mut entries = Vec::new();
        while self.accept(TokenKind::RightBrace).is_none() {
            if self.accept(TokenKind::Comma).is_none() {
                entries.push(self.entry()?);
            }
        }
        Ok(entries)
    }

    fn entry(&mut self) -> Parsed<Entry> {
        let predicate = self.name("a predicate and its values, or `}`")?;
        self.expect(TokenKind::Becomes, "`=`")?;
        let values = if self.accept(TokenKind::LeftBrace).is_some() {
            let tuples = self.separated(TokenKind::RightBrace, |p| p.tuple())?;
            self.expect(TokenKind::RightBrace, "`,` or `}`")?;
            Values::Listed(tuples)
        } else {
            Values::Nullary(self.value()?)
        };
        let span = self.since(predicate.span);
        Ok(Entry { predicate, values, span })
    }

    /// `u`, `u->w` or `(u, w)`, with an optional value.
    fn tuple(&mut self) -> Parsed<Tuple> {
        let start = self.peek().span;
        let individuals = if self.accept(TokenKind::LeftParen).is_some() {
            let individuals = self.separated(TokenKind::RightParen, |p| p.individual("an individual"))?;
            self.expect(TokenKind::RightParen, "`,` or `)`")?;
            individuals
        } else {
            let mut individuals = vec![self.individual("an individual")?];
            if self.accept(TokenKind::Arrow).is_some() {
                individuals.push(self.individual("an individual")?);
            }
            individuals
        };
        let value = if self.accept(TokenKind::Colon).is_some() { self.value()? } else { Kleene::True };
        Ok(Tuple { individuals, value, span: self.since(start) })
    }

    /// The name of an individual: a word, a number, a string, or names merged as in `[u.1,u0].0`.
    fn individual(&mut self, what: &str) -> Parsed<Ident> {
        let start = self.peek().span;
        let mut text = String::new();
        self.individual_text(what, &mut text)?;
        Ok(Ident { text: text.into(), span: self.since(start) })
    }

    fn individual_text(&mut self, what: &str, text: &mut String) -> Parsed<()> {
        match self.peek().kind {
            TokenKind::Word | TokenKind::Number | TokenKind::Quoted => text.push_str(&self.advance().text),
            TokenKind::LeftBracket => {
                self.advance();
                text.push('[');
                self.nested(|p| p.merged_names(text))?;
                text.push(']');
            }
            _ => return self.unexpected(what),
        }
        while self.at(TokenKind::Suffix) && !self.peek().spaced {
            text.push_str(&self.advance().text);
        }
        Ok(())
    }

    fn merged_names(&mut self, text: &mut String) -> Parsed<()> {
        loop {
            self.individual_text("an individual", text)?;
            if self.accept(TokenKind::Comma).is_none() {
                break;
            }
            text.push(',');
        }
        self.expect(TokenKind::RightBracket, "`,` or `]`").map(|_| ())
    }
}

fn starts_item(token: &Token) -> bool {
    matches!(token.text.as_ref(), "%n" | "%t" | "%d" | "%location" | "%message") && token.kind == TokenKind::Percent
}

/// The structures of a file as they are written.
pub(super) fn parse(tokens: &[Token], sink: &mut Sink) -> Vec<StructureText> {
    Parser::new(tokens, sink).structure_file()
}

/// Would the text, without quotes, be read as the name of an individual, and as just this one?
pub(super) fn reads_as_individual(text: &str) -> bool {
    let mut names = Names::default();
    let mut lexer = Lexer::new(text.into(), FileId(0), Trail::NONE);
    let mut tokens = vec![lexer.next(&mut names)];
    while tokens.last().is_some_and(|last| last.kind != TokenKind::End) {
        tokens.push(lexer.next(&mut names));
    }
    let mut sink = Sink::default();
    let mut parser = Parser::new(&tokens, &mut sink);
    let quoted = parser.at(TokenKind::Quoted);
    parser.individual("").is_ok_and(|read| *read.text == *text) && parser.at_end() && !quoted
}
