//! The questions that the oracle asks of an analysis.

use std::collections::BTreeSet;
use trifold_fixpoint::StopReason;
use trifold_ir::{FindingKind, Incident, Point, ProcId, Program, State, Statement};

/// An edge of a procedure.
pub type At = (ProcId, usize);

/// The result of an analysis, as far as runs of its program can contradict it.
pub trait Abstraction {
    /// The program whose runs are compared with the analysis.
    fn program(&self) -> &Program;

    /// The procedure in which the runs start.
    fn entry(&self) -> ProcId;

    /// How the analysis ended.
    fn ending(&self) -> Ending;

    /// The findings, by kind and place.
    fn findings(&self) -> Vec<(FindingKind, At)>;

    /// The edges at which the analysis of a run ends. Each of them is among the findings.
    fn ends(&self) -> BTreeSet<At>;

    /// The edges after which states are represented, but not all incidents are reported.
    fn blind(&self) -> BTreeSet<At> {
        BTreeSet::new()
    }

    /// May an object be reported as lost before its last reference is? An analysis may forget variables that are not
    /// read any more, and from then on it need not represent the objects that only they held. If it keeps them, there
    /// is still the variable that gets the result of a call under way: [`has_calls`].
    fn loses_early(&self) -> bool;

    /// Is a state represented at its point?
    fn represents(&self, visit: &Visit<'_>) -> Judgement;

    /// A reason of the domain why an incident need not be reported, if there is one.
    fn excuse(&self, incident: &Incident) -> Option<Silence>;
}

/// Does one of these procedures call another one?
pub fn has_calls(program: &Program, procedures: &[ProcId]) -> bool {
    let mut edges = procedures.iter().flat_map(|procedure| &program[*procedure].edges);
    edges.any(|edge| matches!(edge.statement, Statement::Call { .. }))
}

/// How an analysis ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// At its fixpoint: it speaks of all runs.
    Fixpoint,
    /// Earlier: it promises nothing.
    Stopped(StopReason),
    /// It contradicts itself, which this text shows: it has lost a store.
    Contradiction(String),
}

/// A state of a run, and as much of the way there as matters.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// The point that is visited.
    pub point: Point,
    /// The state.
    pub state: &'a State,
    /// Need the analysis not represent all objects, because the run has taken an edge at which it reports a leak that
    /// may be early?
    pub has_lost: bool,
    /// How many objects had been allocated when the current call began.
    pub before_call: usize,
}

/// Is a state represented?
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// An abstract state of its point represents it.
    Represented,
    /// None does. The text shows the state and the abstract ones.
    Missed(String),
    /// The search for a representation was given up.
    GivenUp,
    /// The analysis says that it does not speak of such states.
    Silent(Silence),
}

/// The reasons why an analysis says nothing of a state or an incident.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Silence {
    /// An edge was taken after which nothing is analysed, and that is reported.
    NotAnalysed,
    /// A part of memory is unknown, which is reported, and incidents in that part are not.
    Unknown,
    /// In a function whose result is known, so that it is not followed.
    NotFollowed,
    /// In a function that the analysis does not have.
    NotKnown,
    /// An object was reported as lost earlier.
    LostEarlier,
    /// Memory is collected, so nothing is lost.
    Collected,
    /// The state is one of the program as it was written, and another program was analysed:
    /// [`AsWritten`](super::AsWritten).
    AsWritten,
    /// A field was used that counted as dead, so that `check` would throw the result away.
    Discarded,
}
