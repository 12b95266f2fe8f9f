//! The vocabulary: core predicates, instrumentation predicates and the rules that all states obey. [`predicates`] puts it
//! together; the other modules each know one family.

pub(crate) mod formulas;
pub(crate) mod instrumentation;
pub(crate) mod names;
pub(crate) mod predicates;
pub(crate) mod reachability_rules;
mod rules;
pub(crate) mod sortedness;
mod subtrees;
