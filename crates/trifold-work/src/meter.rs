//! The meter of a thread: it counts work, and stops it at a limit or when a bell rings.
//!
//! A limit inside of another one counts for the inner work only, and what that spends counts for the outer one as well.
//! For example, a step of an analysis has a limit of its own, and the analysis adds up what its steps spend.

use crate::bell::heard;
use crate::stop::StopReason;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The bell is listened for after so much work: some tens of microseconds.
const INTERVAL: u64 = 1 << 14;

/// A loop that only listens does so every so many times.
const LOOPS: u32 = 64;

struct Meter {
    spent: Cell<u64>,
    /// When `spent` is that much, it is time to look at the limit and to listen.
    next: Cell<u64>,
    /// No more than this.
    limit: Cell<u64>,
    /// How many limited calls are under way: only in them can work be stopped.
    depth: Cell<u32>,
    /// Loops that have listened.
    quiet: Cell<u32>,
}

impl Meter {
    /// Where a panic ends the process, work cannot be stopped in the middle.
    fn can_stop(&self) -> bool {
        self.depth.get() > 0 && cfg!(panic = "unwind") && !std::thread::panicking()
    }
}

thread_local! {
    static METER: Meter = const {
        Meter {
            spent: Cell::new(0),
            next: Cell::new(INTERVAL),
            limit: Cell::new(u64::MAX),
            depth: Cell::new(0),
            quiet: Cell::new(0),
        }
    };
}

/// Work was stopped; what unwinding carries.
struct Stopped(StopReason);

/// Counts work. If it is too much, or the bell has rung, this call does not return.
#[inline]
pub fn spend(units: u64) {
    METER.with(|meter| {
        let spent = meter.spent.get().wrapping_add(units);
        meter.spent.set(spent);
        if spent >= meter.next.get() {
            look(meter);
        }
    });
}

/// Listens for the bell without counting anything. If it has rung, this call does not return.
#[inline]
pub fn listen() {
    METER.with(|meter| {
        meter.quiet.set(meter.quiet.get().wrapping_add(1));
        if meter.quiet.get() % LOOPS == 0 {
            stop_if_heard(meter);
        }
    });
}

/// The work of this thread so far.
pub fn spent() -> u64 {
    METER.with(|meter| meter.spent.get())
}

#[cold]
fn look(meter: &Meter) {
    let (spent, limit) = (meter.spent.get(), meter.limit.get());
    meter.next.set(spent.saturating_add(INTERVAL).min(limit));
    if !meter.can_stop() {
        return;
    }
    if spent >= limit {
        resume_unwind(Box::new(Stopped(StopReason::WorkLimit)));
    }
    stop_if_heard(meter);
}

fn stop_if_heard(meter: &Meter) {
    if !meter.can_stop() {
        return;
    }
    if let Some(reason) = heard() {
        resume_unwind(Box::new(Stopped(reason)));
    }
}

/// Does work that may spend so much at the most. The result, or why it was stopped, and how much it has spent.
pub fn limited<T>(most: u64, work: impl FnOnce() -> T) -> (Result<T, StopReason>, u64) {
    let (before, outer) = METER.with(|meter| {
        let (before, outer) = (meter.spent.get(), meter.limit.get());
        let limit = before.saturating_add(most).min(outer);
        meter.limit.set(limit);
        meter.next.set(meter.next.get().min(limit));
        meter.depth.set(meter.depth.get() + 1);
        (before, outer)
    });
    let result = catch_unwind(AssertUnwindSafe(work));
    METER.with(|meter| {
        meter.limit.set(outer);
        meter.next.set(meter.spent.get().saturating_add(INTERVAL).min(outer));
        meter.depth.set(meter.depth.get() - 1);
    });
    let result = match result {
        Ok(result) => Ok(result),
        Err(payload) => match payload.downcast::<Stopped>() {
            Ok(stopped) => Err(stopped.0),
            Err(panic) => resume_unwind(panic),
        },
    };
    (result, spent() - before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bell::{Bell, hearing, stop_listening};
    use std::sync::Arc;

    fn endless() {
        loop {
            spend(3);
        }
    }

    #[test]
    fn work_ends_at_its_limit() {
        let (result, spent) = limited(100, || spend(40));
        assert_eq!((result, spent), (Ok(()), 40));
        let (result, spent) = limited(100, endless);
        assert_eq!((result, spent), (Err(StopReason::WorkLimit), 102));
    }

    #[test]
    fn inner_limits_end_inner_work_only() {
        let (result, spent) = limited(1_000, || {
            let inner = limited(100, endless);
            assert_eq!(inner.0, Err(StopReason::WorkLimit));
            spend(500);
            // The inner limit is not more than what the outer one leaves.
            limited(100_000, endless).0
        });
        assert_eq!(result, Ok(Err(StopReason::WorkLimit)));
        assert!((1_000..1_010).contains(&spent), "{spent}");
    }

    #[test]
    fn bells_are_heard_in_time_and_only_where_they_are_meant() {
        let bell = Arc::new(Bell::default());
        bell.ring(StopReason::Timeout);
        bell.ring(StopReason::MemoryLimit);
        let stopped = hearing(Some(bell), || limited(u64::MAX, endless));
        assert_eq!(stopped.0, Err(StopReason::Timeout));
        assert!(stopped.1 <= 2 * INTERVAL);
        assert_eq!(limited(u64::MAX, || spend(10 * INTERVAL)).0, Ok(()));
    }

    #[test]
    fn bells_are_heard_until_nobody_listens() {
        let bell = Arc::new(Bell::default());
        bell.ring(StopReason::Timeout);
        hearing(Some(bell), || {
            let listening = || loop {
                listen();
            };
            for _ in 0..2 {
                let stopped: Result<(), StopReason> = limited(u64::MAX, listening).0;
                assert_eq!(stopped, Err(StopReason::Timeout));
            }
            stop_listening();
            assert_eq!(limited(u64::MAX, || (0..1_000).for_each(|_| listen())).0, Ok(()));
        });
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn panics_are_passed_on() {
        let _ = limited(10, || panic!("on purpose"));
    }

    /// Without a limit there is nobody to tell that work was stopped.
    #[test]
    fn work_without_limit_goes_on() {
        let bell = Arc::new(Bell::default());
        bell.ring(StopReason::Timeout);
        hearing(Some(bell), || spend(10 * INTERVAL));
    }
}
