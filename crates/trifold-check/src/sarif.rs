//! Reports as SARIF 2.1.0, which code hosts and editors show beside the source.

use crate::check::Checked;
use crate::explain::guide;
use crate::reach::lines_in_words;
use crate::report::{AssumedFunction, FunctionReport, Report, Reported, Suppressed, one_line};
use crate::shape::Shape;
use crate::source::Translated;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use trifold_ir::{FindingKind, TraceStep, Verdict};
use trifold_source::Diagnostic;

/// Hosts refuse logs with more results than this.
const MAX_RESULTS: usize = 25_000;

/// Of a longer trace the end is shown: that is where things go wrong.
const MAX_STEPS: usize = 500;

/// The log of one run of Trifold.
pub fn log(checked: &[Checked], refused: &[(String, String)]) -> Value {
    let of_file = |file: &Checked| -> Vec<Value> {
        let groups = file.report.by_cause();
        groups.iter().take(MAX_RESULTS).map(|group| result(group, &file.report, &file.translated)).collect()
    };
    let results: Vec<Value> = checked.iter().flat_map(of_file).take(MAX_RESULTS).collect();
    // A file that could not be read or analysed to its end is no success, and hosts show why.
    let ended = |file: &Checked| -> Vec<Value> {
        let note = |why: String| json!({ "level": "warning", "message": { "text": why } });
        file.report.stop_notes().into_iter().map(note).collect()
    };
    let warned = |file: &Checked| -> Vec<Value> {
        let warning = |diagnostic: &Diagnostic| {
            let (path, at) = file.translated.sources.locate(diagnostic.primary.span);
            json!({
                "level": "warning",
                "message": { "text": diagnostic.message },
                "locations": [{ "physicalLocation": place(path, at.line, at.column) }],
            })
        };
        file.translated.warnings.iter().map(warning).collect()
    };
    let missed = |file: &Checked| -> Vec<Value> {
        let functions = file.report.functions.iter().filter(|function| !function.missed_lines.is_empty());
        let note = |function: &FunctionReport| {
            let (name, lines) = (&function.name, lines_in_words(&function.missed_lines));
            let text = format!("no analysed state comes to these lines of `{name}`: {lines}");
            json!({ "level": "note", "message": { "text": text } })
        };
        functions.map(note).collect()
    };
    let needed = |file: &Checked| -> Vec<Value> {
        let functions = file.report.functions.iter().filter(|function| !function.needs.is_empty());
        let note = |function: &FunctionReport| {
            let text = format!("`{}` needs: {}", function.name, function.needs.join("; "));
            json!({ "level": "note", "descriptor": { "id": "needs" }, "message": { "text": text } })
        };
        functions.map(note).collect()
    };
    let assumed = |file: &Checked| -> Vec<Value> {
        let note = |known: &AssumedFunction| {
            let AssumedFunction { function, path, line } = known;
            let text = format!("`{function}` is defined nowhere: the result depends on what is assumed of it");
            json!({
                "level": "note",
                "descriptor": { "id": "assumed-function" },
                "message": { "text": text },
                "locations": [{
                    "physicalLocation": place(path, *line, 1),
                    "logicalLocations": [{ "name": function, "kind": "function" }],
                }],
            })
        };
        file.report.assumed.iter().map(note).collect()
    };
    let unread = |(file, why): &(String, String)| {
        json!({
            "level": "error",
            "message": { "text": why.trim() },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(file) } } }],
        })
    };
    let mut notes: Vec<Value> = refused.iter().map(unread).chain(checked.iter().flat_map(ended)).collect();
    let is_success = notes.is_empty();
    notes.extend(checked.iter().flat_map(missed));
    notes.extend(checked.iter().flat_map(needed));
    notes.extend(checked.iter().flat_map(assumed));
    notes.extend(checked.iter().flat_map(warned));
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Trifold",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": FindingKind::ALL.map(rule),
            }},
            "invocations": [{
                "executionSuccessful": is_success,
                "toolExecutionNotifications": notes,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(kind: FindingKind) -> Value {
    let guide = guide(kind);
    json!({
        "id": kind.name(),
        "shortDescription": { "text": guide.title },
        "fullDescription": { "text": guide.meaning },
        "help": {
            "text": format!("{}\n\n{}\n\n{}", guide.meaning, guide.advice, guide.example),
            "markdown": format!("{}\n\n{}\n\n```\n{}```\n", guide.meaning, guide.advice, guide.example),
        },
        "defaultConfiguration": { "level": if kind == FindingKind::NotAnalysed { "note" } else { "warning" } },
        "properties": { "tags": ["memory-safety"] },
    })
}

/// The first of some findings of one cause, with the places of the others.
fn result(group: &[&Reported], report: &Report, translated: &Translated) -> Value {
    let finding = group[0];
    let has = |function: &&FunctionReport| function.findings.iter().any(|known| std::ptr::eq(known, finding));
    let function = report.functions.iter().find(has).map(|function| function.name.as_str());
    let rule = FindingKind::ALL.iter().position(|kind| *kind == finding.kind);
    let mut value = json!({
        "ruleId": finding.kind.name(),
        "ruleIndex": rule,
        "level": match finding.verdict {
            Verdict::Bug => "error",
            Verdict::MayFail => "warning",
            Verdict::NotAnalysed | Verdict::NotReached | Verdict::Needs | Verdict::Proved => "note",
        },
        "message": { "text": message(function, finding) },
        "locations": [{
            "physicalLocation": place(&finding.path, finding.line, finding.column),
        }],
        "partialFingerprints": { "trifold/v1": finding.id },
    });
    if let Some(function) = function {
        value["locations"][0]["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
    }
    let at = |finding: &Reported| (finding.path.clone(), finding.line, finding.column);
    let mut others: BTreeSet<_> = group.iter().map(|other| at(other)).collect();
    others.remove(&at(finding));
    if !others.is_empty() {
        let also = |(path, line, column): &(String, usize, usize)| {
            json!({
                "physicalLocation": place(path, *line, *column),
                "message": { "text": "the same may happen here" },
            })
        };
        value["relatedLocations"] = others.iter().map(also).collect();
    }
    if let Some(suppressed) = finding.suppressed {
        let kind = if suppressed == Suppressed::Comment { "inSource" } else { "external" };
        value["suppressions"] = json!([{ "kind": kind }]);
    }
    if !finding.trace.is_empty() {
        let skipped = finding.trace.len().saturating_sub(MAX_STEPS);
        let steps: Vec<Value> = finding.trace[skipped..].iter().map(|at| step(at, translated)).collect();
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    value
}

fn message(function: Option<&str>, finding: &Reported) -> String {
    let sure = if finding.verdict == Verdict::Bug { "; there is a run in which it happens" } else { "" };
    let beyond = finding.beyond().map_or(String::new(), |beyond| format!("; {beyond}"));
    let place = function.map_or(String::new(), |function| format!(" (in {function})"));
    format!("{}{place}{sure}{beyond}", finding.message)
}

fn step(step: &TraceStep<Shape>, translated: &Translated) -> Value {
    let (path, at) = translated.sources.locate(step.place.span);
    let function = &translated.program[step.place.procedure].name;
    let statement = one_line(translated.sources.text(step.place.span));
    json!({ "location": {
        "physicalLocation": place(path, at.line, at.column),
        "message": { "text": format!("{function}: {statement}") },
    }})
}

fn place(path: &str, line: usize, column: usize) -> Value {
    json!({
        "artifactLocation": { "uri": uri(path) },
        "region": { "startLine": line.max(1), "startColumn": column.max(1) },
    })
}

/// A path as the reference of a file: with slashes, and without bytes that have a meaning in references.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escape = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let escaped: String = path.replace('\\', "/").bytes().map(escape).collect();
    if path.starts_with('/') { format!("file://{escaped}") } else { escaped }
}
