//! Whether a structure consists of trees, which are drawn from top to bottom, and not of lists. A summary node does not
//! show it: there, two fields may lead from a node to another one in a tree as well as in a list with shortcuts. But
//! the predicates of a specification do. For example, with paths along `left` or `right` and nothing shared, the
//! drawing goes down; with paths along `n` alone, it goes to the right.

use std::cell::Cell;
use trifold_logic::{Formula, Kleene, Predicate, PredicateId, Vocabulary};
use trifold_report::Direction;
use trifold_structure::Structure;

/// Down, if there are paths along any of several fields, and nothing is shared along them; to the right, if all paths
/// are along one field each.
pub fn direction(structure: &Structure, vocabulary: &Vocabulary) -> Direction {
    let steps: Vec<PredicateId> = vocabulary.iter().filter_map(|(_, predicate)| step_of_paths(predicate)).collect();
    let mut branching = steps.iter().map(|step| (*step, branches(&vocabulary[*step]))).filter(|(_, f)| f.len() > 1);
    match branching.clone().next() {
        None if steps.is_empty() => Direction::Auto,
        None => Direction::Right,
        Some(_) if branching.any(|(step, fields)| is_tree(structure, vocabulary, step, &fields)) => Direction::Down,
        // Lists beside trees, shortcuts, or too little is known.
        Some(_) => Direction::Auto,
    }
}

/// Is there a step along one of the fields, and nothing that is shared along them?
fn is_tree(structure: &Structure, vocabulary: &Vocabulary, step: PredicateId, fields: &[PredicateId]) -> bool {
    let holds = |unary: PredicateId| structure.universe().any(|u| structure.unary(unary, u) != Kleene::False);
    fields.iter().any(|field| has_step(structure, *field))
        && !vocabulary.iter().any(|(p, predicate)| tells_sharing(predicate, step, fields) && holds(p))
}

/// The step, if a predicate is defined by paths.
fn step_of_paths(predicate: &Predicate) -> Option<PredicateId> {
    let step = Cell::new(None);
    let is_path = |part: &Formula| {
        if let Formula::Closure { body, .. } = part
            && let Formula::Atom(p, _) = **body
        {
            step.set(Some(p));
        }
        step.get().is_some()
    };
    predicate.definition.as_ref()?.formula.any(&is_path);
    step.get()
}

/// The fields, if a predicate is defined as a step along any of them.
fn branches(predicate: &Predicate) -> Vec<PredicateId> {
    let Some(definition) = predicate.definition.as_ref().filter(|_| predicate.arity == 2) else { return Vec::new() };
    let Formula::Or(parts) = &definition.formula else { return Vec::new() };
    let field = |part: &Formula| match part {
        Formula::Atom(field, arguments) if *arguments == definition.parameters => Some(*field),
        _ => None,
    };
    parts.iter().map(field).collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn has_step(structure: &Structure, field: PredicateId) -> bool {
    structure.universe().any(|u| structure.universe().any(|v| structure.binary(field, u, v) != Kleene::False))
}

/// Does a predicate say of an object that several others lead to it: some that are not the same, and have these fields?
fn tells_sharing(predicate: &Predicate, step: PredicateId, fields: &[PredicateId]) -> bool {
    let Some(definition) = predicate.definition.as_ref().filter(|_| predicate.arity == 1) else { return false };
    let differ = |part: &Formula| matches!(part, Formula::Not(same) if matches!(**same, Formula::Equal(..)));
    let mut mentioned = false;
    definition.formula.visit_predicates(&mut |p| mentioned |= p == step || fields.contains(&p));
    mentioned && definition.formula.any(&differ)
}
