//! Intervals of scalars, and the intervals of expressions on them. For example, `[0, 3] + [1, 2]` is `[1, 5]`.

use trifold_ir::Expr;
use trifold_ir::Program;
use trifold_ir::VarId;
use trifold_ir::{BinaryOp, Scalar, UnaryOp};

/// All numbers from the first to the second.
pub type Interval = (i128, i128);

/// Do the intervals have a number in common?
pub fn meet(a: Interval, b: Interval) -> bool {
    a.0 <= b.1 && b.0 <= a.1
}

/// Are the numbers of `a` among those of `b`?
pub fn within(a: Interval, b: Interval) -> bool {
    b.0 <= a.0 && a.1 <= b.1
}

/// An interval that contains all values of an expression, where variables have values from the given intervals.
pub fn evaluate(program: &Program, expr: &Expr, of: &dyn Fn(VarId) -> Interval) -> Interval {
    let scalar = |expr: &Expr| program.scalar_of(expr).unwrap_or(Scalar::I32);
    match expr {
        Expr::Constant(value, _) => (*value, *value),
        Expr::Variable(variable) => of(*variable),
        Expr::Convert(to, operand) => converted(*to, evaluate(program, operand, of)),
        Expr::Unary(op, operand) => {
            let (ty, (low, high)) = (scalar(operand), evaluate(program, operand, of));
            match (op, ty) {
                (UnaryOp::Complement, Scalar::Bool) => (1 - high, 1 - low),
                (UnaryOp::Complement, _) => wrapped(ty, (!high, !low)),
                (UnaryOp::Negate, _) => wrapped(ty, (-high, -low)),
            }
        }
        Expr::Binary(op, left, right) => {
            let ty = scalar(left);
            let (left, right) = (evaluate(program, left, of), evaluate(program, right, of));
            binary(*op, ty, left, right)
        }
    }
}

fn binary(op: BinaryOp, ty: Scalar, left: Interval, right: Interval) -> Interval {
    if left.0 == left.1 && right.0 == right.1 {
        // A division by zero has no result at all.
        return op.apply(ty, left.0, right.0).map_or(op.result(ty).range(), |value| (value, value));
    }
    let truth = |always: bool, never: bool| (i128::from(always), i128::from(!never));
    let apart = !meet(left, right);
    match op {
        BinaryOp::Add => wrapped(ty, (left.0 + right.0, left.1 + right.1)),
        BinaryOp::Subtract => wrapped(ty, (left.0 - right.1, left.1 - right.0)),
        BinaryOp::Multiply => wrapped(ty, product(left, right)),
        BinaryOp::Equal => truth(false, apart),
        BinaryOp::NotEqual => truth(apart, false),
        BinaryOp::Less => truth(left.1 < right.0, left.0 >= right.1),
        BinaryOp::LessEqual => truth(left.1 <= right.0, left.0 > right.1),
        BinaryOp::Greater => truth(left.0 > right.1, left.1 <= right.0),
        BinaryOp::GreaterEqual => truth(left.0 >= right.1, left.1 < right.0),
        BinaryOp::And if ty == Scalar::Bool => (left.0.min(right.0), left.1.min(right.1)),
        BinaryOp::Or if ty == Scalar::Bool => (left.0.max(right.0), left.1.max(right.1)),
        BinaryOp::And => masked(ty, left, right),
        BinaryOp::Remainder => remainder(left, right),
        BinaryOp::Divide if left.0 >= 0 && right.0 > 0 => (left.0 / right.1, left.1 / right.0),
        BinaryOp::ShiftRight if left.0 >= 0 && within(right, (0, width(ty) - 1)) => {
            (left.0 >> right.1, left.1 >> right.0)
        }
        _ => ty.range(),
    }
}

fn width(ty: Scalar) -> i128 {
    match ty {
        Scalar::Bool => 1,
        Scalar::Int { bits, .. } => bits.into(),
    }
}

/// The least and the greatest product are those of bounds. A product that is too large for this is so for every type.
fn product(left: Interval, right: Interval) -> Interval {
    let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
    let corners = corners.map(|(x, y): (i128, i128)| x.saturating_mul(y));
    corners.into_iter().fold((i128::MAX, i128::MIN), |(low, high), corner| (low.min(corner), high.max(corner)))
}

/// Bits that both have are no more than either has, if that is not negative.
fn masked(ty: Scalar, left: Interval, right: Interval) -> Interval {
    let bounds = [left, right].into_iter().filter(|(low, _)| *low >= 0).map(|(_, high)| high);
    bounds.min().map_or(ty.range(), |high| (0, high))
}

/// A remainder is smaller than the divisor, and has the sign of the dividend.
fn remainder(left: Interval, right: Interval) -> Interval {
    let most = (right.0.abs().max(right.1.abs()) - 1).max(0);
    (left.0.min(0).max(-most), left.1.max(0).min(most))
}

/// The interval, unless it reaches beyond the type and wraps around.
fn wrapped(ty: Scalar, interval: Interval) -> Interval {
    if within(interval, ty.range()) { interval } else { ty.range() }
}

fn converted(to: Scalar, (low, high): Interval) -> Interval {
    match to {
        Scalar::Bool if low > 0 || high < 0 => (1, 1),
        Scalar::Bool if (low, high) == (0, 0) => (0, 0),
        Scalar::Bool => (0, 1),
        Scalar::Int { .. } => wrapped(to, (low, high)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For all numbers of the intervals, the result is in the interval of results.
    #[test]
    fn results_are_contained() {
        for ty in [Scalar::Bool, Scalar::Int { signed: true, bits: 3 }, Scalar::Int { signed: false, bits: 3 }] {
            let (least, greatest) = ty.range();
            let all: Vec<Interval> = (least..=greatest).flat_map(|l| (l..=greatest).map(move |h| (l, h))).collect();
            for (op, symbol) in BinaryOp::ALL.into_iter().filter(|(op, _)| ty != Scalar::Bool || op.is_logical()) {
                for (left, right) in all.iter().flat_map(|left| all.iter().map(move |right| (*left, *right))) {
                    let result = binary(op, ty, left, right);
                    for (a, b) in (left.0..=left.1).flat_map(|a| (right.0..=right.1).map(move |b| (a, b))) {
                        if let Ok(value) = op.apply(ty, a, b) {
                            assert!(within((value, value), result), "{a} {symbol} {b} in {left:?} {right:?}");
                        }
                    }
                }
            }
        }
    }
}
