//! Values that variables get, and the actions that assign them.

use crate::formulas::{flag, mark};
use crate::predicates::{Predicates, v, w};
use std::collections::BTreeMap;
use trifold_ir::{FieldId, Operand, VarId};
use trifold_logic::{Formula, PredicateId, Var};
use trifold_tvl::{Action, Origin, Retain, Update};

/// A pointer value, as formulas: `points` and `outside` about `v`. A value of which nothing holds is null.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub points: Formula,
    pub uninit: Formula,
    pub freed: Formula,
    pub dead: Formula,
    pub outside: BTreeMap<FieldId, Formula>,
}

impl Value {
    pub fn null() -> Value {
        let [points, uninit, freed, dead] = [Formula::FALSE; 4];
        Value { points, uninit, freed, dead, outside: BTreeMap::new() }
    }

    pub fn uninitialised() -> Value {
        Value { uninit: Formula::TRUE, ..Value::null() }
    }

    /// The object for which the formula, about `v`, holds.
    pub fn object(points: Formula) -> Value {
        Value { points, ..Value::null() }
    }
}

/// Adds the update `predicate(parameters) = formula`.
pub(crate) fn update(action: &mut Action, predicate: PredicateId, parameters: &[Var], formula: Formula) {
    let parameters = parameters.to_vec();
    action.updates.push(Update { predicate, parameters, formula, origin: Origin::default() });
}

impl Predicates {
    /// The value of a variable.
    pub fn value(&self, x: VarId) -> Value {
        let pointer = self.pointer(x);
        Value {
            points: self.points(x, v()),
            uninit: flag(pointer.uninit),
            freed: flag(pointer.freed),
            dead: flag(pointer.dead),
            outside: pointer.outside.iter().map(|(field, p)| (*field, Formula::atom(*p, [v()]))).collect(),
        }
    }

    /// The value of an operand.
    pub fn operand(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Pointer(x) => self.value(*x),
            Operand::Uninitialised => Value::uninitialised(),
            Operand::Null | Operand::Scalar(_) => Value::null(),
        }
    }

    /// The value of a field of the object that a variable points to.
    pub fn field_value(&self, object: VarId, field: FieldId) -> Value {
        let link = self.link(field);
        let here = |mark: Formula| match mark {
            Formula::FALSE => Formula::FALSE,
            mark => Formula::exists([w()], Formula::and([self.points(object, w()), mark])),
        };
        Value {
            points: here(self.edge(field, w(), v())),
            uninit: here(mark(link.uninit, w())),
            freed: here(mark(link.freed, w())),
            dead: here(mark(link.dead, w())),
            outside: BTreeMap::new(),
        }
    }

    /// Sets a variable.
    pub fn assign(&self, action: &mut Action, x: VarId, value: &Value) {
        let pointer = self.pointer(x);
        update(action, pointer.points, &[v()], value.points.clone());
        for (predicate, formula) in
            [(pointer.uninit, &value.uninit), (pointer.freed, &value.freed), (pointer.dead, &value.dead)]
        {
            if let Some(predicate) = predicate {
                update(action, predicate, &[], closed(formula));
            }
        }
        for (field, predicate) in &pointer.outside {
            let formula = value.outside.get(field).cloned().unwrap_or(Formula::FALSE);
            update(action, *predicate, &[v()], formula);
        }
    }

    /// Sets a field of the object that a variable points to.
    pub fn store(&self, action: &mut Action, object: VarId, field: FieldId, value: &Value) {
        let link = self.link(field);
        let target = value.points.substitute(&BTreeMap::from([(v(), w())]));
        let here = self.points(object, v());
        let kept = self.edge(field, v(), w());
        update(action, link.edge, &[v(), w()], Formula::if_then_else(here.clone(), target, kept));
        for (predicate, formula) in [(link.uninit, &value.uninit), (link.freed, &value.freed), (link.dead, &value.dead)]
        {
            if let Some(predicate) = predicate {
                let kept = Formula::atom(predicate, [v()]);
                let value = Formula::if_then_else(here.clone(), closed(formula), kept);
                update(action, predicate, &[v()], value);
            }
        }
    }

    /// Ends the lives of the objects of which the formula, about `v`, holds. What points to them points nowhere afterwards; variables
    /// that the action has assigned before lose their values with that.
    pub fn kill(&self, action: &mut Action, dies: &Formula, by: Death) {
        for pointer in self.pointers.values() {
            let lost = Formula::exists([v()], Formula::and([Formula::atom(pointer.points, [v()]), dies.clone()]));
            let predicate = if by == Death::Freed { pointer.freed } else { pointer.dead };
            if let Some(predicate) = predicate
                && !action.updates.iter().any(|update| update.predicate == predicate)
            {
                update(action, predicate, &[], Formula::or([Formula::atom(predicate, []), lost]));
            }
        }
        for link in self.links.values() {
            let [from, to] = [v(), w()];
            let target = dies.substitute(&BTreeMap::from([(v(), w())]));
            let lost =
                Formula::exists([to.clone()], Formula::and([Formula::atom(link.edge, [from.clone(), to]), target]));
            if let Some(predicate) = if by == Death::Freed { link.freed } else { link.dead } {
                let kept = Formula::atom(predicate, [from.clone()]);
                update(action, predicate, &[from], Formula::or([kept, lost]));
            }
        }
        action.retain = Some(Retain { variable: v(), formula: dies.clone().negate() });
    }
}

/// How objects die.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Death {
    /// By `free`.
    Freed,
    /// With their procedure or block.
    OutOfScope,
}

/// The formula, quantified over what it leaves open. Flags do not depend on individuals.
fn closed(formula: &Formula) -> Formula {
    Formula::exists(formula.free_vars(), formula.clone())
}
