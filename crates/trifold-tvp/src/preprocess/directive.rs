//! Directives: the lines that start with `#`.

use super::macros::Macro;
use super::{OpenFile, Preprocessor};
use crate::diagnostic::{Diagnostic, Severity};
use crate::files::{self, ReadError};
use crate::limits::{MAX_INCLUDE_DEPTH, MAX_INCLUDES};
use crate::source::{Reason, Span};
use crate::suggest;
use crate::token::{Token, TokenKind};
use std::sync::Arc;

/// The directives, for suggestions.
const DIRECTIVES: [&str; 11] =
    ["include", "define", "undef", "if", "ifdef", "ifndef", "else", "elif", "endif", "error", "warning"];

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
    /// Carries out the directive whose `#` was just read, then skips text that a condition rules out.
    pub(super) fn directive(&mut self) {
        let line = self.rest_of_line();
        let Some((name, operands)) = line.split_first() else { return };
        match name.text.as_ref() {
            "include" => self.include(name, operands.to_vec()),
            "define" => self.define(operands),
            "undef" => self.undef(name, operands),
            "error" | "warning" => self.user_message(name, operands),
            "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif" => self.conditional(name, operands),
            _ => self.unknown_directive(name),
        }
        self.skip_ruled_out();
    }

    /// The tokens up to the end of the line.
    fn rest_of_line(&mut self) -> Vec<Token> {
        let Some(open) = self.open.last_mut() else { return Vec::new() };
        open.lexer.percent_words = false;
        let mut line = Vec::new();
        loop {
            let before = open.lexer.clone();
            let mut token = open.lexer.next(&mut self.names);
            if token.starts_line || token.kind == TokenKind::End {
                open.lexer = before;
                break;
            }
            if line.len() == 1 && !needs_operators(&line[0]) {
                // The text of a macro is TVP.
                open.lexer = before;
                open.lexer.percent_words = true;
                token = open.lexer.next(&mut self.names);
            }
            line.push(token);
        }
        open.lexer.percent_words = true;
        line
    }

    fn unknown_directive(&mut self, name: &Token) {
        let message = format!("unknown directive `#{}`", name.text);
        let help = suggest::nearest(&name.text, DIRECTIVES).map(|near| format!("did you mean `#{near}`?"));
        self.sink.push(Diagnostic::error("unknown-directive", name.span, message).maybe_help(help));
    }

    fn user_message(&mut self, name: &Token, operands: &[Token]) {
        let text = operands.iter().map(|token| token.text.as_ref()).collect::<Vec<_>>().join(" ");
        let mut diagnostic = Diagnostic::error("user", name.span, text);
        if *name.text == *"warning" {
            diagnostic.severity = Severity::Warning;
        }
        self.sink.push(diagnostic);
    }

    fn include(&mut self, name: &Token, operands: Vec<Token>) {
        let operands = match operands.first() {
            Some(first) if first.kind == TokenKind::Quoted => operands,
            _ => self.expand_all(operands, 0),
        };
        let Some(target) = operands.first().filter(|token| token.kind == TokenKind::Quoted) else {
            let message = "expected the name of a file in quotes after `#include`";
            return self.sink.push(Diagnostic::error("bad-include", name.span, message));
        };
        self.includes += 1;
        if self.open.len() > MAX_INCLUDE_DEPTH || self.includes > MAX_INCLUDES {
            return self.halt_includes(target);
        }
        match self.find_included(target) {
            Ok((path, bytes)) => self.open_included(&path, bytes, target.span),
            Err(problem) => self.sink.push(*problem),
        }
    }

    fn open_included(&mut self, path: &str, bytes: Vec<u8>, at: Span) {
        let file = self.add_file(path, bytes);
        if self.count_bytes(file, at) {
            let trail = self.sources.extend(at.trail, Reason::Include, at);
            self.open(file, trail);
        }
    }

    /// Tries the places where an included file may be, in order.
    fn find_included(&self, target: &Token) -> Result<(String, Vec<u8>), Box<Diagnostic>> {
        let here = self.open.last().map_or("", |open| files::directory(&self.sources.file(open.file).path));
        let mut directories = vec![here, &self.main_directory];
        directories.extend(self.options.include_paths.iter().map(String::as_str));
        directories.push("");
        let mut tried: Vec<String> = Vec::new();
        for path in directories.into_iter().map(|directory| files::join(directory, &target.text)) {
            if tried.contains(&path) {
                continue;
            }
            match self.files.read(&path) {
                Ok(bytes) => return Ok((path, bytes)),
                Err(ReadError::NotFound) => tried.push(path),
                Err(ReadError::Unreadable(reason)) => {
                    let message = format!("cannot read `{path}`: {reason}");
                    return Err(Diagnostic::error("unreadable", target.span, message).into());
                }
            }
        }
        let message = format!("there is no file `{}` to include", target.text);
        Err(Diagnostic::error("missing-include", target.span, message)
            .note(format!("tried {}", tried.join(", ")))
            .into())
    }

    /// Says whether it is a cycle or just too much.
    fn halt_includes(&mut self, target: &Token) {
        let paths: Vec<&str> = self.open.iter().map(|open| self.sources.file(open.file).path.as_str()).collect();
        let last = paths.last().copied().unwrap_or("");
        let cycle = paths.iter().rev().skip(1).position(|path| *path == last);
        let diagnostic = match cycle {
            Some(length) => {
                let chain = paths[paths.len() - length - 2..].join(" → ");
                let error = Diagnostic::error("include-cycle", target.span, format!("`{last}` includes itself"));
                error.note(format!("the cycle is {chain}"))
            }
            None => Diagnostic::error("include-depth", target.span, "too many includes within each other"),
        };
        self.halt(diagnostic);
    }

    fn define(&mut self, operands: &[Token]) {
        let Some((name, rest)) = operands.split_first() else { return };
        if name.kind != TokenKind::Word {
            let message = format!("expected the name of a macro, found {}", name.describe());
            return self.sink.push(Diagnostic::error("bad-define", name.span, message));
        }
        let call = rest.first().is_some_and(|token| token.kind == TokenKind::LeftParen && !token.spaced);
        let (parameters, body) = match call {
            true => match self.parameters(&rest[1..]) {
                Some((parameters, body)) => (Some(parameters), body),
                None => return,
            },
            false => (None, rest),
        };
        let definition = Macro { name: name.text.clone(), parameters, body: body.to_vec(), span: name.span };
        self.enter_macro(definition);
    }

    fn enter_macro(&mut self, definition: Macro) {
        if let Some(old) = self.macros.get(&definition.name).filter(|old| !old.same_text(&definition)) {
            let message = format!("macro `{}` is defined again with a different meaning", definition.name);
            let warning = Diagnostic::warning("macro-redefined", definition.span, message);
            self.sink.push(warning.secondary(old.span, "first defined here").help("use `#undef` first"));
        }
        self.macros.insert(definition.name.clone(), Arc::new(definition));
    }

    /// The parameters of a macro and the tokens after their closing parenthesis.
    fn parameters<'t>(&mut self, tokens: &'t [Token]) -> Option<(Vec<Arc<str>>, &'t [Token])> {
        let mut parameters = Vec::new();
        let mut rest = tokens;
        loop {
            match rest {
                [close, body @ ..] if close.kind == TokenKind::RightParen && parameters.is_empty() => {
                    return Some((parameters, body));
                }
                [word, end, body @ ..] if word.kind == TokenKind::Word => {
                    parameters.push(word.text.clone());
                    match end.kind {
                        TokenKind::RightParen => return Some((parameters, body)),
                        TokenKind::Comma => rest = body,
                        _ => return self.bad_parameters(Some(end)),
                    }
                }
                _ => return self.bad_parameters(rest.first().or(tokens.last())),
            }
        }
    }

    fn bad_parameters<T>(&mut self, at: Option<&Token>) -> Option<T> {
        if let Some(token) = at {
            let message = "the parameters of a macro are names between parentheses";
            self.sink.push(Diagnostic::error("bad-define", token.span, message));
        }
        None
    }

    fn undef(&mut self, directive: &Token, operands: &[Token]) {
        match operands.first() {
            Some(name) if name.kind == TokenKind::Word => {
                self.macros.remove(&name.text);
            }
            _ => self.expected_name(directive),
        }
    }

    fn expected_name(&mut self, directive: &Token) {
        let message = format!("expected the name of a macro after `#{}`", directive.text);
        self.sink.push(Diagnostic::error("bad-directive", directive.span, message));
    }

    fn conditional(&mut self, name: &Token, operands: &[Token]) {
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
    fn skip_ruled_out(&mut self) {
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

/// Does the directive take an expression, in which `%` is the remainder?
fn needs_operators(name: &Token) -> bool {
    matches!(name.text.as_ref(), "if" | "elif")
}
