//! The arguments of the command line. For example, `trifold check list.c --quiet` is `Command::Check` with one file.

mod check;

pub use check::{CheckFormat, CheckOptions};

use crate::symbolic::arguments as symbolic;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::io::IsTerminal;
use std::path::PathBuf;
use trifold_fixpoint::{Save, Traversal};
use trifold_heap_tvl::Role;
use trifold_ir::FindingKind;
use trifold_tvl::{BlurRule, Derive, EngineOptions, Join, Order, When};

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
    #[command(after_help = ANALYZE_HELP, args_override_self = true)]
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

const ANALYZE_HELP: &str = "\
Exit status:
  0  proved: no message can fire, and what --prove asks for holds
  1  some messages may fire, a proof failed, or the specification contradicts itself
  2  the input is wrong
  3  partial: a limit was reached before everything was found

Examples:
  trifold analyze examples/tvp/sll/reverse.tvp examples/tvp/sll/sll.tvs
  trifold analyze examples/tvp/sll/delete.tvp examples/tvp/sll/sll.tvs -D NONNULL --join single --format json
  trifold analyze examples/tvp/sll/reverse.tvp examples/tvp/sll/sll.tvs --prove 'A(v) !c[n](v) @ exit'
  trifold analyze prog.tvp input.tvs --format tvs -o results   writes results/prog.tvs";

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

/// Options of everything that reads TVP or TVS text.
#[derive(Args, Debug, Clone)]
pub struct ReadOptions {
    /// Define a macro for the preprocessor (also NAME(VALUE))
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Search included files in this directory too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
}

impl ReadOptions {
    pub fn preprocessor(&self) -> trifold_tvp::Options {
        let mut options = trifold_tvp::Options { include_paths: self.include.clone(), ..Default::default() };
        self.define.iter().for_each(|option| options.define(option));
        options
    }

    /// Are diagnostics on standard error coloured?
    pub fn colour(&self) -> bool {
        self.color.wanted()
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Are diagnostics on standard error coloured?
    pub fn wanted(self) -> bool {
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && std::io::stderr().is_terminal()
            }
        }
    }
}

/// Options of everything that reads C or Java.
#[derive(Args, Debug, Clone)]
pub struct COptions {
    /// Define a macro for the preprocessor
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Search included files in this directory too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// malloc and its like may return a null pointer
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Java: report objects to which the last reference is lost, as if nobody collected them
    #[arg(long)]
    pub lost_objects: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
}

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

/// What may be tracked besides.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Track {
    /// The order of objects by data that is compared
    Order,
    /// Links that nobody reads
    Unread,
    /// Which of several links of a tree an object has
    Children,
    /// Calls as if the function stood in their place, instead of on local heaps
    InPlace,
}

/// A link with its role.
fn link_role(text: &str) -> Result<(String, Role), String> {
    let wanted = "is no STRUCT::FIELD=ROLE with the role forward, back or observer";
    let (link, role) = text.split_once('=').ok_or(wanted)?;
    let role = match role {
        "forward" => Role::Forward,
        "back" => Role::Back,
        "observer" => Role::Observer,
        _ => return Err(wanted.to_string()),
    };
    Ok((link.to_string(), role))
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
pub struct AnalyzeOptions {
    /// The program: predicates, actions and a control-flow graph
    pub program: String,
    /// The structures at the program's entry
    pub input: String,
    #[command(flatten)]
    pub read: ReadOptions,
    /// Take options from this properties file; those of the command line count more
    #[arg(long, value_name = "FILE")]
    pub props: Vec<String>,
    /// The words after `analyze` that these options were read from, where they are not those of the process.
    #[arg(skip)]
    pub words: Option<Vec<String>>,
    /// Are all properties files taken into account, also those that the program asks for?
    #[arg(skip)]
    pub settled: bool,

    /// Which structures of a location become one
    #[arg(long, value_enum, default_value_t = JoinArgument::Relational, help_heading = "Analysis")]
    pub join: JoinArgument,
    /// Operations of a step, [f][c]pu[c][b]: focus, coerce, precondition, update, coerce, blur
    #[arg(long, default_value_t = Order::default(), help_heading = "Analysis")]
    pub order: Order,
    /// How a step is computed
    #[arg(long, value_enum, default_value_t = TransformerArgument::Auto, help_heading = "Analysis")]
    pub transformer: TransformerArgument,
    /// Which individuals blur keeps apart
    #[arg(long, value_enum, default_value_t = BlurArgument::Different, help_heading = "Analysis")]
    pub blur: BlurArgument,
    /// Which locations keep their structures
    #[arg(long, value_enum, default_value_t = SaveArgument::All, help_heading = "Analysis")]
    pub save: SaveArgument,
    /// In which order locations are visited
    #[arg(long, value_enum, default_value_t = TraversalArgument::WeakTopological, help_heading = "Analysis")]
    pub traversal: TraversalArgument,
    /// Follow edges against their direction, from where the first one ends
    #[arg(long, help_heading = "Analysis")]
    pub backward: bool,
    /// Use only the consistency rules written in the program
    #[arg(long, help_heading = "Analysis")]
    pub no_automatic_constraints: bool,
    /// Leave a defined predicate as it is when an action has no update for it and does not mark it auto
    #[arg(long, help_heading = "Analysis")]
    pub no_derived_updates: bool,
    /// Derive the updates of all defined predicates, also those that actions give
    #[arg(long, help_heading = "Analysis", conflicts_with = "no_derived_updates")]
    pub derive_all_updates: bool,
    /// Keep the values of variables also where no later step reads them
    #[arg(long, help_heading = "Analysis")]
    pub keep_dead: bool,
    /// Prove that a closed formula holds of every store that reaches a location; may be given several times
    #[arg(long, value_name = "FORMULA@LOCATION", help_heading = "Analysis")]
    pub prove: Vec<String>,
    /// Do not look for runs in which messages fire
    #[arg(long, help_heading = "Analysis")]
    pub no_confirm: bool,
    /// Threads to compute with; the result does not depend on it
    #[arg(long, value_name = "N", help_heading = "Analysis", default_value_t = default_threads(), hide_default_value = true, value_parser = threads)]
    pub threads: usize,

    /// Stop when this many structures have been created
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_structures: Option<usize>,
    /// Stop when this many messages have been reported
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_messages: Option<usize>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", help_heading = "Limits", value_parser = seconds)]
    pub timeout: Option<std::time::Duration>,
    /// Stop when the process has this much memory, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", help_heading = "Limits", default_value_t = check::MEMORY)]
    pub memory: u64,

    /// What to print
    #[arg(long, value_enum, default_value_t = FormatArgument::Text, help_heading = "Output")]
    pub format: FormatArgument,
    /// Write the result into this directory instead of printing it
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write a page to explore the result: the program, the structures of its locations, messages step by step
    #[arg(long, value_name = "OUT.html", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Show for which inputs each procedure was analysed and what it makes of them; in a drawing, .svg, .png or .dot,
    /// if a file is named
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, help_heading = "Output")]
    pub summaries: Option<Option<PathBuf>>,
    /// Overwrite files that exist
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Keep the names of individuals: u.0, u.1 for the parts of u, [u,v] for u and v merged
    #[arg(long, help_heading = "Output")]
    pub significant_names: bool,
    /// Draw graphs from left to right
    #[arg(long, help_heading = "Output")]
    pub rotate: bool,
    /// Write the structures found so far into the output directory each time N more have been created
    #[arg(long, value_name = "N", requires = "output", help_heading = "Output", value_parser = clap::value_parser!(u64).range(1..))]
    pub dump: Option<u64>,
    /// Write diagnostics, progress and the debug trace into this file instead of showing them
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Show the constraints with their dependencies, every phase of every step, and each discarded structure
    #[arg(long, short = 'd', help_heading = "Output")]
    pub debug: bool,
    /// No progress, no warnings
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

impl AnalyzeOptions {
    pub fn engine(&self) -> EngineOptions {
        EngineOptions {
            order: self.order,
            join: self.join.into(),
            blur: self.blur.into(),
            automatic_constraints: !self.no_automatic_constraints,
            derive: match (self.no_derived_updates, self.derive_all_updates) {
                (true, _) => Derive::Marked,
                (false, true) => Derive::All,
                (false, false) => Derive::Missing,
            },
            // Best transformers would find the forgotten values again.
            forget_dead: !self.keep_dead && self.transformer != TransformerArgument::Best,
            trace: self.debug,
        }
    }
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

choice!(JoinArgument for Join {
    /// None: a set of structures
    Relational => Join::Relational,
    /// Those with the same individuals and nullary values
    Partial => Join::Partial,
    /// Those with the same nullary values
    Single => Join::Single,
    /// None, and nothing is blurred; ends only with a limit where a loop keeps allocating
    Concrete => Join::Concrete,
});

choice!(TransformerArgument for Option<When> {
    /// By focus, coerce and update; where a focus formula cannot be made definite, by best transformers
    Auto => Some(When::FocusFails),
    /// By focus, coerce and update alone
    Focus => None,
    /// By best transformers, which ask a solver
    Best => Some(When::Always),
});

choice!(BlurArgument for BlurRule {
    /// Those that differ in an abstraction predicate
    Different => BlurRule::Different,
    /// Those that differ definitely: 0 against 1
    Definite => BlurRule::Definite,
});

choice!(SaveArgument for Save {
    /// All locations
    All => Save::All,
    /// Locations where control flow merges
    Merge => Save::MergePoints,
    /// Targets of back edges
    Back => Save::BackEdges,
});

choice!(TraversalArgument for Traversal {
    /// After their predecessors, and inner loops to their end before outer ones go on
    WeakTopological => Traversal::WeakTopological,
    /// After their predecessors
    ReversePostOrder => Traversal::ReversePostOrder,
    /// After their successors, so that structures reach the exit early
    PostOrder => Traversal::PostOrder,
});

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatArgument {
    /// A summary for people
    Text,
    /// The result for programs
    Json,
    /// All structures, in TVS
    Tvs,
    /// All structures and the control-flow graph, for Graphviz
    Dot,
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS)
}

/// More threads than this only cost memory.
const MAX_THREADS: usize = 1024;

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=MAX_THREADS) => Ok(threads),
        _ => Err(format!("not a number from 1 to {MAX_THREADS}")),
    }
}

pub fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    std::time::Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
