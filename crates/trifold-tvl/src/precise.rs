//! A place for steps that are more precise than focus, coerce and update: those of best transformers [YorshRS04 §4].
//!
//! Computing them takes a decision procedure, which this crate knows nothing of. Whoever has one gives it to
//! [`Engine::with_precise_steps`](crate::Engine::with_precise_steps).

use crate::event::Event;
use trifold_structure::Structure;

/// When precise steps are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Where a focus formula cannot be made definite.
    FocusFails,
    /// Wherever there are any.
    Always,
}

/// A step of an action from one structure.
#[derive(Debug)]
pub struct PreciseStep {
    /// Bounded structures, which together represent all stores after the action.
    pub states: Vec<Structure>,
    /// Messages, and contradictions between updates and rules.
    pub events: Vec<Event>,
}

/// Steps that are as precise as can be.
pub trait PreciseSteps: Send + Sync + std::fmt::Debug {
    /// The step of an action of the engine's specification. Nothing if there is none for this action, or if it could
    /// not be found within limits that depend on nothing but action and structure.
    fn step(&self, action: usize, structure: &Structure) -> Option<PreciseStep>;
}
