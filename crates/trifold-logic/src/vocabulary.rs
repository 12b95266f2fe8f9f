//! Predicate symbols and their declared properties [LevAmi00 §3.1, Table 10].
//!
//! A [`Vocabulary`] is fixed for a whole analysis. Four predicates are built in and always have the same
//! identifiers: `sm` (may the individual stand for several?), `ac` (does it exist?), `isNew` and `instance` (which
//! individuals did `%new` create, and from which?). The last two are false outside of an update.

use crate::differencing::Definitions;
use crate::{Formula, Kleene, Var};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Identifies a predicate of one [`Vocabulary`]: its position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredicateId(pub u32);

impl PredicateId {
    /// `sm(v)`: 1/2 on a summary individual, otherwise 0.
    pub const SM: PredicateId = PredicateId(0);
    /// `ac(v)`: 1 when the individual exists in every represented store, 1/2 when it may be absent.
    pub const AC: PredicateId = PredicateId(1);
    /// `isNew(v)`: the individual was created by the action under way.
    pub const IS_NEW: PredicateId = PredicateId(2);
    /// `instance(v, w)`: `v` was created by the action under way as a copy of `w`.
    pub const INSTANCE: PredicateId = PredicateId(3);

    /// Marks the value that a predicate has after an update, in formulas that speak of both.
    const AFTER: u32 = 1 << 31;

    /// The predicate as it is after the update.
    pub fn after(self) -> PredicateId {
        PredicateId(self.0 | PredicateId::AFTER)
    }

    /// The predicate as it is before the update.
    pub fn before(self) -> PredicateId {
        PredicateId(self.0 & !PredicateId::AFTER)
    }

    /// Is this the predicate as it is after the update?
    pub fn is_after(self) -> bool {
        self.0 & PredicateId::AFTER != 0
    }

    /// The predicate's position, the same before and after an update.
    pub fn index(self) -> usize {
        self.before().0 as usize
    }
}

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

/// The predicates of an analysis, in order of declaration.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    predicates: Vec<Predicate>,
    by_name: HashMap<Arc<str>, PredicateId>,
    /// The properties of the definitions that differencing uses and that do not depend on the action; computed at their
    /// first use.
    definitions: OnceLock<Arc<Definitions>>,
}

impl Default for Vocabulary {
    fn default() -> Vocabulary {
        let mut vocabulary =
            Vocabulary { predicates: Vec::new(), by_name: HashMap::new(), definitions: OnceLock::new() };
        for (name, arity) in [("sm", 1), ("ac", 1), ("isNew", 1), ("instance", 2)] {
            let predicate = Predicate { abstraction: false, ..Predicate::core(name, arity) };
            vocabulary.declare(predicate);
        }
        vocabulary
    }
}

impl Vocabulary {
    /// How many predicates are built in; declared ones come after them.
    pub const BUILT_IN: usize = 4;

    /// Adds a predicate. Returns `None`, and changes nothing, when the name is taken.
    pub fn declare(&mut self, predicate: Predicate) -> Option<PredicateId> {
        if self.by_name.contains_key(&predicate.name) {
            return None;
        }
        let id = PredicateId(self.predicates.len() as u32);
        self.by_name.insert(predicate.name.clone(), id);
        self.predicates.push(predicate);
        self.definitions = OnceLock::new();
        Some(id)
    }

    /// The properties of the definitions that differencing uses.
    pub(crate) fn definitions(&self) -> &Definitions {
        self.definitions.get_or_init(|| Arc::new(Definitions::new(self)))
    }

    /// The predicate of this full name.
    pub fn lookup(&self, name: &str) -> Option<PredicateId> {
        self.by_name.get(name).copied()
    }

    /// All identifiers, built-in predicates first.
    pub fn ids(&self) -> impl Iterator<Item = PredicateId> + use<> {
        (0..self.predicates.len() as u32).map(PredicateId)
    }

    /// Identifiers and predicates, built-in predicates first.
    pub fn iter(&self) -> impl Iterator<Item = (PredicateId, &Predicate)> {
        self.ids().zip(&self.predicates)
    }

    /// Number of predicates, built-in ones included.
    pub fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Never true: the built-in predicates are always there.
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }
}

impl std::ops::Index<PredicateId> for Vocabulary {
    type Output = Predicate;

    fn index(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_predicates_have_fixed_identifiers() {
        let vocabulary = Vocabulary::default();
        assert_eq!(vocabulary.len(), Vocabulary::BUILT_IN);
        for (name, id) in [
            ("sm", PredicateId::SM),
            ("ac", PredicateId::AC),
            ("isNew", PredicateId::IS_NEW),
            ("instance", PredicateId::INSTANCE),
        ] {
            assert_eq!(vocabulary.lookup(name), Some(id));
            assert!(!vocabulary[id].abstraction);
        }
    }

    #[test]
    fn a_name_is_declared_once() {
        let mut vocabulary = Vocabulary::default();
        let x = vocabulary.declare(Predicate::core("x", 1));
        assert!(x.is_some());
        assert_eq!(vocabulary.declare(Predicate::core("x", 2)), None);
        assert_eq!(vocabulary.lookup("x"), x);
    }
}
