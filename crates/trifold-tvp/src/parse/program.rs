//! The four sections, the last of which is optional, and the control-flow graph.

use super::{Parsed, Parser};
use crate::ast::{EdgeDefinition, Ident, Program};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let declarations = self.declarations();
        self.section("the actions");
        let actions = self.actions();
        self.section("the control-flow graph");
        let edges = self.edges();
        let printed = self.accept(TokenKind::Section).and_then(|_| self.printed().ok());
        if !self.at_end() && printed.is_some() {
            let _ = self.unexpected::<()>("`,` or the end of the file");
        }
        self.skip_until(|_| false);
        let broken = std::mem::take(&mut self.broken);
        Program { declarations, actions, edges, printed, broken, end: Some(self.peek().span) }
    }

    fn section(&mut self, next: &str) {
        if self.accept(TokenKind::Section).is_none() {
            let _ = self.unexpected::<()>(&format!("`%%` and {next}"));
        }
    }

    fn edges(&mut self) -> Vec<EdgeDefinition> {
        let mut edges = Vec::new();
        while !self.at_end() && !self.at(TokenKind::Section) {
            let start = self.position();
            match self.edge() {
                Ok(edge) => edges.push(edge),
                Err(_) => {
                    // Edges have no end mark, but hardly anybody writes two in a line.
                    if self.position() == start {
                        self.advance();
                    }
                    self.skip_until(|token| token.starts_line || token.kind == TokenKind::Section);
                }
            }
        }
        edges
    }

    /// `source action(arguments) target`.
    fn edge(&mut self) -> Parsed<EdgeDefinition> {
        let source = self.location("the location where an edge starts")?;
        let action = self.ident("the name of an action")?;
        self.expect(TokenKind::LeftParen, "`(` and the arguments of the action")?;
        let arguments = self.separated(TokenKind::RightParen, |p| p.name("the name of a predicate or set"))?;
        self.expect(TokenKind::RightParen, "`,` or `)`")?;
        let span = self.since(action.span);
        if self.at_next_edge() {
            return self.unexpected("the location where the edge ends");
        }
        let target = self.location("the location where the edge ends")?;
        Ok(EdgeDefinition { source, action, arguments, target, span })
    }

    /// Does a new line start here that reads like an edge?
    fn at_next_edge(&self) -> bool {
        let [source, action, open] = [0, 1, 2].map(|ahead| self.peek_at(ahead));
        source.starts_line && !action.starts_line && action.kind == TokenKind::Word && open.kind == TokenKind::LeftParen
    }

    pub(super) fn location(&mut self, what: &str) -> Parsed<Ident> {
        match self.accept(TokenKind::Quoted) {
            Some(token) => Ok(Ident { text: token.text.clone(), span: token.span }),
            None => self.ident(what),
        }
    }

    fn printed(&mut self) -> Parsed<Vec<Ident>> {
        self.separated(TokenKind::End, |p| p.location("a location to print"))
    }
}
