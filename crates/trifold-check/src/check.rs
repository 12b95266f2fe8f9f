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
use trifold_ir::{FindingKind, Point};

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

/// Checks a program.
pub fn check(source: &Source, options: &Options, host: &Arc<dyn Host>) -> Result<Checked, Rejected> {
    let started = host.clock().unwrap_or_default();
    let now = || passed(&**host, started);
    let budget = |entry: &str, number: (usize, usize), end: Option<Duration>| {
        let left = end.map(|end| end.saturating_sub(now()));
        Budget::new(Round::Whole, host.clone(), entry.to_string(), number, options.allowance(left))
    };
    let (text, how) = (source.clone(), options.clone());
    let reading = Allowance {
        time: options.timeout.map(|time| time.max(READING.0)),
        mebibytes: if options.memory > 0 { options.memory.max(READING.1) } else { 0 },
        ..options.allowance(None)
    };
    let reading = Budget::new(Round::Whole, host.clone(), source.path.clone(), (1, 1), reading);
    let plan = reading.run(move || Plan::new(&text, &how));
    let Plan { translated, entries, globals, assumptions } = plan.map_err(Rejected::Stopped)??;
    let assertions = trifold_heap_sl::assertions(&translated.program);
    let counts = |kind| translated.language.counts(kind, options.lost_objects);
    let mut analyses = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        // The rest of the time is for all entries that are still to come, and some of it is to confirm findings.
        let share = |time: Duration| time.saturating_sub(now()) / (entries.len() - number) as u32;
        let share = options.timeout.map(share);
        let least = RUNNING / entries.len() as u32;
        let end = share.map(|share| now() + share.max(least));
        let procedure = match &entry.procedure {
            Ok(procedure) => *procedure,
            Err(why) => {
                let (outcome, witnesses) = (Err(why.clone()), Witnesses::default());
                analyses.push(EntryReport { entry: entry.name.clone(), outcome, witnesses, times: Default::default() });
                continue;
            }
        };
        let confirmation = Confirmation {
            translated: &translated,
            entry,
            procedure,
            globals,
            assertions: &assertions,
            counts: &counts,
        };
        let portfolio = Portfolio {
            translated: &translated,
            options,
            host,
            procedure,
            entry: (&entry.name, (number + 1, entries.len())),
            specified: entry.specified,
            time: share.map(|share| share / 10 * 9),
        };
        let Analysed { outcome, witnesses, times } = portfolio.analyse(&|outcome| match options.confirm {
            true => confirmation.confirm(outcome, &budget(&entry.name, (number + 1, entries.len()), end)),
            false => Witnesses::default(),
        });
        analyses.push(EntryReport { entry: entry.name.clone(), outcome: Ok(outcome), witnesses, times });
    }
    let mut report = Report::new(&translated, &analyses, options.entry.is_none(), assumptions);
    report.collected = !counts(FindingKind::Leak);
    report.time = passed(&**host, started);
    Ok(Checked { translated, entries, analyses, report })
}
