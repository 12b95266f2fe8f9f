//! Input that asks for too much: it is refused, or analysed, within bounds on time and memory.

mod support;

use std::fmt::Write;
use std::time::Duration;
use support::{Run, Scratch, trifold_within};

/// A run on bad input may take this long, also on a machine that does other things.
const DEADLINE: Duration = Duration::from_secs(10);
/// … and this much address space.
const MEBIBYTES: u64 = 1024;

/// Analyses these texts within the limits: a result, or a word about what is wrong.
fn analyze(program: impl AsRef<[u8]>, input: impl AsRef<[u8]>, options: &[&str]) -> Run {
    let scratch = Scratch::new();
    let (program, input) = (scratch.file("a.tvp", program), scratch.file("a.tvs", input));
    let arguments = [&["analyze", &program, &input, "--threads", "1"], options].concat();
    let run = trifold_within(&arguments, MEBIBYTES, DEADLINE);
    assert!(!run.timed_out, "takes more than {DEADLINE:?}");
    let beginning: String = run.stderr.chars().take(600).collect();
    assert!(!run.stderr.contains("panicked"), "{beginning}");
    assert!(matches!(run.status, Some(0..=3)), "ended with {:?} after {:?}\n{beginning}", run.status, run.time);
    run
}

fn program(declarations: &str) -> String {
    program_with(declarations, "%action S() { }", "a S() b")
}

fn program_with(declarations: &str, actions: &str, edges: &str) -> String {
    format!("{declarations}\n%%\n{actions}\n%%\n{edges}\n")
}

const NOTHING: &str = "%n = {} %p = {}";
const ONE: &str = "%n = {u} %p = {}";

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}

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

/// The predicates that [`distinct`] gives values to.
fn bits(count: usize) -> String {
    lines(count, |i| format!("%p d{i}(v)"))
}

/// 1. The count of parts of a formula overflows (panic; in release it wraps, and a wrong formula is accepted or not by luck).
#[test]
fn long_chains_of_equivalences_are_refused() {
    for length in [60, 70, 100, 150] {
        let chain = vec!["x(v)"; length].join(" <-> ");
        let run = analyze(program(&format!("%p x(v)\n%i y(v) = {chain}")), NOTHING, &[]).expect(2);
        assert!(run.stderr.contains("error[formula-size]"), "{length}: {}", run.stderr);
    }
}

/// 2. Comparing stores with n individuals of the same kind takes n! steps.
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

/// 3a. A table of five or more columns over a large universe: the process aborts.
#[test]
fn many_quantifiers_over_a_large_universe() {
    let formula = "A(a) E(b) A(c) E(d) A(e) E(f) (n(a,b) | n(b,c) & n(c,d) | n(d,e) & n(e,f) \
                   | n(f,a) & n(a,d) & n(b,e) & n(c,f))";
    let action = format!("%action S() {{ %p {formula} {{ x() = 1 }} }}");
    let declared = format!("%p n(v, w)\n%p x() nonabs\n{}", bits(8));
    analyze(program_with(&declared, &action, "a S() b"), distinct(200, 8, "n = {u1->u2}"), &[]);
}

/// 3b. The same from a definition: is there a clique of seven in 30 individuals?
#[test]
fn a_clique_of_seven() {
    let pairs = (0..7).flat_map(|i| (0..i).map(move |j| format!("n(v{i}, v{j})"))).collect::<Vec<_>>().join(" & ");
    let clique = format!("%p n(v, w)\n{}%i q() = E({}) {pairs}", bits(5), list(7, |i| format!("v{i}")));
    analyze(program(&clique), distinct(30, 5, "q = 1/2"), &[]);
}

/// 3c. A disjunction over eight free variables of a precondition.
#[test]
fn a_disjunction_over_eight_free_variables() {
    let action = "%action S() { %p n(a,b) | n(b,c) | n(c,d) | n(d,e) | n(e,f) | n(f,g) | n(g,h) }";
    let declared = format!("%p n(v, w)\n{}", bits(6));
    analyze(program_with(&declared, action, "a S() b"), distinct(60, 6, "n = {u1->u2}"), &["--timeout", "3"]);
}

/// 4. All assignments of a precondition are listed before the first is used: memory, and no limit is looked at meanwhile.
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

/// 5. A definition with n disjuncts gives n constraints of size n: memory and time grow with the square.
#[test]
fn wide_disjunctions() {
    for size in [1000, 2000, 4000] {
        let set = format!("%s S {{{}}}\nforeach (z in S) {{ %p z(v) }}\n", list(size, |i| format!("p{i}")));
        let run = analyze(program(&format!("{set}%i q(v) = |/{{ z(v) : z in S }}")), ONE, &[]).expect(0);
        assert!(run.time < Duration::from_secs(3), "{size}: {:?}", run.time);
    }
    analyze(program(&format!("%p x(v)\n%i y(v) = {}", vec!["x(v)"; 200_000].join(" | "))), ONE, &[]);
}

/// 6. Each rule `… ==> v == w` lists all rules that read `sm`: memory grows with the square of the number of predicates.
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

/// 8. A formula just below the limit on its size keeps the engine busy for a minute, whatever `--timeout` says.
#[test]
fn equivalences_below_the_limit() {
    for length in [16, 18, 19] {
        let chain = (0..length).map(|i| format!("x{i}(v)")).collect::<Vec<_>>().join(" <-> ");
        let declared = lines(length, |i| format!("%p x{i}(v)"));
        analyze(program(&format!("{declared}%i y(v) = {chain}")), ONE, &["--timeout", "1"]);
    }
}
