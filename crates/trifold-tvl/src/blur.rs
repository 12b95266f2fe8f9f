//! Blur: canonical abstraction [LevAmi00 §3.2.5, C.7].
//!
//! Individuals that the abstraction predicates do not tell apart become one. By the first rule two individuals are told
//! apart when some abstraction predicate has different values on them; by the second rule (`--blur definite`) only when it
//! is 1 on one and 0 on the other. The result is bounded, and its individuals are sorted by their
//! canonical names, so that equal means isomorphic.

use trifold_logic::{PredicateId, Vocabulary};
use trifold_structure::{Individual, Names, Structure};

/// When do individuals stay apart?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlurRule {
    /// They differ in the value of an abstraction predicate.
    #[default]
    Different,
    /// They differ in a definite value of an abstraction predicate: 0 against 1.
    Definite,
}

/// The abstraction of an analysis.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// Unary predicates that tell individuals apart.
    pub unary: Vec<PredicateId>,
    /// Nullary predicates that tell structures apart.
    pub nullary: Vec<PredicateId>,
    rule: BlurRule,
}

impl Abstraction {
    /// The abstraction that the declarations ask for.
    pub fn new(vocabulary: &Vocabulary, rule: BlurRule) -> Abstraction {
        let of_arity =
            |arity| vocabulary.iter().filter(|(_, p)| p.abstraction && p.arity == arity).map(|(id, _)| id).collect();
        Abstraction { unary: of_arity(1), nullary: of_arity(0), rule }
    }

    /// The bounded structure: canonical names are distinct and ascend.
    pub fn blur(&self, structure: &Structure) -> Structure {
        match self.rule {
            BlurRule::Different => self.merge_equal(structure),
            BlurRule::Definite => self.merge_compatible(structure),
        }
    }

    /// The canonical names of the individuals.
    pub fn names(&self, structure: &Structure) -> Names {
        Names::new(structure, &self.unary)
    }

    fn merge_equal(&self, structure: &Structure) -> Structure {
        let names = self.names(structure);
        let mut order: Vec<Individual> = structure.universe().collect();
        order.sort_by(|u, v| names.of(*u).cmp(names.of(*v)));
        let classes: Vec<&[Individual]> = order.chunk_by(|u, v| names.of(*u) == names.of(*v)).collect();
        if classes.len() < order.len() {
            return structure.quotient(&classes.iter().map(|class| class.to_vec()).collect::<Vec<_>>());
        }
        if order.is_sorted() { structure.clone() } else { structure.select(&order) }
    }

    /// Merging makes values vaguer, which can make more individuals compatible: repeat until all are apart.
    fn merge_compatible(&self, structure: &Structure) -> Structure {
        let mut current = self.merge_equal(structure);
        loop {
            let names = self.names(&current);
            let classes = compatible_classes(&current, &names);
            if classes.len() == current.size() {
                return current;
            }
            current = self.merge_equal(&current.quotient(&classes));
        }
    }
}

/// The finest partition in which compatible individuals are together.
fn compatible_classes(structure: &Structure, names: &Names) -> Vec<Vec<Individual>> {
    let mut classes: Vec<Vec<Individual>> = Vec::new();
    for u in structure.universe() {
        let (mut joined, apart): (Vec<_>, Vec<_>) =
            classes.into_iter().partition(|class| class.iter().any(|v| names.compatible(u, *v)));
        joined.push(vec![u]);
        classes = apart;
        let mut merged = joined.concat();
        merged.sort_unstable();
        classes.push(merged);
    }
    classes.sort();
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use trifold_structure::embedding;
    use trifold_structure::testing::{structure, vocabulary};

    proptest! {
        #[test]
        fn blur_is_idempotent_and_loses_no_store(s in structure(&vocabulary(), 0..=5), definite in any::<bool>()) {
            let rule = if definite { BlurRule::Definite } else { BlurRule::Different };
            let abstraction = Abstraction::new(&vocabulary(), rule);
            let blurred = abstraction.blur(&s);
            prop_assert!(embedding(&s, &blurred).is_some());
            prop_assert_eq!(abstraction.blur(&blurred), blurred.clone());
            let names = abstraction.names(&blurred);
            for u in blurred.universe() {
                for v in blurred.universe().filter(|v| *v != u) {
                    prop_assert!(names.of(u) != names.of(v));
                    prop_assert!(!definite || !names.compatible(u, v));
                }
            }
        }

        #[test]
        fn isomorphic_structures_blur_to_the_same(s in structure(&vocabulary(), 1..=5), shift in 0..5usize) {
            let abstraction = Abstraction::new(&vocabulary(), BlurRule::Different);
            let order: Vec<usize> = s.universe().map(|u| (u + shift) % s.size()).collect();
            prop_assert_eq!(abstraction.blur(&s), abstraction.blur(&s.select(&order)));
        }
    }
}
