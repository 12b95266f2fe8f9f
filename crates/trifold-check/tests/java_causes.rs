//! Programs of the tests of class files that fail in the Java machine, and twins of those that do not: none is proved.
//!
//! A file of `trifold-jvm/tests/programs` has programs about one cause of mistakes; they note values. In the twin of a
//! program a note fails an assertion when it gets the last value that the Java machine noted. For example, the twin of
//! `note(f(1)); note(f(2));`, of which the second value is 7, asserts that the second value is not 7.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use trifold_check::source::ClassFiles;
use trifold_check::{Alone, Options, Source, Verdict, check};
use trifold_examples::tools::require;
use trifold_machine::java::{Compiler, Settings, Text};

/// The types of values that are noted.
const TYPES: [&str; 5] = ["int", "long", "boolean", "float", "double"];

const RUNNER: &str = r#"
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
                System.out.println("end " + e.getCause().getClass().getSimpleName());
            }
        }
    }
}
"#;

/// Exceptions that are findings.
const FAILURES: [&str; 9] = [
    "NullPointerException",
    "AssertionError",
    "ClassCastException",
    "ArithmeticException",
    "ArrayIndexOutOfBoundsException",
    "ArrayStoreException",
    "NegativeArraySizeException",
    "StringIndexOutOfBoundsException",
    "ExceptionInInitializerError",
];

struct Case {
    file: String,
    title: String,
    name: String,
    body: String,
}

fn cases() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../trifold-jvm/tests/programs");
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "txt")).collect();
    // Analyses of the library take long; what it does is compared by runs.
    paths.retain(|path| !path.ends_with("collections.txt"));
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let file = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, part) in text.split("//// ").skip(1).enumerate() {
            let (title, body) = part.split_once('\n').unwrap();
            let name = format!("{file}{number}");
            cases.push(Case { file: file.clone(), title: title.to_string(), name, body: body.to_string() });
        }
    }
    cases
}

impl Case {
    /// The program, with this class for its notes.
    fn text(&self, notes: &str, methods: &str) -> Text {
        let Case { name, body, .. } = self;
        let text = format!("class {name} extends {notes} {{\n{body}\n}}\nabstract class {notes} {{\n{methods}}}\n");
        (format!("{name}.java"), text)
    }

    /// Notes print.
    fn printing(&self) -> Text {
        let print = |ty: &&str| format!("static void note({ty} x) {{ System.out.println(\"note {ty} \" + x); }}\n");
        self.text(&format!("Notes_{}", self.name), &TYPES.iter().map(print).collect::<String>())
    }

    /// The last of so many notes must not have the value that it has.
    fn twin(&self, notes: &[(String, String)]) -> Option<Text> {
        let ((ty, value), last) = (notes.last()?, notes.len() - 1);
        let suffix = match ty.as_str() {
            "long" => "L",
            "float" => "f",
            _ => "",
        };
        if ["NaN", "Infinity", "E"].iter().any(|word| value.contains(word)) {
            return None;
        }
        let method = |own: &&str| match *own == ty {
            true => {
                format!("static void note({own} x) {{ assert !(count == {last} && x == {value}{suffix}); count++; }}\n")
            }
            false => format!("static void note({own} x) {{ count++; }}\n"),
        };
        let methods: String = TYPES.iter().map(method).collect();
        Some(self.text(&format!("Notes_{}", self.name), &format!("static int count;\n{methods}")))
    }
}

/// What programs note, and how they end, in the Java machine.
fn run(texts: &[Text]) -> BTreeMap<String, (Vec<(String, String)>, String)> {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("Runner.java"), RUNNER).unwrap();
    let names: Vec<&str> = texts.iter().map(|(name, _)| name.trim_end_matches(".java")).collect();
    texts.iter().for_each(|(name, text)| std::fs::write(path(name), text).unwrap());
    let files = texts.iter().map(|(name, _)| path(name)).chain([path("Runner.java")]);
    let mut compiler = Command::new("javac");
    let output = compiler.args(["-nowarn", "-Xlint:none", "-d"]).arg(directory.path()).args(files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output =
        Command::new("java").args(["-ea", "-cp"]).arg(directory.path()).arg("Runner").args(names).output().unwrap();
    let (mut seen, mut name, mut notes) = (BTreeMap::new(), String::new(), Vec::new());
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match line.split_once(' ') {
            Some(("begin", program)) => (name, notes) = (program.to_string(), Vec::new()),
            Some(("note", note)) => notes.extend(note.split_once(' ').map(|(ty, v)| (ty.to_string(), v.to_string()))),
            Some(("end", end)) => drop(seen.insert(name.clone(), (std::mem::take(&mut notes), end.to_string()))),
            _ => {}
        }
    }
    seen
}

fn verdict((path, text): &Text, classes: ClassFiles) -> Verdict {
    let mut source = Source::new(path, text);
    source.units[0].classes = Some(classes);
    let options = Options { max_structures: Some(2_000), confirm: false, ..Options::default() };
    let checked = check(&source, &options, &(Arc::new(Alone) as _));
    checked.unwrap_or_else(|rejected| panic!("{path}: {}", rejected.render(false))).report.verdict
}

#[test]
fn nothing_that_fails_in_java_is_proved() {
    if !(require("javac") && require("java")) {
        return;
    }
    let cases = cases();
    let printing: Vec<Text> = cases.iter().map(Case::printing).collect();
    let seen = run(&printing);
    let mut failing: Vec<(&Case, Text)> = Vec::new();
    let mut twins: Vec<(&Case, Text)> = Vec::new();
    for (case, text) in cases.iter().zip(printing) {
        let (notes, end) = &seen[&case.name];
        if FAILURES.contains(&end.as_str()) {
            failing.push((case, text));
        }
        twins.extend(case.twin(notes).map(|text| (case, text)));
    }
    let failed = run(&twins.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>());
    twins.retain(|(case, _)| FAILURES.contains(&failed[&case.name].1.as_str()));
    let mut compiler = Compiler::start(&Settings::default()).unwrap();
    let (mut count, mut proved): (BTreeMap<&str, usize>, Vec<String>) = (BTreeMap::new(), Vec::new());
    for programs in [failing, twins] {
        let texts: Vec<Text> = programs.iter().map(|(_, text)| text.clone()).collect();
        for ((case, text), classes) in programs.iter().zip(compiler.compile(&texts)) {
            *count.entry(&case.file).or_default() += 1;
            if verdict(text, classes.unwrap()) == Verdict::Proved {
                proved.push(format!("{}, {}:\n{}", case.file, case.title, text.1));
            }
        }
    }
    println!("{count:?}");
    assert!(proved.is_empty(), "{}", proved.join("\n"));
    assert!(count.len() >= 10 && count.values().all(|count| *count >= 10), "{count:?}");
}
