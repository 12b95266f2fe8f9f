//! `--html`: where pages go.

use crate::Refused;
use std::path::Path;
use trifold_machine::disk;
use trifold_report::Page;

/// Refuses to overwrite a file, before there is anything to write.
pub fn check_target(path: Option<&Path>, force: bool) -> Result<(), Refused> {
    match path {
        Some(path) if path.exists() && !force => {
            Err(Refused::new(format!("{} exists; --force overwrites it", path.display())))
        }
        _ => Ok(()),
    }
}

/// Writes the page.
pub fn write(page: &Page, path: &Path, force: bool) -> Result<(), Refused> {
    disk::write(path, page.to_html(), force)
}
