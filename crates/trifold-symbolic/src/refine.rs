//! Refinement: the canonical abstractions of all stores that a structure represents and that satisfy a theory.
//!
//! This is the algorithm *assume* of [YorshRS04 Fig. 4, Fig. 5]. It works on *regions*: a structure, with requirements
//! on the tuples that exist. At first, abstraction predicates that are 1/2 on an individual are made definite, by
//! splitting the individual where the predicate holds for some of the individuals it stands for and not for the rest.
//! Then every other value that is 1/2 is looked at: the region is split into stores where the value is 0, where it is
//! 1, and where it is both. Parts without stores are dropped. When nothing is open any more, the structure is the
//! canonical abstraction of a store.
//!
//! For example, if `y` is 1/2 on a summary, the region is split into three: `y` is on none of its individuals, on all
//! of them, which is then one, or on one of them, which is taken out of the summary.
//!
//! A region knows some of its stores, those that the solver has shown. Each belongs to one of the parts, which need
//! not be asked about; and if no store of the region differs from them in the value at hand, one query tells that for
//! all other parts. Before its first split by values, a region is *probed*: values that are the same in all of its
//! stores are made definite, in the order in which the solver can tell. The more is definite, the easier are the
//! queries that follow.
//!
//! DIVERGENCE([YorshRS04 Fig. 4]): there, a value may stay 1/2 when some store has both values, independently of the
//! other values that stay 1/2. Here one store must have both values for all of them at once. Otherwise a structure
//! could remain that is the canonical abstraction of no store: two values that are never both 1/2 in the same store.
//!
//! Coerce goes first, because values that follow from the rules in Kleene's logic need not be asked, and where it finds
//! a structure infeasible there is no store. It also reasons about paths of any length, which helps the solver.
//!
//! # Soundness
//! The parts of a region cover it, and a part is dropped only when coerce or the solver has proved that it has no
//! store.

use crate::query::{Answer, Query, Requirement, Undecided};
use crate::session::Session;
use crate::store::Store;
use crate::theory::Theory;
use trifold_logic::{Kleene, PredicateId};
use trifold_structure::{Individual, Structure};
use trifold_tvl::{Changes, Coercer};

/// The theory by which structures are refined, and the predicates that count.
pub(crate) struct Refinement<'a> {
    /// The formulas that stores satisfy.
    pub theory: &'a Theory,
    /// Rules that follow from the theory.
    pub coercer: &'a Coercer,
    /// The predicates by which individuals are told apart.
    pub names: &'a [PredicateId],
    /// The predicates whose values are to be as precise as possible, in the order in which they are looked at.
    pub tracked: &'a [PredicateId],
}

/// Stores that a structure represents and that meet requirements.
struct Region {
    structure: Structure,
    requirements: Vec<Requirement>,
    /// Some of them.
    stores: Vec<Store>,
    /// Are all values that are 1/2 known to vary, as far as could be told?
    probed: bool,
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
    /// Structures that represent the same stores among those of the inputs that satisfy the theory; each of them is
    /// the abstraction of one such store, as long as all queries were answered. The store comes with it, if the solver
    /// shows stores.
    pub fn refine(
        &self,
        inputs: impl IntoIterator<Item = Structure>,
        session: &mut Session,
    ) -> Vec<(Structure, Option<Store>)> {
        let fresh = |structure| Region { structure, requirements: vec![], stores: vec![], probed: false, undecided: 0 };
        let mut regions = Vec::new();
        for structure in inputs {
            regions.extend(self.inhabited(fresh(structure), session));
        }
        regions.reverse();
        let mut refined = Vec::new();
        while let Some(region) = regions.pop() {
            match self.first_open(&region).filter(|_| region.undecided < PATIENCE && !session.is_stopped()) {
                None => refined.push((region.structure, region.stores.into_iter().next())),
                Some(Open::Value(..)) if !region.probed => regions.extend(self.probe(region, session)),
                Some(open) => {
                    let parts = self.split(region, open, session);
                    let inhabited: Vec<Region> =
                        parts.into_iter().filter_map(|part| self.inhabited(part, session)).collect();
                    regions.extend(inhabited.into_iter().rev());
                }
            }
        }
        refined
    }

    /// The region, as definite as coerce makes it, unless it has no store.
    fn inhabited(&self, mut region: Region, session: &mut Session) -> Option<Region> {
        let coerced = self.coercer.coerce(&mut region.structure, &Changes::Anything, &mut session.scratch);
        if !region.stores.is_empty() {
            debug_assert!(coerced.is_ok(), "coerce keeps the stores");
            return Some(Region { undecided: 0, ..region });
        }
        coerced.ok()?;
        match self.ask(&region, &region.requirements, session) {
            Answer::Unsatisfiable => None,
            Answer::Satisfiable(store) => Some(Region { stores: store.into_iter().collect(), undecided: 0, ..region }),
            Answer::Undecided(_) => Some(Region { undecided: region.undecided + 1, ..region }),
        }
    }

    fn ask(&self, region: &Region, requirements: &[Requirement], session: &mut Session) -> Answer {
        session.ask(&Query { theory: self.theory, structure: &region.structure, requirements })
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
        let value = || self.open_values(region).into_iter().next().map(|(p, tuple)| Open::Value(p, tuple));
        existence.or_else(name).or_else(number).or_else(value)
    }

    /// The tuples on which a predicate is 1/2 although nothing requires that it be both 0 and 1.
    fn open_values(&self, region: &Region) -> Vec<(PredicateId, Vec<Individual>)> {
        let all = self.tracked.iter().flat_map(|p| tuples(&region.structure, *p).into_iter().map(|t| (*p, t)));
        all.filter(|(p, tuple)| region.is_open(*p, tuple)).collect()
    }

    /// Makes values definite that are the same in all stores.
    fn probe(&self, mut region: Region, session: &mut Session) -> Option<Region> {
        region.probed = true;
        let mut unsure = self.open_values(&region);
        loop {
            let before = region.structure.clone();
            let mut still_unsure = Vec::new();
            for (p, tuple) in unsure {
                let asked = if region.is_open(p, &tuple) { self.vary(&mut region, p, &tuple, session) } else { Ok(()) };
                if asked.is_err() {
                    still_unsure.push((p, tuple));
                }
            }
            if self.coercer.coerce(&mut region.structure, &Changes::Anything, &mut session.scratch).is_err() {
                return None;
            }
            // A value that was undecided may be decided now that more is definite.
            if region.structure == before || still_unsure.is_empty() {
                return Some(region);
            }
            unsure = still_unsure;
        }
    }

    /// Finds stores with both values of a predicate on a tuple, or makes it definite. An error when the solver does
    /// not know.
    fn vary(
        &self,
        region: &mut Region,
        p: PredicateId,
        tuple: &[Individual],
        session: &mut Session,
    ) -> Result<(), Undecided> {
        for value in [false, true] {
            let has = |store: &Store| store.value(p, tuple) != Kleene::from(!value);
            if region.stores.iter().any(has) {
                continue;
            }
            let requirements = region.with([Requirement::Value { predicate: p, tuple: tuple.to_vec(), value }]);
            match self.ask(region, &requirements, session) {
                Answer::Unsatisfiable => {
                    region.structure.set(p, tuple, Kleene::from(!value));
                    return Ok(());
                }
                Answer::Satisfiable(store) => region.stores.extend(store),
                Answer::Undecided(reason) => return Err(reason),
            }
        }
        Ok(())
    }

    /// Splits a region by an open value.
    fn split(&self, region: Region, open: Open, session: &mut Session) -> Vec<Region> {
        match open {
            Open::Existence(u) => region.split_by_existence(u),
            Open::Number(u) => region.split_by_number(u),
            Open::Name(p, u) => self.split_by_value(region, p, vec![u], true, session),
            Open::Value(p, tuple) => self.split_by_value(region, p, tuple, false, session),
        }
    }

    /// Splits by the value of a predicate on a tuple: 0, 1, or both. Where both, a name tells individuals apart.
    fn split_by_value(
        &self,
        mut region: Region,
        p: PredicateId,
        tuple: Vec<Individual>,
        name: bool,
        session: &mut Session,
    ) -> Vec<Region> {
        // Individuals that stand for one thing each are no tuples of different values.
        let varies = tuple.iter().any(|u| region.structure.is_summary(*u));
        if varies && !region.stores.is_empty() {
            // One query can do for two parts. If it is undecided, the parts are asked about one by one.
            let _ = self.vary(&mut region, p, &tuple, session);
        }
        let value = region.structure.get(p, &tuple);
        let cases = [Kleene::False, Kleene::True, Kleene::Unknown];
        let possible = cases.into_iter().filter(|case| case.info_leq(value) && (varies || case.is_definite()));
        possible.map(|case| region.with_value(p, &tuple, case, name)).collect()
    }
}

impl Region {
    /// The part with these stores.
    fn part(&self, structure: Structure, requirements: Vec<Requirement>, has: impl Fn(&Store) -> bool) -> Region {
        let stores = self.stores.iter().filter(|store| has(store)).cloned().collect();
        Region { structure, requirements, stores, probed: self.probed, undecided: self.undecided }
    }

    fn split_by_existence(&self, u: Individual) -> Vec<Region> {
        let mut present = self.structure.clone();
        present.set(PredicateId::AC, &[u], Kleene::True);
        let others: Vec<Individual> = self.structure.universe().filter(|w| *w != u).collect();
        let with = self.part(present, self.requirements.clone(), |store| store.count(u) > 0);
        let absent = self.structure.select(&others);
        let mut without = self.part(absent, self.requirements.clone(), |store| store.count(u) == 0);
        for image in without.stores.iter_mut().flat_map(|store| &mut store.images) {
            *image -= usize::from(*image > u);
        }
        vec![with, without]
    }

    fn split_by_number(&self, u: Individual) -> Vec<Region> {
        let mut single = self.structure.clone();
        single.set_summary(u, false);
        let several = self.with([Requirement::Several(u)]);
        vec![
            self.part(single, self.requirements.clone(), |store| store.count(u) == 1),
            self.part(self.structure.clone(), several, |store| store.count(u) > 1),
        ]
    }

    /// The part in which a predicate has a value on a tuple, 1/2 meaning both.
    fn with_value(&self, p: PredicateId, tuple: &[Individual], value: Kleene, name: bool) -> Region {
        let has = |store: &Store| store.value(p, tuple) == value;
        match value {
            Kleene::Unknown if name => {
                let u = tuple[0];
                let mut part = self.part(bifurcate(&self.structure, p, u), self.requirements.clone(), has);
                let new = self.structure.size();
                for Store { structure, images } in &mut part.stores {
                    let holds = |i: Individual| structure.unary(p, i).must();
                    let moved = images.iter_mut().enumerate().filter(|(i, image)| **image == u && holds(*i));
                    moved.for_each(|(_, image)| *image = new);
                }
                part
            }
            Kleene::Unknown => {
                let both = [false, true].map(|value| Requirement::Value { predicate: p, tuple: tuple.to_vec(), value });
                self.part(self.structure.clone(), self.with(both), has)
            }
            definite => {
                let mut structure = self.structure.clone();
                structure.set(p, tuple, definite);
                self.part(structure, self.requirements.clone(), has)
            }
        }
    }

    /// Is the value 1/2, but not required to be both 0 and 1?
    fn is_open(&self, p: PredicateId, tuple: &[Individual]) -> bool {
        let required = |value| self.requires(&Requirement::Value { predicate: p, tuple: tuple.to_vec(), value });
        self.structure.get(p, tuple) == Kleene::Unknown && !(required(false) && required(true))
    }

    fn requires(&self, requirement: &Requirement) -> bool {
        self.requirements.contains(requirement)
    }

    /// The requirements and some more.
    fn with<const N: usize>(&self, more: [Requirement; N]) -> Vec<Requirement> {
        let mut requirements = self.requirements.clone();
        requirements.extend(more.into_iter().filter(|requirement| !self.requires(requirement)));
        requirements
    }
}

/// All tuples of individuals for a predicate.
fn tuples(structure: &Structure, p: PredicateId) -> Vec<Vec<Individual>> {
    let individuals = || structure.universe();
    match structure.layout().arity(p) {
        0 => vec![Vec::new()],
        1 => individuals().map(|u| vec![u]).collect(),
        _ => individuals().flat_map(|u| individuals().map(move |w| vec![u, w])).collect(),
    }
}

/// The structure in which `u` has become two: `p` does not hold on it, but holds on the new, last individual.
fn bifurcate(structure: &Structure, p: PredicateId, u: Individual) -> Structure {
    let mut split = structure.select(&structure.universe().chain([u]).collect::<Vec<_>>());
    split.set_unary(p, u, Kleene::False);
    split.set_unary(p, structure.size(), Kleene::True);
    split
}
