//! Budgets: how much time, memory and work one run of a domain may take, and how it is watched. For example, a run in
//! the round `Look` gives up after less work than one in `Further`, and any run ends when its time is up.
//!
//! The library has no clock and cannot see how much memory there is. Its [`Host`] has both: a command line reads them
//! from the system, a browser has a clock only, and [`Alone`] has neither, so that nothing but work is limited.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use trifold_fixpoint::StopReason;
use trifold_ir::ProcId;

/// The surroundings of a check.
pub trait Host: Send + Sync {
    /// The time that has passed since some beginning; none if there is no clock, and then no time is up.
    fn clock(&self) -> Option<Duration> {
        None
    }

    /// The memory of the process in bytes, if that can be told.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// The text of another file that the program consists of, such as a header, if it can be read.
    fn read(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }

    /// Called now and then while a domain runs.
    fn progress(&self, progress: &Progress<'_>) {
        let _ = progress;
    }

    /// Called when the run of a domain has ended.
    fn finished(&self) {}
}

/// A host without clock, memory and files.
pub struct Alone;

impl Host for Alone {}

/// The state of a check that takes long.
pub struct Progress<'a> {
    /// The entry that is analysed.
    pub entry: &'a str,
    /// Its number among all entries, from 1 on, and how many there are.
    pub number: (usize, usize),
    /// The time that the run of the domain may take.
    pub limit: Option<Duration>,
    /// The time that it has taken so far.
    pub passed: Duration,
    /// The current activity, in words.
    pub doing: &'a dyn Fn() -> String,
}

/// How far a domain goes. A program that can be proved is mostly proved soon, and a program that is not can take any
/// time, so domains take turns, and each turn goes about ten times as far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Round {
    /// A first look.
    Look,
    /// Further.
    Further,
    /// To the end, as far as it goes.
    Whole,
    /// To the end at any price: with less precision, if the domain can trade it for work.
    LastResort,
}

/// How often the memory is looked at.
const MEMORY_INTERVAL: Duration = Duration::from_millis(20);

/// The limits of one run of a domain.
pub struct Budget {
    round: Round,
    host: Arc<dyn Host>,
    entry: String,
    number: (usize, usize),
    limit: Option<Duration>,
    /// In bytes.
    memory: Option<u64>,
    started: Duration,
    watch: Mutex<Watch>,
}

#[derive(Default)]
struct Watch {
    /// When the last step was noted, and when the memory was looked at.
    last: Duration,
    looked: Option<Duration>,
    out_of_memory: bool,
    times: BTreeMap<ProcId, Duration>,
}

impl Budget {
    /// A budget without limits but those of the round.
    pub fn unlimited(round: Round) -> Budget {
        Budget::new(round, Arc::new(Alone), String::new(), (1, 1), None, 0)
    }

    /// From now on, for an entry; the memory is that of the whole process, in MiB, and 0 is no limit.
    pub(crate) fn new(
        round: Round,
        host: Arc<dyn Host>,
        entry: String,
        number: (usize, usize),
        limit: Option<Duration>,
        mebibytes: u64,
    ) -> Budget {
        let started = host.clock().unwrap_or_default();
        let memory = (mebibytes > 0).then_some(mebibytes << 20);
        let watch = Mutex::new(Watch { last: started, ..Watch::default() });
        Budget { round, host, entry, number, limit, memory, started, watch }
    }

    /// How far to go.
    pub fn round(&self) -> Round {
        self.round
    }

    /// The time that has passed.
    pub fn passed(&self) -> Duration {
        self.host.clock().unwrap_or_default().saturating_sub(self.started)
    }

    /// The time that there is in all.
    pub fn limit(&self) -> Option<Duration> {
        self.limit
    }

    /// Why a domain has to stop now, if it has to. Once the memory was used up it has to.
    pub fn exhausted(&self) -> Option<StopReason> {
        let passed = self.passed();
        let mut watch = self.watch();
        if let Some(limit) = self.memory
            && watch.looked.is_none_or(|looked| passed > looked + MEMORY_INTERVAL)
        {
            watch.looked = Some(passed);
            watch.out_of_memory |= self.host.memory().is_some_and(|used| used > limit);
        }
        match () {
            _ if watch.out_of_memory => Some(StopReason::MemoryLimit),
            _ if self.limit.is_some_and(|limit| passed >= limit) => Some(StopReason::Timeout),
            _ => None,
        }
    }

    /// A step was taken in a procedure. `Break` says why the domain has to stop.
    pub fn step(&self, procedure: ProcId, doing: &dyn Fn() -> String) -> ControlFlow<StopReason> {
        if let Some(now) = self.host.clock() {
            let mut watch = self.watch();
            let since = now.saturating_sub(watch.last);
            *watch.times.entry(procedure).or_default() += since;
            watch.last = now;
        }
        let Budget { entry, number, limit, .. } = self;
        self.host.progress(&Progress { entry, number: *number, limit: *limit, passed: self.passed(), doing });
        self.exhausted().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// How long the run was in which procedure. From now on nothing more is noted.
    pub(crate) fn finish(&self) -> BTreeMap<ProcId, Duration> {
        self.host.finished();
        std::mem::take(&mut self.watch().times)
    }

    fn watch(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Machine(u64);

    impl Host for Machine {
        fn clock(&self) -> Option<Duration> {
            Some(Duration::from_secs(7))
        }

        fn memory(&self) -> Option<u64> {
            Some(self.0 << 20)
        }
    }

    fn budget(limit: Option<Duration>, mebibytes: u64) -> Budget {
        Budget::new(Round::Whole, Arc::new(Machine(5)), String::new(), (1, 1), limit, mebibytes)
    }

    #[test]
    fn time_and_memory_are_limited() {
        assert_eq!(Budget::unlimited(Round::Whole).exhausted(), None);
        assert_eq!(budget(Some(Duration::from_secs(60)), 1 << 30).exhausted(), None);
        assert_eq!(budget(Some(Duration::ZERO), 0).exhausted(), Some(StopReason::Timeout));
        assert_eq!(budget(None, 4).exhausted(), Some(StopReason::MemoryLimit));
        assert_eq!(budget(None, 5).exhausted(), None);
    }
}
