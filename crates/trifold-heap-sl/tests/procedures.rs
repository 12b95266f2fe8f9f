//! Procedures that call themselves: they are analysed once per abstract input, on the part of memory that they can come
//! to.

use trifold_ir::FindingKind;
use trifold_oracle::graphs::expect;
use trifold_oracle::oracle::Effort;
use trifold_oracle::random::{ON_GRAPHS, ON_LISTS, random_procedures};
use trifold_oracle::{Cases, graphs};

const LIST: &str = "struct node { node *n; i32 d; }
    proc create() -> node *r { node *t; r = null; if (*) { t = create(); r = new node; r->n = t; r->d = 0; } }
    proc release(node *x) { node *t; if (x != null) { t = x->n; release(t); free(x); } }
    proc append(node *a, node *b) -> node *r { node *t;
        r = b; if (a != null) { t = a->n; t = append(t, b); a->n = t; r = a; } }";

const TREE: &str = "struct tree { tree *l; tree *r; i32 d; }
    proc create() -> tree *t { tree *a; tree *b;
        t = null; if (*) { a = create(); b = create(); t = new tree; t->d = 0; t->l = a; t->r = b; } }
    proc release(tree *t) { tree *a; if (t != null) { a = t->l; release(a); a = t->r; release(a); free(t); } }";

fn lists(procedures: &str, main: &str) -> String {
    format!("{LIST} {procedures} entry proc main() {{ node *x; node *y; node *z; {main} }}")
}

#[test]
fn lists_are_made_and_freed() {
    expect(&lists("", "x = create(); release(x);"), &[]);
    expect(&lists("", "x = create(); y = create(); release(x); release(y);"), &[]);
    expect(&lists("", "x = create();"), &[FindingKind::Leak]);
    expect(&lists("", "x = create(); release(x); release(x);"), &[FindingKind::UseAfterFree]);
    let late = LIST.replace("release(t); free(x);", "free(x); release(t);");
    expect(&format!("{late} entry proc main() {{ node *x; x = create(); release(x); }}"), &[]);
    let wrong = LIST.replace("t = x->n; release(t); free(x);", "free(x); t = x->n; release(t);");
    expect(
        &format!("{wrong} entry proc main() {{ node *x; x = create(); release(x); }}"),
        &[FindingKind::UseAfterFree, FindingKind::Leak],
    );
}

#[test]
fn lists_stay_lists() {
    let procedures = "
        proc reverse(node *x) -> node *r { node *t; node *u;
            r = null; if (x != null) { t = x->n; x->n = null; u = reverse(t); r = append(u, x); } }
        proc onto(node *x, node *r) -> node *q { node *t;
            q = r; if (x != null) { t = x->n; x->n = r; q = onto(t, x); } }
        proc copy(node *x) -> node *r { node *t; node *u;
            r = null; if (x != null) { t = x->n; u = copy(t); r = new node; r->n = u; r->d = 0; } }
        proc delete(node *x, i32 d) -> node *r { node *t; i32 e;
            r = null; if (x != null) { t = x->n; e = x->d; if (d == e) { free(x); r = t; return; }
                t = delete(t, d); x->n = t; r = x; } }
        proc insert(node *x, i32 d) -> node *r { node *t; i32 e;
            if (x != null) { e = x->d; if (d > e) { t = x->n; t = insert(t, d); x->n = t; r = x; return; } }
            r = new node; r->d = d; r->n = x; }
        proc merge(node *a, node *b) -> node *r { node *t; i32 c; i32 d;
            if (a == null) { r = b; return; } if (b == null) { r = a; return; }
            c = a->d; d = b->d;
            if (c < d) { t = a->n; t = merge(t, b); a->n = t; r = a; }
            else { t = b->n; t = merge(a, t); b->n = t; r = b; } }";
    for main in [
        "x = create(); y = create(); x = append(x, y);",
        "x = create(); x = reverse(x);",
        "x = create(); x = onto(x, null);",
        "x = create(); y = copy(x); release(y);",
        "x = create(); x = delete(x, 5);",
        "x = create(); x = insert(x, 5);",
        "x = create(); y = create(); x = merge(x, y);",
    ] {
        expect(&lists(procedures, &format!("{main} release(x);")), &[]);
    }
    let shared = "x = create(); y = create(); z = append(x, y); release(z); release(y);";
    expect(&lists(procedures, shared), &[FindingKind::UseAfterFree]);
}

/// Pointers of the caller into the callee's part stay valid, or their new state is known.
#[test]
fn cutpoints_are_followed() {
    let last = "proc last(node *x) -> node *r { node *t;
        r = x; if (x != null) { t = x->n; if (t != null) { r = last(t); } } }";
    expect(&lists(last, "x = create(); y = last(x); if (y != null) { y = y->n; assert(y == null); } release(x);"), &[]);
    let middle = "x = create(); y = new node; y->n = null; y->d = 3; z = append(x, y); y->d = 4; release(z);";
    expect(&lists("", middle), &[]);
    expect(&lists("", &middle.replace("release(z);", "release(z); y->d = 5;")), &[FindingKind::UseAfterFree]);
}

#[test]
fn trees_stay_trees() {
    let procedures = "
        proc rotate(tree *t) { tree *a; tree *b;
            if (t != null) { a = t->l; b = t->r; rotate(a); rotate(b); t->l = b; t->r = a; } }
        proc copy(tree *t) -> tree *q { tree *a; tree *b;
            q = null; if (t != null) { a = t->l; a = copy(a); b = t->r; b = copy(b); q = new tree; q->l = a; q->r = b; } }
        proc insert(tree *t, i32 d) -> tree *q { tree *a; i32 e;
            if (t == null) { q = new tree; q->d = d; q->l = null; q->r = null; return; }
            e = t->d; q = t;
            if (d < e) { a = t->l; a = insert(a, d); t->l = a; }
            else { a = t->r; a = insert(a, d); t->r = a; } }";
    let program =
        |main: &str| format!("{TREE} {procedures} entry proc main() {{ tree *t; tree *u; t = create(); {main} }}");
    for main in ["", "rotate(t);", "u = copy(t); release(u);", "t = insert(t, 5);"] {
        expect(&program(&format!("{main} release(t);")), &[]);
    }
    expect(&program("u = copy(t); release(t);"), &[FindingKind::Leak]);
    let shared = TREE.replace("t->r = b;", "t->r = a;");
    let text = format!("{shared} entry proc main() {{ tree *t; t = create(); release(t); }}");
    expect(&text, &[FindingKind::UseAfterFree, FindingKind::Leak]);
}

/// A list that is linked both ways has pointers from the callee's part to the part that stays with the caller.
#[test]
fn pointers_out_of_the_callee_part() {
    let text = "struct node { node *next; node *prev; }
        proc create(node *prev) -> node *r { node *t;
            r = null; if (*) { r = new node; r->prev = prev; r->next = null; t = create(r); r->next = t; } }
        proc release(node *x) { node *t; if (x != null) { t = x->next; release(t); free(x); } }
        entry proc main() { node *x; node *y; node *z; x = create(null); BODY }";
    expect(&text.replace("BODY", "release(x);"), &[]);
    let second = "if (x != null) { y = x->next; if (y != null) { z = y->prev; assert(z == x); } }";
    expect(&text.replace("BODY", &format!("{second} release(x);")), &[]);
    expect(&text.replace("BODY", &format!("release(x); {second}")), &[FindingKind::UseAfterFree]);
}

/// A call need not return, so objects that are lost in it are lost there.
#[test]
fn what_is_lost_in_a_call_that_does_not_return() {
    let program = |body: &str| {
        format!(
            "struct node {{ node *n; node *d; }} global node *g;
            proc f(node *p) {{ node *t; {body} }}
            entry proc main() {{ node *x; node *y;
                y = new node; x = new node; x->n = null; x->d = y; y = null; g = new node; g->n = null; f(x); }}"
        )
    };
    for lost in ["p->d = null;", "free(p);", "g = null;", "g = p;"] {
        let kinds = [FindingKind::Leak];
        expect(&program(&format!("{lost} while (true) {{ skip; }}")), &kinds);
        expect(&program(&format!("{lost} stop;")), &kinds);
        expect(&program(&format!("if (*) {{ {lost} stop; }} while (true) {{ skip; }}")), &kinds);
    }
    for lost in ["p->d = null;", "g = null;", "g = p;"] {
        expect(&program(&format!("{lost} f(p);")), &[FindingKind::Leak]);
        expect(&program(&format!("if (*) {{ f(p); }} {lost} stop;")), &[FindingKind::Leak]);
    }
    for kept in ["p->n = null;", "p->n = g; g = null;", "t = p->n; t = p->d; p->n = t; p->d = null;"] {
        expect(&program(&format!("{kept} stop;")), &[]);
    }
}

#[test]
fn procedures_call_each_other() {
    let text = "struct node { node *n; i32 d; }
        proc odd(node *x) -> bool b { node *t; if (x == null) { b = false; return; } t = x->n; b = even(t); }
        proc even(node *x) -> bool b { node *t; if (x == null) { b = true; return; } t = x->n; b = odd(t); }
        entry proc main() { node *x; bool b; x = new node; x->n = null; b = even(x); assert(!b); b = odd(x); assert(b);
            b = even(null); assert(b); free(x); }";
    expect(text, &[]);
    expect(&text.replace("assert(!b)", "assert(b)"), &[FindingKind::Assertion]);
}

#[test]
fn globals_are_arguments_and_results() {
    let text = "struct node { node *n; } global node *g;
        proc push(node *x) { if (*) { x->n = g; g = x; } else { push(x); } }
        proc pop() -> node *r { r = g; if (r != null) { g = r->n; } }
        proc drain() { node *t; t = pop(); if (t != null) { free(t); drain(); } }
        entry proc main() { node *x; while (*) { x = new node; push(x); } drain(); x = g; assert(x == null); }";
    expect(text, &[]);
    expect(&text.replace("free(t); drain", "drain"), &[FindingKind::Leak]);
}

/// Objects on the stack of a caller are passed down, and those of a callee are gone when it returns.
#[test]
fn objects_on_the_stack() {
    let text = "struct node { node *n; }
        proc length(node *x) { node *t; node *own; own = stack node; own->n = x;
            if (x != null) { t = x->n; length(t); } t = own->n; assert(t == x); }
        proc deep(node *x) -> node *r { r = stack node; r->n = x; if (*) { r = deep(r); } }
        entry proc main() { node *a; node *b; node *c; a = stack node; b = stack node; a->n = b; b->n = null; BODY }";
    expect(&text.replace("BODY", "length(a); c = a->n; c->n = a;"), &[]);
    expect(&text.replace("BODY", "c = deep(a); a = c->n;"), &[FindingKind::DanglingStackPointer]);
}

#[test]
fn random_procedures_are_represented() {
    let cases = Cases { cases: 100, decisions: 0..80, file: file!() };
    let program = |decisions: &[u8]| random_procedures(decisions, &[&ON_LISTS[..], &ON_GRAPHS].concat());
    cases.judge(|decisions| graphs::judge_text(&program(decisions), &Effort::small(30, 200))).expect(95, 20_000);
}

/// Data of which nothing but the address matters keeps no graphs apart; what is asked of the address is still answered.
#[test]
fn tokens_keep_no_graphs_apart() {
    let text = "struct token { i32 unused; } struct node { node *n; token *d; } global token *g;
        proc add(node *l) -> node *x { x = new node; x->n = l; if (*) { x->d = g; } else { x->d = null; } }
        entry proc main() { node *l; node *t; token *d; g = static zeroed token; l = null;
            while (*) { l = add(l); }
            while (l != null) { t = l->n; d = l->d; BODY free(l); l = t; } }";
    let report = expect(&text.replace("BODY", "if (d != null) { d = null; }"), &[]);
    assert!(report.most_graphs <= 6, "{}", report.most_graphs);
    expect(&text.replace("BODY", "assert(d == null);"), &[FindingKind::Assertion]);
}
