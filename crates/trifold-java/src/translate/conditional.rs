//! The conditional operator. For example, `c ? 'a' : 1` is a `char`, because the constant fits, and `c ? 'a' : i` is an
//! `int`.

use super::Translator;
use super::place::Place;
use super::value::Value;
use crate::ast::{Expr, ExprKind};
use crate::types::Type;
use trifold_ir as ir;
use trifold_ir::Builder;
use trifold_source::Span;

/// The number that the compiler knows an expression to have.
enum Known {
    Number(i128),
    No,
    /// It depends on a variable that is `final`.
    Perhaps,
}

impl<'a> Translator<'a, '_> {
    pub(super) fn conditional(&mut self, condition: &'a Expr, yes: &'a Expr, no: &'a Expr, span: Span) -> Value {
        let (then, otherwise, end) = (self.node(), self.node(), self.node());
        self.condition(condition, then, otherwise);
        self.body.at = then;
        let first = self.value(yes);
        let after_first = self.body.at;
        self.body.at = otherwise;
        let second = self.value(no);
        let after_second = self.body.at;
        let Some(ty) = self.conditional_type((yes, &first), (no, &second)) else {
            self.body.at = after_first;
            self.unsupported("a conditional whose type depends on a constant", span);
            self.body.at = after_second;
            return self.unsupported("a conditional whose type depends on a constant", span);
        };
        let to = self.ir_type(ty).map(|ty| self.temporary(ty, span));
        let place = Place::variable(to, ty);
        for (node, value) in [(after_first, first), (after_second, second)] {
            self.body.at = node;
            self.store(&place, value, span);
            self.jump(end, span);
        }
        self.body.at = end;
        match to {
            Some(to) => Value::of_variable(to, ty),
            None if ty.is_floating() => Value::Floating(ty),
            None => Value::Nothing,
        }
    }

    /// The type of a conditional [JLS 15.25], unless that depends on a constant.
    fn conditional_type(&mut self, yes: (&Expr, &Value), no: (&Expr, &Value)) -> Option<Type> {
        let (left, right) = (yes.1.ty(), no.1.ty());
        let inside = (self.inside(left), self.inside(right));
        Some(match (left, right) {
            (Type::Void, ty) | (ty, Type::Void) => ty,
            (left, right) if left == right => left,
            (Type::Null, ty) | (ty, Type::Null) => self.box_of(ty).unwrap_or(ty),
            _ if inside.0 == inside.1 => inside.0,
            _ if inside.0.is_numeric() && inside.1.is_numeric() => {
                return self.numeric_type((yes, inside.0), (no, inside.1));
            }
            (left, right) if left.is_reference() && right.is_reference() && self.classes.assignable(left, right) => {
                right
            }
            (left, right) if left.is_reference() && right.is_reference() && self.classes.assignable(right, left) => {
                left
            }
            _ => Type::Object,
        })
    }

    /// That of one with two different types of numbers.
    fn numeric_type(&self, yes: ((&Expr, &Value), Type), no: ((&Expr, &Value), Type)) -> Option<Type> {
        let narrow = |ty: Type| matches!(ty, Type::Byte | Type::Short | Type::Char);
        let ((wide, value), ty) = match (yes.1, no.1) {
            (Type::Byte, Type::Short) | (Type::Short, Type::Byte) => return Some(Type::Short),
            (ty, Type::Int) if narrow(ty) => (no.0, ty),
            (Type::Int, ty) if narrow(ty) => (yes.0, ty),
            (left, right) => return Some(left.promoted(right)),
        };
        match self.known(wide, value) {
            Known::Number(number) => {
                let fits = ty.scalar().is_some_and(|scalar| scalar.convert(number) == number);
                Some(if fits { ty } else { Type::Int })
            }
            Known::No => Some(Type::Int),
            Known::Perhaps => None,
        }
    }

    fn known(&self, expr: &Expr, value: &Value) -> Known {
        // A box is no constant.
        let Value::Scalar(number, _) = value else { return Known::No };
        let is_final = |part: &Expr| match &part.kind {
            ExprKind::Name(name) => match self.body.locals.iter().rev().find(|local| local.name == name.text) {
                Some(local) => local.is_final,
                None => self.final_fields.contains(&*name.text),
            },
            ExprKind::Field(_, name) => self.final_fields.contains(&*name.text),
            _ => false,
        };
        match self.folded(number) {
            _ if !is_calculated(expr) => Known::No,
            Some(number) => Known::Number(number),
            None if expr.any(&is_final) => Known::Perhaps,
            None => Known::No,
        }
    }

    /// The number of an expression without variables.
    pub(super) fn folded(&self, expr: &ir::Expr) -> Option<i128> {
        let scalar = |expr| self.ir.scalar_of(expr);
        match expr {
            ir::Expr::Constant(value, _) => Some(*value),
            ir::Expr::Variable(_) => None,
            ir::Expr::Unary(op, operand) => Some(op.apply(scalar(operand)?, self.folded(operand)?)),
            ir::Expr::Binary(op, left, right) => op.apply(scalar(left)?, self.folded(left)?, self.folded(right)?).ok(),
            ir::Expr::Convert(to, operand) => Some(to.convert(self.folded(operand)?)),
        }
    }
}

/// Is an expression made of names, literals and operators only, as those that compilers know are?
fn is_calculated(expr: &Expr) -> bool {
    use ExprKind::{Binary, Bool, Cast, Character, Conditional, Field, Floating, Integer, Name, Text, Unary};
    !expr.any(&|part| {
        let is_leaf = matches!(part.kind, Bool(_) | Integer { .. } | Floating { .. } | Character(_) | Text(_));
        let is_name = matches!(part.kind, Name(_) | Field(..));
        !is_leaf && !is_name && !matches!(part.kind, Unary(..) | Binary(..) | Cast(..) | Conditional(..))
    })
}
