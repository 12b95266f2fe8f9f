//! The input of a check: files, directories, patterns of files, modules, a compilation database, and the configuration
//! of a project.

use crate::Refused;
use crate::arguments::{Arguments, COptions, CheckOptions, Command};
use clap::Parser;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use trifold_check::compile_commands::{self, CompiledFile, Surroundings};
use trifold_check::configuration::{Configuration, Module};
use trifold_check::pattern::Excluded;
use trifold_machine::disk;
use trifold_machine::files::expanded;
use trifold_source::printable;

/// The file that is read if it is there.
const CONFIGURATION: &str = "trifold.toml";

/// The options together with those of the configuration, and its modules and rules. Options of the command line count
/// more.
pub fn configured(options: &CheckOptions) -> Result<(CheckOptions, Configuration), Refused> {
    let path = match &options.config {
        Some(path) => path.clone(),
        None if Path::new(CONFIGURATION).is_file() => PathBuf::from(CONFIGURATION),
        None => return Ok((options.clone(), Configuration::default())),
    };
    let shown = path.display();
    let text = disk::text(&path.to_string_lossy())?;
    let mut configuration =
        Configuration::read(&text).map_err(|error| Refused::new(format!("{shown} cannot be read: {error}")))?;
    let names_files = !options.files.is_empty() || options.compile_commands.is_some();
    let configured = configuration.words(options.files.is_empty());
    let configured = configured.map_err(|why| Refused::new(format!("{shown}: {why}")))?;
    let mut words = vec!["trifold".to_string(), "check".to_string()];
    words.extend(configured);
    words.extend(std::env::args().skip(2));
    match Arguments::try_parse_from(words) {
        Ok(Arguments { command: Command::Check(options) }) => {
            if names_files {
                configuration.modules.clear();
            }
            Ok((*options, configuration))
        }
        Ok(_) => Err(Refused::new(format!("{shown} makes this another command"))),
        Err(error) => Err(Refused(printable(&format!("{error}note: with the options of {shown}\n")).into_owned())),
    }
}

/// A file to check, with the options for it.
pub struct Input {
    pub file: String,
    pub options: COptions,
    /// The module that it belongs to, if the configuration says so.
    pub module: Option<usize>,
}

/// Everything that is to be checked: each file once with the same flags. The modules of the configuration count unless
/// files are named.
pub fn inputs(options: &CheckOptions, modules: &[Module]) -> Result<Vec<Input>, Refused> {
    let excluded = Excluded::new(&options.exclude).map_err(Refused::new)?;
    let mut inputs = Vec::new();
    let mut add = |names: &[String], options: &COptions, module| -> Result<(), Refused> {
        for name in names {
            let files = expanded(name)?.into_iter().filter(|file| !excluded.fits(file));
            inputs.extend(files.map(|file| Input { file, options: options.clone(), module }));
        }
        Ok(())
    };
    add(&options.files, &options.source, None)?;
    for (number, module) in modules.iter().enumerate() {
        let mut source = options.source.clone();
        source.define.extend(module.define.iter().cloned());
        source.include.extend(module.include.iter().cloned());
        add(&module.files, &source, Some(number))?;
    }
    if let Some(path) = &options.compile_commands {
        inputs.extend(compiled(path, &options.source)?.into_iter().filter(|input| !excluded.fits(&input.file)));
    }
    if inputs.is_empty() {
        return Err(Refused::new("there is no file to check; see `trifold check --help`"));
    }
    let mut seen = BTreeSet::new();
    inputs.retain(|Input { file, options, module }| {
        seen.insert((file.clone(), options.preprocessor(), options.bits, *module))
    });
    Ok(inputs)
}

/// The C files of a compilation database, with the flags and the target of their commands. Files and flags that are
/// left out are told.
fn compiled(path: &Path, options: &COptions) -> Result<Vec<Input>, Refused> {
    let text = disk::text(&path.to_string_lossy())?;
    let here = std::env::current_dir().unwrap_or_default();
    let mut around = Surroundings {
        database: &disk::name(path),
        here: &here,
        read: &|file| disk::text(file).ok(),
        warn: &mut |warning| eprintln!("warning: {warning}"),
    };
    let files = compile_commands::files(&text, &mut around);
    let files = files.map_err(|error| Refused::new(format!("{} cannot be read: {error}", path.display())))?;
    let input = |compiled: CompiledFile| {
        let bits = compiled.bits.unwrap_or(options.bits);
        Input {
            file: compiled.file,
            options: COptions { flags: compiled.flags, bits, ..options.clone() },
            module: None,
        }
    };
    Ok(files.into_iter().map(input).collect())
}
