//! From cross coordinates to a drawing: layers get their place along the flow, strands their curves.

use super::drawing::{Curve, Drawing, Route};
use super::frame::{Extent, Frame};
use super::graph::Graph;
use super::layers::{Item, Kind, Layered};
use super::self_loop;
use super::spline;

/// Space between neighbouring layers.
const LAYER_GAP: f64 = 15.0;
/// Space added per pixel that a segment moves across the flow, and at most.
const SLOPE_GAP: (f64, f64) = (0.16, 36.0);
/// How far along a vertex's side, towards where it leads, an edge leaves; and at most.
const PORT: (f64, f64) = (0.3, 0.55);

/// Draws the placed graph.
pub fn draw(graph: &Graph, layered: &Layered, cross: &[f64], frame: Frame) -> Drawing {
    let bands = bands(layered, cross);
    let low = layered.items.iter().zip(cross).map(|(item, cross)| cross - item.cross.before).fold(f64::MAX, f64::min);
    let high = layered.items.iter().zip(cross).map(|(item, cross)| cross + item.cross.after).fold(f64::MIN, f64::max);
    let plan = Plan { graph, layered, bands, cross: cross.iter().map(|cross| cross - low).collect(), frame };
    let length = plan.bands.last().map_or(0.0, |band| band.center + band.room.after);
    let mut drawing = Drawing {
        size: frame.size(length, high - low),
        vertices: (0..graph.vertices.len()).map(|v| frame.point(plan.flow(v), plan.cross[v])).collect(),
        routes: vec![Route::default(); graph.arcs.len()],
    };
    plan.routes().into_iter().for_each(|(arc, route)| drawing.routes[arc] = route);
    drawing.fit();
    drawing
}

/// The stretch of the flow a layer occupies.
#[derive(Clone, Copy)]
struct Band {
    center: f64,
    room: Extent,
}

/// Puts the layers one after the other, further apart where segments are slanted.
fn bands(layered: &Layered, cross: &[f64]) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::new();
    for layer in &layered.layers {
        let room = layer.iter().fold(Extent::default(), |room, &item| room.union(layered.items[item].flow));
        let center = match bands.last() {
            None => room.before,
            Some(last) => last.center + last.room.after + gap_before(layered, layer, cross) + room.before,
        };
        bands.push(Band { center, room });
    }
    bands
}

fn gap_before(layered: &Layered, layer: &[usize], cross: &[f64]) -> f64 {
    let slants = layer.iter().flat_map(|&item| {
        layered.items[item].before.iter().map(move |&other| (cross[item] - cross[other]).abs())
    });
    let steepest = slants.fold(0.0, f64::max);
    (LAYER_GAP + (steepest * SLOPE_GAP.0).min(SLOPE_GAP.1)).round()
}

struct Plan<'a> {
    graph: &'a Graph,
    layered: &'a Layered,
    bands: Vec<Band>,
    cross: Vec<f64>,
    frame: Frame,
}

impl Plan<'_> {
    fn flow(&self, item: usize) -> f64 {
        self.band(item).center
    }

    fn band(&self, item: usize) -> Band {
        self.bands[self.layered.items[item].layer]
    }

    fn routes(&self) -> Vec<(usize, Route)> {
        let mut routes = Vec::with_capacity(self.graph.arcs.len());
        for vertex in 0..self.graph.vertices.len() {
            let (flow, cross) = (self.flow(vertex), self.cross[vertex]);
            routes.extend(self_loop::routes(self.graph, vertex, flow, cross, self.frame));
        }
        for (bundle, chain) in self.layered.bundles.iter().zip(&self.layered.chains) {
            for (index, strand) in bundle.strands.iter().enumerate() {
                let route = self.strand(chain, index);
                routes.push((strand.arc, if strand.reversed { route.reversed() } else { route }));
            }
        }
        routes
    }

    /// The curve of one strand from the tail of its bundle to the head.
    fn strand(&self, chain: &[usize], index: usize) -> Route {
        let inner = &chain[1..chain.len() - 1];
        let (tail, head) = (chain[0], chain[chain.len() - 1]);
        let (first, last) = (self.line(inner[0], index), self.line(inner[inner.len() - 1], index));

        let mut points = self.leave(tail, self.port(tail, inner[0], index, first));
        for &item in inner {
            let band = self.band(item);
            points.push((band.center - band.room.before, self.line(item, index)));
            points.push((band.center + band.room.after, self.line(item, index)));
        }
        points.extend(self.enter(head, self.port(head, inner[inner.len() - 1], index, last)));
        points.dedup_by(|next, point| next.0 - point.0 < 0.5);
        let label = inner.iter().find_map(|&item| self.label(item, index));
        self.to_route(&points, label)
    }

    fn to_route(&self, points: &[spline::FlowPoint], label: Option<super::Rect>) -> Route {
        let point = |(flow, cross): spline::FlowPoint| self.frame.point(flow, cross);
        let curves = spline::through(points).into_iter().map(|[leave, arrive, end]| Curve {
            leave: point(leave),
            arrive: point(arrive),
            end: point(end),
        });
        Route { start: point(points[0]), curves: curves.collect(), label }
    }

    /// Where a strand passes an item across the flow.
    fn line(&self, item: usize, index: usize) -> f64 {
        self.cross[item] + self.layered.items[item].strands[index].line
    }

    fn label(&self, item: usize, index: usize) -> Option<super::Rect> {
        let Item { kind: Kind::Label(_), strands, .. } = &self.layered.items[item] else { return None };
        let (offset, size) = strands[index].label?;
        Some(self.frame.rect(self.flow(item), self.cross[item] + offset, size))
    }

    /// Where a strand meets the side of a vertex: a little towards where it leads.
    fn port(&self, vertex: usize, neighbour: usize, index: usize, towards: f64) -> f64 {
        let half = self.frame.split(self.graph.vertices[vertex].size).1 / 2.0;
        let slant = (self.cross[neighbour] - self.cross[vertex]) * PORT.0;
        let strand = self.layered.items[neighbour].strands[index].line;
        let straight = (towards - self.cross[vertex]).abs() <= half * PORT.1;
        let offset = if straight { towards - self.cross[vertex] } else { slant + strand };
        self.cross[vertex] + offset.clamp(-half * PORT.1, half * PORT.1)
    }

    /// From the outline of a vertex to the end of its band.
    fn leave(&self, vertex: usize, port: f64) -> Vec<spline::FlowPoint> {
        let band = self.band(vertex);
        vec![(band.center + self.side(vertex, port), port), (band.center + band.room.after, port)]
    }

    /// From the start of a vertex's band to its outline.
    fn enter(&self, vertex: usize, port: f64) -> Vec<spline::FlowPoint> {
        let band = self.band(vertex);
        vec![(band.center - band.room.before, port), (band.center - self.side(vertex, port), port)]
    }

    fn side(&self, vertex: usize, port: f64) -> f64 {
        self.frame.flow_reach(&self.graph.vertices[vertex], port - self.cross[vertex])
    }
}
