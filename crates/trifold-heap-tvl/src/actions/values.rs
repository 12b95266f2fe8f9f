//! Values that variables get, and the actions that assign them. For example, the value of `x->n` points to `v` if `∃w
//! x(w) ∧ n(w,v)`, and has no value if `∃w x(w) ∧ uninit[n](w)`.

use crate::vocabulary::formulas::{flag, mark};
use crate::vocabulary::predicates::Predicates;
use crate::vocabulary::variables::{v, w};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Operand, VarId};
use trifold_logic::{Formula, PredicateId, Var};
use trifold_passes::links::LinkId;
use trifold_passes::targets::Path;
use trifold_tvl::{Action, Origin, Retain, Update};
use trifold_work::listen;

/// A pointer value, as formulas: `points` is about `v`, the others are closed. A value of which nothing holds is null.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub points: Formula,
    /// "It points to something at that path."
    pub at: BTreeMap<Path, Formula>,
    pub uninit: Formula,
    pub freed: Formula,
    pub dead: Formula,
}

impl Value {
    pub fn null() -> Value {
        let [points, uninit, freed, dead] = [Formula::FALSE; 4];
        Value { points, uninit, freed, dead, at: BTreeMap::new() }
    }

    pub fn uninitialised() -> Value {
        Value { uninit: Formula::TRUE, ..Value::null() }
    }

    /// The whole object for which the formula, about `v`, holds.
    pub fn object(points: Formula) -> Value {
        let some = Formula::exists([v()], points.clone());
        Value { points, at: BTreeMap::from([(Path::default(), some)]), ..Value::null() }
    }
}

/// Adds the update `predicate(parameters) = formula`.
pub(crate) fn update(action: &mut Action, predicate: PredicateId, parameters: &[Var], formula: Formula) {
    listen();
    let parameters = parameters.to_vec();
    action.updates.push(Update { predicate, parameters, formula, origin: Origin::default() });
}

impl Predicates {
    /// The value of a variable.
    pub fn value(&self, x: VarId) -> Value {
        let pointer = self.pointer(x);
        Value {
            points: self.points(x, v()),
            at: self.paths(x),
            uninit: flag(pointer.uninit),
            freed: flag(pointer.freed),
            dead: flag(pointer.dead),
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

    /// The value of a link of the object that a variable points to, or into.
    pub fn link_value(&self, object: VarId, link: LinkId) -> Value {
        let here = |claim: Formula| match claim {
            Formula::FALSE => Formula::FALSE,
            claim => Formula::exists([w()], Formula::and([self.points(object, w()), claim])),
        };
        let edge = self.edge(link);
        let paths: BTreeSet<&Path> = self.links[link].pointees.targets.iter().map(|target| &target.path).collect();
        Value {
            points: here(self.leads(link, w(), v())),
            at: paths.into_iter().map(|path| (path.clone(), here(self.leads_to_path(link, path)))).collect(),
            uninit: here(mark(edge.uninit, w())),
            freed: here(mark(edge.freed, w())),
            dead: here(mark(edge.dead, w())),
        }
    }

    /// "The link of `w` points to something at the path."
    fn leads_to_path(&self, link: LinkId, path: &Path) -> Formula {
        if let Some(at) = self.edge(link).at.get(path) {
            return Formula::atom(*at, [w()]);
        }
        let targets = &self.links[link].pointees.targets;
        let leads = self.leads(link, w(), v());
        let of_path = targets.iter().filter(|target| target.path == *path);
        let is_one = Formula::or(of_path.clone().map(|target| self.is_a(target.whole, v())));
        let is_one = if of_path.count() == targets.len() { Formula::TRUE } else { is_one };
        Formula::exists([v()], Formula::and([leads, is_one]))
    }

    /// Sets a variable.
    pub fn assign(&self, action: &mut Action, x: VarId, value: &Value) {
        let pointer = self.pointer(x);
        update(action, pointer.points, &[v()], value.points.clone());
        for (predicate, formula) in
            [(pointer.uninit, &value.uninit), (pointer.freed, &value.freed), (pointer.dead, &value.dead)]
        {
            if let Some(predicate) = predicate {
                update(action, predicate, &[], formula.clone());
            }
        }
        for (path, predicate) in &pointer.at {
            update(action, *predicate, &[], value.at.get(path).cloned().unwrap_or(Formula::FALSE));
        }
    }

    /// Sets a link of the object that a variable points to, or into.
    pub fn store(&self, action: &mut Action, object: VarId, link: LinkId, value: &Value) {
        let (edge, object) = (self.edge(link), self.points(object, v()));
        let target = value.points.substitute(&BTreeMap::from([(v(), w())]));
        let kept = self.leads(link, v(), w());
        update(action, edge.leads, &[v(), w()], Formula::if_then_else(object.clone(), target, kept));
        let mut set = |predicate: PredicateId, formula: &Formula| {
            let kept = Formula::atom(predicate, [v()]);
            update(action, predicate, &[v()], Formula::if_then_else(object.clone(), formula.clone(), kept));
        };
        for (predicate, formula) in [(edge.uninit, &value.uninit), (edge.freed, &value.freed), (edge.dead, &value.dead)]
        {
            if let Some(predicate) = predicate {
                set(predicate, formula);
            }
        }
        for (path, predicate) in &edge.at {
            set(*predicate, value.at.get(path).unwrap_or(&Formula::FALSE));
        }
    }

    /// Ends the lives of the objects of which the formula, about `v`, holds. Pointers to them point nowhere afterwards;
    /// variables that the action has assigned before lose their values with that.
    pub fn kill(&self, action: &mut Action, dies: &Formula, by: Death) {
        let assigned: BTreeSet<PredicateId> = action.updates.iter().map(|update| update.predicate).collect();
        for (_, pointer) in self.shared().filter(|(_, pointer)| !assigned.contains(&pointer.points)) {
            let lost = Formula::exists([v()], Formula::and([Formula::atom(pointer.points, [v()]), dies.clone()]));
            if let Some(predicate) = if by == Death::Freed { pointer.freed } else { pointer.dead } {
                update(action, predicate, &[], Formula::or([Formula::atom(predicate, []), lost.clone()]));
            }
            for predicate in pointer.at.values() {
                update(action, *predicate, &[], Formula::and([Formula::atom(*predicate, []), lost.clone().negate()]));
            }
        }
        for edge in self.edges.values() {
            let target = dies.substitute(&BTreeMap::from([(v(), w())]));
            let lost = Formula::exists([w()], Formula::and([Formula::atom(edge.leads, [v(), w()]), target]));
            if let Some(predicate) = if by == Death::Freed { edge.freed } else { edge.dead } {
                let kept = Formula::atom(predicate, [v()]);
                update(action, predicate, &[v()], Formula::or([kept, lost.clone()]));
            }
            for predicate in edge.at.values() {
                let kept = Formula::and([Formula::atom(*predicate, [v()]), lost.clone().negate()]);
                update(action, *predicate, &[v()], kept);
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
