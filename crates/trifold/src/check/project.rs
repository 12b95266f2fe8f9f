//! The input of a check: files, patterns of files, a compilation database, and the configuration of a project.

use super::files::expanded;
use crate::arguments::{Arguments, CheckOptions, Command};
use crate::{Refused, disk, source};
use clap::Parser;
use std::path::{Path, PathBuf};
use trifold_check::compile_commands::{self, CompiledFile};
use trifold_check::configuration::Configuration;
use trifold_check::suppress::Rule;
use trifold_source::printable;

/// The file that is read if it is there.
const CONFIGURATION: &str = "trifold.toml";

/// The options together with those of the configuration, and its rules. Options of the command line count more.
pub fn configured(options: &CheckOptions) -> Result<(CheckOptions, Vec<Rule>), Refused> {
    let path = match &options.config {
        Some(path) => path.clone(),
        None if Path::new(CONFIGURATION).is_file() => PathBuf::from(CONFIGURATION),
        None => return Ok((options.clone(), Vec::new())),
    };
    let shown = path.display();
    let text = source::text(&path.to_string_lossy())?;
    let configuration =
        Configuration::read(&text).map_err(|error| Refused::new(format!("{shown} cannot be read: {error}")))?;
    let configured = configuration.words(options.files.is_empty());
    let configured = configured.map_err(|why| Refused::new(format!("{shown}: {why}")))?;
    let mut words = vec!["trifold".to_string(), "check".to_string()];
    words.extend(configured);
    words.extend(std::env::args().skip(2));
    match Arguments::try_parse_from(words) {
        Ok(Arguments { command: Command::Check(options) }) => Ok((*options, configuration.suppress)),
        Ok(_) => Err(Refused::new(format!("{shown} makes this another command"))),
        Err(error) => Err(Refused(printable(&format!("{error}note: with the options of {shown}\n")).into_owned())),
    }
}

/// A file to check, with the options for it.
pub struct Job {
    pub file: String,
    pub options: CheckOptions,
}

/// Everything that is to be checked: each file once with the same directories and macros.
pub fn jobs(options: &CheckOptions) -> Result<Vec<Job>, Refused> {
    let mut jobs = Vec::new();
    for file in &options.files {
        for file in expanded(file)? {
            jobs.push(Job { file, options: options.clone() });
        }
    }
    if let Some(path) = &options.compile_commands {
        jobs.extend(compiled(path, options)?);
    }
    if jobs.is_empty() {
        return Err(Refused::new("there is no file to check; see `trifold check --help`"));
    }
    let mut seen = std::collections::BTreeSet::new();
    jobs.retain(|Job { file, options }| {
        let source = &options.source;
        seen.insert((file.clone(), source.define.clone(), source.include.clone(), source.bits))
    });
    Ok(jobs)
}

/// The C files of a compilation database, with the directories, the macros and the target of their commands. Files and
/// flags that are left out are told.
fn compiled(path: &Path, options: &CheckOptions) -> Result<Vec<Job>, Refused> {
    let text = source::text(&path.to_string_lossy())?;
    let here = std::env::current_dir().unwrap_or_default();
    let mut warn = |warning: String| eprintln!("warning: {warning}");
    let files = compile_commands::files(&text, &disk::name(path), &here, &mut warn);
    let files = files.map_err(|error| Refused::new(format!("{} cannot be read: {error}", path.display())))?;
    let job = |compiled: CompiledFile| {
        let mut options = options.clone();
        options.source.define.extend(compiled.define);
        options.source.include.extend(compiled.include);
        options.source.bits = compiled.bits.unwrap_or(options.source.bits);
        Job { file: compiled.file, options }
    };
    Ok(files.into_iter().map(job).collect())
}
