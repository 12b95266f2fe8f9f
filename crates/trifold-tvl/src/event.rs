//! What steps report besides structures: messages, properties, and what was dropped or could not be done.

use crate::coerce::Infeasible;
use crate::focus::Unfocusable;
use crate::specification::Origin;
use trifold_structure::Structure;

/// A phase of a step, for traces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// A structure that focus yields.
    Focus,
    /// A structure that the early coerce leaves.
    CoerceEarly,
    /// A structure with an assignment that satisfies the precondition.
    Precondition,
    /// The updated structure.
    Update,
    /// A structure that the late coerce leaves.
    CoerceLate,
    /// The bounded structure.
    Blur,
}

/// What a step reports besides structures.
#[derive(Clone, Debug)]
pub enum Event {
    /// A message fired.
    Message {
        /// Its position among the messages of the edge's actions.
        message: usize,
        /// Is it certain, not just possible? A condition of 1, or a property that is violated.
        definite: bool,
        /// The structure on which it fired: focused, before the update; or the result of the update.
        structure: Box<Structure>,
    },
    /// A property holds.
    Confirmed {
        /// Its position among the messages of the edge's actions.
        message: usize,
    },
    /// A focus formula is still 1/2.
    Unfocusable {
        /// Which formula.
        origin: Origin,
        /// Why.
        reason: Unfocusable,
    },
    /// A coerce found a structure infeasible and dropped it. Reported in traces only.
    Discarded {
        /// Before or after the update?
        phase: Phase,
        /// The rule and the assignment.
        infeasible: Infeasible,
        /// The structure, as far as it had been repaired.
        structure: Box<Structure>,
    },
    /// The update leads from a store that obeys all rules to one that does not: the specification contradicts itself.
    Contradiction {
        /// The rule and the assignment, on `after`.
        infeasible: Infeasible,
        /// A store before the action.
        before: Box<Structure>,
        /// The store after the action.
        after: Box<Structure>,
    },
    /// The update of a structure that seemed feasible came out infeasible, and no store was found that shows why. Most
    /// likely the structure represented no store; but the specification may be contradictory.
    UnexplainedBreach {
        /// The rule and the assignment, on `after`.
        infeasible: Infeasible,
        /// The structure before the action.
        before: Box<Structure>,
        /// The structure after the action, as far as it had been repaired.
        after: Box<Structure>,
    },
    /// The step needs more memory, or has more assignments, than the engine allows; it was not taken.
    TooLarge,
    /// A structure in the course of the step. Reported in traces only.
    Phase {
        /// After which operation.
        phase: Phase,
        /// The structure.
        structure: Box<Structure>,
    },
}
