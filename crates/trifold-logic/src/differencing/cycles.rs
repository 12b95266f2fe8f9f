//! May an action close a cycle of a relation that is declared acyclic?
//!
//! The rest of the analysis relies on the declaration: coerce mends structures by it, and the rules of this module's
//! siblings use it. A store in which an action closes a cycle would get lost without a message. Therefore each such
//! action gets a message.
//!
//! For example, `x->n = y` closes a cycle of `n` if `y` is `x`, or if `n` leads from `y` to `x`: the condition is
//! `∃v x(v) ∧ R[y](v)`.

use super::reach::closes_cycle;
use super::shape::{Set, has_quantifier};
use super::{Creates, Differencer, Effect};
use crate::definitions::isolation::is_false_of_isolated;
use crate::simplify::{and, exists, replace_atoms};
use crate::{Formula, Kleene, PredicateId, Var};
use std::sync::Arc;

/// A condition on the structure before the action, before individuals are created, that holds whenever the action
/// closes a cycle of the relation. `None` when it adds no edge.
pub fn may_close_cycle(effect: &Effect, p: PredicateId) -> Option<Formula> {
    let mut differencer = Differencer::new(effect);
    match (effect.updates.contains_key(&p), &effect.vocabulary[p].definition) {
        (true, _) => {}
        (false, Some(_)) => differencer.derive_all(&effect.vocabulary.ids().collect()),
        (false, None) => return None,
    }
    let [a, b] = ["_a", "_b"].map(|name| differencer.local(name, &[]));
    if differencer.atom_delta(p, &[a, b]).0 == Formula::FALSE {
        return None;
    }
    let about_before = |formula: &Formula| !formula.any(&|part| matches!(part, Formula::Atom(q, _) if q.is_after()));
    let rule = closes_cycle(&differencer, p).filter(|(closes, ..)| about_before(closes));
    Some(match (rule, effect.creates) {
        (Some((closes, ..)), Creates::Nothing) => closes,
        (None, Creates::Nothing) => differencer.has_cycle_after(p),
        // New individuals have no edges yet: only one that gets an edge to itself closes a cycle with them.
        (Some((closes, from, to)), Creates::Isolated) if no_newcomer_in_both(&from, &to) => without_newcomers(&closes),
        (_, Creates::Isolated | Creates::WithValues) => Formula::TRUE,
    })
}

impl Differencer<'_> {
    /// The relation after the action has a cycle.
    fn has_cycle_after(&self, p: PredicateId) -> Formula {
        let [a, b, c] = ["_a", "_b", "_c"].map(|name| self.local(name, &[]));
        let step = self.written_out(p, &[a.clone(), b.clone()]);
        // Quantifiers must not range over individuals that go.
        if self.effect.retains.is_some() && has_quantifier(&step) {
            return Formula::TRUE;
        }
        let goes = self.going(&[a.clone(), b.clone()]).unwrap_or(Formula::FALSE);
        let body = Arc::new(and([step, goes.negate()]));
        exists(&c, Formula::Closure { start: c.clone(), end: c.clone(), left: a, right: b, body })
    }

    /// The predicate after the action in terms of predicates before it: updates and definitions take its place.
    fn written_out(&self, p: PredicateId, arguments: &[Var]) -> Formula {
        if let Some(update) = self.effect.updates.get(&p) {
            return update.at(arguments);
        }
        match &self.effect.vocabulary[p].definition {
            Some(definition) if self.deltas.contains_key(&p) => {
                let renaming = definition.parameters.iter().cloned().zip(arguments.iter().cloned()).collect();
                let formula = definition.formula.substitute(&renaming).rename_apart(&self.outer);
                // A definition refers to predicates declared before it; of others nothing is known here.
                let earlier = |q: PredicateId, arguments: &[Var]| match q < p {
                    true => self.written_out(q, arguments),
                    false => Formula::Value(Kleene::Unknown),
                };
                replace_atoms(&formula, &earlier)
            }
            _ => Formula::atom(p, arguments.iter().cloned()),
        }
    }
}

/// Surely no new individual is both source and target of an added edge.
fn no_newcomer_in_both(from: &Set, to: &Set) -> bool {
    let both = and([from.formula.clone(), to.at(&from.member)]);
    let as_new = replace_atoms(&both, &|p, arguments| match p {
        PredicateId::IS_NEW if *arguments == [from.member.clone()] => Formula::TRUE,
        _ => Formula::atom(p, arguments.iter().cloned()),
    });
    let of_others = as_new.any(&|part| matches!(part, Formula::Atom(PredicateId::IS_NEW | PredicateId::INSTANCE, _)));
    !of_others && is_false_of_isolated(&as_new, std::slice::from_ref(&from.member))
}

/// The formula about individuals that were there before.
fn without_newcomers(formula: &Formula) -> Formula {
    replace_atoms(formula, &|p, arguments| match p {
        PredicateId::IS_NEW | PredicateId::INSTANCE => Formula::FALSE,
        _ => Formula::atom(p, arguments.iter().cloned()),
    })
}
