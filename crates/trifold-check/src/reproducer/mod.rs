//! A program that shows a bug, as data: its files, its commands, and what a real run of it came to. For example,
//! `bugs/list_1.c`, which `cc` compiles, and of which the address sanitizer says heap-use-after-free.

mod command;
pub mod judge;

pub use command::Command;
pub use judge::Judgement;

use crate::options::Language;
use trifold_ir::FindingKind;

/// A program that shows a bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reproducer {
    /// The finding that it shows.
    pub kind: FindingKind,
    /// The language, which says who judges.
    pub language: Language,
    /// The files that it consists of beside the program itself, by their names in the directory. The first is the
    /// driver.
    pub files: Vec<(String, String)>,
    /// The commands that compile it, one after the other.
    pub compile: Vec<Command>,
    /// The command that shows the failure.
    pub run: Command,
    /// The functions that define shapes of memory: where one of them fails, so does the assertion that calls it.
    pub checkers: Vec<String>,
    /// Does an assertion not hold only because memory is shared that it takes for separate? Its functions need not see
    /// that.
    pub is_shared: bool,
}

impl Reproducer {
    /// All commands, in order.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.compile.iter().chain([&self.run])
    }
}

/// What is known about a bug beside Trifold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reproduced {
    /// The program that shows it.
    pub reproducer: Reproducer,
    /// What a real run of it came to, if one was made.
    pub judgement: Option<Judgement>,
}
