//! How large nodes and boxes are. For example, a node is as wide as its longest label, and a summary a little wider.

use crate::layout::{Size, Vertex};
use crate::picture::PictureNode;
use crate::text::{TextBlock, text_width};

/// Edge labels are broken beyond this width.
pub(crate) const MAX_LABEL_COLUMNS: usize = 24;

/// The smallest node: a circle of this diameter.
const SMALLEST: f64 = 36.0;
/// Space between text and outline.
const PADDING: Size = Size { width: 22.0, height: 14.0 };
/// The room that the second line of a summary node adds to both extents.
const DOUBLE_LINE: f64 = 8.0;
/// Largest radius of a node's corners.
const CORNER: f64 = 18.0;
/// Height of a pointer box.
const BOX_HEIGHT: f64 = 24.0;

/// The text inside a node.
pub(crate) fn node_text(node: &PictureNode) -> TextBlock {
    let text = TextBlock::packed(&node.labels);
    match &node.name {
        Some(name) => text.with_heading(name.clone()),
        None => text,
    }
}

/// The shape of a node.
pub(crate) fn node_vertex(node: &PictureNode) -> Vertex {
    let text = node_text(node).size();
    let double = if node.summary { DOUBLE_LINE } else { 0.0 };
    let size = Size {
        width: (text.width + PADDING.width).max(SMALLEST).ceil() + double,
        height: (text.height + PADDING.height).max(SMALLEST).ceil() + double,
    };
    Vertex { size, corner: corner(size), ..Vertex::default() }
}

/// The radius of a node's corners: a circle when it is small, a pill when it is flat.
pub(crate) fn corner(size: Size) -> f64 {
    let largest = if size.height > 2.0 * SMALLEST { CORNER } else { CORNER + DOUBLE_LINE / 2.0 };
    largest.min(size.width / 2.0).min(size.height / 2.0)
}

/// The shape of a pointer box.
pub(crate) fn box_vertex(name: &str) -> Vertex {
    Vertex::rectangle((text_width(name) + 16.0).max(BOX_HEIGHT).ceil(), BOX_HEIGHT)
}
