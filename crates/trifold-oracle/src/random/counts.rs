//! Programs on a list whose elements are counted, rightly or not. For example, one puts an element in front and adds
//! one to the counter, and then walks along the list as far as the counter says.

use super::Decisions;

/// A list with random operations on it, some in a loop, some in a procedure. In some programs only procedures compare
/// numbers that are counted.
pub fn random_counts(decisions: &[u8]) -> String {
    let mut decisions = Decisions::new(decisions);
    let compares = |operation: &&&str| COMPARISONS.iter().any(|comparison| operation.contains(comparison));
    let calm: Vec<&str> = OPERATIONS.iter().filter(|operation| !compares(operation)).copied().collect();
    let in_main: &[&str] = if decisions.pick(&[true, false]) { &calm } else { &OPERATIONS };
    let mut body = |count: usize, operations: &[&'static str]| -> String {
        (0..count).map(|_| format!("  {}\n", decisions.pick(operations))).collect()
    };
    let (first, looped, called, last) = (body(2, in_main), body(3, in_main), body(2, &OPERATIONS), body(2, in_main));
    format!(
        "{TYPES}\
         proc length(node *x) -> i32 c {{ c = 0; while (x != null) {{ x = x->n; c = c + 1; }} }}\n\
         proc change(list *l) {{ {VARIABLES}\n{called}}}\n\
         entry proc main() {{ list *l; {VARIABLES} l = new zeroed list;\n{first}  \
         while (*) {{\n{looped}  if (*) {{ change(l); }}\n  }}\n{last}}}"
    )
}

const TYPES: &str = "struct node { node *n; node *p; i32 d; } struct list { node *head; node *tail; i32 count; }\n";

const VARIABLES: &str = "node *h; node *t; node *k; i32 c; i32 i; i32 j; h = null; t = null; i = 0; c = 0; j = 0;";

const OPERATIONS: [&str; 30] = [
    "t = new zeroed node; h = l->head; t->n = h; l->head = t; c = l->count; l->count = c + 1;",
    "t = new zeroed node; h = l->head; t->n = h; l->head = t; c = l->count; l->count = c + 1;",
    "h = l->head; if (h != null) { t = h->n; l->head = t; c = l->count; l->count = c - 1; }",
    "c = l->count; if (c == 0) { h = l->head; assert(h == null); }",
    "c = l->count; if (c == 1) { h = l->head; t = h->n; assert(t == null); }",
    "c = l->count; if (c > 1) { h = l->head; h = h->n; i = h->d; }",
    "c = l->count; i = 0; h = l->head; while (i < c) { h = h->n; i = i + 1; }",
    "c = l->count; i = nondet(0, 3); if (i < c) { h = l->head; j = 0; while (j < i) { h = h->n; j = j + 1; } i = h->d; }",
    "i = 0; h = l->head; while (h != null) { h = h->n; i = i + 1; } c = l->count; assert(i == c);",
    "l->count = 0; l->head = null;",
    "c = l->count; if (c > 0) { i = c / 2; j = 0; h = l->head; while (j < i) { h = h->n; j = j + 1; } i = h->d; }",
    "c = l->count; if (c > 0) { i = nondet(0, 9); i = i % c; j = 0; h = l->head; \
     while (j < i) { h = h->n; j = j + 1; } i = h->d; }",
    "c = l->count; if (c >= 0) { i = c & 2; j = c >> 1; if (i < j) { h = l->head; h = h->n; } }",
    "h = l->head; c = length(h);",
    "h = l->head; c = length(h); i = 0; while (i < c) { h = h->n; i = i + 1; }",
    "h = l->head; c = length(h); i = 0; while (i < c) { k = h; h = h->n; i = i + 1; } if (c > 0) { k->n = null; }",
    "i = nondet(0, 3); l->count = i;",
    "c = l->count; if (c >= i) { j = c - i; } else { j = i - c; }",
    "i = i + j; if (i > 5) { i = 0; }",
    "h = l->head; t = null; while (h != null) { k = h->n; h->n = t; t = h; h = k; } l->head = t;",
    "h = l->head; if (h != null) { t = h->n; if (t != null) { k = t->n; h->n = k; c = l->count; l->count = c - 1; } }",
    "h = l->head; i = 1; if (h != null) { t = h->n; while (t != null) { h = t; t = h->n; i = i + 1; } l->tail = h; }",
    "h = l->tail; if (h != null) { t = new zeroed node; h->n = t; l->tail = t; c = l->count; l->count = c + 1; }",
    "h = l->head; k = null; i = 0; while (h != null) { t = new zeroed node; t->n = k; k = t; h = h->n; i = i + 1; } \
     l->head = k; l->count = i;",
    "h = l->head; k = h; i = 0; while (k != null) { k = k->n; i = i + 1; if (k != null) { k = k->n; i = i + 1; } }",
    "l->tail = null;",
    "t = new zeroed node; h = l->tail; t->p = h; if (h != null) { h->n = t; } else { l->head = t; } l->tail = t; \
     c = l->count; l->count = c + 1;",
    "h = l->tail; if (h != null) { t = h->p; l->tail = t; if (t != null) { t->n = null; } else { l->head = null; } \
     c = l->count; l->count = c - 1; }",
    "c = l->count; if (c > 1) { h = l->tail; h = h->p; i = h->d; }",
    "c = l->count; i = c; h = l->tail; while (i > 0) { h = h->p; i = i - 1; }",
];

/// The comparisons of numbers in them.
const COMPARISONS: [&str; 4] = ["i < c", "j < i", "i == c", "c >= i"];
