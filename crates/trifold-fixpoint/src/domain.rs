//! The interface between the solver and an abstract domain, and the events that observers get.
//!
//! For example, constants of one variable are a domain: a state is a number or "any number", a step evaluates an
//! assignment, and a store has one state, the join of those that were inserted.

use crate::ids::{EdgeId, LocationId, PointId, ProcedureId};
use std::hash::Hash;

/// An abstract domain.
pub trait Domain: Sync {
    /// An abstract state.
    type State: Clone + Send + Sync;
    /// The states of one point.
    type Store: Default;
    /// Something a step reports besides states: a message, say.
    type Event: Send;
    /// Memory that steps reuse; one per thread.
    type Scratch: Default + Send;

    /// The effect of an edge on a state.
    fn step(&self, edge: EdgeId, state: &Self::State, scratch: &mut Self::Scratch) -> Step<Self::State, Self::Event>;

    /// Adds a state to the store of a location.
    fn insert(&self, location: LocationId, store: &mut Self::Store, state: Self::State) -> Insertion;

    /// A state of a store.
    fn state<'s>(&self, store: &'s Self::Store, id: usize) -> &'s Self::State;

    /// The number of states in a store.
    fn count(&self, store: &Self::Store) -> usize;

    /// About how many bytes a state takes in a store.
    fn size(&self, state: &Self::State) -> usize {
        std::mem::size_of_val(state)
    }
}

/// A domain with calls: the part of its caller's state that a procedure sees, and how its effect is put back
/// [RinetzkySY05 §C].
///
/// # Soundness
///
/// For every concrete state that `caller` represents, some state of `extract` represents the callee's initial state;
/// and for every state in which the callee may return from there, represented by `exit`, some state of `combine`
/// represents the caller's state after the call.
pub trait Procedural: Domain {
    /// The key that tells the inputs of a procedure apart. Inputs with the same key are analysed together, as one; when
    /// the key is the state itself, a procedure is analysed once per abstract input, as in the paper.
    type Key: Eq + Hash;

    /// The key of a state at the entry of a procedure.
    fn key(&self, procedure: ProcedureId, entry: &Self::State) -> Self::Key;

    /// The states with which the callee starts when an edge calls. A call that must not be made is reported as an
    /// event.
    fn extract(&self, edge: EdgeId, caller: &Self::State, scratch: &mut Self::Scratch) -> StepOf<Self>;

    /// The caller's states after a call, from its state before the call and the callee's at its exit.
    fn combine(
        &self,
        edge: EdgeId,
        caller: &Self::State,
        exit: &Self::State,
        scratch: &mut Self::Scratch,
    ) -> StepOf<Self>;
}

/// The outcome of an edge on a state of a domain.
pub type StepOf<D> = Step<<D as Domain>::State, <D as Domain>::Event>;

/// The outcome of an edge on one state.
#[derive(Clone, Debug)]
pub struct Step<S, E> {
    /// The states after the edge.
    pub states: Vec<S>,
    /// The events of the step, such as messages.
    pub events: Vec<E>,
}

/// The outcome of adding a state to a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// The store represented it already.
    Known,
    /// It is in the store under this number.
    Added(usize),
    /// It was joined into the state of this number, which is different now.
    Changed(usize),
}

/// How far the solver has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// States that inputs and steps have produced.
    pub created: usize,
    /// Steps taken.
    pub steps: usize,
    /// Their [work](trifold_work), and that of adding states to stores.
    pub work: u64,
    /// About how many bytes the states take that are in stores.
    pub bytes: u64,
    /// Points that have something left to do.
    pub waiting: usize,
    /// The point at which the last steps were taken.
    pub at: PointId,
}

/// How a solver makes calls. A domain without procedures has none to make.
pub(crate) trait Calls<D: Domain>: Sync {
    type Key: Eq + Hash;

    fn key(&self, domain: &D, procedure: ProcedureId, entry: &D::State) -> Self::Key;
    fn extract(&self, domain: &D, edge: EdgeId, caller: &D::State, scratch: &mut D::Scratch) -> StepOf<D>;
    fn combine(
        &self,
        domain: &D,
        edge: EdgeId,
        caller: &D::State,
        exit: &D::State,
        scratch: &mut D::Scratch,
    ) -> StepOf<D>;
}

/// Calls as a procedural domain makes them.
pub(crate) struct ByDomain;

impl<D: Procedural> Calls<D> for ByDomain {
    type Key = D::Key;

    fn key(&self, domain: &D, procedure: ProcedureId, entry: &D::State) -> D::Key {
        domain.key(procedure, entry)
    }

    fn extract(&self, domain: &D, edge: EdgeId, caller: &D::State, scratch: &mut D::Scratch) -> StepOf<D> {
        domain.extract(edge, caller, scratch)
    }

    fn combine(
        &self,
        domain: &D,
        edge: EdgeId,
        caller: &D::State,
        exit: &D::State,
        scratch: &mut D::Scratch,
    ) -> StepOf<D> {
        domain.combine(edge, caller, exit, scratch)
    }
}

/// One procedure, whose inputs are all analysed together.
pub(crate) struct NoCalls;

impl<D: Domain> Calls<D> for NoCalls {
    type Key = ();

    fn key(&self, _: &D, _: ProcedureId, _: &D::State) {}

    fn extract(&self, _: &D, _: EdgeId, _: &D::State, _: &mut D::Scratch) -> StepOf<D> {
        unreachable!("a graph without procedures has no calls")
    }

    fn combine(&self, _: &D, _: EdgeId, _: &D::State, _: &D::State, _: &mut D::Scratch) -> StepOf<D> {
        unreachable!("a graph without procedures has no calls")
    }
}
