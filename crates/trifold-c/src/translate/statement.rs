//! Statements: control flow becomes nodes and edges.
//!
//! For example, `if (p) q = p;` is an edge for `p != 0` and one for `q = p` to a node, and an edge for `p == 0` to the
//! same node.

use super::Translator;
use super::graph::SwitchTable;
use super::value::Value;
use crate::typed::{Block, Expr, For, Label, Stmt, StmtKind};
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Condition, FindingKind, NodeId, Statement};
use trifold_source::Span;

impl<'p> Translator<'p> {
    pub(super) fn statements(&mut self, statements: &'p [Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    pub(super) fn block(&mut self, block: &'p Block) {
        self.open_block();
        self.statements(&block.statements);
        self.close_block(last_of(block.span));
    }

    fn statement(&mut self, statement: &'p Stmt) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.full_effect(expr),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Declare(id, initializer) => self.declare(*id, initializer.as_ref(), span),
            StmtKind::Sequence(parts) => self.statements(parts),
            StmtKind::Labeled(labels, body) => {
                labels.iter().for_each(|label| self.labeled(*label, span));
                if self.is_error_loop(labels, body) {
                    let text = "the label `ERROR` is reached".to_string();
                    self.end(Statement::Error { kind: FindingKind::Assertion, text }, span);
                }
                self.statement(body);
            }
            StmtKind::If(parts, otherwise) => self.choose_part(parts, otherwise.as_deref(), span),
            StmtKind::Switch(value, body) => self.switch(value, body, span),
            StmtKind::While(condition, body) => self.while_loop(condition, body, span),
            StmtKind::DoWhile(body, condition) => self.do_loop(body, condition, span),
            StmtKind::For(parts) => self.for_loop(parts, span),
            StmtKind::Goto(label) => self.goto(*label, span),
            StmtKind::GotoComputed(_) => drop(self.unsupported("a jump to the address of a label", span)),
            StmtKind::Continue => self.leave(self.body.continues.last().copied(), span),
            StmtKind::Break => self.leave(self.body.breaks.last().copied(), span),
            StmtKind::Return(value) => self.return_value(value.as_ref(), span),
            StmtKind::NotUnderstood(why) => drop(self.unsupported(format!("not understood: {why}"), span)),
            StmtKind::Asm(_) => drop(self.unsupported("assembler text", span)),
        }
    }

    /// An expression on its own.
    fn full_effect(&mut self, expr: &'p Expr) {
        let mark = self.mark();
        self.effect(expr);
        self.release(mark, expr.span);
    }

    fn choose_part(&mut self, parts: &'p [(Expr, Stmt)], otherwise: Option<&'p Stmt>, span: Span) {
        self.open_block();
        let end = self.node();
        for (condition, body) in parts {
            let (yes, no) = (self.node(), self.node());
            self.full_condition(condition, yes, no);
            self.body.at = yes;
            self.inner(body);
            self.jump(end, span);
            self.body.at = no;
        }
        if let Some(otherwise) = otherwise {
            self.inner(otherwise);
        }
        self.join(end, span);
        self.close_block(span);
    }

    /// A statement that is a block of its own, even without braces.
    fn inner(&mut self, body: &'p Stmt) {
        self.open_block();
        self.statement(body);
        self.close_block(body.span);
    }

    fn labeled(&mut self, label: Label, span: Span) {
        match label {
            Label::Named(id) => self.place_label(id, span),
            Label::Case(..) | Label::Default => {
                let node = self.node();
                self.join(node, span);
                let Some(depth) = self.body.switches.last().map(|switch| switch.depth) else { return };
                // The jump does not go past declarations that make objects.
                let target = if self.body.blocks[depth..].iter().any(|block| !block.objects.is_empty()) {
                    let (target, here) = (self.node(), self.body.at);
                    self.body.at = target;
                    self.unsupported("a jump past the declaration of a variable whose address is taken", span);
                    self.body.at = here;
                    target
                } else {
                    node
                };
                let Some(switch) = self.body.switches.last_mut() else { return };
                match label {
                    Label::Case(first, last) => switch.cases.push((first, last, target, span)),
                    _ => switch.default = Some(target),
                }
            }
        }
    }

    /// `ERROR: goto ERROR;` is how verification tasks say that a place must not be reached.
    fn is_error_loop(&self, labels: &[Label], body: &Stmt) -> bool {
        let StmtKind::Goto(target) = body.kind else { return false };
        let name = self.body.function.and_then(|function| function.labels.get(target.index())).map(|label| label.name);
        labels.contains(&Label::Named(target)) && name.is_some_and(|name| self.c.text(name) == "ERROR")
    }

    fn switch(&mut self, value: &'p Expr, body: &'p Stmt, span: Span) {
        self.open_block();
        self.switch_in_block(value, body, span);
        self.close_block(span);
    }

    fn switch_in_block(&mut self, value: &'p Expr, body: &'p Stmt, span: Span) {
        let mark = self.mark();
        let ty = value.ty;
        let value = self.value(value, None);
        let value = self.kept(value, ty, span);
        self.release(mark, span);
        let (dispatch, end) = (self.body.at, self.node());
        self.body.at = self.node();
        let depth = self.body.blocks.len();
        self.body.switches.push(SwitchTable { cases: Vec::new(), default: None, depth });
        self.body.breaks.push((end, depth));
        self.inner(body);
        self.join(end, span);
        self.body.breaks.pop();
        let Some(SwitchTable { cases, default, .. }) = self.body.switches.pop() else { return };
        self.body.at = dispatch;
        let Value::Scalar(value) = value else {
            self.unsupported("a switch on something that is no integer", span);
            self.body.at = end;
            return;
        };
        for (first, last, target, span) in cases {
            let otherwise = self.unless(self.within(&value, first, last), span);
            self.jump(target, span);
            self.body.at = otherwise;
        }
        self.jump(default.unwrap_or(end), span);
        self.body.at = end;
    }

    /// `first <= value && value <= last`
    fn within(&self, value: &ir::Expr, first: i128, last: i128) -> Condition {
        if first == last {
            return self.equals(value, first);
        }
        let scalar = self.ir.scalar_of(value).unwrap_or(ir::Scalar::I32);
        let (low, high) = scalar.range();
        let bound = |op, bound| ir::Expr::binary(op, value.clone(), ir::Expr::Constant(bound, scalar));
        if first > last || first > high || last < low {
            return Condition::Scalar(ir::Expr::Constant(0, ir::Scalar::Bool));
        }
        let above = bound(BinaryOp::GreaterEqual, first.max(low));
        let below = bound(BinaryOp::LessEqual, last.min(high));
        Condition::Scalar(ir::Expr::binary(BinaryOp::And, above, below))
    }

    /// The body of a loop, in which `break` and `continue` have targets.
    fn round(&mut self, body: &'p Stmt, end: NodeId, next: NodeId) {
        let depth = self.body.blocks.len();
        self.body.breaks.push((end, depth));
        self.body.continues.push((next, depth));
        self.inner(body);
        self.body.breaks.pop();
        self.body.continues.pop();
    }

    fn while_loop(&mut self, condition: &'p Expr, body: &'p Stmt, span: Span) {
        self.open_block();
        self.declare_literals(condition);
        let (head, inside, end) = (self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        self.full_condition(condition, inside, end);
        self.body.at = inside;
        self.round(body, end, head);
        self.jump(head, span);
        self.body.at = end;
        self.close_block(span);
    }

    fn do_loop(&mut self, body: &'p Stmt, condition: &'p Expr, span: Span) {
        self.open_block();
        self.declare_literals(condition);
        let (head, test, end) = (self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        self.round(body, end, test);
        self.join(test, span);
        self.full_condition(condition, head, end);
        self.body.at = end;
        self.close_block(span);
    }

    fn for_loop(&mut self, parts: &'p For, span: Span) {
        self.open_block();
        self.statement(&parts.initial);
        parts.condition.iter().chain(&parts.step).for_each(|part| self.declare_literals(part));
        let cursors = self.open_cursors(parts, span);
        let (head, inside, next, end) = (self.node(), self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        match &parts.condition {
            Some(condition) => self.full_condition(condition, inside, end),
            None => self.jump(inside, span),
        }
        self.body.at = inside;
        self.round(&parts.body, end, next);
        self.join(next, span);
        if let Some(step) = &parts.step {
            self.full_effect(step);
        }
        self.advance_cursors(cursors, span);
        self.jump(head, span);
        self.body.at = end;
        self.close_cursors(cursors, span);
        self.close_block(span);
    }

    fn leave(&mut self, target: Option<(NodeId, usize)>, span: Span) {
        let Some((node, depth)) = target else {
            return drop(self.unsupported("a jump out of no loop", span));
        };
        self.leave_blocks(depth, span);
        self.jump(node, span);
    }

    fn return_value(&mut self, value: Option<&'p Expr>, span: Span) {
        let mark = self.mark();
        let result = self.ir[self.body.procedure].result;
        match (value, result, self.body.result.clone()) {
            (Some(value), Some(result), _) => {
                let computed = self.value(value, Some(result));
                match self.kind(value.ty) {
                    Some(kind) => {
                        let place = super::place::Place::of_variable(result, kind, value.ty);
                        self.store(&place, computed, span);
                    }
                    None => drop(self.unsupported("a result of a type that is not supported", span)),
                }
            }
            (Some(value), None, Some(place)) => {
                let computed = self.value(value, None);
                self.store(&place, computed, span);
            }
            (Some(value), None, None) => self.effect(value),
            (None, ..) => {}
        }
        self.end_all_elements(span);
        self.release(mark, span);
        let exit = self.ir[self.body.procedure].exit;
        self.edge_to(exit, Statement::Return, span);
        self.body.at = self.node();
    }
}

/// The closing brace.
fn last_of(span: Span) -> Span {
    Span { start: span.end.saturating_sub(1).max(span.start), ..span }
}
