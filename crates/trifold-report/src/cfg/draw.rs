//! Control-flow graphs as SVG, through the same layout as structures.
//!
//! For example, a loop from `n1` over `n2` back to `n1` is drawn downwards, with the edge that leads back at the side.

use super::{Cfg, Location};
use crate::layout::{self, Arc, Direction, Drawing, Graph, Options, Rect, Size, Vertex};
use crate::picture::Value;
use crate::png::NoPng;
use crate::scene::Arrow;
use crate::svg::{self, Panel, SheetOptions, Xml, number, rectangle, text_block};
use crate::text::{LINE_HEIGHT, TextBlock, text_width};

/// Actions are broken beyond this width.
const MAX_ACTION_COLUMNS: usize = 32;
/// Radius of a location's corners.
const CORNER: f64 = 8.0;

impl Cfg {
    /// The graph in SVG. It runs down unless the options say otherwise.
    pub fn to_svg(&self, options: &SheetOptions) -> String {
        sheet(std::slice::from_ref(self), options)
    }

    fn panel(&self, options: &SheetOptions) -> Panel {
        let direction = match options.direction {
            Direction::Auto => Direction::Down,
            chosen => chosen,
        };
        let graph = self.graph();
        let drawing = layout::layout(&graph, &Options { direction });
        let mut body = Xml::default();
        self.draw_edges(&mut body, &drawing);
        for (index, location) in self.locations.iter().enumerate() {
            let place = Rect { center: drawing.vertices[index], size: graph.vertices[index].size };
            draw_location(&mut body, location, place);
        }
        let description = format!("{} locations, {} actions.", self.locations.len(), self.drawn_edges().count());
        Panel { title: self.title.clone(), description, size: drawing.size, body }
    }

    fn graph(&self) -> Graph {
        let vertices = self.locations.iter().map(vertex).collect();
        let arcs = self.drawn_edges().map(|edge| {
            let label = action_text(&edge.action);
            Arc { label: (!label.is_empty()).then(|| label.size()), ..Arc::new(edge.from, edge.to) }
        });
        let roots = (0..self.locations.len().min(1)).collect();
        Graph { vertices, arcs: arcs.collect(), roots }
    }

    fn draw_edges(&self, xml: &mut Xml, drawing: &Drawing) {
        for (edge, route) in self.drawn_edges().zip(&drawing.routes) {
            let (from, to) = (&self.locations[edge.from].name, &self.locations[edge.to].name);
            let arrow = Arrow {
                route: route.clone(),
                value: Value::True,
                both: false,
                pointer: false,
                ends: (edge.from, edge.to),
                label: action_text(&edge.action),
                hint: format!("{from} → {to}: {}", edge.action),
            };
            svg::draw_arrow(xml, &arrow);
        }
    }
}

/// Several graphs on one sheet, such as those of the functions of a program.
pub fn sheet(graphs: &[Cfg], options: &SheetOptions) -> String {
    let panels: Vec<Panel> = graphs.iter().map(|graph| graph.panel(options)).collect();
    let title = match graphs {
        [Cfg { title: Some(title), .. }] => title.clone(),
        [_] => "Control-flow graph".to_string(),
        _ => format!("{} control-flow graphs", graphs.len()),
    };
    svg::compose(&title, &panels, options).finish()
}

/// The same as pixels, in PNG.
pub fn png(graphs: &[Cfg], options: &SheetOptions) -> Result<Vec<u8>, NoPng> {
    svg::pixels(&sheet(graphs, options), options.theme)
}

fn action_text(action: &str) -> TextBlock {
    TextBlock::wrapped(action, MAX_ACTION_COLUMNS)
}

fn vertex(location: &Location) -> Vertex {
    let text = text_width(&location.name).max(location.note.as_deref().map_or(0.0, text_width));
    let lines = 1.0 + f64::from(u8::from(location.note.is_some()));
    let size = Size { width: (text + 24.0).max(44.0).ceil(), height: lines * LINE_HEIGHT + 13.0 };
    Vertex { size, corner: CORNER, ..Vertex::default() }
}

fn draw_location(xml: &mut Xml, location: &Location, place: Rect) {
    if let Some(anchor) = &location.anchor {
        xml.open("a", &[("href", format!("#{anchor}"))]);
    }
    let flagged = if location.flagged { " flagged" } else { "" };
    xml.open("g", &[("class", format!("location{flagged}"))]);
    xml.leaf("rect", &rectangle(place, CORNER, "shape"));
    let lines = std::iter::once(&location.name).chain(&location.note).map(|line| vec![line.clone()]);
    let text = TextBlock { lines: lines.collect() };
    text_block(xml, &text, place.center.x, place.center.y, |line, _| if line == 0 { "name" } else { "note" });
    if location.flagged {
        draw_flag(xml, place);
    }
    xml.close();
    if location.anchor.is_some() {
        xml.close();
    }
}

/// A disc with an exclamation mark on the upper right corner.
fn draw_flag(xml: &mut Xml, place: Rect) {
    let (x, y) = (place.center.x + place.size.width / 2.0 - 2.0, place.center.y - place.size.height / 2.0 + 2.0);
    xml.leaf("circle", &[("class", "flag".into()), ("cx", number(x)), ("cy", number(y)), ("r", "7".into())]);
    let mark = TextBlock { lines: vec![vec!["!".to_string()]] };
    text_block(xml, &mark, x, y, |_, _| "flag-text");
}
