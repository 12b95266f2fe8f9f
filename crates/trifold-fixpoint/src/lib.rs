//! Fixpoints over control-flow graphs, generic in the abstract domain. The crate knows no heap.
//!
//! [`solve`] works on one graph, [`tabulate`] on the graphs of procedures that call each other. They are one algorithm:
//! a graph without calls is a program of one procedure.

mod domain;
mod graph;
mod id_vec;
mod ids;
mod observer;
mod options;
mod pool;
mod program;
mod schedule;
mod solution;
mod solver;

pub use domain::{Domain, Insertion, Procedural, Statistics, Step, StepOf};
pub use graph::{DepthFirst, depth_first, strongly_connected_components};
pub use id_vec::IdVec;
pub use ids::{ContextId, EdgeId, Id, LocationId, PointId, ProcedureId, RecordId};
pub use observer::Observer;
pub use options::{Save, SolverOptions, Traversal};
pub use program::{FlowEdge, FlowGraph, FlowKind, FlowProcedure, ProgramGraph};
pub use solution::{Context, FlowPoint, FlowStep, Record, Solution, TraceKind};
pub use solver::{solve, tabulate};
pub use trifold_work::StopReason;
