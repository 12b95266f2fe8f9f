//! Actions, compiled. Each part is compiled when it is first needed, because of a large program many actions are never
//! reached, and of those that are tried on a structure most do not apply.
//!
//! For example, of `assume(x == NULL)` only the precondition is compiled as long as `x` is never NULL there.

use crate::derive::{Derive, complete};
use crate::focus::Focus;
use crate::messages::Messages;
use crate::precondition::Precondition;
use crate::specification::{Action, ActionId, Moment};
use crate::update::Transformer;
use std::sync::OnceLock;
use trifold_logic::{Formula, Vocabulary};

/// The part of an action that decides whether it applies to a structure.
#[derive(Debug)]
pub(crate) struct CompiledAction {
    pub id: ActionId,
    pub focus: Focus,
    pub precondition: Precondition,
    /// Does it change nothing, apart from focus?
    pub is_identity: bool,
    effect: OnceLock<Effect>,
}

/// The part of an action that is computed where it applies.
#[derive(Debug)]
pub(crate) struct Effect {
    pub before: Messages,
    pub transformer: Transformer,
    pub after: Messages,
}

impl CompiledAction {
    pub fn new(id: ActionId, action: &Action, vocabulary: &Vocabulary) -> CompiledAction {
        let condition = action.precondition.as_ref().unwrap_or(&Formula::TRUE);
        CompiledAction {
            id,
            // Where nothing changes, nothing is to be derived.
            is_identity: action.updates.is_empty() && action.new.is_none() && action.retain.is_none(),
            focus: Focus::new(&action.focus, vocabulary),
            precondition: Precondition::new(condition, &arities(vocabulary)),
            effect: OnceLock::new(),
        }
    }

    /// Its effect; the action and the vocabulary are those that it was made of.
    pub fn effect(&self, action: &Action, vocabulary: &Vocabulary, derive: Derive) -> &Effect {
        self.effect.get_or_init(|| {
            let (arities, parameters) = (arities(vocabulary), self.precondition.variables());
            let messages = |moment, parameters| Messages::new(&action.messages, moment, &arities, parameters);
            Effect {
                before: messages(Moment::BeforeUpdate, parameters),
                transformer: Transformer::new(&complete(action, vocabulary, derive), &arities, parameters),
                // Individuals may be gone by then, so nothing is assigned.
                after: messages(Moment::AfterUpdate, &[]),
            }
        })
    }

    /// The most columns of a table that it takes to see whether the action applies.
    pub fn width(&self) -> usize {
        self.focus.width().max(self.precondition.width())
    }
}

impl Effect {
    /// The most columns of a table that the effect evaluates.
    pub fn width(&self) -> usize {
        self.transformer.width().max(self.before.width()).max(self.after.width())
    }
}

fn arities(vocabulary: &Vocabulary) -> Vec<usize> {
    vocabulary.iter().map(|(_, predicate)| predicate.arity).collect()
}
