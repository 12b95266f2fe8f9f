//! Large and strange programs: they are analysed, or it is said that they are not, in any case soon.

use trifold_heap_sl::{Grain, GraphReport, Options, StopReason, Verdict, check, refusals};
use trifold_ir::{FindingKind, Program};
use trifold_oracle::parse;

fn checked(program: &Program) -> GraphReport {
    check(program, program.entry.expect("an entry"), &Options::default(), &mut || true)
}

const WALK: &str =
    "x = null; while (*) { t = new node; t->next = x; x = t; } while (x != null) { t = x->next; free(x); x = t; }";

#[test]
fn a_struct_with_fifty_fields() {
    let fields = |ty: &str, name: &str| (0..25).map(|i| format!("{ty}{name}{i}; ")).collect::<String>();
    let program = parse(&format!(
        "struct node {{ node *next; {} {} }} entry proc main() {{ node *x; node *t; {WALK} }}",
        fields("node *", "p"),
        fields("i32 ", "n")
    ));
    assert_eq!(checked(&program).overall(), Verdict::Proved);
    // All links are set and read.
    let set: String = (0..25).map(|i| format!("t->p{i} = null; ")).collect();
    let read: String = (0..25).map(|i| format!("t = x->p{i}; assert(t == null); ")).collect();
    let program = parse(&format!(
        "struct node {{ node *next; {} }} entry proc main() {{ node *x; node *t; {} }}",
        fields("node *", "p"),
        WALK.replace("t->next = x;", &format!("t->next = x; {set}"))
            .replace("t = x->next;", &format!("{read} t = x->next;"))
    ));
    assert_eq!(checked(&program).overall(), Verdict::Proved);
}

#[test]
fn a_function_of_two_thousand_lines() {
    let lines: String = (0..2_000).map(|i| format!("i = {i};\nt = x;\n")).collect();
    let program = parse(&format!(
        "struct node {{ node *next; }} entry proc main() {{ node *x; node *t; i32 i; x = null; {lines} {WALK} }}"
    ));
    assert_eq!(checked(&program).overall(), Verdict::Proved);
}

/// Many variables that hold many different things are too much to be told apart, so they are not.
#[test]
fn too_many_cases_are_joined() {
    let variables: String = (0..12).map(|i| format!("node *v{i}; ")).collect();
    let choices: String = (0..12).map(|i| format!("v{i} = null; if (*) {{ v{i} = new node; }} ")).collect();
    let text = format!("struct node {{ node *next; }} entry proc main() {{ {variables} {choices} while (*) {{ ");
    let frees: String = (0..12).map(|i| format!("free(v{i}); ")).collect();
    let program = parse(&format!("{text} skip; }} {frees} }}"));
    let options = Options { max_work: 300_000_000, grain: Some(Grain::Lossy), ..Options::default() };
    let report = check(&program, program.entry.expect("an entry"), &options, &mut || true);
    assert_eq!((report.stop, report.overall()), (StopReason::Fixpoint, Verdict::Proved));
    // The observer can end it at any time.
    let report = check(&program, program.entry.expect("an entry"), &options, &mut || false);
    assert_eq!((report.stop, report.overall()), (StopReason::Interrupted, Verdict::NotAnalysed));
}

/// A function that never returns proves the code after it, and does not keep the analysis from ending.
#[test]
fn recursion_without_end() {
    let program = parse(
        "struct node { node *next; } proc f(node *x) -> node *r { node *t; t = new node; t->next = x; r = f(t); }
        entry proc main() { node *x; x = f(null); assert(x == null); }",
    );
    let report = checked(&program);
    assert_eq!((report.stop, report.overall()), (StopReason::Fixpoint, Verdict::Proved));
}

/// Checkers that hold of nothing, that never end, or that call each other.
#[test]
fn strange_checkers() {
    let program = |checker: &str| {
        parse(&format!(
            "struct node {{ node *next; }} {checker}
            entry proc main() {{ node *x; bool b; x = new node; x->next = null; b = c(x); if (!b) {{ stop; }} free(x); }}"
        ))
    };
    let contradictory = program(
        "proc c(node *p) -> bool r { node *n; r = false; if (p == null) { if (p != null) { n = p->next; r = c(n); } } }",
    );
    let report = checked(&contradictory);
    // It returns false, so the code after it does not run.
    assert!(report.overall() == Verdict::Proved || report.findings.iter().all(|f| f.kind == FindingKind::NotAnalysed));
    let endless = program("proc c(node *p) -> bool r { r = c(p); }");
    assert_eq!(checked(&endless).stop, StopReason::Fixpoint);
    let mutual = "proc c(node *p) -> bool r { node *n; if (p == null) { r = true; } else { n = p->next; r = d(n); } }
        proc d(node *p) -> bool r { node *n; if (p == null) { r = true; } else { n = p->next; r = c(n); } }";
    let mutual = program(mutual);
    assert_eq!(refusals(&mutual).len(), 1);
    assert_eq!(checked(&mutual).overall(), Verdict::Proved);
}
