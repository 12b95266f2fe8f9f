//! Progress on a terminal, dumps of intermediate results, the limits on time and memory, and the debug trace while an analysis runs.

use crate::budget::Budget;
use crate::meter::Meter;
use crate::trace::Trace;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use trifold_fixpoint::{Solution, Statistics};
use trifold_tvl::{Engine, Event, Watcher};

/// Writes the structures found so far.
type Dump<'a> = Box<dyn FnMut(usize, &Solution<Engine>) + 'a>;

/// Watches an analysis.
pub struct Progress<'a> {
    budget: Arc<Budget>,
    meter: Meter,
    dump_every: Option<usize>,
    next_dump: usize,
    dump: Dump<'a>,
    trace: Option<Trace<'a>>,
}

impl<'a> Progress<'a> {
    pub fn new(quiet: bool, budget: Arc<Budget>) -> Progress<'a> {
        Progress {
            budget,
            meter: Meter::new(quiet),
            dump_every: None,
            next_dump: usize::MAX,
            dump: Box::new(|_, _| ()),
            trace: None,
        }
    }

    /// Calls `dump` each time `every` more structures have been created.
    pub fn dump_every(mut self, every: Option<u64>, dump: Dump<'a>) -> Progress<'a> {
        self.dump_every = every.map(|every| every as usize);
        self.next_dump = self.dump_every.unwrap_or(usize::MAX);
        self.dump = dump;
        self
    }

    /// Writes a debug trace.
    pub fn traced(mut self, trace: Option<Trace<'a>>) -> Progress<'a> {
        self.trace = trace;
        self
    }

    /// Removes the line from the terminal.
    pub fn finish(&mut self) {
        self.meter.finish();
    }
}

fn shown(statistics: &Statistics, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let rate = statistics.created as f64 / seconds.max(1e-9);
    format!("{} structures, {rate:.0}/s, {} locations waiting, {seconds:.1} s", statistics.created, statistics.waiting)
}

impl Watcher for Progress<'_> {
    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Engine>) -> ControlFlow<()> {
        self.meter.show(|time| shown(statistics, time));
        if statistics.created >= self.next_dump {
            (self.dump)(statistics.created, solution);
            self.next_dump = statistics.created + self.dump_every.unwrap_or(usize::MAX);
        }
        if self.budget.is_left() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn event(&mut self, edge: usize, event: &Event) {
        if let Some(trace) = &mut self.trace {
            trace.event(edge, event);
        }
    }
}
