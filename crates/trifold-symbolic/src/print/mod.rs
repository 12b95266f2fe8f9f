//! Formulas for other provers: first-order logic, as SMT-LIB 2 or TPTP.
//!
//! Two things have to be said that those languages lack. Their universes are never empty, stores can be: so quantifiers
//! range over the individuals that satisfy `ac`, of which there may be none. And they have no transitive closure: each
//! closure becomes a relation that includes its steps, is transitive, and has the other first-order properties that the
//! built-in solver uses. For example, `n+(v,w)` becomes `R(v,w)`, with the axioms `n(v,w) → R(v,w)` and
//! `R(u,v) ∧ R(v,w) → R(u,w)`.
//!
//! # Soundness
//! Every formula about these relations is true of closures. So if a prover finds the formulas unsatisfiable, they are.
//! If it finds them satisfiable and there are closures, or the formulas are not of the form `E(v…) A(w…) φ`, there need
//! not be a store.

mod smtlib;
mod tptp;

pub use smtlib::smtlib;
pub use tptp::tptp;

use crate::planes::bound;
use crate::rules::closed;
use crate::translate::Translation;
use std::sync::Arc;
use trifold_logic::{Formula, Kleene, PredicateId, Var, Vocabulary};
use trifold_structure::Plane;

/// A first-order formula with named predicates.
#[derive(Clone, PartialEq, Debug)]
enum Term {
    Value(bool),
    Atom(String, Vec<Var>),
    Equal(Var, Var),
    Not(Box<Term>),
    And(Vec<Term>),
    Or(Vec<Term>),
    Exists(Var, Box<Term>),
    Forall(Var, Box<Term>),
}

/// A set of formulas without closures.
#[derive(Debug)]
struct Problem {
    /// Names and numbers of arguments.
    symbols: Vec<(String, usize)>,
    axioms: Vec<Term>,
}

/// A closure that has become a relation.
struct Relation {
    parameters: Vec<Var>,
    left: Var,
    right: Var,
    body: Formula,
}

impl Problem {
    /// The formulas, which are closed. A 1/2 in them is read as "possibly".
    fn new(formulas: &[Formula], vocabulary: &Vocabulary) -> Problem {
        let mut writer = Writer { vocabulary, relations: Vec::new(), written: 0 };
        let mut axioms: Vec<Term> = formulas.iter().map(|formula| writer.closed_term(formula)).collect();
        while let Some(axiom) = writer.next_relation() {
            axioms.extend(axiom);
        }
        let declared = vocabulary.iter().skip(Vocabulary::BUILT_IN).map(|(_, p)| (p.name.to_string(), p.arity));
        let exists = [(vocabulary[PredicateId::AC].name.to_string(), 1)];
        let relations = writer.relations.iter().enumerate();
        let relations = relations.map(|(i, relation)| (relation_name(i), relation.parameters.len() + 2));
        Problem { symbols: exists.into_iter().chain(declared).chain(relations).collect(), axioms }
    }
}

fn relation_name(number: usize) -> String {
    format!("path@{number}")
}

struct Writer<'a> {
    vocabulary: &'a Vocabulary,
    relations: Vec<Relation>,
    /// How many of them have been spoken of.
    written: usize,
}

impl Writer<'_> {
    /// A closed formula about the individuals that exist.
    fn closed_term(&mut self, formula: &Formula) -> Term {
        let atom = |p: PredicateId, arguments: &[Var]| match p {
            PredicateId::IS_NEW | PredicateId::INSTANCE => Formula::FALSE,
            p => Formula::atom(p, arguments.iter().cloned()),
        };
        let guard = |v: &Var| Formula::atom(PredicateId::AC, [v.clone()]);
        self.term(&Translation { atom: &atom, guard: &guard }.apply(&bound(formula, Plane::May)))
    }

    fn term(&mut self, formula: &Formula) -> Term {
        match formula {
            Formula::Value(value) => Term::Value(*value == Kleene::True),
            Formula::Atom(p, arguments) => Term::Atom(self.vocabulary[*p].name.to_string(), arguments.clone()),
            Formula::Equal(v, w) => Term::Equal(v.clone(), w.clone()),
            Formula::Not(inner) => Term::Not(Box::new(self.term(inner))),
            Formula::And(parts) => Term::And(parts.iter().map(|part| self.term(part)).collect()),
            Formula::Or(parts) => Term::Or(parts.iter().map(|part| self.term(part)).collect()),
            Formula::Exists(v, body) => Term::Exists(v.clone(), Box::new(self.term(body))),
            Formula::Forall(v, body) => Term::Forall(v.clone(), Box::new(self.term(body))),
            Formula::Closure { start, end, left, right, body } => {
                let mut parameters = body.free_vars();
                parameters.retain(|v| v != left && v != right);
                let known = self.relations.iter().position(|relation| {
                    (&relation.left, &relation.right, &relation.body) == (left, right, body.as_ref())
                });
                let number = known.unwrap_or(self.relations.len());
                if known.is_none() {
                    let (left, right, body) = (left.clone(), right.clone(), body.as_ref().clone());
                    self.relations.push(Relation { parameters: parameters.clone(), left, right, body });
                }
                Term::Atom(relation_name(number), [&parameters[..], &[start.clone(), end.clone()]].concat())
            }
            Formula::If(_) => unreachable!("bounds have no conditionals"),
        }
    }

    /// The properties of the next closure that has not been spoken of.
    fn next_relation(&mut self) -> Option<Vec<Term>> {
        let number = self.written;
        let Relation { parameters, left, right, body } = self.relations.get(number)?;
        let (parameters, left, right, body) = (parameters.clone(), left.clone(), right.clone(), body.clone());
        self.written += 1;
        let taken = parameters.iter().cloned().chain(body.free_vars()).collect();
        let mut fresh = {
            let mut taken: std::collections::BTreeSet<Var> = taken;
            move |name: &str| {
                let v = Var::new(name).fresh(&taken);
                taken.insert(v.clone());
                v
            }
        };
        let [a, b, c] = ["a", "b", "c"].map(&mut fresh);
        // A placeholder predicate would do as well; a closure of this very body is written as the relation.
        let path = |v: &Var, w: &Var| Formula::Closure {
            start: v.clone(),
            end: w.clone(),
            left: left.clone(),
            right: right.clone(),
            body: Arc::new(body.clone()),
        };
        let step = |v: &Var, w: &Var| {
            body.substitute(&[(left.clone(), v.clone()), (right.clone(), w.clone())].into_iter().collect())
        };
        let exists = |v: &Var| Formula::atom(PredicateId::AC, [v.clone()]);
        let equal = |v: &Var, w: &Var| Formula::equal(v.clone(), w.clone());
        let implies = |premises: Vec<Formula>, conclusion: Formula| closed(Formula::and(premises).implies(conclusion));
        let ways = || Formula::or([path(&b, &c), path(&c, &b), equal(&b, &c)]);
        let last = Formula::and([exists(&c), step(&c, &b), Formula::or([equal(&a, &c), path(&a, &c)])]);
        let mut axioms = vec![
            implies(vec![exists(&a), exists(&b), step(&a, &b)], path(&a, &b)),
            implies(vec![path(&a, &b), path(&b, &c)], path(&a, &c)),
            implies(vec![path(&a, &b)], Formula::and([exists(&a), exists(&b)])),
            implies(vec![path(&a, &b)], Formula::exists([c.clone()], last)),
        ];
        let (forward, backward) = self.functional(&body, &left, &right);
        if forward {
            let further = Formula::or([equal(&b, &c), path(&b, &c)]);
            axioms.push(implies(vec![exists(&a), exists(&b), step(&a, &b), path(&a, &c)], further));
            axioms.push(implies(vec![path(&a, &b), path(&a, &c)], ways()));
        }
        if backward {
            let further = Formula::or([equal(&b, &c), path(&c, &b)]);
            axioms.push(implies(vec![exists(&a), exists(&b), step(&b, &a), path(&c, &a)], further));
            axioms.push(implies(vec![path(&b, &a), path(&c, &a)], ways()));
        }
        Some(axioms.iter().map(|axiom| self.term(&bound(axiom, Plane::May))).collect())
    }

    /// Is a step part of a predicate that is declared to be a function, forwards or backwards?
    fn functional(&self, body: &Formula, left: &Var, right: &Var) -> (bool, bool) {
        let parts: &[Formula] = if let Formula::And(parts) = body { parts } else { std::slice::from_ref(body) };
        let mut found = (false, false);
        for part in parts {
            if let Formula::Atom(p, arguments) = part
                && let [v, w] = &arguments[..]
            {
                let properties = self.vocabulary[*p].properties;
                if (v, w) == (left, right) {
                    found = (found.0 || properties.function, found.1 || properties.invfunction);
                } else if (w, v) == (left, right) {
                    found = (found.0 || properties.invfunction, found.1 || properties.function);
                }
            }
        }
        found
    }
}
