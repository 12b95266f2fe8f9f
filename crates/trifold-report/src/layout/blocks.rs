//! Straight lines: runs of items that share one cross coordinate.
//!
//! A block takes at most one item from each layer. Two neighbours are aligned when
//!
//! 1. their bundle is the *spine* at both its ends: the one arc that continues the list here; or
//! 2. they are inner points of the same long bundle, which then runs straight.
//!
//! Aligned segments never cross each other, so the blocks can always be put side by side. For example, the nodes of a
//! list of five elements are one block, so the list is a straight line.

use super::graph::Strength;
use super::layers::{Kind, Layered};

/// A partition of the items into straight lines.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The block of each item.
    pub of: Vec<usize>,
    /// The number of blocks.
    pub count: usize,
}

/// Decides which items lie on a line.
pub fn align(graph: &Layered) -> Blocks {
    let positions = positions(graph);
    let mut aligned = Aligned { next: vec![None; graph.items.len()], taken: vec![false; graph.items.len()] };
    let (spines, others): (Vec<usize>, Vec<usize>) =
        (0..graph.bundles.len()).partition(|&bundle| is_spine(graph, bundle));
    for &bundle in &spines {
        graph.chains[bundle].windows(2).for_each(|pair| aligned.join(graph, &positions, pair[0], pair[1]));
    }
    for &bundle in &others {
        let inner = &graph.chains[bundle][1..graph.chains[bundle].len() - 1];
        inner.windows(2).for_each(|pair| aligned.join(graph, &positions, pair[0], pair[1]));
    }
    aligned.blocks()
}

fn positions(graph: &Layered) -> Vec<usize> {
    let mut positions = vec![0; graph.items.len()];
    for layer in &graph.layers {
        for (position, &item) in layer.iter().enumerate() {
            positions[item] = position;
        }
    }
    positions
}

/// Whether the bundle continues the line at both its ends.
fn is_spine(graph: &Layered, bundle: usize) -> bool {
    let (tail, head) = (graph.bundles[bundle].tail, graph.bundles[bundle].head);
    let leaving = (0..graph.bundles.len()).filter(|&other| graph.bundles[other].tail == tail);
    let entering = (0..graph.bundles.len()).filter(|&other| graph.bundles[other].head == head);
    is_best(graph, bundle, leaving) && is_best(graph, bundle, entering)
}

/// Whether the bundle is the first choice, and the only one, among its rivals.
fn is_best(graph: &Layered, bundle: usize, mut rivals: impl Iterator<Item = usize>) -> bool {
    let mine = rivalry(graph, bundle);
    rivals.all(|other| other == bundle || mine < rivalry(graph, other))
}

/// Smaller is better: edges before pointers, along the flow before against it, short before long,
/// definite before indefinite.
fn rivalry(graph: &Layered, bundle: usize) -> (bool, bool, usize, Strength) {
    let length = graph.chains[bundle].len();
    let bundle = &graph.bundles[bundle];
    (bundle.strength == Strength::Pointer, !bundle.runs_forward(), length, bundle.strength)
}

struct Aligned {
    /// The item on the next layer each item is aligned with.
    next: Vec<Option<usize>>,
    /// Whether an item is aligned with one on the layer before.
    taken: Vec<bool>,
}

impl Aligned {
    /// Aligns two neighbours unless one of them is taken or the segment crosses an aligned one.
    fn join(&mut self, graph: &Layered, positions: &[usize], from: usize, to: usize) {
        let free = self.next[from].is_none() && !self.taken[to];
        if free && !self.crosses(graph, positions, from, to) {
            self.next[from] = Some(to);
            self.taken[to] = true;
        }
    }

    fn crosses(&self, graph: &Layered, positions: &[usize], from: usize, to: usize) -> bool {
        graph.layers[graph.items[from].layer].iter().any(|&other| {
            self.next[other].is_some_and(|end| (positions[other] < positions[from]) != (positions[end] < positions[to]))
        })
    }

    fn blocks(self) -> Blocks {
        let mut of = vec![usize::MAX; self.next.len()];
        let mut count = 0;
        for first in (0..self.next.len()).filter(|&item| !self.taken[item]) {
            let mut item = Some(first);
            while let Some(member) = item {
                of[member] = count;
                item = self.next[member];
            }
            count += 1;
        }
        Blocks { of, count }
    }
}

/// The weight of a segment: how strongly it pulls its ends together.
pub fn weight(graph: &Layered, from: usize, to: usize) -> f64 {
    match (graph.items[from].kind, graph.items[to].kind) {
        (Kind::Vertex(_), _) | (_, Kind::Vertex(_)) => 1.0,
        _ => 4.0,
    }
}
