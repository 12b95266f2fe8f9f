//! Stores: two-valued structures, as models of queries.
//!
//! For example, the list 1 → 2 of `x`, with `x(1) = 1`, `n(1,2) = 1` and all other values 0.

use trifold_logic::{Kleene, PredicateId};
use trifold_structure::{Individual, Structure};

/// A concrete store that a structure represents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    /// The store.
    pub structure: Structure,
    /// For each of its individuals, the individual of the structure that represents it.
    pub images: Vec<Individual>,
}

impl Store {
    /// The value that stands for all tuples of the store which a tuple of the structure represents.
    ///
    /// There is at least one such tuple, as long as the individuals of `tuple` surely exist.
    pub fn value(&self, predicate: PredicateId, tuple: &[Individual]) -> Kleene {
        let of = |image: Individual| {
            self.images.iter().enumerate().filter(move |(_, known)| **known == image).map(|(u, _)| u)
        };
        let mut values: Box<dyn Iterator<Item = Kleene>> = match *tuple {
            [] => Box::new(std::iter::once(self.structure.nullary(predicate))),
            [u] => Box::new(of(u).map(|u| self.structure.unary(predicate, u))),
            [u, w] => Box::new(of(u).flat_map(move |u| of(w).map(move |w| self.structure.binary(predicate, u, w)))),
            _ => unreachable!("predicates have at most two arguments"),
        };
        let first = values.next().unwrap_or(Kleene::Unknown);
        values.fold(first, Kleene::info_join)
    }

    /// How many individuals of the store are represented by this one?
    pub fn count(&self, image: Individual) -> usize {
        self.images.iter().filter(|known| **known == image).count()
    }
}
