//! `trifold run`: executes a program in the concrete interpreter, with random values for everything that is left open,
//! and reports failures. `trifold translate`: shows the heap program that is executed.

use crate::arguments::{ProgramOptions, RunFormat, RunOptions};
use crate::{Outcome, Refused, source};
use trifold_check::runs::{Runs, execute};
use trifold_check::source::Start;
use trifold_machine::disk;
use trifold_source::render;

pub fn translate(options: &ProgramOptions) -> Result<Outcome, Refused> {
    let translated = source::translated(&options.files, Start::At(&options.entry), &options.source)?;
    disk::print(&trifold_ir::print(&translated.program))?;
    Ok(Outcome::Success)
}

pub fn run(options: &RunOptions) -> Result<Outcome, Refused> {
    let ProgramOptions { files, entry, source } = &options.program;
    let translated = source::translated(files, Start::At(entry), source)?;
    let RunOptions { seed, runs, max_steps, .. } = *options;
    let settings = Runs { seed, runs, max_steps, lost_objects: source.lost_objects };
    let report = execute(&translated, entry, &settings).map_err(Refused::new)?;
    if !options.quiet {
        for found in &report.found {
            eprintln!("{}\n", render(&found.diagnostic(), &translated.sources, source.color.wanted()));
        }
    }
    disk::print(&match options.format {
        RunFormat::Text => report.summary(),
        RunFormat::Json => report.json(&translated),
    })?;
    Ok(match (report.errors(), report.given_up()) {
        (0, 0) => Outcome::Success,
        (0, _) => Outcome::Partial,
        _ => Outcome::Findings,
    })
}
