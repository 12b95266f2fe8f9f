//! Specifications: graphs of which a checker holds, and graphs in which it is assumed. For example, `list(x)` holds of
//! `α.node_list()`, where `x` is α; it is assumed of a graph without memory at α by adding this region.
//!
//! # Soundness
//! [`take`] walks along the regions of a graph as the function would, and takes away the regions that it has walked
//! along, so that nothing is counted twice. [`assume`] adds the memory that the function describes, apart from
//! everything that is there already.

use crate::checker::define::{Definition, Definitions, Inductive};
use crate::checker::definition::{Call, Checker, Term, Wild};
use crate::checker::recognise::{Rule, Sym};
use crate::graph::scalars::anything;
use crate::graph::shape_graph::{Block, Edge, End, Frame, Kind, NULL, ShapeGraph, Site, Symbol};
use crate::layout::Layouts;
use trifold_ir::{ProcId, Region, StructId, VarId};
use trifold_passes::intervals::within;

/// So many cases of an element are looked at.
const MAX_CASES: usize = 16;

/// Does a checker hold for sure?
pub(crate) fn holds(
    graph: &ShapeGraph,
    definitions: &Definitions,
    layouts: &Layouts,
    procedure: ProcId,
    args: &[Symbol],
) -> bool {
    take(graph, definitions, layouts, (procedure, Manner::Look), args).is_some()
}

/// The use of the memory of which a checker holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// It stays.
    Look,
    /// It is given away: it must be on the heap, with nothing below it that the checker does not know of, and values
    /// that the checker leaves open are initialised.
    Give,
}

/// The rest of a graph without the memory of which a checker holds for sure, by cases.
pub(crate) fn take(
    graph: &ShapeGraph,
    definitions: &Definitions,
    layouts: &Layouts,
    (procedure, manner): (ProcId, Manner),
    args: &[Symbol],
) -> Option<Vec<ShapeGraph>> {
    let element = match &definitions.known[&procedure] {
        Definition::Plain(rules, _) => Some(rules.subject),
        Definition::Inductive(_) => None,
    };
    // Variables that the program does not have hold the arguments, because some may be merged.
    let mut open = vec![graph.clone()];
    let values = args.iter().enumerate().map(|(number, symbol)| (VarId::from_index(number), *symbol)).collect();
    open[0].frames.push(Frame { procedure, called: false, values });
    let mut left = Vec::new();
    for _ in 0..MAX_CASES {
        let Some(graph) = open.pop() else { return Some(left) };
        let args: Vec<Symbol> = graph.frame().values.values().copied().collect();
        // A function that does not call itself looks at its element.
        let edge = match element.and_then(|element| graph.site(args[element])) {
            Some(Site::Source(edge)) => {
                open.extend(graph.unfold_first(edge, layouts));
                edge
            }
            Some(Site::Last(edge, param)) => {
                open.extend(graph.unfold_last(edge, param, layouts));
                edge
            }
            Some(Site::Block(..)) | None => {
                let mut proof = Proof { graph: graph.clone(), whole: &graph, definitions, manner };
                if !proof.applied(procedure, &args) {
                    return None;
                }
                proof.graph.frames.pop();
                left.push(proof.graph);
                continue;
            }
        };
        if graph.edges[edge].min == 0 {
            open.extend(graph.unfold_empty(edge));
        }
    }
    None
}

struct Proof<'a> {
    /// The rest.
    graph: ShapeGraph,
    whole: &'a ShapeGraph,
    definitions: &'a Definitions,
    manner: Manner,
}

/// Where a run ends, and the parameters there as far as they matter; none if it ends with null everywhere.
type Stop = Option<(Symbol, Vec<Option<Symbol>>)>;

impl Proof<'_> {
    fn applied(&mut self, procedure: ProcId, args: &[Symbol]) -> bool {
        if args.iter().any(|arg| matches!(self.whole.kind(*arg), Kind::Wild(_))) {
            return false;
        }
        match &self.definitions.known[&procedure] {
            Definition::Inductive(Inductive { checker, subject, params, end, ends }) => {
                let own = params.iter().map(|param| args[*param]).collect();
                let target = end.map_or(NULL, |end| args[end]);
                let stop = checker.is_linear().then(|| (target, ends.iter().map(|end| end.map(|e| args[e])).collect()));
                self.run(checker, args[*subject], own, &stop)
            }
            Definition::Plain(rules, structure) => rules.rules.iter().any(|rule| {
                let before = self.graph.clone();
                let holds = self.rule(rule, *structure, rules.subject, args);
                if !holds {
                    self.graph = before;
                }
                holds
            }),
        }
    }

    fn rule(&mut self, rule: &Rule, structure: StructId, subject: usize, args: &[Symbol]) -> bool {
        let element = args[subject];
        let mut block = None;
        if !rule.read.is_empty() {
            match self.graph.block(element) {
                Some((number, 0)) if self.graph.blocks[number].structure == structure => {
                    block = self.remove(number);
                }
                _ => return false,
            }
        }
        let is_given = self.manner == Manner::Give;
        if let Some(block) = block.as_ref().filter(|_| is_given)
            && block.cells.iter().any(|cell| has_no_value(self.whole.kind(*cell)))
        {
            return false;
        }
        let symbol = |sym: Sym| match (sym, &block) {
            (Sym::Null, _) => Some(NULL),
            (Sym::Param(param), _) => Some(args[param]),
            (Sym::Part(0), _) => Some(element),
            (Sym::Part(part), Some(block)) => Some(block.parts[part]),
            (Sym::Cell(cell), Some(block)) => Some(block.cells[cell]),
            _ => None,
        };
        let both = |a: Sym, b: Sym| Some((symbol(a)?, symbol(b)?));
        let equal = rule.equal.iter().all(|(a, b)| both(*a, *b).is_some_and(|(a, b)| a == b));
        let differ = rule.different.iter().all(|(a, b, _)| both(*a, *b).is_some_and(|(a, b)| self.differ(a, b)));
        // A function that compares a pointer without a value goes wrong.
        let compared = rule.equal.iter().map(|(a, b)| (*a, *b)).chain(rule.different.iter().map(|(a, b, _)| (*a, *b)));
        let mut symbols = compared.flat_map(|(a, b)| [symbol(a), symbol(b)]).flatten();
        if !equal || !differ || symbols.any(|symbol| matches!(self.whole.kind(symbol), Kind::Wild(_))) {
            return false;
        }
        rule.calls.iter().all(|call| {
            let args: Option<Vec<Symbol>> = call.arguments.iter().map(|argument| symbol(*argument)).collect();
            args.is_some_and(|args| self.applied(call.procedure, &args))
        })
    }

    /// Takes away a block, if it may be.
    fn remove(&mut self, number: usize) -> Option<Block> {
        let may_be = self.manner == Manner::Look || self.graph.blocks[number].region == Region::Heap;
        may_be.then(|| self.graph.blocks.remove(number))
    }

    /// Are two pointers certainly different? One must be null or an object, and the other one another object.
    fn differ(&self, a: Symbol, b: Symbol) -> bool {
        let is_object = |symbol: Symbol| self.whole.block(symbol).is_some();
        a != b && [a, b].into_iter().all(|symbol| symbol == NULL || is_object(symbol))
    }

    fn run(&mut self, checker: &Checker, mut start: Symbol, mut args: Vec<Symbol>, stop: &Stop) -> bool {
        loop {
            match stop {
                Some((target, ends)) if start == *target => {
                    return args.iter().zip(ends).all(|(arg, end)| end.is_none_or(|end| end == *arg));
                }
                None if start == NULL => return true,
                _ => {}
            }
            // If the parameters at the end matter, an element that is the end after all would be the wrong place to go
            // on.
            if let Some((target, ends)) = stop
                && ends.iter().any(Option::is_some)
                && *target != NULL
                && self.whole.block(*target).is_none()
            {
                return false;
            }
            match self.graph.site(start) {
                Some(Site::Block(number, part)) if part == checker.entry => {
                    let Some(block) = self.remove(number) else { return false };
                    let Some(mut nexts) = self.element(&block, checker, &args) else { return false };
                    let Some(last) = nexts.pop() else { return stop.is_none() };
                    if !nexts.into_iter().all(|(start, args)| self.run(checker, start, args, &None)) {
                        return false;
                    }
                    (start, args) = last;
                }
                Some(site @ (Site::Source(number) | Site::Last(number, _))) => {
                    let mut edge = self.graph.edges.remove(number);
                    // A list that is entered at its end is one that leads the other way.
                    if site != Site::Source(number) {
                        let Some(turned) = edge.reversed().filter(|turned| turned.source == start) else {
                            return false;
                        };
                        edge = turned;
                    }
                    let Some(params) = entails(&edge.checker, checker, self.manner) else { return false };
                    let there = |args: &[Symbol]| params.iter().map(|param| args[*param]).collect::<Vec<Symbol>>();
                    if there(&edge.args) != args {
                        return false;
                    }
                    match edge.end {
                        Some(end) => (start, args) = (end.target, there(&end.args)),
                        None => return stop.is_none(),
                    }
                }
                _ => return false,
            }
        }
    }

    /// Does a block fit, with the regions below it? Where the recursive applications start, with which parameters.
    fn element(&mut self, block: &Block, checker: &Checker, args: &[Symbol]) -> Option<Vec<(Symbol, Vec<Symbol>)>> {
        if block.structure != checker.structure {
            return None;
        }
        let mut nexts = vec![None; checker.nexts.len()];
        for (term, value) in checker.cells.iter().zip(&block.cells) {
            if let Term::Next(next) = term
                && nexts[*next].replace(*value).is_some_and(|known| known != *value)
            {
                return None;
            }
        }
        let nexts = nexts.into_iter().collect::<Option<Vec<Symbol>>>()?;
        let symbol = |term: Term| match term {
            Term::Null => Some(NULL),
            Term::Part(part) => Some(block.parts[part]),
            Term::Param(param) => Some(args[param]),
            Term::Next(next) => Some(nexts[next]),
            _ => None,
        };
        for (term, value) in checker.cells.iter().zip(&block.cells) {
            let fits = match (*term, self.graph.kind(*value)) {
                (Term::Next(_), _) => true,
                (Term::Some, kind) => self.manner == Manner::Look || !has_no_value(kind),
                // A function that compares a pointer without a value goes wrong.
                (Term::Param(_), Kind::Wild(_)) => false,
                (Term::Scalar(range), Kind::Scalar(interval)) => within(interval, range),
                (Term::Call(call), _) => {
                    let Call { checker, args, end, .. } = &checker.calls[call];
                    let args: Vec<Symbol> = args.iter().map(|term| symbol(*term)).collect::<Option<_>>()?;
                    let stop = match end {
                        Some((target, ends)) => Some((symbol(*target)?, ends.iter().map(|end| symbol(*end)).collect())),
                        None => None,
                    };
                    self.run(checker, *value, args, &stop)
                }
                (term, _) => symbol(term) == Some(*value),
            };
            if !fits {
                return None;
            }
        }
        let passed =
            |next: usize| checker.nexts[next].iter().map(|term| symbol(*term)).collect::<Option<Vec<Symbol>>>();
        nexts.iter().enumerate().map(|(next, start)| Some((*start, passed(next)?))).collect()
    }
}

/// May something have no value?
pub(crate) fn has_no_value(kind: Kind) -> bool {
    matches!(kind, Kind::Wild(wild) if wild.has(Wild::UNINITIALISED) || wild.has(Wild::TOP))
}

/// If every region of one checker is one of another, with fewer promises: the parameters of the other one, by number,
/// among those of the one.
fn entails(one: &Checker, other: &Checker, manner: Manner) -> Option<Vec<usize>> {
    if one == other {
        return Some((0..one.params).collect());
    }
    let same = (one.structure, one.entry, one.nexts.len()) == (other.structure, other.entry, other.nexts.len());
    let mut params = vec![None; other.params];
    let mut nexts = vec![None; other.nexts.len()];
    for (a, b) in one.cells.iter().zip(&other.cells).filter(|_| same) {
        match (*a, *b) {
            (Term::Param(a), Term::Param(b)) if params[b].is_none_or(|known| known == a) => params[b] = Some(a),
            (Term::Next(a), Term::Next(b)) if nexts[b].is_none_or(|known| known == a) => nexts[b] = Some(a),
            (Term::Param(_) | Term::Next(_), Term::Param(_) | Term::Next(_)) => return None,
            _ => {}
        }
    }
    let params = params.into_iter().collect::<Option<Vec<usize>>>().filter(|_| same)?;
    let nexts = nexts.into_iter().collect::<Option<Vec<usize>>>()?;
    let translate = |term: Term| match term {
        Term::Param(param) => Term::Param(params[param]),
        Term::Next(next) => Term::Next(nexts[next]),
        other => other,
    };
    let fits = |(a, b): (&Term, &Term)| match (*a, *b) {
        (Term::Call(_), Term::Some) => manner == Manner::Look,
        (Term::Wild(wild), Term::Some) => manner == Manner::Look || !has_no_value(Kind::Wild(wild)),
        (_, Term::Some) => true,
        (Term::Scalar(a), Term::Scalar(b)) => within(a, b),
        (Term::Null, Term::Call(call)) => {
            other.calls[call].or_null().is_some_and(|or_null| or_null == other.calls[call])
        }
        // Nothing is between the element and the next one.
        (Term::Next(_), Term::Call(call)) => match &other.calls[call] {
            Call { args, end: Some((target, ends)), min: 0, .. } => {
                translate(*target) == *a && args.iter().zip(ends).all(|(arg, end)| *end == Term::Some || arg == end)
            }
            _ => false,
        },
        (Term::Call(a), Term::Call(b)) => {
            let (a, b) = (&one.calls[a], &other.calls[b]);
            let all = |terms: &[Term]| terms.iter().map(|term| translate(*term)).collect::<Vec<Term>>();
            let ends = match (&a.end, &b.end) {
                (None, None) => true,
                (Some((x, xs)), Some((y, ys))) => {
                    let matter = |(x, y): (&Term, &Term)| *y == Term::Some || *x == translate(*y);
                    *x == translate(*y) && xs.len() == ys.len() && xs.iter().zip(ys).all(matter)
                }
                _ => false,
            };
            let own: Option<Vec<usize>> = entails(&a.checker, &b.checker, manner);
            let is_same = own.is_some_and(|own| own == (0..a.args.len()).collect::<Vec<_>>());
            is_same && a.args == all(&b.args) && ends && a.min >= b.min
        }
        (a, b) => a == translate(b),
    };
    let passes = |next: usize| {
        let expected = other.nexts[next].iter().map(|term| translate(*term));
        params.iter().zip(expected).all(|(param, term)| one.nexts[nexts[next]][*param] == term)
    };
    let holds = one.cells.iter().zip(&other.cells).all(fits) && (0..nexts.len()).all(passes);
    holds.then_some(params)
}

/// The graphs in which a checker holds of memory that is not there yet.
pub(crate) fn assume(
    mut graph: ShapeGraph,
    definitions: &Definitions,
    layouts: &Layouts,
    procedure: ProcId,
    args: &[Symbol],
) -> Vec<ShapeGraph> {
    match &definitions.known[&procedure] {
        Definition::Inductive(Inductive { checker, subject, params, end, ends }) => {
            let own = params.iter().map(|param| args[*param]).collect();
            let target = end.map_or(NULL, |end| args[end]);
            let end = checker.is_linear().then(|| End {
                target,
                args: ends.iter().map(|end| end.map_or_else(|| graph.fresh(Kind::Pointer), |end| args[end])).collect(),
            });
            let length = graph.any_length(checker, end.as_ref(), 0);
            let (source, checker) = (args[*subject], checker.clone());
            graph.edges.push(Edge { source, args: own, end, min: 0, length, checker });
            if graph.reduce().is_ok() { vec![graph] } else { Vec::new() }
        }
        Definition::Plain(rules, structure) => {
            let rule = |rule| instantiate(graph.clone(), definitions, layouts, rule, (*structure, rules.subject), args);
            rules.rules.iter().flat_map(rule).collect()
        }
    }
}

/// The graphs in which a rule holds.
fn instantiate(
    mut graph: ShapeGraph,
    definitions: &Definitions,
    layouts: &Layouts,
    rule: &Rule,
    (structure, subject): (StructId, usize),
    args: &[Symbol],
) -> Vec<ShapeGraph> {
    let layout = &layouts[structure];
    let mut values: Vec<Symbol> = args.to_vec();
    let first_part = values.len();
    values.push(args[subject]);
    let mut first_cell = values.len();
    if !rule.read.is_empty() {
        values.extend((1..layout.parts.len()).map(|_| graph.fresh(Kind::Pointer)));
        first_cell = values.len();
        values.extend(layout.cells.iter().map(|cell| graph.fresh(anything(cell.ty))));
    }
    // Variables that the program does not have hold the symbols, because some may be merged.
    let values = values.into_iter().enumerate().map(|(number, symbol)| (VarId::from_index(number), symbol)).collect();
    graph.frames.push(Frame { procedure: ProcId::from_index(0), called: false, values });
    let symbol = |graph: &ShapeGraph, sym: Sym| {
        let number = match sym {
            Sym::Param(param) => param,
            Sym::Part(part) => first_part + part,
            Sym::Cell(cell) => first_cell + cell,
            _ => return NULL,
        };
        graph.frame().values[&VarId::from_index(number)]
    };
    for (a, b) in &rule.equal {
        let (a, b) = (symbol(&graph, *a), symbol(&graph, *b));
        if graph.merge(a, b).is_err() {
            return Vec::new();
        }
    }
    if !rule.read.is_empty() {
        let parts = (0..layout.parts.len()).map(|part| symbol(&graph, Sym::Part(part))).collect();
        let cells = (0..layout.cells.len()).map(|cell| symbol(&graph, Sym::Cell(cell))).collect();
        graph.blocks.push(Block { parts, cells, structure, region: Region::Heap, depth: 0 });
    }
    let mut open = if graph.reduce().is_ok() { vec![graph] } else { Vec::new() };
    for call in &rule.calls {
        let apply = |graph: ShapeGraph| {
            let args: Vec<Symbol> = call.arguments.iter().map(|sym| symbol(&graph, *sym)).collect();
            assume(graph, definitions, layouts, call.procedure, &args)
        };
        open = open.into_iter().flat_map(apply).collect();
    }
    for graph in &mut open {
        graph.frames.pop();
    }
    open
}
