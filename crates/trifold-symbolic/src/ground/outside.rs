//! The possible values of formulas on individuals that are in no slot: an evaluation by images, in Kleene's logic.
//!
//! For example, if `p` is 0 on the only summary, no individual outside of the slots satisfies `p`, so `E(v) p(v)` needs
//! no deferral.

use super::frame::Slot;
use super::grounder::{Environment, Grounder};
use crate::theory::{Block, Node, Position};
use trifold_logic::PredicateId;
use trifold_structure::Individual;

/// The individual that a variable stands for, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// It is in this slot.
    In(Slot),
    /// It is in no slot, and this is its image.
    Outside(Individual),
    /// This is its image.
    Image(Individual),
    /// Nothing.
    Nothing,
}

impl Grounder<'_> {
    /// The images that a witness outside of the slots may have for the block's variable of this number.
    pub(super) fn outside(&self, block: &Block, variable: usize, environment: &Environment) -> Vec<Individual> {
        let mut known: Vec<Known> = environment[..block.first].iter().map(|slot| Known::In(*slot)).collect();
        known.resize(block.first + block.count, Known::Nothing);
        let mut possible = |image: &Individual| {
            known[block.first + variable] = Known::Outside(*image);
            block.parts.iter().flatten().all(|part| self.may(part, &known))
        };
        self.frame.summaries().filter(|image| possible(image)).collect()
    }

    /// May the formula hold? Answered from images alone, so "yes" whenever that is not enough.
    pub(super) fn may(&self, node: &Node, known: &[Known]) -> bool {
        match node {
            Node::Value(value) => *value,
            Node::Atom { predicate, arguments, positive } => self.atom_may(*predicate, arguments, *positive, known),
            Node::Equal { left, right, positive } => match (known[*left], known[*right]) {
                (Known::In(a), Known::In(b)) => (a == b) == *positive,
                (Known::In(_), Known::Outside(_)) | (Known::Outside(_), Known::In(_)) => !positive,
                _ => true,
            },
            Node::And(parts) => parts.iter().all(|part| self.may(part, known)),
            Node::Or(parts) => parts.iter().any(|part| self.may(part, known)),
            Node::Reaches { .. } | Node::Forall(_) | Node::Exists(..) => true,
        }
    }

    fn atom_may(&self, predicate: PredicateId, arguments: &[Position], positive: bool, known: &[Known]) -> bool {
        match predicate {
            PredicateId::SM => return !positive,
            PredicateId::AC => return positive,
            _ => {}
        }
        let structure = self.frame.structure;
        let fits = |tuple: &[Individual]| {
            let value = structure.get(predicate, tuple);
            if positive { value.may() } else { !value.must() }
        };
        match *arguments {
            [] => fits(&[]),
            [v] => self.images_of(known[v]).any(|u| fits(&[u])),
            [v, w] => self.images_of(known[v]).any(|u| self.images_of(known[w]).any(|t| fits(&[u, t]))),
            _ => unreachable!("predicates have at most two arguments"),
        }
    }

    fn images_of(&self, known: Known) -> Box<dyn Iterator<Item = Individual> + '_> {
        match known {
            Known::In(slot) => Box::new(self.frame.images(slot)),
            Known::Outside(image) | Known::Image(image) => Box::new(std::iter::once(image)),
            Known::Nothing => Box::new(self.frame.structure.universe()),
        }
    }
}
