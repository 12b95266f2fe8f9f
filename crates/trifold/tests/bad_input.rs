//! For all contents of files, the program ends soon, within little memory, with a result or with a message that names
//! the error.

mod support;

use std::fmt::Write;
use std::time::Duration;
use support::{Run, Scratch, files, trifold_within, workspace};
use trifold_oracle::fuzz::seeds;

/// A run on bad input may take this long, also on a machine that does other things.
const DEADLINE: Duration = Duration::from_secs(10);
/// … and this much address space.
const MEBIBYTES: u64 = 1024;

/// Runs the command line within the limits.
fn run(arguments: &[&str]) -> Run {
    let mut arguments = arguments.to_vec();
    if arguments[0] == "analyze" {
        arguments.extend(["--threads", "1"]);
    }
    let run = trifold_within(&arguments, MEBIBYTES, DEADLINE);
    assert!(!run.timed_out, "{arguments:?} takes more than {DEADLINE:?}");
    let beginning: String = run.stderr.chars().take(2000).collect();
    assert!(!run.stderr.contains("panicked") && !run.stderr.contains("RUST_BACKTRACE"), "{arguments:?}\n{beginning}");
    assert!(matches!(run.status, Some(0..=3)), "{arguments:?} ended with {:?}\n{beginning}", run.status);
    if run.status == Some(2) {
        assert!(run.stderr.contains("error"), "{arguments:?}: no word about what is wrong\n{beginning}");
        assert_eq!(run.stdout, "", "{arguments:?}: no result");
    }
    run
}

/// Analyses these texts.
fn analyze(program: impl AsRef<[u8]>, input: impl AsRef<[u8]>, options: &[&str]) -> Run {
    let scratch = Scratch::new();
    let (program, input) = (scratch.file("a.tvp", program), scratch.file("a.tvs", input));
    run(&[&["analyze", &program, &input], options].concat())
}

/// The program must be refused, with this kind of error.
#[track_caller]
fn refused(program: impl AsRef<[u8]>, input: impl AsRef<[u8]>, code: &str) {
    let run = analyze(program, input, &[]).expect(2);
    let beginning: String = run.stderr.chars().take(2000).collect();
    assert!(run.stderr.contains(&format!("error[{code}]")), "not {code}:\n{beginning}");
}

/// The program must be analysed.
#[track_caller]
fn proved(program: impl AsRef<[u8]>, input: impl AsRef<[u8]>) -> Run {
    analyze(program, input, &[]).expect(0)
}

/// A program with one edge.
fn program(declarations: &str) -> String {
    program_with(declarations, "%action S() { }", "a S() b")
}

fn program_with(declarations: &str, actions: &str, edges: &str) -> String {
    format!("{declarations}\n%%\n{actions}\n%%\n{edges}\n")
}

const NOTHING: &str = "%n = {} %p = {}";
const ONE: &str = "%n = {u} %p = {}";

/// As many lines as needed.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}

/// `count` things, separated by commas.
fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(", ")
}

/// A universe whose individuals differ in `bits` abstraction predicates `d0`, `d1`, …, and more values.
fn distinct(size: usize, bits: usize, values: &str) -> String {
    let mut text = format!("%n = {{{}}} %p = {{\n", list(size, |u| format!("u{u}")));
    for bit in 0..bits {
        let members: Vec<String> = (0..size).filter(|u| u >> bit & 1 == 1).map(|u| format!("u{u}")).collect();
        writeln!(text, "d{bit} = {{{}}}", members.join(", ")).unwrap();
    }
    format!("{text}{values}\n}}")
}

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

mod damaged {
    use super::*;

    /// Places at which to cut a text: some evenly spread, some at random.
    fn cuts(length: usize, number: usize) -> Vec<usize> {
        let mut random = Random(length as u64 + 1);
        (0..number).flat_map(|i| [length * i / number, random.below(length + 1)]).collect()
    }

    #[test]
    fn programs_cut_short() {
        let example = support::Example::all();
        for example in &example {
            let text = seeds::inlined(&workspace().join(&example.path)).into_bytes();
            let scratch = Scratch::new();
            for cut in cuts(text.len(), 6) {
                let program = scratch.file("cut.tvp", &text[..cut]);
                run(&["analyze", &program, &example.input, "--max-structures", "100"]);
            }
        }
    }

    #[test]
    fn structures_cut_short() {
        for path in files("examples/tvp", "tvs") {
            let text = std::fs::read(workspace().join(&path)).unwrap();
            let scratch = Scratch::new();
            for cut in cuts(text.len(), 6) {
                run(&["draw", &scratch.file("cut.tvs", &text[..cut]), "--dot"]);
            }
        }
    }

    #[test]
    fn random_bytes() {
        let mut random = Random(7);
        for round in 0..40 {
            let length = random.below(300);
            let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            analyze(&bytes, NOTHING, &[]).expect(2);
            let scratch = Scratch::new();
            run(&["draw", &scratch.file("random.tvs", &bytes)]);
            if round == 0 {
                analyze(program("%p x(v)"), &bytes, &[]).expect(2);
            }
        }
    }

    #[test]
    fn characters_that_do_not_belong() {
        refused(b"%p x(v)\0\0\n%%\n%%\n", NOTHING, "unknown-character");
        refused(b"%p x\xff\xfe(v)\n%%\n%%\n", NOTHING, "unknown-character");
        refused(program("%p x(v)"), b"%n = {\xc3\x28} %p = {}", "unknown-character");
        refused(program("%p x(v)"), b"\0", "unknown-character");
        // A byte order mark and the line ends of other systems are fine.
        let good = program("%p x(v) // a remark\n/* and\n another */\n#define F(a) \\\n a\n%p F(y)(v)");
        proved(&good, ONE);
        proved(good.replace('\n', "\r\n"), ONE);
        proved(format!("\u{feff}{good}"), format!("\u{feff}{ONE}"));
    }

    #[test]
    fn empty_files() {
        refused("", NOTHING, "syntax");
        refused(" \n\n", NOTHING, "syntax");
        refused("// nothing", NOTHING, "syntax");
        refused("%%\n%%\n", NOTHING, "no-program");
        assert!(analyze(program("%p x(v)"), "", &[]).expect(2).stderr.contains("no input structure"));
        let scratch = Scratch::new();
        run(&["draw", &scratch.file("empty.tvs", "")]).expect(0);
    }

    #[test]
    fn long_lines_and_words() {
        proved(program(&format!("//{}\n%p x(v)", "x".repeat(4_000_000))), ONE);
        proved(program(&format!("{}%p x(v)", " ".repeat(4_000_000))), ONE);
        run(&["analyze", &Scratch::new().path(&"x".repeat(10_000)), "a.tvs"]).expect(2);
        let name = "x".repeat(4000);
        proved(program(&format!("%p {name}(v)")), format!("%n = {{{name}}} %p = {{ {name} = {{{name}}} }}"));
        analyze(program(&format!("%p {}(v)", "x".repeat(1_000_000))), ONE, &[]);
        let message = format!("%action S() {{ %message 1 -> \"{}\" }}", "m".repeat(1_000_000));
        analyze(program_with("%p x(v)", &message, "a S() b"), ONE, &[]).expect(1);
    }
}

mod wrong {
    use super::*;

    #[test]
    fn names() {
        refused("foreach (z in Nope) { %p z(v) }\n%%\n%%\n", NOTHING, "unknown-set");
        refused("%s S Nope + {a}\n%%\n%%\n", NOTHING, "unknown-set");
        refused(program("%p x(v)\n%p x(v)"), NOTHING, "redeclared");
        refused(program("%p sm(v)"), NOTHING, "redeclared");
        refused(program("%i y(v) = nope(v)"), NOTHING, "unknown-predicate");
        refused(program_with("%p x(v)", "", "a Nope() b"), NOTHING, "unknown-action");
        refused(program("%p x(v)") + "%%\nnowhere\n", NOTHING, "unknown-location");
        refused(program("%p x(a, b, c)"), NOTHING, "arity");
        refused(
            program("%p n(v, w)\n%p m(v, w)\n%i t(a, b, x, y) = TC(a, b)(v, w) n(v, w) & m(x, y)"),
            NOTHING,
            "arity",
        );
    }

    #[test]
    fn structures() {
        let one = program("%p x(v)\n%p n(v, w)\n%p flag()");
        refused(&one, "%n = {a} %p = { x = {b} }", "unknown-individual");
        refused(&one, "%n = {a} %p = { nope = {a} }", "unknown-predicate");
        refused(&one, "%n = {a} %p = { x = {a, a:0} }", "contradiction");
        refused(&one, "%n = {a, a} %p = {}", "repeated-individual");
        refused(&one, "%n = {a} %p = { x = {a:2} }", "syntax");
        refused(&one, "%n = {a} %p = { x = {a:1/3} }", "syntax");
        refused(&one, "%n = {a} %p = { x = {999999999999999999999999} }", "unknown-individual");
        for wrong in ["x = {a->a}", "n = {a}", "x = 1", "flag = {a}", "n = {a->a->a}", "x = {{a}}", "x"] {
            analyze(&one, format!("%n = {{a}} %p = {{ {wrong} }}"), &[]).expect(2);
        }
    }

    #[test]
    fn numbers() {
        let huge = "9".repeat(40);
        refused(format!("#if {huge} > 3\n#endif\n%%\n%%\n"), NOTHING, "bad-condition");
        refused("#if 1 / 0\n#endif\n%%\n%%\n", NOTHING, "bad-condition");
        analyze(program("%p x(v)"), ONE, &["-D", &format!("X={huge}")]).expect(0);
        for (option, value) in [("--max-structures", &huge), ("--max-messages", &huge), ("--threads", &huge)] {
            analyze(program("%p x(v)"), ONE, &[option, value]).expect(2);
        }
        for limit in ["--max-structures", "--max-messages"] {
            analyze(program("%p x(v)"), ONE, &[limit, "18446744073709551615"]).expect(0);
        }
        analyze(program("%p x(v)"), ONE, &["--timeout", "1e18"]).expect(0);
    }

    #[test]
    fn macro_options() {
        for define in ["", "1x", "=", "(", "A B", "A(", "A)(", "\"", "%p"] {
            analyze(program("%p x(v)"), ONE, &["-D", define]);
        }
        // Nothing can be smuggled in: a value is one line.
        refused(program("%i y(v) = z(v)"), ONE, "unknown-predicate");
        let run = analyze(program("%i y(v) = z(v)"), ONE, &["-D", "A=1\n%p z(v)"]).expect(2);
        assert!(run.stderr.contains("unknown-predicate"), "{}", run.stderr);
    }
}

mod explosive {
    use super::*;

    #[test]
    fn deep_nesting() {
        let parts = [("(", ")"), ("!", ""), ("E(w) ", ""), ("TC(v,v)(a,b) ", ""), ("|/{", ": z in {x}}"), ("r[", "]")];
        for (open, close) in parts {
            let deep = format!("{}x(v){}", open.repeat(100_000), close.repeat(100_000));
            refused(program(&format!("%p x(v)\n%i y(v) = {deep}")), NOTHING, "nesting");
        }
        refused(format!("%s S {}\n%%\n%%\n", "(".repeat(100_000)), NOTHING, "nesting");
        refused(program("%p x(v)"), format!("%n = {{{}", "[".repeat(100_000)), "nesting");
        refused(format!("#if {}\n#endif\n%%\n%%\n", "(".repeat(100_000)), NOTHING, "bad-condition");
        analyze("{".repeat(100_000), NOTHING, &[]).expect(2);
        analyze(program_with("%p x(v)", &"%action S() {".repeat(100_000), ""), NOTHING, &[]).expect(2);
    }

    #[test]
    fn macros() {
        let doubling = lines(60, |i| format!("#define A{i} A{0} A{0}", i + 1));
        refused(format!("{doubling}#define A60 %p x(v)\nA0\n%%\n%%\n"), NOTHING, "macro-bomb");
        let nested = format!("#define F(a) F(a a)\nF(x)\n{}\n%%\n%%\n", "F(".repeat(50_000));
        analyze(nested, NOTHING, &[]).expect(2);
        let pasted = format!("#define P(a) a##a\n%p {}x{}(v)\n%%\n%%\n", "P(".repeat(60), ")".repeat(60));
        analyze(pasted, NOTHING, &[]);
        analyze(lines(200_000, |_| "#if 1".to_string()), NOTHING, &[]).expect(2);
        analyze(lines(200_000, |i| format!("#define M{i} M{}", i + 1)), NOTHING, &[]).expect(2);
    }

    #[test]
    fn includes() {
        refused("#include \"a.tvp\"\n%%\n%%\n", NOTHING, "include-cycle");
        refused(program("%p x(v)"), "#include \"a.tvs\"\n", "include-cycle");
        let scratch = Scratch::new();
        let input = scratch.file("a.tvs", NOTHING);
        // A cycle of three, a chain of a thousand, and a tree of 2^30 inclusions.
        for (from, to) in [("c0", "c1"), ("c1", "c2"), ("c2", "c0")] {
            scratch.file(&format!("{from}.tvp"), format!("#include \"{to}.tvp\"\n"));
        }
        let cycle = run(&["analyze", &scratch.path("c0.tvp"), &input]).expect(2);
        assert!(cycle.stderr.contains("error[include-cycle]"), "{}", cycle.stderr);
        for i in 0..1000 {
            scratch.file(&format!("d{i}.tvp"), format!("#include \"d{}.tvp\"\n", i + 1));
        }
        run(&["analyze", &scratch.path("d0.tvp"), &input]).expect(2);
        for i in 0..30 {
            scratch.file(&format!("e{i}.tvp"), format!("#include \"e{0}.tvp\"\n#include \"e{0}.tvp\"\n", i + 1));
        }
        scratch.file("e30.tvp", "%p x(v)\n");
        run(&["analyze", &scratch.path("e0.tvp"), &input]).expect(2);
    }

    #[test]
    fn foreach_nests() {
        let set = format!("%s S {{{}}}\n", list(200, |i| format!("a{i}")));
        let open: String = (0..10).map(|i| format!("foreach (z{i} in S) {{ ")).collect();
        let names = list(10, |i| format!("z{i}"));
        let nest = format!("{set}{open} %p p[{names}](v) {}\n%%\n%%\n", "}".repeat(10));
        refused(nest, NOTHING, "expansion-limit");
        let composite = (0..10).fold("z0(v)".to_string(), |body, i| format!("|/{{ {body} : z{i} in S }}"));
        analyze(format!("{set}foreach (z in S) {{ %p z(v) }}\n%i q(v) = {composite}\n%%\n%%\n"), NOTHING, &[])
            .expect(2);
    }

    #[test]
    fn equivalences() {
        // Each `<->` doubles the formula.
        let chain = |length: usize| (0..length).map(|i| format!("x{i}(v)")).collect::<Vec<_>>().join(" <-> ");
        let declared = lines(60, |i| format!("%p x{i}(v)"));
        refused(program(&format!("{declared}%i y(v) = {}", chain(40))), NOTHING, "formula-size");
        proved(program(&format!("{declared}%i y(v) = {}", chain(8))), NOTHING);
    }

    #[test]
    fn focus_formulas() {
        let declared = lines(24, |i| format!("%p p{i}(v)\n%p q{i}(v)"));
        let values: String = (0..24).map(|i| format!("p{i} = {{u:1/2}} q{i} = {{u:1/2}} ")).collect();
        let input = format!("%n = {{u}} %p = {{ sm = {{u:1/2}} {values} }}");
        // A disjunctive normal form of 2^24 conjunctions.
        let conjunction = (0..24).map(|i| format!("(p{i}(v) | q{i}(v))")).collect::<Vec<_>>().join(" & ");
        let large = program_with(&declared, &format!("%action S() {{ %f {{ {conjunction} }} }}"), "a S() b");
        let run = analyze(large, &input, &[]).expect(0);
        assert!(run.stderr.contains("disjunctive normal form is too large"), "{}", run.stderr);
        // 48 formulas, each of which divides every structure.
        let many = list(24, |i| format!("p{i}(v), q{i}(v)"));
        let cases = program_with(&declared, &format!("%action S() {{ %f {{ {many} }} }}"), "a S() b");
        let run = analyze(cases, &input, &["--max-structures", "10"]).expect(3);
        assert!(run.stderr.contains("too many cases"), "{}", run.stderr);
    }

    #[test]
    fn precondition_variables() {
        // 60^3 assignments: each is a step of its own.
        let declared = lines(6, |i| format!("%p d{i}(v)")) + "%p x(v) nonabs\n";
        let action = "%action S() { %p !x(a) & !x(b) & !x(c) { x(v) = x(v) } }";
        let run =
            analyze(program_with(&declared, action, "a S() b"), distinct(60, 6, ""), &["--format", "json"]).expect(0);
        assert_eq!(run.json()["structures"]["created"], 216_001);
    }

    #[test]
    fn closures_in_four_variables() {
        let definition = "%i t(a, b) = E(x, y) TC(a, b)(v, w) (n(v, w) & m(x, y) | n(v, x) & m(w, y))";
        let declared = lines(5, |i| format!("%p d{i}(v)"));
        proved(program(&format!("%p n(v, w)\n%p m(v, w)\n{declared}{definition}")), distinct(30, 5, ""));
    }
}

mod large {
    use super::*;

    #[test]
    fn ten_thousand_predicates() {
        let values = "%n = {a, b, c} %p = { p1 = {a} p2 = {b:1/2} }";
        proved(program(&lines(10_000, |i| format!("%p p{i}(v)"))), values);
        proved(program(&lines(10_000, |i| format!("%p p{i}(v, w)"))), "%n = {a, b} %p = { p1 = {a->b} }");
        proved(program(&lines(10_000, |i| format!("%p p{i}()"))), "%n = {a, b} %p = { p1 = 1/2 }");
    }

    #[test]
    fn a_thousand_variables_of_lists() {
        let lists = lines(1000, |i| format!("%p p{i}(v) unique\n%i r[p{i}](v) = E(w) p{i}(w) & n*(w, v)"));
        proved(program(&format!("%p n(v, w) function\n{lists}")), "%n = {a, b, c} %p = { p1 = {a} r[p1] = {a} }");
    }

    #[test]
    fn ten_thousand_edges() {
        let input = "%n = {a} %p = { x = {a} }";
        let edges = lines(10_000, |i| format!("l{i} S() l{}", i + 1));
        let actions = "%action S() { { x(v) = x(v) } }";
        proved(program_with("%p x(v)", actions, &edges), input);
        // Each with an action of its own; a star; loops; and a chain that would be deep for a recursive walk.
        let own = lines(10_000, |i| format!("%action S{i}() {{ {{ x(v) = x(v) }} }}"));
        proved(program_with("%p x(v)", &own, &lines(10_000, |i| format!("l{i} S{i}() l{}", i + 1))), input);
        proved(program_with("%p x(v)", actions, &lines(10_000, |i| format!("a S() l{i}"))), input);
        proved(program_with("%p x(v)", actions, &lines(10_000, |_| "a S() a".to_string())), input);
        proved(program_with("%p x(v)", actions, &lines(100_000, |i| format!("l{i} S() l{}", i + 1))), input);
    }

    #[test]
    fn structures() {
        let chain = |size: usize| {
            let names = list(size, |u| format!("u{u}"));
            let next = list(size - 1, |u| format!("u{u}->u{}", u + 1));
            format!("%n = {{{names}}} %p = {{ x = {{u0}} n = {{{next}}} r[n,x] = {{{names}}} }}")
        };
        let scratch = Scratch::new();
        let input = scratch.file("chain.tvs", chain(5000));
        run(&["analyze", "examples/tvp/sll/reverse.tvp", &input]).expect(0);
        run(&["draw", &input, "--dot"]).expect(0);
        run(&["draw", &scratch.file("small.tvs", chain(500))]).expect(0);
        proved(program("%p x(v)"), "%n = {u} %p = { x = {u} }\n".repeat(50_000));
        refused(program(&lines(1000, |i| format!("%p p{i}(v, w)"))), chain(5000), "too-large");
    }

    #[test]
    fn drawings() {
        let scratch = Scratch::new();
        let names = list(40, |u| format!("u{u}"));
        let all = list(1600, |i| format!("u{}->u{}", i / 40, i % 40));
        let dense = scratch.file("dense.tvs", format!("%n = {{{names}}} %p = {{ n = {{{all}}} }}"));
        run(&["draw", &dense]).expect(0);
        let alone = scratch.file("alone.tvs", format!("%n = {{{}}} %p = {{}}", list(5000, |u| format!("u{u}"))));
        run(&["draw", &alone]).expect(0);
        let labels: String = (0..2000).map(|i| format!("p{i} = {{u}} ")).collect();
        run(&["draw", &scratch.file("labels.tvs", format!("%n = {{u}} %p = {{ {labels} }}"))]).expect(0);
        let many = scratch.file("many.tvs", "%n = {a, b} %p = { n = {a->b} }\n".repeat(2000));
        run(&["draw", &many]).expect(0);
        // Names that must be escaped in SVG and in DOT.
        let strange =
            scratch.file("strange.tvs", r#"%n = {"<a>&'", "b]]>"} %p = { x = {"<a>&'"} n = {"<a>&'"->"b]]>":1/2} }"#);
        let svg = run(&["draw", &strange, "--significant-names"]).expect(0).stdout;
        assert!(!svg.contains("<a>") && svg.contains("&lt;a&gt;&amp;"), "{svg}");
        run(&["draw", &strange, "--significant-names", "--dot"]).expect(0);
    }

    #[test]
    fn names_of_individuals_do_not_explode() {
        // Each step divides both individuals and merges a part of the one with a part of the other.
        let actions = "%action S() { %f { x(v) } { a(v) = x(v) x(v) = 1/2 } }";
        let edges = lines(100, |i| format!("l{i} S() l{}", i + 1));
        let input = "%n = {u, w} %p = { sm = {u:1/2, w:1/2} x = {u:1/2, w:1/2} a = {u} }";
        let text = program_with("%p x(v) nonabs\n%p a(v)", actions, &edges);
        analyze(text, input, &["--significant-names", "--format", "tvs"]).expect(0);
    }
}

/// The predicates that [`distinct`] gives values to.
fn bits(count: usize) -> String {
    lines(count, |i| format!("%p d{i}(v)"))
}

#[test]
fn long_chains_of_equivalences_are_refused() {
    for length in [60, 70, 100, 150] {
        let chain = vec!["x(v)"; length].join(" <-> ");
        let run = analyze(program(&format!("%p x(v)\n%i y(v) = {chain}")), NOTHING, &[]).expect(2);
        assert!(run.stderr.contains("error[formula-size]"), "{length}: {}", run.stderr);
    }
}

#[test]
fn stores_with_individuals_of_the_same_kind_are_compared() {
    let same = |size: usize| format!("%n = {{{}}} %p = {{}}", list(size, |u| format!("u{u}")));
    for size in [8, 12, 100] {
        analyze(program("%p x(v)"), same(size), &["--join", "concrete"]).expect(0);
    }
    let allocate = program_with("%p x(v)", "%action S() { %new }", "a S() a");
    analyze(&allocate, NOTHING, &["--join", "concrete", "--max-structures", "50"]).expect(3);
    analyze(&allocate, NOTHING, &["--join", "concrete", "--timeout", "1"]).expect(3);
}

/// A table of five or more columns over a large universe.
#[test]
fn many_quantifiers_over_a_large_universe() {
    let formula = "A(a) E(b) A(c) E(d) A(e) E(f) (n(a,b) | n(b,c) & n(c,d) | n(d,e) & n(e,f) \
                   | n(f,a) & n(a,d) & n(b,e) & n(c,f))";
    let action = format!("%action S() {{ %p {formula} {{ x() = 1 }} }}");
    let declared = format!("%p n(v, w)\n%p x() nonabs\n{}", bits(8));
    analyze(program_with(&declared, &action, "a S() b"), distinct(200, 8, "n = {u1->u2}"), &[]);
}

/// The same from a definition: is there a clique of seven in 30 individuals?
#[test]
fn a_clique_of_seven() {
    let pairs = (0..7).flat_map(|i| (0..i).map(move |j| format!("n(v{i}, v{j})"))).collect::<Vec<_>>().join(" & ");
    let clique = format!("%p n(v, w)\n{}%i q() = E({}) {pairs}", bits(5), list(7, |i| format!("v{i}")));
    analyze(program(&clique), distinct(30, 5, "q = 1/2"), &[]);
}

/// A disjunction over eight free variables of a precondition.
#[test]
fn a_disjunction_over_eight_free_variables() {
    let action = "%action S() { %p n(a,b) | n(b,c) | n(c,d) | n(d,e) | n(e,f) | n(f,g) | n(g,h) }";
    let declared = format!("%p n(v, w)\n{}", bits(6));
    analyze(program_with(&declared, action, "a S() b"), distinct(60, 6, "n = {u1->u2}"), &["--timeout", "3"]);
}

#[test]
fn eight_free_variables_in_a_precondition() {
    for variables in ["a b c d", "a b c d e f g h"] {
        let formula = variables.split(' ').map(|v| format!("!x({v})")).collect::<Vec<_>>().join(" & ");
        let action = format!("%action S() {{ %p {formula} {{ x(v) = x(v) }} }}");
        let text = program_with(&format!("%p x(v) nonabs\n{}", bits(6)), &action, "a S() b");
        for limit in [["--timeout", "2"], ["--max-structures", "1000"]] {
            analyze(&text, distinct(60, 6, ""), &limit).expect(3);
        }
    }
}

#[test]
fn wide_disjunctions() {
    for size in [1000, 2000, 4000] {
        let set = format!("%s S {{{}}}\nforeach (z in S) {{ %p z(v) }}\n", list(size, |i| format!("p{i}")));
        let run = analyze(program(&format!("{set}%i q(v) = |/{{ z(v) : z in S }}")), ONE, &[]).expect(0);
        assert!(run.time < Duration::from_secs(3), "{size}: {:?}", run.time);
    }
    analyze(program(&format!("%p x(v)\n%i y(v) = {}", vec!["x(v)"; 200_000].join(" | "))), ONE, &[]);
}

#[test]
fn ten_thousand_unique_predicates() {
    let values = "%n = {a, b, c} %p = { p1 = {a} }";
    let unique = program(&lines(10_000, |i| format!("%p p{i}(v) unique")));
    let scratch = Scratch::new();
    let (path, input) = (scratch.file("a.tvp", &unique), scratch.file("a.tvs", values));
    let run = trifold_within(["analyze", &path, &input, "--threads", "1"], 300, DEADLINE).expect(0);
    assert!(run.time < Duration::from_secs(5), "{:?}", run.time);
    let lists = lines(10_000, |i| format!("%p p{i}(v) unique\n%i r[p{i}](v) = E(w) p{i}(w) & n*(w, v)"));
    analyze(program(&format!("%p n(v, w) function\n{lists}")), "%n = {a} %p = { p1 = {a} r[p1] = {a} }", &[]).expect(0);
}

#[test]
fn equivalences_below_the_limit() {
    for length in [16, 18, 19] {
        let chain = (0..length).map(|i| format!("x{i}(v)")).collect::<Vec<_>>().join(" <-> ");
        let declared = lines(length, |i| format!("%p x{i}(v)"));
        analyze(program(&format!("{declared}%i y(v) = {chain}")), ONE, &["--timeout", "1"]);
    }
}
