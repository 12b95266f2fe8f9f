//! Statements: the effects of the edges of a control-flow graph.

use crate::computation::Meaning;
use crate::ids::{FieldId, ProcId, StructId, VarId};
use crate::kind::FindingKind;
use crate::operand::{Expr, Operand};
use crate::scalar::UnaryOp;

/// A condition that is assumed or asserted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// Two pointers are the same, or not. The operands are pointers.
    Pointers {
        /// One of them.
        left: Operand,
        /// The other.
        right: Operand,
        /// `==` or `!=`?
        equal: bool,
    },
    /// A Boolean expression.
    Scalar(Expr),
}

impl Condition {
    /// The opposite condition.
    pub fn negated(&self) -> Condition {
        match self {
            Condition::Pointers { left, right, equal } => {
                Condition::Pointers { left: left.clone(), right: right.clone(), equal: !equal }
            }
            Condition::Scalar(Expr::Unary(UnaryOp::Complement, operand)) => Condition::Scalar((**operand).clone()),
            Condition::Scalar(expr) => Condition::Scalar(Expr::unary(UnaryOp::Complement, expr.clone())),
        }
    }

    /// Calls `visit` with every variable that is read.
    pub fn for_each_variable(&self, visit: &mut dyn FnMut(VarId)) {
        match self {
            Condition::Pointers { left, right, .. } => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
            Condition::Scalar(expr) => expr.for_each_variable(visit),
        }
    }
}

/// Where an object lives, and so how it dies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Region {
    /// Until it is freed.
    Heap,
    /// Until the procedure that made it returns, or [`Statement::EndLife`].
    Stack,
    /// For ever.
    Static,
}

/// The effect of an edge.
///
/// To *dereference* a variable it must point to an object that is alive. Reading an embedded field counts as a
/// dereference too, although in C it only computes an address.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Statement {
    /// Nothing.
    Skip,
    /// `to = value`
    Set {
        /// The variable that changes.
        to: VarId,
        /// Its new value, of the same sort.
        value: Operand,
    },
    /// `to = object->field`
    Load {
        /// The variable that changes.
        to: VarId,
        /// Is dereferenced.
        object: VarId,
        /// The field, of the struct that `object` points to.
        field: FieldId,
    },
    /// `object->field = value`
    Store {
        /// Is dereferenced.
        object: VarId,
        /// The field, of the struct that `object` points to. It is not embedded.
        field: FieldId,
        /// Its new value.
        value: Operand,
    },
    /// `to = new structure`, with all embedded parts.
    Allocate {
        /// The variable that changes.
        to: VarId,
        /// The struct of the object.
        structure: StructId,
        /// Where it lives.
        region: Region,
        /// Are fields null and zero at first, or uninitialised?
        zeroed: bool,
        /// May the result be null instead?
        may_fail: bool,
    },
    /// `to = owner(part, field)`: the object whose `field` is the part, as `container_of` computes it.
    ///
    /// When `part` points to something that is no such part, the result points nowhere: it must not be dereferenced,
    /// except that its embedded `field` is `part` again. Loops over circular lists end with such a pointer.
    Owner {
        /// The variable that changes.
        to: VarId,
        /// Is dereferenced.
        part: VarId,
        /// An embedded field.
        field: FieldId,
    },
    /// `to = nondet(low, high)`: any value in between, both included. It may stand for something that a run computes.
    Nondet {
        /// The scalar variable that changes.
        to: VarId,
        /// Least and greatest value; those of the type when absent.
        range: Option<(i128, i128)>,
        /// What it is in a run.
        meaning: Meaning,
    },
    /// `free(pointer)`; null is allowed.
    Free {
        /// The pointer.
        pointer: VarId,
    },
    /// The object on the stack dies before its procedure returns, as a variable of an inner block.
    EndLife {
        /// Points to the object.
        object: VarId,
    },
    /// Execution goes on only if the condition holds.
    Assume(Condition),
    /// It is an error if the condition does not hold.
    Assert(Condition),
    /// It is an error to come here.
    Error {
        /// The kind of error.
        kind: FindingKind,
        /// The message.
        text: String,
    },
    /// The program ends at once. Nothing is leaked by that.
    Stop,
    /// A call of one of several procedures, with arguments by value.
    Call {
        /// The variable that gets the result.
        to: Option<VarId>,
        /// The procedures; they have the same parameter types.
        targets: Vec<ProcId>,
        /// The arguments.
        arguments: Vec<Operand>,
    },
    /// A call of something outside the program, about which nothing is known.
    UnknownCall {
        /// The variable that gets the result.
        to: Option<VarId>,
        /// The name of the function.
        name: String,
        /// The arguments.
        arguments: Vec<Operand>,
    },
    /// Leads to the exit, where the variables other than parameters and result have no value any more. The result has
    /// been assigned before.
    Return,
    /// Something that heap programs do not express. Execution that comes here is not analysed.
    Unsupported {
        /// The construct.
        text: String,
    },
}

impl Statement {
    /// `to = nondet`, open.
    pub fn open(to: VarId) -> Statement {
        Statement::Nondet { to, range: None, meaning: Meaning::Open }
    }

    /// Can execution go on after it?
    pub fn falls_through(&self) -> bool {
        !matches!(self, Statement::Error { .. } | Statement::Stop | Statement::Unsupported { .. })
    }

    /// The variable that it changes, if any.
    pub fn assigned(&self) -> Option<VarId> {
        match self {
            Statement::Set { to, .. }
            | Statement::Load { to, .. }
            | Statement::Allocate { to, .. }
            | Statement::Owner { to, .. }
            | Statement::Nondet { to, .. } => Some(*to),
            Statement::Call { to, .. } | Statement::UnknownCall { to, .. } => *to,
            Statement::Skip
            | Statement::Store { .. }
            | Statement::Free { .. }
            | Statement::EndLife { .. }
            | Statement::Assume(_)
            | Statement::Assert(_)
            | Statement::Error { .. }
            | Statement::Stop
            | Statement::Return
            | Statement::Unsupported { .. } => None,
        }
    }

    /// The variable that it dereferences, if any.
    pub fn dereferenced(&self) -> Option<VarId> {
        match self {
            Statement::Load { object, .. } | Statement::Store { object, .. } => Some(*object),
            Statement::Owner { part, .. } => Some(*part),
            _ => None,
        }
    }

    /// Calls `visit` with every expression in it that an analysis sees.
    pub fn for_each_expr(&self, visit: &mut dyn FnMut(&Expr)) {
        let mut operand = |operand: &Operand| {
            if let Operand::Scalar(expr) = operand {
                visit(expr);
            }
        };
        match self {
            Statement::Set { value, .. } | Statement::Store { value, .. } => operand(value),
            Statement::Call { arguments, .. } | Statement::UnknownCall { arguments, .. } => {
                arguments.iter().for_each(operand);
            }
            Statement::Assume(Condition::Scalar(expr)) | Statement::Assert(Condition::Scalar(expr)) => visit(expr),
            Statement::Assume(Condition::Pointers { left, right, .. })
            | Statement::Assert(Condition::Pointers { left, right, .. }) => [left, right].into_iter().for_each(operand),
            _ => {}
        }
    }

    /// Calls `visit` with every variable that a run reads, callees aside.
    pub fn for_each_read_in_runs(&self, visit: &mut dyn FnMut(VarId)) {
        self.for_each_read(visit);
        if let Statement::Nondet { meaning, .. } = self {
            meaning.for_each_variable(visit);
        }
    }

    /// Calls `visit` with every variable that it reads as an analysis sees it, callees aside.
    pub fn for_each_read(&self, visit: &mut dyn FnMut(VarId)) {
        match self {
            Statement::Set { value, .. } => value.for_each_variable(visit),
            Statement::Load { object, .. } | Statement::EndLife { object } => visit(*object),
            Statement::Store { object, value, .. } => {
                visit(*object);
                value.for_each_variable(visit);
            }
            Statement::Owner { part, .. } => visit(*part),
            Statement::Free { pointer } => visit(*pointer),
            Statement::Assume(condition) | Statement::Assert(condition) => condition.for_each_variable(visit),
            Statement::Call { arguments, .. } | Statement::UnknownCall { arguments, .. } => {
                arguments.iter().for_each(|argument| argument.for_each_variable(visit));
            }
            Statement::Skip
            | Statement::Allocate { .. }
            | Statement::Nondet { .. }
            | Statement::Error { .. }
            | Statement::Stop
            | Statement::Return
            | Statement::Unsupported { .. } => {}
        }
    }
}
