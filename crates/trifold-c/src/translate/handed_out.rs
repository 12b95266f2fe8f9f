//! Functions whose address gets out of the file: who has it may call them, also those that have no name elsewhere.
//!
//! For example, with `struct ops my_ops = { get };` other files call `get` through the table. A function that is only
//! passed to one of the same file, which calls it and does nothing else with it, is not handed out.

use super::Translator;
use super::forms::called;
use crate::typed::{DeclarationId, DeclarationKind, Expr, ExprKind};
use std::collections::BTreeSet;

impl Translator<'_> {
    /// The functions that others may call by their address, or in a way that the program does not show.
    pub(super) fn handed_out(&self) -> BTreeSet<DeclarationId> {
        let mut found = BTreeSet::new();
        for global in &self.c.globals {
            global
                .initializer
                .iter()
                .for_each(|initial| initial.for_each_value(&mut |expr| self.hand(expr, &mut found)));
        }
        for function in &self.c.functions {
            function.body.for_each_expr(&mut |expr| self.hand(expr, &mut found));
        }
        let functions = self.c.functions.iter().map(|function| function.declaration);
        found.extend(functions.filter(|id| self.c.declaration(*id).kept));
        found
    }

    fn hand(&self, expr: &Expr, found: &mut BTreeSet<DeclarationId>) {
        match &expr.kind {
            ExprKind::Name(id) if matches!(self.c.declaration(*id).kind, DeclarationKind::Function { .. }) => {
                found.insert(*id);
            }
            ExprKind::Call(callee, arguments) => {
                let direct = called(callee);
                if direct.is_none() {
                    self.hand(callee, found);
                }
                let parameters = direct.and_then(|id| self.definition(id)).map(|function| &function.parameters);
                for (index, argument) in arguments.iter().enumerate() {
                    let parameter = parameters.and_then(|parameters| parameters.get(index));
                    let only_called = parameter.is_some_and(|parameter| self.is_bindable(*parameter));
                    if !(only_called && called(argument).is_some()) {
                        self.hand(argument, found);
                    }
                }
            }
            _ => expr.for_each_operand(&mut |operand| self.hand(operand, found)),
        }
    }
}
