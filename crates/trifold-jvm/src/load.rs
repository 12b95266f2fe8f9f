//! Loading classes: from class files to a heap program.

use crate::class::ClassFile;
use crate::classes::{ClassPath, Classes, MethodId, OBJECT, STRING};
use crate::client::{self, CLIENT, add_client};
use crate::descriptor::{FieldType, element_type, is_entry, readable};
use crate::flows::Flows;
use crate::models::boxed;
use crate::places::Places;
use crate::reach::Reach;
use crate::refined::Refined;
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
    /// At the method of this name if there is one, or else nowhere, with clients.
    MethodOrLibrary(&'a str),
    /// Nowhere, with clients.
    Module,
}

/// The classes that are checked.
pub struct Input<'a> {
    /// Their names, `java/util/List`. Of several with a `main`, the first is where execution starts.
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
    /// Why arguments for it cannot be made up, if so.
    pub no_arguments: Option<String>,
}

/// The client of a class, by the names of its methods.
#[derive(Clone, Debug)]
pub struct ClientStart {
    /// The class.
    pub about: String,
    /// The method that uses it in any way.
    pub function: String,
    /// For each operation, a method that calls it at last.
    pub thens: BTreeMap<String, String>,
    /// Do objects that meet in a call not meet in any other way?
    pub apart: bool,
}

/// Classes as a heap program.
#[derive(Debug)]
pub struct Loaded {
    /// The heap program.
    pub program: Program,
    /// All methods and constructors of the classes that have code.
    pub methods: Vec<TranslatedMethod>,
    /// The clients of classes without `main`, and their methods.
    pub clients: Vec<ClientStart>,
    /// The methods of clients.
    pub of_clients: Vec<TranslatedMethod>,
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
    let mut seen = BTreeSet::new();
    let names = input.classes.iter().filter(|name| seen.insert(*name));
    let files: Vec<Rc<ClassFile>> = names.filter_map(|name| classes.get(name)).collect();
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
        Entry::Library | Entry::Module => None,
    };
    let has_client = main.is_none() && matches!(entry, Entry::MethodOrLibrary(_) | Entry::Module);
    let starts = if has_client && classes.is_complete(OBJECT) { add_client(&classes, &files) } else { Vec::new() };
    let from = From { main: main.as_ref(), starts: &starts, files: &files };
    // What comes where is seen from what may run, and then less may run.
    let all = from.reach(&classes, own.clone(), Refined::default());
    let known: BTreeSet<&str> = files.iter().map(|class| class.name.as_str()).collect();
    let made_up: Vec<MethodId> = match main {
        Some(_) => Vec::new(),
        None => all.order.iter().filter(|id| no_arguments(&all, &known, id).is_none()).cloned().collect(),
    };
    let refined = Flows::of(&all, main.as_ref(), &made_up).refined(&all);
    let reach = from.reach(&classes, own.clone(), refined);
    let (mut program, procedures) = translate(&reach, &mut places, main.as_ref());
    if main.is_none() && matches!(entry, Entry::Method(_)) {
        program.entry = None;
    }
    let methods = methods(&files, &procedures, &mut program, &mut places);
    let complete = |(id, method): (MethodId, TranslatedMethod)| {
        let no_arguments = no_arguments(&reach, &known, &id);
        TranslatedMethod { no_arguments, ..method }
    };
    let methods: Vec<TranslatedMethod> = methods.into_iter().map(complete).collect();
    let (clients, of_clients) = clients_of(&classes, &starts, &procedures, &program);
    let contracts = contracts(&places.sources, input.texts.len(), &methods, &mut sink);
    if sink.failed() {
        return Err(Failure::new(sink, places.sources));
    }
    let is_library = main.is_none();
    Ok(Loaded { program, methods, clients, of_clients, contracts, is_library, sources: places.sources })
}

/// Why arguments of a method cannot be made up: callers may pass objects of classes that are not known.
fn no_arguments(reach: &Reach<'_, '_>, own: &BTreeSet<&str>, id: &MethodId) -> Option<String> {
    let (class, position) = reach.classes.method(id);
    let method = &class.methods[position];
    let this = (!method.is_static()).then(|| FieldType::Ref(class.name.clone()));
    let mut types = this.into_iter().chain(method.signature.parameters.iter().cloned());
    let stranger = types.find_map(|ty| stranger(reach, own, &ty))?;
    Some(format!("its arguments may lead to any `{}`", readable(&stranger)))
}

/// A class of which objects may be reached from a type, and of which there may be subclasses that nobody knows.
fn stranger(reach: &Reach<'_, '_>, own: &BTreeSet<&str>, ty: &FieldType) -> Option<String> {
    let (mut open, mut seen) = (vec![ty.clone()], BTreeSet::new());
    while let Some(ty) = open.pop() {
        let Some(class) = ty.class().map(str::to_string).filter(|class| seen.insert(class.clone())) else { continue };
        if let Some(element) = element_type(&class) {
            open.push(element);
            continue;
        }
        if class == STRING || boxed(&class).is_some() {
            continue;
        }
        if !own.contains(class.as_str()) && !reach.classes.is_of_program(&class) {
            return Some(class);
        }
        for below in reach.below(&class) {
            for above in reach.classes.lineage(below).iter().filter(|above| above.name != OBJECT) {
                let fields = above.fields.iter().filter(|field| !field.is_static());
                open.extend(fields.filter_map(|field| FieldType::parse(&field.descriptor)));
            }
        }
    }
    None
}

/// Where execution comes from.
struct From<'f> {
    main: Option<&'f MethodId>,
    starts: &'f [client::Start],
    files: &'f [Rc<ClassFile>],
}

impl From<'_> {
    /// What may run.
    fn reach<'c, 'p>(&self, classes: &'c Classes<'p>, own: BTreeSet<String>, refined: Refined) -> Reach<'c, 'p> {
        let mut reach = Reach::new(classes, own, refined);
        match self.main {
            Some(main) => add_entry(&mut reach, main),
            None => add_library(&mut reach, self.files),
        }
        reach.has_client = !self.starts.is_empty();
        let positions = self.starts.iter().flat_map(|start| start.thens.values().copied().chain([start.method]));
        positions.for_each(|position| reach.add(MethodId { class: CLIENT.to_string(), position }));
        reach.close();
        reach
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
                method.signature.parameters.iter().for_each(|parameter| make_up(reach, parameter));
                reach.add(MethodId { class: class.name.clone(), position });
            }
        }
    }
}

/// There may be objects of everything that an argument leads to: of classes that are checked there are, anyway.
fn make_up(reach: &mut Reach<'_, '_>, parameter: &FieldType) {
    let (mut open, mut seen) = (vec![parameter.clone()], BTreeSet::new());
    while let Some(ty) = open.pop() {
        let Some(class) = ty.class().map(str::to_string).filter(|class| seen.insert(class.clone())) else { continue };
        if class == STRING {
            reach.make(STRING);
        } else if let Some(element) = element_type(&class) {
            reach.make(&class);
            open.push(element);
        } else if let Some(file) = reach.classes.get(&class).filter(|_| reach.classes.is_of_program(&class)) {
            if !file.is_abstract() && reach.classes.is_complete(&class) {
                reach.use_class(&class);
                reach.make(&class);
            }
            let fields = file.fields.iter().filter(|field| !field.is_static());
            open.extend(fields.filter_map(|field| FieldType::parse(&field.descriptor)));
        }
    }
}

/// The static method of that name that gets nothing, or the arguments of the command line. If there are several, the
/// arguments come first, as for the Java machine.
fn entry_method(files: &[Rc<ClassFile>], entry: &str) -> Option<MethodId> {
    let mut found: Vec<(bool, usize, MethodId)> = Vec::new();
    for (number, class) in files.iter().enumerate() {
        for (position, method) in class.methods.iter().enumerate() {
            let full = format!("{}.{}", class.name.replace(['/', '$'], "."), method.name);
            let simple = full.rsplit('.').take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(".");
            let is_it = method.name == entry || full == entry || simple == entry;
            if is_it && method.is_static() && is_entry(&method.signature) && matches!(method.code, Ok(Some(_))) {
                let id = MethodId { class: class.name.clone(), position };
                found.push((method.signature.parameters.is_empty(), number, id));
            }
        }
    }
    found.sort();
    found.into_iter().next().map(|(_, _, id)| id)
}

/// Clients by the names of their procedures, and these.
fn clients_of(
    classes: &Classes<'_>,
    starts: &[client::Start],
    procedures: &BTreeMap<MethodId, ProcId>,
    program: &Program,
) -> (Vec<ClientStart>, Vec<TranslatedMethod>) {
    let name = |id: &MethodId| procedures.get(id).map(|procedure| program[*procedure].name.clone());
    let of_client = |position: usize| name(&MethodId { class: CLIENT.to_string(), position });
    let start = |start: &client::Start| {
        let thens = start.thens.iter().filter_map(|(id, then)| Some((name(id)?, of_client(*then)?))).collect();
        Some(ClientStart {
            about: readable(&start.about),
            function: of_client(start.method)?,
            thens,
            apart: start.apart,
        })
    };
    let is_client = |id: &&MethodId| id.class == CLIENT;
    let method = |id: &MethodId| {
        let procedure = procedures[id];
        let (name, span) = (program[procedure].name.clone(), program[procedure].span);
        TranslatedMethod { name, span, procedure, is_constructor: false, no_arguments: None }
    };
    debug_assert!(starts.is_empty() || classes.get(CLIENT).is_some());
    (starts.iter().filter_map(start).collect(), procedures.keys().filter(is_client).map(method).collect())
}

/// The methods of the classes. One that does not run gets a procedure without a body, so that it can be named.
fn methods(
    files: &[Rc<ClassFile>],
    procedures: &BTreeMap<MethodId, ProcId>,
    program: &mut Program,
    places: &mut Places,
) -> Vec<(MethodId, TranslatedMethod)> {
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
            let is_constructor = method.name == "<init>";
            methods.push((id, TranslatedMethod { name, span, procedure, is_constructor, no_arguments: None }));
        }
    }
    methods.sort_by_key(|(_, method)| (method.span.file, method.span.start, method.procedure));
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
