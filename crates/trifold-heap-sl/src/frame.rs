//! Calls on the part of memory that they can come to: the part that the callee gets, and how its effect is put back.
//! For example, a call `f(x)` with the memory `x.node_list() * y.node_list()` gets the first list, and the second one
//! is its frame.
//!
//! A callee comes to memory from its arguments and from the globals that it uses, by the fields that it or its callees
//! [follow](crate::follow). It also gets the memory that it may lose: that to which only references lead that it
//! may cut, because they are overwritten or their objects are freed. Only the callee can tell its losses, because it
//! need not return. This part of the graph is all that it gets. The rest stays with the caller: the frame of separation
//! logic.
//!
//! Both sides may know the same values. A pointer of the frame into the callee's part is a cutpoint; a pointer out of
//! it, in a field that the callee does not follow, leads to nothing there. Such values are *shared*. The callee keeps
//! them like the values of variables, as [`ShapeGraph::outside`], so no region that one of them leads into is folded
//! around it, and after the call the state of each is known: it is still an address, it is freed, it is null.
//!
//! # Soundness
//! A symbol is a value, which a call does not change. The graph after the call is the frame beside the callee's last
//! graph, with the shared values equated. To the callee a pointer into the frame is one of which nothing is known, so
//! every split of the graph is sound; that the callee can come to everything that it reads only makes it precise. If
//! the callee writes where nothing is known, the frame becomes [⊤](crate::graph::top).

use crate::checker::define::Definitions;
use crate::checker::definition::{Checker, Term};
use crate::follow::Following;
use crate::graph::reduce::Infeasible;
use crate::graph::shape_graph::Top;
use crate::graph::shape_graph::{Edge, Kind, NULL, ShapeGraph, Symbol};
use crate::layout::Layouts;
use std::collections::BTreeSet;
use trifold_ir::{FieldId, ProcId, Program, Region, Scope, Statement, VarId};
use trifold_passes::CallGraph;

/// The part of a program's data that a procedure, with those that it calls, can look at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sight {
    /// The fields that are followed.
    fields: BTreeSet<FieldId>,
    /// The fields that may be cut.
    cut: BTreeSet<FieldId>,
    /// The globals that are read or set, and those that are set.
    globals: BTreeSet<VarId>,
    set: BTreeSet<VarId>,
    /// The variables that are followed.
    followed: BTreeSet<VarId>,
    /// Is something called about which nothing is known, and which may look at everything?
    everything: bool,
}

impl Sight {
    /// By [`ProcId`].
    pub fn of(program: &Program, calls: &CallGraph, definitions: &Definitions) -> Vec<Sight> {
        let mut sights = vec![Sight::default(); program.procedures.len()];
        let mut called: Vec<BTreeSet<ProcId>> = vec![BTreeSet::new(); program.procedures.len()];
        for group in calls.bottom_up() {
            let mut all: BTreeSet<ProcId> = group.iter().copied().collect();
            for callee in group.iter().flat_map(|procedure| calls.callees(*procedure)) {
                all.extend(&called[callee.index()]);
            }
            let Following { variables, fields } = Following::of(program, definitions, &all);
            let mut sight = Sight { followed: variables, fields, ..Sight::default() };
            for edge in all.iter().flat_map(|procedure| &program[*procedure].edges) {
                sight.see(program, &edge.statement);
            }
            for procedure in &group {
                sights[procedure.index()] = sight.clone();
                called[procedure.index()] = all.clone();
            }
        }
        sights
    }

    fn see(&mut self, program: &Program, statement: &Statement) {
        match statement {
            Statement::Store { field, .. } => drop(self.cut.insert(*field)),
            // The freed object may be of another type, because it is around the one that the pointer points to.
            Statement::Free { .. } => self.cut.extend(program.structs.iter().flat_map(|s| &s.fields)),
            Statement::UnknownCall { .. } => {
                self.everything = true;
                self.globals.extend(program.globals());
                self.set.extend(program.globals());
            }
            _ => {}
        }
        let mut variable = |variable: VarId| {
            if program[variable].scope == Scope::Global {
                self.globals.insert(variable);
            }
        };
        statement.for_each_read(&mut variable);
        statement.assigned().into_iter().for_each(variable);
        self.set.extend(statement.assigned().filter(|variable| program[*variable].scope == Scope::Global));
    }

    /// Is anything done with the objects that a variable leads to?
    pub fn looks_at(&self, variable: VarId) -> bool {
        self.everything || self.followed.contains(&variable)
    }

    /// Is a field followed?
    fn follows(&self, field: FieldId) -> bool {
        self.everything || self.fields.contains(&field)
    }

    /// Can a field be cut?
    fn cuts(&self, field: FieldId) -> bool {
        self.everything || self.cut.contains(&field)
    }

    /// Can a run of a checker lead to the value of a parameter?
    fn sees_param(&self, checker: &Checker, param: usize, layouts: &Layouts) -> bool {
        let is_param = |term: &Term| *term == Term::Param(param);
        let stored = stores(checker, param, layouts, &|field| self.follows(field));
        let moves = |next: &Vec<Term>| next.iter().enumerate().any(|(to, term)| is_param(term) && to != param);
        let passed = checker.calls.iter().any(|call| {
            let ends = call.end.iter().flat_map(|(target, args)| args.iter().chain([target]));
            call.args.iter().chain(ends).any(is_param)
        });
        stored || passed || checker.nexts.iter().any(moves)
    }
}

/// Does a checker say that a parameter is in one of some fields?
fn stores(checker: &Checker, param: usize, layouts: &Layouts, fields: &dyn Fn(FieldId) -> bool) -> bool {
    let cells = checker.cells.iter().zip(&layouts[checker.structure].cells);
    cells.into_iter().any(|(term, cell)| *term == Term::Param(param) && fields(cell.field))
}

/// A graph that is split for a call.
pub(crate) struct Split {
    /// The part of the callee, without a frame; it knows the shared values.
    pub inner: ShapeGraph,
    /// The part that stays with the caller.
    rest: ShapeGraph,
    /// The values that both know, in the order in which the callee comes to them.
    shared: Vec<Symbol>,
    /// The addresses of objects that die with the caller.
    own: BTreeSet<Symbol>,
}

impl Split {
    /// Splits a graph of a caller for a call with these arguments. The callee looks at the objects of some of them.
    pub fn new(caller: &ShapeGraph, sight: &Sight, args: &[Symbol], looked_at: &[Symbol], layouts: &Layouts) -> Split {
        let seen = Seen::of(caller, sight, looked_at, layouts);
        let [mut inner, rest] = [true, false].map(|inside| seen.part(caller, sight, inside));
        (inner.outside, inner.frames, inner.top) = (args.to_vec(), Vec::new(), Top::Nothing);
        let depth = caller.frames.len();
        let dies = inner.blocks.iter().filter(|block| block.region == Region::Stack && block.depth == depth);
        let own: BTreeSet<Symbol> = dies.map(|block| block.parts[0]).collect();
        inner.blocks.iter_mut().for_each(|block| block.depth = 0);
        let order = inner.order();
        let passed: BTreeSet<Symbol> = args.iter().chain(inner.globals.values()).copied().collect();
        let mut known: BTreeSet<Symbol> = rest.order().into_iter().collect();
        // Numbers that are related to others, too, here or by callers.
        let mut related = rest.relations.symbols();
        related.extend(caller.outside.iter().filter(|_| caller.relations.is_kept));
        known.extend(&related);
        let matters = |symbol: &Symbol| match inner.kind(*symbol) {
            Kind::Null => false,
            // Of numbers only those that are passed matter, because the callee may decide by them.
            Kind::Scalar((low, high)) => low < high && (passed.contains(symbol) || related.contains(symbol)),
            Kind::Wild(wild) => wild.0.count_ones() > 1,
            Kind::Pointer | Kind::Outside(..) => true,
        };
        let both = order.into_iter().filter(|symbol| known.contains(symbol) || own.contains(symbol));
        let shared: Vec<Symbol> = both.filter(matters).collect();
        inner.outside.clone_from(&shared);
        Split { inner, rest, shared, own }
    }

    /// The graph after the call, where the callee's graph at its exit is beside the part that stayed. `returned` is
    /// told the symbols of the callee there.
    pub fn beside(
        self,
        exit: &ShapeGraph,
        returned: impl FnOnce(&mut ShapeGraph, &dyn Fn(Symbol) -> Symbol),
    ) -> Result<ShapeGraph, Infeasible> {
        let Split { rest: mut graph, shared, own, .. } = self;
        if exit.top == Top::Callers {
            graph.give_up_all();
        }
        graph.top = graph.top.max(exit.top.min(Top::Own));
        let (depth, first) = (graph.frames.len(), graph.kinds.len() as u32);
        let moved = |symbol: Symbol| if symbol == NULL { NULL } else { Symbol(first + symbol.0 - 1) };
        let mut callee = exit.clone();
        callee.rename(moved);
        graph.kinds.extend(callee.kinds.drain(1..));
        let equal: Vec<(Symbol, Symbol)> = shared.into_iter().zip(callee.outside).collect();
        for block in callee.blocks.iter_mut().filter(|block| block.region == Region::Stack) {
            if equal.iter().any(|(before, now)| *now == block.parts[0] && own.contains(before)) {
                block.depth = depth;
            }
        }
        graph.blocks.extend(callee.blocks);
        graph.edges.extend(callee.edges);
        graph.globals.extend(callee.globals);
        graph.relations.extend(callee.relations);
        returned(&mut graph, &moved);
        graph.merge_all(equal)?;
        graph.reduce()?;
        Ok(graph)
    }
}

/// The regions that a callee may come to.
struct Seen {
    blocks: Vec<bool>,
    edges: Vec<bool>,
    /// The addresses that were followed, by symbol.
    known: Vec<bool>,
}

impl Seen {
    fn of(graph: &ShapeGraph, sight: &Sight, args: &[Symbol], layouts: &Layouts) -> Seen {
        let (blocks, edges) = (vec![false; graph.blocks.len()], vec![false; graph.edges.len()]);
        let mut seen = Seen { blocks, edges, known: vec![false; graph.kinds.len()] };
        let globals =
            graph.globals.iter().filter(|(global, _)| sight.globals.contains(global) && sight.looks_at(**global));
        let mut open: Vec<Symbol> = args.iter().copied().chain(globals.map(|(_, symbol)| *symbol)).collect();
        loop {
            seen.follow(graph, sight, open, layouts);
            open = seen.may_lose(graph, sight, layouts);
            if open.is_empty() {
                return seen;
            }
        }
    }

    fn follow(&mut self, graph: &ShapeGraph, sight: &Sight, mut open: Vec<Symbol>, layouts: &Layouts) {
        while let Some(symbol) = open.pop() {
            if std::mem::replace(&mut self.known[symbol.index()], true) {
                continue;
            }
            if let Kind::Outside(part, _) = graph.kind(symbol) {
                open.push(part);
            }
            if let Some((number, _)) = graph.block(symbol) {
                self.blocks[number] = true;
                let block = &graph.blocks[number];
                let cells = block.cells.iter().zip(&layouts[block.structure].cells);
                let read = cells.filter(|(_, cell)| sight.follows(cell.field));
                open.extend(read.map(|(value, _)| *value).chain(block.parts.iter().copied()));
            }
            for (number, edge) in graph.edges.iter().enumerate() {
                if edge.addresses().any(|address| address == symbol) {
                    self.edges[number] = true;
                    open.extend(ways(edge, sight, layouts));
                }
            }
        }
    }

    /// The objects to which references lead that may be cut, and nothing in the rest.
    fn may_lose(&self, graph: &ShapeGraph, sight: &Sight, layouts: &Layouts) -> Vec<Symbol> {
        let set = graph.globals.iter().filter(|(global, _)| sight.set.contains(global));
        let mut cut: Vec<Symbol> = set.map(|(_, symbol)| *symbol).collect();
        for (block, _) in graph.blocks.iter().zip(&self.blocks).filter(|(_, seen)| **seen) {
            let cells = block.cells.iter().zip(&layouts[block.structure].cells);
            cut.extend(cells.filter(|(_, cell)| sight.cuts(cell.field)).map(|(value, _)| *value));
        }
        for (edge, _) in graph.edges.iter().zip(&self.edges).filter(|(_, seen)| **seen) {
            let is_cut = |param: usize| stores(&edge.checker, param, layouts, &|field| sight.cuts(field));
            let args = edge.args.iter().enumerate();
            cut.extend(args.filter(|(param, _)| is_cut(*param)).map(|(_, symbol)| *symbol));
        }
        let leads = |symbol: &Symbol| matches!(graph.kind(*symbol), Kind::Pointer | Kind::Outside(..));
        cut.retain(|symbol| leads(symbol) && !self.known[symbol.index()]);
        if !cut.is_empty() {
            let held = self.part(graph, sight, false).reached(&[]);
            cut.retain(|symbol| !held.is_reached(*symbol));
        }
        cut
    }

    /// The part inside, or the rest.
    fn part(&self, graph: &ShapeGraph, sight: &Sight, inside: bool) -> ShapeGraph {
        let mut graph = graph.clone();
        let (mut blocks, mut edges) = (self.blocks.iter(), self.edges.iter());
        graph.blocks.retain(|_| blocks.next() == Some(&inside));
        graph.edges.retain(|_| edges.next() == Some(&inside));
        graph.globals.retain(|global, _| sight.globals.contains(global) == inside);
        graph
    }
}

/// Where a run of a checker leads besides its own region.
fn ways(edge: &Edge, sight: &Sight, layouts: &Layouts) -> Vec<Symbol> {
    let args = edge.args.iter().enumerate();
    let seen = args.filter(|(param, _)| sight.sees_param(&edge.checker, *param, layouts)).map(|(_, symbol)| *symbol);
    edge.addresses().chain(seen).chain(edge.end.iter().map(|end| end.target)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Sight, Split};
    use crate::graph::shape_graph::Top;
    use crate::graph::shape_graph::{Block, Frame, Kind, ShapeGraph};
    use crate::layout::Layouts;
    use std::collections::BTreeMap;
    use trifold_ir::{ProcId, Region, StructId};

    /// A callee that may have written anywhere leaves nothing of the frame.
    #[test]
    fn the_frame_is_given_up() {
        let (program, _) = trifold_ir::parse("test", "struct s { s *n; } entry proc main() { }").expect("a program");
        let frame = |called| Frame { procedure: ProcId::from_index(0), called, values: BTreeMap::new() };
        let behind = |top: Top, called: bool| {
            let mut caller = ShapeGraph::new();
            let (address, cell) = (caller.fresh(Kind::Pointer), caller.fresh(Kind::Pointer));
            let structure = StructId::from_index(0);
            let (parts, cells) = (vec![address], vec![cell]);
            caller.blocks.push(Block { parts, cells, structure, region: Region::Heap, depth: 0 });
            caller.outside.push(address);
            caller.frames.push(frame(called));
            let split = Split::new(&caller, &Sight::default(), &[], &[], &Layouts::new(&program));
            let exit = ShapeGraph { frames: vec![frame(true)], top, ..ShapeGraph::new() };
            let graph = split.beside(&exit, |_, _| {}).expect("it is feasible");
            (graph.blocks.len(), graph.top)
        };
        assert_eq!(behind(Top::Nothing, false), (1, Top::Nothing));
        assert_eq!(behind(Top::Own, false), (1, Top::Own));
        assert_eq!(behind(Top::Callers, false), (0, Top::Own));
        assert_eq!(behind(Top::Callers, true), (0, Top::Callers));
    }
}
