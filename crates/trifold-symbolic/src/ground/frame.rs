//! The frame of a query: finitely many individuals of an unknown store, and the values that the structure has on them.
//!
//! A *slot* stands for one individual of a store that the structure represents; different slots stand for different
//! individuals. Every individual of the structure that surely exists has a slot of its own. Further slots are for
//! individuals whose existence some formula demands; of these it may be open which individual of the structure
//! represents them, and whether they are there at all.
//!
//! Where the structure is definite an atom is a constant, and only where it is 1/2 the atom becomes a variable. So most
//! of grounding is evaluation. For example, if `x` is 1 on `u` and `n(u,u)` is 1/2, then for a slot `a` of `u` the atom
//! `x(a)` is true and `n(a,a)` is a variable.

use crate::sat::{Clauses, Lit};
use crate::store::Store;
use crate::theory::Position;
use trifold_logic::{Kleene, PredicateId};
use trifold_structure::{Individual, Structure};

/// A slot, by its number.
pub(super) type Slot = usize;

/// One individual of the store.
#[derive(Debug)]
struct Place {
    /// The individuals of the structure that may represent it, and whether they do.
    images: Vec<(Individual, Lit)>,
    exists: Lit,
}

/// The individuals of a store, and the variables for the values that are open.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    pub structure: &'a Structure,
    pub sat: &'a mut dyn Clauses,
    places: Vec<Place>,
    /// By predicate and tuple; made when they are first asked for.
    atoms: Vec<Vec<Option<Lit>>>,
}

impl<'a> Frame<'a> {
    /// One slot for each individual of the structure, and one for each list of possible images in `extra`.
    pub fn new(structure: &'a Structure, extra: &[Vec<Individual>], sat: &'a mut dyn Clauses) -> Frame<'a> {
        sat.reset();
        let mut frame = Frame { structure, sat, places: Vec::new(), atoms: Vec::new() };
        for u in structure.universe() {
            let exists = if structure.is_active(u) { Lit::TRUE } else { frame.sat.new_var() };
            frame.places.push(Place { images: vec![(u, Lit::TRUE)], exists });
        }
        for images in extra {
            frame.add_slot(images);
        }
        let (layout, size) = (structure.layout(), frame.places.len());
        let tuples = |predicate: u32| size.pow(layout.arity(PredicateId(predicate)) as u32);
        frame.atoms = (0..layout.predicates() as u32).map(|predicate| vec![None; tuples(predicate)]).collect();
        frame
    }

    /// A slot that may be empty. Its image is one of those given, which are summaries: the others have their slot.
    fn add_slot(&mut self, images: &[Individual]) {
        let sat = &mut self.sat;
        let exists = sat.new_var();
        let images: Vec<(Individual, Lit)> = match images {
            [only] => vec![(*only, Lit::TRUE)],
            several => several.iter().map(|u| (*u, sat.new_var())).collect(),
        };
        if images.len() != 1 {
            let chosen: Vec<Lit> = images.iter().map(|(_, lit)| *lit).collect();
            sat.add_clause(&[&[!exists], &chosen[..]].concat());
            for (i, one) in chosen.iter().enumerate() {
                chosen[..i].iter().for_each(|other| sat.add_clause(&[!*one, !*other]));
            }
        }
        self.places.push(Place { images, exists });
    }

    pub fn slots(&self) -> std::ops::Range<Slot> {
        0..self.places.len()
    }

    /// Is there an individual in the slot?
    pub fn exists(&self, slot: Slot) -> Lit {
        self.places[slot].exists
    }

    /// The individuals of the structure that may represent the slot.
    pub fn images(&self, slot: Slot) -> impl Iterator<Item = Individual> + '_ {
        self.places[slot].images.iter().map(|(u, _)| *u)
    }

    /// Does this individual of the structure represent the slot?
    pub fn has_image(&self, slot: Slot, image: Individual) -> Lit {
        self.places[slot].images.iter().find(|(u, _)| *u == image).map_or(Lit::FALSE, |(_, lit)| *lit)
    }

    /// Individuals of the structure that may represent more individuals than those in the slots.
    pub fn summaries(&self) -> impl Iterator<Item = Individual> + use<'a> {
        let structure = self.structure;
        structure.universe().filter(|u| structure.is_summary(*u))
    }

    /// The literal of an atom.
    pub fn atom(&mut self, predicate: PredicateId, arguments: &[Position], environment: &[Slot]) -> Lit {
        match predicate {
            // A store has no summaries, and no individuals that do not exist.
            PredicateId::SM => return Lit::FALSE,
            PredicateId::AC => return Lit::TRUE,
            _ => {}
        }
        let slot = |i: usize| environment[arguments[i]];
        let index = match arguments.len() {
            0 => 0,
            1 => slot(0),
            _ => slot(0) * self.places.len() + slot(1),
        };
        if let Some(lit) = self.atoms[predicate.index()][index] {
            return lit;
        }
        let lit = match arguments.len() {
            0 => open(self.sat, self.structure.nullary(predicate)),
            1 => self.new_atom(predicate, &[slot(0)]),
            _ => self.new_atom(predicate, &[slot(0), slot(1)]),
        };
        self.atoms[predicate.index()][index] = Some(lit);
        lit
    }

    fn new_atom(&mut self, predicate: PredicateId, slots: &[Slot]) -> Lit {
        let images: Vec<&[(Individual, Lit)]> = slots.iter().map(|slot| &self.places[*slot].images[..]).collect();
        let mut cases: Vec<(Kleene, Vec<Lit>)> = Vec::new();
        match images[..] {
            [first] => {
                cases.extend(first.iter().map(|(u, lit)| (self.structure.unary(predicate, *u), vec![!*lit])));
            }
            _ => {
                for (u, one) in images[0] {
                    let pairs = images[1].iter();
                    cases.extend(
                        pairs.map(|(w, other)| (self.structure.binary(predicate, *u, *w), vec![!*one, !*other])),
                    );
                }
            }
        }
        let Some((first, _)) = cases.first() else { return Lit::FALSE };
        if cases.iter().all(|(value, _)| value == first) {
            return open(self.sat, *first);
        }
        let lit = self.sat.new_var();
        for (value, mut clause) in cases {
            if value.is_definite() {
                clause.push(if value.must() { lit } else { !lit });
                self.sat.add_clause(&clause);
            }
        }
        lit
    }

    /// The store of the last model.
    pub fn decode(&self) -> Store {
        let chosen: Vec<Slot> = self.slots().filter(|slot| self.sat.value(self.exists(*slot))).collect();
        let image = |slot: &Slot| {
            let place = &self.places[*slot];
            place.images.iter().find(|(_, lit)| self.sat.value(*lit)).expect("what exists has an image").0
        };
        let images: Vec<Individual> = chosen.iter().map(image).collect();
        let mut structure = self.structure.select(&images);
        structure.forget_names();
        for u in structure.universe() {
            structure.set_summary(u, false);
            structure.set(PredicateId::AC, &[u], Kleene::True);
        }
        // A value that no formula has asked for is that of the structure, and 0 where that is open.
        let decide = |asked: Option<Lit>, value: Kleene| match asked {
            Some(lit) => Kleene::from(self.sat.value(lit)),
            None => Kleene::from(value.must()),
        };
        for predicate in (0..structure.layout().predicates() as u32).map(PredicateId) {
            if [PredicateId::SM, PredicateId::AC].contains(&predicate) {
                continue;
            }
            let atoms = &self.atoms[predicate.index()];
            match structure.layout().arity(predicate) {
                0 => structure.set_nullary(predicate, decide(atoms[0], structure.nullary(predicate))),
                1 => {
                    for (u, slot) in chosen.iter().enumerate() {
                        structure.set_unary(predicate, u, decide(atoms[*slot], structure.unary(predicate, u)));
                    }
                }
                _ => {
                    for (u, one) in chosen.iter().enumerate() {
                        for (w, other) in chosen.iter().enumerate() {
                            let asked = atoms[one * self.places.len() + other];
                            structure.set_binary(predicate, u, w, decide(asked, structure.binary(predicate, u, w)));
                        }
                    }
                }
            }
        }
        Store { structure, images }
    }
}

/// A value as a literal; a new variable when it is open.
fn open(sat: &mut dyn Clauses, value: Kleene) -> Lit {
    match value {
        Kleene::Unknown => sat.new_var(),
        definite => Lit::from(definite.must()),
    }
}
