//! Random programs.
//!
//! A program is decided by a list of numbers, so that a test can shrink it. The result is text: readable when a test
//! fails, and well formed for all numbers. For example, `random_program(&[])` is a program without statements of its
//! own.

mod comparisons;
mod counts;
mod procedures;
mod statements;
mod walks;

pub use comparisons::random_comparisons;
pub use counts::random_counts;
pub use procedures::{
    ON_GRAPHS, ON_LISTS, Unknown, random_procedures, random_procedures_on_the_stack, random_procedures_with_statics,
    random_unknown,
};
pub use statements::random_program;
pub use walks::random_walks;

/// Numbers that decide; zero when they have run out.
struct Decisions<'a>(std::slice::Iter<'a, u8>);

impl<'a> Decisions<'a> {
    fn new(decisions: &'a [u8]) -> Decisions<'a> {
        Decisions(decisions.iter())
    }

    /// A number below this one.
    fn below(&mut self, count: usize) -> usize {
        self.0.next().map_or(0, |decision| usize::from(*decision) % count)
    }

    /// One of several.
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
