//! `cargo xtask words`: how the comments read, as counts per 10,000 words for each crate.
//!
//! Clauses with "what" and "whoever" hide the noun that a reader looks for; reasons ("because") and examples help. For
//! example, `// What everything can hold.` counts one "what" among four words, and `/// The points-to map.` none.

use crate::root;
use crate::sources::{File, files};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// The words that are counted, in groups, each under the first one.
const GROUPS: [&[&str]; 5] = [
    &["what", "whatever"],
    &["behind"],
    &["nobody", "somebody", "anybody", "whoever"],
    &["because"],
    &["example", "examples"],
];

/// Comment lines that are longer are counted, too.
const COLUMNS: usize = 120;

/// The figures of some files.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Figures {
    words: usize,
    found: [usize; GROUPS.len()],
    long: usize,
}

/// Prints a line for each crate, and one for all of them.
pub fn run() -> ExitCode {
    let mut crates: BTreeMap<String, Figures> = BTreeMap::new();
    for file in files(&root()).iter().filter(|file| file.path.ends_with(".rs")) {
        for name in [owner(file), "all".to_string()] {
            crates.entry(name).or_default().add(&file.text);
        }
    }
    let heads: String = GROUPS.iter().map(|group| format!("{:>9}", group[0])).collect();
    println!("{:20} {:>7}{heads} {:>6}", "per 10,000 words", "words", "long");
    crates.iter().for_each(|(name, figures)| println!("{name:20} {}", figures.row()));
    ExitCode::SUCCESS
}

/// The crate of a file: the directory below `crates`, or the first one.
fn owner(file: &File) -> String {
    file.path.trim_start_matches("crates/").split('/').next().unwrap_or_default().to_string()
}

impl Figures {
    fn add(&mut self, text: &str) {
        for line in text.lines().filter(|line| line.trim_start().starts_with("//")) {
            self.long += usize::from(line.chars().count() > COLUMNS);
            for word in line.split(|c: char| !c.is_alphabetic() && c != '\'').filter(|word| !word.is_empty()) {
                self.words += 1;
                let word = word.to_lowercase();
                let group = GROUPS.iter().position(|group| group.contains(&word.as_str()));
                group.iter().for_each(|group| self.found[*group] += 1);
            }
        }
    }

    fn row(&self) -> String {
        let share = |count: &usize| *count as f64 * 10_000.0 / self.words.max(1) as f64;
        let shares: String = self.found.iter().map(|count| format!("{:9.1}", share(count))).collect();
        format!("{:7}{shares} {:6}", self.words, self.long)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_comments_are_counted() {
        let mut figures = Figures::default();
        figures.add("//! What is behind it, for example.\nlet what = 1;\n    // Nobody knows, because\n");
        assert_eq!(figures, Figures { words: 9, found: [1, 1, 1, 1, 1], long: 0 });
        figures.add(&format!("/// {}", "x".repeat(COLUMNS)));
        assert_eq!((figures.words, figures.long), (10, 1));
    }
}
