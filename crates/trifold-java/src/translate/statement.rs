//! Statements: control flow becomes nodes and edges. For example, `assert x != null;` is an edge for the condition, and
//! one to an error.

use super::Translator;
use super::body::Jump;
use super::place::Place;
use crate::ast::{Expr, ExprKind, LocalVariable, Name, Stmt, StmtKind, TypeRef, TypeRefKind};
use crate::types::Type;
use std::rc::Rc;
use trifold_ir::{Builder, FindingKind, NodeId, Statement};
use trifold_source::Span;

impl<'a> Translator<'a, '_> {
    pub(super) fn statements(&mut self, statements: &'a [Stmt]) {
        for statement in statements {
            self.statement(statement, None);
            self.release();
        }
    }

    fn statement(&mut self, statement: &'a Stmt, label: Option<Rc<str>>) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Empty => {}
            StmtKind::Block(statements) => self.in_block(|translator| translator.statements(statements)),
            StmtKind::Local { ty, variables } => variables.iter().for_each(|variable| self.local(ty, variable)),
            StmtKind::Expr(expr) => self.effects(expr),
            StmtKind::If(condition, yes, no) => self.if_statement(condition, yes, no.as_deref(), span),
            StmtKind::While(condition, body) => {
                let (head, inside, end) = (self.node(), self.node(), self.node());
                self.join(head, span);
                self.mark_loop_head(head);
                self.condition(condition, inside, end);
                self.release();
                self.loop_body(body, inside, Jump { label, end, next: Some(head) });
                self.jump(head, span);
                self.body.at = end;
            }
            StmtKind::Do(body, condition) => {
                let (head, next, end) = (self.node(), self.node(), self.node());
                self.join(head, span);
                self.mark_loop_head(head);
                self.loop_body(body, head, Jump { label, end, next: Some(next) });
                self.join(next, span);
                self.condition(condition, head, end);
                self.body.at = end;
            }
            StmtKind::For { first, condition, next, body } => self.in_block(|translator| {
                translator.statements(first);
                translator.for_loop(condition.as_ref(), next, body, label, span);
            }),
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            StmtKind::Break(label) => self.jump_statement(label.as_ref(), true, span),
            StmtKind::Continue(label) => self.jump_statement(label.as_ref(), false, span),
            StmtKind::Labelled(label, inner) => match inner.kind {
                StmtKind::While(..) | StmtKind::Do(..) | StmtKind::For { .. } => {
                    self.statement(inner, Some(label.text.clone()));
                }
                _ => {
                    let end = self.node();
                    self.body.jumps.push(Jump { label: Some(label.text.clone()), end, next: None });
                    self.in_block(|translator| translator.statement(inner, None));
                    self.body.jumps.pop();
                    self.join(end, span);
                }
            },
            StmtKind::Throw(value) => {
                // Making the exception may itself go wrong; its message does not matter, but it must be there.
                let exception = self.value(value);
                if let Some(variable) = self.pointer_variable(&exception, span) {
                    self.check_not_null(variable, span);
                }
                self.end(Statement::Stop, span);
            }
            StmtKind::Assert(condition) => {
                let (holds, fails) = (self.node(), self.node());
                self.condition(condition, holds, fails);
                self.body.at = fails;
                let text = "the assertion fails".to_string();
                self.end(Statement::Error { kind: FindingKind::Assertion, text }, condition.span);
                self.body.at = holds;
            }
            StmtKind::Unsupported(what) => drop(self.unsupported(*what, span)),
        }
    }

    fn local(&mut self, ty: &'a TypeRef, variable: &'a LocalVariable) {
        let span = variable.name.span;
        let is_var = matches!(&ty.kind, TypeRefKind::Named(names) if names.len() == 1 && &*names[0].text == "var");
        if is_var {
            let Some(initializer) = &variable.initializer else {
                return self.error("type", span, "a variable without a type needs a value");
            };
            let value = self.value(initializer);
            let ty = value.ty();
            let local = self.new_local(&variable.name, ty);
            self.store(&Place::variable(local, ty), value, initializer.span);
            return self.release();
        }
        let mut written = ty.clone();
        for _ in 0..variable.dimensions {
            written = TypeRef { span: written.span, kind: TypeRefKind::Array(Box::new(written)) };
        }
        let parameters = self.body.type_parameters.clone();
        let ty = self.classes.resolve(&written, self.body.class, &parameters);
        // The variable is known in its own initializer, where it must not be read before it is set.
        let local = self.new_local(&variable.name, ty);
        if let Some(known) = self.body.locals.last_mut() {
            known.is_final = variable.is_final && variable.initializer.is_some();
        }
        if let Some(initializer) = &variable.initializer {
            let place = Place::variable(local, ty);
            let value = self.value_into(initializer, &place);
            self.store(&place, value, initializer.span);
        }
        self.release();
    }

    fn if_statement(&mut self, condition: &'a Expr, yes: &'a Stmt, no: Option<&'a Stmt>, span: Span) {
        let (then, otherwise, end) = (self.node(), self.node(), self.node());
        self.condition(condition, then, otherwise);
        self.release();
        self.body.at = then;
        self.in_block(|translator| translator.statement(yes, None));
        self.jump(end, span);
        self.body.at = otherwise;
        if let Some(no) = no {
            self.release();
            self.in_block(|translator| translator.statement(no, None));
        }
        self.join(end, span);
    }

    fn loop_body(&mut self, body: &'a Stmt, inside: NodeId, jump: Jump) {
        self.body.at = inside;
        self.body.jumps.push(jump);
        self.in_block(|translator| translator.statement(body, None));
        self.body.jumps.pop();
        self.release();
    }

    fn for_loop(
        &mut self,
        condition: Option<&'a Expr>,
        next: &'a [Expr],
        body: &'a Stmt,
        label: Option<Rc<str>>,
        span: Span,
    ) {
        let (head, inside, end, advance) = (self.node(), self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        match condition {
            Some(condition) => self.condition(condition, inside, end),
            None => self.jump(inside, span),
        }
        self.release();
        self.loop_body(body, inside, Jump { label, end, next: Some(advance) });
        self.join(advance, span);
        for expr in next {
            self.effects(expr);
            self.release();
        }
        self.jump(head, span);
        self.body.at = end;
    }

    fn return_statement(&mut self, value: Option<&'a Expr>, span: Span) {
        let ty = self.body.result;
        if let Some(value) = value {
            if ty == Type::Void {
                return self.error("type", span, "there is nothing to return here");
            }
            let place = Place::variable(self.ir[self.body.procedure].result, ty);
            let result = self.value_into(value, &place);
            self.store(&place, result, value.span);
        } else if ty != Type::Void {
            return self.error("type", span, "a value must be returned here");
        }
        self.end(Statement::Return, span);
    }

    fn jump_statement(&mut self, label: Option<&Name>, breaks: bool, span: Span) {
        let suits = |jump: &&Jump| match label {
            Some(label) => jump.label.as_ref() == Some(&label.text) && (breaks || jump.next.is_some()),
            None => jump.next.is_some(),
        };
        let target = self.body.jumps.iter().rev().find(suits);
        match target.and_then(|jump| if breaks { Some(jump.end) } else { jump.next }) {
            Some(node) => self.jump(node, span),
            None => self.error("jump", span, "there is no loop to leave or to go on with"),
        }
    }

    /// An expression whose value is not used.
    pub(super) fn effects(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Step { up, target, .. } => drop(self.step(*up, true, target, expr.span)),
            ExprKind::Call { .. } | ExprKind::ConstructorCall { .. } => drop(self.call(expr, None)),
            _ => drop(self.value(expr)),
        }
    }
}
