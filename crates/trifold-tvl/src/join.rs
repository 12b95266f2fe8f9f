//! Join: the structures of one location [LevAmi00 §3.3, §7.6].
//!
//! | join        | structures are one when …                                  |
//! |-------------|------------------------------------------------------------|
//! | relational  | they are equal, up to the order of individuals             |
//! | partial     | they have the same canonical names and nullary values      |
//! | single      | they have the same nullary values                          |
//! | concrete    | they are isomorphic; nothing is blurred                    |
//!
//! "Values" and "names" are those of the abstraction predicates. Structures that are one are joined pointwise; under
//! `single`, individuals that only one of them has become maybe-active. A pair of individuals of which each structure
//! has one gets the value 0, and a later structure that has both of them joins with that 0: the result of `single`,
//! though sound, can depend on the order of arrival. `single` goes with canonical abstraction only: names that binary
//! predicates refine depend on the other individuals. For example, two lists with and without an element after `x` stay
//! apart under `relational`; under `single` they become one, with an element that may be absent.

use crate::blur::Abstraction;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;
use trifold_fixpoint::Insertion;
use trifold_logic::Kleene;
use trifold_structure::{Individual, Matching, Structure, canonical_form};
use trifold_work::spend;

/// When structures of a location are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Join {
    /// A set of structures.
    #[default]
    Relational,
    /// Structures with equal names and nullary values are merged.
    Partial,
    /// Structures with equal nullary values are merged.
    Single,
    /// A set of structures that are not blurred.
    Concrete,
}

/// A structure as locations keep it. Locations share structures that pass from one to the next unchanged.
#[derive(Clone, Debug)]
pub struct Kept {
    structure: Arc<Structure>,
    /// The hash of the values that must be equal for structures to be one.
    key: u64,
}

impl Kept {
    /// The structure is blurred, unless the join is concrete.
    pub(crate) fn new(structure: Structure, join: Join, abstraction: &Abstraction) -> Kept {
        let structure = if join == Join::Concrete { canonical_form(&structure) } else { structure };
        Kept { key: key(&structure, join, abstraction), structure: Arc::new(structure) }
    }

    /// The structure, to be shared further.
    pub fn shared(&self) -> Arc<Structure> {
        self.structure.clone()
    }
}

impl Deref for Kept {
    type Target = Structure;

    fn deref(&self) -> &Structure {
        &self.structure
    }
}

/// The structures of one location.
#[derive(Clone, Default, Debug)]
pub struct Structures {
    structures: Vec<Kept>,
    /// Numbers of structures by their keys.
    by_key: FxHashMap<u64, Vec<u32>>,
}

impl Structures {
    /// The structures, in order of arrival.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Structure> {
        self.structures.iter().map(Kept::deref)
    }

    /// A structure by its number.
    pub fn get(&self, number: usize) -> &Kept {
        &self.structures[number]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.structures.len()
    }

    /// Adds a structure that was made for this join and abstraction.
    pub(crate) fn insert(&mut self, structure: Kept, join: Join, abstraction: &Abstraction) -> Insertion {
        spend(100 + structure.words().len() as u64);
        let bucket = self.by_key.entry(structure.key).or_default();
        let same =
            bucket.iter().copied().find(|i| same_key(&self.structures[*i as usize], &structure, join, abstraction));
        let Some(number) = same.map(|number| number as usize) else {
            bucket.push(self.structures.len() as u32);
            self.structures.push(structure);
            return Insertion::Added(self.structures.len() - 1);
        };
        // A joined structure keeps its key.
        let old = &mut self.structures[number].structure;
        let changed = match join {
            Join::Relational | Join::Concrete => false,
            Join::Partial => {
                let changed = !old.covers_pointwise(&structure);
                if changed {
                    Arc::make_mut(old).join_pointwise(&structure);
                }
                changed
            }
            Join::Single => {
                let joined = join_by_name(old, &structure, abstraction);
                let changed = joined != **old;
                *old = Arc::new(joined);
                changed
            }
        };
        if changed { Insertion::Changed(number) } else { Insertion::Known }
    }
}

fn nullary_values<'s>(structure: &'s Structure, abstraction: &'s Abstraction) -> impl Iterator<Item = Kleene> {
    abstraction.nullary.iter().map(|p| structure.nullary(*p))
}

/// The values that must be equal for structures to be one, as numbers.
pub(crate) fn key_words(structure: &Structure, join: Join, abstraction: &Abstraction) -> Vec<u64> {
    let nullary = || nullary_values(structure, abstraction).map(|value| value as u64);
    match join {
        Join::Relational | Join::Concrete => structure.words().to_vec(),
        Join::Partial => {
            let mut words = vec![structure.size() as u64];
            abstraction.name_words(structure, |word| words.push(word));
            words.extend(nullary());
            words
        }
        Join::Single => nullary().collect(),
    }
}

fn key(structure: &Structure, join: Join, abstraction: &Abstraction) -> u64 {
    let mut hasher = FxHasher::default();
    match join {
        Join::Relational | Join::Concrete => structure.hash(&mut hasher),
        Join::Partial => {
            abstraction.name_words(structure, |word| word.hash(&mut hasher));
            structure.size().hash(&mut hasher);
            nullary_values(structure, abstraction).for_each(|value| value.hash(&mut hasher));
        }
        Join::Single => nullary_values(structure, abstraction).for_each(|value| value.hash(&mut hasher)),
    }
    hasher.finish()
}

fn same_key(a: &Structure, b: &Structure, join: Join, abstraction: &Abstraction) -> bool {
    let nullary = || nullary_values(a, abstraction).eq(nullary_values(b, abstraction));
    match join {
        Join::Relational | Join::Concrete => a == b,
        Join::Partial if a == b => true,
        Join::Partial => abstraction.same_names(a, b) && nullary(),
        Join::Single => nullary(),
    }
}

/// Joins structures whose individuals are sorted by name; equal names are the same individual.
fn join_by_name(left: &Structure, right: &Structure, abstraction: &Abstraction) -> Structure {
    let (left_names, right_names) = (abstraction.names(left), abstraction.names(right));
    let (mut l, mut r): (Individual, Individual) = (0, 0);
    let mut matching = Matching::new();
    while l < left.size() || r < right.size() {
        let order = match (l < left.size(), r < right.size()) {
            (true, true) => left_names.of(l).cmp(right_names.of(r)),
            (true, false) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Greater,
        };
        let (take_left, take_right) = (order.is_le(), order.is_ge());
        matching.push((take_left.then_some(l), take_right.then_some(r)));
        l += take_left as usize;
        r += take_right as usize;
    }
    left.join_matched(right, &matching)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blur::BlurRule;
    use crate::blur::tests::abstraction;
    use proptest::prelude::*;
    use trifold_structure::embedding;
    use trifold_structure::testing::{structure, vocabulary};

    proptest! {
        #[test]
        fn every_inserted_structure_is_represented(
            all in prop::collection::vec(structure(&vocabulary(), 0..=3), 1..6),
            join in prop::sample::select(vec![Join::Relational, Join::Partial, Join::Single, Join::Concrete]),
            abstraction in abstraction(),
        ) {
            // The names of an expression can change when individuals are added.
            let canonical = Abstraction::new(&vocabulary(), BlurRule::Different);
            let abstraction = if join == Join::Single { canonical } else { abstraction };
            let mut store = Structures::default();
            for s in &all {
                let blurred = if join == Join::Concrete { s.clone() } else { abstraction.blur(s) };
                let blurred = Kept::new(blurred, join, &abstraction);
                store.insert(blurred.clone(), join, &abstraction);
                prop_assert_eq!(store.insert(blurred, join, &abstraction), Insertion::Known);
            }
            for s in &all {
                prop_assert!(store.iter().any(|t| embedding(s, t).is_some()));
            }
        }

        #[test]
        fn the_order_of_arrival_does_not_matter(
            all in prop::collection::vec(structure(&vocabulary(), 0..=3), 1..6),
            join in prop::sample::select(vec![Join::Relational, Join::Partial]),
            abstraction in abstraction(),
        ) {
            let (mut forward, mut backward) = (Structures::default(), Structures::default());
            let kept = |s: &Structure| Kept::new(abstraction.blur(s), join, &abstraction);
            all.iter().for_each(|s| { forward.insert(kept(s), join, &abstraction); });
            all.iter().rev().for_each(|s| { backward.insert(kept(s), join, &abstraction); });
            let sorted = |s: &Structures| {
                let mut words: Vec<Vec<u64>> = s.iter().map(|s| s.words().to_vec()).collect();
                words.sort();
                words
            };
            prop_assert_eq!(sorted(&forward), sorted(&backward));
        }
    }
}
