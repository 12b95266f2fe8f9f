//! Relations of numbers: `α - β ≤ c`, beside the intervals of symbols. For example, after `i < n` it is known that
//! `i - n ≤ -1`, and of `j = i + 1` that `j - i ≤ 1` and `i - j ≤ -1`; so `j ≤ n`, although of `n` nothing else is
//! known.
//!
//! # Soundness
//! A symbol is a value, which no statement changes, so what is known of two stays true. The differences are of numbers
//! as such: a sum that may wrap around is not related to its operands.

use crate::graph::equalities::{Equalities, Side};
use crate::graph::reduce::Infeasible;
use crate::graph::shape_graph::{Kind, Relations, ShapeGraph, Symbol};
use std::collections::BTreeMap;
use trifold_ir::{BinaryOp, Expr, Program, Scalar};

/// Where bounds that grow come to rest, before they are dropped.
const RESTS: [i128; 4] = [-1, 0, 1, 2];

/// How often intervals are compared with differences.
const ROUNDS: usize = 2;

impl ShapeGraph {
    /// The bounds of a number.
    pub(crate) fn range(&self, symbol: Symbol) -> Option<(i128, i128)> {
        match self.kind(symbol) {
            Kind::Scalar(interval) => Some(interval),
            _ => None,
        }
    }

    /// What differences tell of intervals.
    pub(crate) fn tighten_by_differences(&mut self) -> Result<(), Infeasible> {
        let bounds: Vec<(Symbol, Symbol, i128)> = self.relations.bounds().collect();
        for _ in 0..ROUNDS {
            for (a, b, bound) in &bounds {
                let (Some(x), Some(y)) = (self.range(*a), self.range(*b)) else { continue };
                let (high, low) = (x.1.min(y.1.saturating_add(*bound)), y.0.max(x.0.saturating_sub(*bound)));
                if x.0 > high || low > y.1 {
                    return Err(Infeasible);
                }
                self.kinds[a.index()] = Kind::Scalar((x.0, high));
                self.kinds[b.index()] = Kind::Scalar((low, y.1));
            }
        }
        Ok(())
    }

    fn is_known(&self, symbol: Symbol) -> bool {
        self.range(symbol).is_some_and(|(low, high)| low == high)
    }

    /// The most that the first number can exceed the second.
    pub fn difference(&self, a: Symbol, b: Symbol) -> Option<i128> {
        let ((_, high), (low, _)) = (self.range(a)?, self.range(b)?);
        let mut closed = self.relations.clone();
        closed.close();
        let known = closed.get(a, b);
        Some(known.map_or(high - low, |known| known.min(high - low)))
    }

    /// The first number exceeds the second by no more than this.
    pub fn bound(&mut self, a: Symbol, b: Symbol, bound: i128) -> Result<(), Infeasible> {
        if !self.relations.is_kept {
            return Ok(());
        }
        let (Some(x), Some(y)) = (self.range(a), self.range(b)) else { return Ok(()) };
        let back = if a == b { Some(0) } else { self.difference(b, a) };
        if back.is_some_and(|back| back + bound < 0) {
            return Err(Infeasible);
        }
        self.relations.insert(a, b, bound);
        self.kinds[a.index()] = Kind::Scalar((x.0, x.1.min(y.1.saturating_add(bound))));
        self.kinds[b.index()] = Kind::Scalar((y.0.max(x.0.saturating_sub(bound)), y.1));
        let is_empty = |symbol: Symbol| self.range(symbol).is_none_or(|(low, high)| low > high);
        if is_empty(a) || is_empty(b) { Err(Infeasible) } else { Ok(()) }
    }

    /// The symbol and the number whose sum an expression is, however the symbol is chosen.
    pub fn linear(&mut self, program: &Program, expr: &Expr) -> Option<(Symbol, i128)> {
        match expr {
            Expr::Variable(variable) if matches!(program[*variable].ty, trifold_ir::Type::Scalar(_)) => {
                Some((self.read(program, *variable), 0))
            }
            Expr::Convert(to, operand) if *to != Scalar::Bool => {
                let (low, high) = self.interval(program, operand);
                let inside =
                    program.scalar_of(operand) != Some(Scalar::Bool) && to.range().0 <= low && high <= to.range().1;
                if inside { self.linear(program, operand) } else { None }
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let ty = program.scalar_of(left)?;
                // One of them may be known.
                let (x, y) = (self.interval(program, left), self.interval(program, right));
                if *op == BinaryOp::Subtract && y.0 < y.1 {
                    return self.subtracted(program, left, right).map(|symbol| (symbol, 0));
                }
                if x.0 < x.1 && y.0 < y.1 {
                    return self.added(program, left, right).map(|symbol| (symbol, 0));
                }
                let (operand, by) = match op {
                    BinaryOp::Add if y.0 == y.1 => (left, y.0),
                    BinaryOp::Add if x.0 == x.1 => (right, x.0),
                    BinaryOp::Subtract if y.0 == y.1 => (left, -y.0),
                    _ => return None,
                };
                let (symbol, more) = self.linear(program, operand)?;
                let (low, high) = self.interval(program, operand);
                let fits = ty.range().0 <= low + by && high + by <= ty.range().1;
                fits.then_some((symbol, more + by))
            }
            Expr::Binary(BinaryOp::Multiply, left, right) => {
                let one = |graph: &ShapeGraph, expr: &Expr| graph.interval(program, expr) == (1, 1);
                match (one(self, left), one(self, right)) {
                    (_, true) => self.linear(program, left),
                    (true, _) => self.linear(program, right),
                    _ => None,
                }
            }
            Expr::Binary(op @ (BinaryOp::Divide | BinaryOp::Remainder | BinaryOp::ShiftRight | BinaryOp::And), ..) => {
                self.part(program, *op, expr).map(|symbol| (symbol, 0))
            }
            _ => None,
        }
    }

    /// A new symbol for a part of a number that is not negative: half of it, the rest of a division, some of its bits.
    /// It is no greater than the number, and a rest is less than what it is divided by.
    fn part(&mut self, program: &Program, op: BinaryOp, expr: &Expr) -> Option<Symbol> {
        let Expr::Binary(_, left, right) = expr else { return None };
        if program.scalar_of(left)? == Scalar::Bool {
            return None;
        }
        let (first, second) = (self.interval(program, left), self.interval(program, right));
        if first.0 < 0 || second.0 < 0 || op != BinaryOp::And && op != BinaryOp::ShiftRight && second.0 == 0 {
            return None;
        }
        let is_less = match op {
            BinaryOp::Divide => first.0 >= 1 && second.0 >= 2,
            BinaryOp::ShiftRight => first.0 >= 1 && second.0 >= 1,
            _ => false,
        };
        let number = self.linear(program, left);
        let other = match op {
            BinaryOp::Remainder | BinaryOp::And => self.linear(program, right),
            _ => None,
        };
        if number.is_none() && other.is_none() {
            return None;
        }
        let value = self.fresh(Kind::Scalar(self.interval(program, expr)));
        // It cannot fail: nothing else is known of the new value.
        if let Some((symbol, more)) = number {
            let _ = self.bound(value, symbol, more - i128::from(is_less));
        }
        if let Some((symbol, more)) = other {
            let _ = self.bound(value, symbol, more - i128::from(op == BinaryOp::Remainder));
        }
        Some(value)
    }

    /// A new symbol for the difference of two numbers, related to the first one.
    fn subtracted(&mut self, program: &Program, left: &Expr, right: &Expr) -> Option<Symbol> {
        let ty = program.scalar_of(left)?;
        let ((a, x), (b, y)) = (self.linear(program, left)?, self.linear(program, right)?);
        let (most, least) = (self.difference(a, b)? + x - y, x - y - self.difference(b, a)?);
        let (low, high) = self.range(b)?;
        if least < ty.range().0 || most > ty.range().1 || least > most {
            return None;
        }
        let value = self.fresh(Kind::Scalar((least, most)));
        if self.is_counted(a) || self.is_counted(b) {
            self.relations.equal([(a, 1), (b, -1), (value, -1)], y - x);
        }
        self.relations.insert(value, a, x - y - low);
        self.relations.insert(a, value, high + y - x);
        Some(value)
    }

    /// A new symbol for the sum of two numbers, one of which is part of an equality.
    fn added(&mut self, program: &Program, left: &Expr, right: &Expr) -> Option<Symbol> {
        let ty = program.scalar_of(left)?;
        let ((a, x), (b, y)) = (self.linear(program, left)?, self.linear(program, right)?);
        let (first, second) = (self.range(a)?, self.range(b)?);
        let (low, high) = (first.0 + second.0 + x + y, first.1 + second.1 + x + y);
        if low < ty.range().0 || high > ty.range().1 || !self.is_counted(a) && !self.is_counted(b) {
            return None;
        }
        let value = self.fresh(Kind::Scalar((low, high)));
        self.relations.equal([(a, 1), (b, 1), (value, -1)], -x - y);
        Some(value)
    }

    /// The consequences of a comparison that holds.
    pub fn relate(&mut self, program: &Program, left: &Expr, op: BinaryOp, right: &Expr) -> Result<(), Infeasible> {
        if !self.relations.is_kept {
            return Ok(());
        }
        let (Some((a, x)), Some((b, y))) = (self.linear(program, left), self.linear(program, right)) else {
            return Ok(());
        };
        match op {
            BinaryOp::Less => self.bound(a, b, y - x - 1),
            BinaryOp::LessEqual => self.bound(a, b, y - x),
            BinaryOp::Greater => self.bound(b, a, x - y - 1),
            BinaryOp::GreaterEqual => self.bound(b, a, x - y),
            BinaryOp::Equal => {
                if self.is_counted(a) || self.is_counted(b) {
                    self.relations.equal([(a, 1), (b, -1)], y - x);
                }
                self.bound(a, b, y - x)?;
                self.bound(b, a, x - y)
            }
            BinaryOp::NotEqual => {
                if self.difference(a, b) == Some(y - x) {
                    self.bound(a, b, y - x - 1)?;
                }
                if self.difference(b, a) == Some(x - y) {
                    self.bound(b, a, x - y - 1)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// What is known of pairs of symbols, each of which stands for one of either graph: what both know, where bounds that
/// grow come to rest soon.
pub(crate) fn join_relations(
    result: &mut ShapeGraph,
    old: &ShapeGraph,
    new: &ShapeGraph,
    pairs: &BTreeMap<(Symbol, Symbol), Symbol>,
) {
    result.relations.is_kept = old.relations.is_kept;
    result.relations.has_lengths = old.relations.has_lengths;
    if !old.relations.is_kept {
        return;
    }
    let numbers: Vec<(Symbol, Symbol, Symbol)> = pairs
        .iter()
        .map(|((a, b), symbol)| (*a, *b, *symbol))
        .filter(|(a, b, symbol)| [old.range(*a), new.range(*b), result.range(*symbol)].iter().all(Option::is_some))
        .collect();
    join_differences(result, old, new, &numbers);
    join_equalities(result, old, new, &numbers);
    // Each graph alone is feasible, so they are together.
    let _ = result.tighten();
}

fn join_differences(result: &mut ShapeGraph, old: &ShapeGraph, new: &ShapeGraph, numbers: &[(Symbol, Symbol, Symbol)]) {
    let [mut before, mut after] = [old.relations.clone(), new.relations.clone()];
    before.close();
    after.close();
    let of = |graph: &ShapeGraph, closed: &Relations, a: Symbol, b: Symbol| {
        if a == b {
            return Some(0);
        }
        let ((_, high), (low, _)) = (graph.range(a)?, graph.range(b)?);
        Some(closed.get(a, b).map_or(high - low, |known| known.min(high - low)))
    };
    for (a, b, symbol) in numbers {
        for (c, d, other) in numbers.iter().filter(|(.., other)| other != symbol) {
            let is_told = before.get(*a, *c).is_some() || after.get(*b, *d).is_some() || a == c || b == d;
            let (Some(first), Some(second)) = (of(old, &before, *a, *c), of(new, &after, *b, *d)) else { continue };
            // Numbers that are known and go together, as the indices of two arrays do.
            let is_told = is_told || first == second && [*b, *d].into_iter().all(|symbol| new.is_known(symbol));
            let bound = match second <= first {
                true => Some(first),
                false => RESTS.into_iter().find(|rest| second.max(first) <= *rest),
            };
            let (Some((_, high)), Some((low, _))) = (result.range(*symbol), result.range(*other)) else { continue };
            if let Some(bound) = bound.filter(|bound| is_told && *bound < high - low) {
                result.relations.insert(*symbol, *other, bound);
            }
        }
    }
    result.relations.close();
}

/// The equalities that hold of both, where there are lengths. Numbers that are known, or are part of an equality, may
/// be part of one.
fn join_equalities(result: &mut ShapeGraph, old: &ShapeGraph, new: &ShapeGraph, numbers: &[(Symbol, Symbol, Symbol)]) {
    if result.edges.iter().all(|edge| edge.length.is_none()) {
        return;
    }
    let is_told = |graph: &ShapeGraph, symbol: Symbol| graph.is_known(symbol) || graph.is_counted(symbol);
    let is_same = |a: Symbol, b: Symbol| old.is_known(a) && old.range(a) == new.range(b);
    let told: Vec<&(Symbol, Symbol, Symbol)> =
        numbers.iter().filter(|(a, b, _)| is_told(old, *a) && is_told(new, *b) && !is_same(*a, *b)).collect();
    let side = |graph: &ShapeGraph, symbols: Vec<Symbol>| {
        let known = |symbol: &Symbol| graph.range(*symbol).filter(|(low, high)| low == high).map(|(low, _)| low);
        let constants = symbols.iter().map(known).collect();
        let equalities = graph.relations.equalities().clone();
        Side { equalities, symbols: symbols.into_iter().map(|symbol| symbol.0).collect(), constants }
    };
    let first = side(old, told.iter().map(|(a, ..)| *a).collect());
    let second = side(new, told.iter().map(|(_, b, _)| *b).collect());
    let mut hull = Equalities::hull([&first, &second]);
    // Names do not contradict each other.
    let _ = hull.rename(|pair| told[pair as usize].2.0);
    result.relations.set_equalities(hull);
}
