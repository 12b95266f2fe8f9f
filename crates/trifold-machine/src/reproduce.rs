//! Reproducers as files, and what compilers and the Java machine say of them.
//!
//! Files are written to a directory in which nothing else is, unless that is allowed: a file that Trifold did not make
//! is never overwritten.

use crate::timed;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use trifold_check::Checked;
use trifold_check::reproduce::{self, MARK, Setting};
use trifold_check::reproducer::judge::{Expected, Output, judge};
use trifold_check::reproducer::{self, Judgement, Reproducer};

/// So much time have a compiler and a run, each.
const COMPILE: Duration = Duration::from_secs(60);
const RUN: Duration = Duration::from_secs(10);

/// A directory of reproducers.
pub struct Workshop {
    directory: Place,
    /// Are the reproducers compiled and run?
    verify: bool,
    /// For each stem of a file, how many of its bugs have a name.
    names: BTreeMap<String, usize>,
}

enum Place {
    Named(PathBuf),
    /// It goes with its files.
    Temporary(TempDir),
}

impl Workshop {
    /// The directory of this name, or a temporary one. It must have no file that Trifold did not make, unless these may
    /// be overwritten.
    pub fn open(directory: Option<&Path>, verify: bool, force: bool) -> Result<Workshop, String> {
        let directory = match directory {
            Some(path) => {
                let failed = |error| format!("cannot create directory {}: {error}", path.display());
                std::fs::create_dir_all(path).map_err(failed)?;
                if !force {
                    refuse_others(path, path)?;
                }
                Place::Named(path.to_path_buf())
            }
            None => {
                let failed = |error| format!("cannot create a temporary directory: {error}");
                Place::Temporary(tempfile::Builder::new().prefix("trifold-").tempdir().map_err(failed)?)
            }
        };
        Ok(Workshop { directory, verify, names: BTreeMap::new() })
    }

    fn path(&self) -> &Path {
        match &self.directory {
            Place::Named(path) => path,
            Place::Temporary(directory) => directory.path(),
        }
    }

    /// Makes reproducers for all bugs of a check, writes them, and has them judged if that is wanted. The directory of
    /// the setting is that of the workshop.
    pub fn reproduce(&mut self, checked: &mut Checked, setting: Setting) -> Result<(), String> {
        let setting = Setting { directory: self.path().to_string_lossy().into_owned(), ..setting };
        let path = checked.translated.files.first().cloned().unwrap_or_default();
        let stem = Path::new(&path).file_stem().map_or("bug".into(), |stem| stem.to_string_lossy().into_owned());
        let stem: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let number = self.names.entry(stem.clone()).or_default();
        reproduce::reproduce(checked, &setting, &mut || {
            *number += 1;
            format!("{stem}_{number}")
        });
        let of_functions = checked.report.functions.iter_mut().flat_map(|function| &mut function.findings);
        for finding in of_functions.chain(&mut checked.report.elsewhere) {
            let Some(Ok(reproduced)) = &mut finding.reproduced else { continue };
            self.write(&reproduced.reproducer)?;
            if self.verify {
                reproduced.judgement = Some(verify(&reproduced.reproducer, &path, &setting.directory)?);
            }
            reproduced.is_kept = matches!(self.directory, Place::Named(_));
        }
        Ok(())
    }

    fn write(&self, reproducer: &Reproducer) -> Result<(), String> {
        for (name, text) in &reproducer.files {
            let path = self.path().join(name);
            let failed = |error| format!("cannot write {}: {error}", path.display());
            path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
            std::fs::write(&path, text).map_err(failed)?;
        }
        Ok(())
    }
}

/// Is everything in a directory ours: files with our mark, and what compilers made of them?
fn refuse_others(path: &Path, whole: &Path) -> Result<(), String> {
    let failed = |error| format!("cannot read directory {}: {error}", path.display());
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?.path();
        if entry.is_dir() {
            refuse_others(&entry, whole)?;
        } else if !is_ours(&entry) {
            let (entry, whole) = (entry.display(), whole.display());
            return Err(format!("{entry} is not a reproducer: give --reproduce another directory than {whole}"));
        }
    }
    Ok(())
}

fn is_ours(path: &Path) -> bool {
    let has_mark = |path: &Path| {
        let text = std::fs::read(path).unwrap_or_default();
        let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(first).contains(MARK)
    };
    let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
    match extension.as_deref() {
        None => has_mark(&path.with_extension("c")),
        // Classes are made of Java programs, which are not ours.
        Some("class") => true,
        Some(_) => has_mark(path),
    }
}

/// Compiles a reproducer and runs it.
fn verify(reproducer: &Reproducer, path: &str, directory: &str) -> Result<Judgement, String> {
    for command in &reproducer.compile {
        let compiled = run(command, COMPILE)?;
        if !compiled.status.is_some_and(|status| status.success()) {
            let first = compiled.errors.lines().find(|line| line.contains("error")).unwrap_or("no reason is given");
            // The name of a temporary directory is another one each time.
            let first = trifold_source::printable_line(first).replace(directory, "DIR");
            return Ok(Judgement::NotConfirmed(format!("it does not compile: {first}")));
        }
    }
    let ended = run(&reproducer.run, RUN)?;
    let status = ended.status.and_then(|status| status.code());
    let output = Output { status, timed_out: ended.status.is_none(), errors: &ended.errors };
    let Reproducer { kind, language, checkers, is_shared, .. } = reproducer;
    Ok(judge(&Expected { kind: *kind, language: *language, path, checkers, is_shared: *is_shared }, &output))
}

fn run(command: &reproducer::Command, time: Duration) -> Result<timed::Ended, String> {
    let Some((program, arguments)) = command.words.split_first() else { return Err("no command".to_string()) };
    timed::run(Command::new(program).args(arguments), time).map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("--verify-bugs needs `{program}`, which is not there"),
        _ => format!("cannot run `{program}`: {error}"),
    })
}
