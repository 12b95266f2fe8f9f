//! Differencing of reachability by way of a given first edge, `q(v,w) = ∃u g(v,u) ∧ e*(u,w)`, where `e` is `g` or a
//! union with `g` in it.
//!
//! In a tree with the links `left` and `right`, `q(v,w)` says that `w` is below the left child of `v`. The general
//! rules would look for the child, which is mostly 1/2 if `v` stands for several individuals; the stored value is more
//! definite. Let the action cut the edges out of `D` of one part of `e`, and add those from `A` to `B` to the same part
//! (see [`EdgeChange`](super::shape::EdgeChange)); `R` is [reachability](super::reach), and `R⁺[D]` holds of the
//! individuals beyond the cut.
//!
//! - Cut `D`, unique: `q(v,w) ∧ ¬(∃a D(a) ∧ q(v,a) ∧ R⁺[D](w))`, because a path that leads over the cut is lost. There
//!   is no other path if no individual beyond the cut is [shared](super::sharing), nor is `v` itself there. If `g` is
//!   the part and `v` is in `D`, nothing is reached any more.
//! - Add `A × B`: `q(v,w) ∨ R[B](w) ∧ ∃a A(a) ∧ q(v,a)`. If `g` is the part, `v` in `A` needs no path there.
//!
//! For example, `x->left = NULL` cuts `D = x` of the part `left`: below the left child of `x` there is nothing any
//! more, and below the left child of an ancestor of `x` everything is lost that was below the left child of `x`.
//!
//! # Soundness
//! As for reachability: these are equivalences on every store that obeys the declarations of the predicates.

use super::Differencer;
use super::reach::{Relation, Rules, star_of};
use super::shape::Cut;
use crate::simplify::{and, exists, or};
use crate::{Definition, Formula, PredicateId, Var};

impl Differencer<'_> {
    /// The new value of a predicate that is defined by a first edge and reachability from there.
    pub(super) fn derive_branch(&self, q: PredicateId, parameters: &[Var], formula: &Formula) -> Option<Formula> {
        self.with_branch(q, parameters, formula, |branch, v, w| branch.value(v, w))
    }

    /// Where such a predicate can become true, and where it can become false.
    pub(super) fn changed_branches(
        &self,
        q: PredicateId,
        parameters: &[Var],
        formula: &Formula,
    ) -> Option<[Formula; 2]> {
        self.with_branch(q, parameters, formula, |branch, v, w| [branch.gains(v, w), branch.losses(v, w)])
    }

    fn with_branch<T>(
        &self,
        q: PredicateId,
        parameters: &[Var],
        formula: &Formula,
        then: impl Fn(&Branch, &Var, &Var) -> T,
    ) -> Option<T> {
        let [v, w] = parameters else { return None };
        let (first, relation) = self.read_branch(formula, v, w)?;
        let parts = self.parts_of(relation.step());
        let changed: Vec<PredicateId> = parts.iter().filter(|part| self.deltas.contains_key(part)).copied().collect();
        if !parts.contains(&first) || changed.len() > 1 {
            return None;
        }
        let change = self.relation_change(&relation)?;
        let is_first = changed == [first];
        let rules = Rules::new(self, &relation, change);
        Some(then(&Branch { rules, stored: q, first, is_first }, v, w))
    }

    /// The first edge, and the relation that is followed from there.
    fn read_branch(&self, formula: &Formula, v: &Var, w: &Var) -> Option<(PredicateId, Relation)> {
        let Formula::Exists(u, body) = formula else { return None };
        let Formula::And(parts) = body.as_ref() else { return None };
        let [one, other] = &parts[..] else { return None };
        let read = |first: &Formula, rest: &Formula| {
            let Formula::Atom(g, arguments) = first else { return None };
            if **arguments != [v.clone(), u.clone()] || v == u || w == u {
                return None;
            }
            Some((*g, self.read_star(rest, u, w)?))
        };
        read(one, other).or_else(|| read(other, one))
    }

    /// `e*(u,w)`, written out or as the predicate that stores it.
    fn read_star(&self, formula: &Formula, u: &Var, w: &Var) -> Option<Relation> {
        let Formula::Atom(p, arguments) = formula else { return star_of(formula, u, w) };
        let Definition { parameters, formula } = self.effect.vocabulary[*p].definition.as_ref()?;
        let [l, r] = &parameters[..] else { return None };
        if **arguments == [u.clone(), w.clone()] { star_of(formula, l, r) } else { None }
    }
}

/// The rules for one predicate and one change.
struct Branch<'a> {
    rules: Rules<'a>,
    stored: PredicateId,
    /// `g`.
    first: PredicateId,
    /// Does `g` change?
    is_first: bool,
}

impl Branch<'_> {
    fn old(&self, v: &Var, w: &Var) -> Formula {
        Formula::atom(self.stored, [v.clone(), w.clone()])
    }

    /// `q(v,w)` after the action.
    fn value(&self, v: &Var, w: &Var) -> Formula {
        let kept = self.kept(v, w);
        let Some((from, to)) = &self.rules.change.added else { return kept };
        let bridge = from.some(&self.rules.local("_f", &[v, w]), |a| {
            let here = if self.is_first { Formula::equal(a.clone(), v.clone()) } else { Formula::FALSE };
            or([here, self.kept(v, a)])
        });
        or([kept, and([self.rules.reach_over_kept(to, w), bridge])])
    }

    /// `q(v,w)` at least where the action makes it true.
    fn gains(&self, v: &Var, w: &Var) -> Formula {
        let Some((from, to)) = &self.rules.change.added else { return Formula::FALSE };
        let bridge = from.some(&self.rules.local("_f", &[v, w]), |a| {
            let here = if self.is_first { Formula::equal(a.clone(), v.clone()) } else { Formula::FALSE };
            or([here, self.old(v, a)])
        });
        and([self.rules.old_reach(to, w), bridge])
    }

    /// `¬q(v,w)` at least where the action makes it false.
    fn losses(&self, v: &Var, w: &Var) -> Formula {
        let Some(cut) = &self.rules.change.cut else { return Formula::FALSE };
        let starts = if self.cuts_first(cut) { cut.from.at(v) } else { Formula::FALSE };
        let through = cut.from.some(&self.rules.local("_g", &[v, w]), |a| self.old(v, a));
        or([starts, and([through, self.rules.behind(cut, w)])])
    }

    /// Are edges of `g` cut?
    fn cuts_first(&self, cut: &Cut) -> bool {
        cut.part.is_none_or(|part| part == self.first)
    }

    /// `q(v,w)` over the edges that are not cut.
    fn kept(&self, v: &Var, w: &Var) -> Formula {
        let Some(cut) = &self.rules.change.cut else { return self.old(v, w) };
        let starts = if self.cuts_first(cut) { cut.from.at(v).negate() } else { Formula::TRUE };
        let [a, u] = ["_g", "_h"].map(|name| self.rules.local(name, &[v, w]));
        let through = cut.from.some(&a, |a| self.old(v, a));
        let lost = and([through, self.rules.behind(cut, w)]);
        let behind = |z: &Var| self.rules.behind(cut, z);
        let itself = |z: &Var| Formula::equal(z.clone(), v.clone());
        let other_way = self.rules.other_way(&self.rules.parts(), &behind, &itself, v);
        let star = or([Formula::equal(u.clone(), w.clone()), self.rules.kept_path(&u, w)]);
        let survives = exists(&u, and([Formula::atom(self.first, [v.clone(), u.clone()]), star]));
        and([self.old(v, w), starts, or([lost.negate(), and([other_way, survives])])])
    }
}
