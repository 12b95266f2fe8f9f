//! Formulas about states, in terms of the [predicates](crate::vocabulary::predicates). For example, "`x` is null" is
//! `¬∃v x(v)` and none of `uninit[x]`, `freed[x]` and `dead[x]`.

use crate::vocabulary::kinds::Kind;
use crate::vocabulary::predicates::{Edge, Held, Pointer, Predicates};
use crate::vocabulary::variables::{u, v, w};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{ProcId, StructId, VarId};
use trifold_logic::{Formula, PredicateId, Var};
use trifold_passes::links::LinkId;
use trifold_passes::targets::{Path, Target};

/// A nullary predicate; false if there is none, because cases that can occur have one.
pub(crate) fn flag(predicate: Option<PredicateId>) -> Formula {
    predicate.map_or(Formula::FALSE, |predicate| Formula::atom(predicate, []))
}

/// A unary predicate, likewise.
pub(crate) fn mark(predicate: Option<PredicateId>, of: Var) -> Formula {
    predicate.map_or(Formula::FALSE, |predicate| Formula::atom(predicate, [of]))
}

impl Predicates {
    pub fn pointer(&self, x: VarId) -> &Pointer {
        &self.pointers[&x]
    }

    pub fn edge(&self, link: LinkId) -> &Edge {
        &self.edges[&link]
    }

    /// "`x` points to `at`, or into it."
    pub fn points(&self, x: VarId, at: Var) -> Formula {
        Formula::atom(self.pointer(x).points, [at])
    }

    /// "The link of `from` points to `to`, or into it."
    pub fn leads(&self, link: LinkId, from: Var, to: Var) -> Formula {
        Formula::atom(self.edge(link).leads, [from, to])
    }

    /// "`x` points into `at`, to a target that is chosen."
    pub fn points_to_target(&self, x: VarId, at: Var, chosen: &dyn Fn(&Target) -> bool) -> Formula {
        let pointer = self.pointer(x);
        let (picked, rest): (Vec<&Target>, Vec<&Target>) = pointer.targets.iter().partition(|target| chosen(target));
        if rest.is_empty() || picked.is_empty() {
            return if picked.is_empty() { Formula::FALSE } else { self.points(x, at) };
        }
        let targets = if pointer.at.is_empty() {
            let wholes: BTreeSet<StructId> = picked.iter().map(|target| target.whole).collect();
            Formula::or(wholes.into_iter().map(|whole| self.is_a(whole, at.clone())))
        } else {
            let paths: BTreeSet<&Path> = picked.iter().map(|target| &target.path).collect();
            Formula::or(paths.into_iter().map(|path| Formula::atom(pointer.at[path], [])))
        };
        Formula::and([self.points(x, at), targets])
    }

    /// "`x` points to a chosen target in a living object for which the claim holds", a claim about `v`.
    pub fn some(&self, x: VarId, chosen: &dyn Fn(&Target) -> bool, claim: Formula) -> Formula {
        Formula::exists([v()], Formula::and([self.points_to_target(x, v(), chosen), claim]))
    }

    /// "`x` has a value that is neither null nor a pointer to a living object."
    pub fn astray(&self, x: VarId) -> Formula {
        let pointer = self.pointer(x);
        Formula::or([flag(pointer.freed), flag(pointer.dead)])
    }

    /// "`x` is null."
    pub fn null(&self, x: VarId) -> Formula {
        let pointer = self.pointer(x);
        let points = Formula::exists([v()], self.points(x, v()));
        Formula::and([points, flag(pointer.uninit), self.astray(x)].map(Formula::negate))
    }

    /// "`at` is an object of the struct."
    pub fn is_a(&self, structure: StructId, at: Var) -> Formula {
        self.types.get(&structure).map_or(Formula::TRUE, |id| Formula::atom(*id, [at]))
    }

    /// "It is a variable of the last call of the recursive procedure", and "… of a call around that one"; if it has
    /// any.
    pub fn frames(&self, procedure: ProcId) -> Option<[PredicateId; 2]> {
        Some([*self.stack.get(&procedure)?, *self.outer.get(&procedure)?])
    }

    /// "`at` is on the heap."
    pub fn on_heap(&self, at: Var) -> Formula {
        let elsewhere = self.stack.values().chain(self.outer.values()).chain(&self.fixed);
        Formula::or(elsewhere.map(|p| Formula::atom(*p, [at.clone()]))).negate()
    }

    /// "`at` lives without a reference to it." On a local heap an object of the stack does not: those that the
    /// procedure cannot get to are none of its business.
    pub fn is_root(&self, at: Var) -> Formula {
        let stack = self.stack.values().filter(|_| self.sides.is_none());
        Formula::or(stack.chain(&self.fixed).map(|p| Formula::atom(*p, [at.clone()])))
    }

    /// "Some variable other than those in `except`, or a living object that needs no reference, leads to `at`", as far
    /// as the families know.
    pub fn reached(&self, at: Var, except: &[VarId]) -> Formula {
        let others = Formula::or([self.is_held_by_any(at.clone()), self.is_root(at.clone())]);
        Formula::or([self.reached_by_variables(at, except), others])
    }

    /// "Some variable other than those in `except` leads to `at` along a spine."
    fn reached_by_variables(&self, at: Var, except: &[VarId]) -> Formula {
        let from = |(_, pointer): (&[VarId], &Pointer)| {
            let along = pointer.reach.iter().map(|(_, r)| Formula::atom(*r, [at.clone()]));
            Formula::or(along.chain([Formula::atom(pointer.points, [at.clone()])]))
        };
        Formula::or(self.shared().filter(|(x, _)| !x.iter().any(|x| except.contains(x))).map(from))
    }

    /// "Some object leads to `at`, in a way that counts."
    fn is_held_by_any(&self, at: Var) -> Formula {
        let held = self.held.iter().chain(self.held_by.values());
        Formula::or(held.map(|held| self.is_held(held, at.clone())))
    }

    /// "Something that is no variable leads to `at`."
    fn is_held(&self, held: &Held, at: Var) -> Formula {
        let is_other = Formula::or(held.only.iter().map(|structure| self.is_a(*structure, at.clone())));
        let counts = if held.only.is_empty() { Formula::TRUE } else { is_other };
        Formula::and([Formula::atom(held.predicate, [at]), counts])
    }

    /// "Some variable leads to `v`", by definition and as far as the families know.
    pub fn reachable_from_variables(&self) -> Formula {
        let reached = Formula::or([self.reached_by_variables(v(), &[]), self.reachable_from(Formula::FALSE)]);
        Formula::or([self.held_below(&reached, &|_| Formula::TRUE), reached])
    }

    /// "`v` is reached from an anchor, and anchors lead only from objects that are reached", by the formula, which is
    /// about `v`. So it is reached, too, if a way goes on along anchors and spines. Both are among those for which the
    /// condition holds.
    pub fn held_below(&self, reached: &Formula, among: &dyn Fn(Var) -> Formula) -> Formula {
        let outside = Formula::and([among(u()), reached.substitute(&BTreeMap::from([(v(), u())])).negate()]);
        Formula::or(self.held.iter().chain(self.held_by.values()).filter_map(|held| {
            let Some(Kind::Via(_, link) | Kind::In(link)) = self.kinds.get(&held.predicate) else { return None };
            let others = Formula::exists([u(), w()], Formula::and([outside.clone(), Formula::atom(*link, [u(), w()])]));
            Some(Formula::and([among(v()), self.is_held(held, v()), others.negate()]))
        }))
    }

    /// "Some variable, or a living object that needs no reference, leads to `v`", by definition.
    pub fn reachable(&self) -> Formula {
        self.reachable_from(self.is_root(Var::new("s")))
    }

    /// "`v` is not garbage": it is reached, as far as the families know or by definition.
    ///
    /// That another object holds `v` does not count if `v` leads to garbage. The holder is garbage, too, then; for
    /// example, a lost window holds its first button, and only the button leads back to its window.
    pub fn kept(&self) -> Formula {
        let (start, end) = (v(), Var::new("lost"));
        let reached = Formula::or([self.reached_by_variables(v(), &[]), self.is_root(v()), self.reachable()]);
        let lost = Formula::or([self.reached(v(), &[]), self.reachable()]).negate();
        let lost = lost.substitute(&BTreeMap::from([(v(), end.clone())]));
        let leads = self.path(start, end.clone());
        let leads_to_lost = Formula::exists([end], Formula::and([lost, leads]));
        Formula::or([reached, Formula::and([self.is_held_by_any(v()), leads_to_lost.negate()])])
    }

    /// "Some variable, or something of which the formula about `s` holds, leads to `v`", by definition.
    fn reachable_from(&self, others: Formula) -> Formula {
        let [start, end] = [Var::new("s"), v()];
        let path = self.path(start.clone(), end.clone());
        let held = self.shared().map(|(_, pointer)| Formula::atom(pointer.points, [start.clone()]));
        let roots = Formula::or(held.chain([others]));
        Formula::exists([start.clone()], Formula::and([roots, Formula::or([Formula::equal(start, end), path])]))
    }

    /// "A link or several lead from `start` to `end`."
    fn path(&self, start: Var, end: Var) -> Formula {
        let steps = self.edges.values().map(|edge| Formula::atom(edge.leads, [w(), u()]));
        Formula::Closure { start, end, left: w(), right: u(), body: Formula::or(steps).into() }
    }

    /// For each path that the value of `x` can have: "`x` points to something at that path."
    pub fn paths(&self, x: VarId) -> BTreeMap<Path, Formula> {
        let pointer = self.pointer(x);
        let paths: BTreeSet<&Path> = pointer.targets.iter().map(|target| &target.path).collect();
        let formula = |path: &Path| match pointer.at.get(path) {
            Some(at) => Formula::atom(*at, []),
            None => self.some(x, &|target| target.path == *path, Formula::TRUE),
        };
        paths.into_iter().map(|path| (path.clone(), formula(path))).collect()
    }
}
