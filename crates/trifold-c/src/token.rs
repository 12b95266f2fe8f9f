//! Tokens.

use crate::keyword::Keyword;
use crate::names::Symbol;
use trifold_source::Span;

/// The kind of a token. Literals are read from their text when the parser meets them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// After the last token.
    End,
    Name(Symbol),
    Keyword(Keyword),
    Punct(Punct),
    /// Anything that starts like a number.
    Number,
    /// `'a'`, with its prefix.
    Character,
    /// `"a"`, with its prefix.
    Text,
    /// An error that the lexer has reported.
    Broken,
}

/// A token with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    /// Is it the first one of its line?
    pub starts_line: bool,
    pub span: Span,
}

macro_rules! punctuators {
    ($($name:ident $text:literal)*) => {
        /// A punctuator.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Punct { $($name),* }

        impl Punct {
            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $(Punct::$name => $text),* }
            }
        }

        /// All punctuators, longer ones before their beginnings.
        const SPELLINGS: &[(&str, Punct)] = &[$(($text, Punct::$name)),*];
    };
}

punctuators! {
    ShiftLeftAssign "<<=" ShiftRightAssign ">>=" Ellipsis "..."
    Arrow "->" Increment "++" Decrement "--" ShiftLeft "<<" ShiftRight ">>" LessEqual "<=" GreaterEqual ">="
    EqualEqual "==" NotEqual "!=" AndAnd "&&" OrOr "||" MulAssign "*=" DivAssign "/=" RemAssign "%=" AddAssign "+="
    SubAssign "-=" AndAssign "&=" XorAssign "^=" OrAssign "|="
    LeftParen "(" RightParen ")" LeftBrace "{" RightBrace "}" LeftBracket "[" RightBracket "]" Dot "." And "&" Star "*"
    Plus "+" Minus "-" Tilde "~" Not "!" Slash "/" Percent "%" Less "<" Greater ">" Caret "^" Or "|" Question "?"
    Colon ":" Semicolon ";" Assign "=" Comma ","
}

/// Other spellings, which C95 gave to keyboards without brackets.
const DIGRAPHS: &[(&str, Punct)] =
    &[("<:", Punct::LeftBracket), (":>", Punct::RightBracket), ("<%", Punct::LeftBrace), ("%>", Punct::RightBrace)];

impl Punct {
    /// The punctuator at the start of a text, and how long it is there.
    pub fn at_start(text: &[u8]) -> Option<(Punct, usize)> {
        let first = text.first()?;
        let starts = |(spelling, _): &&(&str, Punct)| {
            let spelling = spelling.as_bytes();
            spelling[0] == *first && text.starts_with(spelling)
        };
        let found = DIGRAPHS.iter().find(starts).or_else(|| SPELLINGS.iter().find(starts));
        found.map(|(spelling, punct)| (*punct, spelling.len()))
    }
}
