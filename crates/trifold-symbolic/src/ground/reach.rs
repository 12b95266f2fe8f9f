//! Reachability: the closure of a relation on the slots, by properties that every closure has.
//!
//! For each closure there is a literal `R(a,b)` for every pair of slots, next to the literal `E(a,b)` of a step. They
//! obey
//!
//! ```text
//! E(a,b) → R(a,b)                      R(a,b) ∧ R(b,c) → R(a,c)
//! E(a,b) ∧ R(a,c) → b = c ∨ R(b,c)     R(a,b) ∧ R(a,c) → b = c ∨ R(b,c) ∨ R(c,b)       when steps are functional
//! ```
//!
//! and the mirror images of the latter when steps are functional backwards. Steps may lead through individuals that
//! are in no slot, so `R` may be more than the closure of `E`. When it is more in a model, two things are added:
//!
//! * the *last step*: a path from `a` to `b` is a step, or a path from `a` to some `c` and a step from there to `b`;
//! * *cuts*: a path from `a` to `b` leaves every set that contains `a` and not `b`, by a step between slots or through
//!   individuals outside. Whether there is a way through those is decided by the images: this is induction over paths,
//!   in the abstract.

use super::Key;
use super::frame::Slot;
use super::grounder::{Family, Grounder};
use super::outside::Known;
use crate::sat::Lit;
use crate::theory::{Node, conjuncts};
use trifold_structure::{Individual, assign, test};

impl Grounder<'_> {
    /// The literal for a path.
    pub fn reaches(&mut self, relation: usize, parameters: Vec<Slot>, start: Slot, end: Slot) -> Lit {
        let family = match self.family_of.get(&(relation, parameters.clone())) {
            Some(family) => *family,
            None => self.new_family(relation, parameters),
        };
        self.families[family].path[start * self.frame.slots().len() + end]
    }

    fn new_family(&mut self, relation: usize, parameters: Vec<Slot>) -> usize {
        let image_step = self.image_steps(relation, &parameters);
        let reachable = closure(&image_step);
        let slots = self.frame.slots();
        let mut path = Vec::with_capacity(slots.len() * slots.len());
        for a in slots.clone() {
            for b in slots.clone() {
                let connected = self.frame.images(a).any(|u| self.frame.images(b).any(|w| test(&reachable[u], w)));
                path.push(if connected { self.frame.sat.new_var() } else { Lit::FALSE });
            }
        }
        let number = self.families.len();
        self.family_of.insert((relation, parameters.clone()), number);
        let leaves = vec![Lit::FALSE; slots.len()];
        self.families.push(Family { relation, parameters, step: Vec::new(), path, image_step, leaves });
        number
    }

    /// The steps that images allow, wherever the individuals are.
    fn image_steps(&self, relation: usize, parameters: &[Slot]) -> Vec<Vec<u64>> {
        let structure = self.frame.structure;
        let step = &self.theory.relations[relation].step;
        let mut known: Vec<Known> = parameters.iter().map(|slot| Known::In(*slot)).collect();
        known.resize(self.theory.depth.max(parameters.len() + 2), Known::Nothing);
        let mut rows = vec![vec![0; structure.size().div_ceil(64)]; structure.size()];
        for u in structure.universe() {
            for w in structure.universe() {
                known[parameters.len()] = Known::Image(u);
                known[parameters.len() + 1] = Known::Image(w);
                assign(&mut rows[u], w, self.may(step, &known));
            }
        }
        rows
    }

    /// Asserts the properties of the closure.
    pub fn assert_family(&mut self, number: usize) {
        self.ground_steps(number);
        self.assert_ends(number);
        let relation = &self.theory.relations[self.families[number].relation];
        let Family { step, path, .. } = &self.families[number];
        let size = self.frame.slots().len();
        let sat = &mut self.frame.sat;
        let at = |lits: &[Lit], a: Slot, b: Slot| lits[a * size + b];
        for (a, b) in (0..size * size).map(|i| (i / size, i % size)) {
            sat.add_clause(&[!at(step, a, b), at(path, a, b)]);
            for c in (0..size).filter(|c| *c != b && a != b && at(path, b, *c) != Lit::FALSE) {
                sat.add_clause(&[!at(path, a, b), !at(path, b, c), at(path, a, c)]);
            }
        }
        // Paths from one source go the same way, and so do paths to one target.
        for (wanted, mirrored) in [(relation.functional, false), (relation.inverse_functional, true)] {
            if !wanted {
                continue;
            }
            let at = |lits: &[Lit], a: Slot, b: Slot| if mirrored { at(lits, b, a) } else { at(lits, a, b) };
            for a in 0..size {
                for b in (0..size).filter(|b| at(path, a, *b) != Lit::FALSE) {
                    for c in (0..size).filter(|c| *c != b && at(path, a, *c) != Lit::FALSE) {
                        sat.add_clause(&[!at(step, a, b), !at(path, a, c), at(path, b, c)]);
                        if b < c {
                            sat.add_clause(&[!at(path, a, b), !at(path, a, c), at(path, b, c), at(path, c, b)]);
                        }
                    }
                }
            }
        }
        self.assert_inclusions(number);
    }

    /// The literals for steps, which are equivalent to the steps.
    fn ground_steps(&mut self, number: usize) {
        let Family { relation, ref parameters, .. } = self.families[number];
        let parameters = parameters.clone();
        let relation = &self.theory.relations[relation];
        let quantified = has_quantifier(&relation.step);
        let mut environment = vec![0; self.theory.depth.max(parameters.len() + 2)];
        environment[..parameters.len()].copy_from_slice(&parameters);
        let mut steps = Vec::new();
        for a in self.frame.slots() {
            for b in self.frame.slots() {
                environment[parameters.len()] = a;
                environment[parameters.len() + 1] = b;
                let holds = self.lit(&relation.step, &mut environment);
                if quantified && holds != Lit::TRUE && holds != Lit::FALSE {
                    let fails = self.lit(&relation.no_step, &mut environment);
                    self.frame.sat.add_clause(&[holds, fails]);
                }
                let ends = [self.frame.exists(a), self.frame.exists(b)];
                steps.push(self.all_of(&[ends[0], ends[1], holds]));
            }
        }
        self.families[number].step = steps;
    }

    /// A path starts with a step and ends with one, and its ends exist.
    fn assert_ends(&mut self, number: usize) {
        for forward in [true, false] {
            for a in self.frame.slots() {
                let (paths, steps) =
                    (self.around(number, a, forward, Of::Path), self.around(number, a, forward, Of::Step));
                if paths.is_empty() {
                    continue;
                }
                let Family { relation, ref parameters, .. } = self.families[number];
                let relation_of = &self.theory.relations[relation];
                let single = if forward { relation_of.functional } else { relation_of.inverse_functional };
                let key = match single {
                    true => Key::Neighbour { relation, parameters: parameters.clone(), slot: a, forward },
                    false => Key::Cut,
                };
                let outside = self.neighbours(number, self.frame.images(a).collect(), forward);
                let mut clause = steps.clone();
                self.defer(key, vec![outside], &mut clause);
                if let Some(&elsewhere) = clause.get(steps.len()) {
                    if single {
                        steps.iter().for_each(|step| self.frame.sat.add_clause(&[!elsewhere, !*step]));
                    }
                    if forward {
                        self.families[number].leaves[a] = elsewhere;
                    }
                }
                let exists = self.frame.exists(a);
                for path in paths {
                    self.frame.sat.add_clause(&[&[!path], &clause[..]].concat());
                    self.frame.sat.add_clause(&[!path, exists]);
                }
            }
        }
    }

    /// The steps or paths out of a slot, or into it.
    fn around(&self, number: usize, slot: Slot, forward: bool, of: Of) -> Vec<Lit> {
        let size = self.frame.slots().len();
        let family = &self.families[number];
        let lits = if of == Of::Path { &family.path } else { &family.step };
        let index = |other: Slot| if forward { slot * size + other } else { other * size + slot };
        self.frame.slots().map(|other| lits[index(other)]).filter(|lit| *lit != Lit::FALSE).collect()
    }

    /// The images of individuals outside of the slots to which images allow a step from one of these, or backwards.
    fn neighbours(&self, number: usize, images: Vec<Individual>, forward: bool) -> Vec<Individual> {
        let allowed = &self.families[number].image_step;
        let connected =
            |u: Individual, w: Individual| if forward { test(&allowed[u], w) } else { test(&allowed[w], u) };
        self.frame.summaries().filter(|w| images.iter().any(|u| connected(*u, *w))).collect()
    }

    /// A path of steps that are also steps of another relation is a path of that one.
    fn assert_inclusions(&mut self, number: usize) {
        for other in 0..number {
            for (small, large) in [(number, other), (other, number)] {
                if self.families[small].parameters == self.families[large].parameters && self.is_included(small, large)
                {
                    let (small, large) = (&self.families[small].path, &self.families[large].path);
                    for (one, both) in small.iter().zip(large) {
                        self.frame.sat.add_clause(&[!*one, *both]);
                    }
                }
            }
        }
    }

    fn is_included(&self, small: usize, large: usize) -> bool {
        let step = |family: usize| conjuncts(&self.theory.relations[self.families[family].relation].step);
        step(large).iter().all(|part| step(small).contains(part))
    }

    /// Compares paths with steps in the last model. Adds cuts where a path has no steps, and tells whether there were
    /// any.
    pub fn add_cuts(&mut self) -> bool {
        let size = self.frame.slots().len();
        let mut cuts = Vec::new();
        for (number, family) in self.families.iter().enumerate() {
            let sat = &self.frame.sat;
            let row = |a: usize| {
                let mut row = vec![0; size.div_ceil(64)];
                (0..size).for_each(|b| assign(&mut row, b, sat.value(family.step[a * size + b])));
                row
            };
            let reached = closure(&(0..size).map(row).collect::<Vec<_>>());
            for (a, b) in (0..size * size).map(|i| (i / size, i % size)) {
                if sat.value(family.path[a * size + b]) && !test(&reached[a], b) {
                    let beyond: Vec<Slot> = (0..size).filter(|d| !test(&reached[a], *d)).collect();
                    let within = (0..size).filter(|c| *c == a || test(&reached[a], *c)).collect();
                    cuts.push(Cut { number, a, b, within, beyond });
                    let within = (0..size).filter(|c| !test(&reached[*c], b)).collect();
                    let beyond = (0..size).filter(|d| *d == b || test(&reached[*d], b)).collect();
                    cuts.push(Cut { number, a, b, within, beyond });
                }
            }
        }
        for cut in &cuts {
            self.add_last_step(cut.number, cut.a, cut.b);
            self.add_cut(cut);
        }
        !cuts.is_empty()
    }

    /// Speaks of the last steps of all paths.
    pub fn add_last_steps(&mut self) {
        for number in 0..self.families.len() {
            for a in self.frame.slots() {
                self.frame.slots().for_each(|b| self.add_last_step(number, a, b));
            }
        }
    }

    /// A path from `a` to `b` comes to `b` from `a` or from where a path from `a` leads.
    fn add_last_step(&mut self, number: usize, a: Slot, b: Slot) {
        let size = self.frame.slots().len();
        if self.families[number].path[a * size + b] == Lit::FALSE {
            return;
        }
        let mut clause = vec![!self.families[number].path[a * size + b]];
        let Family { relation, ref parameters, .. } = self.families[number];
        let key = Key::LastStep { relation, parameters: parameters.clone(), start: a, end: b };
        for c in self.candidates(&key) {
            let family = &self.families[number];
            let reached = if c == a { Lit::TRUE } else { family.path[a * size + c] };
            let last = self.all_of(&[family.step[c * size + b], reached]);
            clause.extend((last != Lit::FALSE).then_some(last));
        }
        let outside = self.neighbours(number, self.frame.images(b).collect(), false);
        self.defer(key, vec![outside], &mut clause);
        self.frame.sat.add_clause(&clause);
    }

    /// A path from `a` to `b` has a step from `within` to `beyond`, or goes there through individuals outside.
    fn add_cut(&mut self, cut: &Cut) {
        let size = self.frame.slots().len();
        let family = &self.families[cut.number];
        let mut clause = vec![!family.path[cut.a * size + cut.b]];
        for c in &cut.within {
            clause.extend(cut.beyond.iter().map(|d| family.step[c * size + d]).filter(|lit| *lit != Lit::FALSE));
        }
        // The images of individuals outside from which one can come to `beyond`.
        let mut outside = Vec::new();
        let mut found: Vec<Individual> = cut.beyond.iter().flat_map(|slot| self.frame.images(*slot)).collect();
        while !found.is_empty() {
            found = self.neighbours(cut.number, found, false);
            found.retain(|u| !outside.contains(u));
            outside.extend(&found);
        }
        let entrances = self.entrances(cut.number, &outside);
        let leaving = cut.within.iter().filter(|c| self.frame.images(**c).any(|u| test(&entrances, u)));
        clause.extend(leaving.map(|c| family.leaves[*c]).filter(|lit| *lit != Lit::FALSE));
        self.frame.sat.add_clause(&clause);
    }

    /// The images from which there is a step to one of these.
    fn entrances(&self, number: usize, images: &[Individual]) -> Vec<u64> {
        let structure = self.frame.structure;
        let mut from = vec![0; structure.size().div_ceil(64)];
        for u in structure.universe() {
            assign(&mut from, u, images.iter().any(|w| test(&self.families[number].image_step[u], *w)));
        }
        from
    }
}

/// A path that a model claims without steps for it, and two sets of slots: no step leads from the one to the other.
struct Cut {
    number: usize,
    a: Slot,
    b: Slot,
    within: Vec<Slot>,
    beyond: Vec<Slot>,
}

/// Which literals of a family.
#[derive(PartialEq)]
enum Of {
    Step,
    Path,
}

/// Warshall's algorithm on rows of bits.
fn closure(rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let mut rows = rows.to_vec();
    for through in 0..rows.len() {
        let onward = rows[through].clone();
        for row in rows.iter_mut().filter(|row| test(row, through)) {
            row.iter_mut().zip(&onward).for_each(|(word, bits)| *word |= bits);
        }
    }
    rows
}

fn has_quantifier(node: &Node) -> bool {
    match node {
        Node::Forall(_) | Node::Exists(..) => true,
        Node::And(parts) | Node::Or(parts) => parts.iter().any(has_quantifier),
        _ => false,
    }
}
