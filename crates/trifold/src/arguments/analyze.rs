//! The options of `trifold analyze`.

#![allow(rustdoc::broken_intra_doc_links, reason = "comments are help texts, where brackets are no links")]

use super::common::{LimitOptions, ReadOptions};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use trifold_fixpoint::{Save, Traversal};
use trifold_tvl::{BlurRule, Derive, EngineOptions, Join, Order, When};

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

    #[command(flatten)]
    pub limits: LimitOptions,
    /// Stop when this many messages have been reported
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_messages: Option<usize>,

    /// The format of the result
    #[arg(long, value_enum, default_value_t = FormatArgument::Text, help_heading = "Output")]
    pub format: FormatArgument,
    /// Write the result into this directory instead of printing it
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write a page to explore the result: the program, the structures of its locations, messages step by step
    #[arg(long, value_name = "OUT.html", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Summaries of procedures: the inputs that each was analysed for, with its results; drawn if a file is named,
    /// such as calls.svg
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
            // Best transformers would find out again what is forgotten.
            forget_dead: !self.keep_dead && self.transformer != TransformerArgument::Best,
            trace: self.debug,
        }
    }
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

// Each has the extension of its files.
choice!(FormatArgument for &'static str {
    /// A summary for people
    Text => "txt",
    /// The result for programs
    Json => "json",
    /// All structures, in TVS
    Tvs => "tvs",
    /// All structures and the control-flow graph, for Graphviz
    Dot => "dot",
});
