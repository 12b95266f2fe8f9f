//! The translation, judged by real compilers.
//!
//! The concrete interpreter runs the same translation as the analyses, so it cannot see a wrong one. Here programs are
//! compiled by `cc` or `javac` and run by the machine, with the same choices as in the interpreter: the values that
//! they note, the order in which they do it, and the errors must agree. And nothing that is proved may fail.
//!
//! - [`campaign`](run) writes programs from seeds, runs them both ways and compares.
//! - `trace` is what can be seen of a run, `interpreted` gets it from the interpreter.
//! - `java` and `c` write programs, load them, and run many of them in one process of the machine.
//! - `shrink` deletes statements of a program as long as the two sides disagree.
//!
//! For example, `run(&Java, &Options { programs: 100, ..Options::default() })` compares a hundred Java programs.

mod c;
mod campaign;
mod interpreted;
mod java;
mod process;
mod random;
mod shrink;
mod trace;

pub use c::C;
pub use campaign::{Disagreement, Options, Tally, compare, run};
pub use java::Java;
pub use trace::{Comparison, Ending, Trace};

use trifold_check::Source;
use trifold_ir::Program;

/// A program that the machine is to run.
pub struct Job {
    /// A name that no other program of the process has.
    pub name: String,
    /// Its text, in which all names that others could see begin with that name.
    pub text: String,
    /// The answers to what it asks for.
    pub answers: Vec<i128>,
}

/// A source language with its compiler.
pub trait Language {
    /// What people call it.
    fn name(&self) -> &'static str;

    /// Is memory lost that nothing leads to?
    fn leaks(&self) -> bool;

    /// The program of a seed.
    fn write(&self, seed: u64, name: &str) -> String;

    /// The heap program of a text, or why there is none.
    fn load(&self, text: &str) -> Result<Program, String>;

    /// The text as the analysis gets it.
    fn source(&self, text: &str) -> Source;

    /// Compiles programs together and runs each of them.
    ///
    /// # Errors
    /// The message of the compiler if it rejects one of the programs.
    fn run(&self, jobs: &[Job]) -> Result<Vec<Trace>, String>;
}
