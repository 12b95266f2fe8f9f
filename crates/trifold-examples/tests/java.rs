//! The Java programs of `examples/java`: the analysis finds the bugs that their headers name.
//!
//! A program whose name ends in `Bug` has a planted one, of the kind that its header names. All others are correct:
//! null is not dereferenced, no assertion fails, and every call is free of cutpoints; those that sort or search return
//! the objects that they were given, in another order at most. In the interpreter the correct ones do nothing wrong,
//! and in those with a bug only the expected failure happens. Everything that the interpreter sees is represented where
//! it sees it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use trifold_check::source::ClassFiles;
use trifold_examples::tools::require;
use trifold_heap_tvl::{Options, StructureReport, check};
use trifold_ir::{FindingKind, ProcId, Program, Seeded, Statement, interpret};
use trifold_machine::java::{Compiler, Settings, Text};
use trifold_oracle::oracle::{Effort, judge};
use trifold_oracle::structures::Structures;
use trifold_tvl::{Limits, StopReason};

struct Example {
    name: String,
    classes: ClassFiles,
    /// The kind of finding that is planted.
    planted: Option<FindingKind>,
}

fn examples() -> Vec<Example> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths.sort();
    if !require("javac") {
        return Vec::new();
    }
    let text = |path: &PathBuf| (path.display().to_string(), std::fs::read_to_string(path).expect("a readable file"));
    let texts: Vec<Text> = paths.iter().map(text).collect();
    let mut compiler = Compiler::start(&Settings::default()).expect("a compiler");
    let compiled = compiler.compile(&texts).into_iter();
    let example = |((path, (_, text)), classes): ((&PathBuf, &Text), Result<ClassFiles, String>)| {
        let name = path.strip_prefix(&root).expect("below the root").display().to_string();
        let expected = text.lines().find_map(|line| line.strip_prefix("// expect: ")).expect("a header");
        let kind = expected.split(':').next().unwrap_or_default();
        let planted = (kind != "proved").then(|| FindingKind::from_name(kind).expect("a kind"));
        assert_eq!(planted.is_some(), name.ends_with("Bug.java"), "{name}");
        Example { name, classes: classes.expect("a program"), planted }
    };
    paths.iter().zip(&texts).zip(compiled).map(example).collect()
}

fn loaded(ClassFiles { names, texts, path, .. }: &ClassFiles) -> Program {
    let input = trifold_jvm::Input { classes: names, texts, path: &**path };
    let loaded = trifold_jvm::load(&input, trifold_jvm::Entry::Method("main"));
    loaded.unwrap_or_else(|failure| panic!("{}", failure.render(false))).program
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
        match entry.path() {
            path if path.is_dir() => collect(&path, paths),
            path if path.extension().is_some_and(|extension| extension == "java") => paths.push(path),
            _ => {}
        }
    }
}

/// Correct programs that are not proved yet, with their findings.
const NOT_PROVED: [(&str, &[&str]); 0] = [];

#[test]
fn headers_say_what_is_found() {
    let mut wrong = Vec::new();
    let mut known: BTreeMap<&str, &[&str]> = NOT_PROVED.into_iter().collect();
    for Example { name, classes, planted } in examples() {
        let program = loaded(&classes);
        let start = Instant::now();
        let limits = Limits { structures: Some(20_000), messages: None };
        // Memory is collected; but procedures that sort must not lose anything.
        let options = Options { limits, leaks: name.starts_with("sort/"), ..Options::default() };
        let report = check(&program, program.entry.expect("main"), &options, &mut ());
        wrong.extend(misjudged(&name, &report));
        let mut found: Vec<&str> = report.findings.iter().map(|finding| finding.kind.name()).collect();
        found.retain(|kind| *kind != FindingKind::Leak.name());
        found.sort();
        found.dedup();
        if report.stop != StopReason::Fixpoint {
            found.push("limit");
        }
        if planted.is_none() && name.starts_with("sort/") {
            wrong.extend(not_permuted(&name, &report));
        }
        let statistics = report.analysis.solution.statistics;
        let contexts = report.analysis.solution.contexts.len();
        println!("{name}: {found:?}, {} structures, {contexts} contexts, {:.2?}", statistics.created, start.elapsed());
        let is_right = match planted {
            Some(planted) => found.contains(&planted.name()),
            None => found == known.remove(name.as_str()).unwrap_or_default(),
        };
        if !is_right {
            wrong.push(format!("{name}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(known.is_empty(), "there are no such programs: {known:?}");
}

/// Every state of a run must be represented, at every point of every method, and everything that goes wrong must be
/// reported.
fn misjudged(name: &str, report: &StructureReport) -> Option<String> {
    let limits = trifold_ir::Options { max_steps: 600, max_objects: 10, leaks_at_end: false };
    match judge(&Structures::new(report), &Effort { seeds: 15, exhaustive: 25, limits }) {
        Err(wrong) => Some(format!("{name}: {wrong}")),
        Ok(tally) if tally.states < 20 => Some(format!("{name}: too few states are compared: {tally}")),
        Ok(_) => None,
    }
}

/// The reason why the procedures that sort and search do not return a permutation of the objects that they are given:
/// they lose an object, or make one. Programs make objects in `create` only, and lose them where they walk along the
/// result.
fn not_permuted(name: &str, report: &StructureReport) -> Option<String> {
    let program = &report.lowered.program;
    let simple = |procedure: ProcId| program[procedure].name.rsplit('.').next().unwrap_or_default();
    let around = |procedure: ProcId| ["create", "sorted", "main", "$start", "List"].contains(&simple(procedure));
    let lost = report.findings.iter().filter(|finding| finding.kind == FindingKind::Leak).find(|finding| {
        let statement = &program[finding.place.at().0].edges[finding.place.at().1].statement;
        let walks = matches!(statement, Statement::Load { .. } | Statement::Return);
        !around(finding.place.at().0) || simple(finding.place.at().0) == "main" && !walks
    });
    let makes = |procedure: &&ProcId| {
        let mut edges = program[**procedure].edges.iter();
        !around(**procedure) && edges.any(|edge| matches!(edge.statement, Statement::Allocate { .. }))
    };
    let made = report.lowered.procedures.iter().find(makes);
    let lost = lost.map(|finding| format!("{name}: an object is lost in {}", program[finding.place.at().0].name));
    lost.or(made.map(|procedure| format!("{name}: an object is made in {}", program[*procedure].name)))
}

#[test]
fn nothing_else_happens_when_they_run() {
    for Example { name, classes, planted } in examples() {
        let program = loaded(&classes);
        let options = trifold_ir::Options { max_steps: 2_000, max_objects: 100, leaks_at_end: false };
        for seed in 0..60 {
            let entry = program.entry.expect("main");
            let run = interpret(&program, entry, &options, &mut Seeded::new(seed), &mut |_, _| {});
            for finding in run.findings.iter().filter(|finding| finding.kind != FindingKind::Leak) {
                assert_eq!(Some(finding.kind), planted, "{name}: {}", finding.text);
            }
        }
    }
}
