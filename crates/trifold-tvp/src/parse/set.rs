//! Set expressions: `+` and `-` to the left, `&` weaker than both. For example, `a - b + c & d` is read as
//! `((a - b) + c) & d`.

use super::{Parsed, Parser};
use crate::ast::{Foreach, Ident, SetExpression, SetKind};
use crate::token::TokenKind;
use trifold_source::Span;

impl Parser<'_> {
    /// `variable in set`.
    pub(super) fn membership(&mut self) -> Parsed<(Ident, SetExpression)> {
        let variable = self.ident("the name that stands for the members of a set")?;
        if !self.peek().is_word("in") {
            return self.unexpected("`in`");
        }
        self.advance();
        Ok((variable, self.set()?))
    }

    pub(super) fn set(&mut self) -> Parsed<SetExpression> {
        let mut left = self.nested(|p| p.sum())?;
        while self.accept(TokenKind::And).is_some() {
            let start = left.span;
            let right = self.nested(|p| p.sum())?;
            left = self.make_set(SetKind::Intersection(Box::new([left, right])), start)?;
        }
        Ok(left)
    }

    /// Sets with `+` and `-` between them.
    pub(super) fn sum(&mut self) -> Parsed<SetExpression> {
        let mut left = self.set_operand()?;
        loop {
            let kind = match self.peek().kind {
                TokenKind::Plus => SetKind::Union,
                TokenKind::Minus => SetKind::Difference,
                _ => return Ok(left),
            };
            self.advance();
            let start = left.span;
            let right = self.set_operand()?;
            left = self.make_set(kind(Box::new([left, right])), start)?;
        }
    }

    fn make_set(&mut self, kind: SetKind, start: Span) -> Parsed<SetExpression> {
        let span = self.since(start);
        match SetExpression::new(kind, span) {
            Some(set) => Ok(set),
            None => self.too_deep(span),
        }
    }

    fn set_operand(&mut self) -> Parsed<SetExpression> {
        let start = self.peek().span;
        let kind = match self.peek().kind {
            TokenKind::LeftParen => {
                self.advance();
                let inner = self.nested(|p| p.set())?;
                self.expect(TokenKind::RightParen, "`)`")?;
                return Ok(SetExpression { span: self.since(start), ..inner });
            }
            TokenKind::LeftBrace => self.set_literal()?,
            TokenKind::Word => SetKind::Named(self.name("a set")?),
            _ => return self.unexpected("a set: a name, or members between braces"),
        };
        self.make_set(kind, start)
    }

    fn set_literal(&mut self) -> Parsed<SetKind> {
        self.advance();
        let members = self.separated(TokenKind::RightBrace, |p| p.name("a member of the set"))?;
        let kind = if self.accept(TokenKind::Colon).is_some() {
            let (variable, set) = self.membership()?;
            SetKind::Comprehension(Box::new(Foreach { variable, set, body: members }))
        } else {
            SetKind::Literal(members)
        };
        self.expect(TokenKind::RightBrace, "`,` or `}`")?;
        Ok(kind)
    }
}
