//! One replacement of a macro by its body: arguments put in, `#` and `##` carried out.
//!
//! For example, after `#define P(a, b) a ## b`, the text `P(Set_, Null)` is replaced by `Set_Null`.

use super::Preprocessor;
use super::definition::Macro;
use crate::lexer::single_token;
use crate::limits::MAX_MACRO_OUTPUT;
use crate::token::{Token, TokenKind};
use trifold_source::{Diagnostic, Span, Trail};

/// Marks tokens of the body until their trail is known.
pub(super) const MARK: Trail = Trail(u32::MAX);

/// One replacement of a macro by its body.
pub(super) struct Substitution<'m> {
    definition: &'m Macro,
    raw: Vec<Vec<Token>>,
    /// The arguments expanded, once needed.
    expanded: Vec<Option<Vec<Token>>>,
    depth: u32,
}

impl<'m> Substitution<'m> {
    pub fn new(definition: &'m Macro, arguments: Vec<Vec<Token>>, depth: u32) -> Substitution<'m> {
        Substitution { definition, expanded: vec![None; arguments.len()], raw: arguments, depth }
    }

    /// The replacement. Tokens of the body have the trail [`MARK`].
    pub fn run(&mut self, preprocessor: &mut Preprocessor, call: &Token) -> Vec<Token> {
        let body = &self.definition.body;
        let mut result: Vec<Token> = Vec::new();
        // Where the left operand of a `##` starts: it may be an empty argument.
        let mut left_start = 0;
        let mut i = 0;
        while i < body.len() && !preprocessor.halted {
            if body[i].kind == TokenKind::Paste && i + 1 < body.len() && i > 0 {
                let (right, used) = self.operand(preprocessor, i + 1);
                paste(preprocessor, &mut result, left_start, right, call);
                i += 1 + used;
            } else if body.get(i + 1).is_some_and(|next| next.kind == TokenKind::Paste) {
                let (left, used) = self.operand(preprocessor, i);
                left_start = result.len();
                result.extend(left);
                i += used;
            } else {
                i += self.plain(preprocessor, i, &mut result);
            }
            if result.len() > MAX_MACRO_OUTPUT {
                preprocessor.produce(result.len(), call.span);
            }
        }
        result
    }

    /// An operand of `##`: an argument as it was written, or a token of the body; and how many tokens it takes.
    fn operand(&self, preprocessor: &mut Preprocessor, i: usize) -> (Vec<Token>, usize) {
        let token = &self.definition.body[i];
        if let Some(text) = self.stringised(preprocessor, i) {
            return (vec![text], 2);
        }
        match self.definition.parameter(token) {
            Some(argument) => (self.raw[argument].clone(), 1),
            None => (vec![marked(token)], 1),
        }
    }

    /// A token of the body that is no operand of `##`; returns how many tokens it takes.
    fn plain(&mut self, preprocessor: &mut Preprocessor, i: usize, result: &mut Vec<Token>) -> usize {
        let token = &self.definition.body[i];
        if let Some(text) = self.stringised(preprocessor, i) {
            result.push(text);
            return 2;
        }
        match self.definition.parameter(token) {
            Some(argument) => result.extend(self.argument(preprocessor, argument)),
            None => result.push(marked(token)),
        }
        1
    }

    fn argument(&mut self, preprocessor: &mut Preprocessor, index: usize) -> Vec<Token> {
        let (raw, depth) = (&self.raw[index], self.depth + 1);
        self.expanded[index].get_or_insert_with(|| preprocessor.expand_all(raw.clone(), depth)).clone()
    }

    /// `#parameter` as a string. Quotes within become apostrophes, since TVP's strings have no escapes.
    fn stringised(&self, preprocessor: &mut Preprocessor, i: usize) -> Option<Token> {
        let body = &self.definition.body;
        let argument = self.definition.parameter(body.get(i + 1)?).filter(|_| body[i].kind == TokenKind::Hash)?;
        let mut text = String::new();
        for (index, token) in self.raw[argument].iter().enumerate() {
            let quote = if token.kind == TokenKind::Quoted { "'" } else { "" };
            let blank = if index > 0 && token.spaced { " " } else { "" };
            text.extend([blank, quote, &token.text, quote]);
        }
        preprocessor.produce(text.len(), body[i].span);
        let text = preprocessor.names.intern(&text.replace('"', "'"));
        Some(marked(&Token { kind: TokenKind::Quoted, text, ..body[i].clone() }))
    }
}

fn marked(token: &Token) -> Token {
    Token { span: Span { trail: MARK, ..token.span }, ..token.clone() }
}

/// Glues the last token of `result`, if it is not before `left_start`, to the first of `right`.
fn paste(preprocessor: &mut Preprocessor, result: &mut Vec<Token>, left_start: usize, right: Vec<Token>, call: &Token) {
    let mut right = right.into_iter().peekable();
    let last = if right.peek().is_some() { result[left_start..].last_mut() } else { None };
    if let Some((last, first)) = last.zip(right.peek().cloned()) {
        right.next();
        let text = format!("{}{}", last.text, first.text);
        preprocessor.produce(text.len(), call.span);
        match single_token(&text) {
            Some(kind) if kind != TokenKind::Quoted => {
                let text = preprocessor.names.intern(&text);
                *last = Token { kind, text, ..last.clone() };
            }
            _ => {
                let message = format!("`##` makes `{text}`, which is not one token");
                preprocessor.sink.push(Diagnostic::error("bad-paste", call.span, message));
                last.kind = TokenKind::Broken;
            }
        }
    }
    result.extend(right);
}
