//! Most-precise abstract operations, computed by a decision procedure [YorshRS04].

pub mod sat;
