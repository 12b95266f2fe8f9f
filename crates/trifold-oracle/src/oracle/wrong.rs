//! The ways in which an analysis can be wrong.

use super::abstraction::At;
use std::fmt;
use trifold_ir::{FindingKind, Point};

/// Why an analysis is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// It contradicts itself, which this text shows: it has lost a store.
    Contradiction(String),
    /// A run visits a state that is not represented at its point.
    StateMissed {
        /// The point.
        point: Point,
        /// The state, and the abstract states of the point.
        shown: String,
    },
    /// An incident of a run is not reported.
    NotReported {
        /// Its kind.
        kind: FindingKind,
        /// The edge at which it happens.
        at: At,
        /// Its message.
        text: String,
    },
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Contradiction(shown) => write!(f, "the analysis contradicts itself: {shown}"),
            Wrong::StateMissed { point, shown } => write!(f, "a state is missed at {point:?}: {shown}"),
            Wrong::NotReported { kind, at, text } => write!(f, "{kind} at edge {at:?} is not reported: {text}"),
        }
    }
}
