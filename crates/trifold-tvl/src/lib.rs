//! The abstract domain of three-valued logical structures: focus, coerce, update, blur, join.

mod specification;

pub use specification::{
    Action, Cfg, Constraint, Edge, Head, LocationId, Message, New, Origin, Retain, Specification, Update,
};
