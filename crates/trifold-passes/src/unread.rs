//! Unread links and fields: pointers to the root that every node of a tree has, `prev` of a list that is walked
//! forwards only. No statement of the program reads them.
//!
//! A program goes on in the same way for all values in them, and more can only be lost: so a program without leaks in
//! which null is stored instead stands for the one that is meant. Then nothing has to be tracked of these links, and
//! variables that are read only to be stored there are not live. For example, if no statement reads `prev`, `y->prev =
//! x` becomes `y->prev = null`.

use crate::call_graph::CallGraph;
use crate::links::{LinkId, Links};
use crate::liveness::Liveness;
use crate::points_to::PointsTo;
use crate::targets::Slot;
use std::collections::BTreeSet;
use trifold_ir::{FieldId, Operand, ProcId, Program, Statement, VarId};

/// The links of pointers that the procedures store to but never load.
pub fn unread_links(program: &Program, procedures: &[ProcId], points_to: &PointsTo, links: &Links) -> BTreeSet<LinkId> {
    if may_read_any(program, procedures) {
        return BTreeSet::new();
    }
    let used = links.pointers(program).filter(|(_, link)| !link.pointees.targets.is_empty());
    let mut unread: BTreeSet<LinkId> = used.map(|(id, _)| id).collect();
    let accessed = |x: VarId, field: FieldId| accessed(program, points_to, links, x, field);
    for statement in statements(program, procedures) {
        if let Statement::Load { object, field, .. } = statement {
            unread = &unread - &accessed(*object, *field);
        }
    }
    // A store is left out for all links that it may be to, or for none.
    loop {
        let before = unread.len();
        for statement in statements(program, procedures) {
            if let Statement::Store { object, field, .. } = statement {
                let all = accessed(*object, *field);
                if !all.is_subset(&unread) {
                    unread = &unread - &all;
                }
            }
        }
        if unread.len() == before {
            return unread;
        }
    }
}

/// The fields that no statement reads. A pointer may still keep an object from being lost, so it only counts if objects
/// are found by another field of its kind.
pub fn unread_fields(program: &Program, procedures: &[ProcId]) -> BTreeSet<FieldId> {
    if may_read_any(program, procedures) {
        return BTreeSet::new();
    }
    let loaded = |statement: &Statement| match statement {
        Statement::Load { field, .. } => Some(*field),
        _ => None,
    };
    let read: BTreeSet<FieldId> = statements(program, procedures).filter_map(loaded).collect();
    let is_replaced = |field: FieldId| read.iter().any(|other| program[*other].ty == program[field].ty);
    let fields = (0..program.fields.len()).map(FieldId::from_index);
    fields
        .filter(|field| !read.contains(field) && !program[*field].embedded)
        .filter(|field| !program[*field].ty.is_pointer() || is_replaced(*field))
        .collect()
}

/// Is there a call of a function without a body? It may read any field.
fn may_read_any(program: &Program, procedures: &[ProcId]) -> bool {
    statements(program, procedures).any(|statement| matches!(statement, Statement::UnknownCall { .. }))
}

/// The program with null in all links that no statement reads, if there are any such.
///
/// It behaves as the program, but may lose more: if nothing goes wrong in it, nothing does in the program.
pub fn without_unread(program: &Program, entry: ProcId) -> Option<Program> {
    let procedures = CallGraph::of(program).reached(entry);
    let live = |id: ProcId| Liveness::until_exit(&program[id], program[id].result.into_iter().collect());
    let liveness: Vec<Liveness> = program.procedure_ids().map(live).collect();
    let points_to = PointsTo::of(program, &procedures, entry, &liveness);
    let links = Links::of(program, &points_to, &BTreeSet::new());
    let unread = unread_links(program, &procedures, &points_to, &links);
    let mut lean = program.clone();
    leave_out(&mut lean, &procedures, &points_to, &links, &unread);
    (!unread.is_empty()).then_some(lean)
}

/// Stores null in these links, of all procedures.
pub fn leave_out(
    program: &mut Program,
    procedures: &[ProcId],
    points_to: &PointsTo,
    links: &Links,
    unread: &BTreeSet<LinkId>,
) {
    for procedure in procedures {
        for number in 0..program[*procedure].edges.len() {
            let Statement::Store { object, field, .. } = program[*procedure].edges[number].statement else { continue };
            let all = accessed(program, points_to, links, object, field);
            if !all.is_empty()
                && all.is_subset(unread)
                && let Statement::Store { value, .. } = &mut program[*procedure].edges[number].statement
            {
                *value = Operand::Null;
            }
        }
    }
}

/// The slots of links.
pub fn slots_of(links: &Links, chosen: &BTreeSet<LinkId>) -> BTreeSet<Slot> {
    chosen.iter().flat_map(|link| links[*link].slots.iter().cloned()).collect()
}

/// The links that a field of the object of a variable can be.
fn accessed(program: &Program, points_to: &PointsTo, links: &Links, x: VarId, field: FieldId) -> BTreeSet<LinkId> {
    let slots = points_to.variable(x).targets.iter().filter_map(|target| target.slot(program, field));
    slots.filter_map(|slot| links.of_slot(&slot)).collect()
}

fn statements<'p>(program: &'p Program, procedures: &'p [ProcId]) -> impl Iterator<Item = &'p Statement> {
    procedures.iter().flat_map(|procedure| &program[*procedure].edges).map(|edge| &edge.statement)
}
