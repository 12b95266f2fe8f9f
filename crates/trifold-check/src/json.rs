//! Reports as JSON.

use crate::report::{Report, Reported, Suppressed, one_line, stop_in_words};
use crate::shape::Shape;
use crate::source::Translated;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use trifold_ir::TraceStep;
use trifold_source::is_hidden;

/// The version of the format; it changes when a field changes its meaning or goes away.
const VERSION: u32 = 2;

/// JSON for people to read. Characters that are not seen can only be in strings, where they have an escape.
pub fn pretty<T: Serialize>(value: &T) -> String {
    let text = serde_json::to_string_pretty(value).expect("a report is serialisable") + "\n";
    let escaped = |c: char| match c {
        '\n' => c.to_string(),
        c if is_hidden(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    if text.chars().any(|c| c != '\n' && is_hidden(c)) { text.chars().map(escaped).collect() } else { text }
}

/// A report, ready to be serialised.
#[derive(Serialize)]
pub struct FileEntry<'r> {
    version: u32,
    file: &'r str,
    /// `tvl`, `checkers`, or `checkers+tvl` if it took both.
    #[serde(serialize_with = "shown")]
    domain: &'r crate::domain::Domains,
    /// Why, where there was a choice.
    domain_why: &'r [String],
    verdict: &'static str,
    /// Where the analysis started.
    entry: &'r [String],
    /// The assumptions about callers.
    assumptions: &'r [String],
    /// Why it ended before everything was found, if it did.
    stop: Option<&'static str>,
    functions: Vec<FunctionEntry<'r>>,
    /// Findings in code that belongs to no function, such as initialisers.
    elsewhere: Vec<FindingEntry<'r>>,
    /// Functions of the file itself that were not reached from the entry: nothing is known about them.
    unreached: &'r [String],
    time_s: f64,
}

#[derive(Serialize)]
struct FunctionEntry<'r> {
    name: &'r str,
    verdict: &'static str,
    findings: Vec<FindingEntry<'r>>,
    /// Its lines that no analysed state comes to: nothing is known about them.
    not_reached: &'r [usize],
    stats: StatsEntry,
}

#[derive(Serialize)]
struct StatsEntry {
    points: usize,
    structures: usize,
    forgotten: usize,
    time_s: f64,
}

#[derive(Serialize)]
struct FindingEntry<'r> {
    /// It stays the same when lines move.
    id: &'r str,
    /// The finding that has the same cause, if that is told before this one.
    same_as: Option<&'r str>,
    /// Why it does not count, if it does not.
    suppressed: Option<Suppressed>,
    kind: &'static str,
    verdict: &'static str,
    path: &'r str,
    line: usize,
    column: usize,
    message: &'r str,
    /// Does it happen in all states that the last structure represents?
    definite: bool,
    /// Only of statements that are not analysed: does the analysis go on after them, with nothing known of a part of
    /// memory?
    goes_on: Option<bool>,
    trace: Vec<StepEntry>,
    /// What runs depend on that come to it and do not confirm it.
    unconfirmed: Option<&'static str>,
    /// Only of a bug.
    run: Option<RunEntry<'r>>,
}

/// A run in which it happens.
#[derive(Serialize)]
struct RunEntry<'r> {
    /// The choices in the run for everything that the program leaves open.
    choices: &'r [i128],
    /// The heap with which the function is called, in TVS, if the program does not call it.
    input: Option<String>,
    /// The heap just before, in TVS, where it can be shown.
    heap: Option<String>,
}

#[derive(Serialize)]
struct StepEntry {
    function: String,
    path: String,
    line: usize,
    column: usize,
    /// The source text.
    statement: String,
    /// The heap after it: a structure in TVS, or a shape graph.
    structure: String,
}

fn shown<S: Serializer>(domains: &crate::domain::Domains, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(domains)
}

impl<'r> FileEntry<'r> {
    /// The entry of a report.
    pub fn new(report: &'r Report, translated: &Translated) -> FileEntry<'r> {
        let groups = report.by_cause();
        let mut first = BTreeMap::new();
        for group in &groups {
            first.extend(group[1..].iter().map(|other| (std::ptr::from_ref::<Reported>(other), group[0].id.as_str())));
        }
        // The surest first.
        let entries = |findings: &'r [Reported]| -> Vec<FindingEntry<'r>> {
            let mut sorted: Vec<&Reported> = findings.iter().collect();
            sorted.sort_by_key(|finding| finding.rank());
            let same_as = |finding: &'r Reported| first.get(&std::ptr::from_ref(finding)).copied();
            sorted.into_iter().map(|finding| FindingEntry::new(finding, same_as(finding), translated)).collect()
        };
        let functions = report.functions.iter().map(|function| FunctionEntry {
            name: &function.name,
            verdict: function.verdict.name(),
            findings: entries(&function.findings),
            not_reached: &function.missed_lines,
            stats: StatsEntry {
                points: function.stats.points,
                structures: function.stats.structures,
                forgotten: function.stats.forgotten,
                time_s: function.stats.time.as_secs_f64(),
            },
        });
        FileEntry {
            version: VERSION,
            file: &report.file,
            domain: &report.domains,
            domain_why: &report.domain_why,
            verdict: report.verdict.name(),
            entry: &report.entries,
            assumptions: &report.assumptions,
            stop: report.stop.map(stop_in_words),
            functions: functions.collect(),
            elsewhere: entries(&report.elsewhere),
            unreached: &report.unreached,
            time_s: report.time.as_secs_f64(),
        }
    }
}

impl<'r> FindingEntry<'r> {
    fn new(finding: &'r Reported, same_as: Option<&'r str>, translated: &Translated) -> FindingEntry<'r> {
        let tvs = |heap: &Option<Shape>| heap.as_ref().map(Shape::text);
        FindingEntry {
            id: &finding.id,
            same_as,
            suppressed: finding.suppressed,
            kind: finding.kind.name(),
            verdict: finding.verdict.name(),
            path: &finding.path,
            line: finding.line,
            column: finding.column,
            message: &finding.message,
            definite: finding.definite,
            goes_on: finding.goes_on,
            trace: finding.trace.iter().map(|step| StepEntry::new(step, translated)).collect(),
            unconfirmed: finding.unconfirmed,
            run: finding.witness.as_ref().map(|witness| RunEntry {
                choices: &witness.choices,
                input: tvs(&witness.input),
                heap: tvs(&witness.heap),
            }),
        }
    }
}

impl StepEntry {
    fn new(step: &TraceStep<Shape>, translated: &Translated) -> StepEntry {
        let sources = &translated.sources;
        let (path, at) = sources.locate(step.place.span);
        StepEntry {
            function: translated.program[step.place.procedure].name.clone(),
            path: path.to_string(),
            line: at.line,
            column: at.column,
            statement: one_line(sources.text(step.place.span)),
            structure: step.state.as_ref().map(Shape::text).unwrap_or_default(),
        }
    }
}
