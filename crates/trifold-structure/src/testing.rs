//! Generators of random vocabularies, structures and formulas for property tests.

use crate::{Layout, Structure};
use proptest::prelude::*;
use std::sync::Arc;
use trifold_logic::{Formula, Kleene, Predicate, PredicateId, Var, Vocabulary};

/// A vocabulary with predicates of every arity: `b`, `c` nullary, `x`, `y` unary, `n`, `m` binary.
pub fn vocabulary() -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for (name, arity) in [("b", 0), ("c", 0), ("x", 1), ("y", 1), ("n", 2), ("m", 2)] {
        vocabulary.declare(Predicate::core(name, arity));
    }
    vocabulary
}

/// The declared (not built-in) predicates.
pub fn declared(vocabulary: &Vocabulary) -> Vec<PredicateId> {
    vocabulary.ids().skip(Vocabulary::BUILT_IN).collect()
}

/// All tuples of a predicate's arguments over a universe.
pub fn tuples(arity: usize, size: usize) -> Vec<Vec<usize>> {
    (0..arity).fold(vec![Vec::new()], |tuples, _| {
        tuples.iter().flat_map(|t| (0..size).map(move |u| [&t[..], &[u]].concat())).collect()
    })
}

/// Truth values, the definite ones more often.
pub fn kleene() -> impl Strategy<Value = Kleene> {
    prop_oneof![3 => Just(Kleene::False), 2 => Just(Kleene::True), 2 => Just(Kleene::Unknown)]
}

/// A random three-valued structure, with summary and maybe-active individuals.
pub fn structure(vocabulary: &Vocabulary, sizes: std::ops::RangeInclusive<usize>) -> BoxedStrategy<Structure> {
    filled(vocabulary, sizes, kleene().boxed(), 0.3)
}

/// A random two-valued structure.
pub fn store(vocabulary: &Vocabulary, sizes: std::ops::RangeInclusive<usize>) -> BoxedStrategy<Structure> {
    filled(vocabulary, sizes, any::<bool>().prop_map(Kleene::from).boxed(), 0.0)
}

fn filled(
    vocabulary: &Vocabulary,
    sizes: std::ops::RangeInclusive<usize>,
    value: BoxedStrategy<Kleene>,
    indefinite: f64,
) -> BoxedStrategy<Structure> {
    let layout = Arc::new(Layout::new(vocabulary));
    let vocabulary = vocabulary.clone();
    sizes
        .prop_flat_map(move |size| {
            let predicates: Vec<(PredicateId, Vec<usize>)> = declared(&vocabulary)
                .into_iter()
                .flat_map(|p| tuples(vocabulary[p].arity, size).into_iter().map(move |t| (p, t)))
                .collect();
            let layout = layout.clone();
            let values = prop::collection::vec(value.clone(), predicates.len());
            let flags =
                prop::collection::vec((prop::bool::weighted(indefinite), prop::bool::weighted(indefinite / 2.0)), size);
            (values, flags).prop_map(move |(values, flags)| {
                let mut structure = Structure::new(&layout, size);
                for ((predicate, tuple), value) in predicates.iter().zip(values) {
                    structure.set(*predicate, tuple, value);
                }
                for (u, (summary, absent)) in flags.into_iter().enumerate() {
                    structure.set_summary(u, summary);
                    if absent {
                        structure.set(PredicateId::AC, &[u], Kleene::Unknown);
                    }
                }
                structure
            })
        })
        .boxed()
}

/// A random formula whose free variables are among `v0`, `v1`, `v2`.
pub fn formula(vocabulary: &Vocabulary) -> BoxedStrategy<Formula> {
    let predicates: Vec<(PredicateId, usize)> =
        declared(vocabulary).into_iter().map(|p| (p, vocabulary[p].arity)).collect();
    let var = || (0..3usize).prop_map(|i| Var::new(["v0", "v1", "v2"][i]));
    let atom = (prop::sample::select(predicates), var(), var())
        .prop_map(|((p, arity), v, w)| Formula::atom(p, [v, w].into_iter().take(arity)));
    let leaf = prop_oneof![
        8 => atom,
        2 => (var(), var()).prop_map(|(v, w)| Formula::equal(v, w)),
        1 => kleene().prop_map(Formula::Value),
    ];
    leaf.prop_recursive(5, 24, 3, move |inner| {
        let parts = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            inner.clone().prop_map(Formula::negate),
            parts().prop_map(Formula::and),
            parts().prop_map(Formula::or),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| Formula::if_then_else(c, a, b)),
            (var(), inner.clone()).prop_map(|(v, f)| Formula::exists([v], f)),
            (var(), inner.clone()).prop_map(|(v, f)| Formula::forall([v], f)),
            (var(), var(), var(), var(), inner.clone()).prop_map(|(start, end, left, right, body)| {
                let right = if left == right { Var::new("w") } else { right };
                Formula::Closure { start, end, left, right, body: Arc::new(body) }
            }),
        ]
    })
    .boxed()
}
