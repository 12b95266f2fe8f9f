//! `@properties "file"` in a comment: the file of properties that a program asks for.

use crate::files;
use crate::load::Loaded;

const PRAGMA: &str = "@properties";

impl Loaded {
    /// The properties files that comments of the program ask for. Their paths are seen from the file of the comment.
    pub fn properties_files(&self) -> Vec<String> {
        let of_file = |file: &trifold_source::SourceFile| {
            let directory = files::directory(&file.path).to_string();
            let named: Vec<&str> = comments(&file.text).into_iter().flat_map(named).collect();
            named.into_iter().map(|name| files::join(&directory, name)).collect::<Vec<_>>()
        };
        self.sources.files().iter().flat_map(of_file).collect()
    }
}

/// The strings that follow the pragma in a comment.
fn named(comment: &str) -> Vec<&str> {
    let after = comment.split(PRAGMA).skip(1);
    after.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"').map(|(name, _)| name)).collect()
}

/// The comments of a text, with their marks.
fn comments(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '/']) {
        rest = &rest[start..];
        let end = |mark: &str, from: usize| rest[from..].find(mark).map_or(rest.len(), |at| from + at + mark.len());
        let length = match rest.as_bytes() {
            [b'/', b'/', ..] => end("\n", 2),
            [b'/', b'*', ..] => end("*/", 2),
            // A string ends on its line.
            [b'"', ..] => end("\"", 1).min(end("\n", 1)),
            _ => 1,
        };
        if rest.starts_with("//") || rest.starts_with("/*") {
            found.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_count() {
        let text = "// @properties \"a.properties\"\n%t \"@properties \" \"// @properties x\"\n/* two\n@properties\t\"b\" */ / x";
        let names: Vec<&str> = comments(text).into_iter().flat_map(named).collect();
        assert_eq!(names, ["a.properties", "b"]);
        for text in ["//", "/*", "\"", "/", "/*@properties \"x"] {
            comments(text).into_iter().for_each(|comment| assert!(named(comment).is_empty()));
        }
    }
}
