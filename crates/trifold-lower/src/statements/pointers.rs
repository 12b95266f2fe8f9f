//! Assignments of pointers.

use super::{Lowering, Steps};
use crate::cells::Holder;
use crate::graph::Failure;
use crate::predicates::{v, w};
use crate::values::Value;
use std::collections::BTreeMap;
use trifold_ir::{FieldId, FindingKind, Operand, Type, VarId};
use trifold_logic::Formula;
use trifold_tvl::Action;

impl Lowering<'_> {
    /// `to = value`
    pub(super) fn set(&self, to: VarId, value: &Operand) -> Steps {
        let mut action = Action::default();
        if self.program[to].ty.is_pointer() {
            self.predicates.assign(&mut action, to, &self.predicates.operand(value));
        } else {
            self.set_scalar(&mut action, to, value);
        }
        let focus = self.focus_on_scalar(Holder::Variable(to), value);
        Steps { focus, ..Steps::one(action) }
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
        let predicates = &self.predicates;
        let structure = Some(self.program[field].structure);
        let inside = predicates.pointer(object).outside.get(&field).copied();
        let mut action = Action { precondition: Some(self.accessible(object, structure)), ..Action::default() };
        let mut steps = Steps {
            failures: self.access(object, structure, Some(field).filter(|_| inside.is_some())),
            ..Steps::default()
        };
        if !self.program[to].ty.is_pointer() {
            self.load_scalar(&mut action, to, object, field);
            steps.stages = vec![vec![action]];
            return steps;
        }
        let value = predicates.field_value(object, field);
        steps.focus = self.focus_on(object, field);
        predicates.assign(&mut action, to, &value);
        steps.stages = vec![vec![action]];
        if let Some(outside) = inside {
            // Before a part that has no container: adding the offset again leads back to the part.
            let part = Formula::atom(outside, [v()]);
            let mut back = Action { precondition: Some(Formula::exists([v()], part.clone())), ..Action::default() };
            predicates.assign(&mut back, to, &Value::object(part));
            steps.stages[0].push(back);
        }
        steps
    }

    /// What is to be definite of the field before it is read or written: where it leads, and that it leads nowhere.
    fn focus_on(&self, object: VarId, field: FieldId) -> Vec<Formula> {
        let link = self.predicates.link(field);
        let status = [link.uninit, link.freed, link.dead].into_iter().flatten();
        let of_object = |p| Formula::and([self.predicates.points(object, v()), Formula::atom(p, [v()])]);
        status.map(of_object).chain([self.predicates.field_value(object, field).points]).collect()
    }

    /// `object->field = value`
    pub(super) fn store(&self, object: VarId, field: FieldId, value: &Operand) -> Steps {
        let structure = Some(self.program[field].structure);
        let mut failures = self.access(object, structure, None);
        let mut fine = self.accessible(object, structure);
        let mut action = Action::default();
        let focus;
        if self.program[field].ty.is_pointer() {
            if let Operand::Pointer(stored) = value {
                let astray = self.predicates.is_outside(*stored, None);
                fine = Formula::and([fine, astray.clone().negate()]);
                let text = format!("`{}` may point to no object, and is stored", self.program[*stored].name);
                // What goes wrong first is that the object cannot be accessed.
                let astray = Formula::and([self.accessible(object, structure), astray]);
                failures.push(Failure::new(FindingKind::NotAnalysed, astray, text));
            }
            self.predicates.store(&mut action, object, field, &self.predicates.operand(value));
            focus = self.focus_on(object, field);
        } else {
            self.store_scalar(&mut action, object, field, value);
            focus = self.focus_on_scalar(Holder::Field(field), value);
        }
        action.precondition = Some(fine);
        Steps { failures, focus, stages: vec![vec![action]] }
    }

    /// `to = owner(part, field)`
    pub(super) fn owner(&self, to: VarId, part: VarId, field: FieldId) -> Steps {
        let predicates = &self.predicates;
        let mut failures = self.access(part, None, None);
        for failure in &mut failures {
            if failure.kind == FindingKind::InvalidDereference {
                failure.kind = FindingKind::NotAnalysed;
                failure.text = format!("the owner of `{}`, which may point to no object", self.program[part].name);
            }
        }
        let swapped = BTreeMap::from([(v(), w()), (w(), v())]);
        let container = Formula::and([predicates.points(part, v()), predicates.edge(field, w(), v())]);
        let container = Formula::exists([w()], container.substitute(&swapped));
        let has_one = Formula::exists([v()], container.clone());
        let mut inside = Action { precondition: Some(has_one.clone()), ..Action::default() };
        predicates.assign(&mut inside, to, &Value::object(container.clone()));
        let fine = self.accessible(part, None);
        let mut outside = Action { precondition: Some(Formula::and([fine, has_one.negate()])), ..Action::default() };
        let value = Value { outside: BTreeMap::from([(field, predicates.points(part, v()))]), ..Value::null() };
        predicates.assign(&mut outside, to, &value);
        Steps { failures, focus: vec![container], stages: vec![vec![inside, outside]] }
    }
}
