//! Calls on local heaps [RinetzkySY05 §2.2, §A.2].
//!
//! The callee gets what its arguments and global variables lead to, the *relevant* objects, and nothing else: its input does not depend on what else the caller
//! has, and its results are used wherever it is called with the same input. When it returns, what it leaves takes the
//! place of the relevant objects. The caller's pointers to them are redirected: they point to what arguments pointed to, since a call with a
//! *cutpoint*, an object that is entered past the arguments, is reported and not made.
//!
//! Of the formulas of the paper, `match(s, v)` is [`Return::matches`], `bypass` needs no closure: what is not relevant is not reached through anything
//! relevant, so a way to an argument that bypasses the arguments is a way among irrelevant objects and one step.

use super::absent::Absent;
use super::calls::begin;
use super::{Lowering, Stage};
use crate::effects::Effects;
use crate::formals::Passed;
use crate::graph::{Failure, Place};
use crate::instrumentation::Kind;
use crate::order::Number;
use crate::predicates::{Predicates, u, v, w};
use crate::values::{Value, update};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Edge, FindingKind, NodeId, Operand, ProcId, Scope, VarId};
use trifold_logic::{Formula, Kleene, PredicateId, Var};
use trifold_tvl::{Action, Call, LocationId, Retain};

/// A variable of formulas for the object that an argument points to.
fn s() -> Var {
    Var::new("s")
}

/// An argument: the caller's variable, the callee's variable that keeps its value, and its position among the formals.
type Argument = (VarId, VarId, usize);

impl Lowering<'_> {
    /// A call of a procedure, on its local heap.
    pub(super) fn call_on_heap(&mut self, place: Place, edge: &Edge, title: &str, target: ProcId, passed: &[Operand]) {
        let (program, here) = (self.program, self.point(place.procedure, edge.from));
        let arguments: Vec<Argument> = self.formals[&target]
            .iter()
            .enumerate()
            .filter_map(|(number, formal)| match formal.passed {
                Passed::Global(global) => Some((global, formal.kept, number)),
                Passed::Argument(position) => match passed.get(position) {
                    Some(Operand::Pointer(variable)) => Some((*variable, formal.kept, number)),
                    _ => None,
                },
            })
            .collect();
        // What is not read after the call and is no argument makes no cutpoints. An argument that the callee does not read either is
        // gone: what only it holds is lost here, as neither procedure has it any more.
        let is_wanted = |parameter: &VarId| {
            let is_copy = self.formals[&target].iter().any(|formal| formal.kept == *parameter && formal.is_copy);
            !is_copy && self.liveness[target.index()].at(program[target].entry).contains(parameter)
        };
        let given = || program[target].parameters.iter().zip(passed);
        let (gone, mut unused): (BTreeSet<VarId>, BTreeSet<VarId>) =
            self.dying(place.procedure, edge).into_iter().partition(|x| {
                let mut reading =
                    given().filter(|(_, argument)| reads(argument, *x)).map(|(parameter, _)| parameter).peekable();
                program[*x].ty.is_pointer() && reading.peek().is_some() && !reading.any(is_wanted)
            });
        unused.retain(|variable| !passed.iter().any(|argument| reads(argument, *variable)));
        let ready = match unused.is_empty() && gone.is_empty() {
            true => here,
            false => {
                let ready = self.between(place, 0);
                let mut drops = Action { title: title.to_string(), ..Action::default() };
                gone.iter().for_each(|x| self.predicates.assign(&mut drops, *x, &Value::null()));
                let mut stages = vec![Stage::Alternatives(vec![drops])];
                stages.extend((!gone.is_empty()).then_some(Stage::Collect));
                self.forget_all(&mut stages, &unused, &[]);
                self.chain(here, stages, ready, place);
                ready
            }
        };
        let cutpoint = self.cutpoint(place.procedure, &arguments);
        let text = format!(
            "`{}` may be given an object that something else than its arguments points to",
            program[target].name
        );
        let failure = Failure::new(FindingKind::Cutpoint, cutpoint.clone(), text);
        self.graph.failure(ready, title, vec![failure], place);
        let after = self.between(place, 1);
        self.call_edge((place, title), (ready, after, edge.to), target, passed, (&arguments, cutpoint));
        let mut stages = vec![Stage::Collect];
        self.forget_all(&mut stages, &self.dying(place.procedure, edge), &[]);
        let to = self.point(place.procedure, edge.to);
        self.chain(after, stages, to, place);
    }

    fn call_edge(
        &mut self,
        (place, title): (Place, &str),
        (from, to, returns_to): (LocationId, LocationId, NodeId),
        target: ProcId,
        passed: &[Operand],
        (arguments, cutpoint): (&[Argument], Formula),
    ) {
        let Some(sides) = self.predicates.sides else { return };
        let live = self.liveness[place.procedure.index()].at(returns_to).clone();
        let wanted = self.wanted(arguments, &live);
        let enter = self.enter_heap(place.procedure, title, target, passed, (cutpoint, wanted));
        let outside = Absent::at_entry(target, self.program, &self.returned, &self.predicates);
        let local = outside.leave_out(self.leave_out("what is not passed"), &self.predicates);
        let returns = Return {
            predicates: &self.predicates,
            arguments,
            sides,
            relevant: self.relevant(arguments, Some(sides[0])),
            effects: &self.effects[&target],
            numbers: self.passed_numbers(target, passed),
        };
        let combine = returns.action(place.procedure, &|variable| program_scope(self.program, variable), title);
        let globals = self.nullary_of_globals().into_iter().map(|predicate| (predicate, predicate));
        let first = self.graph.action(enter);
        let (enter, combine) = (vec![first, self.graph.action(local)], self.graph.action(combine));
        let callee = self.procedures.iter().position(|known| *known == target).unwrap_or_default();
        self.graph.edge_of(from, first, to, place);
        let edge = self.graph.cfg.edges.len() - 1;
        let from_exit = globals.chain(self.gone_at_exit(arguments)).collect();
        self.graph.cfg.calls.push(Call { edge, callee, enter, combine, sides, from_exit });
    }

    /// Parameters get their values, and the caller's variables are gone.
    fn enter_heap(
        &self,
        caller: ProcId,
        title: &str,
        target: ProcId,
        passed: &[Operand],
        (cutpoint, wanted): (Formula, Formula),
    ) -> Action {
        let program = self.program;
        let live = self.liveness[target.index()].at(program[target].entry).clone();
        let mut action = Action { title: title.to_string(), ..Action::default() };
        action.precondition = Some(cutpoint.negate());
        for (parameter, argument) in program[target].parameters.iter().zip(passed) {
            if !live.contains(parameter) {
                continue;
            }
            if program[*parameter].ty.is_pointer() {
                let mut value = self.predicates.operand(argument);
                if self.formals[&target].iter().any(|formal| formal.kept == *parameter && formal.is_copy) {
                    value.points = Formula::and([value.points, wanted.clone()]);
                }
                self.predicates.assign(&mut action, *parameter, &value);
            } else {
                let focus = self.focus_on_scalar(self.predicates.cells.get(parameter), argument);
                action.focus.extend(focus);
                self.set_scalar(&mut action, *parameter, argument);
            }
        }
        let wanted = |(parameter, _): &(&VarId, &Operand)| live.contains(parameter);
        let passed: (Vec<VarId>, Vec<Operand>) = program[target]
            .parameters
            .iter()
            .zip(passed)
            .filter(wanted)
            .map(|(parameter, argument)| (*parameter, argument.clone()))
            .unzip();
        self.pass_numbers(&mut action, &passed.0, &passed.1);
        // Variables of the callee may share predicates with those of the caller.
        let set: BTreeSet<PredicateId> = action.updates.iter().map(|update| update.predicate).collect();
        let is_set = |variable: &VarId| match self.predicates.pointers.get(variable) {
            Some(pointer) => set.contains(&pointer.points),
            None => caller == target && program[target].parameters.contains(variable) && live.contains(variable),
        };
        for variable in program[caller].variables().filter(|variable| !is_set(variable)) {
            if program[variable].ty.is_pointer() {
                self.predicates.assign(&mut action, variable, &Value::null());
            } else {
                self.forget_scalar(&mut action, variable);
            }
        }
        // In a recursive call the variables that have just lost their values are those that have none at first.
        let flags = |variable: &VarId| self.predicates.pointers.get(variable).and_then(|pointer| pointer.uninit);
        let uninitialised: Vec<PredicateId> =
            program[target].locals.iter().filter(|local| live.contains(local)).filter_map(flags).collect();
        action.updates.retain(|update| !uninitialised.contains(&update.predicate));
        begin(&self.predicates, &mut action, &program[target].locals, &live);
        action
    }

    /// Leaves out what nothing leads to. Nothing that stays leads there, so only what is known about predecessors changes.
    pub(super) fn leave_out(&self, title: &str) -> Action {
        let predicates = &self.predicates;
        let stays = Formula::or([predicates.reached(v(), &[]), predicates.reachable()]);
        let mut action = Action { title: title.to_string(), ..Action::default() };
        let at = |formula: &Formula, at: Var| formula.substitute(&BTreeMap::from([(v(), at)]));
        let defined = predicates.vocabulary.iter().filter(|(_, predicate)| predicate.definition.is_some());
        for (id, predicate) in defined {
            let parameters = &[v(), w()][..predicate.arity];
            let here = Formula::atom(id, parameters.iter().cloned());
            // Whether it still holds is known if no predecessor is left out, or if those that stay are enough.
            let led_from_outside = |link: PredicateId, to: Var| {
                let leads = Formula::and([at(&stays, u()).negate(), Formula::atom(link, [u(), to])]);
                Formula::exists([u()], leads)
            };
            let enough = match predicates.kinds.get(&id) {
                Some(Kind::Shared(into, links)) => {
                    let led = |from: Var| Formula::and([at(&stays, from.clone()), Formula::atom(*into, [from, v()])]);
                    let two = Formula::and([led(u()), led(w()), Formula::equal(u(), w()).negate()]);
                    let mut cases = vec![led_from_outside(*into, v()).negate(), Formula::exists([u(), w()], two)];
                    for (i, first) in links.iter().enumerate() {
                        for second in &links[i + 1..] {
                            let both = [*first, *second].map(|link| Formula::atom(link, [u(), v()]));
                            let both = Formula::and(both.into_iter().chain([at(&stays, u())]));
                            cases.push(Formula::exists([u()], both));
                        }
                    }
                    Formula::or(cases)
                }
                Some(Kind::In(link)) => {
                    let led = Formula::and([at(&stays, u()), Formula::atom(*link, [u(), v()])]);
                    Formula::or([led_from_outside(*link, v()).negate(), Formula::exists([u()], led)])
                }
                Some(Kind::Via(_, link)) => {
                    let enters = Formula::and([at(&stays, w()), led_from_outside(*link, w())]);
                    Formula::or([Formula::exists([w()], enters).negate(), Formula::Value(Kleene::Unknown)])
                }
                // What is not equal to anything stays so. What is equal may have been so to what is left out.
                Some(Kind::Distinct(_)) => {
                    let left_out = Formula::exists([u()], at(&stays, u()).negate());
                    let unknown = Formula::and([left_out, Formula::Value(Kleene::Unknown)]);
                    update(&mut action, id, parameters, Formula::or([here, unknown]));
                    continue;
                }
                _ => Formula::TRUE,
            };
            update(&mut action, id, parameters, Formula::and([here, enough]));
        }
        action.retain = Some(Retain { variable: v(), formula: stays });
        action
    }

    /// "`v` is reached from an argument." On both sides, it is the caller's.
    fn relevant(&self, arguments: &[Argument], side: Option<PredicateId>) -> Formula {
        let predicates = &self.predicates;
        let here = |at: Var| side.map_or(Formula::TRUE, |side| Formula::atom(side, [at]));
        let mut ways = Vec::new();
        for (x, ..) in arguments {
            ways.push(predicates.points(*x, v()));
            ways.extend(predicates.pointer(*x).reach.iter().map(|(_, r)| Formula::atom(*r, [v()])));
            if !self.is_one_level {
                let steps = predicates.edges.values().map(|edge| Formula::atom(edge.leads, [w(), u()]));
                let path =
                    Formula::Closure { start: s(), end: v(), left: w(), right: u(), body: Formula::or(steps).into() };
                let starts = Formula::and([here(s()), predicates.points(*x, s())]);
                ways.push(Formula::exists([s()], Formula::and([starts, path])));
            }
        }
        Formula::and([here(v()), Formula::or(ways)])
    }

    /// "Something that the caller still has after the call points to `v`." Only then must the callee remember it.
    fn wanted(&self, arguments: &[Argument], live: &BTreeSet<VarId>) -> Formula {
        let predicates = &self.predicates;
        let held = live.iter().filter(|x| self.program[**x].ty.is_pointer()).map(|x| predicates.points(*x, v()));
        let held = Formula::or(held);
        let led = Formula::or(predicates.edges.values().map(|edge| Formula::atom(edge.leads, [w(), v()])));
        if led == Formula::FALSE {
            return held;
        }
        let irrelevant = self.relevant(arguments, None).substitute(&BTreeMap::from([(v(), w())])).negate();
        Formula::or([held, Formula::exists([w()], Formula::and([led, irrelevant]))])
    }

    /// "Some object is a cutpoint": it is relevant, no argument points to it, and something irrelevant does.
    fn cutpoint(&self, caller: ProcId, arguments: &[Argument]) -> Formula {
        let predicates = &self.predicates;
        let relevant = |at: Var| self.relevant(arguments, None).substitute(&BTreeMap::from([(v(), at)]));
        let passed = Formula::or(arguments.iter().map(|(x, ..)| predicates.points(*x, v())));
        let is_argument = |x: &VarId| arguments.iter().any(|(argument, ..)| argument == x);
        let own = self.program[caller].variables().filter(|x| self.program[*x].ty.is_pointer() && !is_argument(x));
        let held = Formula::or(own.map(|x| predicates.points(x, v())));
        let led = Formula::or(predicates.edges.values().map(|edge| Formula::atom(edge.leads, [w(), v()])));
        let led = match led {
            Formula::FALSE => Formula::FALSE,
            led => Formula::exists([w()], Formula::and([led, relevant(w()).negate()])),
        };
        Formula::exists([v()], Formula::and([relevant(v()), passed.negate(), Formula::or([held, led])]))
    }

    fn passed_numbers(&self, target: ProcId, passed: &[Operand]) -> BTreeMap<VarId, VarId> {
        let kept = self.numbers.get(&target).into_iter().flatten();
        let number = |(position, parameter): (&usize, &VarId)| match self.number(passed.get(*position)?) {
            Number::Variable(x) => Some((x, *parameter)),
            _ => None,
        };
        kept.filter_map(number).collect()
    }

    /// Whether objects that arguments point to have been freed is what is known at the exit of the variables that keep them.
    fn gone_at_exit(&self, arguments: &[Argument]) -> Vec<(PredicateId, PredicateId)> {
        let freed = |(_, kept, number): &Argument| {
            Some((*self.predicates.gone.get(*number)?, self.predicates.pointer(*kept).freed?))
        };
        arguments.iter().filter_map(freed).collect()
    }

    fn nullary_of_globals(&self) -> Vec<PredicateId> {
        let mut all = Vec::new();
        for global in self.program.globals() {
            if let Some(pointer) = self.predicates.pointers.get(&global) {
                all.extend(pointer.at.values().copied());
                all.extend([pointer.uninit, pointer.freed, pointer.dead].into_iter().flatten());
            }
            all.extend(self.predicates.cells.get(&global).into_iter().flatten().map(|(_, predicate)| *predicate));
        }
        let is_global = |variable: &VarId| self.program[*variable].scope == Scope::Global;
        for order in &self.predicates.orders {
            all.extend(order.pairs.iter().filter(|((x, y), _)| is_global(x) && is_global(y)).map(|(_, pair)| *pair));
        }
        all
    }
}

fn reads(operand: &Operand, variable: VarId) -> bool {
    let mut found = false;
    operand.for_each_variable(&mut |read| found |= read == variable);
    found
}

fn program_scope(program: &trifold_ir::Program, variable: VarId) -> Scope {
    program[variable].scope
}

/// What a call returns to.
struct Return<'a> {
    predicates: &'a Predicates,
    arguments: &'a [Argument],
    sides: [PredicateId; 2],
    /// "`v` is the caller's, and relevant."
    relevant: Formula,
    /// What the callee does to data.
    effects: &'a Effects,
    /// The caller's variables whose numbers it was given, with those of its own that keep them.
    numbers: BTreeMap<VarId, VarId>,
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

    /// For each argument: "`v` is what was `s`, for which the claim holds." The claim is about `s`.
    fn matches(&self, claim: &Formula) -> Formula {
        Formula::or(self.arguments.iter().map(|(x, kept, _)| {
            let passed = Formula::and([self.callers(s()), self.predicates.points(*x, s()), claim.clone()]);
            Formula::and([self.inside(v()), self.predicates.points(*kept, v()), Formula::exists([s()], passed)])
        }))
    }

    /// For each argument: "`v` is reached from what was `s`, for which the claim holds, along the relation."
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

    fn action(&self, caller: ProcId, scope: &dyn Fn(VarId) -> Scope, title: &str) -> Action {
        let mut action = Action { title: format!("{title} returns"), combines: true, ..Action::default() };
        let mut reach = BTreeMap::new();
        for (variables, pointer) in self.predicates.shared() {
            let sides = variables.iter().map(|x| side(caller, scope(*x)));
            let side = sides.reduce(|known, next| if known == Side::Neither { next } else { known });
            let side = side.unwrap_or(Side::Neither);
            update(&mut action, pointer.points, &[v()], self.variable(pointer.points, side));
            reach.extend(pointer.reach.iter().map(|(step, r)| (*r, (pointer.points, *step, side))));
        }
        for edge in self.predicates.edges.values() {
            update(&mut action, edge.leads, &[v(), w()], self.link(edge.leads));
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
        for side in self.sides {
            update(&mut action, side, &[v()], Formula::FALSE);
        }
        let formula = Formula::or([self.inside(v()), self.outside(v())]);
        action.retain = Some(Retain { variable: v(), formula });
        action
    }

    /// "`s` was given to the callee, which has freed it."
    fn gone(&self) -> Formula {
        Formula::or(self.arguments.iter().filter_map(|(x, kept, number)| {
            self.predicates.pointer(*kept).freed?;
            let gone = Formula::atom(*self.predicates.gone.get(*number)?, []);
            Some(Formula::and([gone, self.callers(s()), self.predicates.points(*x, s())]))
        }))
    }

    /// What pointed to objects that the callee has freed points nowhere.
    fn free(&self, action: &mut Action, caller: ProcId, scope: &dyn Fn(VarId) -> Scope) {
        for (x, pointer) in &self.predicates.pointers {
            if !matches!(scope(*x), Scope::Parameter(owner) | Scope::Local(owner) if owner == caller) {
                continue;
            }
            let lost = Formula::and([Formula::atom(pointer.points, [s()]), self.gone()]);
            let lost = Formula::exists([s()], lost);
            if let Some(freed) = pointer.freed {
                update(action, freed, &[], Formula::or([Formula::atom(freed, []), lost.clone()]));
            }
            for at in pointer.at.values() {
                update(action, *at, &[], Formula::and([Formula::atom(*at, []), lost.clone().negate()]));
            }
        }
        for edge in self.predicates.edges.values() {
            let lost = Formula::and([Formula::atom(edge.leads, [v(), s()]), self.gone()]);
            let lost = Formula::and([self.outside(v()), Formula::exists([s()], lost)]);
            if let Some(freed) = edge.freed {
                update(action, freed, &[v()], Formula::or([Formula::atom(freed, [v()]), lost.clone()]));
            }
            for at in edge.at.values() {
                update(action, *at, &[v()], Formula::and([Formula::atom(*at, [v()]), lost.clone().negate()]));
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

    /// "`s` is where the variable points, or one step from what it reaches outside."
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

    /// How objects and numbers compare [RinetzkySY05 Fig. 14]. What compares to the caller's objects compares to what arguments have become; how it
    /// compares to other objects follows from that by the rules of the order.
    ///
    /// If the callee makes no objects and changes no data, it returns objects that it was given: what holds of all relevant ones holds of these.
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

    /// What is known of `v`, which the callee has left, if the claim was about `s`.
    fn carried(&self, claim: &Formula) -> Formula {
        let of_argument = |(x, kept, _): &Argument| {
            let passed = Formula::and([self.callers(s()), self.predicates.points(*x, s()), claim.clone()]);
            (self.predicates.points(*kept, v()), Formula::exists([s()], passed))
        };
        // What is changed through one argument may be what another one points to as well.
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
    /// Global variables are what the callee has left in them.
    Callee,
    Neither,
}
