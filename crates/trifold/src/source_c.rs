//! Reading C: the text of a file, through the system's preprocessor if it needs one, to a heap program.

use crate::Refused;
use crate::arguments::COptions;
use crate::disk::Disk;
use std::process::Command;
use trifold_c::{Loaded, TranslateOptions, TranslatedFunction, Translation, load, needs_preprocessor, translate};
use trifold_ir::Program;
use trifold_tvp::{Files, ReadError};

/// A C file, translated.
pub struct Translated {
    pub loaded: Loaded,
    pub program: Program,
    /// All functions that are defined in the file.
    pub functions: Vec<TranslatedFunction>,
}

/// Reads, preprocesses, loads and translates a file; without entry it is a library.
pub fn read(file: &str, entry: Option<&str>, options: &COptions) -> Result<Translated, Refused> {
    let text = preprocessed(file, options)?;
    let loaded = load(file, &text).map_err(|failure| Refused(failure.render(options.color.wanted())))?;
    let translate_options =
        TranslateOptions { entry: entry.map(str::to_string), malloc_may_fail: options.malloc_may_fail };
    let Translation { program, functions } = translate(&loaded.program, &translate_options);
    Ok(Translated { loaded, program, functions })
}

fn preprocessed(file: &str, options: &COptions) -> Result<String, Refused> {
    let bytes = Disk.read(file).map_err(|error| match error {
        ReadError::NotFound => Refused::new(format!("cannot read {file}: there is no such file")),
        ReadError::Unreadable(why) => Refused::new(format!("cannot read {file}: {why}")),
    })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if file.ends_with(".i") || !needs_preprocessor(&text) {
        return Ok(text);
    }
    preprocess(file, options)
}

/// Runs `cc -E`, or what the environment variable `CC` says.
fn preprocess(file: &str, options: &COptions) -> Result<String, Refused> {
    let compiler = std::env::var("CC").ok().filter(|compiler| !compiler.trim().is_empty()).unwrap_or("cc".to_string());
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words).arg("-E");
    command.args(options.include.iter().flat_map(|directory| ["-I", directory]));
    command.args(options.define.iter().flat_map(|name| ["-D", name]));
    // A name that begins with a dash is still the name of a file.
    let path = if file.starts_with('-') { format!("./{file}") } else { file.to_string() };
    let output = command.arg(path).output().map_err(|error| {
        Refused(format!(
            "error: cannot preprocess {file}: `{compiler}` does not run: {error}\n\
             help: install a C compiler or name one in the environment variable CC, or preprocess the file yourself \
             and pass the result with a name that ends in .i\n"
        ))
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(Refused(format!("error: `{compiler} -E` fails for {file}\n{message}")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
