//! Where execution begins: constants are made, the class of `main` is initialised, and `main` is called with any number
//! of arguments.

use super::Translator;
use super::value::Sym;
use crate::classes::MethodId;
use crate::groups::reads_texts;
use trifold_ir::{BinaryOp, Builder, Condition, Expr, Meaning, Operand, Scalar, Statement, Type, VarId};

const ARGUMENTS: &str = "[Ljava/lang/String;";

impl<'t> Translator<'t> {
    /// Writes the procedure where execution begins. A library is initialised, and ends.
    pub(super) fn start(&mut self, entry: Option<&MethodId>) {
        let span = self.places.nowhere();
        let procedure = self.ir.add_procedure("$start", span);
        self.begin(procedure);
        self.make_texts();
        let target = entry.and_then(|entry| self.procedure_of(entry));
        match entry {
            Some(entry) => self.initialise_entry(&entry.class),
            // Whoever calls a method of a library has made its class ready.
            None => {
                let own: Vec<String> = self.reach.own().cloned().collect();
                own.iter().for_each(|class| self.initialise(class));
            }
        }
        if let Some(target) = target {
            let mut arguments = Vec::new();
            for parameter in self.ir[target].parameters.clone() {
                let array = self.arguments();
                let value = self.operand(Sym::object(array), self.ir[parameter].ty);
                arguments.push(value);
            }
            let place = self.ir[target].span;
            self.emit(Statement::Call { to: None, targets: vec![target], arguments }, place);
        }
        self.leave_method(span);
        self.ir.entry = Some(procedure);
    }

    /// The arguments of the command line: how many there are is open.
    fn arguments(&mut self) -> VarId {
        let span = self.span();
        let length = self.temporary(Type::Scalar(Scalar::I32));
        let range = Some((0, i32::MAX.into()));
        self.emit(Statement::Nondet { to: length, range, meaning: Meaning::Open }, span);
        let array = self.make_array(ARGUMENTS, &Expr::Variable(length));
        if !reads_texts(self.reach) {
            return array;
        }
        let index = self.temporary(Type::Scalar(Scalar::I32));
        self.set(index, Operand::Scalar(Expr::int(0)), span);
        let (head, body, end) = (self.node(), self.node(), self.node());
        self.join(head, span);
        self.mark_loop_head(head);
        let less = Expr::binary(BinaryOp::Less, Expr::Variable(index), Expr::Variable(length));
        self.fork(Condition::Scalar(less), body, end, span);
        self.at = body;
        let text = self.unknown_text();
        let ty = self.element_pointer();
        let value = self.operand(text, ty);
        let (cells, cell_type) = (self.cells(), self.cell_type());
        let cell = self.temporary(cell_type);
        self.add_cell(array, &Expr::Variable(index), value, cell, &cells);
        let next = Expr::binary(BinaryOp::Add, Expr::Variable(index), Expr::int(1));
        self.set(index, Operand::Scalar(next), span);
        self.jump(head, span);
        self.at = end;
        array
    }
}
