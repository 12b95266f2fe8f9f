//! Embedding: when does one structure represent everything another one does? [LevAmi00 Def. 7.1]
//!
//! `S` embeds in `S'` by `f` when every value in `S` is at most as vague as its image, individuals that share an image
//! make it a summary, and every individual of `S'` that surely exists is the image of one that surely exists. For
//! example, the list 1 → 2 → 3 embeds in a structure of one individual and a summary: 1 is mapped to the individual, 2
//! and 3 to the summary.
//!
//! This is the judge of the whole analyzer: a concrete store must embed in some structure computed for its location.

use crate::{Individual, Plane, Structure};
use trifold_logic::PredicateId;
use trifold_work::spend;

/// Does `map` embed `small` in `large`?
pub fn embeds_by(small: &Structure, large: &Structure, map: &[Individual]) -> bool {
    small.universe().all(|u| unary_leq(small, u, large, map[u]))
        && nullary_leq(small, large)
        && small.universe().all(|u| small.universe().all(|v| binary_leq(small, (u, v), large, (map[u], map[v]))))
        && summaries_fit(large, map)
        && covers(small, large, map)
}

/// An embedding of `small` in `large`, if there is one.
pub fn embedding(small: &Structure, large: &Structure) -> Option<Vec<Individual>> {
    if !nullary_leq(small, large) {
        return None;
    }
    let candidates: Vec<Vec<Individual>> =
        small.universe().map(|u| large.universe().filter(|v| unary_leq(small, u, large, *v)).collect()).collect();
    let mut order: Vec<Individual> = small.universe().collect();
    order.sort_by_key(|u| candidates[*u].len());
    let mut map = vec![usize::MAX; small.size()];
    Search { small, large, candidates, order }.extend(0, &mut map).then_some(map)
}

struct Search<'a> {
    small: &'a Structure,
    large: &'a Structure,
    candidates: Vec<Vec<Individual>>,
    order: Vec<Individual>,
}

impl Search<'_> {
    fn extend(&self, depth: usize, map: &mut Vec<Individual>) -> bool {
        let Some(&u) = self.order.get(depth) else { return covers(self.small, self.large, map) };
        for &image in &self.candidates[u] {
            spend(20 * (1 + depth as u64));
            map[u] = image;
            if self.fits(depth, u, map) && self.extend(depth + 1, map) {
                return true;
            }
        }
        map[u] = usize::MAX;
        false
    }

    fn fits(&self, depth: usize, u: Individual, map: &[Individual]) -> bool {
        let image = map[u];
        self.order[..=depth].iter().all(|&v| {
            (v == u || map[v] != image || self.large.is_summary(image))
                && binary_leq(self.small, (u, v), self.large, (image, map[v]))
                && binary_leq(self.small, (v, u), self.large, (map[v], image))
        })
    }
}

fn nullary_leq(small: &Structure, large: &Structure) -> bool {
    of_arity(small, 0).all(|p| small.nullary(p).info_leq(large.nullary(p)))
}

/// Existence is compared in [`covers`]: an individual that may be absent fits where something surely exists, if
/// another one makes up for it.
fn unary_leq(small: &Structure, u: Individual, large: &Structure, image: Individual) -> bool {
    of_arity(small, 1).filter(|p| *p != PredicateId::AC).all(|p| small.unary(p, u).info_leq(large.unary(p, image)))
}

fn binary_leq(
    small: &Structure,
    (u, v): (Individual, Individual),
    large: &Structure,
    (iu, iv): (Individual, Individual),
) -> bool {
    of_arity(small, 2).all(|p| small.binary(p, u, v).info_leq(large.binary(p, iu, iv)))
}

fn summaries_fit(large: &Structure, map: &[Individual]) -> bool {
    large.universe().all(|image| large.is_summary(image) || map.iter().filter(|m| **m == image).count() <= 1)
}

fn covers(small: &Structure, large: &Structure, map: &[Individual]) -> bool {
    large.universe().filter(|image| large.is_active(*image)).all(|image| {
        let present = small.row(PredicateId::AC, Plane::Must);
        crate::bits(present).any(|u| map[u] == image)
    })
}

fn of_arity(structure: &Structure, arity: usize) -> impl Iterator<Item = PredicateId> + '_ {
    let layout = structure.layout();
    (0..layout.predicates()).map(|i| PredicateId(i as u32)).filter(move |p| layout.arity(*p) == arity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{structure, vocabulary};
    use proptest::prelude::*;
    use trifold_logic::Kleene;

    proptest! {
        #[test]
        fn embedding_is_reflexive_and_agrees_with_the_definition(
            s in structure(&vocabulary(), 0..=4),
            t in structure(&vocabulary(), 0..=3),
        ) {
            prop_assert!(embedding(&s, &s).is_some());
            let brute_force = crate::testing::tuples(s.size(), t.size()).iter().any(|map| embeds_by(&s, &t, map));
            prop_assert_eq!(embedding(&s, &t).is_some(), brute_force);
        }

        #[test]
        fn blurring_values_keeps_an_embedding(s in structure(&vocabulary(), 1..=4), p in 0..10u32, u in 0..4usize) {
            let p = PredicateId(p);
            prop_assume!(p != PredicateId::AC && s.layout().arity(p) == 1);
            let mut vague = s.clone();
            vague.set_unary(p, u % s.size(), Kleene::Unknown);
            prop_assert!(embedding(&s, &vague).is_some());
        }
    }
}
