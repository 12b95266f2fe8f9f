//! Developer commands of the workspace: `cargo xtask <command>`.

mod bench_calls;
mod bench_engine;
mod bench_symbolic;
mod bench_tvla;
mod corpus;
mod dependencies;
mod differential;
mod house;
mod images;
mod libraries;
mod process;
mod results;
mod sources;
mod svcomp;
mod tidy;
mod transformers;
mod words;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
Usage: cargo xtask <command>

  bench calls      compare calls on local heaps with copies of the procedure
  bench engine     measure the engine on the examples, on one thread
  bench symbolic   measure the built-in solver on the list examples
  bench tvla       run programs of another directory with trifold tvla and compare with TVLA; --help says more
  corpus           run trifold check on C programs of another directory and compare with what is known of them; --help says more
  dependencies     check that none of them needs a newer compiler than we promise
  differential     compare programs as Trifold runs them with what compilers make of them; --help says more
  house            print figures of the crates: lines, modules, cycles, long files, types of the same name
  java-libraries   the same for projects in Java, whose classes are used in any way
  libraries        run trifold check on C projects of another directory and count their functions by verdict; --help says more
  svcomp           run trifold check on tasks of SV-COMP in another directory and score the answers; --help says more
  thesis-results   write docs/thesis-results.md anew
  sets-results     write docs/sets-results.md anew
  tidy             check comments, citations, links and sizes of files
  transformers     compare best transformers with focus and coerce, and write the table in the book anew
  images           draw the pictures of the documents anew
  words            count words of the comments that hide or give reasons, per 10,000";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if computes(&words) && !profile_directory().is_some_and(|directory| directory.ends_with(FASTEST)) {
        return again_at_full_speed(&arguments);
    }
    match words[..] {
        ["bench", "engine"] => bench_engine::engine(),
        ["bench", "measure", program, ref macros @ ..] => bench_engine::measure(program, macros),
        ["bench", "calls"] => bench_calls::run(),
        ["bench", "symbolic"] => bench_symbolic::run(),
        ["bench", "tvla", ..] => bench_tvla::run(&arguments[2..]),
        ["corpus", ..] => corpus::run(&arguments[1..]),
        ["dependencies"] => dependencies::run(),
        ["differential", ..] => differential::run(&arguments[1..]),
        ["house"] => house::run(),
        ["svcomp", ..] => svcomp::run(&arguments[1..]),
        ["libraries", ..] => libraries::run(&arguments[1..], libraries::Language::C),
        ["java-libraries", ..] => libraries::run(&arguments[1..], libraries::Language::Java),
        ["thesis-results"] => results::thesis(),
        ["sets-results"] => results::sets(),
        ["tidy"] => tidy::run(),
        ["transformers"] => transformers::run(),
        ["images"] => images::run(),
        ["words"] => words::run(),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// The directory of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The profile that makes the fastest programs, see `Cargo.toml`. Whatever is measured is built with it.
const FASTEST: &str = "dist";

/// Do these arguments ask for something that this very program computes, and that is measured or takes long?
fn computes(arguments: &[&str]) -> bool {
    let results = ["transformers", "thesis-results", "sets-results"];
    matches!(arguments, ["bench", "calls" | "engine" | "symbolic"])
        || matches!(arguments, [one] if results.contains(one))
}

/// The directory of the profile that this program was built with, such as `target/debug`.
fn profile_directory() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.to_path_buf())
}

/// Runs the command by this program, but as [`FASTEST`] builds it.
fn again_at_full_speed(arguments: &[String]) -> ExitCode {
    let mut command = cargo("run");
    command.args(["--profile", FASTEST, "--quiet", "--package", "xtask", "--"]).args(arguments);
    if command.status().is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Builds the fastest Trifold, beside this program.
fn build() -> Result<PathBuf, String> {
    let mut command = cargo("build");
    command.args(["--profile", FASTEST, "--quiet", "--package", "trifold"]).current_dir(root());
    if !command.status().is_ok_and(|status| status.success()) {
        return Err("Trifold could not be built".into());
    }
    let directory = profile_directory().ok_or("where am I?")?;
    Ok(directory.with_file_name(FASTEST).join("trifold"))
}

/// A command of Cargo.
fn cargo(command: &str) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.arg(command);
    cargo
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The rows of a CSV file without quotes, as the values of the named columns.
fn columns<'t>(csv: &'t str, names: &[&str]) -> Result<Vec<Vec<&'t str>>, String> {
    let mut lines = csv.lines().filter(|line| !line.trim().is_empty());
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').map(str::trim).collect();
    let position = |name: &&str| {
        let found = header.iter().position(|column| column == name);
        found.ok_or_else(|| format!("the file has no column {name}, only {}", header.join(", ")))
    };
    let positions: Vec<usize> = names.iter().map(position).collect::<Result<_, _>>()?;
    let row = |line: &'t str| {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        positions.iter().map(|at| fields.get(*at).copied().unwrap_or("")).collect()
    };
    Ok(lines.map(row).collect())
}
