//! Where what went wrong began: the pointer became null, the object was freed, or allocated.
//!
//! The trace of a finding is walked backward from its end. The pointer that it is about is followed from variable to variable, and from
//! parameters to arguments, up to the statement that gave it its value. What cannot be followed has no label: a wrong one would be worse.

use super::analysed::{Found, TraceStep};
use trifold_ir::{FindingKind, Operand, ProcId, Program, Region, Scope, Statement, VarId};
use trifold_passes::CallGraph;
use trifold_source::Span;

/// Places on the way to a finding, with what happened there.
pub fn origins(finding: &Found, program: &Program) -> Vec<(Span, String)> {
    let trace = Trace { finding, program, calls: CallGraph::of(program) };
    let mut labels = match finding.kind {
        FindingKind::NullDereference => trace.of_null().into_iter().collect(),
        FindingKind::UseAfterFree | FindingKind::DoubleFree => trace.of_free().into_iter().collect(),
        FindingKind::Leak => trace.of_allocation().into_iter().collect(),
        _ => Vec::new(),
    };
    // A statement that fails when it is executed again has its label already.
    labels.retain(|(span, _): &(Span, String)| *span != finding.span);
    labels
}

struct Trace<'a> {
    finding: &'a Found,
    program: &'a Program,
    calls: CallGraph,
}

impl<'a> Trace<'a> {
    /// The statements that are written at a place.
    fn statements(&self, step: &TraceStep) -> impl DoubleEndedIterator<Item = &'a Statement> {
        let span = step.span;
        let edges = self.program[step.procedure].edges.iter().filter(move |edge| edge.span == span);
        edges.map(|edge| &edge.statement)
    }

    /// All statements of the trace, the last one first.
    fn backward(&self) -> impl Iterator<Item = (Span, &'a Statement)> {
        let steps = self.finding.trace.iter().rev();
        steps.flat_map(|step| self.statements(step).rev().map(|statement| (step.span, statement)))
    }

    /// The pointer that the finding is about: one that is used at its place and has the name that the text tells.
    fn pointer(&self) -> Option<(VarId, String)> {
        let name = self.finding.text.split('`').nth(1)?;
        let place = |edge: &&trifold_ir::Edge| edge.span == self.finding.span;
        let mut used =
            self.program[self.finding.at.0].edges.iter().filter(place).filter_map(|edge| match &edge.statement {
                Statement::Load { object, .. } | Statement::Store { object, .. } => Some(*object),
                Statement::Free { pointer } => Some(*pointer),
                Statement::Owner { part, .. } => Some(*part),
                _ => None,
            });
        let variable = used.find(|variable| self.program[*variable].name == name)?;
        self.is_followed(variable).then(|| (variable, name.to_string()))
    }

    fn of_null(&self) -> Option<(Span, String)> {
        let (mut pointer, name) = self.pointer()?;
        for (span, statement) in self.backward() {
            match self.value(statement, pointer) {
                None => {}
                Some(Value::Of(other)) if self.is_followed(other) => pointer = other,
                Some(Value::Null) => return Some((span, format!("`{name}` becomes null here"))),
                Some(Value::Loaded) => return Some((span, format!("`{name}` is read here"))),
                Some(Value::Allocated) => return Some((span, format!("`{name}` is null if this fails"))),
                Some(Value::Of(_) | Value::Other) => return None,
            }
        }
        None
    }

    fn of_free(&self) -> Option<(Span, String)> {
        let mut pointer = self.pointer().map(|(pointer, _)| pointer);
        let mut freed: Vec<Span> = Vec::new();
        for (span, statement) in self.backward() {
            if let Statement::Free { pointer: other } = statement {
                if Some(*other) == pointer {
                    return Some((span, "freed here".to_string()));
                }
                freed.push(span);
            }
            match pointer.and_then(|pointer| self.value(statement, pointer)) {
                None => {}
                Some(Value::Of(other)) if self.is_followed(other) => pointer = Some(other),
                Some(_) => pointer = None,
            }
        }
        freed.dedup();
        match freed[..] {
            // Something was freed, so it was here.
            [span] => Some((span, "freed here".to_string())),
            [span, ..] => Some((span, "perhaps freed here".to_string())),
            [] => None,
        }
    }

    fn of_allocation(&self) -> Option<(Span, String)> {
        let is_heap = |statement: &Statement| matches!(statement, Statement::Allocate { region: Region::Heap, .. });
        let mut places: Vec<Span> =
            self.backward().filter(|(_, statement)| is_heap(statement)).map(|(span, _)| span).collect();
        places.dedup();
        match places[..] {
            [span] => Some((span, "allocated here".to_string())),
            _ => None,
        }
    }

    /// The function that a variable belongs to, unless it is global.
    fn owner(&self, variable: VarId) -> Option<ProcId> {
        match self.program[variable].scope {
            Scope::Parameter(procedure) | Scope::Local(procedure) => Some(procedure),
            Scope::Global => None,
        }
    }

    /// Is a variable the same one all the way back? In a function that calls itself it is not.
    fn is_followed(&self, variable: VarId) -> bool {
        self.owner(variable).is_none_or(|own| !self.calls.is_recursive(own))
    }

    /// The value that a statement gives to a variable, if it changes it.
    fn value(&self, statement: &Statement, pointer: VarId) -> Option<Value> {
        let operand = |operand: &Operand| match operand {
            Operand::Null => Value::Null,
            Operand::Pointer(other) => Value::Of(*other),
            _ => Value::Other,
        };
        match statement {
            Statement::Set { to, value } if *to == pointer => Some(operand(value)),
            Statement::Load { to, .. } if *to == pointer => Some(Value::Loaded),
            Statement::Allocate { to, may_fail: true, .. } if *to == pointer => Some(Value::Allocated),
            // Here the function began that the variable belongs to: a parameter has the value of its argument.
            Statement::Call { targets, arguments, .. }
                if self.owner(pointer).is_some_and(|own| targets.contains(&own)) =>
            {
                let parameters = self.owner(pointer).map(|own| &self.program[own].parameters);
                let place = parameters.and_then(|all| all.iter().position(|parameter| *parameter == pointer));
                Some(place.and_then(|place| arguments.get(place)).map_or(Value::Other, operand))
            }
            other => (other.assigned() == Some(pointer)).then_some(Value::Other),
        }
    }
}

/// What a variable gets.
enum Value {
    Null,
    Of(VarId),
    Loaded,
    Allocated,
    Other,
}
