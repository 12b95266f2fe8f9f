//! `cargo xtask bench tvla`: programs written for TVLA, analysed by Trifold and by TVLA, side by side.
//!
//! The programs are in a directory outside of the repository and stay as they are. Each is run by `trifold tvla`, in
//! its own directory and with TVLA's defaults, and by TVLA itself when its jar is given. Where it is not, results that
//! were recorded before can take its place. For example, a line of the table says that both tools find 17 structures
//! for `sll/reverse`, and how long each takes.

mod figures;
mod list;
mod ours;
mod table;
#[cfg(test)]
mod tests;
mod theirs;

use crate::{build, process, read};
use clap::{Parser, ValueEnum};
use figures::Figures;
use list::Run;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Run programs of another directory with `trifold tvla`, and compare with TVLA.
#[derive(Parser, Debug)]
#[command(name = "cargo xtask bench tvla")]
struct Options {
    /// The directory with the programs
    #[arg(long, value_name = "DIR")]
    root: PathBuf,
    /// The jar of TVLA, to run it as well
    #[arg(long, value_name = "JAR")]
    tvla: Option<PathBuf>,
    /// The programs to run: directory,program,input,options, with a header; otherwise all programs that have an input
    #[arg(long, value_name = "CSV")]
    list: Option<PathBuf>,
    /// Results of TVLA that were recorded before, one row for each run
    #[arg(long, value_name = "CSV")]
    figures: Option<PathBuf>,
    /// Results of TVLA that were recorded before, one row for each location of a run
    #[arg(long, value_name = "CSV")]
    locations: Option<PathBuf>,
    /// Only runs whose directory, program and options contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Seconds that a run may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
    /// Runs of both tools, of which the fastest counts
    #[arg(long, value_name = "N", default_value_t = 1)]
    runs: usize,
    /// Threads of Trifold
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// The format of the table
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Csv,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// With a fixpoint.
    Done,
    /// An update broke a consistency rule.
    Breach,
    /// It took too long.
    Timeout,
    /// The program or its input was not accepted.
    Rejected,
}

/// The result of one tool; figures that are not known are absent.
#[derive(Clone, PartialEq, Debug)]
struct Measured {
    outcome: Outcome,
    /// Structures of all locations.
    saved: Option<usize>,
    /// How many messages: distinct ones of Trifold, structures with messages of TVLA.
    messages: Option<usize>,
    /// The locations with messages.
    message_locations: Option<BTreeSet<String>>,
    /// The number of structures of each location that is printed.
    structures: Option<BTreeMap<String, usize>>,
    /// The time of the analysis alone, as the tool itself measures it.
    analysis_s: Option<f64>,
    /// The time from start to end of the process.
    process_s: Option<f64>,
    /// The most memory that the process had.
    memory_mb: Option<f64>,
    /// Its output when it was of no use.
    complaint: String,
}

impl Measured {
    fn without_result(outcome: Outcome) -> Measured {
        Measured {
            outcome,
            saved: None,
            messages: None,
            message_locations: None,
            structures: None,
            analysis_s: None,
            process_s: None,
            memory_mb: None,
            complaint: String::new(),
        }
    }
}

/// Runs everything and prints a table.
pub fn run(words: &[String]) -> ExitCode {
    let options = Options::parse_from(["cargo xtask bench tvla"].into_iter().chain(words.iter().map(String::as_str)));
    let compared = build().and_then(|trifold| compare(&options, &trifold, |row| table::print(row, options.format)));
    match compared {
        Ok(summary) => {
            if options.format == Format::Text {
                println!("\n{summary}");
            }
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// One run with its results.
struct Row<'a> {
    run: &'a Run,
    ours: Measured,
    theirs: Option<Measured>,
}

/// The fastest of several runs. The others differ in nothing but what else the machine did. A run without a result is
/// not repeated.
fn fastest(options: &Options, mut measure: impl FnMut() -> Measured) -> Measured {
    let mut best = measure();
    for _ in 1..options.runs {
        if best.outcome != Outcome::Done {
            break;
        }
        let next = measure();
        if next.analysis_s < best.analysis_s {
            best = next;
        }
    }
    best
}

fn compare(options: &Options, trifold: &Path, mut show: impl FnMut(&Row)) -> Result<table::Summary, String> {
    let mut runs = match &options.list {
        Some(csv) => list::read(&read(csv)?)?,
        None => list::discover(&options.root)?,
    };
    runs.retain(|run| run.title().contains(&options.filter));
    let figures = Figures::read(options.figures.as_deref(), options.locations.as_deref())?;
    let quiet = process::Scratch::new().map_err(|error| format!("no temporary file: {error}"))?;
    let limit = Duration::from_secs(options.timeout);
    let mut summary = table::Summary::default();
    table::header(options.format);
    for run in &runs {
        let ours = fastest(options, || ours::measure(trifold, &options.root, run, &quiet, limit, options.threads));
        let theirs = match &options.tvla {
            Some(jar) => Some(fastest(options, || theirs::measure(jar, &options.root, run, &quiet, limit))),
            None => figures.of(run),
        };
        let row = Row { run, ours, theirs };
        show(&row);
        summary.add(&row);
    }
    Ok(summary)
}
