//! `trifold client`: the client through which a module is analysed, as C to keep.

use crate::arguments::ClientOptions;
use crate::{Outcome, Refused, source};
use std::path::Path;
use trifold_check::client::document;
use trifold_check::source::{Start, translate};
use trifold_check::{Language, Source, Unit};
use trifold_machine::disk;
use trifold_machine::programs::read_together;

pub fn run(options: &ClientOptions) -> Result<Outcome, Refused> {
    let units = read_together(&options.files, &options.source.reading())?;
    let headers: Vec<String> = units.iter().map(interface).collect();
    let name = options.files.join(", ");
    let source = Source { name, units, target: source::target(&options.source) };
    let rejected = |rejected| source::refused(rejected, &options.source);
    let translated = translate(&source, Start::MainOrLibrary, options.source.malloc_may_fail).map_err(rejected)?;
    let Some(code) = &translated.client else {
        return Err(Refused::new(format!(
            "{}: there is no client: nothing here makes objects for others to use",
            source.name
        )));
    };
    if translated.language == Language::Java {
        let why = "the client of classes in Java is made of instructions of the Java machine, and has no text";
        return Err(Refused::new(format!("{}: {why}", source.name)));
    }
    let text = document(&code.clients, &headers);
    match &options.output {
        Some(path) => disk::write(path, text, options.force)?,
        None => disk::print(&text)?,
    }
    Ok(Outcome::Success)
}

/// The header of a file, if it includes one with its own name, or else the file.
fn interface(unit: &Unit) -> String {
    let stem = |path: &str| Path::new(path).file_stem().map(|stem| stem.to_os_string());
    let mut headers = trifold_c::own_headers(&unit.text).filter(|header| stem(header) == stem(&unit.path));
    headers.next().unwrap_or(&unit.path).to_string()
}
