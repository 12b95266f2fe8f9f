//! The findings that `trifold check` confirms by runs: every planted bug of the programs under `examples` in C and
//! Java, with a heap, and nothing in those without a bug; and so of functions that describe their arguments with
//! checkers.

mod support;

use support::{files, trifold, workspace};
use trifold_examples::tools::require;

/// The expectations of a header: kinds and lines.
fn expected(path: &str) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(workspace().join(path)).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("// expect: ")?.split_once(" at "));
    lines.map(|(kind, line)| (kind.to_string(), line.trim().parse().unwrap())).collect()
}

#[test]
fn planted_bugs_are_confirmed_and_correct_programs_have_none() {
    let mut planted = 0;
    for path in files("examples/c/sll", "c") {
        let run = trifold(["check", &path, "--format", "json", "--quiet", "--max-structures", "1000"]);
        let report = run.json();
        let findings = report["functions"].as_array().unwrap().iter().flat_map(|f| f["findings"].as_array().unwrap());
        let of = |verdict: &str| -> Vec<(String, u64)> {
            let some = findings.clone().filter(|finding| finding["verdict"] == verdict);
            some.map(|f| (f["kind"].as_str().unwrap().to_string(), f["line"].as_u64().unwrap())).collect()
        };
        let (expected, bugs, may_fail) = (expected(&path), of("bug"), of("may-fail"));
        assert!(bugs.iter().all(|bug| expected.contains(bug)), "{path}: {bugs:?} are no bugs");
        for bug in &expected {
            assert!(bugs.contains(bug), "{path}: {bug:?} is not confirmed; found were {may_fail:?}");
            planted += 1;
        }
        for finding in findings.clone().filter(|finding| finding["verdict"] == "bug") {
            assert!(finding["run"]["choices"].is_array(), "{path}: {finding}");
        }
    }
    assert!(planted >= 10, "only {planted}");
}

/// The confirmed findings of a file, and whether each of them comes with the heap that the function is called with.
fn confirmed(path: &str) -> Vec<(String, u64)> {
    let report = trifold(["check", path, "--format", "json", "--quiet"]).json();
    let findings = report["functions"].as_array().unwrap().iter().flat_map(|f| f["findings"].as_array().unwrap());
    let bugs = findings.filter(|finding| finding["verdict"] == "bug").inspect(|finding| {
        assert!(finding["run"]["input"].is_string(), "{path}: {finding}");
    });
    bugs.map(|f| (f["kind"].as_str().unwrap().to_string(), f["line"].as_u64().unwrap())).collect()
}

/// Functions that describe their arguments with checkers: those with a planted bug, or those without.
fn specified(planted: bool) -> Vec<String> {
    let has_compiler = require("cc");
    let paths = if has_compiler { files("examples/c/checkers", "c") } else { Vec::new() };
    let chosen: Vec<String> = paths.into_iter().filter(|path| expected(path).is_empty() != planted).collect();
    assert!(chosen.len() >= 60 || !has_compiler, "{chosen:?}");
    chosen
}

#[test]
fn heaps_that_satisfy_checkers_show_what_is_planted() {
    for path in specified(true) {
        let (expected, bugs) = (expected(&path), confirmed(&path));
        assert!(expected.iter().all(|bug| bugs.contains(bug)), "{path}: {expected:?}, but only {bugs:?}");
    }
}

#[test]
fn no_heap_that_satisfies_checkers_breaks_a_correct_program() {
    for path in specified(false) {
        assert_eq!(confirmed(&path), [], "{path}");
    }
}

/// Planted bugs that no run shows.
const UNCONFIRMED: [(&str, &str, &str); 2] = [
    ("examples/contracts/external_bug.c", "assertion", "functions that are defined elsewhere cannot be run"),
    (
        "examples/contracts/insert_body_bug.c",
        "leak",
        "`at`, which nobody reads, holds the object for one more statement",
    ),
];

/// The findings of a file without an analysis, which gives up at once: all of them are those of runs.
fn findings_of_runs(path: &str) -> Vec<serde_json::Value> {
    let run = trifold(["check", path, "--format", "json", "--quiet", "--domain", "tvl", "--max-structures", "1"]);
    let report = run.json();
    let findings = report["functions"].as_array().unwrap().iter().flat_map(|f| f["findings"].as_array().unwrap());
    findings.filter(|finding| finding["verdict"] == "bug").cloned().collect()
}

/// Compares the failures in runs of programs with the bugs that are planted in them. Of some only the kind of bug is
/// known.
fn compare_with_runs(paths: impl Iterator<Item = String>) {
    let (mut planted, mut correct) = (0, 0);
    // A limit of the analysis is no bug of the program.
    let limits = ["proved", "not-analysed", "cutpoint"];
    for path in paths {
        let text = std::fs::read_to_string(workspace().join(&path)).unwrap();
        let lines = text.lines().filter_map(|line| line.strip_prefix("// expect: "));
        let expected = lines.map(|line| match line.split_once(": ") {
            Some((kind, _)) => (kind, None),
            None => line.split_once(" at ").map_or((line, None), |(kind, line)| (kind, line.parse::<u64>().ok())),
        });
        let expected: Vec<(&str, Option<u64>)> = expected.filter(|(kind, _)| !limits.contains(kind)).collect();
        let bugs = findings_of_runs(&path);
        if expected.is_empty() {
            assert!(bugs.is_empty(), "{path}: {bugs:?}");
            correct += 1;
        }
        for finding in &bugs {
            let run = &finding["run"];
            assert!(run["heap"].is_string() || run["input"].is_string(), "{path}: no heap in {finding}");
        }
        for (kind, line) in expected {
            let is_it = |bug: &serde_json::Value| bug["kind"] == kind && line.is_none_or(|line| bug["line"] == line);
            let excuse = UNCONFIRMED.iter().find(|excused| (excused.0, excused.1) == (&path, kind));
            assert_eq!(bugs.iter().any(is_it), excuse.is_none(), "{path}: {kind} at {line:?}: {bugs:?}, {excuse:?}");
            planted += 1;
        }
    }
    assert!(planted >= 60 && correct >= 60, "only {planted} bugs, and {correct} programs without one");
}

#[test]
fn runs_of_c_programs_show_what_is_planted() {
    let paths = ["examples/c", "examples/contracts"].into_iter().flat_map(|directory| files(directory, "c"));
    if require("cc") {
        compare_with_runs(paths.filter(|path| !path.starts_with("examples/c/checkers")));
    }
}

#[test]
fn runs_of_java_programs_show_what_is_planted() {
    // Modules are analysed through clients, and those have their own test.
    let paths = ["examples/java", "examples/contracts"].into_iter().flat_map(|directory| files(directory, "java"));
    compare_with_runs(paths);
}

/// The failures in runs do not depend on the time of the analysis.
#[test]
fn time_that_is_up_leaves_the_bugs_that_runs_show() {
    let path = "examples/c/sll/append_bug.c";
    let report = trifold(["check", path, "--format", "json", "--quiet", "--timeout", "0"]).expect(1).json();
    assert_eq!(report["verdict"], "bug");
}

#[test]
fn without_confirmation_a_finding_may_fail() {
    let path = files("examples/c/sll", "c").into_iter().find(|path| !expected(path).is_empty()).unwrap();
    let report = trifold(["check", &path, "--format", "json", "--quiet", "--no-confirm"]).expect(1).json();
    assert_eq!(report["verdict"], "may-fail");
    assert!(!report.to_string().contains("choices"), "{report}");
}
