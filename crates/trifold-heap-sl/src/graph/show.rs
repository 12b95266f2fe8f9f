//! Graphs as text, in the notation of the paper. For example, `α1 ↦ node{next: α2}` is a block,
//! `α2.node_list()` a complete region, and `α2.node_list() *= α3.node_list()` a segment.

use crate::checker::show::{name, path, show_wild};
use crate::graph::equalities::Equality;
use crate::graph::shape_graph::{Edge, Kind, ShapeGraph, Symbol, Top};
use crate::layout::Layouts;
use std::fmt::Write;
use trifold_ir::{Program, Region};

/// A graph, one region in a line.
pub fn show_graph(graph: &ShapeGraph, program: &Program) -> String {
    let layouts = Layouts::new(program);
    let mut text = String::new();
    let symbol = |symbol: Symbol| show_symbol(graph, program, symbol);
    let list = |symbols: &[Symbol]| symbols.iter().map(|s| symbol(*s)).collect::<Vec<_>>().join(", ");
    let frames = graph.frames.iter().map(|frame| &frame.values);
    let values = std::iter::once(&graph.globals).chain(frames).flatten();
    let outside = graph.outside.iter().enumerate().map(|(number, s)| format!("outside {number} = {}", symbol(*s)));
    let values: Vec<String> =
        values.map(|(v, s)| format!("{} = {}", program[*v].name, symbol(*s))).chain(outside).collect();
    let _ = writeln!(text, "{}", values.join(", "));
    for block in &graph.blocks {
        let layout = &layouts[block.structure];
        let cells = layout.cells.iter().zip(&block.cells).map(|(cell, value)| {
            format!("{}: {}", path(program, layout, cell.part, &program[cell.field].name), symbol(*value))
        });
        let place = match block.region {
            Region::Heap => "",
            Region::Stack => " on the stack",
            Region::Static => " in static memory",
        };
        let cells = cells.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "{} ↦ {}{{{cells}}}{place}", list(&block.parts), program[block.structure].name);
    }
    for edge in &graph.edges {
        let Edge { source, args, end, min, length, checker } = edge;
        let _ = write!(text, "{}.{}({})", symbol(*source), name(checker, program), list(args));
        if let Some(end) = end {
            let _ = write!(text, " *= {}.{}({})", symbol(end.target), name(checker, program), list(&end.args));
        }
        let least = if *min == 0 { String::new() } else { format!(" at least {min}") };
        let _ = writeln!(text, "{}", length.map_or(least, |length| format!(" of length {}", symbol(length))));
    }
    let is_open = |symbol: Symbol| matches!(graph.kind(symbol), Kind::Scalar((low, high)) if low < high);
    for (a, b, bound) in graph.relations.bounds().filter(|(a, b, _)| is_open(*a) && is_open(*b)) {
        let _ = writeln!(text, "ν{} - ν{} ≤ {bound}", a.0, b.0);
    }
    for Equality { terms, constant } in graph.relations.equalities().iter() {
        let term = |(symbol, count): (&u32, &i128)| format!("{count} ν{symbol}");
        let _ = writeln!(text, "{} = {constant}", terms.iter().map(term).collect::<Vec<_>>().join(" + "));
    }
    if graph.top != Top::Nothing {
        text.push_str("⊤\n");
    }
    text
}

fn show_symbol(graph: &ShapeGraph, program: &Program, symbol: Symbol) -> String {
    match graph.kind(symbol) {
        Kind::Null => "null".to_string(),
        Kind::Pointer => format!("α{}", symbol.0),
        Kind::Scalar((low, high)) if low == high => low.to_string(),
        Kind::Scalar((low, high)) => format!("ν{} in {low}..{high}", symbol.0),
        Kind::Outside(part, field) => {
            format!("outside({}, {})", show_symbol(graph, program, part), program[field].name)
        }
        Kind::Wild(wild) => format!("ω{} ({})", symbol.0, show_wild(wild)),
    }
}
