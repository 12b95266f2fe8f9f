//! The concrete interpreter: runs a specification on two-valued structures, and judges the analysis by what it sees.
//!
//! On a store every formula is 0 or 1, so an action is just its precondition and its update. Where an update says 1/2 it
//! means "either": every completion that obeys the rules is a possible outcome.
//!
//! An analysis is sound when every store that can reach a location embeds in a structure found for it, and every
//! message that can fire is among its findings. [`judge`] checks that for the stores that were reached.

use crate::analysis::{Analysis, Input};
use crate::changes::Changes;
use crate::coerce::{CoerceScratch, Infeasible};
use crate::concretize::{SearchLimits, concretizations};
use crate::engine::{Engine, EngineScratch, Event};
use crate::specification::{Edge, LocationId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
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
    /// For each of them the edge by which it was reached first, and the store from which; nothing for inputs.
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
    let (reached, seen, scratch) = (Reached::default(), FxHashSet::default(), EngineScratch::default());
    let mut interpreter = Interpreter { engine, limits, reached, seen, scratch };
    for input in inputs {
        for store in completions(engine, &input.structure, limits.max_size, limits.inputs, choose) {
            interpreter.visit(input.location, store, None);
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
    seen: FxHashSet<(LocationId, Structure)>,
    scratch: EngineScratch,
}

impl Interpreter<'_> {
    fn visit(&mut self, location: LocationId, store: Structure, parent: Option<(usize, usize)>) {
        if store.size() > self.limits.max_size + self.limits.growth {
            return;
        }
        let store = canonical_form(&store);
        if self.seen.len() < self.limits.stores && self.seen.insert((location, store.clone())) {
            self.reached.stores.push((location, store));
            self.reached.parents.push(parent);
        }
    }

    /// Stores are added behind those that have been dealt with, so this is breadth first.
    fn run(&mut self, done: &mut dyn FnMut(&Reached) -> bool) {
        let edges = &self.engine.specification().cfg.edges;
        let mut number = 0;
        while let Some((location, store)) = self.reached.stores.get(number).cloned()
            && !done(&self.reached)
        {
            for (edge, Edge { action, target, .. }) in edges.iter().enumerate().filter(|(_, e)| e.source == location) {
                let step = self.engine.execute(*action, &store, &mut self.scratch);
                self.note_messages(edge, number, step.events);
                for after in step.states {
                    self.follow(edge, *target, number, after);
                }
            }
            number += 1;
        }
    }

    fn note_messages(&mut self, edge: usize, store: usize, events: Vec<Event>) {
        for event in events {
            if let Event::Message { message, definite, .. } = event {
                self.reached.messages.insert((edge, message));
                if definite {
                    self.reached.certain.entry((edge, message)).or_insert(store);
                }
            }
        }
    }

    fn follow(&mut self, edge: usize, target: LocationId, before: usize, after: Structure) {
        let mut checked = after.clone();
        let verdict = self.engine.laws().coerce(&mut checked, &Changes::Anything, &mut CoerceScratch::default());
        match verdict {
            Err(infeasible) => {
                let before = self.reached.stores[before].1.clone();
                self.reached.breaches.push(Breach { edge, before, after, infeasible });
            }
            Ok(()) => {
                let size = self.limits.max_size.max(after.size());
                for store in completions(self.engine, &after, size, 64, &mut |_| 0) {
                    let action = self.engine.specification().cfg.edges[edge].action;
                    let events = self.engine.judge_result(action, &store, &mut self.scratch);
                    self.note_messages(edge, before, events);
                    self.visit(target, store, Some((edge, before)));
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
pub fn judge(engine: &Engine, analysis: &Analysis, reached: &Reached) -> Result<(), Unsound> {
    for (location, store) in &reached.stores {
        let found = analysis.solution.stores[*location].as_slice();
        let blurred = engine.abstraction(*location).blur(store);
        let represented = !analysis.solution.saved[*location]
            || found.contains(&blurred)
            || found.iter().any(|structure| embedding(store, structure).is_some());
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
