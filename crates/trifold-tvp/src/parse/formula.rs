//! Formulas, by precedence climbing.
//!
//! From weakest to strongest: `<->`, `->` (both to the left), `|`, `&`, `!`. Quantifiers and `TC` extend as far to the
//! right as possible. `(c ? a : b)` needs its parentheses. For example, `!a & b | c -> d` is read as
//! `(((!a) & b) | c) -> d`.

use super::{Parsed, Parser};
use crate::ast::{Formula, FormulaKind, Ident, Operator};
use crate::token::{Token, TokenKind};
use trifold_logic::Kleene;
use trifold_source::{Diagnostic, Span};

/// How strongly a binary operator binds.
fn strength(kind: TokenKind) -> Option<u8> {
    match kind {
        TokenKind::DoubleArrow => Some(1),
        TokenKind::Arrow => Some(2),
        TokenKind::Or => Some(3),
        TokenKind::And => Some(4),
        _ => None,
    }
}

impl Parser<'_> {
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        self.nested(|p| p.binary(1))
    }

    /// A condition that `->` and a message follow.
    pub(super) fn message_condition(&mut self) -> Parsed<Formula> {
        let outer = std::mem::replace(&mut self.in_message, true);
        let result = self.formula();
        self.in_message = outer;
        result
    }

    fn make(&mut self, kind: FormulaKind, start: Span) -> Parsed<Formula> {
        let span = self.since(start);
        match Formula::new(kind, span) {
            Some(formula) => Ok(formula),
            None => self.too_deep(span),
        }
    }

    fn binary(&mut self, weakest: u8) -> Parsed<Formula> {
        let mut left = self.unary()?;
        while let Some(strength) = self.operator().filter(|strength| *strength >= weakest) {
            left = match self.peek().kind {
                TokenKind::And => self.chain(Operator::And, strength, left)?,
                TokenKind::Or => self.chain(Operator::Or, strength, left)?,
                _ => self.arrow(strength, left)?,
            };
        }
        Ok(left)
    }

    /// `left & b & …` or `left | b | …`.
    fn chain(&mut self, operator: Operator, strength: u8, left: Formula) -> Parsed<Formula> {
        let start = left.span;
        let mut operands = vec![left];
        while self.operator() == Some(strength) {
            self.advance();
            operands.push(self.binary(strength + 1)?);
        }
        self.make(FormulaKind::Chain { operator, operands }, start)
    }

    /// `left -> b` or `left <-> b`.
    fn arrow(&mut self, strength: u8, left: Formula) -> Parsed<Formula> {
        let (start, operator) = (left.span, self.advance().kind);
        let parts = Box::new([left, self.binary(strength + 1)?]);
        let one_way = operator == TokenKind::Arrow;
        self.make(if one_way { FormulaKind::Implies(parts) } else { FormulaKind::Iff(parts) }, start)
    }

    /// The strength of the operator at the cursor, unless it is the start of something else.
    fn operator(&self) -> Option<u8> {
        let kind = self.peek().kind;
        let composite = matches!(kind, TokenKind::And | TokenKind::Or) && self.peek_at(1).kind == TokenKind::Slash;
        let ends = kind == TokenKind::Arrow && self.in_message && self.message_follows();
        strength(kind).filter(|_| !composite && !ends)
    }

    /// Does the text of a message, rather than a formula, come after the `->` at the cursor?
    fn message_follows(&self) -> bool {
        match self.peek_at(1).kind {
            TokenKind::Quoted => true,
            TokenKind::Word => {
                let after = self.after_name(1);
                match self.peek_at(after).kind {
                    TokenKind::LeftParen | TokenKind::Equal | TokenKind::NotEqual => false,
                    TokenKind::Star | TokenKind::Plus => self.peek_at(after + 1).kind != TokenKind::LeftParen,
                    _ => true,
                }
            }
            _ => false,
        }
    }

    /// The place after the name that starts that many tokens after the cursor.
    fn after_name(&self, start: usize) -> usize {
        let mut place = start + 1;
        let mut open = 0u32;
        loop {
            match self.peek_at(place).kind {
                TokenKind::LeftBracket => open += 1,
                TokenKind::RightBracket if open > 1 => open -= 1,
                TokenKind::RightBracket => return place + usize::from(open == 1),
                TokenKind::Word | TokenKind::Comma if open > 0 => {}
                _ => return place,
            }
            place += 1;
        }
    }

    fn unary(&mut self) -> Parsed<Formula> {
        let token = self.peek();
        match token.kind {
            TokenKind::Not => {
                self.advance();
                let body = Box::new(self.nested(|p| p.unary())?);
                self.make(FormulaKind::Not(body), token.span)
            }
            TokenKind::LeftParen => self.parenthesised(),
            TokenKind::Number => self.value_formula(),
            TokenKind::And | TokenKind::Or if self.peek_at(1).kind == TokenKind::Slash => self.composite(),
            TokenKind::Word => match token.text.as_ref() {
                "E" | "A" => self.quantified(),
                "TC" => self.closure(),
                _ => self.atom(),
            },
            _ => self.unexpected("a formula"),
        }
    }

    fn parenthesised(&mut self) -> Parsed<Formula> {
        let open = self.advance();
        let outer = std::mem::replace(&mut self.in_message, false);
        let first = self.formula()?;
        let formula = if self.accept(TokenKind::Question).is_some() {
            let then = self.formula()?;
            self.expect(TokenKind::Colon, "`:` of the conditional")?;
            let otherwise = self.formula()?;
            self.expect(TokenKind::RightParen, "`)`")?;
            self.make(FormulaKind::If(Box::new([first, then, otherwise])), open.span)?
        } else {
            if !self.at(TokenKind::RightParen) {
                return self.unclosed(open);
            }
            self.advance();
            Formula { span: self.since(open.span), ..first }
        };
        self.in_message = outer;
        Ok(formula)
    }

    fn unclosed<T>(&mut self, open: &Token) -> Parsed<T> {
        let error = self.expectation("an operator or `)`");
        self.fail(error.secondary(open.span, "to close this parenthesis"))
    }

    fn value_formula(&mut self) -> Parsed<Formula> {
        let start = self.peek().span;
        let value = self.value()?;
        self.make(FormulaKind::Value(value), start)
    }

    /// `1`, `0` or `1/2`.
    pub fn value(&mut self) -> Parsed<Kleene> {
        match self.peek().text.as_ref() {
            "0" => {
                self.advance();
                Ok(Kleene::False)
            }
            "1" => {
                self.advance();
                let half = self.at(TokenKind::Slash) && *self.peek_at(1).text == *"2";
                if half {
                    self.advance();
                    self.advance();
                }
                Ok(if half { Kleene::Unknown } else { Kleene::True })
            }
            _ => self.unexpected("a truth value: 1, 0 or 1/2"),
        }
    }

    fn quantified(&mut self) -> Parsed<Formula> {
        let letter = self.advance();
        let variables = self.variables()?;
        if variables.is_empty() {
            return self.fail(Diagnostic::error("syntax", letter.span, "a quantifier needs a variable"));
        }
        let body = Box::new(self.formula()?);
        let existential = *letter.text == *"E";
        self.make(FormulaKind::Quantified { existential, variables, body }, letter.span)
    }

    fn closure(&mut self) -> Parsed<Formula> {
        let start = self.advance().span;
        let ends = self.pair()?;
        let steps = self.pair()?;
        if steps[0].text == steps[1].text {
            let message = "the two variables of a step must differ";
            return self.fail(Diagnostic::error("syntax", steps[1].span, message));
        }
        let body = Box::new(self.formula()?);
        self.make(FormulaKind::Closure { ends, steps, body }, start)
    }

    /// `(v, w)`.
    fn pair(&mut self) -> Parsed<[Ident; 2]> {
        let start = self.peek().span;
        let variables = self.variables()?;
        let count = variables.len();
        match <[Ident; 2]>::try_from(variables) {
            Ok(pair) => Ok(pair),
            Err(_) => {
                let message = format!("expected two variables, found {count}");
                self.fail(Diagnostic::error("syntax", self.since(start), message))
            }
        }
    }

    /// An atom, which starts with a name: `p(…)`, `p*(…)`, `p+(…)`, `v == w`, `v != w`.
    fn atom(&mut self) -> Parsed<Formula> {
        let name = self.name("a formula")?;
        let start = name.span;
        let kind = match self.peek().kind {
            TokenKind::Equal | TokenKind::NotEqual if name.parameters.is_empty() => {
                let negated = self.advance().kind == TokenKind::NotEqual;
                let right = self.ident("a variable")?;
                FormulaKind::Equal { left: Ident { text: name.head, span: start }, right, negated }
            }
            TokenKind::Star | TokenKind::Plus if self.peek_at(1).kind == TokenKind::LeftParen => {
                let reflexive = self.advance().kind == TokenKind::Star;
                FormulaKind::Star { predicate: name, arguments: self.pair()?, reflexive }
            }
            TokenKind::LeftParen => FormulaKind::Atom { predicate: name, arguments: self.variables()? },
            _ => return self.bare_name(),
        };
        self.make(kind, start)
    }

    fn bare_name<T>(&mut self) -> Parsed<T> {
        let error = self.expectation("`(` and the arguments of the predicate");
        self.fail(error.help("a predicate without arguments is written `p()`, an equality `v == w`"))
    }

    fn composite(&mut self) -> Parsed<Formula> {
        let first = self.advance();
        self.advance();
        let outer = std::mem::replace(&mut self.in_message, false);
        self.expect(TokenKind::LeftBrace, "`{`")?;
        let body = Box::new(self.formula()?);
        self.expect(TokenKind::Colon, "`:` and `variable in set`")?;
        let (variable, set) = self.membership()?;
        self.expect(TokenKind::RightBrace, "`}`")?;
        self.in_message = outer;
        let operator = if first.kind == TokenKind::And { Operator::And } else { Operator::Or };
        self.make(FormulaKind::Composite { operator, variable, set: Box::new(set), body }, first.span)
    }
}
