//! Modules without `main`, through the command line: `examples/modules`. Each is analysed through its client. That of
//! a module in C is compiled with sanitizers and run at random: it may fail only where there is a finding. That of
//! classes in Java is made of instructions, and has no text that could be compiled.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use trifold_examples::tools;

/// The modules in the language with this extension. There are so many at least, since one that is lost would not be
/// missed otherwise.
fn modules(extension: &str, least: usize) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/modules");
    let entries = std::fs::read_dir(directory).expect("modules").map(|entry| entry.expect("an entry").path());
    let mut all: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    all.sort();
    assert!(all.len() >= least, "{all:?}");
    all
}

/// The words after `// expect:`.
fn expected(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a module");
    let line = text.lines().find_map(|line| line.strip_prefix("// expect: ")).expect("a line `// expect: …`");
    line.to_string()
}

fn check(path: &Path) -> (Option<i32>, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trifold"));
    let output = command.args(["check", "--quiet", "--format", "json"]).arg(path).output().expect("trifold runs");
    (output.status.code(), serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// A module is proved for every use of its interface, and nothing is needed for that; its twin is a bug of its kind.
fn is_judged_as_expected(path: &Path) {
    let (status, report) = check(path);
    let expected = expected(path);
    let functions = report["functions"].as_array().expect("functions");
    let whom = match expected.as_str() {
        "proved" => Some("interface"),
        "proved without sharing" => Some("interface-without-sharing"),
        _ => None,
    };
    if let Some(whom) = whom {
        assert_eq!((status, &report["verdict"]), (Some(0), &Value::from("proved")), "{}", path.display());
        let is_of_interface = |f: &Value| f["holds_for"] == whom && f["needs"] == Value::Array(Vec::new());
        assert!(functions.iter().all(is_of_interface), "{}: {report:#}", path.display());
    } else {
        assert_eq!((status, &report["verdict"]), (Some(1), &Value::from("bug")), "{}", path.display());
        let mut findings = functions.iter().flat_map(|function| function["findings"].as_array().expect("findings"));
        let elsewhere = report["elsewhere"].as_array().expect("findings");
        let is_expected = |f: &Value| f["kind"] == expected.as_str() && f["verdict"] == "bug";
        assert!(findings.any(is_expected) || elsewhere.iter().any(is_expected), "{}: {report:#}", path.display());
    }
}

#[test]
fn modules_are_proved_for_every_use_and_their_twins_are_bugs() {
    for path in modules("c", 42) {
        is_judged_as_expected(&path);
    }
    if tools::require("javac") {
        for path in modules("java", 32) {
            is_judged_as_expected(&path);
        }
    }
}

#[test]
fn clients_that_are_compiled_fail_only_where_something_is_found() {
    if !tools::require("cc") {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let mut failed = 0;
    for path in modules("c", 42) {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let client = directory.path().join(format!("{name}_client.c"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_trifold"));
        let written = command.arg("client").arg(&path).arg("-o").arg(&client).status().expect("trifold runs");
        assert!(written.success(), "{}", path.display());
        let program = directory.path().join(&name);
        let flags = ["-w", "-g", "-DRANDOM", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        let compiled = Command::new("cc").args(flags).arg(&client).arg("-o").arg(&program).status().expect("cc runs");
        assert!(compiled.success(), "the client of {} is not C", path.display());
        let run = Command::new(&program).output().expect("the client runs");
        let text = String::from_utf8_lossy(&run.stderr);
        if expected(&path).starts_with("proved") {
            assert!(run.status.success(), "{}: {text}", path.display());
        }
        failed += usize::from(!run.status.success());
    }
    // Of eighteen planted failures a few need an allocation that fails.
    assert!(failed >= 13, "only {failed} twins fail");
}

#[test]
fn the_client_that_is_kept_is_checked_with_its_module() {
    let directory = tempfile::tempdir().expect("a directory");
    let stack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/modules/stack.c");
    let client = directory.path().join("client.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_trifold"));
    assert!(command.arg("client").arg(&stack).arg("-o").arg(&client).status().expect("trifold runs").success());
    let (status, report) = check(&client);
    assert_eq!((status, &report["verdict"]), (Some(0), &Value::from("proved")), "{report:#}");
}
