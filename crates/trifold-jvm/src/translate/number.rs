//! Arithmetic. Integers of heap programs wrap around as those of Java do; floats are bits that runs compute. For
//! example, `x >>> n` shifts the unsigned number with the same bits.

use super::Translator;
use super::value::{I64, Sym, U32, U64, constant, scalar_of};
use crate::class::{Arithmetic, Comparison, Element, Kind};
use trifold_ir as ir;
use trifold_ir::{
    BinaryOp, Builder, Cause, Expr, FloatOp, Format, Meaning, Operand, Operation, Scalar, Statement, Type,
};

fn format_of(kind: Kind) -> Option<Format> {
    match kind {
        Kind::Float => Some(Format::Single),
        Kind::Double => Some(Format::Double),
        _ => None,
    }
}

pub(super) fn comparison(comparison: Comparison) -> BinaryOp {
    match comparison {
        Comparison::Equal => BinaryOp::Equal,
        Comparison::NotEqual => BinaryOp::NotEqual,
        Comparison::Less => BinaryOp::Less,
        Comparison::GreaterEqual => BinaryOp::GreaterEqual,
        Comparison::Greater => BinaryOp::Greater,
        Comparison::LessEqual => BinaryOp::LessEqual,
    }
}

impl Translator<'_> {
    /// A number that runs compute.
    pub(super) fn computed(&mut self, scalar: Scalar, operation: Operation, of: Vec<Operand>) -> Expr {
        let span = self.span();
        let to = self.temporary(Type::Scalar(scalar));
        let meaning = Meaning::Computed(operation, of);
        self.emit(Statement::Nondet { to, range: None, meaning }, span);
        Expr::Variable(to)
    }

    fn float(&mut self, scalar: Scalar, op: FloatOp, kind: Kind, of: Vec<Expr>) -> Expr {
        let operation = format_of(kind).map_or(Operation::Unknown(Cause::Float), |format| Operation::Float(op, format));
        self.computed(scalar, operation, of.into_iter().map(Operand::Scalar).collect())
    }

    /// A number that nobody computes.
    pub(super) fn unknown(&mut self, scalar: Scalar, cause: Cause) -> Expr {
        self.computed(scalar, Operation::Unknown(cause), Vec::new())
    }

    pub(super) fn binary(&mut self, op: Arithmetic, kind: Kind) {
        let (right, left) = (self.pop(), self.pop());
        if let Some(result) = self.logical(op, kind, &left, &right) {
            return self.push(Sym::Number(result));
        }
        let (left, right) = (self.number(left), self.number(right));
        let result = match kind {
            Kind::Float | Kind::Double => self.float_arithmetic(op, kind, left, right),
            _ => self.integer_arithmetic(op, scalar_of(kind), left, right),
        };
        self.push(Sym::Number(result));
    }

    /// `a & b`, `a | b` and `a ^ b` of two Booleans.
    fn logical(&mut self, op: Arithmetic, kind: Kind, left: &Sym, right: &Sym) -> Option<Expr> {
        let op = match op {
            Arithmetic::And => BinaryOp::And,
            Arithmetic::Or => BinaryOp::Or,
            Arithmetic::Xor => BinaryOp::Xor,
            _ => return None,
        };
        let is_truth = |sym: &Sym| match sym {
            Sym::Number(expr) => {
                let is_bit = matches!(expr, Expr::Constant(0 | 1, _));
                self.ir.scalar_of(expr) == Some(Scalar::Bool) || is_bit
            }
            _ => false,
        };
        let is_constant = |sym: &Sym| matches!(sym, Sym::Number(Expr::Constant(..)));
        if kind != Kind::Int || !is_truth(left) || !is_truth(right) || is_constant(left) && is_constant(right) {
            return None;
        }
        let (left, right) = (self.truth(left.clone()), self.truth(right.clone()));
        Some(Expr::binary(op, left, right))
    }

    fn integer_arithmetic(&mut self, op: Arithmetic, scalar: Scalar, left: Expr, right: Expr) -> Expr {
        let simple = match op {
            Arithmetic::Add => BinaryOp::Add,
            Arithmetic::Subtract => BinaryOp::Subtract,
            Arithmetic::Multiply => BinaryOp::Multiply,
            Arithmetic::And => BinaryOp::And,
            Arithmetic::Or => BinaryOp::Or,
            Arithmetic::Xor => BinaryOp::Xor,
            Arithmetic::Divide | Arithmetic::Remainder => return self.division(op, scalar, left, right),
            Arithmetic::ShiftLeft => BinaryOp::ShiftLeft,
            Arithmetic::ShiftRight => BinaryOp::ShiftRight,
            Arithmetic::ShiftRightUnsigned => {
                let unsigned = if scalar == I64 { U64 } else { U32 };
                let (left, right) = (self.converted(left, unsigned), self.converted(right, unsigned));
                let shifted = Expr::binary(BinaryOp::ShiftRight, left, right);
                return Expr::Convert(scalar, Box::new(shifted));
            }
        };
        // How far a long number is shifted is an `int`.
        let right = self.converted(right, scalar);
        Expr::binary(simple, left, right)
    }

    /// A division is checked, and its result is kept, so that it happens when it is its turn.
    fn division(&mut self, op: Arithmetic, scalar: Scalar, left: Expr, right: Expr) -> Expr {
        let span = self.span();
        if !matches!(right, Expr::Constant(value, _) if value != 0) {
            let fits = Expr::binary(BinaryOp::NotEqual, right.clone(), constant(0, scalar));
            self.require(fits, "java/lang/ArithmeticException", "the divisor may be zero");
        }
        let op = if op == Arithmetic::Divide { BinaryOp::Divide } else { BinaryOp::Remainder };
        let to = self.temporary(Type::Scalar(scalar));
        self.set(to, Operand::Scalar(Expr::binary(op, left, right)), span);
        Expr::Variable(to)
    }

    fn float_arithmetic(&mut self, op: Arithmetic, kind: Kind, left: Expr, right: Expr) -> Expr {
        let op = match op {
            Arithmetic::Add => FloatOp::Add,
            Arithmetic::Subtract => FloatOp::Subtract,
            Arithmetic::Multiply => FloatOp::Multiply,
            Arithmetic::Divide => FloatOp::Divide,
            _ => return self.unknown(scalar_of(kind), Cause::Float),
        };
        self.float(scalar_of(kind), op, kind, vec![left, right])
    }

    pub(super) fn negate(&mut self, kind: Kind) {
        let operand = self.pop_number();
        let result = match kind {
            Kind::Float | Kind::Double => self.float(scalar_of(kind), FloatOp::Negate, kind, vec![operand]),
            _ => match operand {
                Expr::Constant(value, scalar) => constant(-value, scalar),
                operand => Expr::unary(ir::UnaryOp::Negate, operand),
            },
        };
        self.push(Sym::Number(result));
    }

    pub(super) fn convert(&mut self, from: Kind, to: Kind) {
        let operand = self.pop_number();
        let (is_float, is_integer) = (|kind| format_of(kind).is_some(), |kind| format_of(kind).is_none());
        let result = match (from, to) {
            _ if is_integer(from) && is_integer(to) => self.converted(operand, scalar_of(to)),
            _ if is_float(from) && is_float(to) => self.float(scalar_of(to), FloatOp::Resize, from, vec![operand]),
            _ if is_float(to) => self.float(scalar_of(to), FloatOp::FromInteger, to, vec![operand]),
            _ => self.float(scalar_of(to), FloatOp::ToInteger, from, vec![operand]),
        };
        self.push(Sym::Number(result));
    }

    pub(super) fn narrow(&mut self, element: Element) {
        let operand = self.pop_number();
        let scalar = match element {
            Element::Byte => Scalar::Int { signed: true, bits: 8 },
            Element::Char => Scalar::Int { signed: false, bits: 16 },
            _ => Scalar::Int { signed: true, bits: 16 },
        };
        let narrow = self.converted(operand, scalar);
        let result = self.converted(narrow, Scalar::I32);
        self.push(Sym::Number(result));
    }

    /// The result of a comparison that is kept: -1, 0 or 1.
    pub(super) fn order(&mut self, kind: Kind, left: Expr, right: Expr, unordered: i32) -> Expr {
        let span = self.span();
        let order = Sym::Order { kind, left, right, unordered };
        let greater = self.ordered(Comparison::Greater, order.clone());
        let less = self.ordered(Comparison::Less, order);
        let to = self.temporary(Type::Scalar(Scalar::I32));
        let as_int = |truth: Expr| Expr::Convert(Scalar::I32, Box::new(truth));
        let value = Expr::binary(BinaryOp::Subtract, as_int(greater), as_int(less));
        self.set(to, Operand::Scalar(value), span);
        Expr::Variable(to)
    }

    /// How the order of two numbers compares with zero, as a Boolean.
    pub(super) fn ordered(&mut self, by: Comparison, order: Sym) -> Expr {
        let Sym::Order { kind, left, right, unordered } = order else {
            let number = self.number(order);
            return Expr::binary(comparison(by), number, Expr::int(0));
        };
        if kind == Kind::Long {
            return Expr::binary(comparison(by), left, right);
        }
        // If one of them is no number, every comparison of floats is false but "not equal".
        let of = vec![left, right];
        let mut float = |op| self.float(Scalar::Bool, op, kind, of.clone());
        match (by, unordered > 0) {
            (Comparison::Equal, _) => float(FloatOp::Equal),
            (Comparison::NotEqual, _) => float(FloatOp::NotEqual),
            (Comparison::Less, false) => Self::not(float(FloatOp::GreaterEqual)),
            (Comparison::Less, true) => float(FloatOp::Less),
            (Comparison::GreaterEqual, false) => float(FloatOp::GreaterEqual),
            (Comparison::GreaterEqual, true) => Self::not(float(FloatOp::Less)),
            (Comparison::Greater, false) => float(FloatOp::Greater),
            (Comparison::Greater, true) => Self::not(float(FloatOp::LessEqual)),
            (Comparison::LessEqual, false) => Self::not(float(FloatOp::Greater)),
            (Comparison::LessEqual, true) => float(FloatOp::LessEqual),
        }
    }

    /// An operation of the library on floats.
    pub(super) fn float_function(&mut self, op: FloatOp, kind: Kind) {
        let operand = self.pop_number();
        let result = self.float(scalar_of(kind), op, kind, vec![operand]);
        self.push(Sym::Number(result));
    }
}
