//! Differences of numbers: `α - β ≤ c`, beside the intervals of symbols. For example, after `i < n` it is known that
//! `i - n ≤ -1`, and of `j = i + 1` that `j - i ≤ 1` and `i - j ≤ -1`; so `j ≤ n`, although of `n` nothing else is
//! known.
//!
//! # Soundness
//! A symbol is a value, which no statement changes, so what is known of two stays true. The differences are of numbers
//! as such: a sum that may wrap around is not related to its operands.

use crate::graph::reduce::Infeasible;
use crate::graph::shape_graph::{Differences, Kind, ShapeGraph, Symbol};
use std::collections::BTreeMap;
use trifold_ir::{BinaryOp, Expr, Program, Scalar};

/// Where bounds that grow come to rest, before they are dropped.
const RESTS: [i128; 4] = [-1, 0, 1, 2];

/// How often intervals are compared with differences.
const ROUNDS: usize = 2;

impl ShapeGraph {
    fn range(&self, symbol: Symbol) -> Option<(i128, i128)> {
        match self.kind(symbol) {
            Kind::Scalar(interval) => Some(interval),
            _ => None,
        }
    }

    /// What differences tell of intervals.
    pub fn tighten(&mut self) -> Result<(), Infeasible> {
        let bounds: Vec<(Symbol, Symbol, i128)> = self.differences.iter().collect();
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
        let mut closed = self.differences.clone();
        closed.close();
        let known = closed.get(a, b);
        Some(known.map_or(high - low, |known| known.min(high - low)))
    }

    /// The first number exceeds the second by no more than this.
    pub fn bound(&mut self, a: Symbol, b: Symbol, bound: i128) -> Result<(), Infeasible> {
        if !self.differences.is_kept {
            return Ok(());
        }
        let (Some(x), Some(y)) = (self.range(a), self.range(b)) else { return Ok(()) };
        let back = if a == b { Some(0) } else { self.difference(b, a) };
        if back.is_some_and(|back| back + bound < 0) {
            return Err(Infeasible);
        }
        self.differences.insert(a, b, bound);
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
            _ => None,
        }
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
        self.differences.insert(value, a, x - y - low);
        self.differences.insert(a, value, high + y - x);
        Some(value)
    }

    /// The consequences of a comparison that holds.
    pub fn relate(&mut self, program: &Program, left: &Expr, op: BinaryOp, right: &Expr) -> Result<(), Infeasible> {
        if !self.differences.is_kept {
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
pub(crate) fn join_differences(
    result: &mut ShapeGraph,
    old: &ShapeGraph,
    new: &ShapeGraph,
    pairs: &BTreeMap<(Symbol, Symbol), Symbol>,
) {
    result.differences.is_kept = old.differences.is_kept;
    if !old.differences.is_kept {
        return;
    }
    let [mut before, mut after] = [old.differences.clone(), new.differences.clone()];
    before.close();
    after.close();
    let inside = |graph: &ShapeGraph, symbol: Symbol| symbol.index() < graph.kinds.len();
    let numbers: Vec<(Symbol, Symbol, Symbol)> = pairs
        .iter()
        .map(|((a, b), symbol)| (*a, *b, *symbol))
        .filter(|(a, b, symbol)| inside(old, *a) && inside(new, *b) && result.range(*symbol).is_some())
        .collect();
    let of = |graph: &ShapeGraph, closed: &Differences, a: Symbol, b: Symbol| {
        if a == b {
            return Some(0);
        }
        let ((_, high), (low, _)) = (graph.range(a)?, graph.range(b)?);
        Some(closed.get(a, b).map_or(high - low, |known| known.min(high - low)))
    };
    for (a, b, symbol) in &numbers {
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
                result.differences.insert(*symbol, *other, bound);
            }
        }
    }
    result.differences.close();
    // Each graph alone is feasible, so they are together.
    let _ = result.tighten();
}
