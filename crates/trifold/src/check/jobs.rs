//! Programs to check: the files of a command, read, and linked where they belong together.

use super::project::Input;
use crate::arguments::CheckOptions;
use crate::{Refused, source};
use std::collections::BTreeMap;
use trifold_check::configuration::Module;
use trifold_check::programs::{Linkable, programs};
use trifold_check::{Source, Unit};
use trifold_machine::programs::read_all;

/// A program to check, with the options for it.
pub struct Job {
    /// Its name in reports.
    pub name: String,
    /// The texts, or why they cannot be read.
    pub source: Result<Source, Refused>,
    pub options: CheckOptions,
}

/// Reads all files, and links them. Reasons why some are not linked are told.
pub fn jobs(inputs: &[Input], modules: &[Module], options: &CheckOptions) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut members: BTreeMap<usize, Vec<&Input>> = BTreeMap::new();
    for input in inputs {
        input.module.iter().for_each(|module| members.entry(*module).or_default().push(input));
    }
    let free: Vec<&Input> = inputs.iter().filter(|input| input.module.is_none()).collect();
    for group in linked(&free, options.library) {
        jobs.push(job(&group, None, options));
    }
    for (module, files) in members {
        let files: Vec<Read<'_>> = files.iter().copied().zip(read(&files)).collect();
        jobs.push(job(&files, Some(&modules[module].name), options));
    }
    jobs
}

type Read<'i> = (&'i Input, Result<Unit, Refused>);

fn read(inputs: &[&Input]) -> Vec<Result<Unit, Refused>> {
    read_all(&inputs.iter().map(|input| (input.file.as_str(), input.options.reading())).collect::<Vec<_>>())
}

/// The files of each program. A single file needs no linker, and neither do classes of a library.
fn linked<'i>(inputs: &[&'i Input], is_library: bool) -> Vec<Vec<Read<'i>>> {
    let mut read: Vec<Read<'i>> = inputs.iter().copied().zip(read(inputs)).collect();
    if read.len() < 2 {
        return read.into_iter().map(|file| vec![file]).collect();
    }
    let linkable = read.iter().map(|(input, unit)| Linkable {
        path: input.file.clone(),
        symbols: unit.as_ref().ok().and_then(|unit| match &unit.classes {
            None => trifold_c::symbols(source::target(&input.options), &unit.path, &unit.text),
            Some(classes) => classes.symbols().filter(|_| !is_library),
        }),
        kind: input.options.bits,
    });
    let found = programs(&linkable.collect::<Vec<_>>());
    found.notes.iter().for_each(|note| eprintln!("warning: {note}"));
    // A file that several programs share is in each of them.
    let mut copy = |index: &usize| {
        let (input, unit) = &mut read[*index];
        let unit = match unit {
            Ok(unit) => Ok(unit.clone()),
            refused => std::mem::replace(refused, Err(Refused::new(""))),
        };
        (*input, unit)
    };
    found.programs.iter().map(|program| program.iter().map(&mut copy).collect()).collect()
}

fn job(files: &[Read<'_>], name: Option<&str>, options: &CheckOptions) -> Job {
    let (first, _) = files[0];
    let options = CheckOptions { source: first.options.clone(), ..options.clone() };
    let mut units = Vec::new();
    for (input, unit) in files {
        match unit {
            Ok(unit) => units.push(unit.clone()),
            Err(Refused(why)) => {
                return Job { name: input.file.clone(), source: Err(Refused(why.clone())), options };
            }
        }
    }
    let mut source = Source::of(units, source::target(&options.source));
    if let Some(name) = name {
        source.name = name.to_string();
    }
    Job { name: source.name.clone(), source: Ok(source), options }
}
