//! Which pointers are followed: those whose objects something is done with. Others are only handed on, or compared with
//! each other by checkers.
//!
//! For example, in `y = x->next; y->data = p;` the variables `x` and `y` and the field `next` are followed, `p` and
//! `data` are not.
//!
//! A call needs the part of memory to which followed pointers lead. The answer does not depend on the order of
//! statements, and may be too large or too small: memory that is not there at a call is unknown to it, which is sound.

use crate::checker::define::{Definition, Definitions};
use std::collections::BTreeSet;
use trifold_ir::{Condition, FieldId, Operand, ProcId, Program, Statement, StructId, VarId};

/// Pointers that are followed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Following {
    /// Variables.
    pub variables: BTreeSet<VarId>,
    /// Fields.
    pub fields: BTreeSet<FieldId>,
}

impl Following {
    /// Looks at all statements of some procedures.
    pub fn of(program: &Program, definitions: &Definitions, procedures: &BTreeSet<ProcId>) -> Following {
        let mut following = Following::default();
        let mut statements = Vec::new();
        for procedure in procedures {
            let compares = match definitions.known.get(procedure) {
                Some(Definition::Inductive(inductive)) => {
                    let parameters = &program[*procedure].parameters;
                    let looked_at = [Some(inductive.subject), inductive.end];
                    following.variables.extend(looked_at.into_iter().flatten().map(|number| parameters[number]));
                    false
                }
                _ => true,
            };
            statements.extend(program[*procedure].edges.iter().map(|edge| (&edge.statement, compares)));
        }
        loop {
            let count = (following.variables.len(), following.fields.len());
            for (statement, compares) in &statements {
                following.statement(program, statement, *compares);
            }
            if count == (following.variables.len(), following.fields.len()) {
                following.contents(program);
                return following;
            }
        }
    }

    /// Where a link between elements of one struct is followed, elements may be folded, and with them everything else
    /// that they lead to. So that is followed to the end, but not back to elements of the struct.
    fn contents(&mut self, program: &Program) {
        let is_link = |field: &&FieldId| program[**field].ty.target() == Some(program[**field].structure);
        let links = self.fields.iter().filter(is_link);
        let elements: BTreeSet<StructId> = links.map(|field| program[*field].structure).collect();
        let (mut open, mut seen): (Vec<StructId>, BTreeSet<StructId>) = (elements.iter().copied().collect(), elements);
        let elements = seen.clone();
        while let Some(structure) = open.pop() {
            for field in &program[structure].fields {
                let Some(target) = program[*field].ty.target().filter(|target| !elements.contains(target)) else {
                    continue;
                };
                self.fields.insert(*field);
                if seen.insert(target) {
                    open.push(target);
                }
            }
        }
    }

    fn statement(&mut self, program: &Program, statement: &Statement, compares: bool) {
        self.variables.extend(statement.dereferenced());
        match statement {
            Statement::Free { pointer } => drop(self.variables.insert(*pointer)),
            Statement::EndLife { object } => drop(self.variables.insert(*object)),
            Statement::Set { to, value } if self.variables.contains(to) => self.operand(value),
            Statement::Load { to, field, .. } if self.variables.contains(to) => drop(self.fields.insert(*field)),
            Statement::Store { field, value, .. } if self.fields.contains(field) => self.operand(value),
            Statement::Assume(Condition::Pointers { left, right, .. })
            | Statement::Assert(Condition::Pointers { left, right, .. })
                if compares || *left == Operand::Null || *right == Operand::Null =>
            {
                self.operand(left);
                self.operand(right);
            }
            Statement::Call { to, targets, arguments } => {
                for target in targets {
                    for (parameter, argument) in program[*target].parameters.iter().zip(arguments) {
                        if self.variables.contains(parameter) {
                            self.operand(argument);
                        }
                    }
                    if to.is_some_and(|to| self.variables.contains(&to)) {
                        self.variables.extend(program[*target].result);
                    }
                }
            }
            _ => {}
        }
    }

    fn operand(&mut self, operand: &Operand) {
        if let Operand::Pointer(variable) = operand {
            self.variables.insert(*variable);
        }
    }
}
