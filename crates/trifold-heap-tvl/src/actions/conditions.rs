//! Conditions.
//!
//! Pointers that point to no living object are compared by chance, because an allocator may use an address again.
//!
//! For example, `if (x == y)` has the precondition `∃v x(v) ∧ y(v)`, or both are null.

use super::{Lowering, Steps};
use crate::actions::flow::Failure;
use crate::vocabulary::formulas::flag;
use crate::vocabulary::variables::v;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Condition, FindingKind, Operand, show_condition};
use trifold_logic::Formula;
use trifold_passes::targets::{Path, Target};
use trifold_tvl::Action;

impl Lowering<'_> {
    pub(super) fn assume(&self, condition: &Condition) -> Steps {
        let mut action = Action::default();
        action.precondition = Some(self.may_hold(condition, &mut action));
        Steps { failures: self.comparison(condition), stages: vec![vec![action]] }
    }

    pub(super) fn assert(&self, condition: &Condition) -> Steps {
        let mut steps = self.assume(condition);
        let text = format!("`{}` may not hold", show_condition(self.program, condition));
        let broken = self.may_hold(&condition.negated(), &mut Action::default());
        steps.failures.push(Failure::new(FindingKind::Assertion, broken, text));
        steps
    }

    /// The ways in which the comparison itself goes wrong.
    fn comparison(&self, condition: &Condition) -> Vec<Failure> {
        let Condition::Pointers { left, right, .. } = condition else { return Vec::new() };
        let uninitialised = |operand: &Operand| match operand {
            Operand::Pointer(x) => flag(self.predicates.pointer(*x).uninit),
            Operand::Uninitialised => Formula::TRUE,
            Operand::Null | Operand::Scalar(_) => Formula::FALSE,
        };
        let text = format!("`{}` may compare a pointer without a value", show_condition(self.program, condition));
        let either = Formula::or([left, right].map(uninitialised));
        vec![Failure::new(FindingKind::UninitialisedPointer, either, text)]
    }

    /// "The condition may hold, and its operands have values." The action gets to know the consequences for scalars.
    fn may_hold(&self, condition: &Condition, action: &mut Action) -> Formula {
        let (left, right, equal) = match condition {
            Condition::Scalar(expr) => return self.assume_scalar(action, expr),
            Condition::Pointers { left, right, equal } => (left, right, equal),
        };
        let (left, right) = (Comparand::new(self, left), Comparand::new(self, right));
        let initialised = Formula::and([left.uninit.clone().negate(), right.uninit.clone().negate()]);
        let same = left.is_same_as(&right);
        let neither = Formula::and([left.astray.clone().negate(), right.astray.clone().negate()]);
        let by_chance = Formula::or([
            Formula::and([left.astray.clone(), right.null.clone().negate()]),
            Formula::and([right.astray.clone(), left.null.clone().negate()]),
        ]);
        let holds = if *equal {
            Formula::or([by_chance, Formula::and([neither, same])])
        } else {
            Formula::or([left.astray, right.astray, same.negate()])
        };
        Formula::and([initialised, holds])
    }
}

/// One side of a comparison.
struct Comparand {
    points: Formula,
    paths: BTreeMap<Path, Formula>,
    targets: BTreeSet<Target>,
    uninit: Formula,
    astray: Formula,
    null: Formula,
}

impl Comparand {
    fn new(lowering: &Lowering, operand: &Operand) -> Comparand {
        let predicates = &lowering.predicates;
        let [points, uninit, astray] = [Formula::FALSE; 3];
        let (paths, targets) = (BTreeMap::new(), BTreeSet::new());
        match operand {
            Operand::Pointer(x) => Comparand {
                points: predicates.points(*x, v()),
                paths: predicates.paths(*x),
                targets: predicates.pointer(*x).targets.clone(),
                uninit: flag(predicates.pointer(*x).uninit),
                astray: predicates.astray(*x),
                null: predicates.null(*x),
            },
            Operand::Uninitialised => {
                Comparand { points, paths, targets, uninit: Formula::TRUE, astray, null: Formula::FALSE }
            }
            Operand::Null | Operand::Scalar(_) => {
                Comparand { points, paths, targets, uninit, astray, null: Formula::TRUE }
            }
        }
    }

    /// "Both point to the same place, or neither to any."
    fn is_same_as(&self, other: &Comparand) -> Formula {
        let object = Formula::forall([v()], self.points.clone().iff(other.points.clone()));
        let both = || self.targets.iter().flat_map(|a| other.targets.iter().map(move |b| (a, b)));
        // An object has several places in it that are compared.
        if both().all(|(a, b)| a.whole != b.whole || a == b) {
            return object;
        }
        let of = |side: &Comparand, path: &Path| side.paths.get(path).cloned().unwrap_or(Formula::FALSE);
        let paths: BTreeSet<&Path> = self.paths.keys().chain(other.paths.keys()).collect();
        Formula::and([object].into_iter().chain(paths.into_iter().map(|path| of(self, path).iff(of(other, path)))))
    }
}
