//! Prints a sheet of sample structures, or with the argument `cfg` a control-flow graph.
//!
//! `cargo run -p trifold-report --example gallery [light|dark|cfg|dot] > gallery.svg`, or
//! `[png|dark-png|cfg-png] > gallery.png`

#[path = "../tests/gallery/mod.rs"]
mod gallery;

use std::io::Write;
use trifold_report::{DotOptions, SheetOptions, Theme, cfg, dot, sheet, svg};

fn main() {
    let theme = |theme| SheetOptions { theme, ..SheetOptions::default() };
    let wanted = std::env::args().nth(1);
    let png = match wanted.as_deref() {
        Some("png") => Some(svg::png(&gallery::all(), &theme(Theme::Light))),
        Some("dark-png") => Some(svg::png(&gallery::all(), &theme(Theme::Dark))),
        Some("cfg-png") => Some(cfg::png(&[gallery::reverse_cfg()], &theme(Theme::Light))),
        _ => None,
    };
    if let Some(png) = png {
        std::io::stdout().write_all(&png.expect("it is small")).expect("somebody reads it");
        return;
    }
    let text = match wanted.as_deref() {
        Some("cfg") => gallery::reverse_cfg().to_svg(&theme(Theme::Light)),
        Some("dot") => dot::digraph(&gallery::all(), &DotOptions { rotate: true }),
        Some("light") => sheet(&gallery::all(), &theme(Theme::Light)),
        Some("dark") => sheet(&gallery::all(), &theme(Theme::Dark)),
        _ => sheet(&gallery::all(), &theme(Theme::Auto)),
    };
    println!("{text}");
}
