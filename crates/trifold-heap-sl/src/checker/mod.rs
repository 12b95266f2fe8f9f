//! Checkers: inductive definitions of regions [ChangRN07 §3], how functions of the program are recognised as such, and
//! how they print as C. For example, `π.node_list() := emp ∨ π ↦ {next: γ0} * γ0.node_list()` is a list.

pub(crate) mod define;
pub(crate) mod definition;
pub(crate) mod recognise;
pub(crate) mod show;
pub(crate) mod show_c;
pub(crate) mod usage;
