//! `cargo xtask thesis-results` and `sets-results`: tables of papers beside our own numbers.

use std::process::ExitCode;

/// Writes a page.
pub fn run(path: &str, page: &str) -> ExitCode {
    let path = crate::root().join(path);
    match std::fs::write(&path, page) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
