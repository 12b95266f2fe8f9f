//! Where bundles meet the sides of vertices.
//!
//! A bundle would like to meet its vertex straight ahead, or a little towards where it comes from. Bundles on the same
//! side keep the order of their neighbours and a distance from each other. The spine of a list keeps its place; the
//! others give way, to the closest places in the sense of least squares that respect the distances (isotonic
//! regression). For example, two bundles that would both like to meet a side at 10, and must be 8 apart, meet it at 6
//! and 14.

use super::blocks::Blocks;
use super::frame::Frame;
use super::graph::Graph;
use super::layers::{Layered, STRAND_GAP};

/// Distance between bundles, if there is room.
const GAP: f64 = 8.0;
/// How far towards its neighbour a bundle leaves.
const SLANT: f64 = 0.3;
/// The part of a side that edges use.
const USED: f64 = 0.58;

/// Where a bundle meets a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Port {
    /// The distance of its middle from the vertex's centre.
    pub place: f64,
    /// The distance between its strands.
    pub gap: f64,
}

impl Port {
    /// The distance of a strand from the vertex's centre.
    pub fn strand(self, index: usize, count: usize) -> f64 {
        self.place + (index as f64 - (count - 1) as f64 / 2.0) * self.gap
    }
}

/// For each bundle, where it meets its tail and its head.
pub struct Ports {
    /// At the tail.
    pub tail: Vec<Port>,
    /// At the head.
    pub head: Vec<Port>,
}

/// Distributes the bundles along the sides of their vertices.
pub fn distribute(graph: &Graph, layered: &Layered, blocks: &Blocks, cross: &[f64], frame: Frame) -> Ports {
    let count = layered.bundles.len();
    let mut ports = Ports { tail: vec![Port::default(); count], head: vec![Port::default(); count] };
    for vertex in 0..graph.vertices.len() {
        let limit = frame.split(graph.vertices[vertex].size).1 / 2.0 * USED;
        let wishes = |end: End| -> Vec<Wish> {
            let bundles = (0..count).filter(|&bundle| end.vertex(layered, bundle) == vertex);
            bundles.map(|bundle| wish(layered, blocks, cross, bundle, end, limit)).collect()
        };
        for (bundle, port) in settle(wishes(End::Tail), limit) {
            ports.tail[bundle] = port;
        }
        for (bundle, port) in settle(wishes(End::Head), limit) {
            ports.head[bundle] = port;
        }
    }
    ports
}

#[derive(Clone, Copy)]
enum End {
    Tail,
    Head,
}

impl End {
    fn vertex(self, layered: &Layered, bundle: usize) -> usize {
        match self {
            End::Tail => layered.bundles[bundle].tail,
            End::Head => layered.bundles[bundle].head,
        }
    }

    /// The item next to the vertex.
    fn neighbour(self, layered: &Layered, bundle: usize) -> usize {
        let chain = &layered.chains[bundle];
        match self {
            End::Tail => chain[1],
            End::Head => chain[chain.len() - 2],
        }
    }
}

/// Where a bundle would like to be, relative to the centre.
struct Wish {
    bundle: usize,
    /// Where its neighbour is: the order on the side.
    from: f64,
    place: f64,
    /// Whether it lies on one line with its vertex.
    straight: bool,
    /// Half its width.
    half: f64,
    /// The distance between its strands.
    gap: f64,
}

fn wish(layered: &Layered, blocks: &Blocks, cross: &[f64], bundle: usize, end: End, limit: f64) -> Wish {
    let (vertex, neighbour) = (end.vertex(layered, bundle), end.neighbour(layered, bundle));
    let ahead = cross[neighbour] - cross[vertex];
    let place = if ahead.abs() <= limit { ahead } else { (ahead * SLANT).clamp(-limit, limit) };
    let straight = blocks.of[vertex] == blocks.of[neighbour];
    let gaps = (layered.bundles[bundle].strands.len() - 1) as f64;
    let gap = STRAND_GAP.min(2.0 * limit / gaps.max(1.0));
    Wish { bundle, from: cross[neighbour], place, straight, half: gaps / 2.0 * gap, gap }
}

/// The places closest to the wishes that keep the distances, within `limit` of the centre.
fn settle(mut wishes: Vec<Wish>, limit: f64) -> Vec<(usize, Port)> {
    wishes.sort_by(|a, b| a.from.total_cmp(&b.from));
    let places = match wishes.iter().position(|wish| wish.straight) {
        None => settle_between(&wishes, -limit, limit),
        Some(spine) => {
            let Wish { place, half, .. } = wishes[spine];
            let (before, after) = (place - half - GAP.min(limit / 3.0), place + half + GAP.min(limit / 3.0));
            let mut places = settle_between(&wishes[..spine], -limit, before);
            places.push(place);
            places.extend(settle_between(&wishes[spine + 1..], after, limit));
            places
        }
    };
    let port = |(wish, place): (&Wish, f64)| {
        let most = (limit - wish.half).max(0.0);
        (wish.bundle, Port { place: place.clamp(-most, most), gap: wish.gap })
    };
    wishes.iter().zip(places).map(port).collect()
}

/// The same within bounds; where these are too narrow, the distances shrink.
fn settle_between(wishes: &[Wish], low: f64, high: f64) -> Vec<f64> {
    let mut starts = vec![0.0];
    for pair in wishes.windows(2) {
        starts.push(starts[starts.len() - 1] + pair[0].half + GAP + pair[1].half);
    }
    let needed = starts[starts.len() - 1];
    let room = (high - low).max(0.0);
    let shrink = if needed > room { room / needed } else { 1.0 };
    let starts: Vec<f64> = starts.iter().map(|start| start * shrink).collect();
    let levels = isotonic(wishes.iter().zip(&starts).map(|(wish, start)| wish.place - start));
    let highest = (high - needed * shrink).max(low);
    levels.iter().zip(&starts).map(|(level, start)| level.clamp(low, highest) + start).collect()
}

/// The non-decreasing sequence closest to the values: neighbours that are out of order are pooled at
/// their average.
fn isotonic(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for value in values {
        pools.push((value, 1));
        while let [.., (left, left_count), (right, right_count)] = pools[..] {
            if left <= right {
                break;
            }
            let count = left_count + right_count;
            let value = (left * left_count as f64 + right * right_count as f64) / count as f64;
            pools.truncate(pools.len() - 2);
            pools.push((value, count));
        }
    }
    pools.into_iter().flat_map(|(value, count)| std::iter::repeat_n(value, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(bundle: usize, from: f64, straight: bool) -> Wish {
        Wish { bundle, from, place: 0.0, straight, half: 0.0, gap: 0.0 }
    }

    fn places(wishes: Vec<Wish>, limit: f64) -> Vec<(usize, f64)> {
        settle(wishes, limit).into_iter().map(|(bundle, port)| (bundle, port.place)).collect()
    }

    #[test]
    fn values_out_of_order_are_pooled() {
        assert_eq!(isotonic([1.0, 3.0, 2.0, 4.0].into_iter()), [1.0, 2.5, 2.5, 4.0]);
    }

    #[test]
    fn ports_keep_their_order_and_stay_on_the_side() {
        let wishes = vec![wish(0, 5.0, false), wish(1, -5.0, false), wish(2, 0.0, false)];
        assert_eq!(places(wishes, 6.0), [(1, -6.0), (2, 0.0), (0, 6.0)]);
    }

    #[test]
    fn the_spine_keeps_its_place() {
        let wishes = vec![wish(0, 0.0, true), wish(1, 9.0, false), wish(2, 10.0, false)];
        assert_eq!(places(wishes, 30.0), [(0, 0.0), (1, 8.0), (2, 16.0)]);
    }
}
