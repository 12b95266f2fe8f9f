//! Components next to each other, in rows. For example, three long lists stand below each other, because a row has room
//! for one of them.

use super::components::Component;
use super::drawing::{Drawing, Route};
use super::graph::{Direction, Graph, Size};

/// Space between components.
const GAP: f64 = 20.0;

/// Fills rows with the drawings, in order, and joins them into one drawing of `graph`.
///
/// Pictures that run right are mostly stacked, pictures that run down stand side by side.
pub fn pack(graph: &Graph, parts: Vec<Component>, drawings: Vec<Drawing>, direction: Direction) -> Drawing {
    let area: f64 = drawings.iter().map(|d| (d.size.width + GAP) * (d.size.height + GAP)).sum();
    let widest = drawings.iter().map(|drawing| drawing.size.width).fold(0.0, f64::max);
    let stretch = if direction == Direction::Down { 2.0 } else { 1.4 };
    let limit = (area.sqrt() * stretch).max(widest);

    let mut whole = Drawing {
        size: Size::default(),
        vertices: vec![Default::default(); graph.vertices.len()],
        routes: vec![Route::default(); graph.arcs.len()],
    };
    let (mut x, mut y, mut row) = (0.0, 0.0, 0.0);
    for (part, mut drawing) in parts.into_iter().zip(drawings) {
        let size = drawing.size;
        if x > 0.0 && x + size.width > limit {
            (x, y, row) = (0.0, y + row + GAP, 0.0);
        }
        drawing.shift(x, y);
        whole.size =
            Size { width: whole.size.width.max(x + size.width), height: whole.size.height.max(y + size.height) };
        (x, row) = (x + size.width + GAP, f64::max(row, size.height));
        part.vertices.iter().zip(drawing.vertices).for_each(|(&vertex, point)| whole.vertices[vertex] = point);
        part.arcs.iter().zip(drawing.routes).for_each(|(&arc, route)| whole.routes[arc] = route);
    }
    whole
}
