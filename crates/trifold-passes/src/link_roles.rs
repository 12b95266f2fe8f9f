//! Link roles: does a pointer of a struct to its own kind lead on, or back?
//!
//! Names tell it (`prev`, `parent`), and so do stores: after `x->next = y` and `y->prev = x`, one of the two leads back
//! over the other one. Loops mostly go on, so it is the field that fewer statements go along, as in `x = x->next`. If
//! that is equal, it is not the one by which elements are put in front of a list, as in `x->next = first; first = x`,
//! and otherwise the one that is declared later.
//!
//! # Soundness
//! Roles only suggest shapes. An analysis that relies on a wrong one loses precision, never a state.

use crate::contracts::leads_back;
use crate::link_usage::{is_followed, put_in_front};
use std::cell::LazyCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FieldId, Operand, ProcId, Program, Statement, StructId, VarId};

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
        let mut followed: BTreeMap<FieldId, usize> = BTreeMap::new();
        for procedure in procedures.iter().map(|procedure| &program[*procedure]) {
            for edge in &procedure.edges {
                match &edge.statement {
                    Statement::Store { object, field, value: Operand::Pointer(value) } => {
                        stored.insert((*object, *field, *value));
                    }
                    Statement::Load { field, .. } if is_followed(procedure, &edge.statement) => {
                        *followed.entry(*field).or_default() += 1;
                    }
                    _ => {}
                }
            }
        }
        // Most pairs are decided without it.
        let in_front = LazyCell::new(|| put_in_front(program, procedures));
        let followed = |field: FieldId| followed.get(&field).copied().unwrap_or_default();
        let later = |field: FieldId, other: FieldId| match followed(other).cmp(&followed(field)) {
            Ordering::Equal => (!in_front.contains(&field), field) > (!in_front.contains(&other), other),
            order => order.is_gt(),
        };
        for (object, field, value) in &stored {
            for (_, other, _) in stored.iter().filter(|(o, f, v)| (o, v) == (value, object) && f != field) {
                if !back.contains(field) && !back.contains(other) {
                    back.insert(if later(*field, *other) { *field } else { *other });
                }
            }
        }
        for structure in program.struct_ids() {
            // A link leads back over another link, so not all of them can.
            let links = links(program, structure, structure);
            if links.iter().all(|field| back.contains(field)) {
                links.iter().for_each(|field| {
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

/// The fields of a struct, and of the structs inside of it, that lead to objects of another one.
fn links(program: &Program, structure: StructId, to: StructId) -> Vec<FieldId> {
    let fields = program[structure].fields.iter();
    let of_field = |field: &FieldId| match program[*field].ty.target() {
        Some(part) if program[*field].embedded => links(program, part, to),
        target if target == Some(to) => vec![*field],
        _ => Vec::new(),
    };
    fields.flat_map(of_field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields that lead on.
    fn leading(fields: &str, body: &str) -> Vec<String> {
        let text =
            format!("struct node {{ {fields} }} struct list {{ node *first; }} proc f(list *l, node *x) {{ {body} }}");
        let (program, _) =
            trifold_ir::parse("test", &text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        let roles = LinkRoles::of(&program, &program.procedure_ids().collect::<Vec<_>>());
        let fields = program[program.struct_named("node").expect("nodes")].fields.iter();
        fields.filter(|field| roles.leads_on(**field)).map(|field| program[*field].name.clone()).collect()
    }

    #[test]
    fn elements_in_front_lead_on() {
        let push = |on: &str, back: &str| {
            format!("node *old; old = l->first; x->{on} = old; if (old != null) {{ old->{back} = x; }} l->first = x;")
        };
        assert_eq!(leading("node *above; node *below;", &push("below", "above")), ["below"]);
        assert_eq!(leading("node *above; node *below;", &push("above", "below")), ["above"]);
        // Names and loops know more.
        assert_eq!(leading("node *prev; node *next;", &push("prev", "next")), ["next"]);
        let walk = push("below", "above") + "while (x != null) { x = x->above; }";
        assert_eq!(leading("node *above; node *below;", &walk), ["above"]);
    }
}
