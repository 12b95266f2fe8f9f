//! The result of a translation: the heap program, and the constructs of each function that it does not express.
//!
//! For example, a function with a `goto *p` is translated up to there, and the jump is listed with its place.

use super::Translator;
use super::member::record_of;
use crate::typed::{DeclarationId, DeclarationKind, NotNull};
use std::collections::BTreeSet;
use trifold_ir as ir;
use trifold_ir::{ProcId, Statement};
use trifold_source::Span;

/// A heap program, and how the functions of C became its procedures.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The heap program. Its spans lead into the sources of the C program.
    pub program: ir::Program,
    /// All functions that are defined in the C program, in their order.
    pub functions: Vec<TranslatedFunction>,
    /// The calls of functions that are defined nowhere, of which something is assumed.
    pub assumed: Vec<Assumed>,
    /// The types of C that the structs of the heap program stand for, by [`StructId`](ir::StructId).
    pub types: Vec<ObjectType>,
}

/// A call of a function that is defined nowhere, of which it is assumed that it does no harm.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Assumed {
    /// Where it is called.
    pub procedure: ProcId,
    /// The function.
    pub name: String,
    /// The call.
    pub span: Span,
}

/// The type of the objects of a struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectType {
    /// How C names it, if it does. For example, `struct node`, or `int (*)[3]`.
    pub name: Option<String>,
    /// Is it a struct of C, whose fields are members? Any other object has one field for its value.
    pub is_record: bool,
}

/// A function of C.
#[derive(Clone, Debug)]
pub struct TranslatedFunction {
    /// Which.
    pub declaration: DeclarationId,
    /// Its name.
    pub name: String,
    /// Its head.
    pub span: Span,
    /// The types of its parameters.
    pub parameters: Vec<String>,
    /// The parameters that are not NULL, as its declarations say.
    pub not_null: BTreeSet<usize>,
    /// Its procedures. Functions that are called with different sizes or functions become several procedures; those
    /// that are neither called nor known elsewhere become none.
    pub procedures: Vec<ProcId>,
    /// Can other files call it: by its name, or by its address, which they may get?
    pub is_external: bool,
    /// The places in its own body where execution is not analysed any further, in the order of the text.
    pub not_analysed: Vec<Construct>,
}

/// Something that heap programs do not express.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Construct {
    /// Where it stands.
    pub span: Span,
    /// The construct.
    pub text: String,
}

impl Translator<'_> {
    /// The functions, with their procedures.
    pub(super) fn functions(&self) -> Vec<TranslatedFunction> {
        let handed_out = self.handed_out();
        let translated = |function: &crate::typed::Function| {
            let instances = self.instances.iter();
            let instances = instances.filter(|(instance, _)| instance.function == function.declaration);
            let procedures: Vec<ProcId> = instances.map(|(_, procedure)| *procedure).collect();
            let edges = procedures.iter().flat_map(|procedure| &self.ir[*procedure].edges);
            let mut not_analysed: Vec<Construct> = edges.filter_map(construct).collect();
            not_analysed.sort();
            not_analysed.dedup();
            let name = self.name(function.declaration).to_string();
            let kind = self.c.declarations[function.declaration.index()].kind;
            let is_external = matches!(kind, DeclarationKind::Function { external: true, .. })
                || handed_out.contains(&function.declaration);
            let parameter = |id: &DeclarationId| self.c.show(self.c.declarations[id.index()].ty);
            let parameters = function.parameters.iter().map(parameter).collect();
            let declaration = function.declaration;
            let NotNull { checked, told } = &self.c.declarations[declaration.index()].not_null;
            let not_null = checked | told;
            TranslatedFunction {
                declaration,
                name,
                span: function.span,
                parameters,
                not_null,
                procedures,
                is_external,
                not_analysed,
            }
        };
        self.c.functions.iter().map(translated).collect()
    }

    /// The types of all objects.
    pub(super) fn object_types(&self) -> Vec<ObjectType> {
        let is_array = |id: ir::StructId| self.layouts.arrays.iter().any(|(_, array)| *array == id);
        let named = |id: ir::StructId| {
            let ty = self.type_of_struct(id);
            let record = record_of(&self.c.types, ty);
            let name = match record {
                Some(record) => self.record_type(record),
                None => Some(without_qualifiers(&self.c.show(ty))),
            };
            ObjectType { name: name.filter(|_| !is_array(id)), is_record: record.is_some() }
        };
        self.ir.struct_ids().map(named).collect()
    }
}

/// A type of which variables can be changed.
fn without_qualifiers(text: &str) -> String {
    let qualifiers = ["const", "volatile", "restrict", "_Atomic"];
    let mut text = text.trim();
    while let Some(qualifier) = qualifiers.iter().find(|q| text.starts_with(&format!("{q} "))) {
        text = text[qualifier.len()..].trim_start();
    }
    let pointer = qualifiers.iter().find_map(|qualifier| text.strip_suffix(&format!("*{qualifier}")));
    pointer.map_or(text.to_string(), |target| format!("{target}*"))
}

fn construct(edge: &ir::Edge) -> Option<Construct> {
    let text = match &edge.statement {
        Statement::Unsupported { text } => text.clone(),
        Statement::UnknownCall { name, .. } => format!("a call of `{name}`, about which nothing is known"),
        _ => return None,
    };
    Some(Construct { span: edge.span, text })
}
