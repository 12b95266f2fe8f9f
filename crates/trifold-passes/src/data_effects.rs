//! The effects of procedures on the data of objects that they are given. For example, `x->d = 1` changes the data of
//! the parameter `x`; after `x = new node` it would not.
//!
//! # Soundness
//!
//! A variable that nothing but allocations assign to holds an object that the call itself has made, or none. Any other
//! variable that a store goes through may hold any object, except that a parameter which is never assigned to holds the
//! caller's argument.

use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FieldId, Operand, ProcId, Program, Statement, VarId};

/// The effects of a procedure and those that it calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DataEffects {
    /// They make objects.
    pub makes: bool,
    /// They change data of objects which they have not made.
    pub changes_any: bool,
    /// They change data of the objects that these arguments point to.
    pub changes: BTreeSet<usize>,
}

impl DataEffects {
    /// Do they change data of objects that they are given?
    pub fn changes_data(&self) -> bool {
        self.changes_any || !self.changes.is_empty()
    }
}

/// The effects of these procedures on these fields.
pub fn effects(program: &Program, procedures: &[ProcId], data: &BTreeSet<FieldId>) -> BTreeMap<ProcId, DataEffects> {
    let mut found: BTreeMap<ProcId, DataEffects> = procedures.iter().map(|p| (*p, DataEffects::default())).collect();
    loop {
        let before = found.clone();
        for procedure in procedures {
            let more = of_procedure(program, *procedure, data, &before);
            found.insert(*procedure, more);
        }
        if found == before {
            return found;
        }
    }
}

fn of_procedure(
    program: &Program,
    procedure: ProcId,
    data: &BTreeSet<FieldId>,
    known: &BTreeMap<ProcId, DataEffects>,
) -> DataEffects {
    let mut effects = known[&procedure].clone();
    for edge in &program[procedure].edges {
        match &edge.statement {
            Statement::Allocate { .. } => effects.makes = true,
            Statement::Store { object, field, .. } if data.contains(field) => {
                changed(program, procedure, *object, &mut effects);
            }
            Statement::Call { targets, arguments, .. } => {
                for callee in targets.iter().filter_map(|target| known.get(target)) {
                    effects.makes |= callee.makes;
                    effects.changes_any |= callee.changes_any;
                    for position in &callee.changes {
                        match arguments.get(*position) {
                            Some(Operand::Pointer(object)) => changed(program, procedure, *object, &mut effects),
                            Some(Operand::Null) => {}
                            _ => effects.changes_any = true,
                        }
                    }
                }
            }
            _ => {}
        }
    }
    effects
}

/// The data of the object that a variable points to changes.
fn changed(program: &Program, procedure: ProcId, object: VarId, effects: &mut DataEffects) {
    let body = &program[procedure];
    let mut sets = body.edges.iter().map(|edge| &edge.statement).filter(|set| set.assigned() == Some(object));
    match body.parameters.iter().position(|parameter| *parameter == object) {
        Some(position) if sets.next().is_none() => {
            effects.changes.insert(position);
        }
        Some(_) => effects.changes_any = true,
        None => {
            let is_local = body.locals.contains(&object);
            let own = |set: &Statement| match set {
                Statement::Allocate { .. } => true,
                Statement::Set { value, .. } => matches!(value, Operand::Null | Operand::Uninitialised),
                _ => false,
            };
            effects.changes_any |= !(is_local && sets.all(own));
        }
    }
}
