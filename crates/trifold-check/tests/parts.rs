//! Programs that are too large for their budget: what is known of their functions by themselves.

use std::sync::Arc;
use trifold_check::{Alone, Checked, DomainName, Options, Source, check, text};
use trifold_ir::Verdict;

const PROGRAM: &str = "
void *malloc(unsigned long size); void free(void *p); int nondet(void);
struct node { struct node *next; int data; };
static struct node *all, *kept;
static int limit;
static const struct node last = { 0, 7 };
static struct node *reverse(struct node *list) {
    struct node *done = 0;
    while (list) { struct node *rest = list->next; list->next = done; done = list; list = rest; }
    return done;
}
static int first(struct node *list) { return list->data; }
static int size(void) { int n = 0; for (struct node *p = all; p; p = p->next) n++; return n; }
static int within(int n) { return n < limit ? n : last.data; }
static void boom(int n) { struct node *none = 0; if (limit == 3) none->data = n; }
int main(void) {
    while (nondet()) {
        struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
        a->next = all; a->data = nondet(); all = reverse(a); limit = a->data & 1;
        b->next = kept; b->data = within(size()) + first(b); kept = reverse(b); boom(size());
    }
    return size();
}";

fn checked(most: usize) -> Checked {
    let options = Options { domain: Some(DomainName::ThreeValued), max_structures: Some(most), ..Options::default() };
    check(&Source::new("large.c", PROGRAM), &options, &(Arc::new(Alone) as _)).map_err(|no| no.render(false)).unwrap()
}

#[test]
fn functions_of_a_large_program_are_analysed_one_by_one() {
    let report = checked(1_500).report;
    assert_eq!(report.stop_notes(), ["the limit on structures was reached"]);
    assert_eq!(report.verdict, Verdict::NotAnalysed, "the program as a whole is not proved by its parts");
    let verdicts: Vec<(&str, Verdict)> = report.functions.iter().map(|f| (f.name.as_str(), f.verdict)).collect();
    let expected = [
        ("reverse", Verdict::Proved),
        // No caller passes NULL, but that is not known of a function by itself; it is no bug, either.
        ("first", Verdict::MayFail),
        ("size", Verdict::NotAnalysed),
        // A constant does not change, and a number has any value: `limit` may be 3.
        ("within", Verdict::Proved),
        ("boom", Verdict::MayFail),
        ("main", Verdict::NotAnalysed),
    ];
    assert_eq!(verdicts, expected, "{}", text::summary([&report].into_iter()));
    let size = report.functions.iter().find(|function| function.name == "size").expect("reported");
    assert!(size.findings[0].message.contains("it knows nothing of `all`"), "{}", size.findings[0].message);
    assert!(report.assumptions.iter().any(|assumption| assumption.contains("analysed one by one")));
    let headline = text::headline(&report);
    assert_eq!(headline, "not analysed as a whole, 2 findings in functions by themselves");
}
