//! The choice of properties to track: families of predicates for links, the cells that scalars are divided into, and
//! the data by which objects are ordered. Predicates cost time, so only those are chosen that the program can need.

pub(crate) mod data_order;
mod explain;
pub(crate) mod families;
pub(crate) mod scalar_cells;
