//! The result of a check for people.

use super::analysed::{Found, TraceStep};
use super::confirm::{Witness, key};
use super::origins::origins;
use super::report::{FileReport, Run, Stats, Verdict, beyond, one_line};
use crate::findings::counted;
use crate::source::Translated;
use crate::text::{duration, spent};
use std::fmt::Write;
use trifold_ir::FindingKind;
use trifold_source::{Span, printable_line};
use trifold_tvp::{Diagnostic, render};

/// Steps at the end of a trace that are shown; JSON has all of them.
const SHOWN_STEPS: usize = 8;

/// Functions that are used as checkers but cannot be read as such, on standard error.
pub fn show_refusals(translated: &Translated, colour: bool) {
    for (procedure, refusal) in trifold_heap_sl::refusals(&translated.program) {
        let name = &translated.program[procedure].name;
        let diagnostic = Diagnostic::warning("checker", refusal.span, format!("`{name}` is no checker"));
        eprintln!("{}\n", render(&diagnostic.label(refusal.why), &translated.sources, colour));
    }
}

/// The diagnostics of a run, on standard error.
pub fn show_findings(translated: &Translated, runs: &[Run], report: &FileReport, colour: bool) {
    // What does not count is as if it had been shown.
    let silenced = |kind: FindingKind, span: Span| {
        let (path, at) = translated.sources.locate(span);
        let place = (kind.name(), path, at.line, at.column);
        let mut silenced = report.findings().filter(|(_, finding)| finding.suppressed.is_some());
        silenced.any(|(_, finding)| (finding.kind, &finding.path[..], finding.line, finding.column) == place)
    };
    let mut shown = Vec::new();
    for run in runs {
        let Ok(report) = &run.outcome else { continue };
        for finding in &report.findings {
            let place = (finding.kind, finding.span);
            if !shown.contains(&place) {
                shown.push(place);
                if silenced(finding.kind, finding.span) {
                    continue;
                }
                // Of several runs of the analysis, one in which it is confirmed says most.
                let witness = runs.iter().find_map(|run| run.witnesses.get(&key(place.0, place.1, translated)));
                let all = runs.iter().filter_map(|run| run.outcome.as_ref().ok()).flat_map(|found| &found.findings);
                let goes_on = all.filter(|other| (other.kind, other.span) == place).all(|other| other.goes_on);
                let finding = Found { goes_on, ..finding.clone() };
                eprintln!("{}\n", render(&diagnostic(&finding, witness, translated), &translated.sources, colour));
            }
        }
        for witness in run.witnesses.values() {
            let place = (witness.finding.kind, witness.finding.span);
            if !shown.iter().any(|known| key(known.0, known.1, translated) == key(place.0, place.1, translated)) {
                shown.push(place);
                if silenced(place.0, place.1) {
                    continue;
                }
                eprintln!("{}\n", render(&unforeseen(witness, translated), &translated.sources, colour));
            }
        }
    }
}

fn diagnostic(finding: &Found, witness: Option<&Witness>, translated: &Translated) -> Diagnostic {
    let code = finding.kind.name();
    let function = &translated.program[finding.at.0].name;
    if finding.kind == FindingKind::NotAnalysed {
        let diagnostic = Diagnostic::warning(code, finding.span, finding.text.clone());
        return diagnostic.label(format!("in `{function}`; {}", beyond(finding.goes_on)));
    }
    let certainty = if finding.definite || witness.is_some() { "" } else { "perhaps " };
    let mut diagnostic = Diagnostic::error(code, finding.span, finding.text.clone());
    let lost = if finding.kind == FindingKind::Leak { "lost " } else { "" };
    diagnostic = diagnostic.label(format!("{certainty}{lost}here, in `{function}`"));
    for (span, what) in origins(finding, &translated.program) {
        diagnostic = diagnostic.secondary(span, what);
    }
    let heap = witness.and_then(|witness| witness.heap.as_ref()).map_or(&finding.heap, |heap| &heap.outline);
    if !heap.is_empty() {
        diagnostic = diagnostic.note(format!("the heap just before:\n{heap}"));
    }
    if let Some(witness) = witness {
        diagnostic = happens(diagnostic, witness);
    }
    let steps = steps(&finding.trace, translated);
    if steps.is_empty() { diagnostic } else { diagnostic.note(format!("on the way there:\n{steps}")) }
}

/// What a run has come to, but the analysis did not find.
fn unforeseen(witness: &Witness, translated: &Translated) -> Diagnostic {
    let function = &translated.program[witness.finding.point.procedure].name;
    let mut diagnostic =
        Diagnostic::error(witness.finding.kind.name(), witness.finding.span, witness.finding.text.clone());
    diagnostic = diagnostic.label(format!("here, in `{function}`; the analysis did not find it"));
    if let Some(heap) = &witness.heap {
        diagnostic = diagnostic.note(format!("the heap just before:\n{}", heap.outline));
    }
    happens(diagnostic, witness)
}

/// The run in which something happens.
fn happens(diagnostic: Diagnostic, witness: &Witness) -> Diagnostic {
    let called = match &witness.input {
        Some(input) if !input.outline.is_empty() => {
            diagnostic.note(format!("the heap that the function is called with:\n{}", input.outline))
        }
        Some(_) if witness.given => {
            diagnostic.note("all pointers that the function is called with are null".to_string())
        }
        _ => diagnostic,
    };
    called.note(format!("it happens in a run{}", choices(witness)))
}

/// The choices of a run, as many as fit into a line; JSON has all of them.
pub fn choices(witness: &Witness) -> String {
    const SHOWN: usize = 12;
    let choices = &witness.choices;
    let shown: Vec<String> = choices.iter().take(SHOWN).map(i128::to_string).collect();
    let more = if choices.len() > SHOWN { format!(", … {} in all", choices.len()) } else { String::new() };
    match shown.is_empty() {
        true if witness.given => " with such arguments".to_string(),
        true => ", and in every run".to_string(),
        false => format!(" in which the program, where it leaves something open, chooses {}{more}", shown.join(", ")),
    }
}

/// The last statements of a trace, one in a line.
fn steps(trace: &[TraceStep], translated: &Translated) -> String {
    let sources = &translated.sources;
    let mut lines: Vec<String> = Vec::new();
    for step in trace {
        let (_, at) = sources.locate(step.span);
        let line = format!("line {}: {}", at.line, one_line(sources.text(step.span)));
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    let left_out = lines.len().saturating_sub(SHOWN_STEPS);
    let mut shown = lines.split_off(left_out);
    if left_out > 0 {
        shown.insert(0, format!("… {} before", counted(left_out, "step")));
    }
    shown.join("\n")
}

/// The verdict of a file in words.
pub fn headline(report: &FileReport) -> String {
    let findings: usize = report.functions.iter().map(|function| function.findings.len()).sum();
    let silent = match report.suppressed() {
        0 => String::new(),
        count => format!(", {count} not counted"),
    };
    let headline = match report.verdict {
        Verdict::Proved if report.collected => "proved: null is not dereferenced, no assertion fails".to_string(),
        Verdict::Proved => "proved: memory-safe, nothing is leaked, no assertion fails".to_string(),
        Verdict::MayFail => format!("may fail, {}", counted(findings, "finding")),
        Verdict::Bug => {
            let all = report.functions.iter().flat_map(|function| &function.findings);
            let confirmed = all.filter(|finding| finding.verdict == Verdict::Bug).count();
            format!("bug, {}, {confirmed} confirmed by a run", counted(findings, "finding"))
        }
        Verdict::NotAnalysed => "not analysed as a whole, nothing was found in the rest".to_string(),
    };
    headline + &silent
}

/// A verdict for each file, and a table of its functions.
pub fn summary(reports: &[FileReport]) -> String {
    let mut text = String::new();
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "{}: {}", printable_line(&report.file), headline(report));
        let total =
            |of: fn(&Stats) -> usize| report.functions.iter().map(|function| of(&function.stats)).sum::<usize>();
        let structures = counted(total(|stats| stats.structures), "structure");
        let forgotten = match total(|stats| stats.forgotten) {
            0 => String::new(),
            count => format!("{} forgotten, ", counted(count, "dead variable")),
        };
        let from = report.entry.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "  from {from}, {structures}, {forgotten}{}", duration(report.time_s));
        let notes = report.domain_why.iter().chain(&report.assumptions).map(String::as_str);
        for note in notes.chain(report.stop) {
            let _ = writeln!(text, "  note: {note}");
        }
        functions(report, &mut text);
        if !report.unreached.is_empty() {
            let _ = writeln!(text, "  not reached, so nothing is known: {}", report.unreached.join(", "));
        }
    }
    text
}

fn functions(report: &FileReport, text: &mut String) {
    let names = report.functions.iter().map(|function| function.name.chars().count());
    let width = names.max().unwrap_or(0).max("function".len());
    let _ = writeln!(text, "\n  {:width$}  verdict       findings  structures        time", "function");
    for function in &report.functions {
        let verdict = match function.verdict {
            Verdict::Proved => "proved",
            Verdict::MayFail => "may fail",
            Verdict::Bug => "bug",
            Verdict::NotAnalysed => "not analysed",
        };
        let findings = match function.findings.len() {
            0 => String::new(),
            count => count.to_string(),
        };
        let (structures, time) = (function.stats.structures, spent(function.stats.time_s));
        let _ = writeln!(text, "  {:width$}  {verdict:12}  {findings:>8}  {structures:>10}  {time:>10}", function.name);
    }
}
