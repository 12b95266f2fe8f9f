//! Reads structured bodies, statements and expressions. For example, `while (x != null) { x = x->next; }`.

use super::lexer::Token;
use super::parse::Parser;
use super::{Parsed, scalar_named};
use crate::computation::{Meaning, Operation};
use crate::ids::{FieldId, NodeId, ProcId, VarId};
use crate::kind::FindingKind;
use crate::operand::{Expr, Operand};
use crate::program::{Node, Scope, Type};
use crate::scalar::{BinaryOp, Scalar, UnaryOp};
use crate::statement::{Condition, Region, Statement};
use trifold_source::Span;

/// Structured bodies. `at` is the node where the next statement begins; there is none after a return.
impl Parser {
    pub(super) fn body(&mut self, id: ProcId) -> Parsed<()> {
        let at = self.block(id, Some(self.program[id].entry))?;
        let (exit, end) = (self.program[id].exit, self.last_span());
        if let Some(at) = at {
            self.program[id].add_edge(at, exit, Statement::Return, end);
        }
        Ok(())
    }

    fn block(&mut self, id: ProcId, mut at: Option<NodeId>) -> Parsed<Option<NodeId>> {
        self.expect("{")?;
        while !self.eat("}") {
            if self.at_declaration() {
                self.declaration(Scope::Local(id))?;
                self.expect(";")?;
                continue;
            }
            // Statements after a return are kept, although nothing leads to them.
            let from = at.unwrap_or_else(|| self.fresh(id));
            at = self.nested(|parser| {
                if parser.eat_word("while") {
                    parser.while_loop(id, from).map(Some)
                } else if parser.eat_word("if") {
                    parser.branch(id, from).map(Some)
                } else {
                    parser.simple(id, from)
                }
            })?;
        }
        Ok(at)
    }

    fn fresh(&mut self, id: ProcId) -> NodeId {
        self.program[id].add_node(Node::default())
    }

    fn simple(&mut self, id: ProcId, mut from: NodeId) -> Parsed<Option<NodeId>> {
        let exit = self.program[id].exit;
        let (statement, span) = self.statement(id)?;
        let returns = statement == Statement::Return;
        if returns && !self.at(";") {
            let value = self.operand(id)?;
            let Some(to) = self.program[id].result else { return self.fail(span, "this procedure has no result") };
            let next = self.fresh(id);
            let span = span.to(self.last_span());
            self.program[id].add_edge(from, next, Statement::Set { to, value }, span);
            from = next;
        }
        self.expect(";")?;
        let ends = returns || !statement.falls_through();
        let to = if ends { exit } else { self.fresh(id) };
        self.program[id].add_edge(from, to, statement, span);
        Ok((!ends).then_some(to))
    }

    fn while_loop(&mut self, id: ProcId, from: NodeId) -> Parsed<NodeId> {
        let head = self.program[id].add_node(Node { label: None, loop_head: true });
        let (condition, span) = self.guard(id)?;
        self.program[id].add_edge(from, head, Statement::Skip, span);
        let body = self.fresh(id);
        self.assume(id, head, body, condition.clone(), span);
        if let Some(end) = self.block(id, Some(body))? {
            self.program[id].add_edge(end, head, Statement::Skip, span);
        }
        let after = self.fresh(id);
        self.assume(id, head, after, condition.map(|condition| condition.negated()), span);
        Ok(after)
    }

    fn branch(&mut self, id: ProcId, from: NodeId) -> Parsed<NodeId> {
        let (condition, span) = self.guard(id)?;
        let (then, otherwise) = (self.fresh(id), self.fresh(id));
        self.assume(id, from, then, condition.clone(), span);
        self.assume(id, from, otherwise, condition.map(|condition| condition.negated()), span);
        let then = self.block(id, Some(then))?;
        let otherwise = if self.eat_word("else") { self.block(id, Some(otherwise))? } else { Some(otherwise) };
        let after = self.fresh(id);
        for end in [then, otherwise].into_iter().flatten() {
            self.program[id].add_edge(end, after, Statement::Skip, span);
        }
        Ok(after)
    }

    /// `(condition)`, or `(*)` for either way.
    fn guard(&mut self, id: ProcId) -> Parsed<(Option<Condition>, Span)> {
        self.expect("(")?;
        let start = self.span();
        let condition = if self.eat("*") { None } else { Some(self.condition(id)?) };
        let span = start.to(self.last_span());
        self.expect(")")?;
        Ok((condition, span))
    }

    fn assume(&mut self, id: ProcId, from: NodeId, to: NodeId, condition: Option<Condition>, span: Span) {
        self.program[id].add_edge(from, to, condition.map_or(Statement::Skip, Statement::Assume), span);
    }
}

/// Statements and their parts.
impl Parser {
    pub(super) fn bare_statement(&mut self, id: ProcId) -> Parsed<Statement> {
        let keyword = match self.peek() {
            Token::Word(word) => word.clone(),
            _ => String::new(),
        };
        match keyword.as_str() {
            "skip" => self.keyword(Statement::Skip),
            "stop" => self.keyword(Statement::Stop),
            "return" => self.keyword(Statement::Return),
            "free" => Ok(Statement::Free { pointer: self.parenthesised(|parser| parser.variable(id))? }),
            "assume" => Ok(Statement::Assume(self.parenthesised(|parser| parser.condition(id))?)),
            "assert" => Ok(Statement::Assert(self.parenthesised(|parser| parser.condition(id))?)),
            "error" => self.parenthesised(Parser::error),
            "end" => {
                self.advance();
                Ok(Statement::EndLife { object: self.variable(id)? })
            }
            "unsupported" => {
                self.advance();
                Ok(Statement::Unsupported { text: self.text()? })
            }
            "unknown" => self.call(id, None),
            _ if self.at("{") || self.at_call() => self.call(id, None),
            _ => self.assignment(id),
        }
    }

    fn keyword(&mut self, statement: Statement) -> Parsed<Statement> {
        self.advance();
        Ok(statement)
    }

    /// `word(…)`, where the word is already known.
    fn parenthesised<T>(&mut self, inner: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        self.advance();
        self.expect("(")?;
        let result = inner(self)?;
        self.expect(")")?;
        Ok(result)
    }

    fn error(&mut self) -> Parsed<Statement> {
        // Kinds have hyphens in their names.
        let start = self.span();
        let mut words = Vec::new();
        while let Token::Word(word) = self.peek().clone() {
            self.advance();
            words.push(word);
            if !self.eat("-") {
                break;
            }
        }
        let Some(kind) = FindingKind::from_name(&words.join("-")) else {
            return self.fail(start, "expected a kind of finding");
        };
        self.expect(",")?;
        Ok(Statement::Error { kind, text: self.text()? })
    }

    fn text(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Token::Text(text) => {
                self.advance();
                Ok(text)
            }
            _ => self.fail(self.span(), "expected a text in double quotes"),
        }
    }

    fn assignment(&mut self, id: ProcId) -> Parsed<Statement> {
        let to = self.variable(id)?;
        if self.eat("->") {
            let field = self.field_of(to)?;
            self.expect("=")?;
            return Ok(Statement::Store { object: to, field, value: self.operand(id)? });
        }
        self.expect("=")?;
        let region = [("new", Region::Heap), ("stack", Region::Stack), ("static", Region::Static)];
        if let Some((_, region)) = region.into_iter().find(|(word, _)| self.eat_word(word)) {
            let zeroed = self.eat_word("zeroed");
            let structure = self.struct_name()?;
            let may_fail = self.eat_word("or");
            if may_fail {
                self.expect_word("null")?;
            }
            return Ok(Statement::Allocate { to, structure, region, zeroed, may_fail });
        }
        if self.eat_word("owner") {
            return self.owner(id, to);
        }
        if self.eat_word("nondet") {
            let range = if self.at("(") { Some(self.range()?) } else { None };
            let meaning = if self.eat_word("as") { self.computed(id)? } else { Meaning::Open };
            return Ok(Statement::Nondet { to, range, meaning });
        }
        if self.at("{") || self.at_call() || matches!(self.peek(), Token::Word(word) if word == "unknown") {
            return self.call(id, Some(to));
        }
        let value = self.operand(id)?;
        match value {
            Operand::Pointer(object) if self.eat("->") => {
                Ok(Statement::Load { to, object, field: self.field_of(object)? })
            }
            value => Ok(Statement::Set { to, value }),
        }
    }

    fn computed(&mut self, id: ProcId) -> Parsed<Meaning> {
        let (name, span) = self.name()?;
        let Some(operation) = Operation::named(&name) else {
            return self.fail(span, &format!("no operation `{name}`"));
        };
        Ok(Meaning::Computed(operation, self.arguments(id)?))
    }

    fn owner(&mut self, id: ProcId, to: VarId) -> Parsed<Statement> {
        self.expect("(")?;
        let part = self.variable(id)?;
        self.expect(",")?;
        let structure = self.struct_name()?;
        self.expect("::")?;
        let (name, span) = self.name()?;
        let Some(field) = self.program.field_named(structure, &name) else {
            return self.fail(span, &format!("no field `{name}`"));
        };
        self.expect(")")?;
        Ok(Statement::Owner { to, part, field })
    }

    fn range(&mut self) -> Parsed<(i128, i128)> {
        self.expect("(")?;
        let low = self.integer()?;
        self.expect(",")?;
        let high = self.integer()?;
        self.expect(")")?;
        Ok((low, high))
    }

    fn integer(&mut self) -> Parsed<i128> {
        let negative = self.eat("-");
        match *self.peek() {
            Token::Number(value, None) => {
                self.advance();
                Ok(if negative { -value } else { value })
            }
            _ => self.fail(self.span(), "expected an integer"),
        }
    }

    /// Does the name of a procedure and a parenthesis come next?
    fn at_call(&self) -> bool {
        match self.peek() {
            Token::Word(name) | Token::Quoted(name) => {
                self.program.procedure_named(name).is_some() && self.paren_next()
            }
            _ => false,
        }
    }

    fn call(&mut self, id: ProcId, to: Option<VarId>) -> Parsed<Statement> {
        if self.eat_word("unknown") {
            let (name, _) = self.name()?;
            return Ok(Statement::UnknownCall { to, name, arguments: self.arguments(id)? });
        }
        let mut targets = Vec::new();
        if self.eat("{") {
            while !self.eat("}") {
                targets.push(self.procedure_name()?);
                self.separator("}")?;
            }
        } else {
            targets.push(self.procedure_name()?);
        }
        Ok(Statement::Call { to, targets, arguments: self.arguments(id)? })
    }

    fn procedure_name(&mut self) -> Parsed<ProcId> {
        let (name, span) = self.name()?;
        self.program.procedure_named(&name).map_or_else(|| self.fail(span, &format!("no procedure `{name}`")), Ok)
    }

    fn arguments(&mut self, id: ProcId) -> Parsed<Vec<Operand>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.eat(")") {
            arguments.push(self.operand(id)?);
            self.separator(")")?;
        }
        Ok(arguments)
    }

    fn variable(&mut self, id: ProcId) -> Parsed<VarId> {
        let (name, span) = self.name()?;
        self.program.variable_named(id, &name).map_or_else(|| self.fail(span, &format!("no variable `{name}`")), Ok)
    }

    /// The field that is named next, of the struct that a variable points to.
    fn field_of(&mut self, object: VarId) -> Parsed<FieldId> {
        let (name, span) = self.name()?;
        let field = match self.program[object].ty {
            Type::Pointer(Some(structure)) => self.program.field_named(structure, &name),
            _ => None,
        };
        field.map_or_else(|| self.fail(span, &format!("no field `{name}`")), Ok)
    }

    fn condition(&mut self, id: ProcId) -> Parsed<Condition> {
        match self.operand(id)? {
            Operand::Scalar(expr) => Ok(Condition::Scalar(expr)),
            left => {
                let equal = self.eat("==");
                if !equal {
                    self.expect("!=")?;
                }
                Ok(Condition::Pointers { left, right: self.operand(id)?, equal })
            }
        }
    }

    pub(super) fn operand(&mut self, id: ProcId) -> Parsed<Operand> {
        if self.eat_word("null") {
            return Ok(Operand::Null);
        }
        if self.eat_word("uninit") {
            return Ok(Operand::Uninitialised);
        }
        match self.expr(id)? {
            Expr::Variable(variable) if self.program[variable].ty.is_pointer() => Ok(Operand::Pointer(variable)),
            expr => Ok(Operand::Scalar(expr)),
        }
    }

    fn expr(&mut self, id: ProcId) -> Parsed<Expr> {
        let left = self.primary(id)?;
        let is_pointer = matches!(left, Expr::Variable(variable) if self.program[variable].ty.is_pointer());
        let op = BinaryOp::ALL.into_iter().find(|(_, symbol)| !is_pointer && self.at(symbol));
        let Some((op, _)) = op else { return Ok(left) };
        self.advance();
        let right = self.primary(id)?;
        Ok(Expr::binary(op, left, right))
    }

    fn primary(&mut self, id: ProcId) -> Parsed<Expr> {
        self.nested(|parser| {
            let span = parser.span();
            match parser.peek().clone() {
                Token::Number(..) => parser.constant(false),
                Token::Symbol("(") => parser.parenthesised_expr(id),
                Token::Symbol("-") => {
                    parser.advance();
                    if matches!(parser.peek(), Token::Number(..)) {
                        return parser.constant(true);
                    }
                    Ok(Expr::unary(UnaryOp::Negate, parser.primary(id)?))
                }
                Token::Symbol("~" | "!") => {
                    parser.advance();
                    Ok(Expr::unary(UnaryOp::Complement, parser.primary(id)?))
                }
                Token::Word(word) if word == "true" || word == "false" => {
                    parser.advance();
                    Ok(Expr::Constant(i128::from(word == "true"), Scalar::Bool))
                }
                Token::Word(word) if scalar_named(&word).is_some() && parser.paren_next() => {
                    parser.advance();
                    let scalar = scalar_named(&word).unwrap_or(Scalar::I32);
                    Ok(Expr::Convert(scalar, Box::new(parser.parenthesised_expr(id)?)))
                }
                Token::Word(_) | Token::Quoted(_) => parser.variable(id).map(Expr::Variable),
                _ => parser.fail(span, "expected an expression"),
            }
        })
    }

    fn parenthesised_expr(&mut self, id: ProcId) -> Parsed<Expr> {
        self.expect("(")?;
        let inner = self.expr(id)?;
        self.expect(")")?;
        Ok(inner)
    }

    fn constant(&mut self, negative: bool) -> Parsed<Expr> {
        let span = self.span();
        let Token::Number(value, suffix) = self.peek().clone() else { return self.fail(span, "expected a number") };
        self.advance();
        let value = if negative { -value } else { value };
        let scalar = suffix.map_or(Some(Scalar::I32), |suffix| scalar_named(&suffix));
        match scalar {
            Some(scalar) if scalar.contains(value) => Ok(Expr::Constant(value, scalar)),
            _ => self.fail(span, "this is no value of any integer type with such a name"),
        }
    }
}
