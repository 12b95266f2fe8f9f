//! Runs of the abstract domains on a program, within the time and the memory that there are.
//!
//! A run asks now and then whether it is to go on, and has something to show when it is not. What does not ask in time, because
//! the program is large or a single step is long, is left behind on its thread: it ends with the command.

use super::analysed::Analysed;
use super::confirm::{Witnesses, is_certain, keys};
use super::report::Verdict;
use crate::arguments::{CheckOptions, DomainChoice};
use crate::budget::Budget;
use crate::meter::{SharedMeter, Task};
use crate::pictures::heap;
use crate::progress::Progress;
use crate::source::{Language, Translated};
use crate::summaries;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use trifold_fixpoint::SolverOptions;
use trifold_ir::{FindingKind, ProcId, Program};
use trifold_passes::without_unread;
use trifold_structure::Structure;
use trifold_tvl::Limits;

/// What a run may take longer than its time to come to an end.
const GRACE: Duration = Duration::from_millis(500);

/// How often it is looked whether a run takes too much.
const POLL: Duration = Duration::from_millis(50);

/// The stack of a run: formulas about large programs are deep.
const STACK: usize = 64 << 20;

/// So many structures are a first look at a program, and so many further ones, which take about as long as what the domain of checkers does then.
const LOOK: usize = 40_000;
const FURTHER: usize = 1_000_000;

/// What is seen of the runs from one root.
pub struct Watch {
    /// What is under way.
    pub task: Task,
    /// How long all runs together were in which procedure.
    pub times: RefCell<BTreeMap<ProcId, Duration>>,
}

impl Watch {
    fn meter(&self, time: Option<Duration>, options: &CheckOptions) -> SharedMeter {
        SharedMeter::new(Task { time, ..self.task.clone() }, options.quiet)
    }

    /// A run has ended, or is left behind.
    fn add(&self, meter: &SharedMeter, program: &Program) {
        let procedures: Vec<ProcId> = program.procedure_ids().collect();
        for (part, time) in meter.get().finish() {
            *self.times.borrow_mut().entry(procedures[part]).or_default() += time;
        }
    }
}

/// An abstract domain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Domain {
    Checkers,
    Structures,
}

/// How far a domain goes: about ten times as far each time, and the last time as far as it can. What is proved at all is mostly proved soon, and what is
/// not can take any time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Look,
    Further,
    Whole,
}

/// Runs the domains that are wanted, and says what runs confirm of the result.
///
/// Each has a look before one goes further. If one proves everything, or if all that it finds happens in runs, that is it. Of programs in C the domain of
/// checkers is asked first, which is fast. Programs in Java call a lot and free nothing, which suits structures on local heaps.
pub fn analyse(
    translated: &Arc<Translated>,
    entry: ProcId,
    options: &CheckOptions,
    time: Option<Duration>,
    watch: &Watch,
    confirm: &dyn Fn(&Analysed) -> Witnesses,
) -> (Analysed, Witnesses) {
    use {Domain::*, Extent::*};
    let domains: &[Domain] = match options.domain {
        // Only the domain of checkers knows what contracts say about memory.
        DomainChoice::Auto if !translated.program.contracts.is_empty() => &[Checkers],
        // Only structures have summaries.
        DomainChoice::Auto if options.summaries.is_some() => &[Structures],
        DomainChoice::Checkers => &[Checkers],
        DomainChoice::Tvl => &[Structures],
        DomainChoice::Auto if translated.language == Language::Java => &[Structures, Checkers],
        DomainChoice::Auto => &[Checkers, Structures],
    };
    let extents: &[Extent] = if domains.len() > 1 { &[Look, Further, Whole] } else { &[Whole] };
    let steps: Vec<(Domain, Extent)> =
        extents.iter().flat_map(|extent| domains.iter().map(|domain| (*domain, *extent))).collect();
    let started = Instant::now();
    let mut known: BTreeMap<Domain, Analysed> = BTreeMap::new();
    let (mut witnesses, mut sought) = (Witnesses::new(), None);
    for (number, &(domain, extent)) in steps.iter().enumerate() {
        // A bug that runs show stays. It is not worth going to the end then, nor any further if everything was looked at.
        let is_complete = known.values().any(|before| before.stop.is_none());
        let is_enough = !witnesses.is_empty() && (extent == Whole || extent == Further && is_complete);
        if is_enough || known.get(&domain).is_some_and(|before| !before.cut_short) {
            continue;
        }
        let left = time.map(|time| time.saturating_sub(started.elapsed()));
        // Half of the time is left for what comes then.
        let time = if number + 1 == steps.len() { left } else { left.map(|left| left / 2) };
        let analysed = match domain {
            Checkers => by_checkers(translated, entry, options, extent, time, watch),
            Structures => by_structures(translated, entry, options, extent, time, watch),
        };
        // Runs are looked for once for whatever is found.
        let found = keys(&analysed, translated);
        if sought.as_ref().is_none_or(|sought| !found.is_subset(sought)) {
            witnesses.extend(confirm(&analysed));
            sought.get_or_insert_default().extend(found);
        }
        if analysed.verdict() == Verdict::Proved || is_certain(&analysed, &witnesses, translated) {
            return (analysed, witnesses);
        }
        known.insert(domain, analysed);
    }
    let best = match (known.remove(&Checkers), known.remove(&Structures)) {
        (Some(checkers), Some(structures)) => Analysed::better_of(checkers, structures),
        (checkers, structures) => checkers.or(structures).expect("there is a step"),
    };
    (best, witnesses)
}

/// Functions that say with checkers, or in contracts, what their arguments are can only be analysed in the domain of checkers.
pub fn specified(
    translated: &Arc<Translated>,
    entry: ProcId,
    options: &CheckOptions,
    time: Option<Duration>,
    watch: &Watch,
    confirm: &dyn Fn(&Analysed) -> Witnesses,
) -> (Analysed, Witnesses) {
    let how = if translated.program.contracts.contains_key(&entry) { "in contracts" } else { "with checkers" };
    let why = format!("by the domain of checkers, since functions say {how} what their arguments are");
    let analysed = Analysed { why: Some(why), ..by_checkers(translated, entry, options, Extent::Whole, time, watch) };
    let witnesses = confirm(&analysed);
    (analysed, witnesses)
}

fn by_checkers(
    translated: &Arc<Translated>,
    entry: ProcId,
    options: &CheckOptions,
    extent: Extent,
    time: Option<Duration>,
    watch: &Watch,
) -> Analysed {
    let (shared, for_page) = (translated.clone(), options.draws());
    let keep_dead = options.keep_dead;
    let budget = Arc::new(Budget::new(time, options.memory));
    let meter = watch.meter(time, options);
    let (own, shown) = (budget.clone(), meter.clone());
    let run = move || {
        let go_on = |at: &trifold_heap_sl::Progress| {
            shown.get().at(at.procedure.index(), || {
                let name = &shared.program[at.procedure].name;
                format!("in {name}, {} shape graphs, {} places waiting", at.graphs, at.waiting)
            });
            own.is_left()
        };
        let check = |program: &Program| {
            let whole = trifold_heap_sl::Options { keep_dead, ..Default::default() };
            let settings = match extent {
                Extent::Look => whole.round(16),
                Extent::Further => whole.round(4),
                Extent::Whole => whole,
            };
            Analysed::by_checkers(
                &trifold_heap_sl::check_watched(program, entry, &settings, &mut { go_on }),
                program,
                for_page,
                own.why(),
            )
        };
        // Without links that nobody reads there is less to do. Only leaks may be none.
        let lean = without_unread(&shared.program, entry).filter(|program| program.contracts.is_empty());
        let lean = lean.map(|program| check(&program));
        lean.filter(|lean| !lean.has(FindingKind::Leak)).unwrap_or_else(|| check(&shared.program))
    };
    let found = within(time, &budget, run);
    watch.add(&meter, &translated.program);
    finish(found, "checkers", translated, options, &budget)
}

fn by_structures(
    translated: &Arc<Translated>,
    entry: ProcId,
    options: &CheckOptions,
    extent: Extent,
    time: Option<Duration>,
    watch: &Watch,
) -> Analysed {
    let most = match extent {
        Extent::Look => Some(LOOK),
        Extent::Further => Some(FURTHER),
        Extent::Whole => None,
    };
    let structures = most.into_iter().chain(options.max_structures).min();
    let settings = trifold_heap_tvl::Options {
        limits: Limits { structures, messages: None },
        solver: SolverOptions { threads: options.threads, ..SolverOptions::default() },
        leaks: translated.is_finding(FindingKind::Leak, &options.source),
        precision: options.precision(),
        roles: options.link.iter().cloned().collect(),
        ..trifold_heap_tvl::Options::default()
    };
    let (shared, with_summaries) = (translated.clone(), options.summaries.is_some());
    let for_page = options.draws();
    let budget = Arc::new(Budget::new(time, options.memory));
    let meter = watch.meter(time, options);
    let (own, shown) = (budget.clone(), meter.clone());
    let run = move || {
        let procedures: Vec<ProcId> = shared.program.procedure_ids().collect();
        let name = |part: usize, _| format!("in {}", shared.program[procedures[part]].name);
        let mut progress = Progress::new(shown, Box::new(name), own.clone());
        let report = trifold_heap_tvl::check(&shared.program, entry, &settings, &mut progress);
        let specification = &report.lowered.specification;
        let drawn = |structure: &Structure| heap(structure, &specification.vocabulary);
        let summaries = match with_summaries {
            true => summaries::functions(specification, &report.analysis.solution, &drawn),
            false => Vec::new(),
        };
        Analysed { summaries, ..Analysed::by_structures(&report, for_page, own.why()) }
    };
    let found = within(time, &budget, run);
    watch.add(&meter, &translated.program);
    finish(found, "tvl", translated, options, &budget)
}

/// What a run found, as far as it matters in the language.
fn finish(
    found: Option<Analysed>,
    domain: &'static str,
    translated: &Translated,
    options: &CheckOptions,
    budget: &Budget,
) -> Analysed {
    let mut analysed = found.unwrap_or_else(|| Analysed::nothing(domain, &translated.program, budget.why()));
    analysed.findings.retain(|found| translated.is_finding(found.kind, &options.source));
    analysed
}

/// The result of the work, unless it takes longer or more than it may.
fn within<T: Send + 'static>(
    time: Option<Duration>,
    budget: &Budget,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let started = Instant::now();
    let mut too_late = time.map(|time| time + GRACE);
    let (sender, receiver) = channel();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || sender.send(work())).ok()?;
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Timeout) if too_late.is_some_and(|late| started.elapsed() >= late) => return None,
            Err(RecvTimeoutError::Timeout) => {
                if !budget.is_left() {
                    let soon = started.elapsed() + GRACE;
                    too_late = Some(too_late.map_or(soon, |late| late.min(soon)));
                }
            }
            // It ended without a result.
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => resume_unwind(panic),
                Ok(_) => return None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_left_behind() {
        let (sender, receiver) = channel::<()>();
        let endless = move || receiver.recv().is_ok();
        let (none, some) = (Some(Duration::ZERO), Some(Duration::from_secs(60)));
        assert_eq!(within(none, &Budget::new(none, 0), endless), None);
        drop(sender);
        assert_eq!(within(some, &Budget::new(some, 0), || 1), Some(1));
        assert_eq!(within(None, &Budget::new(None, 0), || 2), Some(2));
    }

    #[test]
    fn what_takes_too_much_is_left_behind() {
        let (sender, receiver) = channel::<()>();
        let budget = Budget::new(None, 1);
        if !budget.is_left() {
            assert_eq!(within(None, &budget, move || receiver.recv().is_ok()), None);
        }
        drop(sender);
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn panics_are_passed_on() {
        within(None, &Budget::new(None, 0), || panic!("on purpose"));
    }
}
