//! The most-precise operations: assume, abstract, meet and entailment [YorshRS04 §1.1].
//!
//! For example, the meet of "`x` is an element of a list" with "`x` is NULL" is empty, because no store is represented
//! by both.

use crate::characteristic::{NotBounded, abstraction_predicates, characteristic};
use crate::query::{Answer, Query, Undecided};
use crate::refine::Refinement;
use crate::rules::integrity_rules;
use crate::session::Session;
use crate::store::Store;
use crate::theory::Theory;
use std::sync::Arc;
use trifold_logic::{Formula, Kleene, PredicateId, Vocabulary};
use trifold_structure::{Layout, Structure};
use trifold_tvl::{Abstraction, BlurRule, Coercer, Specification, constraints};

/// The operations for the structures of a specification.
#[derive(Debug)]
pub struct Symbolic {
    pub(crate) specification: Arc<Specification>,
    pub(crate) layout: Arc<Layout>,
    pub(crate) abstraction: Abstraction,
    /// The integrity rules, for coerce and for the solver.
    pub(crate) coercer: Coercer,
    theory: Theory,
}

/// A structure that an operation yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstracted {
    /// The bounded structure.
    pub structure: Structure,
    /// A store whose canonical abstraction it is. It is missing if the solver shows no stores, or left a query
    /// undecided.
    pub witness: Option<Structure>,
}

/// Does one set of structures represent everything that another one does?
#[derive(Clone, PartialEq, Debug)]
pub enum Entailment {
    /// Every store of the first is represented by the second.
    Holds,
    /// This store of the first is not represented by the second; it is missing if the solver shows no stores.
    Fails(Option<Store>),
    /// The solver does not know.
    Undecided(Undecided),
}

impl Symbolic {
    /// Prepares the integrity rules of a specification.
    pub fn new(specification: &Specification) -> Symbolic {
        let vocabulary = &specification.vocabulary;
        let arities: Vec<usize> = vocabulary.iter().map(|(_, p)| p.arity).collect();
        Symbolic {
            specification: Arc::new(specification.clone()),
            layout: Arc::new(Layout::new(vocabulary)),
            abstraction: Abstraction::new(vocabulary, BlurRule::Different),
            coercer: Coercer::new(constraints(specification, true), &arities),
            theory: Theory::new(&integrity_rules(specification), vocabulary),
        }
    }

    fn vocabulary(&self) -> &Vocabulary {
        &self.specification.vocabulary
    }

    /// The rules and some formulas; variables that are free in them stand for individuals that exist.
    pub(crate) fn theory(&self, formulas: &[Formula]) -> Theory {
        let mut theory = self.theory.clone();
        let closed = formulas.iter().map(|formula| Formula::exists(formula.free_vars(), formula.clone()));
        theory.extend(&closed.collect::<Vec<_>>());
        theory
    }

    /// `assume[φ](a)`: the canonical abstractions of the stores that `structures` represent and in which the formula
    /// holds.
    pub fn assume(&self, formula: &Formula, structures: &[Structure], session: &mut Session) -> Vec<Abstracted> {
        let tracked: Vec<PredicateId> = self.vocabulary().ids().skip(Vocabulary::BUILT_IN).collect();
        self.assume_in_order(formula, structures, &tracked, session)
    }

    /// The same, with predicates looked at in this order. The result does not depend on it, its cost does.
    pub fn assume_in_order(
        &self,
        formula: &Formula,
        structures: &[Structure],
        order: &[PredicateId],
        session: &mut Session,
    ) -> Vec<Abstracted> {
        let mut names = abstraction_predicates(self.vocabulary());
        names.sort_by_key(|p| order.iter().position(|q| q == p));
        let theory = self.theory(std::slice::from_ref(formula));
        let refinement = Refinement { theory: &theory, coercer: &self.coercer, names: &names, tracked: order };
        let inputs = structures.iter().cloned().map(|mut structure| {
            structure.forget_names();
            structure
        });
        self.finish(refinement.refine(inputs, session))
    }

    /// Bounded structures, each once, in a fixed order.
    pub(crate) fn finish(&self, refined: Vec<(Structure, Option<Store>)>) -> Vec<Abstracted> {
        let bounded = |(structure, store): (Structure, Option<Store>)| Abstracted {
            structure: self.abstraction.blur(&structure),
            witness: store.map(|store| store.structure),
        };
        distinct(refined.into_iter().map(bounded).collect())
    }

    /// `alpha-hat(φ)`: the canonical abstractions of all stores in which the formula holds.
    pub fn abstract_formula(&self, formula: &Formula, session: &mut Session) -> Vec<Abstracted> {
        self.assume(formula, &[self.top()], session)
    }

    /// The structure that represents all stores.
    pub fn top(&self) -> Structure {
        let mut top = Structure::new(&self.layout, 1);
        for p in self.vocabulary().ids().filter(|p| ![PredicateId::IS_NEW, PredicateId::INSTANCE].contains(p)) {
            let tuple = &[0, 0][..self.layout.arity(p)];
            top.set(p, tuple, Kleene::Unknown);
        }
        top
    }

    /// The canonical abstractions of the stores that both sets of structures represent.
    pub fn meet(&self, a: &[Structure], b: &[Structure], session: &mut Session) -> Result<Vec<Abstracted>, NotBounded> {
        let mut met = Vec::new();
        for one in a {
            for other in b {
                let formula = characteristic(other, self.vocabulary())?;
                met.extend(self.assume(&formula, std::slice::from_ref(one), session));
            }
        }
        Ok(distinct(met))
    }

    /// Is every store that `a` represents also represented by `b`?
    pub fn entails(&self, a: &[Structure], b: &[Structure], session: &mut Session) -> Result<Entailment, NotBounded> {
        let formulas: Result<Vec<Formula>, NotBounded> =
            b.iter().map(|structure| Ok(characteristic(structure, self.vocabulary())?.negate())).collect();
        let theory = self.theory(&formulas?);
        let mut undecided = None;
        for structure in a {
            match session.ask(&Query { theory: &theory, structure, requirements: &[] }) {
                Answer::Unsatisfiable => {}
                Answer::Satisfiable(store) => return Ok(Entailment::Fails(store)),
                Answer::Undecided(reason) => undecided = undecided.or(Some(reason)),
            }
        }
        Ok(undecided.map_or(Entailment::Holds, Entailment::Undecided))
    }
}

/// Each structure once, in a fixed order.
fn distinct(mut results: Vec<Abstracted>) -> Vec<Abstracted> {
    let key =
        |result: &Abstracted| (result.structure.size(), result.structure.words().to_vec(), result.witness.is_none());
    results.sort_by_cached_key(key);
    results.dedup_by(|a, b| a.structure == b.structure);
    results
}
