//! The locations of a solution and their structures.

use std::collections::HashSet;
use trifold_fixpoint::{LocationId, Solution};
use trifold_structure::Structure;
use trifold_tvl::{Engine, FiredMessage, Specification};

/// The structures of a location, for all inputs of its procedure; each once.
pub fn structures_at(solution: &Solution<Engine>, location: LocationId) -> Vec<&Structure> {
    let stores: Vec<_> = solution.stores_of(location).collect();
    match &stores[..] {
        // A store has each structure once.
        [only] => only.iter().collect(),
        _ => {
            let mut seen = HashSet::new();
            stores.into_iter().flat_map(|store| store.iter()).filter(|structure| seen.insert(*structure)).collect()
        }
    }
}

/// Does a location keep its structures?
pub fn is_saved(solution: &Solution<Engine>, location: LocationId) -> bool {
    solution.points_of(location).all(|point| solution.saved[point])
}

/// The locations to show: those the program lists and those with messages, or all.
pub fn printed(specification: &Specification, findings: &[FiredMessage]) -> Vec<LocationId> {
    let Some(mut locations) = specification.cfg.printed.clone() else {
        return specification.cfg.locations.ids().collect();
    };
    for finding in findings {
        if !locations.contains(&finding.location) {
            locations.push(finding.location);
        }
    }
    locations
}
