//! Clauses for a decomposing analysis, which some files have: the parts of the heap to analyse apart, and those to put
//! together for an action. The analysis here is of whole heaps, for which these clauses have no meaning: they are read
//! and left out, and a note says so, once for each file.

use super::{Parsed, Parser};
use crate::token::TokenKind;
use trifold_source::{Diagnostic, Span};

impl Parser<'_> {
    /// Takes a clause of an action, if there is one of decomposition at the cursor.
    pub(super) fn decomposition_clause(&mut self) -> Parsed<bool> {
        let token = self.peek();
        if token.kind != TokenKind::Percent {
            return Ok(false);
        }
        match token.text.as_ref() {
            "%param" => {
                self.advance();
                while self.at(TokenKind::Word) && self.peek_at(1).is_word("in") {
                    self.membership()?;
                }
            }
            "%compose" | "%frame" | "%frame_pre" => {
                self.advance();
                self.formula()?;
            }
            "%decompose" => {
                self.advance();
                self.optional_formula()?;
            }
            _ => return Ok(false),
        }
        self.note_ignored(&format!("`{}`", token.text), token.span);
        Ok(true)
    }

    /// Takes a declaration of decomposition, if there is one at the cursor: `%dname f text` or `%closecycle p -> f`.
    pub(super) fn decomposition_declaration(&mut self) -> Parsed<bool> {
        let token = self.peek();
        match token.text.as_ref() {
            "%dname" => {
                self.advance();
                self.formula()?;
                let named = self.at(TokenKind::Quoted) || self.at(TokenKind::Word) && !self.peek().is_word("foreach");
                if named {
                    self.message()?;
                }
            }
            "%closecycle" => {
                self.advance();
                self.name("the predicate of the cycle")?;
                self.expect(TokenKind::Arrow, "`->` and a formula")?;
                self.formula()?;
            }
            _ => return Ok(false),
        }
        self.note_ignored(&format!("`{}`", token.text), token.span);
        Ok(true)
    }

    /// `[f]` before the condition of a message.
    pub(super) fn composed_formula(&mut self) -> Parsed<()> {
        let Some(open) = self.accept(TokenKind::LeftBracket) else { return Ok(()) };
        self.formula()?;
        self.expect(TokenKind::RightBracket, "an operator or `]`")?;
        self.note_ignored("`%message [formula]`", open.span);
        Ok(())
    }

    /// `[p, q]-->r` among the properties of a predicate.
    pub(super) fn dependency(&mut self) -> Parsed<()> {
        let Some(open) = self.accept(TokenKind::LeftBracket) else { return Ok(()) };
        self.separated(TokenKind::RightBracket, |p| p.name("the name of a predicate"))?;
        self.expect(TokenKind::RightBracket, "`,` or `]`")?;
        self.expect(TokenKind::Minus, "`-->`")?;
        self.expect(TokenKind::Arrow, "`-->`")?;
        self.name("the name of a predicate")?;
        self.note_ignored("a dependency `[…]-->…`", open.span);
        Ok(())
    }

    /// Says, once for each file, that something is left out.
    pub(crate) fn note_ignored(&mut self, construct: &str, span: Span) {
        if self.ignored.insert(span.file) {
            let message = format!("{construct} has no meaning in the analysis of whole heaps and is left out");
            let note = Diagnostic::warning("decomposition", span, message);
            self.report(note.note("so are all clauses of decomposition in this file"));
        }
    }
}
