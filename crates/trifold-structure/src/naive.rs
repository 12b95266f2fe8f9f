//! The meaning of formulas, written down as in the papers [LevAmi00 Def. 7.3].
//!
//! Slow and obvious: one assignment at a time, one truth value at a time. It is the reference that the bit-parallel
//! evaluation is tested against.

use crate::{Individual, Structure};
use std::collections::BTreeMap;
use trifold_logic::{Formula, Kleene, PredicateId, Var};

/// An assignment of individuals to variables.
pub type Assignment = BTreeMap<Var, Individual>;

/// The value of `formula` under `assignment`, which covers its free variables.
pub fn evaluate(formula: &Formula, structure: &Structure, assignment: &Assignment) -> Kleene {
    let active = |u| structure.unary(PredicateId::AC, u);
    let with = |v: &Var, u: Individual| {
        let mut extended = assignment.clone();
        extended.insert(v.clone(), u);
        extended
    };
    match formula {
        Formula::Value(value) => *value,
        Formula::Atom(predicate, arguments) => {
            let tuple: Vec<Individual> = arguments.iter().map(|v| assignment[v]).collect();
            structure.get(*predicate, &tuple)
        }
        Formula::Equal(v, w) if v == w => Kleene::True,
        Formula::Equal(v, w) if assignment[v] != assignment[w] => Kleene::False,
        Formula::Equal(v, _) if structure.is_summary(assignment[v]) => Kleene::Unknown,
        Formula::Equal(..) => Kleene::True,
        Formula::Not(inner) => !evaluate(inner, structure, assignment),
        Formula::And(parts) => {
            parts.iter().fold(Kleene::True, |value, part| value.and(evaluate(part, structure, assignment)))
        }
        Formula::Or(parts) => {
            parts.iter().fold(Kleene::False, |value, part| value.or(evaluate(part, structure, assignment)))
        }
        Formula::If(parts) => {
            let [condition, then, otherwise] = parts.each_ref().map(|part| evaluate(part, structure, assignment));
            match condition {
                Kleene::True => then,
                Kleene::False => otherwise,
                Kleene::Unknown => then.info_join(otherwise),
            }
        }
        Formula::Exists(v, body) => structure
            .universe()
            .fold(Kleene::False, |value, u| value.or(active(u).and(evaluate(body, structure, &with(v, u))))),
        Formula::Forall(v, body) => structure
            .universe()
            .fold(Kleene::True, |value, u| value.and((!active(u)).or(evaluate(body, structure, &with(v, u))))),
        Formula::Closure { start, end, left, right, body } => {
            let step = |u, w| {
                let mut extended = with(left, u);
                extended.insert(right.clone(), w);
                evaluate(body, structure, &extended)
            };
            closure(structure, step, assignment[start], assignment[end])
        }
    }
}

/// The best path: the maximum over paths of the minimum over its steps and the existence of inner individuals.
fn closure(
    structure: &Structure,
    step: impl Fn(Individual, Individual) -> Kleene,
    start: Individual,
    end: Individual,
) -> Kleene {
    let mut reached: Vec<Kleene> = structure.universe().map(|u| step(start, u)).collect();
    loop {
        let before = reached.clone();
        for u in structure.universe() {
            let through = reached[u].and(structure.unary(PredicateId::AC, u));
            for w in structure.universe() {
                reached[w] = reached[w].or(through.and(step(u, w)));
            }
        }
        if reached == before {
            return reached[end];
        }
    }
}
