//! The translation to heap programs. The programs beside this file have their expected findings in their headers; they
//! are run by the interpreter, and, compiled, by the machine.

mod shown;
mod support;
mod unsupported;

use std::collections::BTreeSet;
use support::{Expected, programs, translated};
use trifold_ir::{FindingKind, Options, RunEnd, Seeded, interpret};

const SEEDS: u64 = 60;

#[test]
fn programs_do_what_they_say() {
    for program in programs() {
        let loaded = translated(&program.path, &program.text);
        let entry = loaded.entry.unwrap_or_else(|| panic!("{}: no entry", program.path));
        let mut kinds = BTreeSet::new();
        let mut texts = BTreeSet::new();
        for seed in 0..SEEDS {
            let run = interpret(&loaded, entry, &Options::default(), &mut Seeded::new(seed), &mut |_, _| {});
            kinds.extend(run.findings.iter().map(|finding| finding.kind));
            texts.extend(run.findings.iter().map(|finding| finding.text.clone()));
            assert!(
                !run.findings.is_empty() || run.outcome == RunEnd::Ended,
                "{}, seed {seed}: {:?}",
                program.path,
                run.outcome
            );
        }
        match &program.expected {
            Expected::Safe => assert!(kinds.is_empty(), "{}: {texts:?}", program.path),
            Expected::Finds(kind) => assert_eq!(kinds, BTreeSet::from([*kind]), "{}: {texts:?}", program.path),
            Expected::NotAnalysed(text) => {
                assert_eq!(kinds, BTreeSet::from([FindingKind::NotAnalysed]), "{}", program.path);
                assert!(texts.iter().any(|found| found.contains(text)), "{}: {texts:?}", program.path);
            }
        }
    }
}

/// A value that nobody needs is computed nevertheless, if that may end the program.
#[test]
fn divisions_by_zero_end_programs() {
    for statement in
        ["1 / zero;", "(void)(1 % zero);", "x = (2 / zero, 1);", "if ((-(3 / zero), 1)) x = 1;", "!(1 / zero);"]
    {
        let text = format!("int main(void) {{ int zero = 0, x = 2; int *p = 0; {statement} *p = x; return 0; }}");
        let program = translated("division.c", &text);
        let entry = program.entry.expect("an entry");
        let run = interpret(&program, entry, &Options::default(), &mut Seeded::new(1), &mut |_, _| {});
        assert_eq!((run.outcome, run.findings.len()), (RunEnd::DivisionByZero, 0), "{statement}");
    }
}
