//! Loading a file: lex, parse, resolve.

use crate::lex::lex;
use crate::limits::MAX_BYTES;
use crate::names::Names;
use crate::parse;
use crate::scope::Scoped;
use crate::sema::Sema;
use crate::typed::Program;
use trifold_source::{Diagnostic, Failure, FileId, Sink, SourceMap, Span, Trail};

/// What GNU C has built in, as declarations.
const PRELUDE: &str = include_str!("prelude.h");

/// A file, ready to be translated.
#[derive(Debug)]
pub struct Loaded {
    /// The typed trees.
    pub program: Program,
    /// The text.
    pub sources: SourceMap,
    /// What seems wrong with it.
    pub warnings: Vec<Diagnostic>,
}

/// Has the text a directive that only a preprocessor understands? Line markers and `#pragma` do not count.
pub fn needs_preprocessor(text: &str) -> bool {
    !lex(text, FileId(0), &mut Names::default(), &mut Sink::default()).directives.is_empty()
}

/// Loads a preprocessed text, or one that needs no preprocessor.
pub fn load(path: &str, text: &str) -> Result<Loaded, Box<Failure>> {
    let (mut sources, mut sink) = (SourceMap::default(), Sink::default());
    let (mut names, mut kinds) = (Names::default(), Scoped::new());
    let prelude_file = sources.add("<built-in>", PRELUDE.into());
    let prelude = lex(PRELUDE, prelude_file, &mut names, &mut sink);
    let prelude = parse::parse(PRELUDE, &prelude.tokens, &mut kinds, &mut sink);
    kinds.open();

    let file = sources.add(path, text.into());
    if text.len() > MAX_BYTES {
        let span = Span { file, start: 0, end: 0, trail: Trail::NONE };
        sink.push(Diagnostic::error("too-large", span, format!("a file of more than {MAX_BYTES} bytes")));
        return Err(Failure::new(sink, sources));
    }
    let lexed = lex(text, file, &mut names, &mut sink);
    sources.mark(file, lexed.markers);
    if let Some(directive) = lexed.directives.first() {
        let error = Diagnostic::error("directive", *directive, "this file has not been preprocessed");
        sink.push(error.help("run it through `cc -E` first"));
        return Err(Failure::new(sink, sources));
    }
    let unit = parse::parse(text, &lexed.tokens, &mut kinds, &mut sink);
    drop(lexed.tokens);
    // Names that could not be parsed would be missed: their errors would only repeat what has been said.
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    let program = Sema::new(names, &mut sink).program(&prelude, &unit);
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    Ok(Loaded { program, sources, warnings: sink.finish().0 })
}
