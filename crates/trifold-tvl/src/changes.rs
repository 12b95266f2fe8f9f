//! The changes of a structure since it last satisfied all rules, so that coerce need not look at all rules.
//!
//! For example, after `n(1,2)` has become 1 only rules that read `n` are looked at, and only with 1 and 2 as arguments.

use trifold_logic::PredicateId;
use trifold_structure::{Extent, Individual, Plane};

/// How the values of a plane have changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Values have become more definite: 1 on `must`, 0 on `may`.
    Sharpened,
    /// Values have become less definite.
    Weakened,
}

/// Values of a plane have changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Of this predicate.
    pub predicate: PredicateId,
    /// On this plane.
    pub plane: Plane,
    /// How.
    pub direction: Direction,
    /// The individuals of the tuples whose values have changed; there may be more.
    pub extent: Extent,
}

/// The changes of a structure since it last satisfied all rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Changes {
    /// Anything: all rules must be looked at.
    Anything,
    /// Only this: at most one entry for each plane and direction.
    Only(Vec<Change>),
}

impl Changes {
    /// Nothing has happened.
    pub fn none() -> Changes {
        Changes::Only(Vec::new())
    }

    /// Adds changes that were made to the same individuals at another time.
    pub fn also(&mut self, other: &Changes) {
        match other {
            Changes::Anything => *self = Changes::Anything,
            Changes::Only(changes) => {
                changes.iter().for_each(|c| self.note(c.predicate, c.plane, c.direction, c.extent));
            }
        }
    }

    /// Adds a change.
    pub fn note(&mut self, predicate: PredicateId, plane: Plane, direction: Direction, extent: Extent) {
        let Changes::Only(changes) = self else { return };
        let same = |c: &&mut Change| (c.predicate, c.plane, c.direction) == (predicate, plane, direction);
        match changes.iter_mut().find(same) {
            Some(change) => change.extent.add(extent),
            None => changes.push(Change { predicate, plane, direction, extent }),
        }
    }

    /// Notes that a predicate has been made 1 on a tuple (`Must`) or 0 (`May`).
    pub fn sharpen(&mut self, predicate: PredicateId, plane: Plane, tuple: &[Individual]) {
        self.note(predicate, plane, Direction::Sharpened, Extent::of(tuple));
    }

    /// Notes that an individual has been split in two, which now differ. Every change of the individual is also a
    /// change of its copy.
    pub fn split(&mut self, individual: Individual, copy: Individual) {
        if let Changes::Only(changes) = self {
            changes.iter_mut().for_each(|change| change.extent.add_copy(individual, copy));
        }
        self.sharpen(PredicateId::SM, Plane::May, &[individual]);
        self.sharpen(PredicateId::SM, Plane::May, &[copy]);
    }
}
