//! The second section: actions. For example, `%action Set_Null(x) { %t x + " = NULL" { x(v) = 0 } }`.

use super::{Parsed, Parser};
use crate::ast::{ActionDefinition, Clauses, FocusItem, MessageClause, MessagePart, NewClause, UpdateItem};
use crate::token::{Token, TokenKind};
use trifold_source::{Diagnostic, Span};
use trifold_tvl::Moment;

/// The percent words that start clauses of an action.
const CLAUSES: [&str; 7] = ["%t", "%f", "%p", "%message", "%new", "%clone", "%retain"];

impl Parser<'_> {
    /// Actions up to `%%` or the end.
    pub(super) fn actions(&mut self) -> Vec<ActionDefinition> {
        let mut actions = Vec::new();
        while !self.at_end() && !self.at(TokenKind::Section) {
            let start = self.position();
            match self.action() {
                Ok(action) => actions.push(action),
                Err(_) => {
                    self.remember_broken(start);
                    self.skip_until(|token| token.kind == TokenKind::Section || *token.text == *"%action");
                }
            }
        }
        actions
    }

    fn action(&mut self) -> Parsed<ActionDefinition> {
        let token = self.peek();
        if token.kind == TokenKind::Percent && *token.text != *"%action" {
            self.advance();
            return self.unknown_percent(token, "action", &["%action"]);
        }
        if *token.text != *"%action" {
            return self.unexpected("`%action` or `%%`");
        }
        self.advance();
        let name = self.ident("the name of the action")?;
        let parameters = self.variables()?;
        let open = self.expect(TokenKind::LeftBrace, "`{`")?;
        let clauses = self.clauses(open)?;
        Ok(ActionDefinition { name, parameters, clauses })
    }

    /// The clauses, in any order, and the closing brace.
    fn clauses(&mut self, open: &Token) -> Parsed<Clauses> {
        let mut clauses = Clauses::default();
        let mut seen: Vec<(&str, Span)> = Vec::new();
        while self.accept(TokenKind::RightBrace).is_none() {
            let token = self.peek();
            if self.decomposition_clause()? {
                continue;
            }
            let first = seen.iter().find(|(text, _)| *text == token.text.as_ref());
            if let Some((text, first)) = first {
                let what = if *text == "{" { "a second block of updates".into() } else { format!("a second `{text}`") };
                let error = Diagnostic::error("repeated-clause", token.span, format!("{what} in one action"));
                let error = error.secondary(*first, "the first is here");
                return self.fail(error);
            }
            let updated = seen.iter().any(|(text, _)| matches!(*text, "{" | "%new" | "%clone" | "%retain"));
            self.clause(&mut clauses, open, if updated { Moment::AfterUpdate } else { Moment::BeforeUpdate })?;
            if *token.text != *"%message" {
                seen.push((token.text.as_ref(), token.span));
            }
        }
        Ok(clauses)
    }

    fn clause(&mut self, clauses: &mut Clauses, open: &Token, moment: Moment) -> Parsed<()> {
        let token = self.peek();
        if token.kind != TokenKind::Percent && token.kind != TokenKind::LeftBrace {
            return self.no_clause(open);
        }
        match token.text.as_ref() {
            "%message" => clauses.messages.push((moment, self.message_clause()?)),
            "%t" => clauses.title = Some(self.after(|p| p.message())?),
            "%f" => clauses.focus = self.after(|p| p.focus_list())?,
            "%p" => clauses.precondition = Some(self.after(|p| p.formula())?),
            "%new" | "%clone" => self.new_clause(clauses)?,
            "%retain" => clauses.retain = Some(self.after(|p| p.formula())?),
            "{" => clauses.updates = self.update_block()?,
            "%action" => return self.no_clause(open),
            _ => return self.unknown_percent(token, "clause of an action", &CLAUSES),
        }
        Ok(())
    }

    /// Takes the token at the cursor, then parses.
    fn after<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.advance();
        parse(self)
    }

    fn no_clause<T>(&mut self, open: &Token) -> Parsed<T> {
        let error = self.expectation("a clause such as `%f`, a block of updates, or `}`");
        self.fail(error.secondary(open.span, "in the action that starts here"))
    }

    /// `%new`, `%new formula` or `%clone formula`.
    fn new_clause(&mut self, clauses: &mut Clauses) -> Parsed<()> {
        let keyword = self.advance();
        if clauses.new.is_some() {
            let message = "an action has either `%new` or `%clone`, not both";
            return self.fail(Diagnostic::error("repeated-clause", keyword.span, message));
        }
        clauses.new = Some(if *keyword.text == *"%clone" {
            NewClause::Clones(self.formula()?)
        } else {
            self.optional_formula()?.map_or(NewClause::Single, NewClause::Copies)
        });
        Ok(())
    }

    pub(super) fn optional_formula(&mut self) -> Parsed<Option<crate::ast::Formula>> {
        let ends = matches!(self.peek().kind, TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::Percent);
        if ends { Ok(None) } else { self.formula().map(Some) }
    }

    /// `{ formula, foreach (…) {…}, … }`.
    pub(super) fn focus_list(&mut self) -> Parsed<Vec<FocusItem>> {
        self.expect(TokenKind::LeftBrace, "`{` and the formulas to focus on")?;
        let items = self.focus_items()?;
        self.expect(TokenKind::RightBrace, "`,` or `}`")?;
        Ok(items)
    }

    fn focus_items(&mut self) -> Parsed<Vec<FocusItem>> {
        self.separated(TokenKind::RightBrace, |p| match p.peek().is_word("foreach") {
            true => Ok(FocusItem::Foreach(p.foreach(|p| p.focus_items())?)),
            false => Ok(FocusItem::Formula(p.formula()?)),
        })
    }

    /// `%message condition -> text`.
    pub(super) fn message_clause(&mut self) -> Parsed<MessageClause> {
        let start = self.advance().span;
        self.composed_formula()?;
        let condition = self.message_condition()?;
        self.expect(TokenKind::Arrow, "an operator, or `->` and the message")?;
        let text = self.message()?;
        Ok(MessageClause { condition, text, span: self.since(start) })
    }

    /// Strings and names, joined by `+`.
    pub(super) fn message(&mut self) -> Parsed<Vec<MessagePart>> {
        let mut parts = vec![self.message_part()?];
        while self.accept(TokenKind::Plus).is_some() {
            parts.push(self.message_part()?);
        }
        Ok(parts)
    }

    fn message_part(&mut self) -> Parsed<MessagePart> {
        match self.accept(TokenKind::Quoted) {
            Some(token) => Ok(MessagePart::Text(token.text.clone())),
            None => Ok(MessagePart::Name(self.name("a string or the name of a predicate")?)),
        }
    }

    fn update_block(&mut self) -> Parsed<Vec<UpdateItem>> {
        self.advance();
        let updates = self.updates()?;
        self.expect(TokenKind::RightBrace, "an operator, another update such as `p(v) = …`, or `}`")?;
        Ok(updates)
    }

    fn updates(&mut self) -> Parsed<Vec<UpdateItem>> {
        let mut updates = Vec::new();
        while matches!(self.peek().kind, TokenKind::Word | TokenKind::LeftParen) {
            updates.push(match self.peek().is_word("foreach") {
                true => UpdateItem::Foreach(self.foreach(|p| p.updates())?),
                false => self.update()?,
            });
        }
        Ok(updates)
    }

    /// `p(v1, …, vk) = formula`; the left-hand side may be in parentheses.
    fn update(&mut self) -> Parsed<UpdateItem> {
        let parenthesised = self.accept(TokenKind::LeftParen).is_some();
        let predicate = self.name("the predicate to update")?;
        let parameters = self.variables()?;
        if parenthesised {
            self.expect(TokenKind::RightParen, "`)`")?;
        }
        self.expect(TokenKind::Becomes, "`=` and the new value")?;
        let formula = self.formula()?;
        let auto = self.peek().is_word("auto");
        if auto {
            self.advance();
        }
        Ok(UpdateItem::Update { predicate, parameters, formula, auto })
    }
}
