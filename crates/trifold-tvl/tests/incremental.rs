//! Coerce that is told the changes has the same result as coerce that is told nothing, for any rules and any changes.

mod common;

use common::naive_coerce;
use proptest::prelude::*;
use trifold_logic::{Formula, Kleene, PredicateId, Var};
use trifold_structure::testing::{declared, formula, kleene, structure, tuples, vocabulary};
use trifold_structure::{Extent, Plane, Structure, Workspace};
use trifold_tvl::{
    Action, Changes, CoerceScratch, Coercer, Constraint, Direction, Head, Infeasible, Origin, Transformer, Update,
};

fn arities() -> Vec<usize> {
    vocabulary().iter().map(|(_, p)| p.arity).collect()
}

fn var() -> impl Strategy<Value = Var> {
    (0..4usize).prop_map(|i| Var::new(["v0", "v1", "v2", "v3"][i]))
}

fn atom() -> impl Strategy<Value = (PredicateId, Vec<Var>)> {
    let atom = |(p, v, w): (PredicateId, Var, Var)| (p, [v, w].into_iter().take(vocabulary()[p].arity).collect());
    (prop::sample::select(declared(&vocabulary())), var(), var()).prop_map(atom)
}

fn literal() -> BoxedStrategy<Formula> {
    let atom = prop_oneof![
        5 => atom().prop_map(|(p, arguments)| Formula::atom(p, arguments)),
        1 => (var(), var()).prop_map(|(v, w)| Formula::equal(v, w)),
    ];
    (atom, any::<bool>()).prop_map(|(atom, positive)| if positive { atom } else { atom.negate() }).boxed()
}

/// Conjunctions of literals, as most rules have, with some universal parts and disjunctions; and any formula.
fn body() -> BoxedStrategy<Formula> {
    let any_of = || prop::collection::vec(literal(), 1..3).prop_map(Formula::or);
    let conjunct = prop_oneof![
        6 => literal(),
        1 => any_of(),
        1 => (var(), any_of()).prop_map(|(v, f)| Formula::forall([v], f)),
        1 => (var(), var(), prop::bool::ANY).prop_map(|(v, w, positive)| {
            let path = Formula::reflexive_closure(vocabulary().lookup("n").unwrap(), v, w);
            if positive { path } else { path.negate() }
        }),
    ];
    let clause = (prop::collection::vec(conjunct, 1..5), prop::option::of(var()))
        .prop_map(|(conjuncts, bound)| Formula::exists(bound, Formula::and(conjuncts)));
    prop_oneof![4 => clause, 1 => formula(&vocabulary())].boxed()
}

fn rule() -> BoxedStrategy<Constraint> {
    let head = prop_oneof![
        8 => (atom(), any::<bool>())
            .prop_map(|((predicate, arguments), positive)| Head::Predicate { predicate, arguments, positive }),
        1 => any::<bool>().prop_map(|positive| Head::Equal { left: Var::new("v0"), right: Var::new("v1"), positive }),
        1 => Just(Head::False),
    ];
    (body(), head).prop_map(|(body, head)| Constraint { body, head, origin: Origin::default() }).boxed()
}

fn rules() -> impl Strategy<Value = Vec<Constraint>> {
    prop::collection::vec(rule(), 1..4)
}

/// Many rules of one or two literals, so that the repairs of the one breach the other.
fn chains() -> impl Strategy<Value = Vec<Constraint>> {
    let body = prop::collection::vec(literal(), 1..3).prop_map(Formula::and);
    let rule = (body, atom(), any::<bool>()).prop_map(|(body, (predicate, arguments), positive)| {
        let head = Head::Predicate { predicate, arguments, positive };
        Constraint { body, head, origin: Origin::default() }
    });
    prop::collection::vec(rule, 3..9)
}

/// Structures with few definite values, which rules seldom find infeasible.
fn vague() -> BoxedStrategy<Structure> {
    (structure(&vocabulary(), 1..=4), edits())
        .prop_map(|(mut s, edits)| {
            for p in declared(&vocabulary()) {
                tuples(s.layout().arity(p), s.size()).iter().for_each(|tuple| s.set(p, tuple, Kleene::Unknown));
            }
            edit(&mut s, &edits);
            s
        })
        .boxed()
}

/// A tuple of some predicate, `sm` and `ac` among them, to be given a value.
type Edit = (PredicateId, [usize; 2], Kleene);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let predicates: Vec<PredicateId> =
        declared(&vocabulary()).into_iter().chain([PredicateId::SM, PredicateId::AC]).collect();
    let edit = (prop::sample::select(predicates), [0..4usize, 0..4usize], kleene());
    prop::collection::vec(edit, 1..6)
}

fn edit(s: &mut Structure, edits: &[Edit]) {
    let size = s.size();
    for (p, tuple, value) in edits.iter().filter(|_| size > 0) {
        let tuple: Vec<usize> = tuple.iter().take(s.layout().arity(*p)).map(|u| u % size).collect();
        let value = match *p {
            PredicateId::SM if *value == Kleene::True => Kleene::Unknown,
            PredicateId::AC if *value == Kleene::False => Kleene::Unknown,
            _ => *value,
        };
        s.set(*p, &tuple, value);
    }
}

/// All that differs between two structures of the same size.
fn differences(old: &Structure, new: &Structure) -> Changes {
    let mut changes = Changes::none();
    for p in vocabulary().ids() {
        for tuple in tuples(old.layout().arity(p), old.size()) {
            let (from, to) = (old.get(p, &tuple), new.get(p, &tuple));
            let mut note = |plane, direction| changes.note(p, plane, direction, Extent::of(&tuple));
            match (from.must(), to.must()) {
                (false, true) => note(Plane::Must, Direction::Sharpened),
                (true, false) => note(Plane::Must, Direction::Weakened),
                _ => {}
            }
            match (from.may(), to.may()) {
                (true, false) => note(Plane::May, Direction::Sharpened),
                (false, true) => note(Plane::May, Direction::Weakened),
                _ => {}
            }
        }
    }
    changes
}

type Outcome = Result<Structure, Infeasible>;

fn coerce(coercer: &Coercer, structure: &Structure, changes: &Changes) -> Outcome {
    let mut coerced = structure.clone();
    coercer.coerce(&mut coerced, changes, &mut CoerceScratch::default()).map(|()| coerced)
}

/// The same twice: with the changes, and without them.
fn both(coercer: &Coercer, structure: &Structure, changes: &Changes) -> [Outcome; 2] {
    [changes, &Changes::Anything].map(|changes| coerce(coercer, structure, changes))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn coerce_agrees_with_its_definition_for_any_rules(rules in rules(), s in structure(&vocabulary(), 0..=3)) {
        let coercer = Coercer::new(rules, &arities());
        prop_assert_eq!(coerce(&coercer, &s, &Changes::Anything).ok(), naive_coerce(&s, coercer.rules()));
    }

    #[test]
    fn after_edits(rules in rules(), s in structure(&vocabulary(), 0..=4), edits in edits()) {
        let coercer = Coercer::new(rules, &arities());
        let Ok(old) = coerce(&coercer, &s, &Changes::Anything) else { return Ok(()) };
        let mut new = old.clone();
        edit(&mut new, &edits);
        let [partly, fully] = both(&coercer, &new, &differences(&old, &new));
        prop_assert_eq!(partly, fully);
    }

    #[test]
    fn after_edits_that_start_chains_of_repairs(rules in chains(), s in vague(), edits in edits()) {
        let coercer = Coercer::new(rules, &arities());
        let Ok(old) = coerce(&coercer, &s, &Changes::Anything) else { return Ok(()) };
        let mut new = old.clone();
        edit(&mut new, &edits);
        let [partly, fully] = both(&coercer, &new, &differences(&old, &new));
        prop_assert_eq!(partly, fully);
    }

    #[test]
    fn after_an_individual_is_split_and_edited(
        rules in rules(),
        s in structure(&vocabulary(), 1..=3),
        before in edits(),
        pick in 0..3usize,
        after in edits(),
    ) {
        let coercer = Coercer::new(rules, &arities());
        let Ok(old) = coerce(&coercer, &s, &Changes::Anything) else { return Ok(()) };
        let Some(u) = old.universe().cycle().skip(pick).take(old.size()).find(|u| old.is_summary(*u)) else { return Ok(()) };
        // Values of the individual may have changed before, and may change afterwards.
        let mut edited = old.clone();
        edit(&mut edited, &before);
        edited.set_summary(u, true);
        let mut changes = differences(&old, &edited);
        let split = edited.select(&edited.universe().chain([u]).collect::<Vec<_>>());
        changes.split(u, edited.size());
        let mut new = split.clone();
        edit(&mut new, &after);
        changes.also(&differences(&split, &new));
        let [partly, fully] = both(&coercer, &new, &changes);
        prop_assert_eq!(partly, fully);
    }

    #[test]
    fn after_an_update(
        rules in rules(),
        s in structure(&vocabulary(), 0..=4),
        updates in prop::collection::vec((prop::sample::select(declared(&vocabulary())), formula(&vocabulary())), 1..4),
    ) {
        let coercer = Coercer::new(rules, &arities());
        let Ok(old) = coerce(&coercer, &s, &Changes::Anything) else { return Ok(()) };
        let update = |(predicate, formula): &(PredicateId, Formula)| {
            let parameters: Vec<Var> = ["v0", "v1"].map(Var::new)[..vocabulary()[*predicate].arity].to_vec();
            let bound: Vec<Var> = formula.free_vars().into_iter().filter(|v| !parameters.contains(v)).collect();
            let formula = Formula::exists(bound, formula.clone());
            Update { predicate: *predicate, parameters, formula, origin: Origin::default() }
        };
        let action = Action { updates: updates.iter().map(update).collect(), ..Action::default() };
        let updated = Transformer::new(&action, &arities(), &[]).apply(&old, &[], &mut Workspace::default());
        let [partly, fully] = both(&coercer, &updated.structure, &updated.changes);
        prop_assert_eq!(partly, fully);
    }
}
