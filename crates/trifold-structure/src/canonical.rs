//! Canonical order of individuals, so that isomorphic structures become equal buffers.
//!
//! In a bounded structure the values of the abstraction predicates tell all individuals apart; sorting by them is
//! enough. Other structures (concrete ones, with `--join concrete`) are refined by colours and, where colours leave a
//! tie, by trying each member of the tie and keeping the smallest result. For example, in a list 1 → 2 to whose first
//! element `x` points, the individual of `x` comes first, in every structure of such a list.

use crate::{Individual, Names, Structure};
use trifold_logic::PredicateId;
use trifold_work::spend;

/// The equal structure, up to the order of individuals, that every isomorphic structure is also sent to.
pub fn canonical_form(structure: &Structure) -> Structure {
    let unary: Vec<PredicateId> = with_arity(structure, 1);
    let names = Names::new(structure, &unary);
    let mut colours = rank(structure.universe().map(|u| names.of(u).to_vec()).collect());
    refine(structure, &mut colours);
    smallest(structure, colours)
}

fn with_arity(structure: &Structure, arity: usize) -> Vec<PredicateId> {
    let layout = structure.layout();
    (0..layout.predicates()).map(|i| PredicateId(i as u32)).filter(|p| layout.arity(*p) == arity).collect()
}

/// Replaces keys by their rank among all keys.
fn rank<K: Ord + Clone>(keys: Vec<K>) -> Vec<usize> {
    let mut sorted = keys.clone();
    sorted.sort();
    sorted.dedup();
    keys.iter().map(|key| sorted.binary_search(key).expect("every key is there")).collect()
}

/// Splits colours by the multiset of (edge values, colour) around each individual until nothing splits.
fn refine(structure: &Structure, colours: &mut Vec<usize>) {
    let binary = with_arity(structure, 2);
    loop {
        spend((structure.size() * structure.words().len()) as u64);
        let keys = structure
            .universe()
            .map(|u| {
                let mut around: Vec<(Vec<u8>, usize)> = structure
                    .universe()
                    .map(|v| {
                        let value =
                            |p: &PredicateId| structure.binary(*p, u, v) as u8 * 3 + structure.binary(*p, v, u) as u8;
                        (binary.iter().map(value).chain([(u == v) as u8]).collect(), colours[v])
                    })
                    .collect();
                around.sort();
                (colours[u], around)
            })
            .collect();
        let refined = rank(keys);
        let done = refined.iter().max() == colours.iter().max();
        *colours = refined;
        if done {
            return;
        }
    }
}

fn smallest(structure: &Structure, colours: Vec<usize>) -> Structure {
    let tie = (0..structure.size()).find(|c| colours.iter().filter(|colour| *colour == c).count() > 1);
    let Some(tie) = tie else {
        let mut order: Vec<Individual> = structure.universe().collect();
        order.sort_by_key(|u| colours[*u]);
        return structure.select(&order);
    };
    let mut tried: Vec<Individual> = Vec::new();
    let members = structure.universe().filter(|u| colours[*u] == tie);
    members
        .filter(|u| {
            // Exchanging twins changes nothing, so one of them stands for all.
            let new = !tried.iter().any(|v| are_twins(structure, *u, *v));
            tried.extend(new.then_some(*u));
            new
        })
        .map(|chosen| {
            let split = structure.universe().map(|u| (colours[u], u != chosen && colours[u] == tie)).collect();
            let mut split = rank(split);
            refine(structure, &mut split);
            smallest(structure, split)
        })
        .min_by(|a, b| a.words().cmp(b.words()))
        .expect("a tie has members")
}

/// Is the structure the same when these two individuals are exchanged?
fn are_twins(structure: &Structure, u: Individual, v: Individual) -> bool {
    let swap = |w: Individual| match w {
        w if w == u => v,
        w if w == v => u,
        w => w,
    };
    with_arity(structure, 2).iter().all(|p| {
        structure.universe().all(|w| {
            [u, v].into_iter().all(|t| {
                structure.binary(*p, t, w) == structure.binary(*p, swap(t), swap(w))
                    && structure.binary(*p, w, t) == structure.binary(*p, swap(w), swap(t))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{structure, vocabulary};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn isomorphic_structures_have_one_canonical_form(
            s in structure(&vocabulary(), 0..=5),
            seed in prop::collection::vec(any::<u32>(), 5),
        ) {
            let mut order: Vec<usize> = s.universe().collect();
            order.sort_by_key(|u| seed[*u]);
            prop_assert_eq!(canonical_form(&s), canonical_form(&s.select(&order)));
        }
    }

    #[test]
    fn symmetric_structures_have_one_canonical_form() {
        let vocabulary = vocabulary();
        let n = vocabulary.lookup("n").unwrap();
        let layout = std::sync::Arc::new(crate::Layout::new(&vocabulary));
        let ring = |order: [usize; 6]| {
            let mut s = Structure::new(&layout, 6);
            (0..6).for_each(|i| s.set(n, &[order[i], order[(i + 1) % 6]], trifold_logic::Kleene::True));
            s
        };
        assert_eq!(canonical_form(&ring([0, 1, 2, 3, 4, 5])), canonical_form(&ring([3, 0, 5, 1, 4, 2])));
    }
}
