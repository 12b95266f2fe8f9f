//! A whole check: plan, analyses of all entries, report. For example, a file with the functions `f` and `g` and without
//! `main` has two entries, two analyses and one report.

use crate::analysis::{Clock, analyse};
use crate::assumptions::assumptions;
use crate::budget::{Allowance, Budget, Host, Round};
use crate::options::Options;
use crate::plan::{Entry, Plan};
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

/// Checks a program. If a limit ends its analysis, its functions are looked at one by one.
pub fn check(source: &Source, options: &Options, host: &Arc<dyn Host>) -> Result<Checked, Rejected> {
    let started = host.clock().unwrap_or_default();
    let (text, how) = (source.clone(), options.clone());
    let reading = Allowance {
        time: options.timeout.map(|time| time.max(READING.0)),
        mebibytes: if options.memory > 0 { options.memory.max(READING.1) } else { 0 },
        ..options.allowance(None)
    };
    let reading = Budget::new(Round::Whole, host.clone(), source.name.clone(), (1, 1), reading);
    let mut plan = reading.run(move || Plan::new(&text, &how)).map_err(Rejected::Stopped)??;
    // Some of the time is left for the functions of a program that is too large.
    let may_fall_apart = !plan.translated.is_library && !options.leaks_at_exit;
    let time = options.timeout.map(|time| if may_fall_apart { time / 4 * 3 } else { time });
    let clock = Clock { host, started, end: time };
    let mut analyses = analyse(&mut plan, options, &clock, Round::LastResort);
    let relied = assumptions(&plan, &analyses);
    let mut report = Report::new(&plan.translated, &analyses, options.entry.is_none(), relied);
    let mut translated = plan.translated.clone();
    let clock = Clock { end: options.timeout, ..clock };
    if may_fall_apart
        && !report.stops.is_empty()
        && report.verdict != Verdict::Bug
        && let Some(mut parts) = parts(&plan, options, &clock)
    {
        // A run of a function by itself says nothing about runs of the program.
        let by_itself = Options { confirm: false, ..options.clone() };
        let analysed = analyse(&mut parts, &by_itself, &clock, Round::Look);
        report.add_parts(Report::new(&parts.translated, &analysed, false, assumptions(&parts, &analysed)));
        analyses.extend(analysed);
        translated = parts.translated;
    }
    report.collected = !translated.language.counts(FindingKind::Leak, options.lost_objects);
    report.time = passed(&**host, started);
    Ok(Checked { translated, entries: plan.entries, analyses, report })
}

/// The plan for a program that is too large, if there is time to make it.
fn parts(plan: &Plan, options: &Options, clock: &Clock<'_>) -> Option<Plan> {
    let (whole, done, how) = (plan.translated.clone(), plan.names(), options.clone());
    let allowance = options.allowance(clock.left());
    let budget = Budget::new(Round::Whole, clock.host.clone(), whole.name.clone(), (1, 1), allowance);
    budget.run(move || Plan::of_parts(&whole, &done, &how)).ok()
}
