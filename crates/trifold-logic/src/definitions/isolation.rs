//! Does a formula notice an individual on which every predicate is 0?
//!
//! Individuals that an action creates, or is about to remove, are isolated in that sense before (after) its updates. A
//! formula that does not notice them has the same value with and without them, and is 0 of them, like every predicate:
//! then nothing special has to be done when they come or go. For example, `∃v x(v)` does not notice an isolated
//! individual, but `∀v x(v)` does.
//!
//! The question is settled for one isolated individual, *the newcomer*; several are added one after the other. Each
//! variable stands either for the newcomer or for another individual.

use crate::simplify::{and, or};
use crate::{Formula, Kleene, Var};
use std::collections::BTreeSet;

/// The variables that stand for the newcomer.
type Newcomer = BTreeSet<Var>;

/// Is the formula 0 whenever one of the arguments is the newcomer?
pub fn is_false_of_isolated(formula: &Formula, parameters: &[Var]) -> bool {
    // Every way in which some of the arguments are the newcomer.
    let combinations = (1..1usize << parameters.len()).map(|mask| {
        let chosen = parameters.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        chosen.map(|(_, v)| v.clone()).collect::<Newcomer>()
    });
    combinations.into_iter().all(|newcomer| is(formula, &newcomer, Kleene::False))
}

/// Does a quantifier or a closure of the formula find something in the newcomer, when its free variables are others?
pub fn finds_isolated(formula: &Formula) -> bool {
    let alone = |v: &Var| Newcomer::from([v.clone()]);
    match formula {
        Formula::Value(_) | Formula::Atom(..) | Formula::Equal(..) => false,
        Formula::Not(inner) => finds_isolated(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(finds_isolated),
        Formula::If(parts) => parts.iter().any(finds_isolated),
        Formula::Exists(v, body) => !is(body, &alone(v), Kleene::False) || finds_isolated(body),
        Formula::Forall(v, body) => !is(body, &alone(v), Kleene::True) || finds_isolated(body),
        Formula::Closure { left, right, body, .. } => {
            !is(body, &alone(left), Kleene::False) || !is(body, &alone(right), Kleene::False) || finds_isolated(body)
        }
    }
}

/// Does the formula surely have this value when these variables are the newcomer and all others are not?
fn is(formula: &Formula, newcomer: &Newcomer, value: Kleene) -> bool {
    reduce(formula, newcomer) == Formula::Value(value)
}

/// The formula with the values of the newcomer filled in: every predicate is 0 on it.
fn reduce(formula: &Formula, newcomer: &Newcomer) -> Formula {
    let is_newcomer = |v: &Var| newcomer.contains(v);
    match formula {
        Formula::Value(_) => formula.clone(),
        Formula::Atom(_, arguments) if arguments.iter().any(is_newcomer) => Formula::FALSE,
        Formula::Atom(..) => formula.clone(),
        Formula::Equal(v, w) => match (is_newcomer(v), is_newcomer(w)) {
            (true, true) => Formula::TRUE,
            (false, false) => formula.clone(),
            _ => Formula::FALSE,
        },
        Formula::Not(inner) => reduce(inner, newcomer).negate(),
        Formula::And(parts) => and(parts.iter().map(|part| reduce(part, newcomer))),
        Formula::Or(parts) => or(parts.iter().map(|part| reduce(part, newcomer))),
        Formula::If(parts) => {
            let [c, a, b] = parts.each_ref().map(|part| reduce(part, newcomer));
            if a == b { a } else { Formula::if_then_else(c, a, b) }
        }
        Formula::Exists(v, body) => {
            let [other, same] = both(v, body, newcomer);
            let other = if other == Formula::FALSE { other } else { Formula::exists([v.clone()], other) };
            or([other, same])
        }
        Formula::Forall(v, body) => {
            let [other, same] = both(v, body, newcomer);
            let other = if other == Formula::TRUE { other } else { Formula::forall([v.clone()], other) };
            and([other, same])
        }
        Formula::Closure { start, end, left, right, body } => {
            // No step leads out of the newcomer, or none into it: then no path does.
            let no_step = |v: &Var, w: &Var| {
                is(body, &Newcomer::from([v.clone()]), Kleene::False)
                    && is(body, &Newcomer::from([v.clone(), w.clone()]), Kleene::False)
            };
            let blocked = is_newcomer(start) && no_step(left, right) || is_newcomer(end) && no_step(right, left);
            if blocked { Formula::FALSE } else { formula.clone() }
        }
    }
}

/// The body when the bound variable is another individual, and when it is the newcomer.
fn both(v: &Var, body: &Formula, newcomer: &Newcomer) -> [Formula; 2] {
    let mut same = newcomer.clone();
    same.insert(v.clone());
    let mut other = newcomer.clone();
    other.remove(v);
    [reduce(body, &other), reduce(body, &same)]
}
