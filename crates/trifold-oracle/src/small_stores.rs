//! Small vocabularies with all of their small stores, to judge the operations by.

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use trifold_logic::{Kleene, PredicateId, Vocabulary};
use trifold_structure::testing::{structure, tuples};
use trifold_structure::{Layout, Structure, canonical_form, naive};
use trifold_symbolic::integrity_rules;
use trifold_tvl::{Abstraction, BlurRule, Specification};
use trifold_tvp::{MemoryFiles, Options, load};

/// A specification and all of its stores up to some size, each once up to isomorphism.
pub struct World {
    /// The specification.
    pub specification: Specification,
    /// Its canonical abstraction.
    pub abstraction: Abstraction,
    /// The stores.
    pub stores: Vec<Structure>,
}

impl World {
    /// For predicates and actions in TVP.
    pub fn new(declarations: &str, actions: &str, max_size: usize) -> World {
        let edges: String = actions.matches("%action ").enumerate().map(|(i, _)| format!("l A{i}() l\n")).collect();
        let text = format!("{declarations}\n%%\n{actions}\n%action Skip() {{ %t \"skip\" }}\n%%\nl Skip() l\n{edges}");
        let files = MemoryFiles::default().with("small.tvp", text);
        let loaded = load("small.tvp", &files, &Options::default());
        let specification = loaded.unwrap_or_else(|failure| panic!("{}", failure.render(false))).specification;
        let layout = Arc::new(Layout::new(&specification.vocabulary));
        let mut stores = BTreeSet::new();
        for size in 0..=max_size {
            let mut found = vec![Structure::new(&layout, size)];
            for p in specification.vocabulary.ids().skip(Vocabulary::BUILT_IN) {
                found = found.iter().flat_map(|store| with_values(&specification.vocabulary, p, store)).collect();
            }
            let rules = integrity_rules(&specification);
            found.retain(|store| rules.iter().all(|rule| naive::evaluate(rule, store, &Default::default()).must()));
            stores.extend(found.iter().map(|store| (size, canonical_form(store).words().to_vec())));
        }
        let stores = stores.into_iter().map(|(size, words)| from_words(&layout, size, &words)).collect();
        let abstraction = Abstraction::new(&specification.vocabulary, BlurRule::Different);
        World { specification, abstraction, stores }
    }
}

fn from_words(layout: &Arc<Layout>, size: usize, words: &[u64]) -> Structure {
    let mut store = Structure::new(layout, size);
    for p in (0..layout.predicates() as u32).map(PredicateId).filter(|p| layout.arity(*p) > 0) {
        for plane in [trifold_structure::Plane::Must, trifold_structure::Plane::May] {
            let (start, length) = (store.plane_offset(p, plane), store.plane(p, plane).len());
            store.plane_mut(p, plane).copy_from_slice(&words[start..start + length]);
        }
    }
    // Nullary predicates lie in front of all others, 64 to a word and plane.
    let nullary: Vec<PredicateId> =
        (0..layout.predicates() as u32).map(PredicateId).filter(|p| layout.arity(*p) == 0).collect();
    for (bit, p) in nullary.into_iter().enumerate() {
        store.set_nullary(p, Kleene::from(words[0] >> bit & 1 == 1));
    }
    store
}

/// The stores that extend this one by values of a predicate. Declared properties are used to make only few that have
/// to be thrown away.
fn with_values(vocabulary: &Vocabulary, p: PredicateId, store: &Structure) -> Vec<Structure> {
    let (size, predicate) = (store.size(), &vocabulary[p]);
    if let Some(definition) = &predicate.definition {
        let mut store = store.clone();
        for tuple in tuples(predicate.arity, size) {
            let assignment = definition.parameters.iter().cloned().zip(tuple.iter().copied()).collect();
            let value = naive::evaluate(&definition.formula, &store, &assignment);
            store.set(p, &tuple, value);
        }
        return vec![store];
    }
    let sets: Vec<Vec<Vec<usize>>> = match predicate.arity {
        1 if predicate.properties.unique => std::iter::once(vec![]).chain((0..size).map(|u| vec![vec![u]])).collect(),
        2 if predicate.properties.function => (0..size).fold(vec![vec![]], |functions, u| {
            let extend = |f: &Vec<Vec<usize>>| {
                let some = (0..size).map(|w| [&f[..], &[vec![u, w]]].concat()).collect::<Vec<_>>();
                some.into_iter().chain([f.clone()])
            };
            functions.iter().flat_map(extend).collect()
        }),
        arity => {
            let tuples = tuples(arity, size);
            let subset =
                |bits: u32| (0..tuples.len()).filter(|i| bits >> i & 1 == 1).map(|i| tuples[i].clone()).collect();
            (0..1 << tuples.len()).map(subset).collect()
        }
    };
    let set = |tuples: Vec<Vec<usize>>| {
        let mut store = store.clone();
        tuples.iter().for_each(|tuple| store.set(p, tuple, Kleene::True));
        store
    };
    sets.into_iter().map(set).collect()
}

/// So many times the usual number of random cases, as `TRIFOLD_BRUTE_FORCE` says.
pub fn times() -> u32 {
    crate::cases::times("TRIFOLD_BRUTE_FORCE")
}

/// A structure: random, or made from a store by forgetting some of its values.
pub fn vague(world: &'static World) -> BoxedStrategy<Structure> {
    let abstraction = &world.abstraction;
    let made = (
        prop::sample::select(&world.stores[..]),
        any::<bool>(),
        prop::collection::vec((0..64u32, 0..4usize, 0..4usize), 0..10),
        prop::collection::vec((0..4usize, any::<bool>()), 0..3),
    );
    let made = made.prop_map(move |(store, blur, values, individuals)| {
        let mut s = if blur { abstraction.blur(&store) } else { store };
        let predicates = s.layout().predicates() as u32 - Vocabulary::BUILT_IN as u32;
        for (p, u, w) in values {
            let p = PredicateId(Vocabulary::BUILT_IN as u32 + p % predicates);
            let tuple: Vec<usize> = [u, w].into_iter().take(s.layout().arity(p)).collect();
            if tuple.iter().all(|u| *u < s.size()) {
                s.set(p, &tuple, Kleene::Unknown);
            }
        }
        for (u, absent) in individuals.into_iter().filter(|(u, _)| *u < world.stores.len()) {
            if u < s.size() {
                s.set_summary(u, true);
                if absent {
                    s.set(PredicateId::AC, &[u], Kleene::Unknown);
                }
            }
        }
        s
    });
    prop_oneof![5 => made, 1 => structure(&world.specification.vocabulary, 0..=3)].boxed()
}
