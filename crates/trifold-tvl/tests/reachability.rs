//! The rules for reachability and cycles, on stores that obey the declared properties: derived values are those of the
//! definitions, and sound on abstract structures. The tests note which rule was used for which change, so that none
//! goes untested.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use trifold_logic::{Definition, Derived, Formula, Kleene, Predicate, PredicateId, Properties, Rule, Var, Vocabulary};
use trifold_structure::naive::{self, Assignment};
use trifold_structure::testing::{store, tuples};
use trifold_structure::{Layout, Structure, Workspace, embedding};
use trifold_tvl::{Action, Derive, New, Retain, Transformer, Update, complete, cycle_messages, derived_updates};

/// Step relations: a function, an acyclic one, the inverse of a function, a forest, an acyclic relation and any
/// relation.
const RELATIONS: [&str; 6] = ["n", "g", "h", "f", "d", "m"];

fn core() -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    let mut declare = |name: &str, arity, properties| {
        vocabulary.declare(Predicate { properties, ..Predicate::core(name, arity) });
    };
    let none = Properties::default();
    declare("b", 0, none);
    ["x", "y"].iter().for_each(|name| declare(name, 1, Properties { unique: true, ..none }));
    declare("s", 1, none);
    declare("n", 2, Properties { function: true, ..none });
    declare("g", 2, Properties { function: true, acyclic: true, ..none });
    declare("h", 2, Properties { invfunction: true, ..none });
    declare("f", 2, Properties { invfunction: true, acyclic: true, ..none });
    declare("d", 2, Properties { acyclic: true, ..none });
    declare("m", 2, none);
    declare("k", 2, Properties { acyclic: true, ..none });
    vocabulary
}

fn var(name: &str) -> Var {
    Var::new(name)
}

/// `p(arguments)`, by names.
fn at(p: &str, arguments: &[&str]) -> Formula {
    let id = if p == "isNew" { PredicateId::IS_NEW } else { core().lookup(p).unwrap() };
    Formula::atom(id, arguments.iter().map(|v| var(v)))
}

fn some(v: &str, parts: impl IntoIterator<Item = Formula>) -> Formula {
    Formula::exists([var(v)], Formula::and(parts))
}

fn star(relation: &str, l: &str, r: &str) -> Formula {
    Formula::reflexive_closure(core().lookup(relation).unwrap(), var(l), var(r))
}

fn plus(relation: &str, l: &str, r: &str) -> Formula {
    Formula::transitive_closure(core().lookup(relation).unwrap(), var(l), var(r))
}

/// The stored predicates about individuals that several edges of a union lead to.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Sharing {
    OfUnion,
    OfParts,
}

const SHARING: [Sharing; 2] = [Sharing::OfUnion, Sharing::OfParts];

/// The core predicates with those that are defined by them, over one of the relations.
fn vocabulary(relation: &str, sharing: Sharing) -> Vocabulary {
    let mut vocabulary = core();
    // In the stores of these tests all acyclic relations lead from lower to higher numbers, so unions are acyclic, too.
    let acyclic = vocabulary[vocabulary.lookup(relation).unwrap()].properties.acyclic;
    let mut define = |name: &str, parameters: &[&str], formula: Formula| {
        let properties = Properties { acyclic: acyclic && name == "union", ..Properties::default() };
        let parameters: Vec<Var> = parameters.iter().map(|v| var(v)).collect();
        let arity = parameters.len();
        let definition = Some(Definition { parameters, formula });
        vocabulary.declare(Predicate { definition, properties, ..Predicate::core(name, arity) }).unwrap()
    };
    let reach = |source: &[Formula]| some("w", [Formula::and(source.to_vec()), star(relation, "w", "v")]);
    let every = |v: &str, given: Formula, then: Formula| Formula::forall([var(v)], given.implies(then));
    define("cycle", &["v"], plus(relation, "v", "v"));
    let from_x = define("from x", &["v"], reach(&[at("x", &["w"])]));
    define("from s", &["v"], reach(&[at("s", &["w"])]));
    // In another order, and with a variable that update formulas use.
    define("from y", &["v"], some("a", [star(relation, "a", "v"), at("y", &["a"])]));
    define("from x's next", &["v"], reach(&[some("u", [at("x", &["u"]), at(relation, &["u", "w"])])]));
    define("from x in s", &["v"], reach(&[at("x", &["w"]), at("s", &["w"])]));
    define("star", &["v", "w"], star(relation, "v", "w"));
    define("plus", &["v", "w"], plus(relation, "v", "w"));
    let union = define("union", &["v", "w"], Formula::or([at(relation, &["v", "w"]), at("k", &["v", "w"])]));
    let along = Formula::reflexive_closure(union, var("w"), var("v"));
    define("from x along union", &["v"], some("w", [at("x", &["w"]), along]));
    // Individuals that several edges lead to.
    let two = |e: PredicateId| {
        let edge = |from: &str| Formula::atom(e, [var(from), var("v")]);
        some("u", [some("w", [edge("u"), edge("w"), Formula::equal(var("u"), var("w")).negate()])])
    };
    define("shared", &["v"], two(core().lookup(relation).unwrap()));
    match sharing {
        Sharing::OfUnion => {
            let both = some("u", [at(relation, &["u", "v"]), at("k", &["u", "v"])]);
            define("shared along union", &["v"], Formula::or([both, two(union)]));
        }
        Sharing::OfParts => {
            define("shared by k", &["v"], two(core().lookup("k").unwrap()));
            define("target of k", &["v"], some("u", [at("k", &["u", "v"])]));
        }
    }
    let union_star = define("union star", &["v", "w"], Formula::reflexive_closure(union, var("v"), var("w")));
    // By way of a first edge, with the closure stored and written out.
    let rest = Formula::atom(union_star, [var("u"), var("w")]);
    define("by k", &["v", "w"], some("u", [at("k", &["v", "u"]), rest]));
    let rest = Formula::reflexive_closure(union, var("u"), var("w"));
    define("by the relation", &["v", "w"], some("u", [rest, at(relation, &["v", "u"])]));
    define("union cycle", &["v"], Formula::transitive_closure(union, var("v"), var("v")));
    define("from targets of k", &["v"], reach(&[some("u", [at("k", &["u", "w"])])]));
    define("x is set", &[], some("v", [at("x", &["v"])]));
    define("y is set", &[], some("v", [at("y", &["v"])]));
    let ordered = define("ordered", &["v"], every("w", at(relation, &["v", "w"]), at("m", &["v", "w"])));
    let is = |p: PredicateId| Formula::atom(p, [var("v")]);
    define("sorted", &[], every("v", is(from_x), is(ordered)));
    define("last", &["v"], some("w", [at(relation, &["v", "w"])]).negate());
    define("others", &[], some("v", [at(relation, &["v", "v"]).negate(), at("x", &["v"]).negate()]));
    vocabulary
}

/// The store, changed so that it obeys the properties.
fn lawful(mut s: Structure, vocabulary: &Vocabulary) -> Structure {
    for (p, predicate) in vocabulary.iter().skip(Vocabulary::BUILT_IN) {
        let Properties { unique, function, invfunction, acyclic, .. } = predicate.properties;
        let mut kept: Vec<Vec<usize>> = Vec::new();
        for tuple in tuples(predicate.arity, s.size()) {
            let clashes =
                |other: &Vec<usize>| unique || function && other[0] == tuple[0] || invfunction && other[1] == tuple[1];
            if s.get(p, &tuple) == Kleene::True {
                if kept.iter().any(clashes) || acyclic && tuple[0] >= tuple[1] {
                    s.set(p, &tuple, Kleene::False);
                } else {
                    kept.push(tuple);
                }
            }
        }
    }
    s
}

/// The store with the defined predicates filled in.
fn filled(store: &Structure, vocabulary: &Vocabulary, layout: &Arc<Layout>) -> Structure {
    let mut result = Structure::new(layout, store.size());
    for p in vocabulary.ids() {
        for tuple in tuples(vocabulary[p].arity, store.size()) {
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

/// New values of `x(v)`, with names.
fn pointer_moves(relation: &str) -> Vec<(&'static str, Formula)> {
    let next = |p, relation| some("w", [at(p, &["w"]), at(relation, &["w", "v"])]);
    vec![
        ("null", Formula::FALSE),
        ("copy", at("y", &["v"])),
        ("next", next("y", relation)),
        ("own next", next("x", relation)),
        ("next along g", next("y", "g")),
        ("next along m", next("y", "m")),
        ("next along k", next("y", "k")),
        ("new", at("isNew", &["v"])),
        ("choice", Formula::if_then_else(at("b", &[]), at("y", &["v"]), at("x", &["v"]))),
        ("guarded", Formula::and([at("b", &[]), at("y", &["v"])])),
        ("either", Formula::or([at("x", &["v"]), at("y", &["v"])])),
        ("in s", Formula::and([at("x", &["v"]), at("s", &["v"])])),
    ]
}

/// New values of the relation `e(a,b)`.
fn edge_changes(e: &str) -> Vec<(&'static str, Formula)> {
    let old = at(e, &["a", "b"]);
    let product = |p: &str, q: &str| Formula::and([at(p, &["a"]), at(q, &["b"])]);
    let keep = |p: &str| Formula::and([old.clone(), at(p, &["a"]).negate()]);
    let replace = |p: &str, value: Formula| Formula::if_then_else(at(p, &["a"]), value, old.clone());
    vec![
        ("clear", Formula::FALSE),
        ("cut x", keep("x")),
        ("cut y", replace("y", Formula::FALSE)),
        ("cut s", keep("s")),
        ("link x y", Formula::or([old.clone(), product("x", "y")])),
        ("link s s", Formula::or([product("s", "s"), old.clone()])),
        ("loop", Formula::or([old.clone(), product("isNew", "isNew")])),
        ("link new", Formula::or([old.clone(), product("isNew", "y")])),
        ("redirect", replace("x", at("y", &["b"]))),
        ("redirect to s", replace("x", at("s", &["b"]))),
        ("cut and link", Formula::or([keep("y"), product("x", "y")])),
        ("unless b", Formula::if_then_else(at("b", &[]), old.clone(), Formula::FALSE)),
        ("cut pair", Formula::and([old.clone(), product("x", "y").negate()])),
        ("turn", at(e, &["b", "a"])),
    ]
}

/// The effect of an action on `x`, on the relation, on `s` and on the universe, with names.
#[derive(Clone, Debug)]
struct Plan {
    relation: &'static str,
    pointer: Option<(&'static str, Formula)>,
    edges: Option<(&'static str, Formula)>,
    other_edges: Option<(&'static str, Formula)>,
    set: Option<Formula>,
    new: bool,
    retain: Option<Formula>,
}

fn plan(relation: &'static str) -> impl Strategy<Value = Plan> {
    let sets = vec![at("x", &["v"]), Formula::or([at("s", &["v"]), at("y", &["v"])])];
    let removals = vec![at("x", &["v"]).negate(), at("y", &["v"]).negate(), at("s", &["v"])];
    let everything = (
        prop::option::weighted(0.6, prop::sample::select(pointer_moves(relation))),
        prop::option::weighted(0.7, prop::sample::select(edge_changes(relation))),
        prop::option::weighted(0.5, prop::sample::select(edge_changes("k"))),
        prop::option::weighted(0.2, prop::sample::select(sets)),
        any::<bool>(),
        prop::option::weighted(0.4, prop::sample::select(removals)),
    );
    // Half of the actions do one thing only.
    (everything, 0..8usize).prop_map(move |((pointer, edges, other_edges, set, new, retain), only)| Plan {
        relation,
        pointer: pointer.filter(|_| only == 0 || only > 3),
        edges: edges.filter(|_| only == 1 || only > 3),
        other_edges: other_edges.filter(|_| only == 2 || only > 3),
        set: set.filter(|_| only > 3),
        new,
        retain: retain.filter(|_| only > 2),
    })
}

impl Plan {
    fn action(&self) -> Action {
        let mut action = Action { new: self.new.then_some(New::Single), ..Action::default() };
        let mut update = |p: &str, parameters: &[&str], formula: &Formula| {
            let predicate = core().lookup(p).unwrap();
            let parameters = parameters.iter().map(|v| var(v)).collect();
            action.updates.push(Update { predicate, parameters, formula: formula.clone(), origin: Default::default() });
        };
        self.pointer.iter().for_each(|(_, formula)| update("x", &["v"], formula));
        self.edges.iter().for_each(|(_, formula)| update(self.relation, &["a", "b"], formula));
        self.other_edges.iter().for_each(|(_, formula)| update("k", &["a", "b"], formula));
        self.set.iter().for_each(|formula| update("s", &["v"], formula));
        action.retain = self.retain.clone().map(|formula| Retain { variable: var("v"), formula });
        action
    }

    /// The name of the action's effect, when it has just one.
    fn name(&self) -> Option<&'static str> {
        match (&self.pointer, &self.edges, &self.other_edges, &self.retain) {
            (Some((name, _)), None, None, None) | (None, Some((name, _)), None, None) => Some(name),
            (None, None, Some(("cut x", _)), None) => Some("cut x of k"),
            (None, None, Some(("redirect", _)), None) => Some("redirect k"),
            (None, None, None, Some(_)) => Some("remove"),
            _ => None,
        }
    }
}

/// A rule was used for a predicate when an action did just this, and its values changed.
type Uses = BTreeSet<(Rule, String, &'static str)>;

fn note_uses(uses: &mut Uses, plan: &Plan, vocabulary: &Vocabulary, before: &Structure, after: &Structure) {
    let Some(what) = plan.name() else { return };
    for Derived { predicate: p, rule, .. } in derived_updates(&plan.action(), vocabulary, Derive::Missing) {
        let changed = before.size() != after.size()
            || tuples(vocabulary[p].arity, before.size()).iter().any(|t| before.get(p, t) != after.get(p, t));
        if changed {
            uses.insert((rule, vocabulary[p].name.to_string(), what));
        }
    }
}

fn transformer(action: &Action, vocabulary: &Vocabulary) -> Transformer {
    let arities: Vec<usize> = vocabulary.iter().map(|(_, p)| p.arity).collect();
    Transformer::new(&complete(action, vocabulary, Derive::Missing), &arities, &[])
}

/// The same cases each time, but others for each way of storing sharing.
fn runner(cases: u32, sharing: Sharing) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[sharing as u8; 32]))
}

fn check_definitions(relation: &'static str, sharing: Sharing) -> Uses {
    let vocabulary = vocabulary(relation, sharing);
    let layout = Arc::new(Layout::new(&vocabulary));
    let uses = RefCell::new(Uses::new());
    let run = |(plan, s): (Plan, Structure)| {
        let before = filled(&lawful(s, &core()), &vocabulary, &layout);
        let transformer = transformer(&plan.action(), &vocabulary);
        let after = transformer.apply(&before, &[], &mut Workspace::default()).structure;
        prop_assert_eq!(&after, &filled(&after, &vocabulary, &layout));
        note_uses(&mut uses.borrow_mut(), &plan, &vocabulary, &before, &after);
        Ok(())
    };
    runner(400, sharing).run(&(plan(relation), store(&core(), 0..=4)), run).unwrap();
    uses.into_inner()
}

#[test]
fn values_after_an_action_are_those_of_the_definitions() {
    let mut untested = Vec::new();
    for relation in RELATIONS {
        let uses: Uses = SHARING.into_iter().flat_map(|sharing| check_definitions(relation, sharing)).collect();
        let mut expect = |rule: Rule, predicate: &str, what: &'static str| {
            if !uses.contains(&(rule, predicate.to_string(), what)) {
                untested.push(format!("{rule:?} for `{predicate}` over {relation} under `{what}`"));
            }
        };
        for what in ["cut x", "cut y", "link x y", "redirect", "redirect to s", "cut and link", "link s s"] {
            // Edges to y do not change reachability from y, nor those to s reachability from s.
            let reaches: &[&str] = match what {
                "link x y" => &["from x", "from s"],
                "link s s" => &["from x", "from y"],
                _ => &["from x", "from y", "from s"],
            };
            reaches.iter().for_each(|reach| expect(Rule::Reachability, reach, what));
        }
        for what in ["choice", "guarded", "either", "next"] {
            expect(Rule::Reachability, "from x", what);
        }
        if relation == "n" {
            ["next along g", "next along m"].iter().for_each(|what| expect(Rule::Reachability, "from x", what));
        }
        if ["n", "h", "m"].contains(&relation) {
            ["cut x", "redirect"].iter().for_each(|what| expect(Rule::Reachability, "cycle", what));
        }
        expect(Rule::Reachability, "cycle", "link x y");
        expect(Rule::Reachability, "from y", "remove");
        ["link x y", "cut x", "redirect", "redirect k"]
            .iter()
            .for_each(|what| expect(Rule::Reachability, "from x along union", what));
        ["cut x of k", "redirect k", "cut x", "redirect", "remove"]
            .iter()
            .for_each(|what| expect(Rule::Reachability, "from targets of k", what));
        ["cut x of k", "redirect k", "cut x", "redirect", "link x y"].iter().for_each(|what| {
            ["by k", "by the relation"].iter().for_each(|branch| expect(Rule::Reachability, branch, what));
        });
        ["next", "next along k"].iter().for_each(|what| expect(Rule::Reachability, "from x along union", what));
        expect(Rule::Reachability, "from x", "next along k");
        ["copy", "null", "own next", "in s"].iter().for_each(|what| expect(Rule::Recognised, "from x", what));
        expect(Rule::Recognised, "x is set", "copy");
        ["star", "plus"].iter().for_each(|closure| expect(Rule::Closure, closure, "cut x"));
        expect(Rule::Connectives, "sorted", "link x y");
        if relation != "m" {
            expect(Rule::Connectives, "ordered", "redirect");
        }
        expect(Rule::Afresh, "others", "copy");
    }
    assert!(untested.is_empty(), "{untested:#?}");
}

/// An action that closes a cycle of a relation declared acyclic has a message, and no other action has as long as no
/// individuals come or go. A cycle of a relation is one of its union with another.
#[test]
fn cycles_are_reported() {
    for relation in ["g", "f", "d"] {
        let vocabulary = vocabulary(relation, Sharing::OfUnion);
        let layout = Arc::new(Layout::new(&vocabulary));
        let union = vocabulary.lookup("union").unwrap();
        let cycle = Formula::exists([var("v")], Formula::transitive_closure(union, var("v"), var("v")));
        let closed = Cell::new(0);
        let run = |(plan, s): (Plan, Structure)| {
            let before = filled(&lawful(s, &core()), &vocabulary, &layout);
            let holds =
                |formula: &Formula, s: &Structure| naive::evaluate(formula, s, &Assignment::new()) == Kleene::True;
            let messages = cycle_messages(&plan.action(), &vocabulary);
            let reported = messages.iter().any(|message| holds(&message.condition, &before));
            let transformer = transformer(&plan.action(), &vocabulary);
            let after = transformer.apply(&before, &[], &mut Workspace::default()).structure;
            let has_cycle = holds(&cycle, &after);
            closed.set(closed.get() + usize::from(has_cycle));
            prop_assert!(reported || !has_cycle, "a cycle with {relation} is not reported: {plan:?}");
            let exact = !plan.new && plan.retain.is_none();
            prop_assert!(has_cycle || !reported || !exact, "there is no cycle with {relation}: {plan:?}");
            Ok(())
        };
        runner(700, Sharing::OfUnion).run(&(plan(relation), store(&core(), 0..=4)), run).unwrap();
        assert!(closed.get() > 20, "only {} cycles with {relation}", closed.get());
    }
}

#[test]
fn values_on_abstract_structures_are_sound() {
    for (relation, sharing) in RELATIONS.iter().flat_map(|relation| SHARING.map(|sharing| (*relation, sharing))) {
        let vocabulary = vocabulary(relation, sharing);
        let layout = Arc::new(Layout::new(&vocabulary));
        let run = |(plan, s, pick): (Plan, Structure, Vec<usize>)| {
            let store = filled(&lawful(s, &core()), &vocabulary, &layout);
            let mut classes = vec![Vec::new(); 3];
            store.universe().for_each(|u| classes[pick[u]].push(u));
            classes.retain(|class| !class.is_empty());
            let transformer = transformer(&plan.action(), &vocabulary);
            let mut workspace = Workspace::default();
            let concrete = transformer.apply(&store, &[], &mut workspace).structure;
            let abstracted = transformer.apply(&store.quotient(&classes), &[], &mut workspace).structure;
            prop_assert!(embedding(&concrete, &abstracted).is_some(), "{concrete:?}\n{abstracted:?}");
            Ok(())
        };
        let cases = (plan(relation), store(&core(), 1..=4), prop::collection::vec(0..3usize, 4));
        runner(120, sharing).run(&cases, run).unwrap();
    }
}
