//! The surroundings of a check: the clock and the memory of the machine, its files, and a line that tells how far it
//! is.

use crate::meter::Meter;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use trifold_check::task::Task;
use trifold_check::{Host, Progress};
use trifold_machine::disk;

/// The machine on which Trifold runs.
pub struct Machine {
    started: Instant,
    /// The file that is checked, with its number among several.
    what: String,
    quiet: bool,
    meter: Mutex<Option<Meter>>,
}

impl Machine {
    /// For a check that begins now.
    pub fn new(what: String, quiet: bool) -> Machine {
        Machine { started: Instant::now(), what, quiet, meter: Mutex::new(None) }
    }
}

impl Host for Machine {
    fn clock(&self) -> Option<Duration> {
        Some(self.started.elapsed())
    }

    fn memory(&self) -> Option<u64> {
        resident()
    }

    fn read(&self, path: &str) -> Option<String> {
        disk::text(path).ok()
    }

    fn progress(&self, progress: &Progress<'_>) {
        let mut meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            let what = format!("{}: {}", self.what, progress.entry);
            Meter::new(Task { what, number: progress.number, time: progress.limit }, self.quiet)
        };
        meter.get_or_insert_with(new).at(0, || (progress.doing)());
    }

    fn finished(&self) {
        // A meter removes its line when it goes.
        self.meter.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// The memory that this process has, in bytes, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
