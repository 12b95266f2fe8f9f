//! Normal forms of formulas.
//!
//! Two are needed. The *negation normal form* has negation on atoms only; the generator of constraints reads it. The
//! *focus normal form* [LevAmi00 §6.1] of a formula is a list of conjunctions of literals: bringing every conjunction
//! to a definite value under every assignment brings the formula to a definite value. It arises by dropping closures
//! (their bodies are focused instead), then dropping quantifiers, then distributing. For example,
//! `E(v) x(v) & (y(v) | n(v,w))` gives the conjunctions `x(v) & y(v)` and `x(v) & n(v,w)`.

use crate::{Formula, Kleene, PredicateId, Var};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The equal formula in which only atoms, equalities and closures are negated.
pub fn negation_normal_form(formula: &Formula) -> Formula {
    nnf(formula, true)
}

fn nnf(formula: &Formula, positive: bool) -> Formula {
    let each = |parts: &[Formula]| parts.iter().map(|part| nnf(part, positive)).collect::<Vec<_>>();
    match formula {
        Formula::Not(inner) => nnf(inner, !positive),
        Formula::And(parts) if positive => Formula::and(each(parts)),
        Formula::And(parts) => Formula::or(each(parts)),
        Formula::Or(parts) if positive => Formula::or(each(parts)),
        Formula::Or(parts) => Formula::and(each(parts)),
        Formula::If(parts) => {
            // Negating a conditional negates its branches, for every value of the condition.
            let [c, a, b] = parts.as_ref();
            Formula::if_then_else(nnf(c, true), nnf(a, positive), nnf(b, positive))
        }
        Formula::Exists(v, body) if positive => Formula::Exists(v.clone(), Arc::new(nnf(body, true))),
        Formula::Exists(v, body) => Formula::Forall(v.clone(), Arc::new(nnf(body, false))),
        Formula::Forall(v, body) if positive => Formula::Forall(v.clone(), Arc::new(nnf(body, true))),
        Formula::Forall(v, body) => Formula::Exists(v.clone(), Arc::new(nnf(body, false))),
        Formula::Value(_) | Formula::Atom(..) | Formula::Equal(..) | Formula::Closure { .. } => {
            if positive {
                formula.clone()
            } else {
                formula.clone().negate()
            }
        }
    }
}

/// The atom that a literal affirms or denies.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LiteralAtom {
    /// `p(v1, …, vk)`.
    Predicate(PredicateId, Vec<Var>),
    /// `v == w`.
    Equal(Var, Var),
    /// The constant 1/2, which no refinement makes definite.
    Unknown,
}

/// An atom or its negation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    /// The atom.
    pub atom: LiteralAtom,
    /// False for a negated atom.
    pub positive: bool,
}

impl Literal {
    /// The variables, in order of argument.
    pub fn vars(&self) -> Vec<Var> {
        match &self.atom {
            LiteralAtom::Predicate(_, vars) => vars.clone(),
            LiteralAtom::Equal(v, w) => vec![v.clone(), w.clone()],
            LiteralAtom::Unknown => Vec::new(),
        }
    }

    /// The literal as a formula.
    pub fn formula(&self) -> Formula {
        let atom = match &self.atom {
            LiteralAtom::Predicate(p, vars) => Formula::atom(*p, vars.iter().cloned()),
            LiteralAtom::Equal(v, w) => Formula::equal(v.clone(), w.clone()),
            LiteralAtom::Unknown => Formula::Value(Kleene::Unknown),
        };
        if self.positive { atom } else { atom.negate() }
    }
}

/// A conjunction of literals.
pub type Conjunction = Vec<Literal>;

/// The disjunctive normal form would have more conjunctions than the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DnfTooLarge {
    /// The limit that was exceeded.
    pub limit: usize,
}

/// More conjunctions than this are refused: no focus formula of use comes near it.
const MAX_CONJUNCTIONS: usize = 1024;

/// The focus normal form: conjunctions that, made definite one after the other, make `formula` definite.
pub fn focus_conjunctions(formula: &Formula) -> Result<Vec<Conjunction>, DnfTooLarge> {
    let apart = formula.rename_apart(&BTreeSet::new());
    let matrix = matrix(&nnf(&apart, true));
    let mut conjunctions = distribute(&nnf(&matrix, true))?;
    for conjunction in &mut conjunctions {
        conjunction.dedup();
    }
    conjunctions.dedup();
    Ok(conjunctions)
}

/// The formula without its quantifiers, and with the body of each closure in place of the closure.
fn matrix(formula: &Formula) -> Formula {
    match formula {
        Formula::Value(_) | Formula::Atom(..) | Formula::Equal(..) => formula.clone(),
        Formula::Not(inner) => matrix(inner).negate(),
        Formula::And(parts) => Formula::and(parts.iter().map(matrix)),
        Formula::Or(parts) => Formula::or(parts.iter().map(matrix)),
        Formula::If(parts) => {
            let [c, a, b] = parts.each_ref().map(matrix);
            Formula::or([Formula::and([c.clone(), a]), Formula::and([c.negate(), b])])
        }
        Formula::Exists(_, body) | Formula::Forall(_, body) => matrix(body),
        Formula::Closure { body, .. } => matrix(body),
    }
}

/// Disjunctive normal form of a quantifier-free formula in negation normal form.
fn distribute(formula: &Formula) -> Result<Vec<Conjunction>, DnfTooLarge> {
    let literal = |atom, positive| Ok(vec![vec![Literal { atom, positive }]]);
    match formula {
        Formula::Value(Kleene::True) => Ok(vec![Vec::new()]),
        Formula::Value(Kleene::False) => Ok(Vec::new()),
        Formula::Value(Kleene::Unknown) => literal(LiteralAtom::Unknown, true),
        Formula::Atom(p, vars) => literal(LiteralAtom::Predicate(*p, vars.clone()), true),
        Formula::Equal(v, w) => literal(LiteralAtom::Equal(v.clone(), w.clone()), true),
        Formula::Not(inner) => {
            let mut negated = distribute(inner)?;
            negated[0][0].positive = false;
            Ok(negated)
        }
        Formula::Or(parts) => {
            let mut all = Vec::new();
            for part in parts.iter() {
                all.extend(distribute(part)?);
                check(all.len())?;
            }
            Ok(all)
        }
        Formula::And(parts) => {
            let mut product = vec![Vec::new()];
            for part in parts.iter() {
                let factor = distribute(part)?;
                check(product.len().saturating_mul(factor.len()))?;
                product = product
                    .iter()
                    .flat_map(|left: &Conjunction| factor.iter().map(move |right| [&left[..], right].concat()))
                    .collect();
            }
            Ok(product)
        }
        Formula::If(_) | Formula::Exists(..) | Formula::Forall(..) | Formula::Closure { .. } => {
            unreachable!("the matrix has only connectives")
        }
    }
}

fn check(conjunctions: usize) -> Result<(), DnfTooLarge> {
    if conjunctions > MAX_CONJUNCTIONS { Err(DnfTooLarge { limit: MAX_CONJUNCTIONS }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Predicate, Vocabulary};

    fn show(conjunctions: &[Conjunction], vocabulary: &Vocabulary) -> Vec<String> {
        let text = |c: &Conjunction| Formula::and(c.iter().map(Literal::formula)).show(vocabulary).to_string();
        conjunctions.iter().map(text).collect()
    }

    #[test]
    fn quantifiers_and_closures_give_way_to_their_bodies() {
        let mut vocabulary = Vocabulary::default();
        let x = vocabulary.declare(Predicate::core("x", 1)).unwrap();
        let n = vocabulary.declare(Predicate::core("n", 2)).unwrap();
        let [v, w] = ["v", "w"].map(Var::new);
        let successor = Formula::exists(
            [w.clone()],
            Formula::and([Formula::atom(x, [w.clone()]), Formula::atom(n, [w, v.clone()])]),
        );
        let conjunctions = focus_conjunctions(&successor).unwrap();
        assert_eq!(show(&conjunctions, &vocabulary), ["x(w) & n(w,v)"]);
        let cyclic = Formula::transitive_closure(n, v.clone(), v).negate();
        assert_eq!(show(&focus_conjunctions(&cyclic).unwrap(), &vocabulary), ["!n(_l,_r)"]);
    }

    #[test]
    fn an_exploding_normal_form_is_refused() {
        let mut vocabulary = Vocabulary::default();
        let mut atoms = (0..24).map(|i| {
            let p = vocabulary.declare(Predicate::core(&format!("p{i}"), 0)).unwrap();
            Formula::atom(p, [])
        });
        let clauses: Vec<_> = (0..12).map(|_| Formula::or([atoms.next().unwrap(), atoms.next().unwrap()])).collect();
        assert_eq!(focus_conjunctions(&Formula::and(clauses)), Err(DnfTooLarge { limit: 1024 }));
    }
}
