//! A session: a solver, a limit of its time, and the queries made so far.

use crate::query::{Answer, Query, Solver, Undecided};
use std::collections::BTreeSet;
use trifold_tvl::CoerceScratch;

/// The cost of operations, and whether their results are the most precise ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct QueryCost {
    /// Satisfiability queries.
    pub queries: usize,
    /// Queries without an answer, by reason. The values they were about were kept as they are, so that results are
    /// sound all the same.
    pub undecided: BTreeSet<Undecided>,
}

impl QueryCost {
    /// Were all queries answered? Then results are the most precise ones.
    pub fn is_most_precise(&self) -> bool {
        self.undecided.is_empty()
    }
}

/// Where queries go.
pub struct Session<'a> {
    solver: &'a mut dyn Solver,
    stop: &'a mut dyn FnMut() -> bool,
    pub(crate) scratch: CoerceScratch,
    /// The queries made so far.
    pub report: QueryCost,
}

impl<'a> Session<'a> {
    /// A session with this solver, in which `stop` is asked before each query whether to give up.
    pub fn new(solver: &'a mut dyn Solver, stop: &'a mut dyn FnMut() -> bool) -> Session<'a> {
        Session { solver, stop, scratch: CoerceScratch::default(), report: QueryCost::default() }
    }

    /// Was it given up?
    pub fn is_stopped(&self) -> bool {
        self.report.undecided.contains(&Undecided::Stopped)
    }

    /// Asks the solver.
    pub fn ask(&mut self, query: &Query) -> Answer {
        let answer = if (self.stop)() {
            Answer::Undecided(Undecided::Stopped)
        } else {
            self.report.queries += 1;
            self.solver.solve(query)
        };
        if let Answer::Undecided(reason) = &answer {
            self.report.undecided.insert(reason.clone());
        }
        answer
    }
}
