//! The translation, judged by real compilers.
//!
//! The concrete interpreter runs the same translation as the analyses, so it cannot see a wrong one. Here programs are
//! compiled by `cc` or `javac` and run by the machine, with the same choices as in the interpreter: the values that
//! they note, the order in which they do it, and the errors must agree. And nothing that is proved may fail.
//!
//! - [`campaign`](run) writes programs from seeds, runs them both ways and compares.
//! - `trace` is what can be seen of a run, `interpreted` gets it from the interpreter.
//! - `programs` says where programs come from: generators, or examples, which `mutate` changes.
//! - `java` and `c` write programs, load them, and run many of them in one process of the machine.
//! - `shrink` deletes statements of a program as long as the two sides disagree.
//!
//! For example, `run(&Java::start()?, &Programs::Generated, &Options { programs: 100, ..Options::default() })` compares
//! a hundred Java programs.

mod c;
mod campaign;
mod interpreted;
mod java;
mod mutate;
mod process;
mod programs;
mod random;
mod shrink;
mod tokens;
mod trace;

pub use c::{C, Compiler};
pub use campaign::{Disagreement, Options, Tally, compare, run};
pub use java::Java;
pub use programs::Programs;
pub use trace::{Comparison, Ending, Trace};

use trifold_check::Source;
use trifold_ir::Program;

/// A program that the machine is to run.
#[derive(Clone, Debug)]
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

    /// A program of the examples, in whose text all names that others could see begin with `name`, and which can note
    /// values.
    fn adapt(&self, original: &str, name: &str) -> String;

    /// The statement that notes the value of a place in such a program.
    fn note(&self, place: &str) -> String;

    /// Types that a change may put for each other.
    fn types(&self) -> &'static [&'static str];

    /// The heap program of a text, or why there is none.
    fn load(&self, text: &str) -> Result<Program, String>;

    /// The text as the analysis gets it.
    fn source(&self, text: &str) -> Source;

    /// So many compilers are asked. The first of them says what fails; with the others, programs that do not fail must
    /// do the same.
    fn compilers(&self) -> usize;

    /// The heap programs of several texts with their names, and the texts as the analysis gets them.
    fn load_all(&self, programs: &[(String, String)]) -> Vec<Result<(Program, Source), String>> {
        let load = |(_, text): &(String, String)| Ok((self.load(text)?, self.source(text)));
        programs.iter().map(load).collect()
    }

    /// Compiles programs together and runs each of them.
    ///
    /// # Errors
    /// The message of the compiler if it rejects one of the programs.
    fn run(&self, compiler: usize, jobs: &[Job]) -> Result<Vec<Trace>, String>;
}
