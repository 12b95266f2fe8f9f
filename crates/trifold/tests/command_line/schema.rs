//! JSON satisfies its published schema.

use super::*;

/// Why a value does not satisfy a schema, formats of texts included; nothing if it does.
fn objection(value: &Value, schema: &Value) -> Option<String> {
    let validator = jsonschema::options().should_validate_formats(true).build(schema).expect("a schema");
    validator.iter_errors(value).next().map(|error| format!("{}: {error}", error.instance_path()))
}

fn schema(name: &str) -> Value {
    let text = std::fs::read_to_string(workspace().join("docs/schema").join(name)).expect("a schema");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn of_checks() {
    let schema = schema("check.schema.json");
    let files = ["sll/append_bug.c", "sll/reverse.c", "unsupported/xor_list.c", "recursive/reverse_bug.c"];
    let files = files.map(|file| format!("examples/c/{file}"));
    let outputs = files.iter().map(|file| trifold(["check", file, "--format", "json"]).json());
    let several = trifold(["check", &files[0], &files[1], "--format", "json"]).json();
    for output in outputs.chain([several]) {
        assert_eq!(objection(&output, &schema), None);
    }
    // Each kind of finding is one of those in the schema, and the other way round.
    let list = trifold(["explain"]).expect(0).stdout;
    let kinds: Vec<&str> = list.lines().take_while(|l| !l.is_empty()).filter_map(|l| l.split(' ').next()).collect();
    assert_eq!(schema["definitions"]["finding"]["properties"]["kind"]["enum"], serde_json::json!(kinds));
}

#[test]
fn of_analyses() {
    let schema = schema("analyze.schema.json");
    for (base, more) in [
        (NULL_DEREF, vec![]),
        (REVERSE, vec!["--prove", "A(v) !c[n](v) @ exit"]),
        (REVERSE, vec!["--max-structures", "5"]),
        (REVERSE, vec!["--timeout", "0"]),
    ] {
        let output = with(base, &[&more[..], &["--format", "json"]].concat()).json();
        assert_eq!(objection(&output, &schema), None, "{more:?}");
    }
}

#[test]
fn deviations_are_found() {
    let schema = schema("analyze.schema.json");
    let good = with(REVERSE, &["--format", "json"]).json();
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut output = good.clone();
        change(&mut output);
        objection(&output, &schema)
    };
    assert!(wrong(&|output| output["verdict"] = Value::from("perhaps")).is_some());
    assert!(wrong(&|output| output["new"] = Value::Null).is_some());
    assert!(wrong(&|output| output["locations"][0]["structures"] = Value::from("3")).is_some());
    assert!(wrong(&|output| drop(output.as_object_mut().unwrap().remove("time"))).is_some());
}

/// The SARIF of these files; results name their rules.
fn sarif(files: &[&str]) -> Value {
    let log = trifold(["check", "--format", "sarif"].iter().chain(files)).json();
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
    }
    log
}

#[test]
fn of_sarif() {
    let schema = schema("sarif.schema.json");
    let scratch = Scratch::new();
    let wrong = scratch.file("wrong.c", "int f( {");
    let silenced =
        scratch.file("silenced.c", "int main(void) { int *p = 0; *p = 1; // trifold: ignore null-dereference\n}\n");
    let files = ["examples/c/sll/append_bug.c", "examples/c/sll/reverse.c", "examples/c/unsupported/xor_list.c"];
    let java = "examples/java/list/ReverseIterative.java";
    let log = sarif(&[&files[..], &[java, &wrong, &silenced]].concat());
    assert_eq!(objection(&log, &schema), None);
    let run = &log["runs"][0];
    assert!(run["results"].as_array().unwrap().iter().any(|result| result.get("codeFlows").is_some()));
    assert!(run["results"].as_array().unwrap().iter().any(|result| result.get("suppressions").is_some()));
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    // Violations of the standard are found.
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut log = log.clone();
        change(&mut log["runs"][0]["results"][0]);
        objection(&log, &schema).is_some()
    };
    assert!(!wrong(&|_| ()));
    assert!(wrong(&|result| result["level"] = Value::from("fatal")));
    assert!(wrong(&|result| drop(result.as_object_mut().unwrap().remove("message"))));
    assert!(wrong(&|result| result["locations"] = Value::Array(Vec::new())));
    let region = "/locations/0/physicalLocation/region/startLine";
    assert!(wrong(&|result| *result.pointer_mut(region).unwrap() = Value::from(0)));
    let uri = "/locations/0/physicalLocation/artifactLocation/uri";
    assert!(wrong(&|result| *result.pointer_mut(uri).unwrap() = Value::from("a b.c")));
    assert!(wrong(&|result| *result.pointer_mut(uri).unwrap() = Value::from("%zz.c")));
}

/// With the schema of the standard, if there is one: `TRIFOLD_SARIF_SCHEMA=sarif-schema-2.1.0.json cargo test --test
/// command_line official`.
#[test]
fn of_sarif_by_the_official_schema() {
    let Some(path) = std::env::var_os("TRIFOLD_SARIF_SCHEMA") else { return };
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON");
    let all = [support::files("examples/c", "c"), support::files("examples/java", "java")].concat();
    let mut results = 0;
    // Together they must be done before the deadline of a run, on a busy machine, too: the log counts, not the
    // verdicts.
    for files in all.chunks(3) {
        let log = sarif(
            &[&["--timeout", "3", "--quiet"][..], &files.iter().map(String::as_str).collect::<Vec<_>>()].concat(),
        );
        assert_eq!(objection(&log, &schema), None, "{files:?}");
        results += log["runs"][0]["results"].as_array().unwrap().len();
    }
    assert!(results > 50, "{results}");
}
