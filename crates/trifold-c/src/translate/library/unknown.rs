//! Functions of which nothing is known but their type.

use crate::translate::Translator;
use crate::translate::forms::string_in;
use crate::translate::layout::Kind;
use crate::translate::value::{Use, Value};
use crate::typed::Expr;
use crate::types::Type;
use trifold_ir::{Builder, Operand, Statement};

impl<'p> Translator<'p> {
    /// A function that gets no pointer into the heap changes nothing; of any other, nobody knows what it does. What it
    /// returns without having got anything is input; what it makes of arguments is not known even to runs.
    pub(super) fn call_unknown(&mut self, name: &str, arguments: &'p [Expr], used: Use) -> Value {
        let (mut operands, mut floats) = (Vec::new(), Vec::new());
        let mut reaches_heap = self.is_object_pointer(used.ty) || self.kind(used.ty).is_none() && !self.is_void(used);
        for argument in arguments {
            let stripped = self.uncast(argument);
            if string_in(stripped).is_some() {
                continue;
            }
            // Who gets a function may call it.
            reaches_heap |= self.kind(stripped.ty) == Some(Kind::Function);
            match self.value(stripped, None) {
                Value::Scalar(value) => operands.push(Operand::Scalar(value)),
                Value::Null => operands.push(Operand::Null),
                Value::Pointer(pointer) => {
                    reaches_heap = true;
                    operands.push(Operand::Pointer(pointer));
                }
                Value::Record(_) => reaches_heap = true,
                value @ Value::Float(..) => floats.push(value),
                Value::Nothing => {}
            }
        }
        if !reaches_heap {
            let exact = self.float_function(name, &floats, used.span).filter(|_| operands.is_empty());
            return match exact {
                Some(value) => value,
                None if arguments.is_empty() => self.choose(None, used),
                None if self.kind(used.ty).is_none_or(|kind| kind == Kind::Function) => self.choose(None, used),
                None => self.any_result(used),
            };
        }
        let to = match self.kind(used.ty) {
            Some(kind) if used.used => Some(self.call_target(kind.ty(), used)),
            _ => None,
        };
        self.emit(Statement::UnknownCall { to, name: name.to_string(), arguments: operands }, used.span);
        to.map_or(Value::Nothing, |to| self.result_value(to, used.ty))
    }

    fn is_void(&self, used: Use) -> bool {
        *self.c.types.get(used.ty) == Type::Void
    }
}
