//! Patterns of names: `*` stands for anything but slashes, `**` for any directories, `?` for one character.
//!
//! The `glob` crate has just these, and refuses `**` inside of a name. `globset`, which is made for many patterns at
//! once, would take `**.c` for `*.c`, and has alternatives in braces that would have to be escaped.

use glob::MatchOptions;
use serde::Deserialize;

/// What wildcards stand for. There are no hidden files for them.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// A pattern that texts are compared with.
#[derive(Deserialize, Clone, Debug)]
#[serde(try_from = "String")]
pub struct Pattern(glob::Pattern);

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Pattern, String> {
        // A bracket is a letter like any other.
        let pattern = glob::Pattern::new(&text.replace('[', "[[]"));
        pattern.map(Pattern).map_err(|error| format!("`{text}` is no pattern: {}", error.msg))
    }
}

impl Pattern {
    /// Does a text fit the pattern?
    pub fn fits(&self, text: &str) -> bool {
        self.0.matches_with(text, OPTIONS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, text: &str) -> bool {
        Pattern::try_from(pattern.to_string()).unwrap().fits(text)
    }

    #[test]
    fn patterns() {
        for (pattern, text) in [
            ("*.c", "a.c"),
            ("*.c", ".a.c"),
            ("src/*.c", "src/a.c"),
            ("**/*.c", "a/b/c.c"),
            ("**/*.c", "c.c"),
            ("src/**/a.c", "src/a.c"),
            ("src/**", "src/a/b.c"),
            ("a?c", "abc"),
            ("a?c", "aüc"),
            ("a[b]*", "a[b]c"),
            ("", ""),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("*.c", "a/b.c"),
            ("src/*.c", "src/a.h"),
            ("src/**/a.c", "src/ba.c"),
            ("a?c", "a/c"),
            ("A?c", "abc"),
            ("a[b]*", "abc"),
            ("a", "ab"),
            ("", "a"),
        ] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        let refused = Pattern::try_from("src/**.c".to_string()).unwrap_err();
        assert!(refused.starts_with("`src/**.c` is no pattern: "), "{refused}");
    }
}
