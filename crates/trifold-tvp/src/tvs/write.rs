//! Writing structures. The same structure always gives the same text, and reading it gives the structure back.

use super::parse;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use trifold_logic::{Kleene, PredicateId, Vocabulary};
use trifold_structure::{Individual, Structure};

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

/// Structures grouped by location as TVS text.
pub fn write_locations(locations: &[LocationStructures], vocabulary: &Vocabulary) -> String {
    let mut text = String::new();
    for location in locations {
        let _ = writeln!(text, "%location {} = {{", quote(&location.name));
        for (messages, structure) in &location.structures {
            for message in messages {
                let _ = writeln!(text, "  %message \"{}\"", without_quotes(message));
            }
            Writer::new(structure, vocabulary, "  ").write(&mut text);
        }
        text.push_str("}\n");
    }
    text
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
            let values = match predicate.arity {
                0 => self.nullary(id),
                1 => braces(self.structure.universe().filter_map(|u| self.tuple(id, &[u])).collect()),
                _ => braces(self.pairs().filter_map(|pair| self.tuple(id, &pair)).collect()),
            };
            if let Some(values) = values {
                let _ = writeln!(text, "{indent}  {} = {values}", predicate.name);
            }
        }
        let _ = writeln!(text, "{indent}}}");
    }

    fn pairs(&self) -> impl Iterator<Item = [Individual; 2]> + use<'s> {
        let universe = self.structure.universe();
        universe.clone().flat_map(move |u| universe.clone().map(move |w| [u, w]))
    }

    fn nullary(&self, predicate: PredicateId) -> Option<String> {
        let value = self.structure.nullary(predicate);
        value.may().then(|| value.to_string())
    }

    /// A tuple with its value, unless that is the default.
    fn tuple(&self, predicate: PredicateId, tuple: &[Individual]) -> Option<String> {
        let value = self.structure.get(predicate, tuple);
        let default = if predicate == PredicateId::AC { Kleene::True } else { Kleene::False };
        let individuals: Vec<&str> = tuple.iter().map(|u| self.names[*u].as_str()).collect();
        let suffix = if value == Kleene::True { String::new() } else { format!(":{value}") };
        (value != default).then(|| format!("{}{suffix}", individuals.join("->")))
    }
}

fn braces(tuples: Vec<String>) -> Option<String> {
    (!tuples.is_empty()).then(|| format!("{{{}}}", tuples.join(", ")))
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
