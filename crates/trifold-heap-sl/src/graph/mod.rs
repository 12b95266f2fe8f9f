//! Shape graphs and all that is known of one graph by itself: equalities and their consequences,
//! numbers, garbage, ⊤, and how it prints.

pub(crate) mod differences;
pub(crate) mod equalities;
pub(crate) mod garbage;
pub(crate) mod lengths;
pub(crate) mod pointer_equality;
pub(crate) mod reduce;
pub(crate) mod scalars;
pub(crate) mod shape_graph;
pub(crate) mod show;
pub(crate) mod top;
