//! The shapes of updates that have rules of their own, and sets that have at most one member.
//!
//! For example, the update `n(v,w) = (x(v) ? y(w) : n(v,w))` of `x->n = y` cuts the edges out of `x` and adds those
//! from `x` to `y`.

use super::{Differencer, NewValue};
use crate::simplify::{and, exists, or};
use crate::{Definition, Formula, Kleene, PredicateId, Var};
use std::collections::BTreeMap;

/// The individuals that satisfy a formula.
#[derive(Clone, Debug)]
pub struct Set {
    pub member: Var,
    pub formula: Formula,
}

impl Set {
    /// "`v` is a member."
    pub fn at(&self, v: &Var) -> Formula {
        self.formula.substitute(&BTreeMap::from([(self.member.clone(), v.clone())]))
    }

    /// "There is a member for which `claim` holds."
    pub fn some(&self, name: &Var, claim: impl FnOnce(&Var) -> Formula) -> Formula {
        exists(name, and([self.at(name), claim(name)]))
    }
}

/// Edges that go: those out of the members of a set. If the relation is a union, and a part is given, only the edges of
/// that part.
#[derive(Clone, Debug)]
pub struct Cut {
    pub from: Set,
    pub part: Option<PredicateId>,
}

/// How an action changes a relation `e`: first edges are cut, then every member of the first set of `added` gets an
/// edge to every member of the second.
#[derive(Clone, Debug, Default)]
pub struct EdgeChange {
    pub cut: Option<Cut>,
    pub added: Option<(Set, Set)>,
}

impl Differencer<'_> {
    /// The change of a predicate, if it is of that shape.
    ///
    /// Individuals that go lose their outgoing edges. The edges to them need not be cut: no path between others goes
    /// through an individual without outgoing edges, and the values on the individuals that go do not matter.
    pub(super) fn edge_change(&self, p: PredicateId) -> Option<EdgeChange> {
        let mut change = match self.effect.updates.get(&p) {
            // An unknown value cannot be said in terms of the old structure.
            Some(update) if has_unknown(&update.formula) => return None,
            Some(update) => read_shape(p, update)?,
            None if !self.deltas.contains_key(&p) => EdgeChange::default(),
            None => return self.union_change(p),
        };
        let member = self.local("_a", &[]);
        if let Some(formula) = self.going(std::slice::from_ref(&member)) {
            if change.cut.is_some() || change.added.is_some() {
                return None;
            }
            change.cut = Some(Cut { from: Set { member, formula }, part: None });
        }
        Some(change)
    }

    /// The change of a relation defined as a union of others, if only one of them changes, or edges are only added.
    fn union_change(&self, p: PredicateId) -> Option<EdgeChange> {
        let [a, b] = ["_a", "_b"].map(|name| self.local(name, &[]));
        let parts = self.parts_of(&Formula::atom(p, [a, b]));
        let changed: Vec<PredicateId> = parts.into_iter().filter(|part| self.deltas.contains_key(part)).collect();
        if let [part] = changed[..]
            && part != p
            && self.effect.retains.is_none()
        {
            let change = self.edge_change(part)?;
            let cut = change.cut.map(|cut| Cut { part: Some(part), ..cut });
            return Some(EdgeChange { cut, ..change });
        }
        self.additions(p)
    }

    /// The edges that are added to a relation defined as a union of others, if that is all.
    fn additions(&self, p: PredicateId) -> Option<EdgeChange> {
        let Definition { parameters, formula } = self.effect.vocabulary[p].definition.as_ref()?;
        let [a, b] = ["_a", "_b"].map(|name| self.local(name, &[]));
        let formula = formula.substitute(&parameters.iter().cloned().zip([a.clone(), b.clone()]).collect());
        let (Formula::Or(old), Formula::Or(new)) = (&formula, self.inlined(&formula)) else { return None };
        if self.effect.retains.is_some() || has_quantifier(&formula) || !old.iter().all(|part| new.contains(part)) {
            return None;
        }
        let added = or(new.iter().filter(|part| !old.contains(part)).cloned());
        Some(EdgeChange { cut: None, added: Some(product(&a, &b, &added)?) })
    }

    /// Has the set at most one member in every store, by the declarations of predicates?
    pub(super) fn is_unique(&self, set: &Set) -> bool {
        self.determines(&set.formula, &set.member)
    }

    /// Does the formula hold for at most one value of the variable, for all values of the other free variables?
    pub(super) fn determines(&self, formula: &Formula, v: &Var) -> bool {
        let properties = |p: &PredicateId| self.effect.vocabulary[*p].properties;
        match formula {
            Formula::Value(Kleene::False) => true,
            Formula::Atom(p, arguments) => match &arguments[..] {
                // Derived values obey the declarations only when the action does as it should.
                _ if p.is_after() => false,
                [w] => w == v && properties(p).unique,
                [u, w] => u != w && (w == v && properties(p).function || u == v && properties(p).invfunction),
                _ => false,
            },
            Formula::Equal(w, u) => w != u && (w == v || u == v),
            Formula::And(parts) => parts.iter().any(|part| self.determines(part, v)),
            // One witness at most, and for it one value.
            Formula::Exists(w, body) if w != v => match body.as_ref() {
                Formula::And(parts) => {
                    let alone = |part: &Formula| !part.free_vars().contains(v) && self.determines(part, w);
                    parts.iter().any(alone) && self.determines(body, v)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// The sets whose product the formula describes, if it does.
fn product(a: &Var, b: &Var, formula: &Formula) -> Option<(Set, Set)> {
    let free_of = |formula: &Formula, v: &Var| !formula.free_vars().contains(v);
    let parts = if let Formula::And(parts) = formula { parts.to_vec() } else { vec![formula.clone()] };
    let (of_target, of_source): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| free_of(part, a));
    let source = Set { member: a.clone(), formula: and(of_source) };
    let target = Set { member: b.clone(), formula: and(of_target) };
    free_of(&source.formula, b).then_some((source, target))
}

fn read_shape(p: PredicateId, update: &NewValue) -> Option<EdgeChange> {
    let [a, b] = &update.parameters[..] else { return None };
    let old = Formula::atom(p, [a.clone(), b.clone()]);
    let free_of = |formula: &Formula, v: &Var| !formula.free_vars().contains(v);
    let source = |formula: Formula| Cut { from: Set { member: a.clone(), formula }, part: None };
    // `e(a,b) & K(a)` keeps the edges out of K.
    let kept = |formula: &Formula| match formula {
        formula if *formula == old => Some(EdgeChange::default()),
        Formula::And(parts) if parts.contains(&old) => {
            let keep = and(parts.iter().filter(|part| **part != old).cloned());
            free_of(&keep, b).then(|| EdgeChange { cut: Some(source(keep.negate())), added: None })
        }
        _ => None,
    };
    let replaced = |condition: Formula, value: &Formula| {
        if !free_of(&condition, b) {
            return None;
        }
        let added = match value {
            Formula::Value(Kleene::False) => None,
            value => Some(product(a, b, &and([condition.clone(), value.clone()]))?),
        };
        Some(EdgeChange { cut: Some(source(condition)), added })
    };
    match &update.formula {
        Formula::Value(Kleene::False) => Some(EdgeChange { cut: Some(source(Formula::TRUE)), added: None }),
        Formula::Or(parts) => {
            let place = parts.iter().position(|part| kept(part).is_some())?;
            let rest = or(parts.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, part)| part.clone()));
            Some(EdgeChange { added: Some(product(a, b, &rest)?), ..kept(&parts[place])? })
        }
        Formula::If(parts) if parts[2] == old => replaced(parts[0].clone(), &parts[1]),
        Formula::If(parts) if parts[1] == old => replaced(parts[0].clone().negate(), &parts[2]),
        formula => kept(formula),
    }
}

/// Does the constant 1/2 occur in the formula?
pub fn has_unknown(formula: &Formula) -> bool {
    formula.any(&|part| matches!(part, Formula::Value(Kleene::Unknown)))
}

/// Does the formula quantify over individuals?
pub fn has_quantifier(formula: &Formula) -> bool {
    formula.any(&|part| matches!(part, Formula::Exists(..) | Formula::Forall(..) | Formula::Closure { .. }))
}
