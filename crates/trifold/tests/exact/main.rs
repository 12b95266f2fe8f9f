//! A bug is a real run: correct programs with floats, unions, long arrays, strings and boxes have none, and the same
//! programs with a planted failure have one.
//!
//! That a program is correct or fails is the opinion of a compiler with sanitizers, and of Java, not ours.

mod c;
mod java;

use std::cell::RefCell;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use trifold_check::{Alone, Options, Source, Target, Verdict, check};
use trifold_examples::tools::{c_compiler, require};
use trifold_machine::java::{Compiler, Settings};

/// Programs that have something in common.
pub struct Feature {
    /// What.
    pub name: &'static str,
    /// Before all of them.
    pub declarations: &'static str,
    /// Programs that do not fail.
    pub correct: &'static [&'static str],
    /// Programs that do.
    pub planted: &'static [&'static str],
}

fn verdict(source: &Source) -> (Verdict, String) {
    let checked = check(source, &Options::default(), &(Arc::new(Alone) as _));
    let checked = checked.unwrap_or_else(|why| panic!("{}\n{}", source.units[0].text, why.render(false)));
    let found = checked.report.findings().map(|(_, finding)| format!("{}: {}", finding.kind.name(), finding.message));
    (checked.report.verdict, found.collect::<Vec<_>>().join("; "))
}

/// Judges all programs of a feature: `fails` is who knows, `source` is what Trifold reads.
fn judge(feature: &Feature, fails: &dyn Fn(usize) -> bool, source: &dyn Fn(&str) -> Source) {
    let programs = feature.correct.iter().map(|body| (body, false));
    let programs = programs.chain(feature.planted.iter().map(|body| (body, true)));
    assert!(feature.correct.len() >= 10 && feature.planted.len() >= 10, "{}", feature.name);
    let mut wrong = Vec::new();
    for (number, (body, planted)) in programs.enumerate() {
        assert_eq!(fails(number), planted, "{}: does it fail? {body}", feature.name);
        let (verdict, found) = verdict(&source(body));
        if (verdict == Verdict::Bug) != planted {
            wrong.push(format!("{}: {body}\n    {verdict:?}: {found}", feature.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs a command to its end; did it fail?
fn fails(command: &mut Command) -> bool {
    !command.output().expect("it can be run").status.success()
}

#[test]
fn a_bug_in_c_is_a_real_run() {
    let Some(compiler) = c_compiler() else { return };
    let directory = tempfile::tempdir().expect("a directory");
    for feature in c::FEATURES {
        let mut text = format!("{}{}\n", c::HEADERS, feature.declarations);
        let mut cases = String::new();
        for (number, body) in feature.correct.iter().chain(feature.planted).enumerate() {
            let _ = writeln!(text, "static void f{number}(void) {{ {body} }}");
            let _ = writeln!(cases, "case {number}: f{number}(); break;");
        }
        let _ = writeln!(text, "int main(int n, char **a) {{ switch (atoi(a[n - 1])) {{ {cases} }} return 0; }}");
        let (file, program) = (directory.path().join("programs.c"), directory.path().join("programs"));
        std::fs::write(&file, text).expect("it can be written");
        let flags =
            ["-std=gnu11", "-w", "-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"];
        let mut command = Command::new(compiler);
        let output = command.args(flags).arg(&program).arg(&file).output().expect("the compiler runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let source = |body: &str| {
            let body = format!("{}\nint main(void) {{ {body} return 0; }}\n", feature.declarations);
            Source::new("program.c", &format!("{}{}", c::DECLARED, c::expanded(&body)))
        };
        judge(feature, &|number| fails(Command::new(&program).arg(number.to_string())), &source);
    }
}

#[test]
fn a_bug_in_java_is_a_real_run() {
    if !require("javac") || !require("java") {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let compiler = RefCell::new(Compiler::start(&Settings::default()).expect("a compiler"));
    for feature in java::FEATURES {
        let mut text = format!("class Programs {{ {}\n", feature.declarations);
        let mut cases = String::new();
        for (number, body) in feature.correct.iter().chain(feature.planted).enumerate() {
            let _ = writeln!(text, "static void f{number}() {{ {body} }}");
            let _ = writeln!(cases, "case {number}: f{number}(); break;");
        }
        let _ = writeln!(
            text,
            "public static void main(String[] a) {{ switch (Integer.parseInt(a[0])) {{ {cases} }} }} }}"
        );
        let file = directory.path().join("Programs.java");
        std::fs::write(&file, text).expect("it can be written");
        assert!(!fails(Command::new("javac").arg("-nowarn").arg("-d").arg(directory.path()).arg(&file)));
        let source = |body: &str| {
            let text = format!(
                "class Program {{ {} public static void main(String[] arguments) {{ {body} }} }}",
                feature.declarations
            );
            compiler.borrow_mut().source("Program.java", &text).unwrap_or_else(|why| panic!("{why}"))
        };
        judge(feature, &|number| java_fails(directory.path(), number), &source);
    }
}

fn java_fails(directory: &Path, number: usize) -> bool {
    fails(
        Command::new("java")
            .args(["-ea", "-Xshare:auto", "-cp"])
            .arg(directory)
            .arg("Programs")
            .arg(number.to_string()),
    )
}

#[test]
fn sizes_of_32_bits_are_those_of_the_compiler() {
    let Some(compiler) = c_compiler() else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("sizes.c");
    for expression in c::SIZES_32 {
        for (planted, expression) in [(false, expression.to_string()), (true, format!("!({expression})"))] {
            let text = format!("int x[({expression}) ? 1 : -1];\n");
            std::fs::write(&file, text).expect("it can be written");
            let mut command = Command::new(compiler);
            assert_eq!(fails(command.args(["-m32", "-w", "-fsyntax-only"]).arg(&file)), planted, "{expression}");
            let text = format!("void assert(int);\nint main(void) {{ assert({expression}); return 0; }}");
            let source = Source { target: Target::Ilp32, ..Source::new("sizes.c", &text) };
            let expected = if planted { Verdict::Bug } else { Verdict::Proved };
            assert_eq!(verdict(&source).0, expected, "{expression}: {}", verdict(&source).1);
        }
    }
}
