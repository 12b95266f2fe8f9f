//! The procedures that can still run after a place in a program.
//!
//! ```text
//! main() { before(); odd(); after(); }   odd() { asm; inner(); }
//! ```
//!
//! After `asm` come the rest of `odd` with `inner`, and the rest of `main` with `after`; not `before`.

use crate::call_graph::CallGraph;
use std::collections::BTreeSet;
use trifold_ir::Program;
use trifold_ir::Statement;
use trifold_ir::{NodeId, ProcId};
use trifold_work::listen;

/// The procedures, among these, that can go on, or be called, after these edges.
pub fn reachable_after(
    program: &Program,
    procedures: &[ProcId],
    ends: impl Iterator<Item = (ProcId, usize)>,
) -> BTreeSet<ProcId> {
    let calls = CallGraph::of(program);
    let mut open: Vec<(ProcId, usize)> = ends.collect();
    let mut seen: BTreeSet<(ProcId, usize)> = open.iter().copied().collect();
    let mut unseen = BTreeSet::new();
    while let Some((procedure, edge)) = open.pop() {
        unseen.insert(procedure);
        for callee in called_after(program, procedure, program[procedure].edges[edge].to) {
            add_callees(&calls, callee, &mut unseen);
        }
        for caller in procedures {
            for (number, edge) in program[*caller].edges.iter().enumerate() {
                let returns_here =
                    matches!(&edge.statement, Statement::Call { targets, .. } if targets.contains(&procedure));
                if returns_here && seen.insert((*caller, number)) {
                    open.push((*caller, number));
                }
            }
        }
    }
    unseen
}

/// The procedures that are called somewhere after a node.
fn called_after(program: &Program, procedure: ProcId, node: NodeId) -> BTreeSet<ProcId> {
    let edges = &program[procedure].edges;
    let leaving = program[procedure].edges_from();
    let (mut called, mut open, mut seen) = (BTreeSet::new(), vec![node], BTreeSet::from([node]));
    while let Some(node) = open.pop() {
        listen();
        for edge in leaving[node.index()].iter().map(|number| &edges[*number]) {
            if let Statement::Call { targets, .. } = &edge.statement {
                called.extend(targets);
            }
            if seen.insert(edge.to) {
                open.push(edge.to);
            }
        }
    }
    called
}

fn add_callees(calls: &CallGraph, procedure: ProcId, all: &mut BTreeSet<ProcId>) {
    let mut open = vec![procedure];
    while let Some(procedure) = open.pop() {
        if all.insert(procedure) {
            open.extend(calls.callees(procedure));
        }
    }
}
