//! Text to tokens: translation phases 2 and 3, for text that a preprocessor has been over or that needs none.
//!
//! Line markers become [`Marker`]s, `#pragma` lines are skipped, other directives are collected: text that has some
//! must go through a preprocessor first. What cannot be read is reported and becomes a token; nothing is skipped
//! silently.

use crate::directive::{self, Directive};
use crate::names::Names;
use crate::token::{Punct, Token, TokenKind};
use trifold_source::{Diagnostic, FileId, Marker, Sink, Span, Trail};

/// What a text consists of.
#[derive(Debug)]
pub(crate) struct Lexed {
    /// The last one is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    pub markers: Vec<Marker>,
    /// The directives that only a preprocessor understands.
    pub directives: Vec<Span>,
    /// Pragmas that give names for the linker.
    pub renames: Vec<Span>,
    /// Comments that are contracts, each with the number of the token that it stands before.
    pub contracts: Vec<(Span, usize)>,
}

/// Divides a text into tokens.
pub(crate) fn lex(text: &str, file: FileId, names: &mut Names, sink: &mut Sink) -> Lexed {
    let tokens = Vec::with_capacity(text.len() / 5);
    let lexed =
        Lexed { tokens, markers: Vec::new(), directives: Vec::new(), renames: Vec::new(), contracts: Vec::new() };
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, file, names, sink, lexed };
    lexer.run();
    lexer.lexed
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    file: FileId,
    names: &'t mut Names,
    sink: &'t mut Sink,
    lexed: Lexed,
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at += '\u{feff}'.len_utf8();
        }
        loop {
            let starts_line = self.skip_blanks();
            let start = self.at;
            if start >= self.bytes.len() {
                self.push(TokenKind::End, start, starts_line);
                return;
            }
            if starts_line && (self.looking_at("#") || self.looking_at("%:")) {
                self.directive();
                continue;
            }
            let kind = self.token();
            self.push(kind, start, starts_line);
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize, starts_line: bool) {
        let span = self.since(start);
        self.lexed.tokens.push(Token { kind, starts_line, span });
    }

    fn since(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32, trail: Trail::NONE }
    }

    fn error(&mut self, code: &'static str, start: usize, message: impl Into<String>) -> TokenKind {
        self.sink.push(Diagnostic::error(code, self.since(start), message));
        TokenKind::Broken
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn looking_at(&self, text: &str) -> bool {
        self.bytes[self.at..].starts_with(text.as_bytes())
    }

    /// The length of a backslash and the end of its line, which join this line and the next.
    fn continuation(&self) -> usize {
        match (self.byte(0), self.byte(1), self.byte(2)) {
            (b'\\', b'\n', _) => 2,
            (b'\\', b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    /// Skips blanks and comments; does a new line start?
    fn skip_blanks(&mut self) -> bool {
        let mut starts_line = self.lexed.tokens.is_empty();
        while self.at < self.bytes.len() {
            match self.byte(0) {
                b'\n' => {
                    starts_line = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.continuation() > 0 => self.at += self.continuation(),
                b'/' if matches!(self.byte(1), b'/' | b'*') => {
                    let start = self.at;
                    if self.byte(1) == b'/' {
                        self.skip_line()
                    } else {
                        self.skip_comment()
                    }
                    if self.bytes.get(start + 2) == Some(&b'@') {
                        let contract = (self.since(start), self.lexed.tokens.len());
                        self.lexed.contracts.push(contract);
                    }
                }
                _ => break,
            }
        }
        starts_line
    }

    /// Skips the rest of the line, not the line feed.
    fn skip_line(&mut self) {
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            self.at += self.continuation().max(1);
        }
    }

    fn skip_comment(&mut self) {
        let start = self.at;
        match self.text[start + 2..].find("*/") {
            Some(length) => self.at = start + 2 + length + 2,
            None => {
                self.at = start + 2;
                self.error("unterminated-comment", start, "this comment does not end");
                self.at = self.bytes.len();
            }
        }
    }

    /// A line that starts with `#`.
    fn directive(&mut self) {
        let start = self.at;
        self.skip_line();
        let next_line = (self.at + 1).min(self.bytes.len()) as u32;
        match directive::read(&self.text[start..self.at]) {
            Directive::Marker { line, path, system } => {
                let same_file = || self.lexed.markers.last().map(|marker| marker.path.clone());
                if let Some(path) = path.or_else(same_file) {
                    self.lexed.markers.push(Marker { start: next_line, path, line, system });
                }
            }
            Directive::Ignored => {}
            Directive::Pack => {
                self.error("pragma-pack", start, "`#pragma pack` is not supported: sizes of structs would be wrong");
            }
            Directive::Rename => self.lexed.renames.push(self.since(start)),
            Directive::Other => self.lexed.directives.push(self.since(start)),
        }
    }

    fn token(&mut self) -> TokenKind {
        let start = self.at;
        match self.byte(0) {
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_ascii_digit() => self.number(),
            quote @ (b'"' | b'\'') => self.quoted(quote),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'\\' | 0x80.. => self.word(),
            _ => match Punct::at_start(&self.bytes[self.at..]) {
                Some((punct, length)) => {
                    self.at += length;
                    TokenKind::Punct(punct)
                }
                None => {
                    self.at += 1;
                    self.unknown(start)
                }
            },
        }
    }

    /// Reports characters with no meaning in C; those that follow each other together.
    fn unknown(&mut self, start: usize) -> TokenKind {
        let blank = |c: char| c.is_ascii_whitespace() || c.is_ascii_graphic() && !matches!(c, '@' | '`' | '\\' | '#');
        while let Some(c) = self.text[self.at..].chars().next().filter(|c| !blank(*c)) {
            self.at += c.len_utf8();
        }
        let text: String = self.text[start..self.at].chars().take(20).flat_map(char::escape_debug).collect();
        self.error("unknown-character", start, format!("`{text}` has no meaning in C"))
    }

    /// A word, a keyword, or a literal with a prefix.
    fn word(&mut self) -> TokenKind {
        let start = self.at;
        let mut plain = true;
        loop {
            match self.byte(0) {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => self.at += 1,
                b'\\' if self.continuation() > 0 => {
                    self.at += self.continuation();
                    plain = false;
                }
                b'\\' => match universal_name(&self.text[self.at..]) {
                    Some((c, length)) if c.is_alphanumeric() => {
                        self.at += length;
                        plain = false;
                    }
                    _ => break,
                },
                0x80.. => match self.text[self.at..].chars().next() {
                    Some(c) if c.is_alphanumeric() => self.at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        if self.at == start {
            self.at += self.text[start..].chars().next().map_or(1, char::len_utf8);
            return self.unknown(start);
        }
        let text = &self.text[start..self.at];
        let quote = self.byte(0);
        if matches!(quote, b'"' | b'\'') && matches!(text, "L" | "u" | "U" | "u8") {
            return self.quoted(quote);
        }
        let symbol = if plain { self.names.intern(text) } else { self.names.intern(&spelled_out(text)) };
        Names::keyword(symbol).map_or(TokenKind::Name(symbol), TokenKind::Keyword)
    }

    /// A preprocessing number: it may turn out to be none.
    fn number(&mut self) -> TokenKind {
        loop {
            match self.byte(0) {
                b'e' | b'E' | b'p' | b'P' if matches!(self.byte(1), b'+' | b'-') => self.at += 2,
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' => self.at += 1,
                b'\'' if self.byte(1).is_ascii_hexdigit() => self.at += 2,
                b'\\' if self.continuation() > 0 => self.at += self.continuation(),
                _ => return TokenKind::Number,
            }
        }
    }

    /// From a quote to the next one.
    fn quoted(&mut self, quote: u8) -> TokenKind {
        let start = self.at;
        self.at += 1;
        loop {
            match self.byte(0) {
                c if c == quote => {
                    self.at += 1;
                    return if quote == b'"' { TokenKind::Text } else { TokenKind::Character };
                }
                b'\n' => break,
                0 if self.at >= self.bytes.len() => break,
                b'\\' => {
                    let escaped = self.text[self.at + 1..].chars().next().map_or(0, char::len_utf8);
                    self.at += self.continuation().max(1 + escaped);
                }
                _ => self.at += 1,
            }
        }
        self.error("unterminated-literal", start, format!("this literal has no closing `{}`", quote as char))
    }
}

/// A universal character name such as `\u00e9` at the start of a text, and its length.
pub(crate) fn universal_name(text: &str) -> Option<(char, usize)> {
    let digits = match text.as_bytes().get(..2)? {
        b"\\u" => 4,
        b"\\U" => 8,
        _ => return None,
    };
    let value = u32::from_str_radix(text.get(2..2 + digits)?, 16).ok()?;
    Some((char::from_u32(value)?, 2 + digits))
}

/// A word without continuations and universal names.
fn spelled_out(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (character, length) = match universal_name(rest) {
            Some((c, length)) => (Some(c), length),
            None => (Some(c).filter(|c| !matches!(c, '\\' | '\r' | '\n')), c.len_utf8()),
        };
        result.extend(character);
        rest = &rest[length..];
    }
    result
}

/// A literal's text without continuations.
pub(crate) fn joined_lines(text: &str) -> String {
    text.replace("\\\r\n", "").replace("\\\n", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyword::Keyword;

    fn lexed(text: &str) -> (Lexed, Vec<Diagnostic>, Names) {
        let (mut names, mut sink) = (Names::default(), Sink::default());
        let lexed = lex(text, FileId(0), &mut names, &mut sink);
        (lexed, sink.finish().0, names)
    }

    fn spellings(text: &str) -> Vec<&str> {
        let (lexed, errors, _) = lexed(text);
        assert!(errors.is_empty(), "{errors:?}");
        lexed.tokens.iter().map(|token| &text[token.span.start as usize..token.span.end as usize]).collect()
    }

    #[test]
    fn the_longest_token_is_taken() {
        assert_eq!(spellings("a+++b>>=c...d->e"), ["a", "++", "+", "b", ">>=", "c", "...", "d", "->", "e", ""]);
        assert_eq!(spellings("1.5e+3+0x1p-2-.5f"), ["1.5e+3", "+", "0x1p-2", "-", ".5f", ""]);
        assert_eq!(spellings("L\"a\\\"b\" u8\"\" '\\'' L'x' Lx"), ["L\"a\\\"b\"", "u8\"\"", "'\\''", "L'x'", "Lx", ""]);
    }

    #[test]
    fn comments_and_continuations_separate_or_join() {
        assert_eq!(spellings("a/* b\n */c // d \\\n e\nf \\\r\n g"), ["a", "c", "f", "g", ""]);
        let (lexed, _, names) = lexed("whi\\\nle x\\\ny caf\\u00e9 café");
        assert_eq!(lexed.tokens[0].kind, TokenKind::Keyword(Keyword::While));
        assert_eq!(lexed.tokens[1].kind, TokenKind::Name(names.find("xy").unwrap()));
        assert_eq!(lexed.tokens[2].kind, lexed.tokens[3].kind);
    }

    #[test]
    fn digraphs_are_brackets() {
        let (lexed, _, _) = lexed("a<:1:> <% %>");
        let kinds: Vec<TokenKind> = lexed.tokens.iter().map(|token| token.kind).collect();
        use Punct::*;
        for (index, punct) in [(1, LeftBracket), (3, RightBracket), (4, LeftBrace), (5, RightBrace)] {
            assert_eq!(kinds[index], TokenKind::Punct(punct));
        }
    }

    #[test]
    fn markers_are_kept_and_other_directives_collected() {
        let (lexed, errors, _) =
            lexed("# 1 \"a.c\"\nint x; # \n#pragma once\n# 7 \"b.h\" 1 3\ny\n#define A\n#line 5\n");
        assert_eq!(errors.len(), 1, "a `#` within a line has no meaning: {errors:?}");
        let markers: Vec<_> = lexed.markers.iter().map(|m| (m.path.as_ref(), m.line, m.system)).collect();
        assert_eq!(markers, [("a.c", 1, false), ("b.h", 7, true), ("b.h", 5, false)]);
        assert_eq!(lexed.directives.len(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_reported() {
        for (text, code) in [
            ("a @` b", "unknown-character"),
            ("\"open\nb", "unterminated-literal"),
            ("'", "unterminated-literal"),
            ("a /* b", "unterminated-comment"),
            ("\\", "unknown-character"),
            ("\"\\", "unterminated-literal"),
            ("“", "unknown-character"),
            ("a\0b", "unknown-character"),
        ] {
            let (_, errors, _) = lexed(text);
            assert_eq!(errors.iter().map(|e| e.code).collect::<Vec<_>>(), [code], "{text:?}");
        }
    }
}
