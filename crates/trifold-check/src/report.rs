//! The report of a check: a verdict for the file and for each of its functions, with findings. For example, a file with
//! a proved `f` and a `g` in which a finding is confirmed by a run has the verdict `bug`.

pub use crate::assumed::AssumedFunction;
use crate::assumed::{assumed, assumption};
use crate::budget::Host;
use crate::cause::causes;
use crate::confirm::{Witness, key};
use crate::domain::{Domains, Outcome};
pub use crate::entry_report::{EntryReport, Manner};
use crate::reach::Reach;
use crate::reproducer::Reproduced;
use crate::shape::Shape;
use crate::source::{Function, Translated};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use trifold_fixpoint::StopReason;
use trifold_ir::{Cause, Finding, FindingKind, Place, ProcId, Program, TraceStep, VarId, Verdict};
use trifold_passes::CallGraph;
use trifold_source::Span;

/// The report of a program.
pub struct Report {
    /// Its name: that of its file, if it is one.
    pub name: String,
    /// Its files.
    pub files: Vec<String>,
    /// The domains to which the verdict is due.
    pub domains: Domains,
    /// Why these, where there was a choice.
    pub domain_why: Vec<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The names of the entries from which it was analysed.
    pub entries: Vec<String>,
    /// The assumptions about callers, and about functions that are defined nowhere.
    pub assumptions: Vec<String>,
    /// The functions that are defined nowhere and of which something is assumed, each with its first call.
    pub assumed: Vec<AssumedFunction>,
    /// Why analyses ended before everything was found, if some did, with the names of their entries.
    pub stops: BTreeMap<StopReason, Vec<String>>,
    /// The functions that were analysed.
    pub functions: Vec<FunctionReport>,
    /// Functions of the file itself to which no entry leads: nothing is known about them.
    pub unreached: Vec<String>,
    /// Findings in code that belongs to no function, such as initialisers.
    pub elsewhere: Vec<Reported>,
    /// How long it took.
    pub time: Duration,
    /// Is memory collected, so that nothing is leaked?
    pub collected: bool,
}

/// The report of a function.
pub struct FunctionReport {
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// For whom the verdict holds.
    pub manner: Manner,
    /// The preconditions under which it does.
    pub needs: Vec<String>,
    /// The failures that may happen in it.
    pub findings: Vec<Reported>,
    /// Its lines that no analysed state comes to.
    pub missed_lines: Vec<usize>,
    /// Figures.
    pub stats: Stats,
}

impl FunctionReport {
    /// Is nothing known of it, and no reason either?
    fn is_open(&self) -> bool {
        matches!(self.verdict, Verdict::NotAnalysed | Verdict::NotReached) && self.findings.is_empty()
    }
}

/// Figures about a function.
#[derive(Default, Clone, Debug)]
pub struct Stats {
    /// Its points.
    pub points: usize,
    /// The shapes at all of them.
    pub structures: usize,
    /// Variables that were forgotten where no later statement reads them.
    pub forgotten: usize,
    /// How long all analyses together were at these points.
    pub time: Duration,
}

/// A finding in a report: its place in the text, the knowledge of all analyses about it, and a run in which it happens.
#[derive(Clone)]
pub struct Reported {
    /// An identity that stays the same when lines move.
    pub id: String,
    /// Why it does not count, if it does not.
    pub suppressed: Option<Suppressed>,
    /// Its kind.
    pub kind: FindingKind,
    /// The verdict on it.
    pub verdict: Verdict,
    /// Its place.
    pub span: Span,
    /// The file of that place.
    pub path: String,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The failure, in words.
    pub message: String,
    /// The source text of its place.
    pub statement: String,
    /// The procedure in which it happens.
    pub procedure: Option<ProcId>,
    /// Does it happen in every concrete state that the shape represents?
    pub definite: bool,
    /// Only of [`FindingKind::NotAnalysed`]: does the analysis go on after it, with nothing known of a part of memory?
    pub goes_on: Option<bool>,
    /// The heap just before, if an analysis found it.
    pub shape: Option<Shape>,
    /// The statements on the way there.
    pub trace: Vec<TraceStep<Shape>>,
    /// Places where it began, with the event at each of them.
    pub causes: Vec<(Span, String)>,
    /// A run in which it happens: only of a bug.
    pub witness: Option<Witness>,
    /// A program that shows it, or why there is none, if that was asked for: only of a bug.
    pub reproduced: Option<Result<Reproduced, String>>,
    /// What runs depend on that come to it and do not confirm it, because that is not computed as the program does.
    pub unconfirmed: Option<&'static str>,
    /// The number of the analysis that found it first, and its number there.
    pub order: (usize, usize),
}

/// Why a finding does not count.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Suppressed {
    /// A comment on its line says so.
    Comment,
    /// A rule of the configuration says so.
    Configuration,
    /// It was there before.
    Baseline,
}

impl Report {
    /// The report of all analyses of a file; or of some, if one entry was asked for.
    pub fn new(translated: &Translated, entries: &[EntryReport], is_whole: bool, assumptions: Vec<String>) -> Report {
        let outcomes = || entries.iter().filter_map(|entry| entry.outcome.as_ref().ok());
        let reached: BTreeSet<ProcId> = outcomes().flat_map(|outcome| outcome.procedures.clone()).collect();
        let is_entry = |name: &str| entries.iter().any(|entry| entry.entry == name);
        let reach = Reach::of(outcomes());
        let builder = Builder { translated, entries, calls: CallGraph::of(&translated.program), reach };
        let (mut functions, mut unreached) = (Vec::new(), Vec::new());
        // A function of a library that nothing in it refers to has no caller to be analysed from.
        let mut is_open = false;
        let checkers = trifold_heap_sl::checkers(&translated.program);
        for function in &translated.functions {
            if is_entry(&function.name) || function.procedures.iter().any(|p| reached.contains(p)) {
                // A checker that nothing executes says what others mean, and is no code to be proved.
                let is_checker = |procedure: &ProcId| checkers.contains(procedure);
                let known = builder.function(function);
                if known.verdict != Verdict::NotReached || !function.procedures.iter().any(is_checker) {
                    functions.push(known);
                }
            } else if translated.files.iter().any(|file| translated.sources.locate(function.span).0 == file) {
                unreached.push(function.name.clone());
                is_open |= is_whole && translated.is_library && function.procedures.is_empty();
            }
        }
        let mut elsewhere = builder.elsewhere(&functions);
        name_findings(&mut functions, &mut elsewhere);
        let least = outcomes().map(Outcome::verdict).fold(Verdict::Proved, Verdict::max);
        let least = if is_open { least.max(Verdict::NotAnalysed) } else { least };
        // A bug in a client, such as an object that no function ends, is one of the program.
        let least = elsewhere.iter().map(|finding| finding.verdict).fold(least, Verdict::max);
        // That a function is not reached says nothing against the others, but an entry should have been.
        let verdict_of = |function: &FunctionReport| match function.verdict {
            Verdict::NotReached if !is_entry(&function.name) => Verdict::Proved,
            verdict => verdict,
        };
        let assumed = assumed(translated, &reached);
        let mut assumptions = assumptions;
        assumptions.extend(assumption(&assumed));
        let mut stops: BTreeMap<StopReason, Vec<String>> = BTreeMap::new();
        for EntryReport { entry, outcome, .. } in entries {
            if let Some(outcome) = outcome.as_ref().ok().filter(|outcome| !outcome.stop.is_fixpoint()) {
                stops.entry(outcome.stop).or_default().push(entry.clone());
            }
        }
        let reasons: BTreeSet<String> = outcomes().filter_map(|outcome| outcome.why.clone()).collect();
        Report {
            name: translated.name.clone(),
            files: translated.files.clone(),
            domains: Domains(outcomes().flat_map(|outcome| outcome.domains.0.clone()).collect()),
            domain_why: reasons.into_iter().collect(),
            verdict: functions.iter().map(verdict_of).fold(least, Verdict::max),
            entries: entries.iter().map(|entry| entry.entry.clone()).collect(),
            assumptions,
            assumed,
            stops,
            elsewhere,
            functions,
            unreached,
            time: Duration::ZERO,
            collected: false,
        }
    }

    /// Adds what is known of functions by themselves, where nothing is known of them in the whole program.
    pub(crate) fn add_parts(&mut self, parts: Report) {
        self.assumptions.extend(parts.assumptions);
        for part in parts.functions {
            let known = self.functions.iter_mut().find(|function| function.name == part.name);
            if let Some(known) = known.filter(|known| known.is_open()) {
                let time = known.stats.time;
                *known = part;
                known.stats.time += time;
            }
        }
        name_findings(&mut self.functions, &mut self.elsewhere);
    }

    /// All findings, with their functions.
    pub fn findings(&self) -> impl Iterator<Item = (&FunctionReport, &Reported)> {
        self.functions.iter().flat_map(|function| function.findings.iter().map(move |finding| (function, finding)))
    }

    /// All findings, those of one cause together: the surest first, and otherwise in the order in which the analyses
    /// found them. A finding that does not count has no others beside it.
    pub fn by_cause(&self) -> Vec<Vec<&Reported>> {
        let mut all: Vec<&Reported> = self.findings().map(|(_, finding)| finding).chain(&self.elsewhere).collect();
        all.sort_by_key(|finding| (finding.rank(), finding.order));
        let mut groups: Vec<Vec<&Reported>> = Vec::new();
        for finding in all {
            match groups.iter_mut().find(|group| group[0].has_cause_of(finding)) {
                Some(group) => group.push(finding),
                None => groups.push(vec![finding]),
            }
        }
        groups
    }

    /// Which limits ended what, and what could be done, in words.
    pub fn stop_notes(&self) -> Vec<String> {
        let is_alone = self.entries.len() == 1;
        let note = |(stop, entries): (&StopReason, &Vec<String>)| {
            let why = stop_in_words(*stop);
            let shown: Vec<String> = entries.iter().take(SHOWN_ENTRIES).map(|entry| format!("`{entry}`")).collect();
            let more = match entries.len().saturating_sub(SHOWN_ENTRIES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            if is_alone { why.to_string() } else { format!("from {}{more}: {why}", shown.join(", ")) }
        };
        self.stops.iter().map(note).collect()
    }

    /// How many findings do not count.
    pub fn suppressed(&self) -> usize {
        self.findings().filter(|(_, finding)| finding.suppressed.is_some()).count()
    }

    /// The verdict on the findings that count; none if there are findings and none of them does.
    pub fn counted(&self) -> Option<Verdict> {
        if self.suppressed() == 0 {
            return Some(self.verdict);
        }
        let gap =
            !self.stops.is_empty() || self.functions.iter().any(|function| function.verdict == Verdict::NotAnalysed);
        let open = self.findings().filter(|(_, finding)| finding.suppressed.is_none()).map(|(_, f)| f.verdict);
        open.chain(gap.then_some(Verdict::NotAnalysed)).max()
    }
}

/// Gives findings their identities: the path, the function, the kind, the statement, and the number among those that
/// agree in these.
fn name_findings(functions: &mut [FunctionReport], elsewhere: &mut [Reported]) {
    let mut seen: FxHashMap<u64, u64> = FxHashMap::default();
    let of_functions = functions.iter_mut().map(|function| (function.name.as_str(), &mut function.findings[..]));
    for (function, findings) in of_functions.chain([("", elsewhere)]) {
        for finding in findings {
            let parts = [finding.path.as_str(), function, finding.kind.name(), finding.statement.as_str()];
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

/// So many entries are named where a limit ended their analyses.
const SHOWN_ENTRIES: usize = 5;

/// Said of a place at which all analysed states end, though the program could go on.
const DEAD_END: &str =
    "no analysed state goes on here: what is assumed is never the case, or the check before always fails";

struct Builder<'a> {
    translated: &'a Translated,
    entries: &'a [EntryReport],
    calls: CallGraph,
    reach: Reach,
}

impl Builder<'_> {
    fn function(&self, function: &Function) -> FunctionReport {
        // Code outside of functions, which runs before or after them, belongs to the entry.
        let all = &self.translated.functions;
        let is_written = |procedure: &ProcId| all.iter().any(|f| f.procedures.contains(procedure));
        let mut findings: Vec<Reported> = Vec::new();
        let mut least = Verdict::Proved;
        let mut stats = Stats::default();
        let mut forgotten: BTreeSet<VarId> = BTreeSet::new();
        for (number, entry) in self.entries.iter().enumerate() {
            let is_own = |procedure: &ProcId| {
                function.procedures.contains(procedure) || entry.entry == function.name && !is_written(procedure)
            };
            // What is found counts wherever it is, but what is left open only where nothing else is known.
            let is_meant = |procedure: &ProcId| {
                entry.about.as_ref().is_none_or(|about| about.contains(procedure) || !is_written(procedure))
            };
            let own_times = entry.times.iter().filter(|(procedure, _)| is_own(procedure) && is_meant(procedure));
            stats.time += own_times.map(|(_, time)| *time).sum::<Duration>();
            let outcome = match &entry.outcome {
                Ok(outcome) => outcome,
                Err(why) => {
                    if entry.entry == function.name {
                        findings.push(self.not_analysed(function, why, number));
                    }
                    continue;
                }
            };
            for (position, found) in outcome.findings.iter().enumerate() {
                if is_own(&found.place.procedure) {
                    add(self.found(found, (number, position)), &mut findings);
                }
            }
            // An assumption in a function that is called matters if no state comes to the end because of it.
            let matters = entry.entry == function.name || !self.comes_to_an_end(entry);
            if matters && outcome.verdict() == Verdict::Proved {
                findings.extend(self.dead_ends(function, (number, outcome.findings.len())));
            }
            // Failures that only a run has come to.
            let witnesses = entry.witnesses.values().filter(|witness| entry.counts(witness)).enumerate();
            for (position, witness) in witnesses.filter(|(_, w)| is_own(&w.incident.point.procedure)) {
                let finding = self.of_run(witness, (number, outcome.findings.len() + position));
                if !findings.iter().any(|known| (known.kind, known.line) == (finding.kind, finding.line)) {
                    findings.push(finding);
                }
            }
            if outcome.unanalysed.iter().any(|procedure| is_own(procedure) && is_meant(procedure)) {
                least = Verdict::NotAnalysed;
            }
            for (_, structures) in
                outcome.points.iter().filter(|(point, _)| is_own(&point.procedure) && is_meant(&point.procedure))
            {
                stats.points += 1;
                stats.structures += structures;
            }
            forgotten.extend(outcome.forgotten.iter().filter(|(id, _)| is_own(id)).flat_map(|(_, all)| all));
        }
        stats.forgotten = forgotten.len();
        findings.sort_by(|a, b| a.place().cmp(&b.place()));
        let mut verdict = findings.iter().map(|finding| finding.verdict).fold(least, Verdict::max);
        let Translated { program, sources, .. } = self.translated;
        let mut missed_lines = Vec::new();
        if verdict != Verdict::NotAnalysed {
            missed_lines = self.reach.missed_lines(program, &function.procedures, sources);
        }
        let (manner, needs) = self.manner(function);
        if verdict == Verdict::Proved && !needs.is_empty() {
            verdict = Verdict::Needs;
        }
        if matches!(verdict, Verdict::Proved | Verdict::Needs)
            && !function.procedures.iter().any(|p| self.reach.enters(program, *p))
        {
            verdict = Verdict::NotReached;
        }
        let path = sources.locate(function.span).0.to_string();
        FunctionReport { name: function.name.clone(), path, verdict, manner, needs, findings, missed_lines, stats }
    }

    /// For whom the verdict on a function holds: of those that come to it, who asks least.
    fn manner(&self, function: &Function) -> (Manner, Vec<String>) {
        let comes = |entry: &&EntryReport| {
            let mut points = entry.outcome.iter().flat_map(|outcome| &outcome.points);
            points.any(|(point, count)| *count > 0 && function.procedures.contains(&point.procedure))
        };
        let coming = self.entries.iter().filter(comes);
        let least = coming.min_by_key(|entry| (entry.manner, entry.needs.len()));
        least.map_or_else(Default::default, |entry| (entry.manner, entry.needs.clone()))
    }

    /// Does a state come to the end of the function that is analysed?
    fn comes_to_an_end(&self, entry: &EntryReport) -> bool {
        let program = &self.translated.program;
        let all = self.translated.functions.iter().filter(|function| function.name == entry.entry);
        all.flat_map(|function| &function.procedures).any(|procedure| self.reach.leaves(program, *procedure))
    }

    /// The places of an entry at which all of its analysed states end.
    fn dead_ends(&self, function: &Function, order: (usize, usize)) -> Vec<Reported> {
        let program = &self.translated.program;
        let mut ends = Vec::new();
        for procedure in &function.procedures {
            for edge in self.reach.dead_ends(program, *procedure) {
                let (text, span) = (DEAD_END, program[*procedure].edges[edge].span);
                let end = self.reported(FindingKind::NotAnalysed, span, text, order);
                ends.push(Reported { procedure: Some(*procedure), goes_on: Some(false), ..end });
            }
        }
        ends
    }

    /// Findings that no function has.
    fn elsewhere(&self, functions: &[FunctionReport]) -> Vec<Reported> {
        let known = |finding: &Reported| {
            let mut all = functions.iter().flat_map(|function| &function.findings);
            all.any(|known| (known.kind, known.span) == (finding.kind, finding.span))
        };
        let mut elsewhere = Vec::new();
        for (number, entry) in self.entries.iter().enumerate() {
            let findings = entry.outcome.iter().flat_map(|outcome| &outcome.findings).enumerate();
            for (position, found) in findings {
                let finding = self.found(found, (number, position));
                if !known(&finding) {
                    add(finding, &mut elsewhere);
                }
            }
        }
        elsewhere
    }

    /// A finding of an analysis.
    fn found(&self, found: &Finding<Shape>, order: (usize, usize)) -> Reported {
        let Place { procedure, span, .. } = found.place;
        // A finding of one analysis may happen in a run from the entry of another one.
        let key = key(found.kind, span, self.translated);
        let witness = self.entries.iter().find_map(|entry| entry.confirming(&key));
        let cause = self.entries.iter().find_map(|entry| entry.witnesses.inexact(&key));
        Reported {
            verdict: match witness {
                Some(_) => Verdict::Bug,
                None if found.kind == FindingKind::NotAnalysed => Verdict::NotAnalysed,
                None => Verdict::MayFail,
            },
            procedure: Some(procedure),
            definite: found.definite,
            goes_on: (found.kind == FindingKind::NotAnalysed).then_some(found.goes_on),
            shape: Some(found.state.clone()),
            trace: witness.map_or_else(|| found.trace.clone(), |witness| witness.steps.clone()),
            unconfirmed: cause.filter(|_| witness.is_none()).map(Cause::text),
            causes: causes(found, &self.translated.program, &self.calls),
            witness: witness.cloned(),
            ..self.reported(found.kind, span, &found.text, order)
        }
    }

    /// A failure that a run has come to, but no analysis.
    fn of_run(&self, witness: &Witness, order: (usize, usize)) -> Reported {
        let incident = &witness.incident;
        Reported {
            verdict: Verdict::Bug,
            procedure: Some(incident.point.procedure),
            trace: witness.steps.clone(),
            witness: Some(witness.clone()),
            ..self.reported(incident.kind, incident.span, &incident.text, order)
        }
    }

    /// A function that could not be analysed.
    fn not_analysed(&self, function: &Function, why: &str, entry: usize) -> Reported {
        Reported { goes_on: Some(false), ..self.reported(FindingKind::NotAnalysed, function.span, why, (entry, 0)) }
    }

    fn reported(&self, kind: FindingKind, span: Span, message: &str, order: (usize, usize)) -> Reported {
        let (path, at) = self.translated.sources.locate(span);
        Reported {
            id: String::new(),
            suppressed: None,
            kind,
            verdict: Verdict::NotAnalysed,
            span,
            path: path.to_string(),
            line: at.line,
            column: at.column,
            message: message.to_string(),
            statement: one_line(self.translated.sources.text(span)),
            procedure: None,
            definite: true,
            goes_on: None,
            shape: None,
            trace: Vec::new(),
            causes: Vec::new(),
            witness: None,
            reproduced: None,
            unconfirmed: None,
            order,
        }
    }
}

/// Adds a finding, unless it is known.
fn add(finding: Reported, findings: &mut Vec<Reported>) {
    match findings.iter_mut().find(|known| known.place() == finding.place()) {
        // A statement that one of the analyses has not gone beyond is not analysed any further.
        Some(known) if finding.goes_on == Some(false) => known.goes_on = finding.goes_on,
        Some(_) => {}
        None => findings.push(finding),
    }
}

impl Reported {
    /// The surer, the less: bugs, then what happens in all states of a shape, then what may happen, then gaps.
    pub fn rank(&self) -> usize {
        match self.verdict {
            Verdict::Bug => 0,
            Verdict::MayFail if self.definite => 1,
            Verdict::MayFail => 2,
            Verdict::NotAnalysed | Verdict::NotReached | Verdict::Needs | Verdict::Proved => 3,
        }
    }

    /// Are two findings one: at the same place, or of objects that were lost and come from the same places?
    fn has_cause_of(&self, other: &Reported) -> bool {
        let causes = |finding: &Reported| finding.causes.iter().map(|(span, _)| *span).collect::<Vec<_>>();
        let is_one_leak = self.kind == FindingKind::Leak && !self.causes.is_empty() && causes(self) == causes(other);
        let counts = self.suppressed.is_none() && other.suppressed.is_none();
        counts && self.kind == other.kind && (self.span == other.span || is_one_leak && self.rank() == other.rank())
    }

    /// The consequence of a statement that is not analysed.
    pub fn beyond(&self) -> Option<&'static str> {
        self.goes_on.map(|goes_on| match goes_on {
            true => "the analysis goes on; what goes wrong in memory that this may change is not found",
            false => "what happens from here on is not analysed",
        })
    }

    /// Did an analysis find it, not only a run?
    pub fn is_foreseen(&self) -> bool {
        self.shape.is_some()
    }

    /// The name of the procedure in which it happens.
    pub fn function<'p>(&self, program: &'p Program) -> Option<&'p str> {
        self.procedure.map(|procedure| program[procedure].name.as_str())
    }

    fn place(&self) -> (&str, usize, usize, &str) {
        (&self.path, self.line, self.column, self.kind.name())
    }
}

/// Source text without line breaks, the spaces around them, and lines of the preprocessor in between.
pub fn one_line(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// The time that has passed, for a host with a clock.
pub(crate) fn passed(host: &dyn Host, started: Duration) -> Duration {
    host.clock().unwrap_or_default().saturating_sub(started)
}

/// The reason why an analysis ended, in words for readers of a report.
pub fn stop_in_words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::TooLarge => "a structure became too large",
        reason => reason.sentence(),
    }
}
