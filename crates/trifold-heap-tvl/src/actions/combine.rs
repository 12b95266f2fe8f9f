//! The memory with which a caller goes on when a call on a [local heap](super::extract) returns [RinetzkySY05 Fig. 5,
//! 9, 14].
//!
//! The caller's objects and those that the callee leaves are side by side. The objects that the callee was given go;
//! pointers there are redirected to the new objects of the arguments. For example, if the caller has `y->n` pointing to
//! the list of `x`, and `x = reverse(x)` returns, `y->n` points to the object that was the first one, now the last.
//!
//! Of the formulas of the paper, `match(s, v)` is [`Return::matches`], `bypass` needs no closure: an irrelevant object
//! is not reached through a relevant one, so a way to an argument that bypasses the arguments is a way among irrelevant
//! objects and one step.

use super::argument::{Argument, s};
use crate::actions::values::update;
use crate::vocabulary::kinds::Kind;
use crate::vocabulary::predicates::Predicates;
use crate::vocabulary::variables::{u, v, w};
use std::collections::BTreeMap;
use trifold_ir::{ProcId, Scope, VarId};
use trifold_logic::{Formula, Kleene, PredicateId, Var};
use trifold_passes::data_effects::DataEffects;
use trifold_tvl::{Action, Retain};

/// The call that returns.
pub(super) struct Return<'a> {
    pub predicates: &'a Predicates,
    pub callee: ProcId,
    pub arguments: &'a [Argument],
    pub sides: [PredicateId; 2],
    /// "`v` is the caller's, and relevant."
    pub relevant: Formula,
    /// The effects of the callee on data.
    pub effects: &'a DataEffects,
    /// The caller's variables whose numbers it was given, with those of its own that keep them.
    pub numbers: BTreeMap<VarId, VarId>,
}

impl Return<'_> {
    fn callers(&self, at: Var) -> Formula {
        Formula::atom(self.sides[0], [at])
    }

    /// "It comes from the callee."
    fn inside(&self, at: Var) -> Formula {
        Formula::atom(self.sides[1], [at])
    }

    /// "The callee has not seen it."
    fn outside(&self, at: Var) -> Formula {
        let relevant = self.relevant.substitute(&BTreeMap::from([(v(), at.clone())]));
        Formula::and([self.callers(at), relevant.negate()])
    }

    /// For each argument: "`v` was `s`, for which the claim holds." The claim is about `s`.
    fn matches(&self, claim: &Formula) -> Formula {
        Formula::or(self.arguments.iter().map(|(x, kept, _)| {
            let passed = Formula::and([self.callers(s()), self.predicates.points(*x, s()), claim.clone()]);
            Formula::and([self.inside(v()), self.predicates.points(*kept, v()), Formula::exists([s()], passed)])
        }))
    }

    /// For each argument: "`v` is reached from the object that was `s`, for which the claim holds, along the relation."
    fn reaches(&self, step: PredicateId, claim: &Formula) -> Formula {
        Formula::or(self.arguments.iter().map(|(x, kept, _)| {
            let passed = Formula::and([self.callers(s()), self.predicates.points(*x, s()), claim.clone()]);
            let reach = self.predicates.pointer(*kept).reach.iter().find(|(along, _)| *along == step);
            let reached = match reach {
                Some((_, reach)) => Formula::atom(*reach, [v()]),
                None => self.predicates.points(*kept, v()),
            };
            Formula::and([self.inside(v()), reached, Formula::exists([s()], passed)])
        }))
    }

    /// The action that puts the objects that the callee leaves in the place of those that it was given.
    pub fn action(&self, caller: ProcId, scope: &dyn Fn(VarId) -> Scope, title: &str) -> Action {
        let mut action = Action { title: format!("{title} returns"), combines: true, ..Action::default() };
        let mut reach = BTreeMap::new();
        for (variables, pointer) in self.predicates.shared() {
            let sides = variables.iter().map(|x| side(caller, scope(*x)));
            let side = sides.reduce(|known, next| if known == Side::Neither { next } else { known });
            let side = side.unwrap_or(Side::Neither);
            let points = self.variable(pointer.points, side);
            // A pointer that points nowhere any more points to no part.
            let somewhere = Formula::exists([v()], points.clone());
            update(&mut action, pointer.points, &[v()], points);
            for at in pointer.at.values() {
                update(&mut action, *at, &[], Formula::and([Formula::atom(*at, []), somewhere.clone()]));
            }
            reach.extend(pointer.reach.iter().map(|(step, r)| (*r, (pointer.points, *step, side))));
        }
        for edge in self.predicates.edges.values() {
            let leads = self.link(edge.leads);
            let somewhere = Formula::exists([w()], leads.clone());
            update(&mut action, edge.leads, &[v(), w()], leads);
            for at in edge.at.values() {
                update(&mut action, *at, &[v()], Formula::and([Formula::atom(*at, [v()]), somewhere.clone()]));
            }
        }
        if !self.predicates.gone.is_empty() {
            self.free(&mut action, caller, scope);
        }
        let defined = self.predicates.vocabulary.iter().filter(|(_, predicate)| predicate.definition.is_some());
        let is_equality = |id: PredicateId| self.predicates.orders.iter().any(|o| o.equal.values().any(|p| *p == id));
        for (id, predicate) in defined.filter(|(id, _)| !is_equality(*id)) {
            let formula = match (self.predicates.kinds.get(&id), reach.get(&id)) {
                (_, Some((points, step, side))) => self.reached_from(id, *points, *step, *side),
                (Some(kind), _) => self.defined(id, kind),
                (None, None) => Formula::Value(Kleene::Unknown),
            };
            let parameters = [v(), w()];
            update(&mut action, id, &parameters[..predicate.arity], formula);
        }
        self.orders(&mut action, &|variable| side(caller, scope(variable)));
        if let Some([stack, outer]) = self.predicates.frames(self.callee) {
            self.frames(&mut action, stack, outer);
        }
        for side in self.sides {
            update(&mut action, side, &[v()], Formula::FALSE);
        }
        let formula = Formula::or([self.inside(v()), self.outside(v())]);
        action.retain = Some(Retain { variable: v(), formula });
        action
    }

    /// If the callee was given variables of the last call of it around this one, then all that come from calls around
    /// this one are.
    fn frames(&self, action: &mut Action, stack: PredicateId, outer: PredicateId) {
        let given = Formula::and([self.relevant.clone(), Formula::atom(stack, [v()])]);
        let given = Formula::exists([v()], given);
        let around = Formula::and([self.inside(v()), Formula::atom(outer, [v()])]);
        let own = |p: PredicateId| Formula::and([self.callers(v()), Formula::atom(p, [v()])]);
        update(action, stack, &[v()], Formula::or([own(stack), Formula::and([around.clone(), given.clone()])]));
        update(action, outer, &[v()], Formula::or([own(outer), Formula::and([around, given.negate()])]));
    }

    /// "`s` was given to the callee, which has freed it."
    fn gone(&self) -> Formula {
        Formula::or(self.arguments.iter().filter_map(|(x, kept, number)| {
            self.predicates.pointer(*kept).freed?;
            let gone = Formula::atom(*self.predicates.gone.get(*number)?, []);
            Some(Formula::and([gone, self.callers(s()), self.predicates.points(*x, s())]))
        }))
    }

    /// Pointers to objects that the callee has freed point nowhere.
    fn free(&self, action: &mut Action, caller: ProcId, scope: &dyn Fn(VarId) -> Scope) {
        for (x, pointer) in &self.predicates.pointers {
            if !matches!(scope(*x), Scope::Parameter(owner) | Scope::Local(owner) if owner == caller) {
                continue;
            }
            let lost = Formula::and([Formula::atom(pointer.points, [s()]), self.gone()]);
            let lost = Formula::exists([s()], lost);
            if let Some(freed) = pointer.freed {
                update(action, freed, &[], Formula::or([Formula::atom(freed, []), lost]));
            }
        }
        for edge in self.predicates.edges.values() {
            let lost = Formula::and([Formula::atom(edge.leads, [v(), s()]), self.gone()]);
            let lost = Formula::and([self.outside(v()), Formula::exists([s()], lost)]);
            if let Some(freed) = edge.freed {
                update(action, freed, &[v()], Formula::or([Formula::atom(freed, [v()]), lost]));
            }
        }
        for gone in &self.predicates.gone {
            update(action, *gone, &[], Formula::FALSE);
        }
    }

    fn variable(&self, points: PredicateId, side: Side) -> Formula {
        let here = Formula::atom(points, [v()]);
        match side {
            Side::Neither => Formula::FALSE,
            Side::Callee => Formula::and([self.inside(v()), here]),
            Side::Caller => {
                let kept = Formula::and([self.outside(v()), here]);
                Formula::or([kept, self.matches(&Formula::atom(points, [s()]))])
            }
        }
    }

    /// A link, or a union of links.
    fn link(&self, leads: PredicateId) -> Formula {
        let both =
            |side: &dyn Fn(Var) -> Formula| Formula::and([side(v()), side(w()), Formula::atom(leads, [v(), w()])]);
        let into = self.matches(&Formula::atom(leads, [u(), s()]));
        let into = into.substitute(&BTreeMap::from([(v(), w()), (u(), v())]));
        let into = Formula::and([self.outside(v()), into]);
        Formula::or([both(&|at| self.inside(at)), both(&|at| self.outside(at)), into])
    }

    /// "`s` is where the variable points, or one step from an object that it reaches outside."
    fn reached_from(&self, reach: PredicateId, points: PredicateId, step: PredicateId, side: Side) -> Formula {
        let here = Formula::atom(reach, [v()]);
        match side {
            Side::Neither => Formula::FALSE,
            Side::Callee => Formula::and([self.inside(v()), here]),
            Side::Caller => {
                let before = Formula::atom(reach, [u()]);
                let claim = Formula::or([Formula::atom(points, [s()]), self.stepped(before, step)]);
                Formula::or([Formula::and([self.outside(v()), here]), self.reaches(step, &claim)])
            }
        }
    }

    /// "Something outside, `u`, for which the claim holds, leads to `s`."
    fn stepped(&self, claim: Formula, step: PredicateId) -> Formula {
        Formula::exists([u()], Formula::and([self.outside(u()), claim, Formula::atom(step, [u(), s()])]))
    }

    fn defined(&self, id: PredicateId, kind: &Kind) -> Formula {
        let here = || Formula::and([Formula::or([self.inside(v()), self.outside(v())]), Formula::atom(id, [v()])]);
        // Something that leads to an object that is gone has changed; how, depends on the predicate.
        let unless_gone = |value: Formula| match self.gone() {
            Formula::FALSE => value,
            gone => {
                let steps = self.predicates.edges.values().map(|edge| Formula::atom(edge.leads, [v(), s()]));
                let led = Formula::exists([s()], Formula::and([Formula::or(steps), gone]));
                let changed = Formula::and([self.outside(v()), led]);
                Formula::if_then_else(changed, Formula::Value(Kleene::Unknown), value)
            }
        };
        match kind {
            Kind::Forward => unless_gone(here()),
            // Global variables lead to all of static memory, so the callee has seen it.
            Kind::Rooted => here(),
            Kind::Union => self.link(id),
            Kind::In(link) => Formula::or([here(), self.matches(&self.stepped(Formula::TRUE, *link))]),
            Kind::Via(step, link) => {
                let first = self.stepped(Formula::TRUE, *link);
                let later = self.stepped(Formula::atom(id, [u()]), *step);
                Formula::or([here(), self.reaches(*step, &Formula::or([first, later]))])
            }
            Kind::Below(step) => {
                let both =
                    |side: &dyn Fn(Var) -> Formula| Formula::and([side(v()), side(w()), Formula::atom(id, [v(), w()])]);
                let from = Var::new("t");
                let into = self.reaches(*step, &self.stepped(Formula::atom(id, [from.clone(), u()]), *step));
                let into = into.substitute(&BTreeMap::from([(v(), w()), (from, v())]));
                let into = Formula::and([self.outside(v()), into]);
                Formula::or([both(&|at| self.inside(at)), both(&|at| self.outside(at)), into])
            }
            Kind::Under(link, step) => {
                let both =
                    |side: &dyn Fn(Var) -> Formula| Formula::and([side(v()), side(w()), Formula::atom(id, [v(), w()])]);
                let from = Var::new("t");
                let later = self.stepped(Formula::atom(id, [from.clone(), u()]), *step);
                let first = Formula::atom(*link, [from.clone(), s()]);
                let into = self.reaches(*step, &Formula::or([first, later]));
                let into = into.substitute(&BTreeMap::from([(v(), w()), (from, v())]));
                let into = Formula::and([self.outside(v()), into]);
                Formula::or([both(&|at| self.inside(at)), both(&|at| self.outside(at)), into])
            }
            Kind::Shared(into, links) => Formula::or([here(), self.newly_shared(*into, links)]),
            Kind::InOrder(step) if self.effects.changes_data() => {
                let relevant = self.relevant.substitute(&BTreeMap::from([(v(), s())]));
                let leads = Formula::exists([s()], Formula::and([Formula::atom(*step, [v(), s()]), relevant]));
                let enters = Formula::and([self.callers(v()), leads]);
                Formula::if_then_else(enters, Formula::Value(Kleene::Unknown), here())
            }
            Kind::InOrder(_) => unless_gone(here()),
            // The callee may have put anything there.
            Kind::Sorted(under) => {
                let relevant = self.relevant.substitute(&BTreeMap::from([(v(), s())]));
                let leads = Formula::exists([s()], Formula::and([Formula::atom(*under, [v(), s()]), relevant]));
                let enters = Formula::and([self.callers(v()), leads]);
                Formula::if_then_else(enters, Formula::Value(Kleene::Unknown), here())
            }
            Kind::Distinct(step) => {
                let relevant = self.relevant.substitute(&BTreeMap::from([(v(), s())]));
                let enters = Formula::and([self.outside(u()), Formula::atom(*step, [u(), s()]), relevant]);
                Formula::if_then_else(Formula::exists([u(), s()], enters), Formula::Value(Kleene::Unknown), here())
            }
        }
    }

    /// How objects and numbers compare [RinetzkySY05 Fig. 14]. A number that compares to the caller's objects compares
    /// to the new objects of the arguments; how it compares to other objects follows from that by the rules of the
    /// order.
    ///
    /// If the callee makes no objects and changes no data, it returns objects that it was given, so claims that hold of
    /// all relevant ones hold of these.
    fn orders(&self, action: &mut Action, side: &dyn Fn(VarId) -> Side) {
        for order in &self.predicates.orders {
            let both = |side: &dyn Fn(Var) -> Formula| {
                Formula::and([side(v()), side(w()), Formula::atom(order.dle, [v(), w()])])
            };
            let swap = BTreeMap::from([(v(), w()), (u(), v())]);
            let up = self.carried(&Formula::atom(order.dle, [u(), s()])).substitute(&swap);
            let down = self.carried(&Formula::atom(order.dle, [s(), w()]));
            let dle = Formula::or([
                both(&|at| self.inside(at)),
                both(&|at| self.outside(at)),
                Formula::and([self.outside(v()), self.inside(w()), up]),
                Formula::and([self.inside(v()), self.outside(w()), down]),
            ]);
            update(action, order.dle, &[v(), w()], dle);
            let unknown = || Formula::Value(Kleene::Unknown);
            for (x, predicates) in &order.variables {
                let kept = self.numbers.get(x).and_then(|parameter| order.variables.get(parameter));
                let tracked = if order.only_equal { &predicates[..1] } else { &predicates[..] };
                for (which, predicate) in tracked.iter().enumerate() {
                    let here = Formula::atom(*predicate, [v()]);
                    let (within, beyond) = match (side(*x), kept) {
                        (Side::Callee, _) => (here, unknown()),
                        (Side::Caller, Some(kept)) => (Formula::atom(kept[which], [v()]), here),
                        (Side::Caller, None) => (self.carried(&Formula::atom(*predicate, [s()])), here),
                        (Side::Neither, _) => (unknown(), unknown()),
                    };
                    let inside = Formula::and([self.inside(v()), within]);
                    update(
                        action,
                        *predicate,
                        &[v()],
                        Formula::or([inside, Formula::and([self.outside(v()), beyond])]),
                    );
                }
            }
            for (x, equal) in &order.equal {
                let here = Formula::atom(*equal, [v()]);
                let (within, beyond) = match (side(*x), self.numbers.get(x)) {
                    (Side::Callee, _) => (here, unknown()),
                    (Side::Caller, Some(kept)) => (order.is_equal(*kept, v()), here),
                    (Side::Caller, None) => (self.carried(&Formula::atom(*equal, [s()])), here),
                    (Side::Neither, _) => (unknown(), unknown()),
                };
                let value = [Formula::and([self.inside(v()), within]), Formula::and([self.outside(v()), beyond])];
                update(action, *equal, &[v()], Formula::or(value));
            }
            for (_, pair) in order.pairs.iter().filter(|((x, y), _)| side(*x) != side(*y)) {
                update(action, *pair, &[], unknown());
            }
        }
    }

    /// The claim about `v`, which the callee has left, if the claim was about `s`.
    fn carried(&self, claim: &Formula) -> Formula {
        let of_argument = |(x, kept, _): &Argument| {
            let passed = Formula::and([self.callers(s()), self.predicates.points(*x, s()), claim.clone()]);
            (self.predicates.points(*kept, v()), Formula::exists([s()], passed))
        };
        // Data that are changed through one argument may be those of the object that another one points to as well.
        let unchanged = self.arguments.iter().filter(|_| !self.effects.changes_data());
        let known: Vec<(Formula, Formula)> = unchanged.map(of_argument).collect();
        let is_known = Formula::or(known.iter().map(|(here, _)| here.clone()));
        let value = Formula::or(known.into_iter().map(|(here, value)| Formula::and([here, value])));
        let mut other = Formula::Value(Kleene::Unknown);
        if !self.effects.makes && !self.effects.changes_data() {
            let relevant = self.relevant.substitute(&BTreeMap::from([(v(), s())]));
            let all = |claim: Formula| Formula::forall([s()], relevant.clone().implies(claim));
            other = Formula::or([all(claim.clone()), Formula::and([all(claim.clone().negate()).negate(), other])]);
        }
        Formula::or([value, Formula::and([is_known.negate(), other])])
    }

    /// "`v` is an argument that two lead to from outside, or one from outside and one from inside."
    fn newly_shared(&self, into: PredicateId, links: &[PredicateId]) -> Formula {
        let outside = |at: Var| Formula::and([self.outside(at.clone()), Formula::atom(into, [at, s()])]);
        let two = Formula::and([outside(u()), outside(w()), Formula::equal(u(), w()).negate()]);
        let mut cases = vec![Formula::exists([u(), w()], two)];
        for (i, first) in links.iter().enumerate() {
            for second in &links[i + 1..] {
                let both = [Formula::atom(*first, [u(), s()]), Formula::atom(*second, [u(), s()])];
                cases.push(Formula::exists([u()], Formula::and(both.into_iter().chain([self.outside(u())]))));
            }
        }
        let from_inside = Formula::and([self.inside(w()), Formula::atom(into, [w(), v()])]);
        let from_inside = Formula::exists([w()], from_inside);
        let from_outside = Formula::exists([u()], outside(u()));
        let one_each = Formula::and([self.matches(&from_outside), from_inside]);
        Formula::or([self.matches(&Formula::or(cases)), one_each])
    }
}

fn side(caller: ProcId, scope: Scope) -> Side {
    match scope {
        Scope::Global => Side::Callee,
        Scope::Parameter(owner) | Scope::Local(owner) if owner == caller => Side::Caller,
        _ => Side::Neither,
    }
}

/// Whose variable it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Caller,
    /// Global variables have the values that the callee has left in them.
    Callee,
    Neither,
}
