//! Tokens of TVP and TVS, shared by the preprocessor and the parsers.

use rustc_hash::FxHashSet;
use std::sync::Arc;
use trifold_source::Span;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TokenKind {
    /// An identifier.
    Word,
    /// A run of digits and letters that starts with a digit.
    Number,
    /// A string; the token's text is without the quotes.
    Quoted,
    /// `%` with a name, as in `%action`.
    Percent,
    /// `%%`.
    Section,
    /// `.0` and the like after `]`, in names of individuals.
    Suffix,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Colon,
    Question,
    /// `=`.
    Becomes,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    Not,
    And,
    Or,
    /// `|>`
    Refine,
    Star,
    Plus,
    Minus,
    Slash,
    /// `->`.
    Arrow,
    /// `<->`.
    DoubleArrow,
    /// `==>`.
    Entails,
    /// `#`.
    Hash,
    /// `##`.
    Paste,
    /// A character that only conditions of `#if` use.
    Operator,
    /// Characters that are nothing here.
    Unknown,
    /// A string that its line does not end.
    UnterminatedText,
    /// A comment that the file does not end.
    UnterminatedComment,
    /// The rest of a token after an error that has been reported: parsers give up on it in silence.
    Broken,
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    /// Its text; for a string the contents.
    pub text: Arc<str>,
    pub span: Span,
    /// Is it the first of its line?
    pub starts_line: bool,
    /// Is there a blank before it?
    pub spaced: bool,
    /// The macros it must not be expanded by; see [`crate::preprocess`].
    pub hidden: Hidden,
}

impl Token {
    /// Is it this word?
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && *self.text == *word
    }

    /// How messages name it.
    pub fn describe(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::Quoted => format!("\"{}\"", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}

/// A set of macros; an index into the preprocessor's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Hidden(pub u32);

/// Makes equal texts share their memory.
#[derive(Default)]
pub(crate) struct Names(FxHashSet<Arc<str>>);

impl Names {
    pub fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.0.insert(new.clone());
        new
    }
}
