//! Programs with the verdicts they must get.

mod common;

use common::{Oracle, check_text};
use trifold_ir::FindingKind;

const LIST: &str = "struct node { node *next; i32 data; }\n";

/// The statements that make a list of any length.
const CREATE: &str = "x = null; while (*) { t = new node; t->next = x; x = t; }";
/// And those that free it.
const FREE: &str = "while (x != null) { t = x->next; free(x); x = t; }";

/// Checks a program, whose kinds of findings must be exactly these, and judges it by the runs of the interpreter.
#[track_caller]
fn expect(text: &str, kinds: &[FindingKind]) {
    let start = std::time::Instant::now();
    let (program, report) = check_text(text);
    let mut found: Vec<FindingKind> = report.findings.iter().map(|finding| finding.kind).collect();
    found.sort();
    found.dedup();
    let mut kinds = kinds.to_vec();
    kinds.sort();
    let statistics = report.analysis.solution.statistics;
    println!("{} structures, {} steps, {:?}", statistics.created, statistics.steps, start.elapsed());
    assert_eq!(report.stop, trifold_tvl::StopReason::Fixpoint);
    let mut oracle = Oracle::new(&report);
    if let Err(problem) = oracle.run_all(40, 300) {
        panic!("{}\n{problem}", trifold_ir::print(&program));
    }
    let shown: Vec<String> = report
        .findings
        .iter()
        .map(|finding| {
            let edge = &report.lowered.program[finding.place.at().0].edges[finding.place.at().1];
            format!(
                "{} at {}: {}\n   {}",
                finding.kind,
                trifold_ir::show_statement(&program, &edge.statement),
                finding.text,
                common::show(&report, &finding.state)
            )
        })
        .collect();
    assert_eq!(found, kinds, "{}", shown.join("\n"));
    assert!(oracle.states > 0);
}

fn list(body: &str) -> String {
    format!("{LIST}entry proc main() {{ node *x; node *y; node *t; node *p; i32 i;\n{body}\n}}")
}

#[test]
fn lists_are_made_and_freed() {
    expect(&list(&format!("{CREATE} {FREE}")), &[]);
}

#[test]
fn a_list_that_is_not_freed_is_lost() {
    expect(&list(CREATE), &[FindingKind::Leak]);
    expect(&list(&format!("{CREATE} stop;")), &[]);
}

#[test]
fn lists_are_traversed() {
    expect(&list(&format!("{CREATE} y = x; while (y != null) {{ y = y->next; }} {FREE}")), &[]);
    expect(&list(&format!("{CREATE} y = x; while (*) {{ y = y->next; }} {FREE}")), &[FindingKind::NullDereference]);
}

#[test]
fn lists_are_reversed() {
    let reverse = "y = null; while (x != null) { t = x->next; x->next = y; y = x; x = t; } x = y;";
    expect(&list(&format!("{CREATE} {reverse} {FREE}")), &[]);
    // The order of two statements is wrong.
    let wrong = "y = null; while (x != null) { x->next = y; t = x->next; y = x; x = t; } x = y;";
    expect(&list(&format!("{CREATE} {wrong} {FREE}")), &[FindingKind::Leak]);
}

#[test]
fn elements_are_appended_and_deleted() {
    let append = "t = new node; t->next = null; if (x == null) { x = t; } else { y = x; p = y->next; \
        while (p != null) { y = p; p = y->next; } y->next = t; }";
    expect(&list(&format!("{CREATE} {append} {FREE}")), &[]);
    let delete = "y = x; p = null; while (y != null) { if (*) { t = y->next; if (p == null) { x = t; } else { p->next = t; } \
        free(y); y = t; } else { p = y; y = y->next; } }";
    expect(&list(&format!("{CREATE} {delete} {FREE}")), &[]);
    let wrong = "y = x; p = null; while (y != null) { if (*) { t = y->next; if (p != null) { p->next = t; } \
        free(y); y = t; } else { p = y; y = y->next; } }";
    expect(&list(&format!("{CREATE} {wrong} {FREE}")), &[FindingKind::UseAfterFree, FindingKind::Leak]);
}

#[test]
fn what_is_freed_is_not_used() {
    expect(
        &list(&format!("{CREATE} while (x != null) {{ free(x); x = x->next; }}")),
        &[FindingKind::UseAfterFree, FindingKind::Leak],
    );
    expect(&list("x = new node; free(x); free(x);"), &[FindingKind::DoubleFree]);
    expect(&list("x = new node; y = x->next; free(x); if (y == null) { skip; }"), &[FindingKind::UninitialisedPointer]);
    expect(&list("x = stack node; free(x);"), &[FindingKind::InvalidFree]);
    expect(&list("y = y->next;"), &[FindingKind::UninitialisedPointer]);
}

#[test]
fn procedures_are_followed() {
    let text = format!(
        "{LIST} global node *g;
        proc cons(node *tail) -> node *r {{ r = new node; r->next = tail; }}
        proc drop(node *l) {{ node *n; while (l != null) {{ n = l->next; free(l); l = n; }} }}
        proc local() -> node *r {{ r = stack node; }}
        entry proc main() {{ node *a; node *b; a = null; b = null;
            while (*) {{ a = cons(a); }} while (*) {{ b = cons(b); }} drop(a); drop(b); BODY }}"
    );
    expect(&text.replace("BODY", ""), &[]);
    expect(&text.replace("BODY", "drop(b);"), &[FindingKind::UseAfterFree]);
    expect(&text.replace("BODY", "a = local(); b = a->next;"), &[FindingKind::DanglingStackPointer]);
    expect(&text.replace("BODY", "g = cons(null);"), &[]);
    expect(&text.replace("BODY", "cons(null);"), &[FindingKind::Leak]);
}

#[test]
fn flags_and_numbers_are_followed() {
    // Freed only if allocated, as a flag says.
    let flag = "i = nondet; if (i == 1) { x = new node; } if (i == 1) { free(x); }";
    expect(&list(flag), &[]);
    expect(&list(&flag.replace("if (i == 1) { free", "if (i > 0) { free")), &[FindingKind::UninitialisedPointer]);
    expect(
        &list(&flag.replace("if (i == 1) { free", "if (i == 2) { free")),
        &[FindingKind::UninitialisedPointer, FindingKind::Leak],
    );
    // A counter that leads nowhere, and one that is passed on and comes back.
    expect(&list(&format!("{CREATE} i = 0; while (i < 10) {{ i = i + 1; }} assert(i == 10); {FREE}")), &[]);
    expect(
        &list(&format!("{CREATE} i = 0; while (i < 10) {{ i = i + 1; }} assert(i == 11); {FREE}")),
        &[FindingKind::Assertion],
    );
    let call = "struct node { node *next; }
        proc make(bool wanted) -> node *r { r = null; if (wanted) { r = new node; } }
        proc decide(i32 i) -> bool r { r = (i > 3) & (i < 9); }
        entry proc main() { node *x; bool b; i32 i; i = nondet; b = decide(i); x = make(b); if (b) { x->next = null; } free(x); }";
    expect(call, &[]);
    expect(&call.replace("if (b)", "if (!b)"), &[FindingKind::NullDereference]);
}

#[test]
fn data_of_objects_is_followed() {
    let marks = "x = null; while (*) { t = new node; t->data = 1; t->next = x; x = t; } \
        y = x; while (y != null) { i = y->data; assert(i == 1); y = y->next; }";
    expect(&list(&format!("{marks} {FREE}")), &[]);
    expect(&list(&format!("{} {FREE}", marks.replace("t->data = 1", "t->data = 2"))), &[FindingKind::Assertion]);
    expect(&list("x = new zeroed node; i = x->data; assert(i == 0); free(x);"), &[]);
    expect(&list("x = new node; i = x->data; assert(i == 0); free(x);"), &[FindingKind::Assertion]);
}

#[test]
fn doubly_linked_lists() {
    let text = "struct node { node *next; node *prev; }
        entry proc main() { node *x; node *t; node *y; node *n; node *p; x = null;
        while (*) { t = new node; t->next = x; t->prev = null; if (x != null) { x->prev = t; } x = t; }
        y = x;
        while (y != null) {
            if (*) {
                n = y->next; p = y->prev;
                if (p != null) { p->next = n; } else { x = n; }
                if (n != null) { n->prev = p; }
                free(y); y = n;
            } else { y = y->next; }
        }
        while (x != null) { t = x->next; free(x); x = t; } }";
    expect(text, &[]);
    // The order of declarations does not matter.
    expect(&text.replace("node *next; node *prev; }", "node *prev; node *next; }"), &[]);
    // The element before does not learn that its successor is gone.
    expect(&text.replace("p->next = n;", "skip;"), &[FindingKind::UseAfterFree, FindingKind::Leak]);
}

#[test]
fn elements_know_the_first_one() {
    let text = "struct node { node *next; node *head; }
        entry proc main() { node *x; node *t; node *y; x = new node; x->next = null; x->head = x; y = x;
        while (*) { t = new node; t->next = null; t->head = x; y->next = t; y = t; }
        x = y->head;
        while (x != null) { t = x->next; free(x); x = t; } }";
    expect(text, &[]);
    expect(&text.replace("t->head = x;", "t->head = t;"), &[FindingKind::Leak]);
}

#[test]
fn trees() {
    let text = "struct node { node *left; node *right; }
        entry proc main() { node *root; node *x; node *t; root = new zeroed node;
        while (*) {
            x = root; t = x;
            while (*) { if (*) { t = x->left; } else { t = x->right; } if (t != null) { x = t; } }
            t = x->left; if (t == null) { t = new zeroed node; x->left = t; }
            t = x->right; if (t == null) { t = new zeroed node; x->right = t; }
        } stop; }";
    expect(text, &[]);
    // The subtree below is overwritten.
    expect(&text.replace("t = x->left; if (t == null)", "if (*)"), &[FindingKind::Leak]);
}

#[test]
fn lists_of_lists() {
    let text = "struct inner { inner *next; } struct outer { outer *next; inner *list; }
        entry proc main() { outer *x; outer *o; inner *i; inner *j; x = null;
        while (*) {
            o = new outer; o->list = null; o->next = x; x = o;
            while (*) { i = new inner; j = o->list; i->next = j; o->list = i; }
        }
        while (x != null) {
            i = x->list; while (i != null) { j = i->next; free(i); i = j; }
            o = x->next; free(x); x = o;
        } }";
    expect(text, &[]);
    expect(&text.replace("while (i != null) { j = i->next; free(i); i = j; }", "free(i);"), &[FindingKind::Leak]);
}

#[test]
fn lists_are_walked_back() {
    let text = "struct node { node *next; node *prev; }
        entry proc main() { node *y; node *z; y = new zeroed node;
        while (*) { z = new node; z->prev = y; y->next = z; z->next = null; y = z; }
        z = y->prev; while (z != null) { y = z; z = y->prev; }
        while (y != null) { z = y->next; free(y); y = z; } }";
    expect(text, &[]);
    expect(&text.replace("z->prev = y;", "z->prev = null;"), &[FindingKind::Leak]);
}

#[test]
fn elements_are_appended_where_a_pointer_to_a_pointer_leads() {
    let text = "struct slot { node *value; } struct node { embedded slot next; }
        struct list { embedded slot head; slot *last; }
        entry proc main() { list *l; slot *s; node *x; node *n;
        l = stack zeroed list; s = l->head; l->last = s;
        while (*) { x = new zeroed node; s = l->last; s->value = x; s = x->next; l->last = s; }
        s = l->head; x = s->value;
        while (x != null) { s = x->next; n = s->value; free(x); x = n; } }";
    expect(text, &[]);
    expect(&text.replace("s = x->next; l->last = s;", ""), &[FindingKind::Leak]);
}

#[test]
fn two_lists_that_start_at_one_object() {
    // No element but the first has both links: objects must be told apart by that.
    let text = "struct node { node *l; node *r; }
        entry proc main() { node *x; node *y; node *t; x = new zeroed node;
        while (*) {
            y = x;
            if (*) { t = y->l; while (t != null) { y = t; t = y->l; } t = new zeroed node; y->l = t; }
            else { t = y->r; while (t != null) { y = t; t = y->r; } t = new zeroed node; y->r = t; }
        }
        y = x->l; while (y != null) { t = y->l; free(y); y = t; }
        y = x->r; while (y != null) { t = y->r; free(y); y = t; }
        free(x); }";
    expect(text, &[]);
    // The lists are mixed.
    expect(&text.replace("t = new zeroed node; y->l = t;", "t = new zeroed node; y->r = t;"), &[FindingKind::Leak]);
}

#[test]
fn links_that_nobody_reads() {
    // The first element, which every element knows; and the one before it.
    let text = "struct node { node *next; node *head; node *prev; }
        entry proc main() { node *x; node *t; node *y; x = new node; x->next = null; x->head = x; x->prev = null; y = x;
        while (*) { t = new node; t->next = null; t->head = x; t->prev = y; y->next = t; y = t; }
        while (x != null) { t = x->next; free(x); x = t; } }";
    expect(text, &[]);
    let (_, report) = check_text(text);
    assert_eq!(report.families.unread, ["node::head", "node::prev"]);
    // An object that only such a link leads to is still there.
    let held = "struct node { node *next; node *held; } global node *g;
        entry proc main() { node *x; g = new node; g->next = null; x = new node; x->next = null; x->held = null; g->held = x; }";
    expect(held, &[]);
    expect(&held.replace("g->held = x;", "g->held = x; g->held = null;"), &[FindingKind::Leak]);
    expect(&held.replace("x->held = null; g->held = x;", "g->held = x; free(g); g = null;"), &[FindingKind::Leak]);
}

#[test]
fn pointers_to_a_part_of_the_own_object_or_to_another_one() {
    let text = "struct data { i32 x; } struct node { node *next; data *p; embedded data part; }
        entry proc main() { node *x; node *t; data *d; data *o; x = null;
        while (*) {
            t = new node; t->next = x; x = t;
            if (*) { d = new data; t->p = d; } else { o = t->part; t->p = o; }
        }
        while (x != null) {
            t = x->next; o = x->part; d = x->p;
            if (d != o) { free(d); }
            free(x); x = t;
        } }";
    expect(text, &[]);
    expect(&text.replace("if (d != o) { free(d); }", "free(d);"), &[FindingKind::InvalidFree]);
    expect(&text.replace("if (d != o) { free(d); }", "skip;"), &[FindingKind::Leak]);
}

/// Predicates are named after parts of objects, and structs may have parts of the same name.
#[test]
fn parts_of_the_same_name_are_told_apart() {
    let text = "struct head { head *next; } struct top { embedded head link; embedded head sub; } struct under { i32 x; embedded head link; }
        struct head_link { embedded head sub; } struct deep { embedded head_link link; embedded head link_sub; }
        entry proc main() { top *t; under *u; deep *d; head_link *l; head *h;
        t = new top; u = new under; d = new deep; l = d->link;
        if (*) { h = t->link; } else { if (*) { h = t->sub; } else { if (*) { h = u->link; } else { if (*) { h = l->sub; } else { h = d->link_sub; } } } }
        h->next = h; free(t); free(u); free(d); }";
    expect(text, &[]);
}
