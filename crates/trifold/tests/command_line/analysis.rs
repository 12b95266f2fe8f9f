//! Options that change the analysis.

use super::*;

#[test]
fn macros_can_be_defined() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "macro.tvp",
        "%p x(v)\n%%\n#ifdef BAD\n#if LEVEL > 2\n%action S() { %message 1 -> \"high\" }\n#else\n\
         %action S() { %message 1 -> \"low\" }\n#endif\n#else\n%action S() { }\n#endif\n%%\na S() b\n",
    );
    let input = scratch.file("macro.tvs", "%n = {} %p = {}");
    let run = |options: &[&str]| trifold([&["analyze", &program, &input, "--format", "json"], options].concat());
    let message = |run: Run| run.json()["locations"][0]["messages"][0]["text"].as_str().unwrap().to_string();
    run(&[]).expect(0);
    assert_eq!(message(run(&["-D", "BAD"]).expect(1)), "low");
    assert_eq!(message(run(&["-DBAD", "-DLEVEL=3"]).expect(1)), "high");
    assert_eq!(message(run(&["-DBAD", "-D", "LEVEL(3)"]).expect(1)), "high");
    assert_eq!(message(run(&["-DBAD=1", "-DLEVEL=2"]).expect(1)), "low");
}

#[test]
fn included_files_are_searched() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("lib")).unwrap();
    scratch.file("lib/predicates.tvp", "%p x(v)\n");
    let program =
        scratch.file("include.tvp", "#include \"predicates.tvp\"\n%%\n%action S() { { x(v) = 0 } }\n%%\na S() b\n");
    let input = scratch.file("include.tvs", "%n = {u} %p = { x = {u} }");
    let run = trifold(["analyze", &program, &input]).expect(2);
    assert!(run.stderr.contains("predicates.tvp"), "{}", run.stderr);
    trifold(["analyze", &program, &input, "-I", &scratch.path("lib")]).expect(0);
    trifold(["draw", &input, "--spec", &program, "-I", &scratch.path("lib")]).expect(0);
}

#[test]
fn significant_names_tell_where_individuals_come_from() {
    let tvs = with(REVERSE, &["--format", "tvs", "--significant-names"]).expect(0).stdout;
    // The summary u is split into u.0 and u.1; u.1 is merged with u0, the head of the list, again.
    assert!(tvs.contains("u.1") && tvs.contains("u.0"), "{tvs}");
    assert!(tvs.contains("[u0,u.1]") || tvs.contains("[u.1,u0]"), "{tvs}");
    let plain = with(REVERSE, &["--format", "tvs"]).expect(0).stdout;
    assert!(!plain.contains("u.1"), "{plain}");
    // Names are names: they change nothing else.
    let json = |more: &[&str]| counts(&with(REVERSE, &[&["--format", "json"], more].concat()).expect(0).json());
    assert_eq!(json(&[]), json(&["--significant-names"]));
    // New individuals get names that were never used before.
    let create = ["analyze", "examples/tvp/sll/create.tvp", "examples/tvp/sll/sll.tvs"];
    let tvs = with(create, &["--format", "tvs", "--significant-names"]).expect(0).stdout;
    let new = tvs.split(|c: char| !c.is_alphanumeric()).any(|word| {
        word.strip_prefix('m').is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
    });
    assert!(new, "{tvs}");
}

#[test]
fn automatic_constraints_matter() {
    let run = |more: &[&str]| with(REVERSE, &[&["--format", "json", "--max-structures", "1000"], more].concat());
    run(&[]).expect(0);
    // Without them, nothing tells that an individual found by focus is the same as another one: there are thousands.
    run(&["--no-automatic-constraints"]).expect(3);
    let trace = with(REVERSE, &["--debug", "--no-automatic-constraints", "--max-structures", "10"]).stderr;
    assert!(!trace.contains("==> v2 == v3"), "no constraint is generated");
}

#[test]
fn some_options_go_with_canonical_abstraction_only() {
    let tree = ["analyze", "examples/tvp/sets/tree_membership.tvp", "examples/tvp/sets/tree.tvs"];
    for option in [["--join", "single"], ["--blur", "definite"], ["--transformer", "best"]] {
        let run = with(tree, &[&option[..], &["-D", "EXPRESSION"]].concat()).expect(2);
        assert!(
            run.stderr.contains(&format!("{} goes with canonical abstraction only", option.join(" "))),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn joins_get_coarser() {
    let saved = |join: &str, base: [&str; 3]| {
        let report = with(base, &["--join", join, "--format", "json"]).json();
        assert_eq!(report["stop"], "fixpoint", "{join}");
        report["structures"]["saved"].as_u64().unwrap()
    };
    let merge = ["analyze", "examples/tvp/sll/merge.tvp", "examples/tvp/sll/merge.tvs"];
    for base in [REVERSE, NULL_DEREF, merge] {
        let [relational, partial, single] = ["relational", "partial", "single"].map(|join| saved(join, base));
        assert!(partial <= relational && single <= partial, "{relational} {partial} {single}");
    }
    let report = with(REVERSE, &["--join", "single", "--format", "json"]).json();
    assert_eq!(report["structures"]["max_per_location"], 1, "reverse has no nullary predicates");
    // On a store of three elements nothing needs to be blurred.
    let scratch = Scratch::new();
    let store = scratch.file("store.tvs", "%n = {a, b, c} %p = { x = {a} n = {a->b, b->c} r[n,x] = {a, b, c} }");
    let report = trifold(["analyze", REVERSE[1], &store, "--join", "concrete", "--format", "json"]).expect(0).json();
    assert_eq!(report["structures"]["max_per_location"], 4, "one store for each round of the loop");
    assert_eq!(counts(&report)["exit"], 1);
}

#[test]
fn orders_are_accepted_and_printed_in_traces() {
    for order in ["fpucb", "fcpucb", "pub"] {
        let run = with(REVERSE, &["--order", order, "--format", "json", "--max-structures", "100000"]);
        assert!(matches!(run.status, Some(0 | 1)), "{order}: {:?}\n{}", run.status, run.stderr);
        let early = with(REVERSE, &["--order", order, "--debug", "--max-structures", "50"]).stderr;
        assert_eq!(early.lines().any(|l| l.ends_with(": focus")), order.starts_with('f'), "{order}");
        assert_eq!(early.contains("coerce before"), order.starts_with("fc"), "{order}");
    }
    // Without focus, reverse cannot be proved precisely: there are other structures.
    let json = |order: &str| counts(&with(REVERSE, &["--order", order, "--format", "json"]).json());
    assert_ne!(json("fpucb"), json("pub"));
    assert_eq!(json("fpucb"), json("fcpucb"), "an early coerce drops only what the late one drops");
}

#[test]
fn definite_blur_merges_more() {
    let saved = |blur: &str| {
        let report = with(REVERSE, &["--order", "pucb", "--blur", blur, "--format", "json"]).json();
        assert_eq!(report["stop"], "fixpoint");
        report["structures"]["saved"].as_u64().unwrap()
    };
    with(REVERSE, &["--blur", "definite"]).expect(0);
    assert!(saved("definite") <= saved("different"));
}

#[test]
fn saving_less_and_visiting_otherwise_finds_the_same() {
    for base in [REVERSE, NULL_DEREF, ["analyze", "examples/tvp/sll/delete.tvp", "examples/tvp/sll/sll.tvs"]] {
        let all = with(base, &["--format", "tvs"]).stdout;
        for options in [["--save", "merge"], ["--save", "back"], ["--traversal", "post-order"]] {
            let other = with(base, &[&options[..], &["--format", "tvs"]].concat());
            let exit = structures(&other.stdout, "exit");
            // An exit that is no merge point keeps nothing, unless it is listed.
            if !exit.is_empty() || options[0] == "--traversal" {
                assert_eq!(exit, structures(&all, "exit"), "{base:?} {options:?}");
            }
        }
    }
}

#[test]
fn saving_less_keeps_what_the_program_lists() {
    let scratch = Scratch::new();
    let source = std::fs::read_to_string(workspace().join(REVERSE[1])).unwrap();
    let listed = source.replace("../../../specs", &workspace().join("specs").to_string_lossy()) + "\n%%\nexit, n4\n";
    let program = scratch.file("reverse.tvp", listed);
    let run = |save: &str| {
        let run = trifold(["analyze", &program, REVERSE[2], "--save", save, "--format", "tvs"]).expect(0);
        assert_eq!(run.stdout.matches("%location").count(), 2, "only what is listed is printed");
        let sorted = |location: &str| structures(&run.stdout, location).join("\n");
        (sorted("exit"), sorted("n4"))
    };
    let all = run("all");
    assert!(!all.0.is_empty() && !all.1.is_empty());
    assert_eq!(run("merge"), all);
    assert_eq!(run("back"), all);
}

#[test]
fn messages_at_locations_that_are_not_listed_are_reported() {
    let scratch = Scratch::new();
    let program = scratch.file(
        "listed.tvp",
        "%p x(v)\n%%\n%action Bad() { %message 1 -> \"bad\" }\n%action Good() { }\n%%\n\
         a Good() b\nb Bad() c\n%%\nc\n",
    );
    let input = scratch.file("listed.tvs", "%n = {} %p = {}");
    let run = trifold(["analyze", &program, &input, "--format", "json"]).expect(1);
    let report = run.json();
    let b = report["locations"].as_array().unwrap().iter().find(|l| l["name"] == "b");
    assert_eq!(b.map(|b| b["messages"][0]["text"].clone()), Some("bad".into()), "{report}");
    assert!(report["locations"].as_array().unwrap().iter().all(|l| l["name"] != "a"), "{report}");
    let text = trifold(["analyze", &program, &input]).expect(1).stdout;
    assert!(text.contains("1 message"), "{text}");
    let tvs = trifold(["analyze", &program, &input, "--format", "tvs"]).expect(1).stdout;
    assert!(tvs.contains("%message \"bad\""), "{tvs}");
}

/// A report without its times.
fn timeless(run: &Run) -> String {
    let without = |line: &&str| !line.contains("_s\":") && !line.starts_with("  time ");
    run.stdout.lines().filter(without).collect::<Vec<_>>().join("\n")
}

#[test]
fn threads_change_nothing() {
    let programs = ["sll/merge", "sll/null_deref", "sll/swap", "sorting/merge_bug", "dll/splice_srw99"];
    for name in programs {
        let example = Example::read(format!("examples/tvp/{name}.tvp"));
        for format in ["json", "tvs", "dot", "text"] {
            let run = |threads: &str| {
                let more = ["--format", format, "--threads", threads, "--significant-names"];
                trifold(example.arguments().into_iter().chain(more))
            };
            let one = run("1");
            for threads in ["2", "5"] {
                let several = run(threads);
                assert_eq!(timeless(&several), timeless(&one), "{name} {format} with {threads} threads");
                assert_eq!((several.status, &several.stderr), (one.status, &one.stderr), "{name} {format}");
            }
        }
    }
    let limited =
        |threads: &str| with(NULL_DEREF, &["--max-structures", "30", "--threads", threads, "--format", "tvs"]);
    assert_eq!(limited("1").expect(3).stdout, limited("5").expect(3).stdout, "also where a limit cuts it off");
}

#[test]
fn structures_in_blocks_start_at_their_location() {
    // A fixpoint, taken up where it was, is the same fixpoint.
    let scratch = Scratch::new();
    let input = scratch.file("again.tvs", with(REVERSE, &["--format", "tvs"]).expect(0).stdout);
    let again = trifold(["analyze", REVERSE[1], &input, "--format", "json"]).expect(0).json();
    assert_eq!(counts(&again), counts(&with(REVERSE, &["--format", "json"]).expect(0).json()));
    // One that starts at the exit goes nowhere.
    let input = scratch.file("exit.tvs", "%location exit = { %n = {} %p = {} }");
    let last = counts(&trifold(["analyze", REVERSE[1], &input, "--format", "json"]).expect(0).json());
    assert_eq!(
        last.iter().filter(|(_, count)| **count > 0).map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["exit"]
    );
    let input = scratch.file("nowhere.tvs", "%location exlt = { %n = {} %p = {} }");
    let run = trifold(["analyze", REVERSE[1], &input]).expect(2);
    assert!(run.stderr.contains("no location `exlt`") && run.stderr.contains("`exit`?"), "{}", run.stderr);
}

#[test]
fn formulas_are_proved_at_locations() {
    let files = ["analyze", "examples/tvp/sll/reverse.tvp", "examples/tvp/sll/sll.tvs"];
    let prove = |goal: &str| trifold(files.into_iter().chain(["--format", "json", "--prove", goal]));
    let proof = |run: Run| run.json()["proofs"][0].clone();
    assert_eq!(proof(prove("A(v) !c[n](v) @ exit").expect(0))["verdict"], "proved");
    let failed = prove("E(v) y(v) @ exit").expect(1);
    assert!(failed.stderr.contains("warning[not-proved]: at exit, E(v) y(v) is false of"), "{}", failed.stderr);
    assert_eq!(failed.json()["verdict"], "may-fail");
    assert_eq!(proof(failed)["verdict"], "fails");
    for (goal, complaint) in [
        ("A(v) !c[n](v)", "has no @"),
        ("A(v) !c[n](v) @ exi", "no location is called `exi`"),
        ("!c[n](v) @ exit", "`v` is free"),
        ("A(v) !d[n](v) @ exit", "d[n]"),
    ] {
        let refused = prove(goal).expect(2);
        assert!(refused.stderr.contains(complaint), "{goal}: {}", refused.stderr);
    }
}

#[test]
fn a_formula_about_what_is_never_reached_is_not_proved() {
    let scratch = Scratch::new();
    let program = scratch.file("never.tvp", "%p x()\n%%\n%action No() { %p 0 }\n%%\na No() b\n");
    let input = scratch.file("never.tvs", "%n = {} %p = {}");
    let run = trifold(["analyze", &program, &input, "--format", "json", "--prove", "x() @ b"]).expect(1);
    assert_eq!(run.json()["proofs"][0]["verdict"], "unreached");
}

#[test]
fn dead_variables_are_forgotten() {
    let files = ["analyze", "examples/tvp/sets/tree_insertion.tvp", "examples/tvp/sets/tree.tvs", "--join", "partial"];
    let run = |options: &[&str]| {
        trifold(files.into_iter().chain(["--format", "json"]).chain(options.iter().copied())).expect(0).json()
    };
    let (forgotten, kept) = (run(&[]), run(&["--keep-dead"]));
    let saved = |report: &serde_json::Value| report["structures"]["saved"].as_u64().unwrap();
    assert!(saved(&forgotten) < saved(&kept), "{} against {}", saved(&forgotten), saved(&kept));
    assert!(forgotten["dead"]["locations"].as_u64() > Some(0));
    assert_eq!(kept["dead"]["locations"], 0);
}

#[test]
fn variables_that_matter_at_the_end_are_listed() {
    let scratch = Scratch::new();
    let program = |live: &str| {
        let text = format!("%p x(v) unique\n%p y(v) unique\n%p m(v)\n{live}\n%%\n%action S() {{ }}\n%%\na S() b\n");
        scratch.file("live.tvp", &text)
    };
    let input = scratch.file("live.tvs", "%n = {u} %p = { x = {u} y = {u} }");
    let run = |live: &str| trifold(["analyze", &program(live), &input, "--format", "tvs"]);
    assert!(!run("").expect(0).stdout.contains("1/2"));
    let listed = run("%live {x}").expect(0).stdout;
    assert!(listed.contains("y = {_0:1/2}") && !listed.contains("x = {_0:1/2}"), "{listed}");
    for (live, complaint) in [("%live {m}", "`m` is no variable"), ("%live {z}", "`z` is not declared here")] {
        assert!(run(live).expect(2).stderr.contains(complaint));
    }
}
