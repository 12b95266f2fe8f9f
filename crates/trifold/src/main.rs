//! The command line of Trifold. One function per command; everything below it does no input or output.

mod analyze;
mod arguments;
mod check;
mod client;
mod completions;
mod derive;
mod draw;
mod explain;
mod host;
mod html;
mod meter;
mod progress;
mod properties;
mod run;
mod source;
mod symbolic;
mod tvla;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;
use trifold_machine::Refused;

/// Structures are made on one thread and given up on another, which the allocator of the system does with a lock.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How a command ended, as its exit status; see `--help`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything was proved, or drawn.
    Success = 0,
    /// Messages may fire.
    Findings = 1,
    /// The input is at fault.
    BadInput = 2,
    /// A limit was reached.
    Partial = 3,
    /// Everything was proved, where preconditions hold.
    Conditional = 4,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(outcome as u8)
    }
}

/// The arguments. Errors in them are told, but no argument can command the terminal.
fn arguments() -> Arguments {
    Arguments::try_parse().unwrap_or_else(|error| {
        let text = error.to_string();
        if matches!(trifold_source::printable(&text), std::borrow::Cow::Borrowed(_)) {
            error.exit();
        }
        eprint!("{}", trifold_source::printable(&text));
        std::process::exit(error.exit_code())
    })
}

fn main() -> ExitCode {
    let arguments = arguments();
    let outcome = match &arguments.command {
        Command::Abstract(options) => symbolic::abstract_formula(options),
        Command::Analyze(options) => analyze::run(options),
        Command::Assume(options) => symbolic::assume(options),
        Command::BestTransformer(options) => symbolic::best_transformer(options),
        Command::Check(options) => check::run(options),
        Command::Client(options) => client::run(options),
        Command::Completions(options) => completions::run(options),
        Command::Derive(options) => derive::run(options),
        Command::Draw(options) => draw::run(options),
        Command::Entails(options) => symbolic::entails(options),
        Command::Explain(options) => explain::run(options),
        Command::Formula(options) => symbolic::formula(options),
        Command::Meet(options) => symbolic::meet(options),
        Command::Run(options) => run::run(options),
        Command::Translate(options) => run::translate(options),
        Command::Tvla(options) => tvla::run(&options.words),
    };
    match outcome {
        Ok(outcome) => outcome.into(),
        Err(Refused(message)) => {
            eprint!("{message}");
            Outcome::BadInput.into()
        }
    }
}
