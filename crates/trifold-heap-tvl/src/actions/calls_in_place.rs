//! Calls.
//!
//! Nothing recurses, so each procedure has at most one call under way, and its graph and variables are there once. The
//! place where a call goes back to is a predicate: for example, `from[f,0]()` holds after the first call of `f`, and is
//! the condition under which its exit leads back there. That is as precise as a copy of the procedure for each call,
//! without the copies.

use super::{Lowering, Stage};
use crate::actions::flow::Failure;
use crate::actions::values::{Value, update};
use crate::vocabulary::predicates::Predicates;
use std::collections::BTreeSet;
use trifold_ir::Place;
use trifold_ir::{Edge, Expr, FindingKind, Operand, ProcId, VarId};
use trifold_logic::Formula;
use trifold_tvl::Action;

impl Lowering<'_> {
    pub(super) fn call(
        &mut self,
        place: Place,
        edge: &Edge,
        title: &str,
        to: Option<VarId>,
        targets: &[ProcId],
        arguments: &[Operand],
    ) {
        let here = self.point(place.procedure, edge.from);
        for target in targets {
            if self.predicates.sides.is_some() {
                self.call_on_heap(place, edge, title, *target, arguments);
                continue;
            }
            let site = self.next_site.entry(*target).or_default();
            let number = *site;
            *site += 1;
            if self.calls.is_recursive(*target) && self.is_around(*target, place.procedure) {
                let text = format!("`{}` is called recursively", self.program[*target].name);
                let failure = Failure::new(FindingKind::NotAnalysed, Formula::TRUE, text);
                self.graph.failure(here, title, vec![failure], place);
                continue;
            }
            self.enter(place, edge, title, to, *target, arguments, number);
            self.come_back(place, edge, title, to, *target, number);
        }
    }

    /// Does the procedure call itself by way of the other one?
    fn is_around(&self, procedure: ProcId, other: ProcId) -> bool {
        let mut open = vec![procedure];
        let mut seen = BTreeSet::new();
        while let Some(next) = open.pop() {
            if next == other {
                return true;
            }
            if seen.insert(next) {
                open.extend(self.calls.callees(next));
            }
        }
        false
    }

    #[expect(clippy::too_many_arguments, reason = "they are the parts of one statement")]
    fn enter(
        &mut self,
        place: Place,
        edge: &Edge,
        title: &str,
        to: Option<VarId>,
        target: ProcId,
        arguments: &[Operand],
        site: usize,
    ) {
        let program = self.program;
        let live = self.liveness[target.index()].at(program[target].entry).clone();
        let mut action = Action { title: title.to_string(), ..Action::default() };
        for (parameter, argument) in program[target].parameters.iter().zip(arguments) {
            if program[*parameter].ty.is_pointer() {
                self.predicates.assign(&mut action, *parameter, &self.predicates.operand(argument));
            } else {
                let focus = self.focus_on_scalar(self.predicates.cells.get(parameter), argument);
                action.focus.extend(focus);
                self.set_scalar(&mut action, *parameter, argument);
            }
        }
        self.pass_numbers(&mut action, &program[target].parameters, arguments);
        begin(&self.predicates, &mut action, &program[target].locals, &live);
        if let Some(at) = self.predicates.sites.get(&(target, site)) {
            update(&mut action, *at, &[], Formula::TRUE);
        }
        let unused = program[target].parameters.iter().copied().filter(|parameter| !live.contains(parameter));
        let mut dying = self.dying(place.procedure, edge);
        // The variable that gets the result is not read before that.
        dying.extend(to.filter(|to| program[place.procedure].variables().any(|own| own == *to)));
        dying.extend(unused);
        let mut stages = vec![Stage::Alternatives(vec![action])];
        self.forget_all(&mut stages, &dying, &[]);
        let (from, into) = (self.point(place.procedure, edge.from), self.point(target, program[target].entry));
        self.chain(from, stages, into, place);
    }

    fn come_back(&mut self, place: Place, edge: &Edge, title: &str, to: Option<VarId>, target: ProcId, site: usize) {
        let program = self.program;
        let mut action = Action { title: format!("{title} returns"), ..Action::default() };
        let result = program[target].result;
        let is_pointer = |variable: VarId| program[variable].ty.is_pointer();
        match to {
            Some(to) if is_pointer(to) => {
                let value = result.map_or_else(Value::uninitialised, |result| self.predicates.value(result));
                self.predicates.assign(&mut action, to, &value);
            }
            Some(to) => {
                let value = result.map_or(Operand::Uninitialised, |result| Operand::Scalar(Expr::Variable(result)));
                self.set_scalar(&mut action, to, &value);
            }
            None => {}
        }
        match result {
            Some(result) if is_pointer(result) => self.predicates.assign(&mut action, result, &Value::null()),
            Some(result) => self.forget_scalar(&mut action, result),
            None => {}
        }
        if let Some(at) = self.predicates.sites.get(&(target, site)) {
            action.precondition = Some(Formula::atom(*at, []));
            update(&mut action, *at, &[], Formula::FALSE);
        }
        let mut stages = vec![Stage::Alternatives(vec![action]), Stage::Collect];
        let dead = to.filter(|to| {
            let own = program[place.procedure].variables().any(|own| own == *to);
            own && !self.liveness[place.procedure.index()].at(edge.to).contains(to)
        });
        self.forget_all(&mut stages, &dead.into_iter().collect(), &[]);
        let (from, back) = (self.point(target, program[target].exit), self.point(place.procedure, edge.to));
        self.chain(from, stages, back, place);
    }
}

/// The locals of a call that begins have no values. Only those that are live can show it.
pub(crate) fn begin(predicates: &Predicates, action: &mut Action, locals: &[VarId], live: &BTreeSet<VarId>) {
    for local in locals {
        if let Some(uninit) = predicates.pointers.get(local).and_then(|pointer| pointer.uninit)
            && live.contains(local)
        {
            update(action, uninit, &[], Formula::TRUE);
        }
    }
}
