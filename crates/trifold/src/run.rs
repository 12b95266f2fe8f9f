//! `trifold run`: executes a program in the concrete interpreter, with random values for everything that is left open,
//! and reports failures. `trifold translate`: shows the heap program that is executed.

use crate::arguments::{RunFormat, RunOptions, TranslateArguments};
use crate::source;
use crate::{Outcome, Refused, disk};
use serde::Serialize;
use std::collections::BTreeMap;
use trifold_check::Translated;
use trifold_check::json::pretty;
use trifold_check::source::Start;
use trifold_ir::{FindingKind, Incident, Options, Seeded, interpret, validate};
use trifold_report::words::counted;
use trifold_tvp::{Diagnostic, render};

pub fn translate(options: &TranslateArguments) -> Result<Outcome, Refused> {
    let translated = source::translated(&options.file, Start::At(&options.entry), &options.source)?;
    disk::print(&trifold_ir::print(&translated.program))?;
    Ok(Outcome::Success)
}

pub fn run(options: &RunOptions) -> Result<Outcome, Refused> {
    let translated = source::translated(&options.file, Start::At(&options.entry), &options.source)?;
    let report = execute(&translated, options)?;
    if !options.quiet {
        for found in &report.found {
            eprintln!("{}\n", render(&found.diagnostic(), &translated.sources, options.source.color.wanted()));
        }
    }
    let text = match options.format {
        RunFormat::Text => report.summary(),
        RunFormat::Json => report.json(&translated),
    };
    disk::print(&text)?;
    Ok(report.outcome())
}

/// The findings of several runs.
struct Report {
    program: String,
    runs: u64,
    first_seed: u64,
    found: Vec<Found>,
    /// How many runs ended in which way.
    outcomes: BTreeMap<&'static str, u64>,
}

/// Something that went wrong in some runs, at one place.
struct Found {
    finding: Incident,
    procedure: String,
    runs: u64,
    first_seed: u64,
}

fn execute(translated: &Translated, options: &RunOptions) -> Result<Report, Refused> {
    let program = &translated.program;
    // A translation that is not well formed is a mistake of this program, which must not look like a result.
    if let Err(errors) = validate(program) {
        let texts: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        return Err(Refused::new(format!("the translation is not well formed: {}", texts.join("; "))));
    }
    let Some(entry) = program.entry else {
        return Err(Refused::new(format!("{} defines no function `{}`", options.file, options.entry)));
    };
    let limits = Options { max_steps: options.max_steps, ..Options::default() };
    let mut report = Report {
        program: options.file.clone(),
        runs: options.runs,
        first_seed: options.seed,
        found: Vec::new(),
        outcomes: BTreeMap::new(),
    };
    for seed in (0..options.runs).map(|run| options.seed.wrapping_add(run)) {
        let run = interpret(program, entry, &limits, &mut Seeded::new(seed), &mut |_, _| {});
        *report.outcomes.entry(name(run.outcome)).or_default() += 1;
        let mut counted = Vec::new();
        let wanted = |finding: &Incident| translated.language.counts(finding.kind, options.source.lost_objects);
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

fn name(outcome: trifold_ir::Outcome) -> &'static str {
    use trifold_ir::Outcome::*;
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

    fn diagnostic(&self) -> Diagnostic {
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

impl Report {
    fn errors(&self) -> usize {
        self.found.iter().filter(|found| found.is_error()).count()
    }

    /// Runs that were given up: because of a limit, or at something that is not analysed.
    fn given_up(&self) -> u64 {
        let limits = ["step-limit", "object-limit"].iter().filter_map(|name| self.outcomes.get(name)).sum::<u64>();
        limits + self.found.iter().filter(|found| !found.is_error()).map(|found| found.runs).sum::<u64>()
    }

    fn summary(&self) -> String {
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

    fn outcome(&self) -> Outcome {
        match (self.errors(), self.given_up()) {
            (0, 0) => Outcome::Success,
            (0, _) => Outcome::Partial,
            _ => Outcome::Findings,
        }
    }

    fn json(&self, translated: &Translated) -> String {
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
