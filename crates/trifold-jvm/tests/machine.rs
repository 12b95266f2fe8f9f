//! Programs run alike in the Java machine and in the interpreter.
//!
//! Each file of `programs` has small programs about one cause of mistakes. They note values and end, or fail. What they
//! note, the order of that, and how they end must be the same on both sides. Where ours gives up, because something is
//! not analysed or not computed, what was noted before must agree; how often that is the case is asserted, too.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use support::{Compiled, compile, read};
use trifold_examples::tools::require;
use trifold_ir::{FindingKind, Options, Point, Program, RunEnd, Seeded, State, Type, Value, interpret, validate};
use trifold_jvm::Entry;

const NOTES: &str = r#"
abstract class Notes {
    static void note(int x) { System.out.println("note int " + x); }
    static void note(long x) { System.out.println("note long " + x); }
    static void note(boolean x) { System.out.println("note boolean " + (x ? 1 : 0)); }
    static void note(float x) { System.out.println("note float " + Float.floatToIntBits(x)); }
    static void note(double x) { System.out.println("note double " + Double.doubleToLongBits(x)); }
}
class Runner {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            System.out.println("begin " + name);
            try {
                java.lang.reflect.Method main = Class.forName(name).getDeclaredMethod("main");
                main.setAccessible(true);
                main.invoke(null);
                System.out.println("end ended");
            } catch (java.lang.reflect.InvocationTargetException e) {
                Throwable t = e.getCause();
                while (t instanceof ExceptionInInitializerError && t.getCause() != null) t = t.getCause();
                System.out.println("end " + t.getClass().getSimpleName());
            }
        }
    }
}
"#;

/// What was noted, and how it ended.
#[derive(Debug, PartialEq)]
struct Seen {
    notes: Vec<String>,
    end: String,
}

/// The programs of a file: their names, and their texts.
fn programs(file: &str) -> Vec<(String, String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(format!("{file}.txt"));
    let text = std::fs::read_to_string(path).expect("a file of programs");
    let parts = text.split("//// ").skip(1).enumerate();
    let program = |(number, part): (usize, &str)| {
        let (title, body) = part.split_once('\n').expect("a title");
        let name = format!("{file}{number}");
        (name.clone(), title.to_string(), format!("class {name} extends Notes {{\n{body}\n}}\n"))
    };
    parts.map(program).collect()
}

fn on_the_machine(directory: &Path, names: &[String]) -> BTreeMap<String, Seen> {
    let output =
        Command::new("java").args(["-ea", "-cp"]).arg(directory).arg("Runner").args(names).output().expect("java");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (mut seen, mut name) = (BTreeMap::new(), String::new());
    let mut notes = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match line.split_once(' ') {
            Some(("begin", program)) => (name, notes) = (program.to_string(), Vec::new()),
            Some(("note", note)) => notes.push(note.to_string()),
            Some(("end", end)) => {
                let seen_here = Seen { notes: std::mem::take(&mut notes), end: end.to_string() };
                seen.insert(name.clone(), seen_here);
            }
            _ => {}
        }
    }
    seen
}

fn note(program: &Program, point: Point, state: &State) -> Option<String> {
    let procedure = &program[point.procedure];
    let ty = procedure.name.strip_prefix("Notes.note(")?.strip_suffix(')')?;
    if point.node != procedure.entry {
        return None;
    }
    let parameter = *procedure.parameters.last()?;
    match (state.value(parameter), program[parameter].ty) {
        (Value::Scalar(value), Type::Scalar(_)) if ty == "float" => Some(format!("{ty} {}", value as u32 as i32)),
        (Value::Scalar(value), Type::Scalar(_)) if ty == "double" => Some(format!("{ty} {}", value as u64 as i64)),
        (Value::Scalar(value), Type::Scalar(_)) => Some(format!("{ty} {value}")),
        _ => Some(format!("{ty} ?")),
    }
}

fn in_the_interpreter(compiled: &Compiled, name: &str, text: &str) -> Seen {
    let mut names: Vec<String> =
        compiled.names.iter().filter(|n| *n == name || n.starts_with(&format!("{name}$"))).cloned().collect();
    names.push("Notes".to_string());
    let texts = [(format!("{name}.java"), text.to_string())];
    let input = trifold_jvm::Input { classes: &names, texts: &texts, path: compiled };
    let loaded = trifold_jvm::load(&input, Entry::Method(&format!("{name}.main")));
    let program = loaded.unwrap_or_else(|failure| panic!("{name}: {}", failure.render(false))).program;
    assert_eq!(validate(&program).map_err(|errors| format!("{errors:?}")), Ok(()), "{name}");
    let options = Options { max_steps: 100_000, max_objects: 10_000, leaks_at_end: false };
    let mut notes = Vec::new();
    let entry = program.entry.expect("an entry");
    let run = interpret(&program, entry, &options, &mut Seeded::new(1), &mut |point, state| {
        notes.extend(note(&program, point, state));
    });
    if let Some(cause) = run.inexact {
        return Seen { notes: Vec::new(), end: format!("cut: {}", cause.text()) };
    }
    let finding = run.findings.iter().find(|finding| finding.kind != FindingKind::Leak);
    let end = match (finding, run.outcome) {
        (Some(finding), _) if finding.kind == FindingKind::NotAnalysed => format!("cut: {}", finding.text),
        (Some(finding), _) => finding.kind.name().to_string(),
        (None, RunEnd::Ended | RunEnd::Stopped) => "ended".to_string(),
        (None, other) => format!("{other:?}"),
    };
    Seen { notes, end }
}

/// What is found where the machine throws an exception.
fn expected(thrown: &str) -> &str {
    match thrown {
        "NullPointerException" => "null-dereference",
        "AssertionError" => "assertion",
        "ClassCastException"
        | "ArithmeticException"
        | "ArrayIndexOutOfBoundsException"
        | "ArrayStoreException"
        | "NegativeArraySizeException"
        | "StringIndexOutOfBoundsException" => "uncaught-exception",
        _ => "ended",
    }
}

/// Compares all programs of a file; as many as said are not run to their end by the interpreter.
fn compare(file: &str, cut: usize) {
    if !(require("javac") && require("java")) {
        return;
    }
    let (sources, classes) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let programs = programs(file);
    let mut files = vec![sources.path().join("Notes.java")];
    std::fs::write(&files[0], NOTES).unwrap();
    for (name, _, text) in &programs {
        let path = sources.path().join(format!("{name}.java"));
        std::fs::write(&path, text).unwrap();
        files.push(path);
    }
    compile(&files, classes.path());
    let names: Vec<String> = programs.iter().map(|(name, ..)| name.clone()).collect();
    let machine = on_the_machine(classes.path(), &names);
    let compiled = read(classes.path());
    let (mut wrong, mut given_up) = (Vec::new(), Vec::new());
    for (name, title, text) in &programs {
        let (theirs, ours) = (&machine[name], in_the_interpreter(&compiled, name, text));
        if ours.end.starts_with("cut: ") {
            let agrees =
                ours.notes.iter().zip(&theirs.notes).all(|(a, b)| a == b) && ours.notes.len() <= theirs.notes.len();
            given_up.push(format!("{title}: {}", ours.end));
            if !agrees {
                wrong.push(format!("{title}: {ours:?}, the machine {theirs:?}"));
            }
        } else if ours.notes != theirs.notes || ours.end != expected(&theirs.end) {
            wrong.push(format!("{title}: {ours:?}, the machine {theirs:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(programs.len() >= 10, "{file} has {} programs", programs.len());
    assert!(given_up.len() <= cut, "{} are not run to their end:\n{}", given_up.len(), given_up.join("\n"));
}

#[test]
fn overloads_and_overriding() {
    compare("overload", 0);
}

#[test]
fn boxes() {
    compare("unbox", 0);
}

#[test]
fn casts_and_tests() {
    compare("casts", 0);
}

#[test]
fn initialisation() {
    compare("initial", 0);
}

#[test]
fn arguments_of_the_library() {
    compare("library", 1);
}

#[test]
fn methods_of_objects() {
    compare("objects", 1);
}

#[test]
fn exceptions() {
    compare("exceptions", 0);
}

#[test]
fn numbers() {
    compare("numbers", 0);
}

#[test]
fn null_is_found_where_it_is_used() {
    compare("null", 1);
}

#[test]
fn texts_and_boxes_are_the_same_or_not() {
    compare("identity", 1);
}

#[test]
fn names_mean_what_the_compiler_says() {
    compare("names", 0);
}

#[test]
fn collections() {
    compare("collections", 0);
}

#[test]
fn the_first_failure_counts() {
    compare("order", 0);
}

/// Every assertion of the program holds in Java.
#[test]
fn assertions_that_hold_in_java_hold() {
    if !(require("javac") && require("java")) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/Semantics.java");
    compile(&[path], directory.path());
    let output = Command::new("java").arg("-ea").arg("-cp").arg(directory.path()).arg("Semantics").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let compiled = read(directory.path());
    let input = trifold_jvm::Input { classes: &compiled.names, texts: &[], path: &compiled };
    let program = trifold_jvm::load(&input, Entry::Method("Semantics.main")).unwrap().program;
    let entry = program.entry.expect("a main");
    let run = interpret(&program, entry, &Options::default(), &mut Seeded::new(1), &mut |_, _| {});
    let found: Vec<_> = run.findings.iter().filter(|finding| finding.kind != FindingKind::Leak).collect();
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(run.outcome, RunEnd::Ended);
}
