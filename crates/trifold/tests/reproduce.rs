//! Bugs are real: for every confirmed bug of the examples in C and Java there is a program that a compiler with
//! sanitizers, or Java, sees fail in the same way. So they are the judges of Trifold.

mod support;

use serde_json::Value;
use std::sync::Mutex;
use support::{Run, Scratch, files, trifold, workspace};
use trifold_examples::tools::{c_compiler, require};

/// A bug, and what a real run of it came to.
#[derive(Debug)]
struct Judged {
    path: String,
    kind: String,
    line: u64,
    outcome: String,
    says: String,
}

fn judged(path: &str, run: &Run) -> Vec<Judged> {
    let report = run.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let findings = report["functions"].as_array().unwrap().iter().flat_map(|f| f["findings"].as_array().unwrap());
    let bugs = findings.filter(|finding| finding["verdict"] == "bug");
    let judged = bugs.map(|bug| Judged {
        path: path.to_string(),
        kind: text(&bug["kind"]),
        line: bug["line"].as_u64().unwrap(),
        outcome: text(&bug["reproduce"]["outcome"]),
        says: text(&bug["reproduce"]["says"]),
    });
    judged.collect()
}

/// Judges all bugs of files, on two threads, since most of the time is that of compilers.
fn judge_all(paths: Vec<String>, options: &[&str]) -> Vec<Judged> {
    let (paths, found) = (Mutex::new(paths.into_iter()), Mutex::new(Vec::new()));
    let work = || {
        while let Some(path) = { paths.lock().unwrap().next() } {
            let fixed = ["check", &path, "--verify-bugs", "--format", "json", "--quiet"];
            let run = trifold(fixed.iter().chain(options));
            found.lock().unwrap().extend(judged(&path, &run));
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().unwrap()
}

/// At least so many are confirmed, and all others have no program, for one of these reasons, each so often at most.
fn assert_confirmed(judged: &[Judged], least: usize, excuses: &[(&str, usize)]) {
    let count = |outcome: &str| judged.iter().filter(|bug| bug.outcome == outcome).count();
    let wrong: Vec<&Judged> =
        judged.iter().filter(|bug| !["confirmed", "none"].contains(&bug.outcome.as_str())).collect();
    assert!(wrong.is_empty(), "real runs say otherwise: {wrong:#?}");
    for bug in judged.iter().filter(|bug| bug.outcome == "none") {
        assert!(excuses.iter().any(|(why, _)| bug.says.contains(why)), "no program: {bug:#?}");
    }
    for (why, most) in excuses {
        let excused = judged.iter().filter(|bug| bug.outcome == "none" && bug.says.contains(why)).count();
        assert!(excused <= *most, "{excused} bugs have no program because {why}");
    }
    assert!(count("confirmed") >= least, "only {} confirmed", count("confirmed"));
}

/// Without an analysis, which gives up at once: all bugs are those of runs.
const RUNS_ONLY: [&str; 4] = ["--domain", "tvl", "--max-structures", "1"];

#[test]
fn bugs_of_c_programs_are_seen_by_sanitizers() {
    if c_compiler().is_none() {
        return;
    }
    let paths = files("examples/c", "c").into_iter().filter(|path| !path.starts_with("examples/c/checkers"));
    assert_confirmed(&judge_all(paths.collect(), &RUNS_ONLY), 135, &[]);
}

#[test]
fn bugs_of_functions_with_checkers_are_seen_by_sanitizers() {
    if c_compiler().is_none() {
        return;
    }
    let planted = |path: &String| std::fs::read_to_string(workspace().join(path)).unwrap().contains("// twin of: ");
    let paths = files("examples/c/checkers", "c").into_iter().filter(planted);
    assert_confirmed(&judge_all(paths.collect(), &[]), 60, &[]);
}

#[test]
fn bugs_of_programs_with_contracts_are_seen_unless_the_contract_is_broken() {
    if c_compiler().is_none() || !require("javac") || !require("java") {
        return;
    }
    let paths = files("examples/contracts", "c").into_iter().chain(files("examples/contracts", "java"));
    assert_confirmed(&judge_all(paths.collect(), &[]), 1, &[("a contract is broken", 10)]);
}

#[test]
fn bugs_of_java_programs_are_exceptions_of_java() {
    if !require("javac") || !require("java") {
        return;
    }
    assert_confirmed(&judge_all(files("examples/java", "java"), &RUNS_ONLY), 60, &[]);
}
