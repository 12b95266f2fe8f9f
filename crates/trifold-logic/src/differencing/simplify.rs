//! Simplifications that hold on two-valued structures and can only make a three-valued one more definite.
//!
//! `f & !f` is 0 and `f | !f` is 1, although Kleene's logic does not see it; deltas are full of such pairs.

use crate::{Formula, Kleene, Var};

/// Conjunction without repetitions; 0 when it contains a formula and its negation.
pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    match Formula::and(parts) {
        Formula::And(parts) => {
            let distinct = distinct(&parts);
            if contradictory(&distinct) { Formula::FALSE } else { Formula::and(distinct) }
        }
        other => other,
    }
}

/// Disjunction without repetitions; 1 when it contains a formula and its negation.
pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    match Formula::or(parts) {
        Formula::Or(parts) => {
            let distinct = distinct(&parts);
            if contradictory(&distinct) { Formula::TRUE } else { Formula::or(distinct) }
        }
        other => other,
    }
}

/// `E(v) f`; 0 when `f` is.
pub fn exists(v: &Var, body: Formula) -> Formula {
    match body {
        Formula::Value(Kleene::False) => Formula::FALSE,
        body => Formula::exists([v.clone()], body),
    }
}

/// The formula where `given` is known to hold: conjuncts equal to it are dropped.
pub fn without(formula: Formula, given: &Formula) -> Formula {
    match formula {
        Formula::And(parts) => and(parts.iter().filter(|part| *part != given).cloned()),
        Formula::Or(parts) => or(parts.iter().map(|part| without(part.clone(), given))),
        other if other == *given => Formula::TRUE,
        other => other,
    }
}

fn distinct(parts: &[Formula]) -> Vec<Formula> {
    let mut kept: Vec<Formula> = Vec::new();
    for part in parts {
        if !kept.contains(part) {
            kept.push(part.clone());
        }
    }
    kept
}

fn contradictory(parts: &[Formula]) -> bool {
    parts.iter().any(|part| matches!(part, Formula::Not(inner) if parts.contains(inner)))
}
