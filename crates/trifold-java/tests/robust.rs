//! Any text gives a program or diagnostics: damaged programs, programs made to explode; soon, and with a small stack.

use proptest::prelude::*;

const SAMPLE: &str = include_str!("programs/Semantics.java");

/// Loads a text and translates it; the codes of the diagnostics.
fn digest(text: &str) -> Vec<&'static str> {
    let mut codes = Vec::new();
    for entry in [trifold_java::Entry::Library, trifold_java::Entry::Method("main")] {
        match trifold_java::load("Test.java", text, entry) {
            Ok(loaded) => {
                if let Err(errors) = trifold_ir::validate(&loaded.program) {
                    panic!("not well formed: {errors:?}\n{text}\n{}", trifold_ir::print(&loaded.program));
                }
            }
            Err(failure) => {
                assert!(failure.errors().next().is_some());
                assert!(!failure.render(false).is_empty());
                codes.extend(failure.diagnostics.iter().map(|diagnostic| diagnostic.code));
            }
        }
    }
    codes
}

#[test]
fn what_is_too_deep_is_reported() {
    let in_method = |text: String| format!("class A {{ int f; A n; A g(A x) {{ {text} }} }}");
    let cases = [
        in_method(format!("int y = {}1{};", "(".repeat(5000), ")".repeat(5000))),
        in_method(format!("int y = {}1;", "1 + ".repeat(50_000))),
        in_method(format!("int y = {}1;", "- ".repeat(50_000))),
        in_method(format!("int y = {}1;", "f = ".repeat(5000))),
        in_method(format!("int y = {}1;", "true ? 2 : ".repeat(5000))),
        in_method(format!("A y = x{};", ".n".repeat(50_000))),
        in_method(format!("A y = {}x{};", "g(".repeat(5000), ")".repeat(5000))),
        in_method(format!("{}{}", "{".repeat(5000), "}".repeat(5000))),
        in_method(format!("{};", "if (true) ".repeat(5000))),
        format!("{}{}", "class A { ".repeat(5000), "}".repeat(5000)),
        format!("class A {{ {}int{} x; }}", "A<".repeat(5000), ">".repeat(5000)),
    ];
    for text in cases {
        let short: String = text.chars().take(80).collect();
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || digest(&text));
        let codes = thread.unwrap().join().unwrap();
        assert!(codes.contains(&"nesting"), "{short}: {codes:?}");
    }
}

#[test]
fn classes_that_extend_themselves_do_not_hang() {
    digest("class A extends B { } class B extends A { } interface I extends I { } class C<T extends T> { T t; }");
    digest("class A extends A.B { class B extends A { } }");
}

/// The tokens of the sample, roughly.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric();
        let length = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        words.push(&rest[..length]);
        rest = &rest[length..];
    }
    words
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        digest(&text);
        digest(&format!("class A {{ A n; void f(A x) {{ {text} }} }}"));
    }

    /// Words are left out, doubled, or replaced by others of the same program.
    #[test]
    fn damaged_programs(damages in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3), 1..6)) {
        let mut damaged = words(SAMPLE);
        for (at, from, kind) in damages {
            let (at, from) = (at.index(damaged.len()), damaged[from.index(damaged.len())]);
            match kind {
                0 => drop(damaged.remove(at)),
                1 => damaged.insert(at, from),
                _ => damaged[at] = from,
            }
        }
        digest(&damaged.concat());
    }
}
