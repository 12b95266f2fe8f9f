//! PNG: the drawings of [`svg`](crate::svg) as pixels, for readers that show no SVG.
//!
//! The SVG itself is drawn, element by element, with the very style sheet that it carries, so that the two cannot
//! differ. Only the elements of our drawings are understood: groups that are shifted, rectangles, paths, polygons,
//! discs and lines of text. Text is set in a [font](font) of strokes, so no font has to be found on the machine, and
//! equal arguments give equal bytes everywhere.
//!
//! ```text
//!  Xml ──► style: which colours and lines ──► path: lines and areas ──► canvas: pixels ──► encode: PNG
//! ```

mod canvas;
mod encode;
mod font;
mod path;
mod style;

use crate::layout::Point;
use crate::svg::{Item, Tag, Theme, Word, Xml, style_sheet};
use crate::text::{WORD_GAP, width_in_columns};
use canvas::Canvas;
use path::Line;
use style::{Style, StyleSheet};

/// Pixels per unit of a drawing: screens have many.
const SCALE: f64 = 2.0;
/// A drawing has at most so many pixels.
const MAX_PIXELS: f64 = 64e6;

/// The drawing has too many pixels for a PNG.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the drawing is too large for PNG; SVG has no such limit")
    }
}

/// Draws SVG. Colours are light unless they are to be dark: pixels cannot ask their reader.
pub(crate) fn draw(xml: &Xml, theme: Theme) -> Result<Vec<u8>, TooLarge> {
    let Some(Item::Open(root)) = xml.items().first() else { return Err(TooLarge) };
    let (width, height) = (number(root, "width"), number(root, "height"));
    let scale = if width * height * SCALE * SCALE <= MAX_PIXELS { SCALE } else { 1.0 };
    if width * height * scale * scale > MAX_PIXELS {
        return Err(TooLarge);
    }
    let canvas = Canvas::new((width * scale).ceil() as usize, (height * scale).ceil() as usize);
    let theme = if theme == Theme::Dark { Theme::Dark } else { Theme::Light };
    let sheet = StyleSheet::new(&style_sheet(theme));
    let mut painter = Painter { canvas, sheet, scale, open: Vec::new() };
    xml.items().iter().for_each(|item| painter.item(item));
    Ok(encode::png(&painter.canvas))
}

/// The elements that are open around the current one.
struct Painter {
    canvas: Canvas,
    sheet: StyleSheet,
    scale: f64,
    open: Vec<Element>,
}

/// An element that others are in.
struct Element {
    name: &'static str,
    classes: String,
    origin: Point,
    style: Style,
}

impl Painter {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Open(tag) => self.enter(tag.name, tag.get("class"), shift(tag.get("transform"))),
            Item::Close => self.leave(),
            Item::Leaf(tag) => {
                self.enter(tag.name, tag.get("class"), Point::default());
                self.shape(tag);
                self.leave();
            }
            // Text for screen readers is not drawn.
            Item::Text(tag, _) if tag.name != "text" => {}
            Item::Text(tag, words) => {
                self.enter(tag.name, tag.get("class"), Point::default());
                self.text(tag, words);
                self.leave();
            }
            // The style sheet is known.
            Item::Raw(_) => {}
        }
    }

    fn enter(&mut self, name: &'static str, classes: &str, by: Point) {
        let (origin, inherited) = match self.open.last() {
            Some(parent) => (parent.origin.shifted(by.x, by.y), parent.style.clone()),
            None => (by, Style::default()),
        };
        self.open.push(Element { name, classes: classes.to_string(), origin, style: Style::default() });
        let chain: Vec<(&str, &str)> = self.open.iter().map(|element| (element.name, &element.classes[..])).collect();
        let style = self.sheet.style(&chain, inherited);
        if let Some(element) = self.open.last_mut() {
            element.style = style;
        }
    }

    fn leave(&mut self) {
        self.open.pop();
    }

    /// Draws an area and its outline, or a line.
    fn shape(&mut self, tag: &Tag) {
        let lines = match tag.name {
            "rect" => vec![path::rectangle(tag)],
            "circle" => vec![path::disc(tag)],
            "polygon" => vec![path::polygon(tag.get("points"))],
            "path" => path::parse(tag.get("d")),
            other => unreachable!("no drawing has an element {other}"),
        };
        let Some(Element { origin, style, .. }) = self.open.last() else { return };
        let lines: Vec<Line> = lines.iter().map(|line| line.placed(*origin, self.scale)).collect();
        if let Some(fill) = style.fill {
            lines.iter().for_each(|line| self.canvas.fill(&line.points, fill));
        }
        if let Some(stroke) = style.stroke {
            let width = style.width * self.scale;
            let dashes = style.dashes.map(|(on, off)| {
                // An end that is not round stops where it is.
                let end = if style.round { 0.0 } else { style.width };
                ((on - end).max(0.0) * self.scale, (off + end) * self.scale)
            });
            let pieces: Vec<Vec<Point>> = lines.iter().flat_map(|line| line.dashed(dashes)).collect();
            self.canvas.stroke(&pieces, width, stroke);
        }
    }

    fn text(&mut self, tag: &Tag, words: &[Word]) {
        let Some(Element { origin, style, .. }) = self.open.last() else { return };
        let (style, at) = (style.clone(), origin.shifted(number(tag, "x"), number(tag, "y")));
        let advance = font::ADVANCE * style.size;
        let gaps = WORD_GAP * words.len().saturating_sub(1);
        let length = words.iter().map(|word| width_in_columns(&word.text)).sum::<usize>() + gaps;
        let mut x = if style.centred { at.x - length as f64 * advance / 2.0 } else { at.x };
        for word in words {
            self.enter("tspan", word.class.unwrap_or_default(), Point::default());
            let colour = self.open.last().and_then(|element| element.style.fill);
            self.leave();
            for c in word.text.chars() {
                let pieces: Vec<Vec<Point>> = font::glyph(c)
                    .into_iter()
                    .map(|stroke| {
                        stroke.into_iter().map(|p| self.device(p.x * style.size + x, p.y * style.size + at.y))
                    })
                    .map(Iterator::collect)
                    .collect();
                if let Some(colour) = colour {
                    self.canvas.stroke(&pieces, font::weight(style.bold) * style.size * self.scale, colour);
                }
                x += width_in_columns(c.encode_utf8(&mut [0; 4])) as f64 * advance;
            }
            x += WORD_GAP as f64 * advance;
        }
    }

    fn device(&self, x: f64, y: f64) -> Point {
        Point { x: x * self.scale, y: y * self.scale }
    }
}

/// The number that an attribute holds; zero if there is none.
fn number(tag: &Tag, name: &str) -> f64 {
    tag.get(name).parse().unwrap_or(0.0)
}

/// By how much `translate(x y)` moves.
fn shift(transform: &str) -> Point {
    let inside = transform.trim_start_matches("translate(").trim_end_matches(')');
    match path::numbers(inside)[..] {
        [x, y] => Point { x, y },
        _ => Point::default(),
    }
}
