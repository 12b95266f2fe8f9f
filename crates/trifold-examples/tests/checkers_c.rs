//! The C programs of `examples/c` in the domain of checkers.
//!
//! A planted bug must be found, every state that a run visits must be represented by a shape graph of its program
//! point, and how many of the correct programs are proved must not get less.

use trifold_c::{Translation, load, translate};
use trifold_examples::c::examples;
use trifold_examples::tools::c_compiler;
use trifold_heap_sl::{Options, StopReason, Verdict, check};
use trifold_ir::FindingKind;
use trifold_oracle::graphs::Graphs;
use trifold_oracle::oracle::{Effort, Tally, judge};

/// The analysis of a program is given up early: those that are proved at all are proved quickly.
const OPTIONS: Options = Options {
    max_work: 1_200_000_000,
    max_bytes: u64::MAX,
    max_graphs: 80,
    grain: None,
    thorough: false,
    keep_dead: false,
    leaks: true,
};

/// Correct programs that are proved within these limits, at the least.
const PROVED: usize = 99;

/// Analyses of a hundred that come to their end, at the least.
const JUDGED: usize = 85;

#[test]
fn no_planted_bug_is_missed_and_no_state() {
    let examples = examples();
    if c_compiler().is_none() {
        return;
    }
    let (mut proved, mut missed, mut tally) = (Vec::new(), Vec::new(), Tally::default());
    for example in &examples {
        let name = example.name();
        let text = example.preprocessed().expect("a compiler");
        let loaded = load(&name, &text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        let Translation { program, .. } = translate(&loaded.program, &Default::default());
        let entry = program.entry.expect("main");
        let report = check(&program, entry, &OPTIONS, &mut || true);
        let judged = judge(&Graphs::new(&program, entry, &report), &Effort::small(4, 0));
        tally += judged.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        if example.expected.is_empty() {
            proved.extend((report.overall() == Verdict::Proved).then_some(name));
            continue;
        }
        assert_ne!(report.overall(), Verdict::Proved, "{name} has a bug and was proved");
        let line = |span| loaded.sources.locate(span).1.line;
        let found: Vec<(FindingKind, usize)> = report.findings.iter().map(|f| (f.kind, line(f.place.span))).collect();
        let unknown = found.iter().any(|(kind, _)| *kind == FindingKind::NotAnalysed);
        for expected in example.expected.iter().filter(|_| report.stop == StopReason::Fixpoint && !unknown) {
            // In a recursive call a variable that is not read any more does not hold its object, so a leak is reported
            // earlier.
            let recursive = name.contains("recursive/");
            let is_it = |found: &(FindingKind, usize)| {
                let earlier = found.0 == FindingKind::Leak && expected.0 == found.0 && found.1 < expected.1;
                found == expected || recursive && earlier
            };
            if !found.iter().any(is_it) {
                missed.push(format!("{name}: {expected:?} is not among {found:?}"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    println!("{tally}; {} correct programs are proved", proved.len());
    tally.expect(JUDGED, 1_000);
    assert!(proved.len() >= PROVED, "only {} correct programs are proved: {proved:?}", proved.len());
}
