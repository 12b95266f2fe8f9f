//! Does a formula notice an individual on which every predicate is 0?
//!
//! Individuals that an action creates, or is about to remove, are isolated in that sense before (after) its updates. A formula that
//! does not notice them has the same value with and without them, and is 0 of them, like every predicate: then nothing special
//! has to be done when they come or go.

use super::simplify::{and, or};
use crate::{Formula, Kleene, Var};
use std::collections::BTreeSet;

/// Could the value of the formula depend on the presence of isolated individuals, or be other than 0 of one?
pub fn notices_isolated(formula: &Formula, parameters: &[Var]) -> bool {
    let isolated_argument = parameters.iter().any(|v| {
        let of_isolated = valuation(formula, &BTreeSet::from([v.clone()]));
        of_isolated != Some(Kleene::False)
    });
    isolated_argument || quantifies_over_isolated(formula)
}

/// Does a quantifier or a closure of the formula find something in an isolated individual?
fn quantifies_over_isolated(formula: &Formula) -> bool {
    match formula {
        Formula::Value(_) | Formula::Atom(..) | Formula::Equal(..) => false,
        Formula::Not(inner) => quantifies_over_isolated(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(quantifies_over_isolated),
        Formula::If(parts) => parts.iter().any(quantifies_over_isolated),
        Formula::Exists(v, body) => {
            valuation(body, &BTreeSet::from([v.clone()])) != Some(Kleene::False) || quantifies_over_isolated(body)
        }
        Formula::Forall(v, body) => {
            valuation(body, &BTreeSet::from([v.clone()])) != Some(Kleene::True) || quantifies_over_isolated(body)
        }
        Formula::Closure { left, right, body, .. } => {
            let leads = |v: &Var| valuation(body, &BTreeSet::from([v.clone()])) != Some(Kleene::False);
            leads(left) || leads(right) || quantifies_over_isolated(body)
        }
    }
}

/// The value of the formula when these variables stand for isolated individuals, if it is the same whatever the rest is.
fn valuation(formula: &Formula, isolated: &BTreeSet<Var>) -> Option<Kleene> {
    match reduce(formula, isolated) {
        Formula::Value(value) if value.is_definite() => Some(value),
        _ => None,
    }
}

/// The formula with 0 for every atom that mentions an isolated individual.
fn reduce(formula: &Formula, isolated: &BTreeSet<Var>) -> Formula {
    let inside = |body: &Formula, bound: &[&Var]| {
        let isolated = isolated.iter().filter(|v| !bound.contains(v)).cloned().collect();
        reduce(body, &isolated)
    };
    match formula {
        Formula::Value(_) => formula.clone(),
        Formula::Atom(_, arguments) if arguments.iter().any(|v| isolated.contains(v)) => Formula::FALSE,
        Formula::Atom(..) | Formula::Equal(..) => formula.clone(),
        Formula::Not(inner) => reduce(inner, isolated).negate(),
        Formula::And(parts) => and(parts.iter().map(|part| reduce(part, isolated))),
        Formula::Or(parts) => or(parts.iter().map(|part| reduce(part, isolated))),
        Formula::If(parts) => {
            let [c, a, b] = parts.each_ref().map(|part| reduce(part, isolated));
            Formula::if_then_else(c, a, b)
        }
        Formula::Exists(v, body) => match inside(body, &[v]) {
            Formula::FALSE => Formula::FALSE,
            body => Formula::exists([v.clone()], body),
        },
        Formula::Forall(v, body) => match inside(body, &[v]) {
            Formula::TRUE => Formula::TRUE,
            body => Formula::forall([v.clone()], body),
        },
        Formula::Closure { start, end, left, right, body } => {
            let ends = [(start, left), (end, right)];
            let at_end = |(outer, step): &(&Var, &Var)| {
                isolated.contains(outer) && valuation(body, &BTreeSet::from([(*step).clone()])) == Some(Kleene::False)
            };
            if ends.iter().any(at_end) { Formula::FALSE } else { formula.clone() }
        }
    }
}
