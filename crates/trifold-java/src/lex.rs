//! Text to tokens.
//!
//! `>` is always a token of its own, since it closes type arguments as well as it compares; the parser puts `>>`
//! together. For example, `List<List<T>>` ends with two tokens.

use trifold_source::{Diagnostic, FileId, Sink, Span, Trail};

/// The kind of a token. Names and literals are read from their text when the parser meets them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// After the last token.
    End,
    /// An identifier or keyword.
    Word,
    /// An integer or a floating number.
    Number,
    Character,
    Text,
    /// One of [`PUNCTUATION`].
    Punct(&'static str),
    /// An error that has been reported.
    Broken,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    /// Is it the first one of its line?
    pub starts_line: bool,
    pub span: Span,
}

/// Longer ones before their beginnings.
const PUNCTUATION: [&str; 42] = [
    "<<=", "...", "->", "::", "++", "--", "<<", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=", "-=", "&=",
    "^=", "|=", "(", ")", "{", "}", "[", "]", ";", ",", ".", "@", "=", ">", "<", "!", "~", "?", ":", "+", "-", "*",
    "/",
];
const MORE_PUNCTUATION: [&str; 4] = ["&", "|", "^", "%"];

/// The tokens and comments of a text.
#[derive(Debug)]
pub(crate) struct Lexed {
    /// All tokens, and one that marks the end.
    pub tokens: Vec<Token>,
    /// Comments that are contracts, each with the number of the token that it stands before.
    pub contracts: Vec<(Span, usize)>,
}

/// Divides a text into tokens.
pub(crate) fn lex(text: &str, file: FileId, sink: &mut Sink) -> Lexed {
    let mut lexer = Lexer { text, file, at: 0, tokens: Vec::new(), contracts: Vec::new(), sink, starts_line: true };
    while lexer.skip_blanks() {
        lexer.token();
    }
    let span = lexer.span(text.len());
    lexer.tokens.push(Token { kind: TokenKind::End, starts_line: true, span });
    Lexed { tokens: lexer.tokens, contracts: lexer.contracts }
}

struct Lexer<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
    tokens: Vec<Token>,
    contracts: Vec<(Span, usize)>,
    sink: &'t mut Sink,
    starts_line: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32, trail: Trail::NONE }
    }

    /// Goes on to the next token; is there one?
    fn skip_blanks(&mut self) -> bool {
        loop {
            let start = self.at;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                match comment.find("*/") {
                    Some(end) => self.at += end + 4,
                    None => {
                        self.at = self.text.len();
                        let span = self.span(start);
                        self.sink.push(Diagnostic::error("comment", span, "this comment has no end"));
                    }
                }
            } else {
                let blank: usize = rest.chars().take_while(|c| c.is_whitespace()).map(char::len_utf8).sum();
                self.at += blank;
            }
            let skipped = &self.text[start..self.at];
            if skipped.starts_with("/*@") || skipped.starts_with("//@") {
                self.contracts.push((self.span(start), self.tokens.len()));
            }
            self.starts_line |= self.text[start..self.at].contains('\n');
            if self.at == start {
                return self.at < self.text.len();
            }
        }
    }

    fn token(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or(' ');
        let second = rest[first.len_utf8()..].chars().next();
        let kind = if first.is_alphabetic() || first == '_' || first == '$' {
            let is_part = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '$';
            self.at += rest.chars().take_while(is_part).map(char::len_utf8).sum::<usize>();
            TokenKind::Word
        } else if first.is_ascii_digit() || first == '.' && second.is_some_and(|c| c.is_ascii_digit()) {
            self.number();
            TokenKind::Number
        } else if rest.starts_with("\"\"\"") {
            self.quoted("\"\"\"", true)
        } else if first == '"' {
            self.quoted("\"", false)
        } else if first == '\'' {
            self.quoted("'", false)
        } else if let Some(punct) = PUNCTUATION.iter().chain(&MORE_PUNCTUATION).find(|punct| rest.starts_with(**punct))
        {
            self.at += punct.len();
            TokenKind::Punct(punct)
        } else {
            self.at += first.len_utf8();
            let span = self.span(start);
            self.sink.push(Diagnostic::error("character", span, format!("`{first}` is not part of Java")));
            TokenKind::Broken
        };
        let span = self.span(start);
        self.tokens.push(Token { kind, starts_line: std::mem::take(&mut self.starts_line), span });
    }

    fn number(&mut self) {
        let mut before = ' ';
        let rest = &self.text[self.at..];
        for c in rest.chars() {
            let sign_of_exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
            let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
            let is_part = c.is_ascii_alphanumeric() || c == '_' || c == '.';
            if !(is_part || sign_of_exponent && (!hexadecimal || matches!(before, 'p' | 'P'))) {
                break;
            }
            self.at += 1;
            before = c;
        }
    }

    fn quoted(&mut self, quote: &str, lines: bool) -> TokenKind {
        let start = self.at;
        self.at += quote.len();
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else { break };
            if rest.starts_with(quote) {
                self.at += quote.len();
                return if quote == "'" { TokenKind::Character } else { TokenKind::Text };
            }
            if c == '\n' && !lines {
                break;
            }
            self.at += c.len_utf8();
            if c == '\\' {
                self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
            }
        }
        let span = self.span(start);
        self.sink.push(Diagnostic::error("literal", span, "this literal has no end"));
        TokenKind::Broken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let tokens = lex(text, FileId(0), &mut Sink::default()).tokens;
        tokens.iter().map(|token| &text[token.span.start as usize..token.span.end as usize]).collect()
    }

    #[test]
    fn tokens_are_as_long_as_they_can_be_but_for_closing_brackets() {
        assert_eq!(
            words("a>>=b // c\n/* d */x.y1e-5 1.5e-5f"),
            ["a", ">", ">=", "b", "x", ".", "y1e", "-", "5", "1.5e-5f", ""]
        );
        assert_eq!(
            words("\"a\\\"b\" '\\'' \"\"\"x\"y\n\"\"\"&&&"),
            ["\"a\\\"b\"", "'\\''", "\"\"\"x\"y\n\"\"\"", "&&", "&", ""]
        );
    }

    #[test]
    fn what_is_not_java_is_reported() {
        for text in ["\"a", "'a\n'", "/* a", "#", "\"\"\"a\"\""] {
            let mut sink = Sink::default();
            lex(text, FileId(0), &mut sink);
            assert!(sink.failed(), "{text}");
        }
    }
}
