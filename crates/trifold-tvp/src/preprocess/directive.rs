//! Directives: the lines that start with `#`. For example, `#define N 3` and `#undef N`.

use super::Preprocessor;
use super::definition::Macro;
use crate::limits::{MAX_LINE_TOKENS, MAX_MACRO_PARAMETERS};
use crate::token::{Token, TokenKind};
use std::sync::Arc;
use trifold_source::suggest;
use trifold_source::{Diagnostic, Severity};

/// The directives, for suggestions.
const DIRECTIVES: [&str; 11] =
    ["include", "define", "undef", "if", "ifdef", "ifndef", "else", "elif", "endif", "error", "warning"];

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
    pub(super) fn rest_of_line(&mut self) -> Vec<Token> {
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
            if line.len() < MAX_LINE_TOKENS {
                line.push(token);
            }
        }
        open.lexer.percent_words = true;
        if line.len() == MAX_LINE_TOKENS {
            self.halt(Diagnostic::error("too-large", line[0].span, "this directive is too long"));
        }
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
                [word, end, body @ ..] if word.kind == TokenKind::Word && parameters.len() < MAX_MACRO_PARAMETERS => {
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
            let message =
                format!("the parameters of a macro are at most {MAX_MACRO_PARAMETERS} names between parentheses");
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

    pub(super) fn expected_name(&mut self, directive: &Token) {
        let message = format!("expected the name of a macro after `#{}`", directive.text);
        self.sink.push(Diagnostic::error("bad-directive", directive.span, message));
    }
}

/// Does the directive take an expression, in which `%` is the remainder?
fn needs_operators(name: &Token) -> bool {
    matches!(name.text.as_ref(), "if" | "elif")
}
