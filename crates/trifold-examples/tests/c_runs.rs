//! The headers of the programs of `examples/c` against the interpreter: the expected failures happen, and nothing else
//! does.

use std::collections::BTreeSet;
use trifold_c::TranslateOptions;
use trifold_examples::c::{Example, examples};
use trifold_ir::{FindingKind, Options, Seeded, interpret};

/// Each program is run so many times, and up to so many times while something that is expected has not happened.
const RUNS: u64 = 100;
const MOST_RUNS: u64 = 4000;

type Found = BTreeSet<(FindingKind, usize)>;

/// The failures in some runs.
fn found(example: &Example, text: &str) -> Found {
    let loaded = trifold_c::load(&example.name(), text).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let program = trifold_c::translate(&loaded.program, &TranslateOptions::default()).program;
    let entry = program.entry.expect("a function `main`");
    let mut found = Found::new();
    for seed in 0..MOST_RUNS {
        if seed >= RUNS && example.expected.iter().all(|expected| found.contains(expected)) {
            break;
        }
        let run = interpret(&program, entry, &Options::default(), &mut Seeded::new(seed), &mut |_, _| {});
        found.extend(run.findings.iter().map(|finding| (finding.kind, loaded.sources.locate(finding.span).1.line)));
        if found.iter().any(|finding| finding.0 == FindingKind::NotAnalysed) {
            break;
        }
    }
    found
}

#[test]
fn what_is_expected_happens() {
    for example in examples() {
        let Some(text) = example.preprocessed() else { return };
        let found = found(&example, &text);
        assert_eq!(found, example.expected.iter().copied().collect::<Found>(), "{}", example.name());
    }
}
