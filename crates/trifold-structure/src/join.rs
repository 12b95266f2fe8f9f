//! Pointwise join of structures whose individuals have been matched.
//!
//! For example, where `p(u)` is 1 in one structure and 0 in the other, it is 1/2 in their join.
//!
//! # Soundness
//! Both structures embed in the result. An individual that only one of them has may be absent in the result, so it
//! becomes maybe-active; a pair of individuals of which each structure has only one never occurs in a store, so its
//! values do not matter and are 0 [LevAmi00 Fig. 41].

use crate::{Individual, Structure, row_words};
use trifold_logic::{Kleene, PredicateId};

/// For each individual of the result, the individuals it is in the left and in the right structure.
pub type Matching = Vec<(Option<Individual>, Option<Individual>)>;

impl Structure {
    /// Joins another structure with the same universe into this one, individual by individual.
    pub fn join_pointwise(&mut self, other: &Structure) {
        let planes = self.plane_lengths();
        for ((words, others), plane) in self.all_regions_mut().into_iter().zip(other.all_regions()).zip(planes) {
            for (both, other) in words.chunks_exact_mut(2 * plane).zip(others.chunks_exact(2 * plane)) {
                let (must, may) = both.split_at_mut(plane);
                must.iter_mut().zip(other).for_each(|(word, bits)| *word &= bits);
                may.iter_mut().zip(&other[plane..]).for_each(|(word, bits)| *word |= bits);
            }
        }
    }

    /// Would joining another structure with the same universe into this one change nothing?
    pub fn covers_pointwise(&self, other: &Structure) -> bool {
        self.all_regions().into_iter().zip(other.all_regions()).zip(self.plane_lengths()).all(
            |((words, others), plane)| {
                words.chunks_exact(2 * plane).zip(others.chunks_exact(2 * plane)).all(|(both, other)| {
                    let (must, may) = both.split_at(plane);
                    must.iter().zip(other).all(|(word, bits)| word & !bits == 0)
                        && may.iter().zip(&other[plane..]).all(|(word, bits)| bits & !word == 0)
                })
            },
        )
    }

    /// The words of a plane among the nullary values, the rows and the matrices.
    fn plane_lengths(&self) -> [usize; 3] {
        let row = row_words(self.size());
        [self.nullary_region().len() / 2, row, self.size() * row].map(|plane| plane.max(1))
    }

    /// The join under a matching that may leave individuals of either side alone.
    pub fn join_matched(&self, other: &Structure, matching: &Matching) -> Structure {
        let mut result = Structure::new(self.layout(), matching.len());
        self.nullary_predicates().for_each(|p| result.set_nullary(p, self.nullary(p)));
        result.join_nullary(other);
        for index in 0..self.layout().predicates() {
            let predicate = PredicateId(index as u32);
            for (i, &(l, r)) in matching.iter().enumerate() {
                match self.layout().arity(predicate) {
                    1 => {
                        let left = l.map(|l| self.unary(predicate, l));
                        let right = r.map(|r| other.unary(predicate, r));
                        result.set_unary(predicate, i, either(left, right));
                    }
                    2 => {
                        for (j, &(l2, r2)) in matching.iter().enumerate() {
                            let left = l.zip(l2).map(|(u, v)| self.binary(predicate, u, v));
                            let right = r.zip(r2).map(|(u, v)| other.binary(predicate, u, v));
                            result.set_binary(predicate, i, j, either(left, right));
                        }
                    }
                    _ => {}
                }
            }
        }
        for (i, (l, r)) in matching.iter().enumerate() {
            if l.is_none() || r.is_none() {
                result.set_unary(PredicateId::AC, i, Kleene::Unknown);
            }
        }
        if self.tracks_names() && other.tracks_names() {
            let name = |(l, r): &(Option<Individual>, Option<Individual>)| match (l, r) {
                (Some(l), _) => self.names()[*l].clone(),
                (None, r) => other.names()[r.expect("one side has it")].clone(),
            };
            result.set_names(matching.iter().map(name).collect());
        }
        result
    }

    fn join_nullary(&mut self, other: &Structure) {
        let predicates: Vec<PredicateId> = self.nullary_predicates().collect();
        for predicate in predicates {
            self.set_nullary(predicate, self.nullary(predicate).info_join(other.nullary(predicate)));
        }
    }

    fn nullary_predicates(&self) -> impl Iterator<Item = PredicateId> + use<> {
        let layout = self.layout().clone();
        (0..layout.predicates()).map(|i| PredicateId(i as u32)).filter(move |p| layout.arity(*p) == 0)
    }
}

fn either(left: Option<Kleene>, right: Option<Kleene>) -> Kleene {
    match (left, right) {
        (Some(l), Some(r)) => l.info_join(r),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => Kleene::False,
    }
}

#[cfg(test)]
mod tests {
    use crate::embeds_by;
    use crate::testing::{structure, vocabulary};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_sides_embed_in_a_matched_join(
            s in structure(&vocabulary(), 0..=4),
            t in structure(&vocabulary(), 0..=4),
            common in 0..=4usize,
        ) {
            let common = common.min(s.size()).min(t.size());
            let matching: Vec<_> = (0..common).map(|u| (Some(u), Some(u)))
                .chain((common..s.size()).map(|u| (Some(u), None)))
                .chain((common..t.size()).map(|u| (None, Some(u))))
                .collect();
            let join = s.join_matched(&t, &matching);
            let left: Vec<usize> = s.universe().collect();
            let right: Vec<usize> = t.universe().map(|u| if u < common { u } else { u + s.size() - common }).collect();
            prop_assert!(embeds_by(&s, &join, &left));
            prop_assert!(embeds_by(&t, &join, &right));
            if s.size() == t.size() && common == s.size() {
                let mut pointwise = s.clone();
                pointwise.join_pointwise(&t);
                prop_assert_eq!(s.covers_pointwise(&t), pointwise == s);
                prop_assert_eq!(pointwise, join);
            }
        }
    }
}
