//! Shape graphs [ChangRN07 §3]: symbolic values, and disjoint regions of memory between them.
//!
//! A *symbol* stands for a value: a pointer or a number. Variables and cells hold symbols. Values that are equal for
//! sure are the same symbol. A region of memory is a [`Block`], whose cells are known one by one (the points-to edges
//! of the paper), or an [`Edge`]: a complete or partial run of a checker. Regions share nothing, so two addresses in
//! different regions differ. For example, `x = α1` with `α1 ↦ node{next: α2}` and `α2.node_list()` is a list in `x` of
//! at least one element.
//!
//! A graph represents the states for which there is a valuation of its symbols such that variables have the values of
//! their symbols, kinds are respected, and every block that is alive is in exactly one region, or in [⊤](Top) if there
//! is any. A variable without a symbol may have any value.
//!
//! The graph of a call that is analysed by itself describes the part of memory that the call works on; see
//! [`local`](crate::frame).

use crate::checker::definition::{Call, Checker, Term, Wild};
use crate::graph::equalities::{Equalities, Equality};
use crate::layout::Layouts;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trifold_ir::{FieldId, ProcId, Region, StructId, VarId};
use trifold_passes::intervals::Interval;

/// A symbolic value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

/// The null pointer.
pub const NULL: Symbol = Symbol(0);

impl Symbol {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The knowledge about a symbol by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The null pointer.
    Null,
    /// Any pointer. If it is an address in a region, the region says so.
    Pointer,
    /// A pointer that leads to no object in a region.
    Wild(Wild),
    /// Where a container would begin if the object were its part.
    Outside(Symbol, FieldId),
    /// A number.
    Scalar(Interval),
}

/// A block of memory whose cells are known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Block {
    /// The addresses of its parts.
    pub parts: Vec<Symbol>,
    /// The values of its cells.
    pub cells: Vec<Symbol>,
    /// Its struct.
    pub structure: StructId,
    /// Where it lives.
    pub region: Region,
    /// If it is on the stack: the number of frames of the call that it dies with, 0 for a caller.
    pub depth: usize,
}

/// The end of a segment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// Where it leads.
    pub target: Symbol,
    /// The parameters there.
    pub args: Vec<Symbol>,
}

/// Segments are known to be at least this long, at most.
pub(crate) const MAX_MIN: u8 = 2;

/// A region that a run of a checker describes. Its blocks are on the heap.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: Symbol,
    /// The parameters.
    pub args: Vec<Symbol>,
    /// Where it ends; the region is complete if it does not.
    pub end: Option<End>,
    /// At least this many blocks are on the way: from the source to the target of a segment, or just any of a complete
    /// region.
    pub min: u8,
    /// How many blocks that are, where it is a segment of a list and numbers are related.
    pub length: Option<Symbol>,
    /// The definition.
    pub checker: Arc<Checker>,
}

impl Edge {
    /// Symbols that are addresses in the region if it is not empty: the first block's, and the last one's.
    pub fn addresses(&self) -> impl Iterator<Item = Symbol> {
        let named = |(param, arg): (usize, &Symbol)| self.checker.back(param).map(|_| *arg);
        let last = self.end.iter().flat_map(move |end| end.args.iter().enumerate().filter_map(named));
        std::iter::once(self.source).chain(last)
    }
}

impl Edge {
    /// The same region, described from its end: a list that is linked both ways, where the link back leads on.
    pub fn reversed(&self) -> Option<Edge> {
        let (checker, end) = (&self.checker, self.end.as_ref()?);
        let back = (0..checker.params).find(|param| checker.back(*param) == Some(checker.entry))?;
        let of_call = |call: &Call| {
            let ends = call.end.iter().flat_map(|(target, args)| args.iter().chain([target]));
            call.args.iter().chain(ends).any(|term| *term == Term::Param(back))
        };
        if !checker.is_linear() || !checker.stores(back) || checker.calls.iter().any(of_call) {
            return None;
        }
        // The other parameters must be the same all along the list.
        let stays = |(param, term): (usize, &Term)| param == back || *term == Term::Param(param);
        if !checker.nexts[0].iter().enumerate().all(stays) {
            return None;
        }
        let turn = |term: &Term| match *term {
            Term::Next(0) => Term::Param(back),
            Term::Param(param) if param == back => Term::Next(0),
            other => other,
        };
        let turned = Checker { cells: checker.cells.iter().map(turn).collect(), ..(**checker).clone() };
        let (mut args, mut ends) = (end.args.clone(), self.args.clone());
        args[back] = end.target;
        ends[back] = self.source;
        let end = Some(End { target: self.args[back], args: ends });
        let source = self.end.as_ref()?.args[back];
        Some(Edge { source, args, end, checker: Arc::new(turned), ..*self })
    }
}

/// A call under way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Frame {
    /// The procedure that was called.
    pub procedure: ProcId,
    /// Did a procedure of the program call it? If not, the analysis starts here.
    pub called: bool,
    /// The values of its variables, as far as they are known.
    pub values: BTreeMap<VarId, Symbol>,
}

/// The possible contents of ⊤.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Top {
    /// Nothing: every object alive is in a region.
    #[default]
    Nothing,
    /// Objects that were in regions of this graph.
    Own,
    /// Those, and any that the callers know.
    Callers,
}

/// Relations between numbers: bounds of differences, and equalities.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Relations {
    /// Are they kept at all?
    pub is_kept: bool,
    /// Are there numbers for the lengths of segments?
    pub has_lengths: bool,
    /// The first minus the second is at most this.
    bounds: BTreeMap<(Symbol, Symbol), i128>,
    equalities: Equalities,
    /// Have they no solution?
    pub is_impossible: bool,
}

impl Relations {
    /// The symbols that they speak of.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let related = self.equalities.symbols().into_iter().map(Symbol);
        self.bounds.keys().flat_map(|(a, b)| [*a, *b]).chain(related).collect()
    }

    /// All bounds that are known.
    pub fn bounds(&self) -> impl Iterator<Item = (Symbol, Symbol, i128)> {
        self.bounds.iter().map(|((a, b), bound)| (*a, *b, *bound))
    }

    /// All equalities.
    pub fn equalities(&self) -> &Equalities {
        &self.equalities
    }

    /// Replaces symbols.
    pub fn rename(&mut self, mut of: impl FnMut(Symbol) -> Symbol) {
        for ((a, b), bound) in std::mem::take(&mut self.bounds) {
            self.insert(of(a), of(b), bound);
        }
        let renamed = self.equalities.rename(|unknown| of(Symbol(unknown)).0);
        self.is_impossible |= renamed.is_err();
    }

    /// Takes over what others know.
    pub fn extend(&mut self, other: Relations) {
        other.bounds.into_iter().for_each(|((a, b), bound)| self.insert(a, b, bound));
        self.is_impossible |= self.equalities.extend(other.equalities).is_err() || other.is_impossible;
    }

    /// The bound that is known of two symbols.
    pub fn get(&self, a: Symbol, b: Symbol) -> Option<i128> {
        self.bounds.get(&(a, b)).copied()
    }

    /// The first minus the second is at most this, too.
    pub(crate) fn insert(&mut self, a: Symbol, b: Symbol, bound: i128) {
        if a == b {
            self.is_impossible |= bound < 0;
        } else if self.is_kept {
            let known = self.bounds.entry((a, b)).or_insert(bound);
            *known = bound.min(*known);
        }
    }

    /// The sum of symbols, each as often as its number says, is this.
    pub(crate) fn equal(&mut self, terms: impl IntoIterator<Item = (Symbol, i128)>, sum: i128) {
        if self.is_kept {
            let terms = terms.into_iter().map(|(symbol, count)| (symbol.0, count));
            self.is_impossible |= self.equalities.insert(Equality::new(terms, sum)).is_err();
        }
    }

    /// Other equalities, instead of those that are known.
    pub(crate) fn set_equalities(&mut self, equalities: Equalities) {
        self.equalities = equalities;
        let implied: BTreeMap<(Symbol, Symbol), i128> = self.differences().collect();
        self.bounds.retain(|pair, bound| implied.get(pair).is_none_or(|known| known > bound));
    }

    /// The differences that equalities give.
    fn differences(&self) -> impl Iterator<Item = ((Symbol, Symbol), i128)> {
        let of = |equality: &Equality| {
            let mut terms = equality.terms.iter();
            match (terms.next(), terms.next(), terms.next()) {
                (Some((a, 1)), Some((b, -1)), None) => Some((Symbol(*a), Symbol(*b), equality.constant)),
                _ => None,
            }
        };
        self.equalities.iter().filter_map(of).flat_map(|(a, b, by)| [((a, b), by), ((b, a), -by)])
    }

    /// The least bound of each difference that follows from the others by way of one symbol after the other.
    pub(crate) fn close(&mut self) {
        let given: Vec<((Symbol, Symbol), i128)> = self.differences().collect();
        given.into_iter().for_each(|((a, b), bound)| self.insert(a, b, bound));
        let symbols: BTreeSet<Symbol> = self.bounds.keys().flat_map(|(a, b)| [*a, *b]).collect();
        for middle in &symbols {
            let into: Vec<(Symbol, i128)> =
                self.bounds().filter(|(_, b, _)| b == middle).map(|(a, _, bound)| (a, bound)).collect();
            let out: Vec<(Symbol, i128)> =
                self.bounds().filter(|(a, ..)| a == middle).map(|(_, b, bound)| (b, bound)).collect();
            for (a, first) in &into {
                out.iter().for_each(|(b, second)| self.insert(*a, *b, first + second));
            }
        }
    }

    /// Keeps what is known of these symbols.
    pub fn retain(&mut self, kept: &dyn Fn(Symbol) -> bool) {
        if self.symbols().iter().any(|symbol| !kept(*symbol)) {
            self.close();
            self.bounds.retain(|(a, b), _| kept(*a) && kept(*b));
            let mut equalities = std::mem::take(&mut self.equalities);
            equalities.retain(&|unknown| kept(Symbol(unknown)));
            self.set_equalities(equalities);
        }
    }
}

/// A shape graph.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShapeGraph {
    /// By [`Symbol`].
    pub kinds: Vec<Kind>,
    /// The values of global variables.
    pub globals: BTreeMap<VarId, Symbol>,
    /// Values that callers hold, by the numbers that the call gave them.
    pub outside: Vec<Symbol>,
    /// The current call. Where the analysis starts there may be one before it: the knowledge about the caller.
    pub frames: Vec<Frame>,
    /// Regions whose cells are known.
    pub blocks: Vec<Block>,
    /// Other regions.
    pub edges: Vec<Edge>,
    /// The part of memory that is in none of them.
    pub top: Top,
    /// How numbers are related.
    pub relations: Relations,
}

/// Where a symbol is an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// A part of a block: their numbers.
    Block(usize, usize),
    /// The start of an edge, which may be empty.
    Source(usize),
    /// A part of the last block of an edge, which may be empty: the number of the edge and of the parameter that names
    /// it.
    Last(usize, usize),
}

impl ShapeGraph {
    /// No memory, no variables.
    pub fn new() -> ShapeGraph {
        ShapeGraph {
            kinds: vec![Kind::Null],
            globals: BTreeMap::new(),
            outside: Vec::new(),
            frames: Vec::new(),
            blocks: Vec::new(),
            edges: Vec::new(),
            top: Top::Nothing,
            relations: Relations::default(),
        }
    }

    /// A new symbol.
    pub fn fresh(&mut self, kind: Kind) -> Symbol {
        if kind == Kind::Null {
            return NULL;
        }
        self.kinds.push(kind);
        Symbol(self.kinds.len() as u32 - 1)
    }

    /// The knowledge about a symbol by itself.
    pub fn kind(&self, symbol: Symbol) -> Kind {
        self.kinds[symbol.index()]
    }

    /// The current call.
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a call is under way")
    }

    /// The current call.
    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a call is under way")
    }

    /// The value of a variable, if anything is known about it.
    pub fn value(&self, variable: VarId) -> Option<Symbol> {
        self.frame().values.get(&variable).or_else(|| self.globals.get(&variable)).copied()
    }

    /// How many links by this field lead to a value, which is no null pointer.
    pub fn links_to(&self, value: Symbol, field: FieldId, layouts: &Layouts) -> usize {
        if !matches!(self.kind(value), Kind::Pointer) {
            return 0;
        }
        let of_block = |block: &Block| {
            let cells = block.cells.iter().zip(&layouts[block.structure].cells);
            cells.filter(|(to, cell)| **to == value && cell.field == field).count()
        };
        let leads_on = |edge: &&Edge| {
            let cells = edge.checker.cells.iter().zip(&layouts[edge.checker.structure].cells);
            let mut links = cells.filter(|(_, cell)| cell.field == field).map(|(term, _)| *term);
            edge.end.as_ref().is_some_and(|end| end.target == value) && links.any(|term| matches!(term, Term::Next(_)))
        };
        self.blocks.iter().map(of_block).sum::<usize>() + self.edges.iter().filter(leads_on).count()
    }

    /// The block that a symbol is a part of, and the number of the part.
    pub fn block(&self, symbol: Symbol) -> Option<(usize, usize)> {
        let part = |block: &Block| block.parts.iter().position(|part| *part == symbol);
        self.blocks.iter().enumerate().find_map(|(number, block)| part(block).map(|part| (number, part)))
    }

    /// Where a symbol is an address; a region that cannot be empty comes first.
    pub fn site(&self, symbol: Symbol) -> Option<Site> {
        if let Some((block, part)) = self.block(symbol) {
            return Some(Site::Block(block, part));
        }
        let site = |number: usize, edge: &Edge| {
            if edge.source == symbol {
                return Some(Site::Source(number));
            }
            let args = edge.end.iter().flat_map(|end| end.args.iter().enumerate());
            let mut named = args.filter(|(param, arg)| **arg == symbol && edge.checker.back(*param).is_some());
            named.next().map(|(param, _)| Site::Last(number, param))
        };
        let mut sites: Vec<(bool, Site)> = Vec::new();
        for (number, edge) in self.edges.iter().enumerate() {
            sites.extend(site(number, edge).map(|site| (edge.min == 0, site)));
        }
        sites.sort_by_key(|(may_be_empty, _)| *may_be_empty);
        sites.first().map(|(_, site)| *site)
    }

    /// Is there a block at an address, or after the start of an edge, for sure? 1 or 0.
    pub fn least(&self, symbol: Symbol) -> u8 {
        match self.site(symbol) {
            Some(Site::Block(..)) => 1,
            Some(Site::Source(edge) | Site::Last(edge, _)) => self.edges[edge].min.min(1),
            None => 0,
        }
    }

    /// Calls `visit` with all symbols that variables hold, and those that callers do.
    pub fn for_each_value(&self, visit: &mut dyn FnMut(Symbol)) {
        let frames = self.frames.iter().flat_map(|frame| frame.values.values());
        self.globals.values().chain(&self.outside).chain(frames).for_each(|symbol| visit(*symbol));
    }

    /// Calls `visit` with all symbols that cells and edges refer to, except as their own addresses.
    pub fn for_each_reference(&self, visit: &mut dyn FnMut(Symbol)) {
        self.blocks.iter().flat_map(|block| &block.cells).for_each(|symbol| visit(*symbol));
        for edge in &self.edges {
            edge.args.iter().chain(&edge.length).for_each(|symbol| visit(*symbol));
            edge.end.iter().for_each(|end| {
                visit(end.target);
                end.args.iter().for_each(|symbol| visit(*symbol));
            });
        }
        self.kinds.iter().for_each(|kind| {
            if let Kind::Outside(part, _) = kind {
                visit(*part);
            }
        });
    }

    /// About how many bytes it takes: a list takes more than its elements do, and an entry of a map has neighbours.
    pub fn bytes(&self) -> usize {
        const LIST: usize = 16;
        const ENTRY: usize = 24;
        let symbols = |count: usize| count * size_of::<Symbol>();
        let values = self.globals.len() + self.frames.iter().map(|frame| frame.values.len()).sum::<usize>();
        let block = |block: &Block| size_of::<Block>() + 2 * LIST + symbols(block.parts.len() + block.cells.len());
        let edge = |edge: &Edge| size_of::<Edge>() + 2 * LIST + symbols(2 * edge.args.len());
        let terms: usize = self.relations.equalities.iter().map(|equality| equality.terms.len()).sum();
        self.kinds.len() * size_of::<Kind>()
            + symbols(self.outside.len())
            + self.frames.len() * (size_of::<Frame>() + ENTRY)
            + self.blocks.iter().map(block).sum::<usize>()
            + self.edges.iter().map(edge).sum::<usize>()
            + (values + 2 * (self.relations.bounds.len() + terms)) * ENTRY
    }

    /// Replaces every occurrence of every symbol.
    pub fn rename(&mut self, mut of: impl FnMut(Symbol) -> Symbol) {
        let frames = self.frames.iter_mut().flat_map(|frame| frame.values.values_mut());
        self.globals.values_mut().chain(&mut self.outside).chain(frames).for_each(|symbol| *symbol = of(*symbol));
        for block in &mut self.blocks {
            block.parts.iter_mut().chain(&mut block.cells).for_each(|symbol| *symbol = of(*symbol));
        }
        for edge in &mut self.edges {
            edge.source = of(edge.source);
            edge.args.iter_mut().chain(&mut edge.length).for_each(|symbol| *symbol = of(*symbol));
            edge.end.iter_mut().for_each(|end| {
                end.target = of(end.target);
                end.args.iter_mut().for_each(|symbol| *symbol = of(*symbol));
            });
        }
        for kind in &mut self.kinds {
            if let Kind::Outside(part, _) = kind {
                *part = of(*part);
            }
        }
        self.relations.rename(of);
    }
}

impl Default for ShapeGraph {
    fn default() -> ShapeGraph {
        ShapeGraph::new()
    }
}
