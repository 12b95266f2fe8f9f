//! Syntax trees to heap programs.
//!
//! Expressions are taken apart into atomic statements, from left to right as Java asks for. For example, `a.n.d = f(b)`
//! becomes `t = a->n; u = f(b); t->d = u`.
//!
//! ```text
//! declare     classes ─► structs, fields, variables, procedures
//! statement   control flow ─► nodes and edges
//! expression, place, condition, convert, call, create, library
//!             expressions ─► statements on edges
//! ```
//!
//! # Assumptions
//!
//! - The program has one thread, and memory does not run out.
//! - An exception ends the program. Where one might be caught, the program is not analysed.
//! - Static initializers of classes that are not used come to an end.
//! - The results of methods of the library are not known; those that are called on strings, numbers and arrays change
//!   nothing that is analysed.

mod body;
mod call;
mod condition;
mod conditional;
mod content;
mod convert;
mod create;
mod declare;
mod expression;
mod library;
mod place;
mod statement;
mod value;

use crate::ast::{Class, Method};
use crate::classes::Classes;
use crate::translation::{Entry, TranslatedMethod};
use crate::types::{ClassId, LibraryId, Type};
use body::Body;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir as ir;
use trifold_ir::{FieldId, NodeId, ProcId, StructId, VarId};
use trifold_source::{Diagnostic, Sink, Span};

/// Translates the classes of a file. `start` is the place of code that stands nowhere.
pub(crate) fn translate(files: &[Class], entry: Entry<'_>, start: Span, sink: &mut Sink) -> Translation {
    match translate_with(files, entry, start, sink, false) {
        (translation, false) => translation,
        // What has been translated before that was seen does not know it. The same mistakes are told once.
        (_, true) => translate_with(files, entry, start, sink, true).0,
    }
}

/// The heap program, its methods, and whether there is a `main`.
type Translation = (ir::Program, Vec<TranslatedMethod>, bool);

/// The translation, and whether texts or boxes are among the values of type `Object`.
fn translate_with(
    files: &[Class],
    entry: Entry<'_>,
    start: Span,
    sink: &mut Sink,
    texts_are_objects: bool,
) -> (Translation, bool) {
    let mut translator = Translator {
        classes: Classes::new(files),
        ir: ir::Program::default(),
        sink,
        start,
        structs: BTreeMap::new(),
        library_structs: BTreeMap::new(),
        tags: BTreeMap::new(),
        fields: BTreeMap::new(),
        final_fields: BTreeSet::new(),
        methods: Vec::new(),
        constructors: BTreeMap::new(),
        has_seeds: false,
        texts_are_objects,
        body: Body::new(ProcId(u32::MAX), NodeId(0), ClassId(0)),
    };
    translator.declare();
    translator.translate_methods();
    translator.close_seeded_input();
    let has_main = translator.translate_start(entry);
    trifold_passes::simplify(&mut translator.ir);
    let methods = translator.methods.iter().filter_map(|method| {
        let procedure = method.procedure?;
        let name = translator.ir[procedure].name.clone();
        Some(TranslatedMethod { name, span: method.ast.span, procedure, is_constructor: method.ast.result.is_none() })
    });
    let methods = methods.collect();
    ((translator.ir, methods, has_main), translator.texts_are_objects)
}

/// A method or constructor of a class of the file.
struct MethodInfo<'a> {
    class: ClassId,
    ast: &'a Method,
    parameters: Vec<ParameterInfo>,
    result: Type,
    /// Unless it is abstract.
    procedure: Option<ProcId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct ParameterInfo {
    ty: Type,
    /// Is it a type variable?
    is_variable: bool,
}

/// Where the value of a field is.
#[derive(Clone, Copy)]
enum FieldHome {
    Instance(FieldId),
    Static(VarId),
    /// It is not kept, as it is a floating number.
    Nowhere,
}

#[derive(Clone, Copy)]
struct FieldInfo {
    is_static: bool,
    ty: Type,
    home: FieldHome,
}

struct Translator<'a, 's> {
    classes: Classes<'a>,
    ir: ir::Program,
    sink: &'s mut Sink,
    start: Span,
    /// By the component of a class.
    structs: BTreeMap<usize, StructId>,
    library_structs: BTreeMap<LibraryId, StructId>,
    /// The field that says of which class an object is, by component, where there are several.
    tags: BTreeMap<usize, FieldId>,
    fields: BTreeMap<(ClassId, String), FieldInfo>,
    /// The names of fields that have one value only, which compilers may know.
    final_fields: BTreeSet<String>,
    methods: Vec<MethodInfo<'a>>,
    /// Constructors that are not written, but have something to do.
    constructors: BTreeMap<ClassId, ProcId>,
    /// Is there a generator of random numbers that starts from a seed, or a scanner of a given text?
    has_seeds: bool,
    /// Are texts or boxes among the values of type `Object`?
    texts_are_objects: bool,
    body: Body,
}

impl Translator<'_, '_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.sink.push(Diagnostic::error(code, span, message));
    }
}
