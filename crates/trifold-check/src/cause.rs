//! The cause of a finding: the statement where the pointer became null, or where the object was freed or allocated.
//!
//! The trace of a finding is walked backward from its end. The pointer that it is about is followed from variable to
//! variable, and from parameters to arguments, up to the statement that gave it its value:
//!
//! ```text
//! q = NULL;    `p` becomes null here
//! p = q;
//! p->next      the finding, whose subject is `p`
//! ```
//!
//! A pointer that cannot be followed has no label, because a wrong one would be worse.

use crate::shape::Shape;
use trifold_ir::{Finding, FindingKind, Operand, ProcId, Program, Region, Scope, Statement, TraceStep, VarId};
use trifold_passes::CallGraph;
use trifold_source::Span;

/// Places on the way to a finding, with the event at each of them.
pub fn causes(finding: &Finding<Shape>, program: &Program, calls: &CallGraph) -> Vec<(Span, String)> {
    let trace = Trace { finding, program, calls };
    let mut labels = match finding.kind {
        FindingKind::NullDereference => trace.of_null().into_iter().collect(),
        FindingKind::UseAfterFree | FindingKind::DoubleFree => trace.of_free().into_iter().collect(),
        FindingKind::Leak => trace.of_allocation().into_iter().collect(),
        _ => Vec::new(),
    };
    // A statement that fails when it is executed again has its label already.
    labels.retain(|(span, _): &(Span, String)| *span != finding.place.span);
    labels
}

struct Trace<'a> {
    finding: &'a Finding<Shape>,
    program: &'a Program,
    calls: &'a CallGraph,
}

impl<'a> Trace<'a> {
    /// The statements that are written at a place.
    fn statements(&self, step: &TraceStep<Shape>) -> impl DoubleEndedIterator<Item = &'a Statement> {
        let span = step.place.span;
        let edges = self.program[step.place.procedure].edges.iter().filter(move |edge| edge.span == span);
        edges.map(|edge| &edge.statement)
    }

    /// All statements of the trace, the last one first.
    fn backward(&self) -> impl Iterator<Item = (Span, &'a Statement)> {
        let steps = self.finding.trace.iter().rev();
        steps.flat_map(|step| self.statements(step).rev().map(|statement| (step.place.span, statement)))
    }

    /// The pointer that the finding is about, if it can be followed.
    fn pointer(&self) -> Option<VarId> {
        self.finding.subject.filter(|subject| self.is_followed(*subject))
    }

    fn of_null(&self) -> Option<(Span, String)> {
        let mut pointer = self.pointer()?;
        let name = self.program[pointer].name.clone();
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
        let mut pointer = self.pointer();
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

/// The value that a variable gets.
enum Value {
    Null,
    Of(VarId),
    Loaded,
    Allocated,
    Other,
}
