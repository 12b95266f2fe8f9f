//! Calls: what a procedure starts with, and what its caller goes on with [RinetzkySY05 §2.2].
//!
//! A call is made by actions. Those of [`Call::enter`], one after the other, make the callee's input of the caller's structure. What is
//! at the callee's exit is put beside the caller's structure, and [`Call::combine`] makes one structure of the two. What is kept of
//! the caller's heap, and how the callee's takes its place, is for the actions to say.

use crate::engine::{Engine, EngineScratch, Run};
use crate::event::Event;
use crate::join::{Kept, key_words};
use crate::specification::Call;
use trifold_fixpoint::{Procedural, Step};
use trifold_logic::Kleene;
use trifold_structure::Structure;

impl Engine {
    /// What the callee of a call starts with.
    fn enter(&self, call: &Call, caller: &Kept, scratch: &mut EngineScratch) -> Outcome {
        let mut step = Step { states: vec![caller.clone()], events: Vec::new() };
        let entry = self.specification().cfg.procedures[call.callee].entry;
        let mut messages = 0;
        for (number, action) in call.enter.iter().enumerate() {
            for state in std::mem::take(&mut step.states) {
                let mut run = Run::new(self, *action, scratch);
                run.goes_on = number + 1 < call.enter.len();
                step.states.append(&mut run.transfer(&state, entry));
                step.events.extend(run.events.into_iter().map(|event| event.numbered_from(messages)));
            }
            messages += self.specification().actions[*action].messages.len();
        }
        step
    }

    /// What the caller goes on with, if the callee's contract says with what it returns.
    pub(crate) fn rely(&self, call: &Call, ends: &[Structure], caller: &Kept, scratch: &mut EngineScratch) -> Outcome {
        let Step { states, mut events } = self.enter(call, caller, scratch);
        let ends = if states.is_empty() { &[] } else { ends };
        let mut all = Vec::new();
        for end in ends {
            let mut step = self.come_back(call, caller, end, scratch);
            all.append(&mut step.states);
            events.append(&mut step.events);
        }
        Step { states: all, events }
    }

    /// What the caller goes on with.
    fn come_back(&self, call: &Call, caller: &Structure, exit: &Structure, scratch: &mut EngineScratch) -> Outcome {
        let both = side_by_side(call, caller, exit);
        let mut run = Run::new(self, call.combine, scratch);
        let states = run.combine(&both, self.specification().cfg.edges[call.edge].target);
        let messages = call.enter.iter().map(|action| self.specification().actions[*action].messages.len()).sum();
        Step { states, events: run.events.into_iter().map(|event| event.numbered_from(messages)).collect() }
    }
}

/// What the last action of a call sees: the caller's structure, and that at the callee's exit.
pub(crate) fn side_by_side(call: &Call, caller: &Structure, exit: &Structure) -> Structure {
    let mut both = caller.beside(exit);
    for u in both.universe() {
        let [own, other] = if u < caller.size() { [0, 1] } else { [1, 0] };
        both.set_unary(call.sides[own], u, Kleene::True);
        both.set_unary(call.sides[other], u, Kleene::False);
    }
    call.from_exit.iter().for_each(|(to, from)| both.set_nullary(*to, exit.nullary(*from)));
    both
}

impl Event {
    /// The event of an action whose messages come behind so many others.
    pub(crate) fn numbered_from(mut self, first: usize) -> Event {
        if let Event::Message { message, .. } | Event::Confirmed { message } = &mut self {
            *message += first;
        }
        self
    }
}

/// The outcome of a step.
type Outcome = Step<Kept, Event>;

impl Procedural for Engine {
    type Key = Vec<u64>;

    fn key(&self, procedure: usize, entry: &Kept) -> Vec<u64> {
        let location = self.specification().cfg.procedures[procedure].entry;
        key_words(entry, self.options().join, self.abstraction(location))
    }

    fn extract(&self, call: usize, caller: &Kept, scratch: &mut EngineScratch) -> Outcome {
        self.enter(&self.specification().cfg.calls[call], caller, scratch)
    }

    fn combine(&self, call: usize, caller: &Kept, exit: &Kept, scratch: &mut EngineScratch) -> Outcome {
        self.come_back(&self.specification().cfg.calls[call], caller, exit, scratch)
    }
}
