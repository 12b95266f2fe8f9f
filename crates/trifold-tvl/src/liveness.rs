//! Dead variables: a variable that no later step reads need not keep individuals or structures apart [Reineke05 §3.3].
//!
//! A predicate is *live* at a location if the next step may read its value, or may pass it on to a predicate that is
//! live after the step. A core predicate of at most one argument, such as a pointer variable, is *dead* where neither
//! it nor any predicate that is defined by it is live. Dead predicates are forgotten: they become 1/2 everywhere.
//! Predicates that have nothing to do with a dead variable are kept even if no formula reads them, because consistency
//! rules do.
//!
//! At a location without successors everything is live, unless the program lists the predicates that matter there
//! (`%live`). Where a procedure ends, the predicates that its calls read are live; those that a call reads when it
//! returns are live before it, too, because the return reads both structures.
//!
//! For example, between `t = x->n; x = t;` and the next assignment to `t`, the variable `t` is dead.
//!
//! # Soundness
//! To forget a value is to represent more stores.

use crate::specification::{Action, ActionId, Label, New, Procedure, Specification, Update};
use std::collections::BTreeSet;
use trifold_fixpoint::{IdVec, LocationId};
use trifold_logic::{Formula, PredicateId, Vocabulary};

/// A set of predicates: a bit for each.
#[derive(Clone, PartialEq, Debug)]
struct Predicates(Vec<u64>);

impl Predicates {
    fn none(vocabulary: &Vocabulary) -> Predicates {
        Predicates(vec![0; vocabulary.len().div_ceil(64)])
    }

    fn insert(&mut self, p: PredicateId) {
        self.0[p.index() / 64] |= 1 << (p.index() % 64);
    }

    fn contains(&self, p: PredicateId) -> bool {
        self.0[p.index() / 64] >> (p.index() % 64) & 1 != 0
    }

    /// Tells whether anything is new.
    fn extend(&mut self, other: &Predicates) -> bool {
        let new = self.0.iter().zip(&other.0).any(|(word, bits)| bits & !word != 0);
        self.0.iter_mut().zip(&other.0).for_each(|(word, bits)| *word |= bits);
        new
    }
}

/// For each location the predicates that are dead there. `actions` are those of the specification, with derived
/// updates; `observed` are the predicates that are observed at a location, such as those of a formula to prove.
pub fn dead_predicates(
    specification: &Specification,
    actions: &IdVec<ActionId, Action>,
    observed: &[(LocationId, BTreeSet<PredicateId>)],
) -> IdVec<LocationId, Vec<PredicateId>> {
    let families = families(&specification.vocabulary);
    let live = live_predicates(specification, actions, observed, &families);
    let dead = |live: &Predicates| -> Vec<PredicateId> {
        let dead = families.iter().filter(|(_, family)| !family.iter().any(|p| live.contains(*p)));
        dead.flat_map(|(_, family)| family).copied().collect::<BTreeSet<_>>().into_iter().collect()
    };
    live.iter().map(dead).collect()
}

/// Variables, each with itself and the predicates that are defined by it.
fn families(vocabulary: &Vocabulary) -> Vec<(PredicateId, Vec<PredicateId>)> {
    let is_variable = |p: PredicateId| {
        p.index() >= Vocabulary::BUILT_IN && vocabulary[p].arity <= 1 && vocabulary[p].definition.is_none()
    };
    let mut families: Vec<Vec<PredicateId>> = vocabulary.ids().map(|p| vec![p]).collect();
    // A definition mentions only predicates that are declared before it.
    let mut variables: Vec<BTreeSet<PredicateId>> = Vec::new();
    for p in vocabulary.ids() {
        let mut of = BTreeSet::new();
        let definition = vocabulary[p].definition.iter().flat_map(|definition| mentions(&definition.formula));
        for mentioned in definition.chain(is_variable(p).then_some(p)) {
            match variables.get(mentioned.index()) {
                Some(known) => of.extend(known),
                None => of.extend(is_variable(mentioned).then_some(mentioned)),
            }
        }
        of.iter().filter(|variable| **variable != p).for_each(|variable| families[variable.index()].push(p));
        variables.push(of);
    }
    vocabulary.ids().zip(families).filter(|(p, _)| is_variable(*p)).collect()
}

fn mentions(formula: &Formula) -> BTreeSet<PredicateId> {
    let mut found = BTreeSet::new();
    formula.visit_predicates(&mut |p| {
        found.insert(p);
    });
    found
}

/// The predicates that an action reads.
struct Reads {
    /// Read, no matter which predicates are live after the action.
    always: Predicates,
    /// The predicates with a new value.
    updated: Predicates,
    /// The predicates that are read for each of them.
    updates: Vec<(PredicateId, Predicates)>,
}

impl Reads {
    fn of(action: &Action, vocabulary: &Vocabulary) -> Reads {
        let none = || Predicates::none(vocabulary);
        let mut reads = Reads { always: none(), updated: none(), updates: Vec::new() };
        // Derived updates come in an order in which each uses only new values of those before it.
        for Update { predicate, formula, .. } in &action.updates {
            let mut read = none();
            reads.add(formula, &mut read);
            reads.updates.push((*predicate, read));
            reads.updated.insert(*predicate);
        }
        let focus = action.focus.iter().map(|(formula, _)| formula);
        let messages = action.messages.iter().map(|message| &message.condition);
        let new = action.new.as_ref().and_then(|new| match new {
            New::Single => None,
            New::Copies { formula, .. } | New::Clones { formula, .. } => Some(formula),
        });
        let retain = action.retain.as_ref().map(|retain| &retain.formula);
        let mut always = none();
        focus
            .chain(messages)
            .chain(&action.precondition)
            .chain(new)
            .chain(retain)
            .for_each(|formula| reads.add(formula, &mut always));
        Reads { always, ..reads }
    }

    /// Adds the predicates whose old values a formula needs.
    fn add(&self, formula: &Formula, read: &mut Predicates) {
        for p in mentions(formula) {
            match self.updates.iter().find(|(updated, _)| p.is_after() && *updated == p.before()) {
                Some((_, for_update)) => {
                    read.extend(for_update);
                }
                None => read.insert(p.before()),
            }
        }
    }

    /// Adds the predicates that are live before the action, if `behind` are live after it. Tells whether any of them is
    /// new.
    fn before(&self, behind: &Predicates, live: &mut Predicates) -> bool {
        let old = live.clone();
        live.extend(&self.always);
        for (word, (behind, updated)) in live.0.iter_mut().zip(behind.0.iter().zip(&self.updated.0)) {
            *word |= behind & !updated;
        }
        for (_, read) in self.updates.iter().filter(|(p, _)| behind.contains(*p)) {
            live.extend(read);
        }
        *live != old
    }
}

/// All predicates, or all but variables that are not listed and the predicates defined by them.
fn live_at_the_end(specification: &Specification, families: &[(PredicateId, Vec<PredicateId>)]) -> Predicates {
    let Specification { vocabulary, cfg, .. } = specification;
    let mut live = Predicates::none(vocabulary);
    let mut forgotten = Predicates::none(vocabulary);
    if let Some(listed) = &cfg.live {
        let variables = families.iter().filter(|(variable, _)| vocabulary[*variable].properties.unique);
        for (variable, family) in variables {
            let side = if listed.contains(variable) { &mut live } else { &mut forgotten };
            family.iter().for_each(|p| side.insert(*p));
        }
    }
    vocabulary.ids().filter(|p| !forgotten.contains(*p)).for_each(|p| live.insert(p));
    live
}

fn live_predicates(
    specification: &Specification,
    actions: &IdVec<ActionId, Action>,
    observed: &[(LocationId, BTreeSet<PredicateId>)],
    families: &[(PredicateId, Vec<PredicateId>)],
) -> IdVec<LocationId, Predicates> {
    let Specification { vocabulary, cfg, .. } = specification;
    let reads: IdVec<ActionId, Reads> = actions.iter().map(|action| Reads::of(action, vocabulary)).collect();
    let mut ends: IdVec<LocationId, bool> = IdVec::filled(true, cfg.locations.len());
    cfg.edges.iter().for_each(|edge| ends[edge.source] = false);
    cfg.calls.iter().for_each(|call| ends[cfg.procedures[call.callee].exit] = false);
    let at_the_end = live_at_the_end(specification, families);
    let start = |ends: bool| if ends { at_the_end.clone() } else { Predicates::none(vocabulary) };
    let mut live: IdVec<LocationId, Predicates> = ends.into_iter().map(start).collect();
    observed.iter().for_each(|(location, predicates)| predicates.iter().for_each(|p| live[*location].insert(*p)));
    let mut changed = true;
    while changed {
        changed = false;
        for edge in cfg.edges.iter().rev() {
            let behind = live[edge.target].clone();
            match edge.label {
                Label::Action(action) => changed |= reads[action].before(&behind, &mut live[edge.source]),
                Label::Call(call) => {
                    let call = &cfg.calls[call];
                    let Procedure { entry, exit, .. } = &cfg.procedures[call.callee];
                    let mut on_return = Predicates::none(vocabulary);
                    reads[call.combine].before(&behind, &mut on_return);
                    let mut on_entry = live[*entry].clone();
                    for action in call.enter.iter().rev() {
                        let mut before = Predicates::none(vocabulary);
                        reads[*action].before(&on_entry, &mut before);
                        on_entry = before;
                    }
                    changed |= live[edge.source].extend(&on_entry) | live[edge.source].extend(&on_return);
                    let taken: Vec<_> = call.from_exit.iter().filter(|(to, _)| on_return.contains(*to)).collect();
                    taken.into_iter().for_each(|(_, from)| on_return.insert(*from));
                    changed |= live[*exit].extend(&on_return);
                }
            }
        }
    }
    live
}
