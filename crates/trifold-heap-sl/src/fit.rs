//! Does a block, with the regions below it, fit the definition of a checker? The opposite of unfolding: for example, `α
//! ↦ node{next: β} * β.node_list()` fits `α.node_list()`.
//!
//! A [`Fitting`] takes regions out of a graph. If a region nearly fits, because a cell holds something that the
//! definition did not foresee, the definition is generalised.
//!
//! # Soundness
//! The regions that were taken out are described by the checker that comes back. Symbols of it that are still referred
//! to stand for any value; that is sound, but so imprecise that folding avoids it.

use crate::checker::definition::{Call, Checker, Term, Wild, either_number, generalise};
use crate::graph::shape_graph::{Block, Edge, Kind, MAX_MIN, NULL, ShapeGraph, Site, Symbol};
use crate::layout::{Cell, Layouts};
use crate::link_roles::{FieldRoles, LinkedShape};
use std::sync::Arc;
use trifold_ir::Region;
use trifold_work::listen;

/// Checkers in checkers: deeper ones are not inferred.
const MAX_DEPTH: usize = 4;

/// A block that fits.
pub(crate) struct Fit {
    /// The definition that it fits.
    pub checker: Arc<Checker>,
    /// Its parameters.
    pub args: Vec<Symbol>,
    /// Where the recursive applications start, with which parameters.
    pub nexts: Vec<(Symbol, Vec<Symbol>)>,
}

/// A segment that was taken out.
struct Segment {
    checker: Arc<Checker>,
    target: Symbol,
    args: Vec<Symbol>,
    /// At least this many blocks.
    min: u8,
}

/// A graph out of which regions are taken.
#[derive(Clone)]
pub(crate) struct Fitting<'a> {
    pub graph: ShapeGraph,
    /// Addresses in regions that were taken out.
    pub taken: Vec<Symbol>,
    pub layouts: &'a Layouts,
    pub roles: &'a FieldRoles,
}

/// The block around a cell, for the meaning of terms.
struct Around<'b> {
    parts: &'b [Symbol],
    args: &'b [Symbol],
    nexts: &'b [Option<Symbol>],
}

impl Around<'_> {
    fn symbol(&self, term: Term) -> Option<Symbol> {
        match term {
            Term::Null => Some(NULL),
            Term::Part(part) => Some(self.parts[part]),
            Term::Param(param) => Some(self.args[param]),
            Term::Next(next) => self.nexts[next],
            _ => None,
        }
    }

    fn term(&self, symbol: Symbol) -> Option<Term> {
        if symbol == NULL {
            return Some(Term::Null);
        }
        let part = self.parts.iter().position(|part| *part == symbol).map(Term::Part);
        part.or_else(|| self.args.iter().position(|arg| *arg == symbol).map(Term::Param))
    }
}

impl<'a> Fitting<'a> {
    pub fn new(graph: ShapeGraph, layouts: &'a Layouts, roles: &'a FieldRoles) -> Fitting<'a> {
        Fitting { graph, taken: Vec::new(), layouts, roles }
    }

    /// Takes out the block on the heap with a part at this address.
    pub fn take_block(&mut self, address: Symbol) -> Option<(Block, usize)> {
        let (number, part) = self.graph.block(address)?;
        if self.graph.blocks[number].region != Region::Heap {
            return None;
        }
        let block = self.graph.blocks.remove(number);
        self.taken.extend(&block.parts);
        Some((block, part))
    }

    fn take_edge(&mut self, source: Symbol, complete: bool) -> Option<Edge> {
        let is_wanted = |edge: &Edge| edge.source == source && edge.end.is_none() == complete;
        if let Some(number) = self.graph.edges.iter().position(is_wanted) {
            let edge = self.graph.edges.remove(number);
            self.taken.extend(edge.addresses());
            return Some(edge);
        }
        // A list that is entered at its end is one that leads the other way.
        let turned = |edge: &Edge| edge.reversed().filter(is_wanted);
        let (number, edge) = self.graph.edges.iter().enumerate().find_map(|(n, edge)| Some((n, turned(edge)?)))?;
        self.taken.extend(self.graph.edges.remove(number).addresses());
        Some(edge)
    }

    /// Does the block fit? If there is a hole, the recursive application of that number is left; all others are taken
    /// out.
    pub fn fit(&mut self, block: &Block, checker: &Arc<Checker>, hole: Option<usize>) -> Option<Fit> {
        if block.structure != checker.structure {
            return None;
        }
        let args = parameters(block, checker)?;
        let own = self.layouts[checker.structure].parts[checker.entry].structure;
        let nexts = successors(block, checker)?;
        let around = Around { parts: &block.parts, args: &args, nexts: &nexts };
        let mut general = Checker { cells: Vec::new(), calls: Vec::new(), ..(**checker).clone() };
        for (number, (term, value)) in checker.cells.iter().zip(&block.cells).enumerate() {
            let ty = self.layouts[block.structure].cells[number].ty;
            let mut call = |call: Call| {
                general.calls.push(call);
                Term::Call(general.calls.len() - 1)
            };
            let fitted = match (*term, self.graph.kind(*value)) {
                (Term::Param(_), _) => *term,
                (Term::Next(_), _) => *term,
                (Term::Some, _) if self.roles.is_unread(self.layouts[block.structure].cells[number].field) => *term,
                (Term::Some, Kind::Null | Kind::Pointer) => *term,
                (Term::Call(known), _) => call(self.fit_call(*value, &checker.calls[known], &around)?),
                (Term::Null, Kind::Null) => Term::Null,
                (Term::Null, Kind::Wild(wild)) => Term::Wild(Wild(wild.0 | Wild::NULL.0)),
                // Regions that hang below one element of a list and not below another are another list.
                (Term::Null, Kind::Pointer) if self.roles.shapes == LinkedShape::Lists && ty.target() == Some(own) => {
                    return None;
                }
                (Term::Null, Kind::Pointer) if self.is_loose(*value) => Term::Some,
                (Term::Null, Kind::Pointer) => call(self.summarise(*value, &around, checker.depth())?.or_null()?),
                (Term::Part(part), _) if block.parts[part] == *value => *term,
                (Term::Wild(wild), Kind::Wild(more)) => Term::Wild(Wild(wild.0 | more.0)),
                (Term::Wild(wild), Kind::Null) => Term::Wild(Wild(wild.0 | Wild::NULL.0)),
                (Term::Scalar(x), Kind::Scalar(y)) => Term::Scalar(either_number(x, y, ty, self.roles.data)?),
                _ => return None,
            };
            general.cells.push(fitted);
        }
        let mut fitted = Arc::new(general);
        let mut starts = Vec::new();
        for (next, start) in nexts.iter().enumerate() {
            let start = (*start)?;
            let terms = &checker.nexts[next];
            let args: Vec<Symbol> = terms.iter().map(|term| around.symbol(*term)).collect::<Option<_>>()?;
            if hole != Some(next) {
                fitted = self.complete(start, &args, &fitted)?;
            }
            starts.push((start, args));
        }
        // A region that hangs below the innermost element makes the whole definition deeper.
        (fitted.depth() <= 2 * MAX_DEPTH).then_some(Fit { checker: fitted, args, nexts: starts })
    }

    fn fit_call(&mut self, start: Symbol, call: &Call, around: &Around<'_>) -> Option<Call> {
        let args: Vec<Symbol> = call.args.iter().map(|term| around.symbol(*term)).collect::<Option<_>>()?;
        let (checker, least) = match &call.end {
            None => {
                let least = self.graph.least(start);
                (self.complete(start, &args, &call.checker)?, least)
            }
            Some((target, ends)) => {
                let target = around.symbol(*target)?;
                let ends: Vec<Option<Symbol>> = ends.iter().map(|term| around.symbol(*term)).collect();
                self.segment(start, args, &call.checker, &|symbol, args| {
                    symbol == target && args.iter().zip(&ends).all(|(arg, end)| end.is_none_or(|end| end == *arg))
                })
                .map(|segment| (segment.checker, segment.min))?
            }
        };
        Some(Call { checker, min: call.min.min(least), ..call.clone() })
    }

    /// Takes out a complete region.
    pub fn complete(&mut self, start: Symbol, args: &[Symbol], checker: &Arc<Checker>) -> Option<Arc<Checker>> {
        if start == NULL {
            return Some(checker.clone());
        }
        if let Some(edge) = self.take_edge(start, true) {
            return if edge.args == args {
                generalise(checker, &edge.checker, self.layouts, self.roles.data)
            } else {
                None
            };
        }
        let (block, part) = self.take_block(start)?;
        let fit = self.fit(&block, checker, None)?;
        (part == checker.entry && fit.args == args).then_some(fit.checker)
    }

    /// Takes out a segment, up to where `ends` says that it ends, as far as possible.
    fn segment(
        &mut self,
        mut start: Symbol,
        mut args: Vec<Symbol>,
        checker: &Arc<Checker>,
        ends: &dyn Fn(Symbol, &[Symbol]) -> bool,
    ) -> Option<Segment> {
        let (mut checker, mut min) = (checker.clone(), 0);
        while !ends(start, &args) {
            listen();
            if let Some(edge) = self.take_edge(start, false) {
                min += edge.min;
                checker = generalise(&checker, &edge.checker, self.layouts, self.roles.data)?;
                let end = edge.end.filter(|_| edge.args == args)?;
                (start, args) = (end.target, end.args);
                continue;
            }
            let (block, part) = self.take_block(start)?;
            let fit = self.fit(&block, &checker, Some(0))?;
            if part != checker.entry || fit.args != args {
                return None;
            }
            checker = fit.checker;
            min += 1;
            (start, args) = fit.nexts.into_iter().next()?;
        }
        Some(Segment { checker, target: start, args, min: min.min(MAX_MIN) })
    }

    /// Takes out the regions that hang below a cell, and describes them. Regions that were described before may have
    /// regions below them in turn, and a loop could put one below the other for ever.
    fn summarise(&mut self, start: Symbol, around: &Around<'_>, depth: usize) -> Option<Call> {
        self.describe(start, around, depth).filter(|call| call.checker.depth() <= MAX_DEPTH)
    }

    fn describe(&mut self, start: Symbol, around: &Around<'_>, depth: usize) -> Option<Call> {
        let terms = |symbols: &[Symbol]| symbols.iter().map(|s| around.term(*s)).collect::<Option<Vec<Term>>>();
        let or_some = |symbols: &[Symbol]| symbols.iter().map(|s| around.term(*s).unwrap_or(Term::Some)).collect();
        if depth >= MAX_DEPTH {
            return None;
        }
        let min = self.graph.least(start);
        if let Some(edge) = self.take_edge(start, true) {
            return Some(Call { args: terms(&edge.args)?, checker: edge.checker, end: None, min });
        }
        let (checker, first) = match self.take_edge(start, false) {
            Some(edge) => {
                let end = edge.end.expect("it is a segment");
                // Regions that hang together are one if they can be.
                let ends = |symbol: Symbol, _: &[Symbol]| around.term(symbol).is_some();
                let rest = self.segment(end.target, end.args, &edge.checker, &ends)?;
                return Some(Call {
                    checker: rest.checker,
                    args: terms(&edge.args)?,
                    end: Some((around.term(rest.target)?, or_some(&rest.args))),
                    min: (edge.min + rest.min).min(MAX_MIN),
                });
            }
            None => {
                let (block, part) = self.take_block(start)?;
                let checker = self.clone().derive(&block, part, around, depth + 1)?;
                let hole = checker.is_linear().then_some(0);
                let fit = self.fit(&block, &checker, hole)?;
                (fit.checker.clone(), fit)
            }
        };
        let args = terms(&first.args)?;
        if !checker.is_linear() {
            return Some(Call { checker, args, end: None, min });
        }
        let ends = |symbol: Symbol, _: &[Symbol]| around.term(symbol).is_some();
        let (start, args_there) = first.nexts.into_iter().next()?;
        let rest = self.segment(start, args_there, &checker, &ends)?;
        let end = Some((around.term(rest.target)?, or_some(&rest.args)));
        Some(Call { checker: rest.checker, args, end, min: (1 + rest.min).min(MAX_MIN) })
    }

    /// A definition that the block may fit, from its type and its cells.
    fn derive(&mut self, block: &Block, entry: usize, around: &Around<'_>, depth: usize) -> Option<Arc<Checker>> {
        let layout = &self.layouts[block.structure];
        let own = layout.parts[entry].structure;
        let mut draft = Draft::new(block, entry);
        for (cell, value) in layout.cells.iter().zip(&block.cells) {
            let is_link = cell.ty.target() == Some(own) && self.roles.leads_on(cell.field);
            let is_back = cell.ty.target() == Some(own) && self.roles.leads_back(cell.field);
            let is_lone = self.roles.shapes == LinkedShape::Lists && *value == NULL && self.roles.several_links;
            let leads_on = *value == NULL || self.graph.kind(*value) == Kind::Pointer && self.is_private(*value);
            match self.graph.kind(*value) {
                Kind::Pointer if self.roles.is_unread(cell.field) => draft.cell(Term::Some),
                _ if is_back => draft.param(Term::Part(entry)),
                _ if is_link && !is_lone && leads_on => draft.next(),
                Kind::Null => draft.cell(Term::Null),
                Kind::Wild(wild) => draft.cell(Term::Wild(wild)),
                Kind::Scalar(interval) => draft.cell(Term::Scalar(interval)),
                _ => match block.parts.iter().position(|part| part == value) {
                    Some(part) if !is_link => draft.cell(Term::Part(part)),
                    // The root of a tree may be one of the elements that all elements know.
                    Some(_) => draft.same(),
                    None if is_link || around.term(*value).is_some() => draft.same(),
                    None if self.is_loose(*value) => draft.cell(Term::Some),
                    None => {
                        let inner = Around { parts: &block.parts, args: &[], nexts: &[] };
                        let call = self.summarise(*value, &inner, depth)?;
                        draft.call(call);
                    }
                },
            }
        }
        let lists = self.roles.shapes == LinkedShape::Lists && self.roles.several_links;
        (!lists || draft.checker.nexts.len() <= 1).then(|| draft.finish())
    }

    /// Is it a pointer that holds nothing: of which nothing is known, or to an object that needs no reference? Such
    /// pointers may be different in each element, as data is that a list holds for others.
    fn is_loose(&self, symbol: Symbol) -> bool {
        let is_static = |site: Site| match site {
            Site::Block(number, _) => self.graph.blocks[number].region == Region::Static,
            _ => false,
        };
        let is_address = self.taken.contains(&symbol);
        self.graph.kind(symbol) == Kind::Pointer && !is_address && self.graph.site(symbol).is_none_or(is_static)
    }

    /// Is there one way to a symbol, those that lead back aside?
    fn is_private(&self, symbol: Symbol) -> bool {
        listen();
        let mut ways = 0;
        self.graph.for_each_value(&mut |value| ways += usize::from(value == symbol));
        for block in &self.graph.blocks {
            let cells = block.cells.iter().zip(&self.layouts[block.structure].cells);
            let leads_on = |(value, cell): &(&Symbol, &Cell)| **value == symbol && !self.roles.leads_back(cell.field);
            ways += cells.filter(leads_on).count();
        }
        ways += self.graph.edges.iter().filter(|edge| edge.end.as_ref().is_some_and(|e| e.target == symbol)).count();
        // The block that is looked at has been taken out.
        ways == 0
    }

    /// A definition that a block of a tree may fit, or of anything else that its type tells.
    pub fn derive_alone(&self, block: &Block, entry: usize) -> Option<Arc<Checker>> {
        let nothing = Around { parts: &[], args: &[], nexts: &[] };
        self.clone().derive(block, entry, &nothing, 0)
    }

    /// A definition that two blocks of a list may fit, the first of which leads to the second by its cell `link`.
    pub fn derive_pair(&self, first: &Block, second: &Block, link: usize, entry: usize) -> Option<Arc<Checker>> {
        let mut scratch = self.clone();
        let mut draft = Draft::new(first, entry);
        draft.checker.nexts.push(Vec::new());
        let layout = &self.layouts[first.structure];
        // Something that leads nowhere yet is no element of a list, because it may as well be a value that an element
        // holds.
        if self.roles.shapes == LinkedShape::Lists && matches!(self.graph.kind(second.cells[link]), Kind::Wild(_)) {
            return None;
        }
        for (number, cell) in layout.cells.iter().enumerate() {
            let (v, w) = (first.cells[number], second.cells[number]);
            if number == link {
                draft.cell(Term::Next(0));
                continue;
            }
            if cell.ty.is_pointer() && self.roles.is_unread(cell.field) {
                draft.cell(Term::Some);
                continue;
            }
            // In a ring of two elements, the link back leads to the next element, too.
            if (v, w) == (first.cells[link], second.cells[link]) && !self.roles.leads_back(cell.field) {
                draft.cell(Term::Next(0));
                continue;
            }
            let own = |part: &usize| v == first.parts[*part] && w == second.parts[*part];
            if let Some(part) = first.parts.iter().position(|part| *part == w) {
                draft.param(Term::Part(part));
                continue;
            }
            if let Some(part) = (0..first.parts.len()).find(own) {
                draft.cell(Term::Part(part));
                continue;
            }
            let is_open = |symbol: Symbol| symbol == NULL || self.is_loose(symbol);
            match (self.graph.kind(v), self.graph.kind(w)) {
                _ if v != w && is_open(v) && is_open(w) => draft.cell(Term::Some),
                (Kind::Scalar(x), Kind::Scalar(y)) => {
                    draft.cell(Term::Scalar(either_number(x, y, cell.ty, self.roles.data)?));
                }
                (Kind::Wild(x), Kind::Wild(y)) => draft.cell(Term::Wild(Wild(x.0 | y.0))),
                (Kind::Wild(x), Kind::Null) | (Kind::Null, Kind::Wild(x)) => {
                    draft.cell(Term::Wild(Wild(x.0 | Wild::NULL.0)));
                }
                (Kind::Null, _) => draft.cell(Term::Null),
                _ if v == w => draft.same(),
                // An object that hangs below an element of a list is not of its kind, because it would be a tree then.
                _ if cell.ty.target() == Some(layout.parts[entry].structure)
                    && (self.roles.shapes == LinkedShape::Trees || w == NULL) =>
                {
                    return None;
                }
                _ => {
                    let around = Around { parts: &first.parts, args: &[], nexts: &[] };
                    let call = scratch.summarise(v, &around, 1)?;
                    draft.call(call);
                }
            }
        }
        Some(draft.finish())
    }
}

/// The parameters, as the cells of the block tell them.
fn parameters(block: &Block, checker: &Checker) -> Option<Vec<Symbol>> {
    let mut args = vec![None; checker.params];
    for (term, value) in checker.cells.iter().zip(&block.cells) {
        if let Term::Param(param) = term
            && args[*param].replace(*value).is_some_and(|known| known != *value)
        {
            return None;
        }
    }
    args.into_iter().collect()
}

/// Where the recursive applications start, which the cells of the block tell. Several cells may lead to the same
/// element.
fn successors(block: &Block, checker: &Checker) -> Option<Vec<Option<Symbol>>> {
    let mut nexts = vec![None; checker.nexts.len()];
    for (term, value) in checker.cells.iter().zip(&block.cells) {
        if let Term::Next(next) = term
            && nexts[*next].replace(*value).is_some_and(|known| known != *value)
        {
            return None;
        }
    }
    Some(nexts)
}

/// A definition that is being written, cell by cell.
struct Draft {
    checker: Checker,
    /// The values of the parameters in a recursive application.
    passed: Vec<Term>,
}

impl Draft {
    fn new(block: &Block, entry: usize) -> Draft {
        let (cells, calls, nexts) = (Vec::new(), Vec::new(), Vec::new());
        let checker = Checker { structure: block.structure, entry, cells, params: 0, nexts, calls };
        Draft { checker, passed: Vec::new() }
    }

    fn cell(&mut self, term: Term) {
        self.checker.cells.push(term);
    }

    /// A parameter that becomes this.
    fn param(&mut self, passed: Term) {
        self.cell(Term::Param(self.passed.len()));
        self.passed.push(passed);
    }

    /// A parameter that stays as it is.
    fn same(&mut self) {
        self.param(Term::Param(self.passed.len()));
    }

    fn next(&mut self) {
        self.cell(Term::Next(self.checker.nexts.len()));
        self.checker.nexts.push(Vec::new());
    }

    fn call(&mut self, call: Call) {
        self.cell(Term::Call(self.checker.calls.len()));
        self.checker.calls.push(call);
    }

    fn finish(mut self) -> Arc<Checker> {
        self.checker.params = self.passed.len();
        self.checker.nexts.iter_mut().for_each(|next| next.clone_from(&self.passed));
        Arc::new(self.checker)
    }
}
