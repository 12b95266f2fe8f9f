//! The way of a run: the edges that it has taken, and when.

use super::abstraction::At;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Incident, State};

/// The way of a run, state by state.
#[derive(Debug, Default)]
pub(super) struct Way {
    /// The number of the first state after each edge that was taken.
    taken: BTreeMap<At, usize>,
    /// How many calls were under way in each state.
    depths: Vec<usize>,
    /// How many objects there were when each of the calls under way began.
    objects: Vec<usize>,
}

impl Way {
    /// The next state.
    pub fn visit(&mut self, state: &State) {
        let number = self.depths.len();
        self.depths.push(state.frames.len());
        self.objects.truncate(state.frames.len());
        if self.objects.len() < state.frames.len() {
            self.objects.push(state.objects.len());
        }
        for frame in &state.frames {
            let edge = frame.edge.map(|edge| (frame.procedure, edge));
            edge.map(|edge| self.taken.entry(edge).or_insert(number));
        }
    }

    /// How many objects there were when the current call began.
    pub fn before_call(&self) -> usize {
        self.objects.last().copied().unwrap_or(0)
    }

    /// Has one of these edges been taken?
    pub fn has_taken(&self, edges: &BTreeSet<At>) -> bool {
        edges.iter().any(|edge| self.taken.contains_key(edge))
    }

    /// Had one of these edges been taken at the time of an incident?
    pub fn had_taken(&self, edges: &BTreeSet<At>, incident: &Incident) -> bool {
        let time = self.time(incident);
        edges.iter().any(|edge| self.taken.get(edge).is_some_and(|first| *first <= time))
    }

    /// The number of the state after an incident. An incident of a call may happen when the call returns.
    fn time(&self, incident: &Incident) -> usize {
        let depth = self.depths.get(incident.visit).copied().unwrap_or(0);
        let mut later = self.depths.iter().enumerate().skip(incident.visit + 1);
        later.find(|(_, later)| **later <= depth).map_or(self.depths.len(), |(number, _)| number)
    }
}
