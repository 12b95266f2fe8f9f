//! Unfolding [ChangRN07 §4.1]: one step of the run of a checker becomes explicit, at either end of the run. For
//! example, `α.node_list()` becomes two graphs: one where α is null, and one with `α ↦ node{next: β} * β.node_list()`.
//!
//! # Soundness
//! The graphs that come out represent, together, exactly the states of the graph that was unfolded.

use crate::checker::definition::{Call, Checker, Term};
use crate::graph::shape_graph::{Block, Edge, End, Kind, NULL, ShapeGraph, Symbol};
use crate::layout::Layouts;
use std::sync::Arc;
use trifold_ir::Region;

/// The symbols that the terms of a definition stand for.
struct Instance<'c> {
    checker: &'c Checker,
    parts: Vec<Symbol>,
    args: Vec<Symbol>,
    nexts: Vec<Symbol>,
    calls: Vec<Symbol>,
}

impl Instance<'_> {
    fn term(&self, term: Term, graph: &mut ShapeGraph) -> Symbol {
        match term {
            Term::Null => NULL,
            Term::Part(part) => self.parts[part],
            Term::Param(param) => self.args[param],
            Term::Next(next) => self.nexts[next],
            Term::Call(call) => self.calls[call],
            Term::Scalar(interval) => graph.fresh(Kind::Scalar(interval)),
            Term::Wild(wild) => graph.fresh(Kind::Wild(wild)),
            Term::Some => graph.fresh(Kind::Pointer),
        }
    }

    fn terms(&self, terms: &[Term], graph: &mut ShapeGraph) -> Vec<Symbol> {
        terms.iter().map(|term| self.term(*term, graph)).collect()
    }

    /// Adds the block with its own parts of the definition, recursive applications aside.
    fn add(&self, graph: &mut ShapeGraph) {
        let cells = self.terms(&self.checker.cells, graph);
        let (parts, structure) = (self.parts.clone(), self.checker.structure);
        graph.blocks.push(Block { parts, cells, structure, region: Region::Heap, depth: 0 });
        for (Call { checker, args, end, min }, source) in self.checker.calls.iter().zip(&self.calls) {
            let args = self.terms(args, graph);
            let end = end
                .as_ref()
                .map(|(target, args)| End { target: self.term(*target, graph), args: self.terms(args, graph) });
            let length = graph.any_length(checker, end.as_ref(), *min);
            graph.edges.push(Edge { source: *source, args, end, min: *min, length, checker: checker.clone() });
        }
    }

    /// Adds the recursive application of this number, which has no end.
    fn add_complete(&self, next: usize, checker: &Arc<Checker>, graph: &mut ShapeGraph) {
        let args = self.terms(&self.checker.nexts[next], graph);
        let (source, checker) = (self.nexts[next], checker.clone());
        graph.edges.push(Edge { source, args, end: None, min: 0, length: None, checker });
    }
}

impl ShapeGraph {
    fn instance<'c>(&mut self, checker: &'c Checker, layouts: &Layouts, args: Vec<Symbol>) -> Instance<'c> {
        let mut some = |count: usize| -> Vec<Symbol> { (0..count).map(|_| self.fresh(Kind::Pointer)).collect() };
        let parts = some(layouts[checker.structure].parts.len());
        let (nexts, calls) = (some(checker.nexts.len()), some(checker.calls.len()));
        Instance { checker, parts, args, nexts, calls }
    }

    /// The graph with an edge that is empty, if it can be.
    pub fn unfold_empty(&self, number: usize) -> Option<ShapeGraph> {
        let mut graph = self.clone();
        graph.empty(number).and_then(|()| graph.reduce()).ok().map(|()| graph)
    }

    /// The graphs in which the first block of an edge is explicit: one for each way on.
    pub fn unfold_first(&self, number: usize, layouts: &Layouts) -> Vec<ShapeGraph> {
        let mut graph = self.clone();
        let Edge { source, args, end, min, length, checker } = graph.edges.remove(number);
        let mut instance = graph.instance(&checker, layouts, args);
        instance.parts[checker.entry] = source;
        instance.add(&mut graph);
        let Some(end) = end else {
            (0..checker.nexts.len()).for_each(|next| instance.add_complete(next, &checker, &mut graph));
            return graph.reduced();
        };
        let mut graphs = Vec::new();
        for way in 0..checker.nexts.len() {
            let mut graph = graph.clone();
            for next in (0..checker.nexts.len()).filter(|next| *next != way) {
                instance.add_complete(next, &checker, &mut graph);
            }
            let args = instance.terms(&checker.nexts[way], &mut graph);
            let (source, end, checker) = (instance.nexts[way], Some(end.clone()), checker.clone());
            let length = graph.length(&[length], -1);
            graph.edges.push(Edge { source, args, end, min: min.saturating_sub(1), length, checker });
            graphs.extend(graph.reduced());
        }
        graphs
    }

    /// The graphs in which the last block of a segment is explicit: one for each way by which it was come to. The
    /// parameter of its end that names the last block is given.
    pub fn unfold_last(&self, number: usize, param: usize, layouts: &Layouts) -> Vec<ShapeGraph> {
        let mut graph = self.clone();
        let Edge { source, args, end, min, length, checker } = graph.edges.remove(number);
        let (Some(end), Some(part)) = (end, checker.back(param)) else { return Vec::new() };
        let before: Vec<Symbol> = (0..checker.params).map(|_| graph.fresh(Kind::Pointer)).collect();
        let mut instance = graph.instance(&checker, layouts, before.clone());
        instance.parts[part] = end.args[param];
        let target = instance.parts[checker.entry];
        let end_of_rest = Some(End { target, args: before });
        let (min, length) = (min.saturating_sub(1), graph.length(&[length], -1));
        graph.edges.push(Edge { source, args, end: end_of_rest, min, length, checker: checker.clone() });
        let mut graphs = Vec::new();
        for way in 0..checker.nexts.len() {
            let mut graph = graph.clone();
            let own = std::mem::replace(&mut instance.nexts[way], end.target);
            instance.add(&mut graph);
            for next in (0..checker.nexts.len()).filter(|next| *next != way) {
                instance.add_complete(next, &checker, &mut graph);
            }
            let expected = instance.terms(&checker.nexts[way], &mut graph);
            let pairs = expected.into_iter().zip(end.args.clone()).collect();
            if graph.merge_all(pairs).is_ok() {
                graphs.extend(graph.reduced());
            }
            instance.nexts[way] = own;
        }
        graphs
    }

    fn reduced(mut self) -> Vec<ShapeGraph> {
        match self.reduce() {
            Ok(()) => vec![self],
            Err(_) => Vec::new(),
        }
    }
}
