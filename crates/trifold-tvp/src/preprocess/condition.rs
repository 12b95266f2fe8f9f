//! Conditions of `#if` and `#elif`: integer expressions of C. For example, `defined(A) && B >= 2` holds after
//! `#define A` and `#define B 3`.

use super::Preprocessor;
use crate::token::{Token, TokenKind};
use trifold_source::{Diagnostic, Span};

/// Nesting of parentheses and prefix operators in a condition.
const MAX_NESTING: u32 = 100;

impl Preprocessor<'_> {
    /// Does the condition hold? A condition that cannot be read is reported and does not hold.
    pub(super) fn condition(&mut self, directive: Span, operands: Vec<Token>) -> bool {
        let operands = self.replace_defined(operands);
        let tokens = self.expand_all(operands, 0);
        let end = tokens.last().map_or(directive, |last| last.span);
        let mut evaluator = Evaluator { tokens: &tokens, position: 0, end, nesting: 0, division_by_zero: None };
        match evaluator.whole() {
            Ok(value) => value != 0,
            Err((span, message)) => {
                self.sink.push(Diagnostic::error("bad-condition", span, message));
                false
            }
        }
    }

    /// `defined X` and `defined(X)` become 1 or 0, before macros are expanded.
    fn replace_defined(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let mut result = Vec::new();
        let mut rest = &tokens[..];
        while let Some((first, tail)) = rest.split_first() {
            let (name, after) = match tail {
                _ if !first.is_word("defined") => (None, tail),
                [open, name, close, after @ ..]
                    if open.kind == TokenKind::LeftParen && close.kind == TokenKind::RightParen =>
                {
                    (Some(name), after)
                }
                [name, after @ ..] if name.kind == TokenKind::Word => (Some(name), after),
                _ => (None, tail),
            };
            let number = name.map(|name| if self.macros.contains_key(&name.text) { "1" } else { "0" });
            result.push(match number {
                Some(text) => Token { kind: TokenKind::Number, text: self.names.intern(text), ..first.clone() },
                None => first.clone(),
            });
            rest = after;
        }
        result
    }
}

type Evaluated = Result<i64, (Span, String)>;

struct Evaluator<'t> {
    tokens: &'t [Token],
    position: usize,
    end: Span,
    nesting: u32,
    /// A division by zero whose value counts.
    division_by_zero: Option<Span>,
}

/// Binary operators and how strongly they bind.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

impl Evaluator<'_> {
    fn whole(&mut self) -> Evaluated {
        let value = self.conditional()?;
        match (self.tokens.get(self.position), self.division_by_zero) {
            (Some(token), _) => Err((token.span, format!("unexpected {} in this condition", token.describe()))),
            (None, Some(division)) => Err((division, "division by zero".into())),
            (None, None) => Ok(value),
        }
    }

    fn conditional(&mut self) -> Evaluated {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err((self.here(), "this condition is nested too deeply".into()));
        }
        let condition = self.binary(1)?;
        let value = if self.accept(TokenKind::Question) {
            let then = self.conditional()?;
            self.expect(TokenKind::Colon, ":")?;
            let otherwise = self.conditional()?;
            if condition != 0 { then } else { otherwise }
        } else {
            condition
        };
        self.nesting -= 1;
        Ok(value)
    }

    fn binary(&mut self, weakest: u8) -> Evaluated {
        let mut left = self.unary()?;
        while let Some((operator, strength)) = self.operator().filter(|(_, strength)| *strength >= weakest) {
            let (at, divided) = (self.here(), self.division_by_zero);
            self.position += self.glued(operator);
            let right = self.binary(strength + 1)?;
            if (operator == "&&" && left == 0) || (operator == "||" && left != 0) {
                self.division_by_zero = divided;
            }
            left = apply(operator, left, right).unwrap_or_else(|| {
                self.division_by_zero = Some(at);
                0
            });
        }
        Ok(left)
    }

    fn unary(&mut self) -> Evaluated {
        let Some(token) = self.tokens.get(self.position) else {
            return Err((self.end, "this condition is incomplete".into()));
        };
        self.position += 1;
        match (token.kind, token.text.as_ref()) {
            (TokenKind::Number, text) => number(text).ok_or_else(|| (token.span, format!("`{text}` is no integer"))),
            (TokenKind::Word, _) => Ok(0),
            (TokenKind::LeftParen, _) => {
                let value = self.conditional()?;
                self.expect(TokenKind::RightParen, ")")?;
                Ok(value)
            }
            (_, "!") => Ok(i64::from(self.operand()? == 0)),
            (_, "-") => Ok(self.operand()?.wrapping_neg()),
            (_, "+") => self.operand(),
            (_, "~") => Ok(!self.operand()?),
            _ => Err((token.span, format!("unexpected {} in this condition", token.describe()))),
        }
    }

    /// The operand of a prefix operator.
    fn operand(&mut self) -> Evaluated {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err((self.here(), "this condition is nested too deeply".into()));
        }
        let value = self.unary()?;
        self.nesting -= 1;
        Ok(value)
    }

    fn operator(&self) -> Option<(&'static str, u8)> {
        OPERATORS.into_iter().find(|(operator, _)| self.glued(operator) > 0)
    }

    /// How many tokens, without blanks between them, spell the operator here; 0 when they do not.
    fn glued(&self, operator: &str) -> usize {
        let mut spelled = String::new();
        for (count, token) in self.tokens[self.position..].iter().take(2).enumerate() {
            if count > 0 && token.spaced {
                break;
            }
            spelled.push_str(&token.text);
            if spelled == operator {
                return count + 1;
            }
        }
        0
    }

    fn here(&self) -> Span {
        self.tokens.get(self.position).map_or(self.end, |token| token.span)
    }

    fn accept(&mut self, kind: TokenKind) -> bool {
        let found = self.tokens.get(self.position).is_some_and(|token| token.kind == kind);
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, kind: TokenKind, text: &str) -> Result<(), (Span, String)> {
        if self.accept(kind) { Ok(()) } else { Err((self.here(), format!("expected `{text}` in this condition"))) }
    }
}

fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    i64::from_str_radix(digits, radix).ok()
}

/// The value of an operation; `None` for a division by zero.
fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<<" => left.wrapping_shl(right as u32),
        ">>" => left.wrapping_shr(right as u32),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        _ => left.checked_rem(right)?,
    })
}
