//! Types agree: pointers with pointers, fields with structs, operands with operators, arguments with parameters. For
//! example, `i = null` with a number `i` is an error.

use super::Errors;
use crate::computation::Meaning;
use crate::ids::{FieldId, StructId, VarId};
use crate::operand::{Expr, Operand};
use crate::program::{Program, Type};
use crate::scalar::{Scalar, UnaryOp};
use crate::statement::{Condition, Statement};
use trifold_source::Span;

pub(super) fn check(program: &Program, errors: &mut Errors) {
    for field in program.fields.iter().filter(|field| field.embedded) {
        let has_part = matches!(field.ty, Type::Pointer(Some(_)));
        errors.require(has_part, field.span, || format!("`{}` is embedded, but no struct", field.name));
    }
    check_embedding(program, errors);
    for procedure in &program.procedures {
        for edge in &procedure.edges {
            Checker { program, span: edge.span, errors }.statement(&edge.statement);
        }
    }
}

/// No struct is a part of itself, however deep.
fn check_embedding(program: &Program, errors: &mut Errors) {
    let parts: Vec<Vec<StructId>> = program.structs.iter().map(|structure| program.parts(structure)).collect();
    for (id, structure) in program.struct_ids().zip(&program.structs) {
        let mut seen = vec![false; parts.len()];
        let mut open = parts[id.index()].clone();
        while let Some(part) = open.pop() {
            if !std::mem::replace(&mut seen[part.index()], true) {
                open.extend(&parts[part.index()]);
            }
        }
        errors.require(!seen[id.index()], structure.span, || format!("`{}` is a part of itself", structure.name));
    }
}

struct Checker<'a> {
    program: &'a Program,
    span: Span,
    errors: &'a mut Errors,
}

impl Checker<'_> {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Set { to, value } => self.assigned(self.ty(*to), value),
            Statement::Load { to, object, field } => {
                self.field_of(*object, *field);
                self.converts(self.ty(*to), self.program[*field].ty);
            }
            Statement::Store { object, field, value } => {
                self.field_of(*object, *field);
                let field = &self.program[*field];
                self.require(!field.embedded, || format!("the embedded field `{}` is assigned", field.name));
                self.assigned(field.ty, value);
            }
            Statement::Allocate { to, structure, .. } => {
                self.converts(self.ty(*to), Type::Pointer(Some(*structure)));
            }
            Statement::Owner { to, part, field } => {
                let field = &self.program[*field];
                self.require(field.embedded, || format!("`{}` is not embedded, it has no owner", field.name));
                self.converts(field.ty, self.ty(*part));
                self.converts(self.ty(*to), Type::Pointer(Some(field.structure)));
            }
            Statement::Nondet { to, range, meaning } => {
                self.nondet(*to, *range);
                self.meaning(meaning);
            }
            Statement::Free { pointer } => self.pointer(*pointer),
            Statement::EndLife { object } => self.pointer(*object),
            Statement::Assume(condition) | Statement::Assert(condition) => self.condition(condition),
            Statement::Call { to, targets, arguments } => {
                for target in targets.iter().map(|target| &self.program[*target]) {
                    let parameters: Vec<Type> = target.parameters.iter().map(|id| self.ty(*id)).collect();
                    self.require(parameters.len() == arguments.len(), || {
                        format!("{} arguments for the {} of `{}`", arguments.len(), parameters.len(), target.name)
                    });
                    parameters
                        .iter()
                        .zip(arguments)
                        .for_each(|(parameter, argument)| self.assigned(*parameter, argument));
                    if let Some(to) = to {
                        self.require(target.result.is_some(), || format!("`{}` has no result", target.name));
                        target.result.into_iter().for_each(|result| self.converts(self.ty(*to), self.ty(result)));
                    }
                }
            }
            Statement::UnknownCall { arguments, .. } => {
                for argument in arguments {
                    let ty = self.operand(argument);
                    self.require(ty.is_some(), || "an argument without a type".to_string());
                }
            }
            Statement::Skip
            | Statement::Error { .. }
            | Statement::Stop
            | Statement::Return
            | Statement::Unsupported { .. } => {}
        }
    }

    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        self.errors.require(holds, self.span, message);
    }

    fn ty(&self, variable: VarId) -> Type {
        self.program[variable].ty
    }

    fn pointer(&mut self, variable: VarId) {
        self.require(self.ty(variable).is_pointer(), || format!("`{}` is no pointer", self.program[variable].name));
    }

    fn field_of(&mut self, object: VarId, field: FieldId) {
        let field = &self.program[field];
        let holds = self.ty(object) == Type::Pointer(Some(field.structure));
        self.require(holds, || {
            format!("`{}` does not point to a struct with `{}`", self.program[object].name, field.name)
        });
    }

    fn converts(&mut self, to: Type, from: Type) {
        self.require(to.accepts(from), || "types do not agree".to_string());
    }

    fn nondet(&mut self, to: VarId, range: Option<(i128, i128)>) {
        let Type::Scalar(scalar) = self.ty(to) else {
            return self.require(false, || "only scalars are chosen".to_string());
        };
        let holds = range.is_none_or(|(low, high)| low <= high && scalar.contains(low) && scalar.contains(high));
        self.require(holds, || "a range without values, or with some that are not of the type".to_string());
    }

    fn meaning(&mut self, meaning: &Meaning) {
        let Meaning::Computed(operation, arguments) = meaning else { return };
        let fits = operation.arity().is_none_or(|arity| arity == arguments.len());
        self.require(fits, || format!("{} arguments for `{}`", arguments.len(), operation.name()));
        for argument in arguments {
            let ty = self.operand(argument);
            self.require(ty.is_some(), || "an argument without a type".to_string());
        }
    }

    fn assigned(&mut self, to: Type, value: &Operand) {
        if let Some(from) = self.operand(value) {
            self.converts(to, from);
        }
    }

    /// The type of an operand; something uninitialised has none, it can become anything.
    fn operand(&mut self, operand: &Operand) -> Option<Type> {
        match operand {
            Operand::Uninitialised => None,
            Operand::Null => Some(Type::Pointer(None)),
            Operand::Pointer(variable) => {
                self.pointer(*variable);
                Some(self.ty(*variable))
            }
            Operand::Scalar(expr) => self.expr(expr).map(Type::Scalar),
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Pointers { left, right, .. } => {
                for operand in [left, right] {
                    let is_pointer = self.operand(operand).is_some_and(Type::is_pointer);
                    self.require(is_pointer, || "pointers are compared with pointers only".to_string());
                }
            }
            Condition::Scalar(expr) => {
                let scalar = self.expr(expr);
                self.require(scalar == Some(Scalar::Bool), || "a condition must be a Boolean".to_string());
            }
        }
    }

    /// The type of an expression, if it has one.
    fn expr(&mut self, expr: &Expr) -> Option<Scalar> {
        match expr {
            Expr::Constant(value, scalar) => {
                self.require(scalar.contains(*value), || format!("{value} is no value of its type"));
                Some(*scalar)
            }
            Expr::Variable(variable) => {
                let Type::Scalar(scalar) = self.ty(*variable) else {
                    self.require(false, || format!("the pointer `{}` in an expression", self.program[*variable].name));
                    return None;
                };
                Some(scalar)
            }
            Expr::Unary(op, operand) => {
                let scalar = self.expr(operand)?;
                let holds = scalar != Scalar::Bool || *op == UnaryOp::Complement;
                self.require(holds, || "arithmetic on a Boolean".to_string());
                Some(scalar)
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.require(left == right, || format!("the operands of `{}` have different types", op.symbol()));
                self.require(left != Some(Scalar::Bool) || op.is_logical(), || "arithmetic on a Boolean".to_string());
                left.map(|operands| op.result(operands))
            }
            Expr::Convert(scalar, operand) => self.expr(operand).map(|_| *scalar),
        }
    }
}
