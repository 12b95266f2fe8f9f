//! Loading a program: preprocess, parse, expand.

use crate::files::{Files, MemoryFiles};
use crate::options::Options;
use crate::origin::OriginTable;
use crate::{expand, parse, preprocess};
use trifold_logic::{Formula, Vocabulary};
use trifold_source::{Diagnostic, Failure, Sink, SourceMap};
use trifold_tvl::Specification;

/// A program, ready to be analysed.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program.
    pub specification: Specification,
    /// Its text.
    pub sources: SourceMap,
    /// Where its parts come from.
    pub origins: OriginTable,
    /// The warnings about it.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a formula in the syntax of TVP, over these predicates. Any variables may be free in it; diagnostics call the
/// text `name`.
pub fn read_formula(name: &str, text: &str, vocabulary: &Vocabulary) -> Result<Formula, Box<Failure>> {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let files = MemoryFiles::default().with(name, text);
    let formula = preprocess::preprocess(name, &files, &Options::default(), &mut sources, &mut sink)
        .and_then(|tokens| parse::parse_formula(&tokens, &mut sink))
        .map(|text| expand::expand_formula(&text, vocabulary, &mut sources, &mut sink));
    match formula {
        Some(formula) if !sink.failed() => Ok(formula),
        _ => Err(Failure::new(sink, sources)),
    }
}

/// Loads the program at `path`.
pub fn load(path: &str, files: &dyn Files, options: &Options) -> Result<Loaded, Box<Failure>> {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let Some(tokens) = preprocess::preprocess(path, files, options, &mut sources, &mut sink) else {
        return Err(Failure::new(sink, sources));
    };
    let program = parse::parse(&tokens, &mut sink);
    drop(tokens);
    let (specification, origins) = expand::expand(&program, &mut sources, &mut sink);
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    Ok(Loaded { specification, sources, origins, warnings: sink.finish().0 })
}
