//! The arguments of the commands of most-precise operations.

use super::common::{ReadOptions, seconds};
use clap::{Args, ValueEnum};
use std::time::Duration;

/// The predicates of structures, and their rules.
#[derive(Args, Debug)]
pub struct SpecOptions {
    /// The program that declares the predicates and their rules
    #[arg(long, value_name = "PROGRAM.tvp", required = true)]
    pub spec: String,
    #[command(flatten)]
    pub read: ReadOptions,
}

/// Options of everything that asks a solver.
#[derive(Args, Debug)]
pub struct SolverOptions {
    #[command(flatten)]
    pub spec: SpecOptions,
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
    #[command(flatten)]
    pub spec: SpecOptions,
    /// The syntax of the formula
    #[arg(long, value_enum, default_value_t = FormulaFormat::Tvp)]
    pub format: FormulaFormat,
}

#[derive(Args, Debug)]
pub struct AssumeOptions {
    /// The assumption, a formula of TVP; its free variables stand for individuals that exist, as in x(v)
    pub formula: String,
    /// The structures
    pub structures: String,
    #[command(flatten)]
    pub solver: SolverOptions,
}

#[derive(Args, Debug)]
pub struct AbstractOptions {
    /// The formula that holds of the stores, in TVP; its free variables stand for individuals that exist, as in x(v)
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
