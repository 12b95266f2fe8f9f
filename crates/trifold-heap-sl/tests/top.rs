//! ⊤: the part of memory that cannot be described is given up and reported, and the rest goes on to be analysed.

use trifold_heap_sl::{Grain, Options, StopReason, Top, Verdict, check};
use trifold_ir::FindingKind;
use trifold_oracle::graphs::{Graphs, assert_judged, expect};
use trifold_oracle::oracle::{Effort, Tally, judge};
use trifold_oracle::random::{Unknown, random_unknown};
use trifold_oracle::{Cases, graphs, parse};

const LISTS: &str = "struct node { node *n; i32 d; } entry proc main() { node *x; node *y; node *t; node *u;
    x = null; while (*) { t = new node; t->n = x; x = t; }
    y = null; while (*) { t = new node; t->n = y; y = t; }";
const FREE_Y: &str = "while (y != null) { t = y->n; free(y); y = t; }";

/// After a call of which nothing is known, the memory that it cannot come to is as it was.
#[test]
fn the_rest_of_memory_is_known() {
    let program = |body: &str| format!("{LISTS} {body} }}");
    let unknown = "u = unknown f(x);";
    expect(&program(&format!("{unknown} {FREE_Y}")), &[FindingKind::NotAnalysed]);
    // Faults there are found still.
    expect(&program(unknown), &[FindingKind::NotAnalysed, FindingKind::Leak]);
    let twice = "if (y != null) { t = y->n; free(y); if (*) { free(y); } y = t; }";
    expect(&program(&format!("{unknown} {twice} {FREE_Y}")), &[FindingKind::NotAnalysed, FindingKind::DoubleFree]);
    // A list that is stored in the part that is not known is lost from sight, and so are its leaks.
    expect(
        &program(&format!("{unknown} if (u != null) {{ u->n = y; }} y = null;")),
        &[FindingKind::NotAnalysed, FindingKind::Leak],
    );
    expect(
        &program(&format!("{unknown} u->n = y; y = null; x = u->n; x->d = 1; free(x);")),
        &[FindingKind::NotAnalysed],
    );
}

/// A part of the caller's memory that a callee gives up is given up there.
#[test]
fn callers_know_what_is_given_up() {
    let text = "struct node { node *n; node *m; } global node *g;
        proc f(node *x) -> node *r { r = unknown e(x); }
        entry proc main() { node *x; node *y; node *z; x = new zeroed node; y = new zeroed node; x->m = y; z = new zeroed node;
            f(x); free(z); BODY }";
    // It is not known whether the other one was freed.
    expect(&text.replace("BODY", "free(y);"), &[FindingKind::NotAnalysed]);
    expect(&text.replace("BODY", "g = y; free(z);"), &[FindingKind::NotAnalysed, FindingKind::DoubleFree]);
}

/// A structure that no checker describes ends in ⊤, not in a limit.
#[test]
fn shapes_without_number_are_given_up() {
    let text =
        "struct node { node *n; node *m; node *k; } entry proc main() { node *x; node *y; node *t; node *z; node *w;
        x = new zeroed node; y = x; z = new zeroed node;
        while (*) {
            t = new zeroed node;
            if (*) { t->n = x; } else { t->n = y; }
            if (*) { t->m = y; } else { t->m = x; }
            if (*) { y->k = t; } else { x->k = y; }
            if (*) { x = t; } else { y = t; }
        }
        w = x->n; w = x->m; w = x->k; free(z); free(z); }";
    let program = parse(text);
    let entry = program.entry.expect("an entry");
    let options = Options { max_work: 2_400_000_000, max_graphs: 60, grain: Some(Grain::Lossy), ..Options::default() };
    let report = check(&program, entry, &options, &mut || true);
    assert_eq!((report.stop, report.overall()), (StopReason::Fixpoint, Verdict::MayFail));
    let found = |kind| report.findings.iter().any(|finding| finding.kind == kind);
    assert!(found(FindingKind::NotAnalysed) && found(FindingKind::DoubleFree));
    assert!(report.graphs.values().flatten().any(|graph| graph.top != Top::Nothing));
    assert_judged(&program, &report, &Effort::small(40, 300));
}

/// The memory that an unknown function leaves is represented, for all of its possible effects.
#[test]
fn functions_of_which_nothing_is_known() {
    let cases = Cases { cases: 200, decisions: 0..120, file: file!() };
    cases.judge(|decisions| judge_unknown(&random_unknown(decisions))).expect(95, 25_000);
}

fn judge_unknown(program: &Unknown) -> Result<Tally, String> {
    let (unknown, known) = (parse(&program.unknown), parse(&program.known));
    let entry = unknown.entry.expect("an entry");
    let mut tally = Tally::default();
    for grain in [Grain::Coarse, Grain::Lossy] {
        let report = check(&unknown, entry, &graphs::options(grain, false), &mut || true);
        let graphs = Graphs::new(&known, entry, &report).of_procedures(unknown.procedures.len());
        let judged = judge(&graphs, &Effort::small(30, 200));
        tally += judged.map_err(|wrong| format!("{}\n{grain:?}: {wrong}", program.known))?;
    }
    Ok(tally)
}
