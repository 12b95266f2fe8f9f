//! The headers of the programs of `examples/c` say only facts that can be checked, so that they do not rot.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use trifold_examples::c::{Example, HeaderError, directory, examples};
use trifold_ir::FindingKind;

#[test]
fn there_are_enough() {
    let examples = examples();
    let twins = examples.iter().filter(|example| example.twin.is_some()).count();
    assert!(examples.len() - twins >= 64, "only {} programs", examples.len() - twins);
    assert!(twins >= 34, "only {twins} twins");
}

/// All kinds that users want to know about are represented.
#[test]
fn every_kind_of_finding_is_expected() {
    let examples = examples();
    let planted: BTreeSet<FindingKind> = examples.iter().flat_map(|e| &e.expected).map(|finding| finding.0).collect();
    // An index out of bounds is no fault of lists, and cutpoints and exceptions are found in Java.
    let rare = [FindingKind::InvalidDereference, FindingKind::Cutpoint, FindingKind::UncaughtException];
    for kind in FindingKind::ALL.into_iter().filter(|kind| !rare.contains(kind)) {
        assert!(planted.contains(&kind), "no program with {kind}");
    }
}

/// A twin is the same program but for a few lines, and the other one has no bug. It is named after the other one.
#[test]
fn twins_differ_by_what_was_planted() {
    let examples = examples();
    let by_path: BTreeMap<_, _> = examples.iter().map(|example| (example.path.clone(), example)).collect();
    for example in &examples {
        let name = example.name();
        let Some(twin) = &example.twin else {
            assert!(!name.ends_with("_bug.c"), "{name}: the twin of nothing");
            continue;
        };
        let original = by_path.get(&example.path.with_file_name(&twin.original));
        let Some(original) = original else { panic!("{name}: there is no {}", twin.original) };
        assert_eq!(name, original.name().replace(".c", "_bug.c"));
        assert!(original.is_proved(), "{name}: {} is not proved", original.name());
        assert!(!example.is_proved(), "{name}: nothing is planted");
        let changed = changed_lines(original.body(), example.body());
        assert!(original.body() != example.body() && changed <= 10, "{name}: {changed} lines differ");
    }
}

#[test]
fn findings_are_listed_once_and_in_order() {
    for example in examples() {
        let listed: Vec<_> = example.expected.iter().map(|&(kind, line)| (line, kind)).collect();
        let sorted: BTreeSet<_> = listed.iter().copied().collect();
        assert_eq!(listed, sorted.into_iter().collect::<Vec<_>>(), "{}", example.name());
    }
}

#[test]
fn every_program_is_c() {
    for example in examples() {
        let Some(text) = example.preprocessed() else { return };
        let loaded = trifold_c::load(&example.name(), &text);
        let loaded = loaded.unwrap_or_else(|failure| panic!("{}", failure.render(false)));
        assert!(loaded.warnings.is_empty(), "{}: {:?}", example.name(), loaded.warnings);
    }
}

/// The tables in the page about the programs are made from the headers.
#[test]
fn the_readme_lists_every_program() {
    let readme = std::fs::read_to_string(directory().join("README.md")).unwrap();
    let examples = examples();
    let planted = |original: &Example| {
        let twin = examples.iter().find(|e| e.twin.is_some() && e.name() == original.name().replace(".c", "_bug.c"))?;
        let kinds: BTreeSet<&str> = twin.expected.iter().map(|(kind, _)| kind.name()).collect();
        let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
        Some(format!("[{kinds}]({}): {}", twin.name(), twin.twin.as_ref()?.planted))
    };
    let row = |example: &Example| {
        let stem = example.path.file_stem().unwrap_or_default().to_string_lossy();
        let planted = planted(example).unwrap_or("–".to_string());
        format!("| [{stem}]({}) | {} | {planted} |", example.name(), example.description())
    };
    let rows: Vec<String> = examples.iter().filter(|example| example.twin.is_none()).map(row).collect();
    let listed: Vec<&str> = readme.lines().filter(|line| line.starts_with("| [")).collect();
    assert!(listed == rows, "the rows of the tables should be\n{}", rows.join("\n"));
}

/// How many lines of either text are not lines of the other, as often as they occur.
fn changed_lines(left: &str, right: &str) -> usize {
    let mut balance: BTreeMap<&str, i32> = BTreeMap::new();
    left.lines().for_each(|line| *balance.entry(line.trim()).or_default() += 1);
    right.lines().for_each(|line| *balance.entry(line.trim()).or_default() -= 1);
    balance.values().map(|count| count.unsigned_abs() as usize).sum()
}

fn read(header: &str) -> Result<Vec<(FindingKind, usize)>, HeaderError> {
    let text = format!("{header}int f(void)\n{{\n    return 0;\n}}\n");
    Example::read(Path::new("f.c"), text).map(|example| example.expected)
}

#[test]
fn defective_headers_are_told() {
    let error = |expect: &str| read(&format!("// Does nothing.\n{expect}")).err();
    assert_eq!(read("// expect: proved\n"), Err(HeaderError::Undescribed));
    assert_eq!(error(""), Some(HeaderError::NothingExpected));
    assert_eq!(error("// expect: proved\n// expect: leak at 6\n"), Some(HeaderError::ProvedAndMore));
    assert_eq!(error("// expect: leek at 5\n"), Some(HeaderError::UnknownKind("leek".to_string())));
    assert_eq!(error("// expect: leak\n"), Some(HeaderError::Unreadable("expect: leak".to_string())));
    assert_eq!(error("// twin of: g.c\n"), Some(HeaderError::Unreadable("twin of: g.c".to_string())));
    for line in [0, 1, 2, 3, 4, 6, 7, 8] {
        assert_eq!(error(&format!("// expect: leak at {line}\n")), Some(HeaderError::NoStatement(line)), "{line}");
    }
    assert_eq!(read("// Does nothing.\n// expect: leak at 5\n"), Ok(vec![(FindingKind::Leak, 5)]));
}
