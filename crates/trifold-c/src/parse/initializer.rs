//! Initializers. For example, `{1, [3] = 2, .next = 0}`.

use super::{Parsed, Parser};
use crate::ast::{Designator, Initializer, InitializerList};
use crate::token::{Punct, TokenKind};

impl Parser<'_> {
    /// An expression or a list in braces.
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.at(Punct::LeftBrace) {
            return self.nested(Self::initializer_list).map(Initializer::List);
        }
        self.assignment().map(Initializer::Expr)
    }

    /// `{ a, .x = b, [1] = c }`.
    pub(super) fn initializer_list(&mut self) -> Parsed<InitializerList> {
        let opened = self.expect(Punct::LeftBrace)?;
        let mut items = Vec::new();
        while !self.at(Punct::RightBrace) {
            let designators = self.designation()?;
            items.push((designators, self.initializer()?));
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.close(Punct::RightBrace, opened)?;
        Ok(InitializerList { items, span: self.since(opened) })
    }

    /// `.a[2] =`, or `a:` as GCC once wrote it, or nothing.
    fn designation(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = Vec::new();
        if matches!(self.peek().kind, TokenKind::Name(_)) && self.at_ahead(1, Punct::Colon) {
            designators.push(Designator::Member(self.name("the name of a member")?));
            self.expect(Punct::Colon)?;
            return Ok(designators);
        }
        let mut after_index = false;
        loop {
            if self.accept(Punct::Dot) {
                designators.push(Designator::Member(self.name("the name of a member")?));
                after_index = false;
            } else if self.at(Punct::LeftBracket) {
                let opened = self.advance().span;
                let low = self.conditional()?;
                let designator = if self.accept(Punct::Ellipsis) {
                    Designator::Range(low, self.conditional()?)
                } else {
                    Designator::Index(low)
                };
                designators.push(designator);
                self.close(Punct::RightBracket, opened)?;
                after_index = true;
            } else {
                break;
            }
        }
        // `[1] x` without `=` is an old form, too.
        if !designators.is_empty() && !self.accept(Punct::Assign) && !after_index {
            return self.unexpected("`=`");
        }
        Ok(designators)
    }
}
