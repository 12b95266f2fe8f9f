//! Reports for people: diagnostics, and a summary.

use crate::confirm::Witness;
use crate::reach::lines_in_words;
use crate::report::{Manner, Report, Reported, Stats, one_line};
use crate::reproducer::{Judgement, Reproduced};
use crate::shape::Shape;
use crate::source::Translated;
use std::collections::BTreeSet;
use std::fmt::Write;
use trifold_ir::{FindingKind, Verdict};
use trifold_report::words::{counted, duration, spent};
use trifold_source::{Diagnostic, printable_line};

/// Steps at the end of a trace that are shown; JSON has all of them.
const SHOWN_STEPS: usize = 8;

/// Warnings about functions that are used as checkers but cannot be read as such.
pub fn refusals(translated: &Translated) -> Vec<Diagnostic> {
    let refused = trifold_heap_sl::refusals(&translated.program).into_iter();
    let warning = |(procedure, refusal): (trifold_ir::ProcId, trifold_heap_sl::Refusal)| {
        let name = &translated.program[procedure].name;
        Diagnostic::warning("checker", refusal.span, format!("`{name}` is no checker")).label(refusal.why)
    };
    refused.map(warning).collect()
}

/// The findings that count as diagnostics: the surest first, and otherwise in the order in which the analyses found
/// them. What has one cause is shown once, with the other places.
pub fn diagnostics(report: &Report, translated: &Translated) -> Vec<Diagnostic> {
    let counts = |group: &&Vec<&Reported>| group[0].suppressed.is_none();
    let groups = report.by_cause();
    groups.iter().filter(counts).map(|group| with_others(diagnostic(group[0], translated), group)).collect()
}

/// The diagnostic of the first of some findings, which names the lines of the others.
fn with_others(diagnostic: Diagnostic, group: &[&Reported]) -> Diagnostic {
    let first = (&group[0].path, group[0].line);
    let lines: BTreeSet<usize> =
        group.iter().filter(|other| &other.path == first.0 && other.line != first.1).map(|other| other.line).collect();
    if lines.is_empty() {
        return diagnostic;
    }
    let lines: Vec<usize> = lines.into_iter().collect();
    let line = if lines.len() == 1 { "line" } else { "lines" };
    diagnostic.note(format!("the same may be lost at {line} {}", lines_in_words(&lines)))
}

fn diagnostic(finding: &Reported, translated: &Translated) -> Diagnostic {
    let code = finding.kind.name();
    let name = finding.function(&translated.program);
    let function = name.unwrap_or_default();
    if let Some(beyond) = finding.beyond() {
        let diagnostic = Diagnostic::warning(code, finding.span, finding.message.clone());
        // A function that could not be called at all is not analysed anywhere.
        return diagnostic.label(match name {
            Some(function) => format!("in `{function}`; {beyond}"),
            None => "the function is not analysed".to_string(),
        });
    }
    let mut diagnostic = Diagnostic::error(code, finding.span, finding.message.clone());
    let certainty = if finding.definite || finding.witness.is_some() { "" } else { "perhaps " };
    let lost = if finding.kind == FindingKind::Leak { "lost " } else { "" };
    diagnostic = diagnostic.label(match finding.is_foreseen() {
        true => format!("{certainty}{lost}here, in `{function}`"),
        false => format!("here, in `{function}`; the analysis did not find it"),
    });
    for (span, cause) in &finding.causes {
        diagnostic = diagnostic.secondary(*span, cause.clone());
    }
    let heap = finding.witness.as_ref().and_then(|witness| witness.heap.as_ref()).or(finding.shape.as_ref());
    if let Some(heap) = heap.map(Shape::outline)
        && (!heap.is_empty() || !finding.is_foreseen())
    {
        diagnostic = diagnostic.note(format!("the heap just before:\n{heap}"));
    }
    if let Some(witness) = &finding.witness {
        diagnostic = happens(diagnostic, witness);
    }
    if let Some(reproduced) = &finding.reproduced {
        diagnostic = diagnostic.note(shown(reproduced));
    }
    if let Some(cause) = finding.unconfirmed {
        diagnostic = diagnostic.note(format!("not confirmed: the runs that come here depend on {cause}"));
    }
    let steps = steps(finding, translated);
    if steps.is_empty() { diagnostic } else { diagnostic.note(format!("on the way there:\n{steps}")) }
}

/// The run in which something happens.
fn happens(diagnostic: Diagnostic, witness: &Witness) -> Diagnostic {
    let called = match witness.input.as_ref().map(Shape::outline) {
        Some(input) if !input.is_empty() => {
            diagnostic.note(format!("the heap that the function is called with:\n{input}"))
        }
        Some(_) if witness.given => {
            diagnostic.note("all pointers that the function is called with are null".to_string())
        }
        _ => diagnostic,
    };
    called.note(format!("it happens in a run{}", choices(witness)))
}

/// How a bug can be seen without Trifold, and what a real run came to.
fn shown(reproduced: &Result<Reproduced, String>) -> String {
    match reproduced {
        Err(why) => format!("no program shows it: {why}"),
        Ok(Reproduced { reproducer, judgement, is_kept }) => {
            let judged = judgement.as_ref().map(Judgement::sentence);
            let commands = reproducer.commands().map(ToString::to_string);
            let commands = ["to see it:".to_string()].into_iter().chain(commands).filter(|_| *is_kept);
            judged.into_iter().chain(commands).collect::<Vec<_>>().join("\n")
        }
    }
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

/// The last statements of a trace, one in a line. Those in other files than that of the finding have the names of them.
fn steps(finding: &Reported, translated: &Translated) -> String {
    let sources = &translated.sources;
    let mut lines: Vec<String> = Vec::new();
    for step in &finding.trace {
        let (path, at) = sources.locate(step.place.span);
        let place = if path == finding.path { "line ".to_string() } else { format!("{}:", printable_line(path)) };
        let line = format!("{place}{}: {}", at.line, one_line(sources.text(step.place.span)));
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
pub fn headline(report: &Report) -> String {
    let causes = report.by_cause();
    let findings = causes.len();
    let silent = match report.suppressed() {
        0 => String::new(),
        count => format!(", {count} not counted"),
    };
    let has = |manner| report.functions.iter().any(|function| function.manner == manner);
    let whom = match () {
        () if has(Manner::ClientApart) => " for every use of the interface without sharing",
        () if has(Manner::Client) => " for every use of the interface",
        () => "",
    };
    let headline = match report.verdict {
        Verdict::Proved if report.collected => format!("proved{whom}: null is not dereferenced, no assertion fails"),
        Verdict::Proved => format!("proved{whom}: memory-safe, nothing is leaked, no assertion fails"),
        Verdict::Needs => {
            let count = report.functions.iter().filter(|function| function.verdict == Verdict::Needs).count();
            format!("proved where the preconditions of {} hold", counted(count, "function"))
        }
        Verdict::MayFail => format!("may fail, {}", counted(findings, "finding")),
        Verdict::Bug => {
            let confirmed = causes.iter().filter(|group| group[0].verdict == Verdict::Bug).count();
            format!("bug, {}, {confirmed} confirmed by a run", counted(findings, "finding"))
        }
        Verdict::NotReached => "not reached: no state of the analysis comes to what was to be analysed".to_string(),
        Verdict::NotAnalysed => {
            let may_fail = causes.iter().filter(|group| group[0].verdict == Verdict::MayFail).count();
            match may_fail {
                0 => "not analysed as a whole, nothing was found in the rest".to_string(),
                found => format!("not analysed as a whole, {} in functions by themselves", counted(found, "finding")),
            }
        }
    };
    headline + &silent
}

/// A verdict for each file, and a table of its functions.
pub fn summary<'r>(reports: impl Iterator<Item = &'r Report>) -> String {
    let mut text = String::new();
    for (number, report) in reports.enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "{}: {}", printable_line(&report.name), headline(report));
        let total =
            |of: fn(&Stats) -> usize| report.functions.iter().map(|function| of(&function.stats)).sum::<usize>();
        let structures = counted(total(|stats| stats.structures), "structure");
        let forgotten = match total(|stats| stats.forgotten) {
            0 => String::new(),
            count => format!("{} forgotten, ", counted(count, "dead variable")),
        };
        let from = report.entries.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "  from {from}, {structures}, {forgotten}{}", duration(report.time));
        let notes = report.domain_why.iter().chain(&report.assumptions).cloned();
        for note in notes.chain(report.stop_notes()) {
            let _ = writeln!(text, "  note: {note}");
        }
        functions(report, &mut text);
        for function in report.functions.iter().filter(|function| !function.needs.is_empty()) {
            let _ = writeln!(text, "  `{}` needs: {}", function.name, function.needs.join("; "));
        }
        for function in report.functions.iter().filter(|function| !function.missed_lines.is_empty()) {
            let (name, lines) = (&function.name, lines_in_words(&function.missed_lines));
            let line = if function.missed_lines.len() == 1 { "line" } else { "lines" };
            let _ = writeln!(text, "  not reached in `{name}`, so nothing is known: {line} {lines}");
        }
        if !report.unreached.is_empty() {
            let _ = writeln!(text, "  not reached, so nothing is known: {}", report.unreached.join(", "));
        }
    }
    text
}

fn functions(report: &Report, text: &mut String) {
    let names = report.functions.iter().map(|function| function.name.chars().count());
    let width = names.max().unwrap_or(0).max("function".len());
    let _ = writeln!(text, "\n  {:width$}  verdict       findings  structures        time", "function");
    for function in &report.functions {
        let verdict = match function.verdict {
            Verdict::Proved => "proved",
            Verdict::Needs => "needs",
            Verdict::NotReached => "not reached",
            Verdict::MayFail => "may fail",
            Verdict::Bug => "bug",
            Verdict::NotAnalysed => "not analysed",
        };
        let findings = match function.findings.len() {
            0 => String::new(),
            count => count.to_string(),
        };
        let (structures, time) = (function.stats.structures, spent(function.stats.time));
        let _ = writeln!(text, "  {:width$}  {verdict:12}  {findings:>8}  {structures:>10}  {time:>10}", function.name);
    }
}
