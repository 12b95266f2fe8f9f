//! Graphs and their specifications: does a checker hold of a graph, which concrete heaps satisfy it, and is a concrete
//! state represented by a graph?

pub(crate) mod concretization;
pub(crate) mod entail;
pub(crate) mod models;
