//! Every program and every structure of `examples/tvp` loads without a warning.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use trifold_structure::Layout;
use trifold_tvp::{Files, Loaded, Options, ReadError, load, read_structures, render};

/// The files of the workspace.
struct Workspace(PathBuf);

impl Files for Workspace {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        std::fs::read(self.0.join(path)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ReadError::NotFound,
            _ => ReadError::Unreadable(error.to_string()),
        })
    }
}

fn workspace() -> Workspace {
    Workspace(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

/// The files below a directory with an extension, as paths within the workspace.
fn files_with(extension: &str) -> Vec<String> {
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

fn load_cleanly(path: &str) -> Loaded {
    let loaded =
        load(path, &workspace(), &Options::default()).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    for warning in &loaded.warnings {
        panic!("{}", render(warning, &loaded.sources, false));
    }
    loaded
}

#[test]
fn every_program_and_its_input_load_without_warnings() {
    for path in files_with("tvp") {
        let loaded = load_cleanly(&path);
        let text = std::fs::read_to_string(workspace().0.join(&path)).unwrap();
        for input in text.lines().filter_map(|line| line.trim().strip_prefix("// input:")) {
            let directory = path.rsplit_once('/').unwrap().0;
            let layout = Arc::new(Layout::new(&loaded.specification.vocabulary));
            let input = format!("{directory}/{}", input.trim());
            let vocabulary = &loaded.specification.vocabulary;
            let file = read_structures(&input, &workspace(), &Options::default(), vocabulary, &layout)
                .unwrap_or_else(|failure| panic!("{path}: {}", failure.render(false)));
            assert!(file.warnings.is_empty(), "{input}");
        }
    }
}
