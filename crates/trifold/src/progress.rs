//! Progress on a terminal, dumps of intermediate results, the limits on time and memory, and the debug trace while an
//! analysis runs.

use crate::host::resident;
use crate::meter::Meter;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trifold_analyze::trace::Trace;
use trifold_fixpoint::{EdgeId, LocationId, Solution, Statistics, StopReason};
use trifold_tvl::{Engine, Event, Watcher};

/// How often the memory is looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// Writes the structures found so far.
type Dump<'a> = Box<dyn FnMut(usize, &Solution<Engine>) + 'a>;

/// The name of a location.
type Name<'a> = Box<dyn Fn(LocationId) -> String + 'a>;

/// The limits of an analysis.
pub struct Limit {
    started: Instant,
    time: Option<Duration>,
    /// In bytes.
    memory: Option<u64>,
    looked: Option<Instant>,
}

impl Limit {
    /// From now on; the memory is that of the whole process, in MiB, and 0 is no limit.
    pub fn new(time: Option<Duration>, mebibytes: u64) -> Limit {
        let memory = (mebibytes > 0).then_some(mebibytes << 20);
        Limit { started: Instant::now(), time, memory, looked: None }
    }

    fn exhausted(&mut self) -> Option<StopReason> {
        let now = Instant::now();
        if let Some(limit) = self.memory
            && self.looked.is_none_or(|looked| now > looked + INTERVAL)
        {
            self.looked = Some(now);
            if resident().is_some_and(|used| used > limit) {
                return Some(StopReason::MemoryLimit);
            }
        }
        let passed = now.saturating_duration_since(self.started);
        self.time.is_some_and(|time| passed >= time).then_some(StopReason::Timeout)
    }
}

/// Watches an analysis.
pub struct Progress<'a> {
    limit: Limit,
    meter: Meter,
    name: Name<'a>,
    dump_every: Option<usize>,
    next_dump: usize,
    dump: Dump<'a>,
    trace: Option<Trace<'a>>,
}

impl<'a> Progress<'a> {
    pub fn new(meter: Meter, name: Name<'a>, limit: Limit) -> Progress<'a> {
        let dump = Box::new(|_: usize, _: &Solution<Engine>| ());
        Progress { limit, meter, name, dump_every: None, next_dump: usize::MAX, dump, trace: None }
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

    /// How long the analysis was in which procedure.
    pub fn finish(mut self) -> BTreeMap<usize, Duration> {
        self.meter.finish()
    }
}

impl Watcher for Progress<'_> {
    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Engine>) -> ControlFlow<StopReason> {
        let point = &solution.points[statistics.at];
        let procedure = solution.contexts[point.context].procedure;
        self.meter.at(procedure.index(), || {
            let (name, counts) = ((self.name)(point.location), statistics);
            format!("{name}, {} structures, {} locations waiting", counts.created, counts.waiting)
        });
        if statistics.created >= self.next_dump {
            (self.dump)(statistics.created, solution);
            self.next_dump = statistics.created + self.dump_every.unwrap_or(usize::MAX);
        }
        self.limit.exhausted().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    fn event(&mut self, edge: EdgeId, event: &Event) {
        if let Some(trace) = &mut self.trace {
            trace.event(edge, event);
        }
    }
}
