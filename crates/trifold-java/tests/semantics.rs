//! The translation has the same results as Java.

use std::process::Command;
use trifold_examples::tools::require;
use trifold_ir::{FindingKind, Options, Run, RunEnd, Seeded, interpret, validate};

fn run(text: &str, seed: u64) -> Run {
    let loaded = trifold_java::load("Test.java", text, trifold_java::Entry::Method("main"));
    let program = loaded.unwrap_or_else(|failure| panic!("{}", failure.render(false))).program;
    assert_eq!(validate(&program).map_err(|errors| format!("{errors:?}")), Ok(()));
    interpret(&program, program.entry.expect("a main"), &Options::default(), &mut Seeded::new(seed), &mut |_, _| {})
}

/// The kinds of findings, without objects that nothing refers to any more: they are collected.
fn findings(run: &Run) -> Vec<FindingKind> {
    run.findings.iter().map(|finding| finding.kind).filter(|kind| *kind != FindingKind::Leak).collect()
}

#[test]
fn assertions_that_hold_in_java_hold() {
    let run = run(include_str!("programs/Semantics.java"), 1);
    let texts: Vec<_> = run.findings.iter().filter(|finding| finding.kind != FindingKind::Leak).collect();
    assert!(texts.is_empty(), "{texts:?}");
    assert_eq!(run.outcome, RunEnd::Ended);
}

/// And they do hold in Java.
#[test]
fn the_assertions_hold_in_java() {
    if !(require("javac") && require("java")) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/Semantics.java");
    let compiled = Command::new("javac").arg("-d").arg(directory.path()).arg(source).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new("java").arg("-ea").arg("-cp").arg(directory.path()).arg("Semantics").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A class `T` with a field `T n`, an `int d`, and these statements in `main`.
fn main_with(statements: &str) -> String {
    format!(
        "class T {{ T n; int d; double f; String s; int[] a; T[] ts; void m() {{ }} static T id(T t) {{ return t; }}
            public static void main(String[] args) {{ {statements} }} }}"
    )
}

#[test]
fn null_is_found_where_it_is_used() {
    for statements in [
        "T t = null; t = t.n;",
        "T t = new T(); t.n.d = 1;",
        "T t = new T(); t.n.n = t;",
        "T t = null; t.m();",
        "T t = null; double x = t.f;",
        "T t = new T(); int l = t.s.length();",
        "T t = new T(); int l = t.a.length;",
        "T t = new T(); t.a[0] = 1;",
        "T t = new T(); id(t.n).m();",
        "Integer i = null; int j = i;",
        "T t = null; if (t == null && t.d > 0) { t = null; }",
        "RuntimeException e = null; throw e;",
    ] {
        assert_eq!(findings(&run(&main_with(statements), 1)), [FindingKind::NullDereference], "{statements}");
    }
}

#[test]
fn what_is_not_analysed_is_said() {
    for statements in [
        "try { id(null); } catch (RuntimeException e) { }",
        "switch (args.length) { case 1: break; default: }",
        "Runnable r = () -> { };",
        "Object o = new java.util.ArrayList<T>();",
        "T[] ts = new T[3]; T t = ts[0];",
        "for (String s : args) { System.out.println(s); }",
        "synchronized (args) { }",
        "int[] x = {1, 2};",
        "T t = new T() { };",
        "Thread.yield();",
        "Object o = new T(); o.hashCode();",
        "class Local { } ",
        "T t = new T(); t.getClass();",
        "Class<?> c = T.class;",
    ] {
        assert_eq!(findings(&run(&main_with(statements), 1)), [FindingKind::NotAnalysed], "{statements}");
    }
}

/// Where an object becomes text, its `toString` runs.
#[test]
fn text_of_objects_with_a_method_for_it_is_not_analysed() {
    for statement in [
        "String s = \"\" + t;",
        "String s = \"\"; s += t;",
        "String s = String.valueOf(t);",
        "new StringBuilder().append(t);",
        "System.out.println(t);",
        "show(t);",
        "throw new IllegalStateException(\"\" + t);",
    ] {
        let program = |method: &str| {
            format!(
                "class T {{ T n; int d; {method}
                static <U> void show(U u) {{ System.out.println(u); }}
                public static void main(String[] args) {{ T t = new T(); {statement} }} }}"
            )
        };
        let written = program("public String toString() { return n.d > 0 ? \"a\" : \"b\"; }");
        assert_eq!(findings(&run(&written, 1)), [FindingKind::NotAnalysed], "{statement}");
        assert_eq!(findings(&run(&program(""), 1)), [], "{statement}");
    }
}

/// Classes are initialised when they are used for the first time, not before the program.
#[test]
fn static_initializers_run_when_their_class_is_used() {
    let main = "class Main { static N p; static int k = Later.c + 1;
        public static void main(String[] args) { p = new N(); int z = A.k; assert k == 6 && p.v == z; } }
        class Later { static int c = 5; } class N { N n; int v; N(int v) { this.v = v; } N() { this(0); } static N kept; }";
    for (class, expected) in [
        ("class A { static int k; static N own = new N(3); static { own.n = new N(); k = own.n.v; } }", &[][..]),
        ("class A { static { Main.p = null; } static int k = 1; }", &[FindingKind::NotAnalysed]),
        ("class A { static N q = Main.p; static int k = q.v; }", &[FindingKind::NotAnalysed]),
        ("class A { static int k = f(); static int f() { N.kept = Main.p; return 0; } }", &[FindingKind::NotAnalysed]),
        ("class A { static int k = f(); static int f() { throw new Error(); } }", &[FindingKind::NotAnalysed]),
    ] {
        assert_eq!(findings(&run(&format!("{class} {main}"), 1)), expected, "{class}");
    }
}

/// What fails first ends the program, before what would be evaluated later.
#[test]
fn the_first_failure_counts() {
    let program = |statements: &str| {
        format!("class T {{ static int k() {{ assert false; return 1; }} static void main() {{ {statements} }} }}")
    };
    for (statements, expected) in [
        ("int z = 0; int x = 1 / z + k();", &[][..]),
        ("long z = 0; long x = 1 % z + k();", &[]),
        ("int z = 0; z = k() + 1 / z;", &[FindingKind::Assertion]),
        ("int[] a = new int[1]; a[1] = k();", &[FindingKind::Assertion]),
        ("int[] a = null; a[1] = k();", &[FindingKind::Assertion]),
        ("int[] a = new int[1]; a[1] += k();", &[]),
        ("int[] a = null; a[1] += k();", &[FindingKind::NullDereference]),
        ("int[] a = null; a[k()]++;", &[FindingKind::Assertion]),
    ] {
        assert_eq!(findings(&run(&program(statements), 1)), expected, "{statements}");
    }
}

/// Whether a number and a `final` variable are a `char` depends on the value, which is not looked for.
#[test]
fn types_that_depend_on_constants_are_not_analysed() {
    for (declaration, expected) in
        [("final int k = 1;", &[FindingKind::NotAnalysed][..]), ("int k = 1;", &[]), ("final long k = 1;", &[])]
    {
        let text = main_with(&format!("{declaration} char c = 'c'; boolean b = (args == null ? c : k) == 1;"));
        assert_eq!(findings(&run(&text, 1)), expected, "{declaration}");
    }
}

#[test]
fn abnormal_ends_are_no_findings() {
    for statements in ["throw new RuntimeException(\"no\");", "System.exit(1);", "int x = 1 / (args.length * 0);"] {
        assert_eq!(findings(&run(&format!("{} ", main_with(statements)), 1)), [], "{statements}");
    }
    assert_eq!(findings(&run(&main_with("assert args == null;"), 1)), [FindingKind::Assertion]);
    let cast = "class A { static void main() { A a = new A(); B b = (B) a; } } class B extends A { }";
    assert_eq!(findings(&run(cast, 1)), [FindingKind::Assertion]);
}

#[test]
fn what_comes_from_outside_can_be_anything() {
    let text = main_with(
        "int k = new java.util.Random().nextInt(10); assert k != 3 || args.length != 1 || true;
        double d = Math.random(); assert d > 0.5;",
    );
    let outcomes: Vec<usize> = (0..20).map(|seed| findings(&run(&text, seed)).len()).collect();
    assert!(outcomes.contains(&0) && outcomes.contains(&1), "{outcomes:?}");
}

#[test]
fn mistakes_are_reported_with_their_place() {
    let cases = [
        ("int x = y;", "there is no variable or field `y`", "y"),
        ("T t = new T(); t.q = 1;", "`T` has no field `q`", "q"),
        ("T t = new T(); t.q();", "`T` has no method `q`", "q"),
        ("q();", "there is no method `q`", "q"),
        ("id(1, 2);", "`id` does not take these arguments", "id"),
        ("int x = 1; int x = 2;", "there is a variable `x` already", "x"),
        ("T t = 1;", "expected `T`, found `int`", "1"),
        ("break;", "there is no loop to leave or to go on with", "break;"),
        ("int x = 1 +;", "expected an expression, found `;`", ";"),
        ("return 1;", "there is nothing to return here", "return 1;"),
        ("boolean b = 1 + true;", "expected a number, found `boolean`", "1 + true"),
    ];
    let programs = [
        ("class A { static A() { } static void main() { new A(); } }", "a constructor cannot be static", "A"),
        (
            "class A { void f() { } } class B extends A { static void f() { super.f(); } static void main() { f(); } }",
            "there is no `super` in a static method",
            "super.f()",
        ),
    ];
    for (program, message, place) in programs {
        let failure = trifold_java::load("A.java", program, trifold_java::Entry::Method("main")).expect_err(program);
        let error = failure.errors().next().expect("an error");
        assert_eq!(error.message, message, "{program}");
        assert_eq!(failure.sources.text(error.primary.span), place, "{program}");
    }
    for (statements, message, place) in cases {
        let failure = trifold_java::load("T.java", &main_with(statements), trifold_java::Entry::Method("main"))
            .expect_err(statements);
        let error = failure.errors().next().expect("an error");
        assert_eq!(error.message, message, "{statements}");
        assert_eq!(failure.sources.text(error.primary.span), place, "{statements}");
    }
}
