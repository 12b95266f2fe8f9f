//! Assignments of pointers. For example, `y = x->n` gives `y(v)` the value `∃w x(w) ∧ n(w,v)`, and has the failure that
//! `x` points to no object.

use super::{Lowering, Steps};
use crate::actions::flow::Failure;
use crate::actions::values::Value;
use crate::vocabulary::formulas::mark;
use crate::vocabulary::variables::{v, w};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FieldId, FindingKind, Operand, Type, VarId};
use trifold_logic::Formula;
use trifold_passes::links::LinkId;
use trifold_passes::targets::Target;
use trifold_tvl::{Action, Origin};

impl Lowering<'_> {
    /// `to = value`
    pub(super) fn set(&self, to: VarId, value: &Operand) -> Steps {
        let mut action = Action::default();
        if self.program[to].ty.is_pointer() {
            self.predicates.assign(&mut action, to, &self.predicates.operand(value));
        } else {
            self.set_scalar(&mut action, to, value);
        }
        action.focus = self.focus_on_scalar(self.predicates.cells.get(&to), value);
        Steps::one(action)
    }

    /// `to = nondet(low, high)`
    pub(super) fn nondet(&self, to: VarId, range: Option<(i128, i128)>) -> Steps {
        let mut action = Action::default();
        if let Type::Scalar(scalar) = self.program[to].ty {
            self.set_any(&mut action, to, range.unwrap_or(scalar.range()));
        }
        Steps::one(action)
    }

    /// `to = object->field`
    pub(super) fn load(&self, to: VarId, object: VarId, field: FieldId) -> Steps {
        let program = self.program;
        let readable = |target: &Target| match program[field].embedded {
            true => target.part(program, field).is_some(),
            false => target.slot(program, field).is_some(),
        };
        let failures = self.access(object, &readable);
        let alternatives = if program[field].embedded {
            let fine = self.predicates.some(object, &readable, Formula::TRUE);
            let mut action = Action { precondition: Some(fine), ..Action::default() };
            let value = self.moved(object, &|target| target.part(program, field));
            self.predicates.assign(&mut action, to, &value);
            vec![action]
        } else if program[to].ty.is_pointer() {
            let one = |(link, fine)| {
                let mut action = Action { precondition: Some(fine), ..Action::default() };
                action.focus = self.focus_on(object, link);
                action.focus.extend(self.focus_under(object, link));
                self.predicates.assign(&mut action, to, &self.predicates.link_value(object, link));
                action
            };
            self.accessed(object, field).into_iter().map(one).collect()
        } else {
            let one = |(link, fine)| {
                let mut action = Action { precondition: Some(fine), ..Action::default() };
                self.load_scalar(&mut action, to, object, link);
                action
            };
            self.accessed(object, field).into_iter().map(one).collect()
        };
        Steps { failures, stages: vec![alternatives] }
    }

    /// The links that a field of the object of `x` can be, each with a condition under which it is. They exclude each
    /// other.
    pub(super) fn accessed(&self, x: VarId, field: FieldId) -> Vec<(LinkId, Formula)> {
        let predicates = &self.predicates;
        let link_of =
            |target: &Target| target.slot(self.program, field).and_then(|slot| predicates.links.of_slot(&slot));
        let found: BTreeSet<LinkId> = predicates.pointer(x).targets.iter().filter_map(link_of).collect();
        let condition = |link| predicates.some(x, &|target| link_of(target) == Some(link), Formula::TRUE);
        found.into_iter().map(|link| (link, condition(link))).collect()
    }

    /// The formulas of a link that are to be definite before it is read or written: where it leads, and that it leads
    /// nowhere.
    fn focus_on(&self, object: VarId, link: LinkId) -> Vec<(Formula, Origin)> {
        let predicates = &self.predicates;
        let edge = predicates.edge(link);
        let marks = [edge.uninit, edge.freed, edge.dead].into_iter().flatten().chain(edge.at.values().copied());
        let claims = marks.map(|p| mark(Some(p), w())).chain([predicates.leads(link, w(), v())]);
        let of_object = |claim| Formula::exists([w()], Formula::and([predicates.points(object, w()), claim]));
        claims.map(|claim| (of_object(claim), Origin::default())).collect()
    }

    /// The objects that are reached by way of the link, while it is known how they compare to the object.
    fn focus_under(&self, object: VarId, link: LinkId) -> Option<(Formula, Origin)> {
        let under = self.predicates.under(self.predicates.edge(link).leads)?;
        let reached = Formula::and([self.predicates.points(object, w()), Formula::atom(under, [w(), v()])]);
        Some((Formula::exists([w()], reached), Origin::default()))
    }

    /// `object->field = value`
    pub(super) fn store(&self, object: VarId, field: FieldId, value: &Operand) -> Steps {
        let (program, predicates) = (self.program, &self.predicates);
        let writable = |target: &Target| target.slot(program, field).is_some();
        let mut failures = self.access(object, &writable);
        let mut astray = Formula::FALSE;
        if let Operand::Pointer(stored) = value {
            astray = predicates.some(*stored, &is_outside, Formula::TRUE);
            let text = format!("`{}` may point to no object, and is stored", program[*stored].name);
            // The failure that comes first is that the object cannot be accessed.
            let fine = predicates.some(object, &writable, Formula::TRUE);
            failures.push(Failure::new(FindingKind::NotAnalysed, Formula::and([fine, astray.clone()]), text));
        }
        let one = |(link, fine)| {
            let fine = Formula::and([fine, astray.clone().negate()]);
            let mut action = Action { precondition: Some(fine), ..Action::default() };
            if program[field].ty.is_pointer() {
                predicates.store(&mut action, object, link, &predicates.operand(value));
                action.focus = self.focus_on(object, link);
            } else {
                self.store_scalar(&mut action, object, link, value);
            }
            action
        };
        let mut alternatives: Vec<Action> = self.accessed(object, field).into_iter().map(one).collect();
        // Nothing is known of links that are not read.
        let is_left_out =
            |target: &Target| target.slot(program, field).is_some_and(|slot| predicates.links.of_slot(&slot).is_none());
        let fine = predicates.some(object, &is_left_out, Formula::TRUE);
        if fine != Formula::FALSE {
            alternatives.push(Action { precondition: Some(fine), ..Action::default() });
        }
        Steps { failures, stages: vec![alternatives] }
    }

    /// `to = owner(part, field)`
    pub(super) fn owner(&self, to: VarId, part: VarId, field: FieldId) -> Steps {
        let is_object = |target: &Target| target.owner(field).is_some();
        let mut failures = self.access(part, &is_object);
        for failure in failures.iter_mut().filter(|failure| failure.kind == FindingKind::InvalidDereference) {
            failure.kind = FindingKind::NotAnalysed;
            failure.text = format!("the owner of `{}`, which may point to no object", self.program[part].name);
        }
        let fine = self.predicates.some(part, &is_object, Formula::TRUE);
        let mut action = Action { precondition: Some(fine), ..Action::default() };
        self.predicates.assign(&mut action, to, &self.moved(part, &|target| target.owner(field)));
        Steps { failures, ..Steps::one(action) }
    }

    /// The pointer to another place in the same object, as a value.
    fn moved(&self, x: VarId, to: &dyn Fn(&Target) -> Option<Target>) -> Value {
        let mut at = BTreeMap::new();
        let paths = self.predicates.paths(x);
        for target in &self.predicates.pointer(x).targets {
            if let Some(moved) = to(target) {
                let cases: &mut Vec<Formula> = at.entry(moved.path).or_default();
                if !cases.contains(&paths[&target.path]) {
                    cases.push(paths[&target.path].clone());
                }
            }
        }
        let at = at.into_iter().map(|(path, cases)| (path, Formula::or(cases))).collect();
        Value { points: self.predicates.points(x, v()), at, ..Value::null() }
    }
}

/// Is it a place before a part, where no object is?
pub(super) fn is_outside(target: &Target) -> bool {
    target.path.before.is_some()
}
