//! The three truth values and their two orders [LevAmi00 §2].
//!
//! Kleene's logic adds to 0 and 1 the value 1/2, *unknown*. Two orders matter and must not be confused:
//!
//! * the **logical** order 0 < 1/2 < 1, in which `and` is the minimum and `or` the maximum;
//! * the **information** order, in which 0 and 1 lie below 1/2 and are incomparable: `l ⊑ 1/2` for every `l`.
//!   `info_join` is its least upper bound: two different values join to 1/2.
//!
//! | ∧   | 0 | 1/2 | 1   |   | ∨   | 0   | 1/2 | 1 |   | ⊔   | 0   | 1/2 | 1   |
//! |-----|---|-----|-----|---|-----|-----|-----|---|---|-----|-----|-----|-----|
//! | 0   | 0 | 0   | 0   |   | 0   | 0   | 1/2 | 1 |   | 0   | 0   | 1/2 | 1/2 |
//! | 1/2 | 0 | 1/2 | 1/2 |   | 1/2 | 1/2 | 1/2 | 1 |   | 1/2 | 1/2 | 1/2 | 1/2 |
//! | 1   | 0 | 1/2 | 1   |   | 1   | 1   | 1   | 1 |   | 1   | 1/2 | 1/2 | 1   |
//!
//! A value is also a pair of bits: `may` (the value is 1/2 or 1) and `must` (the value is 1), with `must`
//! implying `may`. Structures store predicates as these two planes, because `∧` and `∨` then work on each plane
//! alone and `¬` swaps and complements them.

use std::fmt;
use std::ops::Not;

/// A truth value of Kleene's logic, in the logical order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kleene {
    /// 0.
    False,
    /// 1/2: may be 0 and may be 1.
    Unknown,
    /// 1.
    True,
}

impl Kleene {
    /// All values, in the logical order.
    pub const ALL: [Kleene; 3] = [Kleene::False, Kleene::Unknown, Kleene::True];

    /// The value with the given planes. `must` without `may` does not exist; it is read as `must`.
    pub fn from_planes(must: bool, may: bool) -> Kleene {
        match (must, may) {
            (true, _) => Kleene::True,
            (false, true) => Kleene::Unknown,
            (false, false) => Kleene::False,
        }
    }

    /// Is the value 1?
    pub fn must(self) -> bool {
        self == Kleene::True
    }

    /// Is the value 1/2 or 1? The papers say that such a formula is *potentially satisfied*.
    pub fn may(self) -> bool {
        self != Kleene::False
    }

    /// Is the value 0 or 1?
    pub fn is_definite(self) -> bool {
        self != Kleene::Unknown
    }

    /// Logical conjunction: the minimum.
    pub fn and(self, other: Kleene) -> Kleene {
        self.min(other)
    }

    /// Logical disjunction: the maximum.
    pub fn or(self, other: Kleene) -> Kleene {
        self.max(other)
    }

    /// The information order: does `self` say at least as much as `other`?
    pub fn info_leq(self, other: Kleene) -> bool {
        self == other || other == Kleene::Unknown
    }

    /// The least upper bound in the information order.
    pub fn info_join(self, other: Kleene) -> Kleene {
        if self == other { self } else { Kleene::Unknown }
    }
}

impl Not for Kleene {
    type Output = Kleene;

    fn not(self) -> Kleene {
        match self {
            Kleene::False => Kleene::True,
            Kleene::Unknown => Kleene::Unknown,
            Kleene::True => Kleene::False,
        }
    }
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Kleene {
        if value { Kleene::True } else { Kleene::False }
    }
}

impl fmt::Display for Kleene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kleene::False => "0",
            Kleene::Unknown => "1/2",
            Kleene::True => "1",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Kleene::{self, False, True, Unknown};

    #[test]
    fn connectives_follow_the_tables() {
        let and = [[False; 3], [False, Unknown, Unknown], [False, Unknown, True]];
        let or = [[False, Unknown, True], [Unknown, Unknown, True], [True; 3]];
        let join = [[False, Unknown, Unknown], [Unknown; 3], [Unknown, Unknown, True]];
        for (i, a) in Kleene::ALL.into_iter().enumerate() {
            for (j, b) in Kleene::ALL.into_iter().enumerate() {
                assert_eq!(a.and(b), and[i][j]);
                assert_eq!(a.or(b), or[i][j]);
                assert_eq!(a.info_join(b), join[i][j]);
                assert_eq!(a.info_leq(b), a.info_join(b) == b);
            }
        }
        assert_eq!(Kleene::ALL.map(|a| !a), [True, Unknown, False]);
    }

    #[test]
    fn laws_hold_for_all_values() {
        for a in Kleene::ALL {
            assert_eq!(!!a, a);
            assert_eq!(Kleene::from_planes(a.must(), a.may()), a);
            for b in Kleene::ALL {
                assert_eq!(!a.and(b), (!a).or(!b), "De Morgan");
                for c in Kleene::ALL {
                    assert_eq!(a.and(b.or(c)), a.and(b).or(a.and(c)), "distributivity");
                    if b.info_leq(c) {
                        assert!(a.and(b).info_leq(a.and(c)), "monotone in the information order");
                        assert!(a.or(b).info_leq(a.or(c)));
                        assert!((!b).info_leq(!c));
                    }
                }
            }
        }
    }
}
