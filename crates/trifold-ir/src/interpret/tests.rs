//! The findings of the interpreter, and their places; the states it visits; that it repeats itself.

use super::*;
use crate::ids::VarId;
use crate::statement::{Region, Statement};
use crate::text::parse;
use std::collections::BTreeSet;

const TYPES: &str = "struct node { node *next; i32 data; } struct list { list *next; } \
    struct item { embedded list link; i32 data; embedded list other; } global node *g; global item *ig; ";

/// A program whose first line has the types.
fn program(text: &str) -> (Program, trifold_source::SourceMap) {
    parse("test", &format!("{TYPES}{text}")).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics))
}

/// Findings of all runs as `kind:line`, and the outcomes, in order.
fn all_runs(text: &str, options: &Options) -> (BTreeSet<String>, Vec<RunEnd>) {
    let (program, sources) = program(text);
    let mut choices = Exhaustive::new(4, 12);
    let (mut findings, mut outcomes) = (BTreeSet::new(), Vec::new());
    loop {
        let run = interpret(&program, program.entry.expect("an entry"), options, &mut choices, &mut |_, _| {});
        let line = |finding: &Incident| sources.locate(finding.span).1.line;
        findings.extend(run.findings.iter().map(|finding| format!("{}:{}", finding.kind, line(finding))));
        outcomes.push(run.outcome);
        if !choices.advance() {
            return (findings, outcomes);
        }
    }
}

/// Checks the findings of all runs of a body that begins in line 2.
fn finds(body: &str, expected: &[&str]) {
    let text = format!("entry proc main() {{ node *x; node *y; item *i; list *l; void *v; i32 d; bool b;\n{body}\n}}");
    let (findings, _) = all_runs(&text, &Options::default());
    assert_eq!(findings, expected.iter().map(|finding| finding.to_string()).collect(), "{body}");
}

#[test]
fn null_dereference() {
    finds("x = null;\ny = x->next;", &["null-dereference:3"]);
    finds("x = null;\nx->data = 1;", &["null-dereference:3"]);
    finds("x = g->next;", &["null-dereference:2"]);
    finds("x = new node or null;\nx->data = 1;\nfree(x);", &["null-dereference:3"]);
    finds("i = null;\nl = i->link;", &["null-dereference:3"]);
    finds("l = null;\ni = owner(l, item::link);", &["null-dereference:3"]);
}

#[test]
fn use_after_free() {
    finds("x = new node;\nfree(x);\ny = x->next;", &["use-after-free:4"]);
    finds("i = new item; l = i->link;\nfree(i);\nl->next = null;", &["use-after-free:4"]);
    finds("x = new node; y = x;\nfree(x); x = null;\nif (x == y) { y->data = 0; }", &[]);
}

/// An address may be used again, but only by an object that is allocated later.
#[test]
fn comparisons_with_dead_objects() {
    finds("x = new node; y = new node;\nfree(x);\nassert(x != y);\nfree(y);", &[]);
    finds("x = new node; y = x; free(x); x = null;\nassert(x != y);", &[]);
    finds("x = new node; free(x); y = new node;\nassert(x != y); free(y);", &["assertion:3"]);
    finds(
        "x = new node; free(x); y = new node;\nif (x == y) { error(assertion, \"same\"); }\nfree(y);",
        &["assertion:3"],
    );
    finds("x = new node; free(x); y = new node;\nif (x == y) { x->data = 1; }\nfree(y);", &["use-after-free:3"]);
}

#[test]
fn double_and_invalid_free() {
    finds("x = new node;\nfree(x);\nfree(x);", &["double-free:4"]);
    finds("x = null;\nfree(x);", &[]);
    finds("x = stack node;\nfree(x);", &["invalid-free:3"]);
    finds("x = static node;\nfree(x);", &["invalid-free:3"]);
    finds("i = new item;\nl = i->other;\nfree(l);", &["invalid-free:4"]);
    // In C the first part has the address of the whole.
    finds("i = new item;\nl = i->link;\nfree(l);", &["not-analysed:4"]);
    finds("i = stack item;\nl = i->link;\nfree(l);", &["invalid-free:4"]);
    finds("free(x);", &["uninitialised-pointer:2"]);
}

#[test]
fn leaks_are_found_where_the_last_reference_is_lost() {
    finds("x = new node;\nx = null;", &["leak:3"]);
    finds("x = new node;\nx = new node;\nfree(x);", &["leak:3"]);
    finds("x = new node;\n", &["leak:4"]);
    finds("x = new node; y = new node; x->next = y; y = null;\nx->next = null;\nfree(x);", &["leak:3"]);
    finds("x = new node; y = new node; x->next = y; y = null;\nfree(x);", &["leak:3"]);
    finds("x = new node; x->next = x;\nx = uninit;", &["leak:3"]);
    finds("x = stack node; y = new node; x->next = y; y = null;\nx = uninit;", &["leak:4"]);
    finds("x = stack node; y = new node; x->next = y; y = null;\nend x;", &["leak:3"]);
    finds("g = new node;", &[]);
    finds("x = new node; stop;", &[]);
    finds("x = static node; x = null;", &[]);
}

#[test]
fn a_part_keeps_its_container() {
    finds("i = new item; l = i->link; l->next = null;\ni = null;\ni = owner(l, item::link);\nfree(i);", &[]);
    finds("i = new item; l = i->link;\ni = null;\nl = null;", &["leak:4"]);
}

#[test]
fn leaks_of_a_call_are_those_of_the_return_or_of_the_call() {
    let text = "entry proc main() { node *x;\nx = make();\nmake();\nx = make();\nlose();\nfree(x);\n}\n\
        proc make() -> node *r { r = new node; }\nproc lose() { node *t; t = new node;\n}";
    let (findings, _) = all_runs(text, &Options::default());
    assert_eq!(findings, ["leak:3", "leak:4", "leak:10"].map(str::to_string).into());
}

#[test]
fn memory_of_globals_is_a_leak_at_the_end_only_on_request() {
    let text = "entry proc main() { g = new node; g->next = g;\n}";
    let options = Options { leaks_at_end: true, ..Options::default() };
    assert!(all_runs(text, &Options::default()).0.is_empty());
    assert_eq!(all_runs(text, &options).0, ["leak:2".to_string()].into());
}

#[test]
fn uninitialised_pointers_may_be_copied_but_not_used() {
    finds("y = x->next;", &["uninitialised-pointer:2"]);
    finds("y = x;\nif (y == null) { skip; }", &["uninitialised-pointer:3"]);
    finds("x = new node; y = x->next;\nfree(x);\nfree(y);", &["uninitialised-pointer:4"]);
    finds("x = new zeroed node; y = x->next;\nfree(x);\nfree(y);", &[]);
}

#[test]
fn uninitialised_scalars_have_one_value() {
    finds("if (d < 0) { assert(d < 0); } else { assert(d >= 0); }", &[]);
    finds("x = stack node;\nd = x->data; assert(d == 0);", &["assertion:3"]);
    finds("x = stack node; d = x->data; b = d == 0; d = x->data; if (b) { assert(d == 0); }", &[]);
}

#[test]
fn dangling_stack_pointers() {
    let text =
        "entry proc main() { node *x;\nx = local();\nx->data = 1;\n}\nproc local() -> node *r { r = stack node; }";
    assert_eq!(all_runs(text, &Options::default()).0, ["dangling-stack-pointer:3".to_string()].into());
    finds("x = stack node;\nend x;\nx->data = 1;", &["dangling-stack-pointer:4"]);
    finds("i = stack item; l = i->link;\nend i;\nl->next = null;", &["dangling-stack-pointer:4"]);
    finds("x = new node; end x;", &["not-analysed:2"]);
}

#[test]
fn the_owner_of_no_part_is_outside_of_objects() {
    finds("l = stack list;\ni = owner(l, item::link);\nl = i->link; l->next = l;", &[]);
    finds("l = stack list;\ni = owner(l, item::link);\ni->data = 1;", &["invalid-dereference:4"]);
    finds("l = stack list;\ni = owner(l, item::link);\nfree(i);", &["invalid-free:4"]);
}

#[test]
fn assertions_and_errors() {
    finds("d = 3;\nassert((d * 2) == 6);\nassert(d == 4);", &["assertion:4"]);
    finds("error(assertion, \"reach_error\");", &["assertion:2"]);
    finds("d = nondet(0, 3); assume(d == 2);\nassert(d == 2);", &[]);
}

#[test]
fn what_is_not_expressed_is_not_analysed() {
    finds("unsupported \"setjmp\";", &["not-analysed:2"]);
    finds("unknown f(x);", &["not-analysed:2"]);
    finds("x = new node; v = x;\ni = v;\ni->data = 1;", &["not-analysed:4"]);
    finds("if (*) { unsupported \"a\"; } else { skip; }", &["not-analysed:2"]);
}

#[test]
fn runs_end_in_different_ways() {
    let outcomes =
        |body: &str| all_runs(&format!("entry proc main() {{ i32 d; node *x; {body} }}"), &Options::default()).1;
    assert_eq!(outcomes(""), [RunEnd::Ended]);
    assert_eq!(outcomes("d = 0; d = 1 / d;"), [RunEnd::DivisionByZero]);
    assert_eq!(outcomes("if (*) { stop; }"), [RunEnd::Stopped, RunEnd::Ended]);
    assert_eq!(outcomes("assume(false);"), [RunEnd::Blocked]);
    assert_eq!(outcomes("while (true) { skip; }"), [RunEnd::StepLimit]);
    assert_eq!(outcomes("while (true) { x = static node; }"), [RunEnd::ObjectLimit]);
    assert_eq!(outcomes("x = x->next;"), [RunEnd::Failed]);
    assert!(outcomes("while (*) { skip; }").contains(&RunEnd::OutOfChoices));
}

/// A list is built, reversed by a recursive procedure, and freed: nothing is wrong.
const REVERSE: &str = "entry proc main() { node *x; node *t;
    x = null;
    while (*) { t = new node; t->next = x; x = t; }
    x = reverse(x, null);
    while (x != null) { t = x->next; free(x); x = t; }
}
proc reverse(node *x, node *done) -> node *r {
    node *t;
    if (x == null) { return done; }
    t = x->next;
    x->next = done;
    r = reverse(t, x);
}";

#[test]
fn a_correct_program_has_no_findings() {
    let (findings, outcomes) = all_runs(REVERSE, &Options::default());
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == RunEnd::Ended).count(), 12);
}

type Visited = Vec<(Point, State)>;

fn visited(program: &Program, choices: &mut dyn Choices) -> (Run, Visited) {
    let mut visited = Vec::new();
    let mut visit = |point, state: &State| visited.push((point, state.clone()));
    let run = interpret(program, program.entry.expect("an entry"), &Options::default(), choices, &mut visit);
    (run, visited)
}

#[test]
fn a_run_depends_on_its_choices_only_and_can_be_replayed() {
    let (program, _) = program(REVERSE);
    for seed in 0..20 {
        let mut choices = Recorded::new(Seeded::new(seed));
        let first = visited(&program, &mut choices);
        assert_eq!(first, visited(&program, &mut Seeded::new(seed)));
        assert_eq!(first, visited(&program, &mut Replay::new(choices.made)));
    }
}

#[test]
fn a_run_tells_what_its_choices_decide() {
    let text = "entry proc main() { node *x; i32 d; i32 e; bool b;
        d = nondet(0, 9); x = new node or null; d = x->data; e = e + d; if (*) { d = 1; } else { d = 2; } free(x); }";
    let (program, _) = program(text);
    let mut choices = Recorded::new(Replay::new(vec![7, 0, 5, 6, 1]));
    let (run, _) = visited(&program, &mut choices);
    assert_eq!(run.outcome, RunEnd::Ended);
    let main = program.entry.expect("an entry");
    let (node, e) = (program.struct_named("node").unwrap(), program.variable_named(main, "e").unwrap());
    let data = program.field_named(node, "data").unwrap();
    let way = |asked| matches!(asked, Asked::Way(_));
    let asked: Vec<Asked> = run.made.iter().map(|choice| choice.asked).collect();
    let expected = [Asked::Input, Asked::Allocation, Asked::Field(ObjectId(0), data), Asked::Variable(e)];
    assert!(asked[..4] == expected && way(asked[4]) && asked.len() == 5, "{asked:?}");
    // They are those that were made, in order, each in a later state.
    assert_eq!(run.made.iter().map(|choice| choice.value).collect::<Vec<_>>(), choices.made);
    assert!(run.made.is_sorted_by(|one, next| one.visit < next.visit));
}

#[test]
fn enumeration_visits_every_combination_once() {
    let text = "entry proc main() { i32 a; i32 b; a = nondet(0, 2); if (*) { b = nondet(0, 1); } else { b = 5; } }";
    let (program, _) = program(text);
    let main = program.entry.expect("an entry");
    let name = |name| program.variable_named(main, name).expect("a variable");
    let (a, b): (VarId, VarId) = (name("a"), name("b"));
    let mut choices = Exhaustive::new(8, 8);
    let mut found = Vec::new();
    loop {
        let (_, visited) = visited(&program, &mut choices);
        // At the exit locals have no value any more.
        let (_, last) = &visited[visited.len() - 2];
        found.push((last.value(a), last.value(b)));
        assert_eq!(choices.made().len(), if last.value(b) == Value::Scalar(5) { 2 } else { 3 });
        if !choices.advance() {
            break;
        }
    }
    let expected: Vec<_> = (0..3).flat_map(|a| [0, 1, 5].map(|b| (Value::Scalar(a), Value::Scalar(b)))).collect();
    assert_eq!(found, expected);
    assert!(!choices.cut);
}

#[test]
fn every_point_of_a_run_is_visited_with_its_frame() {
    let text = "entry proc main() { node *x; x = f(null); } proc f(node *p) -> node *r { node *t; t = p; return t; }";
    let (program, _) = program(text);
    let (_, visited) = visited(&program, &mut Seeded::new(0));
    let points: Vec<(u32, u32)> = visited.iter().map(|(point, _)| (point.procedure.0, point.node.0)).collect();
    assert_eq!(points, [(0, 0), (1, 0), (1, 2), (1, 3), (1, 1), (0, 2), (0, 1)]);
    let (_, at_exit) = &visited[4];
    let f = program.procedure_named("f").expect("f");
    let value = |name| at_exit.value(program.variable_named(f, name).expect("a variable"));
    assert_eq!([value("p"), value("r"), value("t")], [Value::Null, Value::Null, Value::Uninitialised]);
}

/// An allocator may use an address again: pointers to objects that are gone are equal to others, or not.
#[test]
fn pointers_to_objects_that_are_gone_are_compared_by_chance() {
    finds("x = new node;\nfree(x);\ny = new node;\nassert(x == y); assert(x != null);\nfree(y);", &["assertion:5"]);
    finds("x = new node;\nfree(x);\ny = new node;\nassert(x != y);\nfree(y);", &["assertion:5"]);
    finds("x = new node;\ny = x;\nfree(x);\nassert(x == y); assert(x != null);", &[]);
}

/// Runs a procedure on two elements, of which the second leads to `next`, and asserts that they are a list.
fn asserted(next: Value) -> (ProcId, Run) {
    let text =
        "proc shape(node *p) -> bool b { node *n; if (p == null) { b = true; return; } n = p->next; b = shape(n); }
        proc main(node *x) { bool b;
            b = shape(x);
            if (!b) { error(assertion, \"no list\"); } }";
    let (program, _) = program(text);
    let main = program.procedure_named("main").expect("it is there");
    let position = |wanted: &dyn Fn(&Statement) -> bool| {
        program[main].edges.iter().position(|edge| wanted(&edge.statement)).expect("an edge")
    };
    let call = position(&|statement| matches!(statement, Statement::Call { .. }));
    let error = position(&|statement| matches!(statement, Statement::Error { .. }));
    let structure = program.struct_ids().next().expect("a struct");
    let object = |next| Object {
        structure,
        region: Region::Heap,
        status: Status::Alive,
        died_at: None,
        fields: vec![next, Value::Uninitialised],
        part_of: None,
        leaked: false,
    };
    let objects = vec![object(Value::Object(ObjectId(1))), object(next)];
    let assertions = [((main, call), error)].into_iter().collect();
    let start = RunStart { objects, arguments: vec![Value::Object(ObjectId(0))], assertions };
    let run = interpret_from(&program, main, &start, &Options::default(), &mut Seeded::new(1), &mut |_, _| {});
    (main, run)
}

/// An error while an assertion about a shape is evaluated means that it does not hold, and so does a cycle.
#[test]
fn assertions_about_shapes_hold_or_fail() {
    let (_, holds) = asserted(Value::Null);
    assert!(holds.findings.iter().all(|finding| finding.kind == FindingKind::Leak), "{holds:?}");
    for next in [Value::Uninitialised, Value::Object(ObjectId(0)), Value::Object(ObjectId(1))] {
        let (main, run) = asserted(next);
        assert_eq!(run.outcome, RunEnd::Failed, "{next:?}");
        let last = run.findings.last().expect("it fails");
        assert_eq!((last.kind, last.point.procedure), (FindingKind::Assertion, main));
    }
}
