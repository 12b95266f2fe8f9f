//! The effects of statements on the [order](crate::vocabulary::sortedness) of objects by their data. For example, `i =
//! x->d` makes `le[i,d]` and `ge[i,d]` true of the object that `x` points to.
//!
//! A comparison of two variables splits the state over its outcome, and the rules of the order carry that on to the
//! objects whose data they hold.

use super::Lowering;
use crate::actions::values::update;
use crate::tracked::data_order::same_value;
use crate::vocabulary::sortedness::Number;
use crate::vocabulary::variables::v;
use std::collections::BTreeMap;
use trifold_ir::{BinaryOp, Expr, Operand, Scalar, UnaryOp, VarId};
use trifold_logic::{Formula, PredicateId, Var};
use trifold_passes::links::LinkId;
use trifold_tvl::{Action, Origin};

impl Lowering<'_> {
    /// The number that an operand is.
    pub(super) fn number(&self, operand: &Operand) -> Number {
        match operand {
            Operand::Scalar(expr) => same_value(self.program, expr).map_or(Number::Any, Number::Variable),
            _ => Number::Any,
        }
    }

    /// Variables get numbers, all at once. Updates of their order that the action had before are made anew.
    pub(super) fn set_numbers(&self, action: &mut Action, assigned: &BTreeMap<VarId, Number>) {
        self.replace(action, self.predicates.numbers_assigned(assigned));
    }

    /// Parameters get their values all at once.
    pub(super) fn pass_numbers(&self, action: &mut Action, parameters: &[VarId], arguments: &[Operand]) {
        let is_number = |(parameter, _): &(&VarId, &Operand)| !self.program[**parameter].ty.is_pointer();
        let passed = parameters.iter().zip(arguments).filter(is_number);
        self.set_numbers(action, &passed.map(|(to, argument)| (*to, self.number(argument))).collect());
    }

    fn replace(&self, action: &mut Action, updates: Vec<(PredicateId, Vec<Var>, Formula)>) {
        for (predicate, parameters, formula) in updates {
            action.updates.retain(|update| update.predicate != predicate);
            update(action, predicate, &parameters, formula);
        }
    }

    /// The object gets a number.
    pub(super) fn store_number(&self, action: &mut Action, object: VarId, link: LinkId, number: Number) {
        for order in self.predicates.orders.iter().filter(|order| order.data.contains(&link)) {
            let object = self.predicates.points(object, v());
            self.replace(action, self.predicates.number_stored(order, &object, number));
        }
    }

    /// Nothing is known of the number of a new object.
    pub(super) fn first_numbers(&self, action: &mut Action) {
        let new = Formula::atom(PredicateId::IS_NEW, [v()]);
        for order in &self.predicates.orders {
            self.replace(action, self.predicates.number_stored(order, &new, Number::Any));
        }
    }

    /// "The expression is true", if that depends on the order.
    pub(super) fn truth_by_order(&self, expr: &Expr) -> Option<Formula> {
        let is_bool = |expr: &Expr| self.program.scalar_of(expr) == Some(Scalar::Bool);
        match expr {
            Expr::Unary(UnaryOp::Complement, operand) if is_bool(operand) => {
                self.truth_by_order(operand).map(Formula::negate)
            }
            Expr::Convert(_, operand) if is_bool(operand) => self.truth_by_order(operand),
            Expr::Binary(BinaryOp::NotEqual, operand, zero) if matches!(**zero, Expr::Constant(0, _)) => {
                self.truth_by_order(operand)
            }
            Expr::Binary(BinaryOp::Equal, operand, zero) if matches!(**zero, Expr::Constant(0, _)) => {
                self.truth_by_order(operand).map(Formula::negate)
            }
            Expr::Binary(op, left, right) => {
                let (x, y) = self.compared(left, right)?;
                let le = |pair| Formula::atom(self.pair(pair), []);
                let equal = Formula::and([le((x, y)), le((y, x))]);
                match op {
                    BinaryOp::Less => Some(le((y, x)).negate()),
                    BinaryOp::LessEqual => Some(le((x, y))),
                    BinaryOp::Greater => Some(le((x, y)).negate()),
                    BinaryOp::GreaterEqual => Some(le((y, x))),
                    BinaryOp::Equal => Some(equal),
                    BinaryOp::NotEqual => Some(equal.negate()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The formulas that are to be definite before it is asked whether the expression is true.
    pub(super) fn focus_on_order(&self, expr: &Expr) -> Vec<(Formula, Origin)> {
        match expr {
            Expr::Constant(..) | Expr::Variable(_) => Vec::new(),
            Expr::Unary(_, operand) | Expr::Convert(_, operand) => self.focus_on_order(operand),
            Expr::Binary(_, left, right) => match self.compared(left, right) {
                Some((x, y)) => {
                    let pairs = [(x, y), (y, x)];
                    pairs.map(|pair| (Formula::atom(self.pair(pair), []), Origin::default())).to_vec()
                }
                None => [self.focus_on_order(left), self.focus_on_order(right)].concat(),
            },
        }
    }

    /// The variables that are compared, if how they compare is tracked.
    fn compared(&self, left: &Expr, right: &Expr) -> Option<(VarId, VarId)> {
        let pair = (same_value(self.program, left)?, same_value(self.program, right)?);
        self.predicates.orders.iter().any(|order| order.pairs.contains_key(&pair)).then_some(pair)
    }

    /// "The first one is not greater than the second."
    fn pair(&self, pair: (VarId, VarId)) -> PredicateId {
        let known = self.predicates.orders.iter().find_map(|order| order.pairs.get(&pair));
        *known.expect("pairs are tracked both ways")
    }
}
