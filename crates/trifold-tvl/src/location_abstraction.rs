//! The abstraction of each location: the part of structures that is kept there.
//!
//! For example, where no later step reads variable `t`, its predicates are dead, so structures that differ in `t` only
//! become one.

use crate::blur::{Abstraction, BlurRule, Expression};
use crate::derive::{Derive, complete};
use crate::liveness::dead_predicates;
use crate::specification::{Action, ActionId, Specification};
use std::collections::BTreeSet;
use std::sync::Arc;
use trifold_fixpoint::{IdVec, LocationId};
use trifold_logic::PredicateId;

/// The part of structures that is kept at a location.
#[derive(Debug)]
pub(crate) struct LocationAbstraction {
    pub abstraction: Arc<Abstraction>,
    /// Predicates that are forgotten.
    pub dead: Vec<PredicateId>,
}

/// The abstractions of all locations.
pub(crate) fn location_abstractions(
    specification: &Specification,
    forget_dead: bool,
    derive: Derive,
    blur: BlurRule,
    observed: &[(LocationId, BTreeSet<PredicateId>)],
) -> IdVec<LocationId, LocationAbstraction> {
    let Specification { vocabulary, cfg, .. } = specification;
    let dead = match forget_dead {
        true => {
            let completed = |action| complete(action, vocabulary, derive);
            let actions: IdVec<ActionId, Action> = specification.actions.iter().map(completed).collect();
            dead_predicates(specification, &actions, observed)
        }
        false => IdVec::filled(Vec::new(), cfg.locations.len()),
    };
    let by = |expression: &Expression| Arc::new(Abstraction::by(expression.clone(), vocabulary, blur));
    let everywhere = by(cfg.abstraction.as_ref().unwrap_or(&Expression::canonical(vocabulary)));
    let at = |location| cfg.abstractions.get(&location).map_or_else(|| everywhere.clone(), by);
    let kept = |(location, dead)| LocationAbstraction { abstraction: at(location), dead };
    cfg.locations.ids().zip(dead).map(kept).collect()
}
