//! Commands that the README and the book show in `console` blocks are run, and must print the shown output.
//!
//! The shown output is standard error followed by standard output. A line `...` stands for any lines, and times may
//! differ. A command without output must only succeed in its purpose.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// A command, as shown at some place.
struct Shown {
    place: String,
    arguments: Vec<String>,
    output: Vec<String>,
}

#[test]
fn documents_show_what_happens() {
    let program = program();
    let mut documents = vec![root().join("README.md")];
    documents.extend(markdown(&root().join("docs/book/src")));
    let mut wrong = Vec::new();
    for document in documents {
        let directory = scratch_copy();
        wrong.extend(commands(&document).iter().filter_map(|shown| check(shown, &program, &directory)));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The command line of this workspace, in the directory where this test was built.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let directory = test.ancestors().nth(2).unwrap();
    let program = directory.join(format!("trifold{}", std::env::consts::EXE_SUFFIX));
    if modified(&program) < newest(&root().join("crates")) {
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        build.args(["build", "--quiet", "--package", "trifold", "--target-dir"]).arg(directory.parent().unwrap());
        build.args(directory.ends_with("release").then_some("--release"));
        assert!(build.current_dir(root()).status().unwrap().success());
    }
    program
}

/// When the file was last changed; long ago if it is not there.
fn modified(path: &Path) -> SystemTime {
    path.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// When a source file below the directory was last changed.
fn newest(directory: &Path) -> SystemTime {
    let entries = std::fs::read_dir(directory).unwrap().flatten().map(|entry| entry.path());
    let times = entries.filter(|path| path.is_dir() || path.extension().is_some_and(|e| e == "rs" || e == "toml"));
    times
        .map(|path| if path.is_dir() { newest(&path) } else { modified(&path) })
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

/// A directory with the files that commands read, in which they may write; files of earlier runs are gone.
fn scratch_copy() -> PathBuf {
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("book");
    let _ = std::fs::remove_dir_all(&scratch);
    for part in ["examples", "specs", "docs"] {
        copy(&root().join(part), &scratch.join(part));
    }
    scratch
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn markdown(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    files.sort();
    files
}

/// The runs of `trifold` that a document shows, in order.
fn commands(document: &Path) -> Vec<Shown> {
    let text = std::fs::read_to_string(document).unwrap();
    let mut found = Vec::new();
    let mut in_console = false;
    let mut current: Option<Shown> = None;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            in_console = line == "```console";
            found.extend(current.take());
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_console) {
            found.extend(current.take());
            let place = format!("{}:{}", document.display(), index + 1);
            current = arguments(command).map(|arguments| Shown { place, arguments, output: Vec::new() });
        } else if let Some(shown) = &mut current {
            shown.output.push(line.trim_end().to_string());
        }
    }
    found
}

/// The words after `trifold`, if the command runs it.
fn arguments(command: &str) -> Option<Vec<String>> {
    let by_cargo = command.strip_prefix("cargo run --release -p trifold -- ");
    let arguments = by_cargo.or_else(|| command.strip_prefix("trifold "))?;
    // Every other part is between quotes.
    let parts = arguments.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_string).collect(),
        _ => vec![part.to_string()],
    });
    Some(words.collect())
}

/// Runs the command; returns the problem, if there is one.
fn check(shown: &Shown, program: &Path, directory: &Path) -> Option<String> {
    let output = Command::new(program).args(&shown.arguments).current_dir(directory).output().unwrap();
    let text = [output.stderr, output.stdout].concat();
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let expected: Vec<&str> = shown.output.iter().map(String::as_str).collect();
    let fine = if expected.is_empty() { output.status.code() != Some(2) } else { matches(&expected, &lines) };
    (!fine).then(|| format!("{}: `trifold {}` prints\n{text}", shown.place, shown.arguments.join(" ")))
}

/// Does the output match the shown one?
fn matches(expected: &[&str], lines: &[&str]) -> bool {
    match (expected, lines) {
        ([], rest) => rest.iter().all(|line| line.is_empty()),
        (["..."], _) => true,
        (["...", after @ ..], _) => (0..=lines.len()).any(|skip| matches(after, &lines[skip..])),
        ([first, after @ ..], [line, rest @ ..]) => same(first, line) && matches(after, rest),
        (rest, []) => rest.iter().all(|line| line.is_empty()),
    }
}

/// A line of a table without the time at its end.
fn without_time(line: &str) -> &str {
    let unit = [" µs", " ms", " s"].iter().find_map(|unit| line.strip_suffix(unit));
    unit.map_or(line, |rest| rest.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end())
}

fn same(expected: &str, line: &str) -> bool {
    let is_time = |text: &str| text.starts_with("  time  ");
    expected == line || is_time(expected) && is_time(line) || without_time(expected) == without_time(line)
}

#[test]
fn commands_are_found() {
    let shown = commands(&root().join("README.md"));
    assert!(shown.len() >= 4);
    assert!(shown.iter().any(|shown| shown.output.iter().any(|line| line.contains("proved"))));
}

#[test]
fn every_option_is_in_the_reference() {
    let reference = std::fs::read_to_string(root().join("docs/book/src/command-line.md")).unwrap();
    for command in ["analyze", "draw"] {
        let help = Command::new(program()).args([command, "--help"]).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let words = help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2);
        // `--option[=<VALUE>]` is one whose value may be left out.
        let options = words.map(|word| word.split('[').next().unwrap_or(word));
        for option in options.filter(|option| !["--help", "--version"].contains(option)) {
            assert!(reference.contains(option), "{option} of `trifold {command}` is not in the reference");
        }
    }
}
