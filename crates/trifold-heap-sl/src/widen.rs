//! The widening of two graphs [ChangRN07 §4.2], and by way of it their comparison.
//!
//! Both graphs are walked along each other from the variables. A symbol of the result stands for a pair of symbols.
//! Where both have the same kind of region it is kept (the `m-` rules of the paper). Where one has an edge and the
//! other one has a block, the block must fit the edge's checker (`w-partial`, `w-checker`). Where one has an edge and
//! the other one has nothing, because the end of the edge is the same symbol there, the edge may be empty
//! (`w-aliases`). If everything has been walked along, the result represents the states of both. For example, the join
//! of `α.node_list()` and `α ↦ node{next: null}` is `α.node_list()`.
//!
//! A graph represents all the states of another one if their join is itself.
//!
//! Graphs that have no join have one when enough of them is [given up](crate::graph::top).
//!
//! # Soundness
//! Every region of either graph is used once, for a region of the result that describes it under the valuation which
//! gives a pair of symbols the value of the one from that graph. So no state of either graph is lost, for any pairs.

mod regions;

use crate::checker::definition::Wild;
use crate::fit::Fitting;
use crate::fold::fold_edges;
use crate::graph::differences::join_relations;
use crate::graph::shape_graph::{Block, Frame, Kind, NULL, ShapeGraph, Site, Symbol};
use crate::layout::Layouts;
use crate::link_roles::FieldRoles;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use trifold_ir::{Program, Region, Type, VarId};
use trifold_passes::intervals::{Interval, meet, within};
use trifold_work::listen;

/// The loss of a join.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Loss {
    /// Nothing: the result is one of the two.
    None,
    /// The values of numbers that are computed.
    Numbers,
    /// How long something is.
    Length,
    /// Whether something is there at all.
    Emptiness,
    /// The value of a variable that decides branches.
    Value,
    /// Which variable leads to something: what one leads to in one graph, another one does in the other.
    Holder,
}

/// A graph that represents the states of both, if there is one that does not lose too much, and its loss.
pub(crate) fn join(
    program: &Program,
    old: &ShapeGraph,
    new: &ShapeGraph,
    layouts: &Layouts,
    roles: &FieldRoles,
) -> Option<(ShapeGraph, Loss)> {
    let same = |(a, b): (&Frame, &Frame)| (a.procedure, a.called) == (b.procedure, b.called);
    let counts = |graph: &ShapeGraph| (graph.frames.len(), graph.outside.len());
    if counts(old) != counts(new) || !old.frames.iter().zip(&new.frames).all(same) {
        return None;
    }
    // A block beside an edge that may be empty is part of it, or comes after it. If one leads nowhere, so may not the
    // other.
    let mut joining = Joining::new(program, old, new, layouts, roles, Empty::IfNecessary);
    joining.run(old, new).or_else(|| {
        let again = joining.chose.then(|| Joining::new(program, old, new, layouts, roles, Empty::IfPossible));
        again.and_then(|mut again| again.run(old, new))
    })
}

/// The variables that lead to addresses: at once, or by a cell of the block that they lead to.
fn holders(graph: &ShapeGraph) -> BTreeMap<Symbol, BTreeSet<(VarId, Option<usize>)>> {
    let mut holders: BTreeMap<Symbol, BTreeSet<(VarId, Option<usize>)>> = BTreeMap::new();
    let values = graph.globals.iter().chain(graph.frames.iter().flat_map(|frame| &frame.values));
    for (variable, symbol) in values.filter(|(_, symbol)| graph.kind(**symbol) == Kind::Pointer) {
        holders.entry(*symbol).or_default().insert((*variable, None));
        let Some((number, _)) = graph.block(*symbol) else { continue };
        for (cell, value) in graph.blocks[number].cells.iter().enumerate() {
            if graph.kind(*value) == Kind::Pointer {
                holders.entry(*value).or_default().insert((*variable, Some(cell)));
            }
        }
    }
    holders
}

/// A graph that represents the states of both, where parts that cannot be joined are given up; none if they are of
/// different calls.
pub(crate) fn join_giving_up(
    program: &Program,
    old: &ShapeGraph,
    new: &ShapeGraph,
    layouts: &Layouts,
    roles: &FieldRoles,
) -> Option<ShapeGraph> {
    let regions = |graph: &ShapeGraph| graph.blocks.len() + graph.edges.len();
    let (mut old, mut new) = (old.clone(), new.clone());
    loop {
        if let Some((joined, _)) = join(program, &old, &new, layouts, roles) {
            return Some(joined);
        }
        let mut joining = Joining::new(program, &old, &new, layouts, roles, Empty::IfNecessary);
        joining.run(&old, &new);
        let [of_old, of_new] = joining.in_the_way(&old, &new);
        let before = regions(&old) + regions(&new);
        old.give_up(&of_old, layouts, roles);
        new.give_up(&of_new, layouts, roles);
        match regions(&old) + regions(&new) {
            0 if before == 0 => return None,
            now if now == before => {
                old.give_up_all();
                new.give_up_all();
            }
            _ => {}
        }
    }
}

/// Bounds that no number of any type exceeds.
const ANY_NUMBER: Interval = (i64::MIN as i128, u64::MAX as i128);

/// The bounds of types with fewer than 64 bits.
const BOUNDS: [i128; 7] =
    [i32::MIN as i128, -1, 0, u8::MAX as i128, u16::MAX as i128, i32::MAX as i128, u32::MAX as i128];

struct Joining<'a> {
    program: &'a Program,
    /// The rest of the graphs.
    sides: [Fitting<'a>; 2],
    result: ShapeGraph,
    /// The symbol of a pair.
    pairs: BTreeMap<(Symbol, Symbol), Symbol>,
    /// Pairs of pointers where the walk goes on.
    open: VecDeque<(Symbol, Symbol)>,
    loss: Loss,
    empty: Empty,
    /// Has there been a choice?
    chose: bool,
    /// The pair that is being walked along.
    at: Option<(Symbol, Symbol)>,
    tokens: [Tokens; 2],
}

/// Addresses in a graph that matter little.
#[derive(Default)]
struct Tokens {
    /// Those of objects in static memory of which nothing else matters.
    opaque: BTreeSet<Symbol>,
    /// Those at which nothing is known to be, if there are opaque ones.
    open: BTreeSet<Symbol>,
}

impl Tokens {
    fn opaque(graph: &ShapeGraph, roles: &FieldRoles) -> BTreeSet<Symbol> {
        let is_opaque = |block: &&Block| {
            block.region == Region::Static && block.parts.len() == 1 && roles.is_opaque(block.structure)
        };
        graph.blocks.iter().filter(is_opaque).map(|block| block.parts[0]).collect()
    }

    fn both(graphs: [&ShapeGraph; 2], roles: &FieldRoles) -> [Tokens; 2] {
        let opaque = graphs.map(|graph| Tokens::opaque(graph, roles));
        if opaque.iter().all(BTreeSet::is_empty) {
            return Default::default();
        }
        let open = graphs.map(|graph| {
            let symbols = (0..graph.kinds.len() as u32).map(Symbol);
            symbols.filter(|symbol| graph.kind(*symbol) == Kind::Pointer && graph.site(*symbol).is_none()).collect()
        });
        let [first, second] = opaque;
        let [one, other] = open;
        [Tokens { opaque: first, open: one }, Tokens { opaque: second, open: other }]
    }
}

/// Which edges are taken to be empty on the side that has a block instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Empty {
    /// Those that the block does not fit.
    IfNecessary,
    /// Those that may be.
    IfPossible,
}

impl<'a> Joining<'a> {
    fn new(
        program: &'a Program,
        old: &ShapeGraph,
        new: &ShapeGraph,
        layouts: &'a Layouts,
        roles: &'a FieldRoles,
        empty: Empty,
    ) -> Joining<'a> {
        let sides = [old, new].map(|graph| Fitting::new(graph.clone(), layouts, roles));
        let (pairs, open, result) = (BTreeMap::new(), VecDeque::new(), ShapeGraph::new());
        let tokens = Tokens::both([old, new], roles);
        Joining { program, sides, result, pairs, open, loss: Loss::None, empty, chose: false, at: None, tokens }
    }

    fn run(&mut self, old: &ShapeGraph, new: &ShapeGraph) -> Option<(ShapeGraph, Loss)> {
        self.result.top = old.top.max(new.top);
        self.result.globals = self.values(&old.globals, &new.globals)?;
        for (a, b) in old.frames.iter().zip(&new.frames) {
            let values = self.values(&a.values, &b.values)?;
            self.result.frames.push(Frame { values, ..a.clone() });
        }
        for (a, b) in old.outside.iter().zip(&new.outside) {
            let symbol = self.outside(*a, *b)?;
            self.result.outside.push(symbol);
        }
        self.walk()?;
        self.at = None;
        let used = self.sides.iter().all(|side| side.graph.blocks.is_empty() && side.graph.edges.is_empty());
        if !used || self.lost(old, new).next().is_some() {
            return None;
        }
        if self.mixes_holders(old, new) {
            self.lose(Loss::Holder);
        }
        let mut result = std::mem::take(&mut self.result);
        join_relations(&mut result, &self.sides[0].graph, &self.sides[1].graph, &self.pairs);
        result.canonical();
        // A region that one graph has piece by piece and the other one as a whole is a whole.
        if result != *old && result != *new {
            let mut whole = fold_edges(result.clone(), self.sides[0].layouts, self.sides[0].roles);
            whole.canonical();
            if whole == *old || whole == *new {
                result = whole;
            }
        }
        Some((result, self.loss))
    }

    /// Is there a pair of addresses, of which variables lead to each, but no variable to both? For example, two lists
    /// are made of one, and it is not known which of them got the last element.
    fn mixes_holders(&self, old: &ShapeGraph, new: &ShapeGraph) -> bool {
        let (first, second) = (holders(old), holders(new));
        self.pairs.keys().any(|(a, b)| match (first.get(a), second.get(b)) {
            (Some(one), Some(other)) => one.is_disjoint(other),
            _ => false,
        })
    }

    /// Pairs of addresses that would be addresses of nothing.
    fn lost(&self, old: &ShapeGraph, new: &ShapeGraph) -> impl Iterator<Item = (Symbol, Symbol)> {
        let had_site =
            |graph: &ShapeGraph, symbol: Symbol| symbol.index() < graph.kinds.len() && graph.site(symbol).is_some();
        let lost = self.pairs.iter().filter(move |((a, b), symbol)| {
            self.result.kind(**symbol) == Kind::Pointer
                && self.result.site(**symbol).is_none()
                && !self.is_token(*a, *b)
                && (had_site(old, *a) || had_site(new, *b))
        });
        lost.map(|(pair, _)| *pair)
    }

    /// Symbols of either graph because of which there is no join.
    fn in_the_way(&self, old: &ShapeGraph, new: &ShapeGraph) -> [Vec<Symbol>; 2] {
        let (mut of_old, mut of_new): (Vec<Symbol>, Vec<Symbol>) =
            self.at.map_or_else(|| self.lost(old, new).unzip(), |(a, b)| (vec![a], vec![b]));
        if self.at.is_none() {
            for (symbols, side) in [(&mut of_old, &self.sides[0]), (&mut of_new, &self.sides[1])] {
                symbols.extend(side.graph.blocks.iter().map(|block| block.parts[0]));
                symbols.extend(side.graph.edges.iter().map(|edge| edge.source));
            }
        }
        of_old.retain(|symbol| symbol.index() < old.kinds.len());
        of_new.retain(|symbol| symbol.index() < new.kinds.len());
        [of_old, of_new]
    }

    fn lose(&mut self, loss: Loss) {
        self.loss = self.loss.max(loss);
    }

    fn values(&mut self, a: &BTreeMap<VarId, Symbol>, b: &BTreeMap<VarId, Symbol>) -> Option<BTreeMap<VarId, Symbol>> {
        let mut values = BTreeMap::new();
        for (variable, symbol) in a {
            let Some(other) = b.get(variable) else { continue };
            let is_flag = self.sides[0].roles.numbers.is_flag(*variable);
            if is_flag && self.decides(*symbol, *other) {
                self.lose(Loss::Value);
            }
            self.at = Some((*symbol, *other));
            values.insert(*variable, self.pair(*symbol, *other, self.program[*variable].ty)?);
        }
        Some(values)
    }

    /// Are two values different in a way that may decide branches? Where numbers are related, it is enough that they
    /// may be the same.
    fn decides(&self, a: Symbol, b: Symbol) -> bool {
        let [old, new] = &self.sides;
        match (old.graph.kind(a), new.graph.kind(b)) {
            (Kind::Scalar(x), Kind::Scalar(y)) if old.graph.relations.is_kept => !meet(x, y),
            (x, y) => x != y,
        }
    }

    /// A value that callers hold. A number that is not known here is known to the callers.
    fn outside(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        self.at = Some((a, b));
        if self.decides(a, b) {
            self.lose(Loss::Value);
        }
        match (self.sides[0].graph.kind(a), self.sides[1].graph.kind(b)) {
            (Kind::Scalar(x), Kind::Scalar(y)) if x != y && !self.pairs.contains_key(&(a, b)) => {
                // Bounds that do not grow are kept where numbers are related to others.
                let is_kept = self.sides[0].graph.relations.is_kept;
                let low = if is_kept && x.0 <= y.0 { x.0 } else { ANY_NUMBER.0 };
                let high = if is_kept && x.1 >= y.1 { x.1 } else { ANY_NUMBER.1 };
                let symbol = self.result.fresh(Kind::Scalar((low, high)));
                self.pairs.insert((a, b), symbol);
                Some(symbol)
            }
            _ => self.pair(a, b, Type::Pointer(None)),
        }
    }

    /// The symbol of a pair, whose values have this type.
    fn pair(&mut self, a: Symbol, b: Symbol, ty: Type) -> Option<Symbol> {
        if let Some(known) = self.pairs.get(&(a, b)).copied() {
            self.is_of(known, (a, b), ty);
            return Some(known);
        }
        let kinds = (self.sides[0].graph.kind(a), self.sides[1].graph.kind(b));
        let symbol = match kinds {
            (Kind::Null, Kind::Null) => NULL,
            (Kind::Pointer, _) | (_, Kind::Pointer) => {
                match self.is_token(a, b) {
                    true => self.lose(Loss::Numbers),
                    false => self.open.push_back((a, b)),
                }
                self.result.fresh(Kind::Pointer)
            }
            (Kind::Scalar(x), Kind::Scalar(y)) => {
                let is_counted = self.sides[0].graph.is_counted(a) || self.sides[1].graph.is_counted(b);
                let interval = self.widened(x, y, ty, is_counted);
                self.result.fresh(Kind::Scalar(interval))
            }
            (Kind::Outside(x, of), Kind::Outside(y, other)) if of == other => {
                let part = self.pair(x, y, Type::Pointer(None))?;
                self.result.fresh(Kind::Outside(part, of))
            }
            (x, y) => {
                let (x, y) = (wild(x)?, wild(y)?);
                if x != y {
                    self.lose(Loss::Value);
                }
                self.result.fresh(Kind::Wild(Wild(x.0 | y.0)))
            }
        };
        self.pairs.insert((a, b), symbol);
        Some(symbol)
    }

    /// Is one of them the address of an object of which nothing else matters, and the other one null or any pointer?
    /// Then it is enough to know a pointer: data that a container holds makes it no other container.
    fn is_token(&self, a: Symbol, b: Symbol) -> bool {
        let [old, new] = &self.tokens;
        let any = |tokens: &Tokens, symbol: Symbol| symbol == NULL || tokens.open.contains(&symbol);
        old.opaque.contains(&a) && any(new, b) || any(old, a) && new.opaque.contains(&b)
    }

    /// A number that is in a variable or cell of another type, too, is within its bounds.
    fn is_of(&mut self, known: Symbol, (a, b): (Symbol, Symbol), ty: Type) {
        let Type::Scalar(scalar) = ty else { return };
        let fits = |kind: Kind| matches!(kind, Kind::Scalar(interval) if within(interval, scalar.range()));
        if let Kind::Scalar((low, high)) = self.result.kind(known)
            && fits(self.sides[0].graph.kind(a))
            && fits(self.sides[1].graph.kind(b))
        {
            let (least, greatest) = scalar.range();
            self.result.kinds[known.index()] = Kind::Scalar((low.max(least), high.min(greatest)));
        }
    }

    /// Bounds that grow go on to the next number that the program mentions, so that they do not grow for ever. Those of
    /// numbers that are part of a sum go on to the end, because the other parts grow as well.
    fn widened(&self, old: Interval, new: Interval, ty: Type, is_counted: bool) -> Interval {
        let Type::Scalar(scalar) = ty else { return (old.0.min(new.0), old.1.max(new.1)) };
        if within(new, old) {
            return old;
        }
        let (least, greatest) = scalar.range();
        let mentioned = self.sides[0].roles.numbers.mentioned();
        let below = mentioned.range(..=new.0).next_back().filter(|number| **number >= least);
        let above = mentioned.range(new.1..).next().filter(|number| **number <= greatest);
        // Where numbers are related, those of smaller types keep the bounds of these.
        let bounds: &[i128] = if self.sides[0].graph.relations.is_kept { &BOUNDS } else { &[] };
        let below = below.into_iter().chain(bounds.iter().filter(|bound| **bound <= new.0 && **bound >= least)).max();
        let above =
            above.into_iter().chain(bounds.iter().filter(|bound| **bound >= new.1 && **bound <= greatest)).min();
        let low = if new.0 >= old.0 { old.0 } else { *below.unwrap_or(&least) };
        let above = above.filter(|_| !is_counted).unwrap_or(&greatest);
        (low, if new.1 <= old.1 { old.1 } else { *above })
    }

    fn pointer(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        self.pair(a, b, Type::Pointer(None))
    }

    fn pointers(&mut self, a: &[Symbol], b: &[Symbol]) -> Option<Vec<Symbol>> {
        a.iter().zip(b).map(|(a, b)| self.pointer(*a, *b)).collect()
    }

    fn site(&self, side: usize, symbol: Symbol) -> Option<Site> {
        self.sides[side].graph.site(symbol)
    }

    fn walk(&mut self) -> Option<()> {
        loop {
            let mut later = Vec::new();
            while let Some((a, b)) = self.open.pop_front() {
                listen();
                let sites = (self.site(0, a), self.site(1, b));
                // A region is walked along from its start, if there is a way there.
                if matches!(sites, (Some(Site::Last(..)), _) | (_, Some(Site::Last(..)))) {
                    later.push((a, b));
                // Regions that both have come first: they say what hangs together where only one has something.
                } else if sites.0.is_some() != sites.1.is_some() && self.open.iter().any(|pair| self.is_in_both(*pair))
                {
                    self.open.push_back((a, b));
                } else {
                    self.at = Some((a, b));
                    self.regions(a, b)?;
                }
            }
            // A region whose start is not come to is walked along from its end.
            let Some((a, b)) = later.iter().copied().find(|(a, b)| self.is_last(*a, *b)) else { return Some(()) };
            self.at = Some((a, b));
            match (self.site(0, a), self.site(1, b)) {
                (Some(Site::Last(x, _)), Some(Site::Last(y, _))) => self.edges(x, y)?,
                (Some(Site::Last(x, _)), Some(Site::Block(..))) => self.edge_against_block(0, x, a, b)?,
                (Some(Site::Block(..)), Some(Site::Last(y, _))) => self.edge_against_block(1, y, a, b)?,
                (Some(Site::Last(x, _)), None) => self.end_against_nothing(0, x)?,
                (None, Some(Site::Last(y, _))) => self.end_against_nothing(1, y)?,
                _ => return None,
            }
            self.open.extend(later);
        }
    }

    /// Does something begin at a pair on both sides?
    fn is_in_both(&self, (a, b): (Symbol, Symbol)) -> bool {
        let begins = |site: Option<Site>| matches!(site, Some(Site::Block(..) | Site::Source(_)));
        begins(self.site(0, a)) && begins(self.site(1, b))
    }

    /// Is either symbol the end of an edge, and the other one no start of one?
    fn is_last(&self, a: Symbol, b: Symbol) -> bool {
        let sites = (self.site(0, a), self.site(1, b));
        let last = matches!(sites, (Some(Site::Last(..)), _) | (_, Some(Site::Last(..))));
        last && !matches!(sites, (Some(Site::Source(_)), _) | (_, Some(Site::Source(_))))
    }

    /// An edge on one side whose end has been come to, and which is empty on the other.
    fn end_against_nothing(&mut self, side: usize, number: usize) -> Option<()> {
        let target = self.sides[side].graph.edges[number].end.as_ref()?.target;
        let here = self.partner(side, target, target)?;
        if side == 0 {
            self.edge_against_nothing(side, number, target, here)
        } else {
            self.edge_against_nothing(side, number, here, target)
        }
    }
}

fn wild(kind: Kind) -> Option<Wild> {
    match kind {
        Kind::Null => Some(Wild::NULL),
        Kind::Wild(wild) => Some(wild),
        _ => None,
    }
}
