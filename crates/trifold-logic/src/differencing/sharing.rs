//! Sharing: individuals that several edges lead to.
//!
//! In a tree there is one path to every individual. When an edge is cut, no individual beyond it is reached any longer;
//! without that knowledge, another path would have to be looked for, and on abstract structures there might always be
//! one. The knowledge is in a predicate which says that two edges of a relation `e` lead to `v`:
//!
//! `∃u,w e(u,v) ∧ e(w,v) ∧ u ≠ w`, and, if `e` is a union of `f`, `g`, …, also `∃u f(u,v) ∧ g(u,v)`, for each two of
//! them.
//!
//! It may be stored of several parts of `e`, each by itself. Then two edges lead to `v` if two of one part do, or one
//! of each of two parts.
//!
//! Of two different paths to the same individual one continues the other, or they meet in a shared individual. So a
//! path to `v` that avoids a cut edge which was on another one starts beyond the cut, or there is a shared individual
//! beyond the cut. For example, in the lists 1 → 2 → 4 and 3 → 4, where 4 is shared, the cut of 2 → 4 does not separate
//! `v = 4` from 3.

use super::Differencer;
use crate::simplify::{and, exists, or};
use crate::{Definition, Formula, PredicateId, Var};
use std::collections::BTreeSet;

impl Differencer<'_> {
    /// The predicates whose union a step relation is; none if it is nothing like that.
    pub(super) fn parts_of(&self, step: &Formula) -> BTreeSet<PredicateId> {
        let Formula::Atom(p, arguments) = step else { return BTreeSet::new() };
        let Some(Definition { parameters, formula }) = &self.effect.vocabulary[*p].definition else {
            return BTreeSet::from([*p]);
        };
        let of_parameters = |part: &Formula| match part {
            Formula::Atom(q, of) if **of == parameters[..] && of.len() == arguments.len() => Some(*q),
            _ => None,
        };
        let Formula::Or(parts) = formula else { return BTreeSet::from([*p]) };
        let parts: Option<BTreeSet<PredicateId>> = parts.iter().map(of_parameters).collect();
        parts.unwrap_or(BTreeSet::from([*p]))
    }

    /// A formula over stored predicates that holds of `v` at least where two edges of these relations lead to it.
    pub(super) fn shared(&self, relations: &BTreeSet<PredicateId>, v: &Var) -> Option<Formula> {
        if relations.is_empty() {
            return None;
        }
        let binary = self.effect.vocabulary.iter().filter(|(_, predicate)| predicate.arity == 2);
        let unions: Vec<(PredicateId, BTreeSet<PredicateId>)> =
            binary.map(|(p, _)| (p, self.parts_of(&Formula::atom(p, [v.clone(), v.clone()])))).collect();
        let u = self.local("_u", &[v]);
        let (mut open, mut cases, mut entered) = (relations.clone(), Vec::new(), Formula::FALSE);
        while !open.is_empty() {
            let stored = unions.iter().filter_map(|(p, parts)| {
                let covered = parts.intersection(&open).count();
                (covered > 0).then_some((covered, *p, parts, self.shared_along(*p, parts, v)?))
            });
            let (_, p, parts, shared) = stored.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
            let enters = exists(&u, Formula::atom(p, [u.clone(), v.clone()]));
            let enters = self.stored(&enters, std::slice::from_ref(v)).unwrap_or(enters);
            cases.extend([shared, and([entered.clone(), enters.clone()])]);
            entered = or([entered, enters]);
            open.retain(|relation| !parts.contains(relation));
        }
        Some(or(cases))
    }

    /// A stored predicate that holds where two edges of this union lead to `v`.
    fn shared_along(&self, p: PredicateId, parts: &BTreeSet<PredicateId>, v: &Var) -> Option<Formula> {
        let [u, w] = ["_u", "_w"].map(|name| self.local(name, &[v]));
        let edge = |p: PredicateId, from: &Var| Formula::atom(p, [from.clone(), v.clone()]);
        let parts: Vec<PredicateId> = parts.iter().copied().collect();
        let different = Formula::equal(u.clone(), w.clone()).negate();
        let two = Formula::and([edge(p, &u), edge(p, &w), different]);
        let mut cases = vec![Formula::exists([u.clone(), w], two)];
        for (i, first) in parts.iter().enumerate() {
            for second in &parts[i + 1..] {
                let both = Formula::and([edge(*first, &u), edge(*second, &u)]);
                cases.push(Formula::exists([u.clone()], both));
            }
        }
        self.stored(&or(cases), std::slice::from_ref(v))
    }
}
