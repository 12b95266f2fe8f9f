//! Which regions the variables lead to; the others are lost. For example, after `x = null` the block that only `x`
//! pointed to is lost.
//!
//! # Soundness
//! A region counts as reached only if every block in it is, whichever of the represented states it is. So everything
//! that is lost is among the regions that are not reached.

use crate::graph::shape_graph::{Edge, Kind, ShapeGraph, Symbol};
use trifold_ir::Region;
use trifold_work::listen;

/// Which regions are reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    /// By number of the block.
    pub blocks: Vec<bool>,
    /// By number of the edge.
    pub edges: Vec<bool>,
    symbols: Vec<bool>,
    open: Vec<Symbol>,
}

impl Reached {
    /// Is everything on the heap reached?
    pub fn is_all(&self) -> bool {
        self.blocks.iter().chain(&self.edges).all(|reached| *reached)
    }

    /// Does something lead to an address?
    pub fn is_reached(&self, symbol: Symbol) -> bool {
        self.symbols[symbol.index()]
    }

    fn symbol(&mut self, symbol: Symbol) {
        if !std::mem::replace(&mut self.symbols[symbol.index()], true) {
            self.open.push(symbol);
        }
    }

    fn block(&mut self, graph: &ShapeGraph, number: usize) {
        if !std::mem::replace(&mut self.blocks[number], true) {
            let block = &graph.blocks[number];
            block.parts.iter().chain(&block.cells).for_each(|symbol| self.symbol(*symbol));
        }
    }

    /// An edge is reached from its start, or from its end by the pointers that lead back.
    fn edge(&mut self, edge: &Edge, number: usize, from: Symbol) {
        self.edges[number] = true;
        // Coming from the start, it ends at its target even if it is empty.
        if edge.min > 0 || from == edge.source {
            edge.end.iter().for_each(|end| self.symbol(end.target));
        }
        if edge.min > 0 {
            edge.addresses().for_each(|symbol| self.symbol(symbol));
            let stored = edge.args.iter().enumerate().filter(|(param, _)| edge.checker.stores(*param));
            stored.for_each(|(_, symbol)| self.symbol(*symbol));
        }
    }
}

/// Do all blocks of a segment lead back to the one before, from any part to the start?
fn leads_back(edge: &Edge) -> bool {
    let checker = &edge.checker;
    (0..checker.params).any(|param| checker.back(param).is_some() && checker.stores(param))
}

impl ShapeGraph {
    /// The regions that variables, the stack and static memory lead to, and those that `more` does.
    pub fn reached(&self, more: &[Symbol]) -> Reached {
        let (blocks, edges) = (vec![false; self.blocks.len()], vec![false; self.edges.len()]);
        let mut reached = Reached { blocks, edges, symbols: vec![false; self.kinds.len()], open: Vec::new() };
        self.for_each_value(&mut |symbol| reached.symbol(symbol));
        more.iter().for_each(|symbol| reached.symbol(*symbol));
        for (number, block) in self.blocks.iter().enumerate() {
            if block.region != Region::Heap {
                reached.block(self, number);
            }
        }
        while let Some(symbol) = reached.open.pop() {
            listen();
            if let Kind::Outside(part, _) = self.kind(symbol) {
                reached.symbol(part);
            }
            if let Some((block, _)) = self.block(symbol) {
                reached.block(self, block);
            }
            for (number, edge) in self.edges.iter().enumerate() {
                let is_last = leads_back(edge) && edge.addresses().skip(1).any(|last| last == symbol);
                if edge.source == symbol || is_last {
                    reached.edge(edge, number, symbol);
                }
            }
        }
        reached
    }

    /// Takes away the regions that are not reached. Were there any, and for sure?
    pub fn take_lost(&mut self, reached: &Reached) -> Option<bool> {
        if reached.is_all() {
            return None;
        }
        let certain = reached.blocks.contains(&false)
            || self.edges.iter().zip(&reached.edges).any(|(edge, reached)| !reached && edge.min > 0);
        let mut keep = reached.blocks.iter();
        self.blocks.retain(|_| *keep.next().expect("one for each"));
        let mut keep = reached.edges.iter();
        self.edges.retain(|_| *keep.next().expect("one for each"));
        Some(certain)
    }

    /// The symbols that anything refers to, in the order in which they are come to from the variables.
    pub fn order(&self) -> Vec<Symbol> {
        let mut order: Vec<Symbol> = vec![crate::graph::shape_graph::NULL];
        let mut seen = vec![false; self.kinds.len()];
        seen[0] = true;
        let mut roots = Vec::new();
        self.for_each_value(&mut |symbol| roots.push(symbol));
        for block in self.blocks.iter().filter(|block| block.region != Region::Heap) {
            roots.extend(&block.parts);
        }
        self.blocks.iter().for_each(|block| roots.extend(&block.parts));
        self.edges.iter().for_each(|edge| roots.push(edge.source));
        for root in roots {
            let mut next = order.len();
            let add = |symbol: Symbol, order: &mut Vec<Symbol>, seen: &mut Vec<bool>| {
                if !std::mem::replace(&mut seen[symbol.index()], true) {
                    order.push(symbol);
                }
            };
            add(root, &mut order, &mut seen);
            while next < order.len() {
                let symbol = order[next];
                next += 1;
                if let Kind::Outside(part, _) = self.kind(symbol) {
                    add(part, &mut order, &mut seen);
                }
                if let Some((block, _)) = self.block(symbol) {
                    let block = &self.blocks[block];
                    block.parts.iter().chain(&block.cells).for_each(|s| add(*s, &mut order, &mut seen));
                }
                for edge in self.edges.iter().filter(|edge| edge.addresses().any(|address| address == symbol)) {
                    add(edge.source, &mut order, &mut seen);
                    edge.args.iter().chain(&edge.length).for_each(|s| add(*s, &mut order, &mut seen));
                    if let Some(end) = &edge.end {
                        add(end.target, &mut order, &mut seen);
                        end.args.iter().for_each(|s| add(*s, &mut order, &mut seen));
                    }
                }
            }
        }
        order
    }

    /// Gives symbols numbers in the [order](ShapeGraph::order) in which they are come to, and forgets those that
    /// nothing refers to. Graphs that differ in their numbering only are equal afterwards.
    pub fn canonical(&mut self) {
        let order = self.order();
        let mut number = vec![crate::graph::shape_graph::NULL; self.kinds.len()];
        order.iter().enumerate().for_each(|(new, old)| number[old.index()] = Symbol(new as u32));
        // The kinds of symbols that are left refer to symbols that are left.
        self.relations.retain(&|symbol| number[symbol.index()] != crate::graph::shape_graph::NULL);
        let kinds = order.iter().map(|old| self.kind(*old)).collect();
        self.kinds = kinds;
        self.rename(|symbol| number[symbol.index()]);
        self.blocks.sort();
        self.edges.sort();
    }
}
