//! Procedures that call themselves: they are analysed on local heaps, once per abstract input.

use trifold_heap_tvl::{StructureReport, check};
use trifold_ir::FindingKind;
use trifold_oracle::oracle::{self, Effort, Wrong};
use trifold_oracle::random::{
    ON_LISTS, random_procedures, random_procedures_on_the_stack, random_procedures_with_statics,
};
use trifold_oracle::structures::{self, Structures};
use trifold_oracle::{Cases, kinds, parse};
use trifold_tvl::StopReason;

const LIST: &str = "struct node { node *n; i32 d; }
    proc create() -> node *r { node *t; r = null; if (*) { t = create(); r = new zeroed node; r->n = t; } }
    proc append(node *a, node *b) -> node *r { node *t;
        r = b; if (a != null) { t = a->n; a->n = null; t = append(t, b); a->n = t; r = a; } }";

const SPLICE: &str = "struct node { node *n; i32 d; }
    proc create3() -> node *r { node *t; node *u;
        r = new zeroed node; t = new zeroed node; u = new zeroed node; r->n = t; t->n = u; }
    proc splice(node *p, node *q) -> node *w { node *pn; node *t;
        w = q; if (p != null) { pn = p->n; p->n = null; t = splice(q, pn); p->n = t; w = p; } }";

const TREE: &str = "struct tree { tree *l; tree *r; i32 d; }
    proc create() -> tree *t { tree *a; tree *b;
        t = null; if (*) { a = create(); b = create(); t = new zeroed tree; t->l = a; t->r = b; } }
    proc visit(tree *t) { tree *a; if (t != null) { a = t->l; visit(a); a = t->r; visit(a); } }";

/// Checks a program, judges it by the runs of the interpreter, and compares the kinds of findings. All programs lose
/// their objects in the end, so leaks are left out.
#[track_caller]
fn expect(text: &str, expected: &[FindingKind]) -> StructureReport {
    let report = structures::judged(text, &Effort::small(60, 300));
    let found = kinds(report.findings.iter().map(|finding| finding.kind).filter(|kind| *kind != FindingKind::Leak));
    assert_eq!(found, expected, "{}", structures::show_findings(&report));
    report
}

/// Checks a program with each precision, and judges the results.
#[track_caller]
fn judge(text: &str, effort: Effort) {
    structures::judge_text(text, &effort).unwrap_or_else(|problem| panic!("{problem}")).expect(100, 1);
}

/// For how many abstract inputs a procedure was analysed.
fn inputs(report: &StructureReport, procedure: &str) -> usize {
    let procedures = &report.lowered.specification.cfg.procedures;
    let id = procedures.position(|known| known.name == procedure).expect("a procedure");
    report.analysis.solution.contexts.iter().filter(|context| context.procedure == id).count()
}

#[test]
fn the_running_example_has_nine_inputs() {
    let main = "entry proc main() { node *x; node *y; node *z; node *t; node *s;
        x = create3(); y = create3(); z = create3(); t = splice(x, y); s = splice(y, z); }";
    let report = expect(&format!("{SPLICE} {main}"), &[]);
    assert_eq!((inputs(&report, "splice"), inputs(&report, "create3"), inputs(&report, "main")), (9, 1, 1));
}

#[test]
fn a_cutpoint_is_reported_at_its_call() {
    let main = "entry proc main() { node *x; node *y; node *z; node *t; node *s;
        x = create3(); y = create3(); z = create3(); t = splice(x, y); s = splice(t, z); y = y->n; }";
    let report = expect(&format!("{SPLICE} {main}"), &[FindingKind::Cutpoint]);
    let program = &report.lowered.program;
    let finding = report.findings.iter().find(|finding| finding.kind == FindingKind::Cutpoint).expect("one");
    let statement = &program[finding.place.at().0].edges[finding.place.at().1].statement;
    assert_eq!(trifold_ir::show_statement(program, statement), "splice(t, z)");
    // If `y` is not read any more, there is none.
    expect(&format!("{SPLICE} {}", main.replace("y = y->n;", "")), &[]);
}

#[test]
fn lists_stay_lists() {
    for main in [
        "x = create(); y = create(); x = append(x, y); y = null;",
        "x = create(); x = reverse(x);",
        "x = create(); y = create(); x = append(x, y); y = null; x = reverse(x); x = iterate(x);",
        "x = create(); y = last(x); if (y != null) { y = y->n; assert(y == null); }",
        "x = create(); y = create(); x = merge(x, y); y = null;",
    ] {
        let text = format!(
            "{LIST}
            proc reverse(node *x) -> node *r {{ node *t; node *u;
                r = null; if (x != null) {{ t = x->n; x->n = null; u = reverse(t); r = append(u, x); }} }}
            proc iterate(node *x) -> node *r {{ node *t; r = null; while (x != null) {{ t = x->n; x->n = r; r = x; x = t; }} }}
            proc last(node *x) -> node *r {{ node *t;
                r = x; if (x != null) {{ t = x->n; if (t != null) {{ r = last(t); }} }} }}
            proc merge(node *a, node *b) -> node *r {{ node *t; i32 c; i32 d;
                if (a == null) {{ r = b; return; }} if (b == null) {{ r = a; return; }}
                c = a->d; d = b->d;
                if (c < d) {{ t = a->n; a->n = null; t = merge(t, b); a->n = t; r = a; }}
                else {{ t = b->n; b->n = null; t = merge(a, t); b->n = t; r = b; }} }}
            entry proc main() {{ node *x; node *y; {main} while (x != null) {{ x = x->n; }} }}"
        );
        expect(&text, &[]);
    }
}

#[test]
fn trees_stay_trees() {
    let text = format!(
        "{TREE}
        proc rotate(tree *t) {{ tree *a; tree *b;
            if (t != null) {{ a = t->l; b = t->r; rotate(a); rotate(b); t->l = b; t->r = a; }} }}
        proc insert(tree *t, i32 d) -> tree *q {{ tree *a; i32 e;
            if (t == null) {{ q = new zeroed tree; q->d = d; return; }}
            e = t->d; q = t;
            if (d < e) {{ a = t->l; t->l = null; a = insert(a, d); t->l = a; }}
            else {{ a = t->r; t->r = null; a = insert(a, d); t->r = a; }} }}
        entry proc main() {{ tree *t; t = create(); rotate(t); t = insert(t, 5); visit(t); }}"
    );
    let report = expect(&text, &[]);
    assert_eq!((inputs(&report, "rotate"), inputs(&report, "visit")), (3, 3));
}

#[test]
fn planted_bugs_are_found() {
    let missing_test = LIST.replace("if (a != null) {", "if (*) {");
    expect(
        &format!("{missing_test} entry proc main() {{ node *x; x = create(); x = append(x, x); }}"),
        &[FindingKind::NullDereference],
    );
    let (cyclic, walk) = ("b = create(); a = append(b, b);", "while (a != null) { a = a->n; }");
    let text = format!("{LIST} entry proc main() {{ node *a; node *b; {cyclic} b = null; {walk} }}");
    expect(&text, &[]);
    let shared = TREE.replace("t->r = b;", "t->r = a;");
    let text = format!("{shared} entry proc main() {{ tree *t; t = create(); visit(t); }}");
    // That takes more structures than are allowed here, but something is found before.
    let program = parse(&text);
    let report = check(&program, program.entry.expect("an entry"), &structures::options(), &mut ());
    assert_eq!(report.stop, StopReason::StructureLimit);
    assert!(!report.findings.is_empty());
}

#[test]
fn procedures_call_each_other() {
    let text = "struct node { node *n; i32 d; }
        proc odd(node *x) -> bool b { node *t; if (x == null) { b = false; return; } t = x->n; b = even(t); }
        proc even(node *x) -> bool b { node *t; if (x == null) { b = true; return; } t = x->n; b = odd(t); }
        entry proc main() { node *x; bool b; x = new zeroed node; b = even(x); b = odd(x); b = even(null); assert(b); }";
    let report = expect(text, &[]);
    assert_eq!((inputs(&report, "odd"), inputs(&report, "even")), (2, 2));
}

#[test]
fn globals_are_arguments_and_results() {
    let text = "struct node { node *n; } global node *g;
        proc push(node *x) { if (*) { x->n = g; g = x; } else { push(x); } }
        proc pop() -> node *r { r = g; if (r != null) { g = r->n; r->n = null; } if (*) { r = pop(); } }
        entry proc main() { node *x; x = new zeroed node; push(x); x = new zeroed node; push(x); x = pop(); x = g; \
            while (x != null) { x = x->n; } }";
    expect(text, &[]);
}

#[test]
fn what_is_freed_in_a_call_is_gone() {
    let release = "proc release(node *x) { node *t; if (x != null) { t = x->n; release(t); free(x); } }";
    let late = "proc release(node *x) { node *t; if (x != null) { t = x->n; free(x); release(t); } }";
    for release in [release, late] {
        let text =
            |main: &str| format!("{LIST} {release} entry proc main() {{ node *x; node *y; x = create(); {main} }}");
        let report = expect(&text("release(x);"), &[]);
        assert!(report.findings.is_empty(), "nothing is lost");
        expect(&text("y = x; release(x); if (y != null) { y = y->n; }"), &[FindingKind::UseAfterFree]);
        expect(&text("release(x); release(x);"), &[FindingKind::UseAfterFree]);
        expect(&text("y = new zeroed node; y->n = x; release(x); free(y);"), &[]);
        expect(
            &text("y = new zeroed node; y->n = x; release(x); x = y->n; y = x->n;"),
            &[FindingKind::NullDereference, FindingKind::UseAfterFree],
        );
    }
}

#[test]
fn what_neither_procedure_reads_is_lost_at_the_call() {
    let text = "struct node { node *n; }
        proc f(node *p, node *q) -> node *r {
            if (q != null) { free(q); q = null; }
            p = new zeroed node;
            if (*) { p = f(p, null); }
            if (p != null) { p->n = p; }
            r = p; }
        entry proc main() { node *x; node *y; node *z; x = new zeroed node; y = new zeroed node; x->n = y;
            z = f(x, y); while (z != null) { z = z->n; if (*) { return; } } while (x != null) { x = x->n; if (*) { return; } } }";
    judge(text, Effort::small(30, 200));
}

#[test]
fn static_memory_is_of_every_local_heap() {
    let text = "struct list { node *first; } struct node { node *n; } global list *all;
        proc push(list *l) { node *x; node *t; if (*) { x = new zeroed node; t = l->first; x->n = t; l->first = x; push(l); } }
        proc walk(node *x) { node *t; if (x != null) { t = x->n; walk(t); } }
        proc release(node *x) { node *t; if (x != null) { t = x->n; release(t); free(x); } }
        entry proc main() { list *l; node *x; all = static zeroed list; l = all; push(l); x = all->first; walk(x);
            x = all->first; all->first = null; release(x); x = all->first; assert(x == null); }";
    let report = expect(text, &[]);
    assert!(report.findings.is_empty(), "nothing is lost");
    assert!(inputs(&report, "push") > 0);
    expect(&text.replace("all->first = null;", ""), &[FindingKind::Cutpoint]);
    expect(&text.replace("assert(x == null);", "assert(x != null);"), &[FindingKind::Assertion]);
    // A second time, the object that was allocated first is not held any more.
    let again = "while (*) { all = static zeroed list; } all = static zeroed list;";
    expect(&text.replace("all = static zeroed list;", again), &[FindingKind::NotAnalysed]);
}

#[test]
fn variables_on_the_stack_are_passed_by_their_addresses() {
    // `int push(struct list *l)` is given `&l` of a caller, `depth` that of a variable of the call around it.
    let text = "struct list { node *first; } struct node { node *n; }
        proc push(list *l) { node *x; node *t; if (*) { x = new zeroed node; t = l->first; x->n = t; l->first = x; push(l); } }
        proc depth(node *x, list *up) { list *own; node *t; own = stack zeroed list;
            if (x != null) { t = x->n; depth(t, own); t = own->first; assert(t == x); } up->first = x; }
        proc release(node *x) { node *t; if (x != null) { t = x->n; release(t); free(x); } }
        entry proc main() { list *l; list *m; node *x; l = stack zeroed list; m = stack zeroed list; push(l); x = l->first;
            x = null; release(x); x = l->first; l->first = null; release(x); x = l->first; assert(x == null); x = m->first; assert(x == null); }";
    let report = expect(text, &[]);
    assert!(report.findings.is_empty(), "nothing is lost");
    assert!(inputs(&report, "push") > 0);
    expect(&text.replace("l->first = null; release(x);", "release(x);"), &[FindingKind::Assertion]);
    expect(&text.replace("assert(x == null); x = m", "assert(x != null); x = m"), &[FindingKind::Assertion]);
    let leaking = text.replace("l->first = null; release(x);", "l->first = null;");
    assert!(expect(&leaking, &[]).findings.iter().any(|finding| finding.kind == FindingKind::Leak));
    // The list of a call is told from those of calls around it.
    let nested =
        text.replace("push(l); x = l->first;", "push(l); x = l->first; l->first = null; depth(x, l); l->first = x;");
    expect(&nested.replace("assert(t == x);", ""), &[]);
}

#[test]
fn a_variable_of_a_call_is_gone_when_it_returns() {
    let text = "struct cell { cell *to; }
        proc f(cell *out) { cell *own; cell *t; own = stack zeroed cell; if (*) { f(own); t = own->to; assert(t == null); } INSIDE }
        entry proc main() { cell *c; cell *t; c = stack zeroed cell; f(c); t = c->to; BEHIND }";
    let with = |inside: &str, behind: &str| text.replace("INSIDE", inside).replace("BEHIND", behind);
    let report = expect(&with("", "assert(t == null);"), &[]);
    assert!(report.findings.is_empty());
    expect(&with("out->to = own;", ""), &[FindingKind::Assertion]);
    let dangling = with("out->to = own;", "t = t->to;").replace("assert(t == null);", "");
    expect(&dangling, &[FindingKind::DanglingStackPointer]);
    // An object that is passed on from one call to the next is not the next one's.
    let passed = with("if (*) { f(out); }", "assert(t == null); t = c->to; c->to = c;");
    expect(&passed, &[]);
}

/// A part is passed of an object that nothing but the argument leads to.
#[test]
fn parts_are_passed_beside_static_memory() {
    let text = "struct head { head *n; } struct task { embedded head link; embedded head other; } global head *all;
        proc set(head *h) { h->n = null; }
        entry proc main() { task *t; head *h; all = static zeroed head; t = new task;
            h = t->link; set(h); h = t->other; set(h); error(assertion, \"reached\"); }";
    expect(text, &[FindingKind::Assertion]);
    // When the call returns, only a global variable leads to the object.
    let text = "struct head { head *n; } struct task { embedded head link; embedded head other; } global head *all; global task *t;
        proc set(head *h) { h->n = null; }
        proc main() { head *h; h = t->link; set(h); h = uninit; h = t->other; set(h); h = uninit; error(assertion, \"reached\"); }
        entry proc start() { all = static zeroed head; t = new task; all->n = all; main(); }";
    judge(text, Effort::small(5, 20));
}

#[test]
fn what_hangs_off_objects_that_are_not_passed_stays_with_the_caller() {
    let text = "struct item { item *n; } struct row { row *next; item *first; }
        proc walk(item *x) { item *t; if (x != null) { t = x->n; walk(t); } }
        entry proc main() { row *r; row *s; item *a; item *b; item *x;
            r = new zeroed row; s = new zeroed row; s->next = r; a = new zeroed item; b = new zeroed item; b->n = a; r->first = b; a = null; b = null;
            x = new zeroed item; x->n = null; walk(x); walk(null); a = r->first; a = a->n; a = a->n; assert(a == null); a = s->first; assert(a == null); }";
    judge(text, Effort::small(10, 50));
}

/// The callee gets an element from the middle of a list, without the object that holds the beginning.
///
/// FIXME: to the callee its element is still reached by way of `value`, though the object with that field is not there,
/// which contradicts the definition. It is reported that the call is not analysed.
#[test]
fn anchors_that_are_not_passed_contradict_their_definition() {
    let text = "struct node { node *n; } struct cell { node *value; }
        proc visit(node *x) { if (x != null) { visit(null); } }
        entry proc main() { cell *c; node *x; node *y; c = new zeroed cell; x = new zeroed node; y = new zeroed node;
            x->n = y; c->value = x; x = null; visit(y); x = c->value; x = x->n; }";
    let program = parse(text);
    let report = check(&program, program.entry.expect("an entry"), &structures::options(), &mut ());
    let found = kinds(report.findings.iter().map(|finding| finding.kind));
    assert_eq!((report.stop, &found[..]), (StopReason::Fixpoint, &[FindingKind::NotAnalysed][..]));
    let judged = oracle::judge(&Structures::new(&report), &Effort::small(10, 10));
    let Err(Wrong::Contradiction(shown)) = judged else { panic!("{judged:?}") };
    assert!(shown.contains("r[n,via_value]"), "{shown}");
}

#[test]
fn random_procedures_are_represented() {
    random_cases(60, &|decisions| random_procedures(decisions, &ON_LISTS));
}

#[test]
fn random_procedures_see_static_memory() {
    random_cases(30, &random_procedures_with_statics);
}

#[test]
fn random_procedures_have_variables_on_the_stack() {
    random_cases(60, &random_procedures_on_the_stack);
}

#[track_caller]
fn random_cases(cases: u32, program: &dyn Fn(&[u8]) -> String) {
    let cases = Cases { cases, decisions: 0..60, file: file!() };
    let judge = |decisions: &[u8]| structures::judge_text(&program(decisions), &Effort::small(30, 200));
    cases.judge(judge).expect(95, 4_000);
}
