//! Letters as outlines: DejaVu Sans Mono, one of the fonts that the style sheet of drawings names.

use crate::text::width_in_columns;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face as Font, GlyphId, OutlineBuilder};

/// The letters of a drawing, in two weights.
pub struct Fonts {
    regular: Face,
    bold: Face,
}

impl Fonts {
    pub fn new() -> Fonts {
        Fonts { regular: Face::new(dejavu::sans_mono::regular()), bold: Face::new(dejavu::sans_mono::bold()) }
    }

    pub fn face(&self, bold: bool) -> Face {
        if bold { self.bold.clone() } else { self.regular.clone() }
    }
}

/// A font, whose letters are all of the same width.
#[derive(Clone)]
pub struct Face {
    font: Font<'static>,
    /// The width of a column, for a font of size 1.
    column: f32,
}

impl Face {
    /// # Panics
    /// If the bytes are no font.
    fn new(bytes: &'static [u8]) -> Face {
        let font = Font::parse(bytes, 0).expect("the font is whole");
        let column = font.glyph_hor_advance(GlyphId(0)).expect("letters have a width");
        Face { column: f32::from(column) / f32::from(font.units_per_em()), font }
    }

    /// How wide a text is.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        width_in_columns(text) as f32 * self.column * size
    }

    /// The outline of a text that starts at a point; nothing if nothing of it is seen. A letter that the font does not
    /// have is a box.
    pub fn outline(&self, text: &str, size: f32, x: f32, y: f32) -> Option<Path> {
        let scale = size / f32::from(self.font.units_per_em());
        let mut pen = Pen { builder: PathBuilder::new(), scale, x, y };
        for c in text.chars() {
            self.font.outline_glyph(self.font.glyph_index(c).unwrap_or_default(), &mut pen);
            pen.x += self.width(c.encode_utf8(&mut [0; 4]), size);
        }
        pen.builder.finish()
    }
}

/// Draws a letter at a point; the rows of fonts go upwards.
struct Pen {
    builder: PathBuilder,
    scale: f32,
    x: f32,
    y: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_drawings_is_in_the_font() {
        let font = Fonts::new().regular.font;
        for c in ('!'..='~').chain("→←…·×–’≠≤≥¬∧∨∀∃½äöüß\u{fffd}\u{a0}".chars()) {
            assert!(font.glyph_index(c).is_some(), "{c}");
        }
    }

    #[test]
    fn letters_keep_within_their_columns() {
        let Fonts { regular, bold } = Fonts::new();
        assert_eq!(regular.width("ab", 10.0), bold.width("中", 10.0));
        for face in [regular, bold] {
            assert!((0.58..0.62).contains(&face.column), "as the layout assumes");
            let bounds = face.outline("Wg", 10.0, 5.0, 20.0).unwrap().bounds();
            assert!(bounds.left() > 4.9 && bounds.right() < 17.1 && bounds.top() > 11.0 && bounds.bottom() > 20.0);
            assert!(face.outline(" \u{a0}", 10.0, 0.0, 0.0).is_none());
        }
    }
}
