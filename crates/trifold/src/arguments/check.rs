//! The arguments of checks.

use super::common::{COptions, LimitOptions};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use trifold_check::DomainName;
use trifold_heap_tvl::{Calls, Precision, Role, Unread};

#[derive(Args, Debug, Clone)]
pub struct CheckOptions {
    /// The programs, in C or Java: files, directories with all that is below them, or patterns, in which * and ? are
    /// expanded, and ** for directories. Files in C that need each other are linked
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// Leave out files that fit this pattern, or are below a directory that does; without a slash it is the name of a
    /// file or directory anywhere
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Check the C files of this compilation database, with the directories and macros of their commands
    #[arg(long, value_name = "compile_commands.json")]
    pub compile_commands: Option<PathBuf>,
    /// Take options from this file instead of trifold.toml; those of the command line count more
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Findings of this file do not count
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to a file for --baseline
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// The function where execution starts: main, or else all functions in turn
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// Analyse all functions as a library, used in any way, even if there is a main
    #[arg(long, conflicts_with = "entry")]
    pub library: bool,
    #[command(flatten)]
    pub source: COptions,
    /// Report objects that are still reachable from global variables when the program ends as leaks
    #[arg(long)]
    pub leaks_at_exit: bool,
    /// The abstract domain
    #[arg(long, value_enum, default_value_t = DomainChoice::Auto)]
    pub domain: DomainChoice,
    /// Functions that need something of their callers count as findings
    #[arg(long)]
    pub strict: bool,
    /// Do not look for runs that confirm findings
    #[arg(long)]
    pub no_confirm: bool,
    /// Write a program for each confirmed bug, with which a compiler or Java shows it, to this directory
    #[arg(long, value_name = "DIR", conflicts_with = "no_confirm")]
    pub reproduce: Option<PathBuf>,
    /// Compile and run these programs, and say what the sanitizers or Java say
    #[arg(long, conflicts_with = "no_confirm")]
    pub verify_bugs: bool,
    /// Say which properties of shapes are tracked, and why
    #[arg(long)]
    pub explain: bool,
    /// Track more from the beginning, not only if less proves nothing (three-valued domain)
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub track: Vec<Track>,
    /// The role of a link, forward, back or observer, instead of the one that is chosen: node::prev=back; --explain
    /// names the links (three-valued domain)
    #[arg(long, value_name = "STRUCT::FIELD=ROLE", value_parser = link_role)]
    pub link: Vec<(String, Role)>,
    /// Keep the values of variables also where no later statement reads them
    #[arg(long)]
    pub keep_dead: bool,
    /// Summaries of functions whose calls are made on local heaps: the inputs that each was analysed for, with its
    /// results; drawn if a file is named, such as calls.svg
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub summaries: Option<Option<PathBuf>>,
    /// Draw the shapes at loop heads and at the ends of functions, and those before findings: .svg, .png or .dot
    #[arg(long, value_name = "FILE")]
    pub shapes: Option<PathBuf>,
    /// Draw the shapes before the statements of these lines instead
    #[arg(long, value_name = "LINE", value_delimiter = ',', requires = "shapes")]
    pub at: Vec<usize>,
    /// Write a page to explore the result: the program, the shapes at its points, findings step by step
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,
    /// Write the specification that is analysed to NAME.tvp, and its input to NAME.tvs
    #[arg(long, value_name = "NAME")]
    pub emit_tvp: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    pub force: bool,
    /// Do this many times the usual work before an analysis is given up; work is the same on every machine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub work: u64,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// The format of the report
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,
    /// Only the summary, no diagnostics
    #[arg(long, short)]
    pub quiet: bool,
}

impl CheckOptions {
    /// The options as the library has them.
    pub fn settings(&self) -> trifold_check::Options {
        trifold_check::Options {
            entry: self.entry.clone(),
            library: self.library,
            malloc_may_fail: self.source.malloc_may_fail,
            lost_objects: self.source.lost_objects,
            leaks_at_exit: self.leaks_at_exit,
            domain: self.domain.into(),
            confirm: !self.no_confirm,
            precision: self.precision(),
            roles: self.link.iter().cloned().collect(),
            keep_dead: self.keep_dead,
            keep_shapes: self.html.is_some() || self.shapes.is_some(),
            keep_summaries: self.summaries.is_some(),
            work: self.work,
            threads: self.limits.threads,
            max_structures: self.limits.max_structures,
            timeout: self.limits.timeout,
            memory: self.limits.memory,
        }
    }

    /// The properties that are tracked from the beginning.
    pub fn precision(&self) -> Precision {
        let has = |wanted| self.track.contains(&wanted);
        Precision {
            ordered: has(Track::Order),
            unread: if has(Track::Unread) { Unread::Tracked } else { Unread::default() },
            apart: has(Track::Children),
            calls: if has(Track::InPlace) { Calls::InPlace } else { Calls::default() },
            dead: self.keep_dead,
            ..Precision::default()
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckFormat {
    /// Diagnostics, and a summary for people
    Text,
    /// Everything, for programs
    Json,
    /// Findings with their traces, for code hosts and editors (SARIF 2.1.0)
    Sarif,
    /// A test case per function, for build servers (JUnit XML)
    Junit,
}

choice!(DomainChoice for Option<DomainName> {
    /// Both, in turns that get longer, until one proves everything; the proofs of either count
    Auto => None,
    /// Three-valued structures
    Tvl => Some(DomainName::ThreeValued),
    /// Shape graphs over checkers
    Checkers => Some(DomainName::SeparationLogic),
});

/// Further properties that may be tracked.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Track {
    /// The order of objects by data that is compared
    Order,
    /// Links that no statement reads
    Unread,
    /// Which of several links of a tree an object has
    Children,
    /// Calls as if the function stood in their place, instead of on local heaps
    InPlace,
}

/// A link and its role.
fn link_role(text: &str) -> Result<(String, Role), String> {
    let wanted = "is no STRUCT::FIELD=ROLE with the role forward, back or observer";
    let (link, role) = text.split_once('=').ok_or(wanted)?;
    Ok((link.to_string(), Role::named(role).ok_or(wanted)?))
}
