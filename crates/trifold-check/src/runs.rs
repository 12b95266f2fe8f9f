//! Runs of a program in the concrete interpreter, with random values for everything that is left open, and a report of
//! the failures. A run proves nothing about other runs.

use crate::json::pretty;
use crate::source::Translated;
use serde::Serialize;
use std::collections::BTreeMap;
use trifold_ir::{FindingKind, Incident, Options, Seeded, interpret, validate};
use trifold_report::words::counted;
use trifold_source::Diagnostic;

/// How to run a program.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// The seed of the first run; each further run takes the next number.
    pub seed: u64,
    /// How many runs.
    pub runs: u64,
    /// A run is given up after so many steps.
    pub max_steps: usize,
    /// Java: are objects reported to which the last reference is lost?
    pub lost_objects: bool,
}

/// What several runs found.
pub struct RunsReport {
    program: String,
    runs: u64,
    first_seed: u64,
    /// What went wrong.
    pub found: Vec<Found>,
    /// How many runs ended in which way.
    outcomes: BTreeMap<&'static str, u64>,
}

/// Something that went wrong in some runs, at one place.
pub struct Found {
    finding: Incident,
    procedure: String,
    runs: u64,
    first_seed: u64,
}

/// Runs a translated program from its entry; otherwise, why it cannot be run.
pub fn execute(translated: &Translated, entry: &str, options: &Runs) -> Result<RunsReport, String> {
    let program = &translated.program;
    // A translation that is not well formed is a mistake of this program, which must not look like a result.
    if let Err(errors) = validate(program) {
        let texts: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        return Err(format!("the translation is not well formed: {}", texts.join("; ")));
    }
    let Some(start) = program.entry else {
        return Err(format!("{} defines no function `{entry}`", translated.name));
    };
    let limits = Options { max_steps: options.max_steps, ..Options::default() };
    let mut report = RunsReport {
        program: translated.name.clone(),
        runs: options.runs,
        first_seed: options.seed,
        found: Vec::new(),
        outcomes: BTreeMap::new(),
    };
    for seed in (0..options.runs).map(|run| options.seed.wrapping_add(run)) {
        let run = interpret(program, start, &limits, &mut Seeded::new(seed), &mut |_, _| {});
        *report.outcomes.entry(name(run.outcome)).or_default() += 1;
        let mut counted = Vec::new();
        let wanted = |finding: &Incident| translated.language.counts(finding.kind, options.lost_objects);
        for finding in run.findings.into_iter().filter(wanted) {
            let same = |found: &Found| {
                found.finding.kind == finding.kind
                    && (found.finding.span, &found.finding.text) == (finding.span, &finding.text)
            };
            match report.found.iter().position(same) {
                Some(position) if counted.contains(&position) => {}
                Some(position) => {
                    report.found[position].runs += 1;
                    counted.push(position);
                }
                None => {
                    let procedure = program[finding.point.procedure].name.clone();
                    counted.push(report.found.len());
                    report.found.push(Found { finding, procedure, runs: 1, first_seed: seed });
                }
            }
        }
    }
    report.found.sort_by_key(|found| (found.finding.kind == FindingKind::NotAnalysed, found.finding.span));
    Ok(report)
}

fn name(outcome: trifold_ir::RunEnd) -> &'static str {
    use trifold_ir::RunEnd::*;
    match outcome {
        Ended => "ended",
        Stopped => "stopped",
        Failed => "failed",
        Blocked => "blocked",
        DivisionByZero => "division-by-zero",
        StepLimit => "step-limit",
        ObjectLimit => "object-limit",
        OutOfChoices => "out-of-choices",
    }
}

impl Found {
    fn is_error(&self) -> bool {
        self.finding.kind != FindingKind::NotAnalysed
    }

    /// It as a diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        let text = format!("{}: {}", self.finding.kind, self.finding.text);
        let code = self.finding.kind.name();
        let diagnostic = match self.is_error() {
            true => Diagnostic::error(code, self.finding.span, text),
            false => Diagnostic::warning(code, self.finding.span, text),
        };
        let runs = counted(self.runs as usize, "run");
        diagnostic.label(format!("in `{}`, in {runs}, first with seed {}", self.procedure, self.first_seed))
    }
}

impl RunsReport {
    /// How many failures there are.
    pub fn errors(&self) -> usize {
        self.found.iter().filter(|found| found.is_error()).count()
    }

    /// Runs that were given up: because of a limit, or at something that is not analysed.
    pub fn given_up(&self) -> u64 {
        let limits = ["step-limit", "object-limit"].iter().filter_map(|name| self.outcomes.get(name)).sum::<u64>();
        limits + self.found.iter().filter(|found| !found.is_error()).map(|found| found.runs).sum::<u64>()
    }

    /// A line for people.
    pub fn summary(&self) -> String {
        let errors = match self.errors() {
            0 => "no error".to_string(),
            errors => counted(errors, "error"),
        };
        let given_up = match self.given_up() {
            0 => String::new(),
            runs => format!(", {runs} given up"),
        };
        format!("{}: {errors} in {}{given_up}\n", self.program, counted(self.runs as usize, "run"))
    }

    /// Everything for programs.
    pub fn json(&self, translated: &Translated) -> String {
        let finding = |found: &Found| {
            let (path, at) = translated.sources.locate(found.finding.span);
            JsonFinding {
                kind: found.finding.kind.name(),
                text: found.finding.text.clone(),
                path: path.to_string(),
                line: at.line,
                column: at.column,
                function: found.procedure.clone(),
                runs: found.runs,
                first_seed: found.first_seed,
            }
        };
        let report = JsonReport {
            program: &self.program,
            runs: self.runs,
            first_seed: self.first_seed,
            outcomes: &self.outcomes,
            findings: self.found.iter().map(finding).collect(),
        };
        pretty(&report)
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    program: &'a str,
    runs: u64,
    first_seed: u64,
    outcomes: &'a BTreeMap<&'static str, u64>,
    findings: Vec<JsonFinding>,
}

#[derive(Serialize)]
struct JsonFinding {
    kind: &'static str,
    text: String,
    path: String,
    line: usize,
    column: usize,
    function: String,
    runs: u64,
    first_seed: u64,
}
