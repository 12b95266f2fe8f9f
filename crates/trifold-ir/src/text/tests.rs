//! Printed programs are read back, and any text ends in a program or in an error.

use super::*;
use crate::Program;
use proptest::prelude::*;
use trifold_source::{FileId, Span, Trail};

/// Every form that there is.
const EVERYTHING: &str = r#"
struct list { list *next; }
struct node { embedded list link; void *other; i32 data; bool flag; u8 `new`; }
global node *g;
global i64 count;

entry proc main() -> i32 r {
    node *x; list *l; void *v; u8 b; bool c;
    x = new node or null;
    if (x == null) { stop; }
    x->data = (b32(1) + 2) * -3;
    l = x->link;
    x = owner(l, node::link);
    v = x;
    x = v;
    x = stack zeroed node;
    end x;
    g = static node;
    g->other = null;
    b = nondet;
    r = nondet(-1, 5);
    c = (r < 5) & !c;
    b = ~(b >> 7u8);
    count = -count;
    count = -(5i64);
    while (c) { x->`new` = b; r = x->data; x->other = uninit; }
    while (*) { skip; }
    assume(x != g);
    assert((r % 2) == 0);
    c = {f, g.2}(x, r, uninit);
    f(null, 1, c);
    unknown printf(x, 5);
    r = unknown `if`();
    free(v);
    if (c) { error(double-free, "a \"quoted\"\nline"); } else { unsupported "goto *p"; }
    return r;
}

proc f(node *x, i32 i, bool c) -> bool r { return true; }
proc g.2(node *x, i32 i, bool c) -> bool r { r = x == null; }
"#;

/// The text above with two mistakes put right that the errors must point out.
fn everything() -> String {
    EVERYTHING.replace("b32(1)", "i32(b)").replace("r = x == null;", "r = false;")
}

/// The program with all places forgotten, for comparison.
fn without_spans(mut program: Program) -> Program {
    let none = Span { file: FileId(0), start: 0, end: 0, trail: Trail::NONE };
    program.structs.iter_mut().for_each(|structure| structure.span = none);
    program.fields.iter_mut().for_each(|field| field.span = none);
    program.variables.iter_mut().for_each(|variable| variable.span = none);
    for procedure in &mut program.procedures {
        procedure.span = none;
        procedure.edges.iter_mut().for_each(|edge| edge.span = none);
    }
    program
}

fn parsed(text: &str) -> Program {
    match parse("test", text) {
        Ok((program, _)) => without_spans(program),
        Err(failure) => panic!("{:?}\n{text}", failure.diagnostics),
    }
}

#[test]
fn every_form_reads_back() {
    let program = parsed(&everything());
    let text = print(&program);
    assert_eq!(parsed(&text), program, "{text}");
    assert_eq!(print(&parsed(&text)), text);
}

#[test]
fn errors_have_a_place() {
    for (text, place) in [(EVERYTHING.to_string(), "b32"), (EVERYTHING.replace("b32(1)", "2"), "==")] {
        let failure = parse("test", &text).expect_err("there is a mistake");
        let span = failure.diagnostics[0].primary.span;
        assert_eq!(failure.sources.text(span), place);
    }
}

#[test]
fn statements_keep_their_place() {
    let (program, sources) = parse("test", &everything()).expect("valid");
    let texts: Vec<&str> = program.procedures[0].edges.iter().map(|edge| sources.text(edge.span)).collect();
    for text in ["x = new node or null", "x == null", "l = x->link", "c = {f, g.2}(x, r, uninit)", "return r"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [("(", ")"), ("-", ""), ("!", "")] {
        let expr = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        assert!(parse("test", &format!("proc f() {{ i32 i; i = {expr}; }}")).is_err());
    }
    assert!(parse("test", &format!("proc f() {{ {}", "if (*) {".repeat(100_000))).is_err());
}

proptest! {
    #[test]
    fn any_text_ends(text in "[a-z(){};=*>\"`~!<,: 0-9-]{0,60}") {
        let _ = parse("test", &text);
    }

    /// Tokens of real text in another order come further than arbitrary characters.
    #[test]
    fn damaged_text_ends(from in 0usize..200, to in 0usize..200, length in 0usize..20) {
        let text = everything();
        let mut words: Vec<&str> = text.split_inclusive([' ', ';', '(', ')']).collect();
        let from = from % words.len();
        let taken: Vec<&str> = words.drain(from..(from + length).min(words.len())).collect();
        let to = to % words.len();
        words.splice(to..to, taken);
        if let Ok((program, _)) = parse("test", &words.concat()) {
            let program = without_spans(program);
            prop_assert_eq!(parsed(&print(&program)), program);
        }
    }
}
