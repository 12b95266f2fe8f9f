//! Names that tell things apart: the name from the source, with a number after it where that is taken. For example, the
//! second `x` becomes `x$2`.

use std::collections::{BTreeMap, BTreeSet};

/// Names that are taken in one scope.
#[derive(Clone, Default)]
pub(super) struct Taken {
    names: BTreeSet<String>,
    /// The last number after a name.
    numbers: BTreeMap<String, usize>,
}

impl Taken {
    /// These names are taken.
    pub fn of(names: impl Iterator<Item = String>) -> Taken {
        Taken { names: names.collect(), numbers: BTreeMap::new() }
    }

    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    pub fn insert(&mut self, name: &str) {
        self.names.insert(name.to_string());
    }

    /// The name, or one like it, that is taken neither here nor elsewhere. It is taken from now on.
    pub fn take(&mut self, name: &str, others: impl Fn(&str) -> bool) -> String {
        let name = if name.is_empty() { "anonymous" } else { name };
        let mut unique = name.to_string();
        while self.names.contains(&unique) || others(&unique) {
            let number = self.numbers.entry(name.to_string()).or_insert(1);
            *number += 1;
            unique = format!("{name}${number}");
        }
        self.names.insert(unique.clone());
        unique
    }
}

/// The names of a program.
#[derive(Default)]
pub(super) struct UniqueNames {
    /// Of all variables, in all scopes.
    pub variables: Taken,
    pub globals: Taken,
    pub structs: Taken,
    pub procedures: Taken,
}
