//! How finely graphs are told apart at a program point. For example, the empty list and a list of one element are two
//! graphs if the grain is fine, and one if it is coarse.

/// How much is told apart where graphs are joined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grain {
    /// As little as possible: graphs are joined whenever they can be, as in [ChangRN07 §4.2].
    Coarse,
    /// Lengths, whether a region is there at all, and the values of variables that decide branches, as long as there
    /// are few graphs.
    Fine,
    /// As little as possible, and no more than a few graphs: parts that cannot be joined are given up. The last resort.
    Lossy,
}
