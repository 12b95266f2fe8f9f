//! Fields that are overwritten after a call before the procedure reads them lose their values before it.
//!
//! The object that such a field leads to may be a cutpoint of the call, and yet it is not looked at [RinetzkySY05 §4,
//! where that was done by hand]. Whether the callee does is not known beforehand. So the field is not set to null but
//! left without a value: a statement that reads it after all is found, and then the result is of no use. It is of no
//! use either if the field cannot be written, because the object was freed, as a run may not come to the store.
//!
//! For example, `f(y); x->n = null;` becomes `if (x != null) { x->n = no value; } f(y); x->n = null;`.
//!
//! # Soundness
//!
//! A program in which no pointer without a value is used behaves as if the pointer had one. It may lose
//! objects earlier.

use std::collections::BTreeSet;
use trifold_ir::{Condition, Edge, FieldId, Node, Operand, ProcId, Procedure, Program, Statement, VarId};

/// Fields of the objects that variables point to.
type Fields = BTreeSet<(VarId, FieldId)>;

/// The program without the values of dead fields; its edges keep their numbers. Nothing if there are none.
pub fn without_dead_fields(program: &Program, procedures: &[ProcId]) -> Option<Program> {
    let mut changed = program.clone();
    for procedure in procedures {
        let dead = dead_fields(program, &program[*procedure]);
        for number in 0..program[*procedure].edges.len() {
            let Edge { statement, to, .. } = &program[*procedure].edges[number];
            if matches!(statement, Statement::Call { .. }) {
                let held = dead[to.index()].iter().filter(|(object, _)| statement.assigned() != Some(*object));
                held.for_each(|field| clear(&mut changed[*procedure], number, *field));
            }
        }
    }
    (changed != *program).then_some(changed)
}

/// `if (x != null) { x->f = no value; }`, before an edge.
fn clear(procedure: &mut Procedure, edge: usize, (object, field): (VarId, FieldId)) {
    let Edge { from, span, .. } = procedure.edges[edge];
    let [some, done] = [(); 2].map(|()| procedure.add_node(Node::default()));
    let is_null =
        |equal| Statement::Assume(Condition::Pointers { left: Operand::Pointer(object), right: Operand::Null, equal });
    procedure.add_edge(from, done, is_null(true), span);
    procedure.add_edge(from, some, is_null(false), span);
    procedure.add_edge(some, done, Statement::Store { object, field, value: Operand::Uninitialised }, span);
    procedure.edges[edge].from = done;
}

/// For each node: the fields that every way from there overwrites, before the procedure reads any field of that name.
fn dead_fields(program: &Program, procedure: &Procedure) -> Vec<Fields> {
    let stored = procedure.edges.iter().filter_map(|edge| match edge.statement {
        Statement::Store { object, field, .. } if program[field].ty.is_pointer() => Some((object, field)),
        _ => None,
    });
    let all: Fields = stored.filter(|(object, _)| procedure.variables().any(|own| own == *object)).collect();
    let mut dead = vec![all; procedure.nodes.len()];
    dead[procedure.exit.index()].clear();
    loop {
        let before = dead.clone();
        for edge in procedure.edges.iter().filter(|edge| edge.statement.falls_through()) {
            let mut here = dead[edge.to.index()].clone();
            match &edge.statement {
                Statement::Load { field, .. } => here.retain(|(_, dead)| dead != field),
                Statement::Free { .. } | Statement::EndLife { .. } => here.clear(),
                _ => {}
            }
            if let Some(to) = edge.statement.assigned() {
                here.retain(|(object, _)| *object != to);
            }
            if let Statement::Store { object, field, .. } = &edge.statement {
                here.insert((*object, *field));
            }
            dead[edge.from.index()].retain(|field| here.contains(field));
        }
        if dead == before {
            return dead;
        }
    }
}
