//! Programs with the verdicts they must get.

use trifold_ir::FindingKind;
use trifold_oracle::structures::expect;
use trifold_oracle::verdicts;

trifold_oracle::verdict_tests!(expect);

#[test]
fn links_that_nobody_reads_are_left_out() {
    // The first element, which every element knows; and the one before it.
    let programs = verdicts::links_that_nobody_reads();
    let report = expect(&programs[0].text, &programs[0].kinds);
    assert_eq!(report.families.unread, ["node::head", "node::prev"]);
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
