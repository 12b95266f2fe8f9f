//! Methods and their basic blocks. Where several ways meet, entries of the stack become variables; elsewhere they stay
//! what they are. For example, `x = a ? b : c` sets one variable on two ways, and `x` after that.

use super::Translator;
use super::value::Sym;
use crate::class::Op;
use crate::reach::Body;
use std::collections::BTreeMap;
use trifold_ir::{Builder, Condition, NodeId, Operand, ProcId, Scope, Statement, Type, VarId};
use trifold_source::Span;

impl<'t> Translator<'t> {
    /// Translates a method.
    pub(super) fn method(&mut self, body: &'t Body) {
        trifold_work::listen();
        self.begin(self.procedures[&body.id()]);
        self.body = Some(body);
        match &body.flow {
            Err(why) => {
                let (name, span) = (self.ir[self.procedure].name.clone(), self.ir[self.procedure].span);
                self.end(Statement::Unsupported { text: format!("`{name}`: {why}") }, span);
            }
            Ok(_) => {
                self.declare_variables(body);
                self.blocks();
            }
        }
        self.body = None;
    }

    /// Starts to write a procedure.
    pub(super) fn begin(&mut self, procedure: ProcId) {
        self.procedure = procedure;
        self.at = self.ir[procedure].entry;
        self.stack.clear();
        self.temporaries.clear();
        self.pinned.clear();
        self.variables.clear();
        self.stack_variables.clear();
        self.nodes.clear();
        self.meeting.clear();
        self.instruction = 0;
    }

    /// The variables of webs. A parameter is its web, if they have the same type.
    fn declare_variables(&mut self, body: &'t Body) {
        let (procedure, method) = (self.procedure, body.method());
        let span = self.ir[procedure].span;
        let parameters = self.ir[procedure].parameters.clone();
        if !method.is_static() && method.name != "<init>" {
            let (left, right) = (Operand::Pointer(parameters[0]), Operand::Null);
            self.emit(Statement::Assume(Condition::Pointers { left, right, equal: false }), span);
        }
        let mut slots: BTreeMap<u16, VarId> = BTreeMap::new();
        let mut slot = 0;
        let kinds = method.signature.parameters.iter().map(|parameter| parameter.kind().is_wide());
        let this = (!method.is_static()).then_some(false);
        for (is_wide, parameter) in this.into_iter().chain(kinds).zip(&parameters) {
            slots.insert(slot, *parameter);
            slot += if is_wide { 2 } else { 1 };
        }
        let webs = &self.flow().webs.all;
        for web in webs {
            let ty = self.slot_type(&web.ty);
            let parameter = slots.get(&web.slot).copied().filter(|_| web.is_parameter);
            if let Some(parameter) = parameter
                && (self.ir[parameter].ty == ty || !web.is_assigned)
            {
                self.variables.push(parameter);
                continue;
            }
            let name = web.name.clone().unwrap_or(format!("$v{}", web.slot));
            let name = self.local_name(procedure, &name);
            let variable = self.ir.add_variable(&name, ty, Scope::Local(procedure), span);
            self.variables.push(variable);
            if let Some(parameter) = parameter {
                let value = match self.ir[parameter].ty {
                    Type::Pointer(_) => Sym::pointer(parameter),
                    Type::Scalar(_) => Sym::Number(trifold_ir::Expr::Variable(parameter)),
                };
                let value = self.operand(value, ty);
                self.set(variable, value, span);
            }
        }
    }

    fn blocks(&mut self) {
        let code = self.code();
        let reached = |at: usize| self.flow().frames.get(at).is_some_and(Option::is_some);
        let mut ways: BTreeMap<usize, usize> = BTreeMap::from([(0, 1)]);
        for (at, instruction) in code.instructions.iter().enumerate().filter(|(at, _)| reached(*at)) {
            let (jumps, falls_through) = instruction.op.successors();
            let is_jump = !jumps.is_empty();
            jumps.into_iter().for_each(|to| *ways.entry(to).or_default() += 1);
            if falls_through && is_jump {
                ways.entry(at + 1).or_default();
            }
            for handler in code.handlers_at(at) {
                // Several instructions may lead there.
                ways.insert(handler.handler, 2);
            }
        }
        let starts: Vec<usize> = ways.keys().copied().filter(|at| reached(*at)).collect();
        for start in &starts {
            let before = start.checked_sub(1).filter(|before| reached(*before));
            if before.is_some_and(|before| code.instructions[before].op.successors().1) {
                *ways.entry(*start).or_default() += 1;
            }
        }
        self.meeting = starts.iter().copied().filter(|start| ways[start] > 1).collect();
        let first = self.at;
        self.nodes = starts.iter().map(|start| (*start, self.node())).collect();
        let span = self.ir[self.procedure].span;
        self.edge(first, self.nodes[&0], Statement::Skip, span);
        let mut stacks: BTreeMap<usize, Vec<Sym>> = BTreeMap::new();
        let (mut open, mut done) = (vec![0], Vec::new());
        while let Some(start) = open.pop() {
            if done.contains(&start) {
                continue;
            }
            done.push(start);
            self.at = self.nodes[&start];
            self.stack = match self.meeting.contains(&start) {
                true => self.met(start),
                false => stacks.remove(&start).unwrap_or_default(),
            };
            let end = self.block(start);
            // Blocks whose stack comes from one way only are translated after that way.
            let (mut next, falls_through) = code.instructions[end].op.successors();
            if falls_through {
                next.push(end + 1);
            }
            for to in next {
                if !self.meeting.contains(&to) {
                    stacks.insert(to, self.stack.clone());
                }
                open.push(to);
            }
            open.extend((start..=end).flat_map(|at| code.handlers_at(at)).map(|handler| handler.handler));
        }
    }

    /// Translates a block; the position of its last instruction.
    fn block(&mut self, start: usize) -> usize {
        let code = self.code();
        let mut at = start;
        loop {
            self.instruction = at;
            self.pinned.clear();
            let (jumps, falls_through) = code.instructions[at].op.successors();
            if !jumps.is_empty() || !falls_through {
                self.last(&code.instructions[at].op);
                return at;
            }
            self.step(&code.instructions[at].op);
            if self.nodes.contains_key(&(at + 1)) {
                let (to, span) = (self.way(at + 1), self.span());
                self.edge_to(to, Statement::Skip, span);
                return at;
            }
            at += 1;
        }
    }

    /// The last instruction of a block.
    fn last(&mut self, op: &'t Op) {
        let span = self.span();
        match op {
            Op::Goto(to) => {
                let to = self.way(*to);
                self.edge_to(to, Statement::Skip, span);
            }
            Op::If(comparison, to) => {
                let value = self.pop();
                let condition = self.compared_with_zero(*comparison, value);
                self.branch(condition, *to, span);
            }
            Op::IfInt(comparison, to) => {
                let (right, left) = (self.pop(), self.pop());
                let condition = self.compared(*comparison, left, right);
                self.branch(condition, *to, span);
            }
            Op::IfRef(equal, to) => {
                let (right, left) = (self.pop(), self.pop());
                let condition = self.same(left, right, *equal);
                self.branch(condition, *to, span);
            }
            Op::IfNull(equal, to) => {
                let left = self.pop();
                let condition = self.same(left, Sym::Null, *equal);
                self.branch(condition, *to, span);
            }
            Op::Switch(cases, default) => self.switch(cases, *default, span),
            Op::Return(kind) => {
                let value = kind.map(|_| self.pop());
                if let (Some(value), Some(result)) = (value, self.ir[self.procedure].result) {
                    let value = self.operand(value, self.ir[result].ty);
                    if !self.redirect(&value, result) {
                        self.set(result, value, span);
                    }
                }
                self.leave_method(span);
            }
            Op::Throw => self.throw(),
            _ => {}
        }
    }

    pub(super) fn leave_method(&mut self, span: Span) {
        let exit = self.ir[self.procedure].exit;
        self.edge_to(exit, Statement::Return, span);
        self.at = self.node();
    }

    fn branch(&mut self, condition: Known, to: usize, span: Span) {
        let next = self.instruction + 1;
        match condition {
            Known::Always => {
                let to = self.way(to);
                self.edge_to(to, Statement::Skip, span);
            }
            Known::Never => {
                let to = self.way(next);
                self.edge_to(to, Statement::Skip, span);
            }
            Known::If(condition) => {
                let (yes, no) = (self.way(to), self.way(next));
                self.fork(condition, yes, no, span);
            }
        }
    }

    fn switch(&mut self, cases: &[(i32, usize)], default: usize, span: Span) {
        let value = self.pop_number();
        for (case, to) in cases.iter().filter(|(_, to)| *to != default) {
            let (yes, no) = (self.way(*to), self.node());
            let equal =
                trifold_ir::Expr::binary(trifold_ir::BinaryOp::Equal, value.clone(), trifold_ir::Expr::int(*case));
            self.fork(Condition::Scalar(equal), yes, no, span);
            self.at = no;
        }
        let to = self.way(default);
        self.edge_to(to, Statement::Skip, span);
    }

    /// The node of a block for an edge from here. Where ways meet, the stack is put into variables on the way.
    pub(super) fn way(&mut self, to: usize) -> NodeId {
        let node = self.nodes[&to];
        if to <= self.instruction {
            self.mark_loop_head(node);
        }
        if self.stack.is_empty() || !self.meeting.contains(&to) {
            return node;
        }
        let (before, stack, pinned) = (self.at, self.stack.clone(), self.pinned.clone());
        let first = self.node();
        self.at = first;
        let span = self.span();
        let targets: Vec<Option<VarId>> = self.met(to).iter().map(variable_of).collect();
        // A variable that is set may be read by an entry that is set later.
        for index in 0..self.stack.len().min(targets.len()) {
            let sym = self.stack[index].clone();
            let mut others = targets.iter().enumerate().filter(|(other, _)| *other != index).filter_map(|(_, t)| *t);
            if others.any(|target| sym.mentions(target)) {
                self.pinned.extend(targets.iter().flatten());
                self.stack[index] = self.saved(sym, span);
            }
        }
        for (sym, target) in self.stack.clone().into_iter().zip(&targets) {
            let Some(target) = target else { continue };
            let value = self.operand(sym, self.ir[*target].ty);
            let is_itself = matches!(value, Operand::Pointer(variable) if variable == *target)
                || value == Operand::Scalar(trifold_ir::Expr::Variable(*target));
            if !is_itself {
                self.set(*target, value, span);
            }
        }
        self.edge_to(node, Statement::Skip, span);
        (self.at, self.stack, self.pinned) = (before, stack, pinned);
        first
    }

    /// The stack where ways meet.
    pub(super) fn met(&mut self, at: usize) -> Vec<Sym> {
        let frame = self.flow().frames[at].as_ref();
        let slots = frame.map_or(&[][..], |frame| &frame.stack[..]);
        let mut stack = Vec::new();
        for (depth, slot) in slots.iter().enumerate() {
            // The streams of the system are no objects here, as long as nobody makes others.
            let is_stream =
                slot.class() == Some("java/io/PrintStream") && !self.reach.made.contains("java/io/PrintStream");
            if is_stream {
                stack.push(Sym::Opaque("a stream of the system"));
                continue;
            }
            let ty = self.slot_type(slot);
            let variable = self.stack_variable(depth, ty);
            stack.push(match ty {
                Type::Pointer(_) => Sym::pointer(variable),
                Type::Scalar(_) => Sym::Number(trifold_ir::Expr::Variable(variable)),
            });
        }
        stack
    }

    pub(super) fn stack_variable(&mut self, depth: usize, ty: Type) -> VarId {
        if let Some(known) = self.stack_variables.get(&(depth, ty)) {
            return *known;
        }
        let name = self.local_name(self.procedure, &format!("$stack{depth}"));
        let span = self.ir[self.procedure].span;
        let variable = self.ir.add_variable(&name, ty, Scope::Local(self.procedure), span);
        self.stack_variables.insert((depth, ty), variable);
        variable
    }

    /// If the last statement has computed a value into a temporary variable that nothing else needs, it computes it
    /// into another variable instead.
    pub(super) fn redirect(&mut self, value: &Operand, to: VarId) -> bool {
        let from = match value {
            Operand::Pointer(variable) | Operand::Scalar(trifold_ir::Expr::Variable(variable)) => *variable,
            _ => return false,
        };
        let is_needed = self.stack.iter().any(|sym| sym.mentions(from) || sym.mentions(to));
        if !self.temporaries.contains(&from) || self.ir[from].ty != self.ir[to].ty || is_needed {
            return false;
        }
        let at = self.at;
        let Some(last) = self.ir[self.procedure].edges.last_mut().filter(|edge| edge.to == at) else { return false };
        match &mut last.statement {
            Statement::Load { to: assigned, .. }
            | Statement::Nondet { to: assigned, .. }
            | Statement::Set { to: assigned, .. }
            | Statement::Call { to: Some(assigned), .. }
            | Statement::Allocate { to: assigned, .. }
                if *assigned == from =>
            {
                *assigned = to;
                true
            }
            _ => false,
        }
    }
}

fn variable_of(sym: &Sym) -> Option<VarId> {
    match sym {
        Sym::Pointer { variable, .. } | Sym::Number(trifold_ir::Expr::Variable(variable)) => Some(*variable),
        _ => None,
    }
}

/// A condition that may be known.
pub(super) enum Known {
    Always,
    Never,
    If(Condition),
}
