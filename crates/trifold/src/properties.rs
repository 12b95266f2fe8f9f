//! Properties files of TVLA as options of `trifold analyze`. For example, `tvla.joinType = rel` is `--join=relational`.

use crate::Refused;
use crate::arguments::{AnalyzeOptions, Arguments, Command};
use clap::Parser;
use trifold_machine::disk::Disk;
use trifold_source::printable_line;
use trifold_tvla::{Settings, read_properties};

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

/// The options that words of the command line stand for.
pub fn parse(words: impl Iterator<Item = String>) -> Result<AnalyzeOptions, Refused> {
    let words: Vec<String> = words.collect();
    let all = ["trifold", "analyze"].map(str::to_string).into_iter().chain(words.iter().cloned());
    match Arguments::try_parse_from(all).map(|arguments| arguments.command) {
        Ok(Command::Analyze(options)) => Ok(AnalyzeOptions { words: Some(words), ..*options }),
        Ok(_) => Err(Refused::new("only analyses have properties")),
        Err(error) => Err(Refused(error.to_string())),
    }
}

/// Says what of the properties has no meaning here.
pub fn warn(warnings: &[String], options: &AnalyzeOptions) {
    if !options.quiet {
        warnings.iter().for_each(|warning| eprintln!("warning: {}", printable_line(warning)));
    }
}
