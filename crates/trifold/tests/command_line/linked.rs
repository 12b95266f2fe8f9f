//! Programs of several files: which files are linked, what a link means, and what is told where files do not go
//! together.

use super::*;
use trifold_examples::tools::c_compiler;

/// Runs `trifold` in a directory.
fn inside(scratch: &Scratch, arguments: &[&str]) -> Run {
    let mut command = Command::new("sh");
    command.args(["-c", "cd \"$0\" && exec \"$@\""]).arg(scratch.path("")).arg(env!("CARGO_BIN_EXE_trifold"));
    command.args(arguments);
    run(command, DEADLINE)
}

const HEADER: &str = "#include <stdlib.h>\nstruct node { struct node *next; int value; };\n\
    struct node *push(struct node *list, int value);\nvoid clear(struct node *list);\n";

const MAIN: &str = "#include \"list.h\"\nstatic int next(int x) { return x + 1; }\nint main(void) {\n\
    struct node *list = NULL;\n  for (int i = 0; i < 3; i++)\n    list = push(list, next(i));\n  clear(list);\n\
    return 0;\n}\n";

const LIST: &str = "#include \"list.h\"\nstatic int next(int x) { return x; }\n\
    struct node *push(struct node *list, int value) {\n  struct node *node = malloc(sizeof *node);\n\
    node->next = list;\n  node->value = next(value);\n  return node;\n}\n\
    void clear(struct node *list) {\n  while (list) {\n    struct node *rest = list->next;\n    free(list);\n\
    list = rest;\n  }\n}\n";

fn lists(list: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.file("list.h", HEADER);
    scratch.file("main.c", MAIN);
    scratch.file("list.c", list);
    scratch
}

fn functions(report: &Value) -> Vec<(&str, &str)> {
    let functions = report["functions"].as_array().unwrap().iter();
    functions.map(|f| (f["name"].as_str().unwrap(), f["path"].as_str().unwrap())).collect()
}

#[test]
fn a_function_of_another_file_is_entered() {
    let scratch = lists(LIST);
    let reports = inside(&scratch, &["check", "main.c", "list.c", "--format", "json"]).expect(0).json();
    let [report] = &reports.as_array().unwrap()[..] else { panic!("{reports}") };
    assert_eq!(report["verdict"], "proved");
    assert_eq!(report["assumed"].as_array().map(Vec::len), Some(0), "{report}");
    assert_eq!(report["files"], serde_json::json!(["main.c", "list.c"]));
    // Functions of the same name are told apart by their files.
    let expected = [
        ("next (main.c)", "main.c"),
        ("main", "main.c"),
        ("next (list.c)", "list.c"),
        ("push", "list.c"),
        ("clear", "list.c"),
    ];
    assert_eq!(functions(report), expected);
}

#[test]
fn a_leak_that_a_function_of_another_file_makes_is_found() {
    let scratch = lists(&LIST.replace("    free(list);\n", ""));
    let run = inside(&scratch, &["check", "main.c", "list.c"]).expect(1);
    assert!(run.stdout.contains("main.c with list.c: bug"), "{}", run.stdout);
    for part in ["error[leak]", "main.c:8", "list.c:4", "allocated here"] {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
    let log = inside(&scratch, &["check", "main.c", "list.c", "--format", "sarif"]).expect(1).json();
    let steps = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let uris: std::collections::BTreeSet<&str> = steps
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step["location"]["physicalLocation"]["artifactLocation"]["uri"].as_str())
        .collect();
    assert!(uris.contains("main.c"), "{steps}");
}

#[test]
fn steps_in_other_files_have_their_names() {
    let scratch = lists(&LIST.replace("node->value = next(value);", "free(node); node->value = value;"));
    let run = inside(&scratch, &["check", "main.c", "list.c"]).expect(1);
    assert!(run.stderr.contains("--> list.c:6"), "{}", run.stderr);
    assert!(run.stderr.contains("main.c:6: "), "{}", run.stderr);
}

#[test]
fn files_with_main_are_programs_of_their_own() {
    let scratch = lists(LIST);
    scratch.file("other.c", "int main(void) { return 0; }\n");
    scratch.file("alone.c", "int twice(int x) { return 2 * x; }\n");
    let reports =
        inside(&scratch, &["check", "alone.c", "list.c", "main.c", "other.c", "--format", "json"]).expect(0).json();
    let files: Vec<&Value> = reports.as_array().unwrap().iter().map(|report| &report["files"]).collect();
    let expected =
        [serde_json::json!(["alone.c"]), serde_json::json!(["main.c", "list.c"]), serde_json::json!(["other.c"])];
    assert_eq!(files, expected.iter().collect::<Vec<_>>());
}

#[test]
fn what_is_defined_twice_is_linked_with_neither() {
    let scratch = lists(LIST);
    scratch.file("copy.c", LIST);
    let run = inside(&scratch, &["check", "main.c", "list.c", "copy.c", "--format", "json"]);
    assert!(
        run.stderr.contains("warning: `push` is defined in list.c and in copy.c, so main.c is linked with neither"),
        "{}",
        run.stderr
    );
    let files: Vec<Value> = run.json().as_array().unwrap().iter().map(|report| report["files"].clone()).collect();
    assert_eq!(files, ["main.c", "list.c", "copy.c"].map(|file| serde_json::json!([file])));
    // A module of the configuration must be one program, as for the linker.
    scratch.file("trifold.toml", "[[module]]\nname = \"all\"\nfiles = [\"*.c\"]\n");
    let run = inside(&scratch, &["check"]).expect(2);
    assert!(run.stderr.contains("error[link]: `push` is defined in two files"), "{}", run.stderr);
    assert!(run.stderr.contains("list.c:3") && run.stderr.contains("copy.c:3"), "{}", run.stderr);
}

#[test]
fn a_directory_is_all_that_is_below_it() {
    let scratch = lists(LIST);
    std::fs::create_dir_all(scratch.path("src/deep/.hidden")).unwrap();
    for (name, text) in [
        ("src/main.c", MAIN.replace("list.h", "../list.h")),
        ("src/deep/list.c", LIST.replace("list.h", "../../list.h")),
        ("src/deep/test_list.c", LIST.replace("list.h", "../../list.h")),
        ("src/deep/.hidden/broken.c", "int x(".to_string()),
        ("src/notes.txt", String::new()),
    ] {
        scratch.file(name, text);
    }
    let files = |arguments: &[&str]| -> Vec<Value> {
        let run = inside(&scratch, &[&["check", "--format", "json"], arguments].concat());
        run.json().as_array().unwrap().iter().map(|report| report["files"].clone()).collect()
    };
    let linked = serde_json::json!(["src/main.c", "src/deep/list.c"]);
    assert_eq!(files(&["src", "--exclude", "test_*"]), std::slice::from_ref(&linked));
    assert_eq!(files(&["./src/", "--exclude", "src/deep/test_list.c"]), [linked]);
    assert_eq!(files(&["src"]).len(), 3);
    let none = inside(&scratch, &["check", "src", "--exclude", "src"]).expect(2);
    assert!(none.stderr.contains("no file to check"), "{}", none.stderr);
    std::fs::create_dir(scratch.path("empty")).unwrap();
    assert!(inside(&scratch, &["check", "empty"]).expect(2).stderr.contains("no program in C or Java below empty"));
}

#[test]
fn a_module_has_a_name_files_and_macros() {
    let scratch = lists(&LIST.replace("free(list);", "RELEASE(list);"));
    let module = "[[module]]\nname = \"the lists\"\nfiles = [\"list.c\", \"main.c\"]\n";
    scratch.file("trifold.toml", format!("{module}define = [\"RELEASE=free\"]\n"));
    let run = inside(&scratch, &["check"]).expect(0);
    assert!(run.stdout.starts_with("the lists: proved"), "{}", run.stdout);
    // Files of the command line count more.
    let run = inside(&scratch, &["check", "main.c", "--format", "json"]);
    assert_eq!(run.json()["files"], serde_json::json!(["main.c"]));
    scratch.file("trifold.toml", format!("{module}defines = []\n"));
    assert!(inside(&scratch, &["check"]).expect(2).stderr.contains("unknown field `defines`"));
}

#[test]
fn types_that_do_not_agree_are_told_with_both_places() {
    let scratch = lists(LIST);
    scratch.file("main.c", "char *push(int);\nint main(void) { push(3); return 0; }\n");
    let run = inside(&scratch, &["check", "main.c", "list.c"]).expect(3);
    assert!(run.stderr.contains("warning[link]: `push` is declared as `char *(int)`"), "{}", run.stderr);
    assert!(run.stderr.contains("main.c:1:7") && run.stderr.contains("list.c:3"), "{}", run.stderr);
    assert!(run.stderr.contains("`push`, which another file defines in another way"), "{}", run.stderr);
    // A struct of the same name that is another one.
    scratch.file(
        "main.c",
        "struct node { int value; struct node *next; };\nvoid clear(struct node *);\n\
            int main(void) { clear(0); return 0; }\n",
    );
    let run = inside(&scratch, &["check", "main.c", "list.c"]).expect(3);
    assert!(run.stderr.contains("warning[link]: `clear` is declared as"), "{}", run.stderr);
    assert!(run.stderr.contains("list.h:2") && run.stderr.contains("are not the same"), "{}", run.stderr);
    let log = inside(&scratch, &["check", "main.c", "list.c", "--format", "sarif"]).expect(3).json();
    let notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].to_string();
    assert!(notes.contains("`clear` is declared as"), "{notes}");
}

#[test]
fn structs_of_different_files_may_have_the_same_name() {
    let scratch = Scratch::new();
    let other = "#include <stdlib.h>\nstruct node { long wide; struct node *left, *right; };\nint count(void) {\n\
        struct node *n = malloc(sizeof *n);\n  n->left = n->right = NULL;\n  n->wide = 1;\n  int w = n->wide == 1;\n\
        free(n);\n  return w;\n}\n";
    scratch.file("list.h", HEADER);
    scratch.file("list.c", LIST);
    scratch.file("tree.c", other);
    scratch.file(
        "main.c",
        MAIN.replace("static int next(int x) { return x + 1; }", "#include <assert.h>\nint count(void);")
            .replace("next(i)", "i")
            .replace("return 0;", "assert(count() == 1);\n  return 0;"),
    );
    let reports = inside(&scratch, &["check", ".", "--format", "json"]).expect(0).json();
    assert_eq!(reports[0]["files"], serde_json::json!(["main.c", "list.c", "tree.c"]));
}

#[test]
fn a_database_has_included_files_undefined_macros_and_files_of_words() {
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.path("inc")).unwrap();
    scratch.file("inc/pre.h", "#include <stdlib.h>\n#define LOST 1\n#define START NULL\n");
    scratch.file("flags", "-Iinc -include pre.h\n-D'UNUSED=a b'");
    scratch.file(
        "a.c",
        "int main(void) {\n  int *p = START;\n#ifdef LOST\n  *p = 1;\n#endif\n  return __STDC_VERSION__ != 199901L;\n}\n",
    );
    let here = scratch.path("");
    let database = |command: &str| {
        scratch
            .file("db.json", serde_json::json!([{ "directory": here, "file": "a.c", "command": command }]).to_string());
        inside(&scratch, &["check", "--compile-commands", "db.json", "--format", "json"])
    };
    database("cc @flags -c a.c").expect(1);
    // A macro that is undefined on the command line is defined again by the included file; one that is not, is not.
    database("cc @flags -ULOST -c a.c").expect(1);
    scratch.file("inc/pre.h", "#include <stdlib.h>\n#define START NULL\n");
    database("cc @flags -DLOST -c a.c").expect(1);
    let report = database("cc @flags -DLOST -ULOST -std=c99 -O2 -c a.c").expect(0).json();
    assert_eq!((&report["file"], &report["verdict"]), (&Value::from("a.c"), &Value::from("proved")));
    // The same by options.
    let run = inside(&scratch, &["check", "a.c", "-I", "inc", "--include", "inc/pre.h", "-D", "LOST", "-U", "LOST"]);
    run.expect(0);
}

#[test]
fn a_function_that_is_defined_nowhere_makes_the_result_conditional() {
    let scratch = Scratch::new();
    let text = "int next(int *state);\nvoid note(const char *text);\nint main(void) {\n  int state = 3;\n\
        int *p = &state;\n  if (next(&state) > 5) p = &state;\n  note(\"done\");\n  return *p;\n}\n";
    let file = scratch.file("a.c", text);
    let run = trifold(["check", &file]).expect(0);
    assert!(
        run.stdout.contains("note: `next`, `note`, defined nowhere: such a function returns any value"),
        "{}",
        run.stdout
    );
    let report = trifold(["check", &file, "--format", "json"]).expect(0).json();
    let assumed = report["assumed"].as_array().unwrap();
    assert_eq!(assumed.len(), 2, "{report}");
    assert_eq!((&assumed[0]["function"], &assumed[0]["line"]), (&Value::from("next"), &Value::from(6)));
    let log = trifold(["check", &file, "--format", "sarif"]).expect(0).json();
    let notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
    let known = notes.iter().filter(|note| note["descriptor"]["id"] == "assumed-function");
    assert_eq!(known.count(), 2, "{log}");
    // What it may change is not known afterwards.
    for (text, status) in [
        ("int next(int *s); int main(void) { int s = 3; next(&s); __builtin_assert(s == 3); }", 1),
        ("int next(const int *s); int main(void) { int s = 3; next(&s); __builtin_assert(s == 3); }", 0),
        ("void f(void); int s = 3; int main(void) { f(); __builtin_assert(s == 3); }", 1),
        ("void f(void); static int s = 3; int main(void) { f(); __builtin_assert(s == 3); }", 0),
        ("void f(void); const int s = 3; int main(void) { f(); __builtin_assert(s == 3); }", 0),
        ("void f(void); int s[40]; int main(void) { f(); __builtin_assert(s[4] == 0); }", 1),
        ("struct p { int x; }; struct p f(int); int main(void) { struct p s = f(1); __builtin_assert(s.x == 3); }", 1),
        // What cannot be expressed is not analysed.
        (
            "struct n { struct n *next; }; void f(struct n *); int main(void) { struct n n = {0}; f(&n); return !n.next; }",
            3,
        ),
        ("struct n { struct n *next; }; struct n *f(void); int main(void) { return f()->next != 0; }", 3),
        ("void f(void); int *p; int main(void) { f(); return p != 0; }", 3),
        ("void f(void (*)(void)); static int s; static void g(void) { s = 1; } int main(void) { f(g); return s; }", 3),
        ("void f(int *, int); int main(void) { int a[3] = {0}; f(a, 3); return a[2]; }", 3),
    ] {
        let text = text.replace("__builtin_assert(", "trifold_assert(");
        let header = "void abort(void);\nstatic void trifold_assert(int x) { if (!x) { int *p = 0; *p = 1; } }\n";
        let file = scratch.file("b.c", format!("{header}{text}\n"));
        let run = trifold(["check", &file]);
        assert_eq!(run.status.unwrap_or(-1), status, "{text}\n{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn an_error_costs_the_function_that_it_is_in() {
    let scratch = Scratch::new();
    let good = "int good(int x) { return x; }\n";
    for (bad, cost) in [
        ("int bad(void) { return missing; }\n", &["bad"][..]),
        ("int bad(void) { int x = 1 +; return x; }\nint user(void) { return bad(); }\n", &["bad", "user"]),
        ("int table = sizeof(struct absent);\nint bad(void) { return table; }\n", &["bad"]),
        ("int bad(void) { return 1; }\nint bad(void) { return 2; }\n", &["bad"]),
        ("__attribute__((naked)) int bad(void) { return 1; }\n", &["bad"]),
        ("struct s { int a; };\nint bad(struct s *p) { return p->b; }\n", &["bad"]),
        ("int bad(int n) { goto nowhere; return n; }\n", &["bad"]),
        ("int bad(void) { return @; }\n", &["bad"]),
    ] {
        let file = scratch.file("a.c", format!("{bad}{good}"));
        let report = trifold(["check", &file, "--format", "json"]).expect(3).json();
        let verdicts: BTreeMap<&str, &str> = report["functions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|function| (function["name"].as_str().unwrap(), function["verdict"].as_str().unwrap()))
            .collect();
        assert_eq!(verdicts["good"], "proved", "{bad}");
        cost.iter().for_each(|name| assert_eq!(verdicts[name], "not-analysed", "{bad}"));
        // Where nothing else is left, the file is refused, as what is wrong outside of functions is.
        let alone = scratch.file("b.c", bad.split("int user").next().unwrap());
        if bad.starts_with("int bad(void) { return missing") {
            trifold(["check", &alone]).expect(2);
        }
    }
    let file = scratch.file("c.c", format!("struct s {{ int a b; }};\n{good}"));
    trifold(["check", &file]).expect(2);
    let file = scratch.file("d.c", format!("int bad(void) {{ if (1) {{ return 0; }}\n{good}"));
    trifold(["check", &file]).expect(2);
}

/// What the linker of C says of two files: the values that `main` gets of `f` and `g`, or nothing.
fn judged(compiler: &str, scratch: &Scratch, [first, second]: [&str; 2]) -> Option<String> {
    let (a, b, program) = (scratch.file("x.c", first), scratch.file("y.c", second), scratch.path("xy"));
    let mut command = Command::new(compiler);
    command.args(["-w", "-fno-common", "-fsanitize=address,undefined", "-o", &program, &a, &b]);
    let compiled = run(command, DEADLINE);
    (compiled.status == Some(0)).then(|| run(Command::new(&program), DEADLINE).expect(0).stdout)
}

/// Pairs of files in which a name is declared and defined in all ways.
#[test]
fn names_mean_what_the_linker_says() {
    let Some(compiler) = c_compiler() else { return };
    let scratch = Scratch::new();
    let functions = [
        "int f(void);",
        "static int f(void) { return N; }",
        "int f(void) { return N; }",
        "inline int f(void) { return N; }",
        "extern inline int f(void) { return N; }",
        "__attribute__((weak)) int f(void) { return N; }",
        "static int f(void); int f(void) { return N; }",
        "int f(void); inline int f(void) { return N; }",
    ];
    let variables = [
        "extern int v; int f(void);",
        "int v; static int f(void) { return v; }",
        "int v = N; static int f(void) { return v; }",
        "extern int v; static int f(void) { return v; }",
        "static int v = N; static int f(void) { return v; }",
        "extern int v; int v; static int f(void) { return v; }",
        "__attribute__((weak)) int v = N; static int f(void) { return v; }",
        "static int f(void) { extern int v; return v; }",
        "_Thread_local int v = N; static int f(void) { return v; }",
    ];
    let mut compared = 0;
    for kinds in [&functions[..], &variables[..]] {
        for first in kinds {
            for second in kinds {
                compared += usize::from(agrees(compiler, &scratch, first, second));
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

/// Do the linker and Trifold agree on two files, as far as the linker takes them?
fn agrees(compiler: &str, scratch: &Scratch, first: &str, second: &str) -> bool {
    let second = format!("{}\nint g(void) {{ return f(); }}\n", second.replace('N', "2"));
    let main = |body: &str| {
        let declared = "int g(void);\nint printf(const char *, ...);\nvoid abort(void);\n";
        format!("{}\n{declared}int main(void) {{ {body} return 0; }}\n", first.replace('N', "1"))
    };
    let text = main("printf(\"%d %d\", f(), g());");
    let Some(values) = judged(compiler, scratch, [&text, &second]) else { return false };
    let (f, g) = values.split_once(' ').unwrap();
    let b = scratch.file("b.c", &second);
    let fails = |condition: &str| main(&format!("if ({condition}) {{ int *p = 0; *p = 1; }}"));
    // What is never so must not fail in a run, and what is always so must be seen.
    let never = scratch.file("never.c", fails(&format!("f() != {f} || g() != {g}")));
    let status = trifold(["run", &never, &b]).status.unwrap_or(-1);
    assert!([0, 3].contains(&status), "{text}\n{second}\n{values}: {status}");
    let always = scratch.file("always.c", fails(&format!("f() == {f} && g() == {g}")));
    let status = trifold(["run", &always, &b]).status.unwrap_or(-1);
    assert!([1, 3].contains(&status), "{text}\n{second}\n{values}: {status}");
    let status = trifold(["check", &always, &b]).status.unwrap_or(-1);
    assert!([1, 3].contains(&status), "{text}\n{second}\n{values}: {status}");
    true
}
