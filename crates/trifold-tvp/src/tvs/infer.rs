//! A vocabulary from the structures themselves, to draw a TVS file without its program.
//!
//! For example, `x = {u}` makes `x` unary, and `n = {u->w}` makes `n` binary.

use super::read::{StructureFile, build};
use super::{Entry, StructureText, Values, parse};
use crate::files::Files;
use crate::options::Options;
use crate::preprocess::preprocess;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use trifold_logic::{Kleene, Predicate, Vocabulary};
use trifold_source::{Diagnostic, Failure, Sink, SourceMap, Span};
use trifold_structure::{Layout, Structure};

/// The predicates of a TVS file. Arities come from use; a predicate that is `{}` everywhere is unary.
pub fn infer_vocabulary(path: &str, files: &dyn Files, options: &Options) -> Result<Vocabulary, Box<Failure>> {
    read_structures_alone(path, files, options).map(|(vocabulary, _)| vocabulary)
}

/// The structures of a TVS file, over the vocabulary inferred from it.
pub fn read_structures_alone(
    path: &str,
    files: &dyn Files,
    options: &Options,
) -> Result<(Vocabulary, StructureFile), Box<Failure>> {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let Some(tokens) = preprocess(path, files, options, &mut sources, &mut sink) else {
        return Err(Failure::new(sink, sources));
    };
    let texts = parse::parse(&tokens, &mut sink);
    let vocabulary = infer(&texts, &mut sink);
    let layout = Arc::new(Layout::new(&vocabulary));
    let structures = build(&texts, &vocabulary, &layout, &mut sink);
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    Ok((vocabulary, StructureFile { structures, sources, warnings: sink.finish().0 }))
}

impl StructureFile {
    /// The inferred vocabulary with a guess at pointers. Without declarations, a unary predicate with a plain name that
    /// holds of at most one individual is most likely a pointer variable.
    pub fn with_likely_pointers(&self, vocabulary: Vocabulary) -> Vocabulary {
        let mut guessed = Vocabulary::default();
        for (p, predicate) in vocabulary.iter().skip(Vocabulary::BUILT_IN) {
            let targets = |s: &Structure| s.universe().filter(|u| s.unary(p, *u) != Kleene::False).count();
            let mut predicate = predicate.clone();
            predicate.pointer = predicate.arity == 1
                && !predicate.name.contains('[')
                && self.structures.iter().all(|named| targets(&named.structure) <= 1);
            guessed.declare(predicate);
        }
        guessed
    }
}

/// The arity of a predicate, as far as it is known.
struct Use {
    arity: Option<usize>,
    span: Span,
}

fn infer(texts: &[StructureText], sink: &mut Sink) -> Vocabulary {
    let mut order: Vec<Arc<str>> = Vec::new();
    let mut uses: FxHashMap<Arc<str>, Use> = FxHashMap::default();
    for entry in texts.iter().flat_map(|text| &text.entries) {
        let name = crate::expand::canonical(&entry.predicate);
        let known = uses.entry(name.clone()).or_insert_with(|| {
            order.push(name.clone());
            Use { arity: None, span: entry.span }
        });
        for (arity, span) in arities(entry) {
            check(&name, known, arity, span, sink);
        }
    }
    let mut vocabulary = Vocabulary::default();
    for name in order.iter().filter(|name| name.as_ref() != "inac") {
        // Built-in predicates are there already.
        vocabulary.declare(Predicate::core(name, uses[name].arity.unwrap_or(1)));
    }
    vocabulary
}

fn arities(entry: &Entry) -> Vec<(usize, Span)> {
    match &entry.values {
        Values::Nullary(_) => vec![(0, entry.span)],
        Values::Listed(tuples) => tuples.iter().map(|tuple| (tuple.individuals.len(), tuple.span)).collect(),
    }
}

fn check(name: &str, known: &mut Use, arity: usize, span: Span, sink: &mut Sink) {
    if !(0..=2).contains(&arity) {
        let message = format!("`{name}` has {arity} arguments; at most 2 are possible");
        sink.push(Diagnostic::error("arity", span, message));
    } else if known.arity.is_none() {
        *known = Use { arity: Some(arity), span };
    } else if known.arity != Some(arity) {
        let message = format!("`{name}` is used with different numbers of arguments");
        sink.push(Diagnostic::error("arity", span, message).secondary(known.span, "first used here"));
    }
}
