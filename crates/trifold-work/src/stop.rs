//! The reasons why an analysis ends. All domains give the same ones, so that a report can tell which limit ended it.
//! For example, a run that takes longer than its limit ends with `Timeout`, and one that has found all states with
//! `Fixpoint`.

/// Why an analysis ended. Every reason but the first means that the result is partial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StopReason {
    /// A fixpoint: everything reachable has been found.
    Fixpoint,
    /// The limit on structures was reached.
    StructureLimit,
    /// The limit on messages was reached.
    MessageLimit,
    /// A step would have needed too much memory.
    TooLarge,
    /// The limit on work was reached: states became too many or too large.
    WorkLimit,
    /// A program point had too many states.
    PointLimit,
    /// The states together became too large.
    SpaceLimit,
    /// The time was up.
    Timeout,
    /// The memory was used up.
    MemoryLimit,
    /// An observer interrupted the analysis for a reason of its own.
    Interrupted,
}

impl StopReason {
    /// Is the result complete?
    pub fn is_fixpoint(self) -> bool {
        self == StopReason::Fixpoint
    }

    /// Does it come from outside: would the same analysis go further on another machine, or at another time?
    pub fn is_external(self) -> bool {
        matches!(self, StopReason::Timeout | StopReason::MemoryLimit | StopReason::Interrupted)
    }

    /// The name in reports for programs.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Fixpoint => "fixpoint",
            StopReason::StructureLimit => "structure-limit",
            StopReason::MessageLimit => "message-limit",
            StopReason::TooLarge => "too-large",
            StopReason::WorkLimit => "work-limit",
            StopReason::PointLimit => "point-limit",
            StopReason::SpaceLimit => "space-limit",
            StopReason::Timeout => "timeout",
            StopReason::MemoryLimit => "memory-limit",
            StopReason::Interrupted => "interrupted",
        }
    }

    /// The reason in words.
    pub fn sentence(self) -> &'static str {
        match self {
            StopReason::Fixpoint => "nothing left to do",
            StopReason::StructureLimit => "the limit on structures was reached",
            StopReason::MessageLimit => "the limit on messages was reached",
            StopReason::TooLarge => "a formula has too many variables for structures of this size",
            StopReason::WorkLimit => "the work was too much; `--work 4` does four times as much",
            StopReason::PointLimit => "there are too many shapes at one place; more work would not help",
            StopReason::SpaceLimit => "the shapes need too much memory; `--memory` sets how much there is",
            StopReason::Timeout => "the time was up; a longer `--timeout` may find out more",
            StopReason::MemoryLimit => "the memory was used up; `--memory` sets how much there is",
            StopReason::Interrupted => "it was interrupted",
        }
    }
}
