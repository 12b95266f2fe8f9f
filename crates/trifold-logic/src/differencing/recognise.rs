//! Recognises formulas as predicates, because a stored value is more definite than a computed one.
//!
//! Two formulas are taken for the same when they differ only in the names of bound variables and in the order of
//! conjuncts and disjuncts. If a formula that the action needs is the definition of some predicate, the predicate's
//! stored value takes its place. For example, after `x = y` the definition of "reachable from `x`" speaks of `y`, and
//! is stored as "reachable from `y`".

use super::{Creates, Differencer};
use crate::definitions::canonical::canonical_of;
use crate::{Formula, Var};

impl Differencer<'_> {
    /// The predicate that stores the formula, applied to the formula's free variables. When individuals are created, a
    /// definition that notices isolated ones differs from the stored value.
    pub(super) fn stored(&self, formula: &Formula, variables: &[Var]) -> Option<Formula> {
        let definitions = self.effect.vocabulary.definitions();
        let known = match self.effect.creates {
            Creates::Nothing => &definitions.canonical,
            _ => &definitions.unnoticing,
        };
        let known = known.get(&canonical_of(formula, variables))?;
        Some(Formula::atom(*known, variables.iter().cloned()))
    }
}
