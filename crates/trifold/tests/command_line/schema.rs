//! JSON is what its published schema says.

use super::*;

/// Why a value is not what a schema says; nothing if it is. Knows the words that our schemas use, and fails on others.
fn objection(value: &Value, schema: &Value, root: &Value, at: &str) -> Option<String> {
    for (word, wanted) in schema.as_object().expect("a schema") {
        let why = match word.as_str() {
            "$schema" | "title" | "description" | "definitions" => None,
            "$ref" => {
                let pointer = wanted.as_str().unwrap().trim_start_matches('#');
                objection(value, root.pointer(pointer).expect("a definition"), root, at)
            }
            "anyOf" => {
                let all: Vec<_> = wanted.as_array().unwrap().iter().map(|s| objection(value, s, root, at)).collect();
                all.iter().all(Option::is_some).then(|| all.into_iter().flatten().collect::<Vec<_>>().join("; or "))
            }
            "const" => (value != wanted).then(|| format!("{at} is not {wanted}")),
            "enum" => {
                (!wanted.as_array().unwrap().contains(value)).then(|| format!("{at}: {value} is not in {wanted}"))
            }
            "minimum" => (value.as_f64() < wanted.as_f64()).then(|| format!("{at} is too small")),
            "type" => {
                let is_it = match wanted.as_str().unwrap() {
                    "string" => value.is_string(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("no type {other}"),
                };
                (!is_it).then(|| format!("{at}: {value} is no {wanted}"))
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.filter_map(|(i, item)| objection(item, wanted, root, &format!("{at}/{i}"))).next()
            }
            "required" => {
                let missing =
                    wanted.as_array().unwrap().iter().find(|name| value.get(name.as_str().unwrap()).is_none());
                missing.filter(|_| value.is_object()).map(|name| format!("{at} has no {name}"))
            }
            "properties" => {
                let known = wanted.as_object().unwrap().iter();
                known
                    .filter_map(|(name, schema)| Some((name, value.get(name)?, schema)))
                    .find_map(|(name, value, schema)| objection(value, schema, root, &format!("{at}/{name}")))
            }
            "additionalProperties" => {
                assert_eq!(wanted, false);
                let known = |name: &String| schema["properties"].get(name).is_some();
                let mut names = value.as_object().into_iter().flat_map(|object| object.keys());
                names.find(|name| !known(name)).map(|name| format!("{at} has {name}"))
            }
            other => panic!("no word {other}"),
        };
        if why.is_some() {
            return why;
        }
    }
    None
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
        assert_eq!(objection(&output, &schema, &schema, ""), None);
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
        assert_eq!(objection(&output, &schema, &schema, ""), None, "{more:?}");
    }
}

#[test]
fn what_it_does_not_say_is_found() {
    let schema = schema("analyze.schema.json");
    let good = with(REVERSE, &["--format", "json"]).json();
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut output = good.clone();
        change(&mut output);
        objection(&output, &schema, &schema, "")
    };
    assert!(wrong(&|output| output["verdict"] = Value::from("perhaps")).is_some());
    assert!(wrong(&|output| output["new"] = Value::Null).is_some());
    assert!(wrong(&|output| output["locations"][0]["structures"] = Value::from("3")).is_some());
    assert!(wrong(&|output| drop(output.as_object_mut().unwrap().remove("time"))).is_some());
}
