//! The library of Java: printing does nothing, numbers come from anywhere, and of the rest nothing is known. For
//! example, `Math.random()` is any number, and `System.out.println(x)` only evaluates `x`.

use super::Translator;
use super::content::Content;
use super::place::Place;
use super::value::Value;
use crate::ast::{BinaryOp, Expr, ExprKind, Name};
use crate::classes::Classes;
use crate::types::{ClassId, Type};
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, Meaning, Operand, Statement, VarId};
use trifold_source::Span;

impl<'a> Translator<'a, '_> {
    /// Is it this name, and not that of a variable?
    fn is_library_name(&self, expr: &Expr, wanted: &str) -> bool {
        matches!(&expr.kind, ExprKind::Name(name) if &*name.text == wanted)
            && !self.body.locals.iter().any(|local| &*local.name == wanted)
            && !self.classes.around(self.body.class).any(|class| self.field(class, wanted).is_some())
    }

    /// `Integer.MAX_VALUE` and the like.
    pub(super) fn library_constant(&mut self, object: &'a Expr, name: &Name, span: Span) -> Option<Place> {
        let ExprKind::Name(class) = &object.kind else { return None };
        if !self.is_library_name(object, &class.text) {
            return None;
        }
        let ty = match &*class.text {
            "Integer" => Type::Int,
            "Long" => Type::Long,
            "Short" => Type::Short,
            "Byte" => Type::Byte,
            "Character" => Type::Char,
            "Double" | "Float" | "Math" => return Some(Place::variable(None, Type::Double)),
            _ => return None,
        };
        let scalar = ty.scalar()?;
        let (least, greatest) = scalar.range();
        let value = match &*name.text {
            "MAX_VALUE" => greatest,
            "MIN_VALUE" => least,
            _ => return None,
        };
        let to = self.temporary(ir::Type::Scalar(scalar), span);
        self.set(to, Operand::Scalar(ir::Expr::Constant(value, scalar)), span);
        Some(Place::variable(Some(to), ty))
    }

    /// A static method of the library, or one of `System.out`.
    pub(super) fn library_call(
        &mut self,
        receiver: &'a Expr,
        name: &'a Name,
        arguments: &'a [Expr],
        span: Span,
    ) -> Option<Value> {
        if let ExprKind::Field(system, stream) = &receiver.kind
            && self.is_library_name(system, "System")
            && ["out", "err"].contains(&&*stream.text)
        {
            return Some(self.print(name, arguments, span));
        }
        let ExprKind::Name(class) = &receiver.kind else { return None };
        if !self.is_library_name(receiver, &class.text) {
            return None;
        }
        let result = match (&*class.text, &*name.text) {
            ("System", "exit") => {
                self.arguments(arguments);
                self.end(Statement::Stop, span);
                return Some(Value::Nothing);
            }
            ("System", "currentTimeMillis" | "nanoTime") => return Some(self.open(Type::Long, None, span)),
            ("System", "gc") => Type::Void,
            ("Math", "random" | "sqrt" | "pow" | "floor" | "ceil" | "log" | "exp" | "sin" | "cos") => Type::Double,
            ("Math", "abs" | "min" | "max") => return Some(self.math(&name.text, arguments, span)),
            ("Integer", "parseInt" | "compare" | "signum" | "bitCount") => Type::Int,
            ("Long", "parseLong") => Type::Long,
            ("Long", "compare") => Type::Int,
            ("Integer" | "Long" | "Boolean" | "Character" | "String", "valueOf" | "toString") => {
                let values = self.arguments(arguments);
                self.become_text(&values, span);
                let (object, content) = match (&*name.text, &*class.text, &values[..]) {
                    ("valueOf", class, [Value::Scalar(number, _)]) if class != "String" => {
                        (class, Content::Number(number.clone()))
                    }
                    ("toString", ..) => ("String", Content::Unknown(Cause::Text)),
                    (_, class, _) => (class, Content::Unknown(Cause::Text)),
                };
                return Some(self.library_object(object, content, span));
            }
            (known, _) if Classes::is_library_class(known) || ["System", "Math"].contains(&known) => {
                return Some(self.unsupported(format!("a call of `{known}.{}`", name.text), span));
            }
            _ => return None,
        };
        self.arguments(arguments);
        Some(if result == Type::Void { Value::Nothing } else { self.unknown(result, Cause::Library, span) })
    }

    /// A printed argument may be an object, whose `toString` is called.
    fn print(&mut self, name: &Name, arguments: &'a [Expr], span: Span) -> Value {
        if !["println", "print", "printf", "format", "flush"].contains(&&*name.text) {
            return self.unsupported(format!("a call of `{}`", name.text), span);
        }
        for argument in arguments {
            self.show(argument);
        }
        Value::Nothing
    }

    /// Evaluates a printed expression, without making a text of it.
    fn show(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Text(_) => {}
            ExprKind::Binary(BinaryOp::Plain(ir::BinaryOp::Add), left, right) => {
                self.show(left);
                self.show(right);
            }
            _ => {
                let value = self.value(expr);
                self.become_text(&[value], expr.span);
            }
        }
    }

    /// Of objects that become text `toString` is called.
    pub(super) fn become_text(&mut self, values: &[Value], span: Span) {
        let is_called = |value: &Value| match value.ty() {
            Type::Class(class) => {
                self.classes.ids().any(|id| self.classes.is_subclass(id, class) && self.has_to_string(id))
            }
            Type::Object => self.classes.ids().any(|id| self.has_to_string(id)),
            _ => false,
        };
        if values.iter().any(is_called) {
            self.unsupported("a call of `toString`", span);
        }
    }

    fn has_to_string(&self, class: ClassId) -> bool {
        let lineage = self.classes.lineage(class);
        let is_it = |method: &super::MethodInfo| {
            &*method.ast.name.text == "toString" && method.parameters.is_empty() && lineage.contains(&method.class)
        };
        self.methods.iter().any(is_it)
    }

    fn math(&mut self, name: &str, arguments: &'a [Expr], span: Span) -> Value {
        let values = self.arguments(arguments);
        let ty = values.iter().map(|value| value.ty()).reduce(Type::promoted).unwrap_or(Type::Int);
        match (name, &values[..]) {
            ("min" | "max", [_, _]) | ("abs", [_]) => self.unknown(ty, Cause::Library, span),
            _ => {
                self.error("arguments", span, format!("`{name}` does not take these arguments"));
                Value::Nothing
            }
        }
    }

    /// A method of a string, a box, a random generator or an array. It changes nothing that is kept.
    pub(super) fn library_method(&mut self, object: Value, name: &'a Name, arguments: &'a [Expr], span: Span) -> Value {
        let Some(variable) = self.pointer_variable(&object, span) else { return Value::Nothing };
        self.check_not_null(variable, span);
        let values = self.arguments(arguments);
        if let Some(value) = self.content_method(variable, &object, &name.text, &values, span) {
            return value;
        }
        let result = match &*name.text {
            "nextInt" if values.len() == 1 => return self.below(&values[0], span),
            "nextInt" => return self.open(Type::Int, None, span),
            "nextLong" => return self.open(Type::Long, None, span),
            "nextBoolean" | "hasNext" | "hasNextInt" => return self.open(Type::Boolean, None, span),
            "length" | "size" | "indexOf" | "compareTo" | "hashCode" | "intValue" => Type::Int,
            "longValue" => Type::Long,
            "equals" | "isEmpty" | "booleanValue" | "startsWith" | "endsWith" => Type::Boolean,
            "charAt" | "charValue" => Type::Char,
            "nextDouble" | "nextFloat" | "doubleValue" => Type::Double,
            "toString" | "substring" | "trim" | "concat" | "toLowerCase" | "toUpperCase" | "next" | "nextLine" => {
                return self.library_object("String", Content::Unknown(Cause::Text), span);
            }
            "append" => {
                self.become_text(&values, span);
                return object;
            }
            "close" => return Value::Nothing,
            _ => return self.unsupported(format!("a call of `{}`", name.text), span),
        };
        self.unknown(result, Cause::Library, span)
    }

    /// A method of a string or a box that runs compute.
    fn content_method(
        &mut self,
        variable: VarId,
        object: &Value,
        name: &str,
        values: &[Value],
        span: Span,
    ) -> Option<Value> {
        let ty = object.ty();
        match (name, values) {
            ("length", []) if self.is_text(ty) => Some(self.length(variable, span)),
            ("isEmpty", []) if self.is_text(ty) => match self.length(variable, span) {
                Value::Scalar(length, _) => {
                    Some(Value::Scalar(ir::Expr::binary(ir::BinaryOp::Equal, length, ir::Expr::int(0)), Type::Boolean))
                }
                _ => None,
            },
            ("intValue" | "longValue" | "booleanValue" | "charValue", []) => {
                let to = match name {
                    "intValue" => Type::Int,
                    "longValue" => Type::Long,
                    "booleanValue" => Type::Boolean,
                    _ => Type::Char,
                };
                let inside = self.boxed(ty).filter(|inside| inside.scalar().is_some())?;
                let number = self.number_in_box(variable, inside, span);
                Some(self.cast(number, to, span))
            }
            ("equals", [other]) if other.ty() == ty && (self.is_text(ty) || self.is_whole_box(ty)) => {
                let other = self.pointer_variable(other, span)?;
                Some(self.same_content(variable, other, span))
            }
            _ => None,
        }
    }

    fn is_whole_box(&self, ty: Type) -> bool {
        self.boxed(ty).is_some_and(|inside| inside.scalar().is_some())
    }

    /// A random number below another one; runs compute it if that is a constant.
    fn below(&mut self, bound: &Value, span: Span) -> Value {
        match bound {
            Value::Scalar(ir::Expr::Constant(bound, _), _) if (1..=i32::MAX.into()).contains(bound) => {
                self.open(Type::Int, Some((0, bound - 1)), span)
            }
            _ => self.unknown(Type::Int, Cause::Library, span),
        }
    }

    /// What comes from a seed or from a given text follows from it, and nobody computes that. Which generator a call
    /// uses is not known, so then no input is open.
    pub(super) fn close_seeded_input(&mut self) {
        let edges = self.ir.procedures.iter_mut().flat_map(|procedure| &mut procedure.edges);
        for edge in edges.filter(|_| self.has_seeds) {
            if let Statement::Nondet { meaning: meaning @ Meaning::Open, .. } = &mut edge.statement {
                *meaning = Meaning::unknown(Cause::Library);
            }
        }
    }

    /// The methods that every object has.
    pub(super) fn inherited_from_object(
        &mut self,
        class: ClassId,
        object: VarId,
        name: &'a Name,
        values: Vec<Value>,
        span: Span,
    ) -> Value {
        self.check_not_null(object, span);
        match (&*name.text, &values[..]) {
            ("equals", [other]) if other.ty().is_reference() => {
                let to = self.temporary(ir::Type::Scalar(ir::Scalar::Bool), span);
                let (yes, no, end) = (self.node(), self.node(), self.node());
                let own = Value::of_variable(object, Type::Class(class));
                self.compare_references(BinaryOp::Plain(ir::BinaryOp::Equal), &own, other, yes, no, span);
                for (node, value) in [(yes, 1), (no, 0)] {
                    self.body.at = node;
                    self.set(to, Operand::Scalar(ir::Expr::Constant(value, ir::Scalar::Bool)), span);
                    self.jump(end, span);
                }
                self.body.at = end;
                Value::of_variable(to, Type::Boolean)
            }
            ("hashCode", []) => self.unknown(Type::Int, Cause::Library, span),
            ("toString", []) => self.library_object("String", Content::Unknown(Cause::Text), span),
            _ if self.classes.lineage(class).iter().any(|c| self.classes[*c].strange_superclass.is_some()) => {
                self.unsupported(format!("a call of `{}`, about which nothing is known", name.text), span)
            }
            ("getClass" | "notify" | "notifyAll" | "wait" | "clone" | "getMessage" | "printStackTrace", _) => {
                self.unsupported(format!("a call of `{}`", name.text), span)
            }
            _ => {
                let message = format!("`{}` has no method `{}`", self.classes[class].name, name.text);
                self.error("method", name.span, message);
                Value::Nothing
            }
        }
    }
}

/// Is it `System.in`, from which anything may come?
pub(super) fn is_outside(argument: &Expr) -> bool {
    let ExprKind::Field(system, stream) = &argument.kind else { return false };
    &*stream.text == "in" && matches!(&system.kind, ExprKind::Name(name) if &*name.text == "System")
}
