//! Runs of the concrete interpreter, as traces.
//!
//! The choices of a run are those that the program asks for, and they are handed to the compiled program. A run that
//! was decided by anything else, such as which of two edges is taken, cannot be repeated there.

use super::trace::{ANY, Ending, NAN, Trace};
use trifold_ir::{
    Asked, Choices, FindingKind, Incident, Options, Point, Program, Run, RunEnd, Seeded, State, Statement, Type, Value,
    interpret,
};

/// The limits of a run. Programs are small, and loops of theirs end.
const LIMITS: Options = Options { max_steps: 20_000, max_objects: 5_000, leaks_at_end: false };

/// The end of a run that was given up. It is not repeated by the machine.
pub const LIMIT: &str = "a limit";

/// A run, and the choices that it asked for.
pub struct Interpreted {
    /// What can be seen of it.
    pub trace: Trace,
    /// The answers to what the program asked for.
    pub answers: Vec<i128>,
}

/// A program that asks for something is run so often to find a run that fails, or one that does not.
const RUNS: u64 = 20;

/// Runs a program. If it asks for something, the run is one that fails for even seeds, and one that ends well for odd
/// ones, if such a run is found.
pub fn run(program: &Program, seed: u64, leaks_count: bool) -> Interpreted {
    let is_wanted = |run: &Interpreted| match run.trace.ending {
        Ending::Failed(_) => seed.is_multiple_of(2),
        Ending::Cut(_) => false,
        _ => !seed.is_multiple_of(2),
    };
    let first = run_once(program, seed, leaks_count);
    if first.answers.is_empty() || is_wanted(&first) {
        return first;
    }
    let mut others = (1..RUNS).map(|number| run_once(program, seed.wrapping_add(number << 32), leaks_count));
    others.find(is_wanted).unwrap_or(first)
}

fn run_once(program: &Program, seed: u64, leaks_count: bool) -> Interpreted {
    let Some(entry) = program.entry else {
        let trace = Trace { notes: Vec::new(), ending: Ending::Cut("there is no entry".to_string()) };
        return Interpreted { trace, answers: Vec::new() };
    };
    let mut choices = Chance { seeded: Seeded::new(seed), other: None };
    let mut notes = Vec::new();
    let run = interpret(program, entry, &LIMITS, &mut choices, &mut |point, state| {
        notes.extend(note(program, point, state));
    });
    let ending = match (run.inexact, choices.other) {
        (Some(cause), _) => {
            // What was noted after an inexact decision need not happen.
            notes.clear();
            Ending::Cut(format!("decided by {}", cause.text()))
        }
        (None, Some(other)) => {
            notes.clear();
            Ending::Cut(other.to_string())
        }
        (None, None) => ending(program, &run, leaks_count),
    };
    // What nobody computes is not asked for.
    let asked = run.made.iter().filter(|choice| choice.asked != Asked::NotComputed);
    Interpreted { trace: Trace { notes, ending }, answers: asked.map(|choice| choice.value).collect() }
}

/// The note of a state that stands at the entry of a function for that.
fn note(program: &Program, point: Point, state: &State) -> Option<String> {
    let procedure = &program[point.procedure];
    if point.node != procedure.entry {
        return None;
    }
    // Names are `p1_note_int` in C, and `p1.note(int)` in Java.
    let (_, ty) = procedure.name.split_once("note")?;
    let ty = ty.trim_start_matches(['_', '(']).trim_end_matches(')');
    let parameter = *procedure.parameters.last()?;
    let value = match (state.value(parameter), program[parameter].ty) {
        (Value::Scalar(value), Type::Scalar(_)) => noted(ty, value),
        _ => ANY.to_string(),
    };
    Some(format!("{ty} {value}"))
}

/// A value as it is compared. Floats are their bits, and all that are no number are the same.
fn noted(ty: &str, value: i128) -> String {
    match ty {
        "float" if f32::from_bits(value as u32).is_nan() => NAN.to_string(),
        "double" if f64::from_bits(value as u64).is_nan() => NAN.to_string(),
        _ => value.to_string(),
    }
}

fn ending(program: &Program, run: &Run, leaks_count: bool) -> Ending {
    let counts = |kind: FindingKind| kind != FindingKind::Leak;
    if let Some(finding) = run.findings.iter().find(|finding| counts(finding.kind)) {
        return match finding.kind {
            FindingKind::NotAnalysed => Ending::Cut(format!("not analysed: {}", finding.text)),
            // The sanitizers see no use of uninitialised memory.
            FindingKind::UninitialisedPointer => Ending::Cut("a pointer without a value".to_string()),
            _ if computes_an_address(program, finding) => Ending::Cut("an address of a bad pointer".to_string()),
            kind => Ending::Failed(kind),
        };
    }
    match run.outcome {
        // The machine tells of leaks only at the end.
        RunEnd::Ended if leaks_count && !run.findings.is_empty() => Ending::Failed(FindingKind::Leak),
        RunEnd::Ended | RunEnd::Stopped => Ending::Ended,
        RunEnd::DivisionByZero => Ending::DivisionByZero,
        // The machine would go on for long.
        RunEnd::StepLimit | RunEnd::ObjectLimit => Ending::Cut(LIMIT.to_string()),
        other => Ending::Cut(format!("{other:?}")),
    }
}

/// Is it found that the address of a part, or that of a whole, is computed from a bad pointer? Heap programs call
/// that a dereference, the machine does not.
fn computes_an_address(program: &Program, finding: &Incident) -> bool {
    match program[finding.point.procedure].edges[finding.edge].statement {
        Statement::Owner { .. } => true,
        Statement::Load { field, .. } => program[field].embedded,
        _ => false,
    }
}

/// Notes whether anything was decided but what the program asked for.
struct Chance {
    seeded: Seeded,
    other: Option<&'static str>,
}

impl Choices for Chance {
    fn choose(&mut self, low: i128, high: i128) -> Option<i128> {
        self.seeded.choose(low, high)
    }

    fn settle(&mut self, low: i128, high: i128) -> Option<i128> {
        self.other = Some("decided by a variable without a value");
        self.seeded.choose(low, high)
    }

    fn pick(&mut self, last: usize) -> Option<usize> {
        self.other = Some("decided by chance");
        self.seeded.pick(last)
    }
}
