//! What `trifold check` confirms by runs: of the singly linked lists of `examples/c` every planted bug, and nothing else, and so of functions that
//! say with checkers what their arguments are.

mod support;

use support::{files, trifold, workspace};

/// What a header expects: kinds and lines.
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

/// What is confirmed of a file, and whether each of that comes with the heap that the function is called with.
fn confirmed(path: &str) -> Vec<(String, u64)> {
    let report = trifold(["check", path, "--format", "json", "--quiet"]).json();
    let findings = report["functions"].as_array().unwrap().iter().flat_map(|f| f["findings"].as_array().unwrap());
    let bugs = findings.filter(|finding| finding["verdict"] == "bug").inspect(|finding| {
        assert!(finding["run"]["input"].is_string(), "{path}: {finding}");
    });
    bugs.map(|f| (f["kind"].as_str().unwrap().to_string(), f["line"].as_u64().unwrap())).collect()
}

/// Functions that say with checkers what their arguments are: those with a planted bug, or those without.
fn specified(planted: bool) -> Vec<String> {
    let has_compiler = std::process::Command::new("cc").arg("--version").output().is_ok();
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

#[test]
fn without_confirmation_a_finding_may_fail() {
    let path = files("examples/c/sll", "c").into_iter().find(|path| !expected(path).is_empty()).unwrap();
    let report = trifold(["check", &path, "--format", "json", "--quiet", "--no-confirm"]).expect(1).json();
    assert_eq!(report["verdict"], "may-fail");
    assert!(!report.to_string().contains("choices"), "{report}");
}
