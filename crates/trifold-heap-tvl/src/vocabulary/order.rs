//! The predicates of one order of objects by their data, and the rules that hold in it by itself.
//!
//! For example, `le[x,d](v)` and `d(v) ≤ d(w)` give `le[x,d](w)`, because orders are transitive.

use crate::vocabulary::variables::{v, w};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::VarId;
use trifold_logic::{Formula, Kleene, PredicateId, Var};
use trifold_passes::links::LinkId;
use trifold_tvl::{Constraint, Head, Origin};

/// The value 1/2.
pub(crate) const UNKNOWN: Formula = Formula::Value(Kleene::Unknown);

/// The predicates of an order.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Where the numbers of objects are.
    pub data: BTreeSet<LinkId>,
    pub dle: PredicateId,
    /// For each variable, the objects that are not less than it, and those that are not greater.
    pub variables: BTreeMap<VarId, [PredicateId; 2]>,
    /// "The first one is not greater than the second."
    pub pairs: BTreeMap<(VarId, VarId), PredicateId>,
    /// The predicates of objects in order.
    pub sorted: Vec<Sorted>,
    /// For variables that steer walks, or are remembered, the objects that are equal to them.
    pub equal: BTreeMap<VarId, PredicateId>,
    /// Is only equality tracked? Then both predicates of a variable are the same, and so are those of a pair and the
    /// reverse one.
    pub only_equal: bool,
}

/// "Everything to which this relation leads from `v` is in order with `v`."
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sorted {
    pub predicate: PredicateId,
    pub along: PredicateId,
    pub fits: Fits,
}

/// How the data of another object compares to that of an object that is in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fits {
    /// It is not less.
    Rising,
    /// It is not greater.
    Falling,
    Less,
    Greater,
}

impl Sorted {
    /// "`w` fits `v`", for a formula that says of `v` and `w` that `v` is not greater.
    pub fn fits(&self, not_greater: &Formula) -> Formula {
        let not_less = not_greater.substitute(&BTreeMap::from([(v(), w()), (w(), v())]));
        let not_greater = not_greater.clone();
        match self.fits {
            Fits::Rising => not_greater,
            Fits::Falling => not_less,
            Fits::Less => Formula::and([not_less, not_greater.negate()]),
            Fits::Greater => Formula::and([not_greater, not_less.negate()]),
        }
    }

    /// The rules for one `w`, if there are two things to be said of it: definitions give rules only for single ones.
    pub fn rules(&self, dle: PredicateId) -> Vec<Constraint> {
        let (less, greater) = match self.fits {
            Fits::Rising | Fits::Falling => return Vec::new(),
            Fits::Less => (w(), v()),
            Fits::Greater => (v(), w()),
        };
        let here = Formula::atom(self.predicate, [v()]);
        let leads = Formula::atom(self.along, [v(), w()]);
        let mut rules = Vec::new();
        for (arguments, positive) in [([less.clone(), greater.clone()], true), ([greater, less], false)] {
            let mut rule = |body: Formula, predicate: PredicateId, arguments: Vec<Var>, positive: bool| {
                let body = Formula::and([here.clone(), body]);
                let head = Head::Predicate { predicate, arguments, positive };
                rules.push(Constraint { body, head, origin: Origin::default() });
            };
            let fits = Formula::atom(dle, arguments.clone());
            let breach = if positive { fits.negate() } else { fits };
            rule(leads.clone(), dle, arguments.to_vec(), positive);
            rule(breach, self.along, vec![v(), w()], false);
        }
        rules
    }

    /// "All `w` of which the formula holds, if the relation leads there from `v`, fit `v`", for a formula that says of
    /// `v` and `w` that `v` is not greater.
    pub fn all(&self, among: Formula, not_greater: &Formula) -> Formula {
        let leads = Formula::and([Formula::atom(self.along, [v(), w()]), among]);
        Formula::forall([w()], leads.implies(self.fits(not_greater)))
    }
}

/// The sides of a comparison in a rule.
pub(crate) enum Term {
    Object(Var),
    Number(VarId),
}

impl Order {
    /// "The variable is equal to the number of `at`."
    pub fn is_equal(&self, x: VarId, at: Var) -> Formula {
        match (self.equal.get(&x), self.variables.get(&x)) {
            (Some(equal), _) => Formula::atom(*equal, [at]),
            (None, Some(both)) => Formula::and(both.map(|p| Formula::atom(p, [at.clone()]))),
            (None, None) => UNKNOWN,
        }
    }

    /// A number that is equal to one that differs from a variable differs from it, whichever of the two is less.
    pub fn equality_rules(&self) -> Vec<Constraint> {
        let differ = |equal: &PredicateId| {
            let same = [vec![v(), w()], vec![w(), v()]].map(|pair| Formula::atom(self.dle, pair));
            let body = Formula::and(same.into_iter().chain([Formula::atom(*equal, [w()]).negate()]));
            let head = Head::Predicate { predicate: *equal, arguments: vec![v()], positive: false };
            Constraint { body: Formula::exists([w()], body), head, origin: Origin::default() }
        };
        self.equal.values().map(differ).collect()
    }

    /// "The first one is not greater than the second": the predicate and its arguments, if there is one.
    pub fn atom(&self, first: &Term, second: &Term) -> Option<(PredicateId, Vec<Var>)> {
        match (first, second) {
            (Term::Object(a), Term::Object(b)) => Some((self.dle, vec![a.clone(), b.clone()])),
            (Term::Number(x), Term::Object(b)) => Some((self.variables[x][0], vec![b.clone()])),
            (Term::Object(a), Term::Number(x)) => Some((self.variables[x][1], vec![a.clone()])),
            (Term::Number(x), Term::Number(y)) => Some((*self.pairs.get(&(*x, *y))?, Vec::new())),
        }
    }

    /// `a ≤ b ∧ b ≤ c ▷ a ≤ c`, and its other two forms.
    pub fn transitive(&self, a: &Term, b: &Term, c: &Term) -> Vec<Constraint> {
        [
            self.rule(&[(a, b, true), (b, c, true)], (a, c, true)),
            self.rule(&[(a, b, true), (a, c, false)], (b, c, false)),
            self.rule(&[(b, c, true), (a, c, false)], (a, b, false)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    pub fn rule(&self, body: &[(&Term, &Term, bool)], head: (&Term, &Term, bool)) -> Option<Constraint> {
        let literal = |(first, second, positive): &(&Term, &Term, bool)| {
            let (predicate, arguments) = self.atom(first, second)?;
            let atom = Formula::atom(predicate, arguments);
            Some(if *positive { atom } else { atom.negate() })
        };
        let body = Formula::and(body.iter().map(literal).collect::<Option<Vec<_>>>()?);
        let (predicate, arguments) = self.atom(head.0, head.1)?;
        let bound: Vec<Var> = body.free_vars().into_iter().filter(|variable| !arguments.contains(variable)).collect();
        let head = Head::Predicate { predicate, arguments, positive: head.2 };
        Some(Constraint { body: Formula::exists(bound, body), head, origin: Origin::default() })
    }
}
