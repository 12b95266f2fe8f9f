//! Reading C: the text of a file, through the system's preprocessor if it needs one, to a heap program.

use crate::arguments::COptions;
use crate::source::{Function, Language, Translated};
use crate::{Refused, source};
use std::process::Command;
use tempfile::TempDir;
use trifold_c::{TranslateOptions, Translation, load, needs_preprocessor, translate};
use trifold_ir::contracts::Specified;
use trifold_source::{SourceMap, printable, printable_line};

/// Reads, preprocesses, loads and translates a file; without entry it is a library.
pub fn read(file: &str, entry: Option<&str>, options: &COptions) -> Result<Translated, Refused> {
    let text = preprocessed(file, options)?;
    let written = source::text(file)?;
    let remember = |sources: &mut SourceMap| sources.remember(file, written.into());
    let mut loaded = match load(file, &text) {
        Ok(loaded) => loaded,
        Err(mut failure) => {
            remember(&mut failure.sources);
            return Err(Refused(failure.render(options.color.wanted())));
        }
    };
    remember(&mut loaded.sources);
    let translate_options =
        TranslateOptions { entry: entry.map(str::to_string), malloc_may_fail: options.malloc_may_fail };
    let Translation { program, functions } = translate(&loaded.program, &translate_options);
    let contracts = &loaded.program.contracts;
    let declared = &loaded.program.declared;
    let mut specified = Vec::new();
    for function in &functions {
        let Some(written) = contracts.get(&function.name) else { continue };
        let is_defined = !declared.contains(&function.name);
        let procedures = function.procedures.iter();
        specified.extend(procedures.map(|p| Specified { procedure: *p, is_defined, written: written.clone() }));
    }
    let functions = functions.into_iter().filter(|function| !declared.contains(&function.name)).map(|function| {
        // What is not known in other files is looked at where it is called.
        let is_root = function.is_external;
        Function { name: function.name, span: function.span, procedures: function.procedures, is_root }
    });
    let functions = functions.collect();
    let translated = Translated { language: Language::C, sources: loaded.sources, program, functions };
    source::specified(translated, &specified, options)
}

fn preprocessed(file: &str, options: &COptions) -> Result<String, Refused> {
    let text = source::text(file)?;
    // Macros of the command line may stand for anything.
    if file.ends_with(".i") || !needs_preprocessor(&text) && options.define.is_empty() {
        return Ok(text);
    }
    // Contracts are comments. Where there are none, text is kept as it is without comments.
    let without_comments = preprocess(file, options, &["-E"])?;
    if !has_contracts(&text) && !without_comments.lines().any(is_own_header) {
        return Ok(without_comments);
    }
    let with_comments = preprocess(file, options, &["-E", "-C"])?;
    Ok(if has_contracts(&with_comments) { with_comments } else { without_comments })
}

/// Can there be a contract in a text?
fn has_contracts(text: &str) -> bool {
    text.contains("/*@") || text.contains("//@")
}

/// Does a line of the preprocessor's output enter a header that is not of the system? Only such ones have contracts.
fn is_own_header(line: &str) -> bool {
    let flags = line.strip_prefix("# ").and_then(|marker| marker.rsplit_once('"')).map_or("", |(_, flags)| flags);
    let has = |flag: &str| flags.split_whitespace().any(|found| found == flag);
    has("1") && !has("3")
}

/// Runs `cc -E`, or what the environment variable `CC` says.
fn preprocess(file: &str, options: &COptions, how: &[&str]) -> Result<String, Refused> {
    let compiler = std::env::var("CC").ok().filter(|compiler| !compiler.trim().is_empty()).unwrap_or("cc".to_string());
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words).args(how);
    command.args(options.include.iter().flat_map(|directory| ["-I", directory]));
    command.args(options.define.iter().flat_map(|name| ["-D", name]));
    let headers = headers()
        .map_err(|error| Refused::new(format!("cannot write to the directory for temporary files: {error}")))?;
    command.arg("-idirafter").arg(headers.path());
    // A name that begins with a dash is still the name of a file.
    let path = if file.starts_with('-') { format!("./{file}") } else { file.to_string() };
    let output = command.arg(path).output().map_err(|error| {
        let file = printable_line(file);
        Refused(format!(
            "error: cannot preprocess {file}: `{compiler}` does not run: {error}\n\
             help: install a C compiler or name one in the environment variable CC, or preprocess the file yourself \
             and pass the result with a name that ends in .i\n"
        ))
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let (file, message) = (printable_line(file), printable(&message));
        return Err(Refused(format!("error: `{compiler} -E` fails for {file}\n{message}")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `trifold/checkers.h` in a directory of its own, for as long as the preprocessor needs it.
fn headers() -> std::io::Result<TempDir> {
    let directory = tempfile::Builder::new().prefix("trifold-").tempdir()?;
    std::fs::create_dir(directory.path().join("trifold"))?;
    std::fs::write(directory.path().join("trifold/checkers.h"), trifold_checkers::HEADER)?;
    Ok(directory)
}
