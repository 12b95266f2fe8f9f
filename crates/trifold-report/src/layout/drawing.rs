//! The result of a layout: the places of vertices, arcs and labels.

use super::graph::Size;

/// A point; x grows to the right, y grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Horizontal coordinate.
    pub x: f64,
    /// Vertical coordinate.
    pub y: f64,
}

impl Point {
    /// The point moved by the vector `(dx, dy)`.
    pub fn shifted(self, dx: f64, dy: f64) -> Point {
        Point { x: self.x + dx, y: self.y + dy }
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Its centre.
    pub center: Point,
    /// Its extent.
    pub size: Size,
}

/// A cubic Bézier curve; it starts where the one before it ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The control point of the start.
    pub leave: Point,
    /// The control point of the end.
    pub arrive: Point,
    /// The end.
    pub end: Point,
}

/// The line of one arc, from the vertex it leaves to the vertex it enters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Where the line starts, on the outline of a vertex.
    pub start: Point,
    /// The line.
    pub curves: Vec<Curve>,
    /// Where the label goes.
    pub label: Option<Rect>,
}

impl Route {
    /// The same line, walked the other way.
    pub fn reversed(self) -> Route {
        let starts = std::iter::once(self.start).chain(self.curves.iter().map(|curve| curve.end));
        let starts: Vec<Point> = starts.collect();
        let end = *starts.last().unwrap_or(&self.start);
        let back = self.curves.iter().zip(&starts).rev();
        let curves = back.map(|(curve, &start)| Curve { leave: curve.arrive, arrive: curve.leave, end: start });
        Route { start: end, curves: curves.collect(), label: self.label }
    }

    fn shift(&mut self, dx: f64, dy: f64) {
        self.start = self.start.shifted(dx, dy);
        for curve in &mut self.curves {
            curve.leave = curve.leave.shifted(dx, dy);
            curve.arrive = curve.arrive.shifted(dx, dy);
            curve.end = curve.end.shifted(dx, dy);
        }
        if let Some(label) = &mut self.label {
            label.center = label.center.shifted(dx, dy);
        }
    }

    fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let curves = self.curves.iter().flat_map(|curve| [curve.leave, curve.arrive, curve.end]);
        std::iter::once(self.start).chain(curves)
    }
}

/// A graph with coordinates; everything lies between the origin and `size`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// The extent of the whole.
    pub size: Size,
    /// The centres of the vertices.
    pub vertices: Vec<Point>,
    /// The lines of the arcs.
    pub routes: Vec<Route>,
}

impl Drawing {
    /// Moves everything.
    pub fn shift(&mut self, dx: f64, dy: f64) {
        for vertex in &mut self.vertices {
            *vertex = vertex.shifted(dx, dy);
        }
        for route in &mut self.routes {
            route.shift(dx, dy);
        }
    }

    /// Grows `size` so that routes and labels fit, and shifts the drawing so that no part lies before the origin.
    pub fn fit(&mut self) {
        let (mut low, mut high) = (Point::default(), Point { x: self.size.width, y: self.size.height });
        let mut include = |point: Point| {
            low = Point { x: low.x.min(point.x), y: low.y.min(point.y) };
            high = Point { x: high.x.max(point.x), y: high.y.max(point.y) };
        };
        for route in &self.routes {
            route.points().for_each(&mut include);
            if let Some(label) = route.label {
                let (dx, dy) = (label.size.width / 2.0, label.size.height / 2.0);
                include(label.center.shifted(-dx, -dy));
                include(label.center.shifted(dx, dy));
            }
        }
        self.size = Size { width: high.x - low.x, height: high.y - low.y };
        self.shift(-low.x, -low.y);
    }
}
