//! Other programs that Trifold starts: [solvers](solver) for formulas, and compilers and the Java machine, which
//! [judge](reproduce) bugs. Each of them may be missing, fail, or take too long, and all of that is told.
//!
//! For example, a bug in `list.c` is written as `out/list-1.c`, compiled by `cc`, and run for at most ten seconds.

pub mod java;
pub mod reproduce;
pub mod solver;
mod timed;
