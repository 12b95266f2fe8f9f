//! Confirmation of findings: concrete runs in which messages fire.
//!
//! An abstract analysis says which messages may fire. Whether they do is tried out: the program is run on the stores
//! that the inputs represent, smallest first, until the messages in question have fired or the limits are reached. A
//! message that fires in such a run is a bug of the program, with an input that shows it; about the others nothing has
//! become known.
//!
//! For example, a program that follows `x->n` without a test is run on the empty list first, and its message fires
//! there.

use crate::analysis::{Analysis, Contradiction, Input};
use crate::engine::Engine;
use crate::interpret::{Breach, Reached, RunLimits, interpret_until};
use std::collections::{BTreeMap, BTreeSet};
use trifold_fixpoint::EdgeId;
use trifold_structure::Structure;

/// A run in which a message fires.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The store from which the run starts.
    pub input: Structure,
    /// The edges that it takes, up to the one with the message, which is not among them.
    pub edges: Vec<EdgeId>,
    /// The store before that one.
    pub store: Structure,
}

/// Input stores have up to so many individuals.
const MAX_SIZE: usize = 6;

/// Runs that confirm messages, given as edge and message, as far as some are found before `stop` says so.
pub fn confirm(
    engine: &Engine,
    inputs: &[Input],
    wanted: &BTreeSet<(EdgeId, usize)>,
    stop: &mut dyn FnMut() -> bool,
) -> BTreeMap<(EdgeId, usize), Witness> {
    let mut found = BTreeMap::new();
    for max_size in 0..=MAX_SIZE {
        let missing: Vec<(EdgeId, usize)> = wanted.iter().filter(|key| !found.contains_key(*key)).copied().collect();
        if missing.is_empty() || stop() {
            break;
        }
        let limits = RunLimits { inputs: 100, max_size, growth: 4, stores: 4_000 };
        let mut done = |reached: &Reached| stop() || missing.iter().all(|key| reached.certain.contains_key(key));
        let reached = interpret_until(engine, inputs, limits, &mut |_| 0, &mut done);
        found.extend(missing.iter().filter_map(|key| Some((*key, Witness::new(&reached, *reached.certain.get(key)?)))));
    }
    found
}

/// Looks for runs that show why returns of calls came out infeasible. A single step shows that of an action, but not of
/// a return, because a return reads two structures that belong together.
pub fn explain_returns(engine: &Engine, inputs: &[Input], analysis: &mut Analysis, stop: &mut dyn FnMut() -> bool) {
    let cfg = &engine.specification().cfg;
    for max_size in 0..=MAX_SIZE {
        if !analysis.unexplained.iter().any(|breach| cfg.call(breach.edge).is_some()) || stop() {
            return;
        }
        let limits = RunLimits { inputs: 100, max_size, growth: 4, stores: 4_000 };
        let mut done = |reached: &Reached| stop() || !reached.breaches.is_empty();
        let reached = interpret_until(engine, inputs, limits, &mut |_| 0, &mut done);
        for Breach { edge, before, after, infeasible } in reached.breaches {
            if cfg.call(edge).is_some() {
                analysis.unexplained.retain(|breach| breach.edge != edge);
                analysis.contradictions.push(Contradiction { edge, infeasible, before, after });
            }
        }
    }
}

impl Witness {
    fn new(reached: &Reached, last: usize) -> Witness {
        let (mut first, mut edges) = (last, Vec::new());
        while let Some((edge, parent)) = reached.parents[first] {
            edges.push(edge);
            first = parent;
        }
        edges.reverse();
        let store = |number: usize| reached.stores[number].1.clone();
        Witness { input: store(first), edges, store: store(last) }
    }
}
