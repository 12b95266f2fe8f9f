//! Grounding: closed formulas become clauses over the slots of a frame.
//!
//! A universal block gives one clause for each tuple of slots. That is sound for every store, whatever individuals are
//! outside of the slots. An existential block is a disjunction over the tuples of slots, which is right only if a
//! witness is among them. Unless the structure rules out all others, the clause gets one more literal, a *deferral*: "a
//! witness is outside of the slots". All deferrals are assumed to be false. For example, over the slots 1 and 2,
//! `A(v) p(v)` becomes the clauses `p(1)` and `p(2)`, and `E(v) p(v)` becomes `p(1) | p(2) | deferral`.
//!
//! # Soundness
//! Take a store that satisfies the query, and put the individuals that witness the existence of the structure's
//! individuals into the slots. All clauses hold, with deferrals true where witnesses are outside. So if the clauses
//! contradict each other without the assumptions, there is no such store; and if they have a model with all deferrals
//! false, the slots are such a store. If only the assumptions are at fault, slots for the witnesses of the deferrals
//! to blame are added (see `decide`); such a deferral is then *settled* and needs no literal any more.

use super::frame::{Frame, Slot};
use super::{Deferral, Key};
use crate::Requirement;
use crate::sat::Lit;
use crate::theory::{Block, Node, Theory};
use rustc_hash::FxHashMap;
use std::ops::Range;
use trifold_structure::Individual;

/// Slots for the variables in scope.
pub(super) type Environment = Vec<Slot>;

/// The closure of a relation, for some values of its parameters.
#[derive(Debug)]
pub(super) struct Family {
    pub relation: usize,
    pub parameters: Vec<Slot>,
    /// By source and target: is there a step, is there a path?
    pub step: Vec<Lit>,
    pub path: Vec<Lit>,
    /// Steps that images allow, as rows of bits.
    pub image_step: Vec<Vec<u64>>,
    /// By slot: does a step lead from there to an individual outside of the slots?
    pub leaves: Vec<Lit>,
}

/// A query on its way to clauses.
#[derive(Debug)]
pub(super) struct Grounder<'a> {
    pub theory: &'a Theory,
    pub frame: Frame<'a>,
    pub deferrals: Vec<Deferral>,
    /// The deferrals that are settled: their witnesses are among this many of the first slots.
    settled: FxHashMap<Key, usize>,
    pub families: Vec<Family>,
    pub family_of: FxHashMap<(usize, Vec<Slot>), usize>,
}

impl<'a> Grounder<'a> {
    pub fn new(theory: &'a Theory, frame: Frame<'a>, settled: FxHashMap<Key, usize>) -> Grounder<'a> {
        let (deferrals, families, family_of) = (Vec::new(), Vec::new(), FxHashMap::default());
        Grounder { theory, frame, deferrals, settled, families, family_of }
    }

    /// Asserts all axioms, all requirements, and then the properties of the closures that they mention.
    pub fn assert_all(&mut self, requirements: &[Requirement]) {
        let theory = self.theory;
        let mut environment = vec![0; theory.depth];
        theory.axioms.iter().for_each(|axiom| self.assert(axiom, &mut environment));
        self.assert_requirements(requirements);
        let mut done = 0;
        while done < self.families.len() {
            self.assert_family(done);
            done += 1;
        }
    }

    pub fn assert(&mut self, node: &Node, environment: &mut Environment) {
        match node {
            Node::And(parts) => parts.iter().for_each(|part| self.assert(part, environment)),
            Node::Forall(block) => self.forall(block, 0, environment, &mut Vec::new()),
            other => {
                let mut clause = Vec::new();
                if !self.disjunct(other, environment, &mut clause) {
                    self.frame.sat.add_clause(&clause);
                }
            }
        }
    }

    /// The clauses of a universal block of which `bound` variables are bound, each with the literals that are in
    /// `clause` already.
    fn forall(&mut self, block: &Block, bound: usize, environment: &mut Environment, clause: &mut Vec<Lit>) {
        let length = clause.len();
        let satisfied = block.parts[bound].iter().any(|part| self.disjunct(part, environment, clause));
        if !satisfied {
            if bound == block.count {
                self.frame.sat.add_clause(clause);
            } else {
                for slot in self.frame.slots() {
                    environment[block.first + bound] = slot;
                    let exists = self.frame.exists(slot);
                    let before = clause.len();
                    if exists != Lit::TRUE {
                        clause.push(!exists);
                    }
                    self.forall(block, bound + 1, environment, clause);
                    clause.truncate(before);
                }
            }
        }
        clause.truncate(length);
    }

    /// Adds a formula to a clause; true when it holds and with it the clause.
    fn disjunct(&mut self, node: &Node, environment: &mut Environment, clause: &mut Vec<Lit>) -> bool {
        match node {
            Node::Or(parts) => parts.iter().any(|part| self.disjunct(part, environment, clause)),
            Node::Exists(number, block) => self.witnesses(*number, block, environment, clause),
            other => {
                let lit = self.lit(other, environment);
                clause.extend((lit != Lit::FALSE).then_some(lit));
                lit == Lit::TRUE
            }
        }
    }

    /// A literal that implies the formula. Without quantifiers they are equivalent; constants always are.
    pub fn lit(&mut self, node: &Node, environment: &mut Environment) -> Lit {
        match node {
            Node::Value(value) => Lit::from(*value),
            Node::Atom { predicate, arguments, positive } => {
                let lit = self.frame.atom(*predicate, arguments, environment);
                if *positive { lit } else { !lit }
            }
            Node::Equal { left, right, positive } => {
                Lit::from((environment[*left] == environment[*right]) == *positive)
            }
            Node::Reaches { relation, parameters, start, end, positive } => {
                let parameters = parameters.iter().map(|position| environment[*position]).collect();
                let lit = self.reaches(*relation, parameters, environment[*start], environment[*end]);
                if *positive { lit } else { !lit }
            }
            Node::And(parts) => {
                let mut lits = Vec::new();
                for part in parts {
                    match self.lit(part, environment) {
                        Lit::FALSE => return Lit::FALSE,
                        Lit::TRUE => {}
                        lit => lits.push(lit),
                    }
                }
                self.conjunction(&lits)
            }
            Node::Or(_) | Node::Exists(..) => {
                let mut clause = Vec::new();
                match self.disjunct(node, environment, &mut clause) {
                    true => Lit::TRUE,
                    false => self.disjunction(&clause),
                }
            }
            Node::Forall(block) => {
                let gate = self.frame.sat.new_var();
                self.forall(block, 0, environment, &mut vec![!gate]);
                gate
            }
        }
    }

    /// A literal that is true exactly if all of these are.
    pub fn conjunction(&mut self, lits: &[Lit]) -> Lit {
        match *lits {
            [] => Lit::TRUE,
            [only] => only,
            _ => {
                let sat = &mut self.frame.sat;
                let gate = sat.new_var();
                lits.iter().for_each(|lit| sat.add_clause(&[!gate, *lit]));
                let all: Vec<Lit> = lits.iter().map(|lit| !*lit).chain([gate]).collect();
                sat.add_clause(&all);
                gate
            }
        }
    }

    fn disjunction(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|lit| !*lit).collect();
        !self.conjunction(&negated)
    }

    /// Adds the witnesses of an existential block to a clause, and a deferral if there may be others.
    fn witnesses(
        &mut self,
        number: usize,
        block: &Block,
        environment: &mut Environment,
        clause: &mut Vec<Lit>,
    ) -> bool {
        let key = Key::Block(number, environment[..block.first].to_vec());
        let slots = self.candidates(&key);
        if self.in_slots(block, 0, slots, environment, &mut Vec::new(), clause) {
            return true;
        }
        let outside: Vec<Vec<Individual>> = (0..block.count).map(|i| self.outside(block, i, environment)).collect();
        self.defer(key, outside, clause);
        false
    }

    /// Adds a deferral to a clause, unless it is settled or impossible: nothing can be outside.
    pub fn defer(&mut self, key: Key, outside: Vec<Vec<Individual>>, clause: &mut Vec<Lit>) {
        if self.settled.contains_key(&key) || outside.iter().all(Vec::is_empty) {
            return;
        }
        let lit = self.frame.sat.new_var();
        clause.push(lit);
        self.deferrals.push(Deferral { lit, key, outside });
    }

    /// The slots in which a witness may be; slots that were added after the deferral was settled need not be looked at.
    pub fn candidates(&self, key: &Key) -> Range<Slot> {
        0..self.settled.get(key).copied().unwrap_or(self.frame.slots().len())
    }

    /// The witnesses among the slots, where `bound` variables are bound and must satisfy `chosen`.
    fn in_slots(
        &mut self,
        block: &Block,
        bound: usize,
        slots: Range<Slot>,
        environment: &mut Environment,
        chosen: &mut Vec<Lit>,
        clause: &mut Vec<Lit>,
    ) -> bool {
        let length = chosen.len();
        let mut possible = true;
        for part in &block.parts[bound] {
            match self.lit(part, environment) {
                Lit::FALSE => {
                    possible = false;
                    break;
                }
                lit => chosen.extend((lit != Lit::TRUE).then_some(lit)),
            }
        }
        let mut found = false;
        if possible && bound == block.count {
            let witness = self.conjunction(chosen);
            clause.push(witness);
            found = witness == Lit::TRUE;
        } else if possible {
            for slot in slots.clone() {
                environment[block.first + bound] = slot;
                let exists = self.frame.exists(slot);
                let before = chosen.len();
                chosen.extend((exists != Lit::TRUE).then_some(exists));
                found = self.in_slots(block, bound + 1, slots.clone(), environment, chosen, clause);
                chosen.truncate(before);
                if found {
                    break;
                }
            }
        }
        chosen.truncate(length);
        found
    }

    /// The slot of an individual may be any of those that it stands for. So it can be the witness of one requirement:
    /// of the last ones, which are asked about, rather than of those that are known to hold.
    fn assert_requirements(&mut self, requirements: &[Requirement]) {
        let mut free: Vec<Individual> = self.frame.structure.universe().collect();
        for (number, requirement) in requirements.iter().enumerate().rev() {
            let Requirement::Value { predicate, tuple, value } = requirement else {
                self.require(number, requirement);
                continue;
            };
            let distinct = !matches!(tuple[..], [u, w] if u == w);
            if distinct && tuple.iter().all(|u| free.contains(u)) {
                free.retain(|u| !tuple.contains(u));
                let arguments: Vec<usize> = (0..tuple.len()).collect();
                let atom = self.frame.atom(*predicate, &arguments, tuple);
                self.frame.sat.add_clause(&[if *value { atom } else { !atom }]);
            } else {
                self.require(number, requirement);
            }
        }
    }

    /// Some tuple that a tuple of the structure represents has this value, or an individual stands for several.
    fn require(&mut self, number: usize, requirement: &Requirement) {
        let key = Key::Requirement(number);
        let (tuple, mut clause) = match requirement {
            Requirement::Several(u) => (vec![*u], self.pairs(*u, &key)),
            Requirement::Value { predicate, tuple, value } => {
                let mut clause = Vec::new();
                let members: Vec<Vec<(Slot, Lit)>> = tuple.iter().map(|u| self.members(*u, &key)).collect();
                for slots in product(&members) {
                    let environment: Vec<Slot> = slots.iter().map(|(slot, _)| *slot).collect();
                    let arguments: Vec<usize> = (0..tuple.len()).collect();
                    let atom = self.frame.atom(*predicate, &arguments, &environment);
                    let atom = if *value { atom } else { !atom };
                    let lits: Vec<Lit> = slots.iter().map(|(_, lit)| *lit).chain([atom]).collect();
                    let witness = self.all_of(&lits);
                    clause.push(witness);
                }
                (tuple.clone(), clause)
            }
        };
        let structure = self.frame.structure;
        let outside = tuple.iter().map(|u| if structure.is_summary(*u) { vec![*u] } else { Vec::new() });
        self.defer(key, outside.collect(), &mut clause);
        self.frame.sat.add_clause(&clause);
    }

    /// The slots that an individual of the structure may represent, each with the literal that it does.
    fn members(&mut self, u: Individual, key: &Key) -> Vec<(Slot, Lit)> {
        let slots = self.candidates(key);
        let member = |slot: Slot| {
            let is = self.all_of(&[self.frame.exists(slot), self.frame.has_image(slot, u)]);
            (is != Lit::FALSE).then_some((slot, is))
        };
        slots.filter_map(member).collect()
    }

    /// Two different slots that the individual represents, for all pairs.
    fn pairs(&mut self, u: Individual, key: &Key) -> Vec<Lit> {
        let members = self.members(u, key);
        let mut pairs = Vec::new();
        for (i, (_, one)) in members.iter().enumerate() {
            for (_, other) in &members[..i] {
                pairs.push(self.all_of(&[*one, *other]));
            }
        }
        pairs
    }

    /// [`Grounder::conjunction`] of literals that may be constants.
    pub fn all_of(&mut self, lits: &[Lit]) -> Lit {
        if lits.contains(&Lit::FALSE) {
            return Lit::FALSE;
        }
        let open: Vec<Lit> = lits.iter().copied().filter(|lit| *lit != Lit::TRUE).collect();
        self.conjunction(&open)
    }
}

/// All ways to take one from each list.
fn product<T: Copy>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |tuples, list| {
        tuples.iter().flat_map(|tuple| list.iter().map(move |item| [&tuple[..], &[*item]].concat())).collect()
    })
}
