//! Two regions against each other: the `m-` and `w-` rules of [ChangRN07 §4.2].
//!
//! | one graph | the other | result | rule |
//! | --- | --- | --- | --- |
//! | block | block | block, cell by cell | `m-` |
//! | edge | edge of the same checker | edge | `m-` |
//! | edge | block that fits the checker | edge | `w-partial`, `w-checker` |
//! | edge | nothing, its ends are one symbol | edge that may be empty | `w-aliases` |
//!
//! For example, `α.node_list() *= β.node_list()` against a graph in which α and β are one symbol gives the edge without
//! a minimal length.

use super::{Empty, Joining, Loss};
use crate::checker::definition::{Checker, Wild, either_number, generalise};
use crate::fit::Fitting;
use crate::grain::Numbers;
use crate::graph::shape_graph::{Block, Edge, End, Kind, NULL, Site, Symbol};
use std::sync::Arc;
use trifold_ir::{Scalar, Type};

/// The type of lengths.
const LENGTH: Scalar = Scalar::Int { signed: false, bits: 64 };

impl Joining<'_> {
    /// Walks along the regions that start at a pair.
    pub(super) fn regions(&mut self, a: Symbol, b: Symbol) -> Option<()> {
        match (self.site(0, a), self.site(1, b)) {
            (Some(Site::Block(x, part)), Some(Site::Block(y, other))) => {
                for (side, start) in [(1, b), (0, a)] {
                    if let Some(segment) = self.on_the_way(side, start, a, b) {
                        return self.edge_against_nothing(side, segment, a, b);
                    }
                }
                for (side, number, start) in [(1, y, b), (0, x, a)] {
                    if self.is_longer(side, number, a, b) {
                        return self.against_nothing(side, start, a, b);
                    }
                }
                if part != other { None } else { self.blocks(x, y) }
            }
            (Some(Site::Source(x)), Some(Site::Source(y))) => {
                for (side, number) in [(1, y), (0, x)] {
                    if self.may_skip(side, number, a, b) {
                        return self.edge_against_nothing(side, number, a, b);
                    }
                }
                self.edges(x, y)
            }
            (Some(Site::Block(..)), Some(Site::Source(y))) => self.edge_against_block(1, y, a, b),
            (Some(Site::Source(x)), Some(Site::Block(..))) => self.edge_against_block(0, x, a, b),
            (None, Some(_)) => self.against_nothing(1, b, a, b),
            (Some(_), None) => self.against_nothing(0, a, a, b),
            // A pointer of which nothing is known has a value.
            (None, None) => {
                let kinds = [self.sides[0].graph.kind(a), self.sides[1].graph.kind(b)];
                let no_value = |kind: Kind| matches!(kind, Kind::Wild(wild) if wild.has(Wild::UNINITIALISED));
                (!kinds.into_iter().any(no_value)).then_some(())
            }
            (Some(Site::Last(..)), _) | (_, Some(Site::Last(..))) => None,
        }
    }

    /// Is the end of an edge paired with the same symbol that its start is?
    fn may_skip(&self, side: usize, number: usize, a: Symbol, b: Symbol) -> bool {
        let end = self.sides[side].graph.edges[number].end.as_ref();
        end.is_some_and(|end| {
            let beyond = if side == 0 { (end.target, b) } else { (a, end.target) };
            beyond != (a, b) && self.pairs.contains_key(&beyond)
        })
    }

    /// The symbols that a block leads to, other than back.
    fn ways_on(&self, side: usize, number: usize) -> impl Iterator<Item = Symbol> {
        let Fitting { graph, layouts, roles, .. } = &self.sides[side];
        let block = &graph.blocks[number];
        let cells = block.cells.iter().zip(&layouts[block.structure].cells);
        cells.filter(|(_, cell)| !roles.leads_back(cell.field)).map(|(value, _)| *value)
    }

    /// Is something that a block leads to paired with the same symbol that the block is?
    fn is_longer(&self, side: usize, number: usize, a: Symbol, b: Symbol) -> bool {
        self.ways_on(side, number).any(|cell| {
            let beyond = if side == 0 { (cell, b) } else { (a, cell) };
            let is_block = matches!(self.site(side, cell), Some(Site::Block(..)));
            beyond != (a, b) && is_block && self.pairs.contains_key(&beyond)
        })
    }

    /// Is something that the block at an address leads to paired with the same symbol that the block is?
    fn is_before(&self, side: usize, start: Symbol, a: Symbol, b: Symbol) -> bool {
        let Some((number, _)) = self.sides[side].graph.block(start) else { return false };
        self.ways_on(side, number).any(|cell| {
            let beyond = if side == 0 { (cell, b) } else { (a, cell) };
            beyond != (a, b) && self.pairs.contains_key(&beyond)
        })
    }

    /// The number of the segment that the block at an address is made, if it is on the way to a symbol that is paired
    /// with the same one that the block is.
    fn on_the_way(&mut self, side: usize, start: Symbol, a: Symbol, b: Symbol) -> Option<usize> {
        if !self.is_before(side, start, a, b) {
            return None;
        }
        let (block, entry) = self.sides[side].graph.block(start)?;
        let mut checkers = self.known(&self.sides[side].graph.blocks[block], entry);
        let mut fitting = self.sides[side].clone();
        let (block, entry) = fitting.take_block(start)?;
        checkers.extend(fitting.derive_alone(&block, entry).filter(|checker| checker.is_linear()));
        self.as_segment(side, start, &checkers, a, b)
    }

    /// Definitions that a block may fit: those that the program gives, and those of regions.
    fn known(&self, block: &Block, entry: usize) -> Vec<Arc<Checker>> {
        let edges = self.sides.iter().flat_map(|side| &side.graph.edges).chain(&self.result.edges);
        let mut known: Vec<Arc<Checker>> = self.sides[0].roles.given().to_vec();
        known.extend(edges.map(|edge| edge.checker.clone()));
        known.retain(|checker| (checker.structure, checker.entry) == (block.structure, entry));
        known.sort();
        known.dedup();
        known
    }

    /// Makes a block that leads to a symbol that is paired with the start of the other side's region a segment, which
    /// is empty there (`w-aliases`). Returns the number of the segment, if the block fits one of the checkers.
    fn as_segment(
        &mut self,
        side: usize,
        start: Symbol,
        checkers: &[Arc<Checker>],
        a: Symbol,
        b: Symbol,
    ) -> Option<usize> {
        for checker in checkers {
            for hole in 0..checker.nexts.len() {
                let mut fitting = self.sides[side].clone();
                let (block, entry) = fitting.take_block(start)?;
                let Some(fit) = fitting.fit(&block, checker, Some(hole)) else { continue };
                let (target, args) = fit.nexts[hole].clone();
                let beyond = if side == 0 { (target, b) } else { (a, target) };
                if entry == checker.entry && self.pairs.contains_key(&beyond) {
                    let (end, length) = (Some(End { target, args }), fitting.graph.length(&[], 1));
                    let (source, checker) = (start, fit.checker);
                    fitting.graph.edges.push(Edge { source, args: fit.args, end, min: 1, length, checker });
                    self.sides[side] = fitting;
                    return Some(self.sides[side].graph.edges.len() - 1);
                }
            }
        }
        None
    }

    pub(super) fn blocks(&mut self, x: usize, y: usize) -> Option<()> {
        let (a, b) = (self.sides[0].graph.blocks.remove(x), self.sides[1].graph.blocks.remove(y));
        if (a.structure, a.region, a.depth) != (b.structure, b.region, b.depth) {
            return None;
        }
        let parts = self.pointers(&a.parts, &b.parts)?;
        let layout = &self.sides[0].layouts[a.structure];
        let mut cells = Vec::new();
        for ((a, b), cell) in a.cells.iter().zip(&b.cells).zip(&layout.cells) {
            self.same_number(*a, *b, cell.ty)?;
            cells.push(self.pair(*a, *b, cell.ty)?);
        }
        self.result.blocks.push(Block { parts, cells, ..a });
        Some(())
    }

    /// Elements with different numbers are not joined if those are to be kept.
    fn same_number(&self, a: Symbol, b: Symbol, ty: Type) -> Option<()> {
        match (self.sides[0].graph.kind(a), self.sides[1].graph.kind(b)) {
            (Kind::Scalar(x), Kind::Scalar(y)) => either_number(x, y, ty, self.sides[0].roles.data).map(drop),
            _ => Some(()),
        }
    }

    pub(super) fn edges(&mut self, x: usize, y: usize) -> Option<()> {
        let (a, b) = (self.sides[0].graph.edges.remove(x), self.sides[1].graph.edges.remove(y));
        self.both(a, b)
    }

    /// Walks along two edges, which have been taken out.
    fn both(&mut self, a: Edge, b: Edge) -> Option<()> {
        let Fitting { layouts, roles, .. } = self.sides[0];
        let checker = generalise(&a.checker, &b.checker, layouts, roles.data)?;
        let min = a.min.min(b.min);
        if a.min != b.min {
            self.lose(if min == 0 { Loss::Emptiness } else { Loss::Length });
        }
        let source = self.pointer(a.source, b.source)?;
        let args = self.pointers(&a.args, &b.args)?;
        let end = match (a.end, b.end) {
            (None, None) => None,
            (Some(a), Some(b)) => {
                let target = self.pointer(a.target, b.target)?;
                Some(End { target, args: self.pointers(&a.args, &b.args)? })
            }
            _ => return None,
        };
        let length = match (a.length, b.length) {
            (Some(a), Some(b)) => Some(self.pair(a, b, Type::Scalar(LENGTH))?),
            _ => None,
        };
        self.result.edges.push(Edge { source, args, end, min, length, checker });
        Some(())
    }

    /// An edge on one side, a block on the other one, which must fit.
    pub(super) fn edge_against_block(&mut self, side: usize, number: usize, a: Symbol, b: Symbol) -> Option<()> {
        if self.may_skip(side, number, a, b) {
            return self.edge_against_nothing(side, number, a, b);
        }
        let edge = self.sides[side].graph.edges[number].clone();
        let (other, start) = if side == 0 { (1, b) } else { (0, a) };
        // The block is on the way to something that is where the edge begins on its side.
        if self.is_before(other, start, a, b) {
            let segment = self.as_segment(other, start, &[edge.checker], a, b)?;
            return self.edge_against_nothing(other, segment, a, b);
        }
        if edge.min == 0 && edge.end.is_some() {
            self.chose = true;
            if self.empty == Empty::IfPossible {
                return self.edge_against_nothing(side, number, a, b);
            }
        }
        let holes = if edge.end.is_some() { (0..edge.checker.nexts.len()).map(Some).collect() } else { vec![None] };
        for hole in holes {
            let mut fitting = self.sides[other].clone();
            let Some((block, entry)) = fitting.take_block(start) else { continue };
            let Some(fit) = fitting.fit(&block, &edge.checker, hole) else { continue };
            if entry != edge.checker.entry {
                continue;
            }
            self.sides[other] = fitting;
            self.sides[side].graph.edges.remove(number);
            let end = hole.map(|hole| fit.nexts[hole].clone()).map(|(target, args)| End { target, args });
            let length = self.sides[other].graph.length(&[], 1).filter(|_| edge.length.is_some());
            let singleton = Edge { source: start, args: fit.args, end, min: 1, length, checker: fit.checker };
            self.lose(Loss::Length);
            return if side == 0 { self.both(edge, singleton) } else { self.both(singleton, edge) };
        }
        if edge.min == 0 { self.edge_against_nothing(side, number, a, b) } else { None }
    }

    /// A region on one side, and on the other one a symbol at which nothing starts.
    pub(super) fn against_nothing(&mut self, side: usize, start: Symbol, a: Symbol, b: Symbol) -> Option<()> {
        match self.site(side, start)? {
            Site::Source(number) => self.edge_against_nothing(side, number, a, b),
            Site::Block(..) => {
                let fitting = &mut self.sides[side];
                let (block, entry) = fitting.take_block(start)?;
                let checker = fitting.derive_alone(&block, entry)?;
                // A list of ones, just because of a single one, could be found between any two zeros.
                if fitting.roles.data == Numbers::Kept && checker.has_constants() {
                    return None;
                }
                let hole = checker.is_linear().then_some(0);
                let fit = fitting.fit(&block, &checker, hole)?;
                let end = hole.map(|hole| fit.nexts[hole].clone()).map(|(target, args)| End { target, args });
                let length = hole.and_then(|_| fitting.graph.length(&[], 1));
                let edge = Edge { source: start, args: fit.args, end, min: 1, length, checker: fit.checker };
                fitting.graph.edges.push(edge);
                let number = fitting.graph.edges.len() - 1;
                self.edge_against_nothing(side, number, a, b)
            }
            Site::Last(..) => None,
        }
    }

    /// An edge on one side, which is empty on the other.
    pub(super) fn edge_against_nothing(&mut self, side: usize, number: usize, a: Symbol, b: Symbol) -> Option<()> {
        let edge = self.sides[side].graph.edges.remove(number);
        self.lose(Loss::Emptiness);
        let other = 1 - side;
        let here = if side == 0 { b } else { a };
        let empty = match &edge.end {
            None if here == NULL => {
                let args = edge.args.iter().map(|_| self.sides[other].graph.fresh(Kind::Pointer)).collect();
                Edge { source: NULL, args, end: None, min: 0, length: None, checker: edge.checker.clone() }
            }
            None => return None,
            Some(end) => {
                let mut args = Vec::new();
                for (param, (arg, there)) in edge.args.iter().zip(&end.args).enumerate() {
                    let passed = self.passed(side, param, *arg, (a, b));
                    let partner = passed.or_else(|| self.given(other, here, &edge.checker, param, *arg));
                    args.push(partner.or_else(|| self.partner(side, *arg, *there))?);
                }
                let end = Some(End { target: here, args: args.clone() });
                let length = self.sides[other].graph.length(&[], 0).filter(|_| edge.length.is_some());
                Edge { source: here, args, end, min: 0, length, checker: edge.checker.clone() }
            }
        };
        if side == 0 { self.both(edge, empty) } else { self.both(empty, edge) }
    }

    /// The value for this parameter of the region that begins after an empty edge: the empty one has it too, unless its
    /// own is paired with something else. What is null on both sides is null.
    fn given(&self, side: usize, here: Symbol, checker: &Checker, param: usize, arg: Symbol) -> Option<Symbol> {
        let given = match self.site(side, here)? {
            Site::Source(number) => {
                let edge = &self.sides[side].graph.edges[number];
                let is_alike = (edge.checker.structure, edge.checker.entry) == (checker.structure, checker.entry);
                *edge.args.get(param).filter(|_| is_alike)?
            }
            Site::Block(..) => self.argument_of_block(side, here, checker, param)?,
            Site::Last(..) => return None,
        };
        let of = |(a, b): &(Symbol, Symbol)| if side == 0 { (*a, *b) } else { (*b, *a) };
        let mut paired = self.pairs.keys().map(of).filter(|(_, other)| *other == arg).peekable();
        let is_null = (given, arg) == (NULL, NULL);
        (is_null || paired.peek().is_none() || paired.any(|(own, _)| own == given)).then_some(given)
    }

    /// The value for a parameter if the block at an address is read as the first element of a segment.
    fn argument_of_block(&self, side: usize, start: Symbol, checker: &Checker, param: usize) -> Option<Symbol> {
        let checker = Arc::new(checker.clone());
        (0..checker.nexts.len()).find_map(|hole| {
            let mut fitting = self.sides[side].clone();
            let (block, entry) = fitting.take_block(start)?;
            let fit = fitting.fit(&block, &checker, Some(hole)).filter(|_| entry == checker.entry)?;
            fit.args.get(param).copied()
        })
    }

    /// The symbol of the other side that an edge of the result passes on to the region that begins at a pair, as this
    /// parameter.
    fn passed(&self, side: usize, param: usize, arg: Symbol, at: (Symbol, Symbol)) -> Option<Symbol> {
        let start = self.pairs.get(&at)?;
        let ends = self.result.edges.iter().filter_map(|edge| edge.end.as_ref());
        let symbol = ends.filter(|end| end.target == *start).find_map(|end| end.args.get(param))?;
        let of = |(a, b): &(Symbol, Symbol)| if side == 0 { (*a, *b) } else { (*b, *a) };
        let pair = self.pairs.iter().find(|(pair, known)| *known == symbol && of(pair).0 == arg);
        pair.map(|(pair, _)| of(pair).1)
    }

    /// A symbol of the other side that is paired with both symbols of this one, or with neither. What is null on this
    /// side is best null on the other, too.
    pub(super) fn partner(&mut self, side: usize, first: Symbol, last: Symbol) -> Option<Symbol> {
        let other = |symbol: Symbol| {
            let of = |(a, b): &(Symbol, Symbol)| if side == 0 { (*a, *b) } else { (*b, *a) };
            let paired = self.pairs.keys().map(of).filter(|(own, _)| *own == symbol).map(|(_, other)| other);
            let null = (symbol == NULL).then_some(NULL);
            null.into_iter().chain(paired).collect::<Vec<_>>()
        };
        let (firsts, lasts) = (other(first), other(last));
        let common = firsts.iter().find(|symbol| lasts.contains(symbol));
        match (common, &firsts[..], &lasts[..]) {
            (Some(common), ..) => Some(*common),
            (None, [one, ..], []) | (None, [], [one, ..]) => Some(*one),
            (None, [], []) => Some(self.sides[1 - side].graph.fresh(Kind::Pointer)),
            _ => None,
        }
    }
}
