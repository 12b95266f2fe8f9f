//! Three-valued logical structures as bit planes, and bit-parallel evaluation of formulas.

mod algebra;
mod canonical;
mod elimination;
mod embed;
mod evaluate;
mod extent;
mod join;
pub mod naive;
mod names;
mod plan;
mod query;
mod quotient;
mod rows;
mod search;
mod structure;
mod symmetry;
#[cfg(feature = "testing")]
pub mod testing;

pub use canonical::canonical_form;
pub use embed::{embedding, embeds_by};
pub use evaluate::Workspace;
pub use extent::Extent;
pub use join::Matching;
pub use names::Names;
pub use plan::{Plan, Source, Table};
pub use query::{Cause, Queries, Query};
pub use rows::{Individual, all_tuples, assign, assignments, bits, row_words, test};
pub use search::Search;
pub use structure::{Layout, Plane, Structure};
