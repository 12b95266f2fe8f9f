//! Lines that start with `#`, as far as they are left after preprocessing. For example, `# 12 "list.h" 1 3` is a marker
//! of line 12 of `list.h`.

use std::sync::Arc;

/// The kinds of directives.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Directive {
    /// `# 12 "file.h" 1 3` or `#line 12 "file.h"`: the next line is line 12 of that file.
    Marker {
        line: usize,
        /// Nothing: the same file as before.
        path: Option<Arc<str>>,
        /// The flag 3.
        system: bool,
    },
    /// Other pragmas, `#ident` and the empty directive say nothing to us.
    Ignored,
    /// `#pragma pack`, which changes the layout of structs.
    Pack,
    /// `#pragma weak a = b` or `#pragma redefine_extname a b`: another name for the linker; or `#pragma weak a`, for
    /// which there may be nothing.
    Rename,
    /// It is for a preprocessor.
    Other,
}

/// Reads a directive, from its `#` to the end of its line.
pub(crate) fn read(line: &str) -> Directive {
    let text = line.trim_start_matches(['#', '%', ':']).trim();
    let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    match word {
        "" if text.is_empty() => Directive::Ignored,
        "pragma" if is_pack(&text[6..]) => Directive::Pack,
        "pragma" if is_rename(&text[6..]) => Directive::Rename,
        "pragma" | "ident" | "sccs" => Directive::Ignored,
        "line" => marker(text[4..].trim_start()),
        _ => marker(text),
    }
}

fn is_pack(pragma: &str) -> bool {
    pragma.trim_start().strip_prefix("pack").is_some_and(|rest| rest.trim_start().starts_with('('))
}

fn is_rename(pragma: &str) -> bool {
    let mut words = pragma.split_whitespace();
    matches!(words.next(), Some("redefine_extname" | "extern_prefix" | "weak"))
}

fn marker(text: &str) -> Directive {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let Ok(line) = text[..digits].parse() else { return Directive::Other };
    let rest = text[digits..].trim();
    if rest.is_empty() {
        return Directive::Marker { line, path: None, system: false };
    }
    let Some(quoted) = rest.strip_prefix('"') else { return Directive::Other };
    let Some((path, flags)) = unquoted(quoted.as_bytes()) else { return Directive::Other };
    let system = flags.split(u8::is_ascii_whitespace).any(|flag| flag == b"3");
    Directive::Marker { line, path: Some(String::from_utf8_lossy(&path).into()), system }
}

/// The bytes up to the closing quote, and the bytes after it. A line break is written `\n`, any other byte may be in
/// octal.
fn unquoted(mut rest: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut bytes = Vec::new();
    loop {
        let (first, behind) = rest.split_first()?;
        rest = behind;
        match (first, rest) {
            (b'"', _) => return Some((bytes, rest)),
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', behind @ ..]) => {
                bytes.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest = behind;
            }
            (b'\\', [escaped, behind @ ..]) => {
                bytes.push(if *escaped == b'n' { b'\n' } else { *escaped });
                rest = behind;
            }
            _ => bytes.push(*first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_read() {
        let marker = |line, path: &str, system| Directive::Marker { line, path: Some(path.into()), system };
        assert_eq!(read("# 12 \"a b.h\" 1 3 4"), marker(12, "a b.h", true));
        assert_eq!(read("#line 3 \"c:\\\\x.c\""), marker(3, "c:\\x.c", false));
        assert_eq!(read("# 0 \"<built-in>\""), marker(0, "<built-in>", false));
        assert_eq!(read(r#"# 1 "a\033\n\"\303\244.c""#), marker(1, "a\u{1b}\n\"ä.c", false));
        assert_eq!(read("#line 9"), Directive::Marker { line: 9, path: None, system: false });
        for ignored in ["#", "#pragma once", "#pragma packet", "# ident \"x\""] {
            assert_eq!(read(ignored), Directive::Ignored);
        }
        assert_eq!(read("#pragma pack(push, 1)"), Directive::Pack);
        assert_eq!((read("#pragma weak a"), read("#pragma weak a=b")), (Directive::Rename, Directive::Rename));
        assert_eq!(read("#pragma  redefine_extname a b"), Directive::Rename);
        for other in ["#include <a>", "#define X 1", "# 1 x", "# 1 \"x", "#if 0"] {
            assert_eq!(read(other), Directive::Other);
        }
    }
}
