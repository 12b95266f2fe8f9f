//! What the pointers of a struct to others of its kind are for, as far as the program shows: do they lead on, or back?
//!
//! Nothing here can make an analysis unsound: roles only suggest checkers.

use std::collections::BTreeSet;
use trifold_ir::{Expr, FieldId, Operand, ProcId, Program, Statement, VarId};

/// Names of fields that lead back.
const BACK: [&str; 9] = ["prev", "previous", "prior", "pred", "back", "parent", "up", "prv", "blink"];

/// What fields and variables are for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roles {
    /// Fields that lead back.
    back: BTreeSet<FieldId>,
    /// Fields that get other values than null.
    used: BTreeSet<FieldId>,
    /// Numbers that are computed.
    counters: BTreeSet<VarId>,
    /// Numbers that conditions mention, and their neighbours.
    mentioned: BTreeSet<i128>,
}

impl Roles {
    /// Looks at names, and at which fields the procedures set to each other's objects: after `x->next = y` and `y->prev = x`,
    /// the one that is declared later leads back.
    pub fn of(program: &Program, procedures: &[ProcId]) -> Roles {
        let named = |field: &FieldId| BACK.contains(&program[*field].name.to_lowercase().as_str());
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
            // What leads back leads back over something.
            if links.peek().is_some() && links.clone().all(|field| back.contains(field)) {
                links.for_each(|field| {
                    back.remove(field);
                });
            }
        }
        let used = stored.iter().map(|(_, field, _)| *field).collect();
        Roles { back, used, counters: counters(program, procedures), mentioned: mentioned(program, procedures) }
    }

    /// Is a variable one of a few values that decide what happens, rather than a number that is computed?
    pub fn is_flag(&self, variable: VarId) -> bool {
        !self.counters.contains(&variable)
    }

    /// The numbers that conditions mention, and their neighbours.
    pub fn mentioned(&self) -> &BTreeSet<i128> {
        &self.mentioned
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

/// The variables that get the results of arithmetic.
fn counters(program: &Program, procedures: &[ProcId]) -> BTreeSet<VarId> {
    let edges = || procedures.iter().flat_map(|procedure| &program[*procedure].edges);
    let mut counters: BTreeSet<VarId> = BTreeSet::new();
    loop {
        let count = counters.len();
        for edge in edges() {
            let mut copy = |to: VarId, value: &Operand| {
                if let Operand::Scalar(expr) = value
                    && computes(expr, &counters)
                {
                    counters.insert(to);
                }
            };
            match &edge.statement {
                Statement::Set { to, value } => copy(*to, value),
                Statement::Call { targets, arguments, .. } => {
                    for target in targets {
                        program[*target].parameters.iter().zip(arguments).for_each(|(to, value)| copy(*to, value));
                    }
                }
                _ => {}
            }
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
