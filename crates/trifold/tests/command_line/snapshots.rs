//! The output as a whole: a change of it is seen, and looked at before it is accepted.

use super::*;

/// The text without the parts that differ from run to run.
fn without_times(text: &str) -> String {
    let line = |line: &str| match [" µs", " ms", " s"].iter().find_map(|unit| line.strip_suffix(unit)) {
        Some(rest) => rest.trim_end_matches(|c: char| c == '.' || c.is_ascii_digit()).trim_end().to_string() + "  TIME",
        None => line.to_string(),
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

fn kind(name: &str) -> String {
    format!("crates/trifold-check/src/explain/{name}.c")
}

#[test]
fn of_terminals() {
    for name in ["null-dereference", "double-free", "leak", "not-analysed"] {
        let run = trifold(["check", &kind(name)]);
        insta::assert_snapshot!(format!("terminal-{name}"), without_times(&(run.stderr + &run.stdout)));
    }
}

#[test]
fn of_json_and_sarif() {
    let mut json = trifold(["check", &kind("double-free"), "--format", "json"]).json();
    json["time_s"] = Value::from(0);
    assert!(json["functions"][0]["stats"]["time_s"].as_f64() > Some(0.0));
    json["functions"][0]["stats"]["time_s"] = Value::from(0);
    insta::assert_snapshot!("json", serde_json::to_string_pretty(&json).unwrap());
    let mut sarif = trifold(["check", &kind("double-free"), "--format", "sarif"]).json();
    // The texts of rules are those of `trifold explain`.
    sarif["runs"][0]["tool"]["driver"]["rules"] = Value::from("…");
    insta::assert_snapshot!("sarif", serde_json::to_string_pretty(&sarif).unwrap());
    let junit = trifold(["check", &kind("double-free"), "--format", "junit"]).stdout;
    let mut parts = junit.split(" time=\"");
    let first = parts.next().unwrap_or_default().to_string();
    let rest = parts.filter_map(|part| part.split_once('"')).map(|(_, rest)| rest);
    insta::assert_snapshot!("junit", rest.fold(first, |text, rest| text + " time=\"TIME\"" + rest));
}
