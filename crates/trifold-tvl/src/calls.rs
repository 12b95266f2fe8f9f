//! Calls: the input of a procedure, and the structures after the call in its caller [RinetzkySY05 §2.2].
//!
//! A call is made by actions. Those of [`Call::enter`], one after the other, make the callee's input of the caller's
//! structure. The structure at the callee's exit is put beside the caller's structure, and [`Call::combine`] makes one
//! structure of the two. The actions decide which part of the caller's heap is kept, and how the callee's takes its
//! place.
//!
//! For example, `y = reverse(x)` enters with the list of `x`, under the name of the parameter; the reversed list at the
//! exit takes the place of that list in the caller's structure, and `y` points to its first element.

use crate::engine::{Engine, EngineScratch, Run};
use crate::event::Event;
use crate::join::{Kept, key_words};
use crate::specification::Call;
use trifold_fixpoint::{EdgeId, Procedural, ProcedureId, Step};
use trifold_logic::Kleene;
use trifold_structure::Structure;

impl Engine {
    /// The call that an edge makes.
    pub(crate) fn call(&self, edge: EdgeId) -> &Call {
        self.specification().cfg.call(edge).expect("the edge calls")
    }

    /// The structures with which the callee of an edge starts.
    fn enter(&self, edge: EdgeId, caller: &Kept, scratch: &mut EngineScratch) -> Outcome {
        let call = self.call(edge);
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

    /// The structures with which the caller goes on, as the callee's contract promises them.
    pub(crate) fn rely(&self, edge: EdgeId, caller: &Kept, scratch: &mut EngineScratch) -> Outcome {
        let promised = self.promised(self.call(edge).callee).expect("a call that is not entered returns as promised");
        let Step { states, mut events } = self.enter(edge, caller, scratch);
        let ends = if states.is_empty() { &[] } else { promised };
        let mut all = Vec::new();
        for end in ends {
            let mut step = self.come_back(edge, caller, end, scratch);
            all.append(&mut step.states);
            events.append(&mut step.events);
        }
        Step { states: all, events }
    }

    /// The structures with which the caller goes on.
    fn come_back(&self, edge: EdgeId, caller: &Structure, exit: &Structure, scratch: &mut EngineScratch) -> Outcome {
        let call = self.call(edge);
        let both = side_by_side(call, caller, exit);
        let mut run = Run::new(self, call.combine, scratch);
        let states = run.combine(&both, self.specification().cfg.edges[edge].target);
        let messages = call.enter.iter().map(|action| self.specification().actions[*action].messages.len()).sum();
        Step { states, events: run.events.into_iter().map(|event| event.numbered_from(messages)).collect() }
    }
}

/// The structure that the last action of a call reads: the caller's structure beside that at the callee's exit.
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
    /// The event of an action whose messages come after so many others.
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

    fn key(&self, procedure: ProcedureId, entry: &Kept) -> Vec<u64> {
        let location = self.specification().cfg.procedures[procedure].entry;
        key_words(entry, self.options().join, self.abstraction(location))
    }

    fn extract(&self, edge: EdgeId, caller: &Kept, scratch: &mut EngineScratch) -> Outcome {
        self.enter(edge, caller, scratch)
    }

    fn combine(&self, edge: EdgeId, caller: &Kept, exit: &Kept, scratch: &mut EngineScratch) -> Outcome {
        self.come_back(edge, caller, exit, scratch)
    }
}
