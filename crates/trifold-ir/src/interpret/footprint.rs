//! The objects that the check of a contract has looked at.
//!
//! For example, `list(x) && list(y)` does not hold if the two lists have a common element, because that is looked at
//! twice.

use super::state::ObjectId;
use std::collections::BTreeMap;

/// Numbers the calls of a run, and knows by which of them objects have been looked at.
#[derive(Default)]
pub(super) struct Footprint {
    /// The numbers of the calls that are under way.
    calls: Vec<usize>,
    next: usize,
    /// The call that checks its contract, and whether the check is of its precondition.
    of: Option<(usize, bool)>,
    seen: BTreeMap<ObjectId, usize>,
}

impl Footprint {
    pub fn enter(&mut self) {
        self.calls.push(self.next);
        self.next += 1;
    }

    pub fn leave(&mut self) {
        self.calls.pop();
    }

    /// Is the current call the first one that looks at an object, in the check of one side of the contract of the call
    /// at this depth?
    pub fn is_new(&mut self, depth: usize, required: bool, object: ObjectId) -> bool {
        let of = Some((self.calls[depth], required));
        if self.of != of {
            (self.of, self.seen) = (of, BTreeMap::new());
        }
        let call = self.calls[self.calls.len() - 1];
        *self.seen.entry(object).or_insert(call) == call
    }
}
