//! Constructs that heap programs do not express: each is named where it stands, and everything else is translated.

use crate::support::translated;
use trifold_ir::{Program, Statement};

fn reasons(program: &Program) -> Vec<String> {
    let statements = program.procedures.iter().flat_map(|procedure| &procedure.edges).map(|edge| &edge.statement);
    let reason = |statement: &Statement| match statement {
        Statement::Unsupported { text } => Some(text.clone()),
        Statement::UnknownCall { name, .. } => Some(format!("unknown {name}")),
        _ => None,
    };
    statements.filter_map(reason).collect()
}

const DECLARATIONS: &str = "typedef unsigned long size_t; void *malloc(size_t); void *realloc(void *, size_t);
    struct node { struct node *next; int value; char name[100]; union { int i; float f; } u; }; struct other { int x; };
    static union both { int i; struct node *p; } both, *pb; extern struct node *elsewhere; void frob(struct node *);
    struct node *find(int); int register_handler(int (*)(void)); char *strcpy(char *, const char *);
    char *strncpy(char *, const char *, size_t); int snprintf(char *, size_t, const char *, ...); static char *text; int random_number(int); double d; int a[100]; char b[8]; int small[3]; int scanf(const char *, ...); int printf(const char *, ...); int puts(const char *);
    void __VERIFIER_plot(const char *, ...); void perror(const char *);
    int elsewhere_too(int) __attribute__((alias(\"inc\"))); int again(void) __asm__(\"inc\"); int g; int inc(void) { return ++g; }
    const int constant = 1, numbers[3]; const struct node fixed; const char letters[3]; void *memset(void *, int, size_t);
    void *memcpy(void *, const void *, size_t); void unprototyped(); void unprototyped(q) int *q; { *q = 1; } void change(int *q) { *q = 1; }
    const int *fetch(void) { return 0; } char *strdup(const char *); void free(void *);
    size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);
    struct node *push(struct node *n) { struct node *x = malloc(sizeof *x); x->next = n->next; n->next = x; return x; }
    struct node *make(void) { struct node *x = malloc(sizeof *x), *y = x; y->next = 0; x->value = 1; return y; }
    void f(struct node *n, struct node *m, int i, int *p) { ";

const CONSTANT: &str = "a pointer, perhaps to a constant, that is used as if it were to something that can change";

#[test]
fn is_named() {
    for (statement, reason) in [
        ("p = &both.i;", "a part of the union"),
        ("i = both.i;", "a part of a union that was written as another one"),
        ("struct { long f : 20; } s = {0}; i = sizeof(0, s.f);", "the type of the value of a bit-field"),
        (
            "struct { long f : 20; } s = {0}; i = _Generic((0, s.f), long: 1, default: 2);",
            "the type of the value of a bit-field",
        ),
        ("p = p + 1;", "pointer arithmetic"),
        ("p++;", "pointer arithmetic"),
        ("i = p[i];", "pointer arithmetic"),
        ("i = &n->value - p;", "the distance of two pointers"),
        ("i = n < m;", "an order of addresses"),
        ("i = (int)(long)n;", "a conversion from `struct node *` to `long`"),
        ("n = (struct node *)(long)i;", "a conversion from `long` to `struct node *`"),
        ("n = (struct node *)16;", "the address 0x10"),
        ("((struct other *)n)->x = 1;", "a cast from `struct node *` to `struct other *`"),
        ("p = &a[5];", "the address of numbers that are not told apart"),
        ("strcpy(n->name, text);", "text that may not fit (`strcpy`)"),
        ("strncpy(n->name, text, 101);", "text that may not fit (`strncpy`)"),
        ("snprintf(text, 5, \"%d\", i);", "text that is written through a pointer (`snprintf`)"),
        ("n = (struct node *)strdup(text);", "a cast from `char *` to `struct node *`"),
        ("char *two = malloc(2 * sizeof(char)); text = strdup(text); two[1] = 'a'; free(text);", "pointer arithmetic"),
        ("scanf(\"%s\", b);", "reading something that is no number"),
        ("printf(\"%d%ln\", i, p);", "what is printed is counted"),
        ("*(int *)&constant = 4;", CONSTANT),
        ("p = &constant;", CONSTANT),
        ("n = (struct node *)&fixed;", CONSTANT),
        ("void *v = (void *)&fixed.value;", CONSTANT),
        ("p = (int *)numbers;", CONSTANT),
        ("const int **c = 0; int **q = (int **)c; (void)q; const int *k = &constant; (void)k;", CONSTANT),
        ("memset((void *)&fixed, 0, sizeof fixed);", CONSTANT),
        ("const void *v = &fixed; n = (void *)v;", CONSTANT),
        ("strcpy((char *)letters, \"a\");", CONSTANT),
        ("scanf(\"%d\", (int *)&constant);", CONSTANT),
        ("unprototyped(&constant);", CONSTANT),
        ("((void (*)(const int *))change)(&constant);", CONSTANT),
        ("const int *k = &constant; p = ((int *(*)(void))fetch)();", CONSTANT),
        ("const int *k = &constant; memcpy(&p, &k, sizeof p);", CONSTANT),
        ("void *v = 0; printf(\"%s\", v);", "something that is printed as text, and is none"),
        ("printf(\"%s\", n);", "something that is printed as text, and is none"),
        ("printf(\"%d%s\", i, i);", "something that is printed as text, and is none"),
        ("printf(\"%*s\", text, i);", "something that is printed as text, and is none"),
        ("printf(\"%s\");", "a format that does not fit its arguments"),
        ("printf(\"%1$s\", text);", "a format that does not fit its arguments"),
        ("scanf(\"%d %d\", p);", "a format that does not fit its arguments"),
        ("scanf(\"%d\", p, p);", "a format that does not fit its arguments"),
        ("scanf(\"%ld\", p);", "a format that does not fit its arguments"),
        ("short h; scanf(\"%d\", &h);", "a format that does not fit its arguments"),
        ("scanf(\"%s\", p);", "reading something that is no number"),
        ("scanf(\"%[a-z]\", p);", "reading something that is no number"),
        ("scanf(\"%d\", i);", "reading something that is no number"),
        ("scanf(\"%p\", &n);", "reading something that is no number"),
        ("printf(text, n);", "a format that is not known"),
        ("scanf(text, p);", "a format that is not known"),
        ("printf(i ? text : \"%d\", i);", "a format that is not known"),
        ("text = \"a\"; *text = 'b';", "a character that is written through a pointer, perhaps to a string"),
        ("text = i ? \"a\" : text; text[0]++;", "a character that is written through a pointer, perhaps to a string"),
        ("text = \"a\"; i = text == \"a\";", "a comparison of pointers to strings, of which equal ones may be one"),
        ("i = elsewhere_too(1);", "`elsewhere_too`, which is another name of `inc`"),
        ("i = again();", "`again`, which is another name of `inc`"),
        ("register_handler(inc);", "unknown register_handler"),
        ("__asm__(\"nop\");", "assembler text"),
        ("n = realloc(n, 10);", "an object that changes its size"),
        ("n = malloc(i);", "an allocation whose size is not known"),
        ("n = elsewhere;", "the variable `elsewhere`, which is defined elsewhere"),
        ("frob(n);", "unknown frob"),
        ("n = find(3);", "unknown find"),
        ("int v[i]; v[0] = 1;", "an array of variable length"),
        ("i = inc() + g;", "a result that depends on the order of evaluation"),
        ("n->next->next = push(m);", "a result that depends on the order of evaluation"),
        ("i = i++;", "a result that depends on the order of evaluation"),
        ("small[i] = i++;", "a result that depends on the order of evaluation"),
        ("int v[3] = { [0 ... 2] = inc() };", "an initial value of several elements that has effects"),
        ("int v[9000] = { [0 ... 8999] = inc() };", "an initial value of several elements that has effects"),
        ("i = __sync_fetch_and_add(p, 1);", "`__sync_fetch_and_add`"),
        ("void *l = &&here; goto *l; here: ;", "the address of a label"),
        ("static __thread int t; t = 1;", "a variable of a thread"),
        ("goto in; { int x; p = &x; in: *p = 1; }", "a jump past the declaration"),
        ("switch (i) { int x; p = &x; case 1: x = *p; }", "a jump past the declaration"),
        ("i = (void *)n == (void *)&n->next;", "a comparison of a struct's address with that of its first member"),
    ] {
        let program = translated("test.c", &format!("{DECLARATIONS} {statement} }}"));
        let found = reasons(&program);
        assert!(!found.is_empty(), "{statement} is supported");
        assert!(found.iter().all(|found| found.contains(reason)), "{statement}: {found:?}");
    }
}

#[test]
fn is_not_what_is_harmless() {
    for statement in [
        "i = random_number(3);",
        "n->next->next = make(); i = n->value + make()->value;",
        "d = d * 2 + i; n->value = i; if (d < 1 || d) i = d; i = d == 1.5;",
        "a[5] = 1; n->name[0] = 'x'; a[i]++; a[i] = a[i + 1]; i = n->name[i]; *n = *m; n->u.i = 1; i = n->u.f;",
        "strncpy(n->name, text, sizeof n->name); strcpy(n->name, \"name\"); snprintf(n->name, 9, \"%s %d\", text, i);",
        "i = text == 0; i = n == m; __VERIFIER_plot((void *)0); __VERIFIER_plot(\"name\", n); perror(\"\"); puts(text);",
        "text = strdup(text); *text = 'b'; free(text); text = strdup(n->name); void *v = strdup(\"c\"); strdup(b);",
        "i = strspn(text, \"a\") + strcspn(b, text);",
        "*text = 'a'; printf(\"%%n %d\", i); puts(\"b\"); scanf(\"%d\", p);",
        "const struct other *o = malloc(sizeof *o); ((struct other *)o)->x = 1; printf(i ? \"%s %p\" : \"%s\", text, n);",
        "i = sizeof(union both) + sizeof n->name;",
        "struct node copy; copy.next = n; n = copy.next;",
        "small[i] = small[2]; p = &small[1]; p = small;",
        "i = inc() + i; i = inc() ? g : 0; i = (inc(), g); i = inc() && g;",
        "n->next->next = m->next; n->value = i++;",
        "__builtin_expect(i, 0); (void)n; ((void)0); ;",
        "volatile int v = i; v = v + 1;",
        "switch (i) { int x; case 1: x = 2; i = x; }",
    ] {
        let program = translated("test.c", &format!("{DECLARATIONS} {statement} }}"));
        assert_eq!(reasons(&program), [""; 0], "{statement}");
    }
}

/// Functions that run although they are not called.
#[test]
fn is_what_runs_before_and_after_main() {
    for attribute in ["constructor", "__destructor__", "constructor(101)"] {
        let text = format!(
            "int *p; __attribute__(({attribute})) static void f(void) {{ *p = 1; }} int main(void) {{ return 0; }}"
        );
        assert_eq!(reasons(&translated("test.c", &text)), ["`f`, which runs before or after everything else"]);
    }
}

#[test]
fn leaves_the_rest_alone() {
    let program =
        translated("test.c", &format!("{DECLARATIONS} if (i) p++; else n = m; }} void h(void) {{ f(0, 0, 0, 0); }}"));
    let text = trifold_ir::print(&program);
    assert!(text.contains("n = m;") && text.contains("unsupported \"pointer arithmetic\""), "{text}");
    assert_eq!(reasons(&program).len(), 1);
}

/// Functions of programs to be verified are given bodies so that the programs can be compiled; these do not count as
/// long as they do nothing.
#[test]
fn names_with_a_fixed_meaning_count_more_than_empty_bodies() {
    let text = "int __VERIFIER_nondet_int(void) { return 0; } void reach_error(void) { }
        int main(void) { if (__VERIFIER_nondet_int() == 5) reach_error(); return 0; }";
    let program = translated("test.c", text);
    let statements: Vec<&Statement> =
        program.procedures.iter().flat_map(|procedure| &procedure.edges).map(|edge| &edge.statement).collect();
    assert_eq!(program.procedures.len(), 1);
    assert!(statements.iter().any(|statement| matches!(statement, Statement::Error { .. })));
    assert!(statements.iter().any(|statement| matches!(statement, Statement::Nondet { .. })));
}
