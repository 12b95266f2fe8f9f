//! Operands: names, literals, parentheses, and the forms of GNU C that look like calls. For example,
//! `__builtin_offsetof(struct node, next)`.

use super::{Parsed, Parser, Reported};
use crate::ast::{Designator, Expr, ExprKind, TypeName};
use crate::keyword::Keyword;
use crate::literal::{self, IntegerLiteral, NumberLiteral};
use crate::token::{Punct, TokenKind};
use trifold_source::Span;

impl Parser<'_> {
    /// An operand without prefix and postfix operators.
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        match token.kind {
            TokenKind::Name(symbol) => {
                self.advance();
                self.expr(ExprKind::Name(symbol), token.span, 1)
            }
            TokenKind::Number => {
                self.advance();
                let kind = match literal::number(self.spelling(token)) {
                    Ok(NumberLiteral::Integer(integer)) => ExprKind::Integer(integer),
                    Ok(NumberLiteral::Float { value, kind, imaginary }) => ExprKind::Float { value, kind, imaginary },
                    Err(message) => return self.bad_literal(token.span, message),
                };
                self.expr(kind, token.span, 1)
            }
            TokenKind::Character => {
                self.advance();
                match literal::character(self.spelling(token)) {
                    Ok((value, kind)) => {
                        let value = IntegerLiteral { value: value as u64, kind };
                        self.expr(ExprKind::Integer(value), token.span, 1)
                    }
                    Err(message) => self.bad_literal(token.span, message),
                }
            }
            TokenKind::Text => {
                let string = self.string()?;
                let span = self.since(token.span);
                self.expr(ExprKind::String(string), span, 1)
            }
            TokenKind::Punct(Punct::LeftParen) if self.at_ahead(1, Punct::LeftBrace) => self.statement_expression(),
            TokenKind::Punct(Punct::LeftParen) => {
                self.advance();
                let inner = self.expression()?;
                self.close(Punct::RightParen, token.span)?;
                Ok(Expr { span: self.since(token.span), ..inner })
            }
            TokenKind::Keyword(Keyword::Generic) => self.generic(),
            TokenKind::Keyword(Keyword::VaArg) => self.like_call(|p| {
                let list = p.assignment()?;
                p.expect(Punct::Comma)?;
                Ok(ExprKind::VaArg(Box::new(list), Box::new(p.type_name()?)))
            }),
            TokenKind::Keyword(Keyword::Offsetof) => self.like_call(|p| {
                let ty = p.type_name()?;
                p.expect(Punct::Comma)?;
                Ok(ExprKind::Offsetof(Box::new(ty), p.member_designator()?))
            }),
            TokenKind::Keyword(Keyword::TypesCompatible) => self.like_call(|p| {
                let first = p.type_name()?;
                p.expect(Punct::Comma)?;
                Ok(ExprKind::TypesCompatible(Box::new(first), Box::new(p.type_name()?)))
            }),
            _ => self.unexpected("an expression"),
        }
    }

    fn bad_literal<T>(&mut self, span: Span, message: String) -> Parsed<T> {
        self.error("literal", span, message);
        Err(Reported)
    }

    /// A keyword with its operands in parentheses.
    fn like_call(&mut self, operands: impl FnOnce(&mut Self) -> Parsed<ExprKind>) -> Parsed<Expr> {
        let start = self.advance().span;
        let opened = self.expect(Punct::LeftParen)?;
        let (kind, height) = self.measured(operands)?;
        self.close(Punct::RightParen, opened)?;
        let span = self.since(start);
        self.expr(kind, span, height + 1)
    }

    /// `({ … })`.
    fn statement_expression(&mut self) -> Parsed<Expr> {
        let start = self.expect(Punct::LeftParen)?;
        let (block, height) = self.measured(|p| p.nested(Self::block))?;
        self.close(Punct::RightParen, start)?;
        let span = self.since(start);
        self.expr(ExprKind::Statements(block), span, height + 1)
    }

    /// `_Generic(x, int: a, default: b)`.
    fn generic(&mut self) -> Parsed<Expr> {
        self.like_call(|p| {
            let control = p.assignment()?;
            let mut associations: Vec<(Option<TypeName>, Expr)> = Vec::new();
            while p.accept(Punct::Comma) {
                let ty = if p.accept_keyword(Keyword::Default) { None } else { Some(p.type_name()?) };
                p.expect(Punct::Colon)?;
                associations.push((ty, p.assignment()?));
            }
            Ok(ExprKind::Generic(Box::new(control), associations))
        })
    }

    /// `a.b[3].c`, as in `offsetof`.
    fn member_designator(&mut self) -> Parsed<Vec<Designator>> {
        let mut path = vec![Designator::Member(self.name("the name of a member")?)];
        loop {
            if self.accept(Punct::Dot) || self.accept(Punct::Arrow) {
                path.push(Designator::Member(self.name("the name of a member")?));
            } else if self.at(Punct::LeftBracket) {
                let opened = self.advance().span;
                path.push(Designator::Index(self.expression()?));
                self.close(Punct::RightBracket, opened)?;
            } else {
                return Ok(path);
            }
        }
    }
}
