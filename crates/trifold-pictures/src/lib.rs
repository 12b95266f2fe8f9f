//! Pictures: structures, shape graphs, programs and summaries as the view types of `trifold-report`.
//!
//! The domains do not know how they are drawn, and `trifold-report` knows no domain. This crate stands between them:
//!
//! | from | to | by |
//! | --- | --- | --- |
//! | a structure | nodes, boxes for variables, arrows | [`picture`], [`heap`] |
//! | a shape graph | the same, with a double node for a region | [`graph_picture`] |
//! | a program | its control-flow graph | [`procedure_flow`], [`program_flow`] |
//! | a solution with procedures | a picture for each input and output | [`Summary`] |
//! | a vocabulary | the names that a reader can choose to see | [`predicates`] |

mod direction;
mod flow;
mod page_limits;
mod predicates;
mod shape_graph;
mod structure;
mod summary;
mod words;

pub use flow::{procedure_flow, program_flow};
pub use page_limits::{MAX_PICTURES, MAX_STEPS, most_per_point, traced};
pub use predicates::{add_scopes, names_in, names_in_runs, predicates, shown};
pub use shape_graph::graph_picture;
pub use structure::{heap, picture};
pub use summary::{Summary, summaries, text as summaries_text};

/// The meaning of a variable without an arrow in the picture of a structure.
pub const ABSENT: &str = "without a target";
