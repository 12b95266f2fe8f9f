//! Assumptions that contradict each other prove nothing: where all analysed states end at one, that is a finding. For
//! example, nothing that follows `trifold_assume(p && !p)` is proved. What comes after an assumption that may hold is.

use std::sync::Arc;
use trifold_check::{Alone, DomainName, Options, Source, Verdict, check};

/// The beginning of all programs.
const HEAD: &str = "void abort(void); struct n { struct n *next; int v; };\n";

/// `ASSUME` becomes what `trifold_assume` stands for, because there is no preprocessor here.
fn verdict(text: &str, domain: Option<DomainName>) -> Verdict {
    let (mut expanded, mut rest) = (HEAD.to_string(), text);
    while let Some((before, after)) = rest.split_once("ASSUME(") {
        let end = after.find(");").expect("the end of an assumption");
        expanded += &format!("{before}(({}) ? (void)0 : abort());", &after[..end]);
        rest = &after[end + 2..];
    }
    expanded += rest;
    let options = Options { domain, ..Options::default() };
    let checked = check(&Source::new("test.c", &expanded), &options, &(Arc::new(Alone) as _));
    checked.unwrap_or_else(|why| panic!("{}", why.render(false))).report.verdict
}

const CONTRADICTING: [&str; 9] = [
    "/*@ requires k > 3 && k < 2; ensures \\result == 1; */ int f(int k) { int *q = 0; return *q; }",
    "int main(void) { int x = 0, *p = &x; ASSUME(p == 0); return *p; }",
    "int main(void) { int x = 0, *p = &x; ASSUME(p && !p); return *p; }",
    "int main(void) { int x = 0; ASSUME(x > 0 && x < 0); return x; }",
    "int f(struct n *l) { ASSUME(l && !l); return l->v; }",
    "int f(struct n *l) { ASSUME(l && l->next && !l); return l->v; }",
    "static int f(struct n *l) { ASSUME(!l); return l->v; } int main(void) { struct n a = {0, 1}; return f(&a); }",
    "static void g(int k) { ASSUME(k > 3); } int main(void) { g(2); int *p = 0; return *p; }",
    "static int f(struct n *l) { ASSUME(l && l->next && !l->next); return l->v; }
int main(void) { struct n a = {0, 1}; a.next = &a; return f(&a); }",
];

const POSSIBLE: [&str; 4] = [
    "int f(struct n *l) { ASSUME(l && l->next); return l->next->v; }",
    "static int f(struct n *l) { ASSUME(l && !l->next); return l->v; } int main(void) { struct n a = {0, 1}; return f(&a); }",
    "static void die(void) { abort(); } int main(void) { struct n a = {0, 1}, *p = &a; if (!p) die(); return p->v; }",
    "static void g(int k) { ASSUME(k > 3); } int main(int c, char **v) { if (c == 7) g(2); return 0; }",
];

#[test]
fn contradictions_prove_nothing() {
    for domain in [None, Some(DomainName::ThreeValued), Some(DomainName::SeparationLogic)] {
        for text in CONTRADICTING {
            assert_eq!(verdict(text, domain), Verdict::NotAnalysed, "{domain:?}: {text}");
        }
    }
}

#[test]
fn what_is_possible_can_be_assumed() {
    for text in POSSIBLE {
        assert!(matches!(verdict(text, None), Verdict::Proved | Verdict::Needs), "{text}");
    }
}
