//! Graphs and checkers as text, in the notation of the paper. For example, `α1 ↦ node{next: α2}` is a block,
//! `α2.node_list()` a complete region, and `α2.node_list() *= α3.node_list()` a segment.

use crate::checker::definition::{Call, Checker, Term, Wild};
use crate::graph::layout::{Layout, Layouts};
use crate::graph::shape_graph::Top;
use crate::graph::shape_graph::{Edge, Kind, ShapeGraph, Symbol};
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
        let Edge { source, args, end, min, checker } = edge;
        let _ = write!(text, "{}.{}({})", symbol(*source), name(checker, program), list(args));
        if let Some(end) = end {
            let _ = write!(text, " *= {}.{}({})", symbol(end.target), name(checker, program), list(&end.args));
        }
        let _ = writeln!(text, "{}", if *min == 0 { String::new() } else { format!(" at least {min}") });
    }
    if graph.top != Top::Nothing {
        text.push_str("⊤\n");
    }
    text
}

fn path(program: &Program, layout: &Layout, part: usize, field: &str) -> String {
    match layout.parts[part].of {
        Some((of, by)) => path(program, layout, of, &format!("{}.{field}", program[by].name)),
        None => field.to_string(),
    }
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

fn show_wild(wild: Wild) -> String {
    let names = [
        (Wild::NULL, "null"),
        (Wild::UNINITIALISED, "no value"),
        (Wild::FREED, "freed"),
        (Wild::FREED_PART, "freed part"),
        (Wild::DEAD, "dead"),
        (Wild::TOP, "⊤"),
    ];
    names.iter().filter(|(one, _)| wild.has(*one)).map(|(_, name)| *name).collect::<Vec<_>>().join(" or ")
}

pub(crate) fn name(checker: &Checker, program: &Program) -> String {
    let kind = match checker.nexts.len() {
        0 => "one",
        1 => "list",
        _ => "tree",
    };
    format!("{}_{kind}", program[checker.structure].name)
}

/// A definition.
pub fn show_checker(checker: &Checker, program: &Program) -> String {
    let layout = &Layouts::new(program)[checker.structure];
    let term = |term: &Term| match term {
        Term::Null => "null".to_string(),
        Term::Part(part) if *part == checker.entry => "π".to_string(),
        Term::Part(part) => format!("π{part}"),
        Term::Param(param) => format!("ρ{param}"),
        Term::Next(next) => format!("γ{next}"),
        Term::Call(call) => format!("δ{call}"),
        Term::Scalar(_) => "_".to_string(),
        Term::Wild(wild) => format!("({})", show_wild(*wild)),
        Term::Some => "_".to_string(),
    };
    let terms = |list: &[Term]| list.iter().map(term).collect::<Vec<_>>().join(", ");
    let own = name(checker, program);
    let params: Vec<Term> = (0..checker.params).map(Term::Param).collect();
    let cells = layout.cells.iter().zip(&checker.cells).map(|(cell, value)| {
        format!("{}: {}", path(program, layout, cell.part, &program[cell.field].name), term(value))
    });
    let mut text = format!("π.{own}({}) := emp ∨ π ↦ {{{}}}", terms(&params), cells.collect::<Vec<_>>().join(", "));
    for (next, args) in checker.nexts.iter().enumerate() {
        let _ = write!(text, " * γ{next}.{own}({})", terms(args));
    }
    for (number, Call { checker, args, end, min }) in checker.calls.iter().enumerate() {
        let other = name(checker, program);
        let _ = write!(text, " * δ{number}.{other}({})", terms(args));
        if let Some((target, args)) = end {
            let _ = write!(text, " *= {}.{other}({})", term(target), terms(args));
        }
        if *min > 0 {
            let _ = write!(text, " at least {min}");
        }
    }
    for call in &checker.calls {
        let _ = write!(text, "\n{}", show_checker(&call.checker, program));
    }
    text
}
