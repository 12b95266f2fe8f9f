//! Connected components, each a graph of its own. For example, two lists without a common element are two components.

use super::graph::{Arc, Graph};

/// A connected part of a graph and where its vertices and arcs come from.
#[derive(Debug, Default)]
pub struct Component {
    /// The part, renumbered.
    pub graph: Graph,
    /// The original index of each vertex.
    pub vertices: Vec<usize>,
    /// The original index of each arc.
    pub arcs: Vec<usize>,
}

/// Splits the graph, in the order of the smallest vertex of each part.
pub fn split(graph: &Graph) -> Vec<Component> {
    let part_of = label_parts(graph);
    let count = part_of.iter().max().map_or(0, |last| last + 1);
    let mut parts: Vec<Component> = (0..count).map(|_| Component::default()).collect();
    let mut renumbered = vec![0; graph.vertices.len()];
    for (index, &vertex) in graph.vertices.iter().enumerate() {
        let part = &mut parts[part_of[index]];
        renumbered[index] = part.graph.add(vertex);
        part.vertices.push(index);
    }
    for (index, &arc) in graph.arcs.iter().enumerate() {
        let part = &mut parts[part_of[arc.from]];
        part.graph.connect(Arc { from: renumbered[arc.from], to: renumbered[arc.to], ..arc });
        part.arcs.push(index);
    }
    for &root in &graph.roots {
        parts[part_of[root]].graph.roots.push(renumbered[root]);
    }
    parts
}

/// The number of the part each vertex belongs to.
fn label_parts(graph: &Graph) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); graph.vertices.len()];
    for arc in &graph.arcs {
        neighbours[arc.from].push(arc.to);
        neighbours[arc.to].push(arc.from);
    }
    let mut part_of = vec![usize::MAX; graph.vertices.len()];
    let mut count = 0;
    for start in 0..graph.vertices.len() {
        if part_of[start] != usize::MAX {
            continue;
        }
        let mut pending = vec![start];
        part_of[start] = count;
        while let Some(vertex) = pending.pop() {
            for &next in &neighbours[vertex] {
                if part_of[next] == usize::MAX {
                    part_of[next] = count;
                    pending.push(next);
                }
            }
        }
        count += 1;
    }
    part_of
}
