//! Expressions: operators by their strength, prefix operators and casts. For example, `-a + b * c` is read as
//! `(-a) + (b * c)`.

use super::operators::{Infix, assignment, infix};
use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, TypeName, UnaryOperator};
use crate::keyword::Keyword;
use crate::token::{Punct, TokenKind};

impl Parser<'_> {
    /// An expression, possibly with commas.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        while self.accept(Punct::Comma) {
            let right = self.assignment()?;
            left = self.join(left, right, ExprKind::Comma)?;
        }
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let left = p.conditional()?;
            let operator = match p.peek().kind {
                TokenKind::Punct(punct) => assignment(punct),
                _ => None,
            };
            let Some(operator) = operator else { return Ok(left) };
            p.advance();
            let right = p.assignment()?;
            p.join(left, right, |left, right| ExprKind::Assign(operator, left, right))
        })
    }

    /// An expression that may be constant: without commas and assignments.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.binary(1)?;
        if !self.accept(Punct::Question) {
            return Ok(condition);
        }
        let middle = if self.at(Punct::Colon) { None } else { Some(self.expression()?) };
        self.expect(Punct::Colon)?;
        let otherwise = self.nested(Self::conditional)?;
        let span = condition.span.to(otherwise.span);
        let tallest = condition.height.max(otherwise.height).max(middle.as_ref().map_or(0, |middle| middle.height));
        let kind = ExprKind::Conditional(Box::new(condition), middle.map(Box::new), Box::new(otherwise));
        self.expr(kind, span, tallest + 1)
    }

    /// Operands joined by operators of at least this strength.
    fn binary(&mut self, weakest: u8) -> Parsed<Expr> {
        let mut left = self.cast()?;
        loop {
            let operator = match self.peek().kind {
                TokenKind::Punct(punct) => infix(punct).filter(|(_, strength)| *strength >= weakest),
                _ => None,
            };
            let Some((operator, strength)) = operator else { return Ok(left) };
            self.advance();
            let right = self.binary(strength + 1)?;
            left = self.join(left, right, |left, right| match operator {
                Infix::Binary(operator) => ExprKind::Binary(operator, left, right),
                Infix::LogicalAnd => ExprKind::LogicalAnd(left, right),
                Infix::LogicalOr => ExprKind::LogicalOr(left, right),
            })?;
        }
    }

    /// An expression of two parts.
    fn join(&mut self, left: Expr, right: Expr, kind: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind) -> Parsed<Expr> {
        let (span, height) = (left.span.to(right.span), left.height.max(right.height) + 1);
        self.expr(kind(Box::new(left), Box::new(right)), span, height)
    }

    /// `(type) operand`, a compound literal, or an operand.
    fn cast(&mut self) -> Parsed<Expr> {
        if !(self.at(Punct::LeftParen) && self.starts_type(1)) {
            return self.unary();
        }
        let start = self.peek().span;
        let (ty, height) = self.measured(Self::type_in_parens)?;
        if self.at(Punct::LeftBrace) {
            let literal = self.compound_literal(ty, height, start)?;
            return self.postfix(literal);
        }
        let operand = self.nested(Self::cast)?;
        let (span, height) = (start.to(operand.span), operand.height.max(height) + 1);
        self.expr(ExprKind::Cast(Box::new(ty), Box::new(operand)), span, height)
    }

    /// `(type)`.
    pub(super) fn type_in_parens(&mut self) -> Parsed<TypeName> {
        let opened = self.expect(Punct::LeftParen)?;
        let ty = self.type_name()?;
        self.close(Punct::RightParen, opened)?;
        Ok(ty)
    }

    /// `(type) { … }`, after the type.
    fn compound_literal(&mut self, ty: TypeName, height: u16, start: trifold_source::Span) -> Parsed<Expr> {
        let (list, inner) = self.measured(Self::initializer_list)?;
        let span = self.since(start);
        self.expr(ExprKind::CompoundLiteral(Box::new(ty), list), span, height.max(inner) + 1)
    }

    /// An operand with its prefix operators.
    fn unary(&mut self) -> Parsed<Expr> {
        use UnaryOperator::*;
        let start = self.peek().span;
        let operator = match self.peek().kind {
            TokenKind::Punct(Punct::And) => AddressOf,
            TokenKind::Punct(Punct::Star) => Deref,
            TokenKind::Punct(Punct::Plus) => Plus,
            TokenKind::Punct(Punct::Minus) => Minus,
            TokenKind::Punct(Punct::Tilde) => BitNot,
            TokenKind::Punct(Punct::Not) => Not,
            TokenKind::Punct(Punct::Increment) => PreIncrement,
            TokenKind::Punct(Punct::Decrement) => PreDecrement,
            TokenKind::Punct(Punct::AndAnd) => {
                self.advance();
                let label = self.name("a label")?;
                return self.expr(ExprKind::LabelAddress(label), start.to(label.span), 1);
            }
            TokenKind::Keyword(Keyword::Real) => Real,
            TokenKind::Keyword(Keyword::Imag) => Imag,
            TokenKind::Keyword(Keyword::Extension) => Extension,
            _ => match self.keyword() {
                Some(Keyword::Sizeof) => return self.sizeof(ExprKind::SizeofExpr, ExprKind::SizeofType),
                Some(Keyword::Alignof) => return self.sizeof(ExprKind::AlignofExpr, ExprKind::AlignofType),
                _ => {
                    let operand = self.primary()?;
                    return self.postfix(operand);
                }
            },
        };
        self.advance();
        let operand = self.nested(Self::cast)?;
        let (span, height) = (start.to(operand.span), operand.height + 1);
        self.expr(ExprKind::Unary(operator, Box::new(operand)), span, height)
    }

    /// `sizeof operand` or `sizeof(type)`; `_Alignof` likewise.
    fn sizeof(&mut self, of_expr: fn(Box<Expr>) -> ExprKind, of_type: fn(Box<TypeName>) -> ExprKind) -> Parsed<Expr> {
        let start = self.advance().span;
        if !(self.at(Punct::LeftParen) && self.starts_type(1)) {
            let operand = self.nested(Self::unary)?;
            let (span, height) = (start.to(operand.span), operand.height + 1);
            return self.expr(of_expr(Box::new(operand)), span, height);
        }
        let opened = self.peek().span;
        let (ty, height) = self.measured(Self::type_in_parens)?;
        if self.at(Punct::LeftBrace) {
            let literal = self.compound_literal(ty, height, opened)?;
            let operand = self.postfix(literal)?;
            let (span, height) = (start.to(operand.span), operand.height + 1);
            return self.expr(of_expr(Box::new(operand)), span, height);
        }
        let span = self.since(start);
        self.expr(of_type(Box::new(ty)), span, height + 1)
    }

    /// The operators after an operand: indices, calls, members, increments.
    fn postfix(&mut self, mut operand: Expr) -> Parsed<Expr> {
        loop {
            let TokenKind::Punct(punct) = self.peek().kind else { return Ok(operand) };
            let start = operand.span;
            let token = self.peek().span;
            let (kind, height) = match punct {
                Punct::LeftBracket => {
                    self.advance();
                    let index = self.expression()?;
                    self.close(Punct::RightBracket, token)?;
                    let height = operand.height.max(index.height);
                    (ExprKind::Index(Box::new(operand), Box::new(index)), height)
                }
                Punct::LeftParen => {
                    let arguments = self.arguments()?;
                    let height = arguments.iter().map(|argument| argument.height).fold(operand.height, u16::max);
                    (ExprKind::Call(Box::new(operand), arguments), height)
                }
                Punct::Dot | Punct::Arrow => {
                    self.advance();
                    let member = self.name("the name of a member")?;
                    let height = operand.height;
                    (ExprKind::Member { base: Box::new(operand), member, arrow: punct == Punct::Arrow }, height)
                }
                Punct::Increment | Punct::Decrement => {
                    self.advance();
                    let increment = punct == Punct::Increment;
                    let operator = if increment { UnaryOperator::PostIncrement } else { UnaryOperator::PostDecrement };
                    let height = operand.height;
                    (ExprKind::Unary(operator, Box::new(operand)), height)
                }
                _ => return Ok(operand),
            };
            let span = self.since(start);
            operand = self.expr(kind, span, height + 1)?;
        }
    }

    /// `(a, b, c)`.
    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let opened = self.expect(Punct::LeftParen)?;
        let mut arguments = Vec::new();
        if self.accept(Punct::RightParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.close(Punct::RightParen, opened)?;
        Ok(arguments)
    }
}
