//! JSON satisfies its published schema.

use super::*;

/// Why a value does not satisfy a schema; nothing if it does. Knows the words that our schemas use, and fails on
/// others.
fn objection(value: &Value, schema: &Value, root: &Value, at: &str) -> Option<String> {
    for (word, wanted) in schema.as_object().expect("a schema") {
        let why = match word.as_str() {
            "$schema" | "$id" | "title" | "description" | "definitions" | "default" => None,
            "$ref" => {
                let pointer = wanted.as_str().unwrap().trim_start_matches('#');
                objection(value, root.pointer(pointer).expect("a definition"), root, at)
            }
            "oneOf" => {
                let fit = wanted.as_array().unwrap().iter().filter(|s| objection(value, s, root, at).is_none()).count();
                (fit != 1).then(|| format!("{at} fits {fit} of {wanted}"))
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
            "maximum" => (value.as_f64() > wanted.as_f64()).then(|| format!("{at} is too large")),
            "minItems" => {
                value.as_array().filter(|list| list.len() < limit(wanted)).map(|_| format!("{at} has too few items"))
            }
            "maxItems" => {
                value.as_array().filter(|list| list.len() > limit(wanted)).map(|_| format!("{at} has too many items"))
            }
            "uniqueItems" => {
                let list = value.as_array().filter(|_| wanted == true).map_or(&[][..], Vec::as_slice);
                let twice = (1..list.len()).find(|number| list[..*number].contains(&list[*number]));
                twice.map(|number| format!("{at}/{number} is there twice"))
            }
            // Patterns are not understood; a property with one must not be there.
            "pattern" => Some(format!("{at} should be like {wanted}")),
            "format" => value.as_str().and_then(|text| badly_formed(text, wanted.as_str().unwrap(), at)),
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
                let known = |name: &String| schema["properties"].get(name).is_some();
                let others = value.as_object().into_iter().flatten().filter(|(name, _)| !known(name));
                let objections = others.map(|(name, value)| match wanted {
                    Value::Bool(true) => None,
                    Value::Bool(false) => Some(format!("{at} has {name}")),
                    schema => objection(value, schema, root, &format!("{at}/{name}")),
                });
                objections.flatten().next()
            }
            other => panic!("no word {other}"),
        };
        if why.is_some() {
            return why;
        }
    }
    None
}

fn limit(wanted: &Value) -> usize {
    wanted.as_u64().expect("a number") as usize
}

/// A reference, absolute for `uri`, has only the characters that RFC 3986 allows, and escapes of two digits.
fn badly_formed(text: &str, format: &str, at: &str) -> Option<String> {
    assert!(matches!(format, "uri" | "uri-reference" | "date-time"), "no format {format}");
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    let escaped = |digits: &str| digits.len() >= 2 && digits.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    let is_absolute = text.split_once(':').is_some_and(|(scheme, _)| scheme.bytes().all(|b| b.is_ascii_alphanumeric()));
    // A relative reference must not look as if it had a scheme, because it would have one.
    let is_relative = text.split('/').next().is_some_and(|first| !first.contains(':'));
    let is_it = text.bytes().all(allowed) && text.split('%').skip(1).all(escaped);
    let is_it = is_it && (is_absolute || format == "uri-reference" && is_relative) && format != "date-time";
    (!is_it).then(|| format!("{at}: {text} is no {format}"))
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
    assert_eq!(objection(&log, &schema, &schema, ""), None);
    let run = &log["runs"][0];
    assert!(run["results"].as_array().unwrap().iter().any(|result| result.get("codeFlows").is_some()));
    assert!(run["results"].as_array().unwrap().iter().any(|result| result.get("suppressions").is_some()));
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    // Violations of the standard are found.
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut log = log.clone();
        change(&mut log["runs"][0]["results"][0]);
        objection(&log, &schema, &schema, "").is_some()
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
        assert_eq!(objection(&log, &schema, &schema, ""), None, "{files:?}");
        results += log["runs"][0]["results"].as_array().unwrap().len();
    }
    assert!(results > 50, "{results}");
}
