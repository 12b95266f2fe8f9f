//! Contracts are kept where that is proved: the programs of `examples/contracts`, and programs that come about when
//! statements of theirs are left out or changed, run in the interpreter, which evaluates contracts.

use std::path::{Path, PathBuf};
use trifold_c::{TranslateOptions, Translation, load, translate};
use trifold_check::source::ClassFiles;
use trifold_examples::tools::require;
use trifold_heap_sl::{Options, Verdict, check, no_checkers};
use trifold_ir::{FindingKind, ProcId, Program, Seeded, interpret};
use trifold_machine::java::{Compiler, Settings};
use trifold_oracle::fuzz::mutate::{Random, change_statement};
use trifold_passes::contracts::{Specified, Written, specify};

/// Runs of a program that is proved.
const RUNS: u64 = 150;

/// Programs that are made of each example.
const CHANGED: u64 = 60;

fn examples() -> Vec<(PathBuf, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/contracts");
    let entries = std::fs::read_dir(directory).expect("a directory of examples");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "java"));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).expect("a program"))).collect()
}

/// A program with its contracts; nothing if it is no program, or needs a preprocessor.
fn program(path: &Path, text: &str, compiler: &mut Compiler) -> Option<Program> {
    let name = path.display().to_string();
    let (mut program, written): (Program, Vec<(ProcId, Vec<Written>)>) = if name.ends_with(".java") {
        let ClassFiles { names, texts, path, .. } =
            compiler.compile(&[(name.clone(), text.to_string())]).remove(0).ok()?;
        let input = trifold_jvm::Input { classes: &names, texts: &texts, path: &*path };
        let loaded = trifold_jvm::load(&input, trifold_jvm::Entry::Method("main")).ok()?;
        (loaded.program, loaded.contracts)
    } else {
        let library = "void *malloc(unsigned long); void free(void *);";
        let loaded = load(&name, &text.replace("#include <stdlib.h>", library).replace("NULL", "0")).ok()?;
        let Translation { program, functions, .. } = translate(&loaded.program, &TranslateOptions::default());
        let written = |id: &trifold_c::DeclarationId| loaded.program.contracts.get(id).cloned();
        let contracts = functions
            .iter()
            .filter_map(|function| Some((function.procedures.first()?, written(&function.declaration)?)));
        (program, contracts.map(|(procedure, written)| (*procedure, written)).collect())
    };
    let contracts = written.into_iter().map(|(procedure, written)| Specified { procedure, is_defined: true, written });
    specify(&mut program, &contracts.collect::<Vec<_>>()).ok()?;
    assert!(no_checkers(&program).is_empty(), "{name}");
    Some(program)
}

/// Is everything proved that contracts say, and that nothing else goes wrong?
fn is_proved(program: &Program, counts: &dyn Fn(FindingKind) -> bool) -> bool {
    let roots = program.contracts.keys().copied().chain(program.entry);
    roots.into_iter().all(|root| {
        let report = check(program, root, &Options { max_work: 600_000_000, ..Options::default() }, &mut || true);
        report.overall() == Verdict::Proved
            || report.stop == trifold_fixpoint::StopReason::Fixpoint && !report.findings.iter().any(|f| counts(f.kind))
    })
}

/// The failures in a run.
fn wrong(program: &Program, seed: u64) -> Vec<(FindingKind, String)> {
    let options = trifold_ir::Options { max_steps: 3_000, max_objects: 60, ..trifold_ir::Options::default() };
    let entry = program.entry.expect("main");
    let run = interpret(program, entry, &options, &mut Seeded::new(seed), &mut |_, _| {});
    run.findings.into_iter().map(|finding| (finding.kind, finding.text)).collect()
}

/// Variables and fields of the examples.
const NAMES: [&str; 14] =
    ["all", "n", "next", "rest", "done", "todo", "front", "behind", "last", "before", "at", "t", "NULL", "prev"];

#[test]
fn what_is_proved_is_kept_in_all_runs() {
    if !require("javac") {
        return;
    }
    let mut compiler = Compiler::start(&Settings::default()).expect("a compiler");
    let (mut proved, mut open, mut broken) = (0, 0, 0);
    for (path, text) in examples() {
        let is_java = path.extension().is_some_and(|extension| extension == "java");
        let counts = |kind: FindingKind| !is_java || kind != FindingKind::Leak;
        let mut random = Random::new(text.len() as u64);
        let texts =
            std::iter::once(text.clone()).chain((0..CHANGED).map(|_| change_statement(&text, &NAMES, &mut random)));
        for text in texts {
            let Some(program) = program(&path, &text, &mut compiler) else { continue };
            let findings =
                |seed| wrong(&program, seed).into_iter().filter(|(kind, _)| counts(*kind)).collect::<Vec<_>>();
            if is_proved(&program, &counts) {
                proved += 1;
                for seed in 0..RUNS {
                    assert_eq!(findings(seed), [], "{}, seed {seed}:\n{text}", path.display());
                }
            } else {
                open += 1;
                let is_assertion = |(kind, _): &(FindingKind, String)| *kind == FindingKind::Assertion;
                broken += usize::from((0..20).any(|seed| findings(seed).iter().any(is_assertion)));
            }
        }
    }
    println!("{proved} proved, {open} open, of which contracts are broken in runs of {broken}");
    // There must be something to be found.
    assert!(proved >= 40 && open >= 100 && broken >= 30, "{proved}, {open}, {broken}");
}
