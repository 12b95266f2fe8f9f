//! The preprocessor: `#include`, `#define`, `#if` and their kin, on tokens rather than text.
//!
//! Working on tokens keeps every span: a token from a macro's body points at the `#define`, and its trail at the place
//! of expansion; a token from a macro's argument points at the argument. For example, after
//! `#define NULL_CHECK(x) !(E(v) x(v))`, the `x` of `NULL_CHECK(y)` is a `y` that points at the use, and the `E` points
//! at the definition.
//!
//! Recursion of macros is blocked as in C. Each token carries the set of macros that may not expand it any more
//! ([`Hidden`]); the sets are chains in one table ([`macros::HideSets`]).

mod condition;
mod conditional;
mod definition;
mod directive;
mod include;
mod macros;
mod substitute;

use crate::files::{self, Files, ReadError};
use crate::lexer::Lexer;
use crate::limits::{MAX_BYTES, MAX_TOKENS};
use crate::options::Options;
use crate::token::{Hidden, Names, Token, TokenKind};
use conditional::Conditional;
use definition::Macros;
use macros::{HideSets, Input};
use std::sync::Arc;
use trifold_source::{Diagnostic, FileId, Sink, SourceMap, Span, Trail};

/// The name under which the options of the command line appear as a file.
const COMMAND_LINE: &str = "<command line>";

/// Reads a file with everything it includes; the last token is always [`TokenKind::End`]. `None` when reading was given
/// up, so that to go on would only find consequences of that.
pub(crate) fn preprocess(
    path: &str,
    files: &dyn Files,
    options: &Options,
    sources: &mut SourceMap,
    sink: &mut Sink,
) -> Option<Vec<Token>> {
    let main_directory = files::directory(&files::normalise(path)).to_string();
    let mut preprocessor = Preprocessor {
        files,
        options,
        sources,
        sink,
        main_directory,
        names: Names::default(),
        macros: Macros::default(),
        hide_sets: HideSets::default(),
        open: Vec::new(),
        bytes: 0,
        includes: 0,
        produced: 0,
        halted: false,
        end: None,
    };
    let tokens = preprocessor.run(path);
    (!preprocessor.halted).then_some(tokens)
}

/// A file being read.
struct OpenFile {
    lexer: Lexer,
    file: FileId,
    conditionals: Vec<Conditional>,
}

struct Preprocessor<'a> {
    files: &'a dyn Files,
    options: &'a Options,
    sources: &'a mut SourceMap,
    sink: &'a mut Sink,
    main_directory: String,
    names: Names,
    macros: Macros,
    hide_sets: HideSets,
    /// The files being read, the innermost include last.
    open: Vec<OpenFile>,
    bytes: usize,
    includes: usize,
    /// Tokens and bytes produced by macros so far.
    produced: usize,
    /// A limit was exceeded: no more tokens are read.
    halted: bool,
    /// The end of the main file.
    end: Option<Token>,
}

impl Preprocessor<'_> {
    fn run(&mut self, path: &str) -> Vec<Token> {
        let definitions = self.options.as_directives();
        let file = self.sources.add(COMMAND_LINE, definitions.into());
        self.open(file, Trail::NONE);
        let mut tokens = self.drain();
        match self.files.read(&files::normalise(path)) {
            Ok(bytes) => self.open_main(path, bytes),
            Err(error) => self.unreadable_main(path, file, error),
        }
        tokens.append(&mut self.drain());
        tokens.push(self.end_token(file));
        tokens
    }

    /// All tokens of the open files, with macros expanded.
    fn drain(&mut self) -> Vec<Token> {
        let mut tokens: Vec<Token> = Vec::new();
        let mut input = Input::from_files();
        while let Some(token) = self.pull(&mut input) {
            let Some(token) = self.expand(&mut input, token) else { continue };
            if tokens.len() >= MAX_TOKENS {
                self.halt(Diagnostic::error("too-large", token.span, "the program has too many tokens"));
                break;
            }
            let token = self.well_formed(token);
            tokens.push(token);
        }
        tokens
    }

    fn open_main(&mut self, path: &str, bytes: Vec<u8>) {
        let file = self.add_file(&files::normalise(path), bytes);
        let length = self.sources.file(file).text.len() as u32;
        let span = Span { file, start: 0, end: 0, trail: Trail::NONE };
        self.end = Some(end_token(Span { start: length, end: length, ..span }, &mut self.names));
        if self.count_bytes(file, span) {
            self.open(file, Trail::NONE);
        }
    }

    fn add_file(&mut self, path: &str, bytes: Vec<u8>) -> FileId {
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        self.sources.add(path, text.into())
    }

    /// Counts the bytes of a file about to be read; false when there are too many.
    fn count_bytes(&mut self, file: FileId, at: Span) -> bool {
        self.bytes += self.sources.file(file).text.len();
        if self.bytes > MAX_BYTES {
            let message = format!("more than {} MB of text", MAX_BYTES >> 20);
            self.halt(Diagnostic::error("too-large", at, message));
        }
        !self.halted
    }

    fn open(&mut self, file: FileId, trail: Trail) {
        let text: Arc<str> = self.sources.file(file).text.clone();
        self.open.push(OpenFile { lexer: Lexer::new(text, file, trail), file, conditionals: Vec::new() });
    }

    fn unreadable_main(&mut self, path: &str, file: FileId, error: ReadError) {
        let span = Span { file, start: 0, end: 0, trail: Trail::NONE };
        let reason = match error {
            ReadError::NotFound => "there is no such file".to_string(),
            ReadError::Unreadable(reason) => reason,
        };
        self.halt(Diagnostic::error("unreadable", span, format!("cannot read `{path}`: {reason}")));
    }

    fn end_token(&mut self, fallback: FileId) -> Token {
        let span = Span { file: fallback, start: 0, end: 0, trail: Trail::NONE };
        self.end.take().unwrap_or_else(|| end_token(span, &mut self.names))
    }

    /// Reports an exceeded limit and stops reading.
    fn halt(&mut self, diagnostic: Diagnostic) {
        self.sink.push(diagnostic);
        self.halted = true;
        self.open.clear();
    }

    /// The next token of the open files, after directives are carried out.
    fn read(&mut self) -> Option<Token> {
        while !self.halted {
            let open = self.open.last_mut()?;
            let token = open.lexer.next(&mut self.names);
            match token.kind {
                TokenKind::End => self.close_file(),
                TokenKind::Hash if token.starts_line => self.directive(),
                TokenKind::UnterminatedComment => self.unterminated_comment(&token),
                _ => return Some(token),
            }
        }
        None
    }

    fn unterminated_comment(&mut self, token: &Token) {
        let start = Span { end: token.span.start + 2, ..token.span };
        self.sink.push(Diagnostic::error("unterminated-comment", start, "this comment does not end"));
    }

    /// The token, or one that parsers understand instead of it.
    fn well_formed(&mut self, token: Token) -> Token {
        let (kind, error) = match token.kind {
            TokenKind::Unknown => {
                let shown: String = token.text.chars().take(20).collect();
                let message = format!("unknown character `{}`", shown.escape_debug());
                (TokenKind::Broken, Diagnostic::error("unknown-character", token.span, message))
            }
            TokenKind::UnterminatedText => {
                let message = "this string does not end on its line";
                (TokenKind::Quoted, Diagnostic::error("unterminated-string", token.span, message))
            }
            _ => return token,
        };
        self.sink.push(error);
        Token { kind, ..token }
    }
}

fn end_token(span: Span, names: &mut Names) -> Token {
    let text = names.intern("");
    Token { kind: TokenKind::End, text, span, starts_line: true, spaced: true, hidden: Hidden::default() }
}

#[cfg(test)]
mod tests;
