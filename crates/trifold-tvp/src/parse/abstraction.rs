//! Abstraction expressions: sets of unary predicates, `&`, and `|>` with a set of binary predicates; both operators to
//! the left.
//!
//! For example, `{x} & {y} |> {n}` is read as `({x} & {y}) |> {n}`.

use super::{Parsed, Parser};
use crate::ast::{AbstractionExpression, Declaration, Ident};
use crate::token::TokenKind;

/// Operators in one expression; few are enough, because each refines the distinctions of the one before it.
const MAX_OPERATORS: usize = 64;

impl Parser<'_> {
    /// `%abstraction expression`, or `%abstraction expression at location, …`.
    pub(super) fn abstraction(&mut self) -> Parsed<Declaration> {
        let start = self.peek().span;
        self.advance();
        let expression = self.abstraction_expression()?;
        let span = self.since(start);
        let locations = if self.peek().is_word("at") { self.locations()? } else { Vec::new() };
        Ok(Declaration::Abstraction { expression, locations, span })
    }

    fn locations(&mut self) -> Parsed<Vec<Ident>> {
        let mut locations = Vec::new();
        while locations.is_empty() || self.at(TokenKind::Comma) {
            self.advance();
            locations.push(self.location("a location")?);
        }
        Ok(locations)
    }

    fn abstraction_expression(&mut self) -> Parsed<AbstractionExpression> {
        let start = self.peek().span;
        let mut left = self.abstraction_operand()?;
        for _ in 0..MAX_OPERATORS {
            if self.accept(TokenKind::And).is_some() {
                let right = self.abstraction_operand()?;
                left = AbstractionExpression::Both(Box::new([left, right]));
            } else if self.accept(TokenKind::Refine).is_some() {
                left = AbstractionExpression::Refined(Box::new(left), self.sum()?);
            } else {
                return Ok(left);
            }
        }
        self.too_deep(self.since(start))
    }

    fn abstraction_operand(&mut self) -> Parsed<AbstractionExpression> {
        if self.accept(TokenKind::LeftParen).is_some() {
            let inner = self.nested(|p| p.abstraction_expression())?;
            self.expect(TokenKind::RightParen, "`)`")?;
            return Ok(inner);
        }
        if self.peek().is_word("abs") {
            self.advance();
            return Ok(AbstractionExpression::Canonical);
        }
        Ok(AbstractionExpression::Unary(self.sum()?))
    }
}
