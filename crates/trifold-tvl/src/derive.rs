//! Derived updates: completes an action with the updates of defined predicates that it does not give itself.
//!
//! The derivation is [`trifold_logic::derive`]; here it meets actions. For example, an action for `x = NULL` that
//! updates only `x` gets the update of `r[n,x]`, which becomes 0.

use crate::specification::{Action, Message, MessageKind, Moment, New, Origin, Update};
use trifold_logic::{Creates, Derived, Effect, NewValue, Predicate, PredicateId, Vocabulary, derive, may_close_cycle};

/// Which defined predicates get a derived update.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Derive {
    /// Those for which the action gives no update.
    #[default]
    Missing,
    /// Those that the action marks `auto`; the others keep their values when they have no update.
    Marked,
    /// All: updates of defined predicates that the action gives are left aside.
    All,
}

/// The updates to be added to an action, in the order in which they must be evaluated.
pub fn derived_updates(action: &Action, vocabulary: &Vocabulary, which: Derive) -> Vec<Derived> {
    let wanted = |id: &PredicateId| which != Derive::Marked || action.auto.contains(id);
    let defined = vocabulary.iter().filter(|(_, predicate)| predicate.definition.is_some()).map(|(id, _)| id);
    derive(&effect(action, vocabulary, which), &defined.filter(wanted).collect())
}

fn effect<'a>(action: &Action, vocabulary: &'a Vocabulary, which: Derive) -> Effect<'a> {
    let updates = given(action, vocabulary, which).map(|update| {
        let value = NewValue { parameters: update.parameters.clone(), formula: update.formula.clone() };
        (update.predicate, value)
    });
    Effect {
        vocabulary,
        updates: updates.collect(),
        creates: match action.new {
            _ if action.combines => Creates::WithValues,
            None => Creates::Nothing,
            Some(New::Single | New::Copies { .. }) => Creates::Isolated,
            Some(New::Clones { .. }) => Creates::WithValues,
        },
        retains: action.retain.as_ref().map(|retain| (retain.variable.clone(), retain.formula.clone())),
    }
}

/// A message for each predicate declared acyclic of which the action may close a cycle.
///
/// Coerce and derived updates take the declaration for granted: where an action breaks it, stores would be lost without
/// notice.
pub fn cycle_messages(action: &Action, vocabulary: &Vocabulary) -> Vec<Message> {
    let acyclic = vocabulary.iter().filter(|(_, predicate)| predicate.properties.acyclic);
    let message = |(p, predicate): (PredicateId, &Predicate)| {
        let text =
            format!("Cycle: {} is declared acyclic, and `{}` may close a cycle of it", predicate.name, action.title);
        let condition = may_close_cycle(&effect(action, vocabulary, Derive::Missing), p)?;
        let (moment, kind) = (Moment::BeforeUpdate, MessageKind::Alarm);
        Some(Message { condition, moment, kind, code: Message::CODE, text, origin: Origin::default() })
    };
    acyclic.filter_map(message).collect()
}

/// The updates that the action gives, as far as they count.
fn given<'a>(action: &'a Action, vocabulary: &'a Vocabulary, which: Derive) -> impl Iterator<Item = &'a Update> {
    action
        .updates
        .iter()
        .filter(move |update| which != Derive::All || vocabulary[update.predicate].definition.is_none())
}

/// The action with its derived updates.
pub fn complete(action: &Action, vocabulary: &Vocabulary, which: Derive) -> Action {
    let mut complete = action.clone();
    let derived = derived_updates(action, vocabulary, which).into_iter().map(|derived| Update {
        predicate: derived.predicate,
        parameters: derived.value.parameters,
        formula: derived.value.formula,
        origin: Default::default(),
    });
    complete.updates = given(action, vocabulary, which).cloned().chain(derived).collect();
    complete
}
