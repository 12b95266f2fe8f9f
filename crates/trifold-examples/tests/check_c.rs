//! The C programs of `examples/c` in the three-valued domain.
//!
//! A planted bug must be found: a program with a bug is never proved, and where the analysis came to its end, each bug
//! is among its findings, and every state that a run visits is represented by a structure of its program point.
//! Precision is another matter: how many of the correct programs are proved must not get less.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use trifold_c::{Translation, load, translate};
use trifold_examples::c::{Example, examples};
use trifold_examples::tools::c_compiler;
use trifold_heap_tvl::{Options, StructureReport, Verdict, check};
use trifold_ir::FindingKind;
use trifold_oracle::oracle::{Effort, Tally, Wrong, judge};
use trifold_oracle::structures::Structures;
use trifold_tvl::{Limits, StopReason};

/// The analysis of a program is given up when it has created more structures.
const MAX_STRUCTURES: usize = 3_000;

/// Correct programs that are proved within that limit, at the least. Most of the others need more structures.
const PROVED: usize = 74;

/// Analyses of a hundred that come to their end within it, at the least.
const JUDGED: usize = 50;

/// FIXME: at a call on a local heap, what an anchor outside of it leads to keeps `r[…,via …]`, though the anchor is not
/// there. That contradicts the rule of its definition. It is reported as not analysed, so nothing is proved that is
/// wrong.
const CONTRADICTING: [&str; 4] =
    ["tree/bst_delete.c", "tree/bst_delete_bug.c", "tree/walk_with_stack.c", "tree/walk_with_stack_bug.c"];

struct Checked {
    verdict: Verdict,
    complete: bool,
    findings: Vec<(FindingKind, usize)>,
    /// What of runs is represented, or what is wrong.
    judged: Result<Tally, Wrong>,
}

#[test]
fn no_planted_bug_is_missed_and_no_state() {
    let examples = examples();
    if c_compiler().is_none() {
        return;
    }
    let checked = check_all(&examples);
    let (mut proved, mut missed) = (Vec::new(), Vec::new());
    for (example, checked) in examples.iter().zip(&checked) {
        let name = example.name();
        if example.expected.is_empty() {
            proved.extend((checked.verdict == Verdict::Proved).then_some(name));
            continue;
        }
        assert_ne!(checked.verdict, Verdict::Proved, "{name} has a bug and was proved");
        let unseen = [FindingKind::NotAnalysed, FindingKind::Cutpoint];
        let unknown = checked.findings.iter().any(|(kind, _)| unseen.contains(kind));
        for expected in example.expected.iter().filter(|_| checked.complete && !unknown) {
            if !checked.findings.contains(expected) {
                missed.push(format!("{name}: {expected:?} is not among {:?}", checked.findings));
            }
        }
    }
    let (mut tally, mut contradicting) = (Tally::default(), Vec::new());
    for (example, checked) in examples.iter().zip(checked) {
        match checked.judged {
            Ok(judged) => tally += judged,
            Err(Wrong::Contradiction(_)) => contradicting.push(example.name()),
            Err(wrong) => missed.push(format!("{}: {wrong}", example.name())),
        }
    }
    assert_eq!(contradicting, CONTRADICTING);
    println!("{tally}; {} correct programs are proved: {}", proved.len(), proved.join(" "));
    tally.expect(JUDGED, 5_000);
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(proved.len() >= PROVED, "only {} correct programs are proved: {proved:?}", proved.len());
}

/// On two threads, in the order of the examples.
fn check_all(examples: &[Example]) -> Vec<Checked> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((number, example)) = {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    examples.get(number).map(|example| (number, example))
                } {
                    let checked = check_one(example);
                    results.lock().expect("no panic").push((number, checked));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no panic");
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, checked)| checked).collect()
}

fn check_one(example: &Example) -> Checked {
    let text = example.preprocessed().expect("a compiler");
    let loaded = load(&example.name(), &text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    let Translation { program, .. } = translate(&loaded.program, &Default::default());
    let limits = Limits { structures: Some(MAX_STRUCTURES), messages: None };
    let report: StructureReport =
        check(&program, program.entry.expect("main"), &Options { limits, ..Options::default() }, &mut ());
    let line = |span| loaded.sources.locate(span).1.line;
    Checked {
        judged: judge(&Structures::new(&report), &Effort::small(4, 0)),
        verdict: report.overall(),
        complete: report.stop == StopReason::Fixpoint,
        findings: report.findings.iter().map(|finding| (finding.kind, line(finding.place.span))).collect(),
    }
}
