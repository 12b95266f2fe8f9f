//! The separation-logic domain [ChangRN07]: structural invariants as checkers, shape graphs over them.
//!
//! A state of the analysis is a [`Graph`]: disjoint regions of memory, some known cell by cell, others described by a
//! [`Checker`]. Statements change graphs after [unfolding](Graph::unfold_first) what they touch; at the heads of loops graphs are
//! folded and joined, so that the analysis ends.

mod calls;
mod check;
mod checker;
mod compare;
mod contracts;
mod define;
mod domain;
mod fit;
mod fold;
mod follow;
mod graph;
mod infer;
mod inputs;
mod join;
mod layout;
mod local;
mod member;
mod procedures;
mod reach;
mod recognise;
mod reduce;
mod scalars;
mod show;
mod show_c;
mod specify;
mod store;
mod top;
mod transfer;
mod unfold;

pub use calls::{assertions, checkers, is_specified, refusals, specified};
pub use check::{Finding, Options, Progress, Report, StopReason, TraceStep, Verdict, check, check_watched};
pub use checker::{Call, Checker, Term, Wild, generalise};
pub use contracts::no_checkers;
pub use define::{Definition, Definitions, Inductive};
pub use graph::{Block, Edge, End, Frame, Graph, Kind, NULL, Site, Symbol};
pub use infer::{Roles, Shapes};
pub use inputs::{Input, Inputs, add_passer};
pub use layout::{Cell, Layout, Layouts, Part};
pub use member::{Judge, Membership};
pub use reach::Reached;
pub use recognise::{Applied, Refusal, Rule, Rules, Sym};
pub use reduce::Infeasible;
pub use show::{show_checker, show_graph};
pub use show_c::show_as_c;
pub use store::Grain;
pub use top::Top;
pub use transfer::{Effects, Fault, Transfer};

/// `trifold/checkers.h`: checkers of common structures, in plain C.
pub const HEADER: &str = include_str!("../include/trifold/checkers.h");
