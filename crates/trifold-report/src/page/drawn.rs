//! A picture with its layouts, as short as JSON allows: coordinates are whole pixels, texts are numbers.
//!
//! For example, a mark `sorted` that is 1 is `[7, 2]`, if `sorted` is the name with the number 7.

use crate::layout::{Direction, Point, Rect, Route};
use crate::picture::{Picture, Value};
use crate::scene::{self, Arrow, Scene};
use serde::Serialize;
use std::collections::HashMap;

/// All texts of the pictures, each once.
#[derive(Default)]
pub(super) struct Names {
    /// In the order of their numbers.
    pub list: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Names {
    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        self.list.push(text.to_string());
        self.numbers.insert(text.to_string(), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// A picture for the page. The letters are explained where the page reads them, in `draw.js`.
#[derive(Serialize)]
pub(super) struct Drawn {
    /// Marks: name and value.
    m: Vec<(usize, u8)>,
    /// Nodes: 1 for a summary, 2 for one that may be absent; labels; a name.
    n: Vec<(u8, Vec<usize>, Option<usize>)>,
    /// Boxes: name, and targets with values.
    b: Vec<(usize, Vec<(usize, u8)>)>,
    /// Edges: from, to, name, value.
    e: Vec<(usize, usize, usize, u8)>,
    /// The layout with the predicates that are shown at first.
    l: Placed,
    /// The layout with all labels, if it is another one.
    w: Option<Placed>,
}

/// A layout.
#[derive(Serialize, PartialEq)]
struct Placed {
    /// Width and height.
    s: (i32, i32),
    /// Nodes: centre, width, height.
    n: Vec<(i32, i32, i32, i32)>,
    /// Boxes, likewise.
    b: Vec<(i32, i32, i32, i32)>,
    /// Arrows.
    a: Vec<PlacedArrow>,
}

/// An arrow: its value, with 4 added if it has two heads and 8 if it starts at a box; where it starts and ends; names;
/// the centre of its label; the points of its curve.
#[derive(Serialize, PartialEq)]
struct PlacedArrow(u8, usize, usize, Vec<usize>, Option<(i32, i32)>, Vec<i32>);

impl Drawn {
    /// Lays a picture out, as it is `first` and with `all` labels.
    pub fn new(all: &Picture, first: &Picture, names: &mut Names) -> Drawn {
        let wide = Picture { nodes: all.nodes.clone(), ..first.clone() };
        let l = placed(first, names);
        let w = (wide.nodes != first.nodes).then(|| placed(&wide, names));
        let is_node = |index: usize| index < all.nodes.len();
        let nodes = all.nodes.iter().map(|node| {
            let labels = node.labels.iter().map(|label| names.number(label)).collect();
            let nature = u8::from(node.summary) + 2 * u8::from(node.maybe_active);
            (nature, labels, node.name.as_ref().map(|name| names.number(name)))
        });
        let n = nodes.collect();
        let boxes = all.boxes.iter().map(|pointer| {
            let targets = pointer.targets.iter().filter(|(target, _)| is_node(*target));
            (names.number(&pointer.name), targets.map(|(to, definite)| (*to, if *definite { 2 } else { 1 })).collect())
        });
        let b = boxes.collect();
        let edges = all.edges.iter().filter(|edge| is_node(edge.from) && is_node(edge.to));
        let e = edges.map(|edge| (edge.from, edge.to, names.number(&edge.label), value(edge.value))).collect();
        let m = all.nullary.iter().map(|mark| (names.number(&mark.name), value(mark.value))).collect();
        Drawn { m, n, b, e, l, w }
    }
}

fn value(value: Value) -> u8 {
    match value {
        Value::False => 0,
        Value::Unknown => 1,
        Value::True => 2,
    }
}

fn placed(picture: &Picture, names: &mut Names) -> Placed {
    let merged = picture.clone().merged();
    let Scene { size, nodes, boxes, arrows } = scene::compose(&merged, Direction::Auto);
    Placed {
        s: (size.width.ceil() as i32, size.height.ceil() as i32),
        n: nodes.iter().map(rect).collect(),
        b: boxes.iter().map(rect).collect(),
        a: arrows.iter().map(|arrow| placed_arrow(arrow, names)).collect(),
    }
}

fn rect(rect: &Rect) -> (i32, i32, i32, i32) {
    let Point { x, y } = rounded(rect.center);
    (x as i32, y as i32, rect.size.width.round() as i32, rect.size.height.round() as i32)
}

fn rounded(point: Point) -> Point {
    Point { x: point.x.round(), y: point.y.round() }
}

fn placed_arrow(arrow: &Arrow, names: &mut Names) -> PlacedArrow {
    let text = arrow.label.lines.iter().map(|line| line.join(" ")).collect::<Vec<_>>().join(" ");
    // Merged edges have their names in a row.
    let labels = text.split(", ").filter(|name| !name.is_empty()).map(|name| names.number(name)).collect();
    let center = arrow.route.label.map(|label| rounded(label.center)).map(|at| (at.x as i32, at.y as i32));
    let flags = value(arrow.value) + 4 * u8::from(arrow.both) + 8 * u8::from(arrow.pointer);
    PlacedArrow(flags, arrow.ends.0, arrow.ends.1, labels, center, points(&arrow.route))
}

/// The points of a curve, or just the ends of a straight one.
fn points(route: &Route) -> Vec<i32> {
    let Route { start, curves, .. } = route;
    let all = || std::iter::once(*start).chain(curves.iter().flat_map(|curve| [curve.leave, curve.arrive, curve.end]));
    let is_level = all().all(|point| (point.y - start.y).abs() < 0.5);
    let is_upright = all().all(|point| (point.x - start.x).abs() < 0.5);
    let ends = || std::iter::once(*start).chain(all().last());
    let chosen: Vec<Point> = if is_level || is_upright { ends().collect() } else { all().collect() };
    chosen.into_iter().flat_map(|point| [point.x.round() as i32, point.y.round() as i32]).collect()
}
