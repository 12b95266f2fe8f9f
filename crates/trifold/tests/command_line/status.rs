//! The exit status.

use super::*;

#[test]
fn of_too_little_memory() {
    // Elsewhere the memory is not known.
    if !cfg!(target_os = "linux") {
        return;
    }
    for domain in ["tvl", "checkers", "auto"] {
        let reverse = ["check", "examples/c/sll/reverse.c", "--domain", domain];
        let run = trifold(reverse.iter().chain(&["--memory", "1"])).expect(3);
        assert!(run.stdout.contains("not analysed") && run.stdout.contains("memory was used up"), "{}", run.stdout);
        trifold(reverse.iter().chain(&["--memory", "0"])).expect(0);
    }
    let run = with(REVERSE, &["--memory", "1"]).expect(3);
    assert!(run.stdout.contains("partial result, the memory was used up"), "{}", run.stdout);
    assert_eq!(with(REVERSE, &["--memory", "1", "--format", "json"]).expect(3).json()["stop"], "memory-limit");
}

#[test]
fn is_0_when_proved() {
    let run = with(REVERSE, &[]).expect(0);
    assert!(run.stdout.contains("proved"), "{}", run.stdout);
    assert_eq!(run.stderr, "", "nothing to say, and no progress when not on a terminal");
}

#[test]
fn is_1_when_messages_may_fire() {
    let run = with(NULL_DEREF, &[]).expect(1);
    assert!(run.stdout.contains("bug, 3 messages, 3 confirmed by a run"), "{}", run.stdout);
    // The message points at the edge of the program.
    assert!(run.stderr.contains("Null dereference: y->n"), "{}", run.stderr);
    assert!(run.stderr.contains("examples/tvp/sll/null_deref.tvp:"), "{}", run.stderr);
    assert!(run.stderr.contains("at n4"), "{}", run.stderr);
}

#[test]
fn is_1_when_the_specification_contradicts_itself() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "both.tvp",
        "%p x(v) unique\n%p n(v1, v2)\n%i has() = E(v) x(v)\n%%\n\
         %action Take() { { x(v) = 0 has() = has() } }\n%%\na Take() b\n",
    );
    let input = scratch.file("both.tvs", "%n = {u} %p = { x = {u} has = 1 }");
    let run = trifold(["analyze", &program, &input, "--format", "json"]).expect(1);
    let report = run.json();
    assert_eq!(report["verdict"], "may-fail");
    let contradiction = &report["contradictions"][0];
    assert_eq!((&contradiction["location"], &contradiction["action"]), (&"a".into(), &"Take()".into()), "{report}");
    assert!(contradiction["constraint"].as_str().unwrap().contains("has"), "{report}");
    for part in ["contradict", "before the action", "after the action", "both.tvp:7"] {
        assert!(run.stderr.contains(part), "no `{part}` in:\n{}", run.stderr);
    }
}

#[test]
fn is_2_when_the_arguments_are_wrong() {
    let wrong: &[&[&str]] = &[
        &["analyze"],
        &["analyze", "a.tvp"],
        &["analyze", "a.tvp", "b.tvs", "c"],
        &["draw"],
        &["sing"],
        &["analyze", "a", "b", "--join", "sideways"],
        &["analyze", "a", "b", "--order", "bcupf"],
        &["analyze", "a", "b", "--timeout", "soon"],
        &["analyze", "a", "b", "--timeout", "-1"],
        &["analyze", "a", "b", "--timeout", "NaN"],
        &["analyze", "a", "b", "--max-structures", "-5"],
        &["analyze", "a", "b", "--dump", "5"],
        &["analyze", "a", "b", "--dump", "0", "-o", "x"],
        &["analyze", "a", "b", "--threads", "many"],
        &["analyze", "a", "b", "--threads", "0"],
        &["analyze", "a", "b", "--threads", "1000000000"],
        &["analyze", "a", "b", "--threads", "18446744073709551615"],
        &["analyze", "a", "b", "--format", "pdf"],
    ];
    for arguments in wrong {
        let run = trifold(*arguments).expect(2);
        assert!(run.stderr.contains("error") || run.stderr.contains("Usage"), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
}

#[test]
fn is_2_when_files_cannot_be_read() {
    let scratch = Scratch::new();
    let cases = [
        ["no/such.tvp", "examples/tvp/sll/sll.tvs"],
        ["examples/tvp/sll/reverse.tvp", "no/such.tvs"],
        ["examples/tvp", "examples/tvp/sll/sll.tvs"],
        ["examples/tvp/sll/reverse.tvp", "examples/tvp"],
    ];
    for [program, input] in cases {
        let run = trifold(["analyze", program, input]).expect(2);
        let wrong = if program.ends_with("reverse.tvp") { input } else { program };
        assert!(run.stderr.contains("error") && run.stderr.contains(wrong), "{}", run.stderr);
        assert_eq!(run.stdout, "");
    }
    assert!(trifold(["draw", "no/such.tvs"]).expect(2).stderr.contains("no/such.tvs"));
    assert!(trifold(["draw", "examples"]).expect(2).stderr.contains("examples"));
    let missing = scratch.file("missing.tvp", "#include \"nowhere.tvp\"\n%%\n%%\n");
    let run = trifold(["analyze", &missing, "examples/tvp/sll/sll.tvs"]).expect(2);
    assert!(run.stderr.contains("nowhere.tvp") && run.stderr.contains("missing.tvp:1"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn is_2_when_a_file_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let secret = scratch.file("secret.tvp", "%%\n%%\n");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o0)).unwrap();
    if std::fs::read(&secret).is_ok() {
        return; // the user of this machine may read everything
    }
    let run = trifold(["analyze", &secret, "examples/tvp/sll/sll.tvs"]).expect(2);
    assert!(run.stderr.contains("secret.tvp"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn is_2_for_a_file_without_end() {
    let deadline = std::time::Duration::from_secs(20);
    let endless = |arguments: &[&str]| support::trifold_within(arguments, 1024, deadline).expect(2).stderr;
    assert!(endless(&["analyze", "/dev/zero", "examples/tvp/sll/sll.tvs"]).contains("/dev/zero"));
    assert!(endless(&["draw", "/dev/zero"]).contains("/dev/zero"));
}

#[test]
fn is_3_when_a_limit_is_reached() {
    let limits: &[(&[&str], &str)] = &[
        (&["--max-structures", "5"], "structure-limit"),
        (&["--max-messages", "1"], "message-limit"),
        (&["--timeout", "0"], "timeout"),
    ];
    for (limit, reason) in limits {
        let json: Vec<&str> = limit.iter().copied().chain(["--format", "json"]).collect();
        let report = with(NULL_DEREF, &json).expect(3).json();
        assert_eq!((&report["verdict"], &report["stop"]), (&"partial".into(), &Value::from(*reason)));
        let text = with(NULL_DEREF, limit).expect(3).stdout;
        assert!(text.contains("partial"), "{text}");
    }
    let report = with(NULL_DEREF, &["--max-structures", "5", "--format", "json"]).json();
    assert!(report["structures"]["created"].as_u64().unwrap() < 58, "{report}");
    // A limit that is not reached limits nothing.
    with(REVERSE, &["--max-structures", "100000", "--max-messages", "1", "--timeout", "1000"]).expect(0);
}

#[test]
fn is_3_for_an_endless_analysis_that_is_stopped() {
    // Without blur a loop that allocates goes on for ever.
    let create = ["analyze", "examples/tvp/sll/create.tvp", "examples/tvp/sll/sll.tvs"];
    let report = with(create, &["--join", "concrete", "--max-structures", "200", "--format", "json"]).expect(3).json();
    assert_eq!(report["stop"], "structure-limit");
    let run = with(create, &["--join", "concrete", "--timeout", "0.2", "--format", "json"]).expect(3);
    assert_eq!(run.json()["stop"], "timeout");
    assert!(run.time.as_secs() < 10, "{:?}", run.time);
}

#[test]
fn is_2_when_there_is_nothing_to_analyse() {
    let scratch = Scratch::new();
    let empty = scratch.file("empty.tvs", "");
    let run = trifold(["analyze", REVERSE[1], &empty]).expect(2);
    assert!(run.stderr.contains("there is no input structure"), "{}", run.stderr);
    // x points to two different individuals, though it is unique.
    let impossible = scratch.file("impossible.tvs", "%n = {u, w} %p = { x = {u, w} r[n,x] = {u, w} }");
    let run = trifold(["analyze", REVERSE[1], &impossible]).expect(2);
    assert!(run.stderr.contains("no input structure represents a store"), "{}", run.stderr);
    // One that is possible is analysed; the other one is mentioned, and nothing is proved of it.
    let both = scratch.file("both.tvs", "%n = {} %p = {} %n = {u, w} %p = { x = {u, w} r[n,x] = {u, w} }");
    let run = trifold(["analyze", REVERSE[1], &both]).expect(3);
    assert!(run.stderr.contains("input structure 2 represents no store"), "{}", run.stderr);
}
