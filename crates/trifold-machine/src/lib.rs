//! What Trifold asks of the machine that it runs on: [files](disk), and other programs, which are [solvers](solver) for
//! formulas, compilers that [read](programs) programs and that [judge](reproduce) bugs, and the Java machine. Each of
//! them may be missing, fail, or take too long, and all of that is told.
//!
//! For example, `list.c` is read through `cc -E`; a bug in it is written as `out/list-1.c`, compiled by `cc`, and run
//! for at most ten seconds.

pub mod disk;
pub mod files;
pub mod java;
pub mod programs;
mod refused;
pub mod reproduce;
pub mod solver;
mod timed;

pub use refused::Refused;
