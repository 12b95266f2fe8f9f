//! Whether a graph is better drawn to the right or down. For example, a list is drawn to the right, a binary tree down.

use super::graph::{Arc, Direction, Graph, Strength};
use super::orient::orient;

/// Right for chains, down for graphs in which every fourth vertex branches.
///
/// Only the arcs of a spanning forest count, so that a shortcut in a list is not a branch. Nor is an arc that leads
/// back, unless all of them do, as in a tree of parents.
pub fn choose_direction(graph: &Graph) -> Direction {
    let reversed = orient(graph);
    let mut successors = vec![Vec::new(); graph.vertices.len()];
    let mut entered = vec![false; graph.vertices.len()];
    let inner = |(arc, _): &(&Arc, bool)| !arc.is_loop() && arc.strength != Strength::Pointer;
    let arcs: Vec<(&Arc, bool)> = graph.arcs.iter().zip(reversed).filter(inner).collect();
    let all_lead_back = arcs.iter().all(|(_, reversed)| *reversed);
    for (arc, reversed) in arcs.into_iter().filter(|(_, reversed)| *reversed == all_lead_back) {
        let (from, to) = if reversed { (arc.to, arc.from) } else { (arc.from, arc.to) };
        successors[from].push(to);
        entered[to] = true;
    }
    let mut visited = vec![false; graph.vertices.len()];
    let sources = (0..graph.vertices.len()).filter(|&vertex| !entered[vertex]);
    let branching: usize = sources.map(|source| branching_below(source, &successors, &mut visited)).sum();
    let inner = successors.iter().zip(&entered).filter(|(next, entered)| !next.is_empty() || **entered).count();
    if branching * 4 >= inner && branching > 0 { Direction::Down } else { Direction::Right }
}

/// The number of vertices with several children in the depth-first tree below `source`.
fn branching_below(source: usize, successors: &[Vec<usize>], visited: &mut [bool]) -> usize {
    let mut children = vec![0; successors.len()];
    let mut stack = vec![(source, 0)];
    visited[source] = true;
    while let Some((vertex, position)) = stack.pop() {
        let Some(&next) = successors[vertex].get(position) else { continue };
        stack.push((vertex, position + 1));
        if !std::mem::replace(&mut visited[next], true) {
            children[vertex] += 1;
            stack.push((next, 0));
        }
    }
    children.iter().filter(|&&count| count > 1).count()
}
