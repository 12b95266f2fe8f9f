//! The result of a check for programs: JSON.

use crate::source::{Function, Translated};
use serde::Serialize;
use std::collections::BTreeSet;
use trifold_ir::{FindingKind, ProcId};
use trifold_lower::{Finding as Found, Report, TraceStep};
use trifold_source::Span;
use trifold_tvl::StopReason;
use trifold_tvp::write_structure;

/// The version of the format; it changes when a field changes its meaning or goes away.
const VERSION: u32 = 1;

#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing can go wrong.
    Proved,
    /// Nothing was found, but not everything was analysed.
    NotAnalysed,
    /// Something may go wrong.
    MayFail,
}

impl From<trifold_lower::Verdict> for Verdict {
    fn from(verdict: trifold_lower::Verdict) -> Verdict {
        match verdict {
            trifold_lower::Verdict::Proved => Verdict::Proved,
            trifold_lower::Verdict::NotAnalysed => Verdict::NotAnalysed,
            trifold_lower::Verdict::MayFail => Verdict::MayFail,
        }
    }
}

#[derive(Serialize, Debug)]
pub struct FileReport {
    pub version: u32,
    pub file: String,
    pub domain: &'static str,
    pub verdict: Verdict,
    /// Where the analysis started.
    pub entry: Vec<String>,
    /// What was taken for granted about callers.
    pub assumptions: Vec<String>,
    /// Why it ended before everything was found, if it did.
    pub stop: Option<&'static str>,
    pub functions: Vec<FunctionReport>,
    /// Functions of the file itself that were not reached from the entry: nothing is known about them.
    pub unreached: Vec<String>,
    pub time_s: f64,
    /// Is memory collected, so that nothing is leaked?
    #[serde(skip)]
    pub collected: bool,
}

#[derive(Serialize, Debug)]
pub struct FunctionReport {
    pub name: String,
    pub verdict: Verdict,
    pub findings: Vec<Finding>,
    pub stats: Stats,
}

#[derive(Serialize, Debug)]
pub struct Stats {
    /// Points of the function.
    pub points: usize,
    /// Structures at all of them.
    pub structures: usize,
}

#[derive(Serialize, Debug)]
pub struct Finding {
    pub kind: &'static str,
    pub verdict: Verdict,
    pub path: String,
    pub line: usize,
    pub column: usize,
    pub message: String,
    /// Does it happen in all states that the last structure represents?
    pub definite: bool,
    pub trace: Vec<Step>,
}

#[derive(Serialize, Debug)]
pub struct Step {
    pub function: String,
    pub path: String,
    pub line: usize,
    pub column: usize,
    /// The source text.
    pub statement: String,
    /// A structure that represents the heap behind it, in TVS.
    pub structure: String,
}

/// An analysis, and where it started.
pub struct Run {
    pub root: String,
    /// What came out, or why there was no analysis.
    pub outcome: Result<Report, String>,
}

impl FileReport {
    pub fn new(file: &str, translated: &Translated, runs: &[Run], assumptions: Vec<String>, time_s: f64) -> FileReport {
        let reports = || runs.iter().filter_map(|run| run.outcome.as_ref().ok());
        let reached: BTreeSet<ProcId> = reports().flat_map(|report| report.lowered.procedures.clone()).collect();
        let is_root = |name: &str| runs.iter().any(|run| run.root == name);
        let (mut functions, mut unreached) = (Vec::new(), Vec::new());
        for function in &translated.functions {
            if is_root(&function.name) || function.procedures.iter().any(|p| reached.contains(p)) {
                functions.push(FunctionReport::new(function, translated, runs));
            } else if translated.sources.locate(function.span).0 == file {
                unreached.push(function.name.clone());
            }
        }
        let stop = reports().find_map(|report| stop(report.stop));
        let least = reports().map(|report| report.overall().into()).fold(Verdict::Proved, Verdict::max);
        FileReport {
            version: VERSION,
            file: file.to_string(),
            domain: "tvl",
            verdict: functions.iter().map(|function| function.verdict).fold(least, Verdict::max),
            entry: runs.iter().map(|run| run.root.clone()).collect(),
            assumptions,
            stop,
            functions,
            unreached,
            time_s,
            collected: false,
        }
    }
}

fn stop(reason: StopReason) -> Option<&'static str> {
    match reason {
        StopReason::Fixpoint => None,
        StopReason::StructureLimit => Some("the limit on structures was reached"),
        StopReason::MessageLimit => Some("the limit on messages was reached"),
        StopReason::TooLarge => Some("a structure became too large"),
        StopReason::Interrupted => Some("the time was up"),
    }
}

impl FunctionReport {
    fn new(function: &Function, translated: &Translated, runs: &[Run]) -> FunctionReport {
        // What happens outside of functions, before or after them, happens in the one where the analysis started.
        let written = |procedure: &ProcId| translated.functions.iter().any(|f| f.procedures.contains(procedure));
        let mut findings: Vec<Finding> = Vec::new();
        let mut least = Verdict::Proved;
        let mut stats = Stats { points: 0, structures: 0 };
        for run in runs {
            let is_own = |procedure: &ProcId| {
                function.procedures.contains(procedure) || run.root == function.name && !written(procedure)
            };
            let report = match &run.outcome {
                Ok(report) => report,
                Err(why) => {
                    if run.root == function.name {
                        findings.push(Finding::not_analysed(function.span, why, translated));
                    }
                    continue;
                }
            };
            for found in report.findings.iter().filter(|found| is_own(&found.at.0)) {
                let finding = Finding::new(found, report, translated);
                if !findings.iter().any(|known| known.place() == finding.place()) {
                    findings.push(finding);
                }
            }
            if report.unseen(&translated.program).iter().any(is_own) {
                least = Verdict::NotAnalysed;
            }
            for location in report.lowered.points.iter().filter(|(p, _)| is_own(&p.procedure)).map(|(_, l)| *l) {
                stats.points += 1;
                stats.structures += report.analysis.solution.stores[location].as_slice().len();
            }
        }
        findings.sort_by(|a, b| a.place().cmp(&b.place()));
        let verdict = findings.iter().map(|finding| finding.verdict).fold(least, Verdict::max);
        FunctionReport { name: function.name.clone(), verdict, findings, stats }
    }
}

impl Finding {
    fn new(found: &Found, report: &Report, translated: &Translated) -> Finding {
        let (path, at) = translated.sources.locate(found.span);
        Finding {
            kind: found.kind.name(),
            verdict: if found.kind == FindingKind::NotAnalysed { Verdict::NotAnalysed } else { Verdict::MayFail },
            path: path.to_string(),
            line: at.line,
            column: at.column,
            message: found.text.clone(),
            definite: found.definite,
            trace: found.trace.iter().map(|step| Step::new(step, report, translated)).collect(),
        }
    }

    fn not_analysed(span: Span, why: &str, translated: &Translated) -> Finding {
        let (path, at) = translated.sources.locate(span);
        Finding {
            kind: FindingKind::NotAnalysed.name(),
            verdict: Verdict::NotAnalysed,
            path: path.to_string(),
            line: at.line,
            column: at.column,
            message: why.to_string(),
            definite: true,
            trace: Vec::new(),
        }
    }

    fn place(&self) -> (&str, usize, usize, &str) {
        (&self.path, self.line, self.column, self.kind)
    }
}

impl Step {
    fn new(step: &TraceStep, report: &Report, translated: &Translated) -> Step {
        let sources = &translated.sources;
        let (path, at) = sources.locate(step.place.span);
        Step {
            function: translated.program[step.place.procedure].name.clone(),
            path: path.to_string(),
            line: at.line,
            column: at.column,
            statement: one_line(sources.text(step.place.span)),
            structure: write_structure(&step.structure, &report.lowered.specification.vocabulary),
        }
    }
}

/// Source text without line breaks, the spaces around them, and what the preprocessor says in between.
pub fn one_line(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}
