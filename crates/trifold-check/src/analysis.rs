//! The analyses of a plan: from `main`, from clients of a module, and from functions that nothing calls.
//!
//! For example, a module is analysed from its client; a helper that the client does not come to is then analysed with
//! arguments that are made up, and what would fail there becomes a precondition.

use crate::budget::{Budget, Host, Round};
use crate::client;
use crate::confirm::{Confirmation, Witnesses, key};
use crate::domain::{DomainName, Outcome};
use crate::needs::Needs;
use crate::options::{Language, Options};
use crate::plan::{ClientEntry, Entry, Globals, Library, Plan};
use crate::portfolio::{Analysed, Portfolio};
use crate::report::{EntryReport, Manner, passed};
use crate::shape::Shape;
use crate::source::Translated;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use trifold_ir::{Finding, FindingKind, Point, ProcId, Program, Verdict};
use trifold_passes::CallGraph;

/// And so much time is there for runs, because short runs show most bugs.
const RUNNING: Duration = Duration::from_millis(200);

/// If more operations than this are too hard for a client, none of them is looked at for long.
const FEW: usize = 8;

/// The time of a check.
#[derive(Clone, Copy)]
pub struct Clock<'a> {
    /// The surroundings, which have one.
    pub host: &'a Arc<dyn Host>,
    /// When the check began.
    pub started: Duration,
    /// When it must end after that.
    pub end: Option<Duration>,
}

impl Clock<'_> {
    fn passed(&self) -> Duration {
        passed(&**self.host, self.started)
    }

    /// How much is left.
    pub fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_sub(self.passed()))
    }
}

/// Analyses all entries of a plan. A function that a client covers is not analysed by itself.
pub fn analyse(plan: &mut Plan, options: &Options, clock: &Clock<'_>, last: Round) -> Vec<EntryReport> {
    let Plan { translated, entries, globals, library, .. } = plan;
    let assertions = trifold_heap_sl::assertions(&translated.program);
    let mut analyses = Vec::new();
    let mut covered = BTreeSet::new();
    for (number, entry) in entries.iter().enumerate() {
        if last == Round::Look && clock.left() == Some(Duration::ZERO) {
            break;
        }
        if entry.client.is_none() && entry.function.is_some_and(|function| covered.contains(&function)) {
            continue;
        }
        let number = (number + 1, entries.len());
        let share = (number.1 + 1 - number.0) as u32;
        let analysis = Analysis { options, clock, globals: *globals, assertions: &assertions, number, share };
        match (&entry.client, library.as_ref().filter(|_| !entry.specified && entry.procedure.is_ok())) {
            (Some(client), _) => {
                let found = analysis.of_client(entry, client, translated);
                covered.extend(found.iter().flat_map(|report| entered(&translated.program, report)));
                analyses.extend(found);
            }
            (None, Some(library)) if entry.function.is_some() => {
                let report = analysis.of_function(entry, library, translated, last);
                let reached = entry.function.map(|function| CallGraph::of(&translated.program).reached(function));
                let about = reached.into_iter().flatten().filter(|procedure| !covered.contains(procedure)).collect();
                analyses.push(EntryReport { about: Some(about), ..report });
            }
            _ => analyses.push(analysis.of(entry, translated, last)),
        }
    }
    analyses
}

/// The procedures that the states of an analysis come to.
fn entered<'a>(program: &'a Program, report: &'a EntryReport) -> impl Iterator<Item = ProcId> {
    let points = report.outcome.iter().flat_map(|outcome| &outcome.points);
    let entries = points.filter(|(point, count)| *count > 0 && point.node == program[point.procedure].entry);
    entries.map(|(point, _)| point.procedure)
}

/// The analysis of one entry of a plan.
struct Analysis<'a> {
    options: &'a Options,
    clock: &'a Clock<'a>,
    globals: Globals,
    assertions: &'a BTreeMap<(ProcId, usize), usize>,
    /// The number of the entry, among so many.
    number: (usize, usize),
    /// One in so many parts of the time that is left is for it.
    share: u32,
}

/// The share of a client: what it comes to is not analysed again.
const CLIENT_SHARE: u32 = 3;

impl Analysis<'_> {
    /// From an entry, of a program that may leave something out.
    fn of(&self, entry: &Entry, translated: &Translated, last: Round) -> EntryReport {
        self.of_rounds(entry, translated, (Round::Look, last))
    }

    fn of_rounds(&self, entry: &Entry, translated: &Translated, (first, last): (Round, Round)) -> EntryReport {
        let Analysis { options, clock, number: (_, all), .. } = *self;
        let procedure = match &entry.procedure {
            Ok(procedure) => *procedure,
            Err(why) => {
                return EntryReport { entry: entry.name.clone(), outcome: Err(why.clone()), ..EntryReport::default() };
            }
        };
        // The rest of the time is for all entries that are still to come, and some of it is to confirm findings.
        let share = clock.left().map(|left| left / self.share);
        let least = RUNNING / all as u32;
        let end = share.map(|share| clock.passed() + share.max(least));
        let counts = |kind| translated.language.counts(kind, options.lost_objects);
        let (globals, assertions) = (self.globals, self.assertions);
        let confirmation = Confirmation { translated, entry, procedure, globals, assertions, counts: &counts };
        let portfolio = Portfolio {
            translated,
            options,
            host: clock.host,
            procedure,
            entry: (&entry.name, self.number),
            specified: entry.specified,
            is_made_up: entry.function.is_some_and(|function| function != procedure),
            time: share.map(|share| share / 10 * 9),
            first,
            last,
        };
        let budget = || {
            let left = end.map(|end| end.saturating_sub(clock.passed()));
            Budget::new(Round::Whole, clock.host.clone(), entry.name.clone(), self.number, options.allowance(left))
        };
        let Analysed { outcome, witnesses, times } = portfolio.analyse(&|outcome| match options.confirm {
            true => confirmation.confirm(outcome, &budget()),
            false => Witnesses::default(),
        });
        EntryReport { entry: entry.name.clone(), outcome: Ok(outcome), witnesses, times, ..EntryReport::default() }
    }

    /// From a client. If it is not proved at once, it begins with a few operations, and others join it one after the
    /// other. One that is too hard is left out, and called at last by a client of its own.
    fn of_client(&self, entry: &Entry, client: &ClientEntry, translated: &Translated) -> Vec<EntryReport> {
        let Some(code) = &translated.client else { return Vec::new() };
        let manner = Manner::of_client(code);
        let (domain, another) = quick_domains(self.options, translated.language);
        let share = self.share.min(CLIENT_SHARE);
        let of = |domain| Options { domain, ..self.options.clone() };
        let (first, second) = (of(Some(domain)), of(another));
        let quick = Analysis { options: &first, share, ..*self };
        // Most clients are proved as a whole, if enough is done for that.
        let mut whole = quick.of_rounds(entry, translated, (Round::Further, Round::Further));
        if another.is_some() && !is_settled(&whole) && whole.witnesses.is_empty() {
            let other = Analysis { options: &second, share, ..*self }.of(entry, translated, Round::Look);
            whole = if findings(&other) < findings(&whole) { other } else { whole };
        }
        // An operation of Java that may fail is told of by itself; the others are known if the analysis came to its
        // end.
        let is_known = |report: &EntryReport| {
            let is_complete = |outcome: &Outcome| outcome.is_complete() && gaps(outcome).next().is_none();
            translated.language == Language::Java && report.outcome.as_ref().is_ok_and(is_complete)
        };
        if is_settled(&whole) || is_known(&whole) {
            return vec![EntryReport { manner, ..whole }];
        }
        let operations = client::by_weight(translated, client.thens.keys());
        let mut without: BTreeSet<String> = operations.iter().cloned().collect();
        let mut reduced = Translated { program: client::without(translated, code, &without), ..translated.clone() };
        let mut report = None;
        // All operations together without those that have something that is not analysed, or else one by one.
        let with_gaps = operations_with_gaps(translated, &operations, &whole);
        if !with_gaps.is_empty() && with_gaps.len() < operations.len() {
            let less = Translated { program: client::without(translated, code, &with_gaps), ..translated.clone() };
            let found = quick.of(entry, &less, Round::Look);
            if is_settled(&found) || is_known(&found) {
                (report, reduced, without) = (Some(found), less, with_gaps);
            }
        }
        let open: &[String] = if report.is_some() { &[] } else { &operations };
        for operation in open {
            without.remove(operation);
            let program = client::without(translated, code, &without);
            let more = Translated { program, ..translated.clone() };
            let found = quick.of(entry, &more, Round::Look);
            if is_settled(&found) || is_known(&found) {
                (report, reduced) = (Some(found), more);
            } else {
                without.insert(operation.clone());
            }
        }
        // A bug stays one, whatever else there is.
        let bugs = bugs_of(&whole, translated).map(|bugs| EntryReport { manner, ..bugs });
        let Some(report) = report else {
            let further = || EntryReport { manner, ..self.of(entry, translated, Round::Further) };
            return vec![if bugs.is_some() { EntryReport { manner, ..whole } } else { further() }];
        };
        let known: BTreeSet<ProcId> = entered(&translated.program, &report).collect();
        // An operation that changes nothing makes no difference to the others.
        let changing =
            without.iter().filter(|operation| client::weight(translated, operation) != client::Weight::Looks);
        let needs: Vec<String> = changing.map(|operation| format!("no call of {operation} before")).collect();
        let mut reports: Vec<EntryReport> = bugs.into_iter().collect();
        reports.push(EntryReport { manner, needs: needs.clone(), ..report });
        let round = if without.len() > FEW { Round::Look } else { Round::Further };
        for operation in &without {
            let name = format!("{} that calls {operation} at last", entry.name);
            let (procedure, function) = (Ok(client.thens[operation]), None);
            let last = Entry { name, procedure, specified: false, function, client: None };
            let found = quick.of(&last, &reduced, round);
            let all = CallGraph::of(&reduced.program).reached(client.thens[operation]);
            let about = all.into_iter().filter(|procedure| !known.contains(procedure)).collect();
            let manner = if client::is_held(translated, operation) { Manner::ClientApart } else { manner };
            reports.push(EntryReport { about: Some(about), manner, needs: needs.clone(), ..found });
        }
        reports
    }
}

impl Analysis<'_> {
    /// From a function that nothing calls, with arguments that are made up. What would fail becomes a precondition.
    fn of_function(&self, entry: &Entry, library: &Library, translated: &mut Translated, last: Round) -> EntryReport {
        let Some(target) = entry.function else { return self.of(entry, translated, last) };
        let missing = library.callers.missing(Arc::make_mut(&mut translated.program), target);
        let mut needs = Needs::declared(translated, target);
        needs.demands.apart = !missing.sharing;
        let mut shared = None;
        loop {
            let program = Arc::make_mut(&mut translated.program);
            let caller = library.callers.add(program, target, library.first, &needs.demands);
            let procedure = caller.map_err(|no| format!("there are no arguments to call it with: {}", no.why));
            let (name, function) = (entry.name.clone(), entry.function);
            let entry = Entry { name, procedure, specified: false, function, client: None };
            let round = if needs.demands.apart { last } else { Round::Look };
            let report = self.of(&entry, translated, round);
            let is_proved = report.outcome.as_ref().is_ok_and(|outcome| outcome.verdict() == Verdict::Proved);
            if !is_proved && needs.add(translated, target, &report) {
                continue;
            }
            let report = EntryReport { manner: Manner::Caller, needs: needs.texts(missing), ..report };
            if !is_proved && !needs.demands.apart {
                needs.demands.apart = true;
                shared = Some(report);
                continue;
            }
            // A function that looks for objects with two ways to them does not forbid them.
            return match shared {
                Some(shared) if goes_further(&shared, &report, target) => shared,
                _ => report,
            };
        }
    }
}

/// The findings of an analysis that happen in runs, and nothing else of it.
fn bugs_of(report: &EntryReport, translated: &Translated) -> Option<EntryReport> {
    let outcome = report.outcome.as_ref().ok().filter(|_| !report.witnesses.is_empty())?;
    let is_seen =
        |found: &&Finding<Shape>| report.witnesses.get(&key(found.kind, found.place.span, translated)).is_some();
    let findings = outcome.findings.iter().filter(is_seen).cloned().collect();
    let nothing = Outcome::nothing(*outcome.domains.0.first()?, &translated.program, outcome.stop);
    let about = Some(BTreeSet::new());
    let (entry, witnesses) = (report.entry.clone(), report.witnesses.clone());
    Some(EntryReport {
        entry,
        outcome: Ok(Outcome { findings, ..nothing }),
        witnesses,
        about,
        ..EntryReport::default()
    })
}

/// Does an analysis come to a point of a procedure that another one does not come to?
fn goes_further(one: &EntryReport, other: &EntryReport, procedure: ProcId) -> bool {
    let points = |report: &EntryReport| -> BTreeSet<Point> {
        let points = report.outcome.iter().flat_map(|outcome| outcome.points.clone());
        let reached = points.filter(|(point, count)| *count > 0 && point.procedure == procedure);
        reached.map(|(point, _)| point).collect()
    };
    !points(one).is_subset(&points(other))
}

/// The domain for clients that are tried, unless another one is asked for, and the one that has a look at the whole
/// client, too.
fn quick_domains(options: &Options, language: Language) -> (DomainName, Option<DomainName>) {
    match (options.domain, language) {
        (Some(only), _) => (only, None),
        (None, Language::C) => (DomainName::SeparationLogic, None),
        (None, Language::Java) => (DomainName::SeparationLogic, Some(DomainName::ThreeValued)),
    }
}

/// How much is left open: the fewer findings the better, if everything was looked at.
fn findings(report: &EntryReport) -> (bool, usize) {
    report.outcome.as_ref().map_or((true, 0), |outcome| (!outcome.is_complete(), outcome.findings.len()))
}

/// The procedures in which something is not analysed.
fn gaps(outcome: &Outcome) -> impl Iterator<Item = ProcId> {
    let gaps = outcome.findings.iter().filter(|finding| finding.kind == FindingKind::NotAnalysed);
    gaps.map(|finding| finding.place.at().0)
}

/// The operations that come to something that is not analysed.
fn operations_with_gaps(translated: &Translated, operations: &[String], whole: &EntryReport) -> BTreeSet<String> {
    let gaps: BTreeSet<ProcId> = whole.outcome.iter().flat_map(gaps).collect();
    let calls = CallGraph::of(&translated.program);
    let has_gap = |operation: &&String| {
        let mut functions = translated.functions.iter().filter(|function| function.name == **operation);
        functions.any(|function| {
            function.procedures.iter().flat_map(|procedure| calls.reached(*procedure)).any(|p| gaps.contains(&p))
        })
    };
    operations.iter().filter(has_gap).cloned().collect()
}

/// Is everything known of a client: it is proved, or all that was found in it happens in runs?
fn is_settled(report: &EntryReport) -> bool {
    let is_certain = |outcome: &Outcome| {
        outcome.verdict() == Verdict::Proved || outcome.is_complete() && !report.witnesses.is_empty()
    };
    report.outcome.as_ref().is_ok_and(is_certain)
}
