//! Recognises formulas as predicates, because a stored value is more definite than a computed one.
//!
//! Two formulas are taken for the same when they differ only in the names of bound variables and in the order of
//! conjuncts and disjuncts. If a formula that the action needs is the definition of some predicate, the predicate's
//! stored value takes its place. For example, after `x = y` the definition of "reachable from `x`" speaks of `y`, and
//! is stored as "reachable from `y`".

use super::isolation::{finds_isolated, is_false_of_isolated};
use super::{Creates, Differencer};
use crate::{Definition, Formula, PredicateId, Var, Vocabulary};
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
    canonical: BTreeMap<Formula, PredicateId>,
    /// The same without those that notice isolated individuals.
    unnoticing: BTreeMap<Formula, PredicateId>,
}

impl Definitions {
    pub fn new(vocabulary: &Vocabulary) -> Definitions {
        let mut definitions = Definitions {
            order: definition_order(vocabulary),
            finds_isolated: BTreeSet::new(),
            holds_of_isolated: BTreeSet::new(),
            canonical: BTreeMap::new(),
            unnoticing: BTreeMap::new(),
        };
        for (id, predicate) in vocabulary.iter() {
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
fn definition_order(vocabulary: &Vocabulary) -> Vec<PredicateId> {
    fn visit(q: PredicateId, vocabulary: &Vocabulary, seen: &mut BTreeSet<PredicateId>, order: &mut Vec<PredicateId>) {
        let Some(definition) = &vocabulary[q].definition else { return };
        if seen.insert(q) {
            definition.formula.visit_predicates(&mut |p| visit(p, vocabulary, seen, order));
            order.push(q);
        }
    }
    let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
    vocabulary.ids().for_each(|q| visit(q, vocabulary, &mut seen, &mut order));
    order
}

impl Differencer<'_> {
    /// The predicate that stores the formula, applied to the formula's free variables. When individuals are created, a
    /// definition that notices isolated ones differs from the stored value.
    pub(super) fn stored(&self, formula: &Formula, variables: &[Var]) -> Option<Formula> {
        let definitions = self.effect.vocabulary.definitions();
        let known = match self.effect.creates {
            Creates::Nothing => &definitions.canonical,
            _ => &definitions.unnoticing,
        };
        let known = known.get(&canonical_of(formula, variables))?;
        Some(Formula::atom(*known, variables.iter().cloned()))
    }
}

/// Do the formulas agree, apart from the names of bound variables and the order of conjuncts and disjuncts?
pub fn same(f: &Formula, g: &Formula) -> bool {
    f == g || canonical(f, &BTreeMap::new(), 0) == canonical(g, &BTreeMap::new(), 0)
}

/// The canonical form, with the parameters numbered. No variable of a text begins with this sign.
fn canonical_of(formula: &Formula, parameters: &[Var]) -> Formula {
    let numbered = |(i, v): (usize, &Var)| (v.clone(), Var::new(&format!("#p{i}")));
    canonical(formula, &parameters.iter().enumerate().map(numbered).collect(), 0)
}

fn canonical(formula: &Formula, names: &BTreeMap<Var, Var>, depth: usize) -> Formula {
    let name = |v: &Var| names.get(v).unwrap_or(v).clone();
    let inside = |part: &Formula| canonical(part, names, depth);
    let sorted = |parts: &[Formula]| {
        let mut parts: Vec<Formula> = parts.iter().map(inside).collect();
        parts.sort();
        parts.dedup();
        parts
    };
    let bind = |v: &Var, names: &BTreeMap<Var, Var>, depth: usize| {
        let bound = Var::new(&format!("#{depth}"));
        let mut names = names.clone();
        names.insert(v.clone(), bound.clone());
        (bound, names)
    };
    match formula {
        Formula::Value(value) => Formula::Value(*value),
        Formula::Atom(p, arguments) => Formula::Atom(*p, arguments.iter().map(name).collect()),
        Formula::Equal(v, w) => {
            let (v, w) = (name(v), name(w));
            if v <= w { Formula::equal(v, w) } else { Formula::equal(w, v) }
        }
        Formula::Not(inner) => inside(inner).negate(),
        Formula::And(parts) => Formula::and(sorted(parts)),
        Formula::Or(parts) => Formula::or(sorted(parts)),
        Formula::If(parts) => {
            let [c, a, b] = parts.each_ref().map(inside);
            Formula::if_then_else(c, a, b)
        }
        Formula::Exists(v, body) => {
            let (v, names) = bind(v, names, depth);
            Formula::exists([v], canonical(body, &names, depth + 1))
        }
        Formula::Forall(v, body) => {
            let (v, names) = bind(v, names, depth);
            Formula::forall([v], canonical(body, &names, depth + 1))
        }
        Formula::Closure { start, end, left, right, body } => {
            let (left, names_left) = bind(left, names, depth);
            let (right, names_both) = bind(right, &names_left, depth + 1);
            let body = canonical(body, &names_both, depth + 2).into();
            Formula::Closure { start: name(start), end: name(end), left, right, body }
        }
    }
}
