//! The list of runs: programs with their inputs and options, from a CSV file or found in a directory.

use crate::columns;
use std::collections::BTreeSet;
use std::path::Path;

/// A program, its input and the options of TVLA for it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Run {
    /// From the root.
    pub directory: String,
    /// Without extension.
    pub program: String,
    /// Without extension.
    pub input: String,
    /// Separated by blanks.
    pub options: String,
}

impl Run {
    /// How the run is called in tables.
    pub fn title(&self) -> String {
        let input = if self.input == self.program { String::new() } else { format!(" {}", self.input) };
        format!("{}/{}{input} {}", self.directory, self.program, self.options).trim_end().to_string()
    }
}

/// The runs that a CSV file lists.
pub fn read(csv: &str) -> Result<Vec<Run>, String> {
    let rows = columns(csv, &["directory", "program", "input", "options"])?;
    let run = |row: Vec<&str>| {
        let [directory, program, input, options] = [0, 1, 2, 3].map(|at| row[at].to_string());
        Run { directory, program, input, options }
    };
    Ok(rows.into_iter().map(run).collect())
}

/// All programs below a directory: files with three sections.
///
/// The input of a program has its name; a program without such a file is run on each input that has no program's name.
/// A properties file that has the name of the directory applies to all programs in it.
pub fn discover(root: &Path) -> Result<Vec<Run>, String> {
    let mut runs = Vec::new();
    discover_in(root, "", &mut runs)?;
    runs.sort();
    Ok(runs)
}

fn discover_in(root: &Path, directory: &str, runs: &mut Vec<Run>) -> Result<(), String> {
    let here = root.join(directory);
    let entries = std::fs::read_dir(&here).map_err(|error| format!("cannot read {}: {error}", here.display()))?;
    let (mut programs, mut inputs, mut properties) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match name.rsplit_once('.') {
            _ if entry.path().is_dir() => {
                let below = if directory.is_empty() { name } else { format!("{directory}/{name}") };
                discover_in(root, &below, runs)?;
            }
            Some((stem, "tvp")) if is_program(&entry.path()) => drop(programs.insert(stem.to_string())),
            Some((stem, "tvs")) => drop(inputs.insert(stem.to_string())),
            Some((_, "properties")) => drop(properties.insert(name)),
            _ => {}
        }
    }
    let common = format!("{}.properties", directory.rsplit('/').next().unwrap_or(""));
    let options = if properties.contains(&common) { format!("-props {common}") } else { String::new() };
    for program in &programs {
        let own: Vec<&String> = inputs.get(program).into_iter().collect();
        let shared = inputs.difference(&programs).collect();
        for input in if own.is_empty() { shared } else { own } {
            runs.push(Run {
                directory: directory.to_string(),
                program: program.clone(),
                input: input.clone(),
                options: options.clone(),
            });
        }
    }
    Ok(())
}

/// Included files have less than three sections.
fn is_program(path: &Path) -> bool {
    let text = std::fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&text).matches("%%").count() >= 2
}
