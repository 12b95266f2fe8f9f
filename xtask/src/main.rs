//! Developer commands of the workspace: `cargo xtask <command>`.

mod bench_engine;
mod bench_tvla;
mod images;
mod thesis_results;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <command>

  bench engine     measure the engine on the examples, on one thread
  bench tvla       run programs of another directory with trifold tvla and compare with TVLA; --help says more
  thesis-results   write docs/thesis-results.md anew
  tidy             check what the compiler does not: comments, citations, links, sizes of files
  images           draw the pictures of the documents anew";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["bench", "engine"] => bench_engine::engine(),
        ["bench", "measure", program, ref macros @ ..] => bench_engine::measure(program, macros),
        ["bench", "tvla", ..] => bench_tvla::run(&arguments[2..]),
        ["thesis-results"] => thesis_results::run(),
        ["tidy"] => tidy::run(),
        ["images"] => images::run(),
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
