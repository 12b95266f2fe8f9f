//! Arcs from a vertex to itself: nested arches beside the vertex.
//!
//! They stand on the side of the vertex after it across the flow (below in a picture that runs
//! right, to the right in one that runs down), where no other edge starts or ends.

use super::drawing::{Curve, Route};
use super::frame::{Extent, Frame};
use super::graph::{Graph, Size, Vertex};

/// How far the innermost arch reaches out.
const REACH: f64 = 20.0;
/// How much further each next arch reaches, beyond the label of the one inside it.
const NEXT: f64 = 6.0;
/// Half the distance between the feet of the innermost arch.
const FOOT: f64 = 8.0;
/// Distance between an arch and its label.
const LABEL_GAP: f64 = 3.0;

/// The room a vertex takes along and across the flow, its arches included.
pub fn extents(graph: &Graph, vertex: usize, frame: Frame) -> (Extent, Extent) {
    let (flow, mut cross) = frame.extents(&graph.vertices[vertex]);
    let arches = arches(graph, vertex, frame);
    let half = frame.split(graph.vertices[vertex].size).1 / 2.0;
    if let Some(last) = arches.last() {
        cross.after = cross.after.max(half + last.outer);
    }
    let widest = arches.iter().map(|arch| arch.bulge).fold(0.0, f64::max);
    (flow.union(Extent::symmetric(widest)), cross)
}

/// The routes of the loops at a vertex, with the index of their arcs.
pub fn routes(graph: &Graph, vertex: usize, flow: f64, cross: f64, frame: Frame) -> Vec<(usize, Route)> {
    let arches = arches(graph, vertex, frame);
    let shape = &graph.vertices[vertex];
    arches.iter().map(|arch| (arch.arc, arch.route(shape, flow, cross, frame))).collect()
}

struct Arch {
    arc: usize,
    label: Option<Size>,
    /// Half the distance between its feet.
    foot: f64,
    /// Half its greatest width, label included.
    bulge: f64,
    /// How far it reaches from the outline.
    reach: f64,
    /// How far it reaches with its label.
    outer: f64,
}

fn arches(graph: &Graph, vertex: usize, frame: Frame) -> Vec<Arch> {
    let mut arches: Vec<Arch> = Vec::new();
    let widest_foot = frame.split(graph.vertices[vertex].size).0 * 0.4;
    let loops = graph.arcs.iter().enumerate().filter(|(_, arc)| arc.is_loop() && arc.from == vertex);
    for (index, arc) in loops {
        let (length, depth) = arc.label.map_or((0.0, 0.0), |size| frame.split(size));
        let inner = arches.last();
        let reach = inner.map_or(REACH, |inner| inner.outer + NEXT);
        let foot = inner.map_or(FOOT, |inner| inner.foot + 3.0).min(widest_foot);
        let bulge = inner.map_or(foot * 2.0, |inner| inner.bulge + NEXT).max(length / 2.0);
        let outer = reach + if depth > 0.0 { depth + LABEL_GAP } else { LABEL_GAP };
        arches.push(Arch { arc: index, label: arc.label, foot, bulge, reach, outer });
    }
    arches
}

impl Arch {
    fn route(&self, shape: &Vertex, flow: f64, cross: f64, frame: Frame) -> Route {
        let at = |along: f64, out: f64| frame.point(flow + along, cross + out);
        let foot_out = frame.cross_reach(shape, self.foot);
        let half = frame.split(shape.size).1 / 2.0;
        let top = half + self.reach;
        // A cubic reaches three quarters of the way to its control points.
        let control = foot_out + (top - foot_out) / 0.75;
        let spread = self.foot + (self.bulge - self.foot) / 0.75;
        let curve = Curve { leave: at(-spread, control), arrive: at(spread, control), end: at(self.foot, foot_out) };
        let label = self.label.map(|size| {
            let depth = frame.split(size).1;
            frame.rect(flow, cross + top + LABEL_GAP + depth / 2.0, size)
        });
        Route { start: at(-self.foot, foot_out), curves: vec![curve], label }
    }
}
