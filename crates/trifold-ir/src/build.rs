//! How front ends write procedures: one statement after the other, from a place that moves on.
//!
//! For example, `emit(x = y)` adds an edge from the current node to a new one, and the new one becomes the current
//! node.

use crate::{Condition, Node, NodeId, Operand, ProcId, Program, Statement, VarId};
use trifold_source::Span;

/// A writer of a procedure.
pub trait Builder {
    /// The program, the procedure that is written, and where its next statement goes.
    fn writing(&mut self) -> (&mut Program, ProcId, &mut NodeId);

    /// A new node.
    fn node(&mut self) -> NodeId {
        let (program, procedure, _) = self.writing();
        program[procedure].add_node(Node::default())
    }

    /// A new edge.
    fn edge(&mut self, from: NodeId, to: NodeId, statement: Statement, span: Span) {
        let (program, procedure, _) = self.writing();
        program[procedure].add_edge(from, to, statement, span);
    }

    /// An edge from here.
    fn edge_to(&mut self, to: NodeId, statement: Statement, span: Span) {
        let (program, procedure, at) = self.writing();
        program[procedure].add_edge(*at, to, statement, span);
    }

    /// The next statement goes elsewhere.
    fn go_on_at(&mut self, node: NodeId) {
        *self.writing().2 = node;
    }

    /// The next statement.
    fn emit(&mut self, statement: Statement, span: Span) {
        let to = self.node();
        self.edge_to(to, statement, span);
        self.go_on_at(to);
    }

    /// Assigns to a variable.
    fn set(&mut self, to: VarId, value: Operand, span: Span) {
        self.emit(Statement::Set { to, value }, span);
    }

    /// Goes on elsewhere; code after it is not reached.
    fn jump(&mut self, to: NodeId, span: Span) {
        self.leave(to, Statement::Skip, span);
    }

    /// Goes on at a node that is also reached from elsewhere.
    fn join(&mut self, node: NodeId, span: Span) {
        self.jump(node, span);
        self.go_on_at(node);
    }

    /// A statement that does not fall through.
    fn end(&mut self, statement: Statement, span: Span) {
        let (program, procedure, _) = self.writing();
        let exit = program[procedure].exit;
        self.leave(exit, statement, span);
    }

    /// Goes elsewhere by a statement; code after it is not reached.
    fn leave(&mut self, to: NodeId, statement: Statement, span: Span) {
        self.edge_to(to, statement, span);
        let unreached = self.node();
        self.go_on_at(unreached);
    }

    /// Goes to one node or another.
    fn fork(&mut self, condition: Condition, yes: NodeId, no: NodeId, span: Span) {
        let negated = condition.negated();
        self.edge_to(yes, Statement::Assume(condition), span);
        self.leave(no, Statement::Assume(negated), span);
    }

    /// A loop starts at the node.
    fn mark_loop_head(&mut self, node: NodeId) {
        let (program, procedure, _) = self.writing();
        program[procedure].nodes[node.index()].loop_head = true;
    }
}
