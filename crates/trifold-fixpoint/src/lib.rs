//! Fixpoints over control-flow graphs, generic in the abstract domain. Nothing here knows what a heap is.

mod graph;
mod pool;
mod schedule;
mod solver;

pub use graph::{DepthFirst, depth_first, strongly_connected_components};
pub use solver::{
    Domain, FlowEdge, FlowGraph, Insertion, Observer, Record, Save, Solution, SolverOptions, Statistics, Step,
    TraceStep, Traversal, solve,
};
