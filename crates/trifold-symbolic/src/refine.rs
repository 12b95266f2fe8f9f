//! Refinement: the canonical abstractions of all stores that a structure represents and that satisfy a theory.
//!
//! This is the algorithm *assume* of [YorshRS04 Fig. 4, Fig. 5]. It works on *regions*: a structure, with requirements on what
//! exists. At first, abstraction predicates that are 1/2 on an individual are made definite, by splitting the individual where the
//! predicate holds for some of what it stands for and not for the rest. Then every other value that is 1/2 is looked at: the region
//! is split into stores where the value is 0, where it is 1, and where it is both. Parts without stores are dropped.
//! When nothing is open any more, the structure is the canonical abstraction of a store.
//!
//! A region knows one of its stores, if the solver has shown one. That store belongs to one of the parts, which need not be
//! asked about; and if no store of the region differs from it in the value at hand, one query tells that for all other
//! parts.
//!
//! DIVERGENCE([YorshRS04 Fig. 4]): there, a value may stay 1/2 when some store has both values, whatever the other values that stay
//! 1/2. Here one store must have both values for all of them at once. Otherwise a structure could remain that is the canonical abstraction
//! of no store: two values that are never both 1/2 in the same store.
//!
//! # Soundness
//! The parts of a region cover it, and a part is dropped only when the solver has proved that it has no store.

use crate::ground::Theory;
use crate::query::{Answer, Query, Requirement};
use crate::session::Session;
use crate::store::Store;
use trifold_logic::{Kleene, PredicateId};
use trifold_structure::{Individual, Structure};

/// What is to be refined.
pub(crate) struct Refinement<'a> {
    /// What stores satisfy.
    pub theory: &'a Theory,
    /// The predicates by which individuals are told apart.
    pub names: &'a [PredicateId],
    /// The predicates whose values are to be as precise as possible, in the order in which they are looked at.
    pub tracked: &'a [PredicateId],
}

/// Stores that a structure represents and that meet requirements.
struct Region {
    structure: Structure,
    requirements: Vec<Requirement>,
    /// One of them, if one is known.
    store: Option<Store>,
    /// How many queries about regions around it, and about itself, were left undecided in a row.
    undecided: usize,
}

/// A region that is undecided in this many steps is left as it is; the effort would multiply.
const PATIENCE: usize = 2;

/// Something that is open in a region.
enum Open {
    /// Does the individual stand for anything?
    Existence(Individual),
    /// An abstraction predicate is 1/2 on an individual.
    Name(PredicateId, Individual),
    /// Does the individual stand for one or for several?
    Number(Individual),
    /// The value of a predicate is 1/2.
    Value(PredicateId, Vec<Individual>),
}

impl Refinement<'_> {
    /// Structures that represent the same stores among those of the inputs that satisfy the theory; each of them is the abstraction of
    /// one such store, as long as all queries were answered. The store comes with it, if the solver shows stores.
    pub fn refine(
        &self,
        inputs: impl IntoIterator<Item = Structure>,
        session: &mut Session,
    ) -> Vec<(Structure, Option<Store>)> {
        let mut regions = Vec::new();
        for structure in inputs {
            regions.extend(self.ask(structure, Vec::new(), 0, session));
        }
        regions.reverse();
        let mut refined = Vec::new();
        while let Some(region) = regions.pop() {
            match self.first_open(&region).filter(|_| region.undecided < PATIENCE && !session.is_stopped()) {
                None => refined.push((region.structure, region.store)),
                Some(open) => {
                    let start = regions.len();
                    self.split(region, open, &mut regions, session);
                    regions[start..].reverse();
                }
            }
        }
        refined
    }

    /// The region, unless it has no store.
    fn ask(
        &self,
        structure: Structure,
        requirements: Vec<Requirement>,
        undecided: usize,
        session: &mut Session,
    ) -> Option<Region> {
        let query = Query { theory: self.theory, structure: &structure, requirements: &requirements };
        match session.ask(&query) {
            Answer::Unsatisfiable => None,
            Answer::Satisfiable(store) => Some(Region { structure, requirements, store, undecided: 0 }),
            Answer::Undecided(_) => Some(Region { structure, requirements, store: None, undecided: undecided + 1 }),
        }
    }

    fn first_open(&self, region: &Region) -> Option<Open> {
        let structure = &region.structure;
        let individuals = || structure.universe();
        let existence = individuals().find(|u| !structure.is_active(*u)).map(Open::Existence);
        let name = || {
            let mut pairs = self.names.iter().flat_map(|p| individuals().map(move |u| (*p, u)));
            pairs.find(|(p, u)| structure.unary(*p, *u) == Kleene::Unknown).map(|(p, u)| Open::Name(p, u))
        };
        let number = || {
            let unknown = |u: &Individual| structure.is_summary(*u) && !region.requires(&Requirement::Several(*u));
            individuals().find(unknown).map(Open::Number)
        };
        existence.or_else(name).or_else(number).or_else(|| self.tracked.iter().find_map(|p| region.open_value(*p)))
    }

    /// Splits a region by what is open, and adds the parts that have stores.
    fn split(&self, region: Region, open: Open, parts: &mut Vec<Region>, session: &mut Session) {
        match open {
            Open::Existence(u) => {
                let mut present = region.structure.clone();
                present.set(PredicateId::AC, &[u], Kleene::True);
                let (with, without) = match region.store {
                    Some(store) if store.count(u) > 0 => (Some(store), None),
                    other => (None, other),
                };
                parts.extend(self.part(present, region.requirements, with, region.undecided, session));
                let others: Vec<Individual> = region.structure.universe().filter(|w| *w != u).collect();
                let without = without.map(|mut store| {
                    store.images.iter_mut().for_each(|image| *image -= usize::from(*image > u));
                    store
                });
                parts.extend(self.part(
                    region.structure.select(&others),
                    Vec::new(),
                    without,
                    region.undecided,
                    session,
                ));
            }
            Open::Number(u) => {
                let mut single = region.structure.clone();
                single.set_summary(u, false);
                let several = region.with([Requirement::Several(u)]);
                let (one, more) = match region.store {
                    Some(store) if store.count(u) == 1 => (Some(store), None),
                    other => (None, other),
                };
                parts.extend(self.part(single, region.requirements, one, region.undecided, session));
                parts.extend(self.part(region.structure, several, more, region.undecided, session));
            }
            Open::Name(p, u) => self.split_value(region, p, vec![u], true, parts, session),
            Open::Value(p, tuple) => self.split_value(region, p, tuple, false, parts, session),
        }
    }

    /// A part of a region; without a known store the solver is asked.
    fn part(
        &self,
        structure: Structure,
        requirements: Vec<Requirement>,
        store: Option<Store>,
        undecided: usize,
        session: &mut Session,
    ) -> Option<Region> {
        match store {
            Some(_) => Some(Region { structure, requirements, store, undecided: 0 }),
            None => self.ask(structure, requirements, undecided, session),
        }
    }

    /// Splits by the value of a predicate on a tuple: 0, 1, or both. Where both, a name tells individuals apart.
    fn split_value(
        &self,
        region: Region,
        p: PredicateId,
        tuple: Vec<Individual>,
        name: bool,
        parts: &mut Vec<Region>,
        session: &mut Session,
    ) {
        let value = |value| Requirement::Value { predicate: p, tuple: tuple.clone(), value };
        let mut stores: [Option<Store>; 3] = [None, None, None];
        let mut place = |store: Store| {
            let value = store.value(p, &tuple);
            stores[value as usize] = Some(store);
            value
        };
        let first = region.store.clone().map(&mut place);
        let mut possible = [true; 3];
        // Individuals that stand for one thing each are no tuples of different values.
        possible[Kleene::Unknown as usize] = tuple.iter().any(|u| region.structure.is_summary(*u));
        if let Some(first) = first.filter(|value| value.is_definite() && possible[Kleene::Unknown as usize]) {
            let other = region.with([value(first == Kleene::False)]);
            match session.ask(&Query { theory: self.theory, structure: &region.structure, requirements: &other }) {
                Answer::Unsatisfiable => {
                    possible = [false; 3];
                    possible[first as usize] = true;
                }
                Answer::Satisfiable(Some(store)) => drop(place(store)),
                Answer::Satisfiable(None) | Answer::Undecided(_) => {}
            }
        }
        for case in [Kleene::False, Kleene::True, Kleene::Unknown].into_iter().filter(|case| possible[*case as usize]) {
            let store = stores[case as usize].take();
            let mut structure = region.structure.clone();
            let (mut requirements, mut store) = (region.requirements.clone(), store);
            match case {
                Kleene::Unknown if name => {
                    let u = tuple[0];
                    structure = bifurcate(&structure, p, u);
                    store = store.map(|mut store| {
                        let holds = |(i, image): (Individual, &Individual)| {
                            if *image == u && store.structure.unary(p, i).must() {
                                structure.size() - 1
                            } else {
                                *image
                            }
                        };
                        store.images = store.images.iter().enumerate().map(holds).collect();
                        store
                    });
                }
                Kleene::Unknown => requirements = region.with([value(false), value(true)]),
                definite => structure.set(p, &tuple, definite),
            }
            parts.extend(self.part(structure, requirements, store, region.undecided, session));
        }
    }
}

/// The structure in which `u` has become two: `p` does not hold on it, but holds on the new, last individual.
fn bifurcate(structure: &Structure, p: PredicateId, u: Individual) -> Structure {
    let mut split = structure.select(&structure.universe().chain([u]).collect::<Vec<_>>());
    split.set_unary(p, u, Kleene::False);
    split.set_unary(p, structure.size(), Kleene::True);
    split
}

impl Region {
    fn requires(&self, requirement: &Requirement) -> bool {
        self.requirements.contains(requirement)
    }

    /// The requirements and some more.
    fn with<const N: usize>(&self, more: [Requirement; N]) -> Vec<Requirement> {
        let mut requirements = self.requirements.clone();
        requirements.extend(more.into_iter().filter(|requirement| !self.requires(requirement)));
        requirements
    }

    /// A tuple on which the predicate is 1/2 although nothing requires that it be both 0 and 1.
    fn open_value(&self, p: PredicateId) -> Option<Open> {
        let structure = &self.structure;
        let open = |tuple: Vec<Individual>| {
            let required = |value| self.requires(&Requirement::Value { predicate: p, tuple: tuple.clone(), value });
            (structure.get(p, &tuple) == Kleene::Unknown && !(required(false) && required(true)))
                .then_some(Open::Value(p, tuple))
        };
        let individuals = || structure.universe();
        match structure.layout().arity(p) {
            0 => open(Vec::new()),
            1 => individuals().find_map(|u| open(vec![u])),
            _ => individuals().find_map(|u| individuals().find_map(|w| open(vec![u, w]))),
        }
    }
}
