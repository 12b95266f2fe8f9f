//! Any text gives a program or diagnostics: damaged programs, programs made to explode; soon, and with a small stack.

use proptest::prelude::*;
use std::time::{Duration, Instant};

/// The stack of a program in a browser.
const STACK: usize = 1 << 20;

/// Loads a text, and renders its diagnostics; returns their codes.
fn digest(text: &str) -> Vec<&'static str> {
    match trifold_c::load("test.c", text) {
        Ok(loaded) => {
            let program = trifold_c::translate(&loaded.program, &Default::default()).program;
            if let Err(errors) = trifold_ir::validate(&program) {
                panic!("the translation is not well formed: {errors:?}\n{text}\n{}", trifold_ir::print(&program));
            }
            loaded.warnings.iter().map(|warning| warning.code).collect()
        }
        Err(failure) => {
            assert!(failure.errors().next().is_some());
            assert!(!failure.render(true).is_empty());
            failure.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
        }
    }
}

/// The same with a small stack; it must not take long.
fn digest_in_thread(text: String) -> Vec<&'static str> {
    let started = Instant::now();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || digest(&text));
    let codes = thread.unwrap().join().unwrap();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    codes
}

fn repeated(before: &str, part: &str, count: usize, after: &str) -> String {
    format!("{before}{}{after}", part.repeat(count))
}

/// `open` and `close` that many times around something.
fn around(before: &str, open: &str, middle: &str, close: &str, count: usize, after: &str) -> String {
    format!("{before}{}{middle}{}{after}", open.repeat(count), close.repeat(count))
}

#[test]
fn what_is_too_deep_is_reported() {
    for text in [
        around("int x = ", "(", "1", ")", 10_000, ";"),
        around("int x = ", "(", "1", "", 100_000, ";"),
        repeated("int x = ", "-", 100_000, "1;").replace("--", "- -"),
        repeated("int x = ", "(int)", 10_000, "1;"),
        repeated("int x = ", "sizeof ", 10_000, "1;"),
        repeated("int x = ", "1 ? 2 : ", 10_000, "3;"),
        repeated("int x = ", "1 + ", 100_000, "3;"),
        repeated("int y; int x = y", "[0]", 100_000, ";"),
        repeated("int y, x; void f(void) { ", "x = ", 10_000, "y; }"),
        repeated("void f(void) { ", "1, ", 100_000, "2; }"),
        repeated("int ", "*", 100_000, "x;"),
        around("int ", "(", "x", ")", 10_000, ";"),
        around("int ", "(*", "x", ")(void)", 10_000, ";"),
        repeated("int x", "[1]", 100_000, ";"),
        repeated("int f", "(int g", 10_000, ");"),
        around("int x = ", "{", "1", "}", 10_000, ";"),
        around("void f(void) ", "{", "", "}", 10_000, ""),
        around("void f(void) ", "{", "", "", 100_000, ""),
        repeated("void f(void) { ", "if (1) ", 10_000, "; }"),
        repeated("void f(void) { ", "for (;;) ", 10_000, "; }"),
        repeated("void f(void) { ", "do ", 10_000, "; }"),
        around("int x = ", "({", "1;", "})", 10_000, ";"),
        around("", "struct { ", "int x;", "};", 10_000, ""),
        repeated("", "__attribute__((aligned(sizeof(int ", 10_000, ""),
        repeated("int x = ", "__extension__ ", 100_000, "1;"),
        repeated("typeof(", "typeof(", 10_000, "int"),
        repeated("int a = sizeof(int[", "sizeof(int[", 10_000, "1"),
    ] {
        let codes = digest_in_thread(text.clone());
        assert!(codes.contains(&"nesting"), "{}…: {codes:?}", &text[..60]);
    }
}

#[test]
fn types_that_grow_from_declaration_to_declaration_are_reported() {
    let count = 2_000;
    let chain = |first: &str, next: &dyn Fn(usize) -> String| {
        let rest: String = (1..count).map(next).collect();
        format!("{first}{rest}")
    };
    let texts = [
        chain("typedef int t0;", &|i| format!("typedef t{} *t{i};\n", i - 1)),
        chain("typedef int t0;", &|i| format!("typedef t{} t{i}[1];\n", i - 1)),
        chain("typedef int t0;", &|i| format!("typedef t{} *t{i}(int);\n", i - 1)),
        chain("int t0;", &|i| format!("typeof(&t{}) t{i};\n", i - 1)),
        chain("void f(void) { int t0;", &|i| format!("__auto_type t{i} = &t{};\n", i - 1)) + "}",
        chain("struct s0 { int x; };", &|i| format!("struct s{i} {{ struct s{} x; }};\n", i - 1))
            + &format!("struct s{} x = {{ 1 }};", count - 1),
    ];
    for text in texts {
        assert!(digest_in_thread(text).contains(&"nesting"));
    }
}

#[test]
fn what_is_long_is_accepted() {
    let texts = [
        repeated("int x[] = { ", "1, ", 100_000, "};"),
        repeated("struct { int a, b; } x[] = { ", "{ 1, .b = 2 }, ", 30_000, "};"),
        repeated("char *s = ", "\"abc\" ", 100_000, ";"),
        repeated("void f(int n) { ", "if (n == 1) n++; else ", 20_000, "; }"),
        format!(
            "void f(int n) {{ switch (n) {{ {} ; }} }}",
            (0..20_000).map(|i| format!("case {i}: ")).collect::<String>()
        ),
        format!("enum {{ {} }};", (0..20_000).map(|i| format!("E{i}, ")).collect::<String>()),
        (0..20_000).map(|i| format!("int f{i}(int x) {{ return x + {i}; }}\n")).collect(),
        format!("struct s {{ {} }} x;", (0..5_000).map(|i| format!("int m{i};")).collect::<String>()),
        repeated("int x[1000000000] = { ", "[5 ... 999999999] = 1, ", 1000, "};"),
        repeated("void f(int, ...); void g(void) { f(1", ", 2", 50_000, "); }"),
        repeated("int x", ", *y", 0, "") + &(0..20_000).map(|i| format!(", *p{i}")).collect::<String>() + ";",
        repeated("void f(void) {", "{ int x; x = 1; }\n", 20_000, "}"),
        repeated("", "__extension__ ", 100_000, "int x;"),
        repeated("", "extern int x __attribute__((unused));\n", 20_000, ""),
    ];
    for text in texts {
        assert_eq!(digest_in_thread(text.clone()), [""; 0], "{}…", &text[..60]);
    }
}

#[test]
fn many_errors_take_no_longer_than_many_lines() {
    for text in [
        repeated("void f(void) {", "__attribute__((x ; ", 20_000, "}"),
        repeated("void f(void) {", "x = (1 + ;\n", 20_000, "}"),
        repeated("", "struct {\n", 20_000, ""),
        repeated("", "int x = @;\n", 20_000, ""),
        repeated("", "}\n", 20_000, ""),
        repeated("", "( [ {\n", 20_000, ""),
        repeated("void f(void) {", "undeclared = 1;\n", 20_000, "}"),
        repeated("struct s { int x; } y; void f(void) {", "y.nothing = 1;\n", 20_000, "}"),
        repeated("enum { A", " B,", 20_000, "};"),
    ] {
        assert!(!digest_in_thread(text).is_empty());
    }
}

/// Pieces of which programs are made.
const PIECES: &str = "int char void struct s union { } ( ) [ ] ; , : ? . -> * & && || + - ~ ! = == += ++ < << >>= ... 1 0 2.5 'a' \
    \"text\" L\"w\" x y f t typedef static extern const volatile unsigned long _Bool enum e A sizeof _Alignof typeof \
    __auto_type __extension__ __attribute__ (( )) packed aligned if else while do for switch case default break continue \
    goto return asm _Generic _Static_assert __builtin_offsetof __builtin_va_arg __builtin_types_compatible_p ({ }) \
    __label__ __int128 _Complex [[ ]] inline _Atomic # @ bool true nullptr int\u{20}x; struct\u{20}s{int\u{20}a;};";

fn pieces() -> impl Strategy<Value = String> {
    let words: Vec<&str> = PIECES.split_whitespace().collect();
    proptest::collection::vec(proptest::sample::select(words), 0..60).prop_map(|words| words.join(" "))
}

/// The words of an accepted file, some of which are left out, doubled or exchanged.
fn damaged() -> impl Strategy<Value = String> {
    let texts = [
        include_str!("accepted/declarations.c"),
        include_str!("accepted/expressions.c"),
        include_str!("accepted/initializers.c"),
        include_str!("accepted/statements.c"),
        include_str!("translate/containers.c"),
        include_str!("translate/control.c"),
        include_str!("translate/expressions.c"),
        include_str!("translate/functions.c"),
        include_str!("translate/generic.c"),
        include_str!("translate/globals.c"),
        include_str!("translate/pointers_to_pointers.c"),
        include_str!("translate/structs.c"),
    ];
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4u8);
    (proptest::sample::select(texts.to_vec()), proptest::collection::vec(change, 1..6)).prop_map(|(text, changes)| {
        let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for (at, other, kind) in changes {
            if words.is_empty() {
                break;
            }
            let (at, other) = (at.index(words.len()), other.index(words.len()));
            match kind {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[other]),
                2 => words.swap(at, other),
                _ => words.truncate(at.max(1)),
            }
        }
        words.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_words_are_digested(text in pieces()) {
        digest(&text);
        digest(&format!("typedef int t; struct s {{ int x; }} x, *y; int f(int); void g(void) {{ {text} }}"));
    }

    #[test]
    fn damaged_programs_are_digested(text in damaged()) {
        digest(&text);
    }

    #[test]
    fn any_text_is_digested(text in any::<String>()) {
        digest(&text);
        trifold_c::needs_preprocessor(&text);
    }
}
