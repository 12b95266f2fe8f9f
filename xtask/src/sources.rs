//! The text files of the repository.

use std::path::Path;

/// A text file of the repository.
pub struct File {
    /// From the root, with `/`.
    pub path: String,
    pub text: String,
}

/// The text files of the repository, in a fixed order.
pub fn files(root: &Path) -> Vec<File> {
    let mut files = Vec::new();
    collect(root, "", &mut files);
    files
}

fn collect(root: &Path, directory: &str, files: &mut Vec<File>) {
    let Ok(entries) = std::fs::read_dir(root.join(directory)) else { return };
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into()).collect();
    names.sort();
    for name in names {
        let path = if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") };
        match std::fs::read_to_string(root.join(&path)) {
            // In a work tree, .git is a file.
            _ if name == "target" || name == ".git" => {}
            Ok(text) => files.push(File { path, text }),
            _ => collect(root, &path, files),
        }
    }
}
