//! Panels: drawings with a heading, arranged in rows on a sheet.

use super::xml::{Xml, number};
use super::{SheetOptions, style};
use crate::layout::Size;
use crate::text::{FONT_SIZE, text_width};

/// Space around the contents of a panel, and between panels.
pub(super) const PADDING: f64 = 14.0;
/// Height of the heading with the space below it.
const HEADING: f64 = 24.0;
/// A drawing of its own, placed on a sheet with others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    /// The text above it.
    pub title: Option<String>,
    /// Its content, in words.
    pub description: String,
    /// The extent of its contents.
    pub size: Size,
    /// Its contents, drawn from the origin.
    pub body: Xml,
}

/// Arranges panels in rows and wraps them into a complete drawing.
pub(crate) fn compose(title: &str, panels: &[Panel], options: &SheetOptions) -> Xml {
    let rows = rows(panels, options.max_width);
    let width = rows.iter().map(|row| row.width).fold(0.0, f64::max) + 2.0 * PADDING;
    let height = rows.iter().map(|row| row.height + PADDING).sum::<f64>() + PADDING;
    let mut xml = Xml::default();
    xml.open("svg", &root_attributes(title, width, height));
    xml.text("title", &[], title);
    let descriptions: Vec<&str> = panels.iter().map(|panel| panel.description.as_str()).collect();
    xml.text("desc", &[], &descriptions.join("\n"));
    if options.embed_style {
        xml.raw(&format!("<style>\n{}</style>\n", style::sheet(options.theme)));
    }
    xml.leaf("rect", &[("class", "paper".into()), ("width", number(width)), ("height", number(height))]);
    let mut y = PADDING;
    for row in &rows {
        let mut x = PADDING;
        for panel in &panels[row.panels.clone()] {
            draw_panel(&mut xml, panel, x, y, (panels.len() > 1).then_some(row.height));
            x += outer_size(panel).width + PADDING;
        }
        y += row.height + PADDING;
    }
    xml.close();
    xml
}

fn root_attributes(title: &str, width: f64, height: f64) -> [(&'static str, String); 7] {
    [
        ("xmlns", "http://www.w3.org/2000/svg".to_string()),
        ("class", "tf".to_string()),
        ("width", number(width)),
        ("height", number(height)),
        ("viewBox", format!("0 0 {} {}", number(width), number(height))),
        ("role", "img".to_string()),
        ("aria-label", title.to_string()),
    ]
}

fn draw_panel(xml: &mut Xml, panel: &Panel, x: f64, y: f64, frame: Option<f64>) {
    let outer = outer_size(panel);
    let label = panel.title.clone().unwrap_or_default();
    let place = format!("translate({} {})", number(x), number(y));
    xml.open("g", &[("transform", place), ("role", "group".into()), ("aria-label", label)]);
    if let Some(height) = frame {
        let size = [("width", number(outer.width)), ("height", number(height)), ("rx", "8".to_string())];
        xml.leaf("rect", &[("class", "panel".into()), size[0].clone(), size[1].clone(), size[2].clone()]);
    }
    if let Some(title) = &panel.title {
        let at = [("class", "heading".into()), ("x", number(PADDING)), ("y", number(PADDING + FONT_SIZE))];
        xml.text("text", &at, title);
    }
    let top = PADDING + heading_height(panel);
    xml.open("g", &[("transform", format!("translate({} {})", number(PADDING), number(top)))]);
    xml.append(&panel.body);
    xml.close();
    xml.close();
}

/// Panels side by side.
struct Row {
    panels: std::ops::Range<usize>,
    width: f64,
    height: f64,
}

fn rows(panels: &[Panel], limit: f64) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (index, panel) in panels.iter().enumerate() {
        let size = outer_size(panel);
        match rows.last_mut() {
            Some(row) if row.width + PADDING + size.width <= limit => {
                row.panels.end = index + 1;
                row.width += PADDING + size.width;
                row.height = row.height.max(size.height);
            }
            _ => rows.push(Row { panels: index..index + 1, width: size.width, height: size.height }),
        }
    }
    rows
}

/// A panel's extent with its heading and padding.
fn outer_size(panel: &Panel) -> Size {
    let title = panel.title.as_deref().map_or(0.0, |title| text_width(title) * 1.1);
    Size {
        width: (panel.size.width.max(title) + 2.0 * PADDING).ceil(),
        height: (panel.size.height + heading_height(panel) + 2.0 * PADDING).ceil(),
    }
}

fn heading_height(panel: &Panel) -> f64 {
    if panel.title.is_some() { HEADING } else { 0.0 }
}
