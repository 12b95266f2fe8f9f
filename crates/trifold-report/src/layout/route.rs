//! From cross coordinates to a drawing: layers get their place along the flow, arcs their lines.
//!
//! For example, a layer with wide vertices takes more room along the flow than one that has only bends.

use super::blocks::Blocks;
use super::drawing::{Drawing, Route};
use super::frame::{Extent, Frame};
use super::graph::Graph;
use super::layers::Layered;
use super::ports::{self, Ports};
use super::self_loop;

/// Space between neighbouring layers.
const LAYER_GAP: f64 = 15.0;
/// Space added per pixel that a segment moves across the flow, and at most.
const SLOPE_GAP: (f64, f64) = (0.22, 44.0);

/// Draws the placed graph.
pub fn draw(graph: &Graph, layered: &Layered, blocks: &Blocks, cross: &[f64], frame: Frame) -> Drawing {
    let room = || layered.items.iter().zip(cross);
    let low = room().map(|(item, cross)| cross - item.cross.before).fold(f64::MAX, f64::min);
    let high = room().map(|(item, cross)| cross + item.cross.after).fold(f64::MIN, f64::max);
    let cross: Vec<f64> = cross.iter().map(|cross| cross - low).collect();
    let ports = ports::distribute(graph, layered, blocks, &cross, frame);
    let plan = Plan { graph, layered, bands: bands(layered, &cross), cross, ports, frame };
    let length = plan.bands.last().map_or(0.0, |band| band.end());
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
pub(super) struct Band {
    /// The line its items are centred on.
    pub center: f64,
    /// The room around it.
    pub room: Extent,
}

impl Band {
    pub fn start(self) -> f64 {
        self.center - self.room.before
    }

    pub fn end(self) -> f64 {
        self.center + self.room.after
    }
}

/// Puts the layers one after the other, further apart where segments are slanted.
fn bands(layered: &Layered, cross: &[f64]) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::new();
    for layer in &layered.layers {
        let room = layer.iter().fold(Extent::default(), |room, &item| room.union(layered.items[item].flow));
        let center = match bands.last() {
            None => room.before,
            Some(last) => last.end() + gap_before(layered, layer, cross) + room.before,
        };
        bands.push(Band { center, room });
    }
    bands
}

fn gap_before(layered: &Layered, layer: &[usize], cross: &[f64]) -> f64 {
    let slants = layer
        .iter()
        .flat_map(|&item| layered.items[item].before.iter().map(move |&other| (cross[item] - cross[other]).abs()));
    let steepest = slants.fold(0.0, f64::max);
    (LAYER_GAP + (steepest * SLOPE_GAP.0).min(SLOPE_GAP.1)).round()
}

/// A graph whose items have their final place.
pub(super) struct Plan<'a> {
    pub graph: &'a Graph,
    pub layered: &'a Layered,
    pub bands: Vec<Band>,
    pub cross: Vec<f64>,
    pub ports: Ports,
    pub frame: Frame,
}

impl Plan<'_> {
    /// The place of an item along the flow.
    pub fn flow(&self, item: usize) -> f64 {
        self.band(item).center
    }

    /// The band of an item's layer.
    pub fn band(&self, item: usize) -> Band {
        self.bands[self.layered.items[item].layer]
    }

    /// The lines of all arcs, with the index of the arc.
    fn routes(&self) -> Vec<(usize, Route)> {
        let mut routes = Vec::with_capacity(self.graph.arcs.len());
        for vertex in 0..self.graph.vertices.len() {
            let (flow, cross) = (self.flow(vertex), self.cross[vertex]);
            routes.extend(self_loop::routes(self.graph, vertex, flow, cross, self.frame));
        }
        for (bundle, contents) in self.layered.bundles.iter().enumerate() {
            for (index, strand) in contents.strands.iter().enumerate() {
                let route = self.strand(bundle, index);
                routes.push((strand.arc, if strand.reversed { route.reversed() } else { route }));
            }
        }
        routes
    }
}
