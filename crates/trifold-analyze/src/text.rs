//! The result of an analysis for people.

use crate::report::{AnalysisReport, Certainty, Dead, Procedure};
use std::fmt::Write;
use std::time::Duration;
use trifold_ir::Verdict;
use trifold_logic::{Rule, Vocabulary};
use trifold_report::words::{counted, duration, spent};
use trifold_source::printable_line;
use trifold_tvl::{Action, Derive, derived_updates};

/// The summary: verdict, counts and a table of locations.
pub fn summary(report: &AnalysisReport) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", printable_line(&report.program), headline(report));
    let counts = &report.structures;
    let _ = writeln!(
        text,
        "  structures  {} created, {} saved, at most {} at a location",
        counts.created, counts.saved, counts.max_per_location
    );
    let precise = &report.precise_steps;
    if precise.taken + precise.undecided > 0 {
        let _ = write!(text, "  best        {} decided by the solver", counted(precise.taken, "step"));
        let _ = match precise.undecided {
            0 => writeln!(text),
            undecided => writeln!(text, ", {undecided} undecided and left to focus and coerce"),
        };
    }
    let _ = writeln!(
        text,
        "  time        {} analysis, {} loading",
        duration(Duration::from_secs_f64(report.time.analysis_s)),
        duration(Duration::from_secs_f64(report.time.load_s))
    );
    if report.dead.locations > 0 {
        let Dead { predicates, locations } = report.dead;
        let (predicates, locations) = (counted(predicates, "predicate"), counted(locations, "location"));
        let _ = writeln!(text, "  dead        {predicates} forgotten, at {locations}");
    }
    for (number, proof) in report.proofs.iter().enumerate() {
        let _ = writeln!(text, "  {:10}  {}", if number == 0 { "proofs" } else { "" }, proof.shown());
    }
    procedures(report, &mut text);
    let width = report.locations.iter().map(|l| l.name.chars().count()).max().unwrap_or(0).max("location".len());
    let _ = writeln!(text, "\n  {:width$}  structures  messages", "location");
    for location in &report.locations {
        let structures = if location.saved { location.structures.to_string() } else { "not saved".to_string() };
        let _ = write!(text, "  {:width$}  {structures:>10}", location.name);
        if !location.messages.is_empty() {
            let _ = write!(text, "  {:>8}", location.messages.len());
        }
        text.push('\n');
    }
    text
}

/// A table of the procedures, if there are some.
fn procedures(report: &AnalysisReport, text: &mut String) {
    if report.procedures.is_empty() {
        return;
    }
    let names = report.procedures.iter().map(|procedure| procedure.name.chars().count());
    let width = names.max().unwrap_or(0).max("procedure".len());
    let _ = writeln!(text, "\n  {:width$}  verdict      inputs  structures  messages        time", "procedure");
    for Procedure { name, verdict, inputs, structures, messages, time_s } in &report.procedures {
        let verdict = match verdict {
            Verdict::Proved | Verdict::Needs => "proved",
            Verdict::NotReached => "not reached",
            Verdict::Bug => "bug",
            Verdict::MayFail => "may fail",
            Verdict::NotAnalysed => "partial",
        };
        let messages = if *messages > 0 { messages.to_string() } else { String::new() };
        let time = spent(Duration::from_secs_f64(*time_s));
        let name = printable_line(name);
        let _ =
            writeln!(text, "  {name:width$}  {verdict:11}  {inputs:>6}  {structures:>10}  {messages:>8}  {time:>10}");
    }
}

/// The verdict in words.
pub fn headline(report: &AnalysisReport) -> String {
    let messages: usize = report.locations.iter().map(|location| location.messages.len()).sum();
    match report.verdict {
        Verdict::Proved if report.proofs.is_empty() => "proved, no message can fire".to_string(),
        Verdict::Proved | Verdict::Needs => {
            format!("proved, no message can fire, {} proved", counted(report.proofs.len(), "formula"))
        }
        Verdict::NotReached => "not proved, because an input structure represents no store and is left out".to_string(),
        Verdict::MayFail if !report.contradictions.is_empty() => "the specification contradicts itself".to_string(),
        Verdict::MayFail => {
            let open = report.proofs.iter().filter(|proof| !proof.is_proved()).count();
            let unproved = if open > 0 {
                format!(", {open} of {} unproved", counted(report.proofs.len(), "formula"))
            } else {
                String::new()
            };
            format!("may fail, {}{unproved}", counted(messages, "message"))
        }
        Verdict::Bug => {
            let all = report.locations.iter().flat_map(|location| &location.messages);
            let confirmed = all.filter(|message| message.verdict == Certainty::Bug).count();
            format!("bug, {}, {confirmed} confirmed by a run", counted(messages, "message"))
        }
        Verdict::NotAnalysed => {
            format!("partial result, {}, {} so far", report.stop.sentence(), counted(messages, "message"))
        }
    }
}

/// The title of an action and its derived updates, in the syntax of TVP; `p'` is the new value of `p`.
pub fn derived(action: &Action, vocabulary: &Vocabulary, which: Derive) -> String {
    let mut text = format!("{}\n", action.title);
    let updates = derived_updates(action, vocabulary, which);
    if updates.is_empty() {
        text.push_str("  nothing to derive\n");
    }
    for update in updates {
        let parameters: Vec<&str> = update.value.parameters.iter().map(|v| v.name()).collect();
        let name = &vocabulary[update.predicate].name;
        let formula = update.value.formula.show(vocabulary);
        let how = if update.rule == Rule::Afresh { "  // the definition, evaluated afresh" } else { "" };
        let _ = writeln!(text, "  {name}({}) = {formula}{how}", parameters.join(", "));
    }
    text
}
