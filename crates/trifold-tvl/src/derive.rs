//! Derived updates: completes an action with the updates of defined predicates that it does not give itself.
//!
//! The derivation is [`trifold_logic::derive`]; here it meets actions.

use crate::specification::{Action, New, Update};
use std::collections::BTreeSet;
use trifold_logic::{Creates, Derived, Effect, NewValue, PredicateId, Vocabulary, derive};

/// The updates to be added to an action, in the order in which they must be evaluated.
pub fn derived_updates(action: &Action, vocabulary: &Vocabulary) -> Vec<Derived> {
    let updates = action.updates.iter().map(|update| {
        let value = NewValue { parameters: update.parameters.clone(), formula: update.formula.clone() };
        (update.predicate, value)
    });
    let effect = Effect {
        vocabulary,
        updates: updates.collect(),
        creates: match action.new {
            None => Creates::Nothing,
            Some(New::Single | New::Copies { .. }) => Creates::Isolated,
            Some(New::Clones { .. }) => Creates::WithValues,
        },
        retains: action.retain.as_ref().map(|retain| (retain.variable.clone(), retain.formula.clone())),
    };
    let defined: BTreeSet<PredicateId> =
        vocabulary.iter().filter(|(_, predicate)| predicate.definition.is_some()).map(|(id, _)| id).collect();
    derive(&effect, &defined)
}

/// The action with its derived updates.
pub fn complete(action: &Action, vocabulary: &Vocabulary) -> Action {
    let mut complete = action.clone();
    let derived = derived_updates(action, vocabulary).into_iter().map(|derived| Update {
        predicate: derived.predicate,
        parameters: derived.value.parameters,
        formula: derived.value.formula,
        origin: Default::default(),
    });
    complete.updates.extend(derived);
    complete
}
