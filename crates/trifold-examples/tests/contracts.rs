//! Contracts are kept where that is proved: the programs of `examples/contracts`, and programs that come about when
//! statements of theirs are left out or changed, run in the interpreter, which evaluates contracts.

use std::path::{Path, PathBuf};
use trifold_c::{TranslateOptions, Translation, load, translate};
use trifold_heap_sl::{Options, Verdict, check, no_checkers};
use trifold_ir::{FindingKind, ProcId, Program, Seeded, interpret};
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
fn program(path: &Path, text: &str) -> Option<Program> {
    let name = path.display().to_string();
    let (mut program, written): (Program, Vec<(ProcId, Vec<Written>)>) = if name.ends_with(".java") {
        let loaded = trifold_java::load(&name, text, trifold_java::Entry::Method("main")).ok()?;
        (loaded.program, loaded.contracts)
    } else {
        let library = "void *malloc(unsigned long); void free(void *);";
        let loaded = load(&name, &text.replace("#include <stdlib.h>", library).replace("NULL", "0")).ok()?;
        let Translation { program, functions } = translate(&loaded.program, &TranslateOptions::default());
        let written = |name: &str| loaded.program.contracts.get(name).cloned();
        let contracts =
            functions.iter().filter_map(|function| Some((function.procedures.first()?, written(&function.name)?)));
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
        let report = check(program, root, &Options { max_work: 2_000_000, ..Options::default() }, &mut || true);
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

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// The text with a statement that is left out, or with another name in it.
fn changed(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_statement = |line: &&str| line.starts_with("    ") && line.ends_with(';') && !line.contains("\\result");
    let statements: Vec<usize> = (0..lines.len()).filter(|number| is_statement(&lines[*number])).collect();
    let number = statements[random.below(statements.len())];
    let words =
        ["all", "n", "next", "rest", "done", "todo", "front", "behind", "last", "before", "at", "t", "NULL", "prev"];
    let here: Vec<&str> =
        lines[number].split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| words.contains(word)).collect();
    let line = match here.is_empty() || random.below(3) == 0 {
        true => "    ;".to_string(),
        false => lines[number].replacen(here[random.below(here.len())], words[random.below(words.len())], 1),
    };
    lines.iter().enumerate().map(|(n, old)| if n == number { &line } else { *old }).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_proved_is_kept_in_all_runs() {
    let (mut proved, mut open, mut broken) = (0, 0, 0);
    for (path, text) in examples() {
        let is_java = path.extension().is_some_and(|extension| extension == "java");
        let counts = |kind: FindingKind| !is_java || kind != FindingKind::Leak;
        let mut random = Random(text.len() as u64);
        let texts = std::iter::once(text.clone()).chain((0..CHANGED).map(|_| changed(&text, &mut random)));
        for text in texts {
            let Some(program) = program(&path, &text) else { continue };
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
