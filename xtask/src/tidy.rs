//! Checks that no compiler makes, on the text of the repository. They run as a test, so that they cannot rot.
//!
//! For example, `src/x.rs:1: does not start with //!` and `docs/y.md:7: the link ../z.md leads nowhere`.

mod ratchet;

use crate::root;
use crate::sources::{File, files};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

/// What must not be left behind. Written in two parts so that this file passes.
const LEFTOVERS: [&str; 4] =
    [concat!("todo", "!("), concat!("unimplemented", "!("), concat!("dbg", "!("), concat!("#[", "ignore")];
/// Directories of the machine on which something was written.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/", "work"), concat!("/", "tmp"), concat!("/", "root"), concat!("/", "home")];
const BIBLIOGRAPHY: &str = "docs/bibliography.md";

/// Prints the problems.
pub fn run() -> ExitCode {
    let problems = problems(&root());
    problems.iter().for_each(|problem| println!("{problem}"));
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Everything that is wrong, as `path:line: what`.
fn problems(root: &Path) -> Vec<String> {
    let files = files(root);
    let mut problems = Vec::new();
    for file in &files {
        check_rust(file, &mut problems);
        check_manifest(file, &mut problems);
        check_machine_paths(file, &mut problems);
        check_links(file, root, &mut problems);
        check_commands(file, root, &mut problems);
    }
    check_citations(&files, &mut problems);
    ratchet::check(root, &files, &mut problems);
    problems
}

fn check_rust(file: &File, problems: &mut Vec<String>) {
    if !file.path.ends_with(".rs") {
        return;
    }
    if !file.text.starts_with("//!") {
        problems.push(format!("{}:1: does not start with `//!` and the subject of the file", file.path));
    }
    for (number, line) in numbered(&file.text) {
        for leftover in LEFTOVERS.iter().filter(|leftover| line.contains(**leftover)) {
            problems.push(format!("{}:{number}: `{leftover}` was left", file.path));
        }
    }
}

/// Every crate has the lints and the oldest compiler of the workspace: without the latter, nothing checks it.
fn check_manifest(file: &File, problems: &mut Vec<String>) {
    let is_crate = file.path.starts_with("crates/") || file.path.starts_with("xtask/");
    if !is_crate || !file.path.ends_with("/Cargo.toml") {
        return;
    }
    for wanted in ["rust-version.workspace = true", "[lints]\nworkspace = true"] {
        if !file.text.contains(wanted) {
            problems.push(format!("{}: lacks `{}`", file.path, wanted.replace('\n', " ")));
        }
    }
}

fn check_machine_paths(file: &File, problems: &mut Vec<String>) {
    for (number, line) in numbered(&file.text) {
        for path in MACHINE_PATHS.iter().filter(|path| mentions(line, path)) {
            problems.push(format!("{}:{number}: a path of one machine, `{path}`", file.path));
        }
    }
}

/// Does the line contain the path as a path of its own, not as part of a longer one?
fn mentions(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + path.len()..].chars().next();
        let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '~' | '}' | ')');
        !before.is_some_and(in_name) && !after.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-')
    })
}

/// Every paper that is cited must be in the bibliography.
fn check_citations(files: &[File], problems: &mut Vec<String>) {
    let known: BTreeSet<&str> = match files.iter().find(|file| file.path == BIBLIOGRAPHY) {
        Some(bibliography) => citations(&bibliography.text).into_iter().collect(),
        None => BTreeSet::new(),
    };
    for file in files {
        for (number, line) in numbered(&file.text) {
            for key in citations(line).iter().filter(|key| !known.contains(**key)) {
                problems.push(format!("{}:{number}: [{key}] is not in {BIBLIOGRAPHY}", file.path));
            }
        }
    }
}

/// The keys in a text: two or more letters, the first a capital, and two digits, after a bracket, as in `[LevAmi00
/// §5]`.
fn citations(text: &str) -> Vec<&str> {
    let key_at = |at: usize| {
        let rest = &text[at + 1..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let digits = rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
        let ends = rest[letters + digits..].starts_with([' ', ',', ']', ':']);
        let is_key = letters >= 2 && digits == 2 && ends && rest.starts_with(|c: char| c.is_ascii_uppercase());
        is_key.then(|| &rest[..letters + digits])
    };
    text.match_indices('[').filter_map(|(at, _)| key_at(at)).collect()
}

/// Links of Markdown files to other files must lead somewhere.
fn check_links(file: &File, root: &Path, problems: &mut Vec<String>) {
    if !file.path.ends_with(".md") {
        return;
    }
    let directory = root.join(&file.path).parent().map(Path::to_path_buf).unwrap_or_default();
    for (number, line) in numbered(&prose(&file.text)) {
        for (at, _) in line.match_indices("](") {
            let target = line[at + 2..].split([')', '#', ' ']).next().unwrap_or_default();
            let elsewhere = target.contains("://") || target.is_empty();
            if !elsewhere && !directory.join(target).exists() {
                problems.push(format!("{}:{number}: the link `{target}` leads nowhere", file.path));
            }
        }
    }
}

/// Commands that documents show must name files that exist, as far as they are in the repository.
fn check_commands(file: &File, root: &Path, problems: &mut Vec<String>) {
    if !file.path.ends_with(".md") {
        return;
    }
    for (number, line) in numbered(&file.text) {
        let Some(command) = line.trim_start().strip_prefix("$ ") else { continue };
        let in_repository =
            |word: &&str| ["examples/", "specs/", "docs/", "crates/"].iter().any(|d| word.starts_with(d));
        for word in command.split_whitespace().filter(in_repository) {
            if !root.join(word).exists() {
                problems.push(format!("{}:{number}: there is no file `{word}`", file.path));
            }
        }
    }
}

/// A Markdown text with code blanked out.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if !fenced && !fence {
            prose.extend(line.split('`').step_by(2));
        }
        prose.push('\n');
    }
    prose
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let problems = problems(&root());
        assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
    }

    #[test]
    fn pictures_have_been_drawn() {
        for (structures, program) in crate::images::sources(&root()) {
            assert!(root().join(&structures).with_extension("svg").exists(), "{structures}: run `cargo xtask images`");
            assert!(root().join(&program).exists(), "{structures}: there is no {program}");
        }
    }

    #[test]
    fn citations_are_recognised() {
        assert_eq!(citations("see [LevAmi00 §5] and [YorshRS04], not [x12] or [Fig12a]"), ["LevAmi00", "YorshRS04"]);
    }

    #[test]
    fn links_in_code_do_not_count() {
        assert_eq!(prose("a `r[n,x](v)` b\n```\n[x](y)\n```\n[c](d)"), "a  b\n\n\n\n[c](d)\n");
    }

    #[test]
    fn machine_paths_are_told_from_others() {
        let path = MACHINE_PATHS[0];
        assert!(mentions(&format!("see {path}/main"), path));
        assert!(!mentions(&format!("frame{path} and {path}shop"), path));
    }
}
