//! A small specification with every kind of rule, and slow reference implementations.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::sync::Arc;
use trifold_logic::{Definition, Formula, Kleene, Predicate, PredicateId, Properties, Var, Vocabulary};
use trifold_structure::naive::{self, Assignment};
use trifold_structure::testing::tuples;
use trifold_structure::{Layout, Structure};
use trifold_tvl::{Cfg, Constraint, Head, IdVec, Specification, constraints};

/// Singly linked lists: `x`, `y` unique, `n` a function, and sharing, reachability and cyclicity defined from them;
/// a total preorder `d` and `sorted`; `some` nullary.
pub fn lists() -> Specification {
    let mut vocabulary = Vocabulary::default();
    let properties = |f: fn(&mut Properties)| {
        let mut p = Properties::default();
        f(&mut p);
        p
    };
    let mut core =
        |name, arity, properties| vocabulary.declare(Predicate { properties, ..Predicate::core(name, arity) }).unwrap();
    let x = core("x", 1, properties(|p| p.unique = true));
    let _y = core("y", 1, properties(|p| p.unique = true));
    let n = core("n", 2, properties(|p| p.function = true));
    let d = core("d", 2, properties(|p| (p.transitive, p.reflexive) = (true, true)));
    let [v, w, u] = ["v", "w", "u"].map(Var::new);
    let at = |p: PredicateId, vs: &[&Var]| Formula::atom(p, vs.iter().map(|v| (*v).clone()));
    let mut define = |name: &str, parameters: &[&Var], formula: Formula| {
        let parameters: Vec<Var> = parameters.iter().map(|v| (*v).clone()).collect();
        let predicate = Predicate::core(name, parameters.len());
        vocabulary.declare(Predicate { definition: Some(Definition { parameters, formula }), ..predicate }).unwrap()
    };
    define(
        "is",
        &[&v],
        Formula::exists(
            [w.clone(), u.clone()],
            Formula::and([at(n, &[&w, &v]), at(n, &[&u, &v]), Formula::equal(w.clone(), u.clone()).negate()]),
        ),
    );
    define(
        "r",
        &[&v],
        Formula::exists([w.clone()], Formula::and([at(x, &[&w]), Formula::reflexive_closure(n, w.clone(), v.clone())])),
    );
    define("c", &[&v], Formula::transitive_closure(n, v.clone(), v.clone()));
    define("sorted", &[&v], Formula::forall([w.clone()], at(n, &[&v, &w]).implies(at(d, &[&v, &w]))));
    define("some", &[], Formula::exists([v.clone()], at(x, &[&v])));
    Specification { vocabulary, declared_at: Vec::new(), rules: Vec::new(), actions: IdVec::new(), cfg: Cfg::default() }
}

/// Coerce as the papers define it: all rules, all assignments, until nothing changes.
pub fn naive_coerce(structure: &Structure, rules: &[Constraint]) -> Option<Structure> {
    let mut s = structure.clone();
    loop {
        let before = s.clone();
        for rule in rules {
            let mut vars = rule.body.free_vars();
            vars.extend(rule.head.formula().free_vars());
            vars.sort();
            vars.dedup();
            for tuple in tuples(vars.len(), s.size()) {
                let z: Assignment = vars.iter().cloned().zip(tuple.iter().copied()).collect();
                if tuple.iter().all(|u| s.is_active(*u)) && naive::evaluate(&rule.body, &s, &z) == Kleene::True {
                    repair(&mut s, &rule.head, &z)?;
                }
            }
        }
        if s == before {
            return Some(s);
        }
    }
}

fn repair(s: &mut Structure, head: &Head, z: &BTreeMap<Var, usize>) -> Option<()> {
    match head {
        Head::False => return None,
        Head::Predicate { predicate, arguments, positive } => {
            let tuple: Vec<usize> = arguments.iter().map(|v| z[v]).collect();
            let wanted = Kleene::from(*positive);
            match s.get(*predicate, &tuple) {
                Kleene::Unknown => s.set(*predicate, &tuple, wanted),
                value if value == wanted => {}
                _ => return None,
            }
        }
        Head::Equal { left, right, positive } => match (positive, z[left] == z[right]) {
            (true, true) => s.set_summary(z[left], false),
            (true, false) | (false, true) => return None,
            (false, false) => {}
        },
    }
    Some(())
}

/// Fills in the defined predicates of a two-valued structure and says whether it obeys all rules.
pub fn complete(store: &Structure, specification: &Specification) -> Option<Structure> {
    let mut s = store.clone();
    for (p, predicate) in specification.vocabulary.iter() {
        let Some(Definition { parameters, formula }) = &predicate.definition else { continue };
        for tuple in tuples(predicate.arity, s.size()) {
            let z = parameters.iter().cloned().zip(tuple.iter().copied()).collect();
            let value = naive::evaluate(formula, &s, &z);
            s.set(p, &tuple, value);
        }
    }
    naive_coerce(&s, &constraints(specification, true)).filter(|coerced| *coerced == s)
}

/// The layout of a specification's structures.
pub fn layout(specification: &Specification) -> Arc<Layout> {
    Arc::new(Layout::new(&specification.vocabulary))
}

/// The arities of a specification's predicates.
pub fn arities(specification: &Specification) -> Vec<usize> {
    specification.vocabulary.iter().map(|(_, p)| p.arity).collect()
}
