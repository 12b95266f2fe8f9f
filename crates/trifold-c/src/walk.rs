//! Going over trees: the operands of an expression, the expressions of a statement. For example, the operands of
//! `a[i] = b` are `a[i]` and `b`.

use crate::typed::{Block, Expr, ExprKind, Initializer, Stmt, StmtKind};

impl Expr {
    /// Calls `visit` with the operands; those of a statement expression are the expressions of its statements.
    pub(crate) fn for_each_operand<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Error
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Name(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::ConstantKnown
            | ExprKind::Unclear(_)
            | ExprKind::Sizeof(_) => {}
            ExprKind::Load(operand)
            | ExprKind::Decay(operand)
            | ExprKind::AddressOf(operand)
            | ExprKind::Deref(operand)
            | ExprKind::Member(operand, _)
            | ExprKind::Convert { operand, .. }
            | ExprKind::Unary(_, operand)
            | ExprKind::VaArg(operand)
            | ExprKind::Increment { place: operand, .. } => visit(operand),
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::PointerOffset { pointer: a, index: b, .. }
            | ExprKind::PointerDifference(a, b)
            | ExprKind::LogicalAnd(a, b)
            | ExprKind::LogicalOr(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::CompoundAssign { place: a, value: b, .. }
            | ExprKind::Comma(a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::Conditional(test, middle, otherwise) => {
                visit(test);
                middle.iter().for_each(|middle| visit(middle));
                visit(otherwise);
            }
            ExprKind::Call(callee, arguments) => {
                visit(callee);
                arguments.iter().for_each(visit);
            }
            ExprKind::Builtin(_, arguments) => arguments.iter().for_each(visit),
            ExprKind::CompoundLiteral(_, initializer) => initializer.for_each_value(visit),
            ExprKind::Statements(block) => block.for_each_expr(visit),
        }
    }
}

impl Initializer {
    /// Calls `visit` with the values.
    pub(crate) fn for_each_value<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.entries.iter().filter_map(|entry| entry.value.as_ref()).for_each(visit);
    }
}

impl Block {
    /// Calls `visit` with the expressions of all statements.
    pub(crate) fn for_each_expr<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.statements.iter().for_each(|statement| statement.for_each_expr(visit));
    }

    /// Calls `visit` with all statements, and those within them; those in statement expressions are left out.
    pub(crate) fn for_each_statement<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        self.statements.iter().for_each(|statement| statement.for_each_statement(visit));
    }
}

impl Stmt {
    fn for_each_statement<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        match &self.kind {
            StmtKind::Block(block) => block.for_each_statement(visit),
            StmtKind::Sequence(parts) => parts.iter().for_each(|part| part.for_each_statement(visit)),
            StmtKind::Labeled(_, body)
            | StmtKind::Switch(_, body)
            | StmtKind::While(_, body)
            | StmtKind::DoWhile(body, _) => body.for_each_statement(visit),
            StmtKind::If(parts, otherwise) => {
                parts.iter().for_each(|(_, body)| body.for_each_statement(visit));
                otherwise.iter().for_each(|body| body.for_each_statement(visit));
            }
            StmtKind::For(parts) => {
                parts.initial.for_each_statement(visit);
                parts.body.for_each_statement(visit);
            }
            _ => {}
        }
    }

    /// Calls `visit` with the expressions of the statement and of those within it.
    pub(crate) fn for_each_expr<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.for_each_statement(&mut |statement| match &statement.kind {
            StmtKind::Expr(expr)
            | StmtKind::Switch(expr, _)
            | StmtKind::While(expr, _)
            | StmtKind::DoWhile(_, expr)
            | StmtKind::GotoComputed(expr)
            | StmtKind::Return(Some(expr)) => visit(expr),
            StmtKind::Declare(_, Some(initializer)) => initializer.for_each_value(visit),
            StmtKind::If(parts, _) => parts.iter().for_each(|(test, _)| visit(test)),
            StmtKind::For(parts) => parts.condition.iter().chain(&parts.step).for_each(&mut *visit),
            StmtKind::Asm(asm) => asm.outputs.iter().chain(&asm.inputs).for_each(|(_, operand)| visit(operand)),
            _ => {}
        });
    }
}
