//! Merging individuals of a structure: the tight embedding [LevAmi00 Def. 2.4].
//!
//! For example, the elements 2 and 3 of a list 1 → 2 → 3 are merged: the result has an edge 1/2 from 1 to the class,
//! because 1 leads to 2 and not to 3, and an edge 1/2 from the class to itself.
//!
//! # Soundness
//! Every value of the quotient is the information join of the values it came from, and an individual that came from
//! several is a summary. Existence is the exception: a class surely exists as soon as one member surely does. Every
//! store represented by the structure is represented by its quotient.

use crate::{Individual, Plane, Structure, assign, row_words};
use trifold_logic::PredicateId;
use trifold_work::spend;

impl Structure {
    /// The structure in which the individuals of each class are one. Classes partition the universe, none is empty.
    pub fn quotient(&self, classes: &[Vec<Individual>]) -> Structure {
        spend(4 * self.words().len() as u64);
        let mut result = self.blank(classes.len());
        let masks: Vec<Vec<u64>> = classes.iter().map(|class| self.mask(class)).collect();
        let (row, new_row) = (row_words(self.size()), row_words(classes.len()));
        let (rows, matrices) = self.regions();
        let (new_rows, new_matrices) = result.regions_mut();
        let planes = || [Plane::Must, Plane::May].into_iter().cycle();
        for ((old, new), plane) in rows.chunks_exact(row).zip(new_rows.chunks_exact_mut(new_row)).zip(planes()) {
            collapse_row(old, plane, &masks, new);
        }
        if self.size() > 0 {
            let mut together = vec![0; row];
            let new_matrices = new_matrices.chunks_exact_mut(classes.len() * new_row);
            for ((old, new), plane) in matrices.chunks_exact(self.size() * row).zip(new_matrices).zip(planes()) {
                for (class, new) in classes.iter().zip(new.chunks_exact_mut(new_row)) {
                    together.copy_from_slice(&old[class[0] * row..][..row]);
                    for member in &class[1..] {
                        for (word, other) in together.iter_mut().zip(&old[member * row..]) {
                            if plane == Plane::Must { *word &= other } else { *word |= other }
                        }
                    }
                    collapse_row(&together, plane, &masks, new);
                }
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

/// A class may satisfy a literal if some member may; it must satisfy a literal only if all members must. The result is
/// all 0 before.
fn collapse_row(row: &[u64], plane: Plane, masks: &[Vec<u64>], result: &mut [u64]) {
    if row.iter().all(|word| *word == 0) {
        return;
    }
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
