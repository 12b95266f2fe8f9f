//! Folding: regions that belong together become one edge, where nothing else refers to an address between them.
//!
//! [ChangRN07 §4.2] folds two graphs along each other. For structures that are being built there is nothing to go
//! along, so a graph is folded by itself at the heads of loops: two pieces of a list, one after the other, become a
//! segment; a leaf of a tree becomes a complete region. An object that a variable points to stays visible, as a block
//! of its own or as the start of a region.
//!
//! For example, `α ↦ node{next: β}` and `β ↦ node{next: null}` with a variable at α alone become one region
//! at α.

use crate::checker::definition::{Checker, Term, generalise};
use crate::fit::Fitting;
use crate::graph::shape_graph::{Block, Edge, End, Kind, MAX_MIN, NULL, ShapeGraph, Site, Symbol};
use crate::layout::Layouts;
use crate::link_roles::FieldRoles;
use std::sync::Arc;
use trifold_ir::Region;
use trifold_work::listen;

/// Folds everything that can be.
pub(crate) fn fold(mut graph: ShapeGraph, layouts: &Layouts, roles: &FieldRoles) -> ShapeGraph {
    while let Some(folded) = fold_once(&graph, layouts, roles) {
        graph = folded;
    }
    graph
}

/// Folds edges that come one after the other.
pub(crate) fn fold_edges(mut graph: ShapeGraph, layouts: &Layouts, roles: &FieldRoles) -> ShapeGraph {
    loop {
        let folding = Folding::new(&graph, layouts, roles);
        let is_open = |edge: &Edge| edge.end.as_ref().is_some_and(|end| folding.is_between(end.target));
        let edges = graph.edges.iter().enumerate().filter(|(_, edge)| is_open(edge));
        let Some(folded) = edges.into_iter().find_map(|(number, _)| folding.edge_and_edge(number)) else { break };
        graph = folded;
    }
    graph
}

fn fold_once(graph: &ShapeGraph, layouts: &Layouts, roles: &FieldRoles) -> Option<ShapeGraph> {
    let folding = Folding::new(graph, layouts, roles);
    folding.leaf().or_else(|| folding.closed()).or_else(|| folding.chain())
}

struct Folding<'a> {
    graph: &'a ShapeGraph,
    layouts: &'a Layouts,
    roles: &'a FieldRoles,
    /// Symbols that variables hold.
    held: Vec<bool>,
}

impl<'a> Folding<'a> {
    fn new(graph: &'a ShapeGraph, layouts: &'a Layouts, roles: &'a FieldRoles) -> Folding<'a> {
        let mut held = vec![false; graph.kinds.len()];
        graph.for_each_value(&mut |symbol| held[symbol.index()] = true);
        listen();
        Folding { graph, layouts, roles, held }
    }
}

impl Folding<'_> {
    fn fitting(&self) -> Fitting<'_> {
        Fitting::new(self.graph.clone(), self.layouts, self.roles)
    }

    /// A leaf of a tree as a complete region.
    fn leaf(&self) -> Option<ShapeGraph> {
        for block in self.graph.blocks.iter().filter(|block| block.region == Region::Heap) {
            for (entry, source) in block.parts.iter().enumerate().filter(|(_, s)| !self.held[s.index()]) {
                let mut fitting = self.fitting();
                fitting.take_block(*source);
                let derived = fitting.derive_alone(block, entry);
                let candidates = self.candidates(block, entry, derived.into_iter());
                for checker in candidates.into_iter().filter(|checker| checker.nexts.len() > 1) {
                    let mut fitting = fitting.clone();
                    let Some(fit) = fitting.fit(block, &checker, None) else { continue };
                    let (source, checker) = (*source, fit.checker);
                    let edge = Edge { source, args: fit.args, end: None, min: 1, length: None, checker };
                    if let Some(folded) = self.replaced(fitting, edge) {
                        return Some(folded);
                    }
                }
            }
        }
        None
    }

    /// A tree without one of its parts, which is null, as a complete tree.
    fn closed(&self) -> Option<ShapeGraph> {
        let is_closed =
            |edge: &Edge| edge.checker.nexts.len() > 1 && edge.end.as_ref().is_some_and(|end| end.target == NULL);
        let closed = self.graph.edges.iter().enumerate().filter(|(_, edge)| is_closed(edge));
        closed.into_iter().find_map(|(number, _)| {
            let mut fitting = self.fitting();
            let edge = fitting.graph.edges.remove(number);
            fitting.taken.extend(edge.addresses());
            self.replaced(fitting, Edge { end: None, length: None, ..edge })
        })
    }

    /// Checkers that a block may fit: those of regions that are there already if the program gives them, those that
    /// have been derived, and the other ones that are there.
    fn candidates(
        &self,
        block: &Block,
        entry: usize,
        derived: impl Iterator<Item = Arc<Checker>>,
    ) -> Vec<Arc<Checker>> {
        let mut known: Vec<Arc<Checker>> = Vec::new();
        for Edge { checker, .. } in &self.graph.edges {
            if (checker.structure, checker.entry) == (block.structure, entry) && !known.contains(checker) {
                known.push(checker.clone());
            }
        }
        let (given, inferred): (Vec<_>, Vec<_>) = known.into_iter().partition(|checker| self.roles.is_given(checker));
        given.into_iter().chain(derived).chain(inferred).collect()
    }

    /// Two pieces, one after the other, as a segment.
    fn chain(&self) -> Option<ShapeGraph> {
        for block in self.graph.blocks.iter().filter(|block| block.region == Region::Heap) {
            let cells = &self.layouts[block.structure].cells;
            for (cell, middle) in block.cells.iter().enumerate() {
                // A list that is linked both ways has one direction.
                let leads_back = self.roles.leads_back(cells[cell].field) && self.leads_to(*middle, &block.parts);
                if !self.is_between(*middle) || leads_back {
                    continue;
                }
                let folded = self.block_and_block(block.parts[0], cell, *middle);
                if let Some(folded) = folded.or_else(|| self.block_and_edge(block.parts[0], cell, *middle)) {
                    return Some(folded);
                }
            }
        }
        for (number, edge) in self.graph.edges.iter().enumerate() {
            let Some(end) = &edge.end else { continue };
            if self.is_between(end.target) {
                let folded = self.edge_and_block(number).or_else(|| self.edge_and_edge(number));
                if folded.is_some() {
                    return folded;
                }
            }
        }
        None
    }

    /// Can a symbol be one that vanishes inside of a region?
    fn is_between(&self, symbol: Symbol) -> bool {
        symbol != NULL
            && self.graph.kind(symbol) == Kind::Pointer
            && !self.held[symbol.index()]
            && !self.is_held_on_stack(symbol)
    }

    /// Does an object that is not on the heap hold it? The head of a circular list may: the list leads back to it.
    fn is_held_on_stack(&self, symbol: Symbol) -> bool {
        let closes = |head: &Block| match self.graph.site(symbol) {
            Some(Site::Block(number, _)) => self.graph.blocks[number].cells.iter().any(|c| head.parts.contains(c)),
            Some(Site::Source(number)) => {
                self.graph.edges[number].end.as_ref().is_some_and(|end| head.parts.contains(&end.target))
            }
            _ => false,
        };
        let mut outside = self.graph.blocks.iter().filter(|block| block.region != Region::Heap);
        outside.any(|block| block.cells.contains(&symbol) && !closes(block))
    }

    /// Would a block lose something that is known about it, although a variable holds it?
    fn blurs(&self, block: &Block, entry: usize, checker: &Checker) -> bool {
        let loses = |(term, value): (&Term, &Symbol)| matches!(term, Term::Call(_)) && *value == NULL;
        let source = block.parts[entry];
        let is_held = self.held[source.index()] || self.is_held_on_stack(source);
        is_held && checker.cells.iter().zip(&block.cells).any(loses)
    }

    /// Does the block at an address lead on to one of these, or is it part of an edge?
    fn leads_to(&self, address: Symbol, parts: &[Symbol]) -> bool {
        let Some((number, _)) = self.graph.block(address) else { return true };
        let block = &self.graph.blocks[number];
        let cells = block.cells.iter().zip(&self.layouts[block.structure].cells);
        cells.into_iter().any(|(value, cell)| parts.contains(value) && self.roles.leads_on(cell.field))
    }

    fn block_and_block(&self, first: Symbol, link: usize, middle: Symbol) -> Option<ShapeGraph> {
        let mut fitting = self.fitting();
        let (first, _) = fitting.take_block(first)?;
        let (second, entry) = fitting.take_block(middle)?;
        if first.structure != second.structure {
            return None;
        }
        let tree = fitting.derive_alone(&first, entry).filter(|checker| checker.nexts.len() > 1);
        let list = fitting.derive_pair(&first, &second, link, entry);
        for checker in self.candidates(&first, entry, tree.into_iter().chain(list)) {
            let Some(Term::Next(way)) = checker.cells.get(link).copied() else { continue };
            listen();
            for hole in 0..checker.nexts.len() {
                let mut fitting = fitting.clone();
                let Some(second) = fitting.fit(&second, &checker, Some(hole)) else { continue };
                let Some(first_fit) = fitting.fit(&first, &second.checker, Some(way)) else { continue };
                if first_fit.nexts[way] != (middle, second.args) || self.blurs(&first, entry, &first_fit.checker) {
                    continue;
                }
                let (target, args) = second.nexts[hole].clone();
                let edge = Edge {
                    source: first.parts[entry],
                    args: first_fit.args,
                    end: Some(End { target, args }),
                    min: MAX_MIN,
                    length: fitting.graph.length(&[], 2),
                    checker: first_fit.checker,
                };
                if let Some(folded) = self.replaced(fitting, edge) {
                    return Some(folded);
                }
            }
        }
        None
    }

    fn block_and_edge(&self, first: Symbol, link: usize, middle: Symbol) -> Option<ShapeGraph> {
        for (number, edge) in self.graph.edges.iter().enumerate() {
            if edge.source != middle || edge.end.is_none() {
                continue;
            }
            let mut fitting = self.fitting();
            fitting.graph.edges.remove(number);
            fitting.taken.extend(edge.addresses());
            let (first, _) = fitting.take_block(first)?;
            let Some(Term::Next(way)) = edge.checker.cells.get(link).copied() else { continue };
            let Some(fit) = fitting.fit(&first, &edge.checker, Some(way)) else { continue };
            let blurs = self.blurs(&first, edge.checker.entry, &fit.checker);
            if fit.nexts[way] != (middle, edge.args.clone()) || blurs {
                continue;
            }
            let source = first.parts[edge.checker.entry];
            let (min, length) = ((edge.min + 1).min(MAX_MIN), fitting.graph.length(&[edge.length], 1));
            let edge = Edge { source, args: fit.args, end: edge.end.clone(), min, length, checker: fit.checker };
            if let Some(folded) = self.replaced(fitting, edge) {
                return Some(folded);
            }
        }
        None
    }

    fn edge_and_block(&self, number: usize) -> Option<ShapeGraph> {
        for hole in 0..self.graph.edges[number].checker.nexts.len() {
            let mut fitting = self.fitting();
            let edge = fitting.graph.edges.remove(number);
            fitting.taken.extend(edge.addresses());
            let end = edge.end.expect("it is a segment");
            let (block, entry) = fitting.take_block(end.target)?;
            let Some(fit) = fitting.fit(&block, &edge.checker, Some(hole)) else { continue };
            if entry != edge.checker.entry || fit.args != end.args {
                continue;
            }
            let (target, args) = fit.nexts[hole].clone();
            let (min, length) = ((edge.min + 1).min(MAX_MIN), fitting.graph.length(&[edge.length], 1));
            let end = Some(End { target, args });
            let edge = Edge { source: edge.source, args: edge.args, end, min, length, checker: fit.checker };
            if let Some(folded) = self.replaced(fitting, edge) {
                return Some(folded);
            }
        }
        None
    }

    fn edge_and_edge(&self, number: usize) -> Option<ShapeGraph> {
        let first = &self.graph.edges[number];
        let end = first.end.as_ref()?;
        for (other, second) in self.graph.edges.iter().enumerate() {
            if other == number || second.source != end.target || second.args != end.args {
                continue;
            }
            let general = generalise(&first.checker, &second.checker, self.layouts, self.roles.data);
            let Some(checker) = general else { continue };
            let mut fitting = self.fitting();
            fitting.graph.edges.remove(number.max(other));
            fitting.graph.edges.remove(number.min(other));
            fitting.taken.extend(first.addresses().chain(second.addresses()));
            let min = (first.min + second.min).min(MAX_MIN);
            let length = fitting.graph.length(&[first.length, second.length], 0);
            let (source, args) = (first.source, first.args.clone());
            let edge = Edge { source, args, end: second.end.clone(), min, length, checker };
            if let Some(folded) = self.replaced(fitting, edge) {
                return Some(folded);
            }
        }
        None
    }

    /// The graph with an edge in place of the regions that were taken out, unless something else refers to an address
    /// inside of them.
    fn replaced(&self, fitting: Fitting<'_>, edge: Edge) -> Option<ShapeGraph> {
        let Fitting { mut graph, taken, .. } = fitting;
        let mut inside = vec![false; graph.kinds.len()];
        taken.iter().for_each(|symbol| inside[symbol.index()] = true);
        inside[edge.source.index()] = false;
        let mut is_lost = false;
        graph.for_each_value(&mut |symbol| is_lost |= inside[symbol.index()]);
        let ends = edge.end.iter().flat_map(|end| &end.args).chain(&edge.args);
        ends.for_each(|symbol| inside[symbol.index()] = false);
        let mut ways = 0;
        graph.for_each_reference(&mut |symbol| {
            is_lost |= inside[symbol.index()];
            ways += usize::from(symbol == edge.source);
        });
        // A tree is entered in one way.
        is_lost |= edge.end.is_none() && ways > 1;
        graph.edges.push(edge);
        (!is_lost && graph.reduce().is_ok()).then_some(graph)
    }
}
