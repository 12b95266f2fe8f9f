//! The call graph: the calls between procedures, and which procedures are recursive. For example, if `f` calls `g` and
//! `g` calls `f`, both are recursive.

use std::collections::BTreeSet;
use trifold_fixpoint::strongly_connected_components;
use trifold_ir::ProcId;
use trifold_ir::Program;
use trifold_ir::Statement;

/// The call graph of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallGraph {
    callees: Vec<BTreeSet<ProcId>>,
    /// The strongly connected component of each procedure; callers have lower numbers than their callees.
    components: Vec<usize>,
}

impl CallGraph {
    /// Looks at all calls.
    pub fn of(program: &Program) -> CallGraph {
        let mut callees: Vec<BTreeSet<ProcId>> = vec![BTreeSet::new(); program.procedures.len()];
        for (procedure, callees) in program.procedures.iter().zip(&mut callees) {
            for edge in &procedure.edges {
                if let Statement::Call { targets, .. } = &edge.statement {
                    callees.extend(targets);
                }
            }
        }
        let successors: Vec<Vec<usize>> =
            callees.iter().map(|callees| callees.iter().map(|callee| callee.index()).collect()).collect();
        CallGraph { callees, components: strongly_connected_components(&successors) }
    }

    /// The procedures that a procedure calls itself.
    pub fn callees(&self, procedure: ProcId) -> &BTreeSet<ProcId> {
        &self.callees[procedure.index()]
    }

    /// A procedure, and all that it can come to call.
    pub fn reached(&self, entry: ProcId) -> Vec<ProcId> {
        let (mut reached, mut seen) = (vec![entry], BTreeSet::from([entry]));
        let mut next = 0;
        while let Some(procedure) = reached.get(next).copied() {
            reached.extend(self.callees(procedure).iter().filter(|callee| seen.insert(**callee)));
            next += 1;
        }
        reached
    }

    /// Can a call of the procedure lead to another call of it?
    pub fn is_recursive(&self, procedure: ProcId) -> bool {
        let component = |procedure: ProcId| self.components[procedure.index()];
        self.callees(procedure).iter().any(|callee| component(*callee) == component(procedure))
    }

    /// Can calls of either lead to calls of the other?
    pub fn call_each_other(&self, a: ProcId, b: ProcId) -> bool {
        self.components[a.index()] == self.components[b.index()]
    }

    /// Groups of procedures that call each other, callees before their callers.
    pub fn bottom_up(&self) -> Vec<Vec<ProcId>> {
        let count = self.components.iter().max().map_or(0, |last| last + 1);
        let mut groups = vec![Vec::new(); count];
        for (index, component) in self.components.iter().enumerate() {
            groups[count - 1 - component].push(ProcId::from_index(index));
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trifold_ir::parse;

    #[test]
    fn recursion_is_found_through_other_procedures() {
        let text = "entry proc main() { even(); self(); } proc even() { if (*) { {odd, leaf}(); } } \
            proc odd() { even(); } proc leaf() { } proc self() { self(); }";
        let (program, _) = parse("test", text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        let graph = CallGraph::of(&program);
        let recursive: Vec<bool> = program.procedure_ids().map(|id| graph.is_recursive(id)).collect();
        assert_eq!(recursive, [false, true, true, false, true]);
        let groups = graph.bottom_up();
        let place = |id| groups.iter().position(|group| group.contains(&ProcId(id))).expect("in a group");
        assert_eq!(place(1), place(2));
        assert!(place(3) < place(1) && place(1) < place(0) && place(4) < place(0));
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), 5);
    }
}
