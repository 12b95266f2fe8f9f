//! Statements. For example, `if (a) b; else c;` and `again: while (p) p = p->next;`.

use super::{Parsed, Parser, Reported};
use crate::ast::{Block, Expr, ExprKind, For, Label, Stmt, StmtKind};
use crate::keyword::Keyword;
use crate::token::{Punct, TokenKind};
use trifold_source::Diagnostic;

impl Parser<'_> {
    /// `{ … }` with a scope of its own.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.scoped(Self::block_in_scope)
    }

    /// `{ … }` in the scope of the parameters.
    pub(super) fn block_in_scope(&mut self) -> Parsed<Block> {
        let opened = self.expect(Punct::LeftBrace)?;
        let mut statements = Vec::new();
        while !self.at(Punct::RightBrace) {
            if self.at_end() {
                self.close(Punct::RightBrace, opened)?;
            }
            let before = self.position;
            match self.nested(Self::statement_or_declaration) {
                Ok(statement) => statements.push(statement),
                Err(Reported) => {
                    self.recovered += 1;
                    self.recover();
                    if self.position == before && !self.at(Punct::RightBrace) {
                        self.advance();
                    }
                }
            }
        }
        self.expect(Punct::RightBrace)?;
        Ok(Block { statements, span: self.since(opened) })
    }

    fn statement_or_declaration(&mut self) -> Parsed<Stmt> {
        let start = self.peek().span;
        if self.at_ahead(1, Punct::Colon) && matches!(self.peek().kind, TokenKind::Name(_)) {
            return self.statement();
        }
        if self.at_keyword(Keyword::Label) {
            return self.local_labels();
        }
        let attributed = self.at_keyword(Keyword::Attribute) || self.at(Punct::LeftBracket);
        if attributed && self.attributes_of_statement() {
            self.skip_attributes()?;
            return self.statement();
        }
        if !(self.starts_declaration(0) || attributed) {
            return self.statement();
        }
        if self.at_keyword(Keyword::StaticAssert) {
            let assertion = self.static_assert()?;
            return Ok(Stmt { kind: StmtKind::StaticAssert(assertion), span: self.since(start) });
        }
        let declaration = self.declaration()?;
        Ok(Stmt { span: declaration.span, kind: StmtKind::Declaration(declaration) })
    }

    /// Do the attributes at the cursor belong to a statement, as `__attribute__((fallthrough));` does?
    fn attributes_of_statement(&self) -> bool {
        let mut ahead = 0;
        let mut depth = 0usize;
        loop {
            match self.peek_at(ahead).kind {
                TokenKind::Keyword(Keyword::Attribute) => {}
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket) => depth += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket) if depth > 0 => depth -= 1,
                TokenKind::Punct(Punct::Semicolon | Punct::LeftBrace) | TokenKind::End => return true,
                _ if depth == 0 => return !self.starts_declaration(ahead),
                _ => {}
            }
            ahead += 1;
        }
    }

    fn local_labels(&mut self) -> Parsed<Stmt> {
        let start = self.advance().span;
        let mut labels = vec![self.name("a label")?];
        while self.accept(Punct::Comma) {
            labels.push(self.name("a label")?);
        }
        self.expect(Punct::Semicolon)?;
        Ok(Stmt { kind: StmtKind::LocalLabels(labels), span: self.since(start) })
    }

    /// A statement, one level deeper.
    fn substatement(&mut self) -> Parsed<Stmt> {
        if self.starts_declaration(0) && !self.at_ahead(1, Punct::Colon) && !self.attributes_of_statement() {
            let error = self.expectation("a statement").note("a declaration must be in a block");
            return self.fail(error);
        }
        self.nested(Self::statement)
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        self.skip_attributes()?;
        let start = self.peek().span;
        let kind = match self.peek().kind {
            TokenKind::Punct(Punct::LeftBrace) => StmtKind::Block(self.block()?),
            TokenKind::Punct(Punct::Semicolon) => {
                self.advance();
                StmtKind::Empty
            }
            TokenKind::Name(_) if self.at_ahead(1, Punct::Colon) => self.labeled()?,
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::Case | Keyword::Default => self.labeled()?,
                Keyword::If => self.if_statement()?,
                Keyword::Switch => {
                    let condition = self.condition()?;
                    StmtKind::Switch(condition, Box::new(self.substatement()?))
                }
                Keyword::While => {
                    let condition = self.condition()?;
                    StmtKind::While(condition, Box::new(self.substatement()?))
                }
                Keyword::Do => self.do_statement()?,
                Keyword::For => self.scoped(Self::for_statement)?,
                Keyword::Goto => self.goto()?,
                Keyword::Continue => self.jump(StmtKind::Continue)?,
                Keyword::Break => self.jump(StmtKind::Break)?,
                Keyword::Return => {
                    self.advance();
                    let value = if self.at(Punct::Semicolon) { None } else { Some(self.expression()?) };
                    self.expect(Punct::Semicolon)?;
                    StmtKind::Return(value)
                }
                Keyword::Asm => StmtKind::Asm(self.asm_statement()?),
                Keyword::Else => {
                    let error = self.expectation("a statement").note("this `else` belongs to no `if`");
                    return self.fail(error);
                }
                _ => self.expression_statement()?,
            },
            _ => self.expression_statement()?,
        };
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let token = self.peek();
        let expression = self.expression()?;
        // `list x;` or `list *x = …` where `list` is no type.
        let lonely = matches!(expression.kind, ExprKind::Name(symbol) if self.scope.get(symbol).is_none());
        if lonely && matches!(self.peek().kind, TokenKind::Name(_)) {
            let message = format!("there is no type `{}`", self.spelling(token));
            return self.fail(Diagnostic::error("unknown-type", token.span, message));
        }
        self.expect(Punct::Semicolon)?;
        Ok(StmtKind::Expr(expression))
    }

    /// Labels, as many as there are, and their statement.
    fn labeled(&mut self) -> Parsed<StmtKind> {
        let mut labels = Vec::new();
        loop {
            let start = self.peek().span;
            match self.peek().kind {
                TokenKind::Name(_) if self.at_ahead(1, Punct::Colon) => {
                    labels.push(Label::Named(self.name("a label")?));
                }
                TokenKind::Keyword(Keyword::Default) => {
                    self.advance();
                    labels.push(Label::Default(start));
                }
                TokenKind::Keyword(Keyword::Case) => {
                    self.advance();
                    let low = self.conditional()?;
                    let high = if self.accept(Punct::Ellipsis) { Some(self.conditional()?) } else { None };
                    labels.push(Label::Case(low, high, self.since(start)));
                }
                _ => break,
            }
            self.expect(Punct::Colon)?;
            self.skip_attributes()?;
        }
        let next = self.peek().span;
        // C23 allows a label before a declaration and before the end of a block.
        let statement = if self.at(Punct::RightBrace) || self.starts_declaration(0) {
            Stmt { kind: StmtKind::Empty, span: trifold_source::Span { end: next.start, ..next } }
        } else {
            self.nested(Self::statement)?
        };
        Ok(StmtKind::Labeled(labels, Box::new(statement)))
    }

    /// A keyword and its condition in parentheses.
    fn condition(&mut self) -> Parsed<Expr> {
        self.advance();
        let opened = self.expect(Punct::LeftParen)?;
        let condition = self.expression()?;
        self.close(Punct::RightParen, opened)?;
        Ok(condition)
    }

    /// `if`, with all `else if`s: a long chain is not deep.
    fn if_statement(&mut self) -> Parsed<StmtKind> {
        let mut arms = Vec::new();
        loop {
            let condition = self.condition()?;
            arms.push((condition, self.substatement()?));
            if !self.accept_keyword(Keyword::Else) {
                return Ok(StmtKind::If(arms, None));
            }
            if !self.at_keyword(Keyword::If) {
                let otherwise = self.substatement()?;
                return Ok(StmtKind::If(arms, Some(Box::new(otherwise))));
            }
        }
    }

    fn do_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let body = self.substatement()?;
        if !self.at_keyword(Keyword::While) {
            return self.unexpected("`while`");
        }
        let condition = self.condition()?;
        self.expect(Punct::Semicolon)?;
        Ok(StmtKind::DoWhile(Box::new(body), condition))
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let opened = self.expect(Punct::LeftParen)?;
        let start = self.peek().span;
        let kind = if self.accept(Punct::Semicolon) {
            StmtKind::Empty
        } else if self.starts_declaration(0) {
            StmtKind::Declaration(self.declaration()?)
        } else {
            self.expression_statement()?
        };
        let initial = Stmt { kind, span: self.since(start) };
        let condition = if self.at(Punct::Semicolon) { None } else { Some(self.expression()?) };
        self.expect(Punct::Semicolon)?;
        let step = if self.at(Punct::RightParen) { None } else { Some(self.expression()?) };
        self.close(Punct::RightParen, opened)?;
        let body = self.substatement()?;
        Ok(StmtKind::For(Box::new(For { initial, condition, step, body })))
    }

    fn goto(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let kind = if self.accept(Punct::Star) {
            StmtKind::GotoComputed(self.expression()?)
        } else {
            StmtKind::Goto(self.name("a label")?)
        };
        self.expect(Punct::Semicolon)?;
        Ok(kind)
    }

    fn jump(&mut self, kind: StmtKind) -> Parsed<StmtKind> {
        self.advance();
        self.expect(Punct::Semicolon)?;
        Ok(kind)
    }
}
