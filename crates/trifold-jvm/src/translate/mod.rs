//! Bytecode to heap programs.
//!
//! Each method becomes a procedure. The stack of the Java machine is followed symbolically: its entries are expressions
//! over variables, and only what has an effect becomes a statement. For example, `aload x; getfield n; astore x`
//! becomes `x = x->n`.
//!
//! ```text
//! declare    classes ─► structs, fields, globals, procedures
//! block      basic blocks ─► nodes; the stack where ways meet
//! step       instructions ─► statements
//! number, field, array, copy, invoke, library, text, throw, initialise
//!            what single instructions do
//! start      where execution begins
//! ```
//!
//! # Assumptions
//!
//! - The program has one thread, memory does not run out, and neither does the stack of calls.
//! - Assertions are checked, as `java -ea` does.
//! - Arguments of the command line are not null.

mod array;
mod block;
mod condition;
mod copy;
mod declare;
mod field;
mod initialise;
mod invoke;
mod library;
mod number;
mod start;
mod step;
mod text;
mod throw;
mod value;

use crate::class::Code;
use crate::classes::MethodId;
use crate::groups::Groups;
use crate::identity::compared_boxes;
use crate::places::Places;
use crate::reach::{Body, Flow, Reach};
use crate::throws::Throws;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir as ir;
use trifold_ir::{Builder, FieldId, NodeId, ProcId, StructId, Type, VarId};
use trifold_source::Span;
use value::Sym;

pub(crate) use declare::method_name;

/// Translates everything that may run, from an entry if there is one.
pub(crate) fn translate(
    reach: &Reach<'_, '_>,
    places: &mut Places,
    entry: Option<&MethodId>,
) -> (ir::Program, BTreeMap<MethodId, ProcId>) {
    let groups = Groups::of(reach);
    let throws = Throws::of(reach);
    let mut translator = Translator {
        reach,
        groups: &groups,
        throws: &throws,
        places,
        ir: ir::Program::default(),
        structs: BTreeMap::new(),
        tags: BTreeMap::new(),
        numbers: reach.made.iter().enumerate().map(|(number, class)| (class.clone(), number as i128)).collect(),
        fields: BTreeMap::new(),
        statics: BTreeMap::new(),
        procedures: BTreeMap::new(),
        flags: BTreeMap::new(),
        globals: BTreeMap::new(),
        compared_boxes: compared_boxes(reach),
        texts: Vec::new(),
        entry_class: entry.map(|entry| entry.class.clone()),
        at: NodeId(0),
        procedure: ProcId(0),
        body: None,
        stack: Vec::new(),
        temporaries: Vec::new(),
        pinned: Vec::new(),
        variables: Vec::new(),
        stack_variables: BTreeMap::new(),
        instruction: 0,
        nodes: BTreeMap::new(),
        meeting: BTreeSet::new(),
    };
    translator.declare();
    for id in &reach.order {
        translator.method(&reach.bodies[id]);
    }
    translator.start(entry);
    trifold_passes::simplify(&mut translator.ir);
    (translator.ir, translator.procedures)
}

struct Translator<'t> {
    reach: &'t Reach<'t, 't>,
    groups: &'t Groups,
    throws: &'t Throws,
    places: &'t mut Places,
    ir: ir::Program,
    /// By the class that stands for the group.
    structs: BTreeMap<String, StructId>,
    /// The field that says of which class an object is, by group.
    tags: BTreeMap<String, FieldId>,
    /// The numbers of classes in these fields.
    numbers: BTreeMap<String, i128>,
    /// By class, name and descriptor.
    fields: BTreeMap<(String, String, String), FieldId>,
    statics: BTreeMap<(String, String, String), VarId>,
    procedures: BTreeMap<MethodId, ProcId>,
    /// Has a class been initialised?
    flags: BTreeMap<String, VarId>,
    /// Other global variables: the exception that is under way, constants, boxes that are kept.
    globals: BTreeMap<String, VarId>,
    /// The classes of boxes of which it matters whether two are the same.
    compared_boxes: BTreeSet<&'static str>,
    /// The variables of constant texts, which are made before the program starts.
    texts: Vec<(VarId, Vec<u16>)>,
    /// The class of the entry is initialised before everything else.
    entry_class: Option<String>,

    /// Where the next statement goes.
    at: NodeId,
    procedure: ProcId,
    /// The method that is translated.
    body: Option<&'t Body>,
    stack: Vec<Sym>,
    temporaries: Vec<VarId>,
    /// Temporaries that the current instruction needs.
    pinned: Vec<VarId>,
    /// The variables of webs.
    variables: Vec<VarId>,
    /// The variables of entries of the stack where ways meet.
    stack_variables: BTreeMap<(usize, Type), VarId>,
    instruction: usize,
    /// The nodes of blocks, by their first instruction.
    nodes: BTreeMap<usize, NodeId>,
    /// The first instructions of blocks that several ways lead to.
    meeting: BTreeSet<usize>,
}

impl Builder for Translator<'_> {
    fn writing(&mut self) -> (&mut ir::Program, ProcId, &mut NodeId) {
        (&mut self.ir, self.procedure, &mut self.at)
    }
}

impl<'t> Translator<'t> {
    /// The code of the method that is translated.
    fn code(&self) -> &'t Code {
        self.body.and_then(Body::code).expect("only methods with code are translated")
    }

    fn flow(&self) -> &'t Flow {
        let flow = self.body.and_then(|body| body.flow.as_ref().ok());
        flow.expect("only methods that fit together are translated")
    }

    /// The place of the current instruction.
    fn span(&mut self) -> Span {
        match self.body {
            Some(body) => self.places.instruction(body, self.instruction),
            None => self.places.nowhere(),
        }
    }
}
