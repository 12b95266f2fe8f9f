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

/// Files that are left out.
#[derive(Clone, Debug)]
pub struct Excluded(Vec<(Pattern, bool)>);

impl Excluded {
    /// The files that one of these patterns leaves out.
    pub fn new(patterns: &[String]) -> Result<Excluded, String> {
        let pattern = |text: &String| -> Result<(Pattern, bool), String> {
            let text = text.trim_end_matches('/').trim_start_matches("./");
            Ok((Pattern::try_from(text.to_string())?, text.contains('/')))
        };
        Ok(Excluded(patterns.iter().map(pattern).collect::<Result<_, _>>()?))
    }

    /// Does a pattern fit a file, or a directory that it is in? A pattern without a slash is about names in any
    /// directory.
    pub fn fits(&self, file: &str) -> bool {
        let file = file.trim_start_matches("./");
        let ends = file.match_indices('/').map(|(at, _)| at).chain([file.len()]);
        let fits = |part: &str, (pattern, is_path): &(Pattern, bool)| {
            let last = part.rsplit('/').next().unwrap_or(part);
            pattern.fits(if *is_path { part } else { last })
        };
        ends.filter(|end| *end > 0).any(|end| self.0.iter().any(|pattern| fits(&file[..end], pattern)))
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

    #[test]
    fn patterns_leave_out_files_and_directories() {
        let excludes =
            |pattern: &str, file: &str| Excluded::new(&[pattern.to_string()]).is_ok_and(|all| all.fits(file));
        for (pattern, file) in [
            ("test", "src/test/a.c"),
            ("test/", "test/a.c"),
            ("a.c", "src/a.c"),
            ("*_test.c", "src/a_test.c"),
            ("src/test", "src/test/deep/a.c"),
            ("src/*.c", "src/a.c"),
            ("**/gen", "src/gen/a.c"),
            ("./src", "./src/a.c"),
            ("deep", "/deep/a.c"),
        ] {
            assert!(excludes(pattern, file), "{pattern} {file}");
        }
        for (pattern, file) in [("test", "src/tests/a.c"), ("src/*.c", "src/deep/a.c"), ("c", "src/a.c")] {
            assert!(!excludes(pattern, file), "{pattern} {file}");
        }
    }
}
