//! The names in pictures, for a reader who chooses which of them to see.

use crate::words;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Program, Scope};
use trifold_logic::{Predicate, Vocabulary};
use trifold_report::Picture;
use trifold_report::page::{PredicateEntry, Sort};
use trifold_report::picture::predicate_of;

/// The predicates of structures, as a reader chooses them.
pub fn predicates(vocabulary: &Vocabulary, is_shown: &dyn Fn(&Predicate) -> bool) -> Vec<PredicateEntry> {
    let declared = vocabulary.iter().skip(Vocabulary::BUILT_IN);
    let entry = |predicate: &Predicate| PredicateEntry {
        name: predicate.name.to_string(),
        sort: match predicate.arity {
            0 => Sort::Mark,
            1 if predicate.pointer => Sort::Pointer,
            1 => Sort::Label,
            _ => Sort::Field,
        },
        defined: predicate.definition.is_some(),
        shown: is_shown(predicate),
        scope: None,
        definition: predicate.definition.as_ref().map(|definition| definition.formula.show(vocabulary).to_string()),
        words: words::phrases(predicate, vocabulary),
    };
    declared.map(|(_, predicate)| entry(predicate)).collect()
}

/// The names of those that are shown at first.
pub fn shown(predicates: &[PredicateEntry]) -> BTreeSet<String> {
    predicates.iter().filter(|predicate| predicate.shown).map(|predicate| predicate.name.clone()).collect()
}

/// Says which function the predicate of a variable belongs to. Where several have a variable of that name, the name of
/// the function is in front of it.
pub fn add_scopes(predicates: &mut [PredicateEntry], program: &Program) {
    for entry in predicates.iter_mut().filter(|entry| entry.sort == Sort::Pointer) {
        let owner = program.variables.iter().find_map(|variable| {
            let (Scope::Parameter(procedure) | Scope::Local(procedure)) = variable.scope else { return None };
            let function = &program[procedure].name;
            // A character that is no letter or digit is written as an underscore; such variables are not those of the
            // source.
            let plain: String = variable.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            let is_it = entry.name == plain || entry.name == format!("{function}_{plain}");
            is_it.then(|| if plain.starts_with('_') { String::new() } else { function.clone() })
        });
        entry.scope = owner;
    }
}

/// The predicates of heaps of runs, which are described by structures, for findings of either domain.
pub fn names_in_runs<'a>(heaps: impl Iterator<Item = &'a Picture>) -> Vec<PredicateEntry> {
    let is_shown =
        |entry: &PredicateEntry| matches!(entry.sort, Sort::Pointer | Sort::Field) || entry.name.starts_with("freed[");
    names_in(heaps).into_iter().map(|entry| PredicateEntry { shown: is_shown(&entry), ..entry }).collect()
}

/// The names in pictures of shape graphs: everything that they show can be chosen.
pub fn names_in<'a>(pictures: impl Iterator<Item = &'a Picture>) -> Vec<PredicateEntry> {
    let mut names: BTreeMap<(Sort, String), ()> = BTreeMap::new();
    for picture in pictures {
        let mut note = |sort, name: &str| names.insert((sort, name.to_string()), ());
        picture.boxes.iter().for_each(|pointer| _ = note(Sort::Pointer, &pointer.name));
        picture.edges.iter().for_each(|edge| _ = note(Sort::Field, &edge.label));
        picture.nullary.iter().for_each(|mark| _ = note(Sort::Mark, &mark.name));
        picture.nodes.iter().flat_map(|node| &node.labels).for_each(|label| _ = note(Sort::Label, predicate_of(label)));
    }
    let entry = |(sort, name)| PredicateEntry {
        name,
        sort,
        defined: false,
        shown: true,
        scope: None,
        definition: None,
        words: None,
    };
    names.into_keys().map(entry).collect()
}
