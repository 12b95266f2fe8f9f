//! The vocabulary: core predicates, instrumentation predicates and the rules that all states obey. [`Predicates::of`]
//! puts it together; the modules each know one family.

pub(crate) mod formulas;
pub(crate) mod instrumentation;
pub(crate) mod kinds;
pub(crate) mod names;
pub(crate) mod order;
pub(crate) mod predicates;
pub(crate) mod reachability_rules;
mod rules;
pub(crate) mod sortedness;
mod subtrees;
pub(crate) mod variables;

use names::Names;
use predicates::{Predicates, Scope};

impl Predicates {
    /// The predicates for a program, from those of variables to those that are defined by others.
    pub fn of(scope: &Scope) -> Predicates {
        let mut predicates = Predicates::none(scope);
        let names = Names::new(scope.program, scope.procedures, scope.links);
        predicates.declare_variables(scope, &names);
        predicates.declare_links(scope, &names);
        predicates.declare_objects(scope, &names);
        predicates.declare_cells(scope, &names);
        predicates.declare_calls(scope, &names);
        predicates.declare_sides(scope);
        predicates.declare_families(scope, &names);
        predicates.declare_orders(scope, &names);
        predicates
    }
}
