//! Most-precise operations.

use super::*;

const SPEC: [&str; 2] = ["--spec", "examples/tvp/sll/rotate.tvp"];
const LISTS: &str = "examples/tvp/sll/rotate.tvs";
/// `x->n == y`.
const NEXT: &str = "E(v1,v2) x(v1) & n(v1,v2) & y(v2)";

fn assume(more: &[&str]) -> Run {
    trifold(["assume", NEXT, LISTS].iter().chain(&SPEC).chain(more))
}

#[test]
fn assume_keeps_what_satisfies_the_formula() {
    let run = assume(&[]).expect(0);
    // Of the lists whose last element is y, only that of two elements.
    assert!(run.stdout.starts_with("// 1 structure, most precise; "), "{}", run.stdout);
    assert!(run.stdout.contains("n = {_0->_1}\n"), "{}", run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn what_is_printed_can_be_read_again() {
    let scratch = Scratch::new();
    let printed = scratch.file("result.tvs", &assume(&[]).expect(0).stdout);
    let run = trifold(["entails", &printed, LISTS].iter().chain(&SPEC)).expect(0);
    assert!(run.stdout.starts_with("// holds; 1 query\n"), "{}", run.stdout);
    let run = trifold(["entails", LISTS, &printed].iter().chain(&SPEC)).expect(1);
    assert!(run.stdout.starts_with("// does not hold; "), "{}", run.stdout);
    // The store that shows it is the empty one.
    assert!(run.stdout.contains("%n = {}"), "{}", run.stdout);
}

#[test]
fn abstract_finds_all_stores() {
    let one = "E(v) x(v) & (A(w) w == v) & !(E(w) y(w) | t(w))";
    let run = trifold(["abstract", one].iter().chain(&SPEC)).expect(0);
    // One element, which may point to itself.
    assert!(run.stdout.starts_with("// 2 structures, most precise; "), "{}", run.stdout);
    assert_eq!(run.stdout.matches("n = {_0->_0}").count(), 1, "{}", run.stdout);
}

#[test]
fn best_transformer_carries_out_actions_in_turn() {
    let base = ["best-transformer", LISTS, "--spec", "examples/tvp/sll/rotate.tvp", "--action"];
    let run = trifold(base.iter().chain(&["x != NULL"])).expect(0);
    assert!(run.stdout.starts_with("// 4 structures, most precise; "), "{}", run.stdout);
    let run = trifold(base.iter().chain(&["x != NULL", "--action", "x = x->n", "--action", "x == NULL"])).expect(0);
    assert!(run.stdout.starts_with("// 1 structure, most precise; "), "{}", run.stdout);
    assert!(!run.stdout.contains("x ="), "{}", run.stdout);
    let run = trifold(base.iter().chain(&["x"])).expect(2);
    assert!(run.stderr.contains("several actions are called like `x`; there are: "), "{}", run.stderr);
    let run = trifold(base.iter().chain(&["sing"])).expect(2);
    assert!(run.stderr.contains("no action is called `sing`; there are: "), "{}", run.stderr);
}

#[test]
fn meet_is_what_both_represent() {
    let scratch = Scratch::new();
    let two =
        scratch.file("two.tvs", "%n = {a, b} %p = { x = {a} n = {a->b} r[n,x] = {a, b} y = {b:1/2} r[n,y] = {b:1/2} }");
    let run = trifold(["meet", LISTS, &two].iter().chain(&SPEC)).expect(0);
    assert!(run.stdout.starts_with("// 1 structure, most precise; "), "{}", run.stdout);
    let vague = scratch.file("vague.tvs", "%n = {a, b} %p = { x = {a:1/2} }");
    let run = trifold(["meet", LISTS, &vague].iter().chain(&SPEC)).expect(2);
    assert!(
        run.stderr.contains("has no characteristic formula: no abstraction predicate is 0 on one"),
        "{}",
        run.stderr
    );
}

#[test]
fn formula_comes_in_three_languages() {
    let run = |format: &str| trifold(["formula", LISTS, "--format", format].iter().chain(&SPEC)).expect(0).stdout;
    let tvp = run("tvp");
    assert!(tvp.starts_with("// integrity rules\n(A(v1,v2) !(x(v1) & x(v2)) | v1 == v2) &\n"), "{tvp}");
    assert_eq!(tvp.matches("// structure ").count(), 4, "{tvp}");
    let smtlib = run("smtlib");
    assert!(smtlib.starts_with("(set-logic UF)\n") && smtlib.ends_with("(check-sat)\n"), "{smtlib}");
    assert!(smtlib.contains("(declare-fun |r[n,x]| (Individual) Bool)\n"), "{smtlib}");
    assert_eq!(smtlib.matches('(').count(), smtlib.matches(')').count());
    let tptp = run("tptp");
    assert!(tptp.lines().all(|line| line.starts_with("fof(f") && line.ends_with(").")), "{tptp}");
    assert!(tptp.contains("'r[n,x]'(V_v)"), "{tptp}");
}

#[test]
fn time_that_is_up_leaves_a_sound_result() {
    let run = assume(&["--timeout", "0"]).expect(3);
    assert!(run.stdout.starts_with("// 4 structures, perhaps not the most precise; 0 queries\n"), "{}", run.stdout);
    assert!(run.stderr.contains("warning: a query was left undecided: time was up"), "{}", run.stderr);
}

#[test]
fn mistakes_in_formulas_are_shown() {
    let run = trifold(["assume", "E(v) q(v)", LISTS].iter().chain(&SPEC)).expect(2);
    assert!(run.stderr.contains("there is no predicate `q`") && run.stderr.contains("<formula>:1:6"), "{}", run.stderr);
    let run = trifold(["assume", "E(v) x(v) &", LISTS].iter().chain(&SPEC)).expect(2);
    assert!(run.stderr.contains("expected a formula"), "{}", run.stderr);
    let run = trifold(["assume", "E(v) x(v) )", LISTS].iter().chain(&SPEC)).expect(2);
    assert!(run.stderr.contains("expected the end of the formula"), "{}", run.stderr);
}

#[test]
fn a_solver_that_is_missing_is_an_error() {
    let run = assume(&["--solver", "no-such-solver"]).expect(2);
    assert!(run.stderr.contains("cannot run the solver `no-such-solver`"), "{}", run.stderr);
    let run = assume(&["--solver", " "]).expect(2);
    assert!(run.stderr.contains("--solver needs the name of a program"), "{}", run.stderr);
}

/// Commands by each solver that is installed, against the built-in one.
#[test]
fn solvers_that_are_installed_agree() {
    let one = "E(v) x(v) & (A(w) w == v) & !(E(w) y(w) | t(w))";
    // The running example of [YorshRS04], which has eight structures.
    let scratch = Scratch::new();
    let paper = scratch.file(
        "paper.tvp",
        "%p x(v) unique\n %p y(v) unique\n %p n(v1,v2) function\n%i is(v) = E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2
        %% %action skip() { %t \"skip\" } %% a skip() b",
    );
    let any = "%n = {a, u} %p = { sm = {u:1/2} x = {a} y = {a:1/2, u:1/2} n = {a->u:1/2, u->u:1/2} }";
    let any = scratch.file("paper.tvs", any);
    let with = |spec: [&'static str; 2], command: &[&'static str]| [command, &spec].concat();
    let transformer = |actions: &[&'static str]| {
        let actions: Vec<&str> = actions.iter().flat_map(|action| ["--action", action]).collect();
        with(SPEC, &[&["best-transformer", LISTS], &actions[..]].concat())
    };
    let commands = [
        vec!["assume", NEXT, &any, "--spec", &paper],
        with(SPEC, &["assume", NEXT, LISTS]),
        with(SPEC, &["abstract", one]),
        with(SPEC, &["meet", LISTS, LISTS]),
        with(SPEC, &["entails", LISTS, LISTS]),
        transformer(&["x != NULL"]),
        transformer(&["x != NULL", "x = x->n"]),
        transformer(&["x != NULL", "x = x->n", "x == NULL"]),
    ];
    assert!(trifold(&commands[0]).expect(0).stdout.starts_with("// 8 structures, most precise; "));
    // The first lines say how long it took, and in how many steps.
    let result = |run: &Run| run.stdout.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n");
    let said = |run: &Run| run.stdout.split(';').next().unwrap_or_default().to_string();
    for solver in ["z3", "cvc5"] {
        if !require(solver) {
            continue;
        }
        for command in &commands {
            let built_in = trifold(command).expect(0);
            let external = trifold(command.iter().chain(&["--solver", solver])).expect(0);
            assert_eq!(
                (said(&external), result(&external)),
                (said(&built_in), result(&built_in)),
                "{solver}: {command:?}"
            );
        }
    }
}

/// Where focus would need infinitely many cases, a best transformer takes the step, and keeps the consequences.
#[test]
fn focus_falls_back_to_the_solver() {
    let scratch = Scratch::new();
    // `some` follows from the precondition of `Some`; to see it, `n(v, w)` would have to be definite.
    let program = scratch.file(
        "some.tvp",
        "%p n(v1, v2)\n%i some() = E(v1, v2) n(v1, v2)\n%%
        %action Some() { %t \"some\" %f { n(v, w) } %p E(v, w) n(v, w) }
        %action Check() { %t \"check\" %message !some() -> \"there is none\" }
        %%\na Some() b\nb Check() c\n",
    );
    let input = scratch.file("some.tvs", "%n = {u} %p = { sm = {u:1/2} n = {u->u:1/2} some = 1/2 }");
    let analyze = |transformer: &str, status| {
        let run = trifold(["analyze", &program, &input, "--transformer", transformer, "--format", "json"]);
        run.expect(status).json()
    };
    let focus = analyze("focus", 1);
    assert_eq!((&focus["unfocusable"], &focus["precise_steps"]["taken"]), (&1.into(), &0.into()));
    let auto = analyze("auto", 0);
    assert_eq!((&auto["unfocusable"], &auto["precise_steps"]["taken"]), (&0.into(), &1.into()));
    let best = analyze("best", 0);
    assert!(best["precise_steps"]["taken"].as_u64() > Some(1), "{best}");
    assert_eq!(best["precise_steps"]["undecided"], 0);
}

/// Programs that speak like solvers, for systems that have a shell.
#[cfg(unix)]
mod process {
    use super::*;

    /// A solver that does this when it is asked.
    fn solver(scratch: &Scratch, when_asked: &str) -> String {
        let loop_ = format!(
            "while read line; do case \"$line\" in
            '(check-sat'*) {when_asked};; '(get-'*) echo '()';; esac; done\n"
        );
        format!("sh {}", scratch.file("solver.sh", &loop_))
    }

    fn assume_by(when_asked: &str, status: i32) -> Run {
        let scratch = Scratch::new();
        let solver = solver(&scratch, when_asked);
        assume(&["--solver", &solver]).expect(status)
    }

    #[test]
    fn its_answers_count() {
        let run = assume_by("echo unsat", 0);
        assert!(run.stdout.starts_with("// 0 structures, most precise; 4 queries\n"), "{}", run.stdout);
        let run = assume_by("echo unknown", 3);
        assert!(run.stdout.contains("perhaps not the most precise"), "{}", run.stdout);
        assert!(run.stderr.contains("`sh` does not know"), "{}", run.stderr);
    }

    #[test]
    fn a_store_that_it_does_not_show_is_none() {
        let run = assume_by("echo sat", 3);
        assert!(run.stderr.contains("undecided: the solver does not tell the values of variables"), "{}", run.stderr);
    }

    #[test]
    fn a_crash_is_an_error() {
        let run = assume_by("exit 7", 2);
        assert!(
            run.stderr.contains("error: the solver `sh` ended without an answer: exit status: 7"),
            "{}",
            run.stderr
        );
        let run = assume_by("echo '(error \"what?\")'", 2);
        assert!(run.stderr.contains("error: the solver `sh` says: (error \"what?\")"), "{}", run.stderr);
    }

    #[test]
    fn it_is_not_waited_for_beyond_the_time() {
        let scratch = Scratch::new();
        let solver = solver(&scratch, "sleep 100");
        let run = assume(&["--solver", &solver, "--timeout", "0.5"]).expect(3);
        assert!(run.stderr.contains("did not answer in time"), "{}", run.stderr);
    }
}
