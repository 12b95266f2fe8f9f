//! Loading classes: from class files to a heap program.

use crate::class::ClassFile;
use crate::classes::{ClassPath, Classes, MethodId};
use crate::places::Places;
use crate::reach::{Reach, is_entry};
use crate::text::{Part, parts, words};
use crate::translate::{method_name, translate};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use trifold_ir::{ProcId, Program, Statement};
use trifold_passes::contracts::{Written, read};
use trifold_source::{Diagnostic, Failure, FileId, Sink, SourceMap, Span, Trail};

/// Where execution starts: at a static method `C.m`, or just `m`, that has an array of strings or nothing as its
/// parameters.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'a> {
    /// At the method of this name; without one the program has no entry.
    Method(&'a str),
    /// Nowhere. Every method may be called.
    Library,
    /// At the method of this name if there is one, or else nowhere.
    MethodOrLibrary(&'a str),
}

/// The classes that are checked.
pub struct Input<'a> {
    /// Their names, `java/util/List`.
    pub classes: &'a [String],
    /// The files that they were compiled from, with their paths, as far as they are at hand.
    pub texts: &'a [(String, String)],
    /// Where they and others are found.
    pub path: &'a dyn ClassPath,
}

/// A method, and its procedure.
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

/// Classes as a heap program.
#[derive(Debug)]
pub struct Loaded {
    /// The heap program.
    pub program: Program,
    /// All methods and constructors of the classes that have code.
    pub methods: Vec<TranslatedMethod>,
    /// The contracts of methods.
    pub contracts: Vec<(ProcId, Vec<Written>)>,
    /// Is there no method where execution starts?
    pub is_library: bool,
    /// The texts.
    pub sources: SourceMap,
}

/// Loads classes.
pub fn load(input: &Input<'_>, entry: Entry<'_>) -> Result<Loaded, Box<Failure>> {
    let classes = Classes::new(input.path);
    let own: BTreeSet<String> = input.classes.iter().cloned().collect();
    let (mut sink, mut places) = (Sink::default(), Places::new(own.clone(), input.texts));
    let files: Vec<Rc<ClassFile>> = own.iter().filter_map(|name| classes.get(name)).collect();
    places.expect(&files);
    let refused = classes.refused.borrow().clone();
    for (class, why) in own.iter().filter_map(|name| Some((name, refused.get(name)?))) {
        let message = format!("the class file of `{}` cannot be read: {why}", class.replace('/', "."));
        sink.push(Diagnostic::error("class-file", places.nowhere(), message));
    }
    if sink.failed() {
        return Err(Failure::new(sink, places.sources));
    }
    let main = match entry {
        Entry::Method(name) | Entry::MethodOrLibrary(name) => entry_method(&files, name),
        Entry::Library => None,
    };
    let mut reach = Reach::new(&classes, own.clone());
    match &main {
        Some(main) => add_entry(&mut reach, main),
        None => add_library(&mut reach, &files),
    }
    reach.close();
    let (mut program, procedures) = translate(&reach, &mut places, main.as_ref());
    if main.is_none() && matches!(entry, Entry::Method(_)) {
        program.entry = None;
    }
    let methods = methods(&files, &procedures, &mut program, &mut places);
    if main.is_none() {
        distrust_arguments(&mut program, &methods);
    }
    let contracts = contracts(&places.sources, input.texts.len(), &methods, &mut sink);
    if sink.failed() {
        return Err(Failure::new(sink, places.sources));
    }
    Ok(Loaded { program, methods, contracts, is_library: main.is_none(), sources: places.sources })
}

/// Whoever calls a method of a library may pass objects of classes that are not known: where a parameter may be
/// anything, that is not analysed.
fn distrust_arguments(program: &mut Program, methods: &[TranslatedMethod]) {
    for method in methods {
        let procedure = &program[method.procedure];
        let unknown = |parameter: &&trifold_ir::VarId| program[**parameter].ty == trifold_ir::Type::Pointer(None);
        let Some(parameter) = procedure.parameters.iter().find(unknown) else { continue };
        let text = format!("an argument `{}` of which nothing is known", program[*parameter].name);
        let (entry, exit, span) = (procedure.entry, procedure.exit, method.span);
        program[method.procedure].add_edge(entry, exit, Statement::Unsupported { text }, span);
    }
}

fn add_entry(reach: &mut Reach<'_, '_>, main: &MethodId) {
    let (class, position) = reach.classes.method(main);
    if !class.methods[position].signature.parameters.is_empty() {
        reach.make("[Ljava/lang/String;");
        reach.make(crate::classes::STRING);
    }
    reach.use_class(&main.class);
    reach.add(main.clone());
}

/// Without an entry, there may be objects of every class, and every method may be called.
fn add_library(reach: &mut Reach<'_, '_>, files: &[Rc<ClassFile>]) {
    for class in files {
        reach.use_class(&class.name);
        if !class.is_abstract() && reach.classes.is_complete(&class.name) {
            reach.make(&class.name);
        }
        for position in 0..class.methods.len() {
            let method = &class.methods[position];
            if !matches!(method.code, Ok(None)) && method.name != "<clinit>" {
                for parameter in &method.signature.parameters {
                    if let Some(parameter) = parameter.class().filter(|parameter| parameter.starts_with('[')) {
                        reach.make(parameter);
                    }
                    if parameter.class() == Some(crate::classes::STRING) {
                        reach.make(crate::classes::STRING);
                    }
                }
                reach.add(MethodId { class: class.name.clone(), position });
            }
        }
    }
}

/// The static method of that name that gets nothing, or the arguments of the command line. If there are several, the
/// arguments come first, as for the Java machine.
fn entry_method(files: &[Rc<ClassFile>], entry: &str) -> Option<MethodId> {
    let mut found: Vec<(bool, MethodId)> = Vec::new();
    for class in files {
        for (position, method) in class.methods.iter().enumerate() {
            let full = format!("{}.{}", class.name.replace(['/', '$'], "."), method.name);
            let is_it = method.name == entry || full == entry;
            if is_it && method.is_static() && is_entry(&method.signature) && matches!(method.code, Ok(Some(_))) {
                let id = MethodId { class: class.name.clone(), position };
                found.push((method.signature.parameters.is_empty(), id));
            }
        }
    }
    found.sort();
    found.into_iter().next().map(|(_, id)| id)
}

/// The methods of the classes. One that does not run gets a procedure without a body, so that it can be named.
fn methods(
    files: &[Rc<ClassFile>],
    procedures: &BTreeMap<MethodId, ProcId>,
    program: &mut Program,
    places: &mut Places,
) -> Vec<TranslatedMethod> {
    let mut methods = Vec::new();
    for class in files {
        for (position, method) in class.methods.iter().enumerate() {
            if matches!(method.code, Ok(None)) || !places.is_written(class, position) {
                continue;
            }
            let id = MethodId { class: class.name.clone(), position };
            let span = places.method(class, position);
            let procedure = procedures.get(&id).copied().unwrap_or_else(|| {
                let name = method_name(class, position);
                let name = if program.procedure_named(&name).is_some() { format!("{name}'") } else { name };
                let procedure = program.add_procedure(&name, span);
                let (entry, exit) = (program[procedure].entry, program[procedure].exit);
                program[procedure].add_edge(entry, exit, Statement::Stop, span);
                procedure
            });
            let name = program[procedure].name.clone();
            methods.push(TranslatedMethod { name, span, procedure, is_constructor: method.name == "<init>" });
        }
    }
    methods.sort_by_key(|method| (method.span.file, method.span.start, method.procedure));
    methods
}

/// The contracts of methods. Each stands directly before one, with its modifiers and annotations.
fn contracts(
    sources: &SourceMap,
    count: usize,
    methods: &[TranslatedMethod],
    sink: &mut Sink,
) -> Vec<(ProcId, Vec<Written>)> {
    let mut found: BTreeMap<ProcId, Vec<Written>> = BTreeMap::new();
    for (index, file) in sources.files().iter().enumerate().take(count) {
        let (text, id) = (&*file.text, FileId(index as u32));
        for (_, start, end) in parts(text).into_iter().filter(|(part, ..)| *part == Part::Comment) {
            if !text[start..end].starts_with("/*@") && !text[start..end].starts_with("//@") {
                continue;
            }
            let comment = Span { file: id, start: start as u32, end: end as u32, trail: Trail::NONE };
            let Some(written) = read(text, comment, sink) else { continue };
            let next = methods.iter().filter(|m| m.span.file == id && m.span.start as usize >= end);
            let method = next.min_by_key(|m| m.span.start).filter(|m| is_before(text, end, m));
            match method {
                Some(method) => found.entry(method.procedure).or_default().extend(written),
                None => {
                    let message =
                        "this contract is about nothing: it does not stand directly before a method with a body";
                    sink.push(Diagnostic::error("contract", comment, message));
                }
            }
        }
    }
    found.into_iter().collect()
}

/// Is there nothing but other comments between a place and a method?
fn is_before(text: &str, end: usize, method: &TranslatedMethod) -> bool {
    let between = &text[end..method.span.start as usize];
    let comments = parts(between);
    let mut at = 0;
    let mut rest = String::new();
    for (_, start, end) in comments.into_iter().filter(|(part, ..)| *part == Part::Comment) {
        rest.push_str(&between[at..start]);
        at = end;
    }
    rest.push_str(&between[at..]);
    let is_modifier =
        |word: &str| word.starts_with('@') || ["public", "private", "protected", "static", "final"].contains(&word);
    words(&rest, ";").count() == 0 && rest.split_whitespace().all(is_modifier)
}
