//! The separation-logic domain \[ChangRN07\]: structural invariants as checkers, shape graphs over them.
//!
//! A state of the analysis is a [`ShapeGraph`]: disjoint regions of memory, some known cell by cell, others described
//! by a [`Checker`]. Statements change graphs after [unfolding](ShapeGraph::unfold_first) the regions that they touch;
//! at the heads of loops graphs are folded and joined, so that the analysis ends.

mod calls;
mod check;
mod checker;
mod disjuncts;
mod domain;
mod fit;
mod fold;
mod follow;
mod frame;
mod grain;
mod graph;
mod layout;
mod link_roles;
mod specification;
mod transfer;
mod unfold;
mod widen;

pub use calls::contracts::no_checkers;
pub use check::{GraphReport, Options, Progress, check, check_watched};
pub use checker::define::{Definition, Definitions, Inductive};
pub use checker::definition::{Call, Checker, Term, Wild, generalise};
pub use checker::recognise::{Applied, Refusal, Rule, Rules, Sym};
pub use checker::show::show_checker;
pub use checker::show_c::show_as_c;
pub use checker::usage::{assertions, checkers, is_specified, refusals, specified, unknown_assumption};
pub use grain::Grain;
pub use graph::garbage::Reached;
pub use graph::lengths::MAX_LENGTH;
pub use graph::reduce::Infeasible;
pub use graph::shape_graph::{Block, Edge, End, Frame, Kind, NULL, ShapeGraph, Site, Symbol, Top};
pub use graph::show::show_graph;
pub use layout::{Cell, Layout, Layouts, Part};
pub use link_roles::{FieldRoles, LinkedShape};
pub use specification::concretization::{Judge, Membership};
pub use specification::models::{GivenInput, Inputs, add_passer};
pub use transfer::{Effects, Fault, Transfer};
pub use trifold_fixpoint::StopReason;
pub use trifold_ir::Verdict;

/// `trifold/checkers.h`: checkers of common structures, in plain C.
pub const HEADER: &str = include_str!("../include/trifold/checkers.h");
