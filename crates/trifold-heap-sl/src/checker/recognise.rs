//! Checkers that are written as functions [ChangRN07 §3]: a function that computes whether memory has a shape is read
//! as the definition of that shape.
//!
//! ```text
//! bool dll(struct node *p, struct node *prev) {
//!     return p == NULL || (p->prev == prev && dll(p->next, p));
//! }
//! ```
//!
//! Every way through the function that returns true is a rule: its comparisons, the fields that it reads, its calls.
//! One rule without an element and one with an element that calls the function again are an inductive definition; rules
//! that do not call the function again are taken as they are. A function with more, or fewer, rules is refused, with
//! the place and with advice.
//!
//! # Soundness
//! Where the definition holds of disjoint regions, the function comes to an end, reads nothing that is not there, and
//! returns true.

use crate::layout::{Layout, Layouts};
use std::collections::BTreeMap;
use trifold_ir::{
    BinaryOp, Condition, Expr, FieldId, Meaning, NodeId, Operand, ProcId, Program, Statement, Type, UnaryOp, VarId,
};
use trifold_source::Span;

/// Why a function is no checker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Where.
    pub span: Span,
    /// The reason, and advice about other ways to write it.
    pub why: String,
}

/// A value in a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sym {
    /// The null pointer.
    Null,
    /// A parameter, by number.
    Param(usize),
    /// A part of the element that the function looks at.
    Part(usize),
    /// The value of a cell of it.
    Cell(usize),
    /// A number.
    Number(i128),
    /// Whether the call of this number returned true, or whether it did not.
    Truth(usize, bool),
    /// Some number, or nothing.
    Other,
}

/// A call of a checker in a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The function that is called.
    pub procedure: ProcId,
    /// With which arguments.
    pub arguments: Vec<Sym>,
    /// Where.
    pub span: Span,
}

/// A way through a function that returns true.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rule {
    /// The equal values.
    pub equal: Vec<(Sym, Sym)>,
    /// The different values.
    pub different: Vec<(Sym, Sym, Span)>,
    /// The cells that are read.
    pub read: Vec<usize>,
    /// The calls, which returned true.
    pub calls: Vec<Applied>,
}

/// The rules of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The parameter that points to the element.
    pub subject: usize,
    /// One for each way that returns true.
    pub rules: Vec<Rule>,
}

/// More ways through a function are not looked at.
const MAX_WAYS: usize = 200;

/// Reads a function as rules.
pub fn rules(program: &Program, layouts: &Layouts, procedure: ProcId) -> Result<Rules, Refusal> {
    let span = program[procedure].span;
    let subject = subject(program, procedure)?;
    let Type::Pointer(Some(structure)) = program[program[procedure].parameters[subject]].ty else {
        return Err(refuse(span, "the element is not a struct: let the parameter point to one"));
    };
    let mut reading = Reading { program, layout: &layouts[structure], procedure, ways: 0, rules: Vec::new() };
    let mut way = Way::default();
    for (number, parameter) in program[procedure].parameters.iter().enumerate() {
        way.values.insert(*parameter, if number == subject { Sym::Part(0) } else { Sym::Param(number) });
    }
    reading.walk(program[procedure].entry, way)?;
    Ok(Rules { subject, rules: reading.rules })
}

/// The parameter that is dereferenced; the first pointer if none is.
fn subject(program: &Program, procedure: ProcId) -> Result<usize, Refusal> {
    let Some(Type::Scalar(_)) = program[procedure].result.map(|result| program[result].ty) else {
        return Err(refuse(program[procedure].span, "it does not return whether something holds: return a bool"));
    };
    let parameters = &program[procedure].parameters;
    let number = |variable: VarId| parameters.iter().position(|parameter| *parameter == variable);
    let read = program[procedure].edges.iter().filter_map(|edge| match edge.statement {
        Statement::Load { object, .. } => number(object).map(|number| (number, edge.span)),
        _ => None,
    });
    let mut found = None;
    for (number, span) in read {
        if found.is_some_and(|known| known != number) {
            return Err(refuse(
                span,
                "it reads the fields of two parameters: describe one element, and call a checker for the other",
            ));
        }
        found = Some(number);
    }
    let first = || parameters.iter().position(|parameter| program[*parameter].ty.target().is_some());
    found.or_else(first).ok_or_else(|| refuse(program[procedure].span, "it has no parameter that points to a struct"))
}

fn refuse(span: Span, why: &str) -> Refusal {
    Refusal { span, why: why.to_string() }
}

struct Reading<'p> {
    program: &'p Program,
    layout: &'p Layout,
    procedure: ProcId,
    ways: usize,
    rules: Vec<Rule>,
}

/// A way that is under way.
#[derive(Clone, Default)]
struct Way {
    nodes: Vec<NodeId>,
    values: BTreeMap<VarId, Sym>,
    rule: Rule,
    /// The results of the calls, as far as they are known.
    holds: Vec<Option<bool>>,
}

impl Way {
    fn value(&self, operand: &Operand) -> Sym {
        match operand {
            Operand::Null => Sym::Null,
            Operand::Pointer(variable) => self.values.get(variable).copied().unwrap_or(Sym::Other),
            Operand::Scalar(expr) => self.number(expr),
            Operand::Uninitialised => Sym::Other,
        }
    }

    fn number(&self, expr: &Expr) -> Sym {
        let zero = |expr: &Expr| matches!(expr, Expr::Constant(0, _));
        match expr {
            Expr::Constant(number, _) => Sym::Number(*number),
            Expr::Variable(variable) => self.values.get(variable).copied().unwrap_or(Sym::Other),
            Expr::Convert(scalar, operand) => match self.number(operand) {
                Sym::Number(number) if *scalar == trifold_ir::Scalar::Bool => Sym::Number((number != 0).into()),
                Sym::Number(number) if (scalar.range().0..=scalar.range().1).contains(&number) => Sym::Number(number),
                Sym::Truth(call, truth) => Sym::Truth(call, truth),
                _ => Sym::Other,
            },
            Expr::Unary(UnaryOp::Complement, operand) if self.is_truth(operand) => negated(self.number(operand)),
            Expr::Binary(BinaryOp::NotEqual, left, right) if zero(right) => truth(self.number(left)),
            Expr::Binary(BinaryOp::Equal, left, right) if zero(right) => negated(truth(self.number(left))),
            _ => Sym::Other,
        }
    }

    /// Is an expression true or false, rather than a number?
    fn is_truth(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(op, ..) => op.is_comparison(),
            Expr::Convert(scalar, _) | Expr::Constant(_, scalar) => *scalar == trifold_ir::Scalar::Bool,
            Expr::Unary(_, operand) => self.is_truth(operand),
            Expr::Variable(variable) => matches!(self.values.get(variable), Some(Sym::Truth(..))),
        }
    }

    /// Is it settled whether two pointers are equal?
    fn known(&self, left: Sym, right: Sym) -> Option<bool> {
        let is = |(a, b): (Sym, Sym)| (a, b) == (left, right) || (b, a) == (left, right);
        if left == right || self.rule.equal.iter().any(|pair| is(*pair)) {
            return Some(true);
        }
        self.rule.different.iter().any(|(a, b, _)| is((*a, *b))).then_some(false)
    }
}

fn truth(value: Sym) -> Sym {
    match value {
        Sym::Number(number) => Sym::Number((number != 0).into()),
        other => other,
    }
}

fn negated(value: Sym) -> Sym {
    match truth(value) {
        Sym::Number(number) => Sym::Number(1 - number),
        Sym::Truth(call, truth) => Sym::Truth(call, !truth),
        other => other,
    }
}

impl Reading<'_> {
    fn walk(&mut self, node: NodeId, mut way: Way) -> Result<(), Refusal> {
        let span = self.program[self.procedure].span;
        if way.nodes.contains(&node) {
            return Err(refuse(span, "it has a loop: let it call itself for the next element"));
        }
        way.nodes.push(node);
        if node == self.program[self.procedure].exit {
            return self.finish(way);
        }
        for edge in self.program[self.procedure].edges.iter().filter(|edge| edge.from == node) {
            self.ways += 1;
            if self.ways > MAX_WAYS {
                return Err(refuse(span, "it has too many cases: split it"));
            }
            let mut way = way.clone();
            if edge.to != self.program[self.procedure].exit && way.nodes.contains(&edge.to) {
                return Err(refuse(edge.span, "a checker has no loop: let it call itself for the next element"));
            }
            if self.statement(&edge.statement, edge.span, &mut way)? {
                self.walk(edge.to, way)?;
            }
        }
        Ok(())
    }

    /// The effect of a statement; does the way go on?
    fn statement(&mut self, statement: &Statement, span: Span, way: &mut Way) -> Result<bool, Refusal> {
        match statement {
            Statement::Skip | Statement::Return => {}
            Statement::Set { to, value } => {
                let value = way.value(value);
                way.values.insert(*to, value);
            }
            Statement::Load { to, object, field } => {
                let value = self.load(way, *object, *field, span)?;
                way.values.insert(*to, value);
            }
            Statement::Call { to, targets, arguments } => {
                let [procedure] = targets[..] else {
                    return Err(refuse(span, "a checker calls no function by a pointer"));
                };
                let arguments = arguments.iter().map(|argument| way.value(argument)).collect();
                way.rule.calls.push(Applied { procedure, arguments, span });
                way.holds.push(None);
                if let Some(to) = to {
                    way.values.insert(*to, Sym::Truth(way.rule.calls.len() - 1, true));
                }
            }
            Statement::Assume(condition) => return self.assume(condition, span, way),
            Statement::Stop => return Ok(false),
            // Of a number that is computed from memory nothing is known, but a checker may look at it.
            Statement::Nondet { to, meaning: Meaning::Computed(..), .. } => drop(way.values.insert(*to, Sym::Other)),
            Statement::Nondet { .. } | Statement::UnknownCall { .. } => {
                return Err(refuse(span, "a checker depends on nothing but the memory it looks at"));
            }
            Statement::Unsupported { text } => return Err(refuse(span, &format!("this is not analysed: {text}"))),
            Statement::Owner { .. } => {
                return Err(refuse(
                    span,
                    "a checker does no arithmetic: let it point to the object, not to a part of it",
                ));
            }
            _ => return Err(refuse(span, "a checker changes nothing: it only looks")),
        }
        Ok(true)
    }

    fn load(&mut self, way: &mut Way, object: VarId, field: FieldId, span: Span) -> Result<Sym, Refusal> {
        let part = match way.values.get(&object) {
            Some(Sym::Part(part)) => *part,
            Some(Sym::Cell(_)) => {
                let text = "a field of another element: a checker reads its own element, and passes on what the next one needs";
                return Err(refuse(span, text));
            }
            _ => return Err(refuse(span, "a pointer from nowhere: a checker follows its parameter only")),
        };
        if way.known(Sym::Part(0), Sym::Null) == Some(true) {
            return Err(refuse(span, "a field of null is read: test for null first"));
        }
        if let Some(part) = self.layout.part(part, field) {
            return Ok(Sym::Part(part));
        }
        let Some(cell) = self.layout.cell(part, field) else {
            return Err(refuse(span, "a field of something else"));
        };
        if !way.rule.read.contains(&cell) {
            way.rule.read.push(cell);
        }
        Ok(if self.layout.cells[cell].ty.is_pointer() { Sym::Cell(cell) } else { Sym::Other })
    }

    fn assume(&self, condition: &Condition, span: Span, way: &mut Way) -> Result<bool, Refusal> {
        match condition {
            Condition::Pointers { left, right, equal } => {
                let (left, right) = (way.value(left), way.value(right));
                if [left, right].contains(&Sym::Other) {
                    return Err(refuse(span, "a pointer from nowhere: a checker compares parameters, fields and null"));
                }
                if let Some(known) = way.known(left, right) {
                    return Ok(known == *equal);
                }
                if *equal {
                    way.rule.equal.push((left.min(right), left.max(right)));
                } else {
                    way.rule.different.push((left.min(right), left.max(right), span));
                }
                Ok(true)
            }
            Condition::Scalar(expr) => match truth(way.number(expr)) {
                Sym::Number(number) => Ok(number != 0),
                Sym::Truth(call, truth) => {
                    let known = way.holds[call].get_or_insert(truth);
                    Ok(*known == truth)
                }
                _ => Err(refuse(
                    span,
                    "a condition on numbers: a checker describes where pointers lead; assert the rest apart",
                )),
            },
        }
    }

    fn finish(&mut self, mut way: Way) -> Result<(), Refusal> {
        let span = self.program[self.procedure].span;
        let result = self.program[self.procedure].result.and_then(|result| way.values.get(&result).copied());
        match result.unwrap_or(Sym::Other) {
            Sym::Number(0) => return Ok(()),
            Sym::Number(1) => {}
            Sym::Truth(call, truth) => match way.holds[call] {
                Some(known) if known != truth => return Ok(()),
                _ => way.holds[call] = Some(truth),
            },
            _ => return Err(refuse(span, "its result is a number: return true or false")),
        }
        for (call, holds) in way.rule.calls.iter().zip(&way.holds) {
            match holds {
                Some(true) => {}
                Some(false) => {
                    return Err(refuse(
                        call.span,
                        "it holds if another checker does not: say what is the case instead",
                    ));
                }
                None => return Err(refuse(call.span, "the result of the call is not looked at")),
            }
        }
        self.rules.push(way.rule);
        Ok(())
    }
}
