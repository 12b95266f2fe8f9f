//! The portfolio: domains take turns on a program until one proves it, or until all that one found happens in runs. For
//! example, separation logic looks first; if it leaves a finding open, three-valued logic looks, and then both go
//! further in turn.
//!
//! Each domain has a look before one goes further, and this is the only place where an analysis is repeated with a
//! larger budget. Of programs in C the domain of separation logic is asked first, which is fast. Programs in Java call
//! a lot and free nothing, which suits structures on local heaps.

use crate::budget::{Budget, Host, Round};
use crate::confirm::{Witnesses, is_certain, keys};
use crate::domain::{Domain, DomainName, Outcome};
use crate::options::{Language, Options};
use crate::separation_logic::SeparationLogic;
use crate::source::Translated;
use crate::three_valued::ThreeValued;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use trifold_fixpoint::StopReason;
use trifold_ir::{FindingKind, ProcId, Verdict};

/// The time that a run may take beyond its limit to come to an end.
const GRACE: Duration = Duration::from_millis(500);

/// How often it is looked whether a run takes too much.
const POLL: Duration = Duration::from_millis(50);

/// The stack of a run: formulas about large programs are deep.
const STACK: usize = 64 << 20;

/// One entry of a program, to be analysed by the domains that suit it.
pub struct Portfolio<'a> {
    /// The program.
    pub translated: &'a Translated,
    /// The options.
    pub options: &'a Options,
    /// The surroundings.
    pub host: &'a Arc<dyn Host>,
    /// The procedure to start with.
    pub procedure: ProcId,
    /// The name of the entry, and its number among all.
    pub entry: (&'a str, (usize, usize)),
    /// Do checkers or a contract describe its arguments?
    pub specified: bool,
    /// The time for all of it.
    pub time: Option<Duration>,
}

/// The result for an entry.
pub struct Analysed {
    /// The best outcome of the domains.
    pub outcome: Outcome,
    /// The findings that runs confirm.
    pub witnesses: Witnesses,
    /// How long the domains were in which procedure.
    pub times: BTreeMap<ProcId, Duration>,
}

impl Portfolio<'_> {
    /// Runs the domains, and has runs confirm the result.
    pub fn analyse(&self, confirm: &dyn Fn(&Outcome) -> Witnesses) -> Analysed {
        let domains = self.domains();
        let turns = turns(&domains);
        let started = self.host.clock().unwrap_or_default();
        let mut known: BTreeMap<DomainName, Outcome> = BTreeMap::new();
        let mut times = BTreeMap::new();
        let (mut witnesses, mut sought) = (Witnesses::new(), None);
        for (number, &(domain, round)) in turns.iter().enumerate() {
            // A bug that runs show stays. Another domain need not go to the end then, nor any further if everything was
            // looked at.
            let is_complete = known.values().any(|before| before.stop.is_fixpoint());
            let is_far = round >= Round::Whole || round == Round::Further && is_complete;
            let is_enough = domains.len() > 1 && !witnesses.is_empty() && is_far;
            if is_enough || known.get(&domain.name()).is_some_and(|before| !is_worth(round, before)) {
                continue;
            }
            let passed = self.host.clock().unwrap_or_default().saturating_sub(started);
            let left = self.time.map(|time| time.saturating_sub(passed));
            // Half of the time is left for the turns that follow.
            let time = if number + 1 == turns.len() { left } else { left.map(|left| left / 2) };
            let outcome = self.turn(domain, round, time, &mut times);
            // Runs are looked for once for each set of findings.
            let found = keys(&outcome, self.translated);
            if sought.as_ref().is_none_or(|sought| !found.is_subset(sought)) {
                witnesses.extend(confirm(&outcome));
                sought.get_or_insert_default().extend(found);
            }
            if outcome.verdict() == Verdict::Proved || is_certain(&outcome, &witnesses, self.translated) {
                return Analysed { outcome: self.explained(outcome), witnesses, times };
            }
            known.insert(domain.name(), outcome);
        }
        let best = known.into_values().reduce(Outcome::better_of).expect("there is a turn");
        Analysed { outcome: self.explained(best), witnesses, times }
    }

    /// The domains that are asked, in this order.
    fn domains(&self) -> Vec<Arc<dyn Domain>> {
        use DomainName::*;
        let program = &self.translated.program;
        let names: &[DomainName] = match self.options.domain {
            // Only separation logic knows the meaning of checkers and contracts about memory.
            _ if self.specified => &[SeparationLogic],
            Some(SeparationLogic) => &[SeparationLogic],
            Some(ThreeValued) => &[ThreeValued],
            None if !program.contracts.is_empty() => &[SeparationLogic],
            // Only structures have summaries.
            None if self.options.keep_summaries => &[ThreeValued],
            None if self.translated.language == Language::Java => &[ThreeValued, SeparationLogic],
            None => &[SeparationLogic, ThreeValued],
        };
        names.iter().map(|name| self.domain(*name)).collect()
    }

    fn domain(&self, name: DomainName) -> Arc<dyn Domain> {
        let Options { keep_shapes, keep_summaries, threads, max_structures, precision, .. } = *self.options;
        match name {
            DomainName::SeparationLogic => Arc::new(SeparationLogic { keep_dead: self.options.keep_dead, keep_shapes }),
            DomainName::ThreeValued => Arc::new(ThreeValued {
                max_structures,
                threads,
                leaks: self.counts(FindingKind::Leak),
                precision,
                roles: self.options.roles.clone(),
                keep_shapes,
                keep_summaries,
            }),
        }
    }

    fn counts(&self, kind: FindingKind) -> bool {
        self.translated.language.counts(kind, self.options.lost_objects)
    }

    /// One run of one domain.
    fn turn(
        &self,
        domain: &Arc<dyn Domain>,
        round: Round,
        time: Option<Duration>,
        times: &mut BTreeMap<ProcId, Duration>,
    ) -> Outcome {
        let (entry, number) = self.entry;
        let budget =
            Arc::new(Budget::new(round, self.host.clone(), entry.to_string(), number, time, self.options.memory));
        let (domain, program, procedure, own) =
            (domain.clone(), self.translated.program.clone(), self.procedure, budget.clone());
        let name = domain.name();
        let found = within(&budget, move || domain.check(&program, procedure, &own));
        for (procedure, time) in budget.finish() {
            *times.entry(procedure).or_default() += time;
        }
        let mut outcome = found.unwrap_or_else(|| {
            let why = budget.exhausted().unwrap_or(StopReason::Interrupted);
            Outcome::nothing(name, &self.translated.program, why)
        });
        outcome.findings.retain(|found| self.counts(found.kind));
        outcome
    }

    /// The outcome with the reason for its domain.
    fn explained(&self, outcome: Outcome) -> Outcome {
        let has_contract = self.translated.program.contracts.contains_key(&self.procedure);
        let how = if has_contract { "in contracts" } else { "with checkers" };
        let why = format!("by the domain of checkers, since functions say {how} what their arguments are");
        match self.specified {
            true => Outcome { why: Some(why), ..outcome },
            false => outcome,
        }
    }
}

/// The turns of all domains: each has a look before one goes further. One domain alone takes the rounds that make a
/// difference to it.
fn turns(domains: &[Arc<dyn Domain>]) -> Vec<(&Arc<dyn Domain>, Round)> {
    if let [only] = domains {
        return only.rounds().iter().map(|round| (only, *round)).collect();
    }
    let mut turns = Vec::new();
    for round in [Round::Look, Round::Further, Round::Whole] {
        for domain in domains {
            turns.push((domain, round));
            let last = round == Round::Whole && domain.rounds().contains(&Round::LastResort);
            turns.extend(last.then_some((domain, Round::LastResort)));
        }
    }
    turns
}

/// Can a round bring more than the domain found before?
fn is_worth(round: Round, before: &Outcome) -> bool {
    match round {
        Round::LastResort => matches!(before.stop, StopReason::WorkLimit | StopReason::PointLimit),
        _ => before.cut_short,
    }
}

/// The result of the work, unless it takes longer or more than it may. Work that does not ask its budget in time,
/// because a single step is long, is left to its thread, and ends with the process.
fn within<T: Send + 'static>(budget: &Arc<Budget>, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    if cfg!(target_family = "wasm") {
        return Some(work());
    }
    let mut too_late = budget.limit().map(|time| time + GRACE);
    let (sender, receiver) = channel();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || sender.send(work())).ok()?;
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Timeout) if too_late.is_some_and(|late| budget.passed() >= late) => return None,
            Err(RecvTimeoutError::Timeout) => {
                if budget.exhausted().is_some() {
                    let soon = budget.passed() + GRACE;
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
    use std::time::Instant;

    struct Machine(Instant, u64);

    impl Host for Machine {
        fn clock(&self) -> Option<Duration> {
            Some(self.0.elapsed())
        }

        fn memory(&self) -> Option<u64> {
            Some(self.1)
        }
    }

    fn budget(time: Option<Duration>, memory: u64) -> Arc<Budget> {
        let host = Arc::new(Machine(Instant::now(), memory));
        Arc::new(Budget::new(Round::Whole, host, String::new(), (1, 1), time, 1))
    }

    #[test]
    fn work_that_takes_too_long_is_left() {
        let (sender, receiver) = channel::<()>();
        let (none, some) = (Some(Duration::ZERO), Some(Duration::from_secs(60)));
        assert_eq!(within(&budget(none, 0), move || receiver.recv().is_ok()), None);
        drop(sender);
        assert_eq!(within(&budget(some, 0), || 1), Some(1));
        assert_eq!(within(&budget(None, 0), || 2), Some(2));
    }

    #[test]
    fn work_that_takes_too_much_is_left() {
        let (sender, receiver) = channel::<()>();
        assert_eq!(within(&budget(None, 2 << 20), move || receiver.recv().is_ok()), None);
        drop(sender);
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn panics_are_passed_on() {
        within(&budget(None, 0), || panic!("on purpose"));
    }
}
