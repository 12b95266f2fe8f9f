//! The result of a translation: the heap program, and the constructs of each function that it does not express.
//!
//! For example, a function with a `goto *p` is translated up to there, and the jump is listed with its place.

use super::Translator;
use crate::typed::DeclarationKind;
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
}

/// A function of C.
#[derive(Clone, Debug)]
pub struct TranslatedFunction {
    /// Its name.
    pub name: String,
    /// Its head.
    pub span: Span,
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
            TranslatedFunction { name, span: function.span, procedures, is_external, not_analysed }
        };
        self.c.functions.iter().map(translated).collect()
    }
}

fn construct(edge: &ir::Edge) -> Option<Construct> {
    let text = match &edge.statement {
        Statement::Unsupported { text } => text.clone(),
        Statement::UnknownCall { name, .. } => format!("a call of `{name}`, about which nothing is known"),
        _ => return None,
    };
    Some(Construct { span: edge.span, text })
}
