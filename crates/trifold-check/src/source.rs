//! Source text and class files to heap programs. A program is one file, or several that are linked; it is translated
//! once, with `main` as its entry or as a library. For example, `Source::new("list.c", text)` is C because of its name.

use crate::budget::Host;
use crate::options::Language;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trifold_c::{Assumed, ClientStart, Clients, Loaded, ObjectType, Symbols, Target, TranslateOptions, Translation};
use trifold_heap_sl::no_checkers;
use trifold_ir::{ProcId, Program};
use trifold_jvm::{ClassPath, Input, TranslatedMethod};
use trifold_passes::contracts::{Specified, specify};
use trifold_source::{Diagnostic, Failure, Sink, SourceMap, Span};
use trifold_work::StopReason;

/// The texts of a program.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is called in reports: its only file, for example.
    pub name: String,
    /// The text of each file. Several files are linked.
    pub units: Vec<Unit>,
    /// C: how many bits `long` and pointers have.
    pub target: Target,
}

/// The text of a file.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name, which says the language.
    pub path: String,
    /// The text for the front end: C after the preprocessor.
    pub text: String,
    /// The text as it is written.
    pub written: String,
    /// Java: the class files that the text was compiled to.
    pub classes: Option<ClassFiles>,
}

/// Class files of a program, and where others are found.
#[derive(Clone)]
pub struct ClassFiles {
    /// The names of the classes that are checked, `java/util/List`.
    pub names: Vec<String>,
    /// The files that they were compiled from, with their paths.
    pub texts: Vec<(String, String)>,
    /// Where they and others are found.
    pub path: Arc<dyn ClassPath + Send + Sync>,
    /// Files with the same number were compiled together, so that they may need each other.
    pub together: usize,
}

impl ClassFiles {
    /// Its names for the linker: classes, and `main` if there is one.
    pub fn symbols(&self) -> Option<Symbols> {
        let mut symbols = Symbols::default();
        let numbered = |class: &String| format!("{}: {class}", self.together);
        for name in &self.names {
            let outline = trifold_jvm::outline(&self.path.bytes(name)?)?;
            symbols.defines.extend(outline.has_main.then(|| "main".to_string()).into_iter().chain([numbered(name)]));
            symbols.needs.extend(outline.references.iter().filter(|class| !self.names.contains(class)).map(numbered));
        }
        // A class by itself finds others where they were compiled.
        if !symbols.defines.contains("main") {
            symbols.needs.clear();
        }
        Some(symbols)
    }
}

impl std::fmt::Debug for ClassFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClassFiles").field("names", &self.names).finish_non_exhaustive()
    }
}

impl Source {
    /// A text that needs no preprocessor.
    pub fn new(path: &str, text: &str) -> Source {
        let unit = Unit { path: path.to_string(), text: text.to_string(), written: text.to_string(), classes: None };
        Source::of(vec![unit], Target::default())
    }

    /// Files that are one program, called by the names of its files.
    pub fn of(units: Vec<Unit>, target: Target) -> Source {
        let name = match &units[..] {
            [] => String::new(),
            [only] => only.path.clone(),
            [first, second] => format!("{} with {}", first.path, second.path),
            [first, others @ ..] => format!("{} with {} other files", first.path, others.len()),
        };
        Source { name, units, target }
    }

    /// The language: that of its first file.
    pub fn language(&self) -> Language {
        Language::of(self.units.first().map_or("", |unit| &unit.path))
    }
}

/// Where execution starts.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// At the function of this name; without one the program has no entry.
    At(&'a str),
    /// Nowhere: the entry of a library initialises global variables, if there are any, and ends.
    Library,
    /// At `main` if there is one, or else nowhere, with clients.
    MainOrLibrary,
    /// Nowhere, with clients, even if there is a `main`.
    Module,
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

/// A program, translated.
#[derive(Clone, Debug)]
pub struct Translated {
    /// Its name in reports.
    pub name: String,
    /// The files that it consists of.
    pub files: Vec<String>,
    /// Its language.
    pub language: Language,
    /// Its texts.
    pub sources: SourceMap,
    /// The heap program.
    pub program: Arc<Program>,
    /// All functions that are defined in its files.
    pub functions: Vec<Function>,
    /// Is there no function where execution starts?
    pub is_library: bool,
    /// C: the types that structs of the heap program stand for.
    pub types: Vec<ObjectType>,
    /// The clients of a module.
    pub client: Option<Arc<ClientCode>>,
    /// C: calls of functions that are defined nowhere, of which something is assumed.
    pub assumed: Vec<Assumed>,
    /// C: warnings about files that do not go together.
    pub warnings: Vec<Diagnostic>,
}

impl Translated {
    /// The text of a file as it is written: the one that was translated, or one that the host can read; otherwise none.
    pub fn written(&self, path: &str, host: &dyn Host) -> Option<String> {
        let known = self.sources.written(path).map(str::to_string);
        known.or_else(|| host.read(path))
    }
}

/// The clients of a module in its translation.
#[derive(Clone, Debug)]
pub struct ClientCode {
    /// As they are written.
    pub clients: Clients,
    /// The name of their text.
    pub path: String,
    /// Their functions.
    pub functions: Vec<Function>,
}

impl ClientCode {
    /// The procedure of a function of the clients.
    pub fn procedure(&self, name: &str) -> Option<ProcId> {
        self.functions.iter().find(|function| function.name == name)?.procedures.first().copied()
    }
}

/// A function or method.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name; a method has that of its class before it, and of two functions of the same name in different files
    /// each has that of its file after it.
    pub name: String,
    /// Its place.
    pub span: Span,
    /// The procedures that it became.
    pub procedures: Vec<ProcId>,
    /// Can it be called from elsewhere?
    pub is_root: bool,
    /// C: the types of its parameters.
    pub parameters: Vec<String>,
    /// The parameters that are not null, as it is declared.
    pub not_null: BTreeSet<usize>,
    /// Why arguments for it cannot be made up, if so.
    pub no_arguments: Option<String>,
}

/// Translates a text to a heap program.
pub fn translate(source: &Source, start: Start<'_>, malloc_may_fail: bool) -> Result<Translated, Rejected> {
    match source.language() {
        Language::C => c(source, start, malloc_may_fail),
        Language::Java => java(source, start),
    }
}

/// The class files of all files of a program.
fn class_files(source: &Source) -> Result<ClassFiles, Rejected> {
    let mut all: Option<ClassFiles> = None;
    for unit in &source.units {
        let Some(classes) = &unit.classes else {
            let why = format!("{}: Java is checked from class files, and it has not been compiled", unit.path);
            return Err(Rejected::Because(why));
        };
        match &mut all {
            None => all = Some(classes.clone()),
            Some(known) => {
                known.names.extend(classes.names.iter().cloned());
                known.texts.extend(classes.texts.iter().cloned());
            }
        }
    }
    all.ok_or_else(|| Rejected::Because("there is no file".to_string()))
}

fn java(source: &Source, start: Start<'_>) -> Result<Translated, Rejected> {
    let classes = class_files(source)?;
    let entry = match start {
        Start::At(name) => trifold_jvm::Entry::Method(name),
        Start::Library => trifold_jvm::Entry::Library,
        Start::MainOrLibrary => trifold_jvm::Entry::MethodOrLibrary("main"),
        Start::Module => trifold_jvm::Entry::Module,
    };
    let input = Input { classes: &classes.names, texts: &classes.texts, path: &*classes.path };
    let loaded = trifold_jvm::load(&input, entry).map_err(Rejected::Text)?;
    let function = |method: TranslatedMethod| Function {
        name: method.name,
        span: method.span,
        procedures: vec![method.procedure],
        is_root: !method.is_constructor,
        parameters: Vec::new(),
        not_null: BTreeSet::new(),
        no_arguments: method.no_arguments,
    };
    let client = java_client(source, &loaded, loaded.of_clients.iter().cloned().map(function).collect());
    let functions = loaded.methods.into_iter().map(function).collect();
    let contracts = loaded.contracts.into_iter();
    let contracts = contracts.map(|(procedure, written)| Specified { procedure, is_defined: true, written });
    let contracts: Vec<Specified> = contracts.collect();
    let (sources, program) = specified(loaded.program, loaded.sources, &contracts)?;
    Ok(Translated {
        name: source.name.clone(),
        files: source.units.iter().map(|unit| unit.path.clone()).collect(),
        language: Language::Java,
        sources,
        program,
        functions,
        is_library: loaded.is_library,
        types: Vec::new(),
        assumed: Vec::new(),
        warnings: Vec::new(),
        client,
    })
}

/// The clients of classes without `main`. Contracts say more than an interface does.
fn java_client(source: &Source, loaded: &trifold_jvm::Loaded, functions: Vec<Function>) -> Option<Arc<ClientCode>> {
    if loaded.clients.is_empty() || !loaded.contracts.is_empty() {
        return None;
    }
    let starts = loaded.clients.iter().map(|start| ClientStart {
        about: start.about.clone(),
        function: start.function.clone(),
        thens: start.thens.clone(),
        ..ClientStart::default()
    });
    let called = loaded.clients.iter().flat_map(|start| start.thens.keys().cloned()).collect();
    let apart = loaded.clients.iter().any(|start| start.apart);
    let clients = Clients { starts: starts.collect(), called, apart, ..Clients::default() };
    Some(Arc::new(ClientCode { clients, path: format!("client of {}", source.name), functions }))
}

/// Reads texts in C, of which one has more after it.
fn load_c(source: &Source, more: Option<(usize, &str)>) -> Result<Loaded, Rejected> {
    let remember = |sources: &mut SourceMap| {
        source.units.iter().for_each(|unit| sources.remember(&unit.path, unit.written.as_str().into()));
    };
    let text = |(number, unit): (usize, &Unit)| match more {
        Some((at, more)) if at == number => unit.text.clone() + more,
        _ => unit.text.clone(),
    };
    let texts: Vec<String> = source.units.iter().enumerate().map(text).collect();
    let texts: Vec<(&str, &str)> = source.units.iter().zip(&texts).map(|(unit, text)| (&*unit.path, &**text)).collect();
    let mut loaded = trifold_c::load_units(source.target, &texts).map_err(|mut failure| {
        remember(&mut failure.sources);
        Rejected::Text(failure)
    })?;
    remember(&mut loaded.sources);
    Ok(loaded)
}

/// The text of clients, to come after that of a module.
fn after_module(path: &str, clients: &Clients) -> String {
    let thens: String = clients.starts.iter().map(|start| start.then_text.as_str()).collect();
    // No headers are read here.
    let ready = [clients.text.as_str(), "\n", &thens].concat();
    let ready = ready.replace("NULL", "((void *)0)").replace(" malloc(", " __builtin_malloc(");
    let ready = ready.replace(" free(", " __builtin_free(");
    format!("\n# 1 \"{path}\"\n{ready}")
}

/// A module with its clients: where objects are made by what it offers, and contracts do not say more. Of several
/// files,
/// clients come after the first that declares all they need.
fn with_clients(source: &Source, module: &Loaded) -> Option<(Loaded, Clients, String)> {
    let clients = trifold_c::clients(&module.program).filter(|_| module.program.contracts.is_empty())?;
    let path = format!("client of {}", source.name);
    let text = after_module(&path, &clients);
    let with = |number: usize| load_c(source, Some((number, &text))).ok();
    let mut loaded = (0..source.units.len()).find_map(with)?;
    loaded.sources.remember(&path, clients.text.as_str().into());
    Some((loaded, clients, path))
}

fn c(source: &Source, start: Start<'_>, malloc_may_fail: bool) -> Result<Translated, Rejected> {
    let mut loaded = load_c(source, None)?;
    let entry = match start {
        Start::At(name) => Some(name),
        Start::MainOrLibrary if loaded.program.function("main").is_some() => Some("main"),
        Start::MainOrLibrary | Start::Library | Start::Module => None,
    };
    let options = TranslateOptions { entry: entry.map(str::to_string), clients: Vec::new(), malloc_may_fail };
    let mut translation = trifold_c::translate(&loaded.program, &options);
    let mut clients = None;
    // Functions that describe their arguments say more than their interface does.
    if entry.is_none()
        && matches!(start, Start::MainOrLibrary | Start::Module)
        && trifold_heap_sl::specified(&translation.program).is_empty()
        && let Some((with_clients, of_module, path)) = with_clients(source, &loaded)
    {
        let malloc_may_fail = malloc_may_fail || of_module.allocations_may_fail;
        loaded = with_clients;
        let starts = of_module.starts.iter();
        let clients_of = starts.flat_map(|start| start.thens.values().chain([&start.function])).cloned().collect();
        let options = TranslateOptions { malloc_may_fail, clients: clients_of, ..options };
        translation = trifold_c::translate(&loaded.program, &options);
        clients = Some((of_module, path));
    }
    let Translation { program, functions, assumed, types } = translation;
    let (contracts, declared) = (&loaded.program.contracts, &loaded.program.declared);
    let mut with_contracts = Vec::new();
    for function in &functions {
        let Some(written) = contracts.get(&function.declaration) else { continue };
        let is_defined = !declared.contains(&function.declaration);
        let procedures = function.procedures.iter();
        with_contracts.extend(procedures.map(|p| Specified { procedure: *p, is_defined, written: written.clone() }));
    }
    let functions = functions.into_iter().filter(|function| !declared.contains(&function.declaration));
    let functions = functions.map(|function| {
        // A function that is not known in other files is analysed where it is called.
        let is_root = function.is_external;
        let trifold_c::TranslatedFunction { name, span, procedures, parameters, not_null, .. } = function;
        Function { name, span, procedures, is_root, parameters, not_null, no_arguments: None }
    });
    let (sources, mut program) = specified(program, loaded.sources, &with_contracts)?;
    let client_path = clients.as_ref().map_or("", |(_, path): &(Clients, String)| path);
    let is_own = |function: &Function| sources.locate(function.span).0 != client_path;
    let (mut functions, of_clients): (Vec<Function>, Vec<Function>) = functions.partition(is_own);
    tell_apart(&mut functions, Arc::make_mut(&mut program), &sources);
    let warnings = loaded.warnings.into_iter().filter(|warning| warning.code == "link").collect();
    let client = clients.map(|(clients, path)| Arc::new(ClientCode { clients, path, functions: of_clients }));
    Ok(Translated {
        name: source.name.clone(),
        files: source.units.iter().map(|unit| unit.path.clone()).collect(),
        language: Language::C,
        sources,
        program,
        functions,
        is_library: entry.is_none(),
        types,
        client,
        assumed,
        warnings,
    })
}

/// Functions of the same name in different files get the names of their files. One that stands in a header gets that of
/// the file that includes it.
fn tell_apart(functions: &mut [Function], program: &mut Program, sources: &SourceMap) {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    functions.iter().for_each(|function| *count.entry(function.name.clone()).or_default() += 1);
    for function in functions.iter_mut().filter(|function| count[&function.name] > 1) {
        let own = format!("{} ({})", function.name, sources.file(function.span.file).path);
        for procedure in &function.procedures {
            let name = &mut program[*procedure].name;
            let rest = name.strip_prefix(&function.name).unwrap_or_default();
            let number = rest.find('$').map_or("", |at| &rest[at..]);
            *name = format!("{own}{}", rest.strip_suffix(number).unwrap_or_default());
        }
        function.name = own;
    }
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
