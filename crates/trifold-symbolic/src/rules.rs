//! The integrity rules of a specification as closed formulas, which every store obeys [YorshRS04 §2.3].
//!
//! They are the rules of coerce, without those that follow from others: the declared properties, the definitions of
//! instrumentation predicates, and the rules that the user wrote. For example, `unique` of `x` gives
//! `A(v, w) x(v) & x(w) -> v == w`.

use crate::planes::bound;
use std::sync::Arc;
use trifold_logic::{Definition, Formula, PredicateId, Properties, Var, Vocabulary};
use trifold_structure::Plane;
use trifold_tvl::{Constraint, Head, Specification};

/// The integrity rules of a specification.
pub fn integrity_rules(specification: &Specification) -> Vec<Formula> {
    let vocabulary = &specification.vocabulary;
    let declared = vocabulary.ids().skip(Vocabulary::BUILT_IN);
    let mut rules: Vec<Formula> =
        declared.flat_map(|p| [properties(vocabulary, p), definition(vocabulary, p)].concat()).collect();
    rules.extend(specification.rules.iter().map(rule));
    rules
}

/// `A(v…) φ` for all free variables of `φ`.
pub(crate) fn closed(formula: Formula) -> Formula {
    Formula::forall(formula.free_vars(), formula)
}

fn rule(constraint: &Constraint) -> Formula {
    let head = match &constraint.head {
        Head::False => Formula::FALSE,
        Head::Predicate { predicate, arguments, positive } => {
            signed(Formula::atom(*predicate, arguments.iter().cloned()), *positive)
        }
        Head::Equal { left, right, positive } => signed(Formula::equal(left.clone(), right.clone()), *positive),
    };
    closed(bound(&constraint.body, Plane::Must).implies(head))
}

fn signed(formula: Formula, positive: bool) -> Formula {
    if positive { formula } else { formula.negate() }
}

/// `p(v…)` lies between the two bounds of its definition.
fn definition(vocabulary: &Vocabulary, p: PredicateId) -> Vec<Formula> {
    let Some(Definition { parameters, formula }) = &vocabulary[p].definition else { return Vec::new() };
    equivalence(Formula::atom(p, parameters.iter().cloned()), formula)
}

/// `atom <-> formula`, as two implications.
pub(crate) fn equivalence(atom: Formula, formula: &Formula) -> Vec<Formula> {
    vec![closed(atom.clone().implies(bound(formula, Plane::May))), closed(bound(formula, Plane::Must).implies(atom))]
}

/// Table 10 of \[LevAmi00\], and `acyclic`.
fn properties(vocabulary: &Vocabulary, p: PredicateId) -> Vec<Formula> {
    let Properties {
        unique,
        function,
        invfunction,
        symmetric,
        antisymmetric,
        reflexive,
        antireflexive,
        transitive,
        acyclic,
        unique_per_component,
    } = vocabulary[p].properties;
    let [a, b, c] = ["v1", "v2", "v3"].map(Var::new);
    let is = |v: &Var| Formula::atom(p, [v.clone()]);
    let at = |v: &Var, w: &Var| Formula::atom(p, [v.clone(), w.clone()]);
    let equal = |v: &Var, w: &Var| Formula::equal(v.clone(), w.clone());
    let implication = |premises: Vec<Formula>, conclusion| closed(Formula::and(premises).implies(conclusion));
    let mut rules = Vec::new();
    let mut add = |wanted: bool, rule: &dyn Fn() -> Formula| rules.extend(wanted.then(rule));
    add(unique, &|| implication(vec![is(&a), is(&b)], equal(&a, &b)));
    add(function, &|| implication(vec![at(&a, &b), at(&a, &c)], equal(&b, &c)));
    add(invfunction, &|| implication(vec![at(&a, &c), at(&b, &c)], equal(&a, &b)));
    add(symmetric, &|| implication(vec![at(&a, &b)], at(&b, &a)));
    add(antisymmetric, &|| implication(vec![at(&a, &b), at(&b, &a)], equal(&a, &b)));
    add(reflexive, &|| closed(at(&a, &a)));
    add(antireflexive, &|| closed(at(&a, &a).negate()));
    add(transitive, &|| implication(vec![at(&a, &b), at(&b, &c)], at(&a, &c)));
    add(acyclic, &|| closed(Formula::transitive_closure(p, a.clone(), a.clone()).negate()));
    if let Some(relation) = unique_per_component {
        rules.push(implication(vec![is(&a), is(&b), linked(relation, &a, &b)], equal(&a, &b)));
    }
    rules
}

/// Edges of the relation lead from one to the other, in any direction.
fn linked(relation: PredicateId, v: &Var, w: &Var) -> Formula {
    let [left, right] = ["l", "r"].map(Var::new);
    let edge = |v: &Var, w: &Var| Formula::atom(relation, [v.clone(), w.clone()]);
    let body = Arc::new(Formula::or([edge(&left, &right), edge(&right, &left)]));
    Formula::Closure { start: v.clone(), end: w.clone(), left, right, body }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use trifold_logic::{Kleene, Predicate};
    use trifold_structure::naive;
    use trifold_structure::testing::store;
    use trifold_tvl::{Changes, CoerceScratch, Coercer, IdVec, Origin, constraints};

    /// Predicates with every property and several kinds of definitions.
    fn specification(flags: u16) -> Specification {
        let mut vocabulary = Vocabulary::default();
        let flag = |bit: u16| flags >> bit & 1 == 1;
        let x = Predicate {
            properties: Properties { unique: flag(0), ..Properties::default() },
            ..Predicate::core("x", 1)
        };
        let n = Predicate {
            properties: Properties {
                function: flag(1),
                invfunction: flag(2),
                symmetric: flag(3),
                antisymmetric: flag(4),
                reflexive: flag(5),
                antireflexive: flag(6),
                transitive: flag(7),
                acyclic: flag(8),
                ..Properties::default()
            },
            ..Predicate::core("n", 2)
        };
        let [x, n] = [x, n].map(|p| vocabulary.declare(p).unwrap());
        let [v, w, u] = ["v", "w", "u"].map(Var::new);
        let reach = Formula::exists(
            [w.clone()],
            Formula::and([Formula::atom(x, [w.clone()]), Formula::reflexive_closure(n, w.clone(), v.clone())]),
        );
        let define = |name, formula: Formula| Predicate {
            definition: Some(Definition { parameters: vec![v.clone()], formula }),
            ..Predicate::core(name, 1)
        };
        let r = vocabulary.declare(define("r", reach)).unwrap();
        let mut only = Predicate::core("only", 1);
        only.properties.unique_per_component = flag(9).then_some(n);
        vocabulary.declare(only);
        let rules = vec![Constraint {
            body: Formula::and([Formula::atom(r, [v.clone()]), Formula::atom(n, [v.clone(), u.clone()])]),
            head: Head::Predicate { predicate: x, arguments: vec![u.clone()], positive: flag(10) },
            origin: Origin::default(),
        }];
        let declared_at = vec![Origin::default(); vocabulary.len()];
        Specification { vocabulary, declared_at, rules, actions: IdVec::new(), cfg: Default::default() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        /// A store obeys the rules exactly if coerce has nothing to say against it.
        #[test]
        fn stores_that_obey_are_those_that_coerce_accepts(
            (spec, s) in any::<u16>().prop_flat_map(|flags| {
                let spec = specification(flags);
                let stores = store(&spec.vocabulary, 0..=3);
                (Just(spec), stores)
            }),
        ) {
            let arities: Vec<usize> = spec.vocabulary.iter().map(|(_, p)| p.arity).collect();
            let coercer = Coercer::new(constraints(&spec, true), &arities);
            let accepted = coercer.coerce(&mut s.clone(), &Changes::Anything, &mut CoerceScratch::default()).is_ok();
            let obeys = integrity_rules(&spec)
                .iter()
                .all(|rule| naive::evaluate(rule, &s, &Default::default()) == Kleene::True);
            prop_assert_eq!(obeys, accepted);
        }
    }
}
