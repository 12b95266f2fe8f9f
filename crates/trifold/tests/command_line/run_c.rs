//! `trifold run` and `trifold translate`.

use super::*;

const LIST: &str = "struct node { struct node *next; };
void *malloc(unsigned long);
void free(void *);
int __VERIFIER_nondet_int(void);
int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
";

#[test]
fn a_program_without_errors() {
    let scratch = Scratch::new();
    let file = scratch.file("list.c", LIST);
    let run = trifold(["run", &file]).expect(0);
    assert!(run.stdout.ends_with("no error in 100 runs\n"), "{}", run.stdout);
    let translated = trifold(["translate", &file]).expect(0);
    assert!(translated.stdout.contains("node->next = list"), "{}", translated.stdout);
}

/// Each kind of error ends with status 1 and a diagnostic at the line of the error; leaks are found where they happen.
#[test]
fn errors_at_their_lines() {
    let scratch = Scratch::new();
    for (old, new, kind, line) in [
        ("while (list) {", "while (1) {", "null-dereference", 14),
        ("free(list);\n        list = next;", "free(list);\n        list = list->next;", "use-after-free", 16),
        ("free(list);", "free(list); free(list);", "double-free", 15),
        ("while (list) {", "list = 0; while (list) {", "leak", 13),
    ] {
        let text = LIST.replace(old, new);
        assert_ne!(text, LIST, "{old}");
        let file = scratch.file("list.c", &text);
        let report = trifold(["run", &file, "--format", "json"]).expect(1).json();
        let findings = report["findings"].as_array().unwrap();
        assert_eq!(findings[0]["kind"], kind, "{report}");
        assert_eq!(findings[0]["line"], line, "{report}");
        let seed = findings[0]["first_seed"].to_string();
        let again = trifold(["run", &file, "--seed", &seed, "--runs", "1"]).expect(1);
        assert!(again.stderr.contains(&format!("list.c:{line}:")), "{}", again.stderr);
        assert!(again.stderr.contains(kind), "{}", again.stderr);
    }
}

#[test]
fn what_is_not_analysed_is_named() {
    let scratch = Scratch::new();
    let file = scratch
        .file("union.c", "union u { int i; void *p; };\nint main(void) { union u u;\nu.i = 1; return u.p != 0; }\n");
    let run = trifold(["run", &file, "--runs", "2"]).expect(3);
    assert!(run.stdout.ends_with("no error in 2 runs, 2 given up\n"), "{}", run.stdout);
    assert!(run.stderr.contains("union.c:3:") && run.stderr.contains("union"), "{}", run.stderr);
}

#[test]
fn bad_input() {
    let scratch = Scratch::new();
    let broken = scratch.file("broken.c", "int main(void) {\n  int = 1;\n}\n");
    let run = trifold(["run", &broken]).expect(2);
    assert!(run.stderr.contains("broken.c:2:"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
    let library = scratch.file("library.c", "int f(void) { return 1; }\n");
    assert!(trifold(["run", &library]).expect(2).stderr.contains("no function `main`"));
    trifold(["run", &library, "--entry", "f"]).expect(0);
    assert!(trifold(["run", "no/such/file.c"]).expect(2).stderr.contains("there is no such file"));
    let missing = scratch.file("missing.c", "#include \"missing.h\"\nint main(void) { return 0; }\n");
    let run = trifold(["run", &missing]).expect(2);
    assert!(run.stderr.contains("missing.h") || run.stderr.contains("does not run"), "{}", run.stderr);
}
