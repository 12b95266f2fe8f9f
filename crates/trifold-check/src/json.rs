//! Reports as JSON.

use crate::report::{AssumedFunction, Report, Reported, Suppressed, one_line};
use crate::reproducer::{Judgement, Reproduced};
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
    /// Its file; the first one, if there are several.
    file: &'r str,
    /// All files that it is linked of.
    files: &'r [String],
    /// `tvl`, `checkers`, or `checkers+tvl` if it took both.
    #[serde(serialize_with = "shown")]
    domain: &'r crate::domain::Domains,
    /// Why, where there was a choice.
    domain_why: &'r [String],
    verdict: &'static str,
    /// Where the analysis started.
    entry: &'r [String],
    /// The assumptions about callers, and about functions that are defined nowhere.
    assumptions: &'r [String],
    /// Functions that are defined nowhere and of which something is assumed: the result depends on it.
    assumed: &'r [AssumedFunction],
    /// Why it ended before everything was found, if it did.
    stop: Option<String>,
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
    /// Where it is defined.
    path: &'r str,
    verdict: &'static str,
    /// For whom the verdict holds: for the `program`, for every use of the `interface`, for every use of the
    /// `interface-without-sharing`, or for `arguments` that are made up.
    holds_for: &'static str,
    /// The preconditions under which it does.
    needs: &'r [String],
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
    /// Only of a bug, if a program that shows it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduce: Option<ReproduceEntry<'r>>,
}

/// A program that shows a bug.
#[derive(Serialize)]
struct ReproduceEntry<'r> {
    /// Its files in the directory, the driver first; none if there is no such program, or if it is not kept.
    files: Vec<&'r str>,
    /// The commands that compile and run it.
    commands: Vec<String>,
    /// `confirmed`, `differs` or `not-confirmed`: what a real run came to, if one was made; or `none` if there is no
    /// such program.
    outcome: Option<&'static str>,
    /// What that is in words: of the sanitizer, of Java, or why there is no program.
    says: Option<String>,
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
            path: &function.path,
            verdict: function.verdict.name(),
            holds_for: function.manner.name(),
            needs: &function.needs,
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
            file: report.files.first().map_or("", String::as_str),
            files: &report.files,
            domain: &report.domains,
            domain_why: &report.domain_why,
            verdict: report.verdict.name(),
            entry: &report.entries,
            assumptions: &report.assumptions,
            assumed: &report.assumed,
            stop: (!report.stops.is_empty()).then(|| report.stop_notes().join("; ")),
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
            reproduce: finding.reproduced.as_ref().map(ReproduceEntry::new),
        }
    }
}

impl<'r> ReproduceEntry<'r> {
    fn new(reproduced: &'r Result<Reproduced, String>) -> ReproduceEntry<'r> {
        match reproduced {
            Err(why) => {
                let (files, commands) = (Vec::new(), Vec::new());
                ReproduceEntry { files, commands, outcome: Some("none"), says: Some(why.clone()) }
            }
            Ok(Reproduced { reproducer, judgement, is_kept }) => ReproduceEntry {
                files: reproducer.files.iter().filter(|_| *is_kept).map(|(name, _)| name.as_str()).collect(),
                commands: reproducer.commands().filter(|_| *is_kept).map(ToString::to_string).collect(),
                outcome: judgement.as_ref().map(Judgement::name),
                says: judgement.as_ref().map(Judgement::sentence),
            },
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
