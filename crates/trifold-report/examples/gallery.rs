//! Prints a sheet of sample structures, or with the argument `cfg` a control-flow graph.
//!
//! `cargo run -p trifold-report --example gallery [light|dark|cfg|dot] > gallery.svg`

#[path = "../tests/gallery/mod.rs"]
mod gallery;

use trifold_report::{DotOptions, SheetOptions, Theme, dot, sheet};

fn main() {
    let theme = |theme| SheetOptions { theme, ..SheetOptions::default() };
    let text = match std::env::args().nth(1).as_deref() {
        Some("cfg") => gallery::reverse_cfg().to_svg(&theme(Theme::Light)),
        Some("dot") => dot::digraph(&gallery::all(), &DotOptions { rotate: true }),
        Some("light") => sheet(&gallery::all(), &theme(Theme::Light)),
        Some("dark") => sheet(&gallery::all(), &theme(Theme::Dark)),
        _ => sheet(&gallery::all(), &theme(Theme::Auto)),
    };
    println!("{text}");
}
