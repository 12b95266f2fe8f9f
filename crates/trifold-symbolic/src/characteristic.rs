//! The characteristic formula of a bounded structure: it holds of exactly the stores that the structure represents
//! [YorshRS04 §2.4].
//!
//! In a bounded structure abstraction predicates tell any two individuals apart, by values that are 0 on the one and 1
//! on the other. So `node[u](v)`, "`v` has the definite values that abstraction predicates have on `u`", holds of an
//! individual `v` of a store exactly if `u` represents it, and the rest can be said in first-order logic:
//!
//! ```text
//! every u that surely exists:       E(v) node[u](v)
//! no individual is left over:       A(v) node[u1](v) | … | node[uk](v)
//! u is no summary:                  A(v, w) node[u](v) & node[u](w) -> v == w
//! p(u1, u2) is 1:                   A(v, w) node[u1](v) & node[u2](w) -> p(v, w)
//! ```

use crate::rules::closed;
use std::fmt;
use trifold_logic::{Formula, Kleene, PredicateId, Var, Vocabulary};
use trifold_structure::{Individual, Names, Structure};

/// Two individuals that no abstraction predicate tells apart definitely: there is no characteristic formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotBounded {
    /// One of them.
    pub one: Individual,
    /// The other one.
    pub other: Individual,
}

impl fmt::Display for NotBounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no abstraction predicate is 0 on one and 1 on the other of individuals {} and {}",
            self.one, self.other
        )
    }
}

impl std::error::Error for NotBounded {}

/// The characteristic formula of a structure, without the integrity rules.
pub fn characteristic(structure: &Structure, vocabulary: &Vocabulary) -> Result<Formula, NotBounded> {
    let names = abstraction_predicates(vocabulary);
    check_bounded(structure, &names)?;
    Ok(Writer { structure, vocabulary, names, nodes: None, v: Var::new("v"), w: Var::new("w") }.formula())
}

/// The same for any structure, with a predicate for each individual that holds of the individuals it represents.
pub(crate) fn characteristic_by_nodes(
    structure: &Structure,
    vocabulary: &Vocabulary,
    nodes: &[PredicateId],
) -> Formula {
    let (v, w) = (Var::new("v"), Var::new("w"));
    let is = |p: &PredicateId| Formula::atom(*p, [v.clone()]);
    let pairs = nodes.iter().enumerate().flat_map(|(i, one)| nodes[..i].iter().map(move |other| (one, other)));
    let apart: Vec<Formula> = pairs.map(|(one, other)| closed(Formula::and([is(one), is(other)]).negate())).collect();
    let nodes = Some(nodes);
    let writer = Writer { structure, vocabulary, names: Vec::new(), nodes, v: v.clone(), w };
    Formula::and(apart.into_iter().chain([writer.formula()]))
}

/// The unary predicates that tell individuals apart.
pub(crate) fn abstraction_predicates(vocabulary: &Vocabulary) -> Vec<PredicateId> {
    vocabulary.iter().filter(|(_, p)| p.arity == 1 && p.abstraction).map(|(id, _)| id).collect()
}

fn check_bounded(structure: &Structure, names: &[PredicateId]) -> Result<(), NotBounded> {
    let names = Names::new(structure, names);
    let mut pairs = structure.universe().flat_map(|other| (0..other).map(move |one| (one, other)));
    match pairs.find(|(one, other)| names.compatible(*one, *other)) {
        Some((one, other)) => Err(NotBounded { one, other }),
        None => Ok(()),
    }
}

struct Writer<'a> {
    structure: &'a Structure,
    vocabulary: &'a Vocabulary,
    /// The predicates whose definite values tell individuals apart.
    names: Vec<PredicateId>,
    /// Or one predicate for each individual.
    nodes: Option<&'a [PredicateId]>,
    v: Var,
    w: Var,
}

/// `a` where the value is 1, `!a` where it is 0, nothing where it is 1/2.
fn literal(atom: Formula, value: Kleene) -> Formula {
    match value {
        Kleene::True => atom,
        Kleene::False => atom.negate(),
        Kleene::Unknown => Formula::TRUE,
    }
}

impl Writer<'_> {
    fn of_arity(&self, arity: usize) -> impl Iterator<Item = PredicateId> + '_ {
        let declared = self.vocabulary.iter().skip(Vocabulary::BUILT_IN);
        declared.filter(move |(_, p)| p.arity == arity).map(|(id, _)| id)
    }

    fn formula(&self) -> Formula {
        Formula::and([self.individuals(), self.nullary(), self.unary(), self.binary()])
    }

    fn node(&self, u: Individual, v: &Var) -> Formula {
        if let Some(nodes) = self.nodes {
            return Formula::atom(nodes[u], [v.clone()]);
        }
        let literals = self.names.iter().map(|p| literal(Formula::atom(*p, [v.clone()]), self.structure.unary(*p, u)));
        Formula::and(literals)
    }

    fn individuals(&self) -> Formula {
        let (v, w) = (&self.v, &self.w);
        let active = self.structure.universe().filter(|u| self.structure.is_active(*u));
        let there = active.map(|u| Formula::exists([v.clone()], self.node(u, v)));
        let all = closed_over(v, Formula::or(self.structure.universe().map(|u| self.node(u, v))));
        let single = self.structure.universe().filter(|u| !self.structure.is_summary(*u)).map(|u| {
            closed(Formula::and([self.node(u, v), self.node(u, w)]).implies(Formula::equal(v.clone(), w.clone())))
        });
        Formula::and(there.chain([all]).chain(single))
    }

    fn nullary(&self) -> Formula {
        Formula::and(self.of_arity(0).map(|p| literal(Formula::atom(p, []), self.structure.nullary(p))))
    }

    fn unary(&self) -> Formula {
        let others: Vec<PredicateId> = self.of_arity(1).filter(|p| !self.names.contains(p)).collect();
        let of = |u: Individual| {
            let value = |p: &PredicateId| literal(Formula::atom(*p, [self.v.clone()]), self.structure.unary(*p, u));
            let values = Formula::and(others.iter().map(value));
            if values == Formula::TRUE { values } else { closed_over(&self.v, self.node(u, &self.v).implies(values)) }
        };
        Formula::and(self.structure.universe().map(of))
    }

    /// Tuples on which a predicate is 0 are many, so they are said at once: it leads from `u` only to where it is not
    /// 0.
    fn binary(&self) -> Formula {
        let (v, w) = (&self.v, &self.w);
        let mut parts = Vec::new();
        for p in self.of_arity(2) {
            let atom = || Formula::atom(p, [v.clone(), w.clone()]);
            for u in self.structure.universe() {
                let source = self.node(u, v);
                let value = |t: &Individual| self.structure.binary(p, u, *t);
                let targets: Vec<Individual> = self.structure.universe().filter(|t| value(t).may()).collect();
                if targets.len() < self.structure.size() {
                    let somewhere = Formula::or(targets.iter().map(|t| self.node(*t, w)));
                    parts.push(closed(Formula::and([source.clone(), atom()]).implies(somewhere)));
                }
                for t in targets.into_iter().filter(|t| value(t).must()) {
                    parts.push(closed(Formula::and([source.clone(), self.node(t, w)]).implies(atom())));
                }
            }
        }
        Formula::and(parts)
    }
}

/// `A(v) φ`, also when `v` does not occur.
fn closed_over(v: &Var, formula: Formula) -> Formula {
    if formula == Formula::TRUE { formula } else { Formula::forall([v.clone()], formula) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use trifold_structure::testing::{store, structure, vocabulary};
    use trifold_structure::{embedding, naive};
    use trifold_tvl::{Abstraction, BlurRule};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// The formula holds of a store exactly if the store embeds.
        #[test]
        fn the_formula_characterises_the_stores(
            s in structure(&vocabulary(), 0..=4),
            store in store(&vocabulary(), 0..=3),
            related in any::<bool>(),
            vague in prop::collection::vec((4..10u32, 0..4usize, 0..4usize), 0..6),
        ) {
            let abstraction = Abstraction::new(&vocabulary(), BlurRule::Definite);
            // Random structures rarely represent random stores, so half of the time one is made from the store.
            let mut s = abstraction.blur(if related { &store } else { &s });
            for (p, u, w) in vague {
                let p = PredicateId(p);
                let tuple: Vec<usize> = [u, w].into_iter().take(s.layout().arity(p)).collect();
                if tuple.iter().all(|u| *u < s.size()) {
                    s.set(p, &tuple, Kleene::Unknown);
                }
            }
            let s = abstraction.blur(&s);
            let formula = characteristic(&s, &vocabulary()).expect("blurred structures are bounded");
            prop_assert!(formula.free_vars().is_empty());
            let holds = naive::evaluate(&formula, &store, &Default::default()) == Kleene::True;
            prop_assert_eq!(holds, embedding(&store, &s).is_some());
        }
    }
}
