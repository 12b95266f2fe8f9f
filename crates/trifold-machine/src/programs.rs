//! Reading programs: the text of a file, in C through the system's preprocessor if it needs one, in Java through its
//! compiler. For example, a file that begins with `#include "list.h"` is what `cc -E` makes of it.

use crate::Refused;
use crate::disk::text;
use crate::java::{Compiler, Settings, Text, classes};
use std::process::Command;
use tempfile::TempDir;
use trifold_c::{may_have_contracts, needs_preprocessor, own_headers};
use trifold_check::source::ClassFiles;
use trifold_check::{Language, Unit};
use trifold_source::{printable, printable_line};

/// How programs are read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What the preprocessor of C is told.
    pub flags: Vec<String>,
    /// May a text that has no directives be another one after the preprocessor?
    pub may_change_text: bool,
    /// How many bits `long` and pointers have.
    pub bits: u8,
    /// The compiler of Java, and where it finds classes.
    pub java: Settings,
}

/// Reads a file. Files in Java are compiled together with others, by [`read_all`].
fn read(file: &str, how: &Reading) -> Result<Unit, Refused> {
    if Language::of(file) == Language::Java {
        let classes = classes(file, &how.java).map_err(Refused::new)?;
        return Ok(Unit {
            path: file.to_string(),
            text: String::new(),
            written: String::new(),
            classes: Some(classes),
        });
    }
    let written = text(file)?;
    let text = preprocessed(file, &written, how)?;
    Ok(Unit { path: file.to_string(), text, written, classes: None })
}

/// Reads files, each with its options. Those in Java are compiled by one run of the compiler, and one that is no
/// program does not harm the others.
pub fn read_all(files: &[(&str, Reading)]) -> Vec<Result<Unit, Refused>> {
    let mut units: Vec<Option<Result<Unit, Refused>>> = files.iter().map(|_| None).collect();
    let mut java: Vec<(usize, Text)> = Vec::new();
    for (index, (file, how)) in files.iter().enumerate() {
        match file.ends_with(".java") {
            true => match text(file) {
                Ok(text) => java.push((index, (file.to_string(), text))),
                Err(refused) => units[index] = Some(Err(refused)),
            },
            false => units[index] = Some(read(file, how)),
        }
    }
    let texts: Vec<Text> = java.iter().map(|(_, text)| text.clone()).collect();
    let compiled = java.first().map(|(first, _)| match Compiler::start(&files[*first].1.java) {
        Ok(mut compiler) => compiler.compile(&texts),
        Err(why) => texts.iter().map(|_| Err(why.clone())).collect(),
    });
    for ((index, text), classes) in java.into_iter().zip(compiled.into_iter().flatten()) {
        units[index] = Some(classes.map(|classes| compiled_unit(text, classes)).map_err(|why| not_compiled(&why)));
    }
    units.into_iter().flatten().collect()
}

fn compiled_unit((path, text): Text, classes: ClassFiles) -> Unit {
    Unit { path, text: text.clone(), written: text, classes: Some(classes) }
}

/// What the compiler says, as it says it.
fn not_compiled(why: &str) -> Refused {
    match why.contains(": error: ") {
        true => Refused(format!("{}\n", printable(why))),
        false => Refused::new(why),
    }
}

/// Reads files that are one program.
pub fn read_together(files: &[String], how: &Reading) -> Result<Vec<Unit>, Refused> {
    if !files.iter().all(|file| file.ends_with(".java")) {
        let files: Vec<(&str, Reading)> = files.iter().map(|file| (file.as_str(), how.clone())).collect();
        return read_all(&files).into_iter().collect();
    }
    let texts = files.iter().map(|file| Ok((file.clone(), text(file)?))).collect::<Result<Vec<Text>, Refused>>()?;
    let mut compiler = Compiler::start(&how.java).map_err(Refused::new)?;
    let classes = compiler.compile_together(&texts).map_err(|why| not_compiled(&why))?;
    Ok(texts.into_iter().zip(classes).map(|(text, classes)| compiled_unit(text, classes)).collect())
}

/// The text after the preprocessor. Contracts are comments, which it drops unless it is told to keep them; so it is run
/// with comments where there can be contracts: if the file has some, or one of its own headers.
fn preprocessed(file: &str, written: &str, how: &Reading) -> Result<String, Refused> {
    // Macros of the command line may stand for anything.
    if file.ends_with(".i") || !needs_preprocessor(written) && !how.may_change_text {
        return Ok(written.to_string());
    }
    if may_have_contracts(written) {
        return preprocess(file, how, &["-E", "-C"]);
    }
    let without_comments = preprocess(file, how, &["-E"])?;
    let has_contracts = |header: &str| text(header).is_ok_and(|text| may_have_contracts(&text));
    if own_headers(&without_comments).any(has_contracts) {
        return preprocess(file, how, &["-E", "-C"]);
    }
    Ok(without_comments)
}

/// The words of the command that compiles C: `cc`, or that of the environment variable `CC`.
pub fn compiler() -> Vec<String> {
    let named = std::env::var("CC").ok().filter(|compiler| !compiler.trim().is_empty());
    named.unwrap_or("cc".to_string()).split_whitespace().map(String::from).collect()
}

/// Runs the compiler as preprocessor.
fn preprocess(file: &str, how: &Reading, mode: &[&str]) -> Result<String, Refused> {
    let words = compiler();
    let compiler = words.join(" ");
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(mode);
    if how.bits == 32 {
        command.arg("-m32");
    }
    command.args(&how.flags);
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
