//! Programs that must not be proved, beside relatives that must be: the compiler with its sanitizers is the judge of
//! which is which.
//!
//! A file under `proofs` is about one property of C or Java. Its head is part of each of its programs, and a program
//! begins with its verdict; a program in Java is a class `Main`:
//!
//! ```text
//! // == fails: a size that is cut off
//! int main(void) { struct big *p = malloc((unsigned char)264); p->a[63] = 1; return 0; }
//! ```
//!
//! | verdict | compiled, it | checked, it is |
//! | --- | --- | --- |
//! | `fails` | fails | not proved, in no domain |
//! | `proved` | ends well | proved |
//! | `clean` | ends well | no bug; whether it is proved is left open |
//! | `open` | is not run: callers decide what happens | not proved, in no domain |
//! | `proved-open` | is not run | proved |

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use trifold_check::{Alone, DomainName, Options, Source, Verdict, check};
use trifold_examples::tools::{c_compiler, require};
use trifold_machine::java::{Compiler, Settings};

/// Functions that programs declare and do not define.
const STUBS: &str =
    "void abort(void); void reach_error(void) { abort(); } int zero(void) { return 0; } int one(void) { return 1; }
    void trap(int code) { } void unreachable(int code) { } void prefetch(void *at) { *(void **)at = 0; }";

/// The domains that are asked.
const DOMAINS: [Option<DomainName>; 3] = [None, Some(DomainName::ThreeValued), Some(DomainName::SeparationLogic)];

struct Case {
    /// Its name as a file, which says the language.
    name: &'static str,
    verdict: String,
    title: String,
    text: String,
}

/// The programs of a file.
fn cases(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut parts = text.split("// == ");
    let head = parts.next().unwrap_or_default();
    let name = if path.extension().is_some_and(|extension| extension == "java") { "Main.java" } else { "program.c" };
    let cases = parts.map(|part| {
        let (header, body) = part.split_once('\n').expect("a program after its header");
        let (verdict, title) = header.split_once(": ").unwrap_or_else(|| panic!("`{header}` is no header"));
        Case { name, verdict: verdict.to_string(), title: title.to_string(), text: format!("{head}{body}") }
    });
    cases.collect()
}

fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proofs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Does the compiled program fail? What it says then.
fn failure(compiler: &str, case: &Case) -> Option<String> {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let text = &case.text;
    std::fs::write(path(case.name), text).unwrap();
    if case.name.ends_with(".java") {
        let run = |program: &str, arguments: &[&str]| {
            let output = Command::new(program).current_dir(directory.path()).args(arguments).output().unwrap();
            (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
        };
        assert_eq!(run("javac", &["-nowarn", "-Xlint:none", case.name]), None, "{text}");
        return run("java", &["-ea", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "Main"]);
    }
    std::fs::write(path("stubs.c"), STUBS).unwrap();
    let flags =
        ["-w", "-O0", "-std=gnu11", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-builtin"];
    let mut command = Command::new(compiler);
    command.args(flags).arg("-o").args(["run", "program.c", "stubs.c"].map(path));
    let built = command.output().unwrap();
    assert!(built.status.success(), "{text}\n{}", String::from_utf8_lossy(&built.stderr));
    let mut command = Command::new(path("run"));
    let leaks = [("ASAN_OPTIONS", "detect_stack_use_after_return=1"), ("LSAN_OPTIONS", "use_stacks=0:use_registers=0")];
    let output = command.envs(leaks).output().unwrap();
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The verdict of a check, with the reasons for it.
fn checked(source: &Source, domain: Option<DomainName>) -> (Verdict, Vec<String>) {
    let options = Options { domain, max_structures: Some(3_000), ..Options::default() };
    match check(source, &options, &(Arc::new(Alone) as _)) {
        Ok(checked) => {
            let findings = checked.report.findings().map(|(_, finding)| finding.message.clone()).collect();
            (checked.report.verdict, findings)
        }
        Err(rejected) => (Verdict::NotAnalysed, vec![rejected.render(false)]),
    }
}

/// What is wrong with the verdicts on a program.
fn mistakes(compiler: &str, java: &mut Compiler, case: &Case) -> Vec<String> {
    let mut found = Vec::new();
    let source = match case.name.ends_with(".java") {
        true => java.source(case.name, &case.text).unwrap_or_else(|why| panic!("{why}")),
        false => Source::new(case.name, &case.text),
    };
    match (case.verdict.as_str(), case.verdict.ends_with("open")) {
        (_, true) => {}
        ("fails", _) => found.extend(failure(compiler, case).is_none().then(|| "it does not fail".to_string())),
        _ => found.extend(failure(compiler, case).map(|report| format!("it fails: {report}"))),
    }
    match case.verdict.as_str() {
        "fails" | "open" => {
            let proved = DOMAINS.iter().filter(|domain| checked(&source, **domain).0 == Verdict::Proved);
            found.extend(proved.map(|domain| format!("it is proved in {domain:?}")));
        }
        "clean" | "proved" | "proved-open" => {
            let (verdict, reasons) = checked(&source, None);
            let wrong = verdict == Verdict::Bug || case.verdict != "clean" && verdict != Verdict::Proved;
            found.extend(wrong.then(|| format!("it is {verdict:?}: {reasons:?}")));
        }
        other => panic!("`{other}` is no verdict"),
    }
    found
}

#[test]
fn nothing_wrong_is_proved() {
    let Some(compiler) = c_compiler() else { return };
    if !require("javac") {
        return;
    }
    let mut java = Compiler::start(&Settings::default()).unwrap();
    // Some of them, while one is being mended.
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut wrong = Vec::new();
    let mut judged = 0;
    for path in files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for case in cases(&path).iter().filter(|case| format!("{name}: {}", case.title).contains(&only)) {
            judged += 1;
            let of_case = mistakes(compiler, &mut java, case).into_iter();
            wrong.extend(of_case.map(|mistake| format!("{name}, {}: {}: {mistake}", case.verdict, case.title)));
        }
    }
    assert!(judged > 80 || !only.is_empty(), "only {judged} programs were judged");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
