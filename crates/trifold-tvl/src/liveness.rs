//! Dead variables: what no later step reads need not keep individuals or structures apart [Reineke05 §3.3].
//!
//! A predicate is *live* at a location if the next step may read its value, or may pass it on to a predicate that is live behind the step.
//! A core predicate of at most one argument, such as a pointer variable, is *dead* where neither it nor any
//! predicate that is defined by it is live. Dead predicates are forgotten: they become 1/2 everywhere. Predicates
//! that have nothing to do with a dead variable are kept even if no formula reads them, because consistency rules do.
//!
//! At a location without successors everything is live, unless the program lists what matters there (`%live`).
//!
//! # Soundness
//! To forget a value is to represent more stores.

use crate::specification::{Action, New, Specification, Update};
use std::collections::{BTreeMap, BTreeSet};
use trifold_logic::{Formula, PredicateId, Vocabulary};

type Predicates = BTreeSet<PredicateId>;

/// For each location the predicates that are dead there. `actions` are those of the specification, with derived updates; `observed` are
/// predicates that somebody wants to look at, and where.
pub fn dead_predicates(
    specification: &Specification,
    actions: &[Action],
    observed: &[(usize, Predicates)],
) -> Vec<Vec<PredicateId>> {
    let live = live_predicates(specification, actions, observed);
    let families = families(&specification.vocabulary);
    let dead = |live: &Predicates| -> Vec<PredicateId> {
        let dead: Predicates = families
            .iter()
            .map(|(_, family)| family)
            .filter(|family| family.is_disjoint(live))
            .flatten()
            .copied()
            .collect();
        dead.into_iter().collect()
    };
    live.iter().map(dead).collect()
}

/// Each variable together with the predicates that are defined by it.
fn families(vocabulary: &Vocabulary) -> Vec<(PredicateId, Predicates)> {
    let mut families = Vec::new();
    for (variable, predicate) in vocabulary.iter().skip(Vocabulary::BUILT_IN) {
        if predicate.arity > 1 || predicate.definition.is_some() {
            continue;
        }
        let mut family = Predicates::from([variable]);
        loop {
            let defined = vocabulary.iter().filter(|(_, p)| {
                p.definition
                    .as_ref()
                    .is_some_and(|definition| mentions(&definition.formula).any(|p| family.contains(&p)))
            });
            let before = family.len();
            let found: Vec<PredicateId> = defined.map(|(id, _)| id).collect();
            family.extend(found);
            if family.len() == before {
                break;
            }
        }
        families.push((variable, family));
    }
    families
}

fn mentions(formula: &Formula) -> impl Iterator<Item = PredicateId> {
    let mut found = Predicates::new();
    formula.visit_predicates(&mut |p| {
        found.insert(p);
    });
    found.into_iter()
}

/// What an action reads.
struct Reads {
    /// Whatever is live behind it.
    always: Predicates,
    /// For the new value of a predicate.
    updates: BTreeMap<PredicateId, Predicates>,
}

impl Reads {
    fn of(action: &Action) -> Reads {
        let mut reads = Reads { always: Predicates::new(), updates: BTreeMap::new() };
        // Derived updates come in an order in which each uses only new values of those before it.
        for Update { predicate, formula, .. } in &action.updates {
            let read = reads.in_formula(formula);
            reads.updates.insert(*predicate, read);
        }
        let focus = action.focus.iter().map(|(formula, _)| formula);
        let messages = action.messages.iter().map(|message| &message.condition);
        let new = action.new.as_ref().and_then(|new| match new {
            New::Single => None,
            New::Copies { formula, .. } | New::Clones { formula, .. } => Some(formula),
        });
        let retain = action.retain.as_ref().map(|retain| &retain.formula);
        let formulas: Vec<&Formula> =
            focus.chain(messages).chain(&action.precondition).chain(new).chain(retain).collect();
        for formula in formulas {
            let read = reads.in_formula(formula);
            reads.always.extend(read);
        }
        reads
    }

    /// The predicates whose old values a formula needs.
    fn in_formula(&self, formula: &Formula) -> Predicates {
        let mut read = Predicates::new();
        for p in mentions(formula) {
            match self.updates.get(&p.before()) {
                Some(updated) if p.is_after() => read.extend(updated),
                _ => {
                    read.insert(p.before());
                }
            }
        }
        read
    }

    /// What is live before the action, if `behind` is live after it.
    fn before(&self, behind: &Predicates) -> Predicates {
        let mut live = self.always.clone();
        for p in behind {
            match self.updates.get(p) {
                Some(read) => live.extend(read),
                None => {
                    live.insert(*p);
                }
            }
        }
        live
    }
}

/// Everything, or everything but variables that are not listed and what is defined by them.
fn live_at_the_end(specification: &Specification) -> Predicates {
    let vocabulary = &specification.vocabulary;
    let mut live: Predicates = vocabulary.ids().collect();
    if let Some(listed) = &specification.cfg.live {
        let (listed, others): (Vec<_>, Vec<_>) = families(vocabulary)
            .into_iter()
            .filter(|(variable, _)| vocabulary[*variable].properties.unique)
            .partition(|(variable, _)| listed.contains(variable));
        live.retain(|p| !others.iter().any(|(_, family)| family.contains(p)));
        live.extend(listed.into_iter().flat_map(|(_, family)| family));
    }
    live
}

fn live_predicates(
    specification: &Specification,
    actions: &[Action],
    observed: &[(usize, Predicates)],
) -> Vec<Predicates> {
    let cfg = &specification.cfg;
    let reads: Vec<Reads> = actions.iter().map(Reads::of).collect();
    let at_the_end = live_at_the_end(specification);
    let mut live = vec![Predicates::new(); cfg.locations.len()];
    let ends = |location: usize| !cfg.edges.iter().any(|edge| edge.source == location);
    (0..live.len()).filter(|location| ends(*location)).for_each(|location| live[location].clone_from(&at_the_end));
    observed.iter().for_each(|(location, predicates)| live[*location].extend(predicates));
    let mut changed = true;
    while changed {
        changed = false;
        for edge in cfg.edges.iter().rev() {
            let before = reads[edge.action].before(&live[edge.target]);
            let known = live[edge.source].len();
            live[edge.source].extend(before);
            changed |= live[edge.source].len() > known;
        }
    }
    live
}
