//! Differencing of reachability from a set of individuals, `∃w σ(w) ∧ e*(w,v)`, and of being on a cycle, `e⁺(v,v)`.
//!
//! The general rules would compute the closure `e*` afresh, which is mostly 1/2. When the action cuts the edges out of
//! `D` and adds those from `A` to `B` (see [`EdgeChange`]), the new values follow from stored ones [LevAmi00 Fig. 11].
//! Write `R[σ]` for reachability from `σ`, and `c` for being on a cycle.
//!
//! - `σ` changes: `R[σ']`, recognised as a stored predicate. From the successors of `y` along `g`: `∃u y(u) ∧ q(u,v)`
//!   if `q(u,v) = ∃w g(u,w) ∧ e*(w,v)` is stored. From the successor of `y`: `R[y](v) ∧ (¬y(v) ∨ c(v))` if `y` is
//!   unique. From the successors along another relation `g`, if `R[∃u g(u,·)]` is stored: the successors of one `u`
//!   reach all of it if no other individual has successors; without the successors of some `u`, the part that these
//!   reached is lost, unless it is shared.
//! - Cut `D`, unique: `R[σ] ∧ ¬(R⁺[D] ∧ ∃a D(a) ∧ R[σ](a))`, because an individual that paths reach only through `D` is
//!   lost. On a cycle that is cut, and if paths are not unique, there may be another path, which is looked for; it is
//!   there if `σ` enters the cycle right after the cut. If `e` is a union and only the edges of a part `f` are cut,
//!   `R⁺[D]` is reachability from their targets. If no individual beyond the cut is [shared](super::sharing) or in `σ`,
//!   there is no other path.
//! - Add `A × B`: `R[σ] ∨ R[B] ∧ ∃a A(a) ∧ R[σ](a)`.
//! - `c`, cut `D`: `c ∧ ¬(R[D] ∧ ∃a D(a) ∧ c(a))`.
//! - `c`, add `A × B`: `c ∨ R[B](v) ∧ ∃a A(a) ∧ e*(v,a)`. If `e` is a function, `B` unique and `a` the end of its path,
//!   everything that leads from `B` to `a` is on the cycle: `e*(v,a)` is `R[B](a)`.
//!
//! For example, `x->n = NULL` on acyclic lists cuts `D = x`. Reachability from `y` becomes
//! `r[n,y](v) ∧ ¬(r[n,x](v) ∧ ¬x(v) ∧ ∃a x(a) ∧ r[n,y](a))`: if `y` reaches `x`, it loses all that comes after `x`.
//!
//! # Soundness
//! The rules are equivalences on every store that obeys the declarations of `e` and of the predicates in `σ`, `D` and
//! `B`. Only declarations that hold before the action are used: no rule relies on its keeping a function a function.

use super::Differencer;
use super::shape::{Cut, EdgeChange, Set, has_quantifier};
use crate::definitions::canonical::same;
use crate::simplify::{and, exists, or};
use crate::{Formula, PredicateId, Properties, Var};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A step relation, closed but for its two variables.
pub struct Relation {
    step: Formula,
    left: Var,
    right: Var,
}

impl Relation {
    /// The step, as a formula about the two variables.
    pub fn step(&self) -> &Formula {
        &self.step
    }

    /// `e(l,r)`.
    fn at(&self, l: &Var, r: &Var) -> Formula {
        self.step.substitute(&BTreeMap::from([(self.left.clone(), l.clone()), (self.right.clone(), r.clone())]))
    }

    /// `e⁺(l,r)`.
    fn path(&self, l: &Var, r: &Var) -> Formula {
        Formula::Closure {
            start: l.clone(),
            end: r.clone(),
            left: self.left.clone(),
            right: self.right.clone(),
            body: Arc::new(self.step.clone()),
        }
    }

    /// `e*(l,r)`.
    fn star(&self, l: &Var, r: &Var) -> Formula {
        or([Formula::equal(l.clone(), r.clone()), self.path(l, r)])
    }
}

/// A definition that has rules here.
enum Definition {
    Reach(Set, Relation),
    Cycle(Relation),
}

/// The relation `e`, if the formula is `e⁺(l,r)`.
fn path_of(formula: &Formula, l: &Var, r: &Var) -> Option<Relation> {
    match formula {
        Formula::Closure { start, end, left, right, body }
            if (start, end) == (l, r) && body.free_vars().iter().all(|w| w == left || w == right) =>
        {
            Some(Relation { step: body.as_ref().clone(), left: left.clone(), right: right.clone() })
        }
        _ => None,
    }
}

/// The relation `e`, if the formula is `e*(l,r)`.
pub fn star_of(formula: &Formula, l: &Var, r: &Var) -> Option<Relation> {
    let Formula::Or(cases) = formula else { return None };
    match &cases[..] {
        [Formula::Equal(a, b), closure] if (a, b) == (l, r) || (b, a) == (l, r) => path_of(closure, l, r),
        _ => None,
    }
}

fn read_definition(formula: &Formula, v: &Var) -> Option<Definition> {
    let Formula::Exists(w, body) = formula else { return path_of(formula, v, v).map(Definition::Cycle) };
    let Formula::And(parts) = body.as_ref() else { return None };
    let (place, relation) = parts.iter().enumerate().find_map(|(i, part)| Some((i, star_of(part, w, v)?)))?;
    let source = and(parts.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, part)| part.clone()));
    let source = Set { member: w.clone(), formula: source };
    source.formula.free_vars().iter().all(|u| u == w).then_some(Definition::Reach(source, relation))
}

impl Differencer<'_> {
    /// The new value of a predicate that is defined by reachability from a set, or by being on a cycle.
    pub(super) fn derive_reach(&self, q: PredicateId, parameters: &[Var], formula: &Formula) -> Option<Formula> {
        let [v] = parameters else { return None };
        let definition = read_definition(formula, v)?;
        let (Definition::Reach(_, relation) | Definition::Cycle(relation)) = &definition;
        let change = self.relation_change(relation)?;
        let rules = Rules::new(self, relation, change);
        match &definition {
            Definition::Cycle(_) => Some(rules.cycle(v)),
            Definition::Reach(source, _) => {
                let new_source = self.set_after(source)?;
                if same(&source.formula, &new_source.formula) {
                    return Some(rules.reach(&new_source, &|v| Formula::atom(q, [v.clone()]), v));
                }
                rules.known_reach(&new_source, v)?;
                Some(rules.reach(&new_source, &|v| rules.old_reach(&new_source, v), v))
            }
        }
    }

    /// The change, if there are rules for it: a set that is cut must have one member, or contain everything.
    pub(super) fn relation_change(&self, relation: &Relation) -> Option<EdgeChange> {
        let change = match &relation.step {
            Formula::Atom(p, arguments) if **arguments == [relation.left.clone(), relation.right.clone()] => {
                self.edge_change(*p)?
            }
            // Individuals that go would be noticed by quantifiers.
            _ if self.effect.retains.is_some() => return None,
            step if self.delta(step, None) == (Formula::FALSE, Formula::FALSE) => EdgeChange::default(),
            _ => return None,
        };
        let has_rules = |cut: &Cut| cut.from.formula == Formula::TRUE || self.is_unique(&cut.from);
        change.cut.as_ref().is_none_or(has_rules).then_some(change)
    }

    /// The set after the action, as a formula about the structure before. Its members that go do not matter: their
    /// edges are cut.
    fn set_after(&self, set: &Set) -> Option<Set> {
        let formula = match &set.formula {
            formula if self.effect.retains.is_none() || !has_quantifier(formula) => self.inlined(formula),
            // Quantifiers must not range over individuals that go.
            Formula::Exists(u, body) if !has_quantifier(body) => {
                let stays = self.going(std::slice::from_ref(u)).unwrap_or(Formula::FALSE).negate();
                exists(u, and([self.inlined(body), stays]))
            }
            _ => return None,
        };
        Some(Set { member: set.member.clone(), formula })
    }
}

/// The condition under which the change of an acyclic relation that is a predicate closes a cycle, if there are rules
/// for it, with the sets of the sources and the targets of the added edges.
pub fn closes_cycle(differencer: &Differencer, p: PredicateId) -> Option<(Formula, Set, Set)> {
    let [left, right] = ["_l", "_r"].map(|name| differencer.local(name, &[]));
    let relation = Relation { step: Formula::atom(p, [left.clone(), right.clone()]), left, right };
    let rules = Rules::new(differencer, &relation, differencer.relation_change(&relation)?);
    let (from, to) = rules.change.added.clone()?;
    let closes = from.some(&differencer.local("_c", &[]), |a| rules.reach_over_kept(&to, a));
    Some((closes, from, to))
}

/// The rules for one relation and one change of it.
pub struct Rules<'a> {
    differencer: &'a Differencer<'a>,
    relation: &'a Relation,
    pub change: EdgeChange,
    properties: Properties,
}

/// A property of an individual.
type Claim<'a> = &'a dyn Fn(&Var) -> Formula;

impl<'a> Rules<'a> {
    pub(super) fn new(differencer: &'a Differencer<'a>, relation: &'a Relation, change: EdgeChange) -> Rules<'a> {
        Rules { differencer, relation, change, properties: differencer.step_properties(&relation.step) }
    }

    /// `R[σ](v)` after the action; `old` is `R[σ]` over the edges before.
    fn reach(&self, source: &Set, old: Claim, v: &Var) -> Formula {
        let kept = |v: &Var| self.reach_after_cut(source, old, v);
        let Some((from, to)) = &self.change.added else { return kept(v) };
        let bridge = from.some(&self.local("_a", &[v]), kept);
        or([kept(v), and([self.reach_over_kept(to, v), bridge])])
    }

    /// `R[σ](v)` over the edges that are not cut, for a set that keeps its members.
    pub fn reach_over_kept(&self, source: &Set, v: &Var) -> Formula {
        self.reach_after_cut(source, &|v| self.old_reach(source, v), v)
    }

    fn reach_after_cut(&self, source: &Set, old: Claim, v: &Var) -> Formula {
        let Some(cut) = &self.change.cut else { return old(v) };
        let Cut { from, part } = cut;
        if part.is_none() && (from.formula == Formula::TRUE || same(&from.at(v), &source.at(v))) {
            return source.at(v);
        }
        let [a, w] = ["_a", "_w"].map(|name| self.local(name, &[v]));
        let through = from.some(&a, old);
        let path = source.some(&w, |w| self.kept_path(w, v));
        let survives = or([source.at(v), path]);
        let Properties { function, invfunction, acyclic, .. } = self.properties;
        if part.is_none() && self.differencer.is_unique(source) && (function || acyclic && invfunction) {
            let reached = self.old_reach(from, v);
            let lost = and([reached.clone(), from.at(v).negate(), through]);
            let otherwise = and([old(v), lost.negate()]);
            let survives = or([self.enters_behind(from, source, v), survives]);
            return Formula::if_then_else(and([self.on_cycle(v), reached]), survives, otherwise);
        }
        let lost = and([self.behind(cut, v), through]);
        let other_way = self.other_way(&self.parts(), &|z| self.behind(cut, z), &|z| source.at(z), v);
        and([old(v), or([lost.negate(), and([other_way, survives])])])
    }

    /// The predicates whose union the relation is.
    pub fn parts(&self) -> BTreeSet<PredicateId> {
        self.differencer.parts_of(&self.relation.step)
    }

    /// "The way to `v` goes over an edge that is cut, or did before."
    pub fn behind(&self, cut: &Cut, v: &Var) -> Formula {
        let Some(part) = cut.part else {
            return and([self.old_reach(&cut.from, v), or([cut.from.at(v).negate(), self.on_cycle(v)])]);
        };
        let [a, b] = ["_a", "_b"].map(|name| self.local(name, &[v]));
        let targets = cut.from.some(&a, |a| Formula::atom(part, [a.clone(), b.clone()]));
        self.old_reach(&Set { member: b, formula: targets }, v)
    }

    /// "Some individual beyond the edges that go is shared, or is a source." Otherwise no other path leads there. The
    /// value is 1 if sharing is not stored.
    pub fn other_way(&self, relations: &BTreeSet<PredicateId>, behind: Claim, source: Claim, v: &Var) -> Formula {
        let z = self.local("_z", &[v]);
        match self.differencer.shared(relations, &z) {
            Some(shared) => exists(&z, and([behind(&z), or([shared, source(&z)])])),
            None => Formula::TRUE,
        }
    }

    /// `e⁺(l,r)` over the edges that are not cut.
    pub fn kept_path(&self, l: &Var, r: &Var) -> Formula {
        let Relation { step, left, right } = self.relation;
        let body = match &self.change.cut {
            None => step.clone(),
            Some(Cut { from, part: None }) => and([step.clone(), from.at(left).negate()]),
            Some(Cut { from, part: Some(part) }) => or(self.parts().into_iter().map(|p| {
                let edge = Formula::atom(p, [left.clone(), right.clone()]);
                if p == *part { and([edge, from.at(left).negate()]) } else { edge }
            })),
        };
        let (start, end, left, right) = (l.clone(), r.clone(), left.clone(), right.clone());
        Formula::Closure { start, end, left, right, body: Arc::new(body) }
    }

    /// "The successor of the cut individual is in the set, or is the successor of a member that is not cut itself."
    ///
    /// If so, everything on the cycle that the cut individual leads to is still reached, because the cut, if it is on
    /// the cycle at all, comes last. That is a special case of a path that avoids the cut, but one that needs no
    /// closure.
    fn enters_behind(&self, cut: &Set, source: &Set, v: &Var) -> Formula {
        let [a, b, w] = ["_a", "_b", "_w"].map(|name| self.local(name, &[v]));
        let steps = and([source.at(&w), cut.at(&w).negate(), self.relation.at(&w, &b)]);
        let entered = or([source.at(&b), exists(&w, steps)]);
        cut.some(&a, |a| exists(&b, and([self.relation.at(a, &b), entered])))
    }

    /// `c(v)` after the action.
    fn cycle(&self, v: &Var) -> Formula {
        let kept = match &self.change.cut {
            None => self.on_cycle(v),
            Some(Cut { from, part: None }) if from.formula == Formula::TRUE => Formula::FALSE,
            Some(cut) => {
                let broken = cut.from.some(&self.local("_a", &[v]), |a| self.on_cycle(a));
                let broken = and([self.behind(cut, v), broken]);
                // Cycles of functions have no edge in common. Those of other relations meet in shared individuals.
                let apart = self.properties.function || self.properties.invfunction;
                let other_way = || self.other_way(&self.parts(), &|z| self.behind(cut, z), &|_| Formula::FALSE, v);
                let other = if apart { Formula::FALSE } else { and([other_way(), self.kept_path(v, v)]) };
                and([self.on_cycle(v), or([broken.negate(), other])])
            }
        };
        let Some((from, to)) = &self.change.added else { return kept };
        let leads_back = |a: &Var| and([self.reach_over_kept(to, a), self.leads_to(v, a)]);
        let closes = from.some(&self.local("_a", &[v]), leads_back);
        or([kept, and([self.reach_over_kept(to, v), closes])])
    }

    /// `e*(v,a)` over the edges that are not cut, where `v` is reached from the targets of the added edges, and they
    /// start in `a`.
    fn leads_to(&self, v: &Var, a: &Var) -> Formula {
        let Some((from, to)) = &self.change.added else { unreachable!("only added edges close cycles") };
        let cut = self.change.cut.as_ref();
        let computed = or([Formula::equal(v.clone(), a.clone()), self.kept_path(v, a)]);
        if !(self.properties.function && self.differencer.is_unique(to)) {
            return computed;
        }
        let loses_its_edge = cut.is_some_and(|cut| same(&cut.from.at(a), &from.at(a)));
        let goes_on = if loses_its_edge {
            Formula::FALSE
        } else {
            let kept = cut.map_or(Formula::TRUE, |cut| cut.from.at(a).negate());
            let u = self.local("_u", &[v, a]);
            and([kept, exists(&u, self.relation.at(a, &u))])
        };
        Formula::if_then_else(goes_on, computed, self.reach_over_kept(to, a))
    }

    /// `c(v)` before the action.
    fn on_cycle(&self, v: &Var) -> Formula {
        if self.properties.acyclic {
            return Formula::FALSE;
        }
        let cycle = self.relation.path(v, v);
        self.differencer.stored(&cycle, std::slice::from_ref(v)).unwrap_or(cycle)
    }

    /// `R[σ](v)` over the edges before the action.
    pub fn old_reach(&self, source: &Set, v: &Var) -> Formula {
        self.known_reach(source, v).unwrap_or_else(|| self.reach_along(source, v, &|w| self.old_star(w, v)))
    }

    /// `e*(w,v)` over the edges before the action.
    fn old_star(&self, w: &Var, v: &Var) -> Formula {
        let star = self.relation.star(w, v);
        self.differencer.stored(&star, &[w.clone(), v.clone()]).unwrap_or(star)
    }

    /// `R[σ](v)` over the edges before the action, where `σ` is not stored: the individuals that a member reaches are
    /// known if a pointer with stored reachability leads there too.
    fn computed_reach(&self, source: &Set, v: &Var) -> Formula {
        let [w, z] = ["_w", "_z"].map(|name| self.local(name, &[v]));
        if matches!(self.old_star(&w, v), Formula::Atom(..)) {
            return self.reach_along(source, v, &|w| self.old_star(w, v));
        }
        let unary = self.differencer.effect.vocabulary.iter().filter(|(_, p)| p.arity == 1 && p.properties.unique);
        let known = unary.filter_map(|(p, _)| {
            let pointer = Set { member: z.clone(), formula: Formula::atom(p, [z.clone()]) };
            Some((p, self.stored_reach(&pointer, v)?))
        });
        let known: Vec<(PredicateId, Formula)> = known.collect();
        self.reach_along(source, v, &|w| {
            let points = |p: PredicateId| Formula::atom(p, [w.clone()]);
            let elsewhere = known.iter().map(|(p, _)| points(*p).negate());
            let computed = and(elsewhere.chain([self.old_star(w, v)]));
            or(known.iter().map(|(p, reached)| and([points(*p), reached.clone()])).chain([computed]))
        })
    }

    fn reach_along(&self, source: &Set, v: &Var, star: Claim) -> Formula {
        source.some(&self.local("_w", &[v]), star)
    }

    /// The same, if a predicate stores it. Its definition may speak of the closure, or of a predicate that stores that.
    fn stored_reach(&self, source: &Set, v: &Var) -> Option<Formula> {
        let stars: [Claim; 2] = [&|w| self.relation.star(w, v), &|w| self.old_star(w, v)];
        let stored = |star| self.differencer.stored(&self.reach_along(source, v, star), std::slice::from_ref(v));
        stars.into_iter().find_map(stored)
    }

    /// The same, if it follows from stored values.
    fn known_reach(&self, source: &Set, v: &Var) -> Option<Formula> {
        let part = |formula: &Formula| Set { member: source.member.clone(), formula: formula.clone() };
        if source.formula == Formula::FALSE {
            return Some(Formula::FALSE);
        }
        if let Some(stored) = self.stored_reach(source, v) {
            return Some(stored);
        }
        let closed = |formula: &Formula| !formula.free_vars().contains(&source.member);
        match &source.formula {
            // Individuals that were just created have no edges.
            Formula::Atom(PredicateId::IS_NEW, _) => Some(source.at(v)),
            Formula::Or(cases) => {
                let cases: Option<Vec<Formula>> = cases.iter().map(|case| self.known_reach(&part(case), v)).collect();
                cases.map(or)
            }
            Formula::If(parts) if closed(&parts[0]) => {
                let [c, a, b] = parts.as_ref();
                let (a, b) = (self.known_reach(&part(a), v)?, self.known_reach(&part(b), v)?);
                Some(Formula::if_then_else(c.clone(), a, b))
            }
            Formula::And(parts) if parts.iter().any(closed) => {
                let (conditions, rest): (Vec<_>, Vec<_>) = parts.iter().cloned().partition(closed);
                let reached = self.known_reach(&part(&and(rest)), v)?;
                Some(and([and(conditions), reached]))
            }
            Formula::Exists(u, body) if matches!(body.as_ref(), Formula::If(_)) => {
                let Formula::If(parts) = body.as_ref() else { return None };
                let [c, a, b] = parts.as_ref().clone();
                let cases = [and([c.clone(), a]), and([c.negate(), b])];
                self.known_reach(&part(&or(cases.map(|case| exists(u, case)))), v)
            }
            Formula::Exists(u, body) => {
                let (step, origin) = self.step_from(u, body, &source.member)?;
                if !step.free_vars().contains(u) {
                    return self.known_reach(&part(&and([exists(u, origin.formula), step])), v);
                }
                self.reach_over_first_edge(&step, &origin, source, v)
                    .or_else(|| self.reach_from_targets(&step, &origin, source, v))
                    .or_else(|| self.reach_from_successor(&step, &origin, source, v))
            }
            _ => None,
        }
    }

    /// The part of `s(u) ∧ g(u,w)` that is about `w`, and the set `s`.
    fn step_from(&self, u: &Var, body: &Formula, w: &Var) -> Option<(Formula, Set)> {
        let Formula::And(parts) = body else { return None };
        let (mut steps, rest): (Vec<_>, Vec<_>) = parts.iter().cloned().partition(|part| part.free_vars().contains(w));
        let step = steps.pop().filter(|_| steps.is_empty())?;
        Some((step, Set { member: u.clone(), formula: and(rest) }))
    }

    /// `R[σ](v)` where `σ(w)` is `∃u s(u) ∧ g(u,w)`, if `∃w g(u,w) ∧ e*(w,v)` is stored.
    fn reach_over_first_edge(&self, step: &Formula, origin: &Set, source: &Set, v: &Var) -> Option<Formula> {
        let (u, w) = (&origin.member, &source.member);
        let stored = |star| self.differencer.stored(&exists(w, and([step.clone(), star])), &[u.clone(), v.clone()]);
        let reached = [self.relation.star(w, v), self.old_star(w, v)].into_iter().find_map(stored)?;
        Some(exists(u, and([origin.formula.clone(), reached])))
    }

    /// `R[σ](v)` where `σ(w)` is `∃u s(u) ∧ g(u,w)`, if reachability from all targets of `g` is stored.
    ///
    /// If `s` is a set of one, its target reaches all of it if no other individual has a target. If `s` is not, it is
    /// thought of as the rest of all sources: the individuals that the others led to are lost, unless they are shared.
    fn reach_from_targets(&self, step: &Formula, origin: &Set, source: &Set, v: &Var) -> Option<Formula> {
        let (u, w) = (&origin.member, &source.member);
        let Formula::Atom(g, arguments) = step else { return None };
        if **arguments != [u.clone(), w.clone()] || g.is_after() {
            return None;
        }
        let all = Set { member: w.clone(), formula: exists(u, step.clone()) };
        let all = self.stored_reach(&all, v)?;
        let [y, z] = ["_y", "_z"].map(|name| self.local(name, &[v]));
        let others = |w: &Var| {
            let edge = Formula::atom(*g, [y.clone(), w.clone()]);
            exists(&y, and([origin.at(&y).negate(), edge]))
        };
        let computed = self.computed_reach(source, v);
        if self.differencer.is_unique(origin) {
            let only_these = and([exists(w, source.formula.clone()), exists(&z, others(&z)).negate()]);
            return Some(and([all, or([only_these, computed])]));
        }
        let [b, w] = ["_b", "_w"].map(|name| self.local(name, &[v]));
        let gone = Set { member: b.clone(), formula: others(&b) };
        let behind = |v: &Var| gone.some(&w, |w| self.old_star(w, v));
        let relations = self.parts().into_iter().chain([*g]).collect();
        let other_way = self.other_way(&relations, &behind, &|_| Formula::FALSE, v);
        Some(and([all, or([behind(v).negate(), and([other_way, computed])])]))
    }

    /// `R[σ](v)` where `σ(w)` is `∃u s(u) ∧ g(u,w)`: the successors of `s`, a set of one, along `g`.
    ///
    /// If `g` is the relation itself, they reach the same individuals as `s`, and `s` only if it is on a cycle. If `g`
    /// is a part of it, that holds if `s` has no other successors. If `g` is another relation and the relation, a
    /// function, leads back, they reach themselves and the individuals that `s` reaches.
    fn reach_from_successor(&self, step: &Formula, origin: &Set, source: &Set, v: &Var) -> Option<Formula> {
        let (u, w) = (&origin.member, &source.member);
        if !self.differencer.is_unique(origin) {
            return None;
        }
        let reached = self.known_reach(origin, v)?;
        let behind = and([reached.clone(), or([origin.at(v).negate(), self.on_cycle(v)])]);
        if same(step, &self.relation.at(u, w)) {
            return Some(behind);
        }
        if let Formula::Atom(g, arguments) = step
            && **arguments == [u.clone(), w.clone()]
            && self.parts().contains(g)
        {
            let [a, b] = ["_a", "_b"].map(|name| self.local(name, &[v]));
            let another = |p: PredicateId| Formula::atom(p, [a.clone(), b.clone()]);
            let others = or(self.parts().into_iter().filter(|p| p != g).map(another));
            let goes_elsewhere = origin.some(&a, |_| exists(&b, others));
            let computed = self.computed_reach(source, v);
            let only_these = and([exists(w, source.formula.clone()), goes_elsewhere.negate()]);
            return Some(and([behind, or([only_these, computed])]));
        }
        if !self.properties.function {
            return None;
        }
        let [a, b] = ["_a", "_b"].map(|name| self.local(name, &[v]));
        let back = or([Formula::equal(b.clone(), v.clone()), reached]);
        let step = step.substitute(&BTreeMap::from([(u.clone(), a.clone()), (w.clone(), b.clone())]));
        let leads_back = self.relation.at(&b, &a);
        let returns = origin.some(&a, |_| exists(&b, and([step.clone(), leads_back.clone(), back])));
        let others = origin.some(&a, |_| and([step, leads_back.negate()]));
        Some(or([returns, self.computed_reach(&Set { member: b, formula: others }, v)]))
    }

    pub fn local(&self, name: &str, avoid: &[&Var]) -> Var {
        self.differencer.local(name, avoid)
    }
}
