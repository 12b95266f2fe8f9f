//! Merging individuals of a structure: the tight embedding [LevAmi00 Def. 2.4].
//!
//! # Soundness
//! Every value of the quotient is the information join of the values it came from, and an individual that came from
//! several is a summary. Existence is the exception: a class surely exists as soon as one member surely
//! does. Every store represented by the structure is represented by its quotient.

use crate::{Individual, Plane, Structure, assign, row_words};
use trifold_logic::PredicateId;

impl Structure {
    /// The structure in which the individuals of each class are one. Classes partition the universe, none is empty.
    pub fn quotient(&self, classes: &[Vec<Individual>]) -> Structure {
        let representatives: Vec<Individual> = classes.iter().map(|class| class[0]).collect();
        let mut result = self.select(&representatives);
        let masks: Vec<Vec<u64>> = classes.iter().map(|class| self.mask(class)).collect();
        for index in 0..self.layout().predicates() {
            let predicate = PredicateId(index as u32);
            match self.layout().arity(predicate) {
                1 => self.collapse_unary(predicate, &masks, &mut result),
                2 => self.collapse_binary(predicate, classes, &masks, &mut result),
                _ => {}
            }
        }
        for (u, class) in classes.iter().enumerate() {
            if class.len() > 1 {
                result.set_summary(u, true);
                assign(result.row_mut(PredicateId::AC, Plane::Must), u, class.iter().any(|m| self.is_active(*m)));
            }
        }
        if self.tracks_names() {
            result.set_names(classes.iter().map(|class| self.merged_name(class)).collect());
        }
        result
    }

    fn mask(&self, class: &[Individual]) -> Vec<u64> {
        let mut mask = vec![0; row_words(self.size())];
        class.iter().for_each(|u| assign(&mut mask, *u, true));
        mask
    }

    fn collapse_unary(&self, predicate: PredicateId, masks: &[Vec<u64>], result: &mut Structure) {
        for plane in [Plane::Must, Plane::May] {
            collapse_row(self.row(predicate, plane), plane, masks, result.row_mut(predicate, plane));
        }
    }

    fn collapse_binary(
        &self,
        predicate: PredicateId,
        classes: &[Vec<Individual>],
        masks: &[Vec<u64>],
        result: &mut Structure,
    ) {
        for plane in [Plane::Must, Plane::May] {
            for (c, class) in classes.iter().enumerate() {
                let mut row = self.matrix_row(predicate, plane, class[0]).to_vec();
                for member in &class[1..] {
                    for (word, other) in row.iter_mut().zip(self.matrix_row(predicate, plane, *member)) {
                        if plane == Plane::Must { *word &= other } else { *word |= other }
                    }
                }
                collapse_row(&row, plane, masks, result.matrix_row_mut(predicate, plane, c));
            }
        }
    }

    /// `[u,v]` for a merged individual, as in the manual.
    fn merged_name(&self, class: &[Individual]) -> std::sync::Arc<str> {
        match class {
            [only] => self.names()[*only].clone(),
            members => {
                let names: Vec<&str> = members.iter().map(|m| self.names()[*m].as_ref()).collect();
                format!("[{}]", names.join(",")).into()
            }
        }
    }
}

/// A class may satisfy what a member may; it must satisfy only what all members must.
fn collapse_row(row: &[u64], plane: Plane, masks: &[Vec<u64>], result: &mut [u64]) {
    for (c, mask) in masks.iter().enumerate() {
        let on = match plane {
            Plane::Must => row.iter().zip(mask).all(|(bits, mask)| !bits & mask == 0),
            Plane::May => row.iter().zip(mask).any(|(bits, mask)| bits & mask != 0),
        };
        assign(result, c, on);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{structure, vocabulary};
    use crate::{embedding, embeds_by};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_structure_embeds_in_its_quotient(s in structure(&vocabulary(), 1..=5), pick in prop::collection::vec(0..3usize, 5)) {
            let mut classes = vec![Vec::new(); 3];
            s.universe().for_each(|u| classes[pick[u]].push(u));
            classes.retain(|class| !class.is_empty());
            let merged = s.quotient(&classes);
            let f: Vec<usize> = s.universe().map(|u| classes.iter().position(|c| c.contains(&u)).unwrap()).collect();
            prop_assert!(embeds_by(&s, &merged, &f));
            prop_assert!(embedding(&s, &merged).is_some());
        }
    }
}
