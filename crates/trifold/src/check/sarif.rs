//! Reports as SARIF 2.1.0, which code hosts and editors show beside the source.

use super::report::{FileReport, Finding, FunctionReport, Step, Verdict};
use crate::kinds::guide;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use trifold_ir::FindingKind;

/// Hosts refuse logs with more results than this.
const MAX_RESULTS: usize = 25_000;

/// Of a longer trace the end is shown: that is where things go wrong.
const MAX_STEPS: usize = 500;

/// The log of one run of Trifold.
pub fn log(reports: &[FileReport]) -> Value {
    let mut seen = FxHashMap::default();
    let functions = reports.iter().flat_map(|report| &report.functions);
    let findings = functions.flat_map(|function| function.findings.iter().map(move |finding| (function, finding)));
    let results: Vec<Value> =
        findings.take(MAX_RESULTS).map(|(function, finding)| result(function, finding, &mut seen)).collect();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Trifold",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": FindingKind::ALL.map(rule),
            }},
            "invocations": [{ "executionSuccessful": reports.iter().all(|report| report.stop.is_none()) }],
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

fn result(function: &FunctionReport, finding: &Finding, seen: &mut FxHashMap<u64, u64>) -> Value {
    let rule = FindingKind::ALL.iter().position(|kind| kind.name() == finding.kind).expect("a kind");
    let mut value = json!({
        "ruleId": finding.kind,
        "ruleIndex": rule,
        "level": match finding.verdict {
            Verdict::Bug => "error",
            Verdict::MayFail => "warning",
            Verdict::NotAnalysed | Verdict::Proved => "note",
        },
        "message": { "text": message(function, finding) },
        "locations": [{
            "physicalLocation": place(&finding.path, finding.line, finding.column),
            "logicalLocations": [{ "name": function.name, "kind": "function" }],
        }],
        "partialFingerprints": { "trifold/v1": identity(function, finding, seen) },
    });
    if !finding.trace.is_empty() {
        let skipped = finding.trace.len().saturating_sub(MAX_STEPS);
        let steps: Vec<Value> = finding.trace[skipped..].iter().map(step).collect();
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    value
}

fn message(function: &FunctionReport, finding: &Finding) -> String {
    let sure = if finding.verdict == Verdict::Bug { "; there is a run in which it happens" } else { "" };
    format!("{} (in {}){sure}", finding.message, function.name)
}

fn step(step: &Step) -> Value {
    json!({ "location": {
        "physicalLocation": place(&step.path, step.line, step.column),
        "message": { "text": format!("{}: {}", step.function, step.statement) },
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

/// What stays the same when lines move: the function, the kind, the statement, and which one it is of several that agree in these.
fn identity(function: &FunctionReport, finding: &Finding, seen: &mut FxHashMap<u64, u64>) -> String {
    let parts = [finding.path.as_str(), function.name.as_str(), finding.kind, finding.statement.as_str()];
    let hash = parts.iter().flat_map(|part| part.bytes().chain([0])).fold(FNV_START, fnv);
    let number = seen.entry(hash).or_default();
    *number += 1;
    format!("{hash:016x}:{number}")
}

/// The hash of Fowler, Noll and Vo: it must be the same in all versions of Trifold.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}
