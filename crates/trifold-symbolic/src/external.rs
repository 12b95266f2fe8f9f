//! Solvers that speak SMT-LIB 2, as decision procedures.
//!
//! First-order formulas have models that are no stores: infinite ones, and ones with paths that no steps make. So a
//! prover is asked twice. Small stores are a question of propositional logic; if there is one, it is the answer.
//! Otherwise the prover is asked about all models; if there are none, there is no store.

use crate::print::{SmallQuery, smtlib};
use crate::query::{Answer, Query, Solver, Undecided};

/// What a prover says of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// There is a model.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
    /// Nothing, for this reason.
    Nothing(String),
}

/// A prover that speaks SMT-LIB 2.
pub trait Prover {
    /// What it is called.
    fn name(&self) -> &str;

    /// Runs a script that ends with `(check-sat)`. Nothing of earlier scripts may be left.
    fn check(&mut self, script: &str) -> Said;

    /// The values of propositional variables in the model that was just found.
    fn values(&mut self, names: &[String]) -> Option<Vec<bool>>;
}

/// A prover as a solver.
#[derive(Debug)]
pub struct External<P>(pub P);

/// How many individuals small stores have beyond those of the structure: few at first, more if the prover finds a
/// model that need not be a store.
const BEYOND: [usize; 2] = [2, 5];

impl<P: Prover> Solver for External<P> {
    fn solve(&mut self, query: &Query) -> Answer {
        let [few, more] = BEYOND.map(|beyond| query.structure.size() + beyond);
        if let Some(answer) = self.small(query, few) {
            return answer;
        }
        let (vocabulary, formulas) = query.formulas();
        match self.0.check(&smtlib(&formulas, &vocabulary)) {
            Said::Unsatisfiable => Answer::Unsatisfiable,
            Said::Satisfiable if query.theory.outside().is_empty() => Answer::Satisfiable(None),
            said => self.small(query, more).unwrap_or_else(|| {
                let reason = match said {
                    Said::Nothing(reason) => reason,
                    _ => format!("`{}` finds it satisfiable, but perhaps not by a finite store", self.0.name()),
                };
                Answer::Undecided(Undecided::External(reason))
            }),
        }
    }
}

impl<P: Prover> External<P> {
    /// A store of at most this many individuals, if the prover finds one.
    fn small(&mut self, query: &Query, size: usize) -> Option<Answer> {
        let small = SmallQuery::new(query, size);
        if self.0.check(&small.script) != Said::Satisfiable {
            return None;
        }
        let values = self.0.values(&small.names().collect::<Vec<_>>());
        Some(Answer::Satisfiable(values.map(|values| small.store(&values, query.structure))))
    }
}
