//! `uniquePerCC`: its rules accept exactly the stores that it means, and coerce with them keeps every store.

mod common;

use common::{arities, layout, naive_coerce};
use proptest::prelude::*;
use trifold_logic::{Kleene, Predicate, PredicateId, Properties, Vocabulary};
use trifold_structure::testing::structure;
use trifold_structure::{Structure, embedding};
use trifold_tvl::{Cfg, Changes, CoerceScratch, Coercer, IdVec, Specification, constraints};

const LINK: PredicateId = PredicateId(Vocabulary::BUILT_IN as u32);
const LEADER: PredicateId = PredicateId(Vocabulary::BUILT_IN as u32 + 1);

/// `leader` holds of at most one individual in each component of `link`, an equivalence on demand.
fn groups(equivalence: bool) -> Specification {
    let mut vocabulary = Vocabulary::default();
    let link = Properties { symmetric: equivalence, transitive: equivalence, ..Default::default() };
    let leader = Properties { unique_per_component: Some(LINK), ..Default::default() };
    vocabulary.declare(Predicate { properties: link, ..Predicate::core("link", 2) });
    vocabulary.declare(Predicate { properties: leader, ..Predicate::core("leader", 1) });
    Specification { vocabulary, declared_at: Vec::new(), rules: Vec::new(), actions: IdVec::new(), cfg: Cfg::default() }
}

fn coercer(specification: &Specification) -> Coercer {
    Coercer::new(constraints(specification, true), &arities(specification))
}

/// A store of up to four individuals with these links and leaders.
fn store(specification: &Specification) -> BoxedStrategy<Structure> {
    let layout = layout(specification);
    (1..=4usize)
        .prop_flat_map(|size| {
            (prop::collection::vec(prop::bool::weighted(0.2), size * size), prop::collection::vec(any::<bool>(), size))
        })
        .prop_map(move |(links, leaders)| {
            let size = leaders.len();
            let mut s = Structure::new(&layout, size);
            for (u, leads) in leaders.iter().enumerate() {
                s.set(LEADER, &[u], Kleene::from(*leads));
                (0..size).for_each(|w| s.set(LINK, &[u, w], Kleene::from(links[u * size + w])));
            }
            s
        })
        .boxed()
}

/// For each individual, the least one of its component.
fn components(store: &Structure) -> Vec<usize> {
    let mut least: Vec<usize> = store.universe().collect();
    for _ in store.universe() {
        for u in store.universe() {
            for w in store.universe().filter(|w| store.binary(LINK, u, *w) == Kleene::True) {
                let both = least[u].min(least[w]);
                (least[u], least[w]) = (both, both);
            }
        }
    }
    least
}

/// The meaning of the property, without formulas.
fn obeys(store: &Structure) -> bool {
    let component = components(store);
    let leaders: Vec<usize> = store.universe().filter(|u| store.unary(LEADER, *u) == Kleene::True).collect();
    leaders.iter().all(|u| leaders.iter().all(|w| u == w || component[*u] != component[*w]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_rules_say_what_the_property_means(s in store(&groups(false))) {
        let coerced = naive_coerce(&s, coercer(&groups(false)).rules());
        prop_assert_eq!(coerced, obeys(&s).then_some(s));
    }

    #[test]
    fn coerce_keeps_stores_that_obey(
        s in store(&groups(false)).prop_filter("obeys", obeys),
        pick in prop::collection::vec(0..3usize, 4),
        forget in prop::collection::vec(any::<bool>(), 12),
    ) {
        let mut classes = vec![Vec::new(); 3];
        s.universe().for_each(|u| classes[pick[u]].push(u));
        classes.retain(|class| !class.is_empty());
        let mut merged = s.quotient(&classes);
        let mut forget = forget.into_iter();
        for u in merged.universe() {
            if forget.next() == Some(true) {
                merged.set(LEADER, &[u], Kleene::Unknown);
            }
            for w in merged.universe().filter(|_| forget.next() == Some(true)) {
                merged.set(LINK, &[u, w], Kleene::Unknown);
            }
        }
        let changes = Changes::Anything;
        coercer(&groups(false)).coerce(&mut merged, &changes, &mut CoerceScratch::default()).expect("feasible");
        prop_assert!(embedding(&s, &merged).is_some());
    }

    #[test]
    fn coerce_agrees_with_its_definition(
        s in structure(&groups(false).vocabulary, 0..=3),
        equivalence in any::<bool>(),
    ) {
        let coercer = coercer(&groups(equivalence));
        let mut fast = s.clone();
        let outcome = coercer.coerce(&mut fast, &Changes::Anything, &mut CoerceScratch::default());
        prop_assert_eq!(outcome.is_ok().then_some(fast), naive_coerce(&s, coercer.rules()));
    }
}

#[test]
fn links_between_groups_of_two_leaders_are_ruled_out() {
    let specification = groups(false);
    let mut s = Structure::new(&layout(&specification), 4);
    for (u, w) in [(0, 1), (3, 2)] {
        s.set(LINK, &[u, w], Kleene::True);
    }
    s.set(LINK, &[1, 2], Kleene::Unknown);
    s.set(LEADER, &[0], Kleene::True);
    s.set(LEADER, &[1], Kleene::Unknown);
    s.set(LEADER, &[3], Kleene::True);
    coercer(&specification).coerce(&mut s, &Changes::Anything, &mut CoerceScratch::default()).expect("feasible");
    assert_eq!(s.binary(LINK, 1, 2), Kleene::False);
    assert_eq!(s.unary(LEADER, 1), Kleene::False);
}
