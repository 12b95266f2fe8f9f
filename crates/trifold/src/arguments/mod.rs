//! The arguments of the command line.

#![allow(rustdoc::broken_intra_doc_links, reason = "comments are help texts, where brackets are no links")]

/// Declares an argument type whose values stand for those of an engine type.
macro_rules! choice {
    ($name:ident for $target:ty { $($(#[$doc:meta])* $value:ident => $meaning:expr),* $(,)? }) => {
        #[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$doc])* $value),* }

        impl From<$name> for $target {
            fn from(argument: $name) -> $target {
                match argument { $($name::$value => $meaning),* }
            }
        }
    };
}

mod analyze;
mod check;
mod common;
pub mod symbolic;

pub use analyze::{AnalyzeOptions, FormatArgument};
pub use check::{CheckFormat, CheckOptions};
pub use common::{COptions, Colour, ProgramOptions, ReadOptions};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use trifold_ir::FindingKind;

/// The text after the options of a command, from `help/NAME.txt`.
macro_rules! help {
    ($name:literal) => {
        include_str!(concat!("help/", $name, ".txt")).trim_end()
    };
}

/// Trifold proves what the heap of a program looks like, and shows its proof as pictures.
#[derive(Parser, Debug)]
#[command(version, propagate_version = true, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Abstract the stores in which a formula holds, as precisely as possible.
    #[command(after_help = help!("abstract"))]
    Abstract(symbolic::AbstractOptions),
    /// Analyse a TVP program from the structures of a TVS file.
    #[command(after_help = help!("analyze"), args_override_self = true)]
    Analyze(Box<AnalyzeOptions>),
    /// Refine structures by the assumption that a formula holds, as precisely as possible.
    #[command(after_help = help!("assume"))]
    Assume(symbolic::AssumeOptions),
    /// Carry out actions on structures, as precisely as possible.
    #[command(after_help = help!("best-transformer"))]
    BestTransformer(symbolic::BestTransformerOptions),
    /// Prove that C programs are memory-safe and leak nothing, or show where they may fail.
    #[command(after_help = help!("check"), args_override_self = true)]
    Check(Box<CheckOptions>),
    /// Show the client through which a C module without main is analysed, as C to keep.
    #[command(after_help = help!("client"))]
    Client(ClientOptions),
    /// Write the completions of a shell, or a manual page.
    #[command(after_help = help!("completions"))]
    Completions(CompletionsOptions),
    /// Show the updates that are derived for defined predicates.
    #[command(after_help = help!("derive"))]
    Derive(DeriveOptions),
    /// Draw structures or control-flow graphs as SVG or DOT; no other program is needed.
    #[command(after_help = help!("draw"))]
    Draw(DrawOptions),
    /// Decide whether all stores of some structures are stores of others.
    #[command(after_help = help!("entails"))]
    Entails(symbolic::TwoOptions),
    /// Explain a kind of finding, with an example.
    #[command(after_help = help!("explain"))]
    Explain(ExplainOptions),
    /// Show the formula that holds of exactly the stores of structures, in the syntax of TVP, SMT-LIB 2 or TPTP.
    #[command(after_help = help!("formula"))]
    Formula(symbolic::FormulaOptions),
    /// Abstract the stores that two sets of structures have in common, as precisely as possible.
    #[command(after_help = help!("meet"))]
    Meet(symbolic::TwoOptions),
    /// Execute a C or Java program with random inputs, and report memory errors, leaks and failed assertions.
    #[command(after_help = help!("run"))]
    Run(RunOptions),
    /// Show the heap program that a C or Java program becomes.
    #[command(after_help = help!("translate"))]
    Translate(ProgramOptions),
    /// Analyse as TVLA 3 would: with its options, defaults, properties files and output files.
    #[command(after_help = help!("tvla"))]
    Tvla(TvlaOptions),
}

#[derive(Args, Debug)]
pub struct ClientOptions {
    /// The files of the module
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    #[command(flatten)]
    pub source: COptions,
    /// The file to write; standard output otherwise
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite a file that exists
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct CompletionsOptions {
    /// The shell
    #[arg(value_enum)]
    pub shell: ShellChoice,
    /// The command that a manual page is about, such as check
    pub command: Option<String>,
}

choice!(ShellChoice for Option<Shell> {
    /// The Bourne Again Shell
    Bash => Some(Shell::Bash),
    /// Elvish
    Elvish => Some(Shell::Elvish),
    /// The friendly interactive shell
    Fish => Some(Shell::Fish),
    /// PowerShell
    Powershell => Some(Shell::PowerShell),
    /// The Z shell
    Zsh => Some(Shell::Zsh),
    /// No shell: a manual page, in roff
    Man => None,
});

#[derive(Args, Debug)]
pub struct ExplainOptions {
    /// The kind, as findings name it; all are listed if there is none
    #[arg(value_parser = kind())]
    pub kind: Option<FindingKind>,
}

/// The names of kinds.
fn kind() -> impl TypedValueParser<Value = FindingKind> {
    PossibleValuesParser::new(FindingKind::ALL.map(FindingKind::name))
        .map(|name| FindingKind::from_name(&name).expect("a name of a kind"))
}

#[derive(Args, Debug)]
pub struct RunOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    /// The seed of the random choices in the first run; each further run takes the next number
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub runs: u64,
    /// Give a run up after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_steps: usize,
    /// The format of the report
    #[arg(long, value_enum, default_value_t = RunFormat::Text)]
    pub format: RunFormat,
    /// Only the summary, no diagnostics
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunFormat {
    /// A summary for people
    Text,
    /// The findings for programs
    Json,
}

#[derive(Args, Debug)]
pub struct DeriveOptions {
    /// The program
    pub program: String,
    /// Show only actions whose title contains this text
    pub action: Option<String>,
    /// Derive also the updates that actions give
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub read: ReadOptions,
}

#[derive(Args, Debug)]
pub struct TvlaOptions {
    /// PROGRAM [INPUT] [options], the options with one dash
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "WORDS")]
    pub words: Vec<String>,
}

#[derive(Args, Debug)]
pub struct DrawOptions {
    /// The structures (.tvs), or a program (.tvp, .c, .java) whose control-flow graph is drawn
    #[arg(value_name = "FILE")]
    pub structures: String,
    #[command(flatten)]
    pub read: ReadOptions,
    /// The program that declares the predicates; without it they are guessed from their use
    #[arg(long, value_name = "PROGRAM.tvp")]
    pub spec: Option<String>,
    /// The drawing to write, .svg, .png or .dot; standard output otherwise
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write DOT even when the drawing goes to standard output
    #[arg(long)]
    pub dot: bool,
    /// Write PNG even when the drawing goes to standard output
    #[arg(long, conflicts_with = "dot")]
    pub png: bool,
    /// Overwrite the drawing if it exists
    #[arg(long)]
    pub force: bool,
    /// Draw from left to right
    #[arg(long)]
    pub rotate: bool,
    /// Show the names of individuals
    #[arg(long)]
    pub significant_names: bool,
}
