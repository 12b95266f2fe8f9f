//! Typed numbers of the parts of a program.
//!
//! Structs, fields, variables and procedures are numbered across the whole program, so that a [`VarId`] or a
//! [`FieldId`] names one thing without context. Nodes are numbered within their procedure.

use trifold_fixpoint::ids;

ids! {
    /// A struct of a program.
    StructId;
    /// A field of a struct.
    FieldId;
    /// A global variable, or a variable of a procedure.
    VarId;
    /// A procedure of a program.
    ProcId;
    /// A node of a procedure's control-flow graph.
    NodeId;
}

/// A program point: a node of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The procedure.
    pub procedure: ProcId,
    /// The node.
    pub node: NodeId,
}
