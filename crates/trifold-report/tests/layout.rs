//! Laws of the layout, on random graphs.

use proptest::prelude::*;
use trifold_report::layout::{
    Arc, Direction, Drawing, Graph, Margin, Options, Point, Rect, Route, Size, Strength, Vertex, layout,
};

fn size(width: std::ops::Range<u8>, height: std::ops::Range<u8>) -> impl Strategy<Value = Size> {
    (width, height).prop_map(|(width, height)| Size { width: width.into(), height: height.into() })
}

fn vertex() -> impl Strategy<Value = Vertex> {
    (size(10..120, 10..90), any::<bool>(), 0..40u8, 0..40u8).prop_map(|(size, round, left, top)| Vertex {
        size,
        corner: if round { size.width.min(size.height) / 2.0 } else { 0.0 },
        margin: Margin { left: left.into(), top: top.into(), ..Margin::default() },
    })
}

fn arc(vertices: usize) -> impl Strategy<Value = Arc> {
    let strength = prop_oneof![Just(Strength::Definite), Just(Strength::Indefinite), Just(Strength::Pointer)];
    (0..vertices, 0..vertices, proptest::option::of(size(5..90, 10..40)), 0..3usize, strength)
        .prop_map(|(from, to, label, class, strength)| Arc { from, to, label, class, strength })
}

/// Graphs with loops, parallel arcs and several components.
fn graph(vertices: usize, arcs: usize) -> impl Strategy<Value = Graph> {
    (1..=vertices).prop_flat_map(move |count| {
        let roots = proptest::collection::vec(0..count, 0..3);
        (proptest::collection::vec(vertex(), count), proptest::collection::vec(arc(count), 0..=arcs), roots)
            .prop_map(|(vertices, arcs, roots)| Graph { vertices, arcs, roots })
    })
}

fn direction() -> impl Strategy<Value = Direction> {
    prop_oneof![Just(Direction::Auto), Just(Direction::Right), Just(Direction::Down)]
}

/// The rectangles that must be disjoint: vertices with their margins, and labels.
fn rectangles(graph: &Graph, drawing: &Drawing) -> Vec<Rect> {
    let vertices = graph.vertices.iter().zip(&drawing.vertices).map(|(vertex, &center)| {
        let Margin { left, right, top, bottom } = vertex.margin;
        let size = Size { width: vertex.size.width + left + right, height: vertex.size.height + top + bottom };
        Rect { center: center.shifted((right - left) / 2.0, (bottom - top) / 2.0), size }
    });
    vertices.chain(drawing.routes.iter().filter_map(|route| route.label)).collect()
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    let apart = 1e-6;
    (a.center.x - b.center.x).abs() + apart < (a.size.width + b.size.width) / 2.0
        && (a.center.y - b.center.y).abs() + apart < (a.size.height + b.size.height) / 2.0
}

fn within(rect: &Rect, size: Size) -> bool {
    let slack = 1e-6;
    rect.center.x - rect.size.width / 2.0 >= -slack
        && rect.center.y - rect.size.height / 2.0 >= -slack
        && rect.center.x + rect.size.width / 2.0 <= size.width + slack
        && rect.center.y + rect.size.height / 2.0 <= size.height + slack
}

/// The distance of a point from the rectangle of a vertex.
fn distance(point: Point, vertex: &Vertex, center: Point) -> f64 {
    let outside = |delta: f64, extent: f64| (delta.abs() - extent / 2.0).max(0.0);
    outside(point.x - center.x, vertex.size.width).max(outside(point.y - center.y, vertex.size.height))
}

fn check(graph: &Graph, direction: Direction) {
    let drawing = layout(graph, &Options { direction });
    assert_eq!(drawing, layout(graph, &Options { direction }), "deterministic");
    let rectangles = rectangles(graph, &drawing);
    for (index, a) in rectangles.iter().enumerate() {
        assert!(within(a, drawing.size), "{a:?} outside {:?}", drawing.size);
        for b in &rectangles[index + 1..] {
            assert!(!overlap(a, b), "{a:?} overlaps {b:?}");
        }
    }
    for (arc, route) in graph.arcs.iter().zip(&drawing.routes) {
        assert_eq!(arc.label.is_some(), route.label.is_some(), "every label has a place");
        for curve in &route.curves {
            for point in [curve.leave, curve.arrive, curve.end] {
                assert!(point.x.is_finite() && point.y.is_finite());
            }
        }
        let end = route.curves.last().expect("a line").end;
        assert!(distance(route.start, &graph.vertices[arc.from], drawing.vertices[arc.from]) < 1.0);
        assert!(distance(end, &graph.vertices[arc.to], drawing.vertices[arc.to]) < 1.0);
    }
}

/// Points along a route.
fn samples(route: &Route) -> Vec<Point> {
    let mut start = route.start;
    let mut points = Vec::new();
    for curve in &route.curves {
        for step in 0..=16 {
            let (t, u) = (f64::from(step) / 16.0, 1.0 - f64::from(step) / 16.0);
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
            };
            points.push(Point {
                x: mix(start.x, curve.leave.x, curve.arrive.x, curve.end.x),
                y: mix(start.y, curve.leave.y, curve.arrive.y, curve.end.y),
            });
        }
        start = curve.end;
    }
    points
}

/// Whether a point lies within the rounded shape of a vertex, by more than a pixel.
fn inside(point: Point, vertex: &Vertex, center: Point) -> bool {
    let corner = vertex.corner;
    let dx = vertex.size.width / 2.0 - (point.x - center.x).abs();
    let dy = vertex.size.height / 2.0 - (point.y - center.y).abs();
    let (x, y) = ((corner - dx).max(0.0), (corner - dy).max(0.0));
    dx > 1.0 && dy > 1.0 && (x * y == 0.0 || x * x + y * y < (corner - 1.0) * (corner - 1.0))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn nothing_overlaps(graph in graph(14, 24), direction in direction()) {
        check(&graph, direction);
    }

    #[test]
    fn dense_graphs_do_not_overlap_either(graph in graph(6, 40), direction in direction()) {
        check(&graph, direction);
    }

    #[test]
    fn edges_are_led_around_vertices(mut graph in graph(12, 20), direction in direction()) {
        for vertex in &mut graph.vertices {
            vertex.corner = (vertex.size.width.min(vertex.size.height) / 2.0).min(18.0);
        }
        let drawing = layout(&graph, &Options { direction });
        for (arc, route) in graph.arcs.iter().zip(&drawing.routes) {
            for (index, vertex) in graph.vertices.iter().enumerate() {
                if index != arc.from && index != arc.to {
                    let center = drawing.vertices[index];
                    prop_assert!(!samples(route).into_iter().any(|point| inside(point, vertex, center)));
                }
            }
        }
    }
}

/// A linear congruential generator: large graphs without shrinking.
fn scattered(vertices: usize, arcs: usize) -> Graph {
    let mut state = 12345_u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    };
    let vertices = vec![Vertex::rectangle(60.0, 36.0); vertices];
    let label = Some(Size { width: 20.0, height: 15.0 });
    let arcs = (0..arcs).map(|_| Arc { label, ..Arc::new(next(vertices.len()), next(vertices.len())) }).collect();
    Graph { vertices, arcs, roots: Vec::new() }
}

#[test]
fn an_empty_graph_is_an_empty_drawing() {
    assert_eq!(layout(&Graph::default(), &Options::default()), Drawing::default());
}

#[test]
fn a_vertex_alone_fills_the_drawing() {
    let graph = Graph { vertices: vec![Vertex::rectangle(30.0, 20.0)], ..Graph::default() };
    let drawing = layout(&graph, &Options::default());
    assert_eq!(drawing.size, Size { width: 30.0, height: 20.0 });
    assert_eq!(drawing.vertices, [Point { x: 15.0, y: 10.0 }]);
}

#[test]
fn two_hundred_vertices_are_laid_out_quickly() {
    let graph = scattered(200, 300);
    let start = std::time::Instant::now();
    layout(&graph, &Options::default());
    let elapsed = start.elapsed();
    check(&graph, Direction::Down);
    println!("200 vertices, 300 arcs: {elapsed:?}");
    assert!(cfg!(debug_assertions) || elapsed.as_millis() < 200, "took {elapsed:?}");
}

#[test]
fn a_long_chain_is_one_straight_line() {
    let vertices = vec![Vertex::rectangle(60.0, 36.0); 200];
    let arcs = (1..200).map(|i| Arc::new(i - 1, i)).collect();
    let drawing = layout(&Graph { vertices, arcs, roots: Vec::new() }, &Options::default());
    assert!(drawing.vertices.iter().all(|vertex| vertex.y == 18.0));
}
