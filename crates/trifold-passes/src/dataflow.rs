//! Facts about the program points of one procedure, computed backwards from its exit. For example, live variables are
//! such facts.

use trifold_ir::{Edge, Procedure};
use trifold_work::listen;

/// The least facts that agree with all edges: the fact of a node is the join over its edges of `transfer` applied to
/// the fact after the edge. The exit has `at_exit`, a node that leads nowhere has the default, which must be neutral
/// for the join. `join` says whether its first argument grew.
pub fn backward<F: Clone + Default>(
    procedure: &Procedure,
    at_exit: F,
    transfer: impl Fn(&Edge, &F) -> F,
    join: impl Fn(&mut F, F) -> bool,
) -> Vec<F> {
    let mut arriving = vec![Vec::new(); procedure.nodes.len()];
    for edge in &procedure.edges {
        arriving[edge.to.index()].push(edge);
    }
    let mut facts = vec![F::default(); procedure.nodes.len()];
    facts[procedure.exit.index()] = at_exit;
    // Every node is looked at once at least, also those from which the exit cannot be reached.
    let mut waiting = vec![true; procedure.nodes.len()];
    let mut open: Vec<usize> = (0..procedure.nodes.len()).collect();
    while let Some(node) = open.pop() {
        listen();
        waiting[node] = false;
        for edge in &arriving[node] {
            let from = edge.from.index();
            let fact = transfer(edge, &facts[node]);
            if join(&mut facts[from], fact) && !std::mem::replace(&mut waiting[from], true) {
                open.push(from);
            }
        }
    }
    facts
}
