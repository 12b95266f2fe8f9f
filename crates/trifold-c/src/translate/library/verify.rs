//! Functions that say what must hold: `assert`, assumptions, and errors that must not be reached.

use crate::translate::Translator;
use crate::translate::forms::string_in;
use crate::translate::value::Value;
use crate::typed::Expr;
use trifold_ir::{Builder, FindingKind, NodeId, Statement};
use trifold_source::Span;

impl<'p> Translator<'p> {
    /// A run that does not satisfy an assumption is none of the program's.
    pub(super) fn assume(&mut self, arguments: &'p [Expr], span: Span) -> Value {
        self.require(arguments, Statement::Stop, span)
    }

    pub(super) fn assert(&mut self, arguments: &'p [Expr], span: Span) -> Value {
        self.require(arguments, assertion("the assertion does not hold".to_string()), span)
    }

    /// Goes on if the argument is not zero, else ends with a statement.
    fn require(&mut self, arguments: &'p [Expr], otherwise: Statement, span: Span) -> Value {
        let violated = self.node();
        self.branch_on_argument(arguments, violated, span);
        let end = self.body.at;
        self.body.at = violated;
        self.end(otherwise, span);
        self.body.at = end;
        Value::Nothing
    }

    /// Goes on if the argument is not zero, else to a node.
    fn branch_on_argument(&mut self, arguments: &'p [Expr], otherwise: NodeId, span: Span) {
        let holds = self.node();
        match arguments.first() {
            Some(argument) => self.condition(argument, holds, otherwise),
            None => drop(self.unsupported("a condition is missing", span)),
        }
        self.body.at = holds;
    }

    pub(super) fn fail(&mut self, name: &str, arguments: &'p [Expr], span: Span) -> Value {
        let text = match arguments.first().map(string_in) {
            Some(Some(text)) => format!("`{text}` does not hold"),
            _ => format!("`{name}` is called"),
        };
        self.end(assertion(text), span);
        Value::Nothing
    }
}

fn assertion(text: String) -> Statement {
    Statement::Error { kind: FindingKind::Assertion, text }
}
