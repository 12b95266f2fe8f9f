//! The files of the workspace, which several tests share.

use std::path::{Path, PathBuf};
use trifold_tvp::{Files, ReadError};

/// The files of the workspace.
pub struct Workspace(pub PathBuf);

impl Files for Workspace {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        std::fs::read(self.0.join(path)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ReadError::NotFound,
            _ => ReadError::Unreadable(error.to_string()),
        })
    }
}

pub fn workspace() -> Workspace {
    Workspace(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

/// The example files with an extension, as paths within the workspace.
pub fn examples(extension: &str) -> Vec<String> {
    let root = workspace().0;
    let mut found = Vec::new();
    let mut directories = vec![root.join("examples/tvp")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}
