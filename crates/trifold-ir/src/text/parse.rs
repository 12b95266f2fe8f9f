//! Reads heap programs: declarations, and bodies as graphs. [`super::statements`] has structured bodies. For example,
//! `0 -> 1: x = y;` is an edge of a graph.

use super::lexer::{Token, tokens};
use super::{Parsed, is_plain, scalar_named};
use crate::ids::{NodeId, ProcId, StructId, VarId};
use crate::program::{Node, Program, Scope, Type};
use crate::statement::Statement;
use crate::validate::validate;
use trifold_source::{Diagnostic, Failure, Sink, SourceMap, Span};

/// Blocks and expressions nest at most this deep.
const MAX_DEPTH: usize = 64;
/// Graphs have at most this many nodes.
const MAX_NODES: i128 = 1 << 20;

/// Reads a program, and validates it.
pub fn parse(path: &str, text: &str) -> Result<(Program, SourceMap), Box<Failure>> {
    let mut sources = SourceMap::default();
    let file = sources.add(path, text.into());
    let program = tokens(file, text).and_then(|tokens| Parser::new(tokens).program()).map_err(|error| vec![*error]);
    match program.and_then(|program| validate(&program).map(|()| program)) {
        Ok(program) => Ok((program, sources)),
        Err(errors) => {
            let mut sink = Sink::default();
            errors.into_iter().for_each(|error| sink.push(error));
            Err(Failure::new(sink, sources))
        }
    }
}

pub(super) struct Parser {
    tokens: Vec<(Token, Span)>,
    next: usize,
    depth: usize,
    pub(super) program: Program,
}

impl Parser {
    /// Structs and procedures can be used before they are declared, so their names are collected first.
    fn new(tokens: Vec<(Token, Span)>) -> Parser {
        let mut program = Program::default();
        for pair in tokens.windows(2) {
            let (Token::Word(keyword), (Token::Word(name) | Token::Quoted(name), span)) = (&pair[0].0, &pair[1]) else {
                continue;
            };
            match keyword.as_str() {
                "struct" => drop(program.add_struct(name, *span)),
                "proc" => drop(program.add_procedure(name, *span)),
                _ => {}
            }
        }
        Parser { tokens, next: 0, depth: 0, program }
    }

    fn program(mut self) -> Parsed<Program> {
        let (mut structs, mut procedures) = (self.program.struct_ids(), self.program.procedure_ids());
        while *self.peek() != Token::End {
            if self.eat_word("struct") {
                self.structure(structs.next())?;
            } else if self.eat_word("global") {
                self.declaration(Scope::Global)?;
                self.expect(";")?;
            } else {
                let entry = self.eat_word("entry");
                self.expect_word("proc")?;
                let id = procedures.next();
                self.procedure(id)?;
                self.program.entry = if entry { id } else { self.program.entry };
            }
        }
        Ok(self.program)
    }

    fn structure(&mut self, id: Option<StructId>) -> Parsed<()> {
        let (_, span) = self.name()?;
        let Some(id) = id else { return self.fail(span, "a struct was expected") };
        self.expect("{")?;
        while !self.eat("}") {
            let start = self.span();
            let embedded = self.eat_word("embedded");
            let ty = if embedded { Type::Pointer(Some(self.struct_name()?)) } else { self.ty()? };
            let (name, end) = self.name()?;
            self.program.add_field(id, &name, ty, embedded, start.to(end));
            self.expect(";")?;
        }
        Ok(())
    }

    fn procedure(&mut self, id: Option<ProcId>) -> Parsed<()> {
        let (_, span) = self.name()?;
        let Some(id) = id else { return self.fail(span, "a procedure was expected") };
        self.expect("(")?;
        while !self.eat(")") {
            self.declaration(Scope::Parameter(id))?;
            self.separator(")")?;
        }
        if self.eat("->") {
            let result = self.declaration(Scope::Local(id))?;
            self.program[id].result = Some(result);
        }
        if self.eat_word("graph") { self.graph(id) } else { self.body(id) }
    }

    fn graph(&mut self, id: ProcId) -> Parsed<()> {
        self.expect("{")?;
        while self.at_declaration() {
            self.declaration(Scope::Local(id))?;
            self.expect(";")?;
        }
        self.expect_word("node_count")?;
        let count = self.below(MAX_NODES)?;
        self.program[id].nodes = vec![Node::default(); count as usize];
        self.expect(",")?;
        self.expect_word("entry")?;
        self.program[id].entry = self.node(count)?;
        self.expect(",")?;
        self.expect_word("exit")?;
        self.program[id].exit = self.node(count)?;
        self.expect(";")?;
        while !self.eat("}") {
            let node = self.node(count)?;
            if self.eat("->") {
                let to = self.node(count)?;
                self.expect(":")?;
                let (statement, span) = self.statement(id)?;
                self.program[id].add_edge(node, to, statement, span);
            } else {
                let loop_head = self.eat_word("loop");
                let label = if let Token::Text(label) = self.peek().clone() {
                    self.advance();
                    Some(label)
                } else {
                    None
                };
                self.program[id].nodes[node.index()] = Node { label, loop_head };
            }
            self.expect(";")?;
        }
        Ok(())
    }

    /// A statement with its place.
    pub(super) fn statement(&mut self, id: ProcId) -> Parsed<(Statement, Span)> {
        let start = self.span();
        let statement = self.bare_statement(id)?;
        Ok((statement, start.to(self.last_span())))
    }

    /// Does a declaration come next? Statements never begin with a type.
    pub(super) fn at_declaration(&self) -> bool {
        let star = self.tokens.get(self.next + 1).is_some_and(|(token, _)| *token == Token::Symbol("*"));
        match self.peek() {
            Token::Word(word) => scalar_named(word).is_some() || star,
            Token::Quoted(_) => star,
            _ => false,
        }
    }

    pub(super) fn declaration(&mut self, scope: Scope) -> Parsed<VarId> {
        let start = self.span();
        let ty = self.ty()?;
        let (name, end) = self.name()?;
        Ok(self.program.add_variable(&name, ty, scope, start.to(end)))
    }

    fn ty(&mut self) -> Parsed<Type> {
        if let Token::Word(word) = self.peek()
            && let Some(scalar) = scalar_named(word)
        {
            self.advance();
            return Ok(Type::Scalar(scalar));
        }
        let target = if self.eat_word("void") { None } else { Some(self.struct_name()?) };
        self.expect("*")?;
        Ok(Type::Pointer(target))
    }

    pub(super) fn struct_name(&mut self) -> Parsed<StructId> {
        let (name, span) = self.name()?;
        self.program.struct_named(&name).map_or_else(|| self.fail(span, &format!("no struct `{name}`")), Ok)
    }

    /// A name; reserved words are names only between quotes.
    pub(super) fn name(&mut self) -> Parsed<(String, Span)> {
        let span = self.span();
        match self.peek().clone() {
            Token::Quoted(name) => {
                self.advance();
                Ok((name, span))
            }
            Token::Word(name) if is_plain(&name) => {
                self.advance();
                Ok((name, span))
            }
            _ => self.fail(span, "expected a name"),
        }
    }

    fn node(&mut self, count: i128) -> Parsed<NodeId> {
        Ok(NodeId(self.below(count)? as u32))
    }

    fn below(&mut self, limit: i128) -> Parsed<i128> {
        match *self.peek() {
            Token::Number(value, None) if value < limit => {
                self.advance();
                Ok(value)
            }
            _ => self.fail(self.span(), &format!("expected a number below {limit}")),
        }
    }

    /// A comma, unless the list is closed here.
    pub(super) fn separator(&mut self, close: &'static str) -> Parsed<()> {
        if *self.peek() == Token::Symbol(close) { Ok(()) } else { self.expect(",") }
    }

    /// Does something that may nest, unless it is nested too deep.
    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(self.span(), "this is nested too deep");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.next].1
    }

    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].1
    }

    /// The last token, the end, is never passed.
    pub(super) fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// Does a parenthesis follow the next token?
    pub(super) fn paren_next(&self) -> bool {
        self.tokens.get(self.next + 1).is_some_and(|(token, _)| *token == Token::Symbol("("))
    }

    pub(super) fn at(&self, symbol: &'static str) -> bool {
        *self.peek() == Token::Symbol(symbol)
    }

    pub(super) fn eat(&mut self, symbol: &'static str) -> bool {
        let found = self.at(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_word(&mut self, expected: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(word) if word == expected);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &'static str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { self.fail(self.span(), &format!("expected `{symbol}`")) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.fail(self.span(), &format!("expected `{word}`")) }
    }

    pub(super) fn fail<T>(&self, span: Span, message: &str) -> Parsed<T> {
        Err(Box::new(Diagnostic::error("syntax", span, message)))
    }
}
