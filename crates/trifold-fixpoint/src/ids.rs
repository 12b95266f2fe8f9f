//! Typed numbers of the parts of a flow graph, and of the contexts and records of the solver.
//!
//! Locations, edges and procedures are numbered by the builder of the graph: a domain is asked about them by these
//! numbers. Points, contexts and records are numbered by the solver, in the order in which it finds them.

use std::ops::{Add, Sub};

/// A typed number: a position among elements of one kind.
///
/// An [`IdVec`](crate::IdVec) is indexed by it, and by nothing else.
pub trait Id: Copy {
    /// The identifier of the element at an index.
    fn from_index(index: usize) -> Self;

    /// The number as an index.
    fn index(self) -> usize;
}

/// Declares types of identifiers, each with a comment of its own.
///
/// ```
/// trifold_fixpoint::ids! {
///     /// A stop of a bus.
///     StopId;
/// }
/// assert_eq!(StopId::from_index(7), StopId(7));
/// assert_eq!(StopId(7).index(), 7);
/// ```
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The identifier of the element at an index.
            #[inline]
            pub fn from_index(index: usize) -> $name {
                $name(u32::try_from(index).expect("fewer than 2^32 elements"))
            }
        }

        impl $crate::Id for $name {
            #[inline]
            fn from_index(index: usize) -> $name {
                $name::from_index(index)
            }

            #[inline]
            fn index(self) -> usize {
                $name::index(self)
            }
        }
    )*};
}

ids! {
    /// A location of a flow graph.
    LocationId;
    /// An edge of a flow graph.
    EdgeId;
    /// A procedure of a program graph.
    ProcedureId;
    /// A location in a context.
    PointId;
    /// A procedure with an abstract input.
    ContextId;
    /// A record of where a state came from.
    RecordId;
}

impl LocationId {
    /// Where a graph without procedures is entered.
    pub const ENTRY: LocationId = LocationId(0);
}

/// The points of a context come one after the other: this one is so many places on.
impl Add<usize> for PointId {
    type Output = PointId;

    fn add(self, places: usize) -> PointId {
        PointId::from_index(self.index() + places)
    }
}

/// How many places a point is after another one.
impl Sub for PointId {
    type Output = usize;

    fn sub(self, first: PointId) -> usize {
        self.index() - first.index()
    }
}
