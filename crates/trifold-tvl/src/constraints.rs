//! Generation of consistency rules [LevAmi00 §5.2].
//!
//! Rules come from three places: the declared properties of predicates (Table 10), the definitions of instrumentation
//! predicates, and the user's `%r`. A definition `q(v) = φ` gives `φ ▷ q` and `¬φ ▷ ¬q`, and, wherever `φ` or `¬φ` is a
//! disjunction of existentially quantified conjunctions, the *closure* of each of those clauses
//! (Definition 5.2): when all but one of its literals hold and the conclusion does not, the remaining one cannot hold.
//!
//! ```text
//! is(v) = E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2     gives, among others,
//! E(v1) !is(v) & n(v1,v) & v1 != v2  ▷  !n(v2,v)
//! ```
//!
//! # Soundness
//! Each generated rule is a logical consequence of a property or definition that every represented store satisfies.

use crate::specification::{Constraint, Head, Origin, Specification};
use std::collections::BTreeSet;
use std::sync::Arc;
use trifold_logic::{Definition, Formula, PredicateId, Properties, Var, Vocabulary, negation_normal_form};

/// All rules of a specification; with `automatic` off only those the user wrote.
pub fn constraints(specification: &Specification, automatic: bool) -> Vec<Constraint> {
    let mut rules = Vec::new();
    if automatic {
        for (id, _) in specification.vocabulary.iter().skip(Vocabulary::BUILT_IN) {
            let origin = specification.declared_at.get(id.index()).copied().unwrap_or_default();
            let mut generator = Generator { vocabulary: &specification.vocabulary, origin, rules: &mut rules };
            generator.property_rules(id);
            generator.definition_rules(id);
        }
    }
    rules.extend(specification.rules.iter().cloned());
    let mut distinct: Vec<Constraint> = Vec::with_capacity(rules.len());
    let mut seen = BTreeSet::new();
    for rule in rules {
        if seen.insert((rule.body.clone(), rule.head.formula())) {
            distinct.push(rule);
        }
    }
    distinct
}

/// Longer clauses have no closure: it would be quadratic in their length, and no literal of so many decides much.
const MAX_CLAUSE: usize = 64;

struct Generator<'a> {
    vocabulary: &'a Vocabulary,
    origin: Origin,
    rules: &'a mut Vec<Constraint>,
}

fn vars() -> [Var; 3] {
    ["v1", "v2", "v3"].map(Var::new)
}

impl Generator<'_> {
    fn rule(&mut self, body: Formula, head: Head) {
        self.rules.push(Constraint { body, head, origin: self.origin });
    }

    /// The rules of Table 10, and `acyclic`.
    fn property_rules(&mut self, p: PredicateId) {
        let properties = self.vocabulary[p].properties;
        let [a, b, c] = vars();
        let at = |v: &Var, w: &Var| Formula::atom(p, [v.clone(), w.clone()]);
        let equal = |v: &Var, w: &Var| Formula::equal(v.clone(), w.clone());
        let different = |v: &Var, w: &Var| equal(v, w).negate();
        if properties.unique {
            let is = |v: &Var| Formula::atom(p, [v.clone()]);
            self.implication([is(&a), is(&b)], equal(&a, &b));
            self.implication([is(&a), different(&a, &b)], is(&b).negate());
        }
        if let Some(relation) = properties.unique_per_component {
            self.unique_per_component(p, relation);
        }
        if properties.function {
            self.implication([at(&a, &b), at(&a, &c)], equal(&b, &c));
            self.implication([at(&a, &b), different(&b, &c)], at(&a, &c).negate());
        }
        if properties.invfunction {
            self.implication([at(&a, &c), at(&b, &c)], equal(&a, &b));
            self.implication([at(&a, &c), different(&a, &b)], at(&b, &c).negate());
        }
        if properties.symmetric {
            self.implication([at(&a, &b)], at(&b, &a));
        }
        if properties.antisymmetric {
            self.implication([at(&a, &b), at(&b, &a)], equal(&a, &b));
            self.implication([at(&a, &b), different(&a, &b)], at(&b, &a).negate());
        }
        if properties.reflexive {
            self.implication([equal(&a, &b)], at(&a, &b));
        }
        if properties.antireflexive {
            self.implication([equal(&a, &b)], at(&a, &b).negate());
        }
        if properties.transitive {
            self.implication([at(&a, &b), at(&b, &c)], at(&a, &c));
        }
        if properties.acyclic {
            self.acyclic(p);
        }
    }

    /// Individuals are in the same component when edges lead from one to the other, in either direction. A predicate
    /// that holds of two of them holds of one individual; and no edge connects individuals that lead to one that
    /// satisfies it with those that lead to another. Where the relation is declared to be symmetric and transitive it
    /// is its own closure, so the rules can mend its values.
    fn unique_per_component(&mut self, p: PredicateId, relation: PredicateId) {
        let [a, b, _] = vars();
        let [x, y] = ["x1", "x2"].map(Var::new);
        let is = |v: &Var| Formula::atom(p, [v.clone()]);
        let edge = |v: &Var, w: &Var| Formula::atom(relation, [v.clone(), w.clone()]);
        let distinct = |v: &Var, w: &Var| Formula::equal(v.clone(), w.clone()).negate();
        let Properties { symmetric, transitive, .. } = self.vocabulary[relation].properties;
        let linked = |v: &Var, w: &Var| {
            if symmetric && transitive {
                return edge(v, w);
            }
            let [left, right] = ["l", "r"].map(Var::new);
            let body = Arc::new(Formula::or([edge(&left, &right), edge(&right, &left)]));
            Formula::Closure { start: v.clone(), end: w.clone(), left, right, body }
        };
        let near = |v: &Var, w: &Var| Formula::or([Formula::equal(v.clone(), w.clone()), linked(v, w)]);
        self.implication([is(&a), is(&b), linked(&a, &b)], distinct(&a, &b).negate());
        self.implication([is(&a), linked(&a, &b), distinct(&a, &b)], is(&b).negate());
        self.implication([is(&a), is(&b), distinct(&a, &b)], edge(&a, &b).negate());
        self.implication([is(&x), is(&y), distinct(&x, &y), near(&x, &a), near(&b, &y)], edge(&a, &b).negate());
    }

    /// An edge cannot close a path. A predicate defined as `p*` makes the path a literal, so its value can be mended
    /// too.
    fn acyclic(&mut self, p: PredicateId) {
        let [a, b, _] = vars();
        let edge = Formula::atom(p, [a.clone(), b.clone()]);
        let back = Formula::reflexive_closure(p, b.clone(), a.clone());
        self.implication([back], edge.negate());
        self.rule(Formula::transitive_closure(p, a.clone(), a.clone()), Head::False);
        for (q, predicate) in self.vocabulary.iter() {
            let Some(Definition { parameters, formula }) = &predicate.definition else { continue };
            if let [l, r] = &parameters[..]
                && *formula == Formula::reflexive_closure(p, l.clone(), r.clone())
            {
                let reaches = |v: &Var, w: &Var| Formula::atom(q, [v.clone(), w.clone()]);
                let distinct = Formula::equal(a.clone(), b.clone()).negate();
                self.implication([reaches(&a, &b), reaches(&b, &a)], distinct.clone().negate());
                self.implication([reaches(&a, &b), distinct], reaches(&b, &a).negate());
                self.implication([reaches(&b, &a)], Formula::atom(p, [a.clone(), b.clone()]).negate());
            }
        }
    }

    fn definition_rules(&mut self, q: PredicateId) {
        let Some(Definition { parameters, formula }) = self.vocabulary[q].definition.clone() else { return };
        let defined = Formula::atom(q, parameters.iter().cloned());
        for (body, conclusion) in [(formula.clone(), defined.clone()), (formula.negate(), defined.negate())] {
            self.implication([body.clone()], conclusion.clone());
            for conjuncts in clauses(&body) {
                self.closure(conjuncts, conclusion.clone().negate());
            }
        }
    }

    /// The closure of "conjuncts imply the conclusion", apart from that rule itself.
    fn closure(&mut self, mut conjuncts: Vec<Formula>, denied: Formula) {
        if conjuncts.len() > MAX_CLAUSE {
            return;
        }
        conjuncts.push(denied);
        for i in 0..conjuncts.len() - 1 {
            self.contrapositive(&conjuncts, i);
        }
    }

    /// All conjuncts but the `i`-th imply its negation, if that can be a head.
    fn contrapositive(&mut self, conjuncts: &[Formula], i: usize) {
        if head_of(&conjuncts[i].clone().negate()).is_some() {
            let others = conjuncts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, c)| c.clone());
            self.implication(others, conjuncts[i].clone().negate());
        }
    }

    /// The rule "premises imply the literal"; variables that only premises have are quantified.
    fn implication(&mut self, premises: impl IntoIterator<Item = Formula>, literal: Formula) {
        let body = Formula::and(premises);
        let kept = literal.free_vars();
        let bound: Vec<Var> = body.free_vars().into_iter().filter(|v| !kept.contains(v)).collect();
        self.rule(Formula::exists(bound, body), head_of(&literal).expect("a literal is a head"));
    }
}

/// The head that a literal is, if it is a literal.
fn head_of(formula: &Formula) -> Option<Head> {
    let (atom, positive) = match formula {
        Formula::Not(inner) => (inner.as_ref(), false),
        other => (other, true),
    };
    match atom {
        Formula::Atom(predicate, arguments) => {
            Some(Head::Predicate { predicate: *predicate, arguments: arguments.clone(), positive })
        }
        Formula::Equal(left, right) => Some(Head::Equal { left: left.clone(), right: right.clone(), positive }),
        _ => None,
    }
}

/// The conjunctions whose disjunction, existentially quantified, the formula is; opaque parts stay conjuncts.
fn clauses(formula: &Formula) -> Vec<Vec<Formula>> {
    let apart = negation_normal_form(formula).rename_apart(&BTreeSet::new());
    disjuncts(&apart).into_iter().map(|disjunct| conjuncts(&disjunct)).collect()
}

/// `E` distributes over `|`, so disjunctions below existential quantifiers come to the top.
fn disjuncts(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::Or(parts) => parts.iter().flat_map(disjuncts).collect(),
        Formula::Exists(v, body) => {
            disjuncts(body).into_iter().map(|part| Formula::exists([v.clone()], part)).collect()
        }
        other => vec![other.clone()],
    }
}

/// Bound variables are distinct, so existential quantifiers inside a conjunction can be dropped.
fn conjuncts(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::Exists(_, body) => conjuncts(body),
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other.clone()],
    }
}

impl Constraint {
    /// The rule as text, in the syntax of `%r`.
    pub fn show(&self, vocabulary: &Vocabulary) -> String {
        format!("{} ==> {}", self.body.show(vocabulary), self.head.formula().show(vocabulary))
    }
}

impl Head {
    /// The head as a formula.
    pub fn formula(&self) -> Formula {
        let (atom, positive) = match self {
            Head::False => return Formula::FALSE,
            Head::Predicate { predicate, arguments, positive } => {
                (Formula::atom(*predicate, arguments.iter().cloned()), *positive)
            }
            Head::Equal { left, right, positive } => (Formula::equal(left.clone(), right.clone()), *positive),
        };
        if positive { atom } else { atom.negate() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trifold_fixpoint::IdVec;
    use trifold_logic::Predicate;

    fn list_specification() -> Specification {
        let mut vocabulary = Vocabulary::default();
        let unique = Properties { unique: true, ..Default::default() };
        let function = Properties { function: true, ..Default::default() };
        vocabulary.declare(Predicate { properties: unique, ..Predicate::core("x", 1) });
        let n = vocabulary.declare(Predicate { properties: function, ..Predicate::core("n", 2) }).unwrap();
        let [v, a, b] = ["v", "v1", "v2"].map(Var::new);
        let formula = Formula::exists(
            [a.clone(), b.clone()],
            Formula::and([
                Formula::atom(n, [a.clone(), v.clone()]),
                Formula::atom(n, [b.clone(), v.clone()]),
                Formula::equal(a, b).negate(),
            ]),
        );
        let definition = Some(Definition { parameters: vec![v], formula });
        vocabulary.declare(Predicate { definition, ..Predicate::core("is", 1) });
        Specification {
            vocabulary,
            declared_at: Vec::new(),
            rules: Vec::new(),
            actions: IdVec::new(),
            cfg: Default::default(),
        }
    }

    #[test]
    fn properties_and_definitions_give_the_rules_of_tables_5_and_6() {
        let specification = list_specification();
        let shown: Vec<String> =
            constraints(&specification, true).iter().map(|rule| rule.show(&specification.vocabulary)).collect();
        assert_eq!(
            shown,
            [
                "x(v1) & x(v2) ==> v1 == v2",
                "E(v1) x(v1) & v1 != v2 ==> !x(v2)",
                "E(v1) n(v1,v2) & n(v1,v3) ==> v2 == v3",
                "E(v2) n(v1,v2) & v2 != v3 ==> !n(v1,v3)",
                "E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2 ==> is(v)",
                "E(v2) n(v2,v) & v1 != v2 & !is(v) ==> !n(v1,v)",
                "E(v1) n(v1,v) & v1 != v2 & !is(v) ==> !n(v2,v)",
                "E(v) n(v1,v) & n(v2,v) & !is(v) ==> v1 == v2",
                "!(E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2) ==> !is(v)",
            ]
        );
        assert!(constraints(&specification, false).is_empty());
    }
}
