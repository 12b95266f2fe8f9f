//! Fixpoints over control-flow graphs, generic in the abstract domain. Nothing here knows what a heap is.

mod graph;

pub use graph::{DepthFirst, depth_first, strongly_connected_components};
