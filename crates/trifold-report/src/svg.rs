//! SVG: structures and control-flow graphs as vector drawings.
//!
//! One structure or many are drawn on one *sheet*: panels in rows, each with a heading, the nullary
//! predicates and the graph. The conventions are those of [LevAmi00 §C.1].
//!
//! DIVERGENCE([LevAmi00 §C.1]): summary nodes have a double line instead of a dotted one, so that
//! dots always mean 1/2; nullary predicates are flat diamonds in a row.
//!
//! | seen | means |
//! | --- | --- |
//! | solid, dotted, red | 1, 1/2, 0 |
//! | box with arrow | pointer variable |
//! | double line | summary node |
//! | green, dashed | node that may be absent |
//! | two heads | the same value both ways |
//!
//! The drawing carries its own style, follows the reader's light or dark preference, uses no
//! external fonts, no scripts and no identifiers, so that many of them can stand in one page. Every
//! part has a `<title>` that viewers show as a hint and screen readers read.

mod arrow;
mod panel;
mod structure;
mod style;
mod xml;

use crate::layout::Direction;
use crate::picture::Picture;
use crate::png::NoPng;

pub(crate) use arrow::draw_arrow;
pub(crate) use panel::{Panel, compose};
pub(crate) use structure::rectangle;
pub(crate) use style::page_sheet;
pub use xml::escape as escape_xml;
pub(crate) use xml::{Xml, number, text_block};

/// Colours to draw with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light or dark, as the reader prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// How a sheet is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetOptions {
    /// Which way edges run.
    pub direction: Direction,
    /// Colours.
    pub theme: Theme,
    /// Panels go to a new row beyond this width, in pixels.
    pub max_width: f64,
    /// Whether the colours are part of the drawing. Without them the page must define the classes.
    pub embed_style: bool,
}

impl Default for SheetOptions {
    fn default() -> Self {
        SheetOptions { direction: Direction::Auto, theme: Theme::Auto, max_width: 1100.0, embed_style: true }
    }
}

/// Draws the structures on one sheet. Parallel and opposite edges are merged first.
///
/// ```
/// use trifold_report::{sheet, Picture, SheetOptions};
///
/// let svg = sheet(&[Picture::titled("a < b")], &SheetOptions::default());
/// assert!(svg.contains("a &lt; b"));
/// ```
pub fn sheet(pictures: &[Picture], options: &SheetOptions) -> String {
    let panels: Vec<Panel> = pictures.iter().map(|picture| structure::panel(picture, options.direction)).collect();
    let title = match pictures {
        [Picture { title: Some(title), .. }] => title.clone(),
        [_] => "A structure".to_string(),
        _ => format!("{} structures", pictures.len()),
    };
    compose(&title, &panels, options).finish()
}

/// The same as pixels, in PNG.
///
/// ```
/// use trifold_report::{Picture, SheetOptions};
///
/// match trifold_report::svg::png(&[Picture::titled("a < b")], &SheetOptions::default()) {
///     Ok(png) => assert!(png.starts_with(b"\x89PNG")),
///     Err(why) => println!("{why}"),
/// }
/// ```
pub fn png(pictures: &[Picture], options: &SheetOptions) -> Result<Vec<u8>, NoPng> {
    pixels(&sheet(pictures, options), options.theme)
}

/// A drawing in PNG. Colours are light unless they are to be dark: pixels cannot ask their reader.
pub(crate) fn pixels(svg: &str, theme: Theme) -> Result<Vec<u8>, NoPng> {
    let theme = if theme == Theme::Dark { Theme::Dark } else { Theme::Light };
    crate::png::draw(svg, &style_sheet(theme))
}

/// The style sheet for the given colours, for pages that hold many drawings made without it.
pub fn style_sheet(theme: Theme) -> String {
    style::sheet(theme)
}
