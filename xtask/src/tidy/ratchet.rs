//! What is not tidy yet, and may only become less.
//!
//! Each list names what is still tolerated. Whoever makes one of these better lowers its number, or takes its name
//! away: the check fails if a list tolerates more than there is, so that nothing can get worse again unseen.

use crate::house;
use crate::sources::File;
use std::collections::BTreeMap;
use std::path::Path;

/// A line of a comment has at most so many columns.
const MAX_COLUMNS: usize = 120;

/// Files with more lines than [`house::MAX_LINES`].
const LONG_FILES: [&str; 0] = [];

/// Crates with lines of comments that are too long, and how many there are.
const LONG_COMMENTS: [(&str, usize); 0] = [];

/// Adds what is worse than tolerated, or better.
pub fn check(root: &Path, files: &[File], problems: &mut Vec<String>) {
    match house::crates(root) {
        Ok(crates) => check_crates(&crates, problems),
        Err(error) => problems.push(error),
    }
    check_lengths(files, problems);
    check_comments(files, problems);
}

/// No modules that stand side by side may need each other, as [`house::graph`] says, and the command line is short.
fn check_crates(crates: &[house::Crate], problems: &mut Vec<String>) {
    let (binary, most) = (house::binary_lines(crates), house::MAX_BINARY_LINES);
    if binary >= most {
        problems.push(format!("the command line has {binary} lines, which should be fewer than {most}"));
    }
    for one in crates {
        let needed = |cycle: Vec<house::Names>| {
            let rooms: Vec<String> = cycle.iter().map(|room| room.join("::")).collect();
            format!("{}: the modules {} need each other", one.name, rooms.join(", "))
        };
        problems.extend(one.cycles().into_iter().map(needed));
    }
}

fn check_lengths(files: &[File], problems: &mut Vec<String>) {
    let sources = files.iter().filter(|file| file.path.ends_with(".rs"));
    let long = sources.map(|file| (file.path.as_str(), file.text.lines().count()));
    let long: BTreeMap<&str, usize> = long.filter(|(_, lines)| *lines > house::MAX_LINES).collect();
    for (path, lines) in long.iter().filter(|(path, _)| !LONG_FILES.contains(path)) {
        problems.push(format!("{path}: has {lines} lines, more than {}", house::MAX_LINES));
    }
    for path in LONG_FILES.iter().filter(|path| !long.contains_key(**path)) {
        problems.push(format!("LONG_FILES: {path} is not long any more, take it away"));
    }
}

fn check_comments(files: &[File], problems: &mut Vec<String>) {
    let mut long: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let lines = super::numbered(&file.text).filter(|(_, line)| is_long_comment(line));
        long.entry(owner(&file.path)).or_default().extend(lines.map(|(line, _)| format!("{}:{line}", file.path)));
    }
    for (owner, places) in &long {
        let tolerated = LONG_COMMENTS.iter().find(|(name, _)| name == owner).map_or(0, |(_, number)| *number);
        let number = places.len();
        if number > tolerated {
            let all = places.join("\n  ");
            problems.push(format!(
                "{owner}: {number} lines of comments have more than {MAX_COLUMNS} columns, {tolerated} are tolerated:\n  {all}"
            ));
        } else if number < tolerated {
            problems.push(format!("LONG_COMMENTS: only {number} in {owner} are left of {tolerated}, lower the number"));
        }
    }
    let gone = LONG_COMMENTS.iter().filter(|(name, _)| !long.contains_key(name));
    problems.extend(gone.map(|(name, _)| format!("LONG_COMMENTS: there is no crate {name}, take it away")));
}

fn is_long_comment(line: &str) -> bool {
    line.trim_start().starts_with("//") && line.chars().count() > MAX_COLUMNS
}

/// The crate that a file is part of.
fn owner(path: &str) -> &str {
    let within = path.strip_prefix("crates/").unwrap_or(path);
    within.split('/').next().unwrap_or(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: String) -> File {
        File { path: path.to_string(), text }
    }

    #[test]
    fn what_is_too_long_is_named() {
        let comment = format!("    /// {}\n", "é".repeat(113));
        let files = [
            file("crates/a/src/lib.rs", comment.repeat(2)),
            file("crates/a/src/fine.rs", comment.replacen('é', "", 1)),
            file("xtask/src/long.rs", "\n".repeat(house::MAX_LINES + 1)),
            file("docs/long.md", "\n".repeat(house::MAX_LINES + 1)),
        ];
        let mut problems = Vec::new();
        check_comments(&files, &mut problems);
        check_lengths(&files, &mut problems);
        problems.retain(|problem| !problem.starts_with("LONG_"));
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(
            problems[0].starts_with("a: 2 lines") && problems[0].ends_with("crates/a/src/lib.rs:2"),
            "{problems:?}"
        );
        assert!(problems[1].starts_with("xtask/src/long.rs: has 601 lines"), "{problems:?}");
    }
}
