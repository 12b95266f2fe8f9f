//! The judge of analyses, for tests. Nothing of this is in the program.
//!
//! - [`oracle`] compares an analysis with runs of the concrete interpreter. It is generic: [`structures`] and
//!   [`graphs`] put the two domains of heap programs before it.
//! - [`random`] makes heap programs, [`verdicts`] is a table of programs with their verdicts, and `small_stores` makes
//!   all small stores of a vocabulary.
//! - `differential` compares the translation with what compilers make of a program.
//! - [`fuzz`] has the functions that must digest any bytes, their first inputs, and mutations.
//!
//! For example, `structures::expect(text, &[FindingKind::Leak])` checks a heap program in the three-valued domain, asks
//! for exactly that kind of finding, and judges the analysis by some hundred runs.
//!
//! The crates that this one judges depend on it in their tests only. A test inside of their modules cannot use it,
//! because it would be given the crate a second time.

#[cfg(feature = "proptest")]
mod cases;
#[cfg(feature = "differential")]
pub mod differential;
pub mod fuzz;
pub mod graphs;
pub mod oracle;
pub mod random;
#[cfg(feature = "proptest")]
pub mod small_stores;
pub mod structures;
pub mod verdicts;

#[cfg(feature = "proptest")]
pub use cases::Cases;

use trifold_ir::{FindingKind, Program};

/// Reads the text of a heap program, which must be well formed.
#[track_caller]
pub fn parse(text: &str) -> Program {
    match trifold_ir::parse("test", text) {
        Ok((program, _)) => program,
        Err(failure) => panic!("{text}\n{:?}", failure.diagnostics),
    }
}

/// Kinds of findings in their order, each once.
pub fn kinds(found: impl IntoIterator<Item = FindingKind>) -> Vec<FindingKind> {
    let mut kinds: Vec<FindingKind> = found.into_iter().collect();
    kinds.sort();
    kinds.dedup();
    kinds
}
