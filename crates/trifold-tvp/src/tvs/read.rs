//! Reading structures over a given vocabulary. For example, `n = {u->w:1/2}` sets the value of a binary predicate `n`,
//! and is an error if `n` is unary.

use super::definitions::complete;
use super::{Entry, StructureText, Tuple, Values, parse};
use crate::ast::Ident;
use crate::expand::UNDECLARED;
use crate::files::Files;
use crate::limits::MAX_STRUCTURE_WORDS;
use crate::options::Options;
use crate::preprocess::preprocess;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use trifold_logic::{Kleene, PredicateId, Vocabulary};
use trifold_source::suggest;
use trifold_source::{Diagnostic, Failure, Sink, SourceMap, Span};
use trifold_structure::{Individual, Layout, Structure, row_words};
use trifold_tvl::{Cfg, Input, LocationId, Specification};

/// A structure of a file.
#[derive(Clone, Debug)]
pub struct NamedStructure {
    /// The structure; its individuals have the names of the file.
    pub structure: Structure,
    /// The `%location` block in which it stands.
    pub location: Option<String>,
    /// Its `%message`s.
    pub messages: Vec<String>,
    /// The predicates with definitions that are left out.
    pub left_out: Vec<PredicateId>,
    /// Its place.
    pub span: Span,
}

/// The structures of a file.
#[derive(Clone, Debug)]
pub struct StructureFile {
    /// The structures, in order.
    pub structures: Vec<NamedStructure>,
    /// Their text.
    pub sources: SourceMap,
    /// The warnings about them.
    pub warnings: Vec<Diagnostic>,
}

impl StructureFile {
    /// The structures as inputs of a program: at the location in whose block they stand, or at the entry.
    /// Predicates that are left out follow from their definitions.
    pub fn into_inputs(self, specification: &Specification) -> Result<Vec<Input>, Box<Failure>> {
        let Specification { cfg, vocabulary, .. } = specification;
        let mut sink = Sink::default();
        let mut inputs = Vec::new();
        for mut named in self.structures {
            complete(&mut named.structure, &named.left_out, vocabulary);
            let location = match &named.location {
                None => Some(LocationId::ENTRY),
                Some(name) => cfg.locations.position(|known| known == name),
            };
            let is_entry = |location: LocationId| cfg.procedures.iter().any(|procedure| procedure.entry == location);
            match location {
                Some(location) if !cfg.procedures.is_empty() && !is_entry(location) => {
                    sink.push(no_entry(&cfg.locations[location], named.span, cfg));
                }
                Some(location) => inputs.push(Input { location, structure: named.structure }),
                None => sink.push(no_location(&named.location.unwrap_or_default(), named.span, cfg)),
            }
        }
        if sink.failed() { Err(Failure::new(sink, self.sources)) } else { Ok(inputs) }
    }
}

fn no_location(name: &str, span: Span, cfg: &Cfg) -> Diagnostic {
    let help = suggest::help(name, cfg.locations.iter().map(String::as_str));
    let help = help.unwrap_or_else(|| "structures outside of `%location` blocks start at the entry".to_string());
    Diagnostic::error("unknown-location", span, format!("the program has no location `{name}`")).help(help)
}

/// Inside a procedure nothing is known of how it was entered.
fn no_entry(name: &str, span: Span, cfg: &Cfg) -> Diagnostic {
    let message = format!("in a program with procedures structures start where one is entered, which `{name}` is not");
    let entries: Vec<String> = cfg.procedures.iter().map(|p| format!("`{}`", cfg.locations[p.entry])).collect();
    Diagnostic::error("not-an-entry", span, message).help(format!("procedures start at {}", entries.join(", ")))
}

/// Reads the structures of the file at `path`. `layout` is that of `vocabulary`.
pub fn read_structures(
    path: &str,
    files: &dyn Files,
    options: &Options,
    vocabulary: &Vocabulary,
    layout: &Arc<Layout>,
) -> Result<StructureFile, Box<Failure>> {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let Some(tokens) = preprocess(path, files, options, &mut sources, &mut sink) else {
        return Err(Failure::new(sink, sources));
    };
    let texts = parse::parse(&tokens, &mut sink);
    let structures = build(&texts, vocabulary, layout, &mut sink);
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    Ok(StructureFile { structures, sources, warnings: sink.finish().0 })
}

/// The structures that the texts describe.
pub(super) fn build(
    texts: &[StructureText],
    vocabulary: &Vocabulary,
    layout: &Arc<Layout>,
    sink: &mut Sink,
) -> Vec<NamedStructure> {
    let mut words = 0;
    let mut structures = Vec::new();
    for text in texts {
        words += words_needed(vocabulary, text.individuals.len());
        if words > MAX_STRUCTURE_WORDS {
            sink.push(Diagnostic::error("too-large", text.span, "the structures of this file need too much memory"));
            break;
        }
        structures.push(Reader::new(text, vocabulary, layout, sink).read(text));
    }
    structures
}

/// An upper bound of the words of a structure.
fn words_needed(vocabulary: &Vocabulary, size: usize) -> u64 {
    let row = row_words(size) as u64;
    let binary = vocabulary.iter().filter(|(_, predicate)| predicate.arity == 2).count() as u64;
    let others = vocabulary.len() as u64 - binary;
    2 * row * (others + binary.saturating_mul(size as u64))
}

struct Reader<'a> {
    vocabulary: &'a Vocabulary,
    sink: &'a mut Sink,
    structure: Structure,
    individuals: FxHashMap<&'a str, (Individual, Span)>,
    /// The values given so far.
    given: FxHashMap<(PredicateId, Vec<Individual>), (Kleene, Span)>,
}

impl<'a> Reader<'a> {
    fn new(
        text: &'a StructureText,
        vocabulary: &'a Vocabulary,
        layout: &Arc<Layout>,
        sink: &'a mut Sink,
    ) -> Reader<'a> {
        let mut structure = Structure::new(layout, text.individuals.len());
        structure.set_names(text.individuals.iter().map(|word| word.text.clone()).collect());
        let mut reader =
            Reader { vocabulary, sink, structure, individuals: FxHashMap::default(), given: FxHashMap::default() };
        for (individual, word) in text.individuals.iter().enumerate() {
            reader.enter(individual, word);
        }
        reader
    }

    fn enter(&mut self, individual: Individual, word: &'a Ident) {
        if let Some((_, first)) = self.individuals.insert(&word.text, (individual, word.span)) {
            let message = format!("individual `{}` is listed twice", word.text);
            let error = Diagnostic::error("repeated-individual", word.span, message);
            self.sink.push(error.secondary(first, "first here"));
        }
    }

    fn read(mut self, text: &StructureText) -> NamedStructure {
        let mut left_out: BTreeSet<PredicateId> = self.vocabulary.ids().collect();
        left_out.retain(|predicate| self.vocabulary[*predicate].definition.is_some());
        for entry in &text.entries {
            let predicate = self.entry(entry);
            predicate.map(|predicate| left_out.remove(&predicate));
        }
        NamedStructure {
            left_out: left_out.into_iter().collect(),
            structure: self.structure,
            location: text.location.as_ref().map(|name| name.to_string()),
            messages: text.messages.iter().map(|message| message.to_string()).collect(),
            span: text.span,
        }
    }

    /// The values of a predicate, which is told if there is such a one.
    fn entry(&mut self, entry: &Entry) -> Option<PredicateId> {
        let name = crate::expand::canonical(&entry.predicate);
        let predicate = self.predicate(&name, entry.predicate.span)?;
        let arity = self.vocabulary[predicate].arity;
        match &entry.values {
            Values::Nullary(value) if arity == 0 => self.give(predicate, Vec::new(), *value, entry.span),
            Values::Nullary(_) => self.wrong_shape(&name, arity, entry.span),
            Values::Listed(tuples) => {
                for tuple in tuples {
                    self.tuple(predicate, &name, tuple);
                }
                if tuples.is_empty() && arity == 0 {
                    self.wrong_shape(&name, arity, entry.span);
                }
            }
        }
        Some(predicate)
    }

    fn predicate(&mut self, name: &str, span: Span) -> Option<PredicateId> {
        let name = if name == "inac" { "ac" } else { name };
        match self.vocabulary.lookup(name) {
            Some(PredicateId::IS_NEW | PredicateId::INSTANCE) => {
                let message = format!("`{name}` has a meaning only in an action");
                self.sink.push(Diagnostic::error("only-in-actions", span, message));
                None
            }
            Some(predicate) => Some(predicate),
            None if UNDECLARED.iter().any(|(known, _)| *known == name) => {
                let message = format!("the program does not use `{name}`, so its values are left out");
                self.sink.push(Diagnostic::warning("unused-predicate", span, message));
                None
            }
            None => {
                if self.sink.wants("unknown-predicate", span) {
                    let help = suggest::help(name, self.vocabulary.iter().map(|(_, p)| p.name.as_ref()));
                    let message = format!("the program has no predicate `{name}`");
                    self.sink.push(Diagnostic::error("unknown-predicate", span, message).maybe_help(help));
                }
                None
            }
        }
    }

    fn tuple(&mut self, predicate: PredicateId, name: &str, tuple: &Tuple) {
        let arity = self.vocabulary[predicate].arity;
        if tuple.individuals.len() != arity {
            return self.wrong_shape(name, arity, tuple.span);
        }
        let individuals: Vec<_> = tuple.individuals.iter().filter_map(|word| self.individual(word)).collect();
        if individuals.len() == arity {
            self.give(predicate, individuals, tuple.value, tuple.span);
        }
    }

    fn wrong_shape(&mut self, name: &str, arity: usize, span: Span) {
        let (kind, form) = match arity {
            0 => ("nullary", format!("{name} = 1/2")),
            1 => ("unary", format!("{name} = {{u, w:1/2}}")),
            _ => ("binary", format!("{name} = {{u->w, w->w:1/2}}")),
        };
        let error = Diagnostic::error("arity", span, format!("`{name}` is {kind}"));
        self.sink.push(error.help(format!("its values are written like `{form}`")));
    }

    fn individual(&mut self, word: &Ident) -> Option<Individual> {
        if let Some((individual, _)) = self.individuals.get(word.text.as_ref()) {
            return Some(*individual);
        }
        if self.sink.wants("unknown-individual", word.span) {
            let mut known: Vec<&str> = self.individuals.keys().copied().collect();
            known.sort_unstable();
            let message = format!("individual `{}` is not listed in `%n`", word.text);
            let error = Diagnostic::error("unknown-individual", word.span, message);
            self.sink.push(error.maybe_help(suggest::help(&word.text, known)));
        }
        None
    }

    fn give(&mut self, predicate: PredicateId, tuple: Vec<Individual>, value: Kleene, span: Span) {
        let value = match (predicate, value) {
            (PredicateId::SM, Kleene::True) => self.certain_summary(span),
            (PredicateId::AC, Kleene::False) => {
                let message = "an individual with `ac` 0 does not exist";
                return self
                    .sink
                    .push(Diagnostic::error("absent-individual", span, message).help("remove it from `%n`"));
            }
            (_, value) => value,
        };
        self.structure.set(predicate, &tuple, value);
        if let Some((before, first)) = self.given.insert((predicate, tuple), (value, span)).filter(|(v, _)| *v != value)
        {
            let message = format!("`{}` is given the value {value} here", self.vocabulary[predicate].name);
            let error = Diagnostic::error("contradiction", span, message);
            self.sink.push(error.secondary(first, format!("but the value {before} here")));
        }
    }

    fn certain_summary(&mut self, span: Span) -> Kleene {
        let message = "`sm` is never 1, since a summary individual may also stand for one; 1/2 is assumed";
        self.sink.push(Diagnostic::warning("summary-value", span, message).help("write `:1/2`"));
        Kleene::Unknown
    }
}
