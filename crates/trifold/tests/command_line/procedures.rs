//! Programs with procedures: summaries, formats and refusals.

use super::*;

const CALLS: [&str; 3] = ["analyze", "examples/tvp/procedures/reverse.tvp", "examples/tvp/sll/sll.tvs"];

/// A program whose calls are made on local heaps.
const JAVA: &str = "examples/java/list/ReverseRecursive.java";

#[test]
fn every_format_knows_procedures() {
    let report = with(CALLS, &["--format", "json"]).expect(0).json();
    let procedures = report["procedures"].as_array().unwrap().iter();
    let inputs = |p: &Value| (p["name"].as_str().unwrap().to_string(), p["inputs"].as_u64().unwrap());
    assert_eq!(procedures.map(inputs).collect::<Vec<_>>(), [("main".to_string(), 3), ("reverse".to_string(), 3)]);
    // A structure of a location is counted once, for all inputs of its procedure.
    let found = counts(&report);
    let tvs = with(CALLS, &["--format", "tvs"]).expect(0).stdout;
    for location in ["m2", "r1", "r6", "exit"] {
        assert_eq!(structures(&tvs, location).len() as u64, found[location], "{location}");
    }
    let dot = with(CALLS, &["--format", "dot"]).expect(0).stdout;
    assert!(dot.contains("p = t, and the call starts"), "{dot}");
    let debug = with(CALLS, &["--debug"]).expect(0).stderr;
    assert!(debug.contains("coerce after the update"), "{debug}");
    let text = with(CALLS, &[]).expect(0).stdout;
    assert!(text.lines().any(|line| line.starts_with("  reverse    proved            3 ")), "{text}");
}

#[test]
fn messages_of_a_return_are_reported_at_the_call() {
    let bug = ["analyze", "examples/tvp/procedures/reverse_bug.tvp", "examples/tvp/sll/sll.tvs"];
    let report = with(bug, &["--format", "json"]).expect(1).json();
    let location = report["locations"].as_array().unwrap().iter().find(|l| l["name"] == "m1").unwrap();
    let message = &location["messages"][0];
    assert_eq!(message["text"], "Memory leak: the call with x may lose a list");
    assert_eq!(message["verdict"], "bug");
    let scratch = Scratch::new();
    let page = scratch.path("bug.html");
    with(bug, &["--html", &page]).expect(1);
    assert!(std::fs::read_to_string(page).unwrap().contains("the call with t may lose a list"));
}

#[test]
fn summaries_of_a_specification() {
    let text = with(CALLS, &["--summaries"]).expect(0).stdout;
    let of_reverse = text.split("\nreverse: 3 inputs\n").nth(1).expect("the summary of reverse");
    assert_eq!(of_reverse.matches("  input ").count(), 3, "{text}");
    // The empty list leads to the empty list.
    assert!(of_reverse.contains("    nothing\n  leads to\n    nothing\n"), "{text}");
    // Text after JSON would be neither.
    with(CALLS, &["--summaries", "--format", "json"]).expect(2);
    let without = with(REVERSE, &["--summaries"]).expect(0).stdout;
    assert!(without.contains("there are no summaries"), "{without}");
}

#[test]
fn summaries_of_a_source_file() {
    let text = trifold(["check", JAVA, "--summaries"]).expect(0).stdout;
    assert!(text.contains("  input 1\n") && text.contains("  leads to\n"), "{text}");
}

#[test]
fn summaries_are_drawn() {
    let scratch = Scratch::new();
    for (base, name) in [(&CALLS[..], "spec"), (&["check", JAVA][..], "source")] {
        for (extension, mark) in [("svg", "<svg"), ("dot", "digraph")] {
            let path = scratch.path(&format!("{name}.{extension}"));
            let option = format!("--summaries={path}");
            trifold(base.iter().copied().chain([option.as_str()])).expect(0);
            let drawn = std::fs::read_to_string(&path).unwrap();
            assert!(drawn.starts_with(mark) && drawn.contains("input 1"), "{drawn}");
            // Nothing is overwritten unless that is wanted.
            trifold(base.iter().copied().chain([option.as_str()])).expect(2);
            trifold(base.iter().copied().chain([option.as_str(), "--force"])).expect(0);
        }
        trifold(base.iter().copied().chain(["--summaries=/nowhere/at/all.svg"])).expect(2);
    }
}

#[test]
fn what_procedures_do_not_go_with_is_refused() {
    let backward = with(CALLS, &["--backward"]).expect(2).stderr;
    assert!(backward.contains("procedures, which cannot be followed backward"), "{backward}");
    let scratch = Scratch::new();
    let inside = scratch.file("inside.tvs", "%location r3 = { %n = {} %p = {} }");
    let refused = trifold(["analyze", CALLS[1], &inside]).expect(2).stderr;
    assert!(refused.contains("error[not-an-entry]") && refused.contains("procedures start at `m1`, `r1`"), "{refused}");
    // A procedure may be analysed on its own.
    let entry = scratch.file("entry.tvs", "%location r1 = { %n = {} %p = {} }");
    let report = trifold(["analyze", CALLS[1], &entry, "--format", "json"]).expect(0).json();
    assert_eq!((&report["procedures"][0]["inputs"], &report["procedures"][1]["inputs"]), (&0.into(), &1.into()));
}

/// Without a way out nothing returns; that is no bug, and nothing is claimed of the code after it.
#[test]
fn recursion_without_an_end_does_not_return() {
    let scratch = Scratch::new();
    let program = "%p x(v) unique pointer %% %action Do() { } %%
        %procedure main(m1, m2) { m1 %call again %enter Do() %return Do() m2 }
        %procedure again(a1, a2) { a1 %call again %enter Do() %return Do() a2 }";
    let (program, input) = (scratch.file("a.tvp", program), scratch.file("a.tvs", "%n = {u} %p = { x = {u} }"));
    let run = trifold(["analyze", &program, &input, "--summaries", "--prove", "E(v) x(v)@m2"]).expect(1);
    assert!(run.stdout.contains("unreached") && run.stdout.contains("does not return"), "{}", run.stdout);
}

/// A return that contradicts the rules loses structures, and says so.
#[test]
fn a_return_that_is_infeasible_is_reported() {
    let scratch = Scratch::new();
    let program = "%p x(v) unique pointer %% %action Do() { } %%
        %procedure main(m1, m2) { m1 %call same %enter Do() %return Do() m2 }
        %procedure same(s1, s1) { }";
    let (program, input) = (scratch.file("a.tvp", program), scratch.file("a.tvs", "%n = {u} %p = { x = {u} }"));
    let run = trifold(["analyze", &program, &input]).expect(1);
    assert!(run.stderr.contains("error[contradiction]"), "{}", run.stderr);
    let run = trifold(["analyze", &program, &input, "--no-confirm"]).expect(0);
    assert!(run.stderr.contains("warning[unexplained-breach]"), "{}", run.stderr);
}

/// The table has a line for each procedure; the time of all of them is at most that of the analysis.
#[test]
fn procedures_have_their_verdicts_and_times() {
    let arguments = ["analyze", "examples/tvp/procedures/reverse_bug.tvp", CALLS[2]];
    let report = trifold(arguments.iter().chain(&["--format", "json"])).expect(1).json();
    let all = report["procedures"].as_array().unwrap();
    let messages = |value: &Value| value["messages"].as_u64().unwrap();
    assert_eq!(all.iter().map(messages).sum::<u64>(), 5);
    assert!(all.iter().all(|procedure| procedure["verdict"] == "bug" && procedure["structures"].as_u64() > Some(0)));
    let time: f64 = all.iter().map(|procedure| procedure["time_s"].as_f64().unwrap()).sum();
    assert!(time > 0.0 && time <= report["time"]["analysis_s"].as_f64().unwrap());
    let table = trifold(arguments).expect(1).stdout;
    assert!(table.lines().any(|line| line.starts_with("  reverse    bug               3 ")), "{table}");
}

#[test]
fn a_contract_that_nothing_meets_is_refused() {
    let scratch = Scratch::new();
    let program = "%p x(v) unique pointer %% %action Do() { } %%
        %procedure main(m1, m1) %requires (E(v) x(v)) & !(E(v) x(v)) { }";
    let (program, input) = (scratch.file("a.tvp", program), scratch.file("a.tvs", "%n = {} %p = {}"));
    let refused = trifold(["analyze", &program, &input]).expect(2).stderr;
    assert!(refused.contains("no store satisfies the precondition of `main`"), "{refused}");
}
