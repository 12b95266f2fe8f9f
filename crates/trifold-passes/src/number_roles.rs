//! Number roles: which scalars are flags, which are counters, and which constants conditions mention.
//!
//! For example, in `for (i = 0; i < n; i++) if (done == 1) …`, `i` is a counter, because arithmetic gives it its
//! values; `done` is a flag. The numbers 0 to 2 are mentioned: 1 and its neighbours.
//!
//! # Soundness
//! Roles only decide how finely states are told apart.

use std::collections::BTreeSet;
use trifold_ir::{Expr, Operand, ProcId, Program, Statement, VarId};

/// The roles of scalars.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NumberRoles {
    /// Variables that get the results of arithmetic.
    counters: BTreeSet<VarId>,
    /// Numbers that conditions mention, and their neighbours.
    mentioned: BTreeSet<i128>,
}

impl NumberRoles {
    /// The roles that the statements of these procedures show.
    pub fn of(program: &Program, procedures: &[ProcId]) -> NumberRoles {
        NumberRoles { counters: counters(program, procedures), mentioned: mentioned(program, procedures) }
    }

    /// Is a variable one of a few values that decide branches, rather than a number that is computed?
    pub fn is_flag(&self, variable: VarId) -> bool {
        !self.counters.contains(&variable)
    }

    /// The numbers that conditions mention, and their neighbours.
    pub fn mentioned(&self) -> &BTreeSet<i128> {
        &self.mentioned
    }
}

/// The variables that get the results of arithmetic.
fn counters(program: &Program, procedures: &[ProcId]) -> BTreeSet<VarId> {
    let edges = || procedures.iter().flat_map(|procedure| &program[*procedure].edges);
    let mut counters: BTreeSet<VarId> = BTreeSet::new();
    loop {
        let count = counters.len();
        for edge in edges() {
            let mut found = Vec::new();
            let mut copy = |to: VarId, value: &Operand| match value {
                Operand::Scalar(expr) if computes(expr, &counters) => found.push(to),
                _ => {}
            };
            match &edge.statement {
                Statement::Set { to, value } => copy(*to, value),
                Statement::Call { to, targets, arguments, .. } => {
                    for target in targets {
                        program[*target].parameters.iter().zip(arguments).for_each(|(to, value)| copy(*to, value));
                        if let (Some(to), Some(result)) = (to, program[*target].result) {
                            copy(*to, &Operand::Scalar(Expr::Variable(result)));
                        }
                    }
                }
                _ => {}
            }
            counters.extend(found);
        }
        if counters.len() == count {
            return counters;
        }
    }
}

fn computes(expr: &Expr, counters: &BTreeSet<VarId>) -> bool {
    match expr {
        Expr::Constant(..) => false,
        Expr::Variable(variable) => counters.contains(variable),
        Expr::Unary(_, operand) | Expr::Convert(_, operand) => computes(operand, counters),
        Expr::Binary(op, ..) if op.is_comparison() || op.is_logical() => false,
        Expr::Binary(..) => true,
    }
}

fn mentioned(program: &Program, procedures: &[ProcId]) -> BTreeSet<i128> {
    let mut numbers = BTreeSet::new();
    for edge in procedures.iter().flat_map(|procedure| &program[*procedure].edges) {
        if let Statement::Assume(_) | Statement::Assert(_) = edge.statement {
            edge.statement.for_each_expr(&mut |expr| constants(expr, &mut numbers));
        }
    }
    numbers
}

fn constants(expr: &Expr, numbers: &mut BTreeSet<i128>) {
    match expr {
        Expr::Constant(number, _) => numbers.extend([number - 1, *number, number + 1]),
        Expr::Variable(_) => {}
        Expr::Unary(_, operand) | Expr::Convert(_, operand) => constants(operand, numbers),
        Expr::Binary(_, left, right) => {
            constants(left, numbers);
            constants(right, numbers);
        }
    }
}
