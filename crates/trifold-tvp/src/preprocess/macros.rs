//! Expansion of macros.
//!
//! The algorithm is Prosser's, which the C standard describes in prose: replace, mark the replacement with the macro's
//! name, scan again. Sets of names are chains, so that the intersection of two sets is taken to be their common tail;
//! this may allow an expansion that C leaves unspecified, never one that does not end, since depth is limited. For
//! example, after `#define f(x) x + f(x)`, the text `f(1)` becomes `1 + f(1)`, because the `f` of the replacement is
//! marked and not expanded again.

use super::Preprocessor;
use super::definition::Macro;
use super::substitute::{MARK, Substitution};
use crate::limits::{MAX_LINE_TOKENS, MAX_MACRO_DEPTH, MAX_MACRO_OUTPUT};
use crate::token::{Hidden, Token, TokenKind};
use std::sync::Arc;
use trifold_source::{Diagnostic, Reason, Span};

/// Sets of macro names as chains: a set is its newest member and the rest.
#[derive(Default)]
pub(super) struct HideSets(Vec<(Arc<str>, Hidden, u32)>);

impl HideSets {
    fn cell(&self, set: Hidden) -> Option<&(Arc<str>, Hidden, u32)> {
        (set.0 as usize).checked_sub(1).map(|index| &self.0[index])
    }

    fn depth(&self, set: Hidden) -> u32 {
        self.cell(set).map_or(0, |cell| cell.2)
    }

    fn contains(&self, set: Hidden, name: &str) -> bool {
        std::iter::successors(self.cell(set), |cell| self.cell(cell.1)).any(|cell| *cell.0 == *name)
    }

    fn with(&mut self, set: Hidden, name: &Arc<str>) -> Hidden {
        let depth = self.depth(set) + 1;
        self.0.push((name.clone(), set, depth));
        Hidden(self.0.len() as u32)
    }

    fn common(&self, mut a: Hidden, mut b: Hidden) -> Hidden {
        while a != b {
            let deeper = if a.0 > b.0 { &mut a } else { &mut b };
            *deeper = self.cell(*deeper).map_or(Hidden::default(), |cell| cell.1);
        }
        a
    }
}

/// Tokens waiting to be scanned, and whether the open files follow them.
pub(super) struct Input {
    /// The next token is the last.
    waiting: Vec<Token>,
    then_files: bool,
    /// How many arguments of macros enclose it.
    depth: u32,
}

impl Input {
    pub fn from_files() -> Input {
        Input { waiting: Vec::new(), then_files: true, depth: 0 }
    }

    fn from_tokens(mut tokens: Vec<Token>, depth: u32) -> Input {
        tokens.reverse();
        Input { waiting: tokens, then_files: false, depth }
    }
}

impl Preprocessor<'_> {
    pub(super) fn pull(&mut self, input: &mut Input) -> Option<Token> {
        if self.halted {
            return None;
        }
        input.waiting.pop().or_else(|| if input.then_files { self.read() } else { None })
    }

    /// The token itself when no macro applies; otherwise its replacement is put before the rest of the input.
    pub(super) fn expand(&mut self, input: &mut Input, token: Token) -> Option<Token> {
        if token.kind != TokenKind::Word {
            return Some(token);
        }
        let Some(definition) = self.macros.get(&token.text).cloned() else { return Some(token) };
        if self.hide_sets.contains(token.hidden, &token.text) {
            return Some(token);
        }
        if self.hide_sets.depth(token.hidden) >= MAX_MACRO_DEPTH || input.depth >= MAX_MACRO_DEPTH {
            let message = format!("macro `{}` is nested too deeply", token.text);
            self.halt(Diagnostic::error("macro-depth", token.span, message));
            return None;
        }
        if definition.parameters.is_none() {
            let hidden = token.hidden;
            self.replace(input, &definition, &token, Vec::new(), hidden);
            return None;
        }
        self.expand_call(input, &definition, token)
    }

    fn expand_call(&mut self, input: &mut Input, definition: &Macro, token: Token) -> Option<Token> {
        match self.pull(input) {
            Some(next) if next.kind == TokenKind::LeftParen => {}
            next => {
                input.waiting.extend(next);
                return Some(token);
            }
        }
        let (arguments, end) = self.arguments(input, &token)?;
        let Some(arguments) = self.fit(definition, &token, arguments) else {
            return Some(Token { kind: TokenKind::Broken, ..token });
        };
        let hidden = self.hide_sets.common(token.hidden, end.hidden);
        let call = Token { span: token.span.to(end.span), ..token };
        self.replace(input, definition, &call, arguments, hidden);
        None
    }

    /// Reads arguments up to the closing parenthesis.
    fn arguments(&mut self, input: &mut Input, name: &Token) -> Option<(Vec<Vec<Token>>, Token)> {
        let mut arguments = vec![Vec::new()];
        let (mut depth, mut count) = (0u32, 0usize);
        while let Some(token) = self.pull(input) {
            count += 1;
            if count > MAX_LINE_TOKENS {
                break;
            }
            match token.kind {
                TokenKind::RightParen if depth == 0 => return Some((arguments, token)),
                TokenKind::RightParen => depth -= 1,
                TokenKind::LeftParen => depth += 1,
                TokenKind::Comma if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            arguments.last_mut().expect("there is always one").push(token);
        }
        let message = format!("the arguments of macro `{}` do not end", name.text);
        if !self.halted {
            self.halt(Diagnostic::error("unterminated-call", name.span, message).help("add the missing `)`"));
        }
        None
    }

    /// Checks the number of arguments.
    fn fit(&mut self, definition: &Macro, call: &Token, mut arguments: Vec<Vec<Token>>) -> Option<Vec<Vec<Token>>> {
        let expected = definition.parameters.as_ref().map_or(0, Vec::len);
        if expected == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if arguments.len() == expected {
            return Some(arguments);
        }
        let message = format!("macro `{}` takes {expected} arguments, {} given", call.text, arguments.len());
        self.sink
            .push(Diagnostic::error("macro-arguments", call.span, message).secondary(definition.span, "defined here"));
        None
    }

    fn replace(
        &mut self,
        input: &mut Input,
        definition: &Macro,
        call: &Token,
        arguments: Vec<Vec<Token>>,
        hidden: Hidden,
    ) {
        let trail = self.sources.extend(call.span.trail, Reason::Macro(definition.name.clone()), call.span);
        let hidden = self.hide_sets.with(hidden, &definition.name);
        let mut substitution = Substitution::new(definition, arguments, input.depth);
        let mut result = substitution.run(self, call);
        for token in &mut result {
            token.starts_line = false;
            if token.span.trail == MARK {
                token.span.trail = trail;
                token.hidden = hidden;
            } else {
                token.hidden = self.hide_sets.with(token.hidden, &definition.name);
            }
        }
        if let Some(first) = result.first_mut() {
            first.starts_line = call.starts_line;
            first.spaced = call.spaced;
        }
        self.produce(result.len() + 1, call.span);
        input.waiting.extend(result.into_iter().rev());
    }

    /// Counts the text that macros produce, and stops when it is too much.
    pub(super) fn produce(&mut self, amount: usize, at: Span) {
        self.produced = self.produced.saturating_add(amount);
        if self.produced > MAX_MACRO_OUTPUT && !self.halted {
            let message = "the macros of this program expand to too much text";
            self.halt(Diagnostic::error("macro-bomb", at, message).label("while expanding this"));
        }
    }

    /// All of the tokens with macros expanded, in isolation.
    pub(super) fn expand_all(&mut self, tokens: Vec<Token>, depth: u32) -> Vec<Token> {
        let mut input = Input::from_tokens(tokens, depth);
        let mut result = Vec::new();
        while let Some(token) = self.pull(&mut input) {
            result.extend(self.expand(&mut input, token));
        }
        result
    }
}
