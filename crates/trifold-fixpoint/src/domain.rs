//! What the solver needs to know about an abstract domain.

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

    /// The effect of an action on a state.
    fn step(&self, action: usize, state: &Self::State, scratch: &mut Self::Scratch) -> Step<Self::State, Self::Event>;

    /// Adds a state to the store of a location.
    fn insert(&self, location: usize, store: &mut Self::Store, state: Self::State) -> Insertion;

    /// A state of a store.
    fn state<'s>(&self, store: &'s Self::Store, id: usize) -> &'s Self::State;

    /// The number of states in a store.
    fn count(&self, store: &Self::Store) -> usize;
}

/// A domain with calls: what a procedure sees of its caller's state, and how its effect is put back [RinetzkySY05 §C].
///
/// # Soundness
///
/// For every concrete state that `caller` represents, some state of `extract` represents what the callee starts with; and for every
/// state in which the callee may return from there, represented by `exit`, some state of `combine` represents what the caller goes on with.
pub trait Procedural: Domain {
    /// What tells the inputs of a procedure apart. Inputs with the same key are analysed together, as one; when the key is the state
    /// itself, a procedure is analysed once per abstract input, as in the paper.
    type Key: Eq + Hash;

    /// The key of a state at the entry of a procedure.
    fn key(&self, procedure: usize, entry: &Self::State) -> Self::Key;

    /// What the callee of a call starts with. A call that must not be made is reported as an event.
    fn extract(&self, call: usize, caller: &Self::State, scratch: &mut Self::Scratch) -> Outcome<Self>;

    /// What the caller goes on with, from its state before the call and the callee's at its exit.
    fn combine(
        &self,
        call: usize,
        caller: &Self::State,
        exit: &Self::State,
        scratch: &mut Self::Scratch,
    ) -> Outcome<Self>;
}

/// The outcome of an action on a state of a domain.
pub type Outcome<D> = Step<<D as Domain>::State, <D as Domain>::Event>;

/// The outcome of an action on one state.
#[derive(Clone, Debug)]
pub struct Step<S, E> {
    /// The states after the action.
    pub states: Vec<S>,
    /// What else there is to say.
    pub events: Vec<E>,
}

/// What became of a state that was added to a store.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// States that inputs and steps have produced.
    pub created: usize,
    /// Steps taken.
    pub steps: usize,
    /// Points that have something left to do.
    pub waiting: usize,
    /// The point at which the last steps were taken.
    pub at: usize,
}

/// How a solver makes calls. A domain without procedures has none to make.
pub(crate) trait Calls<D: Domain>: Sync {
    type Key: Eq + Hash;

    fn key(&self, domain: &D, procedure: usize, entry: &D::State) -> Self::Key;
    fn extract(&self, domain: &D, call: usize, caller: &D::State, scratch: &mut D::Scratch) -> Outcome<D>;
    fn combine(
        &self,
        domain: &D,
        call: usize,
        caller: &D::State,
        exit: &D::State,
        scratch: &mut D::Scratch,
    ) -> Outcome<D>;
}

/// Calls as a procedural domain makes them.
pub(crate) struct ByDomain;

impl<D: Procedural> Calls<D> for ByDomain {
    type Key = D::Key;

    fn key(&self, domain: &D, procedure: usize, entry: &D::State) -> D::Key {
        domain.key(procedure, entry)
    }

    fn extract(&self, domain: &D, call: usize, caller: &D::State, scratch: &mut D::Scratch) -> Outcome<D> {
        domain.extract(call, caller, scratch)
    }

    fn combine(
        &self,
        domain: &D,
        call: usize,
        caller: &D::State,
        exit: &D::State,
        scratch: &mut D::Scratch,
    ) -> Outcome<D> {
        domain.combine(call, caller, exit, scratch)
    }
}

/// One procedure, whose inputs are all analysed together.
pub(crate) struct NoCalls;

impl<D: Domain> Calls<D> for NoCalls {
    type Key = ();

    fn key(&self, _: &D, _: usize, _: &D::State) {}

    fn extract(&self, _: &D, _: usize, _: &D::State, _: &mut D::Scratch) -> Outcome<D> {
        unreachable!("a graph without procedures has no calls")
    }

    fn combine(&self, _: &D, _: usize, _: &D::State, _: &D::State, _: &mut D::Scratch) -> Outcome<D> {
        unreachable!("a graph without procedures has no calls")
    }
}
