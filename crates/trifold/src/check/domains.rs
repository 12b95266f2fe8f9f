//! Runs of the abstract domains on a program, within the time that there is.
//!
//! A run asks now and then whether it is to go on, and has something to show when it is not. What does not ask in time, because
//! the program is large or a single step is long, is left behind on its thread: it ends with the command.

use super::analysed::Analysed;
use super::confirm::{Witnesses, is_certain};
use super::report::Verdict;
use crate::arguments::{CheckOptions, DomainChoice, Track};
use crate::pictures::heap;
use crate::progress::Progress;
use crate::source::Translated;
use crate::summaries;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use trifold_fixpoint::SolverOptions;
use trifold_ir::{FindingKind, ProcId, Program};
use trifold_lower::without_unread;
use trifold_structure::Structure;
use trifold_tvl::Limits;

/// What a run may take longer than its time to come to an end.
const GRACE: Duration = Duration::from_millis(500);

/// The stack of a run: formulas about large programs are deep.
const STACK: usize = 64 << 20;

/// Runs the domains that are wanted, and says what runs confirm of the result.
///
/// The domain of checkers is fast, so it comes first. If it proves everything, or if all that it finds happens in runs, that is it.
pub fn analyse(
    translated: &Arc<Translated>,
    entry: ProcId,
    options: &CheckOptions,
    time: Option<Duration>,
    confirm: &dyn Fn(&Analysed) -> Witnesses,
) -> (Analysed, Witnesses) {
    let confirmed = |analysed: Analysed| {
        let witnesses = confirm(&analysed);
        (analysed, witnesses)
    };
    let started = Instant::now();
    let left = || time.map(|time| time.saturating_sub(started.elapsed()));
    match options.domain {
        // Only structures have summaries.
        DomainChoice::Tvl | DomainChoice::Auto if options.summaries.is_some() => {
            confirmed(by_structures(translated, entry, options, time))
        }
        DomainChoice::Checkers => confirmed(by_checkers(translated, entry, options, time)),
        DomainChoice::Tvl => confirmed(by_structures(translated, entry, options, time)),
        DomainChoice::Auto => {
            // Half of the time is left for the other domain.
            let first = by_checkers(translated, entry, options, time.map(|time| time / 2));
            if first.verdict() == Verdict::Proved {
                return confirmed(first);
            }
            let witnesses = confirm(&first);
            if is_certain(&first, &witnesses, translated) {
                return (first, witnesses);
            }
            let best = Analysed::better_of(first, by_structures(translated, entry, options, left()));
            if best.domain == "checkers" { (best, witnesses) } else { confirmed(best) }
        }
    }
}

/// Functions that say with checkers what their arguments are can only be analysed in the domain of checkers.
pub fn specified(
    translated: &Arc<Translated>,
    entry: ProcId,
    options: &CheckOptions,
    time: Option<Duration>,
) -> Analysed {
    let why = "by the domain of checkers, since functions say with checkers what their arguments are".to_string();
    Analysed { why: Some(why), ..by_checkers(translated, entry, options, time) }
}

fn by_checkers(
    translated: &Arc<Translated>,
    entry: ProcId,
    options: &CheckOptions,
    time: Option<Duration>,
) -> Analysed {
    let (shared, for_page) = (translated.clone(), options.html.is_some());
    let run = move || {
        let started = Instant::now();
        let go_on = || time.is_none_or(|time| started.elapsed() < time);
        let check = |program: &Program| {
            let settings = trifold_checkers::Options::default();
            Analysed::by_checkers(
                &trifold_checkers::check(program, entry, &settings, &mut { go_on }),
                program,
                for_page,
            )
        };
        // Without links that nobody reads there is less to do. Only leaks may be none.
        let lean = without_unread(&shared.program, entry).map(|program| check(&program));
        lean.filter(|lean| !lean.has(FindingKind::Leak)).unwrap_or_else(|| check(&shared.program))
    };
    finish(within(time, run), "checkers", translated, options)
}

fn by_structures(
    translated: &Arc<Translated>,
    entry: ProcId,
    options: &CheckOptions,
    time: Option<Duration>,
) -> Analysed {
    let settings = trifold_lower::Options {
        limits: Limits { structures: options.max_structures, messages: None },
        solver: SolverOptions { threads: options.threads, ..SolverOptions::default() },
        leaks: translated.is_finding(FindingKind::Leak, &options.source),
        precision: Track::precision(&options.track),
        roles: options.link.iter().cloned().collect(),
        ..trifold_lower::Options::default()
    };
    let (shared, quiet, with_summaries) = (translated.clone(), options.quiet, options.summaries.is_some());
    let for_page = options.html.is_some();
    let run = move || {
        let mut progress = Progress::new(quiet, time);
        let report = trifold_lower::check(&shared.program, entry, &settings, &mut progress);
        progress.finish();
        let specification = &report.lowered.specification;
        let drawn = |structure: &Structure| heap(structure, &specification.vocabulary);
        let summaries = match with_summaries {
            true => summaries::functions(specification, &report.analysis.solution, &drawn),
            false => Vec::new(),
        };
        Analysed { summaries, ..Analysed::by_structures(&report, for_page) }
    };
    finish(within(time, run), "tvl", translated, options)
}

/// What a run found, as far as it matters in the language.
fn finish(found: Option<Analysed>, domain: &'static str, translated: &Translated, options: &CheckOptions) -> Analysed {
    let mut analysed = found.unwrap_or_else(|| Analysed::nothing(domain, &translated.program));
    analysed.findings.retain(|found| translated.is_finding(found.kind, &options.source));
    analysed
}

/// The result of the work, unless it takes longer than it may.
fn within<T: Send + 'static>(time: Option<Duration>, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let Some(time) = time else { return Some(work()) };
    let (sender, receiver) = channel();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || sender.send(work())).ok()?;
    match receiver.recv_timeout(time + GRACE) {
        Ok(result) => Some(result),
        Err(RecvTimeoutError::Timeout) => None,
        // It ended without a result.
        Err(RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => resume_unwind(panic),
            Ok(_) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_left_behind() {
        let (sender, receiver) = channel::<()>();
        let endless = move || receiver.recv().is_ok();
        assert_eq!(within(Some(Duration::ZERO), endless), None);
        drop(sender);
        assert_eq!(within(Some(Duration::from_secs(60)), || 1), Some(1));
        assert_eq!(within(None, || 2), Some(2));
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn panics_are_passed_on() {
        within(Some(Duration::from_secs(60)), || panic!("on purpose"));
    }
}
