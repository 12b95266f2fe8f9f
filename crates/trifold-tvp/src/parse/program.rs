//! The four sections, the last of which is optional, and the control-flow graph, which may consist of procedures. For
//! example, `n1 Copy(x, y) n2` is an edge.

use super::{Parsed, Parser};
use crate::ast::{ActionUse, CallDefinition, EdgeDefinition, EdgeKind, Ident, Name, ProcedureDefinition, Program};
use crate::token::TokenKind;
use trifold_source::{Diagnostic, Span};

const PROCEDURE: &str = "%procedure";
const CALL: &str = "%call";

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let declarations = self.declarations();
        self.section("the actions");
        let actions = self.actions();
        self.section("the control-flow graph");
        let mut procedures = Vec::new();
        let edges = self.edges(TokenKind::Section, Some(&mut procedures));
        let printed = self.accept(TokenKind::Section).and_then(|_| self.printed().ok());
        if !self.at_end() && printed.is_some() {
            let _ = self.unexpected::<()>("`,` or the end of the file");
        }
        self.skip_until(|_| false);
        let broken = std::mem::take(&mut self.broken);
        Program { declarations, actions, edges, procedures, printed, broken, end: Some(self.peek().span) }
    }

    fn section(&mut self, next: &str) {
        if self.accept(TokenKind::Section).is_none() {
            let _ = self.unexpected::<()>(&format!("`%%` and {next}"));
        }
    }

    /// Edges up to a mark, and the procedures between them, where there may be some.
    fn edges(&mut self, end: TokenKind, mut procedures: Option<&mut Vec<ProcedureDefinition>>) -> Vec<EdgeDefinition> {
        let mut edges = Vec::new();
        while !self.at_end() && !self.at(TokenKind::Section) && !self.at(end) {
            let start = self.position();
            let done = match &mut procedures {
                Some(procedures) if self.at(TokenKind::Percent) => self.procedure().map(|known| procedures.push(known)),
                _ => self.edge().map(|edge| edges.push(edge)),
            };
            if done.is_err() {
                // Edges have no end mark, but they are hardly ever written two in a line.
                if self.position() == start {
                    self.advance();
                }
                while !(self.at_end()
                    || self.peek().starts_line
                    || self.at(TokenKind::Section)
                    || self.at(end) && self.peek_at(1).starts_line)
                {
                    self.advance();
                }
            }
        }
        edges
    }

    /// `%procedure name(entry, exit) %requires f %ensures g { edges }`.
    fn procedure(&mut self) -> Parsed<ProcedureDefinition> {
        let keyword = self.advance();
        if *keyword.text != *PROCEDURE {
            return self.unknown_percent(keyword, "procedure", &[PROCEDURE]);
        }
        let name = self.location("the name of the procedure")?;
        self.expect(TokenKind::LeftParen, "`(` and the locations where the procedure starts and ends")?;
        let entry = self.location("the location where the procedure starts")?;
        self.expect(TokenKind::Comma, "`,` and the location where the procedure ends")?;
        let exit = self.location("the location where the procedure ends")?;
        self.expect(TokenKind::RightParen, "`)`")?;
        let (mut requires, mut ensures) = (None, None);
        while self.at(TokenKind::Percent) {
            let keyword = self.advance();
            let promise = match keyword.text.as_ref() {
                "%requires" => &mut requires,
                "%ensures" => &mut ensures,
                _ => return self.unknown_percent(keyword, "part of a procedure", &["%requires", "%ensures"]),
            };
            if promise.replace(self.formula()?).is_some() {
                let message = format!("a second `{}` of one procedure", keyword.text);
                return self.fail(Diagnostic::error("repeated-clause", keyword.span, message));
            }
        }
        let open =
            self.expect(TokenKind::LeftBrace, "`%requires`, `%ensures`, or `{` and the edges of the procedure")?;
        let edges = self.edges(TokenKind::RightBrace, None);
        if self.accept(TokenKind::RightBrace).is_none() {
            let error = self.expectation("an edge, or `}`");
            return self.fail(error.secondary(open.span, "in the procedure that starts here"));
        }
        Ok(ProcedureDefinition { name, entry, exit, requires, ensures, edges })
    }

    /// `source action(arguments) target`, or a call in the place of the action.
    fn edge(&mut self) -> Parsed<EdgeDefinition> {
        let source = self.location("the location where an edge starts")?;
        let kind = match self.at(TokenKind::Percent) {
            true => EdgeKind::Call(self.call()?),
            false => EdgeKind::Action(self.action_use()?),
        };
        if self.at_next_edge() {
            return self.unexpected("the location where the edge ends");
        }
        let target = self.location("the location where the edge ends")?;
        Ok(EdgeDefinition { source, kind, target })
    }

    fn action_use(&mut self) -> Parsed<ActionUse> {
        let name = self.ident("the name of an action")?;
        self.expect(TokenKind::LeftParen, "`(` and the arguments of the action")?;
        let arguments = self.separated(TokenKind::RightParen, |p| p.name("the name of a predicate or set"))?;
        self.expect(TokenKind::RightParen, "`,` or `)`")?;
        let span = self.since(name.span);
        Ok(ActionUse { name, arguments, span })
    }

    /// `%call callee %enter action(…), … %return action(…) { p, q = r }`.
    fn call(&mut self) -> Parsed<CallDefinition> {
        let start = self.keyword(CALL)?;
        let callee = self.location("the name of a procedure")?;
        let span = start.to(callee.span);
        self.keyword("%enter")?;
        let mut enter = vec![self.action_use()?];
        while self.accept(TokenKind::Comma).is_some() {
            enter.push(self.action_use()?);
        }
        self.keyword("%return")?;
        let back = self.action_use()?;
        let mut from_exit = Vec::new();
        if self.accept(TokenKind::LeftBrace).is_some() {
            from_exit = self.separated(TokenKind::RightBrace, |p| p.taken())?;
            self.expect(TokenKind::RightBrace, "`,` or `}`")?;
        }
        Ok(CallDefinition { callee, enter, back, from_exit, span })
    }

    /// A nullary predicate that is taken from the callee's exit: `p`, or `p = q`.
    fn taken(&mut self) -> Parsed<[Name; 2]> {
        let to = self.name("a nullary predicate")?;
        let from = match self.accept(TokenKind::Becomes) {
            Some(_) => self.name("a nullary predicate")?,
            None => to.clone(),
        };
        Ok([to, from])
    }

    /// A word with a percent sign, which must be there.
    fn keyword(&mut self, word: &'static str) -> Parsed<Span> {
        let token = self.peek();
        match token.kind {
            TokenKind::Percent if *token.text == *word => Ok(self.advance().span),
            TokenKind::Percent => self.unknown_percent(token, "part of a call that fits here", &[word]),
            _ => self.unexpected(&format!("`{word}`")),
        }
    }

    /// Does a new line start here that reads like an edge?
    fn at_next_edge(&self) -> bool {
        let [source, action, open] = [0, 1, 2].map(|ahead| self.peek_at(ahead));
        let is_action = action.kind == TokenKind::Word && open.kind == TokenKind::LeftParen;
        source.starts_line && !action.starts_line && (is_action || *action.text == *CALL)
    }

    /// A word, or any text between quotes.
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
