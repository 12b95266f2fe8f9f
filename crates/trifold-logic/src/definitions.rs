//! The definitions of a vocabulary, and those of their properties that do not depend on an action: which mentions
//! which, which [notice](isolation) an isolated individual, and which formula is stored in which predicate.
//!
//! For example, if `r[n,y]` is defined as `E(w) y(w) & n*(w, v)`, then `E(u) n*(u, v) & y(u)` is stored in it.

pub(crate) mod canonical;
pub(crate) mod isolation;

use crate::{Definition, Formula, Predicate, PredicateId};
use canonical::canonical_of;
use isolation::{finds_isolated, is_false_of_isolated};
use std::collections::{BTreeMap, BTreeSet};

/// The properties of a vocabulary's definitions that do not depend on the action.
#[derive(Debug)]
pub(crate) struct Definitions {
    /// Defined predicates, each after those that its definition mentions.
    pub order: Vec<PredicateId>,
    /// Those whose quantifiers find something in an isolated individual.
    pub finds_isolated: BTreeSet<PredicateId>,
    /// Those that may hold of one.
    pub holds_of_isolated: BTreeSet<PredicateId>,
    /// The definitions in canonical form, for a look-up.
    pub canonical: BTreeMap<Formula, PredicateId>,
    /// The same without those that notice isolated individuals.
    pub unnoticing: BTreeMap<Formula, PredicateId>,
}

impl Definitions {
    pub fn new(predicates: &[Predicate]) -> Definitions {
        let mut definitions = Definitions {
            order: definition_order(predicates),
            finds_isolated: BTreeSet::new(),
            holds_of_isolated: BTreeSet::new(),
            canonical: BTreeMap::new(),
            unnoticing: BTreeMap::new(),
        };
        for (id, predicate) in (0..).map(PredicateId).zip(predicates) {
            let Some(Definition { parameters, formula }) = &predicate.definition else { continue };
            if finds_isolated(formula) {
                definitions.finds_isolated.insert(id);
            }
            if !is_false_of_isolated(formula, parameters) {
                definitions.holds_of_isolated.insert(id);
            }
            let canonical = canonical_of(formula, parameters);
            if !definitions.notices_isolated(id) {
                definitions.unnoticing.entry(canonical.clone()).or_insert(id);
            }
            definitions.canonical.entry(canonical).or_insert(id);
        }
        definitions
    }

    /// Could the value of the predicate depend on the presence of an isolated individual, or be other than 0 of it?
    pub fn notices_isolated(&self, p: PredicateId) -> bool {
        self.finds_isolated.contains(&p) || self.holds_of_isolated.contains(&p)
    }
}

/// Defined predicates, each after those that its definition mentions.
fn definition_order(predicates: &[Predicate]) -> Vec<PredicateId> {
    fn visit(q: PredicateId, predicates: &[Predicate], seen: &mut BTreeSet<PredicateId>, order: &mut Vec<PredicateId>) {
        let Some(definition) = &predicates[q.index()].definition else { return };
        if seen.insert(q) {
            definition.formula.visit_predicates(&mut |p| visit(p, predicates, seen, order));
            order.push(q);
        }
    }
    let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
    (0..predicates.len() as u32).for_each(|q| visit(PredicateId(q), predicates, &mut seen, &mut order));
    order
}
