//! The arguments of the commands of most-precise operations.

use super::common::{ReadOptions, seconds};
use clap::{Args, ValueEnum};
use std::time::Duration;

pub const FORMULA_HELP: &str = "\
The formula holds of exactly the stores that the structures represent; the integrity rules of the program come with it.
In SMT-LIB and TPTP, ac(v) says that v exists, and path@0, path@1, ... stand for closures, which first-order logic can only
approximate: if a prover finds the formulas unsatisfiable they are, otherwise it depends.
Exit status: 0 shown, 2 the input is wrong.

Example:
  trifold formula examples/tvp/sll/sll.tvs --spec examples/tvp/sll/reverse.tvp";

/// The exit status of operations.
macro_rules! status {
    ($ok:literal, $example:literal) => {
        concat!(
            "What is printed is TVS, with a comment that says whether the result is the most precise one.\n\
             Exit status:\n  0  ",
            $ok,
            "\n  2  the input is wrong\n  3  the result is sound, but perhaps not the most precise one: time was up, or queries were left undecided\n\n\
             Example:\n  ",
            $example
        )
    };
}

pub const ASSUME_HELP: &str = status!(
    "the most precise result",
    "trifold assume \"E(v1,v2) x(v1) & n(v1,v2) & y(v2)\" examples/tvp/sll/rotate.tvs --spec examples/tvp/sll/rotate.tvp"
);
pub const ABSTRACT_HELP: &str = status!(
    "the most precise result",
    "trifold abstract \"E(v) x(v) & y(v) & !(E(w) n(v,w))\" --spec examples/tvp/sll/rotate.tvp"
);
pub const BEST_TRANSFORMER_HELP: &str = status!(
    "the most precise result",
    "trifold best-transformer examples/tvp/sll/sll.tvs --spec examples/tvp/sll/reverse.tvp --action \"y = x\" --action \"x = x->n\""
);
pub const MEET_HELP: &str =
    status!("the most precise result", "trifold meet one.tvs other.tvs --spec examples/tvp/sll/reverse.tvp");
pub const ENTAILS_HELP: &str = "\
When it does not hold, a store is printed that the first structures represent and the second ones do not.
Exit status: 0 it holds, 1 it does not hold, 2 the input is wrong, 3 undecided.

Example:
  trifold entails examples/tvp/sll/merge.tvs examples/tvp/sll/merge_any.tvs --spec examples/tvp/sll/merge.tvp";

/// Options of everything that asks a solver.
#[derive(Args, Debug)]
pub struct SolverOptions {
    /// The program that declares the predicates and their rules
    #[arg(long, value_name = "PROGRAM.tvp", required = true)]
    pub spec: String,
    #[command(flatten)]
    pub read: ReadOptions,
    /// Ask z3, cvc5 or another command that speaks SMT-LIB 2, instead of the built-in solver
    #[arg(long, value_name = "z3|cvc5|COMMAND")]
    pub solver: Option<String>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormulaFormat {
    /// The syntax of TVP
    Tvp,
    /// SMT-LIB 2
    Smtlib,
    /// TPTP
    Tptp,
}

#[derive(Args, Debug)]
pub struct FormulaOptions {
    /// The structures
    pub structures: String,
    /// The program that declares the predicates and their rules
    #[arg(long, value_name = "PROGRAM.tvp", required = true)]
    pub spec: String,
    #[command(flatten)]
    pub read: ReadOptions,
    /// What to print
    #[arg(long, value_enum, default_value_t = FormulaFormat::Tvp)]
    pub format: FormulaFormat,
}

#[derive(Args, Debug)]
pub struct AssumeOptions {
    /// What is assumed, in the syntax of TVP; variables that are free in it stand for individuals that exist
    pub formula: String,
    /// The structures
    pub structures: String,
    #[command(flatten)]
    pub solver: SolverOptions,
}

#[derive(Args, Debug)]
pub struct AbstractOptions {
    /// What holds of the stores, in the syntax of TVP; variables that are free in it stand for individuals that exist
    pub formula: String,
    #[command(flatten)]
    pub solver: SolverOptions,
}

#[derive(Args, Debug)]
pub struct BestTransformerOptions {
    /// The structures before the action
    pub structures: String,
    /// The title of the action; several are carried out one after the other
    #[arg(long, value_name = "TITLE", required = true)]
    pub action: Vec<String>,
    #[command(flatten)]
    pub solver: SolverOptions,
}

#[derive(Args, Debug)]
pub struct TwoOptions {
    /// The first structures
    pub first: String,
    /// The second structures
    pub second: String,
    #[command(flatten)]
    pub solver: SolverOptions,
}
