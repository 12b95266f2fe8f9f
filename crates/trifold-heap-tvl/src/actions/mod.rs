//! Statements as actions.
//!
//! A statement becomes a few stages, one after the other, each with alternative actions. In front of the first one
//! stand its failures: their conditions exclude those of the stages, so a path ends where something goes wrong. For
//! example, `y = x->n` has the failure "`x` may be null" and one stage, which updates `y`.
//!
//! After a statement that can lose a reference, objects that nothing leads to any more are reported and removed
//! ([`Lowering::collect`]); after that, variables that are not live any more are forgotten ([`Lowering::forget`]).

mod absent_variables;
mod argument;
mod calls_in_place;
mod combine;
mod conditions;
mod data_order;
mod extract;
pub(crate) mod flow;
mod memory;
mod pointers;
mod scalars;
pub(crate) mod values;

use self::absent_variables::Absent;
use self::extract::Made;
use crate::actions::flow::{Failure, FlowBuilder, kind_of};
use crate::actions::values::Value;
use crate::vocabulary::predicates::Predicates;
use crate::vocabulary::variables::v;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use trifold_ir::{Edge, FindingKind, NodeId, Operand, Place, Point, ProcId, Program, Statement, VarId, show_statement};
use trifold_logic::{Formula, PredicateId};
use trifold_passes::data_effects::DataEffects;
use trifold_passes::formals::Formals;
use trifold_passes::targets::Target;
use trifold_passes::{CallGraph, Liveness};
use trifold_tvl::{Action, ActionId, Label, LocationId, Origin, Procedure};

/// The parameters, by their position, that say at the exit how the numbers which were passed compare to the objects
/// that are there then.
pub(crate) type Numbers = BTreeMap<ProcId, BTreeMap<usize, VarId>>;

/// A program on its way to a specification.
pub(crate) struct Lowering<'p> {
    pub program: &'p Program,
    pub entry: ProcId,
    pub predicates: Predicates,
    pub liveness: &'p [Liveness],
    /// The variables that lose their values before their procedures return.
    pub cleared: BTreeSet<VarId>,
    pub calls: CallGraph,
    pub graph: FlowBuilder,
    /// The number that the next call site of each procedure gets.
    pub next_site: BTreeMap<ProcId, usize>,
    /// If calls are made on local heaps, the formals of procedures.
    pub formals: Formals,
    /// The variables through which they return results.
    pub returned: Vec<VarId>,
    /// All procedures, in the order of the specification.
    pub procedures: &'p [ProcId],
    /// Are all links between objects of one level, along its spine?
    pub is_one_level: bool,
    /// The effects of procedures on data.
    pub effects: BTreeMap<ProcId, DataEffects>,
    /// Is memory collected?
    pub collected: bool,
    /// The numbers that procedures remember until they return.
    pub numbers: Numbers,
    /// The predicates that are 0 in the procedure that is being lowered: where nothing is being returned, and where
    /// something is.
    pub absent: [Absent; 2],
    /// Is something being returned, by the statement that is being lowered or to it?
    pub is_returning: bool,
    /// The actions of that procedure which [collect](Lowering::collect) lost objects, with whether they are done again
    /// and again, in both cases; once they are needed.
    pub collecting: [Option<Vec<(ActionId, bool)>>; 2],
    /// The common parts of calls, by caller, callee and arguments.
    pub made: HashMap<(ProcId, ProcId, Vec<Operand>), Arc<Made>>,
}

/// Actions of which one is taken.
enum Stage {
    Alternatives(Vec<Action>),
    /// Objects that nothing leads to any more are reported and removed.
    Collect,
}

/// The steps of a statement.
#[derive(Default)]
struct Steps {
    /// The failures, seen before the first stage.
    failures: Vec<Failure>,
    /// Stages of alternatives.
    stages: Vec<Vec<Action>>,
}

impl Steps {
    /// One action that always succeeds.
    fn one(action: Action) -> Steps {
        Steps { stages: vec![vec![action]], ..Steps::default() }
    }

    /// A statement after which nothing happens.
    fn end(failures: Vec<Failure>) -> Steps {
        Steps { failures, ..Steps::default() }
    }
}

impl Lowering<'_> {
    /// Adds the edges of a procedure.
    pub fn procedure(&mut self, procedure: ProcId) {
        self.absent = [&self.returned[..], &[]]
            .map(|empty| Absent::in_procedure(procedure, self.program, empty, &self.predicates));
        self.collecting = Default::default();
        for (number, edge) in self.program[procedure].edges.iter().enumerate() {
            let place = Place { procedure, edge: number, span: edge.span };
            self.statement(place, edge);
        }
    }

    /// Says where procedures start and end.
    pub fn declare_procedures(&mut self) {
        for procedure in self.procedures {
            let body = &self.program[*procedure];
            let (entry, exit) = (self.point(*procedure, body.entry), self.point(*procedure, body.exit));
            self.graph.cfg.procedures.push(Procedure { name: body.name.clone(), entry, exit, contract: None });
        }
    }

    fn statement(&mut self, place: Place, edge: &Edge) {
        let title = show_statement(self.program, &edge.statement);
        self.is_returning = match &edge.statement {
            Statement::Call { .. } | Statement::Return => true,
            Statement::Set { to, value } => {
                self.returned.iter().any(|returned| to == returned || *value == Operand::Pointer(*returned))
            }
            _ => false,
        };
        if let Statement::Call { to, targets, arguments } = &edge.statement {
            return self.call(place, edge, &title, *to, targets, arguments);
        }
        let mut steps = self.steps(place.procedure, edge);
        for action in steps.stages.iter_mut().flatten() {
            action.title = title.clone();
        }
        let from = self.point(place.procedure, edge.from);
        self.graph.failure(from, &title, steps.failures, place);
        if steps.stages.is_empty() {
            return;
        }
        let stages = steps.stages.into_iter().chain(self.settle(&edge.statement));
        let mut stages: Vec<Stage> = stages.map(Stage::Alternatives).collect();
        if self.program.may_lose_reference(&edge.statement) {
            stages.push(Stage::Collect);
        }
        let mut dying = match edge.statement {
            Statement::Return => BTreeSet::new(),
            _ => self.dying(place.procedure, edge),
        };
        if let Statement::Set { to, value: Operand::Null | Operand::Uninitialised } = &edge.statement {
            dying.remove(to);
        }
        // A result on its way to the caller is about to leave the variable that it came in.
        let leaving: Vec<VarId> = match &edge.statement {
            Statement::Set { value: Operand::Pointer(from), .. } if self.returned.contains(from) => vec![*from],
            _ => Vec::new(),
        };
        self.forget_all(&mut stages, &dying, &leaving);
        let to = self.point(place.procedure, edge.to);
        self.chain(from, stages, to, place);
    }

    /// Adds the stages between two locations.
    fn chain(&mut self, from: LocationId, stages: Vec<Stage>, to: LocationId, place: Place) {
        let mut here = from;
        let last = stages.len() - 1;
        for (number, stage) in stages.into_iter().enumerate() {
            let there = if number == last { to } else { self.between(place, number) };
            let actions = match stage {
                Stage::Alternatives(actions) => self.numbered(actions),
                Stage::Collect => match &self.collecting[usize::from(self.is_returning)] {
                    Some(known) => known.clone(),
                    None => {
                        let made = self.numbered(self.collect());
                        self.collecting[usize::from(self.is_returning)].insert(made).clone()
                    }
                },
            };
            for (action, again) in actions {
                self.graph.edge_of(here, Label::Action(action), if again { here } else { there }, place);
            }
            here = there;
        }
    }

    /// Actions by their identifiers, and whether they are done again and again.
    fn numbered(&mut self, actions: Vec<Action>) -> Vec<(ActionId, bool)> {
        let absent = &self.absent[usize::from(self.is_returning)];
        let numbered = |action: Action| {
            // When an object is removed because it is lost, the objects that it held may be lost as well.
            let is_leak = action.messages.iter().any(|message| kind_of(message) == FindingKind::Leak);
            let again = is_leak && action.retain.is_some();
            (self.graph.action(absent.leave_out(action, &self.predicates)), again)
        };
        actions.into_iter().map(numbered).collect()
    }

    /// A location inside a statement.
    fn between(&mut self, place: Place, number: usize) -> LocationId {
        let taken = self.graph.cfg.locations.len();
        self.graph.location(format!("p{}_e{}_{number}_{taken}", place.procedure.0, place.edge))
    }

    pub fn point(&mut self, procedure: ProcId, node: NodeId) -> LocationId {
        self.graph.point(Point { procedure, node })
    }

    fn steps(&self, procedure: ProcId, edge: &Edge) -> Steps {
        let failed = |kind, text: String| Steps::end(vec![Failure::new(kind, Formula::TRUE, text)]);
        match &edge.statement {
            Statement::Skip => Steps::one(Action::default()),
            Statement::Nondet { to, range, meaning: _ } => self.nondet(*to, *range),
            // A variable that is not read any more just lets go of its object.
            Statement::Set { to, value: Operand::Uninitialised } if self.dying(procedure, edge).contains(to) => {
                self.set(*to, &Operand::Null)
            }
            Statement::Set { to, value } => self.set(*to, value),
            Statement::Load { to, object, field } => self.load(*to, *object, *field),
            Statement::Store { object, field, value } => self.store(*object, *field, value),
            Statement::Owner { to, part, field } => self.owner(*to, *part, *field),
            Statement::Allocate { to, structure, region, zeroed, may_fail } => {
                self.allocate(procedure, *to, *structure, *region, *zeroed, *may_fail)
            }
            Statement::Free { pointer } => self.free(*pointer),
            Statement::EndLife { object } => self.end_life(procedure, *object),
            Statement::Return => self.leave(procedure),
            Statement::Assume(condition) => self.assume(condition),
            Statement::Assert(condition) => self.assert(condition),
            Statement::Error { kind, text } => failed(*kind, text.clone()),
            Statement::Stop => Steps::default(),
            Statement::UnknownCall { name, .. } => {
                failed(FindingKind::NotAnalysed, format!("nothing is known about `{name}`"))
            }
            Statement::Unsupported { text } => failed(FindingKind::NotAnalysed, text.clone()),
            Statement::Call { .. } => unreachable!("calls lead to other procedures"),
        }
    }

    /// After a load that enters a level, or goes on along one of several spine links: makes definite which objects are
    /// reached from there.
    ///
    /// Along a spine of one link, that is known from the objects that were reached before.
    fn settle(&self, statement: &Statement) -> Option<Vec<Action>> {
        let Statement::Load { to, object, field } = statement else { return None };
        if !self.program[*to].ty.is_pointer() || self.program[*field].embedded {
            return None;
        }
        let links = self.accessed(*object, *field);
        let along = |step: PredicateId| links.iter().all(|(link, _)| self.predicates.edge(*link).leads == step);
        let open = self.predicates.pointer(*to).reach.iter().filter(|(step, _)| !along(*step));
        let focus = open.map(|(_, reach)| (Formula::atom(*reach, [v()]), Origin::default()));
        let action = Action { title: "what is reached".to_string(), focus: focus.collect(), ..Action::default() };
        (!action.focus.is_empty()).then(|| vec![action])
    }

    /// Reports and removes objects that nothing leads to any more.
    ///
    /// Objects that the families do not see to be reached are reported; only those that are not reached by definition
    /// are removed, together with the garbage that leads to them: nothing that stays leads to an object that is gone.
    fn collect(&self) -> Vec<Action> {
        let predicates = &self.predicates;
        let lost = predicates.reached(v(), &[]).negate();
        let leaks = Formula::exists([v()], Formula::and([predicates.on_heap(v()), lost.clone()]));
        let lost = Formula::exists([v()], lost);
        let text = "the last reference to an object is lost";
        let messages = vec![Failure::new(FindingKind::Leak, leaks, text).message()];
        let garbage = self.leave_out("lost", predicates.kept());
        let gone = garbage.retain.as_ref().map_or(Formula::FALSE, |retain| retain.formula.clone().negate());
        let gone = Formula::exists([v()], gone);
        let garbage = Action { precondition: Some(gone.clone()), messages: messages.clone(), ..garbage };
        let unseen = Action {
            title: "not seen to be held".to_string(),
            precondition: Some(Formula::and([lost.clone(), gone.negate()])),
            messages,
            ..Action::default()
        };
        let none =
            Action { title: "nothing is lost".to_string(), precondition: Some(lost.negate()), ..Action::default() };
        vec![none, garbage, unseen]
    }

    /// The variables that are not live after the edge, but may have a value there.
    fn dying(&self, procedure: ProcId, edge: &Edge) -> BTreeSet<VarId> {
        self.liveness[procedure.index()].dying(&self.program[procedure], edge)
    }

    /// Forgets variables after the last stage. Of several that hold an object, one that holds it until its procedure
    /// returns is left, because it keeps the object from being lost longest.
    ///
    /// That `leaving` variables lead to an object does not count. Where memory is collected, variables that are not
    /// read hold nothing.
    fn forget_all(&self, stages: &mut Vec<Stage>, variables: &BTreeSet<VarId>, leaving: &[VarId]) {
        let (mut pointers, scalars): (Vec<VarId>, Vec<VarId>) =
            variables.iter().partition(|variable| self.program[**variable].ty.is_pointer());
        if self.collected && !pointers.is_empty() {
            let names: Vec<&str> = pointers.iter().map(|variable| self.program[*variable].name.as_str()).collect();
            let mut action = Action { title: format!("{} not used any more", names.join(", ")), ..Action::default() };
            pointers.iter().for_each(|variable| self.predicates.assign(&mut action, *variable, &Value::null()));
            stages.extend([Stage::Alternatives(vec![action]), Stage::Collect]);
            pointers.clear();
        }
        pointers.sort_by_key(|variable| !self.cleared.contains(variable));
        stages.extend(pointers.into_iter().map(|variable| Stage::Alternatives(self.forget(variable, leaving))));
        if let (Some(last), false) = (stages.last_mut(), scalars.is_empty()) {
            let mut actions = match std::mem::replace(last, Stage::Collect) {
                Stage::Alternatives(actions) => actions,
                Stage::Collect => self.collect(),
            };
            for action in &mut actions {
                scalars.iter().for_each(|variable| self.forget_scalar(action, *variable));
            }
            *last = Stage::Alternatives(actions);
        }
    }

    /// Takes the value from a variable that is not read any more, if something else leads to where it points. If
    /// nothing does, the variable still keeps its object from being lost.
    fn forget(&self, x: VarId, leaving: &[VarId]) -> Vec<Action> {
        let predicates = &self.predicates;
        let others = [&[x], leaving].concat();
        let alone = Formula::and([predicates.points(x, v()), predicates.reached(v(), &others).negate()]);
        let alone = Formula::exists([v()], alone);
        let name = &self.program[x].name;
        let mut forgets = Action {
            title: format!("{name} is not used any more"),
            precondition: Some(alone.clone().negate()),
            ..Action::default()
        };
        predicates.assign(&mut forgets, x, &Value::null());
        let value = predicates.value(x);
        let keeps_value = Value { points: value.points, at: value.at, ..Value::null() };
        let mut keeps =
            Action { title: format!("{name} still holds its object"), precondition: Some(alone), ..Action::default() };
        predicates.assign(&mut keeps, x, &keeps_value);
        vec![forgets, keeps]
    }

    /// The ways in which access through `x` to something that is not wanted goes wrong.
    fn access(&self, x: VarId, wanted: &dyn Fn(&Target) -> bool) -> Vec<Failure> {
        let (predicates, name) = (&self.predicates, &self.program[x].name);
        let pointer = predicates.pointer(x);
        let flag = crate::vocabulary::formulas::flag;
        let some = |chosen: &dyn Fn(&Target) -> bool| predicates.some(x, chosen, Formula::TRUE);
        let outside = |target: &Target| !wanted(target) && pointers::is_outside(target);
        let other = |target: &Target| !wanted(target) && !pointers::is_outside(target);
        let failures = [
            (FindingKind::NullDereference, predicates.null(x), "be null"),
            (FindingKind::UninitialisedPointer, flag(pointer.uninit), "have no value"),
            (FindingKind::UseAfterFree, flag(pointer.freed), "point to a freed object"),
            (FindingKind::DanglingStackPointer, flag(pointer.dead), "point to a variable that is no more"),
            (FindingKind::InvalidDereference, some(&outside), "point to no object"),
            (FindingKind::NotAnalysed, some(&other), "point to an object of another struct"),
        ];
        let failure = |(kind, condition, what)| Failure::new(kind, condition, format!("`{name}` may {what}"));
        failures.into_iter().map(failure).collect()
    }
}
