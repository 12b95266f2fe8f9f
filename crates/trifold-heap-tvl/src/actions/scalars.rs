//! Scalars: their cells before and after a statement.
//!
//! A value is known by predicates, one for each cell of its partition, of which one holds. A cell that may hold is 1/2.
//! For example, after `i = 2`, where `i` is compared with 2 alone, the cell of 2 is 1 and the cells below and above
//! are 0.
//!
//! Arithmetic never splits a state over the values of scalars, it just makes less known about them. A copy does, and so
//! does a test whose outcome is stored: then later knowledge about the one is knowledge about the other.

use super::Lowering;
use crate::actions::values::update;
use crate::tracked::scalar_cells::plain;
use crate::vocabulary::predicates::Cells;
use crate::vocabulary::sortedness::Number;
use crate::vocabulary::variables::{v, w};
use std::collections::BTreeMap;
use trifold_ir::{Expr, Operand, Scalar, Type, VarId};
use trifold_logic::{Formula, Kleene, PredicateId};
use trifold_passes::intervals::{Interval, evaluate, meet, within};
use trifold_passes::links::LinkId;
use trifold_tvl::{Action, Origin};

/// More combinations of cells than these are not looked at: the value is unknown.
const MAX_COMBINATIONS: usize = 64;

/// The value 1/2.
const UNKNOWN: Formula = Formula::Value(Kleene::Unknown);

/// A combination of cells that variables can have at the same time.
type Combination<'a> = BTreeMap<VarId, &'a (Interval, PredicateId)>;

impl Lowering<'_> {
    fn cells(&self, variable: VarId) -> &[(Interval, PredicateId)] {
        self.predicates.cells.get(&variable).map(Vec::as_slice).unwrap_or_default()
    }

    /// All combinations of cells of the tracked variables in the expression; `None` if there are too many.
    fn combinations(&self, expr: &Expr) -> Option<Vec<Combination<'_>>> {
        let mut variables = Vec::new();
        expr.for_each_variable(&mut |variable| {
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        });
        let mut all: Vec<Combination<'_>> = vec![BTreeMap::new()];
        for variable in variables {
            let cells = self.cells(variable);
            if cells.is_empty() {
                continue;
            }
            if all.len() * cells.len() > MAX_COMBINATIONS {
                return None;
            }
            let mut extended = Vec::new();
            for known in &all {
                extended.extend(cells.iter().map(|cell| {
                    let mut combination = known.clone();
                    combination.insert(variable, cell);
                    combination
                }));
            }
            all = extended;
        }
        Some(all)
    }

    /// The interval of the expression under a combination.
    fn evaluate(&self, expr: &Expr, combination: &Combination) -> Interval {
        evaluate(self.program, expr, &|variable| match (combination.get(&variable), self.program[variable].ty) {
            (Some((interval, _)), _) => *interval,
            (None, Type::Scalar(scalar)) => scalar.range(),
            (None, Type::Pointer(_)) => Scalar::I32.range(),
        })
    }

    /// "The variables have values in these cells."
    fn describe(combination: &Combination) -> Formula {
        Formula::and(combination.values().map(|(_, predicate)| Formula::atom(*predicate, [])))
    }

    /// "The value of the operand is in the cell", for each of these cells.
    pub(super) fn in_cells(&self, operand: &Operand, cells: &[(Interval, PredicateId)]) -> Vec<Formula> {
        let unknown = || vec![UNKNOWN; cells.len()];
        let Operand::Scalar(expr) = operand else { return unknown() };
        if let Some(truth) = self.truth_by_order(expr) {
            let of_cell = |(interval, _): &(Interval, PredicateId)| {
                let outcomes = [(0, truth.clone().negate()), (1, truth.clone())];
                Formula::or(outcomes.into_iter().filter(|(value, _)| within((*value, *value), *interval)).map(|o| o.1))
            };
            return cells.iter().map(of_cell).collect();
        }
        let Some(combinations) = self.combinations(expr) else { return unknown() };
        let of_cell = |(interval, _): &(Interval, PredicateId)| {
            Formula::or(combinations.iter().filter_map(|combination| {
                let value = self.evaluate(expr, combination);
                let here = Self::describe(combination);
                if within(value, *interval) {
                    Some(here)
                } else {
                    meet(value, *interval).then(|| Formula::and([here, UNKNOWN]))
                }
            }))
        };
        cells.iter().map(of_cell).collect()
    }

    /// The formulas that are to be definite before the operand is copied to a tracked scalar.
    pub(super) fn focus_on_scalar(&self, to: Option<&Cells>, operand: &Operand) -> Vec<(Formula, Origin)> {
        let Operand::Scalar(expr) = operand else { return Vec::new() };
        let matters = plain(expr).is_some() || self.program.scalar_of(expr) == Some(Scalar::Bool);
        let mut focus = Vec::new();
        if matters && to.is_some() {
            expr.for_each_variable(&mut |variable| {
                let cells = self.cells(variable);
                focus.extend(cells.iter().map(|(_, predicate)| (Formula::atom(*predicate, []), Origin::default())));
            });
        }
        if to.is_some() {
            focus.extend(self.focus_on_order(expr));
        }
        focus
    }

    /// `to = operand`, for a scalar.
    pub(super) fn set_scalar(&self, action: &mut Action, to: VarId, operand: &Operand) {
        let cells = self.cells(to);
        for ((_, predicate), formula) in cells.iter().zip(self.in_cells(operand, cells)) {
            update(action, *predicate, &[], formula);
        }
        self.set_numbers(action, &BTreeMap::from([(to, self.number(operand))]));
    }

    /// `to = any value in the interval`
    pub(super) fn set_any(&self, action: &mut Action, to: VarId, range: Interval) {
        for (interval, predicate) in self.cells(to) {
            let value = if within(range, *interval) {
                Formula::TRUE
            } else if meet(range, *interval) {
                UNKNOWN
            } else {
                Formula::FALSE
            };
            update(action, *predicate, &[], value);
        }
        self.set_numbers(action, &BTreeMap::from([(to, Number::Any)]));
    }

    /// `to = object->link`, for a scalar.
    pub(super) fn load_scalar(&self, action: &mut Action, to: VarId, object: VarId, link: LinkId) {
        self.load_cells(action, to, object, link);
        self.set_numbers(action, &BTreeMap::from([(to, Number::Of(object, link))]));
    }

    fn load_cells(&self, action: &mut Action, to: VarId, object: VarId, link: LinkId) {
        let Some(contents) = self.predicates.contents.get(&link) else { return self.forget_scalar(action, to) };
        for (interval, predicate) in self.cells(to) {
            let cases = contents.iter().filter(|(from, _)| meet(*from, *interval)).map(|(from, stored)| {
                let here = Formula::and([self.predicates.points(object, w()), Formula::atom(*stored, [w()])]);
                let here = Formula::exists([w()], here);
                if within(*from, *interval) { here } else { Formula::and([here, UNKNOWN]) }
            });
            update(action, *predicate, &[], Formula::or(cases));
        }
    }

    /// `object->link = operand`, for a scalar.
    pub(super) fn store_scalar(&self, action: &mut Action, object: VarId, link: LinkId, operand: &Operand) {
        self.store_number(action, object, link, self.number(operand));
        let Some(cells) = self.predicates.contents.get(&link) else { return };
        for ((_, predicate), formula) in cells.iter().zip(self.in_cells(operand, cells)) {
            let kept = Formula::atom(*predicate, [v()]);
            let value = Formula::if_then_else(self.predicates.points(object, v()), formula, kept);
            update(action, *predicate, &[v()], value);
        }
        action.focus.extend(self.focus_on_scalar(Some(cells), operand));
    }

    /// The first value of a scalar of a new object.
    pub(super) fn first_value(&self, action: &mut Action, link: LinkId, zeroed: bool) {
        for (interval, predicate) in self.predicates.contents.get(&link).into_iter().flatten() {
            let first = match zeroed {
                false => UNKNOWN,
                true if meet((0, 0), *interval) => Formula::TRUE,
                true => Formula::FALSE,
            };
            let new = Formula::atom(PredicateId::IS_NEW, [v()]);
            let value = Formula::if_then_else(new, first, Formula::atom(*predicate, [v()]));
            update(action, *predicate, &[v()], value);
        }
    }

    /// Forgets the value of a scalar, also one that the action has given it.
    pub(super) fn forget_scalar(&self, action: &mut Action, variable: VarId) {
        for (_, predicate) in self.cells(variable) {
            action.updates.retain(|update| update.predicate != *predicate);
            update(action, *predicate, &[], UNKNOWN);
        }
        self.set_numbers(action, &BTreeMap::from([(variable, Number::Any)]));
    }

    /// "The condition may hold"; where it holds, the action knows more about the variable that it is about.
    pub(super) fn assume_scalar(&self, action: &mut Action, expr: &Expr) -> Formula {
        action.focus.extend(self.focus_on_order(expr));
        let by_order = self.truth_by_order(expr).unwrap_or(Formula::TRUE);
        Formula::and([by_order, self.assume_cells(action, expr)])
    }

    fn assume_cells(&self, action: &mut Action, expr: &Expr) -> Formula {
        let Some(combinations) = self.combinations(expr) else { return Formula::TRUE };
        let (fits, rest): (Vec<_>, Vec<_>) =
            combinations.iter().partition(|combination| self.evaluate(expr, combination) != (0, 0));
        if rest.is_empty() {
            return Formula::TRUE;
        }
        if combinations.iter().all(|combination| combination.len() == 1) {
            for (_, predicate) in rest.iter().flat_map(|combination| combination.values()) {
                update(action, *predicate, &[], Formula::FALSE);
            }
            if let [only] = &fits[..] {
                only.values().for_each(|(_, predicate)| update(action, *predicate, &[], Formula::TRUE));
            }
        }
        Formula::or(fits.into_iter().map(Self::describe))
    }
}
