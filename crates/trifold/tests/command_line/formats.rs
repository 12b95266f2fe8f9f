//! The formats of a result.

use super::*;

#[test]
fn json_has_every_field() {
    for (base, status) in [(REVERSE, 0), (NULL_DEREF, 1)] {
        let report = with(base, &["--format", "json"]).expect(status).json();
        assert_eq!(report["version"], 2);
        assert_eq!((&report["program"], &report["input"]), (&base[1].into(), &base[2].into()));
        assert_eq!(report["verdict"], if status == 0 { "proved" } else { "bug" });
        assert_eq!(report["stop"], "fixpoint");
        for field in ["created", "saved", "max_per_location"] {
            assert!(report["structures"][field].as_u64().is_some_and(|n| n > 0), "{field}");
        }
        for field in ["load_s", "analysis_s"] {
            assert!(report["time"][field].as_f64().is_some_and(|t| t > 0.0), "{field}");
        }
        let locations = report["locations"].as_array().unwrap();
        let number = |value: &Value| value.as_u64().unwrap();
        assert_eq!(
            locations.iter().map(|l| number(&l["structures"])).sum::<u64>(),
            number(&report["structures"]["saved"])
        );
        assert_eq!(
            locations.iter().map(|l| number(&l["structures"])).max().unwrap(),
            number(&report["structures"]["max_per_location"])
        );
        for location in locations {
            assert!(location["name"].is_string());
            for message in location["messages"].as_array().expect("messages") {
                assert!(message["text"].is_string() && message["definite"].is_boolean(), "{message}");
            }
        }
    }
}

#[test]
fn text_and_json_agree() {
    let report = with(NULL_DEREF, &["--format", "json"]).expect(1).json();
    let text = with(NULL_DEREF, &[]).expect(1).stdout;
    for (name, structures) in counts(&report) {
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{name} "))).expect("a line");
        assert_eq!(line.split_whitespace().nth(1), Some(structures.to_string().as_str()), "{line}");
    }
}

#[test]
fn tvs_output_is_input_again() {
    let scratch = Scratch::new();
    let tvs = with(REVERSE, &["--format", "tvs"]).expect(0).stdout;
    let all = scratch.file("all.tvs", &tvs);
    let svg = trifold(["draw", &all]).expect(0).stdout;
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    trifold(["draw", &all, "--spec", REVERSE[1], "--dot"]).expect(0);

    let exit = scratch.file("exit.tvs", location_block(&tvs, "exit"));
    let again = ["analyze", "examples/tvp/sll/reverse_fig6.tvp", exit.as_str()];
    // To reverse the reversed list in y, and not x, leaks it.
    let report = with(again, &["--format", "json"]).expect(1).json();
    let first = with(REVERSE, &["--format", "json"]).expect(0).json();
    assert_eq!(counts(&report)["n1"], counts(&first)["exit"], "the structures at the exit are those at the entry");
    // A whole result, blocks and all, is an input too: that of the same analysis.
    trifold(["analyze", REVERSE[1], &all]).expect(0);
}

#[test]
fn tvs_output_contains_the_structures_of_messages() {
    let scratch = Scratch::new();
    let tvs = with(NULL_DEREF, &["--format", "tvs"]).expect(1).stdout;
    let block = location_block(&tvs, "n4");
    assert!(block.contains("%message \"Null dereference: y->n"), "{block}");
    trifold(["draw", &scratch.file("messages.tvs", &tvs)]).expect(0);
}

#[test]
fn names_of_merged_individuals_are_read_again() {
    let scratch = Scratch::new();
    let tvs = with(REVERSE, &["--format", "tvs", "--significant-names"]).expect(0).stdout;
    let exit = scratch.file("exit.tvs", location_block(&tvs, "exit"));
    let again = trifold(["analyze", REVERSE[1], &exit, "--significant-names", "--format", "tvs"]).expect(1).stdout;
    assert_eq!(structures(&again, "n1"), structures(&tvs, "exit"));
    let drawn = trifold(["draw", &exit, "--significant-names"]).expect(0).stdout;
    assert!(drawn.contains("[u"), "{drawn}");
}

/// Every brace outside of quotes has its counterpart.
fn assert_balanced(dot: &str) {
    let (mut depth, mut quoted, mut escaped) = (0i64, false, false);
    for c in dot.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        assert!(depth >= 0, "{dot}");
    }
    assert!(depth == 0 && !quoted, "{dot}");
}

#[test]
fn dot_is_balanced_and_complete() {
    for base in [REVERSE, NULL_DEREF] {
        let dot = with(base, &["--format", "dot"]).stdout;
        assert_balanced(&dot);
        let report = with(base, &["--format", "json"]).json();
        let saved = report["structures"]["saved"].as_u64().unwrap() as usize;
        assert_eq!(dot.matches("subgraph").count(), saved, "a picture for each structure");
        assert!(dot.starts_with("digraph cfg"), "the control-flow graph comes first");
        for location in counts(&report).keys() {
            assert!(dot.contains(&format!("{location}: structure 1")), "{location}");
        }
    }
}

#[test]
fn rotate_turns_the_graphs() {
    let upright = with(REVERSE, &["--format", "dot"]).stdout;
    let rotated = with(REVERSE, &["--format", "dot", "--rotate"]).stdout;
    assert!(upright.contains("rankdir=TB") && !upright.contains("rankdir=LR"));
    assert!(rotated.contains("rankdir=LR") && !rotated.contains("rankdir=TB"));
    assert_eq!(upright.replace("rankdir=TB", "rankdir=LR"), rotated);
}
