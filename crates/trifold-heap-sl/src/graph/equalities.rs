//! Equalities among numbers: `α + β = γ + 1`, after [Karr76]. For example, where a pointer walks along a list whose
//! length is counted, the elements that it has passed and those that are left are together as many as the counter says.
//!
//! They are kept solved: each one gives one symbol, the least that it names, by symbols that no other one gives. So
//! equalities that say the same are the same.
//!
//! # Soundness
//! Every operation keeps all solutions among the integers. The [hull](Equalities::hull) of two has those of both; a
//! chain of hulls that grow ends, because each has one equality less. Coefficients that grow too large are dropped with
//! their equality.

use std::collections::{BTreeMap, BTreeSet};

/// What an equality speaks of: the number of a symbol.
pub type Unknown = u32;

/// There is no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Impossible;

/// The sum of the symbols, each as often as its number says, is the constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Equality {
    /// How often each symbol counts, which is not 0.
    pub terms: BTreeMap<Unknown, i128>,
    /// The sum.
    pub constant: i128,
}

/// No coefficient is larger.
const MOST: i128 = 1 << 40;

impl Equality {
    /// An equality of these terms, in which a symbol may come twice.
    pub fn new(terms: impl IntoIterator<Item = (Unknown, i128)>, constant: i128) -> Equality {
        let mut equality = Equality { terms: BTreeMap::new(), constant };
        terms.into_iter().for_each(|(symbol, by)| equality.add(symbol, by));
        equality
    }

    fn add(&mut self, symbol: Unknown, by: i128) {
        let sum = self.terms.get(&symbol).copied().unwrap_or(0) + by;
        match sum {
            0 => drop(self.terms.remove(&symbol)),
            _ => drop(self.terms.insert(symbol, sum)),
        }
    }

    /// The symbol that it gives.
    fn given(&self) -> Option<Unknown> {
        self.terms.keys().next().copied()
    }

    /// Takes a symbol away by way of another equality that has it; none if numbers grow too large.
    fn without(&self, symbol: Unknown, by: &Equality) -> Option<Equality> {
        let (Some(own), Some(its)) = (self.terms.get(&symbol), by.terms.get(&symbol)) else {
            return Some(self.clone());
        };
        let mut left = Equality { terms: BTreeMap::new(), constant: self.constant * its - by.constant * own };
        self.terms.iter().for_each(|(symbol, count)| left.add(*symbol, count * its));
        by.terms.iter().for_each(|(symbol, count)| left.add(*symbol, -count * own));
        left.shortened()
    }

    /// The same with the least numbers, the first of them positive.
    fn shortened(mut self) -> Option<Equality> {
        let divisor = self.terms.values().fold(self.constant.abs(), |divisor, count| common(divisor, count.abs()));
        let sign = if self.terms.values().next().is_some_and(|first| *first < 0) { -1 } else { 1 };
        if divisor > 1 || sign < 0 {
            let by = divisor.max(1) * sign;
            self.terms.values_mut().for_each(|count| *count /= by);
            self.constant /= by;
        }
        let is_small = |count: &i128| count.abs() <= MOST;
        (self.terms.values().all(is_small) && self.constant.abs() <= MOST * MOST).then_some(self)
    }

    /// Has it no solution among the integers?
    fn is_impossible(&self) -> bool {
        match self.terms.values().fold(0, |divisor, count| common(divisor, count.abs())) {
            0 => self.constant != 0,
            divisor => self.constant % divisor != 0,
        }
    }
}

fn common(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Equalities that hold together, solved.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Equalities(Vec<Equality>);

impl Equalities {
    /// All of them, by the symbols that they give.
    pub fn iter(&self) -> impl Iterator<Item = &Equality> {
        self.0.iter()
    }

    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The symbols that they speak of.
    pub fn symbols(&self) -> BTreeSet<Unknown> {
        self.0.iter().flat_map(|equality| equality.terms.keys().copied()).collect()
    }

    /// Adds an equality.
    pub fn insert(&mut self, mut new: Equality) -> Result<(), Impossible> {
        for known in &self.0 {
            let given = known.given().expect("it has terms");
            let Some(left) = new.without(given, known) else { return Ok(()) };
            new = left;
        }
        if new.is_impossible() {
            return Err(Impossible);
        }
        let Some(new) = new.shortened() else { return Ok(()) };
        let Some(given) = new.given() else { return Ok(()) };
        let kept = self.0.iter().filter_map(|known| known.without(given, &new));
        let mut all: Vec<Equality> = kept.chain([new.clone()]).collect();
        all.sort_by_key(Equality::given);
        self.0 = all;
        Ok(())
    }

    /// The solution of equalities.
    fn of(all: impl IntoIterator<Item = Equality>) -> Result<Equalities, Impossible> {
        let mut solved = Equalities::default();
        all.into_iter().try_for_each(|equality| solved.insert(equality))?;
        Ok(solved)
    }

    /// Replaces symbols, several of which may become one.
    pub fn rename(&mut self, mut of: impl FnMut(Unknown) -> Unknown) -> Result<(), Impossible> {
        let renamed = std::mem::take(&mut self.0).into_iter().map(|Equality { terms, constant }| {
            Equality::new(terms.into_iter().map(|(symbol, count)| (of(symbol), count)).collect::<Vec<_>>(), constant)
        });
        *self = Equalities::of(renamed.collect::<Vec<_>>())?;
        Ok(())
    }

    /// Takes over what others know.
    pub fn extend(&mut self, other: Equalities) -> Result<(), Impossible> {
        other.0.into_iter().try_for_each(|equality| self.insert(equality))
    }

    /// The consequences for these symbols alone.
    pub fn retain(&mut self, kept: &dyn Fn(Unknown) -> bool) {
        while let Some(symbol) = self.symbols().into_iter().find(|symbol| !kept(*symbol)) {
            let at = self.0.iter().position(|equality| equality.terms.contains_key(&symbol)).expect("it is there");
            let by = self.0.remove(at);
            let left: Vec<Equality> = self.0.iter().filter_map(|equality| equality.without(symbol, &by)).collect();
            // They follow from what was possible.
            *self = Equalities::of(left).unwrap_or_default();
        }
    }

    /// The equalities of pairs: those that hold of the first of each if these do, and of the second if others do.
    /// The symbols of each side come with the constants that are known.
    pub fn hull(sides: [&Side; 2]) -> Equalities {
        let count = sides[0].symbols.len() as Unknown;
        // Every solution of the hull is a sum of one of either side, which count λ and 1 - λ times.
        let all = |n: Unknown| count + 1 + n;
        let lambda = count;
        let mut together = Equalities::default();
        for (number, side) in sides.into_iter().enumerate() {
            for Equality { terms, constant } in side.of_pairs().iter() {
                let of_part = |(n, count): (&Unknown, &i128)| (*n, *count);
                let rest = |(n, count): (&Unknown, &i128)| [(all(*n), *count), (*n, -count)];
                let added = match number {
                    0 => Equality::new(terms.iter().map(of_part).chain([(lambda, -constant)]), 0),
                    _ => Equality::new(terms.iter().flat_map(rest).chain([(lambda, *constant)]), *constant),
                };
                // Both sides are possible, so they are together.
                let _ = together.insert(added);
            }
        }
        let kept = together.0.into_iter().filter(|equality| equality.given() > Some(lambda));
        let pair = |symbol: Unknown| symbol - count - 1;
        let named = kept.map(|Equality { terms, constant }| {
            Equality::new(terms.into_iter().map(|(symbol, count)| (pair(symbol), count)), constant)
        });
        Equalities::of(named.collect::<Vec<_>>()).unwrap_or_default()
    }
}

/// Of equalities that are solved already.
impl FromIterator<Equality> for Equalities {
    fn from_iter<I: IntoIterator<Item = Equality>>(all: I) -> Equalities {
        Equalities(all.into_iter().collect())
    }
}

/// One side of a hull.
pub struct Side {
    /// What is known.
    pub equalities: Equalities,
    /// The symbols of the pairs, in their order.
    pub symbols: Vec<Unknown>,
    /// The values of those that are known.
    pub constants: Vec<Option<i128>>,
}

impl Side {
    /// The equalities of the numbers of pairs.
    fn of_pairs(&self) -> Equalities {
        let most = self.equalities.symbols().into_iter().chain(self.symbols.iter().copied()).max();
        let first = most.map_or(0, |most| most + 1);
        let pair = |n: usize| first + n as Unknown;
        let mut all = self.equalities.clone();
        for (n, symbol) in self.symbols.iter().enumerate() {
            let _ = all.insert(Equality::new([(*symbol, 1), (pair(n), -1)], 0));
            if let Some(constant) = self.constants[n] {
                let _ = all.insert(Equality::new([(pair(n), 1)], constant));
            }
        }
        let kept = all.0.into_iter().filter(|equality| equality.given() >= Some(pair(0)));
        let named = kept.map(|Equality { terms, constant }| {
            Equality::new(terms.into_iter().map(|(symbol, count)| (symbol - first, count)), constant)
        });
        Equalities::of(named.collect::<Vec<_>>()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(all: &[(&[(u32, i128)], i128)]) -> Equalities {
        let one = |(terms, constant): &(&[(u32, i128)], i128)| {
            Equality::new(terms.iter().map(|(symbol, count)| (*symbol, *count)), *constant)
        };
        Equalities::of(all.iter().map(one)).expect("possible")
    }

    #[test]
    fn a_walk_along_a_list_passes_as_many_elements_as_it_counts() {
        // 1: counted, 2: passed, 3: left, 4: all.
        let before = solved(&[(&[(1, 1)], 0), (&[(2, 1)], 0), (&[(3, 1), (4, -1)], 0)]);
        let after = solved(&[(&[(1, 1)], 1), (&[(2, 1)], 1), (&[(3, 1), (4, -1)], -1)]);
        let side = |equalities| Side { equalities, symbols: (1..5).collect(), constants: vec![None; 4] };
        let hull = Equalities::hull([&side(before), &side(after)]);
        assert_eq!(hull, solved(&[(&[(0, 1), (1, -1)], 0), (&[(1, 1), (2, 1), (3, -1)], 0)]));
    }

    #[test]
    fn what_is_forgotten_leaves_its_consequences() {
        let mut all = solved(&[(&[(1, 1), (2, -1)], 0), (&[(2, 1), (3, -1)], 1)]);
        all.retain(&|symbol| symbol != 2);
        assert_eq!(all, solved(&[(&[(1, 1), (3, -1)], 1)]));
    }

    #[test]
    fn numbers_that_would_be_halves_are_impossible() {
        let mut all = solved(&[(&[(1, 2), (2, -2)], 2)]);
        assert_eq!(all, solved(&[(&[(1, 1), (2, -1)], 1)]));
        let half = Equality::new([(1, 2), (2, 2)], 4);
        assert_eq!(all.insert(half), Err(Impossible), "2 * a + 2 * b = 4 and a = b + 1 give 4 * b = 2");
    }
}
