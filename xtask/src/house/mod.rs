//! `cargo xtask house`: figures of the house, read from its sources.
//!
//! Lines are those of files, with comments and tests. What a module is, and when it needs another one, [`graph`] says.

pub mod graph;
mod scan;

use crate::sources::{File, files};
use graph::{Graph, cycles, shown};
use scan::Module;
pub use scan::Names;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

/// A file past this length is asking to be split along a concept.
pub const MAX_LINES: usize = 600;

/// The crate of the command line.
const BINARY: &str = "trifold";

/// The command line has arguments, progress and formats; whatever makes it longer than this belongs into a library.
pub const MAX_BINARY_LINES: usize = 2_500;

/// Names that are right in several libraries, because they are read with that of the library: its options, what it has
/// loaded, and words of a language, such as `trifold_c::Expr` and `trifold_ir::Expr`.
const OWN: [&str; 8] = ["Options", "Loaded", "Expr", "Function", "Label", "Place", "Program", "Type"];

/// Prints the figures.
pub fn run() -> ExitCode {
    match figures(&crate::root()) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// A crate of the workspace.
pub struct Crate {
    pub name: String,
    /// Lines below `src`, and below `tests`.
    lines: [usize; 2],
    modules: Vec<Module>,
    is_library: bool,
}

impl Crate {
    /// The groups of modules that need each other.
    pub fn cycles(&self) -> Vec<Vec<Names>> {
        cycles(&Graph::new(&self.modules).needs())
    }
}

/// All crates, in the order of their names.
pub fn crates(root: &Path) -> Result<Vec<Crate>, String> {
    let files = files(root);
    let directories: BTreeSet<&str> = files.iter().filter_map(|file| file.path.strip_suffix("/Cargo.toml")).collect();
    let ours = directories.into_iter().filter(|directory| directory.starts_with("crates/") || *directory == "xtask");
    ours.map(|directory| read(root, directory, &files)).collect()
}

fn read(root: &Path, directory: &str, files: &[File]) -> Result<Crate, String> {
    let lines = ["src", "tests"].map(|part| {
        let below = format!("{directory}/{part}/");
        let files = files.iter().filter(|file| file.path.starts_with(&below) && file.path.ends_with(".rs"));
        files.map(|file| file.text.lines().count()).sum()
    });
    let roots = ["lib.rs", "main.rs"].map(|name| root.join(directory).join("src").join(name));
    let modules = match roots.iter().find(|file| file.exists()) {
        Some(file) => scan::modules(file)?,
        None => Vec::new(),
    };
    let name = directory.rsplit('/').next().unwrap_or(directory).to_string();
    Ok(Crate { name, lines, modules, is_library: roots[0].exists() })
}

fn figures(root: &Path) -> Result<String, String> {
    let crates = crates(root)?;
    let mut text = table(&crates);
    let cycles: Vec<String> =
        crates.iter().flat_map(|one| one.cycles().into_iter().map(|cycle| explained(one, &cycle))).collect();
    text += &format!("\ncycles ({}) of modules that need each other:\n{}", cycles.len(), cycles.concat());
    text += &format!("\nfiles of more than {MAX_LINES} lines:\n");
    for file in files(root).iter().filter(|file| file.path.ends_with(".rs")) {
        let lines = file.text.lines().count();
        if lines > MAX_LINES {
            text += &format!("  {} {lines}\n", file.path);
        }
    }
    text += &format!("\npublic types of the same name in several libraries, but {}:\n", OWN.join(", "));
    shared_types(&crates).iter().for_each(|(name, owners)| text += &format!("  {name}: {}\n", owners.join(", ")));
    let binary = binary_lines(&crates);
    text += &format!("\nlines of the command line: {binary} (goal: fewer than {MAX_BINARY_LINES})\n");
    Ok(text)
}

/// How many lines the command line has.
pub fn binary_lines(crates: &[Crate]) -> usize {
    crates.iter().find(|one| one.name == BINARY).map_or(0, |one| one.lines[0])
}

/// A line for each crate, and one for all.
fn table(crates: &[Crate]) -> String {
    let columns = ["src", "tests", "modules", "needs", "cycles"];
    let line = |name: &str, cells: [String; 5]| {
        let cells = cells.iter().map(|cell| format!(" {cell:>8}")).collect::<String>();
        format!("{name:20}{cells}\n")
    };
    let mut text = line("crate", columns.map(str::to_string));
    let mut all = [0; 5];
    for one in crates {
        let needs = Graph::new(&one.modules).needs().len();
        let figures = [one.lines[0], one.lines[1], one.modules.len(), needs, one.cycles().len()];
        text += &line(&one.name, figures.map(|figure| figure.to_string()));
        all.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
    }
    text + &line("together", all.map(|figure| figure.to_string()))
}

/// A cycle with the names that make it one.
fn explained(one: &Crate, cycle: &[Names]) -> String {
    let rooms: Vec<String> = cycle.iter().map(|room| shown(room)).collect();
    let mut text = format!("  {}: {}\n", one.name, rooms.join(", "));
    let room = |path: &[String]| cycle.iter().position(|room| path.starts_with(room));
    for ((from, to), names) in Graph::new(&one.modules).needs() {
        if let (Some(a), Some(b)) = (room(from), room(to))
            && a != b
        {
            let names = names.into_iter().collect::<Vec<_>>().join(", ");
            text += &format!("    {} needs {} for {names}\n", shown(from), shown(to));
        }
    }
    text
}

/// The names that public types of several libraries have, with the libraries. Programs export nothing.
fn shared_types(crates: &[Crate]) -> BTreeMap<&str, Vec<&str>> {
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in crates.iter().filter(|one| one.is_library) {
        let types = Graph::new(&one.modules).exported_types();
        types.into_iter().for_each(|name| owners.entry(name).or_default().push(&one.name));
    }
    owners.retain(|name, owners| owners.len() > 1 && !OWN.contains(name));
    owners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_the_same_each_time() {
        let [first, second] = [0, 1].map(|_| figures(&crate::root()).unwrap());
        assert_eq!(first, second);
        assert!(first.contains("\ntogether ") && first.contains("\nxtask "), "{first}");
    }

    #[test]
    fn types_of_several_libraries_are_shared() {
        let module = |names: &[&str]| Module {
            public_types: names.iter().map(|name| name.to_string()).collect(),
            ..Module::default()
        };
        let one = |name: &str, names: &[&str], is_library| Crate {
            name: name.to_string(),
            lines: [0; 2],
            modules: vec![module(names)],
            is_library,
        };
        let crates = [
            one("a", &["T", "U", "Options"], true),
            one("b", &["U", "Options"], true),
            one("program", &["T", "U"], false),
        ];
        assert_eq!(shared_types(&crates), BTreeMap::from([("U", vec!["a", "b"])]));
    }
}
