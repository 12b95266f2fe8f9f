//! The concrete interpreter: runs heap programs, and finds errors on the way.
//!
//! It is the judge of the abstract domains. Every state that it visits must be represented by a state that a domain
//! found for that program point, and everything that it finds must be among the domain's findings.
//!
//! Addresses are never used twice: a pointer to a freed object differs from every pointer to a living one. That is one
//! of the ways in which a real allocator may behave.
//!
//! A run is *exact* as long as its way depends on nothing but what is open and what is [computed](crate::Operation). A
//! number that is not computed may be carried along; when a condition depends on it, the run is inexact from there on.
//!
//! ```
//! use trifold_ir::{FindingKind, Options, Seeded, interpret, parse};
//! let text = "struct node { node *next; } entry proc main() { node *x; x = null; x = x->next; }";
//! let (program, _) = parse("example", text).map_err(|failure| failure.diagnostics)?;
//! let main = program.entry.expect("an entry");
//! let run = interpret(&program, main, &Options::default(), &mut Seeded::new(1), &mut |_, _| {});
//! assert_eq!(run.findings[0].kind, FindingKind::NullDereference);
//! # Ok::<(), Vec<trifold_source::Diagnostic>>(())
//! ```

mod block;
mod choices;
mod compute;
mod footprint;
mod made;
mod memory;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod text;

pub use choices::{Choices, Exhaustive, Recorded, Replay, Seeded};
pub use made::{Asked, MadeChoice};
pub use state::{Frame, Object, ObjectId, State, Status, Value};

use crate::computation::Cause;
use crate::ids::{Point, ProcId};
use crate::kind::FindingKind;
use crate::program::Program;
use std::collections::BTreeMap;
use trifold_source::Span;

/// The limits of a run, and the kinds of findings that it reports.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Statements executed.
    pub max_steps: usize,
    /// Objects allocated, parts included.
    pub max_objects: usize,
    /// Is memory a leak that can still be reached from globals when the program ends?
    pub leaks_at_end: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_steps: 10_000, max_objects: 1_000, leaks_at_end: false }
    }
}

/// Something that went wrong in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incident {
    /// What kind of thing.
    pub kind: FindingKind,
    /// The message.
    pub text: String,
    /// Before the statement that did it.
    pub point: Point,
    /// The edge of the procedure that carries that statement.
    pub edge: usize,
    /// Its place.
    pub span: Span,
    /// How many states were visited before the one to which that statement was applied.
    pub visit: usize,
    /// What is not computed, but decided the way of the run so far. Then no real run need come here.
    pub inexact: Option<Cause>,
    /// Does an assertion about shapes, or a contract, not hold only because memory is shared that it takes for
    /// separate? Its functions return true nevertheless.
    pub is_shared: bool,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The entry returned.
    Ended,
    /// At [`Statement::Stop`](crate::Statement::Stop).
    Stopped,
    /// With its last finding, after which there is no sensible way on.
    Failed,
    /// All conditions on the way on were false, as after an assumption that does not hold.
    Blocked,
    /// At a division by zero, which ends a program like a stop.
    DivisionByZero,
    /// It was given up after this many steps.
    StepLimit,
    /// It was given up with this many objects.
    ObjectLimit,
    /// There was no choice left to take.
    OutOfChoices,
}

/// The result of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What went wrong, in the order in which it did.
    pub findings: Vec<Incident>,
    /// How it ended.
    pub outcome: RunEnd,
    /// Statements executed.
    pub steps: usize,
    /// What is not computed, but decided the way of the run.
    pub inexact: Option<Cause>,
    /// The choices of the run, in order.
    pub made: Vec<MadeChoice>,
}

/// The state in which a run starts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunStart {
    /// Objects, by [`ObjectId`].
    pub objects: Vec<Object>,
    /// The arguments of the entry; parameters after the last one are uninitialised.
    pub arguments: Vec<Value>,
    /// Calls, by procedure and edge, of functions that define shapes of memory, with the edge of the procedure that is
    /// reached where the function returns false. The elements of a shape are disjoint: where one is looked at twice, or
    /// another error happens meanwhile, the edge counts as reached.
    pub assertions: BTreeMap<(ProcId, usize), usize>,
}

/// Runs a valid program from a procedure, whose parameters are uninitialised.
///
/// `visit` is shown every state at its program point, the entry and the exit of each call included.
pub fn interpret(
    program: &Program,
    entry: ProcId,
    options: &Options,
    choices: &mut dyn Choices,
    visit: &mut dyn FnMut(Point, &State),
) -> Run {
    interpret_from(program, entry, &RunStart::default(), options, choices, visit)
}

/// Runs a valid program from a procedure that is called with something.
pub fn interpret_from(
    program: &Program,
    entry: ProcId,
    start: &RunStart,
    options: &Options,
    choices: &mut dyn Choices,
    visit: &mut dyn FnMut(Point, &State),
) -> Run {
    step::Machine::new(program, start, options, choices).run(entry, visit)
}
