//! Removes nodes that do nothing, and those that nothing leads to. For example, of the edges `1 → 2: x = y`
//! and `2 → 3: skip` there remains `1 → 3: x = y`.

use trifold_ir::NodeId;
use trifold_ir::Statement;
use trifold_ir::{Procedure, Program};

/// Removes nodes that do nothing, and those that nothing leads to, from all procedures.
pub fn simplify(program: &mut Program) {
    for procedure in &mut program.procedures {
        skip_nodes(procedure);
        drop_unreached(procedure);
    }
}

/// A node that only goes on to another one is replaced by that one.
fn skip_nodes(procedure: &mut Procedure) {
    let leaving = procedure.edges_from();
    let next = |node: NodeId| match leaving[node.index()].as_slice() {
        [edge] if procedure.edges[*edge].statement == Statement::Skip => Some(procedure.edges[*edge].to),
        _ => None,
    };
    let target = targets(procedure.nodes.len(), next);
    for node in procedure.node_ids() {
        let to = target[node.index()];
        if to != node {
            let (label, loop_head) =
                (procedure.nodes[node.index()].label.take(), procedure.nodes[node.index()].loop_head);
            let kept = &mut procedure.nodes[to.index()];
            kept.loop_head |= loop_head;
            kept.label = kept.label.take().or(label);
        }
    }
    procedure.entry = target[procedure.entry.index()];
    for edge in &mut procedure.edges {
        if !(edge.statement == Statement::Skip && target[edge.from.index()] != edge.from) {
            edge.to = target[edge.to.index()];
        }
    }
    let is_skipped: Vec<bool> = procedure.node_ids().map(|node| target[node.index()] != node).collect();
    procedure.edges.retain(|edge| !is_skipped[edge.from.index()]);
}

/// For each node the first one on its way that does something; on a circle, that is any of its nodes.
fn targets(count: usize, next: impl Fn(NodeId) -> Option<NodeId>) -> Vec<NodeId> {
    let mut target: Vec<Option<NodeId>> = vec![None; count];
    let mut on_way = vec![false; count];
    for start in (0..count).map(NodeId::from_index) {
        let mut way = Vec::new();
        let mut at = start;
        let end = loop {
            if let Some(known) = target[at.index()] {
                break known;
            }
            if std::mem::replace(&mut on_way[at.index()], true) {
                break at;
            }
            way.push(at);
            match next(at) {
                Some(to) => at = to,
                None => break at,
            }
        };
        way.into_iter().for_each(|node| target[node.index()] = Some(end));
    }
    target.into_iter().map(|node| node.unwrap_or(NodeId(0))).collect()
}

fn drop_unreached(procedure: &mut Procedure) {
    let leaving = procedure.edges_from();
    let mut reached = vec![false; procedure.nodes.len()];
    let mut open = vec![procedure.entry];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut reached[node.index()], true) {
            let edges = leaving[node.index()].iter().map(|edge| &procedure.edges[*edge]);
            open.extend(edges.filter(|edge| edge.statement.falls_through()).map(|edge| edge.to));
        }
    }
    reached[procedure.exit.index()] = true;
    let mut number = vec![NodeId(0); procedure.nodes.len()];
    let mut kept = 0;
    for (index, reached) in reached.iter().enumerate() {
        number[index] = NodeId(kept);
        kept += u32::from(*reached);
    }
    let mut index = 0;
    procedure.nodes.retain(|_| {
        index += 1;
        reached[index - 1]
    });
    procedure.edges.retain(|edge| reached[edge.from.index()]);
    for edge in &mut procedure.edges {
        (edge.from, edge.to) = (number[edge.from.index()], number[edge.to.index()]);
    }
    procedure.entry = number[procedure.entry.index()];
    procedure.exit = number[procedure.exit.index()];
}
