//! The values of numbers, characters and strings, from their text. For example, `0x1fUL` is 31 of type `unsigned long`,
//! and `'\n'` is 10.

use crate::lex::{joined_lines, universal_name};
use crate::types::{FloatKind, IntKind};

/// An integer constant with its type [C11 6.4.4.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IntegerLiteral {
    pub value: u64,
    pub kind: IntKind,
}

/// The value of a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum NumberLiteral {
    Integer(IntegerLiteral),
    /// `imaginary` with the suffix `i` of GNU C.
    Float {
        value: f64,
        kind: FloatKind,
        imaginary: bool,
    },
}

/// The character set of a literal, by its prefix.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Encoding {
    /// No prefix, or `u8`: bytes of UTF-8.
    Narrow,
    /// `u`.
    Utf16,
    /// `U`.
    Utf32,
    /// `L`.
    Wide,
}

impl Encoding {
    /// The type of an element.
    pub fn element(self) -> IntKind {
        match self {
            Encoding::Narrow => IntKind::Char,
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 => IntKind::UInt,
            Encoding::Wide => IntKind::Int,
        }
    }

    /// The encoding of a literal, and its text between the quotes.
    fn split(text: &str) -> (Encoding, &str) {
        let quote = text.find(['"', '\'']).unwrap_or(0);
        let encoding = match &text[..quote] {
            "u" => Encoding::Utf16,
            "U" => Encoding::Utf32,
            "L" => Encoding::Wide,
            _ => Encoding::Narrow,
        };
        (encoding, text.get(quote + 1..text.len() - 1).unwrap_or_default())
    }
}

/// A string, without the terminating zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// The type of its elements.
    pub encoding: Encoding,
    /// Its elements: bytes, or units of 16 or 32 bits.
    pub units: Vec<u32>,
}

impl StringLiteral {
    /// As text for people.
    pub fn to_text(&self) -> String {
        match self.encoding {
            Encoding::Narrow => {
                let bytes: Vec<u8> = self.units.iter().map(|unit| *unit as u8).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => self.units.iter().map(|unit| char::from_u32(*unit).unwrap_or('\u{fffd}')).collect(),
        }
    }
}

/// Reads a number, or says why it cannot be read.
pub(crate) fn number(text: &str) -> Result<NumberLiteral, String> {
    let text = joined_lines(text).replace('\'', "").to_ascii_lowercase();
    let hexadecimal = text.starts_with("0x");
    let exponent = if hexadecimal { 'p' } else { 'e' };
    let is_float = text.contains('.') || text.contains(exponent) && !text.starts_with("0b");
    if is_float { float(&text, hexadecimal) } else { integer(&text).map(NumberLiteral::Integer) }
}

fn integer(text: &str) -> Result<IntegerLiteral, String> {
    let (radix, rest) = match text.as_bytes() {
        [b'0', b'x', ..] => (16, &text[2..]),
        [b'0', b'b', ..] => (2, &text[2..]),
        [b'0', b'0'..=b'9', ..] => (8, &text[1..]),
        _ => (10, text),
    };
    let length = rest.bytes().take_while(|c| (*c as char).is_digit(if radix == 16 { 16 } else { 10 })).count();
    let (digits, suffix) = rest.split_at(length);
    if digits.is_empty() {
        return Err(format!("`{text}` is not a number: there are no digits"));
    }
    if let Some(wrong) = digits.chars().find(|c| !c.is_digit(radix)) {
        return Err(format!("`{text}` is not a number: `{wrong}` is no digit in base {radix}"));
    }
    let value = u64::from_str_radix(digits, radix).map_err(|_| format!("`{text}` does not fit into 64 bits"))?;
    let (unsigned, long) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ll" => (false, 2),
        "ul" | "lu" => (true, 1),
        "ull" | "llu" => (true, 2),
        _ => return Err(format!("`{text}` is not a number: `{suffix}` is no suffix of integers")),
    };
    Ok(IntegerLiteral { value, kind: literal_kind(value, unsigned, long, radix == 10) })
}

/// The first type of the list in [C11 6.4.4.1] that has the value.
fn literal_kind(value: u64, unsigned: bool, long: u8, decimal: bool) -> IntKind {
    use IntKind::*;
    let candidates = [(Int, UInt), (Long, ULong), (LongLong, ULongLong)];
    for (signed_kind, unsigned_kind) in candidates.into_iter().skip(long as usize) {
        if !unsigned && value as i128 <= signed_kind.maximum() {
            return signed_kind;
        }
        if (unsigned || !decimal) && value as i128 <= unsigned_kind.maximum() {
            return unsigned_kind;
        }
    }
    // A decimal constant beyond the largest signed type.
    if unsigned { ULongLong } else { Int128 }
}

fn float(text: &str, hexadecimal: bool) -> Result<NumberLiteral, String> {
    let digits = if hexadecimal { hexadecimal_length(text) } else { decimal_length(text) };
    let (number, suffix) = text.split_at(digits);
    let wrong = || format!("`{text}` is not a number");
    let value = if hexadecimal { hexadecimal_float(number) } else { number.parse().ok() }.ok_or_else(wrong)?;
    let imaginary = suffix.contains(['i', 'j']);
    let kind = match suffix.replace(['i', 'j'], "").as_str() {
        "" | "f64" | "f32x" | "dd" => FloatKind::Double,
        "f" | "f32" | "df" => FloatKind::Float,
        "l" | "f64x" | "w" => FloatKind::LongDouble,
        "q" | "f128" | "dl" => FloatKind::Float128,
        "f16" => FloatKind::Float16,
        _ => return Err(format!("`{text}` is not a number: `{suffix}` is no suffix of floating constants")),
    };
    Ok(NumberLiteral::Float { value, kind, imaginary })
}

fn decimal_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mantissa = bytes.iter().take_while(|c| c.is_ascii_digit() || **c == b'.').count();
    exponent_length(bytes, mantissa, b'e')
}

fn hexadecimal_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mantissa = 2 + bytes[2..].iter().take_while(|c| c.is_ascii_hexdigit() || **c == b'.').count();
    exponent_length(bytes, mantissa, b'p')
}

/// The length of a number whose mantissa has this length, with its exponent.
fn exponent_length(bytes: &[u8], mantissa: usize, letter: u8) -> usize {
    if bytes.get(mantissa) != Some(&letter) {
        return mantissa;
    }
    let sign = usize::from(matches!(bytes.get(mantissa + 1), Some(b'+' | b'-')));
    let digits = bytes[mantissa + 1 + sign..].iter().take_while(|c| c.is_ascii_digit()).count();
    if digits == 0 { mantissa } else { mantissa + 1 + sign + digits }
}

fn hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text[2..].split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let exponent: i32 = exponent.parse().ok()?;
    Some(value * 2f64.powi(exponent.saturating_sub(4 * fraction.len() as i32)))
}

/// The value and type of a character constant, or why it has none.
pub(crate) fn character(text: &str) -> Result<(i64, IntKind), String> {
    let (encoding, inner) = Encoding::split(text);
    let units = decode(&joined_lines(inner), encoding)?;
    match (encoding, units.as_slice()) {
        (_, []) => Err("an empty character constant".into()),
        (Encoding::Narrow, [unit]) => Ok((i64::from(*unit as u8 as i8), IntKind::Int)),
        // Several characters: GCC puts them into the bytes of an int.
        (Encoding::Narrow, units) if units.len() <= 4 => {
            let value = units.iter().fold(0u32, |value, unit| value << 8 | unit & 0xff);
            Ok((i64::from(value as i32), IntKind::Int))
        }
        (Encoding::Narrow, _) => Err("more than four characters in a character constant".into()),
        // Several wide characters: GCC takes the last one.
        (_, [.., unit]) => {
            let value = if encoding == Encoding::Wide { i64::from(*unit as i32) } else { i64::from(*unit) };
            Ok((value, encoding.element()))
        }
    }
}

/// A string of adjacent literals, or why it cannot be read.
pub(crate) fn string<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Result<StringLiteral, String> {
    let encoding = texts.clone().map(|text| Encoding::split(text).0).max().unwrap_or(Encoding::Narrow);
    let mut units = Vec::new();
    for text in texts {
        units.extend(decode(&joined_lines(Encoding::split(text).1), encoding)?);
    }
    Ok(StringLiteral { encoding, units })
}

/// The elements of a literal's text.
fn decode(text: &str, encoding: Encoding) -> Result<Vec<u32>, String> {
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c != '\\' {
            encode(c, encoding, &mut units);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        if let Some((c, length)) = universal_name(rest) {
            encode(c, encoding, &mut units);
            rest = &rest[length..];
            continue;
        }
        let (value, length) = escape(&rest[1..])?;
        let largest: u64 = if encoding == Encoding::Narrow { 0xff } else { encoding.element().bits_mask() };
        if value > largest {
            return Err(format!("the escape `{}` is too large for its type", &rest[..1 + length]));
        }
        units.push(value as u32);
        rest = &rest[1 + length..];
    }
    Ok(units)
}

fn encode(c: char, encoding: Encoding, units: &mut Vec<u32>) {
    match encoding {
        Encoding::Narrow => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        Encoding::Utf16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| u32::from(*unit))),
        Encoding::Utf32 | Encoding::Wide => units.push(c as u32),
    }
}

/// The value of an escape, and its length after the backslash.
fn escape(text: &str) -> Result<(u64, usize), String> {
    let digits = |radix: u32, limit: usize, from: usize| {
        let length = text[from..].chars().take(limit).take_while(|c| c.is_digit(radix)).count();
        let value = u64::from_str_radix(&text[from..from + length], radix);
        (value.unwrap_or(if length == 0 { 0 } else { u64::MAX }), from + length)
    };
    let simple = match text.chars().next() {
        Some('n') => 10,
        Some('t') => 9,
        Some('r') => 13,
        Some('0'..='7') => return Ok(digits(8, 3, 0)),
        Some('x') => {
            let (value, length) = digits(16, usize::MAX, 1);
            return if length > 1 { Ok((value, length)) } else { Err("`\\x` without digits".into()) };
        }
        Some('a') => 7,
        Some('b') => 8,
        Some('f') => 12,
        Some('v') => 11,
        Some('e' | 'E') => 27,
        Some(c @ ('\\' | '\'' | '"' | '?')) => c as u64,
        // GCC warns, and takes the character itself.
        Some(c @ ' '..='~') => c as u64,
        _ => return Err("an escape that C does not know".into()),
    };
    Ok((simple, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_the_first_type_that_fits() {
        use IntKind::*;
        for (text, value, kind) in [
            ("0", 0, Int),
            ("017", 15, Int),
            ("0x7fffffff", 0x7fff_ffff, Int),
            ("0x80000000", 0x8000_0000, UInt),
            ("2147483648", 2_147_483_648, Long),
            ("0b101", 5, Int),
            ("1u", 1, UInt),
            ("1UL", 1, ULong),
            ("1ll", 1, LongLong),
            ("0xffffffffffffffff", u64::MAX, ULong),
            ("1'000", 1000, Int),
        ] {
            assert_eq!(number(text), Ok(NumberLiteral::Integer(IntegerLiteral { value, kind })), "{text}");
        }
        for wrong in ["08", "0x", "1q", "18446744073709551616", "0b2", "1_000"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn floats_are_read() {
        use FloatKind::*;
        for (text, expected, expected_kind) in [
            ("1.5", 1.5, Double),
            (".5f", 0.5, Float),
            ("1e3L", 1000.0, LongDouble),
            ("0x1.8p1", 3.0, Double),
            ("2.", 2.0, Double),
            ("1.0Q", 1.0, Float128),
        ] {
            let expected = NumberLiteral::Float { value: expected, kind: expected_kind, imaginary: false };
            assert_eq!(number(text), Ok(expected), "{text}");
        }
        for wrong in ["1.5x", "1e", "1..2", "0x1.8"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn characters_and_strings_are_decoded() {
        assert_eq!(character("'a'"), Ok((97, IntKind::Int)));
        assert_eq!(character("'\\xff'"), Ok((-1, IntKind::Int)));
        assert_eq!(character("'ab'"), Ok((0x6162, IntKind::Int)));
        assert_eq!(character("L'é'"), Ok((0xe9, IntKind::Int)));
        assert_eq!(character("u'\\u20ac'"), Ok((0x20ac, IntKind::UShort)));
        for wrong in ["''", "'abcde'", "L''", "'\\x'", "'\\777'"] {
            assert!(character(wrong).is_err(), "{wrong}");
        }
        let text = |parts: &[&str]| string(parts.iter().copied()).unwrap();
        assert_eq!(text(&["\"a\\n\"", "\"\\0é\""]).units, [97, 10, 0, 0xc3, 0xa9]);
        assert_eq!(text(&["\"a\"", "L\"é\""]), StringLiteral { encoding: Encoding::Wide, units: vec![97, 0xe9] });
    }
}
