//! Statements. For example, `for (int i = 0; i < n; i++) { … }` and `outer: while (true) break outer;`.

use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, LocalVariable, Stmt, StmtKind};

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|parser| {
            let start = parser.peek().span;
            let kind = parser.statement_kind()?;
            Ok(Stmt { kind, span: parser.since(start) })
        })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        self.skip_annotations();
        if self.at("{") {
            return Ok(StmtKind::Block(self.block()?));
        }
        if self.is_name_ahead(0) && self.at_ahead(1, ":") {
            let label = self.name("a label")?;
            self.advance();
            return Ok(StmtKind::Labelled(label, Box::new(self.statement()?)));
        }
        let word = self.spelling(self.peek());
        match word {
            ";" => {
                self.advance();
                Ok(StmtKind::Empty)
            }
            "if" => {
                self.advance();
                let condition = self.parenthesised()?;
                let yes = Box::new(self.statement()?);
                let no = if self.accept("else") { Some(Box::new(self.statement()?)) } else { None };
                Ok(StmtKind::If(condition, yes, no))
            }
            "while" => {
                self.advance();
                let condition = self.parenthesised()?;
                Ok(StmtKind::While(condition, Box::new(self.statement()?)))
            }
            "do" => {
                self.advance();
                let body = Box::new(self.statement()?);
                self.expect("while")?;
                let condition = self.parenthesised()?;
                self.expect(";")?;
                Ok(StmtKind::Do(body, condition))
            }
            "for" => self.for_statement(),
            "return" => {
                self.advance();
                let value = if self.at(";") { None } else { Some(self.expression()?) };
                self.expect(";")?;
                Ok(StmtKind::Return(value))
            }
            "break" | "continue" => {
                self.advance();
                let label = if self.at(";") { None } else { Some(self.name("a label")?) };
                self.expect(";")?;
                Ok(if word == "break" { StmtKind::Break(label) } else { StmtKind::Continue(label) })
            }
            "throw" => {
                self.advance();
                let value = self.expression()?;
                self.expect(";")?;
                Ok(StmtKind::Throw(value))
            }
            "assert" => {
                self.advance();
                let condition = self.expression()?;
                if self.accept(":") {
                    self.expression()?;
                }
                self.expect(";")?;
                Ok(StmtKind::Assert(condition))
            }
            "try" => Ok(self.skipped_try()),
            "switch" => Ok(self.skipped("`switch`")),
            "synchronized" => Ok(self.skipped("`synchronized`")),
            "class" | "interface" | "enum" | "abstract" => Ok(self.skipped("a class inside of a method")),
            "yield" if !self.at_ahead(1, "=") && !self.at_ahead(1, ".") && !self.at_ahead(1, "(") => {
                self.unexpected("a statement")
            }
            _ => self.local_or_expression(),
        }
    }

    /// Something that is not analysed, up to the end of its braces.
    fn skipped(&mut self, what: &'static str) -> StmtKind {
        while !self.at("{") && !self.at_end() {
            self.advance();
        }
        self.skip_balanced();
        StmtKind::Unsupported(what)
    }

    fn skipped_try(&mut self) -> StmtKind {
        self.skipped("`try`");
        while self.at("catch") || self.at("finally") {
            self.skipped("`try`");
        }
        StmtKind::Unsupported("`try`")
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let expr = self.expression()?;
        self.expect(")")?;
        Ok(expr)
    }

    /// Does a declaration of a local variable begin here: a type and a name?
    fn at_local(&self) -> bool {
        self.at("final") || self.type_ends(0).is_some_and(|end| self.is_name_ahead(end))
    }

    fn local_or_expression(&mut self) -> Parsed<StmtKind> {
        let kind = if self.at_local() { self.local()? } else { StmtKind::Expr(self.expression()?) };
        self.expect(";")?;
        Ok(kind)
    }

    fn local(&mut self) -> Parsed<StmtKind> {
        let mut is_final = false;
        while self.accept("final") {
            is_final = true;
            self.skip_annotations();
        }
        let ty = self.ty()?;
        let mut variables = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            let mut dimensions = 0;
            while self.at("[") && self.at_ahead(1, "]") {
                self.advance();
                self.advance();
                dimensions += 1;
            }
            let initializer = if self.accept("=") { Some(self.initializer()?) } else { None };
            variables.push(LocalVariable { name, dimensions, is_final, initializer });
            if !self.accept(",") {
                return Ok(StmtKind::Local { ty, variables });
            }
        }
    }

    /// An expression, or an array in braces.
    pub(super) fn initializer(&mut self) -> Parsed<Expr> {
        if !self.at("{") {
            return self.expression();
        }
        let start = self.peek().span;
        self.skip_balanced();
        self.expr(ExprKind::Unsupported("an array with given elements"), start)
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect("(")?;
        let is_each = self.at_local()
            && self.type_ends(usize::from(self.at("final"))).is_some_and(|end| self.at_ahead(end + 1, ":"));
        if is_each {
            while !self.at(")") && !self.at_end() {
                if self.at("(") { self.skip_balanced() } else { self.skip(1) }
            }
            self.expect(")")?;
            self.statement()?;
            return Ok(StmtKind::Unsupported("`for` over the elements of something"));
        }
        let start = self.peek().span;
        let mut first = Vec::new();
        if self.at_local() {
            let kind = self.local()?;
            first.push(Stmt { kind, span: self.since(start) });
        } else if !self.at(";") {
            first = self.expressions()?.into_iter().map(|e| Stmt { span: e.span, kind: StmtKind::Expr(e) }).collect();
        }
        self.expect(";")?;
        let condition = if self.at(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let next = if self.at(")") { Vec::new() } else { self.expressions()? };
        self.expect(")")?;
        Ok(StmtKind::For { first, condition, next, body: Box::new(self.statement()?) })
    }

    fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut all = vec![self.expression()?];
        while self.accept(",") {
            all.push(self.expression()?);
        }
        Ok(all)
    }
}
