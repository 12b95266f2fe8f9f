//! Programs as words and signs, for C and Java alike, so that they can be changed without being understood. For
//! example, `if (x <= 10) // Small` is `if`, a space, `(`, `x`, a space, `<=`, a space, `10`, `)`, and the rest is a
//! space.

/// What a part of a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Space or a comment.
    Space,
    /// A text or a character, with its quotes.
    Text,
    /// A name or a word of the language.
    Word,
    /// A number.
    Number,
    /// Operators, brackets, commas and so on.
    Sign,
}

/// A part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// How it is written.
    pub text: &'a str,
}

/// Signs of more than one character, the longer ones first.
const SIGNS: [&str; 24] = [
    ">>>=", "<<=", ">>=", "...", "->", "++", "--", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "<<", ">>", "::",
];

/// The parts of a text, which together are that text.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = token(rest, first);
        let (text, after) = rest.split_at(length);
        found.push(Token { kind, text });
        rest = after;
    }
    found
}

fn token(rest: &str, first: char) -> (Kind, usize) {
    let while_is = |is: &dyn Fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    match first {
        _ if rest.starts_with("//") => (Kind::Space, rest.find('\n').unwrap_or(rest.len())),
        _ if rest.starts_with("/*") => (Kind::Space, rest.find("*/").map_or(rest.len(), |end| end + 2)),
        '"' | '\'' => (Kind::Text, quoted(rest, first)),
        _ if first.is_whitespace() => (Kind::Space, while_is(&char::is_whitespace)),
        _ if first.is_ascii_digit() => (Kind::Number, while_is(&|c| is_word(c) || c == '.')),
        _ if is_word(first) => (Kind::Word, while_is(&is_word)),
        _ => {
            (Kind::Sign, SIGNS.iter().find(|sign| rest.starts_with(*sign)).map_or(first.len_utf8(), |sign| sign.len()))
        }
    }
}

/// The length of a text in quotes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = true;
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote || c == '\n' => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole() {
        let text = "int x1 = 'a' + 0x1Fu; // it's\nif (p->n <<= 2) s = \"a\\\"b\"; /* x */ y += 1.5;";
        let tokens = tokens(text);
        assert_eq!(tokens.iter().map(|token| token.text).collect::<String>(), text);
        let of = |kind| tokens.iter().filter(|token| token.kind == kind).map(|token| token.text).collect::<Vec<_>>();
        assert_eq!(of(Kind::Word), ["int", "x1", "if", "p", "n", "s", "y"]);
        assert_eq!(of(Kind::Number), ["0x1Fu", "2", "1.5"]);
        assert_eq!(of(Kind::Text), ["'a'", "\"a\\\"b\""]);
        assert!(of(Kind::Sign).contains(&"<<="));
    }
}
