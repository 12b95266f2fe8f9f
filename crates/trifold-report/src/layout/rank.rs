//! Layers: how far along the flow each vertex lies.
//!
//! Longest paths from the sources give the smallest number of layers. Vertices with at least as many outgoing arcs as
//! incoming ones are then moved on until they touch their successors, the others back, so that two lists that meet do
//! so with short edges. For example, in 1 → 2 → 3 ← 4 the vertices 1, 2 and 3 lie on the layers 0, 1 and 2, and 4 is
//! moved on to layer 1.

use super::bundle::Bundle;

/// The distance between the ends of a bundle: one layer between them is for its labels.
pub const STEP: usize = 2;

/// The layer of every vertex. Vertices lie on even layers.
pub fn rank(vertices: usize, bundles: &[Bundle]) -> Vec<usize> {
    let neighbours = Neighbours::new(vertices, bundles);
    let order = neighbours.topological_order();
    let mut ranks = vec![0; vertices];
    for &vertex in &order {
        ranks[vertex] = neighbours.earliest(vertex, &ranks);
    }
    while tighten(&neighbours, &order, &mut ranks) {}
    let first = ranks.iter().copied().min().unwrap_or(0);
    ranks.iter().map(|rank| rank - first).collect()
}

/// One pass of moving vertices towards where most of their bundles lead. Every vertex only ever
/// moves one way, so repeating this ends.
fn tighten(neighbours: &Neighbours, order: &[usize], ranks: &mut [usize]) -> bool {
    let mut moved = false;
    for &vertex in order.iter().rev() {
        let (behind, ahead) = (neighbours.before[vertex].len(), neighbours.after[vertex].len());
        let target = if behind > ahead {
            neighbours.earliest(vertex, ranks)
        } else {
            neighbours.latest(vertex, ranks).unwrap_or(ranks[vertex])
        };
        moved |= target != ranks[vertex];
        ranks[vertex] = target;
    }
    moved
}

struct Neighbours {
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
}

impl Neighbours {
    fn new(vertices: usize, bundles: &[Bundle]) -> Self {
        let mut neighbours = Neighbours { before: vec![Vec::new(); vertices], after: vec![Vec::new(); vertices] };
        for bundle in bundles {
            neighbours.after[bundle.tail].push(bundle.head);
            neighbours.before[bundle.head].push(bundle.tail);
        }
        neighbours
    }

    fn topological_order(&self) -> Vec<usize> {
        let mut missing: Vec<usize> = self.before.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..missing.len()).filter(|&vertex| missing[vertex] == 0).collect();
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for &after in &self.after[vertex] {
                missing[after] -= 1;
                if missing[after] == 0 {
                    order.push(after);
                }
            }
        }
        order
    }

    fn earliest(&self, vertex: usize, ranks: &[usize]) -> usize {
        self.before[vertex].iter().map(|&before| ranks[before] + STEP).max().unwrap_or(0)
    }

    fn latest(&self, vertex: usize, ranks: &[usize]) -> Option<usize> {
        self.after[vertex].iter().map(|&after| ranks[after] - STEP).min()
    }
}
