//! The C programs of `examples/c` in the domain of checkers.
//!
//! A planted bug must be found, every state that a run visits must be represented by a shape graph of its program
//! point, and how many of the correct programs are proved must not get less.

#[path = "../../trifold-heap-sl/tests/common/mod.rs"]
mod common;

use trifold_c::{Translation, load, translate};
use trifold_examples::c::examples;
use trifold_examples::tools::c_compiler;
use trifold_heap_sl::{Options, StopReason, Verdict, check};
use trifold_ir::FindingKind;

/// The analysis of a program is given up early: those that are proved at all are proved quickly.
const OPTIONS: Options = Options { max_work: 4_000_000, max_graphs: 80, grain: None, keep_dead: false };

/// Correct programs that are proved within these limits, at the least.
const PROVED: usize = 99;

#[test]
fn no_planted_bug_is_missed_and_no_state() {
    let examples = examples();
    if c_compiler().is_none() {
        return;
    }
    let (mut proved, mut missed, mut states, mut given_up) = (Vec::new(), Vec::new(), 0, 0);
    for example in &examples {
        let name = example.name();
        let text = example.preprocessed().expect("a compiler");
        let loaded = load(&name, &text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        let Translation { program, .. } = translate(&loaded.program, &Default::default());
        let entry = program.entry.expect("main");
        let report = check(&program, entry, &OPTIONS, &mut || true);
        if report.stop == StopReason::Fixpoint {
            let mut oracle = common::Oracle::new(&program, &report);
            oracle.run_all(entry, 4, 0).unwrap_or_else(|problem| panic!("{name}: {problem}"));
            states += oracle.states;
            given_up += oracle.given_up.get();
        }
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
    println!("{states} states, of which {given_up} were given up; {} correct programs are proved", proved.len());
    assert!(states > 1_000, "only {states} states were compared");
    assert!(1_000 * given_up <= states, "{given_up} of {states} states were given up");
    assert!(proved.len() >= PROVED, "only {} correct programs are proved: {proved:?}", proved.len());
}
