//! How much time and memory an analysis may take.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often the memory is looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// What there is, and whether it was too little.
pub struct Budget {
    started: Instant,
    time: Option<Duration>,
    /// In bytes.
    memory: Option<u64>,
    /// When the memory was looked at last, in microseconds from the start on.
    looked: AtomicU64,
    out_of_memory: AtomicBool,
}

impl Budget {
    /// From now on; the memory is that of the whole process, in MiB, and 0 is no limit.
    pub fn new(time: Option<Duration>, mebibytes: u64) -> Budget {
        Budget {
            started: Instant::now(),
            time,
            memory: (mebibytes > 0).then_some(mebibytes << 20),
            looked: AtomicU64::new(0),
            out_of_memory: AtomicBool::new(false),
        }
    }

    /// Is there something left? Once the memory was used up there is not.
    pub fn is_left(&self) -> bool {
        let passed = self.started.elapsed();
        let now = passed.as_micros() as u64;
        let last = self.looked.load(Ordering::Relaxed);
        if self.memory.is_some() && (last == 0 || now > last + INTERVAL.as_micros() as u64) {
            self.looked.store(now.max(1), Ordering::Relaxed);
            if resident().zip(self.memory).is_some_and(|(used, limit)| used > limit) {
                self.out_of_memory.store(true, Ordering::Relaxed);
            }
        }
        !self.out_of_memory() && self.time.is_none_or(|time| passed < time)
    }

    pub fn out_of_memory(&self) -> bool {
        self.out_of_memory.load(Ordering::Relaxed)
    }

    /// Why an analysis ended that asked and was told that nothing is left.
    pub fn why(&self) -> &'static str {
        if self.out_of_memory() { "the memory was used up, see --memory" } else { "the time was up" }
    }
}

/// The memory that this process has, in bytes, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_memory_are_limited() {
        assert!(Budget::new(None, 0).is_left());
        assert!(Budget::new(Some(Duration::from_secs(60)), 1 << 30).is_left());
        let late = Budget::new(Some(Duration::ZERO), 0);
        assert!(!late.is_left() && !late.out_of_memory());
        assert!(late.why().contains("time"));
        if resident().is_some() {
            let small = Budget::new(None, 1);
            assert!(!small.is_left() && small.out_of_memory());
            assert!(small.why().contains("memory"));
        }
    }
}
