//! Drawings in the format that their name asks for. For example, `lists.png` is drawn as pixels.

use crate::{Cfg, Direction, DotOptions, NoPng, Picture, SheetOptions, cfg, dot, svg};

/// The format of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawingFormat {
    /// A sheet in SVG.
    Svg,
    /// A sheet as pixels.
    Png,
    /// A graph for Graphviz.
    Dot,
}

impl DrawingFormat {
    /// The format that an extension stands for.
    pub fn of_extension(extension: &str) -> Option<DrawingFormat> {
        match extension {
            "dot" | "gv" => Some(DrawingFormat::Dot),
            "svg" => Some(DrawingFormat::Svg),
            "png" => Some(DrawingFormat::Png),
            _ => None,
        }
    }

    /// Draws pictures, from left to right if they are rotated.
    pub fn pictures(self, pictures: &[Picture], rotate: bool) -> Result<Vec<u8>, NoPng> {
        Ok(match self {
            DrawingFormat::Dot => dot::digraph(pictures, &DotOptions { rotate }).into_bytes(),
            DrawingFormat::Svg => svg::sheet(pictures, &sheet_options(rotate)).into_bytes(),
            DrawingFormat::Png => svg::png(pictures, &sheet_options(rotate))?,
        })
    }

    /// Draws control-flow graphs, from left to right if they are rotated.
    pub fn flow(self, graphs: &[Cfg], rotate: bool) -> Result<Vec<u8>, NoPng> {
        let to_dot = |graph: &Cfg| graph.to_dot(&DotOptions { rotate });
        Ok(match self {
            DrawingFormat::Dot => graphs.iter().map(to_dot).collect::<String>().into_bytes(),
            DrawingFormat::Svg => cfg::sheet(graphs, &sheet_options(rotate)).into_bytes(),
            DrawingFormat::Png => cfg::png(graphs, &sheet_options(rotate))?,
        })
    }
}

fn sheet_options(rotate: bool) -> SheetOptions {
    let direction = if rotate { Direction::Right } else { Direction::Auto };
    SheetOptions { direction, ..SheetOptions::default() }
}
