//! `trifold tvla`, and properties files.

use super::*;

const PROGRAM: &str = r#"
%p x(v) unique
%%
%action Set() { %f { E(v) x(v) } %message E(v) x(v) -> "x is set" { x(v) = 0 } }
#ifdef LOOP
#define TARGET a
#else
#define TARGET b
#endif
%%
a Set() TARGET
"#;

/// A directory with a program, in which to run `trifold tvla`.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("set.tvp", PROGRAM);
    scratch.file("two.tvs", "%n = {u, w} %p = { x = {u} } %n = {u} %p = { }");
    scratch
}

/// Runs in the directory, where the output files then are.
fn tvla(scratch: &Scratch, words: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_trifold"))
        .arg("tvla")
        .args(words)
        .current_dir(scratch.path("."))
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn written(scratch: &Scratch, name: &str) -> Option<String> {
    std::fs::read_to_string(scratch.path(name)).ok()
}

#[test]
fn writes_structures_and_graphs_beside_each_other_and_again() {
    let scratch = scratch();
    for _ in 0..2 {
        let (status, stdout, stderr) = tvla(&scratch, &["set", "two"]);
        assert_eq!(status, Some(1), "{stderr}");
        assert!(stdout.contains("bug, 1 message"), "{stdout}");
    }
    let structures = written(&scratch, "set.out.tvs").expect("structures");
    assert!(structures.contains("%location a") && structures.contains("x is set"), "{structures}");
    assert!(written(&scratch, "set.dt").expect("graphs").contains("digraph"));
}

#[test]
fn options_and_names_are_those_of_tvla() {
    let scratch = scratch();
    let words = ["set.tvp", "two.tvs", "-join", "rel", "-DLOOP", "-tvs", "mine.tvs", "-terse", "--format", "json"];
    let (status, stdout, stderr) = tvla(&scratch, &words);
    assert_eq!((status, stderr.contains("progress")), (Some(1), false));
    let report: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(counts(&report).keys().map(String::as_str).collect::<Vec<_>>(), ["a"]);
    assert!(written(&scratch, "mine.tvs").is_some() && written(&scratch, "set.out.tvs").is_none());
}

#[test]
fn the_properties_file_of_the_program_counts_less_than_others() {
    let scratch = scratch();
    scratch
        .file("set.properties", "tvla.parser.externalMacros = LOOP\ntvla.dot.enabled = false\ntvla.joinType = bad\n");
    scratch.file("more.properties", "tvla.joinType = ind\ntvla.decompose.mustOutside = true");
    let (status, _, stderr) = tvla(&scratch, &["set", "two", "-props", "more.properties"]);
    assert_eq!(status, Some(1), "{stderr}");
    assert!(stderr.contains("warning: the property tvla.decompose.mustOutside = true has no effect"), "{stderr}");
    assert!(written(&scratch, "set.dt").is_none());
    assert!(!written(&scratch, "set.out.tvs").expect("structures").contains("%location b"));
    let (status, _, stderr) = tvla(&scratch, &["set", "two"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("bad"), "{stderr}");
}

#[test]
fn backward_analysis_starts_where_the_first_edge_ends() {
    let scratch = scratch();
    let (_, stdout, _) = tvla(&scratch, &["set", "two", "-backward", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(report["locations"][0]["name"], "b");
    assert_eq!(report["locations"][0]["messages"][0]["text"], "x is set");
}

#[test]
fn what_is_not_known_is_refused_with_what_is() {
    let (status, _, stderr) = tvla(&scratch(), &["set", "two", "-bogus"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("unknown option -bogus") && stderr.contains("-noautomatic"), "{stderr}");
}

#[test]
fn analyze_takes_properties_and_its_own_options_count_more() {
    let scratch = Scratch::new();
    let file = scratch.file("p.properties", "tvla.joinType = part\ntvla.parser.externalMacros = NONNULL\n");
    let plain = with(REVERSE, &["--join", "partial", "-DNONNULL", "--format", "json"]).expect(0).json();
    let props = with(REVERSE, &["--props", &file, "--format", "json"]).expect(0).json();
    assert_eq!(counts(&plain), counts(&props));
    let relational = with(REVERSE, &["-DNONNULL", "--format", "json"]).expect(0).json();
    let both = with(REVERSE, &["--props", &file, "--join", "relational", "--format", "json"]).expect(0).json();
    assert_eq!(counts(&relational), counts(&both));
    assert!(with(REVERSE, &["--props", "nowhere.properties"]).expect(2).stderr.contains("nowhere.properties"));
}

#[test]
fn a_comment_of_the_program_can_ask_for_properties() {
    let scratch = scratch();
    scratch.file("set.tvp", format!("/* @properties \"own.properties\" */ {PROGRAM}"));
    scratch.file("own.properties", "tvla.parser.externalMacros = LOOP\ntvla.nonsense = 1");
    let [program, input] = ["set.tvp", "two.tvs"].map(|name| scratch.path(name));
    let run = trifold(["analyze", &program, &input, "--format", "json"]).expect(1);
    assert_eq!(counts(&run.json()).keys().map(String::as_str).collect::<Vec<_>>(), ["a"]);
    assert!(run.stderr.contains("tvla.nonsense"), "{}", run.stderr);
}
