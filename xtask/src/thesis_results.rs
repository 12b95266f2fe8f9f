//! `cargo xtask thesis-results`: Table 9 of the thesis beside our own numbers.

use std::process::ExitCode;

/// Writes `docs/thesis-results.md`.
pub fn run() -> ExitCode {
    let path = crate::root().join("docs/thesis-results.md");
    match std::fs::write(&path, trifold_examples::thesis::document()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
