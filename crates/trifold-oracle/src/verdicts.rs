//! Programs with the kinds of findings that they must get, in every domain.
//!
//! A correct program stands beside programs with a bug. For example, the reversal of a list is proved, and with two
//! statements in the wrong order it loses objects. [`verdict_tests`](crate::verdict_tests) makes a test of each group.
//! Programs about which domains disagree, because one of them is less precise, are in the tests of the domains.

use trifold_ir::FindingKind;
use trifold_ir::FindingKind::*;

/// A program with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The heap program.
    pub text: String,
    /// The kinds of findings: all of them, and no others.
    pub kinds: Vec<FindingKind>,
}

/// A test for each group of programs: `$expect` is given the text and the kinds of findings of each program.
#[macro_export]
macro_rules! verdict_tests {
    ($expect:path) => {
        $crate::verdict_tests! { $expect:
            lists_are_made_and_freed
            a_list_that_is_not_freed_is_lost
            lists_are_traversed
            lists_are_reversed
            elements_are_appended_and_deleted
            what_is_freed_is_not_used
            ends_without_value_are_not_compared
            procedures_are_followed
            flags_are_followed
            numbers_are_followed
            data_of_objects_is_followed
            doubly_linked_lists
            lists_are_walked_back
            elements_know_the_first_one
            links_that_nobody_reads
            trees
            lists_of_lists
            elements_are_appended_where_a_pointer_to_a_pointer_leads
            parts_of_the_same_name_are_told_apart
            checkers_are_functions
        }
    };
    ($expect:path: $($group:ident)*) => {
        $(#[test]
        fn $group() {
            for expected in $crate::verdicts::$group() {
                $expect(&expected.text, &expected.kinds);
            }
        })*
    };
}

const LIST: &str = "struct node { node *next; i32 data; }\n";

/// The statements that make a list of any length.
const CREATE: &str = "x = null; while (*) { t = new node; t->next = x; x = t; }";
/// And those that free it.
const FREE: &str = "while (x != null) { t = x->next; free(x); x = t; }";

/// A program on a list.
fn list(body: &str) -> String {
    format!("{LIST}entry proc main() {{ node *x; node *y; node *t; node *p; i32 i;\n{body}\n}}")
}

fn expect(text: impl Into<String>, kinds: &[FindingKind]) -> Expected {
    Expected { text: text.into(), kinds: kinds.to_vec() }
}

/// A list of any length.
pub fn lists_are_made_and_freed() -> Vec<Expected> {
    vec![expect(list(&format!("{CREATE} {FREE}")), &[])]
}

/// A list that is left at the end of the program is lost, unless the program stops before.
pub fn a_list_that_is_not_freed_is_lost() -> Vec<Expected> {
    vec![expect(list(CREATE), &[Leak]), expect(list(&format!("{CREATE} stop;")), &[])]
}

/// A walk to the end, and one that goes further.
pub fn lists_are_traversed() -> Vec<Expected> {
    let walk = |condition: &str| list(&format!("{CREATE} y = x; while ({condition}) {{ y = y->next; }} {FREE}"));
    vec![expect(walk("y != null"), &[]), expect(walk("*"), &[NullDereference])]
}

/// Reversal in place, and with two statements in the wrong order.
pub fn lists_are_reversed() -> Vec<Expected> {
    let reverse = |first: &str, second: &str| {
        let step = format!("{first} {second} y = x; x = t;");
        list(&format!("{CREATE} y = null; while (x != null) {{ {step} }} x = y; {FREE}"))
    };
    let (read, write) = ("t = x->next;", "x->next = y;");
    vec![expect(reverse(read, write), &[]), expect(reverse(write, read), &[Leak])]
}

/// Elements at the end and in the middle; without care for the first one, deletion goes wrong.
pub fn elements_are_appended_and_deleted() -> Vec<Expected> {
    let append = "t = new node; t->next = null; if (x == null) { x = t; } else { y = x; p = y->next; \
        while (p != null) { y = p; p = y->next; } y->next = t; }";
    let delete = |unlink: &str| {
        let step = format!("if (*) {{ t = y->next; {unlink} free(y); y = t; }} else {{ p = y; y = y->next; }}");
        list(&format!("{CREATE} y = x; p = null; while (y != null) {{ {step} }} {FREE}"))
    };
    vec![
        expect(list(&format!("{CREATE} {append} {FREE}")), &[]),
        expect(delete("if (p == null) { x = t; } else { p->next = t; }"), &[]),
        expect(delete("if (p != null) { p->next = t; }"), &[UseAfterFree, Leak]),
    ]
}

/// Memory that is not there any more, not yet, or not to be freed.
pub fn what_is_freed_is_not_used() -> Vec<Expected> {
    vec![
        expect(list(&format!("{CREATE} while (x != null) {{ free(x); x = x->next; }}")), &[UseAfterFree, Leak]),
        expect(list("x = new node; free(x); free(x);"), &[DoubleFree]),
        expect(list("x = new node; y = x->next; free(x); if (y == null) { skip; }"), &[UninitialisedPointer]),
        expect(list("x = stack node; free(x);"), &[InvalidFree]),
        expect(list("y = y->next;"), &[UninitialisedPointer]),
    ]
}

/// The end of a list is without value; whether the list is empty is not known when it is compared.
pub fn ends_without_value_are_not_compared() -> Vec<Expected> {
    let text = "x = new node; while (*) { t = new node; t->next = x; x = t; } y = x;
        while (*) { t = y->next; if (t != null) { y = t; } } y = null;";
    vec![expect(list(text), &[UninitialisedPointer, Leak])]
}

/// Procedures that are called in several places, with and without results.
pub fn procedures_are_followed() -> Vec<Expected> {
    let main = "entry proc main() { node *a; node *b; a = null; b = null; \
        while (*) { a = cons(a); } while (*) { b = cons(b); } drop(a); drop(b); BODY }";
    let program = |body: &str| {
        format!(
            "{LIST} global node *g;
            proc cons(node *tail) -> node *r {{ r = new node; r->next = tail; }}
            proc drop(node *l) {{ node *n; while (l != null) {{ n = l->next; free(l); l = n; }} }}
            proc local() -> node *r {{ r = stack node; }} {}",
            main.replace("BODY", body)
        )
    };
    vec![
        expect(program(""), &[]),
        expect(program("drop(b);"), &[UseAfterFree]),
        expect(program("a = local(); b = a->next;"), &[DanglingStackPointer]),
        expect(program("g = cons(null);"), &[]),
        expect(program("cons(null);"), &[Leak]),
    ]
}

/// An object that is freed only if it was allocated, as a flag says.
pub fn flags_are_followed() -> Vec<Expected> {
    let flag =
        |condition: &str| list(&format!("i = nondet; if (i == 1) {{ x = new node; }} if ({condition}) {{ free(x); }}"));
    let call = "struct node { node *next; }
        proc make(bool wanted) -> node *r { r = null; if (wanted) { r = new node; } }
        proc decide(i32 i) -> bool r { r = (i > 3) & (i < 9); }
        entry proc main() { node *x; bool b; i32 i; i = nondet; b = decide(i); x = make(b);
            if (b) { x->next = null; } free(x); }";
    vec![
        expect(flag("i == 1"), &[]),
        expect(flag("i > 0"), &[UninitialisedPointer]),
        expect(flag("i == 2"), &[UninitialisedPointer, Leak]),
        expect(call, &[]),
        expect(call.replace("if (b)", "if (!b)"), &[NullDereference]),
    ]
}

/// A counter that leads nowhere.
pub fn numbers_are_followed() -> Vec<Expected> {
    let count =
        |last: usize| list(&format!("{CREATE} i = 0; while (i < 10) {{ i = i + 1; }} assert(i == {last}); {FREE}"));
    vec![expect(count(10), &[]), expect(count(11), &[Assertion])]
}

/// A mark in each element of a list.
pub fn data_of_objects_is_followed() -> Vec<Expected> {
    let marks = |mark: usize| {
        let create = format!("x = null; while (*) {{ t = new node; t->data = {mark}; t->next = x; x = t; }}");
        let walk = "y = x; while (y != null) { i = y->data; assert(i == 1); y = y->next; }";
        list(&format!("{create} {walk} {FREE}"))
    };
    vec![
        expect(marks(1), &[]),
        expect(marks(2), &[Assertion]),
        expect(list("x = new zeroed node; i = x->data; assert(i == 0); free(x);"), &[]),
        expect(list("x = new node; i = x->data; assert(i == 0); free(x);"), &[Assertion]),
    ]
}

/// Deletion from a list that is linked both ways.
pub fn doubly_linked_lists() -> Vec<Expected> {
    let text = "struct node { FIELDS }
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
    let program = |fields: &str| text.replace("FIELDS", fields);
    vec![
        expect(program("node *next; node *prev;"), &[]),
        // The order of declarations does not matter.
        expect(program("node *prev; node *next;"), &[]),
        // The element before does not learn that its successor is gone.
        expect(program("node *next; node *prev;").replace("p->next = n;", "skip;"), &[UseAfterFree, Leak]),
    ]
}

/// From the end of a list to its beginning.
pub fn lists_are_walked_back() -> Vec<Expected> {
    let text = "struct node { node *next; node *prev; }
        entry proc main() { node *y; node *z; y = new zeroed node;
        while (*) { z = new node; z->prev = y; y->next = z; z->next = null; y = z; }
        z = y->prev; while (z != null) { y = z; z = y->prev; }
        while (y != null) { z = y->next; free(y); y = z; } }";
    vec![expect(text, &[]), expect(text.replace("z->prev = y;", "z->prev = null;"), &[Leak])]
}

/// A link of each element to the first one.
pub fn elements_know_the_first_one() -> Vec<Expected> {
    let text = "struct node { node *next; node *head; }
        entry proc main() { node *x; node *t; node *y; x = new node; x->next = null; x->head = x; y = x;
        while (*) { t = new node; t->next = null; t->head = x; y->next = t; y = t; }
        x = y->head;
        while (x != null) { t = x->next; free(x); x = t; } }";
    vec![expect(text, &[]), expect(text.replace("t->head = x;", "t->head = t;"), &[Leak])]
}

/// An object is not lost if a link leads to it that is never read.
pub fn links_that_nobody_reads() -> Vec<Expected> {
    let text = "struct node { node *next; node *head; node *prev; }
        entry proc main() { node *x; node *t; node *y;
        x = new node; x->next = null; x->head = x; x->prev = null; y = x;
        while (*) { t = new node; t->next = null; t->head = x; t->prev = y; y->next = t; y = t; }
        while (x != null) { t = x->next; free(x); x = t; } }";
    let held = "struct node { node *next; node *held; } global node *g;
        entry proc main() { node *x; g = new node; g->next = null; x = new node; x->next = null; BODY }";
    let held = |body: &str| held.replace("BODY", body);
    vec![
        expect(text, &[]),
        expect(held("x->held = null; g->held = x;"), &[]),
        expect(held("x->held = null; g->held = x; g->held = null;"), &[Leak]),
        expect(held("g->held = x; free(g); g = null;"), &[Leak]),
    ]
}

/// Trees that grow at their leaves; or the subtree below is overwritten.
pub fn trees() -> Vec<Expected> {
    let text = "struct node { node *left; node *right; }
        entry proc main() { node *root; node *x; node *t; root = new zeroed node;
        while (*) {
            x = root; t = x;
            while (*) { if (*) { t = x->left; } else { t = x->right; } if (t != null) { x = t; } }
            t = x->left; if (t == null) { t = new zeroed node; x->left = t; }
            t = x->right; if (t == null) { t = new zeroed node; x->right = t; }
        } stop; }";
    vec![expect(text, &[]), expect(text.replace("t = x->left; if (t == null)", "if (*)"), &[Leak])]
}

/// Lists whose elements have lists of their own.
pub fn lists_of_lists() -> Vec<Expected> {
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
    let only_first = text.replace("while (i != null) { j = i->next; free(i); i = j; }", "free(i);");
    vec![expect(text, &[]), expect(only_first, &[Leak])]
}

/// A pointer to the last link of a list.
pub fn elements_are_appended_where_a_pointer_to_a_pointer_leads() -> Vec<Expected> {
    let text = "struct slot { node *value; } struct node { embedded slot next; }
        struct list { embedded slot head; slot *last; }
        entry proc main() { list *l; slot *s; node *x; node *n;
        l = stack zeroed list; s = l->head; l->last = s;
        while (*) { x = new zeroed node; s = l->last; s->value = x; s = x->next; l->last = s; }
        s = l->head; x = s->value;
        while (x != null) { s = x->next; n = s->value; free(x); x = n; } }";
    vec![expect(text, &[]), expect(text.replace("s = x->next; l->last = s;", ""), &[Leak])]
}

/// Structs may have parts of the same name.
pub fn parts_of_the_same_name_are_told_apart() -> Vec<Expected> {
    let text = "struct head { head *next; } struct top { embedded head link; embedded head sub; }
        struct under { i32 x; embedded head link; } struct head_link { embedded head sub; }
        struct deep { embedded head_link link; embedded head link_sub; }
        entry proc main() { top *t; under *u; deep *d; head_link *l; head *h;
        t = new top; u = new under; d = new deep; l = d->link;
        if (*) { h = t->link; } else { if (*) { h = t->sub; } else { if (*) { h = u->link; } else {
            if (*) { h = l->sub; } else { h = d->link_sub; } } } }
        h->next = h; free(t); free(u); free(d); }";
    vec![expect(text, &[])]
}

/// A function that looks at a list, and at one whose end is gone.
pub fn checkers_are_functions() -> Vec<Expected> {
    let program = |body: &str| {
        format!(
            "{LIST} proc list(node *p) -> bool r {{ node *n;
                if (p == null) {{ r = true; }} else {{ n = p->next; r = list(n); }} }}
            entry proc main() {{ node *x; node *y; node *t; bool b; {body} }}"
        )
    };
    let broken = "x = new node; y = new node; x->next = y; free(y); b = list(x);";
    vec![
        expect(program(&format!("{CREATE} b = list(x); assert(b); {FREE}")), &[]),
        expect(program(&format!("{broken} if (!b) {{ stop; }} free(x);")), &[UseAfterFree]),
        expect(program(&format!("{broken} assert(b); free(x);")), &[UseAfterFree]),
    ]
}
