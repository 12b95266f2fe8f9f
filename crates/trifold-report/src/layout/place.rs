//! Cross coordinates: every block goes where its neighbours pull it, as far as there is room.
//!
//! With one coordinate per block `b`, the sum over segments of `weight · (x_b - x_c)²` is minimised subject to a
//! minimal distance between neighbours on each layer. Squares, unlike absolute values, put a parent in the middle of
//! its children. The minimum is approached by majorisation: each round every block proposes the average of its
//! neighbours, and Hildreth's method projects the proposals onto the distances, keeping its multipliers from round to
//! round. A last pass over the blocks from first to last makes the distances exact. For example, a parent with children
//! at 0 and 100 is put at 50.

use super::blocks::{Blocks, weight};
use super::layers::{Item, Kind, Layered};

/// Steps of work to spend at most, over all rounds.
const BUDGET: usize = 3_000_000;
/// Projections per round.
const PROJECTIONS: usize = 3;

/// The cross coordinate of every item.
pub fn place(graph: &Layered, blocks: &Blocks) -> Vec<f64> {
    let distances = distances(graph, blocks);
    let mut problem = Problem {
        order: topological_order(blocks.count, &distances),
        pulls: pulls(graph, blocks),
        multipliers: vec![0.0; distances.len()],
        distances,
        x: vec![0.0; blocks.count],
    };
    problem.make_exact();
    for _ in 0..problem.rounds() {
        problem.improve();
    }
    problem.round_off();
    problem.make_exact();
    blocks.of.iter().map(|&block| problem.x[block]).collect()
}

/// `right` lies at least `gap` after `left`.
#[derive(Clone, Copy, Debug)]
struct Distance {
    left: usize,
    right: usize,
    gap: f64,
}

struct Problem {
    /// The blocks, those before first.
    order: Vec<usize>,
    /// For each block, the blocks it is drawn to and how strongly.
    pulls: Vec<Vec<(usize, f64)>>,
    distances: Vec<Distance>,
    multipliers: Vec<f64>,
    x: Vec<f64>,
}

impl Problem {
    fn rounds(&self) -> usize {
        let work = self.distances.len() * PROJECTIONS + self.pulls.iter().map(Vec::len).sum::<usize>();
        (BUDGET / work.max(1)).clamp(20, 1000)
    }

    /// One round: proposals, corrected by the multipliers so far, then projections.
    fn improve(&mut self) {
        let inertia: Vec<f64> = self.pulls.iter().map(|pulls| total_weight(pulls)).collect();
        let mut x: Vec<f64> = (0..self.x.len()).map(|block| self.proposal(block)).collect();
        for (distance, multiplier) in self.distances.iter().zip(&self.multipliers) {
            x[distance.right] += multiplier / inertia[distance.right];
            x[distance.left] -= multiplier / inertia[distance.left];
        }
        for _ in 0..PROJECTIONS {
            for (distance, multiplier) in self.distances.iter().zip(&mut self.multipliers) {
                let (left, right) = (distance.left, distance.right);
                let missing = distance.gap - (x[right] - x[left]);
                let push = (missing / (1.0 / inertia[left] + 1.0 / inertia[right])).max(-*multiplier);
                *multiplier += push;
                x[right] += push / inertia[right];
                x[left] -= push / inertia[left];
            }
        }
        self.x = x;
    }

    /// Half way to the average of the neighbours: going all the way would swing for ever, because
    /// neighbours lie on alternating layers.
    fn proposal(&self, block: usize) -> f64 {
        let pulls = &self.pulls[block];
        if pulls.is_empty() {
            return self.x[block];
        }
        let sum: f64 = pulls.iter().map(|&(other, weight)| weight * self.x[other]).sum();
        (self.x[block] + sum / total_weight(pulls)) / 2.0
    }

    fn round_off(&mut self) {
        for x in &mut self.x {
            *x = (*x * 10.0).round() / 10.0;
        }
    }

    /// Moves blocks on as far as the blocks before them demand.
    fn make_exact(&mut self) {
        let mut after: Vec<Vec<Distance>> = vec![Vec::new(); self.x.len()];
        self.distances.iter().for_each(|distance| after[distance.left].push(*distance));
        for &block in &self.order {
            for distance in &after[block] {
                self.x[distance.right] = self.x[distance.right].max(self.x[block] + distance.gap);
            }
        }
    }
}

/// The weight of a block's pulls; a block without pulls still resists being pushed.
fn total_weight(pulls: &[(usize, f64)]) -> f64 {
    pulls.iter().map(|&(_, weight)| weight).sum::<f64>().max(0.25)
}

fn pulls(graph: &Layered, blocks: &Blocks) -> Vec<Vec<(usize, f64)>> {
    let mut pulls = vec![Vec::new(); blocks.count];
    for (from, item) in graph.items.iter().enumerate() {
        for &to in &item.after {
            let (upper, lower) = (blocks.of[from], blocks.of[to]);
            if upper != lower {
                pulls[upper].push((lower, weight(graph, from, to)));
                pulls[lower].push((upper, weight(graph, from, to)));
            }
        }
    }
    pulls
}

/// The distances neighbours on a layer demand, the largest for each pair of blocks.
fn distances(graph: &Layered, blocks: &Blocks) -> Vec<Distance> {
    let mut distances: Vec<Distance> = Vec::new();
    for layer in &graph.layers {
        for pair in layer.windows(2) {
            let gap = gap(&graph.items[pair[0]], &graph.items[pair[1]]);
            distances.push(Distance { left: blocks.of[pair[0]], right: blocks.of[pair[1]], gap });
        }
    }
    distances.sort_by(|a, b| (a.left, a.right).cmp(&(b.left, b.right)).then(b.gap.total_cmp(&a.gap)));
    distances.dedup_by_key(|distance| (distance.left, distance.right));
    distances
}

/// The distance between the centres of two neighbours, in whole pixels.
fn gap(left: &Item, right: &Item) -> f64 {
    let space = match (left.kind, right.kind) {
        (Kind::Vertex(_), Kind::Vertex(_)) => 22.0,
        (Kind::Vertex(_), _) | (_, Kind::Vertex(_)) => 14.0,
        _ => 9.0,
    };
    (left.cross.after + space + right.cross.before).ceil()
}

fn topological_order(count: usize, distances: &[Distance]) -> Vec<usize> {
    let mut missing = vec![0; count];
    let mut after = vec![Vec::new(); count];
    for distance in distances {
        missing[distance.right] += 1;
        after[distance.left].push(distance.right);
    }
    let mut order: Vec<usize> = (0..count).filter(|&block| missing[block] == 0).collect();
    let mut next = 0;
    while let Some(&block) = order.get(next) {
        next += 1;
        for &right in &after[block] {
            missing[right] -= 1;
            if missing[right] == 0 {
                order.push(right);
            }
        }
    }
    order
}
