//! One step: which edge is taken, and the effect of its statement on the state. For example, `x = y->n` is an error if
//! `y` is null, and a new state otherwise.

use super::block::Blocks;
use super::choices::Choices;
use super::footprint::Footprint;
use super::made::{Asked, MadeChoice};
use super::state::{Frame, ObjectId, State, Status, Value};
use super::{Incident, Options, Run, RunEnd, RunStart};
use crate::computation::{Cause, Meaning};
use crate::ids::{FieldId, Point, ProcId, VarId};
use crate::kind::FindingKind;
use crate::operand::{Expr, Operand};
use crate::program::{Edge, Program, Type};
use crate::scalar::Scalar;
use crate::statement::{Condition, Region, Statement};
use crate::text::show_condition;
use trifold_work::listen;

/// Why there is no next state.
pub(super) enum End {
    Failed(FindingKind, String),
    With(RunEnd),
}

pub(super) type Step<T> = Result<T, End>;

pub(super) fn fail<T>(kind: FindingKind, text: String) -> Step<T> {
    Err(End::Failed(kind, text))
}

pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) options: &'a Options,
    pub(super) choices: &'a mut dyn Choices,
    /// The edges that leave each node of each procedure.
    leaving: Vec<Vec<Vec<usize>>>,
    pub(super) state: State,
    /// Blocks of memory, which numbers are the names of.
    pub(super) blocks: Blocks,
    /// What is not computed, but has decided the way of the run.
    inexact: Option<Cause>,
    made: Vec<MadeChoice>,
    /// Has memory been found shared that an assertion takes for separate?
    is_shared: bool,
    findings: Vec<Incident>,
    footprint: Footprint,
    start: &'a RunStart,
    /// How many states have been visited.
    visits: usize,
    /// For each call under way, how many had been before the one to which its last statement was applied.
    before: Vec<usize>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        program: &'a Program,
        start: &'a RunStart,
        options: &'a Options,
        choices: &'a mut dyn Choices,
    ) -> Machine<'a> {
        let leaving = program.procedures.iter().map(|procedure| procedure.edges_from()).collect();
        let state = State { objects: start.objects.clone(), ..State::initial(program) };
        let (findings, footprint) = (Vec::new(), Footprint::default());
        let (visits, before) = (0, Vec::new());
        let (blocks, inexact, made, is_shared) = (Blocks::default(), None, Vec::new(), false);
        Machine {
            program,
            options,
            choices,
            leaving,
            state,
            blocks,
            inexact,
            made,
            is_shared,
            findings,
            footprint,
            start,
            visits,
            before,
        }
    }

    pub(super) fn run(mut self, entry: ProcId, visit: &mut dyn FnMut(Point, &State)) -> Run {
        self.enter(entry, &self.start.arguments);
        let mut steps = 0;
        let outcome = loop {
            listen();
            visit(self.state.point(), &self.state);
            self.visits += 1;
            if self.state.frame().node == self.program[self.state.frame().procedure].exit {
                match self.leave() {
                    Some(outcome) => break outcome,
                    None => continue,
                }
            }
            if steps == self.options.max_steps {
                break RunEnd::StepLimit;
            }
            steps += 1;
            match self.step() {
                Ok(()) => {}
                Err(End::With(outcome)) => break outcome,
                Err(End::Failed(kind, text)) => {
                    if !self.report_assertion() {
                        let (kind, text) = self.breach().unwrap_or((kind, text));
                        self.report(kind, text);
                    }
                    break RunEnd::Failed;
                }
            }
        };
        Run { findings: self.findings, outcome, steps, inexact: self.inexact, made: self.made }
    }

    fn enter(&mut self, procedure: ProcId, arguments: &[Value]) {
        let variables = self.program[procedure].variables();
        let arguments = arguments.iter().copied().chain(std::iter::repeat(Value::Uninitialised));
        let values = variables.zip(arguments).collect();
        let node = self.program[procedure].entry;
        self.state.frames.push(Frame { procedure, node, edge: None, values, owned: Vec::new() });
        self.footprint.enter();
    }

    /// Goes back from the exit to the caller. Objects that are lost with the frame are lost by the return, those that
    /// are lost with the result are lost by the call.
    fn leave(&mut self) -> Option<RunEnd> {
        let callee = self.state.frame().clone();
        let result = self.program[callee.procedure].result.map(|result| self.state.value(result));
        self.state.frame_mut().values.clear();
        for object in callee.owned {
            self.state.kill(self.program, object, Status::Dead);
        }
        self.report_leaks(&[result.unwrap_or(Value::Uninitialised)]);
        if self.state.frames.len() == 1 {
            self.report_leaks(&[]);
            if self.options.leaks_at_end {
                self.state.globals.values_mut().for_each(|value| *value = Value::Uninitialised);
                self.state.objects.iter_mut().filter(|object| object.region == Region::Static).for_each(|object| {
                    object.fields.fill(Value::Uninitialised);
                });
                self.report_leaks(&[]);
            }
            return Some(RunEnd::Ended);
        }
        self.state.frames.pop();
        self.footprint.leave();
        if let Statement::Call { to: Some(to), .. } = self.current_edge().statement {
            self.state.set(to, result.unwrap_or(Value::Uninitialised));
        }
        self.report_leaks(&[]);
        None
    }

    /// The edge that the current call takes or took last.
    fn current_edge(&self) -> &'a Edge {
        let frame = self.state.frame();
        &self.program[frame.procedure].edges[frame.edge.expect("an edge was taken")]
    }

    fn report(&mut self, kind: FindingKind, text: String) {
        let frames = &self.state.frames;
        let depth = match &frames[..] {
            [callers @ .., callee] if !callers.is_empty() && self.is_required(callee) => callers.len() - 1,
            _ => frames.len() - 1,
        };
        let (procedure, edge) = (frames[depth].procedure, frames[depth].edge.expect("an edge was taken"));
        let Edge { from: node, span, .. } = self.program[procedure].edges[edge];
        let (point, visit) = (Point { procedure, node }, self.before[depth]);
        let (inexact, is_shared) = (self.inexact, self.is_shared);
        self.findings.push(Incident { kind, text, point, edge, span, visit, inexact, is_shared });
    }

    /// The call that evaluates an assertion by means of the current call, and the edge that is reached where it does
    /// not hold.
    fn asserting(&self) -> Option<(usize, usize)> {
        let callers = self.state.frames.split_last()?.1.iter().enumerate().rev();
        let mut edges = callers.filter_map(|(depth, frame)| Some((depth, (frame.procedure, frame.edge?))));
        edges.find_map(|(depth, edge)| Some((depth, *self.start.assertions.get(&edge)?)))
    }

    /// If an error happens while an assertion is evaluated: the assertion does not hold. The run ends in the call that
    /// evaluates it.
    fn report_assertion(&mut self) -> bool {
        let Some((depth, error)) = self.asserting() else { return false };
        self.state.frames.truncate(depth + 1);
        let call = self.current_edge();
        let procedure = self.state.frame().procedure;
        let Edge { statement, span, .. } = &self.program[procedure].edges[error];
        if let Statement::Error { kind, text } = statement {
            let (point, visit) = (Point { procedure, node: call.from }, self.before[depth]);
            let (kind, text, edge, span) = (*kind, text.clone(), error, *span);
            let (inexact, is_shared) = (self.inexact, self.is_shared);
            self.findings.push(Incident { kind, text, point, edge, span, visit, inexact, is_shared });
        }
        true
    }

    /// Does a call check the precondition of its contract? A breach is an error of its caller.
    fn is_required(&self, frame: &Frame) -> bool {
        let contract = self.program.contracts.get(&frame.procedure);
        contract.is_some_and(|contract| frame.edge.is_some_and(|edge| edge < contract.call))
    }

    /// The call that stands for another one and is checking its contract, by means of the current call.
    fn checking(&self) -> Option<usize> {
        let contracts = &self.program.contracts;
        let stands = self.state.frames.iter().rposition(|frame| contracts.contains_key(&frame.procedure))?;
        let frame = &self.state.frames[stands];
        let is_inside = stands + 1 < self.state.frames.len();
        (is_inside && frame.edge != Some(contracts[&frame.procedure].call)).then_some(stands)
    }

    /// If an error happens while a contract is checked: the contract does not hold. The run ends in the call that
    /// checks it.
    fn breach(&mut self) -> Option<(FindingKind, String)> {
        let stands = self.checking()?;
        self.state.frames.truncate(stands + 1);
        let frame = self.state.frame();
        let (contract, edge) = (&self.program.contracts[&frame.procedure], frame.edge?);
        let clauses = contract.requires.iter().chain(&contract.ensures);
        let clause = clauses.filter(|clause| clause.error > edge).min_by_key(|clause| clause.error)?;
        let text = match &self.program[frame.procedure].edges[clause.error].statement {
            Statement::Error { text, .. } => text.clone(),
            _ => String::new(),
        };
        Some((FindingKind::Assertion, text))
    }

    /// While a contract is checked, every object is one of a single element: the parts of a contract speak of disjoint
    /// memory. So it is with an assertion by itself.
    fn walk(&mut self, object: ObjectId) -> Step<()> {
        if self.program.contracts.is_empty() && self.start.assertions.is_empty() {
            return Ok(());
        }
        let (depth, side) = match (self.asserting(), self.checking()) {
            (Some((depth, _)), _) => (depth + 1, false),
            (None, Some(stands)) => (stands, self.is_required(&self.state.frames[stands])),
            (None, None) => return Ok(()),
        };
        match self.footprint.is_new(depth, side, object) {
            true => Ok(()),
            false => {
                self.is_shared = true;
                fail(FindingKind::Assertion, "memory is shared".to_string())
            }
        }
    }

    fn report_leaks(&mut self, more: &[Value]) {
        if let Some(text) = self.newly_leaked(more) {
            self.report(FindingKind::Leak, text);
        }
    }

    fn step(&mut self) -> Step<()> {
        self.before.truncate(self.state.frames.len() - 1);
        self.before.push(self.visits - 1);
        let edge = self.pick_edge()?;
        self.state.frame_mut().edge = Some(edge);
        let edge = self.current_edge();
        self.state.frame_mut().node = edge.to;
        // To look for what nothing leads to takes long where calls are deep.
        let may_lose = self.program.may_lose_reference(&edge.statement) && self.overwrites(&edge.statement);
        self.execute(&edge.statement)?;
        if may_lose {
            self.report_leaks(&[]);
        }
        Ok(())
    }

    /// Is there a reference in the variable or field that a statement changes? Of other statements it is not known.
    fn overwrites(&self, statement: &Statement) -> bool {
        let changed = match statement {
            Statement::Set { to, .. } | Statement::Load { to, .. } | Statement::Allocate { to, .. } => {
                self.state.value(*to)
            }
            Statement::Store { object, field, .. } => {
                // It may point to an object of another struct, and then the statement fails.
                let object = self.state.value(*object).referent().map(|object| self.state.object(object));
                let position = self.program[*field].position;
                object.and_then(|object| object.fields.get(position).copied()).unwrap_or(Value::Null)
            }
            _ => return true,
        };
        changed.referent().is_some()
    }

    /// One of the edges whose condition holds or may hold. An edge whose condition goes wrong is one of them: nothing
    /// has gone wrong as long as it is not taken.
    fn pick_edge(&mut self) -> Step<usize> {
        let Point { procedure, node } = self.state.point();
        let mut enabled = Vec::new();
        for edge in self.leaving[procedure.index()][node.index()].clone() {
            let closed = match &self.program[procedure].edges[edge].statement {
                Statement::Assume(condition) => match self.holds(condition) {
                    Ok(holds) => holds == Some(false),
                    Err(end @ End::With(RunEnd::OutOfChoices)) => return Err(end),
                    Err(_) => false,
                },
                _ => false,
            };
            if !closed {
                enabled.push(edge);
            }
        }
        match enabled.as_slice() {
            [] => Err(End::With(RunEnd::Blocked)),
            _ => self.pick(&enabled, Asked::Way),
        }
    }

    /// One of several things; asks only if there is more than one.
    fn pick<T: Copy>(&mut self, from: &[T], asked: fn(T) -> Asked) -> Step<T> {
        if let [only] = from {
            return Ok(*only);
        }
        let index = self.choices.pick(from.len() - 1).ok_or(End::With(RunEnd::OutOfChoices))?;
        self.note(index as i128, asked(from[index]));
        Ok(from[index])
    }

    pub(super) fn choose(&mut self, low: i128, high: i128, asked: Asked) -> Step<i128> {
        let value = self.choices.choose(low, high).ok_or(End::With(RunEnd::OutOfChoices))?;
        self.note(value, asked);
        Ok(value)
    }

    fn note(&mut self, value: i128, asked: Asked) {
        let frame = self.state.frame();
        let (procedure, edge, visit) = (frame.procedure, frame.edge, self.visits - 1);
        self.made.push(MadeChoice { value, asked, procedure, edge, visit });
    }

    fn call(&mut self, targets: &[ProcId], arguments: &[Operand]) -> Step<()> {
        let target = self.pick(targets, Asked::Callee)?;
        let arguments = arguments.iter().map(|argument| self.operand(argument)).collect::<Step<Vec<Value>>>()?;
        self.enter(target, &arguments);
        Ok(())
    }

    fn execute(&mut self, statement: &Statement) -> Step<()> {
        match statement {
            Statement::Skip => Ok(()),
            Statement::Set { to, value } => {
                let value = self.operand(value)?;
                self.set(*to, value)
            }
            Statement::Load { to, object, field } => {
                let value = self.load(*object, *field)?;
                self.set(*to, value)
            }
            Statement::Store { object, field, value } => {
                let object = self.object_with(*object, *field)?;
                let value = self.operand(value)?;
                self.state.object_mut(object).fields[self.program[*field].position] = value;
                Ok(())
            }
            Statement::Allocate { to, structure, region, zeroed, may_fail } => {
                if *may_fail && self.choose(0, 1, Asked::Allocation)? == 1 {
                    return self.set(*to, Value::Null);
                }
                let object = self.allocate(*structure, *region, *zeroed)?;
                if *region == Region::Stack {
                    self.state.frame_mut().owned.push(object);
                }
                self.set(*to, Value::Object(object))
            }
            Statement::Owner { to, part, field } => {
                if let Value::Outside { .. } = self.state.value(*part) {
                    return fail(FindingKind::NotAnalysed, "the owner of something that is no object".to_string());
                }
                let part = self.dereference(*part)?;
                match self.state.object(part).part_of {
                    Some((container, of)) if of == *field => self.set(*to, Value::Object(container)),
                    _ => self.set(*to, Value::Outside { part, field: *field }),
                }
            }
            Statement::Nondet { to, range, meaning } => {
                let (low, high) = range.unwrap_or_else(|| self.scalar(*to).range());
                let value = match meaning {
                    Meaning::Open => Value::Scalar(self.choose(low, high, Asked::Input)?),
                    Meaning::Computed(operation, arguments) => self.compute(*to, *operation, arguments, (low, high))?,
                };
                self.set(*to, value)
            }
            Statement::Free { pointer } => self.free(*pointer),
            Statement::EndLife { object } => self.end_life(*object),
            Statement::Assume(condition) => match self.holds(condition)? {
                // Conditions that depend on chance have been decided with the choice of the edge.
                Some(true) | None => Ok(()),
                Some(false) => Err(End::With(RunEnd::Blocked)),
            },
            Statement::Assert(condition) => match self.holds(condition)? {
                Some(true) => Ok(()),
                None if self.pick(&[true, false], Asked::Outcome)? => Ok(()),
                Some(false) | None => {
                    fail(FindingKind::Assertion, format!("`{}` does not hold", show_condition(self.program, condition)))
                }
            },
            Statement::Error { kind, text } => fail(*kind, text.clone()),
            Statement::Stop => Err(End::With(RunEnd::Stopped)),
            Statement::UnknownCall { name, .. } => {
                fail(FindingKind::NotAnalysed, format!("nothing is known about `{name}`"))
            }
            Statement::Unsupported { text } => fail(FindingKind::NotAnalysed, text.clone()),
            Statement::Return => self.forget_locals(),
            Statement::Call { targets, arguments, .. } => self.call(targets, arguments),
        }
    }

    fn forget_locals(&mut self) -> Step<()> {
        let procedure = &self.program[self.state.frame().procedure];
        let forgotten = procedure.locals.iter().filter(|local| procedure.result != Some(**local));
        forgotten.for_each(|local| self.state.set(*local, Value::Uninitialised));
        Ok(())
    }

    fn set(&mut self, variable: VarId, value: Value) -> Step<()> {
        self.state.set(variable, value);
        Ok(())
    }

    fn load(&mut self, variable: VarId, field: FieldId) -> Step<Value> {
        match self.state.value(variable) {
            Value::Outside { part, field: of } if of == field => return Ok(Value::Object(part)),
            _ => {}
        }
        let object = self.object_with(variable, field)?;
        self.walk(object)?;
        let position = self.program[field].position;
        let before = self.state.object(object).fields[position];
        let value = self.settled(before, self.program[field].ty, Asked::Field(object, field))?;
        self.state.object_mut(object).fields[position] = value;
        Ok(value)
    }

    /// An uninitialised scalar gets some value now; the caller keeps it.
    fn settled(&mut self, value: Value, ty: Type, asked: Asked) -> Step<Value> {
        match (value, ty) {
            (Value::Uninitialised, Type::Scalar(scalar)) => {
                let (low, high) = scalar.range();
                let value = self.choices.settle(low, high).ok_or(End::With(RunEnd::OutOfChoices))?;
                self.note(value, asked);
                Ok(Value::Scalar(value))
            }
            _ => Ok(value),
        }
    }

    pub(super) fn operand(&mut self, operand: &Operand) -> Step<Value> {
        match operand {
            Operand::Null => Ok(Value::Null),
            Operand::Uninitialised => Ok(Value::Uninitialised),
            Operand::Pointer(variable) => Ok(self.state.value(*variable)),
            Operand::Scalar(expr) => self.expr(expr).map(|(number, cause)| Value::of_number(number, cause)),
        }
    }

    /// Does the condition hold? Nothing, if that depends on which addresses the allocator uses again.
    fn holds(&mut self, condition: &Condition) -> Step<Option<bool>> {
        match condition {
            Condition::Scalar(expr) => {
                let (truth, cause) = self.expr(expr)?;
                self.inexact = self.inexact.or(cause);
                Ok(Some(truth != 0))
            }
            Condition::Pointers { left, right, equal } => {
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                if left == Value::Uninitialised || right == Value::Uninitialised {
                    let text =
                        format!("`{}` compares a pointer without a value", show_condition(self.program, condition));
                    return fail(FindingKind::UninitialisedPointer, text);
                }
                let by_chance = left != right && self.state.may_share_address(left, right);
                Ok((!by_chance).then_some((left == right) == *equal))
            }
        }
    }

    pub(super) fn scalar(&self, variable: VarId) -> Scalar {
        match self.program[variable].ty {
            Type::Scalar(scalar) => scalar,
            Type::Pointer(_) => Scalar::Bool,
        }
    }

    /// The value of an expression, and why it is not the one of a real run.
    fn expr(&mut self, expr: &Expr) -> Step<(i128, Option<Cause>)> {
        match expr {
            Expr::Constant(value, _) => Ok((*value, None)),
            Expr::Variable(variable) => {
                let (before, ty) = (self.state.value(*variable), self.program[*variable].ty);
                let value = self.settled(before, ty, Asked::Variable(*variable))?;
                self.state.set(*variable, value);
                match value {
                    Value::Scalar(value) => Ok((value, None)),
                    Value::Inexact(value, cause) => Ok((value, Some(cause))),
                    _ => fail(FindingKind::NotAnalysed, "a pointer in an expression".to_string()),
                }
            }
            Expr::Unary(op, operand) => {
                let scalar = self.type_of(operand);
                let (value, cause) = self.expr(operand)?;
                Ok((op.apply(scalar, value), cause))
            }
            Expr::Binary(op, left, right) => {
                let scalar = self.type_of(left);
                let ((left, cause), (right, other)) = (self.expr(left)?, self.expr(right)?);
                let value = op.apply(scalar, left, right).map_err(|_| End::With(RunEnd::DivisionByZero))?;
                Ok((value, cause.or(other)))
            }
            Expr::Convert(scalar, operand) => {
                let (value, cause) = self.expr(operand)?;
                Ok((scalar.convert(value), cause))
            }
        }
    }

    fn type_of(&self, expr: &Expr) -> Scalar {
        self.program.scalar_of(expr).unwrap_or(Scalar::I32)
    }
}
