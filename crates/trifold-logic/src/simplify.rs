//! Simplifications that hold on two-valued structures and can only make a three-valued one more definite.
//!
//! `f & !f` is 0, `f | !f` is 1 and `f & !(f & g)` is `f & !g`, although Kleene's logic does not see it; deltas are
//! full of such pairs.

use crate::{Formula, Kleene, PredicateId, Var};

/// Conjunction where each part takes the others for granted: no repetitions, 0 for a formula and its negation.
pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    match Formula::and(parts) {
        Formula::And(parts) => {
            let mut parts = distinct(&parts);
            for i in 0..parts.len() {
                parts[i] = given(&parts[i], &others(&parts, i).collect::<Vec<_>>());
            }
            Formula::and(parts)
        }
        other => other,
    }
}

/// Disjunction where each part takes the negations of the others for granted.
pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    match Formula::or(parts) {
        Formula::Or(parts) => {
            let mut parts = distinct(&parts);
            for i in 0..parts.len() {
                let denied: Vec<Formula> = others(&parts, i).map(|part| part.clone().negate()).collect();
                parts[i] = given(&parts[i], &denied.iter().collect::<Vec<_>>());
            }
            Formula::or(parts)
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

/// `A(v) f`; 1 when `f` is.
pub fn forall(v: &Var, body: Formula) -> Formula {
    match body {
        Formula::Value(Kleene::True) => Formula::TRUE,
        body => Formula::forall([v.clone()], body),
    }
}

/// `TC(start, end)(left, right) f`; 0 when `f` is.
pub fn closure(start: &Var, end: &Var, left: &Var, right: &Var, body: Formula) -> Formula {
    let [start, end, left, right] = [start, end, left, right].map(Var::clone);
    match body {
        Formula::Value(Kleene::False) => Formula::FALSE,
        body => Formula::Closure { start, end, left, right, body: body.into() },
    }
}

/// The formula with other formulas in place of atoms.
pub fn replace_atoms(formula: &Formula, by: &dyn Fn(PredicateId, &[Var]) -> Formula) -> Formula {
    let inside = |part: &Formula| replace_atoms(part, by);
    match formula {
        Formula::Value(_) | Formula::Equal(..) => formula.clone(),
        Formula::Atom(p, arguments) => by(*p, arguments),
        Formula::Not(inner) => inside(inner).negate(),
        Formula::And(parts) => Formula::and(parts.iter().map(inside)),
        Formula::Or(parts) => Formula::or(parts.iter().map(inside)),
        Formula::If(parts) => {
            let [c, a, b] = parts.each_ref().map(inside);
            Formula::if_then_else(c, a, b)
        }
        Formula::Exists(v, body) => exists(v, inside(body)),
        Formula::Forall(v, body) => forall(v, inside(body)),
        Formula::Closure { start, end, left, right, body } => closure(start, end, left, right, inside(body)),
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

/// The formula where these are known to hold. Each is replaced by 1 and its negation by 0, also inside connectives; for
/// `x & f(x)` that is `x & f(1)`, which is as definite or more.
fn given(formula: &Formula, known: &[&Formula]) -> Formula {
    if known.contains(&formula) {
        return Formula::TRUE;
    }
    if known.contains(&&formula.clone().negate()) {
        return Formula::FALSE;
    }
    match formula {
        Formula::Not(inner) => given(inner, known).negate(),
        Formula::And(parts) => Formula::and(parts.iter().map(|part| given(part, known))),
        Formula::Or(parts) => Formula::or(parts.iter().map(|part| given(part, known))),
        Formula::If(parts) => {
            let [c, a, b] = parts.each_ref().map(|part| given(part, known));
            Formula::if_then_else(c, a, b)
        }
        other => other.clone(),
    }
}

fn others(parts: &[Formula], i: usize) -> impl Iterator<Item = &Formula> {
    parts.iter().enumerate().filter(move |(j, _)| *j != i).map(|(_, part)| part)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_take_each_other_for_granted() {
        let [x, y] = [PredicateId::SM, PredicateId::AC].map(|p| Formula::atom(p, [Var::new("v")]));
        let not = |f: &Formula| f.clone().negate();
        assert_eq!(and([x.clone(), not(&x)]), Formula::FALSE);
        assert_eq!(or([x.clone(), not(&x)]), Formula::TRUE);
        assert_eq!(and([x.clone(), not(&Formula::and([x.clone(), y.clone()]))]), Formula::and([x.clone(), not(&y)]));
        assert_eq!(or([x.clone(), Formula::and([not(&x), y.clone()])]), Formula::or([x.clone(), y.clone()]));
        assert_eq!(and([x.clone(), Formula::or([x.clone(), y.clone()])]), x);
        let choice = |a: &Formula| Formula::if_then_else(y.clone(), Formula::Value(Kleene::Unknown), a.clone());
        assert_eq!(and([not(&x), choice(&x)]), Formula::and([not(&x), choice(&Formula::FALSE)]));
        // One of two equal parts stays.
        assert_eq!(and([x.clone(), x.clone()]), x);
    }
}
