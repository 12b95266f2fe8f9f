//! Link roles: does a pointer of a struct to its own kind lead on, or back?
//!
//! Names tell it (`prev`, `parent`), and so do stores: after `x->next = y` and `y->prev = x`, the field that is
//! declared later leads back over the other one.
//!
//! # Soundness
//! Roles only suggest shapes. An analysis that relies on a wrong one loses precision, never a state.

use crate::contracts::leads_back;
use std::collections::BTreeSet;
use trifold_ir::{FieldId, Operand, ProcId, Program, Statement, VarId};

/// The roles of fields.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinkRoles {
    /// Fields that lead back.
    back: BTreeSet<FieldId>,
    /// Fields that get other values than null.
    used: BTreeSet<FieldId>,
}

impl LinkRoles {
    /// The roles that names and the stores of these procedures show.
    pub fn of(program: &Program, procedures: &[ProcId]) -> LinkRoles {
        let named = |field: &FieldId| leads_back(&program[*field].name);
        let all = (0..program.fields.len()).map(FieldId::from_index);
        let mut back: BTreeSet<FieldId> = all.filter(named).collect();
        let mut stored: BTreeSet<(VarId, FieldId, VarId)> = BTreeSet::new();
        for edge in procedures.iter().flat_map(|procedure| &program[*procedure].edges) {
            if let Statement::Store { object, field, value: Operand::Pointer(value) } = &edge.statement {
                stored.insert((*object, *field, *value));
            }
        }
        for (object, field, value) in &stored {
            for (_, other, _) in stored.iter().filter(|(o, f, v)| (o, v) == (value, object) && f != field) {
                if !back.contains(field) && !back.contains(other) {
                    back.insert(*field.max(other));
                }
            }
        }
        for structure in program.struct_ids() {
            let fields = program[structure].fields.iter();
            let mut links = fields.filter(|field| program[**field].ty.target() == Some(structure)).peekable();
            // A link leads back over another link, so not all of them can.
            if links.peek().is_some() && links.clone().all(|field| back.contains(field)) {
                links.for_each(|field| {
                    back.remove(field);
                });
            }
        }
        let used = stored.iter().map(|(_, field, _)| *field).collect();
        LinkRoles { back, used }
    }

    /// Does a field lead on, to the next element or to a child?
    pub fn leads_on(&self, field: FieldId) -> bool {
        self.used.contains(&field) && !self.back.contains(&field)
    }

    /// Does a field lead back?
    pub fn leads_back(&self, field: FieldId) -> bool {
        self.back.contains(&field)
    }
}
