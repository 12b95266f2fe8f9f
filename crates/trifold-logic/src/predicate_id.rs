//! How formulas name predicates: by their position in the vocabulary, before an update or after it.
//!
//! Four predicates are built in and always have the same identifiers: `sm` (may the individual stand for several?),
//! `ac` (does it exist?), `isNew` and `instance` (which individuals did `%new` create, and from which?). The last two
//! are false outside of an update.

/// Identifies a predicate of one [`Vocabulary`](crate::Vocabulary): its position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredicateId(pub u32);

impl PredicateId {
    /// `sm(v)`: 1/2 on a summary individual, otherwise 0.
    pub const SM: PredicateId = PredicateId(0);
    /// `ac(v)`: 1 when the individual exists in every represented store, 1/2 when it may be absent.
    pub const AC: PredicateId = PredicateId(1);
    /// `isNew(v)`: the individual was created by the action under way.
    pub const IS_NEW: PredicateId = PredicateId(2);
    /// `instance(v, w)`: `v` was created by the action under way as a copy of `w`.
    pub const INSTANCE: PredicateId = PredicateId(3);

    /// Marks the value that a predicate has after an update, in formulas that speak of both.
    const AFTER: u32 = 1 << 31;

    /// The predicate as it is after the update.
    pub fn after(self) -> PredicateId {
        PredicateId(self.0 | PredicateId::AFTER)
    }

    /// The predicate as it is before the update.
    pub fn before(self) -> PredicateId {
        PredicateId(self.0 & !PredicateId::AFTER)
    }

    /// Is this the predicate as it is after the update?
    pub fn is_after(self) -> bool {
        self.0 & PredicateId::AFTER != 0
    }

    /// The predicate's position, the same before and after an update.
    pub fn index(self) -> usize {
        self.before().0 as usize
    }
}
