//! Queries: is there a store that a structure represents, that satisfies a theory, and that has some tuples of some
//! values?

use crate::ground::Theory;
use crate::store::Store;
use trifold_logic::{Formula, PredicateId};
use trifold_structure::{Individual, Structure};

/// Something that must exist in the store.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Requirement {
    /// Among the tuples that `tuple` represents there is one on which the predicate has this value.
    Value {
        /// The predicate.
        predicate: PredicateId,
        /// Individuals of the structure, all of which surely exist.
        tuple: Vec<Individual>,
        /// 1 or 0.
        value: bool,
    },
    /// The individual stands for two or more.
    Several(Individual),
}

/// A question to a solver.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// What the store satisfies.
    pub theory: &'a Theory,
    /// What represents the store.
    pub structure: &'a Structure,
    /// What exists in it.
    pub requirements: &'a [Requirement],
}

/// What a solver says.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// There is such a store; this is one, if the solver can tell.
    Satisfiable(Option<Store>),
    /// There is none.
    Unsatisfiable,
    /// The solver gave up.
    Undecided(Undecided),
}

/// Why a query was left undecided.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Undecided {
    /// The rule is not of the form `E(v…) A(w…) φ`, and no store of a moderate size decides it.
    Universe {
        /// The rule.
        rule: Box<Formula>,
    },
    /// Paths of unknown length matter.
    Paths,
    /// The SAT solver needed too many conflicts.
    Conflicts,
    /// An external solver did not know, or took too long.
    External(String),
    /// The caller's time was up.
    Stopped,
}

/// A decision procedure.
pub trait Solver {
    /// Answers a query.
    fn solve(&mut self, query: &Query) -> Answer;
}
