//! Budgets: how much time, memory and work one part of a check may take, and how it is watched. For example, a run of
//! a domain in the round `Look` gives up after less work than one in `Further`, and any run ends when its time is up.
//!
//! Work is [counted](trifold_work), the same on every machine; without limits on time, and with enough memory, the
//! result is the same everywhere. Time and memory are looked at from another thread, which rings a [`Bell`]; what
//! runs hears it in its inner loops, wherever it is.
//!
//! The library has no clock and cannot see how much memory there is. Its [`Host`] has both: a command line reads them
//! from the system, a browser has a clock only, and [`Alone`] has neither, so that nothing but work is limited.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use trifold_fixpoint::StopReason;
use trifold_ir::ProcId;
use trifold_work::{Bell, hearing, limited};

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

/// How often it is looked whether something takes too much.
const POLL: Duration = Duration::from_millis(10);

/// The time from the bell to the end. What does not hear the bell until then is left to its thread.
const GRACE: Duration = Duration::from_millis(500);

/// The stack of what runs: formulas about large programs are deep.
const STACK: usize = 64 << 20;

/// The part of the memory that shapes may take, in percent: there are other things.
const SHAPES: u64 = 60;

/// How much something may take.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// The time, if the host has a clock.
    pub time: Option<Duration>,
    /// The memory of the process in MiB, if the host can tell; 0 is no limit.
    pub mebibytes: u64,
    /// So many times the usual work.
    pub work: u64,
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance { time: None, mebibytes: 0, work: 1 }
    }
}

/// The limits of one part of a check, such as one run of a domain.
pub struct Budget {
    round: Round,
    host: Arc<dyn Host>,
    entry: String,
    number: (usize, usize),
    limit: Option<Duration>,
    /// In bytes.
    memory: Option<u64>,
    /// So many times the usual work.
    work: u64,
    started: Duration,
    bell: Arc<Bell>,
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
        Budget::new(round, Arc::new(Alone), String::new(), (1, 1), Allowance::default())
    }

    /// From now on, for an entry.
    pub fn new(
        round: Round,
        host: Arc<dyn Host>,
        entry: String,
        number: (usize, usize),
        allowance: Allowance,
    ) -> Budget {
        let started = host.clock().unwrap_or_default();
        let Allowance { time: limit, mebibytes, work } = allowance;
        let memory = (mebibytes > 0).then_some(mebibytes << 20);
        let watch = Mutex::new(Watch { last: started, ..Watch::default() });
        Budget { round, host, entry, number, limit, memory, work, started, bell: Arc::default(), watch }
    }

    /// How far to go.
    pub fn round(&self) -> Round {
        self.round
    }

    /// So much work, if this is the usual limit.
    pub fn work(&self, usual: u64) -> u64 {
        usual.saturating_mul(self.work)
    }

    /// So many bytes of shapes.
    pub fn bytes(&self) -> u64 {
        self.memory.map_or(u64::MAX, |memory| memory / 100 * SHAPES)
    }

    /// The time that has passed.
    pub fn passed(&self) -> Duration {
        self.host.clock().unwrap_or_default().saturating_sub(self.started)
    }

    /// Why a domain has to stop now, if it has to. Once the memory was used up it has to.
    pub fn exhausted(&self) -> Option<StopReason> {
        let passed = self.passed();
        let mut watch = self.watch();
        if let Some(limit) = self.memory
            && watch.looked.is_none_or(|looked| passed >= looked + POLL)
        {
            watch.looked = Some(passed);
            // More is taken before the next look, on a busy machine also by what does not hear the bell at once.
            watch.out_of_memory |= self.host.memory().is_some_and(|used| used > limit - limit / 16);
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

    /// Runs something until it is done, or until the budget is exhausted. Then it stops at its next loop that counts
    /// work or listens. Work that does neither in time is left to its thread, and ends with the process.
    pub fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, StopReason> {
        if let Some(reason) = self.exhausted() {
            return Err(reason);
        }
        if cfg!(target_family = "wasm") {
            return limited(u64::MAX, work).0;
        }
        let bell = self.bell.clone();
        let (sender, receiver) = channel();
        let work = move || sender.send(hearing(Some(bell), || limited(u64::MAX, work).0));
        let worker = std::thread::Builder::new().stack_size(STACK).spawn(work);
        let Ok(worker) = worker else { return Err(StopReason::MemoryLimit) };
        let mut rung: Option<(Duration, StopReason)> = None;
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some((_, reason)) = rung.filter(|(at, _)| self.passed() > *at + GRACE) {
                        return Err(reason);
                    }
                    if let Some(reason) = self.exhausted().filter(|_| rung.is_none()) {
                        self.bell.ring(reason);
                        rung = Some((self.passed(), reason));
                    }
                }
                // It ended without a result.
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Err(panic) => resume_unwind(panic),
                    Ok(_) => return Err(StopReason::Interrupted),
                },
            }
        }
    }

    /// Runs something on this thread until it is done, or until it hears that the budget is exhausted.
    pub fn run_here<T>(&self, work: impl FnOnce() -> T) -> Result<T, StopReason> {
        if cfg!(target_family = "wasm") {
            return limited(u64::MAX, work).0;
        }
        std::thread::scope(|scope| {
            // When the sender goes, the work has ended.
            let (_sender, receiver) = channel::<()>();
            scope.spawn(move || {
                while receiver.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                    if let Some(reason) = self.exhausted() {
                        return self.bell.ring(reason);
                    }
                }
            });
            hearing(Some(self.bell.clone()), || limited(u64::MAX, work).0)
        })
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
    use std::time::Instant;
    use trifold_work::spend;

    struct Machine(Instant, u64);

    impl Host for Machine {
        fn clock(&self) -> Option<Duration> {
            Some(self.0.elapsed())
        }

        fn memory(&self) -> Option<u64> {
            Some(self.1 << 20)
        }
    }

    fn budget(limit: Option<Duration>, memory: u64) -> Budget {
        let host = Arc::new(Machine(Instant::now(), 5));
        let allowance = Allowance { time: limit, mebibytes: memory, work: 1 };
        Budget::new(Round::Whole, host, String::new(), (1, 1), allowance)
    }

    #[test]
    fn time_and_memory_are_limited() {
        assert_eq!(Budget::unlimited(Round::Whole).exhausted(), None);
        assert_eq!(budget(Some(Duration::from_secs(60)), 1 << 30).exhausted(), None);
        assert_eq!(budget(Some(Duration::ZERO), 0).exhausted(), Some(StopReason::Timeout));
        assert_eq!(budget(None, 4).exhausted(), Some(StopReason::MemoryLimit));
        assert_eq!(budget(None, 6).exhausted(), None);
    }

    #[test]
    fn work_that_takes_too_long_is_stopped() {
        let endless = || loop {
            spend(1);
        };
        let stopped: Result<(), StopReason> = budget(Some(Duration::from_millis(30)), 0).run(endless);
        assert_eq!(stopped, Err(StopReason::Timeout));
        let stopped: Result<(), StopReason> = budget(None, 4).run(endless);
        assert_eq!(stopped, Err(StopReason::MemoryLimit));
        let stopped: Result<(), StopReason> = budget(Some(Duration::from_millis(30)), 0).run_here(endless);
        assert_eq!(stopped, Err(StopReason::Timeout));
        assert_eq!(budget(Some(Duration::from_secs(60)), 0).run_here(|| 1), Ok(1));
        assert_eq!(budget(Some(Duration::from_secs(60)), 0).run(|| 1), Ok(1));
        assert_eq!(budget(None, 0).run(|| 2), Ok(2));
    }

    #[test]
    fn work_that_does_not_listen_is_left() {
        let (sender, receiver) = channel::<()>();
        assert_eq!(
            budget(Some(Duration::from_millis(1)), 0).run(move || receiver.recv().is_ok()),
            Err(StopReason::Timeout)
        );
        drop(sender);
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn panics_are_passed_on() {
        let _ = budget(None, 0).run(|| panic!("on purpose"));
    }
}
