//! Analyses of TVP programs for people and programs: findings of the engine, as diagnostics, proofs, a report and a
//! page.
//!
//! | output | module |
//! | --- | --- |
//! | messages, contradictions and unfocusable formulas at their places | [`diagnostics`] |
//! | formulas that are to be proved at locations | [`proofs`] |
//! | everything for programs | [`AnalysisReport`] |
//! | a summary for people | [`text`] |
//! | a page to explore | [`page`](mod@page) |
//! | every phase of every step | [`trace`] |

pub mod diagnostics;
pub mod locations;
pub mod operations;
pub mod page;
pub mod preparation;
pub mod proofs;
mod report;
pub mod results;
pub mod text;
pub mod trace;

pub use report::{AnalysisReport, Time};
