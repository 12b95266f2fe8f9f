//! `trifold tvla`: a run as TVLA users write it, with TVLA's options, defaults, properties files and output files.
//!
//! The words are turned into properties, the properties into arguments of `trifold analyze`, and that is run. For
//! example, `trifold tvla reverse -join ind` becomes an analysis with `--join=single`.

use crate::arguments::{AnalyzeOptions, Arguments, Command, FormatArgument};
use crate::disk::Disk;
use crate::{Outcome, Refused, analyze, disk};
use clap::Parser;
use std::path::Path;
use trifold_source::printable_line;
use trifold_tvla::{Invocation, Settings, read_properties};

/// Analyses, and writes `PROGRAM.out.tvs` and `PROGRAM.dt` where it was started.
pub fn run(words: &[String]) -> Result<Outcome, Refused> {
    let run = Invocation::read(words, &Disk).map_err(Refused::new)?;
    let (arguments, warnings) = run.settings.arguments();
    let files = [format!("{}.tvp", run.program), run.input.clone()];
    // TVLA forgets nothing.
    let keep = "--keep-dead".to_string();
    let options = parse(files.into_iter().chain(arguments).chain([keep]))?;
    warn(&warnings, &options);
    analyze::run_and(&options, |finished| {
        let name = Path::new(&run.program).file_name().map_or("result".into(), |name| name.to_string_lossy());
        let outputs = [("tvla.tvs", "out.tvs", FormatArgument::Tvs), ("tvla.dot", "dt", FormatArgument::Dot)];
        for (family, extension, format) in outputs {
            if !run.settings.is_on(&format!("{family}.enabled")) {
                continue;
            }
            let given = run.settings.get(&format!("{family}.outputFile"));
            let path = given.map_or_else(|| format!("{name}.{extension}"), str::to_string);
            disk::write_pieces(Path::new(&path), finished.format(format, &options), true)?;
        }
        Ok(())
    })
}

/// The options with those that properties files ask for; the options themselves come last, and count.
pub fn with_properties(options: &AnalyzeOptions, files: &[String]) -> Result<AnalyzeOptions, Refused> {
    let mut settings = Settings::default();
    for file in files {
        let text = read_properties(file, &Disk)
            .map_err(Refused::new)?
            .ok_or_else(|| Refused::new(format!("there is no file {file}")))?;
        settings.set_all(&text);
    }
    let (arguments, warnings) = settings.arguments();
    let words = options.words.clone().unwrap_or_else(|| std::env::args().skip(2).collect());
    let merged = parse(arguments.into_iter().chain(words))?;
    warn(&warnings, &merged);
    Ok(merged)
}

fn parse(words: impl Iterator<Item = String>) -> Result<AnalyzeOptions, Refused> {
    let words: Vec<String> = words.collect();
    let all = ["trifold", "analyze"].map(str::to_string).into_iter().chain(words.iter().cloned());
    match Arguments::try_parse_from(all).map(|arguments| arguments.command) {
        Ok(Command::Analyze(options)) => Ok(AnalyzeOptions { words: Some(words), ..*options }),
        Ok(_) => Err(Refused::new("only analyses have properties")),
        Err(error) => Err(Refused(error.to_string())),
    }
}

fn warn(warnings: &[String], options: &AnalyzeOptions) {
    if !options.quiet {
        warnings.iter().for_each(|warning| eprintln!("warning: {}", printable_line(warning)));
    }
}
