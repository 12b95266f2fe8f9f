//! Loads of a value that a variable already holds become copies.
//!
//! For example, `if (p.n.d < e.d) { p = p.n; }` reads `p.n` twice. The outcome of the comparison is known of the object
//! that was read first, and of the object that is read again only if it is known to be the same. A copy of the variable
//! that still holds it says so.

use std::collections::BTreeSet;
use trifold_ir::{FieldId, NodeId, Operand, ProcId, Procedure, Program, Statement, VarId};
use trifold_work::listen;

/// The facts at a point: this field of the object that the first variable points to has the value of the second one,
/// or is the part that it points to.
pub(crate) type Known = BTreeSet<(VarId, FieldId, VarId)>;

/// The program with loads replaced; edges keep their numbers. Nothing if there is nothing to be done.
pub fn reuse_loads(program: &Program, procedures: &[ProcId]) -> Option<Program> {
    let mut changed = program.clone();
    for procedure in procedures {
        let known = known(program, &program[*procedure]);
        for (number, edge) in program[*procedure].edges.iter().enumerate() {
            let Statement::Load { to, object, field } = edge.statement else { continue };
            if program[field].embedded {
                continue;
            }
            let Some(known) = &known[edge.from.index()] else { continue };
            let held = known.iter().find(|(x, f, _)| (*x, *f) == (object, field)).map(|(_, _, held)| *held);
            if let Some(held) = held.filter(|held| program[*held].ty == program[to].ty) {
                let value = Operand::Pointer(held);
                changed[*procedure].edges[number].statement = Statement::Set { to, value };
            }
        }
    }
    (changed != *program).then_some(changed)
}

/// The facts at each node on all ways there; none for nodes that no way leads to.
pub(crate) fn known(program: &Program, procedure: &Procedure) -> Vec<Option<Known>> {
    let mut known: Vec<Option<Known>> = vec![None; procedure.nodes.len()];
    known[procedure.entry.index()] = Some(Known::new());
    let leaving = procedure.edges_from();
    let mut open: Vec<NodeId> = vec![procedure.entry];
    while let Some(node) = open.pop() {
        listen();
        for edge in leaving[node.index()].iter().map(|edge| &procedure.edges[*edge]) {
            let Some(before) = &known[node.index()] else { continue };
            let after = behind(program, &edge.statement, before);
            let there = &mut known[edge.to.index()];
            let met = there.as_ref().map_or(after.clone(), |there| there.intersection(&after).copied().collect());
            if there.as_ref() != Some(&met) {
                *there = Some(met);
                open.push(edge.to);
            }
        }
    }
    known
}

fn behind(program: &Program, statement: &Statement, before: &Known) -> Known {
    let mut known = before.clone();
    match statement {
        // An object may have other names, so all its fields of that name may have changed.
        Statement::Store { field, .. } => known.retain(|(_, known, _)| known != field),
        Statement::Call { .. } | Statement::UnknownCall { .. } => known.clear(),
        Statement::Free { .. } | Statement::EndLife { .. } | Statement::Return => known.clear(),
        _ => {}
    }
    if let Some(to) = statement.assigned() {
        known.retain(|(object, _, held)| *object != to && *held != to);
    }
    if let Statement::Load { to, object, field } = statement
        && to != object
        && program[*to].ty.is_pointer()
    {
        known.insert((*object, *field, *to));
    }
    known
}
