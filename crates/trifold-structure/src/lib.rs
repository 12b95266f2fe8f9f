//! Three-valued logical structures as bit planes, and bit-parallel evaluation of formulas.

mod structure;

pub use structure::{Individual, Layout, Plane, Structure, assign, bits, row_words, test};
