//! Observers: they look on while the solver works, and may stop it.

use crate::domain::{Domain, Statistics};
use crate::ids::{EdgeId, RecordId};
use crate::solution::Solution;
use std::ops::ControlFlow;
use trifold_work::StopReason;

/// Observes the solver, and may interrupt it. It never changes a result.
pub trait Observer<D: Domain> {
    /// A step over `edge` from the state of record `parent` reported something.
    fn event(&mut self, edge: EdgeId, parent: RecordId, event: D::Event);

    /// Called every few steps. `Break` ends the solving with a partial result, for a reason.
    fn progress(&mut self, statistics: &Statistics, solution: &Solution<D>) -> ControlFlow<StopReason>;
}
