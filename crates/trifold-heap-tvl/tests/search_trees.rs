//! Search trees: a walk down that compares at each node finds the elements that are there, and nothing else.

use trifold_heap_tvl::{Calls, Options, Precision, check_with};
use trifold_ir::FindingKind;
use trifold_oracle::oracle::Effort;
use trifold_oracle::random::random_walks;
use trifold_oracle::{Cases, kinds, parse, structures};
use trifold_tvl::Limits;

const HAS: &str = "proc has(node *x, i32 k) -> bool b { i32 c; b = false;
        while (x != null) {
            c = x->d;
            if (c == k) { b = true; return; }
            if (k < c) { x = x->l; } else { x = x->r; }
        } }";

const ADD: &str = "proc add(node *x, i32 k) -> node *r { node *p; node *e; i32 c; r = x; p = null;
        while (x != null) {
            c = x->d;
            if (c == k) { return; }
            p = x;
            if (k < c) { x = x->l; } else { x = x->r; }
        }
        e = new zeroed node; e->d = k;
        if (p == null) { r = e; return; }
        c = p->d;
        if (k < c) { p->l = e; } else { p->r = e; } }";

/// The kinds of findings but leaks, for a tree that has been built at random.
#[track_caller]
fn found(procedures: &[&str], main: &str) -> Vec<FindingKind> {
    let build =
        "node *x; bool b; i32 k; i32 m; x = null; while (*) { k = nondet; x = add(x, k); } k = nondet; m = nondet;";
    let procedures = procedures.join("\n");
    let text =
        format!("struct node {{ node *l; node *r; i32 d; }} {procedures} entry proc main() {{ {build} {main} }}");
    let program = parse(&text);
    let precision = Precision { ordered: true, calls: Calls::InPlace, ..Precision::default() };
    let options = Options { limits: Limits { structures: Some(200_000), messages: None }, ..Options::default() };
    let report = check_with(&program, program.entry.expect("an entry"), precision, &options, &mut ());
    structures::assert_judged(&report, &Effort::small(60, 300));
    let found = report.findings.iter().map(|finding| finding.kind);
    kinds(found.filter(|kind| *kind != FindingKind::Leak))
}

#[test]
fn what_was_added_is_found() {
    let added = "x = add(x, k); b = has(x, k); assert(b);";
    assert_eq!(found(&[HAS, ADD], added), []);
    assert_eq!(found(&[HAS, ADD], &added.replace("has(x, k)", "has(x, m)")), [FindingKind::Assertion]);
    let wrong = ADD.replace("c = p->d;\n        if (k < c)", "c = p->d;\n        if (c < k)");
    assert_ne!(wrong, ADD);
    assert_eq!(found(&[HAS, &wrong], added), [FindingKind::Assertion]);
    let astray = HAS.replace("if (k < c)", "if (c < k)");
    assert_eq!(found(&[&astray, ADD], added), [FindingKind::Assertion]);
}

#[test]
fn nothing_else_is_found() {
    let others = "b = has(x, m); x = add(x, k); if (k == m) { b = true; }
        if (b) { b = has(x, m); assert(b); } else { b = has(x, m); assert(!b); }";
    assert_eq!(found(&[HAS, ADD], others), []);
    let lost = ADD.replace("p->l = e;", "p->l = e; p->r = null;");
    assert_ne!(lost, ADD);
    assert_eq!(found(&[HAS, &lost], others), [FindingKind::Assertion]);
}

const REMOVE: &str =
    "proc remove(node *x, i32 k) -> node *r { node *p; node *q; node *t; node *u; i32 c; r = x; p = null;
        while (x != null) {
            c = x->d;
            if (c == k) {
                t = x->l; u = x->r;
                if (t != null) { if (u != null) {
                    p = x; u = t->r;
                    while (u != null) { p = t; t = u; u = t->r; }
                    c = t->d; x->d = c;
                    q = t; t = q->l; u = null;
                    if (p == x) { p->l = t; } else { p->r = t; }
                    free(q); return;
                } }
                if (t == null) { t = u; }
                u = null;
                if (p == null) { r = t; } else { c = p->d; if (k < c) { p->l = t; } else { p->r = t; } }
                free(x); return;
            }
            p = x;
            if (k < c) { x = x->l; } else { x = x->r; }
        } }";

#[test]
fn what_was_removed_is_not_found() {
    let removed = "x = remove(x, k); b = has(x, k); assert(!b);";
    assert_eq!(found(&[HAS, ADD, REMOVE], removed), []);
    assert_eq!(found(&[HAS, ADD, REMOVE], &removed.replace("has(x, k)", "has(x, m)")), [FindingKind::Assertion]);
    let twice = ADD.replace("if (c == k) { return; }", "");
    assert_ne!(twice, ADD);
    assert_eq!(found(&[HAS, &twice, REMOVE], removed), [FindingKind::Assertion]);
}

#[test]
fn random_walks_are_represented() {
    let cases = Cases { cases: 40, decisions: 0..60, file: file!() };
    let judge = |decisions: &[u8]| structures::judge_text(&random_walks(decisions), &Effort::small(20, 100));
    cases.judge(judge).expect(95, 15_000);
}
