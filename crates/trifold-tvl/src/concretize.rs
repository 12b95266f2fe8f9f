//! The concrete stores that a structure represents, smallest first.
//!
//! A store is found by deciding every open question of the structure, one at a time: whether an individual exists, for
//! how many a summary stands, whether a value is 0 or 1. Coerce follows up each decision and cuts off the hopeless
//! ones. The result is a two-valued structure that satisfies every rule, and so every definition.
//!
//! For example, an individual of `x` with a summary after it represents the list of two elements, then that of three,
//! and so on.
//!
//! The stores serve as inputs of the soundness oracle and as witnesses of contradictory specifications.

use crate::changes::Changes;
use crate::coerce::{CoerceScratch, Coercer};
use crate::focus::split;
use std::ops::ControlFlow;
use trifold_logic::{Kleene, PredicateId};
use trifold_structure::{Individual, Plane, Structure, bits};

/// How hard to look for stores.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits {
    /// Stores have at most this many individuals.
    pub max_size: usize,
    /// At most this many decisions are tried.
    pub decisions: usize,
}

/// Visits stores that `structure` represents until the visitor breaks or the limits are reached.
///
/// `choose(n)` picks which of `n` alternatives to try first; `|_| 0` enumerates in a fixed order.
pub fn concretizations<B>(
    structure: &Structure,
    rules: &Coercer,
    limits: SearchLimits,
    choose: &mut dyn FnMut(usize) -> usize,
    visit: &mut dyn FnMut(&Structure) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut search = Search { rules, limits, left: limits.decisions, choose, visit, scratch: CoerceScratch::default() };
    search.explore(structure.clone())
}

struct Search<'a, B> {
    rules: &'a Coercer,
    limits: SearchLimits,
    left: usize,
    choose: &'a mut dyn FnMut(usize) -> usize,
    visit: &'a mut dyn FnMut(&Structure) -> ControlFlow<B>,
    scratch: CoerceScratch,
}

impl<B> Search<'_, B> {
    fn explore(&mut self, mut structure: Structure) -> ControlFlow<B> {
        if self.left == 0 {
            return ControlFlow::Continue(());
        }
        self.left -= 1;
        if structure.size() > self.limits.max_size
            || self.rules.coerce(&mut structure, &Changes::Anything, &mut self.scratch).is_err()
        {
            return ControlFlow::Continue(());
        }
        let mut alternatives = open_decision(&structure);
        if alternatives.is_empty() {
            return (self.visit)(&structure);
        }
        while !alternatives.is_empty() {
            let pick = (self.choose)(alternatives.len()).min(alternatives.len() - 1);
            self.explore(alternatives.remove(pick))?;
        }
        ControlFlow::Continue(())
    }
}

/// The alternatives of the first thing that is open; none when the structure is two-valued.
///
/// Values next to single individuals are decided before the number of individuals: a list then unrolls from its
/// head, and is not found once more for each order in which its elements could be named.
fn open_decision(structure: &Structure) -> Vec<Structure> {
    if let Some(u) = structure.universe().find(|u| !structure.is_active(*u)) {
        return vec![without(structure, u), with_value(structure, PredicateId::AC, &[u], Kleene::True)];
    }
    if let Some(cases) = open_values(structure).find_map(|(predicate, tuple)| split(structure, predicate, &tuple)) {
        return cases;
    }
    let Some(u) = structure.universe().find(|u| structure.is_summary(*u)) else { return Vec::new() };
    let mut single = structure.clone();
    single.set_summary(u, false);
    let mut several = structure.with_copy(u);
    several.set_summary(u, false);
    vec![single, several]
}

/// The tuples whose value is 1/2; `sm` is decided in its own way.
fn open_values(structure: &Structure) -> impl Iterator<Item = (PredicateId, Vec<Individual>)> + '_ {
    let layout = structure.layout();
    let predicates = (0..layout.predicates()).map(|i| PredicateId(i as u32)).filter(|p| *p != PredicateId::SM);
    predicates.flat_map(move |predicate| {
        let open = |must: &[u64], may: &[u64]| -> Vec<Individual> {
            let open: Vec<u64> = must.iter().zip(may).map(|(must, may)| may & !must).collect();
            bits(&open).collect()
        };
        let tuples: Vec<Vec<Individual>> = match layout.arity(predicate) {
            0 if structure.nullary(predicate) == Kleene::Unknown => vec![Vec::new()],
            0 => Vec::new(),
            1 => {
                let [must, may] = [Plane::Must, Plane::May].map(|plane| structure.row(predicate, plane));
                open(must, may).into_iter().map(|u| vec![u]).collect()
            }
            _ => structure
                .universe()
                .flat_map(|u| {
                    let [must, may] = [Plane::Must, Plane::May].map(|plane| structure.matrix_row(predicate, plane, u));
                    open(must, may).into_iter().map(move |v| vec![u, v])
                })
                .collect(),
        };
        tuples.into_iter().map(move |tuple| (predicate, tuple))
    })
}

fn with_value(structure: &Structure, predicate: PredicateId, tuple: &[Individual], value: Kleene) -> Structure {
    let mut decided = structure.clone();
    decided.set(predicate, tuple, value);
    decided
}

fn without(structure: &Structure, u: Individual) -> Structure {
    structure.select(&structure.universe().filter(|v| *v != u).collect::<Vec<_>>())
}
