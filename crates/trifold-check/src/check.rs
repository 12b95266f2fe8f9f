//! A whole check: plan, analyses of all entries, report. For example, a file with the functions `f` and `g` and without
//! `main` has two entries, two analyses and one report.

use crate::budget::{Allowance, Budget, Host, Round};
use crate::confirm::{Confirmation, Witnesses};
use crate::options::Options;
use crate::plan::{Entry, Plan};
use crate::portfolio::{Analysed, Portfolio};
use crate::report::{EntryReport, Report, passed};
use crate::shape::Shape;
use crate::source::{Rejected, Source, Translated};
use std::sync::Arc;
use std::time::Duration;
use trifold_heap_tvl::{NamedRoles, Precision, lower};
use trifold_ir::{FindingKind, Point, Verdict};

/// A program that was checked.
pub struct Checked {
    /// The program.
    pub translated: Translated,
    /// Where it was analysed from.
    pub entries: Vec<Entry>,
    /// The results, entry by entry.
    pub analyses: Vec<EntryReport>,
    /// The report.
    pub report: Report,
}

impl Checked {
    /// The specification that the three-valued domain analyses, and its input, as TVP and TVS; only if there is one
    /// entry.
    pub fn specification(&self, precision: Precision, roles: &NamedRoles) -> Option<[String; 2]> {
        let [only] = &self.entries[..] else { return None };
        let entry = *only.procedure.as_ref().ok()?;
        let lowered = lower(&self.translated.program, entry, precision, roles);
        let specification = trifold_tvp::print_specification(&lowered.specification);
        let input = trifold_tvp::write_structure(&lowered.initial, &lowered.specification.vocabulary);
        Some([specification, input])
    }

    /// The shapes at program points, entry by entry, if they were [kept](Options::keep_shapes).
    pub fn shapes(&self) -> impl Iterator<Item = (Point, &[Shape])> {
        let outcomes = self.analyses.iter().filter_map(|analysis| analysis.outcome.as_ref().ok());
        let points = outcomes.filter_map(|outcome| outcome.shapes.as_ref()).flat_map(|shapes| &shapes.points);
        points.map(|(point, shapes)| (*point, &shapes[..]))
    }
}

impl Checked {
    /// Gives up the shapes of program points, which take memory. Findings keep theirs.
    pub fn forget_shapes(&mut self) {
        for outcome in self.analyses.iter_mut().filter_map(|analysis| analysis.outcome.as_mut().ok()) {
            outcome.shapes = None;
        }
    }
}

/// A program is read even if there is less time and memory (in MiB), because otherwise there is nothing to be told.
const READING: (Duration, u64) = (Duration::from_millis(500), 128);

/// And so much time is there for runs, because short runs show most bugs.
const RUNNING: Duration = Duration::from_millis(200);

/// Checks a program. If a limit ends its analysis, its functions are looked at one by one.
pub fn check(source: &Source, options: &Options, host: &Arc<dyn Host>) -> Result<Checked, Rejected> {
    let started = host.clock().unwrap_or_default();
    let (text, how) = (source.clone(), options.clone());
    let reading = Allowance {
        time: options.timeout.map(|time| time.max(READING.0)),
        mebibytes: if options.memory > 0 { options.memory.max(READING.1) } else { 0 },
        ..options.allowance(None)
    };
    let reading = Budget::new(Round::Whole, host.clone(), source.path.clone(), (1, 1), reading);
    let plan = reading.run(move || Plan::new(&text, &how)).map_err(Rejected::Stopped)??;
    let counts = |kind| plan.translated.language.counts(kind, options.lost_objects);
    // Some of the time is left for the functions of a program that is too large.
    let may_fall_apart = !plan.translated.is_library && !options.leaks_at_exit;
    let time = options.timeout.map(|time| if may_fall_apart { time / 4 * 3 } else { time });
    let clock = Clock { host, started, end: time };
    let mut analyses = analyse(&plan, options, &clock, Round::LastResort);
    let mut report = Report::new(&plan.translated, &analyses, options.entry.is_none(), plan.assumptions.clone());
    let mut translated = plan.translated.clone();
    let clock = Clock { end: options.timeout, ..clock };
    if may_fall_apart
        && !report.stops.is_empty()
        && report.verdict != Verdict::Bug
        && let Some(parts) = parts(&plan, options, &clock)
    {
        // A run of a function by itself says nothing about runs of the program.
        let by_itself = Options { confirm: false, ..options.clone() };
        let analysed = analyse(&parts, &by_itself, &clock, Round::Look);
        report.add_parts(Report::new(&parts.translated, &analysed, false, parts.assumptions));
        analyses.extend(analysed);
        translated = parts.translated;
    }
    report.collected = !counts(FindingKind::Leak);
    report.time = passed(&**host, started);
    Ok(Checked { translated, entries: plan.entries, analyses, report })
}

/// The plan for a program that is too large, if there is time to make it.
fn parts(plan: &Plan, options: &Options, clock: &Clock<'_>) -> Option<Plan> {
    let (whole, done, how) = (plan.translated.clone(), plan.names(), options.clone());
    let allowance = options.allowance(clock.left());
    let budget = Budget::new(Round::Whole, clock.host.clone(), whole.path.clone(), (1, 1), allowance);
    budget.run(move || Plan::of_parts(&whole, &done, &how)).ok()
}

/// The time of a check.
#[derive(Clone, Copy)]
struct Clock<'a> {
    host: &'a Arc<dyn Host>,
    /// When it began, and when it must end after that.
    started: Duration,
    end: Option<Duration>,
}

impl Clock<'_> {
    fn passed(&self) -> Duration {
        passed(&**self.host, self.started)
    }

    fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_sub(self.passed()))
    }
}

/// Analyses all entries of a plan.
fn analyse(plan: &Plan, options: &Options, clock: &Clock<'_>, last: Round) -> Vec<EntryReport> {
    let Plan { translated, entries, globals, .. } = plan;
    let assertions = trifold_heap_sl::assertions(&translated.program);
    let counts = |kind| translated.language.counts(kind, options.lost_objects);
    let mut analyses = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        if last == Round::Look && clock.left() == Some(Duration::ZERO) {
            break;
        }
        // The rest of the time is for all entries that are still to come, and some of it is to confirm findings.
        let share = clock.left().map(|left| left / (entries.len() - number) as u32);
        let least = RUNNING / entries.len() as u32;
        let end = share.map(|share| clock.passed() + share.max(least));
        let procedure = match &entry.procedure {
            Ok(procedure) => *procedure,
            Err(why) => {
                let (outcome, witnesses) = (Err(why.clone()), Witnesses::default());
                analyses.push(EntryReport { entry: entry.name.clone(), outcome, witnesses, times: Default::default() });
                continue;
            }
        };
        let number = (number + 1, entries.len());
        let confirmation =
            Confirmation { translated, entry, procedure, globals: *globals, assertions: &assertions, counts: &counts };
        let portfolio = Portfolio {
            translated,
            options,
            host: clock.host,
            procedure,
            entry: (&entry.name, number),
            specified: entry.specified,
            is_made_up: entry.function.is_some_and(|function| function != procedure),
            time: share.map(|share| share / 10 * 9),
            last,
        };
        let budget = || {
            let left = end.map(|end| end.saturating_sub(clock.passed()));
            Budget::new(Round::Whole, clock.host.clone(), entry.name.clone(), number, options.allowance(left))
        };
        let Analysed { outcome, witnesses, times } = portfolio.analyse(&|outcome| match options.confirm {
            true => confirmation.confirm(outcome, &budget()),
            false => Witnesses::default(),
        });
        analyses.push(EntryReport { entry: entry.name.clone(), outcome: Ok(outcome), witnesses, times });
    }
    analyses
}
