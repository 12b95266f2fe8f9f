//! Splits the text of a heap program into tokens. For example, `x->next` is the word `x`, the symbol `->` and the word
//! `next`.

use super::Parsed;
use trifold_source::{Diagnostic, FileId, Span, Trail};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A word, reserved or not.
    Word(String),
    /// A word between back quotes: always a name, also if it is a word of the language.
    Quoted(String),
    /// Digits, and the type after them.
    Number(i128, Option<String>),
    /// Text between double quotes.
    Text(String),
    /// Anything else.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// Longer symbols come before their prefixes.
const SYMBOLS: [&str; 30] = [
    "->", "::", "==", "!=", "<=", ">=", "<<", ">>", "{", "}", "(", ")", ";", ":", ",", "=", "<", ">", "+", "-", "*",
    "/", "%", "&", "|", "^", "~", "!", ".", "?",
];

/// The tokens with their places; the last one is the end.
pub(super) fn tokens(file: FileId, text: &str) -> Parsed<Vec<(Token, Span)>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = skip_blanks(rest);
        let start = text.len() - rest.len();
        let span = |length: usize| Span { file, start: start as u32, end: (start + length) as u32, trail: Trail::NONE };
        let Some(first) = rest.chars().next() else {
            tokens.push((Token::End, span(0)));
            return Ok(tokens);
        };
        let error = |message| Box::new(Diagnostic::error("syntax", span(first.len_utf8()), message));
        let (token, length) = match first {
            '"' | '`' => {
                let (inside, length) = quoted(rest, first).ok_or_else(|| error("this quote is not closed"))?;
                (if first == '"' { Token::Text(inside) } else { Token::Quoted(inside) }, length)
            }
            '0'..='9' => {
                let digits = length_while(rest, |c| c.is_ascii_digit());
                let suffix = length_while(&rest[digits..], |c| c.is_ascii_alphanumeric());
                let value = rest[..digits].parse().map_err(|_| error("this number is too large"))?;
                let ty = rest[digits..digits + suffix].to_string();
                (Token::Number(value, (suffix > 0).then_some(ty)), digits + suffix)
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let length = length_while(rest, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'));
                (Token::Word(rest[..length].to_string()), length)
            }
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => (Token::Symbol(symbol), symbol.len()),
                None => return Err(error("there is no token that begins like this")),
            },
        };
        tokens.push((token, span(length)));
        rest = &rest[length..];
    }
}

/// Skips white space and comments, `// …`.
fn skip_blanks(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        match text.strip_prefix("//") {
            Some(comment) => text = comment.find('\n').map_or("", |end| &comment[end..]),
            None => return text,
        }
    }
}

fn length_while(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// The text between the first quote and the one that closes it, and the length of all that.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut inside = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next()?.1 {
                'n' => inside.push('\n'),
                c => inside.push(c),
            },
            c if c == quote => return Some((inside, at + c.len_utf8())),
            c => inside.push(c),
        }
    }
    None
}
