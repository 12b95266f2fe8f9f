//! Reading programs: the text of a file in one of the source languages, to a heap program.

use crate::arguments::COptions;
use crate::disk::Disk;
use crate::{Refused, source_c};
use trifold_heap_sl::no_checkers;
use trifold_ir::{FindingKind, ProcId, Program};
use trifold_passes::contracts::{Specified, specify};
use trifold_source::{Diagnostic, Failure, Sink, SourceMap, Span};
use trifold_tvp::{Files, ReadError};

/// A source language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    Java,
}

impl Language {
    /// By the name of the file.
    fn of(file: &str) -> Language {
        if file.ends_with(".java") { Language::Java } else { Language::C }
    }
}

/// A file, translated.
pub struct Translated {
    pub language: Language,
    pub sources: SourceMap,
    pub program: Program,
    /// All functions that are defined in the file.
    pub functions: Vec<Function>,
}

/// A function or method.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    pub span: Span,
    pub procedures: Vec<ProcId>,
    /// Is it called on its own when the file has no entry?
    pub is_root: bool,
}

impl Translated {
    /// Is this kind of finding one in this language? Where memory is collected, nothing is leaked, unless somebody wants to know.
    pub fn is_finding(&self, kind: FindingKind, options: &COptions) -> bool {
        self.language == Language::C || kind != FindingKind::Leak || options.lost_objects
    }
}

/// Reads and translates a file; without entry it is a library.
pub fn read(file: &str, entry: Option<&str>, options: &COptions) -> Result<Translated, Refused> {
    match Language::of(file) {
        Language::C => source_c::read(file, entry, options),
        Language::Java => java(file, entry, options),
    }
}

fn java(file: &str, entry: Option<&str>, options: &COptions) -> Result<Translated, Refused> {
    let loaded = trifold_java::load(file, &text(file)?, entry)
        .map_err(|failure| Refused(failure.render(options.color.wanted())))?;
    let functions = loaded.methods.into_iter().map(|method| Function {
        name: method.name,
        span: method.span,
        procedures: vec![method.procedure],
        is_root: !method.is_constructor,
    });
    let functions = functions.collect();
    let translated =
        Translated { language: Language::Java, sources: loaded.sources, program: loaded.program, functions };
    let contracts = loaded.contracts.into_iter();
    let contracts = contracts.map(|(procedure, written)| Specified { procedure, is_defined: true, written });
    specified(translated, &contracts.collect::<Vec<_>>(), options)
}

/// Gives functions their contracts.
pub fn specified(
    mut translated: Translated,
    contracts: &[Specified],
    options: &COptions,
) -> Result<Translated, Refused> {
    let mut sink = Sink::default();
    match specify(&mut translated.program, contracts) {
        Ok(()) => {
            for (span, checker, refusal) in no_checkers(&translated.program) {
                let message = format!("`{}` is no checker", translated.program[checker].name);
                sink.push(Diagnostic::error("contract", span, message).secondary(refusal.span, refusal.why));
            }
        }
        Err(errors) => errors.into_iter().for_each(|error| sink.push(error)),
    }
    match sink.failed() {
        true => Err(Refused(Failure::new(sink, translated.sources).render(options.color.wanted()))),
        false => Ok(translated),
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
