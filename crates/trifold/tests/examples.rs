//! Every program of `examples/tvp` gets the verdict that its header promises, from the program that users run.
//!
//! ```text
//! // expect: bug "Null dereference: y->n" @ n4          a part of a message, and the location where it fires
//! // expect: may-fail "Not a list: x" @ n7              a false alarm, which no run confirms
//! // input: sll.tvs
//! // options: --join partial
//! // prove: A(v) !c[n](v) @ exit
//! // bug: LOST    with -D LOST it must not be proved
//! // also: EXPRESSION    with -D EXPRESSION all of this is true as well
//! ```

mod support;

use std::collections::BTreeSet;
use support::{Example, trifold};

/// The promise of a header.
struct Promise {
    verdict: &'static str,
    /// Parts of messages, with the locations where they fire and their verdicts.
    messages: Vec<(String, String, String)>,
}

fn promise(example: &Example) -> Result<Promise, String> {
    let mut promise = Promise { verdict: "proved", messages: Vec::new() };
    if example.expectations.is_empty() {
        return Err("no `// expect:` line".to_string());
    }
    for line in &example.expectations {
        if line == "proved" && example.expectations.len() == 1 {
            break;
        }
        let message = line.split_once(" \"").and_then(|(verdict, rest)| Some((verdict, rest.rsplit_once("\" @ ")?)));
        let Some((verdict @ ("bug" | "may-fail"), (text, location))) = message else {
            return Err(format!("`// expect: {line}` cannot be read"));
        };
        if promise.verdict != "bug" {
            promise.verdict = if verdict == "bug" { "bug" } else { "may-fail" };
        }
        promise.messages.push((text.to_string(), location.to_string(), verdict.to_string()));
    }
    Ok(promise)
}

/// How the result of an example differs from its promise.
fn mismatches(example: &Example, also: Option<&str>) -> Vec<String> {
    let promise = match promise(example) {
        Ok(promise) => promise,
        Err(problem) => return vec![problem],
    };
    let also = also.into_iter().flat_map(|name| ["-D", name]);
    let run = trifold(example.arguments().into_iter().chain(["--format", "json"]).chain(also));
    if run.timed_out {
        return vec!["timed out".to_string()];
    }
    let status = if promise.verdict == "proved" { 0 } else { 1 };
    let mut found = Vec::new();
    if run.status != Some(status) {
        found.push(format!("exit status {:?} instead of {status}", run.status));
    }
    let Ok(report) = serde_json::from_str::<serde_json::Value>(&run.stdout) else {
        found.push(format!("no JSON on standard output; standard error:\n{}", run.stderr));
        return found;
    };
    if report["verdict"] != promise.verdict {
        found.push(format!("verdict {} instead of {}", report["verdict"], promise.verdict));
    }
    for contradiction in report["contradictions"].as_array().into_iter().flatten() {
        found.push(format!("contradiction: {contradiction}"));
    }
    let fired = fired(&report);
    type Message = (String, String, String);
    let agree = |(text, location, verdict): &Message, (message, place, known): &Message| {
        message.contains(text.as_str()) && place == location && verdict == known
    };
    for expected in promise.messages.iter().filter(|expected| !fired.iter().any(|pair| agree(expected, pair))) {
        found.push(format!("missing: {} {:?} @ {}", expected.2, expected.0, expected.1));
    }
    for pair in fired.iter().filter(|pair| !promise.messages.iter().any(|expected| agree(expected, pair))) {
        found.push(format!("unexpected: {} {:?} @ {}", pair.2, pair.0, pair.1));
    }
    found
}

/// The messages of a report, with their locations and verdicts.
fn fired(report: &serde_json::Value) -> BTreeSet<(String, String, String)> {
    let mut fired = BTreeSet::new();
    for location in report["locations"].as_array().expect("locations") {
        for message in location["messages"].as_array().expect("messages") {
            let text = |value: &serde_json::Value| value.as_str().expect("a text").to_string();
            fired.insert((text(&message["text"]), text(&location["name"]), text(&message["verdict"])));
        }
    }
    fired
}

/// An example as it is, and with each macro of its `also` lines.
fn variants(example: &Example) -> impl Iterator<Item = Option<&str>> {
    std::iter::once(None).chain(example.also.iter().map(|name| Some(name.as_str())))
}

#[test]
fn examples_get_the_verdict_of_their_header() {
    let examples = Example::all();
    assert!(!examples.is_empty());
    let mut report = Vec::new();
    for example in &examples {
        for also in variants(example) {
            let problems = mismatches(example, also).into_iter();
            report.extend(problems.map(|problem| format!("{} {}: {problem}", example.path, also.unwrap_or_default())));
        }
    }
    assert!(report.is_empty(), "\n{}", report.join("\n"));
}

#[test]
fn planted_bugs_are_refused_a_proof() {
    let mut planted = 0;
    for example in Example::all() {
        let all = example.bugs.iter().flat_map(|bug| variants(&example).map(move |also| (bug, also)));
        for (bug, also) in all {
            let macros = std::iter::once(bug.as_str()).chain(also).flat_map(|name| ["-D", name]);
            let run = trifold(example.arguments().into_iter().chain(macros)).expect(1);
            assert!(run.stdout.contains("may fail"), "{} -D {bug}:\n{}", example.path, run.stdout);
            assert!(run.stderr.contains("warning[not-proved]"), "{} -D {bug}:\n{}", example.path, run.stderr);
            planted += 1;
        }
    }
    assert!(planted >= 9, "only {planted} bugs are planted");
}
