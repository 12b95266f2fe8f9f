//! The files that the names of the command line stand for. For example, `src/*.c` stands for all C files of `src`.

use crate::Refused;
use std::path::Path;
use trifold_check::pattern::Pattern;

/// The files that a pattern fits, in order; a name without wildcards, or that exists, is just that.
pub fn expanded(text: &str) -> Result<Vec<String>, Refused> {
    if !text.contains(['*', '?']) || Path::new(text).exists() {
        return Ok(vec![text.to_string()]);
    }
    let pattern = Pattern::try_from(text.to_string()).map_err(Refused::new)?;
    let fixed = &text[..text.find(['*', '?']).unwrap_or(0)];
    let start = fixed.rfind('/').map_or("", |end| &text[..=end]);
    let mut files = Vec::new();
    let mut directories = vec![start.to_string()];
    while let Some(directory) = directories.pop() {
        let listed = std::fs::read_dir(if directory.is_empty() { "." } else { &directory });
        for entry in listed.into_iter().flatten().flatten() {
            let name = format!("{directory}{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                // A link to a directory could lead back.
                Ok(kind) if kind.is_dir() => directories.push(name + "/"),
                _ if pattern.fits(&name) => files.push(name),
                _ => {}
            }
        }
    }
    if files.is_empty() {
        return Err(Refused::new(format!("no file is called like {text}")));
    }
    files.sort();
    Ok(files)
}
