//! Formulas over stores: the two bounds of a formula with the constant 1/2.
//!
//! On a store every predicate is 0 or 1, so 1/2 comes from constants only; an update uses it for "either". [`bound`]
//! gives the formula of one plane, in negation normal form, without conditionals and without 1/2. For example,
//! `x(v) | 1/2` has the bounds `x(v)`, where it surely holds, and 1, where it possibly does.

use std::sync::Arc;
use trifold_logic::{Formula, Kleene};
use trifold_structure::Plane;

/// A formula that on every store is 1 exactly if the plane of the given formula is.
pub fn bound(formula: &Formula, plane: Plane) -> Formula {
    go(formula, true, plane)
}

/// The plane of the formula or, with `positive` off, of its negation.
fn go(formula: &Formula, positive: bool, plane: Plane) -> Formula {
    let each = |parts: &[Formula]| parts.iter().map(|part| go(part, positive, plane)).collect::<Vec<_>>();
    let quantified = |body: &Formula| Arc::new(go(body, positive, plane));
    match formula {
        Formula::Value(Kleene::Unknown) => Formula::Value((plane == Plane::May).into()),
        Formula::Value(value) => Formula::Value(if positive { *value } else { !*value }),
        Formula::Atom(..) | Formula::Equal(..) if positive => formula.clone(),
        Formula::Atom(..) | Formula::Equal(..) => formula.clone().negate(),
        Formula::Not(inner) => go(inner, !positive, plane),
        Formula::And(parts) if positive => Formula::and(each(parts)),
        Formula::And(parts) => Formula::or(each(parts)),
        Formula::Or(parts) if positive => Formula::or(each(parts)),
        Formula::Or(parts) => Formula::and(each(parts)),
        Formula::If(parts) => conditional(parts, positive, plane),
        Formula::Exists(v, body) if positive => Formula::Exists(v.clone(), quantified(body)),
        Formula::Exists(v, body) => Formula::Forall(v.clone(), quantified(body)),
        Formula::Forall(v, body) if positive => Formula::Forall(v.clone(), quantified(body)),
        Formula::Forall(v, body) => Formula::Exists(v.clone(), quantified(body)),
        Formula::Closure { start, end, left, right, body } => {
            let body = go(body, true, if positive { plane } else { plane.dual() });
            let (start, end, left, right) = (start.clone(), end.clone(), left.clone(), right.clone());
            let closure = Formula::Closure { start, end, left, right, body: Arc::new(body) };
            if positive { closure } else { closure.negate() }
        }
    }
}

/// When the condition may be either, the conditional possibly holds if one branch does, and surely only if both do.
fn conditional([c, a, b]: &[Formula; 3], positive: bool, plane: Plane) -> Formula {
    let (holds, fails) = (go(c, true, plane), go(c, false, plane));
    let (a, b) = (go(a, positive, plane), go(b, positive, plane));
    match plane {
        Plane::May => Formula::or([Formula::and([holds, a]), Formula::and([fails, b])]),
        Plane::Must => Formula::and([Formula::or([fails, a]), Formula::or([holds, b])]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use trifold_logic::Var;
    use trifold_structure::naive;
    use trifold_structure::testing::{formula, store, vocabulary};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn bounds_are_the_planes_of_the_value(f in formula(&vocabulary()), s in store(&vocabulary(), 1..=3)) {
            let z = ["v0", "v1", "v2"].into_iter().map(Var::new).zip([0, s.size() / 2, s.size() - 1]).collect();
            let value = naive::evaluate(&f, &s, &z);
            prop_assert_eq!(naive::evaluate(&bound(&f, Plane::May), &s, &z), Kleene::from(value.may()));
            prop_assert_eq!(naive::evaluate(&bound(&f, Plane::Must), &s, &z), Kleene::from(value.must()));
        }
    }
}
