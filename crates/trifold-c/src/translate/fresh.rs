//! Variables that point to nothing but objects which their own call has allocated.
//!
//! The rest of an expression, evaluated before or after the call, cannot notice changes of such objects, because it
//! comes to them only by the writes of the function to other places. For example, `l->next = make()` does not depend on
//! the order of evaluation because `make` sets the `next` of a new element.

use super::forms::{called, root};
use crate::library::{Known, Row};
use crate::typed::{DeclarationId, DeclarationKind, Expr, ExprKind, Function, Program, StmtKind, Storage};
use std::collections::{BTreeMap, BTreeSet};

/// The values that are assigned to local variables, and those that functions return.
#[derive(Default)]
struct Flow<'p> {
    /// None if something else happens to the variable.
    assigned: BTreeMap<DeclarationId, Option<Vec<&'p Expr>>>,
    returned: BTreeMap<DeclarationId, Vec<&'p Expr>>,
}

/// The variables; `objects` are those whose address is taken.
pub(super) fn fresh_variables(
    program: &Program,
    objects: &BTreeSet<DeclarationId>,
    known: &Known,
) -> BTreeSet<DeclarationId> {
    let mut flow = Flow::default();
    program.functions.iter().for_each(|function| flow.collect(program, function));
    // The largest solution: variables that are assigned other values are taken away until nothing changes.
    let is_candidate = |id: &DeclarationId| !objects.contains(id);
    let assigned = flow.assigned.iter().filter(|(id, values)| is_candidate(id) && values.is_some());
    let mut variables: BTreeSet<DeclarationId> = assigned.map(|(id, _)| *id).collect();
    let mut functions: BTreeSet<DeclarationId> = flow.returned.keys().copied().collect();
    loop {
        let fresh = |expr: &&Expr| is_fresh(known, expr, &variables, &functions);
        let of_variable = |id: &&DeclarationId| flow.assigned[id].iter().flatten().all(&fresh);
        let kept_variables: BTreeSet<DeclarationId> = variables.iter().filter(of_variable).copied().collect();
        let of_function = |id: &&DeclarationId| flow.returned[id].iter().all(fresh);
        let kept_functions: BTreeSet<DeclarationId> = functions.iter().filter(of_function).copied().collect();
        if kept_variables == variables && kept_functions == functions {
            return variables;
        }
        (variables, functions) = (kept_variables, kept_functions);
    }
}

impl<'p> Flow<'p> {
    fn collect(&mut self, program: &'p Program, function: &'p Function) {
        let mut returned = Vec::new();
        let mut has_inner_statements = false;
        function.body.for_each_statement(&mut |statement| match &statement.kind {
            StmtKind::Declare(id, initializer)
                if program.declaration(*id).kind == DeclarationKind::Variable(Storage::Automatic) =>
            {
                let values = self.assigned.entry(*id).or_insert(Some(Vec::new()));
                let entries = initializer.iter().flat_map(|initializer| &initializer.entries);
                let initial = entries.filter_map(|entry| entry.value.as_ref());
                values.iter_mut().for_each(|values| values.extend(initial.clone()));
            }
            StmtKind::Return(Some(value)) => returned.push(value),
            _ => {}
        });
        function.body.for_each_expr(&mut |expr| self.expr(expr, &mut has_inner_statements));
        // Declarations and returns within expressions have not been seen.
        if !has_inner_statements {
            self.returned.insert(function.declaration, returned);
        }
    }

    fn expr(&mut self, expr: &'p Expr, has_inner_statements: &mut bool) {
        match &expr.kind {
            ExprKind::Assign(place, value) => match place.kind {
                ExprKind::Name(id) => {
                    self.assigned.entry(id).or_insert(None).iter_mut().for_each(|values| values.push(value));
                }
                _ => drop(root(place).and_then(|id| self.assigned.insert(id, None))),
            },
            ExprKind::CompoundAssign { place, .. } | ExprKind::Increment { place, .. } => {
                drop(root(place).and_then(|id| self.assigned.insert(id, None)));
            }
            ExprKind::Statements(_) => *has_inner_statements = true,
            _ => {}
        }
        expr.for_each_operand(&mut |operand| self.expr(operand, has_inner_statements));
    }
}

/// Is it null or a pointer to an object that is allocated in the same call?
fn is_fresh(
    known: &Known,
    expr: &Expr,
    variables: &BTreeSet<DeclarationId>,
    functions: &BTreeSet<DeclarationId>,
) -> bool {
    let fresh = |expr: &Expr| is_fresh(known, expr, variables, functions);
    match &expr.kind {
        ExprKind::Integer(0) => true,
        ExprKind::Convert { operand, .. } => fresh(operand),
        ExprKind::Load(place) => matches!(place.kind, ExprKind::Name(id) if variables.contains(&id)),
        ExprKind::Comma(_, last) => fresh(last),
        ExprKind::Conditional(_, Some(middle), otherwise) => fresh(middle) && fresh(otherwise),
        ExprKind::Call(callee, _) => called(callee)
            .is_some_and(|id| functions.contains(&id) || known.row(id).and_then(Row::allocation).is_some()),
        _ => false,
    }
}
