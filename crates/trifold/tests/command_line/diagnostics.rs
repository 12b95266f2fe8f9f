//! The output beside the result: diagnostics, traces, colours.

use super::*;

#[test]
fn go_into_a_log() {
    let scratch = Scratch::new();
    let log = scratch.path("log");
    let run = with(NULL_DEREF, &["--log", &log]).expect(1);
    assert_eq!(run.stderr, "");
    let plain = with(NULL_DEREF, &[]).expect(1);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), plain.stderr, "the log has what would have been shown");
    with(NULL_DEREF, &["--log", &log, "--debug"]).expect(1);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("constraints, in order") && text.contains(": blur") && text.contains("Null dereference"));
}

#[test]
fn trace_every_phase() {
    let trace = with(REVERSE, &["--debug", "--order", "fcpucb"]).expect(0).stderr;
    for phase in [
        ": focus",
        ": coerce before the precondition",
        ": precondition",
        ": update",
        ": coerce after the update",
        ": blur",
    ] {
        assert!(trace.lines().any(|line| line.ends_with(phase)), "no{phase}");
    }
    // Constraints have numbers, and each says which ones read the predicate that it changes.
    assert!(trace.contains("E(v1) n(v1,v2) & n(v1,v3) ==> v2 == v3"), "{trace}");
    assert!(trace.contains("        read by "), "{trace}");
    // A discarded structure is shown with the constraint and the assignment.
    let discarded: Vec<&str> = trace.lines().filter(|line| line.contains(": discarded by coerce")).collect();
    assert!(!discarded.is_empty());
    assert!(discarded.iter().all(|line| line.contains(" ==> ") && line.contains(", for v")), "{discarded:?}");
    let after = trace.split(discarded[0]).nth(1).unwrap();
    assert!(after.trim_start().starts_with("%n = {"), "the structure follows");
    // Order without coerce: no coerce in the trace.
    let trace = with(REVERSE, &["--debug", "--order", "fpub", "--max-structures", "100"]).stderr;
    assert!(!trace.lines().any(|line| line.contains(": coerce")));
}

#[test]
fn tracing_changes_nothing() {
    for base in [REVERSE, NULL_DEREF] {
        let plain = with(base, &["--format", "tvs"]);
        let traced = with(base, &["--format", "tvs", "--debug"]);
        assert_eq!((plain.status, plain.stdout), (traced.status, traced.stdout));
    }
}

#[test]
fn are_coloured_only_when_told_to_or_on_a_terminal() {
    assert!(!with(NULL_DEREF, &[]).stderr.contains('\x1b'));
    assert!(!with(NULL_DEREF, &["--color", "never"]).stderr.contains('\x1b'));
    assert!(with(NULL_DEREF, &["--color", "always"]).stderr.contains('\x1b'));
    assert!(trifold(["draw", "no/such.tvs", "--color", "always"]).expect(2).stderr.contains('\x1b'));
}

/// On a terminal there are colours, unless NO_COLOR says otherwise. Needs the `script` program of Linux.
#[test]
fn respect_no_color_on_a_terminal() {
    let on_terminal = |no_color: Option<&str>| {
        let mut script = Command::new("script");
        script.args(["-qec", &format!("{} {}", env!("CARGO_BIN_EXE_trifold"), NULL_DEREF.join(" ")), "/dev/null"]);
        script.env("TERM", "xterm");
        match no_color {
            Some(value) => {
                let mut shell = Command::new("env");
                shell.arg(format!("NO_COLOR={value}")).arg("script").args(script.get_args());
                run(shell, DEADLINE)
            }
            None => run(script, DEADLINE),
        }
    };
    if !cfg!(target_os = "linux") || !require("script") {
        return;
    }
    let coloured = on_terminal(None);
    assert!(coloured.stdout.contains("\x1b["), "{}", coloured.stdout);
    // Progress may rewrite its line; colours end in `m`.
    let has_colour = |text: &str| {
        text.split("\x1b[")
            .skip(1)
            .any(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m'))
    };
    assert!(has_colour(&coloured.stdout));
    assert!(!has_colour(&on_terminal(Some("1")).stdout));
    assert!(has_colour(&on_terminal(Some("")).stdout), "an empty NO_COLOR says nothing");
}

#[test]
fn of_loading_are_warnings_unless_quiet() {
    let scratch = Scratch::new();
    // An action that is never used deserves no word, a set that is never used neither; a focus formula that stays
    // unknown does.
    let program = scratch.file(
        "warn.tvp",
        "%p x(v) nonabs\n%p n(v1, v2)\n%%\n%action Look() { %f { n(v, w) } { x(v) = x(v) } }\n%%\na Look() b\n",
    );
    let input = scratch.file("warn.tvs", "%n = {u} %p = { sm = {u:1/2} n = {u->u:1/2} }");
    let analyze = |more: &[&str]| trifold(["analyze", &program, &input].iter().chain(more)).expect(0);
    let run = analyze(&["--transformer", "focus"]);
    assert!(run.stderr.contains("stays unknown") && run.stderr.contains("warn.tvp:4"), "{}", run.stderr);
    assert_eq!(analyze(&["--transformer", "focus", "--quiet"]).stderr, "");
    assert_eq!(analyze(&["--transformer", "focus", "--format", "json"]).json()["unfocusable"], 1);
    // A best transformer does without focus.
    assert_eq!(analyze(&["--format", "json"]).json()["unfocusable"], 0);
}

#[test]
fn labels_tell_where_it_began() {
    let scratch = Scratch::new();
    for (text, label) in [
        ("struct s *q = 0; struct s *p = q; p->n = 0;", "`p` becomes null here"),
        ("struct s *a = malloc(sizeof *a); struct s *b = a; free(a); b->n = 0;", "freed here"),
        ("struct s *a = malloc(sizeof *a); free(a); free(a);", "freed here"),
        ("struct s *a = malloc(sizeof *a); a->n = 0; struct s *b = a->n; free(a); b->n = 0;", "`b` is read here"),
        ("struct s *a = malloc(sizeof *a); a = 0;", "allocated here"),
        ("struct s *a = malloc(sizeof *a); a = 0;", "lost here, in `main`"),
        ("set(0);", "`p` becomes null here"),
    ] {
        let lines = text.replace("; ", ";\n");
        let file = scratch.file(
            "a.c",
            format!(
                "#include <stdlib.h>\nstruct s {{ struct s *n; }};\nstatic void set(struct s *p) {{ p->n = 0; }}\n\
                 int main(void) {{\n{lines}\nreturn 0; }}\n"
            ),
        );
        for domain in ["tvl", "checkers"] {
            let shown = trifold(["check", &file, "--domain", domain]).expect(1).stderr;
            assert!(shown.contains(label), "{domain}: {text}\n{shown}");
        }
    }
}

#[test]
fn lines_with_macros_are_shown_as_they_are_written() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "a.c",
        "#include <stdlib.h>\nstruct s { struct s *n; };\nint main(void) {\n  struct s *p = 0;\n  return p->n != NULL; // end\n}\n",
    );
    let shown = trifold(["check", &file]).expect(1).stderr;
    assert!(shown.contains("return p->n != NULL; // end"), "{shown}");
}
