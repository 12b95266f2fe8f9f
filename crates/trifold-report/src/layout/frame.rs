//! The one place that knows whether edges run to the right or down. For example, a width is an extent along the flow in
//! a picture that runs right, and across it in one that runs down.

use super::drawing::{Point, Rect};
use super::graph::{Direction, Size, Vertex};
use super::outline::{horizontal_reach, vertical_reach};

/// Room on both sides of a centre line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// Towards smaller coordinates.
    pub before: f64,
    /// Towards larger coordinates.
    pub after: f64,
}

impl Extent {
    /// The same room on both sides.
    pub fn symmetric(half: f64) -> Self {
        Extent { before: half, after: half }
    }

    /// The smallest extent that holds both.
    pub fn union(self, other: Extent) -> Self {
        Extent { before: self.before.max(other.before), after: self.after.max(other.after) }
    }
}

/// Translates between x and y and the directions of the layout.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Whether flow is x.
    pub flows_right: bool,
}

impl Frame {
    pub fn new(direction: Direction) -> Self {
        Frame { flows_right: direction != Direction::Down }
    }

    /// The point with these coordinates.
    pub fn point(self, flow: f64, cross: f64) -> Point {
        if self.flows_right { Point { x: flow, y: cross } } else { Point { x: cross, y: flow } }
    }

    /// The rectangle with this centre and these extents.
    pub fn rect(self, flow: f64, cross: f64, size: Size) -> Rect {
        Rect { center: self.point(flow, cross), size }
    }

    /// A size as (flow, cross).
    pub fn split(self, size: Size) -> (f64, f64) {
        if self.flows_right { (size.width, size.height) } else { (size.height, size.width) }
    }

    /// The size with these components.
    pub fn size(self, flow: f64, cross: f64) -> Size {
        if self.flows_right { Size { width: flow, height: cross } } else { Size { width: cross, height: flow } }
    }

    /// The room a vertex takes along the flow and across it.
    pub fn extents(self, vertex: &Vertex) -> (Extent, Extent) {
        let margin = vertex.margin;
        let (width, height) = (vertex.size.width / 2.0, vertex.size.height / 2.0);
        let x = Extent { before: width + margin.left, after: width + margin.right };
        let y = Extent { before: height + margin.top, after: height + margin.bottom };
        if self.flows_right { (x, y) } else { (y, x) }
    }

    /// How far the outline reaches across the flow, `along` from the centre.
    pub fn cross_reach(self, vertex: &Vertex, along: f64) -> f64 {
        let reach = if self.flows_right { vertical_reach } else { horizontal_reach };
        reach(vertex.size, vertex.corner, along)
    }

    /// How far the outline reaches along the flow, `across` from the centre.
    pub fn flow_reach(self, vertex: &Vertex, across: f64) -> f64 {
        let reach = if self.flows_right { horizontal_reach } else { vertical_reach };
        reach(vertex.size, vertex.corner, across)
    }
}
