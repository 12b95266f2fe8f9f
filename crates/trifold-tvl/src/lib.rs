//! The abstract domain of three-valued logical structures: focus, coerce, update, blur, join.

mod analysis;
mod blur;
mod calls;
mod changes;
mod coerce;
mod compiled;
mod concretize;
mod confirm;
mod constraints;
mod contracts;
mod derive;
mod engine;
mod event;
mod focus;
mod interpret;
mod join;
mod liveness;
mod location_abstraction;
mod messages;
mod order;
mod precise;
mod precondition;
mod specification;
mod update;

pub use analysis::{Analysis, Contradiction, FiredMessage, Input, Limits, Watcher, analyze};
pub use blur::{Abstraction, BlurRule, Expression};
pub use changes::{Change, Changes, Direction};
pub use coerce::{CoerceScratch, Coercer, Infeasible};
pub use concretize::{SearchLimits, concretizations};
pub use confirm::{Witness, confirm, explain_returns};
pub use constraints::constraints;
pub use contracts::check_contracts;
pub use derive::{Derive, complete, cycle_messages, derived_updates};
pub use engine::{Engine, EngineOptions, EngineScratch};
pub use event::{Event, Phase};
pub use focus::{Focus, Focused, Refine, Unfocusable};
pub use interpret::{Breach, Reached, RunLimits, Unsound, interpret, judge};
pub use join::{Join, Kept, Structures};
pub use order::{NotAnOrder, Order};
pub use precise::{PreciseStep, PreciseSteps, When};
pub use precondition::Precondition;
pub use specification::{
    Action, ActionId, Call, CallId, Cfg, Constraint, Contract, Edge, Head, Label, Message, MessageKind, Moment, New,
    Origin, Procedure, Retain, Specification, Update,
};
pub use trifold_fixpoint::{EdgeId, IdVec, LocationId, ProcedureId, StopReason};
pub use update::{Transformer, Updated};
