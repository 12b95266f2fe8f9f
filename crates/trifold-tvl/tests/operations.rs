//! Focus and coerce keep every store, and coerce agrees with its definition.

mod common;

use common::{arities, complete, layout, lists, naive_coerce};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use trifold_logic::{Formula, Kleene, PredicateId, Var};
use trifold_structure::testing::{structure, tuples};
use trifold_structure::{Structure, Workspace, embedding, naive};
use trifold_tvl::{
    Changes, CoerceScratch, Coercer, Focus, Focused, Origin, Refine, SearchLimits, Specification, concretizations,
    constraints,
};

fn coercer(specification: &Specification) -> Coercer {
    Coercer::new(constraints(specification, true), &arities(specification))
}

/// Structures that come from a store by merging individuals and forgetting values: they represent something.
fn feasible() -> BoxedStrategy<(Structure, Structure)> {
    let specification = lists();
    let store = store(&specification);
    (store, prop::collection::vec(0..3usize, 4), prop::collection::vec(any::<bool>(), 64))
        .prop_map(|(store, pick, forget)| {
            let mut classes = vec![Vec::new(); 3];
            store.universe().for_each(|u| classes[pick[u]].push(u));
            classes.retain(|class| !class.is_empty());
            let mut merged = store.quotient(&classes);
            let mut forget = forget.into_iter();
            for p in lists().vocabulary.ids().skip(4) {
                for tuple in tuples(merged.layout().arity(p), merged.size()) {
                    if forget.next().unwrap_or(false) {
                        merged.set(p, &tuple, Kleene::Unknown);
                    }
                }
            }
            (store, merged)
        })
        .boxed()
}

/// A list store of up to four individuals that obeys all rules.
fn store(specification: &Specification) -> BoxedStrategy<Structure> {
    let layout = layout(specification);
    let [x, y, n, d] = ["x", "y", "n", "d"].map(|name| specification.vocabulary.lookup(name).unwrap());
    let specification = specification.clone();
    let maybe = |size: usize| prop::option::of(0..size);
    (1..=4usize)
        .prop_flat_map(move |size| {
            (maybe(size), maybe(size), prop::collection::vec(maybe(size), size), prop::collection::vec(0..3u8, size))
        })
        .prop_map(move |(on_x, on_y, next, data)| {
            let mut s = Structure::new(&layout, next.len());
            on_x.into_iter().for_each(|u| s.set(x, &[u], Kleene::True));
            on_y.into_iter().for_each(|u| s.set(y, &[u], Kleene::True));
            for (u, target) in next.iter().enumerate() {
                target.iter().for_each(|v| s.set(n, &[u, *v], Kleene::True));
            }
            for u in s.universe() {
                for v in s.universe() {
                    s.set(d, &[u, v], Kleene::from(data[u] <= data[v]));
                }
            }
            complete(&s, &specification).expect("a store obeys the rules")
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn coerce_agrees_with_its_definition(s in structure(&lists().vocabulary, 0..=3)) {
        let specification = lists();
        let coercer = coercer(&specification);
        let mut fast = s.clone();
        let outcome = coercer.coerce(&mut fast, &Changes::Anything, &mut CoerceScratch::default());
        let slow = naive_coerce(&s, coercer.rules());
        prop_assert_eq!(outcome.is_ok().then_some(fast), slow);
    }

    #[test]
    fn coerce_agrees_with_its_definition_on_feasible_structures((_, s) in feasible()) {
        let coercer = coercer(&lists());
        let mut fast = s.clone();
        coercer.coerce(&mut fast, &Changes::Anything, &mut CoerceScratch::default()).expect("feasible");
        prop_assert_eq!(Some(fast), naive_coerce(&s, coercer.rules()));
    }

    #[test]
    fn coerce_keeps_the_store((store, s) in feasible()) {
        let mut coerced = s.clone();
        coercer(&lists()).coerce(&mut coerced, &Changes::Anything, &mut CoerceScratch::default()).expect("feasible");
        prop_assert!(embedding(&coerced, &s).is_some());
        prop_assert!(embedding(&store, &coerced).is_some());
    }

    #[test]
    fn focus_keeps_the_store_and_decides_the_formula((store, s) in feasible()) {
        let vocabulary = lists().vocabulary;
        let [x, n] = ["x", "n"].map(|name| vocabulary.lookup(name).unwrap());
        let [v, w] = ["v", "w"].map(Var::new);
        let next = Formula::exists([w.clone()], Formula::and([
            Formula::atom(x, [w.clone()]),
            Formula::atom(n, [w.clone(), v.clone()]),
        ]));
        let focus = Focus::new(&[(next.clone(), Origin(1))], &vocabulary);
        let mut unfocusable = BTreeSet::new();
        let focused = focus.apply(&s, &mut Workspace::default(), None, &mut unfocusable);
        prop_assert!(focused.iter().any(|f| embedding(&store, &f.structure).is_some()));
        prop_assert!(focused.iter().all(|f| embedding(&f.structure, &s).is_some()));
        prop_assert!(unfocusable.is_empty());
        for f in &focused {
            for u in f.structure.universe() {
                let z = [(v.clone(), u)].into();
                prop_assert!(naive::evaluate(&next, &f.structure, &z).is_definite());
            }
        }
    }

    #[test]
    fn incremental_coerce_after_focus_is_full_coerce((_, s) in feasible(), on_n in any::<bool>()) {
        let specification = lists();
        let coercer = coercer(&specification);
        let mut scratch = CoerceScratch::default();
        let mut coerced = s.clone();
        coercer.coerce(&mut coerced, &Changes::Anything, &mut scratch).expect("feasible");
        let [y, n] = ["y", "n"].map(|name| specification.vocabulary.lookup(name).unwrap());
        let [v, w] = ["v", "w"].map(Var::new);
        let formula = if on_n { Formula::atom(n, [v, w]) } else { Formula::atom(y, [v]) };
        let focus = Focus::new(&[(formula, Origin(1))], &specification.vocabulary);
        for f in focus.apply(&coerced, &mut Workspace::default(), None, &mut BTreeSet::new()) {
            let (mut partly, mut fully) = (f.structure.clone(), f.structure.clone());
            let incremental = coercer.coerce(&mut partly, &f.changes, &mut scratch);
            let full = coercer.coerce(&mut fully, &Changes::Anything, &mut scratch);
            prop_assert_eq!(incremental.is_ok(), full.is_ok());
            if full.is_ok() {
                prop_assert_eq!(partly, fully);
            }
        }
    }

    #[test]
    fn concretizations_are_stores_of_the_structure((_, s) in feasible()) {
        let specification = lists();
        let limits = SearchLimits { max_size: 4, decisions: 60 };
        let mut found = Vec::new();
        let _ = concretizations::<()>(&s, &coercer(&specification), limits, &mut |_| 0, &mut |store| {
            found.push(store.clone());
            ControlFlow::Continue(())
        });
        for store in found {
            prop_assert!(embedding(&store, &s).is_some());
            prop_assert_eq!(complete(&store, &specification), Some(store.clone()));
        }
    }
}

proptest! {
    // A random formula can have very many cases.
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn focus_on_any_formula_keeps_the_store(
        (store, s) in feasible(),
        f in trifold_structure::testing::formula(&lists().vocabulary),
    ) {
        let focus = Focus::new(&[(f, Origin(1))], &lists().vocabulary);
        let focused = focus.apply(&s, &mut Workspace::default(), None, &mut BTreeSet::new());
        // To look for the store among very many cases takes minutes.
        prop_assume!(focused.len() <= 2000);
        prop_assert!(focused.iter().any(|f| embedding(&store, &f.structure).is_some()));
    }

    #[test]
    fn coerce_in_the_course_of_focus_loses_nothing(
        (store, s) in feasible(),
        f in trifold_structure::testing::formula(&lists().vocabulary),
        g in trifold_structure::testing::formula(&lists().vocabulary),
    ) {
        let specification = lists();
        let (coercer, mut scratch) = (coercer(&specification), CoerceScratch::default());
        let mut coerced = s.clone();
        coercer.coerce(&mut coerced, &Changes::Anything, &mut scratch).expect("feasible");
        let focus = Focus::new(&[(f, Origin(1)), (g, Origin(2))], &specification.vocabulary);
        let mut refine = |case: &mut Focused| {
            let feasible = coercer.coerce(&mut case.structure, &case.changes, &mut scratch).is_ok();
            case.changes = Changes::none();
            feasible
        };
        let mut results = |early: bool| {
            let (workspace, mut unfocusable) = (&mut Workspace::default(), BTreeSet::new());
            let course: Refine = if early { Some(&mut refine) } else { None };
            let focused = focus.apply(&coerced, workspace, course, &mut unfocusable);
            let cases = focused.len();
            let consistent = |mut case: Focused| refine(&mut case).then_some(case.structure);
            let results: Vec<Structure> = focused.into_iter().filter_map(consistent).collect();
            (results, cases, unfocusable.into_iter().map(|(origin, _)| origin).collect::<BTreeSet<_>>())
        };
        let ((early, _, given_up_early), (late, cases, given_up_late)) = (results(true), results(false));
        // To look for the store among very many cases takes minutes.
        prop_assume!(cases <= 2000);
        prop_assert!(early.iter().any(|f| embedding(&store, f).is_some()));
        prop_assert!(given_up_early.is_subset(&given_up_late));
        // A tuple that focus gives up on, because it does not know that an individual is a single one, it may decide
        // later.
        if given_up_late.is_empty() {
            prop_assert_eq!(early, late);
        } else {
            prop_assert!(early.iter().all(|e| late.iter().any(|l| embedding(e, l).is_some())));
        }
    }
}

#[test]
fn two_summary_individuals_are_reported_not_split() {
    let specification = lists();
    let n = specification.vocabulary.lookup("n").unwrap();
    let mut s = Structure::new(&layout(&specification), 2);
    for u in 0..2 {
        s.set_summary(u, true);
        for v in 0..2 {
            s.set(n, &[u, v], Kleene::Unknown);
        }
    }
    let formula = Formula::atom(n, ["v", "w"].map(Var::new));
    let focus = Focus::new(&[(formula, Origin(7))], &specification.vocabulary);
    let mut unfocusable = BTreeSet::new();
    let focused = focus.apply(&s, &mut Workspace::default(), None, &mut unfocusable);
    assert_eq!(focused.len(), 1);
    assert_eq!(focused[0].structure, s);
    assert_eq!(unfocusable.into_iter().collect::<Vec<_>>(), [(Origin(7), trifold_tvl::Unfocusable::TwoSummaries)]);
}

#[test]
fn an_infeasible_structure_is_explained() {
    let specification = lists();
    let coercer = coercer(&specification);
    let n = specification.vocabulary.lookup("n").unwrap();
    let mut s = Structure::new(&layout(&specification), 3);
    s.set(n, &[0, 1], Kleene::True);
    s.set(n, &[0, 2], Kleene::True);
    let infeasible = coercer.coerce(&mut s, &Changes::Anything, &mut CoerceScratch::default()).unwrap_err();
    let assignment = coercer.explain(&infeasible, &s);
    assert_eq!(assignment.len(), 3);
    assert!(PredicateId::SM.index() < n.index());
    assert!(coercer.rules()[infeasible.rule].show(&specification.vocabulary).contains("n("));
}
