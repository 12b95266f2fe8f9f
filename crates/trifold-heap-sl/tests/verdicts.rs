//! Programs with the verdicts they must get.

mod common;

use common::expect;
use trifold_ir::FindingKind;

const LIST: &str = "struct node { node *next; i32 data; }\n";

/// The statements that make a list of any length.
const CREATE: &str = "x = null; while (*) { t = new node; t->next = x; x = t; }";
/// And those that free it.
const FREE: &str = "while (x != null) { t = x->next; free(x); x = t; }";

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

/// The end of a list is without value; whether the list is empty is not known when it is compared.
#[test]
fn ends_without_value_are_not_compared() {
    let text = "x = new node; while (*) { t = new node; t->next = x; x = t; } y = x;
        while (*) { t = y->next; if (t != null) { y = t; } } y = null;";
    expect(&list(text), &[FindingKind::UninitialisedPointer, FindingKind::Leak]);
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
    // The element before does not learn that its successor is gone.
    expect(&text.replace("p->next = n;", "skip;"), &[FindingKind::UseAfterFree, FindingKind::Leak]);
}

/// A checker is not followed where it holds; where it may not, it is a function as any other.
#[test]
fn checkers_that_hold_are_not_followed() {
    let program = |body: &str| {
        format!(
            "{LIST} proc list(node *p) -> bool r {{ node *n; if (p == null) {{ r = true; }} else {{ n = p->next; r = list(n); }} }}
            entry proc main() {{ node *x; node *y; node *t; bool b; {body} }}"
        )
    };
    expect(&program(&format!("{CREATE} b = list(x); assert(b); {FREE}")), &[]);
    let broken = "x = new node; y = new node; x->next = y; free(y); b = list(x);";
    expect(&program(&format!("{broken} if (!b) {{ stop; }} free(x);")), &[FindingKind::UseAfterFree]);
    expect(&program(&format!("{broken} assert(b); free(x);")), &[FindingKind::UseAfterFree]);
}
