//! Calls of checkers. A checker whose result is known is not followed: it holds, or it is assumed of memory about which
//! nothing is known yet.
//!
//! For example, where `x` is α and the graph has `α.node_list()`, the call `list(x)` returns true without a look at
//! its body.

use crate::checker::define::Definition;
use crate::checker::usage::{Purpose, purpose};
use crate::domain::Checking;
use crate::graph::shape_graph::Top;
use crate::graph::shape_graph::{Kind, ShapeGraph, Symbol};
use crate::specification::entail::{assume, holds};
use trifold_ir::{Operand, ProcId, Statement};

impl Checking<'_> {
    /// The graphs after a call of a checker, if the function need not be followed.
    pub fn checked(
        &self,
        graph: &ShapeGraph,
        procedure: ProcId,
        number: usize,
        target: ProcId,
    ) -> Option<Vec<ShapeGraph>> {
        let definition = self.definitions.known.get(&target)?;
        let edge = &self.program[procedure].edges[number];
        let Statement::Call { to: Some(to), arguments, .. } = &edge.statement else { return None };
        let mut graph = graph.clone();
        let value = |(argument, parameter): (&Operand, &trifold_ir::VarId)| {
            self.transfer().operand(&mut graph, argument, self.program[*parameter].ty)
        };
        let args: Vec<Symbol> = arguments.iter().zip(&self.program[target].parameters).map(value).collect();
        let subject = args[match definition {
            Definition::Inductive(inductive) => inductive.subject,
            Definition::Plain(rules, _) => rules.subject,
        }];
        let purpose = purpose(self.program, procedure, number);
        // Assumed memory is apart from everything, and nothing is apart from ⊤ that may be in it.
        let is_open =
            graph.kind(subject) == Kind::Pointer && graph.site(subject).is_none() && graph.top == Top::Nothing;
        let (mut graphs, result) = match purpose {
            Purpose::Assumed if is_open && self.specified => {
                (assume(graph, &self.definitions, &self.layouts, target, &args), (1, 1))
            }
            // An assertion about a value that the caller passed is a promise of the caller, where no contract makes it.
            Purpose::Asserted if is_open && self.is_input(&graph, subject) => {
                (assume(graph, &self.definitions, &self.layouts, target, &args), (1, 1))
            }
            _ if holds(&graph, &self.definitions, &self.layouts, target, &args) => (vec![graph], (1, 1)),
            // The function is not followed, because it is reported anyway that the assertion may fail.
            Purpose::Asserted => (vec![graph], (0, 1)),
            Purpose::Assumed | Purpose::Other => return None,
        };
        for graph in &mut graphs {
            let value = graph.fresh(Kind::Scalar(result));
            graph.write(self.program, *to, value);
            let depth = graph.frames.len();
            self.forget_dead(graph, depth - 1, edge.to, None);
        }
        Some(graphs)
    }

    /// Was a value passed by the caller of the entry, which is where we are?
    fn is_input(&self, graph: &ShapeGraph, symbol: Symbol) -> bool {
        match &graph.frames[..] {
            [caller, _] if self.specified && self.program.contracts.is_empty() => {
                caller.values.values().any(|value| *value == symbol)
            }
            _ => false,
        }
    }
}
