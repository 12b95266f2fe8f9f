//! Tests of the preprocessor: the tokens that reach the parser, as text.

use super::*;
use crate::files::MemoryFiles;

fn run(files: MemoryFiles, options: &Options) -> (String, Vec<Diagnostic>) {
    let (mut sources, mut sink) = (SourceMap::default(), Sink::default());
    let tokens = preprocess("main.tvp", &files, options, &mut sources, &mut sink).unwrap_or_default();
    let text =
        tokens.iter().map(|t| if t.kind == TokenKind::Quoted { format!("\"{}\"", t.text) } else { t.text.to_string() });
    (text.collect::<Vec<_>>().join(" ").trim().to_string(), sink.finish().0)
}

/// The tokens of a text that has no errors.
fn expanded(text: &str) -> String {
    let (tokens, diagnostics) = run(MemoryFiles::default().with("main.tvp", text), &Options::default());
    assert_eq!(diagnostics, []);
    tokens
}

fn codes(text: &str) -> Vec<&'static str> {
    let (_, diagnostics) = run(MemoryFiles::default().with("main.tvp", text), &Options::default());
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn macros_with_and_without_arguments_are_expanded() {
    assert_eq!(expanded("#define X y\nX z X"), "y z y");
    assert_eq!(expanded("#define F(a, b) b a\nF(1, (2, 3)) F"), "( 2 , 3 ) 1 F");
    assert_eq!(expanded("#define F() e\nF() F( )"), "e e");
    assert_eq!(expanded("#define F(a) <a>\nF(F(x))"), "< < x > >");
    assert_eq!(expanded("#define F (a)\nF"), "( a )");
    assert_eq!(expanded("#define X \\\r\n a \\\r\n b\r\nX c"), "a b c");
    assert_eq!(expanded("#define X y\n#undef X\nX"), "X");
}

#[test]
fn strings_and_comments_are_left_alone() {
    assert_eq!(expanded("#define X y\n\"X\" /* X */ // X\nX"), "\"X\" y");
}

#[test]
fn stringising_and_pasting() {
    assert_eq!(expanded("#define S(a) #a\nS(x  +  y(\"t\"))"), "\"x + y('t')\"");
    assert_eq!(expanded("#define P(a, b) a ## b\nP(Set_, Null)(x)"), "Set_Null ( x )");
    assert_eq!(expanded("#define P(a, b) a##b##_L c\nP(x y, z)"), "x yz_L c");
    assert_eq!(expanded("#define P(a) a##1\n#define x no\nP(x) P()"), "x1 1");
    assert_eq!(expanded("#define P(a, b) c a##b d\nP(,) P(,y) P(x,)"), "c d c y d c x d");
}

#[test]
fn recursion_stops_as_in_c() {
    assert_eq!(expanded("#define X X y\nX"), "X y");
    assert_eq!(expanded("#define A B\n#define B A\nA B"), "A B");
    assert_eq!(expanded("#define f(x) x(x)\nf(f)"), "f ( f )");
    assert_eq!(expanded("#define f(x) x + f(x)\nf(f(1))"), "1 + f ( 1 ) + f ( 1 + f ( 1 ) )");
    // The examples of the C standard, 6.10.3.5.
    let definitions =
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define t(a) a\n#define z z[0]\n";
    let result = expanded(&format!("{definitions}f(y+1) + f(f(z)) | t(t(g)(0) + t)(1)"));
    let expected = "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) | f ( 2 * ( 0 ) ) + t ( 1 )";
    assert_eq!(result, expected);
}

#[test]
fn conditionals_choose_a_branch() {
    let choose = |condition: &str| expanded(&format!("#define ONE 1\n#if {condition}\nyes\n#else\nno\n#endif"));
    for condition in [
        "1",
        "defined(ONE) && !defined TWO",
        "ONE + 1 == 2",
        "-1 < 0 && 7 % 4 == 3",
        "(1 ? 0 : 1) || 0x10 == 16",
        "TWO == 0",
        "1 << 3 >= 8 && ~0 == -1 && (5 ^ 4) == 1",
        "1 || 1 / 0",
    ] {
        assert_eq!(choose(condition), "yes", "{condition}");
    }
    for condition in ["0", "ONE - 1", "!ONE", "1 && defined(TWO)", "2 - 1 - 1"] {
        assert_eq!(choose(condition), "no", "{condition}");
    }
    let chain =
        |n: u32| expanded(&format!("#define N {n}\n#if N == 1\na\n#elif N == 2\nb\n#elif N > 2\nc\n#else\nd\n#endif"));
    assert_eq!([0, 1, 2, 3].map(chain), ["d", "a", "b", "c"]);
    let nested = "#ifdef NO\n#ifdef ALSO\na\n#else\nb\n#endif\n\"open\n#else\nc\n#ifndef NO\nd\n#endif\n#endif";
    assert_eq!(expanded(nested), "c d");
}

#[test]
fn included_files_are_searched_in_order() {
    let files = MemoryFiles::default()
        .with("p/main.tvp", "#include \"sub/a.tvp\"\n#include \"b.tvp\"\n#include \"c.tvp\"\n#include \"d.tvp\"")
        .with("p/sub/a.tvp", "#include \"near.tvp\"\n#include \"b.tvp\"")
        .with("p/sub/near.tvp", "near")
        .with("p/b.tvp", "beside_main")
        .with("lib1/c.tvp", "first_path")
        .with("lib2/c.tvp", "second_path")
        .with("d.tvp", "here");
    let options = Options { include_paths: vec!["lib1".into(), "lib2".into()], ..Options::default() };
    let (mut sources, mut sink) = (SourceMap::default(), Sink::default());
    let tokens = preprocess("p/main.tvp", &files, &options, &mut sources, &mut sink).unwrap();
    let words: Vec<&str> = tokens.iter().filter(|t| t.kind == TokenKind::Word).map(|t| t.text.as_ref()).collect();
    assert_eq!(words, ["near", "beside_main", "beside_main", "first_path", "here"]);
}

#[test]
fn a_guarded_cycle_of_includes_is_no_cycle() {
    let files = MemoryFiles::default()
        .with("main.tvp", "#include \"a.tvp\"\n#include \"a.tvp\"\nend")
        .with("a.tvp", "#ifndef A\n#define A\n#include \"b.tvp\"\na\n#endif")
        .with("b.tvp", "#include \"a.tvp\"\nb");
    assert_eq!(run(files, &Options::default()), ("b a end".to_string(), vec![]));
}

#[test]
fn options_define_macros() {
    let mut options = Options::default();
    ["X", "Y=a b", "Z(c)"].into_iter().for_each(|option| options.define(option));
    let files = MemoryFiles::default().with("main.tvp", "X Y Z");
    assert_eq!(run(files, &options).0, "1 a b c");
}

#[test]
fn runaway_input_is_stopped() {
    let mut doubling = String::from("#define a0\n");
    (1..60).for_each(|i| doubling += &format!("#define a{i} a{} a{}\n", i - 1, i - 1));
    assert_eq!(codes(&format!("{doubling}a59")), ["macro-bomb"]);
    let chain: String = (0..1000).map(|i| format!("#define b{i} b{}\n", i + 1)).collect();
    assert_eq!(codes(&format!("{chain}b0")), ["macro-depth"]);
    let calls = format!("#define f(x) x\n{}1{}", "f(".repeat(5000), ")".repeat(5000));
    assert_eq!(codes(&calls), ["macro-depth"]);
    let pasting = "#define P(a) Q(a, a)\n#define Q(a, b) a##b\n";
    let nested = format!("{pasting}{}x{}", "P(".repeat(40), ")".repeat(40));
    assert_eq!(codes(&nested), ["macro-bomb"]);
    assert_eq!(codes("#include \"main.tvp\""), ["include-cycle"]);
    let twice = MemoryFiles::default().with("main.tvp", "#include \"e0\"");
    let twice = (0..40)
        .fold(twice, |files, i| files.with(&format!("e{i}"), format!("#include \"e{0}\"\n#include \"e{0}\"\n", i + 1)));
    let (_, diagnostics) = run(twice.with("e40", ""), &Options::default());
    assert_eq!(diagnostics[0].code, "include-depth");
}

#[test]
fn spans_lead_through_macros_to_the_text() {
    let files = MemoryFiles::default().with("main.tvp", "#define G(a) b a\n#define F G(c)\nF");
    let (mut sources, mut sink) = (SourceMap::default(), Sink::default());
    let tokens = preprocess("main.tvp", &files, &Options::default(), &mut sources, &mut sink).unwrap();
    let describe = |token: &Token| {
        let steps = sources.steps(token.span.trail).map(|step| sources.text(step.at).to_string());
        (sources.text(token.span).to_string(), sources.locate(token.span).1.line, steps.collect::<Vec<_>>())
    };
    assert_eq!(describe(&tokens[0]), ("b".into(), 1, vec!["G(c)".into(), "F".into()]));
    assert_eq!(describe(&tokens[1]), ("c".into(), 2, vec!["F".into()]));
}
