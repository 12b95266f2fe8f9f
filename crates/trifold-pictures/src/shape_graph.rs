//! Shape graphs as pictures: a block is a node, a region that a checker describes is a summary node.
//!
//! A null pointer has no arrow and is a mark, because a variable of which nothing is known has no arrow either. For
//! example, `α ↦ node{next: β} * β.node_list()` is a node with an arrow `next` to a summary node.

use std::collections::BTreeMap;
use trifold_heap_sl::{Cell, Checker, Kind, Layout, Layouts, ShapeGraph, Site, Symbol, Term, Wild};
use trifold_ir::{Program, Region, VarId};
use trifold_report::{Direction, Picture, PictureNode, Value};

/// The picture of a shape graph.
pub fn graph_picture(graph: &ShapeGraph, program: &Program) -> Picture {
    let mut drawing = Drawing { graph, program, layouts: Layouts::new(program), picture: Picture::default() };
    drawing.add_nodes();
    drawing.add_variables();
    drawing.add_cells();
    drawing.add_regions();
    drawing.picture.direction = match &graph.edges[..] {
        [] => Direction::Auto,
        regions if regions.iter().any(|region| region.checker.nexts.len() > 1) => Direction::Down,
        _ => Direction::Right,
    };
    drawing.picture
}

struct Drawing<'a> {
    graph: &'a ShapeGraph,
    program: &'a Program,
    layouts: Layouts,
    picture: Picture,
}

impl Drawing<'_> {
    fn add_nodes(&mut self) {
        for block in &self.graph.blocks {
            let place = match block.region {
                Region::Heap => None,
                Region::Stack => Some("on the stack"),
                Region::Static => Some("in static memory"),
            };
            let name = self.program[block.structure].name.clone();
            let labels = std::iter::once(name).chain(place.map(str::to_string)).collect();
            self.picture.add(PictureNode { labels, ..PictureNode::default() });
        }
        for edge in &self.graph.edges {
            let mut labels = vec![kind(&edge.checker, self.program)];
            labels.extend(self.inner(&edge.checker));
            self.picture.add(PictureNode { labels, summary: true, maybe_active: edge.min == 0, name: None });
        }
    }

    /// The targets of every object of a region, such as the list of each list in a list.
    fn inner(&self, checker: &Checker) -> Vec<String> {
        let layout = &self.layouts[checker.structure];
        let inner = |(cell, term): (&Cell, &Term)| match term {
            Term::Call(call) => {
                let field = field_name(self.program, layout, cell.part, &self.program[cell.field].name);
                Some(format!("{field}: {}", kind(&checker.calls[*call].checker, self.program)))
            }
            _ => None,
        };
        layout.cells.iter().zip(&checker.cells).filter_map(inner).collect()
    }

    /// The node that a symbol is the address of.
    fn node(&self, symbol: Symbol) -> Option<usize> {
        let regions = self.graph.blocks.len();
        match self.graph.site(symbol)? {
            Site::Block(block, _) => Some(block),
            Site::Source(edge) | Site::Last(edge, _) => Some(regions + edge),
        }
    }

    fn add_variables(&mut self) {
        let graph = self.graph;
        let none = String::new();
        let mut all: Vec<(String, &BTreeMap<VarId, Symbol>)> = vec![(none.clone(), &graph.globals)];
        for (depth, frame) in graph.frames.iter().enumerate() {
            let is_current = depth + 1 == graph.frames.len();
            let prefix = if is_current { none.clone() } else { format!("{}.", self.program[frame.procedure].name) };
            all.push((prefix, &frame.values));
        }
        for (prefix, values) in all {
            for (variable, symbol) in values.iter().filter(|(v, _)| self.program[**v].ty.is_pointer()) {
                let name = format!("{prefix}{}", self.program[*variable].name);
                match (self.node(*symbol), self.fate(*symbol)) {
                    (Some(node), _) => self.picture.point(&name, node, true),
                    (None, Some(fate)) => self.picture.mark(format!("{name}: {fate}"), Value::True),
                    (None, None) => {}
                }
            }
        }
    }

    /// The state of a pointer that leads to no object that is drawn.
    fn fate(&self, symbol: Symbol) -> Option<String> {
        let names = [
            (Wild::NULL, "null"),
            (Wild::UNINITIALISED, "no value"),
            (Wild::FREED, "freed"),
            (Wild::FREED_PART, "freed"),
            (Wild::DEAD, "dead"),
            (Wild::TOP, "unknown"),
        ];
        match self.graph.kind(symbol) {
            Kind::Null => Some("null".to_string()),
            Kind::Wild(wild) => {
                let mut all: Vec<&str> =
                    names.iter().filter(|(one, _)| wild.has(*one)).map(|(_, name)| *name).collect();
                all.dedup();
                Some(all.join(" or "))
            }
            _ => None,
        }
    }

    fn add_cells(&mut self) {
        for (number, block) in self.graph.blocks.iter().enumerate() {
            let layout = &self.layouts[block.structure];
            for (cell, symbol) in layout.cells.iter().zip(&block.cells).filter(|(cell, _)| cell.ty.is_pointer()) {
                let field = field_name(self.program, layout, cell.part, &self.program[cell.field].name);
                match (self.node(*symbol), self.fate(*symbol)) {
                    (Some(node), _) => self.picture.link(number, node, field, Value::True),
                    // That a field is null goes without saying.
                    (None, Some(fate)) if fate != "null" => {
                        self.picture.nodes[number].labels.push(format!("{field}: {fate}"));
                    }
                    _ => {}
                }
            }
        }
    }

    /// How the objects of a region lead to each other, and where the region leads.
    fn add_regions(&mut self) {
        for (number, edge) in self.graph.edges.iter().enumerate() {
            let region = self.graph.blocks.len() + number;
            let layout = &self.layouts[edge.checker.structure];
            for (cell, term) in layout.cells.iter().zip(&edge.checker.cells) {
                let field = field_name(self.program, layout, cell.part, &self.program[cell.field].name);
                match term {
                    Term::Next(_) => {
                        self.picture.link(region, region, field.clone(), Value::Unknown);
                        if let Some(target) = edge.end.as_ref().and_then(|end| self.node(end.target)) {
                            self.picture.link(region, target, field, Value::Unknown);
                        }
                    }
                    Term::Param(param) => {
                        // A field that leads back inside of the region leads, at its start, to the parameter's object.
                        if edge.checker.back(*param).is_some() {
                            self.picture.link(region, region, field.clone(), Value::Unknown);
                        }
                        if let Some(target) = edge.args.get(*param).and_then(|symbol| self.node(*symbol))
                            && target != region
                        {
                            self.picture.link(region, target, field, Value::Unknown);
                        }
                    }
                    _ => {}
                }
            }
        }
        self.picture.edges.dedup();
    }
}

/// The kind of region that a checker describes.
fn kind(checker: &Checker, program: &Program) -> String {
    let kind = if checker.nexts.len() > 1 { "tree" } else { "list" };
    format!("{kind} of {}", program[checker.structure].name)
}

/// A field, by way of the structs that it is in.
fn field_name(program: &Program, layout: &Layout, part: usize, field: &str) -> String {
    match layout.parts[part].of {
        Some((of, by)) => field_name(program, layout, of, &format!("{}.{field}", program[by].name)),
        None => field.to_string(),
    }
}
