//! Predicate symbols and their declared properties [LevAmi00 §3.1, Table 10].
//!
//! For example, `x` is a unary predicate that is `unique`, `n` a binary one that is a `function`, and `r[n,x]` one with
//! a definition, the formula `E(w) x(w) & n*(w, v)`.

use crate::{Formula, Kleene, PredicateId, Var};
use std::sync::Arc;

/// The promises of a declaration about every represented store; the source of automatic constraints.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Properties {
    /// Unary: true of at most one individual.
    pub unique: bool,
    /// Binary: a partial function from first to second argument.
    pub function: bool,
    /// Binary: a partial function from second to first argument.
    pub invfunction: bool,
    /// Binary: `p(v,w)` implies `p(w,v)`.
    pub symmetric: bool,
    /// Binary: `p(v,w)` and `p(w,v)` imply `v == w`.
    pub antisymmetric: bool,
    /// Binary: `p(v,v)` holds.
    pub reflexive: bool,
    /// Binary: `p(v,v)` does not hold.
    pub antireflexive: bool,
    /// Binary: `p(u,v)` and `p(v,w)` imply `p(u,w)`.
    pub transitive: bool,
    /// Binary: there is no cycle of `p`.
    pub acyclic: bool,
    /// Unary: true of at most one individual in each connected component of this binary predicate.
    pub unique_per_component: Option<PredicateId>,
}

/// The values of a predicate that pictures show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DisplaySet([bool; 3]);

impl DisplaySet {
    /// The set of exactly these values.
    pub fn of(values: &[Kleene]) -> DisplaySet {
        let mut shown = [false; 3];
        for value in values {
            shown[*value as usize] = true;
        }
        DisplaySet(shown)
    }

    /// Is the value shown?
    pub fn shows(self, value: Kleene) -> bool {
        self.0[value as usize]
    }
}

impl Default for DisplaySet {
    /// 1 and 1/2, as in the manual.
    fn default() -> DisplaySet {
        DisplaySet::of(&[Kleene::True, Kleene::Unknown])
    }
}

/// The meaning of an instrumentation predicate: `p(parameters) = formula`.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// The argument variables, in order.
    pub parameters: Vec<Var>,
    /// The defining formula; its free variables are the parameters.
    pub formula: Formula,
}

/// A predicate symbol with everything its declaration says.
#[derive(Clone, PartialEq, Debug)]
pub struct Predicate {
    /// The full name, such as `x` or `r[n,x]`.
    pub name: Arc<str>,
    /// Number of arguments: 0, 1 or 2.
    pub arity: usize,
    /// Declared properties.
    pub properties: Properties,
    /// Does canonical abstraction keep individuals (unary) or structures (nullary) apart by this predicate?
    pub abstraction: bool,
    /// Is it drawn as a box with an arrow, like a pointer variable?
    pub pointer: bool,
    /// Which values pictures show.
    pub display: DisplaySet,
    /// The definition, for an instrumentation predicate.
    pub definition: Option<Definition>,
}

impl Predicate {
    /// A core predicate with default flags: nullary and unary ones are abstraction predicates.
    pub fn core(name: &str, arity: usize) -> Predicate {
        Predicate {
            name: name.into(),
            arity,
            properties: Properties::default(),
            abstraction: arity <= 1,
            pointer: false,
            display: DisplaySet::default(),
            definition: None,
        }
    }
}
