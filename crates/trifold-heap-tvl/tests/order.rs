//! Lists that are sorted by their data: a walk along them that compares neighbours never finds two in the wrong order.

use trifold_ir::FindingKind;
use trifold_oracle::oracle::Effort;
use trifold_oracle::random::random_comparisons;
use trifold_oracle::{Cases, kinds, structures};

const LIST: &str = "struct node { node *n; i32 d; }
    proc rising(node *x) -> bool b { node *t; i32 c; i32 d; b = true;
        while (x != null) { t = x->n; if (t != null) { c = x->d; d = t->d; if (c > d) { b = false; return; } } x = t; } }
    proc falling(node *x) -> bool b { node *t; i32 c; i32 d; b = true;
        while (x != null) { t = x->n; if (t != null) { c = x->d; d = t->d; if (c < d) { b = false; return; } } x = t; } }
    proc make() -> node *e { i32 k; e = new zeroed node; k = nondet; e->d = k; }
    proc create() -> node *x { node *e; x = null; while (*) { e = make(); e->n = x; x = e; } }
    proc insert(node *x, node *e) -> node *r { node *p; node *q; i32 c; i32 d;
        d = e->d; p = null; q = x; r = x;
        while (q != null) {
            c = q->d;
            if (d <= c) { e->n = q; if (p == null) { r = e; } else { p->n = e; } return; }
            p = q; q = q->n;
        }
        if (p == null) { r = e; } else { p->n = e; } }
    proc sort(node *x) -> node *r { node *e; r = null; while (x != null) { e = x; x = x->n; e->n = null; r = insert(r, e); } }";

/// Recursive procedures. With one of them in a program all its calls are made on local heaps.
const PUT: &str = "proc put(node *x, node *e) -> node *r { node *t; i32 c; i32 d;
        r = e; if (x == null) { return; } c = e->d; d = x->d; if (c <= d) { e->n = x; return; }
        t = x->n; x->n = null; t = put(t, e); x->n = t; r = x; }";

const MERGE: &str = "proc merge(node *a, node *b) -> node *r { node *t; i32 c; i32 d;
        if (a == null) { r = b; return; } if (b == null) { r = a; return; }
        c = a->d; d = b->d;
        if (c <= d) { t = a->n; a->n = null; t = merge(t, b); a->n = t; r = a; }
        else { t = b->n; b->n = null; t = merge(a, t); b->n = t; r = b; } }";

const QUICK: &str = "proc quick(node *p, node *q) -> node *s { node *hd; node *pr; node *tl; node *t; i32 c; i32 d;
        s = p; if (p == null) { return; } if (p == q) { return; }
        hd = p; pr = p; tl = p->n;
        while (tl != q) {
            c = tl->d; d = p->d;
            if (c < d) { t = tl->n; pr->n = t; tl->n = hd; hd = tl; tl = t; } else { pr = tl; tl = tl->n; }
        }
        tl = p->n; p->n = null;
        s = quick(hd, p); t = quick(tl, q); p->n = t; }";

/// The kinds of findings but leaks: all programs lose their objects in the end.
#[track_caller]
fn found(procedures: &[&str], main: &str) -> Vec<FindingKind> {
    let variables = "node *x; node *y; node *e; bool b; i32 c; i32 d;";
    judged(&format!("{LIST} {} entry proc main() {{ {variables} {main} }}", procedures.join("\n")))
}

/// The kinds of findings but leaks, judged by the runs of the interpreter.
#[track_caller]
fn judged(text: &str) -> Vec<FindingKind> {
    let report = structures::judged(text, &Effort::small(60, 300));
    let found = report.findings.iter().map(|finding| finding.kind);
    kinds(found.filter(|kind| *kind != FindingKind::Leak))
}

const SORTED: &str = "e = null; y = null; b = rising(x); assert(b);";

#[test]
fn insertion_keeps_lists_sorted() {
    let main = format!("x = null; while (*) {{ e = make(); x = insert(x, e); }} {SORTED}");
    assert_eq!(found(&[], &main), []);
    assert_eq!(found(&[], &main.replace("x = insert(x, e);", "e->n = x; x = e;")), [FindingKind::Assertion]);
    let main = format!("x = create(); x = sort(x); {SORTED}");
    assert_eq!(found(&[], &main), []);
    assert_eq!(found(&[], &main.replace("x = sort(x);", "")), [FindingKind::Assertion]);
}

#[test]
fn recursive_insertion_keeps_lists_sorted() {
    let main = format!("x = null; while (*) {{ e = make(); x = put(x, e); }} {SORTED}");
    assert_eq!(found(&[PUT], &main), []);
    assert_eq!(found(&[&PUT.replace("c <= d", "d <= c")], &main), [FindingKind::Assertion]);
}

#[test]
fn merging_keeps_lists_sorted() {
    let main = format!("x = create(); x = sort(x); y = create(); y = sort(y); x = merge(x, y); {SORTED}");
    assert_eq!(found(&[MERGE], &main), []);
    assert_eq!(found(&[&MERGE.replace("c <= d", "d <= c")], &main), [FindingKind::Assertion]);
    assert_eq!(found(&[MERGE], &main.replace("y = sort(y);", "")), [FindingKind::Assertion]);
}

#[test]
fn reversal_turns_the_order_round() {
    let reverse = "proc reverse(node *x) -> node *r { node *t; r = null; while (x != null) { t = x->n; x->n = r; r = x; x = t; } }";
    let main = "x = create(); x = sort(x); x = reverse(x); b = falling(x); assert(b);";
    assert_eq!(found(&[reverse], main), []);
    assert_eq!(found(&[reverse], &main.replace("falling", "rising")), [FindingKind::Assertion]);
}

#[test]
fn quicksort_sorts() {
    let main = format!("x = create(); x = quick(x, null); {SORTED}");
    assert_eq!(found(&[QUICK], &main), []);
    assert_eq!(found(&[&QUICK.replace("c < d", "d < c")], &main), [FindingKind::Assertion]);
    // The field of the pivot is overwritten after the calls; there is no need to say so before.
    let as_it_is = QUICK.replace("p->n = null;", "");
    assert_ne!(as_it_is, QUICK);
    assert_eq!(found(&[&as_it_is], &main), []);
}

#[test]
fn the_greatest_element_is_greater_than_those_before_it() {
    let loops = "proc best(node *x) -> node *m { i32 c; i32 d; m = x;
        while (x != null) { c = x->d; d = m->d; if (c > d) { m = x; } x = x->n; } }";
    let recursion = "proc best(node *x) -> node *m { node *t; i32 c; i32 d;
        m = x; if (x == null) { return; } t = x->n; if (t == null) { return; }
        m = best(t); c = m->d; d = x->d; if (c <= d) { m = x; } }";
    let main = "x = create(); y = best(x); e = x;
        while (e != y) { c = e->d; d = y->d; assert(c < d); e = e->n; }
        while (e != null) { c = e->d; d = y->d; assert(c <= d); e = e->n; }";
    for best in [loops, recursion] {
        assert_eq!(found(&[best], main), []);
        let last = best.replace("c > d", "c >= d").replace("c <= d", "c < d");
        assert_eq!(found(&[&last], main), [FindingKind::Assertion]);
    }
}

#[test]
fn data_that_changes_is_in_no_order() {
    let main = format!("x = create(); x = sort(x); if (x != null) {{ c = nondet; x->d = c; }} {SORTED}");
    assert_eq!(found(&[], &main), [FindingKind::Assertion]);
    let change =
        "proc change(node *x) { i32 c; if (*) { change(x); } else { if (x != null) { c = nondet; x->d = c; } } }";
    let main = format!("x = create(); x = sort(x); if (x != null) {{ y = x->n; change(y); }} {SORTED}");
    assert_eq!(found(&[change], &main), [FindingKind::Assertion]);
}

/// Sets as lists without equal elements. It is never asked which of two numbers is less.
const SET: &str = "proc has(node *x, i32 k) -> bool b { i32 c; b = false;
        while (x != null) { c = x->d; if (c == k) { b = true; return; } x = x->n; } }
    proc add(node *x, i32 k) -> node *r { bool b; r = x; b = has(x, k); if (!b) { r = new zeroed node; r->d = k; r->n = x; } }
    proc remove(node *x, i32 k) -> node *r { node *p; node *t; i32 c; r = x; p = null;
        while (x != null) {
            c = x->d; t = x->n;
            if (c == k) { if (p == null) { r = t; } else { p->n = t; } free(x); return; }
            p = x; x = t;
        } }";

/// The kinds of findings but leaks, for a set that has been built at random.
#[track_caller]
fn found_in_sets(procedures: &str, main: &str) -> Vec<FindingKind> {
    let build =
        "node *x; bool b; i32 k; i32 m; x = null; while (*) { k = nondet; x = add(x, k); } k = nondet; m = nondet;";
    let text = format!("struct node {{ node *n; i32 d; }} {procedures} entry proc main() {{ {build} {main} }}");
    judged(&text)
}

#[test]
fn sets_have_what_was_added_and_not_what_was_removed() {
    let add = "x = add(x, k); b = has(x, k); assert(b);";
    let remove = "x = remove(x, k); b = has(x, k); assert(!b);";
    assert_eq!(found_in_sets(SET, add), []);
    assert_eq!(found_in_sets(SET, &add.replace("has(x, k)", "has(x, m)")), [FindingKind::Assertion]);
    assert_eq!(found_in_sets(SET, remove), []);
    assert_eq!(found_in_sets(SET, &remove.replace("has(x, k)", "has(x, m)")), [FindingKind::Assertion]);
    // An element that is added twice is still there when it was removed once.
    let twice = SET.replace("if (!b) {", "if (*) {");
    assert_ne!(twice, SET);
    assert_eq!(found_in_sets(&twice, remove), [FindingKind::Assertion]);
    let stale = SET.replace("r->d = k;", "");
    assert_eq!(found_in_sets(&stale, add), [FindingKind::Assertion]);
}

#[test]
fn sets_keep_other_elements() {
    let other = "b = has(x, m); x = remove(x, k); if (k == m) { b = false; }
        if (b) { b = has(x, m); assert(b); } else { b = has(x, m); assert(!b); }";
    assert_eq!(found_in_sets(SET, other), []);
    let wrong = SET.replace("p->n = t;", "p->n = null;");
    assert_ne!(wrong, SET);
    assert_eq!(found_in_sets(&wrong, other), [FindingKind::Assertion]);
}

#[test]
fn random_procedures_are_represented() {
    let cases = Cases { cases: 60, decisions: 0..80, file: file!() };
    let judge = |decisions: &[u8]| structures::judge_text(&random_comparisons(decisions), &Effort::small(30, 200));
    cases.judge(judge).expect(95, 10_000);
}
