//! What the pointers of a struct to others of its kind are for, as far as the program shows: do they lead on, or back?
//!
//! Nothing here can make an analysis unsound: roles only suggest checkers.

use crate::checker::Checker;
use crate::define::{Definition, Definitions};
use crate::layout::Layouts;
use std::collections::BTreeSet;
use std::sync::Arc;
use trifold_ir::contracts::leads_back;
use trifold_ir::{Expr, FieldId, Operand, ProcId, Procedure, Program, Statement, VarId};

/// What elements with several links are taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shapes {
    /// Elements of trees.
    #[default]
    Trees,
    /// Elements of lists, which use one of the links; something else hangs below the others.
    Lists,
}

/// What fields and variables are for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roles {
    /// What elements with several links are.
    pub shapes: Shapes,
    /// Fields that no statement reads.
    unread: BTreeSet<FieldId>,
    /// The checkers that the program gives.
    given: Vec<Arc<Checker>>,
    /// Are there elements with several links?
    pub several_links: bool,
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
    pub fn of(program: &Program, layouts: &Layouts, procedures: &[ProcId], shapes: Shapes) -> Roles {
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
            // What leads back leads back over something.
            if links.peek().is_some() && links.clone().all(|field| back.contains(field)) {
                links.for_each(|field| {
                    back.remove(field);
                });
            }
        }
        let used: BTreeSet<FieldId> = stored.iter().map(|(_, field, _)| *field).collect();
        let several_links = program.struct_ids().any(|structure| {
            let cells = layouts[structure].cells.iter().filter(|cell| cell.ty.target() == Some(structure));
            cells.filter(|cell| used.contains(&cell.field) && !back.contains(&cell.field)).count() > 1
        });
        let (counters, mentioned) = (counters(program, procedures), mentioned(program, procedures));
        // Whoever relies on a contract may read any field.
        let has_contracts = !program.contracts.is_empty();
        let unread = if has_contracts { BTreeSet::new() } else { unread(program, procedures) };
        let given = Vec::new();
        Roles { shapes, unread, given, several_links, back, used, counters, mentioned }
    }

    /// With the checkers that the program gives.
    pub fn with_given(mut self, definitions: &Definitions) -> Roles {
        let given = definitions.known.values().filter_map(|definition| match definition {
            Definition::Inductive(inductive) => Some(inductive.checker.clone()),
            Definition::Plain(..) => None,
        });
        self.given.extend(given);
        self
    }

    /// The checkers that the program gives.
    pub fn given(&self) -> &[Arc<Checker>] {
        &self.given
    }

    /// Does the program give a checker?
    pub fn is_given(&self, checker: &Arc<Checker>) -> bool {
        self.given.contains(checker)
    }

    /// Does no statement read a field, so that it does not matter what it holds?
    pub fn is_unread(&self, field: FieldId) -> bool {
        self.unread.contains(&field)
    }

    /// A procedure that stores nothing to fields that no statement reads.
    pub fn without_unread(&self, procedure: &Procedure) -> Procedure {
        let mut procedure = procedure.clone();
        for edge in &mut procedure.edges {
            if let Statement::Store { field, value, .. } = &mut edge.statement
                && self.is_unread(*field)
            {
                *value = Operand::Uninitialised;
            }
        }
        procedure
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

/// The fields that no statement reads. A pointer may still keep an object from being lost, so it only counts if objects are
/// found by another field of its kind.
pub(crate) fn unread(program: &Program, procedures: &[ProcId]) -> BTreeSet<FieldId> {
    let edges = procedures.iter().flat_map(|procedure| &program[*procedure].edges);
    // Of a function about which nothing is known it is not known either what it reads.
    if edges.clone().any(|edge| matches!(edge.statement, Statement::UnknownCall { .. })) {
        return BTreeSet::new();
    }
    let read: BTreeSet<FieldId> = edges
        .filter_map(|edge| match edge.statement {
            Statement::Load { field, .. } => Some(field),
            _ => None,
        })
        .collect();
    let is_replaced = |field: FieldId| read.iter().any(|other| program[*other].ty == program[field].ty);
    let fields = (0..program.fields.len()).map(FieldId::from_index);
    fields
        .filter(|field| !read.contains(field) && !program[*field].embedded)
        .filter(|field| !program[*field].ty.is_pointer() || is_replaced(*field))
        .collect()
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
