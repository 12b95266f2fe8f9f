//! Literals. For example, `0xFFL` is a `long` of 255, and `'\n'` a `char` of 10.

use super::{Parsed, Parser};
use crate::ast::ExprKind;
use crate::lex::TokenKind;
use trifold_source::Diagnostic;

impl Parser<'_> {
    pub(super) fn literal(&mut self) -> Parsed<ExprKind> {
        let token = self.advance();
        let text = self.spelling(token);
        let kind = match token.kind {
            TokenKind::Text => Some(ExprKind::Text(characters(text))),
            TokenKind::Character => character(text).map(ExprKind::Character),
            _ => number(text),
        };
        match kind {
            Some(kind) => Ok(kind),
            None => self.fail(Diagnostic::error("literal", token.span, format!("`{text}` is no literal of Java"))),
        }
    }
}

fn number(text: &str) -> Option<ExprKind> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let lower = digits.to_ascii_lowercase();
    let (digits, radix) = match lower.get(..2) {
        Some("0x") => (&lower[2..], 16),
        Some("0b") => (&lower[2..], 2),
        Some(two) if two.starts_with('0') && two.as_bytes()[1].is_ascii_digit() => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    let is_floating = match radix {
        16 => digits.contains(['.', 'p']),
        _ => lower.contains(['.', 'e', 'f', 'd']) && radix != 2,
    };
    if is_floating {
        return Some(ExprKind::Floating { single: lower.ends_with('f') });
    }
    let (digits, long) = digits.strip_suffix('l').map_or((digits, false), |digits| (digits, true));
    let value = i128::from_str_radix(digits, radix).ok().filter(|value| (0..=u64::MAX.into()).contains(value))?;
    let bits = if long { 64 } else { 32 };
    // Hexadecimal literals reach up to all bits, decimal ones to the number that only a minus sign can make fit.
    let limit = if radix == 10 { 1i128 << (bits - 1) } else { (1i128 << bits) - 1 };
    let wrapped = if radix != 10 && value >= 1 << (bits - 1) { value - (1 << bits) } else { value };
    (value <= limit).then_some(ExprKind::Integer { value: wrapped, long })
}

/// The characters of a string; those of a text block are not known.
fn characters(text: &str) -> Option<Vec<u16>> {
    let mut rest = text.strip_prefix('"')?.strip_suffix('"').filter(|_| !text.starts_with("\"\"\""))?;
    let mut units = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\\' => 1 + escape_length(&rest[1..]),
            _ => first.len_utf8(),
        };
        let (one, others) = rest.split_at_checked(length)?;
        match first {
            '\\' => units.push(character(&format!("'{one}'"))?),
            _ => units.extend(one.encode_utf16()),
        }
        rest = others;
    }
    Some(units)
}

/// How long an escape sequence is, without its backslash.
fn escape_length(text: &str) -> usize {
    let digits = |text: &str, radix| text.chars().take_while(|c| c.is_digit(radix)).count();
    match text.trim_start_matches('u') {
        after if after.len() < text.len() => text.len() - after.len() + digits(after, 16).min(4),
        _ if digits(text, 8) > 0 => digits(text, 8).min(if text.starts_with(['0', '1', '2', '3']) { 3 } else { 2 }),
        _ => 1,
    }
}

fn character(text: &str) -> Option<u16> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    let first = chars.next()?;
    let rest = chars.as_str();
    if first != '\\' {
        return rest.is_empty().then(|| u16::try_from(u32::from(first)).ok()).flatten();
    }
    let simple = |c: char| rest.chars().eq([c]);
    let escapes =
        [('n', 10), ('t', 9), ('b', 8), ('r', 13), ('f', 12), ('s', 32), ('0', 0), ('\\', 92), ('\'', 39), ('"', 34)];
    if let Some((_, code)) = escapes.into_iter().find(|(c, _)| simple(*c)) {
        return Some(code);
    }
    if let Some(digits) = rest.strip_prefix('u') {
        return u16::from_str_radix(digits.trim_start_matches('u'), 16).ok();
    }
    u16::from_str_radix(rest, 8).ok().filter(|code| *code < 256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_characters() {
        let known = |text: &str| characters(text).map(|units| String::from_utf16_lossy(&units));
        assert_eq!(known(r#""a\tb\"c\\""#).as_deref(), Some("a\tb\"c\\"));
        assert_eq!(known(r#""\u0041\101\0x""#).as_deref(), Some("AA\0x"));
        assert_eq!(known("\"\"").as_deref(), Some(""));
        assert_eq!(known("\"\"\"\nblock\"\"\""), None);
    }
}
