//! One structure as a panel: marks in rows, below them the graph.

use super::draw_arrow;
use super::panel::{PADDING, Panel};
use super::xml::{Xml, number, text_block};
use crate::layout::{Direction, Rect, Size};
use crate::picture::{NullaryMark, Picture, PictureNode, Value};
use crate::scene::{self, Scene, corner};
use crate::text::{LINE_HEIGHT, TextBlock, text_width};

/// Height of a nullary mark.
const MARK_HEIGHT: f64 = 22.0;
/// Space between marks.
const MARK_GAP: f64 = 6.0;
/// Marks go to a new row beyond this width, unless the graph is wider.
const MARKS_WIDTH: f64 = 300.0;

/// The text where there is nothing to draw.
const NOTHING: &str = "no objects";

/// The panel of a structure.
pub(super) fn panel(picture: &Picture, direction: Direction) -> Panel {
    let picture = picture.clone().merged();
    let scene = scene::compose(&picture, direction);
    let mut body = Xml::default();
    if picture.nodes.is_empty() && picture.boxes.is_empty() && picture.nullary.is_empty() {
        return empty(&picture);
    }
    let marks = draw_marks(&mut body, &picture.nullary, scene.size.width.max(MARKS_WIDTH));
    let below = if marks.height > 0.0 { marks.height + PADDING } else { 0.0 };
    body.open("g", &[("transform", format!("translate(0 {})", number(below)))]);
    draw_scene(&mut body, &picture, &scene);
    body.close();
    let size = Size { width: scene.size.width.max(marks.width), height: below + scene.size.height };
    Panel { title: picture.title.clone(), description: picture.description(), size, body }
}

/// An empty heap says so: an empty panel would look like a mistake.
fn empty(picture: &Picture) -> Panel {
    let mut body = Xml::default();
    let size = Size { width: text_width(NOTHING), height: LINE_HEIGHT };
    let text = TextBlock { lines: vec![vec![NOTHING.to_string()]] };
    text_block(&mut body, &text, size.width / 2.0, size.height / 2.0, |_, _| "note");
    Panel { title: picture.title.clone(), description: picture.description(), size, body }
}

fn draw_scene(xml: &mut Xml, picture: &Picture, scene: &Scene) {
    for arrow in &scene.arrows {
        draw_arrow(xml, arrow);
    }
    for (pointer, rect) in picture.boxes.iter().zip(&scene.boxes) {
        xml.open("g", &[("class", "pointer".into())]);
        xml.leaf("rect", &rectangle(*rect, 3.0, "shape"));
        let name = TextBlock { lines: vec![vec![pointer.name.clone()]] };
        text_block(xml, &name, rect.center.x, rect.center.y, |_, _| "name");
        xml.close();
    }
    for (index, (node, rect)) in picture.nodes.iter().zip(&scene.nodes).enumerate() {
        draw_node(xml, node, *rect, &picture.describe_node(index, node));
    }
}

fn draw_node(xml: &mut Xml, node: &PictureNode, rect: Rect, hint: &str) {
    xml.open("g", &[("class", if node.maybe_active { "node maybe".into() } else { "node".into() })]);
    xml.text("title", &[], hint);
    xml.leaf("rect", &rectangle(rect, corner(rect.size), "shape"));
    if node.summary {
        let size = Size { width: rect.size.width - 8.0, height: rect.size.height - 8.0 };
        xml.leaf("rect", &rectangle(Rect { size, ..rect }, corner(rect.size) - 4.0, "shape inner"));
    }
    let named = node.name.is_some();
    let class = |line: usize, word: &str| if named && line == 0 { "name" } else { value_class(word) };
    text_block(xml, &scene::node_text(node), rect.center.x, rect.center.y, class);
    xml.close();
}

/// Unary predicates carry their value at the end when it is not 1.
fn value_class(label: &str) -> &'static str {
    match label.rsplit_once('=').map(|(_, value)| value.trim()) {
        Some("1/2") => "half",
        Some("0") => "zero",
        _ => "one",
    }
}

/// The attributes of a rectangle with rounded corners.
pub(crate) fn rectangle(rect: Rect, corner: f64, class: &str) -> [(&'static str, String); 6] {
    [
        ("class", class.to_string()),
        ("x", number(rect.center.x - rect.size.width / 2.0)),
        ("y", number(rect.center.y - rect.size.height / 2.0)),
        ("width", number(rect.size.width)),
        ("height", number(rect.size.height)),
        ("rx", number(corner)),
    ]
}

/// Draws the nullary predicates in rows and returns the room they take.
fn draw_marks(xml: &mut Xml, marks: &[NullaryMark], limit: f64) -> Size {
    let (mut x, mut y, mut width) = (0.0, 0.0, 0.0_f64);
    for mark in marks {
        let length = (text_width(&mark.name) + 26.0).ceil();
        if x > 0.0 && x + length > limit {
            (x, y) = (0.0, y + MARK_HEIGHT + MARK_GAP);
        }
        draw_mark(xml, mark, x, y, length);
        x += length + MARK_GAP;
        width = width.max(x - MARK_GAP);
    }
    Size { width, height: if marks.is_empty() { 0.0 } else { y + MARK_HEIGHT } }
}

/// A diamond, drawn out to hold its name.
fn draw_mark(xml: &mut Xml, mark: &NullaryMark, x: f64, y: f64, length: f64) {
    let class = match mark.value {
        Value::True => "nullary",
        Value::Unknown => "nullary unknown",
        Value::False => "nullary false",
    };
    xml.open("g", &[("class", class.into())]);
    xml.text("title", &[], &format!("{} = {}", mark.name, mark.value.text()));
    let corners = [(0.0, 0.5), (10.0, 0.0), (length - 10.0, 0.0), (length, 0.5), (length - 10.0, 1.0), (10.0, 1.0)];
    let points = corners.map(|(dx, part)| format!("{},{}", number(x + dx), number(y + part * MARK_HEIGHT)));
    xml.leaf("polygon", &[("class", "mark".into()), ("points", points.join(" "))]);
    let name = TextBlock { lines: vec![vec![mark.name.clone()]] };
    text_block(xml, &name, x + length / 2.0, y + MARK_HEIGHT / 2.0, |_, _| "one");
    xml.close();
}
