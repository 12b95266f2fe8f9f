//! Loading a file: lex, parse, translate.

use crate::lex::{Lexed, lex};
use crate::limits::MAX_BYTES;
use crate::parse::parse;
use crate::translate::{TranslatedMethod, translate};
use std::collections::BTreeMap;
use trifold_ir::contracts::{Written, read};
use trifold_ir::{ProcId, Program};
use trifold_source::{Diagnostic, Failure, Sink, SourceMap, Span, Trail};

/// A file as a heap program.
#[derive(Debug)]
pub struct Loaded {
    /// The heap program.
    pub program: Program,
    /// All methods and constructors that have a body, in the order of the text.
    pub methods: Vec<TranslatedMethod>,
    /// The contracts of methods.
    pub contracts: Vec<(ProcId, Vec<Written>)>,
    /// The text.
    pub sources: SourceMap,
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
    let lexed = lex(text, file, &mut sink);
    let classes = parse(text, &lexed.tokens, &mut sink);
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    let start = Span { file, start: 0, end: 0, trail: Trail::NONE };
    let (program, methods) = translate(&classes, entry, start, &mut sink);
    let contracts = contracts(text, &lexed, &methods, &mut sink);
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    Ok(Loaded { program, methods, contracts, sources })
}

/// The contracts of methods. Each stands directly before one, with its modifiers and annotations.
fn contracts(text: &str, lexed: &Lexed, methods: &[TranslatedMethod], sink: &mut Sink) -> Vec<(ProcId, Vec<Written>)> {
    let mut contracts: BTreeMap<ProcId, Vec<Written>> = BTreeMap::new();
    for (comment, token) in &lexed.contracts {
        let Some(written) = read(text, *comment, sink) else { continue };
        let next = lexed.tokens.get(*token).map(|token| token.span.start);
        match methods.iter().find(|method| Some(method.span.start) == next) {
            Some(method) => contracts.entry(method.procedure).or_default().extend(written),
            None => {
                let message = "this contract is about nothing: it does not stand directly before a method with a body";
                sink.push(Diagnostic::error("contract", *comment, message));
            }
        }
    }
    contracts.into_iter().collect()
}
