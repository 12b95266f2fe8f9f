//! The consequences of equalities and of separation: which edges are empty, and which graphs represent nothing. For
//! example, if `α.node_list()` and `α ↦ node{…}` are both in a graph, the list must be empty, because regions share
//! nothing; then α is null, which has no block, and the graph represents nothing.

use crate::checker::definition::Wild;
use crate::graph::shape_graph::{Edge, Kind, NULL, ShapeGraph, Symbol};
use trifold_work::listen;

/// A graph that represents no state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Infeasible;

impl ShapeGraph {
    /// Two symbols have the same value; returns the one that stands for both. Call [`ShapeGraph::reduce`] afterwards.
    pub fn merge(&mut self, a: Symbol, b: Symbol) -> Result<Symbol, Infeasible> {
        if a == b {
            return Ok(a);
        }
        let kind = match (self.kind(a), self.kind(b)) {
            (Kind::Pointer, other) | (other, Kind::Pointer) => other,
            (Kind::Null, Kind::Wild(wild)) | (Kind::Wild(wild), Kind::Null) if wild.meet(Wild::NULL).is_some() => {
                Kind::Null
            }
            (Kind::Wild(x), Kind::Wild(y)) => Kind::Wild(x.meet(y).ok_or(Infeasible)?),
            (Kind::Outside(part, of), Kind::Wild(x)) | (Kind::Wild(x), Kind::Outside(part, of)) if x.has(Wild::TOP) => {
                Kind::Outside(part, of)
            }
            (Kind::Scalar(x), Kind::Scalar(y)) if x.0.max(y.0) <= x.1.min(y.1) => {
                Kind::Scalar((x.0.max(y.0), x.1.min(y.1)))
            }
            (Kind::Outside(x, of), Kind::Outside(y, other)) if of == other => Kind::Outside(self.merge(x, y)?, of),
            _ => return Err(Infeasible),
        };
        // Null is the only symbol whose kind is null.
        let keep = if kind == Kind::Null { NULL } else { a.min(b) };
        self.kinds[keep.index()] = kind;
        self.rename(|symbol| if symbol == a || symbol == b { keep } else { symbol });
        Ok(keep)
    }

    /// Takes an edge away that is empty.
    pub fn empty(&mut self, number: usize) -> Result<(), Infeasible> {
        let edge = self.edges.remove(number);
        if edge.min > 0 {
            return Err(Infeasible);
        }
        if let Some(length) = edge.length {
            let none = self.fresh(Kind::Scalar((0, 0)));
            self.merge(length, none)?;
        }
        match edge.end {
            None => self.merge_all(vec![(edge.source, NULL)]),
            Some(end) => {
                let args = edge.args.into_iter().zip(end.args);
                self.merge_all(args.chain([(edge.source, end.target)]).collect())
            }
        }
    }

    /// The symbols of each pair have the same value.
    pub fn merge_all(&mut self, mut pairs: Vec<(Symbol, Symbol)>) -> Result<(), Infeasible> {
        while let Some((a, b)) = pairs.pop() {
            let keep = self.merge(a, b)?;
            let both = pairs.iter_mut().flat_map(|(x, y)| [x, y]);
            both.filter(|symbol| **symbol == a || **symbol == b).for_each(|symbol| *symbol = keep);
        }
        Ok(())
    }

    /// Empties the edges that must be empty, until nothing changes.
    pub fn reduce(&mut self) -> Result<(), Infeasible> {
        loop {
            listen();
            self.tighten()?;
            self.check_blocks()?;
            match self.edges.iter().position(|edge| self.must_be_empty(edge)) {
                Some(number) => self.empty(number)?,
                None => return Ok(()),
            }
        }
    }

    /// Addresses of blocks are pointers, and all different.
    fn check_blocks(&self) -> Result<(), Infeasible> {
        let mut seen = vec![false; self.kinds.len()];
        for symbol in self.blocks.iter().flat_map(|block| &block.parts) {
            let twice = std::mem::replace(&mut seen[symbol.index()], true);
            if twice || self.kind(*symbol) != Kind::Pointer {
                return Err(Infeasible);
            }
        }
        Ok(())
    }

    /// Is one of its addresses no address, or one in another region, or is its length 0?
    fn must_be_empty(&self, edge: &Edge) -> bool {
        let has_none = |length: Symbol| self.kind(length) == Kind::Scalar((0, 0));
        edge.length.is_some_and(has_none)
            || edge.addresses().any(|symbol| {
                let elsewhere = |other: &Edge| {
                    !std::ptr::eq(other, edge) && other.min > 0 && other.addresses().any(|address| address == symbol)
                };
                self.kind(symbol) != Kind::Pointer || self.block(symbol).is_some() || self.edges.iter().any(elsewhere)
            })
    }
}
