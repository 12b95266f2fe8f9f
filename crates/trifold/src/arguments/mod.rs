//! What can be said on the command line.

#![allow(rustdoc::broken_intra_doc_links, reason = "comments are help texts, where brackets are no links")]

mod analyze;
mod check;
mod common;
pub mod symbolic;

pub use analyze::{AnalyzeOptions, FormatArgument};
pub use check::{CheckFormat, CheckOptions};
pub use common::{COptions, Colour, ReadOptions};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use trifold_ir::FindingKind;

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
    #[command(after_help = symbolic::ABSTRACT_HELP)]
    Abstract(symbolic::AbstractOptions),
    /// Analyse a TVP program from the structures of a TVS file.
    #[command(after_help = analyze::ANALYZE_HELP, args_override_self = true)]
    Analyze(Box<AnalyzeOptions>),
    /// Refine structures to what they can be when a formula holds, as precisely as possible.
    #[command(after_help = symbolic::ASSUME_HELP)]
    Assume(symbolic::AssumeOptions),
    /// Carry out actions on structures, as precisely as possible.
    #[command(after_help = symbolic::BEST_TRANSFORMER_HELP)]
    BestTransformer(symbolic::BestTransformerOptions),
    /// Prove that C programs are memory-safe and leak nothing, or show where they may fail.
    #[command(after_help = check::CHECK_HELP, args_override_self = true)]
    Check(Box<CheckOptions>),
    /// Write the completions of a shell, or a manual page.
    #[command(after_help = COMPLETIONS_HELP)]
    Completions(CompletionsOptions),
    /// Show the updates that are derived for defined predicates.
    #[command(after_help = DERIVE_HELP)]
    Derive(DeriveOptions),
    /// Draw structures or control-flow graphs as SVG or DOT; no other program is needed.
    #[command(after_help = DRAW_HELP)]
    Draw(DrawOptions),
    /// Tell whether structures represent nothing but what others represent.
    #[command(after_help = symbolic::ENTAILS_HELP)]
    Entails(symbolic::TwoOptions),
    /// Tell what a kind of finding means, with an example.
    #[command(after_help = EXPLAIN_HELP)]
    Explain(ExplainOptions),
    /// Show the formula that holds of what structures represent, in the syntax of TVP, SMT-LIB 2 or TPTP.
    #[command(after_help = symbolic::FORMULA_HELP)]
    Formula(symbolic::FormulaOptions),
    /// Abstract the stores that two sets of structures have in common, as precisely as possible.
    #[command(after_help = symbolic::MEET_HELP)]
    Meet(symbolic::TwoOptions),
    /// Execute a C or Java program with random inputs, and report memory errors, leaks and failed assertions.
    #[command(after_help = RUN_HELP)]
    Run(RunOptions),
    /// Show the heap program that a C or Java program becomes.
    #[command(after_help = TRANSLATE_HELP)]
    Translate(TranslateArguments),
    /// Analyse as TVLA 3 would: with its options, defaults, properties files and output files.
    #[command(after_help = TVLA_HELP)]
    Tvla(TvlaOptions),
}

const COMPLETIONS_HELP: &str = "\
Exit status: 0 written, 2 there is no such shell.

Examples:
  trifold completions bash > ~/.local/share/bash-completion/completions/trifold
  trifold completions man > ~/.local/share/man/man1/trifold.1
  trifold completions man check > ~/.local/share/man/man1/trifold-check.1";

const DERIVE_HELP: &str = "\
In the formulas, p' is the new value of p.
Exit status: 0 shown, 2 the input is wrong.

Example:
  trifold derive examples/tvp/sll/reverse.tvp \"y->n = t\"";

const DRAW_HELP: &str = "\
The kind of drawing follows from the name after -o: .svg, .png or .dot.
Exit status: 0 drawn, 2 the input is wrong.

Examples:
  trifold draw examples/tvp/sll/sll.tvs --spec examples/tvp/sll/reverse.tvp -o lists.svg
  trifold draw results/prog.tvs > structures.svg
  trifold draw results/prog.tvs -o structures.png
  trifold draw examples/tvp/sll/reverse.tvp -o flow.svg";

const EXPLAIN_HELP: &str = "\
Exit status: 0 shown, 2 there is no such kind.

Example:
  trifold explain use-after-free";

const RUN_HELP: &str = "\
What the program leaves open is chosen at random: the results of rand, of __VERIFIER_nondet_* and of other functions that
are not defined in the file, and the values of variables that are read before they are set. A run proves nothing about
other runs.

A file with directives goes through `cc -E`, or what the environment variable CC says; a file whose name ends in .i does
not.

Exit status:
  0  no run went wrong
  1  something went wrong
  2  the input is wrong
  3  nothing went wrong, but some runs were given up: at a limit, or at something that is not analysed

Examples:
  trifold run list.c
  trifold run list.c --seed 17 --runs 1";

const TRANSLATE_HELP: &str = "\
Exit status: 0 shown, 2 the input is wrong.

Example:
  trifold translate list.c";

const TVLA_HELP: &str = "\
PROGRAM and INPUT are named with or without .tvp and .tvs; INPUT is PROGRAM unless given. PROGRAM.properties is read if it
exists. PROGRAM.out.tvs and PROGRAM.dt are written to the current directory, also when they exist.

Options of TVLA:
  -join rel|part|ind|conc   -action [f][c]pu[c]b   -save all|ext|back   -post   -backward   -noautomatic
  -DNAME[(VALUE)]   -path DIR;DIR   -props FILE   -ms N   -mm N
  -tvs FILE   -dot FILE   -log FILE   -rotate   -significant   -d   -terse   -nowarnings
accepted with a warning, because there is nothing like it here:
  -td   -td.dot DIR   -tr   -tr:tvs FILE   -tr:dot FILE   -xml FILE   -dump N   -mode ENGINE
and of Trifold: --format text|json|tvs|dot for what is printed, --threads N.

Exit status: that of trifold analyze.

Example:
  trifold tvla reverse sll -join rel";

#[derive(Args, Debug)]
pub struct CompletionsOptions {
    /// The shell
    #[arg(value_enum)]
    pub shell: ShellChoice,
    /// The command that a manual page is about, such as check
    pub command: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShellChoice {
    /// The Bourne Again Shell
    Bash,
    /// Elvish
    Elvish,
    /// The friendly interactive shell
    Fish,
    /// PowerShell
    Powershell,
    /// The Z shell
    Zsh,
    /// No shell: a manual page, in roff
    Man,
}

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
    /// The program, in C or Java
    pub file: String,
    /// The function where execution starts
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    #[command(flatten)]
    pub source: COptions,
    /// The seed of the random choices in the first run; each further run takes the next number
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub runs: u64,
    /// Give a run up after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_steps: usize,
    /// What to print
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
pub struct TranslateArguments {
    /// The program, in C or Java
    pub file: String,
    /// The function where execution starts
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    #[command(flatten)]
    pub source: COptions,
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
