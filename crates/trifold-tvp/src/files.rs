//! Where source text comes from.
//!
//! This crate does no input or output: the command line implements [`Files`] on the file system, tests and the
//! playground on a map.

use std::collections::BTreeMap;

/// Why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// There is no such file; the search for an included file goes on.
    NotFound,
    /// It exists but cannot be read, for this reason.
    Unreadable(String),
}

/// A source of files.
pub trait Files {
    /// The bytes of a file. Paths use `/` and contain `..` only at their start.
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError>;
}

/// Files held in memory.
#[derive(Clone, Default, Debug)]
pub struct MemoryFiles(BTreeMap<String, Vec<u8>>);

impl MemoryFiles {
    /// Adds a file.
    pub fn with(mut self, path: &str, text: impl Into<Vec<u8>>) -> MemoryFiles {
        self.0.insert(normalise(path), text.into());
        self
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.0.get(path).cloned().ok_or(ReadError::NotFound)
    }
}

/// The directory part of a path; empty for a bare file name.
pub(crate) fn directory(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) => "/",
        Some(at) => &path[..at],
        None => "",
    }
}

/// `path` as seen from `base`, normalised.
pub(crate) fn join(base: &str, path: &str) -> String {
    let absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
    if base.is_empty() || absolute { normalise(path) } else { normalise(&format!("{base}/{path}")) }
}

/// Forward slashes, without `.` and inner `..`.
pub(crate) fn normalise(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_normalised() {
        assert_eq!(join(directory("examples/tvp/a.tvp"), "../../specs/./b.tvp"), "specs/b.tvp");
        assert_eq!(join(directory("a.tvp"), "../b.tvp"), "../b.tvp");
        assert_eq!(join("x", "/etc/b.tvp"), "/etc/b.tvp");
        assert_eq!(join("x", r"sub\b.tvp"), "x/sub/b.tvp");
        assert_eq!(directory("/a.tvp"), "/");
    }
}
