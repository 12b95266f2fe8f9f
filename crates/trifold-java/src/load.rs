//! Loading a file: lex, parse, translate.

use crate::lex::lex;
use crate::limits::MAX_BYTES;
use crate::parse::parse;
use crate::translate::translate;
use trifold_ir::{ProcId, Program};
use trifold_source::{Diagnostic, Failure, Sink, SourceMap, Span, Trail};

/// A file as a heap program.
#[derive(Debug)]
pub struct Loaded {
    /// The heap program.
    pub program: Program,
    /// All methods and constructors that have a body, in the order of the text.
    pub methods: Vec<TranslatedMethod>,
    /// The text.
    pub sources: SourceMap,
}

/// A method, and what became of it.
#[derive(Clone, Debug)]
pub struct TranslatedMethod {
    /// Its name, with that of its class.
    pub name: String,
    /// All of it.
    pub span: Span,
    /// Its procedure.
    pub procedure: ProcId,
    /// Is it a constructor?
    pub is_constructor: bool,
}

/// Loads a file.
///
/// The program starts with the static method of that name, `C.m` or just `m`, with an array of strings or nothing as its
/// parameters; without one it is a library: its entry initialises the static fields and ends.
pub fn load(path: &str, text: &str, entry: Option<&str>) -> Result<Loaded, Box<Failure>> {
    let (mut sources, mut sink) = (SourceMap::default(), Sink::default());
    let file = sources.add(path, text.into());
    if text.len() > MAX_BYTES {
        let span = Span { file, start: 0, end: 0, trail: Trail::NONE };
        sink.push(Diagnostic::error("too-large", span, format!("a file of more than {MAX_BYTES} bytes")));
        return Err(Failure::new(sink, sources));
    }
    let tokens = lex(text, file, &mut sink);
    let classes = parse(text, &tokens, &mut sink);
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    let start = Span { file, start: 0, end: 0, trail: Trail::NONE };
    let (program, methods) = translate(&classes, entry, start, &mut sink);
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    Ok(Loaded { program, methods, sources })
}
