//! Layered drawing of directed graphs, after Sugiyama, Tagawa and Toda, tuned for heaps.
//!
//! The steps, one file each, applied to every connected component:
//!
//! 1. `orient`: choose which arcs run against the flow, so that the rest is acyclic;
//! 2. `bundle`: gather all arcs between two vertices into one bundle of parallel strands;
//! 3. `rank`: give each vertex a layer;
//! 4. `layers`: cut long bundles into bends, give labels a place of their own;
//! 5. `order`: permute each layer to reduce crossings;
//! 6. `blocks`: decide which runs of items must lie on one straight line (the spine of a list);
//! 7. `place`: put those lines where their neighbours pull them, without overlaps;
//! 8. `ports`: spread the bundles along the sides of their vertices;
//! 9. `route`, `strand`: give layers their place along the flow and draw the strands as curves.
//!
//! Then the components are packed side by side (`pack`).
//!
//! Inside, coordinates are *flow* (the direction edges run) and *cross* (the other one); only
//! `frame` knows which of them is x. Every step is deterministic and works on vectors alone.
//!
//! # Guarantees
//! The rectangles of vertices, margins included, and of labels never overlap, and edges are led around
//! vertices.
//!
//! ```
//! use trifold_report::layout::{layout, Arc, Direction, Graph, Options, Vertex};
//!
//! let mut graph = Graph::default();
//! let a = graph.add(Vertex::rectangle(40.0, 20.0));
//! let b = graph.add(Vertex::rectangle(40.0, 20.0));
//! graph.connect(Arc::new(a, b));
//! let drawing = layout(&graph, &Options { direction: Direction::Right });
//! assert_eq!(drawing.vertices[a].y, drawing.vertices[b].y);
//! assert!(drawing.vertices[a].x < drawing.vertices[b].x);
//! ```

mod blocks;
mod bundle;
mod components;
mod direction;
mod drawing;
mod frame;
mod graph;
mod layers;
mod order;
mod orient;
mod outline;
mod pack;
mod place;
mod ports;
mod rank;
mod route;
mod self_loop;
mod spline;
mod strand;

pub use direction::choose_direction;
pub use drawing::{Curve, Drawing, Point, Rect, Route};
pub use graph::{Arc, Direction, Graph, Margin, Options, Size, Strength, Vertex};
pub use orient::orient;
pub(crate) use outline::{horizontal_reach, vertical_reach};

use frame::Frame;

/// Draws the graph.
pub fn layout(graph: &Graph, options: &Options) -> Drawing {
    let direction = match options.direction {
        Direction::Auto => choose_direction(graph),
        chosen => chosen,
    };
    let frame = Frame::new(direction);
    let parts = components::split(graph);
    let drawings = parts.iter().map(|part| layout_component(&part.graph, frame)).collect();
    pack::pack(graph, parts, drawings, direction)
}

/// Draws a connected graph.
fn layout_component(graph: &Graph, frame: Frame) -> Drawing {
    let reversed = orient(graph);
    let bundles = bundle::gather(graph, &reversed);
    let ranks = rank::rank(graph.vertices.len(), &bundles);
    let mut layered = layers::Layered::new(graph, bundles, &ranks, frame);
    order::reduce_crossings(&mut layered);
    layered.choose_label_sides(frame);
    let blocks = blocks::align(&layered);
    let cross = place::place(&layered, &blocks);
    route::draw(graph, &layered, &blocks, &cross, frame)
}
