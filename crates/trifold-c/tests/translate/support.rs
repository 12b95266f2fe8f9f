//! Reading and translating the programs of the tests.

use std::path::Path;
use trifold_c::TranslateOptions;
use trifold_ir::{FindingKind, Program, validate};

/// A program and the expectations of its header.
pub struct Case {
    pub path: String,
    pub text: String,
    pub expected: Expected,
}

pub enum Expected {
    Safe,
    Finds(FindingKind),
    NotAnalysed(String),
}

/// The programs beside the tests.
pub fn programs() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/translate");
    let mut paths: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    assert!(paths.len() >= 15, "the programs are missing");
    paths.iter().map(|path| case(path)).collect()
}

fn case(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).unwrap();
    let expected = text.lines().find_map(|line| line.strip_prefix("// expect: ")).expect("a header");
    let expected = match expected.split_once(' ') {
        Some(("not-analysed", text)) => Expected::NotAnalysed(text.trim_matches('"').to_string()),
        _ if expected == "safe" => Expected::Safe,
        _ => Expected::Finds(FindingKind::from_name(expected).unwrap_or_else(|| panic!("{expected}?"))),
    };
    Case { path: path.display().to_string(), text, expected }
}

/// A well-formed translation.
pub fn translated(path: &str, text: &str) -> Program {
    let loaded = trifold_c::load(path, text).unwrap_or_else(|failure| panic!("{path}\n{}", failure.render(false)));
    let program = trifold_c::translate(&loaded.program, &TranslateOptions::default()).program;
    if let Err(errors) = validate(&program) {
        let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        panic!("{path} is not well formed: {messages:?}\n{}", trifold_ir::print(&program));
    }
    program
}
