//! The files that the names of the command line stand for. For example, `src/*.c` stands for all C files of `src`, and
//! `src` for all programs below it.

use crate::Refused;
use std::path::Path;
use trifold_check::pattern::Pattern;

/// The files of a directory, or those that a pattern fits, in order; any other name is just that.
pub fn expanded(text: &str) -> Result<Vec<String>, Refused> {
    if Path::new(text).is_dir() {
        return programs_below(text);
    }
    if !text.contains(['*', '?']) || Path::new(text).exists() {
        return Ok(vec![text.to_string()]);
    }
    let pattern = Pattern::try_from(text.to_string()).map_err(Refused::new)?;
    let fixed = &text[..text.find(['*', '?']).unwrap_or(0)];
    let start = fixed.rfind('/').map_or("", |end| &text[..=end]);
    let files = below(start, &|_| true, &|name| pattern.fits(name));
    if files.is_empty() { Err(Refused::new(format!("no file is called like {text}"))) } else { Ok(files) }
}

/// All programs in C and Java below a directory. What is hidden is not meant.
fn programs_below(text: &str) -> Result<Vec<String>, Refused> {
    let start = format!("{}/", text.trim_end_matches('/'));
    let start = start.strip_prefix("./").unwrap_or(&start);
    let is_hidden =
        |name: &str| name.trim_end_matches('/').rsplit('/').next().is_some_and(|last| last.starts_with('.'));
    let is_program = |name: &str| name.ends_with(".c") || name.ends_with(".java");
    let files = below(start, &|name| !is_hidden(name), &|name| is_program(name) && !is_hidden(name));
    if files.is_empty() {
        Err(Refused::new(format!("there is no program in C or Java below {text}")))
    } else {
        Ok(files)
    }
}

/// The files below a directory that are wanted, in order; a name begins with that of its directory.
fn below(start: &str, enters: &dyn Fn(&str) -> bool, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut files = Vec::new();
    let mut directories = vec![start.to_string()];
    while let Some(directory) = directories.pop() {
        let listed = std::fs::read_dir(if directory.is_empty() { "." } else { &directory });
        for entry in listed.into_iter().flatten().flatten() {
            let name = format!("{directory}{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                // A link to a directory could lead back.
                Ok(kind) if kind.is_dir() => directories.extend(enters(&name).then_some(name + "/")),
                _ if wanted(&name) => files.push(name),
                _ => {}
            }
        }
    }
    files.sort();
    files
}
