//! Search trees: a walk down that compares at each node finds the elements that are there, and nothing else.

mod common;

use common::Oracle;
use proptest::prelude::*;
use trifold_heap_tvl::{Calls, Options, Precision, check_with};
use trifold_ir::FindingKind;
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
    let program = common::parse(&text);
    let precision = Precision { ordered: true, calls: Calls::InPlace, ..Precision::default() };
    let options = Options { limits: Limits { structures: Some(200_000), messages: None }, ..Options::default() };
    let report = check_with(&program, program.entry.expect("an entry"), precision, &options, &mut ());
    assert!(report.analysis.contradictions.is_empty(), "updates contradict rules");
    assert_eq!(report.stop, trifold_tvl::StopReason::Fixpoint);
    let mut oracle = Oracle::new(&report);
    if let Err(problem) = oracle.run_all(60, 300) {
        panic!("{}\n{problem}", trifold_ir::print(&report.lowered.program));
    }
    assert!(oracle.states > 0);
    let mut found: Vec<FindingKind> = report.findings.iter().map(|finding| finding.kind).collect();
    found.retain(|kind| *kind != FindingKind::Leak);
    found.sort();
    found.dedup();
    found
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

/// Random statements on the nodes of trees, between and inside walks that compare.
fn random_walks(decisions: &[u8]) -> String {
    let mut decisions = decisions.iter().copied();
    let mut pick = |count: u8| decisions.next().unwrap_or(0) % count;
    let (variables, links, numbers) = (["p", "q", "r"], ["a", "b"], ["i", "j"]);
    let mut text = "struct node { node *a; node *b; i32 d; }\n".to_string();
    for name in ["f", "g"] {
        text += &format!("proc {name}(node *p, node *q, i32 i) -> node *r {{ i32 j; j = 1; r = null;\n");
        let walks = pick(3) > 0;
        if walks {
            text += "  while (p != null) { j = p->d; if (i == j) { r = p; return; }\n";
            text += if pick(2) == 0 { "  q = p;\n" } else { "" };
        }
        for _ in 0..1 + pick(5) {
            let (x, y) = (variables[pick(3) as usize], variables[pick(3) as usize]);
            let (n, m) = (links[pick(2) as usize], links[pick(2) as usize]);
            let (i, j) = (numbers[pick(2) as usize], numbers[pick(2) as usize]);
            text += &match pick(11) {
                0 => format!("  if ({x} != null) {{ {y} = {x}->{n}; }}\n"),
                1 => format!("  if ({x} != null) {{ {x}->{n} = {y}; }}\n"),
                2 => format!("  if ({x} != null) {{ {x}->{n} = null; }}\n"),
                3 => format!("  {x} = new zeroed node;\n  {x}->{n} = {y};\n"),
                4 => format!("  if ({x} != null) {{ {x}->d = {i}; }}\n"),
                5 => format!("  if ({x} != null) {{ {i} = {x}->d; if ({i} < {j}) {{ {x}->{n} = null; }} }}\n"),
                6 => format!("  if ({i} < {j}) {{ {x} = {y}; }} else {{ {j} = nondet(0, 2); }}\n"),
                7 => format!("  if ({x} != null) {{ if ({y} != null) {{ {x}->{n} = null; {y}->{m} = {x}; }} }}\n"),
                8 if name == "g" => format!("  if (*) {{ {x} = f({y}, {x}, {i}); }}\n"),
                9 => format!("  if ({x} == {y}) {{ {x} = null; }}\n"),
                _ => format!("  {x} = {y};\n"),
            };
        }
        if walks {
            text += "  if (p != null) { if (i < j) { p = p->a; } else { p = p->b; } } }\n";
        }
        text += "}\n";
    }
    text + "entry proc main() { node *x; node *y; node *z; i32 c; i32 d; x = new zeroed node; y = new zeroed node; x->a = y; \
        y = new zeroed node; x->b = y; c = nondet(0, 2); x->d = c; d = nondet(0, 3); y->d = d; z = f(x, y, c); y = null; \
        if (*) { z = g(x, z, d); } if (z != null) { y = z->a; if (y != null) { c = z->d; d = y->d; assert(d < c); } } }"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_walks_are_represented(decisions in prop::collection::vec(any::<u8>(), 0..60)) {
        common::judge(&random_walks(&decisions), 20, 100);
    }
}
