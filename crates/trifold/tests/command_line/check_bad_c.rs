//! `trifold check` on programs that are wrong, unusual or too large: diagnosed at the line, no panic, and no longer
//! than it may take.

use super::*;
use std::time::Duration;

const PROTOTYPES: &str =
    "void *malloc(unsigned long); void free(void *); int nondet(void); struct node { struct node *next; };\n";

/// The output of `trifold check` about a program that it refuses, at the expected line.
fn refused(name: &str, text: &str, line: usize, words: &str) {
    let scratch = Scratch::new();
    let run = trifold(["check", &scratch.file(name, text)]).expect(2);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains(&format!("{name}:{line}:")), "{}", run.stderr);
    assert!(run.stderr.contains(words), "{}", run.stderr);
}

#[test]
fn syntax_errors() {
    refused("semicolon.c", "int main(void)\n{\n    int x = 1\n    return x;\n}\n", 3, "expected");
    refused("brace.c", "int main(void)\n{\n    if (1) {\n        return 0;\n}\n", 5, "expected");
    refused("name.c", "int main(void)\n{\n    return y;\n}\n", 3, "`y`");
    refused("member.c", "struct s { int x; };\nint f(struct s *s)\n{\n    return s->y;\n}\n", 4, "`y`");
}

#[test]
fn missing_headers() {
    let scratch = Scratch::new();
    let file = scratch.file("missing.c", "int x;\n#include \"no_such_header.h\"\nint main(void) { return 0; }\n");
    let run = trifold(["check", &file]).expect(2);
    // Without a compiler the file cannot be preprocessed, which is said instead.
    let found = run.stderr.contains("missing.c:2:") && run.stderr.contains("no_such_header.h");
    assert!(found || run.stderr.contains("does not run"), "{}", run.stderr);
}

#[test]
fn definitions_in_the_style_of_kernighan_and_ritchie() {
    let text = PROTOTYPES.to_string()
        + "struct node *push(list, count)
    struct node *list;
    int count;
{
    struct node *n = malloc(sizeof *n);
    n->next = list;
    return n;
}
int main()
{
    struct node *list = 0;
    while (nondet())
        list = push(list, 1);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
";
    let scratch = Scratch::new();
    assert!(trifold(["check", &scratch.file("old.c", &text)]).expect(0).stdout.contains("old.c: proved"));
    let bug = text.replace("    n->next = list;\n", "");
    let run = trifold(["check", &scratch.file("old_bug.c", bug)]).expect(1);
    assert!(run.stderr.contains("error[leak]"), "{}", run.stderr);
    refused("twice.c", "int f(x)\n    int x;\n    int x;\n{\n    return x;\n}\n", 3, "`x`");
    refused("other.c", "int f(x)\n    int y;\n{\n    return 1;\n}\n", 2, "`y`");
}

#[test]
fn types_that_contain_themselves() {
    refused("itself.c", "struct s {\n    int x;\n    struct s inner;\n};\nstruct s s;\n", 3, "incomplete");
    refused("array.c", "struct s {\n    struct s all[2];\n};\nstruct s s;\n", 2, "incomplete");
    // By way of pointers they may, and through each other.
    let text = PROTOTYPES.to_string()
        + "struct b;
struct a { struct b *b; };
struct b { struct a *a; };
int main(void)
{
    struct a *a = malloc(sizeof *a);
    struct b *b = malloc(sizeof *b);
    a->b = b;
    b->a = a;
    free(b->a);
    free(b);
    return 0;
}
";
    let scratch = Scratch::new();
    trifold(["check", &scratch.file("mutual.c", &text)]).expect(0);
    let bug = text.replace("    free(b);\n", "    free(b->a);\n");
    let run = trifold(["check", &scratch.file("mutual_bug.c", bug)]).expect(1);
    assert!(run.stderr.contains("error[double-free]"), "{}", run.stderr);
}

#[test]
fn deep_nesting() {
    let deep = format!("int main(void)\n{{\n    return {}1{};\n}}\n", "(".repeat(100_000), ")".repeat(100_000));
    refused("expression.c", &deep, 3, "nest");
    let blocks = format!("int main(void)\n{{\n{}{}\n    return 0;\n}}\n", "{".repeat(100_000), "}".repeat(100_000));
    refused("blocks.c", &blocks, 3, "nest");
    // Programs that people still write are accepted.
    let sum = format!("int main(void) {{ int x = {}1{}; return x; }}\n", "(1 + ".repeat(100), ")".repeat(100));
    let loops = format!("int nondet(void);\nint main(void) {{ {}; return 0; }}\n", "while (nondet()) ".repeat(40));
    let scratch = Scratch::new();
    trifold(["check", &scratch.file("sum.c", &sum)]).expect(0);
    trifold(["check", &scratch.file("loops.c", &loops)]).expect(0);
}

/// Checks a program, which must not take much longer than the time that it is given.
fn within(seconds: u64, file: &str) {
    let run = trifold(["check", file, "--quiet", "--timeout", &seconds.to_string()]);
    assert!(!run.timed_out && matches!(run.status, Some(0 | 1 | 3)), "{:?}: {}", run.status, run.stderr);
    // Reading the file, runs that look for errors, and other tests at the same time come on top.
    assert!(run.time < Duration::from_secs(seconds + 30), "{file} took {:?}", run.time);
}

#[test]
fn twenty_thousand_lines() {
    let scratch = Scratch::new();
    // Statement after statement.
    let statements =
        "    n = malloc(sizeof *n);\n    n->next = list;\n    list = n;\n    list->next = 0;\n".repeat(5_000);
    let text =
        format!("{PROTOTYPES}int main(void)\n{{\n    struct node *list = 0, *n;\n{statements}    return 0;\n}}\n");
    assert!(text.lines().count() > 20_000);
    within(2, &scratch.file("statements.c", &text));
    // Function after function, of which each calls the next one.
    let function = |i: usize| {
        format!(
            "static struct node *f{i}(struct node *l)\n{{\n    struct node *n = l;\n    if (nondet())\n        n = f{}(n);\n    return n;\n}}\n",
            i + 1
        )
    };
    let count = 3_000;
    let prototypes: String = (0..=count).map(|i| format!("static struct node *f{i}(struct node *l);\n")).collect();
    let functions: String = (0..count).map(function).collect();
    let text = format!(
        "{PROTOTYPES}{prototypes}{functions}static struct node *f{count}(struct node *l)\n{{\n    return l;\n}}\n\
         int main(void)\n{{\n    return f0(0) != 0;\n}}\n"
    );
    assert!(text.lines().count() > 20_000);
    within(2, &scratch.file("functions.c", &text));
    // Variable after variable, all of them in use until the end.
    let declarations: String = (0..7_000).map(|i| format!("    struct node *x{i};\n")).collect();
    let made: String = (0..7_000).map(|i| format!("    x{i} = malloc(sizeof *x{i});\n")).collect();
    let freed: String = (0..7_000).map(|i| format!("    free(x{i});\n")).collect();
    let text = format!("{PROTOTYPES}int main(void)\n{{\n{declarations}{made}{freed}    return 0;\n}}\n");
    assert!(text.lines().count() > 20_000);
    within(2, &scratch.file("variables.c", &text));
}
