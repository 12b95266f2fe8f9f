//! Messages: the values of their conditions, and their meaning.
//!
//! A message of the usual kind is an alarm: it is reported when its condition is potentially satisfied. The text of a
//! property starts with `1:` or `0:`; it is confirmed where its condition has exactly that value, and fails elsewhere.
//! For example, the alarm `!(E(v) x(v))`, "`x` may be NULL", is reported for a structure in which `x` is 1/2 on an
//! individual.
//!
//! # Soundness
//! The Embedding Theorem: when the condition is satisfied, or a property violated, on a store that the structure
//! represents, its value on the structure is at least potentially that.

use crate::specification::{Message, MessageKind, Moment};
use crate::update::Planes;
use trifold_logic::{Formula, Kleene, Var};
use trifold_structure::{Individual, Plan, Structure, Workspace};

/// The meaning of a condition's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Nothing is to be said.
    Silent,
    /// Something is wrong: certainly, or possibly.
    Fired { definite: bool },
    /// A property holds.
    Confirmed,
}

/// The messages of an action that are evaluated at one moment, compiled.
#[derive(Debug)]
pub(crate) struct Messages {
    plan: Plan,
    /// By position in the action.
    conditions: Vec<(usize, MessageKind, Planes)>,
}

impl Messages {
    /// Compiles the messages of one moment; `parameters` are the variables of the precondition.
    pub fn new(messages: &[Message], moment: Moment, arities: &[usize], parameters: &[Var]) -> Messages {
        let mut plan = Plan::new(arities.to_vec(), parameters.to_vec());
        let mut conditions = Vec::new();
        for (number, message) in messages.iter().enumerate().filter(|(_, message)| message.moment == moment) {
            // Variables that are neither bound nor parameters are looked for: some assignment satisfies the message.
            let open = message.condition.free_vars().into_iter().filter(|v| !parameters.contains(v));
            let closed = Formula::exists(open.collect::<Vec<_>>(), message.condition.clone());
            conditions.push((number, message.kind, Planes::compile(&mut plan, &closed, &[])));
        }
        Messages { plan, conditions }
    }

    /// The most columns of a table that the messages evaluate.
    pub fn width(&self) -> usize {
        self.plan.width()
    }

    /// The outcome of each message on a structure, by position in the action.
    pub fn outcomes(
        &self,
        structure: &Structure,
        parameters: &[Individual],
        workspace: &mut Workspace,
    ) -> Vec<(usize, Outcome)> {
        if self.conditions.is_empty() {
            return Vec::new();
        }
        workspace.begin(&self.plan, structure);
        workspace.set_parameters(&self.plan, parameters);
        let mut holds = |table| workspace.holds(&self.plan, table);
        let mut value = |planes: &Planes| Kleene::from_planes(holds(planes.must), holds(planes.may));
        self.conditions.iter().map(|(number, kind, planes)| (*number, outcome(*kind, value(planes)))).collect()
    }
}

fn outcome(kind: MessageKind, value: Kleene) -> Outcome {
    match kind {
        MessageKind::Alarm if value.may() => Outcome::Fired { definite: value.must() },
        MessageKind::Alarm => Outcome::Silent,
        MessageKind::Property(expected) if value == Kleene::from(expected) => Outcome::Confirmed,
        MessageKind::Property(_) => Outcome::Fired { definite: value.is_definite() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_fails_unless_it_has_exactly_its_value() {
        let property = |expected, value| outcome(MessageKind::Property(expected), value);
        assert_eq!(property(true, Kleene::True), Outcome::Confirmed);
        assert_eq!(property(true, Kleene::Unknown), Outcome::Fired { definite: false });
        assert_eq!(property(true, Kleene::False), Outcome::Fired { definite: true });
        assert_eq!(property(false, Kleene::False), Outcome::Confirmed);
        assert_eq!(property(false, Kleene::True), Outcome::Fired { definite: true });
        assert_eq!(outcome(MessageKind::Alarm, Kleene::False), Outcome::Silent);
        assert_eq!(outcome(MessageKind::Alarm, Kleene::Unknown), Outcome::Fired { definite: false });
    }
}
