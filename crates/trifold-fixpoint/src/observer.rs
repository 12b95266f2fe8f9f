//! Those who look on while a solver works.

use crate::domain::{Domain, Statistics};
use crate::solution::Solution;
use std::ops::ControlFlow;

/// Looks on, and may stop the solver. It never changes what is computed.
pub trait Observer<D: Domain> {
    /// A step over `edge` from the state of record `parent` reported something.
    fn event(&mut self, edge: usize, parent: u32, event: D::Event);

    /// Called every few steps. `Break` ends the solving with a partial result.
    fn progress(&mut self, statistics: &Statistics, solution: &Solution<D>) -> ControlFlow<()>;
}
