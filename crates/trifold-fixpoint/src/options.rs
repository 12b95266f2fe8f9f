//! The options of the solver.

use crate::ids::LocationId;

/// Which locations keep their states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Save {
    /// All: fastest.
    #[default]
    All,
    /// Those with several incoming edges.
    MergePoints,
    /// Targets of back edges: one per loop, least memory.
    BackEdges,
}

/// In which order locations are taken up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Traversal {
    /// After their predecessors, and inner loops to their end before outer ones go on.
    #[default]
    WeakTopological,
    /// After their predecessors, as far as possible.
    ReversePostOrder,
    /// After their successors: something reaches the exit soon.
    PostOrder,
}

/// How to solve.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Which locations keep their states.
    pub save: Save,
    /// Locations that keep their states in any case, such as those to be printed.
    pub always_saved: Vec<LocationId>,
    /// The order of locations.
    pub traversal: Traversal,
    /// The number of threads, at least 1.
    pub threads: usize,
    /// At most so much [work](trifold_work). A step that would be too much is not taken.
    pub work: u64,
    /// At most about so many bytes of states in stores. Unlike the memory of the process, that is the same everywhere.
    pub bytes: u64,
}

impl Default for SolverOptions {
    fn default() -> SolverOptions {
        SolverOptions {
            save: Save::All,
            always_saved: Vec::new(),
            traversal: Traversal::default(),
            threads: 1,
            work: u64::MAX,
            bytes: u64::MAX,
        }
    }
}
