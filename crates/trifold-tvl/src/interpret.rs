//! The concrete interpreter: runs a specification on two-valued structures, and judges the analysis by what it sees.
//!
//! On a store every formula is 0 or 1, so an action is just its precondition and its update. Where an update says 1/2 it
//! means "either": every completion that obeys the rules is a possible outcome.
//!
//! A procedure is run once for each store that it is entered with; what it returns goes to everybody who called it with that
//! store. So there is no stack, and recursion that does not end is just a procedure that does not return.
//!
//! An analysis is sound when every store that can reach a location embeds in a structure found for it, and every
//! message that can fire is among its findings. [`judge`] checks that for the stores that were reached.

use crate::analysis::{Analysis, Input};
use crate::calls::side_by_side;
use crate::changes::Changes;
use crate::coerce::{CoerceScratch, Infeasible};
use crate::concretize::{SearchLimits, concretizations};
use crate::engine::{Engine, EngineScratch};
use crate::event::Event;
use crate::specification::{Call, Edge, LocationId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use trifold_fixpoint::Context;
use trifold_structure::{Structure, canonical_form, embedding};

/// How far to run.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Input stores taken from each input structure.
    pub inputs: usize,
    /// Input stores have at most this many individuals.
    pub max_size: usize,
    /// A run is given up when its store has more than this many individuals above `max_size`.
    pub growth: usize,
    /// Stores visited, over all locations.
    pub stores: usize,
}

/// What the interpreter has seen.
#[derive(Clone, Default, Debug)]
pub struct Reached {
    /// Stores with their locations, each once up to isomorphism.
    pub stores: Vec<(LocationId, Structure)>,
    /// For each of them, in a program with procedures, the number of the store with which its procedure was entered.
    pub inside: Vec<Option<usize>>,
    /// For each of them the edge by which it was reached first, and the store from which; nothing for inputs. Behind a
    /// call, that is the store in which it was made.
    pub parents: Vec<Option<(usize, usize)>>,
    /// Messages that fired, as edge and message.
    pub messages: BTreeSet<(usize, usize)>,
    /// For each of them that fired for certain, the first store at the source of the edge from which it did.
    pub certain: BTreeMap<(usize, usize), usize>,
    /// Updates that led to a store which breaches a rule.
    pub breaches: Vec<Breach>,
}

/// An update that led out of what the rules allow.
#[derive(Clone, Debug)]
pub struct Breach {
    /// The edge.
    pub edge: usize,
    /// The store before.
    pub before: Structure,
    /// The store after.
    pub after: Structure,
    /// The rule, in the numbering of [`Engine::laws`].
    pub infeasible: Infeasible,
}

/// Runs the program on stores that the inputs represent, breadth first.
pub fn interpret(
    engine: &Engine,
    inputs: &[Input],
    limits: RunLimits,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Reached {
    interpret_until(engine, inputs, limits, choose, &mut |_| false)
}

/// The same, until `done` is satisfied with what was reached so far.
pub(crate) fn interpret_until(
    engine: &Engine,
    inputs: &[Input],
    limits: RunLimits,
    choose: &mut dyn FnMut(usize) -> usize,
    done: &mut dyn FnMut(&Reached) -> bool,
) -> Reached {
    let mut interpreter = Interpreter::new(engine, limits);
    for input in inputs {
        for store in completions(engine, &input.structure, limits.max_size, limits.inputs, choose) {
            interpreter.start(input.location, store, None);
        }
    }
    interpreter.run(done);
    interpreter.reached
}

/// Up to `count` stores that a structure represents, each once up to isomorphism.
fn completions(
    engine: &Engine,
    structure: &Structure,
    max_size: usize,
    count: usize,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Vec<Structure> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let search = SearchLimits { max_size, decisions: 500 * count };
    let _ = concretizations(structure, engine.laws(), search, choose, &mut |store| {
        let store = canonical_form(store);
        if seen.insert(store.clone()) {
            found.push(store);
        }
        if found.len() >= count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

struct Interpreter<'a> {
    engine: &'a Engine,
    limits: RunLimits,
    reached: Reached,
    /// Locations and stores, each with how its procedure was entered.
    seen: FxHashSet<(Option<usize>, LocationId, Structure)>,
    /// The calls, by edge.
    calls: BTreeMap<usize, &'a Call>,
    /// Procedures with the stores that they were entered with, by the numbers of these.
    activations: BTreeMap<usize, Activation>,
    /// Where each procedure was entered with each store.
    entered: FxHashMap<(LocationId, Structure), usize>,
    scratch: EngineScratch,
}

/// What a procedure does with a store.
#[derive(Default)]
struct Activation {
    /// The calls, each with the store in which it was made.
    callers: Vec<(usize, usize)>,
    /// The stores in which it returns.
    exits: Vec<usize>,
}

impl<'a> Interpreter<'a> {
    fn new(engine: &'a Engine, limits: RunLimits) -> Interpreter<'a> {
        Interpreter {
            engine,
            limits,
            reached: Reached::default(),
            seen: FxHashSet::default(),
            calls: engine.specification().cfg.calls.iter().map(|call| (call.edge, call)).collect(),
            activations: BTreeMap::new(),
            entered: FxHashMap::default(),
            scratch: EngineScratch::default(),
        }
    }

    fn visit(&mut self, location: LocationId, store: Structure, inside: Option<usize>, parent: Option<(usize, usize)>) {
        if store.size() > self.limits.max_size + self.limits.growth {
            return;
        }
        let store = canonical_form(&store);
        if self.seen.len() < self.limits.stores && self.seen.insert((inside, location, store.clone())) {
            self.reached.stores.push((location, store));
            self.reached.inside.push(inside);
            self.reached.parents.push(parent);
        }
    }

    /// The program, or a procedure of it, starts with a store. Says where the store is, unless there are too many.
    fn start(&mut self, location: LocationId, store: Structure, parent: Option<(usize, usize)>) -> Option<usize> {
        if self.engine.specification().cfg.procedures.is_empty() {
            self.visit(location, store, None, parent);
            return None;
        }
        let (store, next) = (canonical_form(&store), self.reached.stores.len());
        if let Some(known) = self.entered.get(&(location, store.clone())) {
            return Some(*known);
        }
        self.visit(location, store.clone(), Some(next), parent);
        (self.reached.stores.len() > next).then(|| {
            self.entered.insert((location, store), next);
            self.activations.insert(next, Activation::default());
            next
        })
    }

    /// Stores are added behind those that have been dealt with, so this is breadth first.
    fn run(&mut self, done: &mut dyn FnMut(&Reached) -> bool) {
        let cfg = &self.engine.specification().cfg;
        let mut number = 0;
        while let Some((location, store)) = self.reached.stores.get(number).cloned()
            && !done(&self.reached)
        {
            let inside = self.reached.inside[number];
            for (edge, Edge { action, target, .. }) in
                cfg.edges.iter().enumerate().filter(|(_, e)| e.source == location)
            {
                match self.calls.get(&edge).copied() {
                    Some(call) => self.enter(call, number, &store),
                    None => {
                        for after in self.step(edge, (*action, 0), number, &store) {
                            self.visit(*target, after, inside, Some((edge, number)));
                        }
                    }
                }
            }
            self.leave(number, location, inside);
            number += 1;
        }
    }

    /// A call is made in the store of that number.
    fn enter(&mut self, call: &Call, number: usize, store: &Structure) {
        let specification = self.engine.specification();
        let (mut stores, mut messages) = (vec![store.clone()], 0);
        for action in &call.enter {
            let before = std::mem::take(&mut stores);
            stores.extend(before.iter().flat_map(|store| self.step(call.edge, (*action, messages), number, store)));
            messages += specification.actions[*action].messages.len();
        }
        for store in stores {
            let entry = specification.cfg.procedures[call.callee].entry;
            let Some(inside) = self.start(entry, store, Some((call.edge, number))) else { continue };
            let Some(activation) = self.activations.get_mut(&inside) else { continue };
            activation.callers.push((call.edge, number));
            for exit in activation.exits.clone() {
                self.come_back(call.edge, number, exit);
            }
        }
    }

    /// If the store of that number is at the exit of its procedure, calls return.
    fn leave(&mut self, number: usize, location: LocationId, inside: Option<usize>) {
        let Some(inside) = inside else { return };
        let entry = self.reached.stores[inside].0;
        let procedures = &self.engine.specification().cfg.procedures;
        if !procedures.iter().any(|procedure| (procedure.entry, procedure.exit) == (entry, location)) {
            return;
        }
        let Some(activation) = self.activations.get_mut(&inside) else { return };
        activation.exits.push(number);
        for (edge, caller) in activation.callers.clone() {
            self.come_back(edge, caller, number);
        }
    }

    /// A call that was made in one store returns in another.
    fn come_back(&mut self, edge: usize, caller: usize, exit: usize) {
        let (call, specification) = (self.calls[&edge], self.engine.specification());
        let both = side_by_side(call, &self.reached.stores[caller].1, &self.reached.stores[exit].1);
        let messages = call.enter.iter().map(|action| specification.actions[*action].messages.len()).sum();
        for after in self.step(edge, (call.combine, messages), caller, &both) {
            let (target, inside) = (specification.cfg.edges[edge].target, self.reached.inside[caller]);
            self.visit(target, after, inside, Some((edge, caller)));
        }
    }

    /// What an action of an edge, whose messages are numbered from some number on, makes of a store. `from` is the store where the edge starts.
    fn step(
        &mut self,
        edge: usize,
        (action, messages): (usize, usize),
        from: usize,
        before: &Structure,
    ) -> Vec<Structure> {
        let step = self.engine.execute(action, before, &mut self.scratch);
        self.note_messages(edge, messages, from, step.events);
        let mut outcomes = Vec::new();
        for after in step.states {
            let mut checked = after.clone();
            let verdict = self.engine.laws().coerce(&mut checked, &Changes::Anything, &mut CoerceScratch::default());
            if let Err(infeasible) = verdict {
                self.reached.breaches.push(Breach { edge, before: before.clone(), after, infeasible });
                continue;
            }
            let size = self.limits.max_size.max(after.size());
            for store in completions(self.engine, &after, size, 64, &mut |_| 0) {
                let events = self.engine.judge_result(action, &store, &mut self.scratch);
                self.note_messages(edge, messages, from, events);
                outcomes.push(store);
            }
        }
        outcomes
    }

    fn note_messages(&mut self, edge: usize, first: usize, store: usize, events: Vec<Event>) {
        for event in events {
            if let Event::Message { message, definite, .. } = event.numbered_from(first) {
                self.reached.messages.insert((edge, message));
                if definite {
                    self.reached.certain.entry((edge, message)).or_insert(store);
                }
            }
        }
    }
}

/// A way in which an analysis misses what can happen.
#[derive(Clone, Debug)]
pub enum Unsound {
    /// A store that reaches the location is represented by none of its structures.
    StoreMissed {
        /// The location.
        location: LocationId,
        /// The store.
        store: Box<Structure>,
    },
    /// A message fires that is not among the findings.
    MessageMissed {
        /// The edge.
        edge: usize,
        /// The message.
        message: usize,
    },
}

/// Checks an analysis against what was reached; locations that keep no structures are not checked.
///
/// In a program with procedures a store must be represented beside the one that its procedure was entered with.
pub fn judge(engine: &Engine, analysis: &Analysis, reached: &Reached) -> Result<(), Unsound> {
    let solution = &analysis.solution;
    let represents = |point: usize, store: &Structure| {
        let (found, location) = (&solution.stores[point], solution.points[point].location);
        let blurred = engine.abstraction(location).blur(store);
        !solution.saved[point]
            || found.iter().any(|structure| *structure == blurred)
            || found.iter().any(|structure| embedding(store, structure).is_some())
    };
    for ((location, store), inside) in reached.stores.iter().zip(&reached.inside) {
        let is_entered = |context: &Context| match inside.map(|number| &reached.stores[number]) {
            None => true,
            Some((entry, given)) => {
                solution.points[context.entry].location == *entry && represents(context.entry, given)
            }
        };
        let points = solution.points.iter().enumerate().filter(|(_, point)| point.location == *location);
        let represented = points
            .into_iter()
            .any(|(number, point)| represents(number, store) && is_entered(&solution.contexts[point.context]));
        if !represented {
            return Err(Unsound::StoreMissed { location: *location, store: Box::new(store.clone()) });
        }
    }
    let missed = |(edge, message): &&(usize, usize)| {
        !analysis.findings.iter().any(|finding| (finding.edge, finding.message) == (*edge, *message))
    };
    match reached.messages.iter().find(missed) {
        Some((edge, message)) => Err(Unsound::MessageMissed { edge: *edge, message: *message }),
        None => Ok(()),
    }
}
