//! Loading a program: preprocess, parse, expand.

use crate::files::{Files, MemoryFiles};
use crate::origin::OriginTable;
use crate::{expand, parse, preprocess};
use trifold_logic::{Formula, Vocabulary};
use trifold_source::{Diagnostic, Failure, Sink, SourceMap};
use trifold_tvl::Specification;

/// The options for reading files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Macros to define first; without a value they are 1.
    pub defines: Vec<(String, Option<String>)>,
    /// Directories in which included files are searched.
    pub include_paths: Vec<String>,
}

impl Options {
    /// Adds the macro of a `-D` option: `NAME`, `NAME=value` or `NAME(value)`.
    pub fn define(&mut self, option: &str) {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => match option.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
                Some((name, value)) => (name, Some(value)),
                None => (option, None),
            },
        };
        self.defines.push((name.trim().to_string(), value.map(str::to_string)));
    }

    /// The macros as text to be read before the program.
    pub(crate) fn as_directives(&self) -> String {
        let one_line = |text: &str| text.replace(['\n', '\r'], " ");
        let line = |(name, value): &(String, Option<String>)| {
            format!("#define {} {}\n", one_line(name), one_line(value.as_deref().unwrap_or("1")))
        };
        self.defines.iter().map(line).collect()
    }
}

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
