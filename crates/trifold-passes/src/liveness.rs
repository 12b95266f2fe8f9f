//! Live variables: those whose value may still be read before it is overwritten.
//!
//! A domain may forget the value of a variable that is not live; in \[RinetzkySY05\] that was done by hand to avoid
//! cutpoints. One caution: a dead variable can be the last reference to an object. A domain that forgets it must not
//! take the object for leaked there, nor overlook that it is lost later.
//!
//! For example, in `t = x->n; x = t; t = null;` the variable `t` is live between the first two statements, and dead
//! before the third.

use crate::dataflow::backward;
use std::collections::BTreeSet;
use trifold_ir::{Edge, Procedure};
use trifold_ir::{NodeId, VarId};

/// The live variables of each node of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Liveness {
    live: Vec<BTreeSet<VarId>>,
}

impl Liveness {
    /// Computes the live variables. Only parameters and locals are looked at: a global can be read after the return.
    pub fn of(procedure: &Procedure) -> Liveness {
        Liveness::until_exit(procedure, procedure.result.into_iter().collect())
    }

    /// Computes the live variables, if these are read after the return.
    pub fn until_exit(procedure: &Procedure, at_exit: BTreeSet<VarId>) -> Liveness {
        let own: BTreeSet<VarId> = procedure.variables().collect();
        let before = |edge: &Edge, after: &BTreeSet<VarId>| {
            // After a statement that does not fall through nothing is read.
            let mut live = if edge.statement.falls_through() { after.clone() } else { BTreeSet::new() };
            edge.statement.assigned().map(|assigned| live.remove(&assigned));
            edge.statement.for_each_read(&mut |variable| {
                if own.contains(&variable) {
                    live.insert(variable);
                }
            });
            live
        };
        let union = |live: &mut BTreeSet<VarId>, more: BTreeSet<VarId>| {
            let size = live.len();
            live.extend(more);
            live.len() > size
        };
        Liveness { live: backward(procedure, at_exit, before, union) }
    }

    /// All variables before the return, as if each could still be read, and these after it.
    pub fn everywhere(procedure: &Procedure, at_exit: BTreeSet<VarId>) -> Liveness {
        let mut live = vec![procedure.variables().collect(); procedure.nodes.len()];
        live[procedure.exit.index()] = at_exit;
        Liveness { live }
    }

    /// The variables that are not live after an edge of the procedure, but may have a value there.
    pub fn dying(&self, procedure: &Procedure, edge: &Edge) -> BTreeSet<VarId> {
        let (before, after) = (self.at(edge.from), self.at(edge.to));
        let is_local = |variable: &VarId| procedure.variables().any(|own| own == *variable);
        let changed = before.iter().copied().chain(edge.statement.assigned().filter(is_local));
        changed.filter(|x| !after.contains(x)).collect()
    }

    /// The variables of the procedure that are dead somewhere after their use.
    pub fn mortal(&self, procedure: &Procedure) -> BTreeSet<VarId> {
        let inside = procedure.edges.iter().filter(|edge| edge.to != procedure.exit);
        inside.flat_map(|edge| self.dying(procedure, edge)).collect()
    }

    /// The live variables at a node.
    pub fn at(&self, node: NodeId) -> &BTreeSet<VarId> {
        &self.live[node.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trifold_ir::parse;

    /// The live variables of the first procedure before the edges of the statements, as text.
    fn live_before(text: &str) -> Vec<(String, String)> {
        let (program, _) = parse("test", text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        let liveness = Liveness::of(&program.procedures[0]);
        let show = |edge: &Edge| {
            let names: Vec<&str> = liveness.at(edge.from).iter().map(|id| program[*id].name.as_str()).collect();
            (trifold_ir::show_statement(&program, &edge.statement), names.join(" "))
        };
        program.procedures[0].edges.iter().map(show).collect()
    }

    #[test]
    fn a_variable_lives_from_its_assignment_to_its_last_use() {
        let live = live_before(
            "struct node { node *next; } global node *g; proc f(node *x) -> node *r {
                node *t; t = null; while (x != null) { t = x; x = x->next; } g = t; r = g; if (*) { stop; } }",
        );
        let expected = [
            ("t = null", "x"),
            ("skip", "x t"),
            ("assume(x != null)", "x t"),
            ("t = x", "x"),
            ("x = x->next", "x t"),
            ("g = t", "t"),
            ("r = g", ""),
            ("stop", ""),
            ("return", "r"),
        ];
        for (statement, names) in expected {
            let found =
                live.iter().find(|(found, _)| found == statement).unwrap_or_else(|| panic!("{statement}: {live:?}"));
            assert_eq!(found.1, names, "{statement}");
        }
    }

    #[test]
    fn arguments_conditions_and_stored_values_are_read() {
        let live = live_before(
            "struct node { node *next; i32 d; } proc f(node *x, node *y, i32 i, bool b) {
                f(x, null, 1 + i, b); end x; x->next = y; x->d = i; unknown h(i); assert(b); free(x); }",
        );
        let names: Vec<&str> = live.iter().map(|(_, names)| names.as_str()).collect();
        assert_eq!(names, ["x y i b", "x y i b", "x y i b", "x i b", "x i b", "x b", "x", ""]);
    }
}
