//! Text to tokens.
//!
//! Identifiers are `[A-Za-z_$][A-Za-z0-9_$.']*`; the prime is ours, for the names of renamed variables. `->`, `<->` may
//! contain one blank between their characters. A backslash at the end of a line continues the line. The lexer never
//! fails: text that it cannot read becomes a token that says so. For example, `x1->n` is the word `x1`, the operator
//! `->` and the word `n`.

use crate::token::{Hidden, Names, Token, TokenKind};
use std::sync::Arc;
use trifold_source::{FileId, Span, Trail};

/// A cursor over the text of one file.
#[derive(Clone)]
pub(crate) struct Lexer {
    text: Arc<str>,
    file: FileId,
    trail: Trail,
    position: usize,
    /// Is no token between here and the start of the line?
    line_start: bool,
    /// Do `%` and a following name make one token? Not in the conditions of `#if`.
    pub percent_words: bool,
}

impl Lexer {
    pub fn new(text: Arc<str>, file: FileId, trail: Trail) -> Lexer {
        let position = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lexer { text, file, trail, position, line_start: true, percent_words: true }
    }

    /// The next token; [`TokenKind::End`] for ever after the last.
    pub fn next(&mut self, names: &mut Names) -> Token {
        let before = self.position;
        if let Err(comment) = self.skip_blanks() {
            return self.token(TokenKind::UnterminatedComment, comment, true, names);
        }
        let start = self.position;
        let (kind, length) = scan(&self.text.as_bytes()[start..], self.percent_words);
        self.position = start + self.whole_characters(start, length);
        self.token(kind, start, start > before, names)
    }

    fn token(&mut self, kind: TokenKind, start: usize, spaced: bool, names: &mut Names) -> Token {
        let (file, trail) = (self.file, self.trail);
        let span = Span { file, start: start as u32, end: self.position as u32, trail };
        let inner = match kind {
            TokenKind::Quoted => start + 1..self.position - 1,
            _ => start..self.position,
        };
        let starts_line = std::mem::replace(&mut self.line_start, false);
        let text = names.intern(&self.text[inner]);
        Token { kind, text, span, starts_line, spaced, hidden: Hidden::default() }
    }

    /// Rounds a length up so that it does not end within a character.
    fn whole_characters(&self, start: usize, length: usize) -> usize {
        (length..).find(|length| self.text.is_char_boundary(start + length)).unwrap_or(length)
    }

    /// Skips blanks and comments; the start of a comment that does not end is the error.
    fn skip_blanks(&mut self) -> Result<(), usize> {
        loop {
            let rest = &self.text.as_bytes()[self.position..];
            match rest {
                [b'\n', ..] => {
                    self.line_start = true;
                    self.position += 1;
                }
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0x1a, ..] => self.position += 1,
                [b'/', b'/', ..] => self.position += line_length(rest),
                [b'/', b'*', ..] => self.skip_comment()?,
                [b'\\', ..] => match continuation(rest) {
                    Some(length) => self.position += length,
                    None => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), usize> {
        let start = self.position;
        match self.text[start + 2..].find("*/") {
            Some(length) => {
                self.position += length + 4;
                Ok(())
            }
            None => {
                self.position = self.text.len();
                Err(start)
            }
        }
    }
}

/// The kind of the single token that `text` is, if it is one.
pub(crate) fn single_token(text: &str) -> Option<TokenKind> {
    let (kind, length) = scan(text.as_bytes(), true);
    let broken = matches!(kind, TokenKind::Unknown | TokenKind::UnterminatedText | TokenKind::End);
    (length == text.len() && !broken).then_some(kind)
}

/// Is `text` an identifier?
pub(crate) fn is_word(text: &str) -> bool {
    single_token(text) == Some(TokenKind::Word)
}

fn scan(rest: &[u8], percent_words: bool) -> (TokenKind, usize) {
    let Some(&first) = rest.first() else { return (TokenKind::End, 0) };
    match first {
        b'"' => quoted(rest),
        b'%' if percent_words => percent(rest),
        b'0'..=b'9' => (TokenKind::Number, word_length(rest, |c| c.is_ascii_alphanumeric() || c == b'_')),
        b'.' => (TokenKind::Suffix, word_length(rest, in_word)),
        c if starts_word(c) => (TokenKind::Word, word_length(rest, in_word)),
        _ => punctuation(rest).unwrap_or_else(|| (TokenKind::Unknown, word_length(rest, is_unknown).max(1))),
    }
}

fn quoted(rest: &[u8]) -> (TokenKind, usize) {
    match rest[1..].iter().position(|c| matches!(c, b'"' | b'\n')) {
        Some(at) if rest[at + 1] == b'"' => (TokenKind::Quoted, at + 2),
        _ => (TokenKind::UnterminatedText, line_length(rest)),
    }
}

/// `%name`, `%%` or, with blanks between, `% %`.
fn percent(rest: &[u8]) -> (TokenKind, usize) {
    let name = word_length(&rest[1..], |c| c.is_ascii_alphanumeric() || c == b'_');
    if name > 0 {
        return (TokenKind::Percent, name + 1);
    }
    let blanks = word_length(&rest[1..], |c| c == b' ' || c == b'\t');
    match rest.get(1 + blanks) {
        Some(b'%') => (TokenKind::Section, blanks + 2),
        _ => (TokenKind::Operator, 1),
    }
}

fn punctuation(rest: &[u8]) -> Option<(TokenKind, usize)> {
    use TokenKind::*;
    if let Some(length) = spread(rest, b"<->") {
        return Some((DoubleArrow, length));
    }
    if let Some(length) = spread(rest, b"->") {
        return Some((Arrow, length));
    }
    let kind = match rest {
        [b'=', b'=', b'>', ..] => return Some((Entails, 3)),
        [b'=', b'=', ..] => return Some((Equal, 2)),
        [b'!', b'=', ..] => return Some((NotEqual, 2)),
        [b'#', b'#', ..] => return Some((Paste, 2)),
        [b'|', b'>', ..] => return Some((Refine, 2)),
        [b'=', ..] => Becomes,
        [b'!', ..] => Not,
        [b'#', ..] => Hash,
        [b'(', ..] => LeftParen,
        [b')', ..] => RightParen,
        [b'[', ..] => LeftBracket,
        [b']', ..] => RightBracket,
        [b'{', ..] => LeftBrace,
        [b'}', ..] => RightBrace,
        [b',', ..] => Comma,
        [b':', ..] => Colon,
        [b'?', ..] => Question,
        [b'&', ..] => And,
        [b'|', ..] => Or,
        [b'*', ..] => Star,
        [b'+', ..] => Plus,
        [b'-', ..] => Minus,
        [b'/', ..] => Slash,
        [b'<' | b'>' | b'~' | b'^' | b'%', ..] => Operator,
        _ => return None,
    };
    Some((kind, 1))
}

/// The length of `pattern` at the start of `rest`, with at most one blank between its characters.
fn spread(rest: &[u8], pattern: &[u8]) -> Option<usize> {
    let mut length = 0;
    for (i, expected) in pattern.iter().enumerate() {
        if i > 0 && rest.get(length) == Some(&b' ') {
            length += 1;
        }
        if rest.get(length) != Some(expected) {
            return None;
        }
        length += 1;
    }
    Some(length)
}

/// The length of a backslash, blanks and the end of the line, if `rest` starts with them.
fn continuation(rest: &[u8]) -> Option<usize> {
    let blanks = word_length(&rest[1..], |c| matches!(c, b' ' | b'\t' | b'\r'));
    (rest.get(1 + blanks) == Some(&b'\n')).then_some(blanks + 2)
}

fn line_length(rest: &[u8]) -> usize {
    rest.iter().position(|c| *c == b'\n').unwrap_or(rest.len())
}

fn word_length(rest: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    rest.iter().position(|c| !belongs(*c)).unwrap_or(rest.len())
}

fn starts_word(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c == b'$'
}

fn in_word(c: u8) -> bool {
    starts_word(c) || c.is_ascii_digit() || c == b'.' || c == b'\''
}

fn is_unknown(c: u8) -> bool {
    !c.is_ascii() || matches!(c, b'@' | b'`' | b';' | b'\\' | b'\'' | 0x7f) || c < b' ' && !c.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        tokens(text).iter().map(|token| token.kind).collect()
    }

    fn tokens(text: &str) -> Vec<Token> {
        let mut names = Names::default();
        let mut lexer = Lexer::new(text.into(), FileId(0), Trail::NONE);
        std::iter::from_fn(|| Some(lexer.next(&mut names))).take_while(|token| token.kind != End).collect()
    }

    #[test]
    fn arrows_may_contain_blanks() {
        assert_eq!(
            kinds("a->b - > <-> < - > ==> == ="),
            [Word, Arrow, Word, Arrow, DoubleArrow, DoubleArrow, Entails, Equal, Becomes]
        );
        assert_eq!(kinds("PVar-{x}"), [Word, Minus, LeftBrace, Word, RightBrace]);
    }

    #[test]
    fn percent_words_are_the_longest_match() {
        assert_eq!(tokens("%pset %p(v)")[0].text.as_ref(), "%pset");
        assert_eq!(kinds("%p x %% % %"), [Percent, Word, Section, Section]);
    }

    #[test]
    fn comments_blanks_and_continuations_are_skipped() {
        let found = tokens("a /* b\n */ c // d\r\ne \\\r\n f");
        let lines: Vec<_> = found.iter().map(|t| (t.text.as_ref(), t.starts_line)).collect();
        assert_eq!(lines, [("a", true), ("c", false), ("e", true), ("f", false)]);
    }

    #[test]
    fn what_cannot_be_read_becomes_a_token() {
        assert_eq!(kinds("x @@é y"), [Word, Unknown, Word]);
        assert_eq!(kinds("\"open\nx"), [UnterminatedText, Word]);
        assert_eq!(kinds("x /* open"), [Word, UnterminatedComment]);
        assert_eq!(kinds("u.0 [u].1.0"), [Word, LeftBracket, Word, RightBracket, Suffix]);
    }
}
