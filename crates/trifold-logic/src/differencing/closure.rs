//! Differencing of transitive closures.
//!
//! Let `e` be the step relation, `C` its closure before the action and `R` the reflexive closure. Edges are first
//! removed, then added:
//!
//! * A pair is *affected* by removal when some old path between its ends may use a removed edge:
//!   `S(l,r) = ∃a,b R(l,a) ∧ Δ⁻e(a,b) ∧ R(b,r)`. Unaffected pairs keep `C`. If `e` is acyclic and a partial function
//!   (or the inverse of one: a tree), the path between two individuals is unique, so affected pairs are no longer
//!   connected. If `e` is a function but may be cyclic, that holds unless a removed edge lies on a cycle; then, and for
//!   every other relation, affected pairs are connected if there is a path without removed edges.
//! * Added edges connect `l` to `r` by old paths with added edges in between: `K(l,r) ∨ ∃a RK(l,a) ∧ TC[s](a,r)`, where
//!   `K` is the closure after removal and `s(x,y) = ∃b Δ⁺e(x,b) ∧ RK(b,y)`. If at most one edge is added,
//!   `K(l,r) ∨ ∃a,b RK(l,a) ∧ Δ⁺e(a,b) ∧ RK(b,r)`.
//!
//! For example, the list 1 → 2 → 3 → 4 loses the edge 2 → 3. The pairs (1,3), (1,4), (2,3) and (2,4) are affected, and
//! `n` is a function without cycles, so they are no longer connected; (1,2) and (3,4) keep their values.

use super::Differencer;
use crate::simplify::{and, exists, or};
use crate::{Formula, PredicateId, Properties, Var};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A closure as seen from the formulas below: reads `C(l,r)` and steps `e(l,r)` at any variables.
struct ClosureView {
    /// `C(l,r)`, with the variables it is about.
    value: (Formula, Var, Var),
    /// `e(l,r)`, with the variables it is about.
    step: (Formula, Var, Var),
    reflexive: bool,
}

impl ClosureView {
    fn at(view: &(Formula, Var, Var), l: &Var, r: &Var) -> Formula {
        let (formula, left, right) = view;
        formula.substitute(&BTreeMap::from([(left.clone(), l.clone()), (right.clone(), r.clone())]))
    }

    fn value(&self, l: &Var, r: &Var) -> Formula {
        ClosureView::at(&self.value, l, r)
    }

    /// The reflexive closure.
    fn reach(&self, l: &Var, r: &Var) -> Formula {
        let value = self.value(l, r);
        if self.reflexive { value } else { or([Formula::equal(l.clone(), r.clone()), value]) }
    }
}

/// The closure of which a predicate stores the value at `l` and `r`, if it is defined as one.
fn stored_closure(q: PredicateId, l: &Var, r: &Var, formula: &Formula) -> Option<ClosureView> {
    let (closure, reflexive) = match formula {
        Formula::Closure { .. } => (formula, false),
        Formula::Or(parts) => match &parts[..] {
            [Formula::Equal(v, w), closure] if (v, w) == (l, r) || (w, v) == (l, r) => (closure, true),
            _ => return None,
        },
        _ => return None,
    };
    let Formula::Closure { start, end, left, right, body } = closure else { return None };
    if (start, end) != (l, r) || body.free_vars().iter().any(|v| v != left && v != right) {
        return None;
    }
    let value = (Formula::atom(q, [l.clone(), r.clone()]), l.clone(), r.clone());
    Some(ClosureView { value, step: (body.as_ref().clone(), left.clone(), right.clone()), reflexive })
}

impl Differencer<'_> {
    /// The new value of a predicate that is defined as a closure, in terms of its stored value.
    pub(super) fn derive_closure(&self, q: PredicateId, parameters: &[Var], formula: &Formula) -> Option<Formula> {
        let [l, r] = parameters else { return None };
        let view = stored_closure(q, l, r, formula)?;
        let before = view.value(l, r);
        Some(self.new_closure(&view, l, r, before))
    }

    /// Where such a predicate can change: a path that is lost, or new, leads over kept edges to the first edge that is
    /// not kept.
    pub(super) fn changed_paths(&self, q: PredicateId, parameters: &[Var], formula: &Formula) -> Option<Formula> {
        let [l, r] = parameters else { return None };
        let view = stored_closure(q, l, r, formula)?;
        let (step, left, right) = &view.step;
        let (plus, minus) = self.delta(step, None);
        let a = self.local("_a", &[l, r]);
        let starts = exists(right, or([plus, minus])).substitute(&BTreeMap::from([(left.clone(), a.clone())]));
        Some(exists(&a, and([view.reach(l, &a), starts])))
    }

    /// The new value of a closure inside a formula, from one individual to another or back to itself; `before` equals
    /// its old value.
    pub(super) fn closure_after(&self, formula: &Formula, before: &Formula) -> Formula {
        let Formula::Closure { start, end, left, right, body } = formula else {
            unreachable!("only closures come here")
        };
        if body.free_vars().iter().any(|v| v != left && v != right) {
            let (plus, minus) = self.delta(body, None);
            let unchanged = plus == Formula::FALSE && minus == Formula::FALSE;
            return if unchanged { before.clone() } else { self.after(formula) };
        }
        let value = if start != end {
            (before.clone(), start.clone(), end.clone())
        } else {
            // The value on cycles says nothing about other paths.
            let [p, q] = ["_p", "_q"].map(|name| self.local(name, &[start]));
            let (left, right, body) = (left.clone(), right.clone(), body.clone());
            (Formula::Closure { start: p.clone(), end: q.clone(), left, right, body }, p, q)
        };
        let view = ClosureView { value, step: (body.as_ref().clone(), left.clone(), right.clone()), reflexive: false };
        self.new_closure(&view, start, end, before.clone())
    }

    /// The new value at `l` and `r`; `before` is the old one there.
    fn new_closure(&self, view: &ClosureView, l: &Var, r: &Var, before: Formula) -> Formula {
        let (step, left, right) = &view.step;
        let (plus, minus) = self.delta(step, None);
        let plus = (plus, left.clone(), right.clone());
        let minus = (minus, left.clone(), right.clone());
        let kept = self.after_removal(view, &minus, l, r, before);
        if plus.0 == Formula::FALSE {
            return kept;
        }
        let [p, q] = ["_p", "_q"].map(|name| self.local(name, &[l, r]));
        let removed = self.after_removal(view, &minus, &p, &q, view.value(&p, &q));
        let view = ClosureView { value: (removed, p, q), step: view.step.clone(), reflexive: view.reflexive };
        or([kept, self.by_insertion(&view, &plus, l, r)])
    }

    /// The value `before` that the closure has at `l` and `r`, without the pairs that removed edges disconnect.
    fn after_removal(
        &self,
        view: &ClosureView,
        minus: &(Formula, Var, Var),
        l: &Var,
        r: &Var,
        before: Formula,
    ) -> Formula {
        if minus.0 == Formula::FALSE {
            return before;
        }
        let [a, b] = ["_a", "_b"].map(|name| self.local(name, &[l, r]));
        let gone = ClosureView::at(minus, &a, &b);
        let affected = [view.reach(l, &a), gone.clone(), view.reach(&b, r)];
        let affected = exists(&a, exists(&b, and(affected)));
        let properties = self.step_properties(&view.step.0);
        let unique_paths = properties.function || properties.invfunction;
        // An individual is on one cycle at most, which ends with any of its edges.
        let survives = if unique_paths && (properties.acyclic || l == r) {
            Formula::FALSE
        } else {
            let path = self.path_without(&view.step, minus, l, r);
            let path = if view.reflexive { or([Formula::equal(l.clone(), r.clone()), path]) } else { path };
            if unique_paths {
                let on_cycle = exists(&a, exists(&b, and([gone, view.reach(&b, &a)])));
                and([on_cycle, path])
            } else {
                and([self.other_way(view, &gone, [&a, &b], l), path])
            }
        };
        // Reflexive pairs never depend on an edge.
        let identical = if view.reflexive { Formula::equal(l.clone(), r.clone()) } else { Formula::FALSE };
        and([before, or([identical, affected.negate(), survives])])
    }

    /// "Some individual beyond an edge that goes is shared, or is `l`." Otherwise no other path leads there.
    fn other_way(&self, view: &ClosureView, gone: &Formula, [a, b]: [&Var; 2], l: &Var) -> Formula {
        let z = self.local("_z", &[l]);
        let Some(shared) = self.shared(&self.parts_of(&view.step.0), &z) else { return Formula::TRUE };
        let entered = or([shared, Formula::equal(z.clone(), l.clone())]);
        exists(a, exists(b, exists(&z, and([gone.clone(), view.reach(b, &z), entered]))))
    }

    /// The declared properties of the step relation, if it is a predicate.
    pub(super) fn step_properties(&self, step: &Formula) -> Properties {
        match step {
            Formula::Atom(p, _) => self.effect.vocabulary[*p].properties,
            _ => Properties::default(),
        }
    }

    /// A path of steps that are not removed.
    fn path_without(&self, step: &(Formula, Var, Var), minus: &(Formula, Var, Var), l: &Var, r: &Var) -> Formula {
        let [a, b] = ["_s", "_t"].map(|name| self.local(name, &[l, r]));
        let body = and([ClosureView::at(step, &a, &b), ClosureView::at(minus, &a, &b).negate()]);
        Formula::Closure { start: l.clone(), end: r.clone(), left: a, right: b, body: Arc::new(body) }
    }

    /// Paths with added edges.
    fn by_insertion(&self, view: &ClosureView, plus: &(Formula, Var, Var), l: &Var, r: &Var) -> Formula {
        let [a, b, x, y] = ["_i", "_j", "_x", "_y"].map(|name| self.local(name, &[l, r]));
        if [&plus.1, &plus.2].into_iter().all(|end| self.determines(&plus.0, end)) {
            // One edge at most, and no path needs it twice.
            let path = [view.reach(l, &a), ClosureView::at(plus, &a, &b), view.reach(&b, r)];
            return exists(&a, exists(&b, and(path)));
        }
        let leap = exists(&b, and([ClosureView::at(plus, &x, &b), view.reach(&b, &y)]));
        let leaps = Formula::Closure { start: a.clone(), end: r.clone(), left: x, right: y, body: Arc::new(leap) };
        exists(&a, and([view.reach(l, &a), leaps]))
    }
}
