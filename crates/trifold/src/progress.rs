//! Progress on a terminal, dumps of intermediate results, and the debug trace while an analysis runs.

use crate::meter::Meter;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;
use trifold_analyze::trace::Trace;
use trifold_check::Budget;
use trifold_fixpoint::{EdgeId, LocationId, Solution, Statistics, StopReason};
use trifold_tvl::{Engine, Event, Watcher};

/// Writes the structures found so far.
type Dump<'a> = Box<dyn FnMut(usize, &Solution<Engine>) + 'a>;

/// The name of a location.
type Name<'a> = Box<dyn Fn(LocationId) -> String + 'a>;

/// Watches an analysis.
pub struct Progress<'a> {
    budget: &'a Budget,
    meter: Meter,
    name: Name<'a>,
    dump_every: Option<usize>,
    next_dump: usize,
    dump: Dump<'a>,
    trace: Option<Trace<'a>>,
}

impl<'a> Progress<'a> {
    /// With a debug trace, if there is one.
    pub fn new(budget: &'a Budget, meter: Meter, name: Name<'a>, trace: Option<Trace<'a>>) -> Progress<'a> {
        let dump = Box::new(|_: usize, _: &Solution<Engine>| ());
        Progress { budget, meter, name, dump_every: None, next_dump: usize::MAX, dump, trace }
    }

    /// Calls `dump` each time `every` more structures have been created.
    pub fn dump_every(mut self, every: Option<u64>, dump: Dump<'a>) -> Progress<'a> {
        self.dump_every = every.map(|every| every as usize);
        self.next_dump = self.dump_every.unwrap_or(usize::MAX);
        self.dump = dump;
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
        self.budget.exhausted().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    fn event(&mut self, edge: EdgeId, event: &Event) {
        if let Some(trace) = &mut self.trace {
            trace.event(edge, event);
        }
    }
}
