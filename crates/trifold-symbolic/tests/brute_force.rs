//! The operations against brute force: all stores of up to three or four individuals, over small vocabularies.
//!
//! The results of the operations must represent every store that they should, and exactly by its canonical abstraction
//! when the result claims to be the most precise one. And each structure must be there for a reason: its witness is a
//! store that belongs to the result and has it as canonical abstraction.

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use std::sync::LazyLock;
use trifold_logic::{Formula, Kleene};
use trifold_oracle::small_stores::{World, times, vague};
use trifold_structure::testing::formula;
use trifold_structure::{Structure, embedding, naive};
use trifold_symbolic::{Abstracted, BuiltIn, Entailment, Limits, QueryCost, Session, Symbolic, integrity_rules};

static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| {
    vec![
        World::new(
            "%p x(v) unique\n%p y(v) unique\n%p n(v1,v2) function\n%i is(v) = E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2",
            "",
            4,
        ),
        World::new(
            "%p x(v) unique\n%p n(v1,v2) function\n%i r(v) = E(w) x(w) & n*(w,v)\n%i c(v) = n+(v,v)\n%i t(v1,v2) = n*(v1,v2)",
            "",
            4,
        ),
        World::new("%p b()\n%p x(v)\n%p m(v1,v2)", "", 3),
        World::new("%p x(v) unique\n%p q(v) nonabs\n%p le(v1,v2) reflexive transitive antisymmetric", "", 3),
        World::new("%p x(v) unique\n%p y(v)\n%p n(v1,v2) function acyclic\n%i r(v) = E(w) x(w) & n*(w,v)", "", 4),
    ]
});

/// Operations are given up after this many queries; their results then must be sound.
const PATIENCE: usize = 80;

/// The abstraction of a formula takes a query or more for each structure that it consists of, and there are hundreds in
/// the larger worlds, so it gets more, in smaller worlds.
const ABSTRACT_PATIENCE: usize = 2_000;

fn with_session<T>(operation: impl FnOnce(&mut Session) -> T) -> (T, QueryCost) {
    with_patience(PATIENCE, operation)
}

fn with_patience<T>(patience: usize, operation: impl FnOnce(&mut Session) -> T) -> (T, QueryCost) {
    let mut left = patience;
    let mut stop = || {
        left = left.saturating_sub(1);
        left == 0
    };
    let mut solver = BuiltIn { limits: Limits { individuals: 4, conflicts: 100 } };
    let mut session = Session::new(&mut solver, &mut stop);
    let result = operation(&mut session);
    (result, session.report)
}

/// Does the formula possibly hold, for some assignment of its free variables?
fn holds(formula: &Formula, store: &Structure) -> bool {
    let closed = Formula::exists(formula.free_vars(), formula.clone());
    naive::evaluate(&closed, store, &Default::default()).may()
}

/// Checks a result that should be the canonical abstraction of the stores that belong to it.
fn check(
    world: &World,
    belongs: impl Fn(&Structure) -> bool,
    result: &[Abstracted],
    report: &QueryCost,
) -> Result<(), TestCaseError> {
    for store in world.stores.iter().filter(|store| belongs(store)) {
        if report.is_most_precise() {
            let wanted = world.abstraction.blur(store);
            prop_assert!(
                result.iter().any(|found| found.structure == wanted),
                "missing: {:?}\nfor {:?}",
                wanted,
                store
            );
        } else {
            let represented = |found: &Abstracted| embedding(store, &found.structure).is_some();
            prop_assert!(result.iter().any(represented), "lost: {:?}", store);
        }
    }
    for found in result {
        match &found.witness {
            Some(witness) => {
                for rule in integrity_rules(&world.specification) {
                    let value = naive::evaluate(&rule, witness, &Default::default());
                    prop_assert!(
                        value == Kleene::True,
                        "{} in {:?}",
                        rule.show(&world.specification.vocabulary),
                        witness
                    );
                }
                prop_assert!(belongs(witness), "does not belong: {:?}", witness);
                prop_assert!(
                    !report.is_most_precise() || world.abstraction.blur(witness) == found.structure,
                    "{:?} is no abstraction of {:?}",
                    found.structure,
                    witness
                );
            }
            None => prop_assert!(!report.is_most_precise()),
        }
    }
    Ok(())
}

/// Vocabularies that are so small that all stores together have few canonical abstractions.
static TINY: LazyLock<Vec<World>> = LazyLock::new(|| {
    vec![
        World::new("%p b()\n%p x(v)\n%p q(v) nonabs", "", 4),
        World::new("%p x(v) unique\n%p n(v1,v2) function", "", 4),
        World::new("%p x(v) unique\n%p n(v1,v2) function acyclic\n%i r(v) = E(w) x(w) & n*(w,v)", "", 4),
        World::new("%p x(v)\n%p le(v1,v2) reflexive transitive antisymmetric", "", 3),
    ]
});

/// Runs a property on random cases of every world; tells how many results were the most precise ones.
fn for_all_worlds<C: std::fmt::Debug>(
    worlds: &'static [World],
    cases: u32,
    case: impl Fn(&'static World) -> BoxedStrategy<C>,
    property: impl Fn(&'static World, C) -> Result<bool, TestCaseError>,
) {
    for (number, world) in worlds.iter().enumerate() {
        let cases = cases * times();
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let precise = std::cell::Cell::new(0);
        let run = TestRunner::new(config).run(&case(world), |case| {
            precise.set(precise.get() + u32::from(property(world, case)?));
            Ok(())
        });
        if let Err(error) = run {
            panic!("world {number}: {error}");
        }
        println!("world {number}: {} stores, {} of {cases} decided", world.stores.len(), precise.get());
        // Most cases must be decided, or the test would say little; how many are is a matter of chance.
        assert!(precise.get() * 10 >= cases * 7, "world {number}: only {} of {cases} decided", precise.get());
    }
}

#[test]
fn assume_is_the_abstraction_of_what_satisfies_the_formula() {
    let case = |world: &'static World| (vague(world), formula(&world.specification.vocabulary)).boxed();
    for_all_worlds(&WORLDS, 200, case, |world, (s, f)| {
        let symbolic = Symbolic::new(&world.specification);
        let (result, report) = with_session(|session| symbolic.assume(&f, std::slice::from_ref(&s), session));
        check(world, |store| embedding(store, &s).is_some() && holds(&f, store), &result, &report)?;
        Ok(report.is_most_precise())
    });
}

#[test]
fn abstract_is_the_abstraction_of_all_stores_that_satisfy_the_formula() {
    let case = |world: &'static World| formula(&world.specification.vocabulary).boxed();
    for_all_worlds(&TINY, 75, case, |world, f| {
        let symbolic = Symbolic::new(&world.specification);
        let (result, report) = with_patience(ABSTRACT_PATIENCE, |session| symbolic.abstract_formula(&f, session));
        check(world, |store| holds(&f, store), &result, &report)?;
        Ok(report.is_most_precise())
    });
}

#[test]
fn meet_is_the_abstraction_of_the_common_stores() {
    let case = |world: &'static World| (vague(world), vague(world)).boxed();
    for_all_worlds(&WORLDS, 200, case, |world, (s, t)| {
        let symbolic = Symbolic::new(&world.specification);
        let (result, report) =
            with_session(|session| symbolic.meet(std::slice::from_ref(&s), std::slice::from_ref(&t), session));
        match result {
            Err(_) => Ok(true),
            Ok(result) => {
                let both = |store: &Structure| embedding(store, &s).is_some() && embedding(store, &t).is_some();
                check(world, both, &result, &report)?;
                Ok(report.is_most_precise())
            }
        }
    });
}

#[test]
fn entailment_is_inclusion_of_stores() {
    let case = |world: &'static World| (vague(world), vague(world), any::<bool>()).boxed();
    for_all_worlds(&WORLDS, 200, case, |world, (s, t, widen)| {
        // Unrelated structures entail nothing, so half of the time the second one is the first one made vaguer.
        let t = if widen { world.abstraction.blur(&s) } else { t };
        let symbolic = Symbolic::new(&world.specification);
        let (result, _) =
            with_session(|session| symbolic.entails(std::slice::from_ref(&s), std::slice::from_ref(&t), session));
        let outside = |store: &Structure| embedding(store, &s).is_some() && embedding(store, &t).is_none();
        match result {
            Err(_) => {}
            Ok(Entailment::Holds) => {
                let lost = world.stores.iter().find(|store| outside(store));
                prop_assert!(lost.is_none(), "{:?}", lost);
            }
            Ok(Entailment::Fails(store)) => {
                prop_assert!(outside(&store.expect("the built-in solver shows stores").structure))
            }
            Ok(Entailment::Undecided(_)) => return Ok(false),
        }
        Ok(true)
    });
}
