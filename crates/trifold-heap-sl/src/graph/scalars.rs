//! Numbers: the values of expressions, and the consequences of conditions. For example, if `i` is in 0..9, then `i + 1`
//! is in 1..10, and `i < 5` makes it 0..4.

use crate::graph::reduce::Infeasible;
use crate::graph::shape_graph::{Kind, ShapeGraph, Symbol};
use trifold_ir::{BinaryOp, Expr, Program, Scalar, Type, UnaryOp, VarId};
use trifold_passes::intervals::{Interval, evaluate, meet, within};

/// The knowledge about a value of a type before anything else is known.
pub fn anything(ty: Type) -> Kind {
    match ty {
        Type::Pointer(_) => Kind::Pointer,
        Type::Scalar(scalar) => Kind::Scalar(scalar.range()),
    }
}

impl ShapeGraph {
    /// The value of a variable. A value that is not known gets a symbol, so that it is the same the next time.
    pub fn read(&mut self, program: &Program, variable: VarId) -> Symbol {
        if let Some(known) = self.value(variable) {
            return known;
        }
        let symbol = self.fresh(anything(program[variable].ty));
        self.write(program, variable, symbol);
        symbol
    }

    /// Gives a variable a value.
    pub fn write(&mut self, program: &Program, variable: VarId, symbol: Symbol) {
        match program[variable].scope {
            trifold_ir::Scope::Global => self.globals.insert(variable, symbol),
            _ => self.frame_mut().values.insert(variable, symbol),
        };
    }

    /// An interval that contains the values of an expression.
    pub fn interval(&self, program: &Program, expr: &Expr) -> Interval {
        evaluate(program, expr, &|variable| match self.value(variable).map(|symbol| self.kind(symbol)) {
            Some(Kind::Scalar(interval)) => interval,
            _ => type_of(program, &Expr::Variable(variable)).range(),
        })
    }

    /// A simpler expression of the same number. Where differences are kept, those say that it is the same.
    fn same<'e>(&self, program: &Program, expr: &'e Expr) -> &'e Expr {
        let is_zero = |expr: &Expr| self.interval(program, expr) == (0, 0);
        match expr {
            _ if self.relations.is_kept => expr,
            Expr::Convert(scalar, operand) if within(self.interval(program, operand), scalar.range()) => {
                self.same(program, operand)
            }
            Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) if is_zero(right) => self.same(program, left),
            Expr::Binary(BinaryOp::Add, left, right) if is_zero(left) => self.same(program, right),
            _ => expr,
        }
    }

    /// The value of an expression.
    pub fn expression(&mut self, program: &Program, expr: &Expr) -> Symbol {
        match self.same(program, expr) {
            Expr::Variable(variable) => self.read(program, *variable),
            expr => {
                let interval = self.interval(program, expr);
                let sum = if self.relations.is_kept { self.linear(program, expr) } else { None };
                // A difference may be known better than its operands are.
                let known = sum.and_then(|(symbol, by)| match self.kind(symbol) {
                    Kind::Scalar((low, high)) => Some((low + by, high + by)),
                    _ => None,
                });
                let both = known.map(|known| (known.0.max(interval.0), known.1.min(interval.1)));
                let interval = both.filter(|(low, high)| low <= high).unwrap_or(interval);
                let value = self.fresh(Kind::Scalar(interval));
                if let Some((symbol, by)) = sum {
                    if self.is_counted(symbol) {
                        self.relations.equal([(value, 1), (symbol, -1)], by);
                    }
                    // It cannot fail: nothing else is known of the new value.
                    let _ = self.bound(value, symbol, by).and_then(|()| self.bound(symbol, value, -by));
                }
                value
            }
        }
    }

    /// The graphs in which a Boolean expression is true, or those in which it is false. "Not this number" is "less" or
    /// "greater".
    pub fn cases(&self, program: &Program, expr: &Expr, truth: bool) -> Vec<ShapeGraph> {
        let mut graph = self.clone();
        if graph.assume(program, expr, truth).is_err() {
            return Vec::new();
        }
        // Numbers may say which regions are empty.
        let reduced = |mut graph: ShapeGraph| {
            let is_possible = !graph.relations.is_kept || graph.reduce().is_ok();
            is_possible.then_some(graph)
        };
        let Some((left, right)) = differing(expr, truth) else { return reduced(graph).into_iter().collect() };
        let (l, r) = (graph.interval(program, left), graph.interval(program, right));
        if r.0 < r.1 || l.0 >= r.0 || l.1 <= r.1 {
            return reduced(graph).into_iter().collect();
        }
        let mut greater = graph.clone();
        let both = [graph.restrict(program, left, (l.0, r.0 - 1)), greater.restrict(program, left, (r.0 + 1, l.1))];
        let possible = both.into_iter().zip([graph, greater]).filter(|(done, _)| done.is_ok());
        possible.filter_map(|(_, graph)| reduced(graph)).collect()
    }

    /// Assumes that a Boolean expression is true, or that it is false.
    pub fn assume(&mut self, program: &Program, expr: &Expr, truth: bool) -> Result<(), Infeasible> {
        let value = i128::from(truth);
        if !meet(self.interval(program, expr), (value, value)) {
            return Err(Infeasible);
        }
        match expr {
            Expr::Variable(_) => self.restrict(program, expr, (value, value)),
            Expr::Unary(UnaryOp::Complement, operand) => self.assume(program, operand, !truth),
            Expr::Convert(Scalar::Bool, operand) => {
                let zero = Expr::Constant(0, type_of(program, operand));
                self.compare(program, operand, if truth { BinaryOp::NotEqual } else { BinaryOp::Equal }, &zero)
            }
            // A conjunction that holds, or a disjunction that does not, decides both of its operands.
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right)
                if type_of(program, left) == Scalar::Bool =>
            {
                let decided = (*op == BinaryOp::And) == truth;
                if decided {
                    self.assume(program, left, truth)?;
                    return self.assume(program, right, truth);
                }
                let other = (1 - value, 1 - value);
                if self.interval(program, left) == other {
                    self.assume(program, right, truth)
                } else if self.interval(program, right) == other {
                    self.assume(program, left, truth)
                } else {
                    Ok(())
                }
            }
            Expr::Binary(op, left, right) if op.is_comparison() => {
                self.compare(program, left, if truth { *op } else { negated(*op) }, right)
            }
            _ => Ok(()),
        }
    }

    fn compare(&mut self, program: &Program, left: &Expr, op: BinaryOp, right: &Expr) -> Result<(), Infeasible> {
        let (l, r) = (self.interval(program, left), self.interval(program, right));
        if let (Expr::Variable(x), Expr::Variable(y)) = (left, right) {
            let (x, y) = (self.read(program, *x), self.read(program, *y));
            match op {
                BinaryOp::Equal => {
                    self.relate(program, left, op, right)?;
                    return self.merge(x, y).map(drop);
                }
                BinaryOp::NotEqual | BinaryOp::Less | BinaryOp::Greater if x == y => return Err(Infeasible),
                _ => {}
            }
        }
        let (for_left, for_right) = match op {
            BinaryOp::Equal => (r, l),
            BinaryOp::NotEqual => (apart(l, r)?, apart(r, l)?),
            BinaryOp::Less => ((i128::MIN, r.1 - 1), (l.0 + 1, i128::MAX)),
            BinaryOp::LessEqual => ((i128::MIN, r.1), (l.0, i128::MAX)),
            BinaryOp::Greater => ((r.0 + 1, i128::MAX), (i128::MIN, l.1 - 1)),
            BinaryOp::GreaterEqual => ((r.0, i128::MAX), (i128::MIN, l.1)),
            _ => return Ok(()),
        };
        self.restrict(program, left, for_left)?;
        self.restrict(program, right, for_right)?;
        self.relate(program, left, op, right)?;
        self.tighten()
    }

    /// Assumes that the value of an expression is in an interval.
    fn restrict(&mut self, program: &Program, expr: &Expr, to: Interval) -> Result<(), Infeasible> {
        let now = self.interval(program, expr);
        if !meet(now, to) {
            return Err(Infeasible);
        }
        match expr {
            Expr::Variable(variable) => {
                let symbol = self.read(program, *variable);
                self.kinds[symbol.index()] = Kind::Scalar((now.0.max(to.0), now.1.min(to.1)));
                Ok(())
            }
            Expr::Convert(scalar, operand) if *scalar != Scalar::Bool => {
                let inside = self.interval(program, operand);
                if !within(inside, scalar.range()) {
                    return Ok(());
                }
                if type_of(program, operand) == Scalar::Bool {
                    return match to {
                        (low, _) if low > 0 => self.assume(program, operand, true),
                        (_, high) if high < 1 => self.assume(program, operand, false),
                        _ => Ok(()),
                    };
                }
                self.restrict(program, operand, to)
            }
            _ => Ok(()),
        }
    }
}

/// The two numbers of which an expression says that they differ.
fn differing(expr: &Expr, truth: bool) -> Option<(&Expr, &Expr)> {
    match expr {
        Expr::Unary(UnaryOp::Complement, operand) => differing(operand, !truth),
        Expr::Binary(BinaryOp::NotEqual, left, right) if truth => Some((left, right)),
        Expr::Binary(BinaryOp::Equal, left, right) if !truth => Some((left, right)),
        _ => None,
    }
}

/// Numbers of the first interval can only be these if they differ from the one number of the second.
fn apart(a: Interval, b: Interval) -> Result<Interval, Infeasible> {
    match (a, b) {
        _ if b.0 < b.1 => Ok(a),
        _ if a == b => Err(Infeasible),
        _ if a.0 == b.0 => Ok((a.0 + 1, a.1)),
        _ if a.1 == b.0 => Ok((a.0, a.1 - 1)),
        _ => Ok(a),
    }
}

fn negated(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        other => other,
    }
}

fn type_of(program: &Program, expr: &Expr) -> Scalar {
    program.scalar_of(expr).unwrap_or(Scalar::I32)
}
