//! Three-valued logical structures as bit planes, and bit-parallel evaluation of formulas.

mod evaluate;
pub mod naive;
mod plan;
mod structure;
#[cfg(feature = "testing")]
pub mod testing;

pub use evaluate::Workspace;
pub use plan::{Plan, Source, Table};
pub use structure::{Individual, Layout, Plane, Structure, assign, bits, row_words, test};
