//! `#if`, `#ifdef` and their kin: which text is read and which is skipped.
//!
//! For example, of `#ifdef A`, `x`, `#else`, `y`, `#endif` on five lines, only `y` is read where `A` is not defined.

use super::{OpenFile, Preprocessor};
use crate::token::{Token, TokenKind};
use trifold_source::{Diagnostic, Span};

/// An open `#if`.
pub(super) struct Conditional {
    span: Span,
    branch: Branch,
    seen_else: bool,
}

/// Which branch of a conditional is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Branch {
    /// The one whose condition holds.
    Taken,
    /// One before it.
    Before,
    /// One after it, or one of a conditional that is itself skipped.
    After,
}

impl Preprocessor<'_> {
    pub(super) fn conditional(&mut self, name: &Token, operands: &[Token]) {
        match name.text.as_ref() {
            "if" | "ifdef" | "ifndef" => {
                let holds = self.condition_holds(name, operands);
                let branch = if holds { Branch::Taken } else { Branch::Before };
                self.open_conditional(name.span, branch);
            }
            "endif" => {
                if self.conditionals().and_then(Vec::pop).is_none() {
                    self.stray(name);
                }
            }
            _ => self.next_branch(name, operands),
        }
    }

    fn condition_holds(&mut self, name: &Token, operands: &[Token]) -> bool {
        if *name.text == *"if" || *name.text == *"elif" {
            return self.condition(name.span, operands.to_vec());
        }
        match operands.first() {
            Some(operand) if operand.kind == TokenKind::Word => {
                self.macros.contains_key(&operand.text) == (*name.text == *"ifdef")
            }
            _ => {
                self.expected_name(name);
                false
            }
        }
    }

    fn open_conditional(&mut self, span: Span, branch: Branch) {
        if let Some(conditionals) = self.conditionals() {
            conditionals.push(Conditional { span, branch, seen_else: false });
        }
    }

    /// `#elif` or `#else`.
    fn next_branch(&mut self, name: &Token, operands: &[Token]) {
        let is_else = *name.text == *"else";
        let Some(last) = self.conditionals().and_then(|all| all.last_mut()) else { return self.stray(name) };
        if last.seen_else {
            let (opened, message) = (last.span, format!("`#{}` after `#else`", name.text));
            let error = Diagnostic::error("stray-directive", name.span, message);
            return self.sink.push(error.secondary(opened, "of this conditional"));
        }
        last.seen_else = is_else;
        let before = last.branch == Branch::Before;
        let taken = before && (is_else || self.condition_holds(name, operands));
        if let Some(last) = self.conditionals().and_then(|all| all.last_mut()) {
            last.branch = match (taken, before) {
                (true, _) => Branch::Taken,
                (false, true) => Branch::Before,
                (false, false) => Branch::After,
            };
        }
    }

    fn stray(&mut self, name: &Token) {
        let message = format!("`#{}` without `#if`", name.text);
        self.sink.push(Diagnostic::error("stray-directive", name.span, message));
    }

    fn conditionals(&mut self) -> Option<&mut Vec<Conditional>> {
        self.open.last_mut().map(|open| &mut open.conditionals)
    }

    /// Skips to the directive that starts or ends a branch, while in a branch that is not taken.
    pub(super) fn skip_ruled_out(&mut self) {
        while self.conditionals().and_then(|all| all.last()).is_some_and(|last| last.branch != Branch::Taken) {
            let Some(open) = self.open.last_mut() else { return };
            let token = open.lexer.next(&mut self.names);
            match token.kind {
                TokenKind::End => return,
                TokenKind::UnterminatedComment => self.unterminated_comment(&token),
                TokenKind::Hash if token.starts_line => self.skipped_directive(),
                _ => {}
            }
        }
    }

    fn skipped_directive(&mut self) {
        let line = self.rest_of_line();
        let Some((name, operands)) = line.split_first() else { return };
        match name.text.as_ref() {
            "if" | "ifdef" | "ifndef" => self.open_conditional(name.span, Branch::After),
            "elif" | "else" | "endif" => self.conditional(name, operands),
            _ => {}
        }
    }

    /// Ends the innermost file.
    pub(super) fn close_file(&mut self) {
        let Some(OpenFile { conditionals, .. }) = self.open.pop() else { return };
        for conditional in conditionals {
            let error = Diagnostic::error("unterminated-if", conditional.span, "this conditional has no `#endif`");
            self.sink.push(error);
        }
    }
}
