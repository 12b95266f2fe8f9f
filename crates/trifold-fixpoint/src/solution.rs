//! The result of the solver: the states of all points, and where they came from.
//!
//! A *point* is a location in a context. A *context* is a procedure with an abstract input; a graph without calls has
//! one context, and then points are locations. The states at a point are the second halves of the path edges of
//! [RinetzkySY05 §C.2], the context is the first half. For example, a procedure `f` with three locations that is called
//! with a list and with NULL has two contexts, and six points.

use crate::domain::{Domain, Statistics};
use crate::id_vec::IdVec;
use crate::ids::{ContextId, EdgeId, LocationId, PointId, ProcedureId, RecordId};
use trifold_work::StopReason;

/// Where a state came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The record of the state before; none for an input. After a call it is the one at the callee's exit, at the entry
    /// of a procedure that of the first caller.
    pub parent: Option<RecordId>,
    /// The edge it came over; none for an input.
    pub edge: Option<EdgeId>,
    /// After a call, the record of the caller's state before it.
    pub call: Option<RecordId>,
    /// Did it come into a procedure?
    pub enters: bool,
    /// The point where it is.
    pub point: PointId,
    /// Its number in the store of its point, where states are kept. The state that is there now represents it.
    pub state: Option<u32>,
}

/// A step of a trace: over an edge, or into a procedure that the edge calls, or back out of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowStep {
    /// The edge that was followed.
    pub edge: EdgeId,
    /// How far.
    pub kind: TraceKind,
    /// Where it led.
    pub point: PointId,
    /// The number of the state after it, in the store of that point, where states are kept.
    pub state: Option<usize>,
}

/// How a step of a trace follows its edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceKind {
    /// To its target.
    Over,
    /// Into the procedure that it calls.
    Into,
    /// From the exit of the procedure that it called to its target.
    Back,
}

/// A location in a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowPoint {
    /// The context.
    pub context: ContextId,
    /// The location.
    pub location: LocationId,
}

/// A procedure with an abstract input. The states at the entry point are the input, those at the exit point the output:
/// together they are a line of the procedure's summary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// The procedure; the first one in a graph without procedures.
    pub procedure: ProcedureId,
    /// Its points come one after the other from here on.
    pub first: PointId,
    /// The point of its entry.
    pub entry: PointId,
    /// The point of its exit; none in a graph without procedures.
    pub exit: Option<PointId>,
    /// The points from where it is called, with the edges that call, each once.
    pub callers: Vec<(PointId, EdgeId)>,
}

/// The states of all points.
pub struct Solution<D: Domain> {
    /// A store per point; empty where states are not kept.
    pub stores: IdVec<PointId, D::Store>,
    /// For each point, the record of each state of its store.
    pub records_of: IdVec<PointId, Vec<RecordId>>,
    /// All records.
    pub records: IdVec<RecordId, Record>,
    /// Which points keep their states.
    pub saved: IdVec<PointId, bool>,
    /// How often each point was taken up.
    pub visits: IdVec<PointId, u32>,
    /// The location and the context of each point.
    pub points: IdVec<PointId, FlowPoint>,
    /// All contexts, in the order in which they were found.
    pub contexts: IdVec<ContextId, Context>,
    /// Why it ended: only [`StopReason::Fixpoint`] is complete.
    pub stop: StopReason,
    /// The work that was done.
    pub statistics: Statistics,
}

/// In a trace that is longer than this, the steps inside of calls are left out.
const LONG: usize = 10_000;

impl<D: Domain> Solution<D> {
    /// The points that a location is in all contexts. Those of a context are in the order of their locations.
    pub fn points_of(&self, location: LocationId) -> impl Iterator<Item = PointId> {
        let ends = self.contexts.iter().skip(1).map(|next| next.first).chain([self.points.next_id()]);
        self.contexts.iter().zip(ends).filter_map(move |(context, end)| {
            let points = &self.points.as_slice()[context.first.index()..end.index()];
            let found = points.binary_search_by_key(&location, |point| point.location).ok()?;
            Some(context.first + found)
        })
    }

    /// The stores of a location in all contexts.
    pub fn stores_of(&self, location: LocationId) -> impl Iterator<Item = &D::Store> {
        self.points_of(location).map(|point| &self.stores[point])
    }

    /// The steps from an input to a record, first to last.
    pub fn trace(&self, record: RecordId) -> Vec<FlowStep> {
        let mut steps = Vec::new();
        // The edges of the calls in which the walk back is, and the records of their callers.
        let mut calls = Vec::new();
        let mut current = Some(record);
        while let Some(record) = current {
            let Record { parent, edge, call, enters, point, state } = self.records[record];
            let step = |edge: EdgeId, kind| FlowStep { edge, kind, point, state: state.map(|state| state as usize) };
            // Where a procedure starts, the way back is to the caller of the call at hand, not to the first caller.
            if (enters || parent.is_none())
                && let Some((edge, caller)) = calls.pop()
            {
                steps.push(step(edge, TraceKind::Into));
                current = Some(caller);
                continue;
            }
            current = parent;
            match (edge, call) {
                (None, _) => {}
                (Some(edge), None) => steps.push(step(edge, if enters { TraceKind::Into } else { TraceKind::Over })),
                (Some(edge), Some(call)) => {
                    let is_long = steps.len() > LONG;
                    steps.push(step(edge, TraceKind::Back));
                    if is_long {
                        current = Some(call);
                    } else {
                        calls.push((edge, call));
                    }
                }
            }
        }
        steps.reverse();
        steps
    }
}
