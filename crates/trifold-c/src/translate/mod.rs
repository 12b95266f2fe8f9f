//! Typed trees to heap programs.
//!
//! Expressions are taken apart into atomic statements, in the order that C asks for. Where C leaves the order open and
//! it matters, and where heap programs have no words for something, the place becomes [`Statement::Unsupported`] with
//! the construct named: execution that comes there is not analysed, everything else is. Nothing is dropped.
//!
//! ```text
//! survey      variables and members whose address is taken
//! layout      types ─► structs, fields, variables
//! statement   control flow ─► nodes and edges
//! expression, access, condition, pointer, buffer, element_count, pointer_array, counted_loop, overlay, float, data,
//! call, allocate, heap_array, library, text, initial
//!             expressions ─► statements on edges
//! simplify    nodes that do nothing go
//! ```
//!
//! # Assumptions
//!
//! - The program has one thread, and `volatile` objects change only when it writes them.
//! - A function that is defined nowhere does no harm, as far as that can be expressed (`library/unknown.rs`).
//! - `malloc` succeeds, unless [`Options::malloc_may_fail`]; so nobody asks for more memory than can be addressed.
//! - Integers wrap around.
//! - Text that a function of the C library reads ends within its array.

mod access;
mod allocate;
mod buffer;
mod call;
mod condition;
mod convert;
mod counted_loop;
mod data;
mod effects;
mod element;
mod element_count;
mod expression;
mod extent;
mod fixed;
mod float;
mod format;
mod forms;
mod fresh;
mod graph;
mod handed_out;
mod heap_array;
mod initial;
mod instance;
mod layout;
mod library;
mod member;
mod names;
mod operator;
mod overlay;
mod place;
mod pointer;
mod pointer_array;
mod procedure;
mod statement;
mod survey;
mod terminator;
mod text;
mod translation;
mod value;
mod walked;

use crate::constant::Constants;
use crate::library::Known;
use crate::typed::{DeclarationId, Expr, Program};
use crate::types::{RecordId, TypeId};
use effects::EffectTable;
use element::PointerArray;
use graph::Body;
use instance::Instance;
use layout::{Slot, Tree};
use names::{Taken, UniqueNames};
use overlay::{Overlaid, Overlay};
use place::Place;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use survey::Survey;
pub use translation::{Assumed, Construct, ObjectType, TranslatedFunction, Translation};
use trifold_ir as ir;
use trifold_ir::{FieldId, NodeId, ProcId, StructId};
use trifold_source::{FileId, Span, Trail};
use walked::Walked;

/// How a program is translated.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function where execution starts; in a library, nowhere.
    pub entry: Option<String>,
    /// The clients of a library: who else uses it has its pointers from them, too.
    pub clients: Vec<String>,
    /// May `malloc` return a null pointer?
    pub malloc_may_fail: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { entry: Some("main".to_string()), clients: Vec::new(), malloc_may_fail: false }
    }
}

/// Translates a program. If it has no function with the name of the entry, the result has no entry. A library's entry
/// initialises its variables, if there are some, and ends.
///
/// ```
/// let text = "struct node { struct node *next; }; struct node *x; int main(void) { x = x->next; return 0; }";
/// let loaded = trifold_c::load("list.c", text).unwrap();
/// let translation = trifold_c::translate(&loaded.program, &trifold_c::TranslateOptions::default());
/// assert!(trifold_ir::print(&translation.program).contains("x = x->next;"));
/// assert!(translation.functions[0].not_analysed.is_empty());
/// ```
pub fn translate(program: &Program, options: &Options) -> Translation {
    let mut translator = Translator::new(program, options);
    translator.declare_globals();
    translator.translate_functions();
    translator.choose_entry();
    translator.lay_out_all();
    trifold_passes::simplify(&mut translator.ir);
    let (functions, types) = (translator.functions(), translator.object_types());
    Translation { functions, types, assumed: translator.assumed, program: translator.ir }
}

/// Structs that were made, and their purpose.
#[derive(Default)]
struct Layouts {
    records: BTreeMap<RecordId, StructId>,
    /// Structs of everything else.
    cells: Vec<(TypeId, StructId)>,
    /// By [`StructId`].
    types: Vec<TypeId>,
    roots: BTreeMap<StructId, Rc<Tree>>,
    /// Where fields end in the objects of their struct, in bytes.
    ends: BTreeMap<FieldId, u64>,
    /// The types of embedded fields.
    embedded: BTreeMap<FieldId, TypeId>,
    /// The fields of buffers of characters for the index of one that is zero, by those of their blocks.
    zeros: BTreeMap<FieldId, FieldId>,
    /// Structs of buffers, by the size of their elements.
    buffers: BTreeMap<u64, StructId>,
    /// Structs of arrays of pointers, by the type of their elements.
    pointer_arrays: Vec<(TypeId, PointerArray)>,
    /// The leaves of unions that overlap others.
    overlaid: BTreeMap<Slot, Overlaid>,
    /// Structs of arrays on the heap, by that of their elements.
    arrays: Vec<(StructId, StructId)>,
}

/// An object that is initialised before the program starts.
struct Static<'p> {
    place: Place,
    initializer: Option<&'p crate::typed::Initializer>,
    span: Span,
}

struct Translator<'p> {
    c: &'p Program,
    options: &'p Options,
    known: Rc<Known>,
    survey: Survey,
    effects: EffectTable,
    ir: ir::Program,
    layouts: Layouts,
    /// What pointers walk over.
    walked: Walked,
    /// The union that is being laid out.
    overlay: Option<Overlay>,
    names: UniqueNames,
    /// Variables that live for ever.
    globals: BTreeMap<DeclarationId, Place>,
    statics: Vec<Static<'p>>,
    /// Strings, with their characters.
    strings: Vec<(Place, Vec<u32>, Span)>,
    /// Where functions leave the structs that they return.
    results: BTreeMap<DeclarationId, Place>,
    /// Pointers that the program is started with.
    environment: BTreeSet<DeclarationId>,
    /// Where the definition of a function is, unless its name alone decides its meaning.
    definitions: BTreeMap<DeclarationId, usize>,
    /// The numbers of variables that keep the ones they begin with.
    fixed: BTreeMap<DeclarationId, i128>,
    /// Parameters that become sizes of allocated objects, and parameters that are called.
    bindable: BTreeSet<DeclarationId>,
    instances: BTreeMap<Instance, ProcId>,
    /// The parameters of procedures.
    parameters: BTreeMap<(ProcId, DeclarationId), Place>,
    queue: VecDeque<Instance>,
    assumed: Vec<Assumed>,
    body: Body<'p>,
}

impl<'p> Translator<'p> {
    fn new(program: &'p Program, options: &'p Options) -> Translator<'p> {
        let known = Rc::new(Known::of(program));
        let functions = program.functions.iter().enumerate();
        let functions = functions.filter(|(_, function)| known.row(function.declaration).is_none());
        let definitions = functions.map(|(index, function)| (function.declaration, index)).collect();
        let survey = Survey::of(program, &known);
        let constants = Constants { types: &program.types, declarations: &program.declarations };
        let starts = options.entry.iter().chain(&options.clients).filter_map(|start| program.function(start));
        let walked = Walked::of(program, &survey, &known, &starts.collect::<Vec<_>>());
        Translator {
            fixed: fixed::fixed(program, &survey, constants),
            c: program,
            options,
            effects: EffectTable::of(program, &survey, &known),
            survey,
            ir: ir::Program::default(),
            layouts: Layouts::default(),
            overlay: None,
            walked,
            names: UniqueNames::default(),
            globals: BTreeMap::new(),
            statics: Vec::new(),
            strings: Vec::new(),
            results: BTreeMap::new(),
            bindable: procedure::bindable(program, &known),
            environment: procedure::environment(program, options),
            definitions,
            known,
            instances: BTreeMap::new(),
            parameters: BTreeMap::new(),
            queue: VecDeque::new(),
            assumed: Vec::new(),
            body: Body::new(ProcId(u32::MAX), NodeId(0), Taken::default()),
        }
    }

    fn constants(&self) -> Constants<'p> {
        Constants { types: &self.c.types, declarations: &self.c.declarations }
    }

    fn integer(&self, expr: &Expr) -> Option<i128> {
        self.constants().integer(expr)
    }

    /// The name of a declaration.
    fn name(&self, id: DeclarationId) -> &'p str {
        self.c.declaration(id).name.map_or("", |name| self.c.text(name))
    }

    /// The place of code that stands nowhere.
    fn start_span(&self) -> Span {
        Span { file: FileId(0), start: 0, end: 0, trail: Trail::NONE }
    }
}
