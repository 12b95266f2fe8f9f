//! Calls on local heaps [RinetzkySY05 §2.2, §A.2].
//!
//! The callee gets the objects that its arguments and global variables lead to, the *relevant* objects, and nothing
//! else: its input does not depend on the caller's other objects, and its results are used wherever it is called with
//! the same input. When it returns, the objects that it leaves take the place of the relevant ones. The caller's
//! pointers to them are redirected: they point to the objects that arguments pointed to, because a call with a
//! *cutpoint*, an object that is entered past the arguments, is reported and not made. For example, `f(x)` with two
//! disjoint lists at `x` and `y` gets the list at `x`; if `y` points into the middle of that list, it is a cutpoint.
//!
//! Variables whose addresses are passed are objects of the stack, and of the local heap like others. A recursive
//! procedure is entered with none of its own: those of calls around it are told apart by `outer[p]`, and become the
//! caller's own again when it returns.

use super::absent_variables::Absent;
use super::argument::{Argument, s};
use super::calls_in_place::begin;
use super::combine::Return;
use super::{Lowering, Stage};
use crate::actions::flow::Failure;
use crate::actions::values::{Value, update};
use crate::vocabulary::kinds::Kind;
use crate::vocabulary::sortedness::Number;
use crate::vocabulary::variables::{u, v, w};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trifold_ir::Place;
use trifold_ir::{Edge, FindingKind, Operand, ProcId, Scope, VarId};
use trifold_logic::{Formula, Kleene, PredicateId, Var};
use trifold_passes::formals::Passed;
use trifold_tvl::{Action, ActionId, Call, Label, ProcedureId, Retain};

/// The common part of calls with the same arguments.
pub(crate) struct Made {
    /// "There is a cutpoint."
    cutpoint: Formula,
    /// "It is given variables of the last call of the callee, and of calls around that one." Which is which would not
    /// be known when it returns.
    mixed: Formula,
    /// The action that leaves out the objects that are not passed.
    local: ActionId,
    /// The action that puts the objects that the callee leaves in their place.
    combine: ActionId,
    sides: [PredicateId; 2],
    from_exit: Vec<(PredicateId, PredicateId)>,
}

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
        // A variable that is not read after the call and is no argument makes no cutpoints. An argument that the callee
        // does not read either is gone: an object that only it holds is lost here, because neither procedure has it any
        // more.
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
        let made = self.made(place.procedure, title, target, passed, &arguments);
        let text = format!(
            "`{}` may be given an object that something else than its arguments points to",
            program[target].name
        );
        let mut failures = vec![Failure::new(FindingKind::Cutpoint, made.cutpoint.clone(), text)];
        let text = format!("`{}` may be given variables of several calls of it", program[target].name);
        failures.push(Failure::new(FindingKind::NotAnalysed, made.mixed.clone(), text));
        self.graph.failure(ready, title, failures, place);
        let after = self.between(place, 1);
        let wanted = self.wanted(&arguments, self.liveness[place.procedure.index()].at(edge.to));
        let impossible = Formula::or([made.cutpoint.clone(), made.mixed.clone()]);
        let enter = self.enter_heap(place.procedure, title, target, passed, (impossible, wanted));
        let first = self.graph.action(enter);
        let callee = self.procedures.iter().position(|known| *known == target).unwrap_or_default();
        let Made { local, combine, sides, ref from_exit, .. } = *made;
        let (callee, enter) = (ProcedureId::from_index(callee), vec![first, local]);
        let from_exit = from_exit.clone();
        let call = self.graph.cfg.calls.push(Call { callee, enter, combine, sides, from_exit });
        self.graph.edge_of(ready, Label::Call(call), after, place);
        let mut stages = vec![Stage::Collect];
        self.forget_all(&mut stages, &self.dying(place.procedure, edge), &[]);
        let to = self.point(place.procedure, edge.to);
        self.chain(after, stages, to, place);
    }

    /// The common part of all calls with these arguments.
    fn made(
        &mut self,
        caller: ProcId,
        title: &str,
        target: ProcId,
        passed: &[Operand],
        arguments: &[Argument],
    ) -> Arc<Made> {
        let key = (caller, target, passed.to_vec());
        if let Some(known) = self.made.get(&key) {
            return known.clone();
        }
        let sides = self.predicates.sides.expect("calls are made on local heaps");
        let outside = Absent::at_entry(target, self.program, &self.returned, &self.predicates);
        let local = outside.leave_out(
            self.leave_out("what is not passed", self.predicates.reachable_from_variables()),
            &self.predicates,
        );
        let returns = Return {
            predicates: &self.predicates,
            callee: target,
            arguments,
            sides,
            relevant: self.relevant(arguments, Some(sides[0])),
            effects: &self.effects[&target],
            numbers: self.passed_numbers(target, passed),
        };
        let combine = returns.action(caller, &|variable| program_scope(self.program, variable), title);
        let globals = self.nullary_of_globals().into_iter().map(|predicate| (predicate, predicate));
        let made = Arc::new(Made {
            cutpoint: self.cutpoint(caller, arguments),
            mixed: self.mixed(target, arguments),
            from_exit: globals.chain(self.gone_at_exit(arguments)).collect(),
            local: self.graph.action(local),
            combine: self.graph.action(combine),
            sides,
        });
        self.made.insert(key, made.clone());
        made
    }

    /// Parameters get their values, and the caller's variables are gone.
    fn enter_heap(
        &self,
        caller: ProcId,
        title: &str,
        target: ProcId,
        passed: &[Operand],
        (impossible, wanted): (Formula, Formula),
    ) -> Action {
        let program = self.program;
        let live = self.liveness[target.index()].at(program[target].entry).clone();
        let mut action = Action { title: title.to_string(), ..Action::default() };
        action.precondition = Some(impossible.negate());
        for (parameter, argument) in program[target].parameters.iter().zip(passed) {
            if !live.contains(parameter) {
                continue;
            }
            if program[*parameter].ty.is_pointer() {
                let mut value = self.predicates.operand(argument);
                if self.formals[&target].iter().any(|formal| formal.kept == *parameter && formal.is_copy) {
                    value.points = Formula::and([value.points, wanted.clone()]);
                    // Where it is not kept it leads to no part either.
                    let is_kept = Formula::exists([v()], value.points.clone());
                    value.at.values_mut().for_each(|at| *at = Formula::and([at.clone(), is_kept.clone()]));
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
        // The call has no variables of its own yet.
        if let Some([stack, outer]) = self.predicates.frames(target) {
            update(&mut action, outer, &[v()], Formula::or([stack, outer].map(|p| Formula::atom(p, [v()]))));
            update(&mut action, stack, &[v()], Formula::FALSE);
        }
        action
    }

    /// Leaves out all objects but those that stay, by a formula about `v`. Nothing that stays leads there, so only the
    /// knowledge about predecessors changes.
    pub(super) fn leave_out(&self, title: &str, stays: Formula) -> Action {
        let predicates = &self.predicates;
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
                // An object that is equal to no other one stays so. If it was equal to one, that may be left out.
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
        let reached = Formula::and([here(v()), Formula::or(ways)]);
        Formula::or([predicates.held_below(&reached, &here), reached])
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

    /// "Some relevant objects are variables of the last call of the procedure, and some of calls around it."
    fn mixed(&self, target: ProcId, arguments: &[Argument]) -> Formula {
        let Some([stack, outer]) = self.predicates.frames(target) else { return Formula::FALSE };
        let relevant = self.relevant(arguments, None);
        let some = |p: PredicateId| Formula::exists([v()], Formula::and([Formula::atom(p, [v()]), relevant.clone()]));
        Formula::and([some(stack), some(outer)])
    }

    fn passed_numbers(&self, target: ProcId, passed: &[Operand]) -> BTreeMap<VarId, VarId> {
        let kept = self.numbers.get(&target).into_iter().flatten();
        let number = |(position, parameter): (&usize, &VarId)| match self.number(passed.get(*position)?) {
            Number::Variable(x) => Some((x, *parameter)),
            _ => None,
        };
        kept.filter_map(number).collect()
    }

    /// Whether objects that arguments point to have been freed is told, at the exit, by the variables that keep them.
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
