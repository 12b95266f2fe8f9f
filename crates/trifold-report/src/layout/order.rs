//! Permuting layers to reduce crossings.
//!
//! Sweeps down and up move every item towards the average position of its neighbours on the layer just fixed, and
//! neighbouring items are exchanged while that helps. The best order seen wins; the first one, in depth-first order,
//! keeps children in the order of their arcs (a left subtree is on the left). For example, the edges from `a` to `d`
//! and from `b` to `c` cross if the layers are `a b` and `c d`; the second layer becomes `d c`.

use super::layers::Layered;

/// Sweeps without improvement before giving up.
const PATIENCE: usize = 6;
/// Sweeps at most.
const SWEEPS: usize = 40;

/// Reorders the layers of the graph.
pub fn reduce_crossings(graph: &mut Layered) {
    start_depth_first(graph);
    let mut positions = positions(graph);
    exchange(graph, &mut positions);
    let mut best = (crossings(graph, &positions), graph.layers.clone());
    let mut idle = 0;
    for sweep in 0..SWEEPS {
        if best.0 == 0 || idle == PATIENCE {
            break;
        }
        sweep_once(graph, &mut positions, sweep % 2 == 0);
        exchange(graph, &mut positions);
        let count = crossings(graph, &positions);
        idle += 1;
        if count < best.0 {
            best = (count, graph.layers.clone());
            idle = 0;
        }
    }
    graph.layers = best.1;
}

/// Orders every layer as a depth-first search from the sources meets its items.
fn start_depth_first(graph: &mut Layered) {
    let mut layers = vec![Vec::new(); graph.layers.len()];
    let mut seen = vec![false; graph.items.len()];
    let sources = (0..graph.items.len()).filter(|&item| graph.items[item].before.is_empty());
    for source in sources {
        let mut stack = vec![source];
        while let Some(item) = stack.pop() {
            if !std::mem::replace(&mut seen[item], true) {
                layers[graph.items[item].layer].push(item);
                stack.extend(graph.items[item].after.iter().rev());
            }
        }
    }
    graph.layers = layers;
}

fn positions(graph: &Layered) -> Vec<usize> {
    let mut positions = vec![0; graph.items.len()];
    for layer in &graph.layers {
        renumber(layer, &mut positions);
    }
    positions
}

fn renumber(layer: &[usize], positions: &mut [usize]) {
    for (position, &item) in layer.iter().enumerate() {
        positions[item] = position;
    }
}

/// Sorts each layer by the average position of its neighbours on the layer visited before it.
fn sweep_once(graph: &mut Layered, positions: &mut [usize], down: bool) {
    let count = graph.layers.len();
    for step in 1..count {
        let index = if down { step } else { count - 1 - step };
        let mut keyed: Vec<(f64, usize)> =
            graph.layers[index].iter().map(|&item| (barycenter(graph, positions, item, down), item)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        graph.layers[index] = keyed.into_iter().map(|(_, item)| item).collect();
        renumber(&graph.layers[index], positions);
    }
}

fn barycenter(graph: &Layered, positions: &[usize], item: usize, down: bool) -> f64 {
    let neighbours = if down { &graph.items[item].before } else { &graph.items[item].after };
    match neighbours.len() {
        0 => positions[item] as f64,
        count => neighbours.iter().map(|&other| positions[other]).sum::<usize>() as f64 / count as f64,
    }
}

/// Exchanges neighbours on a layer while that removes crossings.
fn exchange(graph: &mut Layered, positions: &mut [usize]) {
    for _ in 0..SWEEPS {
        let mut improved = false;
        for layer in 0..graph.layers.len() {
            for position in 1..graph.layers[layer].len() {
                let (left, right) = (graph.layers[layer][position - 1], graph.layers[layer][position]);
                if pair_crossings(graph, positions, right, left) < pair_crossings(graph, positions, left, right) {
                    graph.layers[layer].swap(position - 1, position);
                    positions.swap(left, right);
                    improved = true;
                }
            }
        }
        if !improved {
            return;
        }
    }
}

/// Crossings between the segments of two items when `left` stands before `right`.
fn pair_crossings(graph: &Layered, positions: &[usize], left: usize, right: usize) -> usize {
    let (left, right) = (&graph.items[left], &graph.items[right]);
    let inversions = |left: &[usize], right: &[usize]| -> usize {
        let beyond = |l: usize| right.iter().filter(|&&r| positions[r] < positions[l]).count();
        left.iter().map(|&l| beyond(l)).sum()
    };
    inversions(&left.before, &right.before) + inversions(&left.after, &right.after)
}

/// All crossings between neighbouring layers.
pub fn crossings(graph: &Layered, positions: &[usize]) -> usize {
    graph.layers.iter().map(|layer| layer_crossings(graph, positions, layer)).sum()
}

/// Crossings between a layer and the next: inversions in the sequence of segment ends, counted by
/// a binary indexed tree.
fn layer_crossings(graph: &Layered, positions: &[usize], layer: &[usize]) -> usize {
    let mut ends: Vec<usize> = Vec::new();
    for &item in layer {
        let mut after: Vec<usize> = graph.items[item].after.iter().map(|&other| positions[other]).collect();
        after.sort_unstable();
        ends.extend(after);
    }
    let width = ends.iter().max().map_or(0, |last| last + 1);
    let mut tree = vec![0; width + 1];
    let mut total = 0;
    for (seen, &end) in ends.iter().enumerate() {
        total += seen - count_up_to(&tree, end + 1);
        insert(&mut tree, end + 1);
    }
    total
}

fn count_up_to(tree: &[usize], mut index: usize) -> usize {
    let mut count = 0;
    while index > 0 {
        count += tree[index];
        index &= index - 1;
    }
    count
}

fn insert(tree: &mut [usize], mut index: usize) {
    while index < tree.len() {
        tree[index] += 1;
        index += index & index.wrapping_neg();
    }
}
