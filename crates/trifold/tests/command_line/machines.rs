//! Output of `trifold check` for programs: SARIF and JUnit; and texts for people about kinds and commands.

use super::*;

/// The names of all kinds of findings.
fn kinds() -> Vec<String> {
    let list = trifold(["explain"]).expect(0).stdout;
    let names = list.lines().take_while(|line| !line.is_empty());
    names.map(|line| line.split_whitespace().next().unwrap().to_string()).collect()
}

/// The example that explains a kind, as a file.
fn example(kind: &str, scratch: &Scratch) -> String {
    let page = trifold(["explain", kind]).expect(0).stdout;
    let code = page.split_once("Example:\n\n").expect("an example").1;
    let text: String = code.lines().map(|line| format!("{}\n", line.trim_start_matches("    "))).collect();
    scratch.file(&format!("{kind}.{}", if text.contains("class ") { "java" } else { "c" }), &text)
}

#[test]
fn examples_of_kinds_show_these_kinds() {
    let scratch = Scratch::new();
    assert!(kinds().len() >= 11);
    for kind in kinds() {
        let file = example(&kind, &scratch);
        let domain = if kind == "cutpoint" { "tvl" } else { "auto" };
        if file.ends_with(".java") && !trifold_examples::tools::require("javac") {
            continue;
        }
        let report = trifold(["check", &file, "--domain", domain, "--format", "json"]).json();
        let functions = report["functions"].as_array().unwrap().iter();
        let findings = functions.flat_map(|function| function["findings"].as_array().unwrap());
        let found: Vec<&Value> = findings.map(|finding| &finding["kind"]).collect();
        assert!(found.contains(&&Value::from(kind.as_str())), "{kind}: {found:?}");
        assert!(found.iter().all(|found| **found == kind.as_str() || **found == "not-analysed"), "{kind}: {found:?}");
    }
    assert!(trifold(["explain", "leek"]).expect(2).stderr.contains("leak"));
}

#[test]
fn sarif_has_rules_places_flows_and_identities() {
    let scratch = Scratch::new();
    let file = example("double-free", &scratch);
    let log = trifold(["check", &file, "--format", "sarif"]).expect(1).json();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let result = &run["results"][0];
    assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
    assert_eq!((&result["ruleId"], &result["level"]), (&Value::from("double-free"), &Value::from("error")));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 7);
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.starts_with("file:///") && uri.ends_with("/double-free.c"), "{uri}");
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    assert!(flow.iter().all(|step| step["location"]["physicalLocation"]["region"]["startLine"].as_u64() >= Some(1)));
    // Lines that move change no identity; another statement does.
    let text = std::fs::read_to_string(&file).unwrap();
    let identity = |text: &str| {
        let moved = scratch.file("double-free.c", text);
        let log = trifold(["check", &moved, "--format", "sarif"]).expect(1).json();
        log["runs"][0]["results"][0]["partialFingerprints"]["trifold/v1"].as_str().unwrap().to_string()
    };
    let known = identity(&text);
    assert_eq!(identity(&format!("\n\n{text}")), known);
    assert_ne!(identity(&text.replace("same", "other")), known);
}

#[test]
fn sarif_of_a_proof_has_no_results() {
    let scratch = Scratch::new();
    let proved = scratch.file("proved.c", "int main(void) { return 0; }\n");
    let nothing = trifold(["check", &proved, "--format", "sarif"]).expect(0).json();
    assert_eq!(nothing["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn junit_has_a_case_per_function_and_cannot_be_broken_by_names() {
    let scratch = Scratch::new();
    let text = "int *f(int *p) { *p = 1; return p; }\nint main(void) { int *p = 0; f(p); return 0; }\n";
    let file = scratch.file("a<b & \"c\".c", text);
    let xml = trifold(["check", &file, "--format", "junit"]).stdout;
    let document = roxmltree::Document::parse(&xml).unwrap();
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!(suite.attribute("name"), Some(file.as_str()));
    let cases: Vec<_> = suite.children().filter(|node| node.has_tag_name("testcase")).collect();
    let names: Vec<_> = cases.iter().map(|case| case.attribute("name").unwrap()).collect();
    assert_eq!(names, ["f", "main"]);
    assert_eq!(suite.attribute("tests"), Some("2"));
    let double = example("leak", &scratch);
    let xml = trifold(["check", &double, "--format", "junit"]).expect(1).stdout;
    let document = roxmltree::Document::parse(&xml).unwrap();
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert!(failure.attribute("message").unwrap().contains(":7:3: leak: "), "{xml}");
}

#[test]
fn completions_and_manual_pages_name_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = trifold(["completions", shell]).expect(0).stdout;
        assert!(text.contains("best-transformer") && text.contains("check"), "{shell}");
    }
    assert!(trifold(["completions", "man"]).expect(0).stdout.contains(".TH trifold 1"));
    let page = trifold(["completions", "man", "check"]).expect(0).stdout;
    assert!(page.contains("trifold\\-check") && page.contains("malloc"), "{page}");
    trifold(["completions", "man", "chek"]).expect(2);
    trifold(["completions", "bash", "check"]).expect(2);
    trifold(["completions", "ash"]).expect(2);
}

#[test]
fn text_is_not_mixed_with_other_formats() {
    let file = "examples/c/recursive/reverse.c";
    for format in ["json", "sarif", "junit"] {
        for option in ["--summaries", "--explain"] {
            let refused = trifold(["check", file, option, "--format", format]).expect(2);
            assert!(refused.stderr.contains("print text") && refused.stdout.is_empty(), "{}", refused.stderr);
        }
    }
    let scratch = Scratch::new();
    let drawing = scratch.path("summaries.svg");
    trifold(["check", file, &format!("--summaries={drawing}"), "--format", "json"]).expect(0).json();
    assert!(std::fs::read_to_string(drawing).unwrap().starts_with("<svg"));
}
