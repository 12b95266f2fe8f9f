//! Attributes, in the forms of GNU C and of C23. Those that change the meaning of a program are kept, the others
//! skipped. For example, `__attribute__((packed))` is kept, and `[[maybe_unused]]` is skipped.

use super::{Parsed, Parser};
use crate::ast::{Attribute, AttributeKind, Expr};
use crate::keyword::Keyword;
use crate::token::{Punct, TokenKind};

/// Attributes that compilers know and that change layouts, values, names or the way of execution: a program that has
/// one is not analysed. What compilers do not know they ignore, too.
const STRANGE: [&str; 12] = [
    "ms_struct",
    "scalar_storage_order",
    "hardbool",
    "ext_vector_type",
    "matrix_type",
    "address_space",
    "naked",
    "overloadable",
    "noinit",
    "persistent",
    "symver",
    "selectany",
];

impl Parser<'_> {
    /// Any number of attributes.
    pub(super) fn attributes(&mut self, found: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            if self.at_keyword(Keyword::Attribute) {
                self.advance();
                let outer = self.expect(Punct::LeftParen)?;
                let inner = self.expect(Punct::LeftParen)?;
                self.attribute_list(Punct::RightParen, found)?;
                self.close(Punct::RightParen, inner)?;
                self.close(Punct::RightParen, outer)?;
            } else if self.at(Punct::LeftBracket) && self.at_ahead(1, Punct::LeftBracket) {
                let outer = self.advance().span;
                let inner = self.advance().span;
                self.attribute_list(Punct::RightBracket, found)?;
                self.close(Punct::RightBracket, inner)?;
                self.close(Punct::RightBracket, outer)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Attributes separated by commas; there may be none between two commas.
    fn attribute_list(&mut self, end: Punct, found: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            if !self.at(end) && !self.at(Punct::Comma) {
                found.extend(self.nested(Self::attribute)?);
            }
            if !self.accept(Punct::Comma) {
                return Ok(());
            }
        }
    }

    fn attribute(&mut self) -> Parsed<Option<Attribute>> {
        let start = self.peek().span;
        let mut word = self.attribute_word()?;
        // `[[gnu::packed]]`.
        while self.at(Punct::Colon) && self.at_ahead(1, Punct::Colon) {
            self.advance();
            self.advance();
            word = self.attribute_word()?;
        }
        let kind = match word {
            "packed" => Some(AttributeKind::Packed),
            "noreturn" => Some(AttributeKind::Noreturn),
            "transparent_union" => Some(AttributeKind::TransparentUnion),
            "aligned" if !self.at(Punct::LeftParen) => Some(AttributeKind::Aligned(None)),
            "aligned" => Some(AttributeKind::Aligned(Some(self.attribute_argument(Self::assignment)?))),
            "vector_size" => Some(AttributeKind::VectorSize(self.attribute_argument(Self::assignment)?)),
            "mode" => Some(AttributeKind::Mode(self.attribute_argument(|p| p.name("a machine mode"))?.symbol)),
            "cleanup" => Some(AttributeKind::Cleanup(self.attribute_argument(|p| p.name("a function"))?)),
            "constructor" | "destructor" => Some(AttributeKind::Unasked),
            "alias" | "ifunc" | "weakref" if self.at(Punct::LeftParen) => {
                Some(AttributeKind::Alias(self.attribute_argument(Self::string)?))
            }
            "section" => Some(AttributeKind::Section(self.attribute_argument(Self::string)?)),
            "used" | "retain" => Some(AttributeKind::Used),
            "weak" | "weak_import" => Some(AttributeKind::Weak),
            "returns_twice" => Some(AttributeKind::Twice),
            "nonnull" if !self.at(Punct::LeftParen) => Some(AttributeKind::NotNull(Vec::new())),
            "nonnull" => Some(AttributeKind::NotNull(self.attribute_argument(Self::numbers)?)),
            "gnu_inline" => Some(AttributeKind::GnuInline),
            strange if STRANGE.contains(&strange) => {
                self.strange.push((start, strange));
                Some(AttributeKind::Strange(strange))
            }
            _ => None,
        };
        if self.at(Punct::LeftParen) {
            self.skip_balanced();
        }
        Ok(kind.map(|kind| Attribute { kind, span: self.since(start) }))
    }

    /// The name of an attribute, without the underscores that protect it from macros.
    fn attribute_word(&mut self) -> Parsed<&'static str> {
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Name(_) | TokenKind::Keyword(_)) {
            return self.unexpected("an attribute");
        }
        self.advance();
        let word = self.spelling(token);
        let bare = word.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(word);
        let known = [
            "packed",
            "noreturn",
            "_Noreturn",
            "transparent_union",
            "aligned",
            "vector_size",
            "mode",
            "cleanup",
            "constructor",
            "destructor",
            "alias",
            "ifunc",
            "weakref",
            "section",
            "used",
            "retain",
            "weak",
            "weak_import",
            "returns_twice",
            "gnu_inline",
            "nonnull",
        ];
        let found = known.into_iter().chain(STRANGE).find(|known| *known == bare);
        Ok(if found == Some("_Noreturn") { "noreturn" } else { found.unwrap_or_default() })
    }

    /// Expressions separated by commas, or none.
    fn numbers(&mut self) -> Parsed<Vec<Expr>> {
        let mut numbers = Vec::new();
        while !self.at(Punct::RightParen) {
            numbers.push(self.assignment()?);
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        Ok(numbers)
    }

    fn attribute_argument<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let opened = self.expect(Punct::LeftParen)?;
        let argument = read(self)?;
        self.close(Punct::RightParen, opened)?;
        Ok(argument)
    }

    /// `_Alignas(16)` or `_Alignas(double)`.
    pub(super) fn alignas(&mut self) -> Parsed<Attribute> {
        let start = self.advance().span;
        let kind = if self.starts_type(1) {
            AttributeKind::AlignedAs(self.type_in_parens()?)
        } else {
            AttributeKind::Aligned(Some(self.attribute_argument(Self::assignment)?))
        };
        Ok(Attribute { kind, span: self.since(start) })
    }
}
