//! How finely graphs are told apart at a program point. For example, the empty list and a list of one element are two
//! graphs if the grain is fine, and one if it is coarse.

/// How much is told apart where graphs are joined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grain {
    /// As little as possible: graphs are joined whenever they can be, as in [ChangRN07 §4.2].
    Coarse,
    /// As little as possible, but for what a procedure that calls itself returns: whether it is there at all.
    Returned,
    /// As little as possible, but for the numbers in memory: elements with different numbers are different elements.
    Data,
    /// As little as possible, but for the differences of numbers, as of an index and a length.
    Related,
    /// As [`Returned`], but in procedures that compare numbers which they count: there as [`Counted`].
    ///
    /// [`Returned`]: Grain::Returned
    /// [`Counted`]: Grain::Counted
    CountedWithin,
    /// Whether a region is there at all, the lengths of lists, and how they are related to other numbers, as to a
    /// counter of the elements.
    Counted,
    /// Lengths, whether a region is there at all, and the values of variables that decide branches, as long as there
    /// are few graphs.
    Fine,
    /// Everything: nothing is joined, so a loop is followed round by round. That ends if all loops do.
    Exact,
    /// As little as possible, and no more than a few graphs: parts that cannot be joined are given up. The last resort.
    Lossy,
}

/// What becomes of numbers in memory where elements of a list are folded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Numbers {
    /// Those that differ are any number.
    #[default]
    Blurred,
    /// Elements with different constants are not folded: in a list of zeros with a single one, it stands out.
    Kept,
}

impl Grain {
    /// The numbers in memory.
    pub(crate) fn numbers(self) -> Numbers {
        match self {
            Grain::Data => Numbers::Kept,
            Grain::Coarse
            | Grain::Returned
            | Grain::Fine
            | Grain::Related
            | Grain::CountedWithin
            | Grain::Counted
            | Grain::Exact
            | Grain::Lossy => Numbers::Blurred,
        }
    }
}
