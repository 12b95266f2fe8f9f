//! The procedure that is being built: nodes, edges, temporary variables, scopes and jumps.
//!
//! For example, `while (p != null) p = p.next;` is a node at the head, an edge for the condition, an edge back for the
//! assignment, and an edge out.

use super::Translator;
use super::value::Value;
use crate::ast::{Name, TypeParameter};
use crate::types::{ClassId, Type};
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, Condition, Meaning, NodeId, ProcId, Scalar, Scope, Statement, VarId};
use trifold_source::Span;

/// A procedure under construction.
pub(super) struct Body {
    pub procedure: ProcId,
    pub class: ClassId,
    pub this: Option<VarId>,
    pub type_parameters: Vec<TypeParameter>,
    pub result: Type,
    /// Where the next statement goes.
    pub at: NodeId,
    /// The variables that are known here, innermost last.
    pub locals: Vec<Local>,
    pub jumps: Vec<Jump>,
    in_use: Vec<VarId>,
    free: Vec<VarId>,
    temporaries: usize,
}

pub(super) struct Local {
    pub name: std::rc::Rc<str>,
    pub ty: Type,
    /// None if its value is not kept.
    pub variable: Option<VarId>,
    /// Has it one value only, which may be known to the compiler?
    pub is_final: bool,
}

/// Where `break` and `continue` lead.
pub(super) struct Jump {
    pub label: Option<std::rc::Rc<str>>,
    pub end: NodeId,
    /// A loop has one.
    pub next: Option<NodeId>,
}

impl Body {
    pub fn new(procedure: ProcId, at: NodeId, class: ClassId) -> Body {
        Body {
            procedure,
            class,
            this: None,
            type_parameters: Vec::new(),
            result: Type::Void,
            at,
            locals: Vec::new(),
            jumps: Vec::new(),
            in_use: Vec::new(),
            free: Vec::new(),
            temporaries: 0,
        }
    }
}

impl Builder for Translator<'_, '_> {
    fn writing(&mut self) -> (&mut ir::Program, ProcId, &mut NodeId) {
        (&mut self.ir, self.body.procedure, &mut self.body.at)
    }
}

impl Translator<'_, '_> {
    /// There is no way to express this. The code after it is not reached.
    pub(super) fn unsupported(&mut self, text: impl Into<String>, span: Span) -> Value {
        self.end(Statement::Unsupported { text: text.into() }, span);
        Value::Nothing
    }

    /// Goes to any of two nodes. To which one depends on something that nobody computes.
    pub(super) fn branch_freely(&mut self, yes: NodeId, no: NodeId, cause: Cause, span: Span) {
        let truth = self.temporary(ir::Type::Scalar(Scalar::Bool), span);
        let meaning = Meaning::unknown(cause);
        self.emit(Statement::Nondet { to: truth, range: None, meaning }, span);
        self.fork(Condition::Scalar(ir::Expr::Variable(truth)), yes, no, span);
    }

    /// A temporary variable, until the end of the full expression.
    pub(super) fn temporary(&mut self, ty: ir::Type, span: Span) -> VarId {
        let variable = match self.body.free.iter().position(|free| self.ir[*free].ty == ty) {
            Some(position) => self.body.free.remove(position),
            None => {
                self.body.temporaries += 1;
                let name = format!("${}", self.body.temporaries);
                self.ir.add_variable(&name, ty, Scope::Local(self.body.procedure), span)
            }
        };
        self.body.in_use.push(variable);
        variable
    }

    /// Temporary variables are not needed any more.
    pub(super) fn release(&mut self) {
        let mut done = std::mem::take(&mut self.body.in_use);
        self.body.free.append(&mut done);
    }

    /// Makes a local variable known.
    pub(super) fn declare_local(&mut self, name: &Name, ty: Type, variable: Option<VarId>) {
        if self.body.locals.iter().any(|local| local.name == name.text) {
            self.error("duplicate", name.span, format!("there is a variable `{}` already", name.text));
        }
        self.body.locals.push(Local { name: name.text.clone(), ty, variable, is_final: false });
    }

    /// A new local variable.
    pub(super) fn new_local(&mut self, name: &Name, ty: Type) -> Option<VarId> {
        let procedure = self.body.procedure;
        let unique = self.variable_name(procedure, &name.text);
        let variable = self.ir_type(ty).map(|ty| self.ir.add_variable(&unique, ty, Scope::Local(procedure), name.span));
        self.declare_local(name, ty, variable);
        variable
    }

    /// Variables that are declared inside are not known outside.
    pub(super) fn in_block(&mut self, translate: impl FnOnce(&mut Self)) {
        let known = self.body.locals.len();
        translate(self);
        self.body.locals.truncate(known);
    }
}
