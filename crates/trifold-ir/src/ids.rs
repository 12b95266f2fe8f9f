//! Typed numbers of the parts of a program.
//!
//! Structs, fields, variables and procedures are numbered across the whole program, so that a [`VarId`] or a
//! [`FieldId`] names one thing without context. Nodes are numbered within their procedure.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The identifier of the element at an index.
            pub fn from_index(index: usize) -> $name {
                $name(u32::try_from(index).expect("fewer than 2^32 elements"))
            }
        }
    )*};
}

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
