//! Canonical forms of formulas: without the names of bound variables, and without an order of conjuncts and disjuncts.
//! For example, `E(w) x(w) & n(w, v)` and `E(u) n(u, v) & x(u)` have the same.

use crate::{Formula, Var};
use std::collections::BTreeMap;

/// Do the formulas agree, apart from the names of bound variables and the order of conjuncts and disjuncts?
pub fn same(f: &Formula, g: &Formula) -> bool {
    f == g || canonical(f, &BTreeMap::new(), 0) == canonical(g, &BTreeMap::new(), 0)
}

/// The canonical form, with the parameters numbered. No variable of a text begins with this sign.
pub fn canonical_of(formula: &Formula, parameters: &[Var]) -> Formula {
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
