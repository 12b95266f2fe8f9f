//! Findings: the kinds of things that can go wrong in a heap program, and one type for what an abstract domain found.
//!
//! The interpreter and the abstract domains speak of failures in the same words. A domain describes heaps in its own
//! way, as structures or as shape graphs, so findings are generic in that: a [`Finding<S>`] has an `S` before the
//! statement that may fail, and one after each statement on the way there.

use crate::ids::{ProcId, VarId};
use crate::kind::{FindingKind, Verdict};
use crate::program::Program;
use crate::statement::Statement;
use trifold_source::Span;

/// The place of a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The procedure.
    pub procedure: ProcId,
    /// The edge of the procedure that carries the statement.
    pub edge: usize,
    /// Where the statement is written.
    pub span: Span,
}

impl Place {
    /// The place of the statement at an edge.
    pub fn of(program: &Program, procedure: ProcId, edge: usize) -> Place {
        Place { procedure, edge, span: program[procedure].edges[edge].span }
    }

    /// The procedure and the edge.
    pub fn at(self) -> (ProcId, usize) {
        (self.procedure, self.edge)
    }
}

/// Something that may go wrong, with the abstract state `S` in which it does.
#[derive(Clone, Debug)]
pub struct Finding<S> {
    /// Its kind.
    pub kind: FindingKind,
    /// The pointer that it is about, where a statement goes wrong because of one.
    pub subject: Option<VarId>,
    /// What exactly goes wrong, in words.
    pub text: String,
    /// The statement that goes wrong.
    pub place: Place,
    /// Does it happen in every concrete state that the abstract one represents?
    pub definite: bool,
    /// Only of [`FindingKind::NotAnalysed`]: does the analysis go on after it, with nothing known of a part of memory?
    pub goes_on: bool,
    /// The state before the statement.
    pub state: S,
    /// The statements on the way there.
    pub trace: Vec<TraceStep<S>>,
}

/// A statement on the way to a finding.
#[derive(Clone, Debug)]
pub struct TraceStep<S> {
    /// The statement.
    pub place: Place,
    /// A state that represents the heap after it, if the domain kept one.
    pub state: Option<S>,
}

impl<S> Finding<S> {
    /// The same finding with another description of heaps.
    pub fn map<T>(self, describe: &impl Fn(S) -> T) -> Finding<T> {
        let step = |step: TraceStep<S>| TraceStep { place: step.place, state: step.state.map(describe) };
        let Finding { kind, subject, text, place, definite, goes_on, state, trace } = self;
        let trace = trace.into_iter().map(step).collect();
        Finding { kind, subject, text, place, definite, goes_on, state: describe(state), trace }
    }
}

/// The verdict on a kind of finding, from all findings of an analysis. Nothing is proved of executions that are not
/// analysed to their end: where `is_fixpoint` is false, after a statement that is not analysed, or after a call with a
/// cutpoint.
pub fn verdict_on<S>(kind: FindingKind, findings: &[Finding<S>], is_fixpoint: bool) -> Verdict {
    let found = |kind| findings.iter().any(|finding| finding.kind == kind);
    match kind {
        FindingKind::NotAnalysed => {}
        kind if found(kind) => return Verdict::MayFail,
        _ => {}
    }
    match is_fixpoint && !FindingKind::UNSEEN.into_iter().any(found) {
        true => Verdict::Proved,
        false => Verdict::NotAnalysed,
    }
}

/// The pointer by which a statement can go wrong, because it is null, dangling or freed.
pub fn subject(statement: &Statement) -> Option<VarId> {
    match statement {
        Statement::Load { object, .. } | Statement::Store { object, .. } => Some(*object),
        Statement::Free { pointer } => Some(*pointer),
        Statement::Owner { part, .. } => Some(*part),
        _ => None,
    }
}
