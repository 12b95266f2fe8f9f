//! Shapes: the heap at a program point, as one of the domains describes it. Text and picture are made when they are
//! asked for.

use std::sync::Arc;
use trifold_heap_sl::{ShapeGraph, show_graph};
use trifold_ir::Program;
use trifold_pictures::{graph_picture, heap, picture};
use trifold_report::Picture;
use trifold_structure::Structure;
use trifold_tvl::Specification;
use trifold_tvp::write_structure;

/// The heap at a program point.
#[derive(Clone)]
pub enum Shape {
    /// A three-valued structure over the vocabulary of a specification.
    Structure(Arc<Structure>, Arc<Specification>),
    /// A shape graph over the structs of a program.
    Graph(Arc<ShapeGraph>, Arc<Program>),
}

impl Shape {
    /// For programs: a structure in TVS, or a shape graph in the notation of its paper.
    pub fn text(&self) -> String {
        match self {
            Shape::Structure(structure, specification) => write_structure(structure, &specification.vocabulary),
            Shape::Graph(graph, program) => show_graph(graph, program),
        }
    }

    /// For people: variables, objects and fields, a line each; empty if there are none.
    pub fn outline(&self) -> String {
        match self {
            Shape::Structure(structure, specification) => {
                let core = heap(structure, &specification.vocabulary);
                match core.nodes.is_empty() && core.nullary.is_empty() {
                    true => String::new(),
                    false => core.outline().trim_end().to_string(),
                }
            }
            Shape::Graph(..) => self.text().trim_end().to_string(),
        }
    }

    /// Everything that is known of it, as a picture.
    pub fn picture(&self) -> Picture {
        match self {
            Shape::Structure(structure, specification) => picture(structure, &specification.vocabulary, "", false),
            Shape::Graph(graph, program) => graph_picture(graph, program),
        }
    }
}
