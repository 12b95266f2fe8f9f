//! Where values have changed: the individuals of the changed tuples.
//!
//! For example, after a change of `n(2,5)` the first arguments are {2} and the second {5}; a rule is asked only about
//! assignments with these.

use crate::Individual;

/// The individuals that occur in some tuples, as first and as second argument. Only universes of at most 64
/// individuals are searched; for the others an extent means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Extent {
    /// Those at the first argument.
    pub first: u64,
    /// Those at the second argument; for a unary predicate the same as at the first.
    pub second: u64,
}

impl Extent {
    /// Any individual anywhere.
    pub const ALL: Extent = Extent { first: u64::MAX, second: u64::MAX };

    /// The extent of one tuple.
    pub fn of(tuple: &[Individual]) -> Extent {
        let bit = |u: &Individual| if *u < 64 { 1 << u } else { u64::MAX };
        let first = tuple.first().map_or(u64::MAX, bit);
        Extent { first, second: tuple.get(1).map_or(first, bit) }
    }

    /// The extent of the bits by which the rows of a table change, given in order.
    pub fn of_rows(rows: impl Iterator<Item = u64>) -> Extent {
        let add = |all: Extent, (u, bits): (usize, u64)| Extent {
            first: all.first | ((bits != 0) as u64) << (u % 64),
            second: all.second | bits,
        };
        rows.enumerate().fold(Extent::default(), add)
    }

    /// Adds tuples.
    pub fn add(&mut self, other: Extent) {
        self.first |= other.first;
        self.second |= other.second;
    }

    /// Adds the tuples in which a copy of an individual takes its place.
    pub fn add_copy(&mut self, individual: Individual, copy: Individual) {
        let Extent { first, second } = Extent::of(&[copy]);
        if self.first & Extent::of(&[individual]).first != 0 {
            self.first |= first;
        }
        if self.second & Extent::of(&[individual]).second != 0 {
            self.second |= second;
        }
    }
}
