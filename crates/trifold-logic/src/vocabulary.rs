//! The predicates of an analysis. A [`Vocabulary`] is fixed for a whole analysis; it starts with the built-in
//! predicates, and declared ones follow.

use crate::definitions::Definitions;
use crate::{Predicate, PredicateId};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

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
        self.definitions.get_or_init(|| Arc::new(Definitions::new(&self.predicates)))
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
