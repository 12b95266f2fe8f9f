//! Instrumentation predicates that an input leaves out: they follow from their definitions.
//!
//! A value that a structure leaves out is 0. For a core predicate that is its meaning; for one with a definition it may
//! contradict the definition, and then the structure represents no store at all. So where the definition of a predicate
//! that is left out altogether says 1, the value is 1. Where it says 1/2 it stays 0: such inputs mean "not shared" or
//! "on no cycle", which a definition cannot tell of summary individuals. For example, an input with `x = {u}` and
//! without `r[n,x]` gets `r[n,x] = {u}`.

use trifold_logic::{Kleene, PredicateId, Vocabulary};
use trifold_structure::{Individual, Plan, Plane, Structure, Table, Workspace, assignments};

/// Gives the predicates that were left out the values that their definitions are sure of.
pub(super) fn complete(structure: &mut Structure, left_out: &[PredicateId], vocabulary: &Vocabulary) {
    if left_out.is_empty() {
        return;
    }
    let mut plan = Plan::new(vocabulary.iter().map(|(_, predicate)| predicate.arity).collect(), Vec::new());
    let mut tables: Vec<(PredicateId, Table)> = Vec::new();
    for predicate in left_out {
        let Some(definition) = &vocabulary[*predicate].definition else { continue };
        tables.push((*predicate, plan.compile(&definition.formula, Plane::Must, &definition.parameters)));
    }
    // Definitions may use each other, but not themselves; so this ends.
    let mut workspace = Workspace::default();
    for _ in 0..=tables.len() {
        workspace.begin(&plan, structure);
        let mut found: Vec<(PredicateId, Vec<Individual>)> = Vec::new();
        for (predicate, table) in &tables {
            let holds = assignments(workspace.evaluate(&plan, *table), vocabulary[*predicate].arity, structure.size());
            found.extend(holds.into_iter().map(|tuple| (*predicate, tuple)));
        }
        found.retain(|(predicate, tuple)| structure.get(*predicate, tuple) != Kleene::True);
        if found.is_empty() {
            return;
        }
        found.iter().for_each(|(predicate, tuple)| structure.set(*predicate, tuple, Kleene::True));
    }
}
