//! The result of a check for programs: JSON.

use super::analysed::{Analysed, Found, TraceStep};
use super::confirm::{Heap, Witness, Witnesses, key};
use super::standing::Suppressed;
use crate::source::{Function, Translated};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use trifold_ir::{FindingKind, ProcId, VarId};
use trifold_source::Span;

/// The version of the format; it changes when a field changes its meaning or goes away.
const VERSION: u32 = 2;

#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing can go wrong.
    Proved,
    /// Nothing was found, but not everything was analysed.
    NotAnalysed,
    /// Something may go wrong.
    MayFail,
    /// There is a run in which it does.
    Bug,
}

impl Verdict {
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::NotAnalysed => "not-analysed",
            Verdict::MayFail => "may-fail",
            Verdict::Bug => "bug",
        }
    }
}

#[derive(Serialize, Debug)]
pub struct FileReport {
    pub version: u32,
    pub file: String,
    /// `tvl`, `checkers`, or `checkers+tvl` if it took both.
    pub domain: &'static str,
    /// Why, where there was a choice.
    pub domain_why: Vec<String>,
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

#[derive(Serialize, Default, Debug)]
pub struct Stats {
    /// Points of the function.
    pub points: usize,
    /// Structures at all of them.
    pub structures: usize,
    /// Variables that were forgotten where nobody reads them any more.
    pub forgotten: usize,
    /// How long all analyses together were at these points.
    pub time_s: f64,
}

#[derive(Serialize, Debug)]
pub struct Finding {
    /// What stays the same when lines move.
    pub id: String,
    /// Why it does not count, if it does not.
    pub suppressed: Option<Suppressed>,
    pub kind: &'static str,
    pub verdict: Verdict,
    pub path: String,
    pub line: usize,
    pub column: usize,
    pub message: String,
    /// The source text of its place.
    #[serde(skip)]
    pub statement: String,
    /// Does it happen in all states that the last structure represents?
    pub definite: bool,
    /// Only of what is not analysed: does the analysis go on behind it, with nothing known of a part of memory?
    pub goes_on: Option<bool>,
    pub trace: Vec<Step>,
    /// Only of a bug.
    pub run: Option<ConfirmingRun>,
}

/// A run in which it happens.
#[derive(Serialize, Debug)]
pub struct ConfirmingRun {
    /// What the program leaves open, as it is chosen in the run.
    pub choices: Vec<i128>,
    /// The heap with which the function is called, in TVS, if nobody in the program calls it.
    pub input: Option<String>,
    /// The heap just before, in TVS, where it can be shown.
    pub heap: Option<String>,
}

#[derive(Serialize, Debug)]
pub struct Step {
    pub function: String,
    pub path: String,
    pub line: usize,
    pub column: usize,
    /// The source text.
    pub statement: String,
    /// What represents the heap behind it: a structure in TVS, or a shape graph.
    pub structure: String,
}

/// An analysis, and where it started.
pub struct Run {
    pub root: String,
    /// What came out, or why there was no analysis.
    pub outcome: Result<Analysed, String>,
    /// What runs confirm of it.
    pub witnesses: Witnesses,
    /// How long it was in which procedure.
    pub times: BTreeMap<ProcId, Duration>,
}

impl FileReport {
    pub fn new(file: &str, translated: &Translated, runs: &[Run], assumptions: Vec<String>, time_s: f64) -> FileReport {
        let reports = || runs.iter().filter_map(|run| run.outcome.as_ref().ok());
        let reached: BTreeSet<ProcId> = reports().flat_map(|report| report.procedures.clone()).collect();
        let is_root = |name: &str| runs.iter().any(|run| run.root == name);
        let (mut functions, mut unreached) = (Vec::new(), Vec::new());
        for function in &translated.functions {
            if is_root(&function.name) || function.procedures.iter().any(|p| reached.contains(p)) {
                functions.push(FunctionReport::new(function, translated, runs));
            } else if translated.sources.locate(function.span).0 == file {
                unreached.push(function.name.clone());
            }
        }
        let stop = reports().find_map(|report| report.stop);
        let least = reports().map(Analysed::verdict).fold(Verdict::Proved, Verdict::max);
        let domains: BTreeSet<&'static str> = reports().map(|report| report.domain).collect();
        let domain = match domains.first() {
            Some(one) if domains.len() == 1 => one,
            Some(_) => "checkers+tvl",
            None => "none",
        };
        name_findings(&mut functions);
        let reasons: BTreeSet<String> = reports().filter_map(|report| report.why.clone()).collect();
        FileReport {
            version: VERSION,
            file: file.to_string(),
            domain,
            domain_why: reasons.into_iter().collect(),
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

impl FileReport {
    /// All findings, with their functions.
    pub fn findings(&self) -> impl Iterator<Item = (&FunctionReport, &Finding)> {
        self.functions.iter().flat_map(|function| function.findings.iter().map(move |finding| (function, finding)))
    }

    /// How many findings do not count.
    pub fn suppressed(&self) -> usize {
        self.findings().filter(|(_, finding)| finding.suppressed.is_some()).count()
    }

    /// The verdict on what counts; none if everything that was found does not.
    pub fn counted(&self) -> Option<Verdict> {
        if self.suppressed() == 0 {
            return Some(self.verdict);
        }
        let gap = self.stop.is_some() || self.functions.iter().any(|function| function.verdict == Verdict::NotAnalysed);
        let open = self.findings().filter(|(_, finding)| finding.suppressed.is_none()).map(|(_, f)| f.verdict);
        open.chain(gap.then_some(Verdict::NotAnalysed)).max()
    }
}

/// Gives findings their identities: the path, the function, the kind, the statement, and which one it is of several that agree in these.
fn name_findings(functions: &mut [FunctionReport]) {
    let mut seen: FxHashMap<u64, u64> = FxHashMap::default();
    for function in functions {
        for finding in &mut function.findings {
            let parts = [finding.path.as_str(), function.name.as_str(), finding.kind, finding.statement.as_str()];
            let hash = parts.iter().flat_map(|part| part.bytes().chain([0])).fold(FNV_START, fnv);
            let number = seen.entry(hash).or_default();
            *number += 1;
            finding.id = format!("{hash:016x}:{number}");
        }
    }
}

/// The hash of Fowler, Noll and Vo: it must be the same in all versions of Trifold.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

impl FunctionReport {
    fn new(function: &Function, translated: &Translated, runs: &[Run]) -> FunctionReport {
        // What happens outside of functions, before or after them, happens in the one where the analysis started.
        let written = |procedure: &ProcId| translated.functions.iter().any(|f| f.procedures.contains(procedure));
        let mut findings: Vec<Finding> = Vec::new();
        let mut least = Verdict::Proved;
        let mut stats = Stats::default();
        let mut forgotten: BTreeSet<VarId> = BTreeSet::new();
        for run in runs {
            let is_own = |procedure: &ProcId| {
                function.procedures.contains(procedure) || run.root == function.name && !written(procedure)
            };
            let own_times = run.times.iter().filter(|(procedure, _)| is_own(procedure));
            stats.time_s += own_times.map(|(_, time)| time.as_secs_f64()).sum::<f64>();
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
                let finding = Finding::new(found, runs, translated);
                match findings.iter_mut().find(|known| known.place() == finding.place()) {
                    // What one of the analyses has not gone beyond is not analysed any further.
                    Some(known) if finding.goes_on == Some(false) => known.goes_on = finding.goes_on,
                    Some(known) if known.run.is_none() && finding.run.is_some() => *known = finding,
                    Some(_) => {}
                    None => findings.push(finding),
                }
            }
            // What only a run has come to.
            for witness in run.witnesses.values().filter(|witness| is_own(&witness.finding.point.procedure)) {
                let finding = Finding::of_run(witness, translated);
                if !findings.iter().any(|known| (known.kind, known.line) == (finding.kind, finding.line)) {
                    findings.push(finding);
                }
            }
            if report.unseen.iter().any(is_own) {
                least = Verdict::NotAnalysed;
            }
            for (_, structures) in report.points.iter().filter(|(procedure, _)| is_own(procedure)) {
                stats.points += 1;
                stats.structures += structures;
            }
            forgotten.extend(report.forgotten.iter().filter(|(id, _)| is_own(id)).flat_map(|(_, all)| all));
        }
        stats.forgotten = forgotten.len();
        findings.sort_by(|a, b| a.place().cmp(&b.place()));
        let verdict = findings.iter().map(|finding| finding.verdict).fold(least, Verdict::max);
        FunctionReport { name: function.name.clone(), verdict, findings, stats }
    }
}

impl Finding {
    fn new(found: &Found, runs: &[Run], translated: &Translated) -> Finding {
        // What one analysis finds may happen in a run from where another one started.
        let witness = runs.iter().find_map(|run| run.witnesses.get(&key(found.kind, found.span, translated)));
        let (path, at) = translated.sources.locate(found.span);
        Finding {
            id: String::new(),
            suppressed: None,
            kind: found.kind.name(),
            verdict: match witness {
                Some(_) => Verdict::Bug,
                None if found.kind == FindingKind::NotAnalysed => Verdict::NotAnalysed,
                None => Verdict::MayFail,
            },
            path: path.to_string(),
            line: at.line,
            column: at.column,
            message: found.text.clone(),
            statement: one_line(translated.sources.text(found.span)),
            definite: found.definite,
            goes_on: (found.kind == FindingKind::NotAnalysed).then_some(found.goes_on),
            trace: found.trace.iter().map(|step| Step::new(step, translated)).collect(),
            run: witness.map(ConfirmingRun::new),
        }
    }

    /// Something that a run has come to, but not the analysis.
    fn of_run(witness: &Witness, translated: &Translated) -> Finding {
        let (path, at) = translated.sources.locate(witness.finding.span);
        Finding {
            id: String::new(),
            suppressed: None,
            kind: witness.finding.kind.name(),
            verdict: Verdict::Bug,
            path: path.to_string(),
            line: at.line,
            column: at.column,
            message: witness.finding.text.clone(),
            statement: one_line(translated.sources.text(witness.finding.span)),
            definite: true,
            goes_on: None,
            trace: Vec::new(),
            run: Some(ConfirmingRun::new(witness)),
        }
    }

    fn not_analysed(span: Span, why: &str, translated: &Translated) -> Finding {
        let (path, at) = translated.sources.locate(span);
        Finding {
            id: String::new(),
            suppressed: None,
            kind: FindingKind::NotAnalysed.name(),
            verdict: Verdict::NotAnalysed,
            path: path.to_string(),
            line: at.line,
            column: at.column,
            message: why.to_string(),
            statement: one_line(translated.sources.text(span)),
            definite: true,
            goes_on: Some(false),
            trace: Vec::new(),
            run: None,
        }
    }

    /// What happens behind what is not analysed.
    pub fn beyond(&self) -> Option<&'static str> {
        self.goes_on.map(beyond)
    }

    fn place(&self) -> (&str, usize, usize, &str) {
        (&self.path, self.line, self.column, self.kind)
    }
}

impl ConfirmingRun {
    fn new(witness: &Witness) -> ConfirmingRun {
        let tvs = |heap: &Option<Heap>| heap.as_ref().map(|heap| heap.tvs.clone());
        ConfirmingRun { choices: witness.choices.clone(), input: tvs(&witness.input), heap: tvs(&witness.heap) }
    }
}

impl Step {
    fn new(step: &TraceStep, translated: &Translated) -> Step {
        let sources = &translated.sources;
        let (path, at) = sources.locate(step.span);
        Step {
            function: translated.program[step.procedure].name.clone(),
            path: path.to_string(),
            line: at.line,
            column: at.column,
            statement: one_line(sources.text(step.span)),
            structure: step.structure.clone(),
        }
    }
}

/// What happens behind what is not analysed, if the analysis goes on there or not.
pub fn beyond(goes_on: bool) -> &'static str {
    match goes_on {
        true => "the analysis goes on; what goes wrong in memory that this may change is not found",
        false => "what happens from here on is not analysed",
    }
}

/// Source text without line breaks, the spaces around them, and what the preprocessor says in between.
pub fn one_line(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}
