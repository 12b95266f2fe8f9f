//! Numbers lead to things that exist, and tables agree with each other; control flow is complete. For example, an edge
//! to node 7 of a procedure with three nodes is an error.

use super::Errors;
use crate::computation::Meaning;
use crate::ids::{FieldId, ProcId, VarId};
use crate::operand::{Expr, Operand};
use crate::program::{Edge, Procedure, Program, Scope, Type};
use crate::scalar::Scalar;
use crate::statement::Statement;
use trifold_source::{FileId, Span, Trail};

pub(super) fn check(program: &Program, errors: &mut Errors) {
    for (id, structure) in program.struct_ids().zip(&program.structs) {
        for (position, field) in structure.fields.iter().enumerate() {
            let agrees = |field: &FieldId| {
                program
                    .fields
                    .get(field.index())
                    .is_some_and(|field| field.structure == id && field.position == position)
            };
            errors.require(agrees(field), structure.span, || format!("field {position} is another struct's"));
        }
    }
    for (index, field) in program.fields.iter().enumerate() {
        let structure = program.structs.get(field.structure.index());
        let listed =
            structure.is_some_and(|structure| structure.fields.get(field.position).map(|f| f.index()) == Some(index));
        errors.require(listed, field.span, || format!("`{}` is no field of its struct", field.name));
        check_type(program, field.ty, field.span, errors);
    }
    for (index, variable) in program.variables.iter().enumerate() {
        check_type(program, variable.ty, variable.span, errors);
        let count = |list: fn(&Procedure) -> &Vec<VarId>, procedure: ProcId| {
            let procedure = program.procedures.get(procedure.index());
            procedure.map_or(0, |procedure| list(procedure).iter().filter(|id| id.index() == index).count())
        };
        let listed = match variable.scope {
            Scope::Global => true,
            Scope::Parameter(procedure) => count(|procedure| &procedure.parameters, procedure) == 1,
            Scope::Local(procedure) => count(|procedure| &procedure.locals, procedure) == 1,
        };
        errors.require(listed, variable.span, || format!("`{}` is no variable of its procedure", variable.name));
    }
    let entry_exists = program.entry.is_none_or(|entry| entry.index() < program.procedures.len());
    let nowhere = Span { file: FileId(0), start: 0, end: 0, trail: Trail::NONE };
    errors.require(entry_exists, nowhere, || "the entry is no procedure".to_string());
    for (id, procedure) in program.procedure_ids().zip(&program.procedures) {
        check_procedure(program, id, procedure, errors);
    }
}

fn check_type(program: &Program, ty: Type, span: Span, errors: &mut Errors) {
    match ty {
        Type::Pointer(target) => {
            let exists = target.is_none_or(|target| target.index() < program.structs.len());
            errors.require(exists, span, || "the type points to no struct".to_string());
        }
        Type::Scalar(scalar) => check_scalar(scalar, span, errors),
    }
}

fn check_scalar(scalar: Scalar, span: Span, errors: &mut Errors) {
    if let Scalar::Int { bits, .. } = scalar {
        errors.require((1..=Scalar::MAX_BITS).contains(&bits), span, || format!("integers of {bits} bits"));
    }
}

fn check_procedure(program: &Program, id: ProcId, procedure: &Procedure, errors: &mut Errors) {
    let span = procedure.span;
    let scope = |variable: VarId| program.variables.get(variable.index()).map(|variable| variable.scope);
    let parameters = procedure.parameters.iter().all(|variable| scope(*variable) == Some(Scope::Parameter(id)));
    let locals = procedure.locals.iter().all(|variable| scope(*variable) == Some(Scope::Local(id)));
    errors.require(parameters && locals, span, || "a variable of the procedure belongs elsewhere".to_string());
    let result = procedure.result.is_none_or(|result| procedure.locals.contains(&result));
    errors.require(result, span, || "the result is no local variable".to_string());
    let count = procedure.nodes.len();
    let ends = procedure.entry.index() < count && procedure.exit.index() < count;
    errors.require(ends && procedure.entry != procedure.exit, span, || {
        "entry and exit are not two nodes of the procedure".to_string()
    });
    let mut complete = ends;
    for edge in &procedure.edges {
        let nodes = edge.from.index() < count && edge.to.index() < count;
        errors.require(nodes, edge.span, || "the edge has an end that is no node".to_string());
        complete &= nodes;
        check_flow(procedure, edge, errors);
        check_statement(program, id, edge, errors);
    }
    if complete {
        check_successors(procedure, errors);
    }
}

fn check_flow(procedure: &Procedure, edge: &Edge, errors: &mut Errors) {
    errors.require(edge.from != procedure.exit, edge.span, || "the edge leaves the exit".to_string());
    let to_exit = edge.to == procedure.exit;
    let returns = edge.statement == Statement::Return;
    errors.require(to_exit || !returns, edge.span, || "a return that does not lead to the exit".to_string());
    errors.require(!to_exit || returns || !edge.statement.falls_through(), edge.span, || {
        "the exit is reached without a return".to_string()
    });
}

/// Execution must not get stuck: where it can come, it can go on.
fn check_successors(procedure: &Procedure, errors: &mut Errors) {
    let leaving = procedure.edges_from();
    let mut reached = vec![false; procedure.nodes.len()];
    let mut open = vec![procedure.entry];
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut reached[node.index()], true) || node == procedure.exit {
            continue;
        }
        let edges = leaving[node.index()].iter().map(|edge| &procedure.edges[*edge]);
        errors.require(edges.len() > 0, procedure.span, || format!("nothing leads on from node {}", node.0));
        open.extend(edges.filter(|edge| edge.statement.falls_through()).map(|edge| edge.to));
    }
}

fn check_statement(program: &Program, id: ProcId, edge: &Edge, errors: &mut Errors) {
    let mut known = |variable: VarId| {
        let scope = program.variables.get(variable.index()).map(|variable| variable.scope);
        let known =
            [Scope::Global, Scope::Parameter(id), Scope::Local(id)].into_iter().any(|known| scope == Some(known));
        errors.require(known, edge.span, || "a variable of another procedure".to_string());
    };
    edge.statement.for_each_read_in_runs(&mut known);
    edge.statement.assigned().into_iter().for_each(known);
    match &edge.statement {
        Statement::Load { field, .. } | Statement::Store { field, .. } | Statement::Owner { field, .. } => {
            errors.require(field.index() < program.fields.len(), edge.span, || "there is no such field".to_string());
        }
        Statement::Allocate { structure, .. } => {
            errors.require(structure.index() < program.structs.len(), edge.span, || {
                "there is no such struct".to_string()
            });
        }
        Statement::Call { targets, .. } => {
            let exist = targets.iter().all(|target| target.index() < program.procedures.len());
            errors.require(exist && !targets.is_empty(), edge.span, || "a call of no procedure".to_string());
        }
        _ => {}
    }
    edge.statement.for_each_expr(&mut |expr| check_expr(expr, edge.span, errors));
    if let Statement::Nondet { meaning: Meaning::Computed(_, arguments), .. } = &edge.statement {
        for argument in arguments {
            if let Operand::Scalar(expr) = argument {
                check_expr(expr, edge.span, errors);
            }
        }
    }
}

fn check_expr(expr: &Expr, span: Span, errors: &mut Errors) {
    match expr {
        Expr::Constant(_, scalar) => check_scalar(*scalar, span, errors),
        Expr::Variable(_) => {}
        Expr::Unary(_, operand) => check_expr(operand, span, errors),
        Expr::Convert(scalar, operand) => {
            check_scalar(*scalar, span, errors);
            check_expr(operand, span, errors);
        }
        Expr::Binary(_, left, right) => {
            check_expr(left, span, errors);
            check_expr(right, span, errors);
        }
    }
}
