//! Paths from an object to its parts: which come first, and which have something in common. For example, `.a[1 ... 3]`
//! comes before `.a[4]`, and overlaps with `.a[2].x`.

use crate::typed::{Initializer, InitializerEntry, PathStep};

impl PathStep {
    /// The first and the last part.
    pub(crate) fn bounds(self) -> (u64, u64) {
        match self {
            PathStep::Member(index) => (index as u64, index as u64),
            PathStep::Element(index) => (index, index),
            PathStep::Elements(first, last) => (first, last),
        }
    }
}

/// Does all that one path leads to come before all that the other one leads to?
pub(crate) fn precedes(a: &[PathStep], b: &[PathStep]) -> bool {
    let different = a.iter().zip(b).find(|(a, b)| a != b);
    different.is_some_and(|(a, b)| a.bounds().1 < b.bounds().0)
}

/// Do the paths lead to something that they have in common?
pub(crate) fn overlap(a: &[PathStep], b: &[PathStep]) -> bool {
    a.iter().zip(b).all(|(a, b)| {
        let (a, b) = (a.bounds(), b.bounds());
        a.0 <= b.1 && b.0 <= a.1
    })
}

impl Initializer {
    /// Pairs of entries of which the second replaces the first one, or a part of it.
    pub(crate) fn replaced(&self) -> Vec<(&InitializerEntry, &InitializerEntry)> {
        let mut found = Vec::new();
        let mut last: &[PathStep] = &[];
        for (index, later) in self.entries.iter().enumerate() {
            if index == 0 || precedes(last, &later.path) {
                last = &later.path;
                continue;
            }
            let earlier = self.entries[..index].iter().filter(|earlier| overlap(&earlier.path, &later.path));
            found.extend(earlier.map(|earlier| (earlier, later)));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::PathStep::{Element, Elements, Member};
    use super::*;

    #[test]
    fn parts_are_compared() {
        assert!(precedes(&[Member(0), Elements(1, 3)], &[Member(0), Element(4)]));
        assert!(!precedes(&[Member(0), Elements(1, 3)], &[Member(0), Element(3)]));
        assert!(!precedes(&[Member(0)], &[Member(0), Element(3)]));
        assert!(precedes(&[Member(0), Member(9)], &[Member(1)]));
        assert!(overlap(&[Member(0)], &[Member(0), Element(3)]));
        assert!(overlap(&[Elements(1, 3), Member(0)], &[Element(2)]));
        assert!(!overlap(&[Elements(1, 3), Member(0)], &[Element(2), Member(1)]));
    }
}
