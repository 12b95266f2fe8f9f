//! Any input gives a result or diagnostics: random bytes, programs cut short or garbled, programs made to explode.

mod common;

use common::{examples, workspace};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trifold_oracle::fuzz::mutate::WORDS;
use trifold_structure::Layout;
use trifold_tvl::ActionId;
use trifold_tvp::{MemoryFiles, Options, load, read_structures, read_structures_alone};

/// Reads the bytes as everything they could be, and renders the diagnostics.
fn digest(bytes: Vec<u8>) {
    let files = MemoryFiles::default().with("a.tvp", bytes).with("b.tvp", "%p included(v)");
    let options = Options::default();
    if let Err(failure) = load("a.tvp", &files, &options) {
        assert!(failure.errors().next().is_some());
        assert!(!failure.render(true).is_empty());
    }
    match read_structures_alone("a.tvp", &files, &options) {
        Err(failure) => assert!(!failure.render(false).is_empty()),
        Ok((vocabulary, _)) => {
            let layout = Arc::new(Layout::new(&vocabulary));
            let _ = read_structures("a.tvp", &files, &options, &vocabulary, &layout);
        }
    }
}

/// Words one after another.
fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..120).prop_map(|pieces| pieces.join(" "))
}

/// An example with its includes resolved by hand, so that damage can hit any of it.
fn sample_programs() -> Vec<String> {
    let read = |path: &str| std::fs::read_to_string(workspace().0.join(path)).unwrap_or_default();
    let lists = ["specs/sll/predicates.tvp", "specs/sll/conditions.tvp", "specs/sll/statements.tvp"].map(read);
    let [predicates, conditions, statements] = lists;
    let whole = format!("%s PVar {{x, y}}\n{predicates}\n%%\n{conditions}\n{statements}\n%%\na Set_Null_L(x) b\n%%\nb");
    let mut samples: Vec<String> = examples("tvs").iter().map(|path| read(path)).collect();
    samples.push(whole);
    samples
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_are_digested(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        digest(bytes);
    }

    #[test]
    fn random_pieces_are_digested(text in pieces()) {
        digest(text.into_bytes());
    }

    #[test]
    fn damaged_programs_are_digested(
        which in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        piece in prop::sample::select(WORDS),
        truncate in any::<bool>(),
    ) {
        let samples = sample_programs();
        let mut bytes = which.get(&samples).clone().into_bytes();
        if truncate && !bytes.is_empty() {
            bytes.truncate(cut.index(bytes.len()));
        }
        let place = at.index(bytes.len() + 1);
        bytes.splice(place..place, piece.bytes());
        digest(bytes);
    }
}

/// Loads a program that must fail, soon.
fn fails_quickly(text: String) -> Vec<&'static str> {
    let files = MemoryFiles::default().with("a.tvp", text);
    let start = Instant::now();
    let failure = load("a.tvp", &files, &Options::default()).expect_err("the program is broken");
    let _ = failure.render(false);
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    failure.errors().map(|error| error.code).collect()
}

#[test]
fn explosive_programs_are_refused() {
    let set: Vec<String> = (0..10_000).map(|i| format!("p{i}")).collect();
    let set = format!("%s S {{{}}}\n", set.join(", "));
    let square = format!("{set}foreach (a in S) {{ foreach (b in S) {{ %p q[a,b](v) }} }}\n%%\n%%\n");
    assert!(fails_quickly(square).contains(&"expansion-limit"));
    let composite = format!(
        "{set}foreach (a in S) {{ %p a(v) }} %i q(v) = |/{{ |/{{ a(v) & b(v) : a in S }} : b in S }}\n%%\n%%\n"
    );
    assert!(fails_quickly(composite).contains(&"expansion-limit"));
    let sets: String = (0..40).map(|i| format!("%s T{} {{a[z], b[z] : z in T{i}}}\n", i + 1)).collect();
    assert!(fails_quickly(format!("%s T0 {{x}}\n{sets}%%\n%%\n")).contains(&"expansion-limit"));
    let names: String = (0..40).map(|i| format!("%s U{} {{a[z,z] : z in U{i}}}\n", i + 1)).collect();
    assert!(fails_quickly(format!("%s U0 {{x}}\n{names}%%\n%%\n")).contains(&"expansion-limit"));
}

#[test]
fn nothing_is_quadratic_in_the_text() {
    let many = |piece: fn(usize) -> String, separator: &str| (0..50_000).map(piece).collect::<Vec<_>>().join(separator);
    let program =
        |declarations: String, action: String| format!("%p x(v)\n{declarations}\n%%\n{action}\n%%\na S(x) b\n");
    let variables = many(|i| format!("v{i}"), ", ");
    let atoms = many(|i| format!("x(v{i})"), " & ");
    let binders = many(|_| "(E(w) x(w))".into(), " & ");
    let messages = many(|_| "%message 0 -> \"m\"".into(), "\n");
    for text in [
        program(format!("%p y({variables})"), String::new()),
        program(format!("%i y() = {atoms}"), String::new()),
        program(format!("%i y(w) = {binders}"), String::new()),
        program(String::new(), format!("%action S(z) {{ %p {atoms} {{ x({variables}) = {atoms} }} }}")),
        program(String::new(), format!("%action S({variables}) {{ {messages} }}")),
        program(String::new(), format!("%action S(z) {{ }}\n%%\n%%\n{variables}")),
        format!("#define F({variables}) {variables}\n%p x(v)\nF({variables})"),
        format!("#if {}1\n#endif\n", "1 + ".repeat(50_000)),
        format!("#define M {atoms}\n#define N M M M M M M M M M M M\nN N N N N N N N N N N N N N N N"),
    ] {
        fails_quickly(text);
    }
}

#[test]
fn deep_nesting_needs_little_stack() {
    let deep = |open: &str, close: &str| {
        let text = format!("%p x(v)\n%i y(v) = {}x(v){}\n%%\n%%\n", open.repeat(100_000), close.repeat(100_000));
        fails_quickly(text)
    };
    let check = move || {
        for (open, close) in
            [("(", ")"), ("!", ""), ("E(w) ", ""), ("TC(v,v)(a,b) ", ""), ("|/{", ": z in {x}}"), ("r[", "]")]
        {
            assert!(deep(open, close).contains(&"nesting"), "{open}");
        }
        let chain = format!("%p x(v)\n%i y(v) = {}\n%%\n%%\n", vec!["x(v)"; 100_000].join(" -> "));
        assert!(fails_quickly(chain).contains(&"nesting"));
        let nested = format!("%p x(v)\n{}{}%%\n%%\n", "foreach (z in {x}) { ".repeat(100_000), "}".repeat(100_000));
        assert!(fails_quickly(nested).contains(&"nesting"));
        let sets = format!("%s S {}x{}\n%%\n%%\n", "(".repeat(100_000), ")".repeat(100_000));
        assert!(fails_quickly(sets).contains(&"nesting"));
        let condition = format!("#if {}1\n#endif\n%%\n%%\n", "(".repeat(100_000));
        assert!(fails_quickly(condition).contains(&"bad-condition"));
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(check).unwrap().join().unwrap();
}

#[test]
fn the_deepest_formula_is_walked_with_little_stack() {
    let check = || {
        let parts = ["!(", "E(w) (", "A(u) (x(u) | ", "(x(v) ? 1/2 : ", "(x(v) & "];
        let open: String = (0..110).map(|i| parts[i % parts.len()]).collect();
        let text = format!("%p x(v)\n%i y(v) = {open}x(v){}\n%%\n%action S() {{}}\n%%\na S() b", ")".repeat(110));
        let files = MemoryFiles::default().with("a.tvp", text);
        let loaded =
            load("a.tvp", &files, &Options::default()).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
        assert!(trifold_tvp::print_specification(&loaded.specification).len() > 110);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(check).unwrap().join().unwrap();
}

#[test]
fn large_programs_load_in_linear_time() {
    let predicates: String =
        (0..10_000).map(|i| format!("%p p{i}(v) unique\n%i q[p{i}](v) = E(w) p{i}(w) & n*(w, v)\n")).collect();
    let updates: String = (0..10_000).map(|i| format!("p{i}(v) = p{}(v)\n", (i + 1) % 10_000)).collect();
    let edges: String = (0..70_000).map(|i| format!("l{i} Shift() l{}\n", i + 1)).collect();
    let text = format!("%p n(v1, v2)\n{predicates}%%\n%action Shift() {{ {{ {updates} }} }}\n%%\n{edges}");
    assert!(text.lines().count() > 100_000);
    let files = MemoryFiles::default().with("a.tvp", text);
    let start = Instant::now();
    let loaded =
        load("a.tvp", &files, &Options::default()).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    assert_eq!(loaded.specification.actions[ActionId(0)].updates.len(), 10_000);
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
    let unknown: String = (0..100_000).map(|i| format!("%i bad{i}(v) = unknown{i}(v)\n")).collect();
    fails_quickly(format!("{predicates}{unknown}%%\n%%\n"));
}
