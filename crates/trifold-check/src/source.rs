//! Source text to heap programs. A text is translated once, with `main` as its entry or as a library. For example,
//! `Source::new("list.c", text)` is C because of its name.

use crate::budget::Host;
use crate::options::Language;
use std::sync::Arc;
use trifold_c::{ObjectType, Target, TranslateOptions, Translation};
use trifold_heap_sl::no_checkers;
use trifold_ir::{ProcId, Program};
use trifold_java::Entry;
use trifold_passes::contracts::{Specified, specify};
use trifold_source::{Diagnostic, Failure, Sink, SourceMap, Span};
use trifold_work::StopReason;

/// The text of a file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, which says the language.
    pub path: String,
    /// The text for the front end: C after the preprocessor.
    pub text: String,
    /// The text as it is written.
    pub written: String,
    /// C: how many bits `long` and pointers have.
    pub target: Target,
}

impl Source {
    /// A text that needs no preprocessor.
    pub fn new(path: &str, text: &str) -> Source {
        let target = Target::default();
        Source { path: path.to_string(), text: text.to_string(), written: text.to_string(), target }
    }
}

/// Where execution starts.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// At the function of this name; without one the program has no entry.
    At(&'a str),
    /// Nowhere: the entry of a library initialises global variables, if there are any, and ends.
    Library,
    /// At `main` if there is one, or else nowhere.
    MainOrLibrary,
}

/// A program that cannot be checked.
#[derive(Debug)]
pub enum Rejected {
    /// The text is wrong, for these reasons.
    Text(Box<Failure>),
    /// Something else is wrong.
    Because(String),
    /// A limit was reached before it was read.
    Stopped(StopReason),
}

impl Rejected {
    /// The reasons for people, with a newline at the end.
    pub fn render(&self, colour: bool) -> String {
        match self {
            Rejected::Text(failure) => failure.render(colour),
            Rejected::Because(why) => format!("error: {why}\n"),
            Rejected::Stopped(why) => format!("error: while the program was read, {}\n", why.sentence()),
        }
    }
}

/// A file, translated.
#[derive(Clone, Debug)]
pub struct Translated {
    /// Its name.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Its texts.
    pub sources: SourceMap,
    /// The heap program.
    pub program: Arc<Program>,
    /// All functions that are defined in the file.
    pub functions: Vec<Function>,
    /// Is there no function where execution starts?
    pub is_library: bool,
    /// C: the types that structs of the heap program stand for.
    pub types: Vec<ObjectType>,
}

impl Translated {
    /// The text of a file as it is written: the one that was translated, or one that the host can read; otherwise none.
    pub fn written(&self, path: &str, host: &dyn Host) -> Option<String> {
        let known = self.sources.written(path).map(str::to_string);
        known.or_else(|| host.read(path))
    }
}

/// A function or method.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name; a method has that of its class before it.
    pub name: String,
    /// Its place.
    pub span: Span,
    /// The procedures that it became.
    pub procedures: Vec<ProcId>,
    /// Can it be called from elsewhere?
    pub is_root: bool,
    /// C: the types of its parameters.
    pub parameters: Vec<String>,
}

/// Translates a text to a heap program.
pub fn translate(source: &Source, start: Start<'_>, malloc_may_fail: bool) -> Result<Translated, Rejected> {
    match Language::of(&source.path) {
        Language::C => c(source, start, malloc_may_fail),
        Language::Java => java(source, start),
    }
}

fn java(source: &Source, start: Start<'_>) -> Result<Translated, Rejected> {
    let entry = match start {
        Start::At(name) => Entry::Method(name),
        Start::Library => Entry::Library,
        Start::MainOrLibrary => Entry::MethodOrLibrary("main"),
    };
    let loaded = trifold_java::load(&source.path, &source.text, entry).map_err(Rejected::Text)?;
    let functions = loaded.methods.into_iter().map(|method| Function {
        name: method.name,
        span: method.span,
        procedures: vec![method.procedure],
        is_root: !method.is_constructor,
        parameters: Vec::new(),
    });
    let functions = functions.collect();
    let contracts = loaded.contracts.into_iter();
    let contracts = contracts.map(|(procedure, written)| Specified { procedure, is_defined: true, written });
    let contracts: Vec<Specified> = contracts.collect();
    let (sources, program) = specified(loaded.program, loaded.sources, &contracts)?;
    Ok(Translated {
        path: source.path.clone(),
        language: Language::Java,
        sources,
        program,
        functions,
        is_library: loaded.is_library,
        types: Vec::new(),
    })
}

fn c(source: &Source, start: Start<'_>, malloc_may_fail: bool) -> Result<Translated, Rejected> {
    let remember = |sources: &mut SourceMap| sources.remember(&source.path, source.written.as_str().into());
    let mut loaded = trifold_c::load_for(source.target, &source.path, &source.text).map_err(|mut failure| {
        remember(&mut failure.sources);
        Rejected::Text(failure)
    })?;
    remember(&mut loaded.sources);
    let entry = match start {
        Start::At(name) => Some(name),
        Start::MainOrLibrary if loaded.program.defines("main") => Some("main"),
        Start::MainOrLibrary | Start::Library => None,
    };
    let options = TranslateOptions { entry: entry.map(str::to_string), malloc_may_fail };
    let Translation { program, functions, types } = trifold_c::translate(&loaded.program, &options);
    let (contracts, declared) = (&loaded.program.contracts, &loaded.program.declared);
    let mut with_contracts = Vec::new();
    for function in &functions {
        let Some(written) = contracts.get(&function.name) else { continue };
        let is_defined = !declared.contains(&function.name);
        let procedures = function.procedures.iter();
        with_contracts.extend(procedures.map(|p| Specified { procedure: *p, is_defined, written: written.clone() }));
    }
    let functions = functions.into_iter().filter(|function| !declared.contains(&function.name)).map(|function| {
        // A function that is not known in other files is analysed where it is called.
        let is_root = function.is_external;
        let trifold_c::TranslatedFunction { name, span, procedures, parameters, .. } = function;
        Function { name, span, procedures, is_root, parameters }
    });
    let functions = functions.collect();
    let (sources, program) = specified(program, loaded.sources, &with_contracts)?;
    Ok(Translated {
        path: source.path.clone(),
        language: Language::C,
        sources,
        program,
        functions,
        is_library: entry.is_none(),
        types,
    })
}

/// Gives functions their contracts.
fn specified(
    mut program: Program,
    sources: SourceMap,
    contracts: &[Specified],
) -> Result<(SourceMap, Arc<Program>), Rejected> {
    let mut sink = Sink::default();
    match specify(&mut program, contracts) {
        Ok(()) => {
            for (span, checker, refusal) in no_checkers(&program) {
                let message = format!("`{}` is no checker", program[checker].name);
                sink.push(Diagnostic::error("contract", span, message).secondary(refusal.span, refusal.why));
            }
        }
        Err(errors) => errors.into_iter().for_each(|error| sink.push(error)),
    }
    match sink.failed() {
        true => Err(Rejected::Text(Failure::new(sink, sources))),
        false => Ok((sources, Arc::new(program))),
    }
}
