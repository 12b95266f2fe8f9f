//! Best transformers against brute force: the actions are carried out on all small stores by the concrete interpreter.

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};
use trifold_logic::Kleene;
use trifold_oracle::small_stores::{World, times, vague};
use trifold_structure::{Structure, canonical_form, embedding, naive};
use trifold_symbolic::{BestTransformer, BuiltIn, Limits, Session, Symbolic, Transformed, integrity_rules};
use trifold_tvl::{
    Action, ActionId, Derive, Engine, EngineOptions, EngineScratch, SearchLimits, complete, concretizations,
};

const LISTS: &str = r#"
    %action A0() { %t "x = y->n" %p E(v) y(v) { x(v) = E(w) y(w) & n(w,v) } }
    %action A1() { %t "y->n = NULL" %p E(v) y(v) { n(v1,v2) = n(v1,v2) & !y(v1) } }
    %action A2() { %t "y->n = x" %p (E(v) y(v)) & !(E(v,w) y(v) & n(v,w)) { n(v1,v2) = n(v1,v2) | y(v1) & x(v2) } }
    %action A3() { %t "x = malloc()" %new { x(v) = isNew(v) } }
    %action A4() { %t "free(y)" %retain !y(v) }
    %action A5() { %t "walk" %p x(u) & n(u,w) { y(v) = v == w } }
    %action A6() { %t "y = any" { y(v) = 1/2 } }
    %action A7() { %t "x == y" %p A(v) (x(v) <-> y(v)) }
"#;

const REACH: &str = r#"
    %action A0() { %t "x = x->n" %p E(v) x(v) { x(v) = E(w) x(w) & n(w,v) } }
    %action A1() { %t "x->n = NULL" %p E(v) x(v) { n(v1,v2) = n(v1,v2) & !x(v1) } }
    %action A2() { %t "push" %new { x(v) = isNew(v) n(v1,v2) = n(v1,v2) | isNew(v1) & x(v2) } }
    %action A3() { %t "cut" %p x(u) & n+(u,w) { n(v1,v2) = n(v1,v2) & v1 != w } }
"#;

static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| {
    let lists =
        "%p x(v) unique\n%p y(v) unique\n%p n(v1,v2) function\n%i is(v) = E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2";
    let reach = "%p x(v) unique\n%p n(v1,v2) function\n%i r(v) = E(w) x(w) & n*(w,v)\n%i c(v) = n+(v,v)";
    vec![World::new(lists, LISTS, 4), World::new(reach, REACH, 4)]
});

/// All stores to which an action leads from a store.
fn execute(engine: &Engine, action: ActionId, store: &Structure) -> Vec<Structure> {
    let mut found = Vec::new();
    for after in engine.execute(action, store, &mut EngineScratch::default()).states {
        let limits = SearchLimits { max_size: after.size(), decisions: 10_000 };
        let _ = concretizations::<()>(&after, engine.laws(), limits, &mut |_| 0, &mut |store| {
            found.push(store.clone());
            ControlFlow::Continue(())
        });
    }
    found
}

fn execute_all(engine: &Engine, actions: &[ActionId], store: &Structure) -> Vec<Structure> {
    actions.iter().fold(vec![store.clone()], |stores, action| {
        stores.iter().flat_map(|store| execute(engine, *action, store)).collect()
    })
}

fn check(world: &World, engine: &Engine, actions: &[ActionId], s: &Structure) -> Result<bool, TestCaseError> {
    let symbolic = Symbolic::new(&world.specification);
    let complete = |action: &ActionId| {
        complete(&world.specification.actions[*action], &world.specification.vocabulary, Derive::Missing)
    };
    let completed: Vec<Action> = actions.iter().map(complete).collect();
    let transformer = BestTransformer::new(&symbolic, &completed.iter().collect::<Vec<_>>()).unwrap();
    let mut left = 80;
    let mut stop = || {
        left = left.max(1) - 1;
        left == 0
    };
    let mut solver = BuiltIn { limits: Limits { individuals: 4, conflicts: 100 } };
    let mut session = Session::new(&mut solver, &mut stop);
    let result = transformer.apply(std::slice::from_ref(s), &mut session);
    let precise = session.report.is_most_precise();
    for store in world.stores.iter().filter(|store| embedding(store, s).is_some()) {
        for after in execute_all(engine, actions, store) {
            if precise {
                let wanted = world.abstraction.blur(&after);
                prop_assert!(
                    result.iter().any(|found| found.structure == wanted),
                    "missing {wanted:?}\nfrom {store:?}"
                );
            } else {
                let represented = |found: &Transformed| embedding(&after, &found.structure).is_some();
                prop_assert!(result.iter().any(represented), "lost {after:?}\nfrom {store:?}");
            }
        }
    }
    for found in &result {
        let Some((before, after)) = &found.witness else {
            prop_assert!(!precise);
            continue;
        };
        let obeys = |rule| naive::evaluate(&rule, before, &Default::default()) == Kleene::True;
        prop_assert!(integrity_rules(&world.specification).into_iter().all(obeys), "{before:?}");
        prop_assert!(embedding(before, s).is_some(), "{before:?}");
        let reached = execute_all(engine, actions, before);
        let same = |store: &Structure| canonical_form(store) == canonical_form(after);
        prop_assert!(reached.iter().any(same), "{before:?}\ndoes not lead to {after:?}");
        prop_assert!(!precise || world.abstraction.blur(after) == found.structure);
    }
    Ok(precise)
}

#[test]
fn transformers_are_the_best() {
    for (number, world) in WORLDS.iter().enumerate() {
        let engine = Engine::new(Arc::new(world.specification.clone()), EngineOptions::default());
        let cases = 400 * times();
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let precise = std::cell::Cell::new(0);
        let action = (0..world.specification.actions.len()).prop_map(ActionId::from_index);
        let actions = prop::collection::vec(action, 1..=3);
        let run = TestRunner::new(config).run(&(vague(world), actions), |(s, actions)| {
            precise.set(precise.get() + u32::from(check(world, &engine, &actions, &s)?));
            Ok(())
        });
        if let Err(error) = run {
            panic!("world {number}: {error}");
        }
        println!("world {number}: {} of {cases} decided", precise.get());
        // Most cases must be decided, or the test would say little; how many are is a matter of chance.
        assert!(precise.get() * 10 >= cases * 7, "world {number}: only {} of {cases} decided", precise.get());
    }
}
