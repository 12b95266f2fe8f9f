//! Queries: is there a store that a structure represents, that satisfies a theory, and that has some tuples of some
//! values?
//!
//! For example: is there a list from `x`, as a structure represents it, in which `n` leads from an individual of the
//! summary back to `x`?

use crate::characteristic::characteristic_by_nodes;
use crate::store::Store;
use crate::theory::Theory;
use trifold_logic::{Formula, Predicate, PredicateId, Var, Vocabulary};
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
    /// The formulas that the store satisfies.
    pub theory: &'a Theory,
    /// The structure that represents the store.
    pub structure: &'a Structure,
    /// The tuples that exist in it.
    pub requirements: &'a [Requirement],
}

impl Query<'_> {
    /// The query as closed formulas, over the predicates of the theory and one more for each individual of the
    /// structure, which holds of the individuals it represents. They are satisfiable exactly if there is such a store.
    pub fn formulas(&self) -> (Vocabulary, Vec<Formula>) {
        let originals = self.theory.vocabulary();
        let mut vocabulary = originals.clone();
        let node = |u: Individual| Predicate { abstraction: false, ..Predicate::core(&format!("node@{u}"), 1) };
        let mut declare = |u| vocabulary.declare(node(u)).expect("no declared name starts like that");
        let nodes: Vec<PredicateId> = self.structure.universe().map(&mut declare).collect();
        let mut formulas = self.theory.formulas().to_vec();
        formulas.push(characteristic_by_nodes(self.structure, originals, &nodes));
        formulas.extend(self.requirements.iter().map(|requirement| requirement.formula(&nodes)));
        (vocabulary, formulas)
    }
}

impl Requirement {
    fn formula(&self, nodes: &[PredicateId]) -> Formula {
        let variables: Vec<Var> = ["v", "w"].map(Var::new).to_vec();
        let is = |v: &Var, u: Individual| Formula::atom(nodes[u], [v.clone()]);
        match self {
            Requirement::Several(u) => {
                let different = Formula::equal(variables[0].clone(), variables[1].clone()).negate();
                let both = variables.iter().map(|v| is(v, *u)).chain([different]).collect::<Vec<_>>();
                Formula::exists(variables, Formula::and(both))
            }
            Requirement::Value { predicate, tuple, value } => {
                let variables = variables[..tuple.len()].to_vec();
                let atom = Formula::atom(*predicate, variables.iter().cloned());
                let literal = if *value { atom } else { atom.negate() };
                let images = variables.iter().zip(tuple).map(|(v, u)| is(v, *u));
                let all = Formula::and(images.chain([literal]).collect::<Vec<_>>());
                Formula::exists(variables, all)
            }
        }
    }
}

/// The answer of a solver.
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
