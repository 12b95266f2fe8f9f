//! The elements of a drawing, painted in order.

use super::font::Fonts;
use super::style::{Style, StyleSheet};
use super::{NoPng, shape};
use roxmltree::{Document, Node};
use tiny_skia::{Color, FillRule, Paint, Path, Pixmap, Transform};

/// Pixels per unit of a drawing: screens have many.
const SCALE: f32 = 2.0;
/// A drawing has at most so many pixels.
const MAX_PIXELS: f32 = 64e6;

/// Draws SVG with this style sheet, whatever its own may be.
///
/// # Panics
/// If the text is no drawing of ours, or the sheet none for it.
pub(crate) fn draw(svg: &str, sheet: &str) -> Result<Vec<u8>, NoPng> {
    let document = Document::parse(svg).expect("drawings are well-formed");
    let root = document.root_element();
    let (width, height) = (shape::number(root, "width"), shape::number(root, "height"));
    let scale = if width * height * SCALE * SCALE <= MAX_PIXELS { SCALE } else { 1.0 };
    if width * height * scale * scale > MAX_PIXELS {
        return Err(NoPng::TooLarge);
    }
    let pixels = |length: f32| ((length * scale).ceil() as u32).max(1);
    let mut pixmap = Pixmap::new(pixels(width), pixels(height)).ok_or(NoPng::TooLarge)?;
    pixmap.fill(Color::WHITE);
    let mut painter = Painter { pixmap, sheet: StyleSheet::new(sheet), fonts: Fonts::new() };
    painter.element(root, &Style::default(), Transform::from_scale(scale, scale));
    painter.pixmap.encode_png().map_err(|_| NoPng::TooLarge)
}

struct Painter<'a> {
    pixmap: Pixmap,
    sheet: StyleSheet<'a>,
    fonts: Fonts,
}

impl Painter<'_> {
    /// Paints an element, and then those in it.
    fn element(&mut self, element: Node, inherited: &Style, outer: Transform) {
        let style = self.sheet.style(element, inherited);
        let transform = outer.pre_concat(shape::shift(element));
        match element.tag_name().name() {
            "text" => self.text(element, &style, transform),
            // What is read to people is not drawn, and the style sheet is known.
            "title" | "desc" | "style" => {}
            _ => {
                if let Some(path) = shape::path(element) {
                    self.path(&path, &style, transform);
                }
                element.children().filter(Node::is_element).for_each(|child| self.element(child, &style, transform));
            }
        }
    }

    /// Paints an area and its outline, or a line.
    fn path(&mut self, path: &Path, style: &Style, transform: Transform) {
        if let Some(fill) = style.fill {
            self.pixmap.fill_path(path, &paint(fill), FillRule::Winding, transform, None);
        }
        if let Some(stroke) = style.stroke {
            self.pixmap.stroke_path(path, &paint(stroke), &style.line, transform, None);
        }
    }

    /// Paints a line of text, whose words may have colours of their own.
    fn text(&mut self, element: Node, style: &Style, transform: Transform) {
        let face = self.fonts.face(style.bold);
        let words = element.descendants().filter(Node::is_text);
        let words: Vec<(Node, &str)> = words.filter_map(|word| Some((word.parent_element()?, word.text()?))).collect();
        let length: f32 = words.iter().map(|(_, text)| face.width(text, style.size)).sum();
        let start = if style.centred { length / 2.0 } else { 0.0 };
        let (mut x, y) = (shape::number(element, "x") - start, shape::number(element, "y"));
        for (parent, text) in words {
            let colour = if parent == element { style.fill } else { self.sheet.style(parent, style).fill };
            if let (Some(colour), Some(path)) = (colour, face.outline(text, style.size, x, y)) {
                self.pixmap.fill_path(&path, &paint(colour), FillRule::Winding, transform, None);
            }
            x += face.width(text, style.size);
        }
    }
}

fn paint(colour: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour);
    paint
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::{Theme, style_sheet};
    use tiny_skia::PremultipliedColorU8;

    /// How dark the drawing of these elements is, from 0 to 1 in each pixel, which is half a unit wide.
    fn drawn(elements: &str) -> (Pixmap, f32) {
        let svg = format!("<svg class='tf' width='40' height='40'>{elements}</svg>");
        let pixmap = Pixmap::decode_png(&draw(&svg, &style_sheet(Theme::Light)).unwrap()).unwrap();
        let dark = |pixel: &PremultipliedColorU8| 1.0 - f32::from(pixel.green()) / 255.0;
        let sum = pixmap.pixels().iter().map(dark).sum();
        (pixmap, sum)
    }

    #[test]
    fn shapes_cover_what_they_measure() {
        // Without classes, areas are black and have no outline.
        let (_, ink) = drawn("<g transform='translate(5 3)'><rect x='1' y='2' width='10' height='5'/></g>");
        assert!((ink - 4.0 * 50.0).abs() < 1.0, "{ink}");
        let (pixmap, ink) = drawn("<circle cx='20' cy='20' r='10'/>");
        assert!((ink - 4.0 * std::f32::consts::PI * 100.0).abs() < 8.0, "{ink}");
        assert_eq!((pixmap.width(), pixmap.height()), (80, 80));
        let (_, ink) = drawn("<path d='M5,5L15,5 15,15Z'/>");
        assert!((ink - 4.0 * 50.0).abs() < 4.0, "{ink}");
        assert_eq!(drawn("<g transform='translate(500 3)'><circle cx='20' cy='20' r='10'/></g>").1, 0.0);
    }

    #[test]
    fn lines_that_are_unknown_are_dotted() {
        let line = |class: &str| drawn(&format!("<g class='edge{class}'><path class='line' d='M2,20L38,20'/></g>")).1;
        let (solid, dotted) = (line(""), line(" unknown"));
        assert!(solid > 100.0 && dotted > 40.0 && dotted < 0.8 * solid, "{solid} {dotted}");
    }

    #[test]
    fn text_is_seen_where_it_stands() {
        let text = |attributes: &str, text: &str| drawn(&format!("<text x='20' y='20' {attributes}>{text}</text>"));
        let (pixmap, ink) = text("", "r[n,x]");
        assert!(ink > 30.0, "{ink}");
        let row = |row: u32| (0..80).any(|x| pixmap.pixel(x, row).is_some_and(|pixel| pixel.green() < 128));
        assert!((22..40).any(row) && !(50..80).any(row) && !(0..16).any(row), "it stands on its line");
        assert!(text("class='name'", "r[n,x]").1 > 1.1 * ink, "names are bold");
        assert!(text("", "\u{fffd}").1 > 5.0 && text("", "中").1 > 5.0, "what has no letter is seen, too");
        let half = text("", "<tspan class='half'>r[n,x]</tspan>").1;
        assert!(half < 0.95 * ink, "{half} {ink}: words have colours of their own");
    }

    #[test]
    fn a_drawing_that_is_too_large_is_refused() {
        assert_eq!(draw("<svg width='9000' height='9000'/>", ""), Err(NoPng::TooLarge));
    }
}
