//! Conditions: expressions that decide where execution goes on. For example, `a != null && a.b` evaluates `a.b` only on
//! the edge for `a != null`.

use super::Translator;
use super::value::Value;
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::types::Type;
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, Condition, NodeId, Operand};
use trifold_source::Span;

impl<'a> Translator<'a, '_> {
    /// Goes to one node or the other.
    pub(super) fn condition(&mut self, expr: &'a Expr, yes: NodeId, no: NodeId) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Bool(value) => self.jump(if *value { yes } else { no }, span),
            ExprKind::Unary(UnaryOp::Not, operand) => self.condition(operand, no, yes),
            ExprKind::Binary(BinaryOp::AndThen, left, right) => {
                let both = self.node();
                self.condition(left, both, no);
                self.body.at = both;
                self.condition(right, yes, no);
            }
            ExprKind::Binary(BinaryOp::OrElse, left, right) => {
                let other = self.node();
                self.condition(left, yes, other);
                self.body.at = other;
                self.condition(right, yes, no);
            }
            ExprKind::Binary(op @ BinaryOp::Plain(ir::BinaryOp::Equal | ir::BinaryOp::NotEqual), left, right) => {
                let first = self.value(left);
                let first = self.stable(first, right, left.span);
                let second = self.value(right);
                if first.ty().is_reference() && second.ty().is_reference() {
                    return self.compare_references(*op, &first, &second, yes, no, span);
                }
                let value = self.arithmetic(*op, first, second, span);
                self.branch(value, yes, no, span);
            }
            ExprKind::InstanceOf(operand, ty) => {
                let value = self.value(operand);
                let parameters = self.body.type_parameters.clone();
                let ty = self.classes.resolve(ty, self.body.class, &parameters);
                if value.ty() == Type::Null {
                    return self.jump(no, span);
                }
                match (value.ty(), ty, self.pointer_variable(&value, span)) {
                    (Type::Class(from), Type::Class(class), Some(variable))
                        if self.classes[from].component == self.classes[class].component =>
                    {
                        self.test_class(variable, class, None, yes, no, span);
                    }
                    _ => drop(self.unsupported("`instanceof` of something that is not known", span)),
                }
            }
            _ => {
                let value = self.value(expr);
                self.branch(value, yes, no, span);
            }
        }
    }

    fn branch(&mut self, value: Value, yes: NodeId, no: NodeId, span: Span) {
        match self.convert(value, Type::Boolean, span) {
            Value::Scalar(expr, _) => self.fork(Condition::Scalar(expr), yes, no, span),
            _ => self.branch_freely(yes, no, Cause::Library, span),
        }
    }

    /// Equal texts may be one object or two, so nothing is known about comparisons of objects of the library. If texts
    /// or boxes are among the values of type `Object`, two of these that seem to be two may be one.
    pub(super) fn compare_references(
        &mut self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        yes: NodeId,
        no: NodeId,
        span: Span,
    ) {
        let equal = op == BinaryOp::Plain(ir::BinaryOp::Equal);
        let types = [left.ty(), right.ty()];
        let (Some(left), Some(right)) = (left.operand(), right.operand()) else {
            return self.branch_freely(yes, no, Cause::Library, span);
        };
        let is_library = types.iter().any(|ty| matches!(ty, Type::Library(_)));
        if is_library && left != Operand::Null && right != Operand::Null {
            return self.branch_freely(yes, no, Cause::Library, span);
        }
        if left == Operand::Null && right == Operand::Null {
            return self.jump(if equal { yes } else { no }, span);
        }
        let are_any = types == [Type::Object; 2] && left != Operand::Null && right != Operand::Null;
        if are_any && self.texts_are_objects {
            let (same, apart) = if equal { (yes, no) } else { (no, yes) };
            let two = self.node();
            self.fork(Condition::Pointers { left, right, equal: true }, same, two, span);
            self.body.at = two;
            return self.branch_freely(same, apart, Cause::Text, span);
        }
        self.fork(Condition::Pointers { left, right, equal }, yes, no, span);
    }
}
