//! Reading programs: the text of a file, in C through the system's preprocessor if it needs one.

use crate::Refused;
use crate::arguments::COptions;
use crate::disk::Disk;
use std::process::Command;
use tempfile::TempDir;
use trifold_c::{Target, may_have_contracts, needs_preprocessor, own_headers};
use trifold_check::source::{Start, translate};
use trifold_check::{Language, Rejected, Source, Translated, Unit};
use trifold_process::java::{Settings, classes};
use trifold_source::{printable, printable_line};
use trifold_tvp::{Files, ReadError};

/// Reads a file.
pub fn read(file: &str, options: &COptions) -> Result<Unit, Refused> {
    if is_bytecode(file, options) {
        let written = if file.ends_with(".java") { text(file)? } else { String::new() };
        let settings = Settings { javac: options.javac.clone(), classpath: options.classpath.clone() };
        let classes = classes(file, &settings).map_err(Refused::new)?;
        return Ok(Unit { path: file.to_string(), text: written.clone(), written, classes: Some(classes) });
    }
    let written = text(file)?;
    let text = match Language::of(file) {
        Language::C => preprocessed(file, &written, options)?,
        Language::Java => written.clone(),
    };
    Ok(Unit { path: file.to_string(), text, written, classes: None })
}

/// Is a program checked from class files? A Java file is if its compiler, or where further classes are, is named.
fn is_bytecode(file: &str, options: &COptions) -> bool {
    let is_compiled = file.ends_with(".java") && (options.javac.is_some() || options.classpath.is_some());
    is_compiled || file.ends_with(".class") || file.ends_with(".jar")
}

/// What a program is for.
pub fn target(options: &COptions) -> Target {
    if options.bits == 32 { Target::Ilp32 } else { Target::Lp64 }
}

/// Reads, links and translates files.
pub fn translated(files: &[String], start: Start<'_>, options: &COptions) -> Result<Translated, Refused> {
    let units = files.iter().map(|file| read(file, options)).collect::<Result<_, _>>()?;
    let translated = translate(&Source::of(units, target(options)), start, options.malloc_may_fail);
    translated.map_err(|rejected| refused(rejected, options))
}

/// A program that cannot be checked, with the reasons.
pub fn refused(rejected: Rejected, options: &COptions) -> Refused {
    match rejected {
        Rejected::Text(failure) => Refused(failure.render(options.color.wanted())),
        Rejected::Because(why) => Refused::new(why),
        stopped @ Rejected::Stopped(_) => Refused(stopped.render(options.color.wanted())),
    }
}

/// The text of a file.
pub fn text(file: &str) -> Result<String, Refused> {
    let bytes = Disk.read(file).map_err(|error| match error {
        ReadError::NotFound => Refused::new(format!("cannot read {file}: there is no such file")),
        ReadError::Unreadable(why) => Refused::new(format!("cannot read {file}: {why}")),
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The text after the preprocessor. Contracts are comments, which it drops unless it is told to keep them; so it is run
/// with comments where there can be contracts: if the file has some, or one of its own headers.
fn preprocessed(file: &str, written: &str, options: &COptions) -> Result<String, Refused> {
    // Macros of the command line may stand for anything.
    if file.ends_with(".i") || !needs_preprocessor(written) && !options.may_change_text() {
        return Ok(written.to_string());
    }
    if may_have_contracts(written) {
        return preprocess(file, options, &["-E", "-C"]);
    }
    let without_comments = preprocess(file, options, &["-E"])?;
    let has_contracts = |header: &str| text(header).is_ok_and(|text| may_have_contracts(&text));
    if own_headers(&without_comments).any(has_contracts) {
        return preprocess(file, options, &["-E", "-C"]);
    }
    Ok(without_comments)
}

/// The words of the command that compiles C: `cc`, or that of the environment variable `CC`.
pub fn compiler() -> Vec<String> {
    let named = std::env::var("CC").ok().filter(|compiler| !compiler.trim().is_empty());
    named.unwrap_or("cc".to_string()).split_whitespace().map(String::from).collect()
}

/// Runs the compiler as preprocessor.
fn preprocess(file: &str, options: &COptions, how: &[&str]) -> Result<String, Refused> {
    let words = compiler();
    let compiler = words.join(" ");
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(how);
    if options.bits == 32 {
        command.arg("-m32");
    }
    command.args(options.preprocessor());
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
    std::fs::write(directory.path().join("trifold/checkers.h"), trifold_heap_sl::HEADER)?;
    Ok(directory)
}
