//! Definitions of macros: `#define f(x) x + 1` has the name `f`, the parameter `x` and the body `x + 1`.

use crate::token::{Token, TokenKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use trifold_source::Span;

/// A macro definition.
pub(super) struct Macro {
    pub name: Arc<str>,
    /// The parameters; `None` for a macro without parentheses.
    pub parameters: Option<Vec<Arc<str>>>,
    pub body: Vec<Token>,
    pub span: Span,
}

impl Macro {
    /// Do both stand for the same text?
    pub fn same_text(&self, other: &Macro) -> bool {
        let texts = |m: &Macro| m.body.iter().map(|t| (t.kind, t.text.clone())).collect::<Vec<_>>();
        self.parameters == other.parameters && texts(self) == texts(other)
    }

    /// The parameter that a token of the body is.
    pub fn parameter(&self, token: &Token) -> Option<usize> {
        let named = |parameters: &Vec<Arc<str>>| parameters.iter().position(|p| *p == token.text);
        self.parameters.as_ref().filter(|_| token.kind == TokenKind::Word).and_then(named)
    }
}

/// The macros in force.
pub(super) type Macros = FxHashMap<Arc<str>, Arc<Macro>>;
