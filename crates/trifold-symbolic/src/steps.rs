//! Steps of an analysis by best transformers.
//!
//! A message fires if there is a store that the structure represents, to which the action applies and in which the
//! condition holds: that is a query of its own, and does not depend on focus. For example, "`x` may be NULL" does not
//! fire where `x` is 1/2 on a summary, if the rules imply that `x` points to one of its individuals.
//!
//! # Soundness
//! A step is taken only if all of its queries were answered. The store after it may break the rules, if updates
//! contradict them; then it is dropped, as coerce does, with a store as evidence.

use crate::ground::BuiltIn;
use crate::operations::Symbolic;
use crate::query::{Answer, Query, Solver, Undecided};
use crate::session::Session;
use crate::theory::Theory;
use crate::transformer::{BestTransformer, Transformed};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use trifold_structure::Structure;
use trifold_tvl::{
    ActionId, Changes, Derive, Engine, Event, IdVec, Message, MessageKind, Moment, PreciseStep, PreciseSteps,
    Specification, When, complete,
};

/// The best transformers of a specification's actions, made when they are needed.
#[derive(Debug)]
pub struct BestSteps {
    specification: Specification,
    derive: Derive,
    /// Made when the first step is taken: most analyses need none.
    symbolic: OnceLock<Symbolic>,
    prepared: IdVec<ActionId, OnceLock<Option<Prepared>>>,
    cost: [AtomicUsize; 3],
}

/// The cost of precise steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StepsCost {
    /// Steps that were taken.
    pub steps: usize,
    /// Steps that were left to the usual operations, because a query was left undecided.
    pub undecided: usize,
    /// Satisfiability queries.
    pub queries: usize,
}

#[derive(Debug)]
struct Prepared {
    transformer: BestTransformer,
    messages: Vec<Judge>,
}

/// A message as questions about stores.
#[derive(Debug)]
struct Judge {
    number: usize,
    moment: Moment,
    is_property: bool,
    /// Something is wrong.
    wrong: Theory,
    /// Nothing is wrong.
    right: Theory,
}

/// A step that takes more queries than this, or starts from more individuals, is left to the usual operations.
const MAX_QUERIES: usize = 400;
const MAX_SIZE: usize = 16;

impl BestSteps {
    /// The engine with best transformers, when they are wanted. Their results are bounded by canonical abstraction, so
    /// an analysis without blur, or with another abstraction, does without them.
    pub fn where_wanted(engine: Engine, when: Option<When>, derive: Derive) -> (Engine, Option<Arc<BestSteps>>) {
        let is_canonical = engine.blurs() && engine.specification().cfg.expressions().next().is_none();
        let Some(when) = when.filter(|_| is_canonical) else { return (engine, None) };
        let steps = Arc::new(BestSteps::new(engine.specification(), derive));
        (engine.with_precise_steps(steps.clone(), when), Some(steps))
    }

    /// The steps of a specification, whose actions get derived updates.
    pub fn new(specification: &Specification, derive: Derive) -> BestSteps {
        BestSteps {
            specification: specification.clone(),
            derive,
            symbolic: OnceLock::new(),
            prepared: specification.actions.iter().map(|_| OnceLock::new()).collect(),
            cost: Default::default(),
        }
    }

    fn symbolic(&self) -> &Symbolic {
        self.symbolic.get_or_init(|| Symbolic::new(&self.specification))
    }

    /// The cost of the steps so far.
    pub fn cost(&self) -> StepsCost {
        let [steps, undecided, queries] = self.cost.each_ref().map(|count| count.load(Ordering::Relaxed));
        StepsCost { steps, undecided, queries }
    }

    fn prepared(&self, action: ActionId) -> Option<&Prepared> {
        let prepare = || {
            let action = complete(&self.specification.actions[action], &self.specification.vocabulary, self.derive);
            let transformer = BestTransformer::new(self.symbolic(), &[&action]).ok()?;
            let messages = action.messages.iter().enumerate();
            let messages = messages.map(|(number, message)| Judge::new(number, message, &transformer)).collect();
            Some(Prepared { transformer, messages })
        };
        self.prepared[action].get_or_init(prepare).as_ref()
    }

    /// The results that obey the rules; for others there is an event.
    fn obedient(&self, results: Vec<Transformed>, events: &mut Vec<Event>, session: &mut Session) -> Vec<Structure> {
        let mut obedient = Vec::new();
        for Transformed { structure, witness } in results {
            let mut coerce = |structure: &mut Structure| {
                self.symbolic().coercer.coerce(structure, &Changes::Anything, &mut session.scratch)
            };
            if let Some((before, after)) = witness
                && let Err(infeasible) = coerce(&mut after.clone())
            {
                let (before, after) = (Box::new(before), Box::new(after));
                events.push(Event::Contradiction { infeasible, before, after });
            }
            let mut coerced = structure.clone();
            if coerce(&mut coerced).is_ok() {
                obedient.push(self.symbolic().abstraction.blur(&coerced));
            }
        }
        obedient
    }
}

impl Judge {
    fn new(number: usize, message: &Message, transformer: &BestTransformer) -> Judge {
        let holds = |positive| match message.moment {
            Moment::BeforeUpdate => transformer.and_before(&message.condition, positive),
            Moment::AfterUpdate => transformer.and_after(&message.condition, positive),
        };
        let wrong = message.kind != MessageKind::Property(true);
        let (moment, is_property) = (message.moment, message.kind != MessageKind::Alarm);
        Judge { number, moment, is_property, wrong: holds(wrong), right: holds(!wrong) }
    }

    /// The event of the message on the stores of a structure to which the action applies.
    fn event(
        &self,
        structure: &Structure,
        prepared: &Prepared,
        symbolic: &Symbolic,
        session: &mut Session,
    ) -> Result<Option<Event>, Undecided> {
        let message = self.number;
        let Some((before, after)) = prepared.transformer.ask(&self.wrong, structure, session)? else {
            return Ok(self.is_property.then_some(Event::Confirmed { message }));
        };
        let definite = prepared.transformer.ask(&self.right, structure, session)?.is_none();
        let store = if self.moment == Moment::BeforeUpdate { before } else { after };
        let structure = Box::new(symbolic.abstraction.blur(&store));
        Ok(Some(Event::Message { message, definite, structure }))
    }
}

/// A solver of whose answers none is of use after one is missing.
struct OneMiss<'a> {
    solver: BuiltIn,
    gave_up: &'a Cell<bool>,
}

impl Solver for OneMiss<'_> {
    fn solve(&mut self, query: &Query) -> Answer {
        let answer = self.solver.solve(query);
        self.gave_up.set(self.gave_up.get() || matches!(answer, Answer::Undecided(_)));
        answer
    }
}

impl PreciseSteps for BestSteps {
    fn step(&self, action: ActionId, structure: &Structure) -> Option<PreciseStep> {
        let prepared = self.prepared(action)?;
        let [taken, undecided, queries] = &self.cost;
        if structure.size() > MAX_SIZE {
            undecided.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let mut left = MAX_QUERIES;
        let gave_up = Cell::new(false);
        let mut stop = || {
            left = left.saturating_sub(1);
            left == 0 || gave_up.get()
        };
        let mut solver = OneMiss { solver: BuiltIn::default(), gave_up: &gave_up };
        let mut session = Session::new(&mut solver, &mut stop);
        let results = prepared.transformer.apply(std::slice::from_ref(structure), &mut session);
        let mut step = PreciseStep { states: Vec::new(), events: Vec::new() };
        // Without a result the action applies to no store, so no message has anything to say.
        let messages = if results.is_empty() { &[] } else { &prepared.messages[..] };
        let decided = session.report.is_most_precise()
            && messages.iter().all(|judge| match judge.event(structure, prepared, self.symbolic(), &mut session) {
                Ok(event) => {
                    step.events.extend(event);
                    true
                }
                Err(_) => false,
            });
        if decided {
            step.states = self.obedient(results, &mut step.events, &mut session);
        }
        queries.fetch_add(session.report.queries, Ordering::Relaxed);
        if decided { taken } else { undecided }.fetch_add(1, Ordering::Relaxed);
        decided.then_some(step)
    }
}
