//! The programs of `examples/c` in the concrete interpreter: those without bugs never go wrong, those with bugs do, at
//! the lines that their headers name. And nothing in them is left unanalysed.

use std::collections::BTreeSet;
use std::process::Command;
use trifold_c::TranslateOptions;
use trifold_examples::c::examples;
use trifold_ir::{FindingKind, Options, Seeded, interpret, validate};

/// How often a program without bugs is run, and one with bugs as long as they have not all been found.
const RUNS: u64 = 400;
const MAX_RUNS: u64 = 10_000;

#[test]
fn go_as_the_headers_say() {
    let compiler = std::env::var("CC").unwrap_or("cc".to_string());
    for example in examples() {
        let name = example.name();
        let Ok(output) = Command::new(&compiler).arg("-E").arg(&example.path).output() else {
            eprintln!("SKIPPED: without a C compiler there is no preprocessor");
            return;
        };
        let loaded = trifold_c::load(&name, &String::from_utf8_lossy(&output.stdout));
        let loaded = loaded.unwrap_or_else(|failure| panic!("{}", failure.render(false)));
        let translation = trifold_c::translate(&loaded.program, &TranslateOptions::default());
        assert!(validate(&translation.program).is_ok(), "{name}");
        for function in &translation.functions {
            assert!(function.not_analysed.is_empty(), "{name}: {:?}", function.not_analysed);
        }
        let entry = translation.program.entry.expect("every example has a `main`");
        let mut found: BTreeSet<(FindingKind, usize)> = BTreeSet::new();
        let expected: BTreeSet<(FindingKind, usize)> = example.expected.iter().copied().collect();
        for seed in 0..MAX_RUNS {
            if seed >= RUNS && found.is_superset(&expected) {
                break;
            }
            let run =
                interpret(&translation.program, entry, &Options::default(), &mut Seeded::new(seed), &mut |_, _| {});
            found.extend(run.findings.iter().map(|finding| (finding.kind, loaded.sources.locate(finding.span).1.line)));
        }
        // A bug may have further consequences than those that the header names.
        assert!(found.is_superset(&expected), "{name}: only {found:?}");
        assert!(found.is_empty() || !example.is_proved(), "{name}: {found:?}");
    }
}
