//! Statements: labels get numbers, cases get values, returns get the type of the function. For example, `return 1;` in
//! a function that returns `long` returns a `long`.

use super::operator::WIDE;
use super::{FunctionContext, Sema, SwitchContext};
use crate::ast;
use crate::typed::{Asm, Block, Expr, ExprKind, For, Label, LabelId, LabelName, Stmt, StmtKind};
use crate::types::{Type, Types};
use trifold_source::{Diagnostic, Span};

impl Sema<'_> {
    pub(super) fn block(&mut self, block: &ast::Block) -> Block {
        if let Some(function) = &mut self.function {
            function.local_labels.open();
        }
        let block = self.scoped(|sema| sema.block_in_scope(block));
        if let Some(function) = &mut self.function {
            function.local_labels.close();
        }
        block
    }

    pub(super) fn block_in_scope(&mut self, block: &ast::Block) -> Block {
        let statements = block.statements.iter().map(|statement| self.statement(statement)).collect();
        Block { statements, span: block.span }
    }

    fn boxed(&mut self, statement: &ast::Stmt) -> Box<Stmt> {
        Box::new(self.statement(statement))
    }

    fn statement(&mut self, statement: &ast::Stmt) -> Stmt {
        let kind = match &statement.kind {
            ast::StmtKind::Empty => StmtKind::Empty,
            ast::StmtKind::Expr(value) => StmtKind::Expr(self.value(value)),
            ast::StmtKind::Block(block) => StmtKind::Block(self.block(block)),
            ast::StmtKind::Declaration(declaration) => sequence(self.declaration(declaration)),
            ast::StmtKind::NotUnderstood(why) => StmtKind::NotUnderstood(why.clone()),
            ast::StmtKind::StaticAssert(assertion) => {
                self.static_assert(assertion);
                StmtKind::Empty
            }
            ast::StmtKind::Labeled(labels, body) => {
                let labels = labels.iter().filter_map(|label| self.label(label)).collect();
                StmtKind::Labeled(labels, self.boxed(body))
            }
            // These are blocks, and so are the statements in them, even without braces [C11 6.8.4, 6.8.5].
            ast::StmtKind::If(arms, otherwise) => self.scoped(|sema| {
                let arms = arms.iter().map(|(test, body)| (sema.condition(test), sema.inner(body))).collect();
                StmtKind::If(arms, otherwise.as_ref().map(|otherwise| Box::new(sema.inner(otherwise))))
            }),
            ast::StmtKind::Switch(value, body) => self.scoped(|sema| sema.switch(value, body)),
            ast::StmtKind::While(test, body) => self.scoped(|sema| {
                let test = sema.condition(test);
                StmtKind::While(test, Box::new(sema.loop_body(body)))
            }),
            ast::StmtKind::DoWhile(body, test) => self.scoped(|sema| {
                let body = sema.loop_body(body);
                StmtKind::DoWhile(Box::new(body), sema.condition(test))
            }),
            ast::StmtKind::For(parts) => self.scoped(|sema| sema.for_statement(parts)),
            ast::StmtKind::Goto(name) => self.find_label(*name).map_or(StmtKind::Empty, StmtKind::Goto),
            ast::StmtKind::GotoComputed(target) => StmtKind::GotoComputed(self.value(target)),
            ast::StmtKind::Continue => self.jump(statement.span, false, StmtKind::Continue),
            ast::StmtKind::Break => self.jump(statement.span, true, StmtKind::Break),
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), statement.span),
            ast::StmtKind::Asm(asm) => self.asm(asm),
            ast::StmtKind::LocalLabels(names) => {
                names.iter().for_each(|name| self.local_label(*name));
                StmtKind::Empty
            }
        };
        Stmt { kind, span: statement.span }
    }

    /// A value that can be compared with zero.
    pub(super) fn condition(&mut self, test: &ast::Expr) -> Expr {
        let value = self.value(test);
        self.scalar(value)
    }

    /// A statement that is a block of its own.
    fn inner(&mut self, body: &ast::Stmt) -> Stmt {
        self.scoped(|sema| sema.statement(body))
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Stmt {
        self.add_loops(1);
        let body = self.inner(body);
        self.add_loops(-1);
        body
    }

    fn add_loops(&mut self, change: isize) {
        if let Some(function) = &mut self.function {
            function.loops = function.loops.saturating_add_signed(change);
        }
    }

    fn for_statement(&mut self, parts: &ast::For) -> StmtKind {
        let initial = self.statement(&parts.initial);
        let condition = parts.condition.as_ref().map(|condition| self.condition(condition));
        let step = parts.step.as_ref().map(|step| self.value(step));
        let body = self.loop_body(&parts.body);
        StmtKind::For(Box::new(For { initial, condition, step, body }))
    }

    fn jump(&mut self, span: Span, out_of_switch: bool, kind: StmtKind) -> StmtKind {
        let inside = self
            .function
            .as_ref()
            .is_some_and(|function| function.loops > 0 || out_of_switch && !function.switches.is_empty());
        if !inside {
            let message =
                if out_of_switch { "`break` outside of a loop or switch" } else { "`continue` outside of a loop" };
            self.error("jump", span, message);
            return StmtKind::Empty;
        }
        kind
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> StmtKind {
        let result = self.function.as_ref().map_or(Types::ERROR, |function| function.result);
        let is_void = *self.types.get(result) == Type::Void;
        match value {
            None => {
                if !is_void && !self.types.is_error(result) {
                    let warning = Diagnostic::warning("return", span, "this function should return a value");
                    self.sink.push(warning);
                }
                StmtKind::Return(None)
            }
            Some(value) => {
                let value = self.value(value);
                if is_void {
                    if *self.types.get(value.ty) != Type::Void && !self.types.is_error(value.ty) {
                        let warning = "a function without a result returns a value";
                        self.sink.push(Diagnostic::warning("return", value.span, warning));
                    }
                    let span = value.span;
                    let first = Stmt { kind: StmtKind::Expr(value), span };
                    return StmtKind::Sequence(vec![first, Stmt { kind: StmtKind::Return(None), span }]);
                }
                StmtKind::Return(Some(self.assigned(value, result)))
            }
        }
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> StmtKind {
        let value = self.value(value);
        if !self.types.is_integer(value.ty) && !self.types.is_error(value.ty) {
            let message = format!("a switch needs an integer, not `{}`", self.show(value.ty));
            self.error("type", value.span, message);
        }
        let ty = self.types.promoted(value.ty, self.value_width(&value));
        let value = match self.depends_on_width(None, &value, &value) {
            true => Expr { kind: ExprKind::Unclear(WIDE), ty, span: value.span },
            false => self.convert(value, ty),
        };
        if let Some(function) = &mut self.function {
            function.switches.push(SwitchContext { ty, cases: Vec::new(), default: None });
        }
        let body = self.inner(body);
        let context = self.function.as_mut().and_then(|function| function.switches.pop());
        if let Some(context) = context {
            self.check_cases(context);
        }
        StmtKind::Switch(value, Box::new(body))
    }

    /// Ranges of values must not overlap.
    fn check_cases(&mut self, mut context: SwitchContext) {
        context.cases.sort_by_key(|(low, high, span)| (*low, *high, *span));
        for pair in context.cases.windows(2) {
            let ((_, high, first), (low, _, second)) = (pair[0], pair[1]);
            if low <= high {
                let error = Diagnostic::error("case", second, format!("there are two cases for {low}"));
                self.sink.push(error.secondary(first, "the other one"));
            }
        }
    }

    fn label(&mut self, label: &ast::Label) -> Option<Label> {
        match label {
            ast::Label::Named(name) => {
                let id = self.find_label(*name)?;
                let function = self.function.as_mut()?;
                let first = std::mem::replace(&mut function.labels[id.index()].span, name.span);
                if std::mem::replace(&mut function.placed[id.index()], true) {
                    let message = format!("the label `{}` occurs twice", self.text(name.symbol));
                    let error = Diagnostic::error("redefinition", name.span, message);
                    self.sink.push(error.secondary(first, "first here"));
                }
                Some(Label::Named(id))
            }
            ast::Label::Case(low, high, span) => {
                let low = self.case_value(low, *span)?;
                let high = match high {
                    Some(high) => self.case_value(high, *span)?,
                    None => low,
                };
                // An empty range is no mistake, says GCC.
                if low <= high {
                    let switch = self.function.as_mut().and_then(|function| function.switches.last_mut());
                    switch?.cases.push((low, high, *span));
                }
                Some(Label::Case(low, high))
            }
            ast::Label::Default(span) => {
                let Some(switch) = self.function.as_mut().and_then(|function| function.switches.last_mut()) else {
                    self.error("case", *span, "`default` outside of a switch");
                    return None;
                };
                if let Some(first) = switch.default.replace(*span) {
                    let error = Diagnostic::error("case", *span, "a switch has one `default` at most");
                    self.sink.push(error.secondary(first, "the other one"));
                }
                Some(Label::Default)
            }
        }
    }

    fn case_value(&mut self, value: &ast::Expr, span: Span) -> Option<i128> {
        let value = self.value(value);
        let Some(ty) = self.function.as_ref().and_then(|function| function.switches.last()).map(|switch| switch.ty)
        else {
            self.error("case", span, "`case` outside of a switch");
            return None;
        };
        let constant = self.integer_constant(&value);
        if constant.is_none() && !self.types.is_error(value.ty) {
            self.error("not-constant", value.span, "the value of a case must be constant");
        }
        Some(self.types.integer_kind(ty)?.wrap(constant?))
    }

    /// The label of a name; it may stand further down.
    pub(super) fn find_label(&mut self, name: ast::Name) -> Option<LabelId> {
        let Some(function) = &mut self.function else {
            self.error("label", name.span, "a label outside of a function");
            return None;
        };
        let known = function.local_labels.get(name.symbol).or_else(|| function.by_name.get(&name.symbol).copied());
        let id = known.unwrap_or_else(|| {
            let id = function.new_label(name);
            function.by_name.insert(name.symbol, id);
            id
        });
        Some(id)
    }

    fn local_label(&mut self, name: ast::Name) {
        if let Some(function) = &mut self.function {
            let id = function.new_label(name);
            function.local_labels.insert(name.symbol, id);
        }
    }

    /// All labels of a function, each of which must have been met.
    pub(super) fn finish_labels(&mut self, context: FunctionContext) -> Vec<LabelName> {
        for (label, placed) in context.labels.iter().zip(&context.placed) {
            if !placed {
                let message = format!("there is no label `{}` in this function", self.text(label.name));
                self.error("label", label.span, message);
            }
        }
        context.labels
    }

    fn asm(&mut self, asm: &ast::Asm) -> StmtKind {
        let outputs = asm.outputs.iter().map(|(text, operand)| (text.clone(), self.expression(operand))).collect();
        let inputs = asm.inputs.iter().map(|(text, operand)| (text.clone(), self.expression(operand))).collect();
        let labels = asm.labels.iter().filter_map(|name| self.find_label(*name)).collect();
        let (template, clobbers) = (asm.template.clone(), asm.clobbers.clone());
        StmtKind::Asm(Asm { template, outputs, inputs, clobbers, labels })
    }
}

impl FunctionContext {
    fn new_label(&mut self, name: ast::Name) -> LabelId {
        self.labels.push(LabelName { name: name.symbol, span: name.span });
        self.placed.push(false);
        LabelId(self.labels.len() as u32 - 1)
    }
}

fn sequence(mut statements: Vec<Stmt>) -> StmtKind {
    match (statements.pop(), statements.is_empty()) {
        (None, _) => StmtKind::Empty,
        (Some(only), true) => only.kind,
        (Some(last), false) => {
            statements.push(last);
            StmtKind::Sequence(statements)
        }
    }
}
