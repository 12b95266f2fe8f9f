//! Derived updates give, on every store, the value of the definition after the action.

use proptest::prelude::*;
use trifold_logic::{Definition, Formula, Kleene, Predicate, Properties, Var, Vocabulary};
use trifold_structure::naive::{self, Assignment};
use trifold_structure::testing::{declared, formula, store, tuples, vocabulary};
use trifold_structure::{Structure, Workspace, embedding};
use trifold_tvl::{Action, Derive, New, Retain, Transformer, Update, complete};

/// The test vocabulary with a predicate defined by each of the formulas, over `v0` and `v1`.
fn with_definitions(definitions: &[Formula]) -> Vocabulary {
    with_properties(definitions, Properties::default())
}

/// The same, and `n` is declared to have these properties.
fn with_properties(definitions: &[Formula], of_n: Properties) -> Vocabulary {
    let mut extended = Vocabulary::default();
    for p in declared(&vocabulary()) {
        let mut predicate = vocabulary()[p].clone();
        if predicate.name.as_ref() == "n" {
            predicate.properties = of_n;
        }
        extended.declare(predicate);
    }
    for (i, formula) in definitions.iter().enumerate() {
        // Leave no other variable free.
        let formula = Formula::exists([Var::new("v2")], formula.clone());
        let parameters = ["v0", "v1"].map(Var::new).to_vec();
        let definition = Some(Definition { parameters, formula });
        extended.declare(Predicate { definition, ..Predicate::core(&format!("q{i}"), 2) });
    }
    extended
}

/// The store without the edges `n` that break these properties.
fn obeying(store: &Structure, properties: Properties) -> Structure {
    let n = vocabulary().lookup("n").expect("a predicate of the test vocabulary");
    let mut kept = store.clone();
    for u in store.universe() {
        for v in store.universe() {
            let is_edge = |u: usize, v: usize| kept.get(n, &[u, v]) == Kleene::True;
            let breaks = properties.function && (0..v).any(|w| is_edge(u, w))
                || properties.invfunction && (0..u).any(|w| is_edge(w, v))
                || properties.acyclic && u >= v;
            if breaks {
                kept.set(n, &[u, v], Kleene::False);
            }
        }
    }
    kept
}

fn properties() -> BoxedStrategy<Properties> {
    let some = |(function, invfunction, acyclic)| Properties { function, invfunction, acyclic, ..Default::default() };
    any::<(bool, bool, bool)>().prop_map(some).boxed()
}

/// The store with the defined predicates filled in, over the extended vocabulary.
fn filled(store: &Structure, vocabulary: &Vocabulary) -> Structure {
    let layout = std::sync::Arc::new(trifold_structure::Layout::new(vocabulary));
    let mut result = Structure::new(&layout, store.size());
    for p in vocabulary.ids() {
        let size = store.size();
        for tuple in tuples(vocabulary[p].arity, size) {
            let value = match &vocabulary[p].definition {
                None => store.get(p, &tuple),
                Some(Definition { parameters, formula }) => {
                    let z: Assignment = parameters.iter().cloned().zip(tuple.iter().copied()).collect();
                    naive::evaluate(formula, &result, &z)
                }
            };
            result.set(p, &tuple, value);
        }
    }
    result
}

/// An action with these updates of core predicates.
fn action(updates: &[(usize, Formula)], new: bool, retain: Option<Formula>) -> Action {
    let mut action = Action { new: new.then_some(New::Single), ..Action::default() };
    let core = declared(&vocabulary());
    for (i, formula) in updates {
        let predicate = core[*i];
        let arity = vocabulary()[predicate].arity;
        let parameters: Vec<Var> = ["v0", "v1", "v2"].map(Var::new).into_iter().take(arity).collect();
        if action.updates.iter().any(|update| update.predicate == predicate) {
            continue;
        }
        let open: Vec<Var> = formula.free_vars().into_iter().filter(|v| !parameters.contains(v)).collect();
        let formula = Formula::exists(open, formula.clone());
        action.updates.push(Update { predicate, parameters, formula, origin: Default::default() });
    }
    action.retain = retain.map(|formula| {
        let variable = Var::new("v0");
        let open: Vec<Var> = formula.free_vars().into_iter().filter(|v| *v != variable).collect();
        Retain { variable, formula: Formula::exists(open, formula) }
    });
    action
}

/// Updates in the shapes that actions have: an edge is added or removed, a pointer is moved.
fn update() -> BoxedStrategy<(usize, Formula)> {
    let [b, c, x, y, n, m] = {
        let core = declared(&vocabulary());
        [core[0], core[1], core[2], core[3], core[4], core[5]]
    };
    let _ = (b, c, m);
    let [v0, v1] = ["v0", "v1"].map(Var::new);
    let at = move |p, vs: &[&Var]| Formula::atom(p, vs.iter().map(|v| (*v).clone()));
    let remove = Formula::and([at(n, &[&v0, &v1]), at(x, &[&v0]).negate()]);
    let add = Formula::or([at(n, &[&v0, &v1]), Formula::and([at(x, &[&v0]), at(y, &[&v1])])]);
    let replace = Formula::if_then_else(at(x, &[&v0]), at(y, &[&v1]), at(n, &[&v0, &v1]));
    let new = Formula::atom(trifold_logic::PredicateId::IS_NEW, [v0.clone()]);
    prop_oneof![
        2 => Just((4, remove)),
        2 => Just((4, add)),
        1 => Just((4, replace)),
        1 => Just((2, at(y, &[&v0]))),
        1 => Just((2, Formula::FALSE)),
        1 => Just((3, new)),
        3 => (0..6usize, formula(&vocabulary())),
    ]
    .boxed()
}

fn definition() -> BoxedStrategy<Formula> {
    prop_oneof![4 => path_definition(), 6 => formula(&vocabulary())].boxed()
}

fn path_definition() -> BoxedStrategy<Formula> {
    let core = declared(&vocabulary());
    let (x, n) = (core[2], core[4]);
    let [v0, v1, w] = ["v0", "v1", "w"].map(Var::new);
    let reflexive = Formula::reflexive_closure(n, v0.clone(), v1.clone());
    let transitive = Formula::transitive_closure(n, v0.clone(), v1.clone());
    let reachable = Formula::exists(
        [w.clone()],
        Formula::and([Formula::atom(x, [w.clone()]), Formula::reflexive_closure(n, w, v0.clone())]),
    );
    let cyclic = Formula::transitive_closure(n, v0.clone(), v0);
    prop_oneof![Just(reflexive), Just(transitive), Just(reachable), Just(cyclic)].boxed()
}

fn transformer(action: &Action, vocabulary: &Vocabulary) -> Transformer {
    let arities: Vec<usize> = vocabulary.iter().map(|(_, p)| p.arity).collect();
    Transformer::new(&complete(action, vocabulary, Derive::Missing), &arities, &[])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn derived_values_are_those_of_the_definitions(
        definitions in prop::collection::vec(definition(), 1..3),
        updates in prop::collection::vec(update(), 0..3),
        new in any::<bool>(),
        retain in prop::option::of(formula(&vocabulary())),
        s in store(&vocabulary(), 0..=3),
    ) {
        // A store has definite values, so its updates must give some.
        prop_assume!(updates.iter().all(|(_, f)| !f.show(&vocabulary()).to_string().contains("1/2")));
        prop_assume!(retain.iter().all(|f| !f.show(&vocabulary()).to_string().contains("1/2")));
        prop_assume!(definitions.iter().all(|f| !f.show(&vocabulary()).to_string().contains("1/2")));
        let extended = with_definitions(&definitions);
        let before = filled(&s, &extended);
        let after = transformer(&action(&updates, new, retain), &extended)
            .apply(&before, &[], &mut Workspace::default())
            .structure;
        let expected = filled(&after, &extended);
        prop_assert_eq!(after, expected);
    }

    #[test]
    fn what_is_declared_about_edges_may_be_used(
        definitions in prop::collection::vec(path_definition(), 1..3),
        updates in prop::collection::vec(update(), 1..3),
        retain in prop::option::of(Just(Formula::atom(declared(&vocabulary())[2], [Var::new("v0")]).negate())),
        s in store(&vocabulary(), 1..=4),
        properties in properties(),
    ) {
        prop_assume!(updates.iter().all(|(_, f)| !f.show(&vocabulary()).to_string().contains("1/2")));
        let extended = with_properties(&definitions, properties);
        let before = filled(&obeying(&s, properties), &extended);
        let after = transformer(&action(&updates, false, retain), &extended)
            .apply(&before, &[], &mut Workspace::default())
            .structure;
        let expected = filled(&after, &extended);
        prop_assert_eq!(after, expected);
    }

    #[test]
    fn derived_values_are_sound_on_abstract_structures(
        definitions in prop::collection::vec(definition(), 1..3),
        updates in prop::collection::vec(update(), 0..3),
        s in store(&vocabulary(), 1..=3),
        pick in prop::collection::vec(0..2usize, 3),
    ) {
        prop_assume!(definitions.iter().all(|f| !f.show(&vocabulary()).to_string().contains("1/2")));
        prop_assume!(updates.iter().all(|(_, f)| !f.show(&vocabulary()).to_string().contains("1/2")));
        let extended = with_definitions(&definitions);
        let store = filled(&s, &extended);
        let mut classes = vec![Vec::new(); 2];
        store.universe().for_each(|u| classes[pick[u]].push(u));
        classes.retain(|class| !class.is_empty());
        let transformer = transformer(&action(&updates, false, None), &extended);
        let mut workspace = Workspace::default();
        let concrete = transformer.apply(&store, &[], &mut workspace).structure;
        let abstracted = transformer.apply(&store.quotient(&classes), &[], &mut workspace).structure;
        prop_assert!(embedding(&concrete, &abstracted).is_some());
    }
}
