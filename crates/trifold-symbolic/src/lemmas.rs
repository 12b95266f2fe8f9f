//! Lemmas about two closures, where the steps of the one are those of the other without those out of one individual.
//!
//! Updates that cut a pointer speak of such paths: `TC(v, w)(a, b) (n(a,b) & !x(a))`. How they relate to the paths of
//! `n` follows by induction, which a solver does not do. So the lemma is given to it: a path either never leaves the
//! individual, or it can be divided where it does so for the last time, and before that for the first time.
//!
//! ```text
//! A(a, b) n+(a,b) -> m+(a,b) | E(y, c) x(y) & (a == y | m+(a,y)) & n(y,c) & (c == b | m+(c,b))
//! ```
//!
//! Here `m(a,b)` is `n(a,b) & !x(a)`, and `x` holds of at most one individual.

use std::sync::Arc;
use trifold_logic::{Formula, PredicateId, Var, Vocabulary};

/// A relation by the conjuncts of its step, with the variables `from` and `to`.
type Steps = Vec<Formula>;

/// The lemmas about closures that occur in some formulas.
pub(crate) fn lemmas<'f>(formulas: impl IntoIterator<Item = &'f Formula>, vocabulary: &Vocabulary) -> Vec<Formula> {
    let mut relations: Vec<Steps> = Vec::new();
    for formula in formulas {
        collect(formula, &mut relations);
    }
    let pairs = relations.iter().flat_map(|all| relations.iter().map(move |fewer| (all, fewer)));
    pairs.filter_map(|(all, fewer)| Some(lemma(all, left_out(all, fewer, vocabulary)?))).collect()
}

fn ends() -> [Var; 2] {
    ["from", "to"].map(Var::new)
}

fn collect(formula: &Formula, relations: &mut Vec<Steps>) {
    match formula {
        Formula::Value(_) | Formula::Atom(..) | Formula::Equal(..) => {}
        Formula::Not(inner) | Formula::Exists(_, inner) | Formula::Forall(_, inner) => collect(inner, relations),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| collect(part, relations)),
        Formula::If(parts) => parts.iter().for_each(|part| collect(part, relations)),
        Formula::Closure { left, right, body, .. } => {
            collect(body, relations);
            let [from, to] = ends();
            let renamed =
                body.substitute(&[(left.clone(), from.clone()), (right.clone(), to.clone())].into_iter().collect());
            let steps: Steps = if let Formula::And(parts) = renamed { parts.to_vec() } else { vec![renamed] };
            // Steps that depend on other variables, too, would be one relation for each of their values.
            let own = steps.iter().all(|part| part.free_vars().iter().all(|v| *v == from || *v == to));
            if own && !relations.contains(&steps) {
                relations.push(steps);
            }
        }
    }
}

/// The predicate of one individual whose steps `fewer` lacks, if that is all that it lacks.
fn left_out(all: &Steps, fewer: &Steps, vocabulary: &Vocabulary) -> Option<PredicateId> {
    let (common, own): (Vec<&Formula>, Vec<&Formula>) = fewer.iter().partition(|part| all.contains(part));
    let [Formula::Not(atom)] = own[..] else { return None };
    let Formula::Atom(p, arguments) = atom.as_ref() else { return None };
    let fits = common.len() == all.len() && arguments[..] == ends()[..1] && vocabulary[*p].properties.unique;
    fits.then_some(*p)
}

fn lemma(all: &Steps, p: PredicateId) -> Formula {
    let [a, b, c, y] = ["a", "b", "c", "y"].map(Var::new);
    let [from, to] = ends();
    let is = |v: &Var| Formula::atom(p, [v.clone()]);
    let step = Formula::and(all.iter().cloned());
    let fewer = Formula::and([step.clone(), is(&from).negate()]);
    let path = |body: &Formula, start: &Var, end: &Var| Formula::Closure {
        start: start.clone(),
        end: end.clone(),
        left: from.clone(),
        right: to.clone(),
        body: Arc::new(body.clone()),
    };
    let some = |v: &Var, w: &Var| Formula::or([Formula::equal(v.clone(), w.clone()), path(&fewer, v, w)]);
    let cut = step.substitute(&[(from.clone(), y.clone()), (to.clone(), c.clone())].into_iter().collect());
    let through = Formula::exists([y.clone(), c.clone()], Formula::and([is(&y), some(&a, &y), cut, some(&c, &b)]));
    let divided = Formula::or([path(&fewer, &a, &b), through]);
    Formula::forall([a.clone(), b.clone()], path(&step, &a, &b).implies(divided))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use trifold_logic::{Kleene, Predicate, Properties};
    use trifold_structure::{Layout, Structure, naive};

    proptest! {
        /// On any graph the lemma holds.
        #[test]
        fn lemmas_are_true(size in 0..6usize, edges in prop::collection::vec((0..6usize, 0..6usize), 0..12), at in 0..8usize) {
            let mut vocabulary = Vocabulary::default();
            let properties = Properties { unique: true, ..Properties::default() };
            let x = vocabulary.declare(Predicate { properties, ..Predicate::core("x", 1) }).unwrap();
            let n = vocabulary.declare(Predicate::core("n", 2)).unwrap();
            let [from, to] = ["p", "q"].map(Var::new);
            let step = Formula::atom(n, [from.clone(), to.clone()]);
            let cut = Formula::and([step.clone(), Formula::atom(x, [from.clone()]).negate()]);
            let closure = |body: Formula| Formula::Closure {
                start: from.clone(), end: to.clone(), left: from.clone(), right: to.clone(), body: Arc::new(body),
            };
            let found = lemmas(&[closure(step), closure(cut).negate()], &vocabulary);
            prop_assert_eq!(found.len(), 1);
            let mut store = Structure::new(&Arc::new(Layout::new(&vocabulary)), size);
            for (u, w) in edges.into_iter().filter(|(u, w)| *u < size && *w < size) {
                store.set(n, &[u, w], Kleene::True);
            }
            if at < size {
                store.set(x, &[at], Kleene::True);
            }
            prop_assert_eq!(naive::evaluate(&found[0], &store, &Default::default()), Kleene::True);
        }
    }
}
