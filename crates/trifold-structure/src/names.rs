//! Names of individuals: the values by which an abstraction tells them apart, as numbers [Reineke05 Definition 2].
//!
//! Equal names mean individuals that are not told apart, in one structure or in two. A name consists of the values of
//! unary predicates; it can be refined by the values of binary predicates towards all individuals of a name. For
//! example, with the predicates `x` and `r[n,x]` the first element of a list has the name (1, 1), and all others have
//! the name (0, 1).

use crate::{Individual, Structure, bits, test};
use trifold_logic::{Kleene, PredicateId};

/// A name for every individual.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names {
    words: Vec<u64>,
    /// Where each name ends.
    ends: Vec<usize>,
}

impl Names {
    /// The names that unary predicates give to the individuals: two bits per predicate.
    pub fn new(structure: &Structure, predicates: &[PredicateId]) -> Names {
        let stride = predicates.len().div_ceil(32).max(1);
        let mut words = vec![0; structure.size() * stride];
        for (i, [must, may]) in structure.rows_of(predicates).enumerate() {
            // An individual on `must` is on `may`.
            for u in bits(may) {
                words[u * stride + i / 32] |= (2 | test(must, u) as u64) << (2 * (i % 32));
            }
        }
        Names { words, ends: (1..=structure.size()).map(|end| end * stride).collect() }
    }

    /// Individuals are told apart if either names do.
    pub fn both(&self, other: &Names) -> Names {
        (0..self.ends.len()).map(|u| [self.with_length(u), other.with_length(u)].concat()).collect()
    }

    /// Individuals are also told apart by the values of binary predicates between them and the individuals of each
    /// name, joined.
    pub fn refined(&self, structure: &Structure, predicates: &[PredicateId]) -> Names {
        let order = self.ascending();
        let classes: Vec<&[Individual]> = order.chunk_by(|u, v| self.of(*u) == self.of(*v)).collect();
        let name = |u: Individual| {
            let mut name = self.with_length(u);
            for class in &classes {
                let joined = |p: &PredicateId| {
                    let values = class.iter().map(|v| structure.binary(*p, u, *v));
                    values.reduce(Kleene::info_join).expect("a class has members")
                };
                let values: Vec<Kleene> = predicates.iter().map(joined).collect();
                // Values 0 are left out, so that structures with other names can be compared.
                if values.iter().any(|value| *value != Kleene::False) {
                    name.extend(self.with_length(class[0]));
                    name.extend(values.iter().map(|value| *value as u64));
                }
            }
            name
        };
        structure.universe().map(name).collect()
    }

    /// The individuals, sorted by their names.
    pub fn ascending(&self) -> Vec<Individual> {
        let mut order: Vec<Individual> = (0..self.ends.len()).collect();
        order.sort_by(|u, v| self.of(*u).cmp(self.of(*v)));
        order
    }

    /// The name of an individual.
    pub fn of(&self, u: Individual) -> &[u64] {
        let start = if u == 0 { 0 } else { self.ends[u - 1] };
        &self.words[start..self.ends[u]]
    }

    /// The name as a part of another one.
    fn with_length(&self, u: Individual) -> Vec<u64> {
        let mut name = vec![self.of(u).len() as u64];
        name.extend(self.of(u));
        name
    }

    /// All names, one after the other.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Could `u` and `v` be the same by their definite values alone? (The second rule of blur.) Names must be those of
    /// unary predicates.
    pub fn compatible(&self, u: Individual, v: Individual) -> bool {
        const MUST: u64 = 0x5555_5555_5555_5555;
        self.of(u).iter().zip(self.of(v)).all(|(a, b)| {
            // 1 against 0: one has the must bit where the other lacks the may bit.
            let one_zero = (a & MUST) & !(b >> 1 & MUST);
            let zero_one = (b & MUST) & !(a >> 1 & MUST);
            one_zero | zero_one == 0
        })
    }
}

impl FromIterator<Vec<u64>> for Names {
    fn from_iter<I: IntoIterator<Item = Vec<u64>>>(names: I) -> Names {
        let mut all = Names { words: Vec::new(), ends: Vec::new() };
        for name in names {
            all.words.extend(name);
            all.ends.push(all.words.len());
        }
        all
    }
}
