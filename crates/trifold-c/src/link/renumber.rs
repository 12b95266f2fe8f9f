//! New numbers for the types and declarations that trees name. For example, a call of `f` in one file names the
//! declaration of `f` there, and after linking that of the file which defines `f`.

use crate::typed::{Block, Declaration, DeclarationId, Expr, ExprKind, Function, Global, Initializer, Stmt, StmtKind};
use crate::types::TypeId;

/// The new numbers, by the old ones.
pub(super) struct Renumbering {
    pub types: Vec<TypeId>,
    pub declarations: Vec<DeclarationId>,
}

impl Renumbering {
    pub fn ty(&self, id: TypeId) -> TypeId {
        self.types[id.index()]
    }

    pub fn id(&self, id: DeclarationId) -> DeclarationId {
        self.declarations[id.index()]
    }

    pub fn declaration(&self, declaration: &mut Declaration) {
        declaration.ty = self.ty(declaration.ty);
        declaration.cleanup = declaration.cleanup.map(|id| self.id(id));
    }

    pub fn global(&self, global: &mut Global) {
        global.declaration = self.id(global.declaration);
        global.initializer.iter_mut().for_each(|initializer| self.initializer(initializer));
    }

    pub fn function(&self, function: &mut Function) {
        function.declaration = self.id(function.declaration);
        function.parameters.iter_mut().for_each(|parameter| *parameter = self.id(*parameter));
        self.block(&mut function.body);
    }

    fn block(&self, block: &mut Block) {
        block.statements.iter_mut().for_each(|statement| self.statement(statement));
    }

    fn initializer(&self, initializer: &mut Initializer) {
        initializer.entries.iter_mut().filter_map(|entry| entry.value.as_mut()).for_each(|value| self.expr(value));
    }

    fn statement(&self, statement: &mut Stmt) {
        match &mut statement.kind {
            StmtKind::Empty
            | StmtKind::NotUnderstood(_)
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::Return(None) => {}
            StmtKind::Expr(expr) | StmtKind::GotoComputed(expr) | StmtKind::Return(Some(expr)) => self.expr(expr),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Declare(id, initializer) => {
                *id = self.id(*id);
                initializer.iter_mut().for_each(|initializer| self.initializer(initializer));
            }
            StmtKind::Sequence(parts) => parts.iter_mut().for_each(|part| self.statement(part)),
            StmtKind::Labeled(_, body) => self.statement(body),
            StmtKind::If(parts, otherwise) => {
                for (test, body) in parts {
                    self.expr(test);
                    self.statement(body);
                }
                otherwise.iter_mut().for_each(|body| self.statement(body));
            }
            StmtKind::Switch(expr, body) | StmtKind::While(expr, body) | StmtKind::DoWhile(body, expr) => {
                self.expr(expr);
                self.statement(body);
            }
            StmtKind::For(parts) => {
                self.statement(&mut parts.initial);
                parts.condition.iter_mut().chain(&mut parts.step).for_each(|expr| self.expr(expr));
                self.statement(&mut parts.body);
            }
            StmtKind::Asm(asm) => {
                let operands = asm.outputs.iter_mut().chain(&mut asm.inputs);
                operands.for_each(|(_, operand)| self.expr(operand));
            }
        }
    }

    pub fn expr(&self, expr: &mut Expr) {
        expr.ty = self.ty(expr.ty);
        match &mut expr.kind {
            ExprKind::Error
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::ConstantKnown
            | ExprKind::Unclear(_) => {}
            ExprKind::Name(id) => *id = self.id(*id),
            ExprKind::Sizeof(ty) => *ty = self.ty(*ty),
            ExprKind::Load(operand)
            | ExprKind::Decay(operand)
            | ExprKind::AddressOf(operand)
            | ExprKind::Deref(operand)
            | ExprKind::Member(operand, _)
            | ExprKind::Convert { operand, .. }
            | ExprKind::Unary(_, operand)
            | ExprKind::VaArg(operand)
            | ExprKind::Increment { place: operand, .. } => self.expr(operand),
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::PointerOffset { pointer: a, index: b, .. }
            | ExprKind::PointerDifference(a, b)
            | ExprKind::LogicalAnd(a, b)
            | ExprKind::LogicalOr(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::CompoundAssign { place, value, computed, .. } => {
                self.expr(place);
                self.expr(value);
                *computed = self.ty(*computed);
            }
            ExprKind::Conditional(test, middle, otherwise) => {
                self.expr(test);
                middle.iter_mut().for_each(|middle| self.expr(middle));
                self.expr(otherwise);
            }
            ExprKind::Call(callee, arguments) => {
                self.expr(callee);
                arguments.iter_mut().for_each(|argument| self.expr(argument));
            }
            ExprKind::Builtin(_, arguments) => {
                arguments.iter_mut().for_each(|argument| self.expr(argument));
            }
            ExprKind::CompoundLiteral(id, initializer) => {
                *id = self.id(*id);
                self.initializer(initializer);
            }
            ExprKind::Statements(block) => self.block(block),
        }
    }
}
