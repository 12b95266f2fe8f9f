//! Values on the stack: expressions over variables that stand for what the Java machine would have there. For example,
//! after `iload k; iconst_1; iadd` there is the one value `k + 1`.

use super::Translator;
use crate::class::Kind;
use trifold_ir as ir;
use trifold_ir::{BinaryOp, Builder, Expr, Operand, Scalar, Scope, Type, UnaryOp, VarId};

pub(super) const I64: Scalar = Scalar::Int { signed: true, bits: 64 };
pub(super) const U64: Scalar = Scalar::Int { signed: false, bits: 64 };
pub(super) const U32: Scalar = Scalar::Int { signed: false, bits: 32 };

/// A value on the stack.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sym {
    /// A number: a Boolean, an integer, or the bits of a float.
    Number(Expr),
    Null,
    /// The value of a pointer variable.
    Pointer {
        variable: VarId,
        /// Can it not be null?
        is_object: bool,
    },
    /// The order of two numbers: negative, zero or positive.
    Order {
        kind: Kind,
        left: Expr,
        right: Expr,
        /// The result if one of them is no number.
        unordered: i32,
    },
    /// The class of an object, which may only be compared.
    ClassOf(VarId),
    /// An object of the library that may only be called.
    Opaque(&'static str),
    /// A constant text.
    Text(Vec<u16>),
}

impl Sym {
    pub fn pointer(variable: VarId) -> Sym {
        Sym::Pointer { variable, is_object: false }
    }

    pub fn object(variable: VarId) -> Sym {
        Sym::Pointer { variable, is_object: true }
    }

    pub fn int(value: i32) -> Sym {
        Sym::Number(Expr::int(value))
    }

    /// Does it depend on a variable?
    pub fn mentions(&self, wanted: VarId) -> bool {
        let mut found = false;
        self.for_each_variable(&mut |variable| found |= variable == wanted);
        found
    }

    pub fn for_each_variable(&self, visit: &mut dyn FnMut(VarId)) {
        match self {
            Sym::Number(expr) => expr.for_each_variable(visit),
            Sym::Pointer { variable, .. } | Sym::ClassOf(variable) => visit(*variable),
            Sym::Order { left, right, .. } => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
            Sym::Null | Sym::Opaque(_) | Sym::Text(_) => {}
        }
    }
}

/// The scalar type of a kind of numbers.
pub(super) fn scalar_of(kind: Kind) -> Scalar {
    match kind {
        Kind::Int | Kind::Ref => Scalar::I32,
        Kind::Long => I64,
        Kind::Float => U32,
        Kind::Double => U64,
    }
}

pub(super) fn constant(value: i128, scalar: Scalar) -> Expr {
    Expr::Constant(scalar.convert(value), scalar)
}

impl Translator<'_> {
    /// A temporary variable of a type that no value on the stack, and nothing in this instruction, depends on.
    pub(super) fn temporary(&mut self, ty: Type) -> VarId {
        let is_free = |variable: &VarId| {
            self.ir[*variable].ty == ty
                && !self.pinned.contains(variable)
                && !self.stack.iter().any(|sym| sym.mentions(*variable))
        };
        let found = self.temporaries.iter().copied().find(is_free);
        let variable = found.unwrap_or_else(|| {
            let name = format!("${}", self.temporaries.len() + 1);
            let span = self.ir[self.procedure].span;
            let variable = self.ir.add_variable(&name, ty, Scope::Local(self.procedure), span);
            self.temporaries.push(variable);
            variable
        });
        self.pinned.push(variable);
        variable
    }

    pub(super) fn push(&mut self, sym: Sym) {
        self.stack.push(sym);
    }

    /// The value at the top of the stack. Frames have been computed, so there is one.
    pub(super) fn pop(&mut self) -> Sym {
        let sym = self.stack.pop().unwrap_or(Sym::Null);
        sym.for_each_variable(&mut |variable| self.pinned.push(variable));
        sym
    }

    /// A number of 32 or 64 bits, or a Boolean as `int`.
    pub(super) fn number(&mut self, sym: Sym) -> Expr {
        match sym {
            Sym::Number(expr) => self.widened(expr),
            Sym::Order { kind, left, right, unordered } => self.order(kind, left, right, unordered),
            _ => Expr::int(0),
        }
    }

    pub(super) fn pop_number(&mut self) -> Expr {
        let sym = self.pop();
        self.number(sym)
    }

    /// A Boolean as `int`; other numbers are what they are.
    fn widened(&self, expr: Expr) -> Expr {
        match (self.ir.scalar_of(&expr), expr) {
            (Some(Scalar::Bool), Expr::Constant(value, _)) => Expr::Constant(value, Scalar::I32),
            (Some(Scalar::Bool), expr) => Expr::Convert(Scalar::I32, Box::new(expr)),
            (Some(Scalar::Int { bits, .. }), expr) if bits < 32 => Expr::Convert(Scalar::I32, Box::new(expr)),
            (_, expr) => expr,
        }
    }

    /// The value as a Boolean. The Java machine keeps the lowest bit.
    pub(super) fn truth(&mut self, sym: Sym) -> Expr {
        let expr = match sym {
            Sym::Number(expr) => expr,
            other => self.number(other),
        };
        match (self.ir.scalar_of(&expr), expr) {
            (Some(Scalar::Bool), expr) => expr,
            (_, Expr::Constant(value, _)) => Expr::Constant(value & 1, Scalar::Bool),
            (_, Expr::Convert(_, inner)) if self.ir.scalar_of(&inner) == Some(Scalar::Bool) => *inner,
            (_, expr) => {
                let low = Expr::binary(BinaryOp::And, expr, Expr::int(1));
                Expr::binary(BinaryOp::NotEqual, low, Expr::int(0))
            }
        }
    }

    /// The value as one of a type.
    pub(super) fn operand(&mut self, sym: Sym, ty: Type) -> Operand {
        match (ty, sym) {
            (Type::Scalar(Scalar::Bool), sym) => Operand::Scalar(self.truth(sym)),
            (Type::Scalar(scalar), sym) => {
                let expr = self.number(sym);
                Operand::Scalar(self.converted(expr, scalar))
            }
            (Type::Pointer(_), Sym::Pointer { variable, .. }) => {
                let variable = self.retyped(variable, ty);
                Operand::Pointer(variable)
            }
            (Type::Pointer(_), Sym::Text(units)) => {
                let variable = self.text_constant(units);
                Operand::Pointer(self.retyped(variable, ty))
            }
            (Type::Pointer(_), Sym::ClassOf(_)) => {
                self.unsupported("a class as a value");
                Operand::Null
            }
            (Type::Pointer(_), Sym::Opaque(what)) => {
                self.unsupported(format!("{what} as a value"));
                Operand::Null
            }
            (Type::Pointer(_), _) => Operand::Null,
        }
    }

    /// A number as one of another type, if it is not one already.
    pub(super) fn converted(&self, expr: Expr, scalar: Scalar) -> Expr {
        if self.ir.scalar_of(&expr) == Some(scalar) {
            return expr;
        }
        match expr {
            Expr::Constant(value, _) => constant(value, scalar),
            expr => Expr::Convert(scalar, Box::new(expr)),
        }
    }

    /// A variable of a type that has the same value. What is in it is known to be of that type.
    pub(super) fn retyped(&mut self, variable: VarId, ty: Type) -> VarId {
        let from = self.ir[variable].ty;
        if ty.accepts(from) {
            return variable;
        }
        let span = self.span();
        let any = self.temporary(Type::Pointer(None));
        self.set(any, Operand::Pointer(variable), span);
        any
    }

    /// A variable of just this type of pointers, for a dereference.
    pub(super) fn exactly(&mut self, variable: VarId, ty: Type) -> VarId {
        if self.ir[variable].ty == ty {
            return variable;
        }
        let from = self.retyped(variable, ty);
        let span = self.span();
        let to = self.temporary(ty);
        self.set(to, Operand::Pointer(from), span);
        to
    }

    /// Before a variable changes: values on the stack that depend on it are saved.
    pub(super) fn save(&mut self, changes: impl Fn(&ir::Program, VarId) -> bool) {
        let span = self.span();
        for index in 0..self.stack.len() {
            let mut depends = false;
            self.stack[index].for_each_variable(&mut |variable| depends |= changes(&self.ir, variable));
            if depends {
                let sym = self.stack[index].clone();
                self.stack[index] = self.saved(sym, span);
            }
        }
    }

    /// The value as it is now, in a temporary variable.
    pub(super) fn saved(&mut self, sym: Sym, span: trifold_source::Span) -> Sym {
        match sym {
            Sym::Pointer { variable, is_object } => {
                let to = self.temporary(self.ir[variable].ty);
                self.set(to, Operand::Pointer(variable), span);
                Sym::Pointer { variable: to, is_object }
            }
            Sym::Number(expr) => {
                let scalar = self.ir.scalar_of(&expr).unwrap_or(Scalar::I32);
                let to = self.temporary(Type::Scalar(scalar));
                self.set(to, Operand::Scalar(expr), span);
                Sym::Number(Expr::Variable(to))
            }
            Sym::ClassOf(variable) => {
                let to = self.temporary(self.ir[variable].ty);
                self.set(to, Operand::Pointer(variable), span);
                Sym::ClassOf(to)
            }
            order @ Sym::Order { .. } => {
                let expr = self.number(order);
                self.saved(Sym::Number(expr), span)
            }
            other => other,
        }
    }

    /// The opposite of a Boolean.
    pub(super) fn not(expr: Expr) -> Expr {
        match expr {
            Expr::Unary(UnaryOp::Complement, inner) => *inner,
            expr => Expr::unary(UnaryOp::Complement, expr),
        }
    }
}
