//! Bugs are real: for every confirmed bug of the examples in C and Java there is a program that a compiler with
//! sanitizers, or Java, sees fail in the same way. So they are the judges of Trifold.

mod support;

use serde_json::Value;
use std::process::Command;
use std::sync::Mutex;
use support::{Run, Scratch, files, trifold, workspace};
use trifold_examples::tools::{c_compiler, require};

/// A bug, and what a real run of it came to.
struct Judged {
    path: String,
    kind: String,
    line: u64,
    outcome: String,
    says: String,
}

impl Judged {
    fn line(&self) -> String {
        let Judged { path, kind, line, outcome, says } = self;
        format!("{path}:{line}: {kind}: {outcome}: {says}")
    }
}

fn lines<'j>(judged: impl IntoIterator<Item = &'j Judged>) -> String {
    judged.into_iter().map(Judged::line).collect::<Vec<_>>().join("\n")
}

fn judged(path: &str, run: &Run) -> Vec<Judged> {
    let report = run.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let findings = report["functions"].as_array().unwrap().iter().flat_map(|f| f["findings"].as_array().unwrap());
    let bugs = findings.filter(|finding| finding["verdict"] == "bug");
    let judged = bugs.map(|bug| Judged {
        path: path.to_string(),
        kind: text(&bug["kind"]),
        line: bug["line"].as_u64().unwrap(),
        outcome: text(&bug["reproduce"]["outcome"]),
        says: text(&bug["reproduce"]["says"]),
    });
    judged.collect()
}

/// Judges all bugs of files, on two threads, since most of the time is that of compilers.
fn judge_all(paths: Vec<String>, options: &[&str]) -> Vec<Judged> {
    let (paths, found) = (Mutex::new(paths.into_iter()), Mutex::new(Vec::new()));
    let work = || {
        while let Some(path) = { paths.lock().unwrap().next() } {
            let fixed = ["check", &path, "--verify-bugs", "--format", "json", "--quiet"];
            let run = trifold(fixed.iter().chain(options));
            found.lock().unwrap().extend(judged(&path, &run));
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().unwrap()
}

/// At least so many are confirmed, and all others are not for one of these reasons, each so often at most.
fn assert_confirmed(judged: &[Judged], least: usize, excuses: &[(&str, usize)]) {
    let (confirmed, others): (Vec<&Judged>, Vec<&Judged>) = judged.iter().partition(|bug| bug.outcome == "confirmed");
    let is_wrong = |bug: &&Judged| !excuses.iter().any(|(why, _)| bug.says.contains(why));
    let wrong = lines(others.iter().copied().filter(is_wrong));
    assert!(wrong.is_empty(), "real runs say otherwise:\n{wrong}");
    for (why, most) in excuses {
        let excused = others.iter().filter(|bug| bug.says.contains(why)).count();
        assert!(excused <= *most, "{excused} bugs are not confirmed: {why}");
    }
    assert!(confirmed.len() >= least, "only {} confirmed", confirmed.len());
}

/// Without an analysis, which gives up at once: all bugs are those of runs.
const RUNS_ONLY: [&str; 4] = ["--domain", "tvl", "--max-structures", "1"];

#[test]
fn bugs_of_c_programs_are_seen_by_sanitizers() {
    if c_compiler().is_none() {
        return;
    }
    let paths = files("examples/c", "c").into_iter().filter(|path| !path.starts_with("examples/c/checkers"));
    assert_confirmed(&judge_all(paths.collect(), &RUNS_ONLY), 135, &[]);
}

#[test]
fn bugs_of_functions_with_checkers_are_seen_by_sanitizers() {
    if c_compiler().is_none() {
        return;
    }
    let planted = |path: &String| std::fs::read_to_string(workspace().join(path)).unwrap().contains("// twin of: ");
    let paths = files("examples/c/checkers", "c").into_iter().filter(planted);
    // The functions of an assertion do not notice that two of them look at the same memory.
    assert_confirmed(&judge_all(paths.collect(), &[]), 70, &[("memory is shared that an assertion", 3)]);
}

#[test]
fn bugs_of_programs_with_contracts_are_seen_unless_the_contract_is_broken() {
    if c_compiler().is_none() || !require("javac") || !require("java") {
        return;
    }
    let paths = files("examples/contracts", "c").into_iter().chain(files("examples/contracts", "java"));
    assert_confirmed(&judge_all(paths.collect(), &[]), 3, &[("a contract is broken", 8)]);
}

#[test]
fn bugs_of_java_programs_are_exceptions_of_java() {
    if !require("javac") || !require("java") {
        return;
    }
    assert_confirmed(&judge_all(files("examples/java", "java"), &RUNS_ONLY), 60, &[]);
}

/// Programs in C, the options with which they are checked, and what real runs say of their bugs, in their order.
const PROGRAMS: [(&str, &str, &[&str], &[&str]); 16] = [
    (
        "lists",
        "struct node { struct node *next; int data; };
         int third(struct node *list) { return list->next->next->data; }",
        &[],
        // Objects are made up, so callers decide.
        &[],
    ),
    (
        "numbers in arguments",
        "struct node { struct node *next; long data; };
         void find(struct node *list, long wanted)
         { if (list && list->data == wanted && wanted == 1) { free(list); list->data = 1; } }",
        &[],
        &[],
    ),
    (
        "back pointers",
        "struct node { struct node *next, *prev; };
         void f(struct node *list) { if (list && list->next && list->next->prev == list) list->prev->next = list; }",
        &[],
        // Objects are made up, so callers decide.
        &[],
    ),
    (
        "trees",
        "typedef struct { int key; } leaf; typedef struct tree { struct tree *left, *right; leaf *data; } tree;
         int least(tree *t) { if (!t) return 0; while (t->left) t = t->left; return t->data->key; }",
        &[],
        // Objects are made up, so callers decide.
        &[],
    ),
    (
        "results that callers have",
        "struct node { struct node *next; };
         struct node *make(void) { struct node *one = malloc(sizeof *one); one->next = malloc(sizeof *one);
                                   one->next = 0; return one; }",
        &[],
        &["confirmed by LeakSanitizer: memory leak"],
    ),
    (
        "the number of arguments",
        "int main(int argc, char **argv) { int *p = &argc; if (argc == 3) p = 0; return *p; }",
        &[],
        &["confirmed by UndefinedBehaviorSanitizer: load of null pointer"],
    ),
    (
        "numbers that are read",
        "int main(void) { int a; long b;
                          if (scanf(\"%d\", &a) == 1 && a == 1 && scanf(\" %ld\", &b) == 1 && b == -1) abort_here(0); }
         void abort_here(int *p) { *p = 1; }",
        &[],
        &["confirmed by UndefinedBehaviorSanitizer: store to null pointer"],
    ),
    (
        "characters that are read",
        "int main(void) { int c = getchar(); assert(c != 'x'); }",
        &[],
        &["confirmed by assert: assertion failed"],
    ),
    (
        "random numbers",
        "int main(void) { rand(); int i = rand(); int j = random(); assert(i != 1 || j != 2); }",
        &[],
        &["confirmed by assert: assertion failed"],
    ),
    (
        "allocations that fail",
        "int main(void) { int *p = malloc(4), *q = malloc(4); if (p) *q = 1; free(p); free(q); }",
        &["--malloc-may-fail"],
        &["confirmed by UndefinedBehaviorSanitizer: store to null pointer"],
    ),
    (
        "floats",
        "double __VERIFIER_nondet_double(void); struct node { double data; };
         int main(void) { struct node *p = 0; if (__VERIFIER_nondet_double() == 0) p->data = 1; }",
        &[],
        &["confirmed by UndefinedBehaviorSanitizer: member access within null pointer"],
    ),
    (
        "errors that must not be reached",
        "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error(void);
         int main(void) { int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i > 2); if (i < 4) reach_error(); }",
        &[],
        &["confirmed by assert: assertion failed"],
    ),
    (
        "pointers without a value",
        "struct node { struct node *next; }; int main(void) { struct node *p = malloc(sizeof *p), *q; free(p->next->next);
         free(p); }",
        &[],
        &["confirmed by"],
    ),
    (
        "the stack",
        "int *f(void) { int i = 1; int *p = &i; return p; } int main(void) { return *f(); }",
        &[],
        &["confirmed by AddressSanitizer: stack-use-after-return"],
    ),
    (
        "free",
        "int main(void) { int i; int *p = &i; free(p); }",
        &[],
        &["confirmed by AddressSanitizer: bad-free"],
    ),
    (
        "globals",
        "struct node { struct node *next; } *list; int main(void) { list = malloc(sizeof *list); list->next = 0; list = 0; }",
        &[],
        &["confirmed by LeakSanitizer: memory leak"],
    ),
];

/// What the programs use of headers.
const DECLARED: &str = "void *malloc(unsigned long); void free(void *); int rand(void); long random(void);
    int scanf(const char *, ...); int getchar(void); void assert(int); void abort_here(int *);\n";

#[test]
fn everything_that_a_run_chooses_is_repeated() {
    if c_compiler().is_none() {
        return;
    }
    let (scratch, mut wrong) = (Scratch::new(), Vec::new());
    for (name, text, options, expected) in PROGRAMS {
        let path = scratch.file("program.c", format!("{DECLARED}{text}\n"));
        let fixed = ["check", &path, "--verify-bugs", "--format", "json", "--quiet"];
        let says: Vec<String> =
            judged(&path, &trifold(fixed.iter().chain(options))).into_iter().map(|bug| bug.says).collect();
        let fits = says.len() == expected.len() && says.iter().zip(expected).all(|(said, part)| said.contains(part));
        if !fits {
            wrong.push(format!("{name}: {says:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_driver_is_written_with_its_commands_and_is_always_the_same() {
    let scratch = Scratch::new();
    let path = scratch.file(
        "list.c",
        "struct node { struct node *next; };\nvoid f(int c) { struct node *x = 0; if (c == 3) x = x->next; }\n",
    );
    let written = |directory: &str| {
        let run = trifold(["check", &path, "--reproduce", directory, "--format", "json", "--quiet"]).expect(1);
        let bug = run.json()["functions"][0]["findings"][0]["reproduce"].clone();
        assert_eq!(bug["files"], serde_json::json!(["list_1.c"]));
        assert_eq!(bug["outcome"], Value::Null);
        assert_eq!(bug["commands"].as_array().unwrap().len(), 2);
        std::fs::read_to_string(format!("{directory}/list_1.c")).unwrap().replace(directory, "DIR")
    };
    // A program in a temporary directory is not told.
    let verified = || trifold(["check", &path, "--verify-bugs"]).expect(1);
    if c_compiler().is_some() {
        let (first, second) = (verified(), verified());
        assert_eq!(first.stderr, second.stderr);
        assert!(first.stderr.contains("confirmed by") && !first.stderr.contains("to see it"), "{}", first.stderr);
    }
    let (one, two) = (written(&scratch.path("one")), written(&scratch.path("two")));
    assert_eq!(one, two);
    assert!(one.contains("f(3);"), "{one}");
    // Files that Trifold made are made anew.
    assert_eq!(written(&scratch.path("one")), one);
}

/// After the leak this program calls itself until its stack overflows: what looks for leaks then runs on a small one.
/// Where the system puts that differs from run to run.
#[test]
fn a_leak_before_a_stack_overflow_is_seen_in_every_run() {
    if c_compiler().is_none() {
        return;
    }
    let scratch = Scratch::new();
    let path = "examples/c/checkers/sll_insert_behind_bug.c";
    let run = trifold(["check", path, "--reproduce", &scratch.path("out"), "--format", "json", "--quiet"]).expect(1);
    let bug = run.json()["functions"][0]["findings"][0].clone();
    assert_eq!(bug["kind"], "leak");
    let commands: Vec<&str> = bug["reproduce"]["commands"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
    let shell = |command: &str| Command::new("sh").args(["-c", command]).current_dir(workspace()).output().unwrap();
    assert!(shell(commands[0]).status.success());
    for _ in 0..20 {
        let said = String::from_utf8_lossy(&shell(commands[1]).stderr).into_owned();
        assert!(said.contains("stack-overflow") && said.contains("LeakSanitizer: detected memory leaks"), "{said}");
    }
}

#[test]
fn files_of_others_are_not_overwritten() {
    let scratch = Scratch::new();
    let path = scratch.file("list.c", "void f(int c) { int *x = 0; if (c == 3) *x = 1; }\n");
    std::fs::create_dir(scratch.path("out")).unwrap();
    let other = scratch.file("out/list_1.c", "int mine;\n");
    let out = scratch.path("out");
    let run = trifold(["check", &path, "--reproduce", &out]).expect(2);
    assert!(run.stderr.contains("list_1.c is not a reproducer"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "int mine;\n");
    trifold(["check", &path, "--reproduce", &out, "--force", "--quiet"]).expect(1);
    assert!(std::fs::read_to_string(&other).unwrap().contains("Made by `trifold check --reproduce`"));
}

#[test]
fn a_compiler_that_is_not_there_is_told() {
    let scratch = Scratch::new();
    let path = scratch.file("list.c", "void f(int c) { int *x = 0; if (c == 3) *x = 1; }\n");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_trifold"));
    command.args(["check", &path, "--verify-bugs"]).env("CC", "no-such-compiler");
    let run = support::run(command, support::DEADLINE).expect(2);
    assert!(run.stderr.contains("--verify-bugs needs `no-such-compiler`, which is not there"), "{}", run.stderr);
}

#[test]
fn methods_that_nobody_calls_need_objects_and_fail_without_them() {
    if !require("javac") || !require("java") {
        return;
    }
    let scratch = Scratch::new();
    let text = "import java.util.Random;
        class Tree { private Tree left; private int key;
            int deep() { return key > 3 ? left.left.key : 0; }
            static int key(Tree t) { return t.key; }
            static int pick(boolean b) { Tree t = null; return new Random().nextInt(5) == 3 && b ? t.key : 1; } }";
    let path = scratch.file("Tree.java", text);
    // With an entry, arguments are made up.
    let check = |entry: &str| trifold(["check", &path, "--entry", entry, "--verify-bugs", "--format", "json", "-q"]);
    let run = check("Tree.pick").expect(1);
    let judged = judged(&path, &run);
    assert_eq!(judged.len(), 1, "{}", lines(&judged));
    assert_confirmed(&judged, 1, &[]);
    let report = check("Tree.key").json();
    let key = &report["functions"][0];
    assert_eq!((&key["verdict"], &key["needs"][0]), (&Value::from("needs"), &Value::from("t != null")));
    // `this` is not null.
    assert!(!check("Tree.deep").json()["functions"][0]["needs"].to_string().contains("this != null"));
}
