//! Rules that follow from the definitions of reachability and cycles, but not from a single look at them.
//!
//! With `r(v) = ∃w s(w) ∧ e*(w,v)` and `c(v) = e⁺(v,v)`, for any `s`:
//!
//! | rule | because |
//! | --- | --- |
//! | `r(v) ∧ e(v,w) ▷ r(w)` and its contrapositives | a reached object leads only to reached ones |
//! | `s(w) ∧ r(v) ∧ ¬c(w) ▷ ¬e(v,w)`, `s(w) ∧ r(v) ∧ e(v,w) ▷ c(w)` | if `s` holds of one only, a way back is a cycle |
//!
//! The contrapositives of the first rule are `r(v) ∧ ¬r(w) ▷ ¬e(v,w)` and `¬r(w) ∧ e(v,w) ▷ ¬r(v)`.

use crate::vocabulary::variables::{v, w};
use trifold_logic::{Formula, PredicateId, Vocabulary};
use trifold_tvl::{Constraint, Head, Origin};

/// The rules of all predicates that are defined in this way.
pub(crate) fn closure_rules(vocabulary: &Vocabulary) -> Vec<Constraint> {
    let of_arity = |arity| vocabulary.iter().skip(Vocabulary::BUILT_IN).filter(move |(_, p)| p.arity == arity);
    let defined = |formula: &Formula| {
        let same =
            |definition: &trifold_logic::Definition| definition.parameters == [v()] && definition.formula == *formula;
        of_arity(1).find(|(_, p)| p.definition.as_ref().is_some_and(same)).map(|(id, _)| id)
    };
    let mut rules = Vec::new();
    for (step, _) in of_arity(2) {
        let cyclic = defined(&Formula::transitive_closure(step, v(), v()));
        for (source, predicate) in of_arity(1) {
            let start = Formula::atom(source, [w()]);
            let reached = Formula::and([start, Formula::reflexive_closure(step, w(), v())]);
            let Some(reached) = defined(&Formula::exists([w()], reached)) else { continue };
            rules.extend(reach_rules(step, reached));
            if let Some(cyclic) = cyclic.filter(|_| predicate.properties.unique) {
                rules.extend(way_back_rules(step, source, reached, cyclic));
            }
        }
    }
    rules
}

fn reach_rules(step: PredicateId, reached: PredicateId) -> [Constraint; 3] {
    let r = |at| Formula::atom(reached, [at]);
    let edge = || Formula::atom(step, [v(), w()]);
    [
        rule([r(v()), edge()], reached, &[w()], true),
        rule([r(v()), r(w()).negate()], step, &[v(), w()], false),
        rule([r(w()).negate(), edge()], reached, &[v()], false),
    ]
}

fn way_back_rules(
    step: PredicateId,
    source: PredicateId,
    reached: PredicateId,
    cyclic: PredicateId,
) -> [Constraint; 2] {
    let back = || [Formula::atom(source, [w()]), Formula::atom(reached, [v()])];
    let [start, end] = back();
    let opened = rule([start, end, Formula::atom(cyclic, [w()]).negate()], step, &[v(), w()], false);
    let [start, end] = back();
    [opened, rule([start, end, Formula::atom(step, [v(), w()])], cyclic, &[w()], true)]
}

fn rule<const N: usize>(
    body: [Formula; N],
    predicate: PredicateId,
    arguments: &[trifold_logic::Var],
    positive: bool,
) -> Constraint {
    let body = Formula::and(body);
    let bound: Vec<_> = body.free_vars().into_iter().filter(|variable| !arguments.contains(variable)).collect();
    let head = Head::Predicate { predicate, arguments: arguments.to_vec(), positive };
    Constraint { body: Formula::exists(bound, body), head, origin: Origin::default() }
}
