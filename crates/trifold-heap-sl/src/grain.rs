//! How finely graphs are told apart at a program point.

/// How much is told apart where graphs are joined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grain {
    /// As little as possible: graphs are joined whenever they can be, as in [ChangRN07 §4.2].
    Coarse,
    /// How long something is, whether it is there at all, and what variables are that decide what happens, as long as there are few graphs.
    Fine,
    /// As little as possible, and no more than a few graphs: what cannot be joined is given up. The last resort.
    Lossy,
}
