//! Progress on a terminal, dumps of intermediate results, the limits on time and memory, and the debug trace while an analysis runs.

use crate::budget::Budget;
use crate::meter::SharedMeter;
use crate::trace::Trace;
use std::ops::ControlFlow;
use std::sync::Arc;
use trifold_fixpoint::{EdgeId, IdVec, LocationId, Solution, Statistics};
use trifold_tvl::{Engine, Event, Watcher};

/// Writes the structures found so far.
type Dump<'a> = Box<dyn FnMut(usize, &Solution<Engine>) + 'a>;

/// What a place is called: the number of its part of the program, and its location.
type Name<'a> = Box<dyn Fn(usize, LocationId) -> String + 'a>;

/// Watches an analysis.
pub struct Progress<'a> {
    budget: Arc<Budget>,
    meter: SharedMeter,
    name: Name<'a>,
    /// The parts of the program to which locations belong, where they are not the procedures of the flow graph.
    parts: IdVec<LocationId, usize>,
    dump_every: Option<usize>,
    next_dump: usize,
    dump: Dump<'a>,
    trace: Option<Trace<'a>>,
}

impl<'a> Progress<'a> {
    pub fn new(meter: SharedMeter, name: Name<'a>, budget: Arc<Budget>) -> Progress<'a> {
        Progress {
            budget,
            meter,
            name,
            parts: IdVec::new(),
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
}

impl Watcher for Progress<'_> {
    fn begins(&mut self, parts: IdVec<LocationId, usize>) {
        self.parts = parts;
    }

    fn progress(&mut self, statistics: &Statistics, solution: &Solution<Engine>) -> ControlFlow<()> {
        let point = &solution.points[statistics.at];
        let procedure = solution.contexts[point.context].procedure;
        let part = self.parts.get(point.location).copied().unwrap_or(procedure.index());
        self.meter.get().at(part, || {
            let (name, counts) = ((self.name)(part, point.location), statistics);
            format!("{name}, {} structures, {} locations waiting", counts.created, counts.waiting)
        });
        if statistics.created >= self.next_dump {
            (self.dump)(statistics.created, solution);
            self.next_dump = statistics.created + self.dump_every.unwrap_or(usize::MAX);
        }
        if self.budget.is_left() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn event(&mut self, edge: EdgeId, event: &Event) {
        if let Some(trace) = &mut self.trace {
            trace.event(edge, event);
        }
    }
}
