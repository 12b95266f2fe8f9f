//! Writing structures. The same structure always gives the same text, and reading it gives the structure back. For
//! example, a list of one element is written as `%n = {u0}` and `%p = { x = {u0} }`.

use super::parse;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use std::iter::once;
use trifold_logic::{Kleene, PredicateId, Vocabulary};
use trifold_structure::{Individual, Plane, Structure, bits};

/// The structures at one location, each with its messages.
#[derive(Clone, Debug)]
pub struct LocationStructures<'s> {
    /// The location.
    pub name: String,
    /// Structures and the messages they caused.
    pub structures: Vec<(Vec<String>, &'s Structure)>,
}

/// A structure as TVS text.
pub fn write_structure(structure: &Structure, vocabulary: &Vocabulary) -> String {
    let mut text = String::new();
    Writer::new(structure, vocabulary, "").write(&mut text);
    text
}

/// Structures grouped by location as TVS text, which comes in pieces: there may be many.
pub fn write_locations<'s>(
    locations: Vec<LocationStructures<'s>>,
    vocabulary: &'s Vocabulary,
) -> impl Iterator<Item = String> + 's {
    locations.into_iter().flat_map(move |LocationStructures { name, structures }| {
        let written = move |(messages, structure): (Vec<String>, &Structure)| {
            let mut text = String::new();
            for message in messages {
                let _ = writeln!(text, "  %message \"{}\"", without_quotes(&message));
            }
            Writer::new(structure, vocabulary, "  ").write(&mut text);
            text
        };
        let head = format!("%location {} = {{\n", quote(&name));
        once(head).chain(structures.into_iter().map(written)).chain(once("}\n".to_string()))
    })
}

struct Writer<'s> {
    structure: &'s Structure,
    vocabulary: &'s Vocabulary,
    names: Vec<String>,
    indent: &'s str,
}

impl<'s> Writer<'s> {
    fn new(structure: &'s Structure, vocabulary: &'s Vocabulary, indent: &'s str) -> Writer<'s> {
        Writer { structure, vocabulary, names: names(structure), indent }
    }

    fn write(&self, text: &mut String) {
        let indent = self.indent;
        let _ = writeln!(text, "{indent}%n = {{{}}}", self.names.join(", "));
        let _ = writeln!(text, "{indent}%p = {{");
        for (id, predicate) in self.vocabulary.iter() {
            let start = text.len();
            let _ = write!(text, "{indent}  {} = ", predicate.name);
            let written = if predicate.arity == 0 { self.nullary(id, text) } else { self.tuples(id, text) };
            if written {
                text.push('\n');
            } else {
                text.truncate(start);
            }
        }
        let _ = writeln!(text, "{indent}}}");
    }

    fn nullary(&self, predicate: PredicateId, text: &mut String) -> bool {
        let value = self.structure.nullary(predicate);
        let _ = write!(text, "{value}");
        value.may()
    }

    /// The tuples whose value is not the default; tells whether there are any.
    fn tuples(&self, predicate: PredicateId, text: &mut String) -> bool {
        let structure = self.structure;
        let mut separator = "{";
        if predicate == PredicateId::AC {
            for u in structure.universe().filter(|u| !structure.is_active(*u)) {
                self.tuple(&mut separator, &[u], structure.unary(predicate, u), text);
            }
        } else if structure.layout().arity(predicate) == 1 {
            for u in bits(structure.row(predicate, Plane::May)) {
                self.tuple(&mut separator, &[u], structure.unary(predicate, u), text);
            }
        } else {
            for u in structure.universe() {
                for v in bits(structure.matrix_row(predicate, Plane::May, u)) {
                    self.tuple(&mut separator, &[u, v], structure.binary(predicate, u, v), text);
                }
            }
        }
        text.push('}');
        separator != "{"
    }

    fn tuple(&self, separator: &mut &str, tuple: &[Individual], value: Kleene, text: &mut String) {
        text.push_str(separator);
        *separator = ", ";
        for (i, u) in tuple.iter().enumerate() {
            text.push_str(if i > 0 { "->" } else { "" });
            text.push_str(&self.names[*u]);
        }
        if value != Kleene::True {
            let _ = write!(text, ":{value}");
        }
    }
}

/// The names of the individuals: the tracked ones when they can be read back and differ, else `_0`, `_1`, …
fn names(structure: &Structure) -> Vec<String> {
    let tracked = structure.names();
    let distinct = tracked.iter().collect::<FxHashSet<_>>().len() == structure.size();
    if distinct && tracked.iter().all(|name| !name.contains(['"', '\n'])) {
        return tracked.iter().map(|name| quote(name)).collect();
    }
    structure.universe().map(|u| format!("_{u}")).collect()
}

/// A name as it must be written.
fn quote(name: &str) -> String {
    if parse::reads_as_individual(name) { name.to_string() } else { format!("\"{}\"", without_quotes(name)) }
}

/// TVS strings have no escapes.
fn without_quotes(text: &str) -> String {
    text.replace('"', "'").replace(['\n', '\r'], " ")
}
