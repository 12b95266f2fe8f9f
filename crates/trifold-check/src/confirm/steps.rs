//! The statements of a run, as they are shown: one for each line, and calls that have ended are one step.
//!
//! For example, `push(&list, 1); list->next->data = 0;` has two steps, however many statements `push` has. If it fails
//! inside of `push`, the steps of that call are shown after it.

use trifold_ir::{Place, ProcId, Program, State};

/// A statement, and the state after it unless that is long ago.
pub(super) struct Step {
    pub place: Place,
    pub after: Option<State>,
}

/// So many of the last steps have their states.
const RECENT: usize = 60;

/// Collects the steps of a run.
pub(super) struct Steps<'a> {
    program: &'a Program,
    /// The line of a place, to tell lines apart.
    line: &'a dyn Fn(Place) -> usize,
    /// Procedures after these are made up, and not shown.
    written: usize,
    steps: Vec<Step>,
    /// For each call under way, how many steps there were before it.
    before: Vec<usize>,
}

impl<'a> Steps<'a> {
    pub fn new(program: &'a Program, written: usize, line: &'a dyn Fn(Place) -> usize) -> Steps<'a> {
        Steps { program, line, written, steps: Vec::new(), before: Vec::new() }
    }

    /// A state is visited.
    pub fn visit(&mut self, state: &State) {
        let depth = state.frames.len();
        if depth < self.before.len() {
            // What the call did is one step now.
            let first = self.before[depth];
            self.before.truncate(depth);
            self.steps.truncate(first);
        }
        while self.before.len() < depth {
            // The caller is about to wait: its call is a step, after which the steps of the callee follow.
            if let Some(caller) = self.before.len().checked_sub(1).map(|caller| &state.frames[caller]) {
                self.add(caller.procedure, caller.edge, state);
            }
            self.before.push(self.steps.len());
        }
        let frame = state.frame();
        self.add(frame.procedure, frame.edge, state);
    }

    fn add(&mut self, procedure: ProcId, edge: Option<usize>, state: &State) {
        let Some(edge) = edge.filter(|_| procedure.index() < self.written) else { return };
        let place = Place::of(self.program, procedure, edge);
        let at = |place: Place| (place.procedure, (self.line)(place));
        let is_new_call = self.before.last() == Some(&self.steps.len());
        let step = Step { place, after: Some(state.clone()) };
        match self.steps.last_mut() {
            Some(last) if at(last.place) == at(place) && !is_new_call => *last = step,
            _ => self.steps.push(step),
        }
        if let Some(old) = self.steps.len().checked_sub(RECENT + 1) {
            self.steps[old].after = None;
        }
    }

    /// All of them.
    pub fn all(self) -> Vec<Step> {
        self.steps
    }
}
